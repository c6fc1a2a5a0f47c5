"""The protocol as a pure function over public knowledge: no secrets, no clock, no chance.

``step(state, entry)`` is what player, peer, observer, resume and offline verifier all fold.
"""
