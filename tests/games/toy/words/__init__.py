"""The words of the toy."""
