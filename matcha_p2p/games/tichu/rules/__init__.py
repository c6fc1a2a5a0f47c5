"""A round of Tichu on a table: no cryptography, no chance, no input or output."""
