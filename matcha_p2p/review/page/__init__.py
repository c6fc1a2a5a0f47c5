"""A game as one page of HTML. JavaScript in the page verifies the game's transcript."""
