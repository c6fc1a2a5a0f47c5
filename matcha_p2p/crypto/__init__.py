"""Points, scalars, proofs and signatures; has never heard of cards."""
