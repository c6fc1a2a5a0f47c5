"""Trio, a trick game for three, and an example of a game from another package.

The 24 cards have four suits, a to d, and six ranks. Each seat gets eight. The seat that a coin
draws leads any card, and the others lay any card in turn; the highest card of the suit that was
led takes the trick and leads the next. After eight tricks the most tricks win.
"""
