"""The work of each command, for a person or a program."""
