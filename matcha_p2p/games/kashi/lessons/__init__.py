"""The rules as text."""
