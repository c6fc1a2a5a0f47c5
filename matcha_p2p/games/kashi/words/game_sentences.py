"""Every sentence about the course of a game.

If the reader acts, a sentence ending in YOURS is told.
"""

from typing import Final

from matcha_p2p.language import Sentence

YOU: Final = Sentence("you")
AND: Final = Sentence("{first} and {last}")

MET: Final = Sentence("You play with {name}. Type help for the commands.")
FIRST: Final = Sentence("The coin has chosen {name}: {name} begins.")
FIRST_YOURS: Final = Sentence("The coin has chosen you: you begin.")
STARTED: Final = Sentence("{name} starts on {square}.")
STARTED_YOURS: Final = Sentence("You start on {square}.")
TURN: Final = Sentence("{name}: {actions}.")
TURN_YOURS: Final = Sentence("You: {actions}.")
NO_ACTION: Final = Sentence("{name} ends the turn without an action.")
NO_ACTION_YOURS: Final = Sentence("You end the turn without an action.")
ROW: Final = Sentence("Open orders:")
DRAWN: Final = Sentence("New orders:")
ON: Final = Sentence("{name} wants to go on without a settlement.")
ON_YOURS: Final = Sentence("You want to go on without a settlement.")
SETTLE: Final = Sentence("{name} asks for a settlement.")
SETTLE_YOURS: Final = Sentence("You ask for a settlement.")
SETTLED: Final = Sentence("Settlement {number}. Points of the areas: {gains}.")
OF_SEAT: Final = Sentence("{name} {number}")
PAID: Final = Sentence("{name} pays {gold} gold as upkeep.")
PAID_YOURS: Final = Sentence("You pay {gold} gold as upkeep.")
LOSES: Final = Sentence("{name} pays {gold} gold as upkeep, and loses points: {points}.")
LOSES_YOURS: Final = Sentence("You pay {gold} gold as upkeep, and lose points: {points}.")

# Actions, without the player.

STEP: Final = Sentence("to {place}")
OVER: Final = Sentence("over {owner}'s shops to {place}, 1 gold for {owner}")
OVER_OWN: Final = Sentence("over own shops to {place}")
OVER_YOURS: Final = Sentence("over your shops to {place}, 1 gold for you")
BUYS: Final = Sentence("buying {good}")
SWAPS: Final = Sentence("giving {back} back and buying {good}")
GOLD: Final = Sentence("taking {gold} gold")
SHOP: Final = Sentence("a shop on {square}")
RELAID: Final = Sentence("the shop of {taken} to {square}")
NUMBERED: Final = Sentence("order {order}")
DONE: Final = Sentence("delivering {order}")
DONE_GOODS: Final = Sentence("delivering {order}, with {goods} as the bonus")
DONE_SHOP: Final = Sentence("delivering {order}, with a shop on {square} as the bonus")
DONE_NO: Final = Sentence("delivering {order}, without the bonus")

# The end.

SCORE: Final = Sentence(
    "{name}: {points} points. On the track: {track}. Orders: {orders}. Sets: {sets}. "
    "Gold and goods: {gold}."
)
WINS: Final = Sentence("{name} wins.")
SHARED: Final = Sentence("{name} share the victory.")
WIN_YOURS: Final = Sentence("You win.")
SHARED_YOURS: Final = Sentence("You share the victory with {name}.")
RESIGNED: Final = Sentence("{name} has conceded. The game is over.")
RESIGNED_YOURS: Final = Sentence("You have conceded. The game is over.")
NOTHING_HIDDEN: Final = Sentence("Everything lay open in this game: no card was hidden.")

# Descriptions.

TAKEN_UP: Final = Sentence("The game with {name} goes on in round {number}.")
MARKET_ROW: Final = Sentence("Row {row}: {cells}.")
CELL: Final = Sentence("{place} ({things})")
SHOPS_OF: Final = Sentence("shop of {name}")
SHOPS_YOURS: Final = Sentence("your shop")
AREA: Final = Sentence("Area {area}, {values} points. Shops: {shops}.")
STANDS: Final = Sentence(
    "{name}: {track} points on the track, {points} if the game ended now. Gold: {gold}. "
    "Goods: {goods}. Shops on the board: {laid}, in hand: {hand}. Orders: {orders}."
)
OWN: Final = Sentence("You stand on {place}, with {gold} gold. Goods: {goods}.")
DECK: Final = Sentence("Orders in the deck: {deck}. Settlements so far: {settlements}.")
