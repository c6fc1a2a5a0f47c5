"""A game as one page of HTML that verifies its own transcript, in JavaScript."""
