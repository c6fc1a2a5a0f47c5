"""The questions of line mode, and its answers to typed lines."""

from typing import Final

from matcha_p2p.language import Sentence

AIM: Final = Sentence(
    "Buy goods, bring them to the guests of the orders, and score points; shops shorten ways, "
    "and score too. Each action costs an action point. hint: what a good player would do; "
    "orders: all orders; rules: the rules."
)

# Questions.

START_Q: Final = Sentence(
    "Put your person on a start square: {squares}. Type start and the square."
)
TURN_Q: Final = Sentence(
    "Your turn. Action points: {ap}. Type go, buy, gold, shop, deliver, and end at the end."
)
PAY_Q: Final = Sentence(
    "Upkeep: you owe {owed} gold, and have {gold}. Type pay {most}, or less. Each gold not "
    "paid costs a point."
)
PAY_LESS_Q: Final = Sentence("Pay {gold}, and lose points: {points}?")
SHOP_Q: Final = Sentence("Bonus: {bonus}. Type its square, as in 2,3, or no.")
END_Q: Final = Sentence("Action points left: {ap}. End the turn?")

# Answers.

DONE: Final = Sentence("{actions}. Action points left: {ap}; gold: {gold}.")
FAR: Final = Sentence("Action points from here to {place}: {ap}.")
UNDONE: Final = Sentence("Taken back: {actions}.")
DRAFT: Final = Sentence("Your turn so far: {actions}. Action points left: {ap}.")
NO_DRAFT: Final = Sentence("You have done nothing yet in this turn. Action points: {ap}.")
NO_PLACE: Final = Sentence("Type a square as in go 2,3, or a good or guest as in go {name}.")
NO_PLAYER: Final = Sentence("Type the player whose shops you use, as in go 2,6 over {name}.")
BUY_HOW: Final = Sentence("Type buy, or buy 2. If you hold 8 goods, type buy back {name}.")
GOLD_HOW: Final = Sentence("Type gold, or gold 2.")
SHOP_HOW: Final = Sentence("Type shop. If no shop is in your hand, type shop from 2,3.")
DELIVER_HOW: Final = Sentence("Type the number of an open order, as in deliver {order}.")
PAY_HOW: Final = Sentence("Type a number of gold, as in pay {gold}.")
NO_GAME: Final = Sentence("The players are not here yet.")
START_ANYWHERE: Final = Sentence(
    "The orders are drawn after the start: no square is known to be better yet."
)
WAY: Final = Sentence("Order {order}, action points: {ap}. {legs}.")
LEG: Final = Sentence("to {place} {ap}")
BUYING: Final = Sentence("buying {buys}")
TAKING: Final = Sentence("taking gold {takes}")
DELIVERING: Final = Sentence("delivering 1")

# Help.

HELP_GO: Final = Sentence(
    "go 2,3: to row 2, column 3; go rice: to the wholesaler, as far as points last. go 2,6 "
    "over NAME: over this player's shops. Several actions fit on a line: go rice; buy 2; end."
)
HELP_BUY: Final = Sentence(
    "buy 2: two goods. gold 2: take gold twice. shop: lay a shop where you stand."
)
HELP_DELIVER: Final = Sentence("deliver 7: fulfil order 7; deliver 7 no: without its bonus.")
HELP_UNDO: Final = Sentence(
    "undo: take back the last action of this turn; undo all: the whole turn. In practice, at "
    "the beginning of a turn: take back your last decision."
)
HELP_END: Final = Sentence(
    "end: end the turn. Until then nothing is sent, and all can be taken back."
)
HELP_START: Final = Sentence("start 3,3: where you begin. pay 3: upkeep.")
HELP_TELL: Final = Sentence(
    "orders, board, areas, score, mine, turn: hear the orders, the market, the shops by area, "
    "all players, your things, your turn so far."
)
HELP_HINT: Final = Sentence(
    "hint: what a good player would do here; then why: the action points of each order. hint "
    "7: the cheapest way of order 7."
)
