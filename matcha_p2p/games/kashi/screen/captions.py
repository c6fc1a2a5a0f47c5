"""Every sentence and word of the full screen of Kashi-ichi."""

from collections.abc import Mapping
from typing import Final

from matcha_p2p.games.kashi.rules.orders import ShopBonus
from matcha_p2p.language import Counted, Sentence

# The title and the frame.

TITLE: Final = Sentence("{board}   round {round}, settlements {settlements} of 3")
TITLE_SHORT: Final = Sentence("round {round}, settlements {settlements} of 3")
PLAYERS: Final = Sentence("you, {names}")
WINDOW_DUE: Final = Sentence("matcha: your turn")
MEETING: Final = Sentence("The programs greet each other.")
DRAWING: Final = Sentence("A coin draws who begins.")

# The pane: orders, players, areas.

ORDERS: Final = Sentence("ORDERS")
NEEDS: Final = Sentence("needs")
POINTS: Final = Sentence("pts")
BONUS: Final = Sentence("bonus")
FAR: Final = Sentence("AP")
PLAYER: Final = Sentence("PLAYERS")
GOLD: Final = Sentence("gold")
GOODS: Final = Sentence("goods")
SHOPS: Final = Sentence("shops")
DONE: Final = Sentence("sent")
AREAS: Final = Sentence("AREAS")
BONUS_AP: Final = Sentence("{count} AP")
BONUS_GOODS: Final = Counted("{count} good", "{count} goods")
BONUS_SHOP: Final[Mapping[ShopBonus, Sentence]] = {
    ShopBonus.HALF_EMPTY: Sentence("shop 1/2"),
    ShopBonus.HALF_ANY: Sentence("shop 1/2 any"),
    ShopBonus.FREE_ANY: Sentence("shop free"),
}

TIGHT_SHOP: Final[Mapping[ShopBonus, Sentence]] = {
    ShopBonus.HALF_EMPTY: Sentence("sh. 1/2"),
    ShopBonus.HALF_ANY: Sentence("1/2 any"),
    ShopBonus.FREE_ANY: Sentence("sh. free"),
}
TIGHT_BOTH: Final = Sentence("{gold}g {count}good")

# The state of the turn.

AP_LEFT: Final = Sentence("{ap} AP left")
HELD: Final = Sentence("{gold} gold, goods {goods} ({count} of {most})")
NO_GOODS: Final = "-"
MADE: Final = Sentence("So far: {actions}.")
THEIR_TURN: Final = Sentence("{name} has the turn.")
THEIR_UPKEEP: Final = Sentence("{name} pays upkeep.")
THEIR_START: Final = Sentence("{name} chooses where to start.")
THEIR_ANSWER: Final = Sentence("{name} decides whether to settle.")
COINS: Final = Sentence("A coin draws the orders.")
LACKS: Final = Sentence("Order {order} ({bonus}): {goods} still lacking.")
LACKS_NOTHING: Final = Sentence("Order {order} ({bonus}): you hold all its goods.")
CHEAPEST: Final = Sentence("Order {order} ({bonus}): {ap} AP; {way}; over {stops}.")
WALKS: Final = Sentence("walk {count}")
BUYS: Final = Sentence("buy {count}")
TAKES: Final = Sentence("gold {count}")

# Questions.

FIRST: Final = Sentence(
    "Buy goods, bring them to the guests of the orders, and score points; shops shorten ways, "
    "and score too. Each action costs an action point (AP). h: a good order, ?: all keys, m: "
    "the rules."
)
START: Final = Sentence("Where do you start? Arrows or 1 to 4 choose, Enter starts.")
WALK: Final = Sentence("Arrows choose a square, Enter goes there, e ends the turn.")
SPENT: Final = Sentence("No action point is left: Enter ends the turn, u takes back.")
NEXT: Final = Sentence("The hint goes on: {actions}. Enter does this.")
STEP: Final = Sentence("Go to {square}: {ap} AP. Enter goes.")
OVER_YOURS: Final = Sentence("Over your shops to {square}: 1 AP. Enter goes.")
OVER: Final = Sentence("Over {name}'s shops to {square}: 1 AP; {name} gets 1 gold.")
TOO_FAR: Final = Sentence("{square} is {ap} AP away; you have {left}.")
GIVE: Final = Sentence("You hold 8 goods. Give back which: 1 to 5?")
DELIVER: Final = Sentence("Deliver which order: {places}?")
CHOOSE_GOODS: Final = Sentence("Order {order}: choose a good as the bonus, 1 to 5.")
PLACE: Final = Sentence("Order {order}: where does the bonus shop go? Enter lays it.")
RELAY: Final = Sentence("Take back which shop, to lay it here? Enter takes it.")
END: Final = Sentence("End your turn? Enter ends, Esc goes back.")
END_LEFT: Final = Sentence("End your turn with {ap} AP left? Enter ends, Esc goes back.")
PAY: Final = Sentence("Upkeep of {owed}: pay {gold} gold? Each gold not paid costs a point.")
PAY_LESS: Final = Counted(
    "Upkeep of {owed}: pay {gold} gold and lose {count} point?",
    "Upkeep of {owed}: pay {gold} gold and lose {count} points?",
)
ANSWER: Final = Sentence("No order was fulfilled for long. Settle now?")
ANSWERS: Final = (Sentence("go on"), Sentence("settle"))
SENT: Final = Sentence("One moment.")

# Refusals of the screen.

NOTHING_HERE: Final = Sentence("No order can be delivered here now.")
NO_BONUS: Final = Sentence("No bonus was taken just now.")

# Keys, each at the beginning of its words.

BUY: Final = Sentence("buy")
TAKE: Final = Sentence("gold")
LAY: Final = Sentence("shop")
FULFIL: Final = Sentence("deliver")
CHAIN: Final = Sentence("chain")
END_TURN: Final = Sentence("end")
DECLINE: Final = Sentence("no bonus")
CANCEL: Final = Sentence("cancel")
LESS: Final = Sentence("less")
MORE: Final = Sentence("more")
STARTS: Final = Sentence("start here")
PAYS: Final = Sentence("pay")
GOES: Final = Sentence("go")

# Keys: the page of help.

HELP_GO: Final = Sentence("Go to the chosen square, or accept what is marked.")
HELP_LESS: Final = Sentence("Pay less upkeep.")
HELP_MORE: Final = Sentence("Pay more upkeep.")
HELP_ARROWS: Final = Sentence(
    "Choose a square and see the way there. A click does so too, and a second click goes."
)
HELP_BUY: Final = Sentence("Buy a good here.")
HELP_GOLD: Final = Sentence("Take gold.")
HELP_SHOP: Final = Sentence("Lay a shop here.")
HELP_DELIVER: Final = Sentence("Deliver an order here.")
HELP_END: Final = Sentence("End the turn. Until then nothing is final.")
HELP_UNDO: Final = Sentence(
    "Take back the last action of this turn, as often as you like; in practice then your last "
    "decision."
)
HELP_DECLINE: Final = Sentence("After a delivery: decline its bonus.")
HELP_CHAIN: Final = Sentence("Use another chain, if several lead to the square.")
ORDER_KEYS: Final = Sentence("1 to 5")
HELP_ORDER: Final = Sentence("Mark an order, and see what it lacks.")

# Events.

ORDER: Final = Sentence("{goods} to {guest}")
DRAWN: Final = Sentence("New orders: {orders}.")
HINT_TURN: Final = Sentence("A good player would do this: {actions}.")
HINT_PAY: Final = Sentence("A good player pays {gold} gold.")
HINT_SETTLE: Final = Sentence("A good player settles.")
GOING_BACK: Final = Sentence("The game goes back to your last decision.")

# The end.

FINAL: Final = Sentence("THE END")
COLUMNS: Final = (
    Sentence("track"), Sentence("orders"), Sentence("sets"), Sentence("gold"), Sentence("all"),
)  # fmt: skip

# The pages over the table.

RULES_TITLE: Final = Sentence("The rules of Kashi-ichi")
_HELP_SQUARE: Final = Sentence("5,6 is the square in row 5, column 6.")
HELP_TINTS: Final = (
    _HELP_SQUARE,
    Sentence("A colour is an area. The letter of the area stands on a square."),
    Sentence("A roof is a shop. Below it stand its owner's letter and the number of shops."),
    Sentence("A face is a person, beside the letter of the player."),
    Sentence("A way shows the number of each step. The chosen square is the brightest."),
)
"""The signs of a board in colours."""

HELP_SIGNS: Final = (
    _HELP_SQUARE,
    Sentence("Ric and the like sell a good. TEM and the like, in capitals, are guests."),
    Sentence("A small letter is an area. A capital after it is a shop, by its owner."),
    Sentence("@ is you; a small letter after the areas is another player's person."),
    Sentence("Round brackets mark a way, square brackets the chosen square."),
)
"""The signs of a board without colours."""
