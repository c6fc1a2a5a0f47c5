"""What a person sees and types: full screen if the terminal has a screen, else line by line.

A front end is a scene and pure functions. News or a key give the next scene and perhaps a
choice; a scene gives a picture. Keys, clock and drawing stay outside, in ``terminal/``, so a
test plays a game without a terminal. ``table/`` is the table of every game: keys, bars, talk,
pages, events shown in time. A game adds a scene, the game's own questions and a board.
``lines/`` asks the same questions in sentences, for screen readers and scripts. ``menu/`` comes
before a game, ``review/`` after a game.
"""
