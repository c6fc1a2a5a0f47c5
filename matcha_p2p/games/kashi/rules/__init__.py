"""The game on a table: no cryptography, no chance, no input or output."""
