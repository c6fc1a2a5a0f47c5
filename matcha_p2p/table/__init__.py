"""The protocol of a table: one pure function over public knowledge, for two to four seats.

``step(state, entry)`` is what player, peer, observer, resume and offline verifier fold. A game
declares steps; the table proves, orders, verifies and blames. It knows no game, no clock, no
chance, and, outside ``seat.py``, no secret.
"""
