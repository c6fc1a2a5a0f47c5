"""The step of a session: from a state and an item to the next state and its effects.

``step.step`` hands each item on: ``hearing`` takes the frames of neighbours, ``signing`` the
choices of the player, ``waits`` the time limits. ``greeting``, the game, ``parting`` and
``rematch`` follow one another, and ``links`` passes on what is new.
"""
