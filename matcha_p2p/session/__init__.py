"""A live game: one seat's copy of the chain, its journal, and the links to the other seats.

A session is a pure function in a loop. Frames of neighbours, choices of the player, changes of
the lines and time limits are items. ``step/`` takes a state and an item, and returns the next
state and effects: frames to send, news to show. ``driver`` does all I/O: first the chain of the
new state is made durable (``ledger``), then the effects are carried out. So a crash loses
nothing that other seats have seen, and after a new start the same bytes are sent again
(PEER#journal).

``chain`` decides what counts, and ``words`` are said beside the chain. ``series`` runs several
games. ``connection/`` keeps a line to each neighbour over any number of links, and
``reconnect`` makes the links; ``storage/`` keeps the files.
"""
