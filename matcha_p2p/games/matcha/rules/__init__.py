"""The game on a table: both editions, no cryptography, no input or output."""
