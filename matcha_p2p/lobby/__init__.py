"""The lobby of a table: who sits where, until the roster is signed.

``own_seat`` draws a seat's secrets. ``host`` and ``guest`` are pure: the host's table, and the
table as a guest sees it. ``room`` runs both over links.
"""
