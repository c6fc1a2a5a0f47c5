"""The rules and the boards of a game, printed and checked."""
