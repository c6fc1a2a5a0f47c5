"""What is said of a game, for every front end: sentences, reasons, phrases and facts."""
