"""The text of the tutorial: a game of three seats up to its first settlement.

Moves and draws are written as in a log (``rules/log.py``), with the seat of each move left out.
The outcome of a move is not written here: the rules compute it.
"""

from typing import Final

from matcha_p2p.language import Sentence
from matcha_p2p.narration.lessons import BY_LINE, ON_SCREEN, Lesson

__all__ = ["BY_LINE", "LESSONS", "ON_SCREEN"]

OTHERS: Final = (Sentence("Mina"), Sentence("Jun"))
"""The names of the next two seats."""

START: Final = Lesson(
    Sentence(
        "Welcome! You, Mina and Jun run sweets shops, and points win. You buy goods at five "
        "wholesalers and carry them to three guests: the temple, the theatre and the harbour. "
        "First your person needs a square. Take start square 2: rice and the temple are near."
    ),
    "2 Enter",
    ("start 3,5",),
    ("START 3,5",),
)
WALK: Final = Lesson(
    Sentence(
        "Five orders lie open. Order 1 wants rice and a chestnut at the temple, for 6 points. "
        "A turn has 5 action points; your first has 3. A step to the square beside yours costs "
        "one. Walk to the rice, and end the turn: nothing is sent before its end."
    ),
    "up up left Enter e Enter",
    ("go rice; end",),
    ("TURN go:2,5 go:1,5 go:1,4",),
    ("START 3,3", "START 5,5", "ROW 1 3 5 11 22"),
)
BUY: Final = Lesson(
    Sentence(
        "On a wholesaler's square a good costs an action point and 2 gold, and you buy at most "
        "two of a kind in a turn. A point also takes 3 gold from the stock, twice in a turn. A "
        "shop costs a point and 1 gold. Buy rice, take gold, and lay a shop on 1,6."
    ),
    "b g right right Enter s e Enter",
    ("buy; gold; go 1,6; shop; end",),
    ("TURN buy gold go:1,5 go:1,6 shop",),
    ("TURN go:2,3 go:1,3 go:1,4 buy", "TURN go:6,5 go:6,6 go:6,7 go:7,7 buy"),
)
CHAIN: Final = Lesson(
    Sentence(
        "Shops of yours that touch side to side are a chain. Whoever uses a chain goes from "
        "beside it to any square beside it, for one point. The second shop of a chain costs 2 "
        "gold, the third 3. Lay two more to the south, and take gold between them."
    ),
    "down Enter s g down Enter s e Enter",
    ("go 2,6; shop; gold; go 3,6; shop; end",),
    ("TURN go:2,6 shop gold go:3,6 shop",),
    ("TURN go:1,3 go:2,3 shop go:3,3 go:4,3", "TURN go:6,7 go:5,7 go:4,7 buy gold"),
)
TOLL: Final = Lesson(
    Sentence(
        "Jun went over your chain, so you got 1 gold from the stock. Everybody may use any "
        "chain; its owner gets the gold, and the walker pays nothing. Buy the chestnut. "
        "From there your chain makes the temple two points away instead of three."
    ),
    "down right Enter b up up up Enter e Enter",
    ("go chestnut; buy; go temple; end",),
    ("TURN go:3,7 go:4,7 buy go:3,7 go:1,7/0",),
    ("TURN go:4,2 go:5,2 shop go:6,2 go:7,2", "TURN go:3,7 go:1,5/0 go:1,4 buy gold"),
)
DELIVER: Final = Lesson(
    Sentence(
        "You are at the temple with its goods: deliver order 1, for a point. Its points count "
        "at the end, its bonus now: two more action points. Another order: a chestnut and a "
        "plum for the theatre. Fetch a chestnut, and go on south."
    ),
    "d down down down Enter g b down down Enter e Enter",
    ("deliver 1; go chestnut; gold; buy; go 6,7; end",),
    ("TURN fill:1 go:3,7/0 go:4,7 gold buy go:5,7 go:6,7",),
    ("TURN go:7,1 buy gold go:6,1 go:5,1", "TURN go:2,4 go:3,4 shop go:4,4 shop"),
)
FETCH: Final = Lesson(
    Sentence(
        "At the end of a turn new orders fill the row. Mina and Jun have delivered, too: each "
        "bonus was a shop at half price. Every order can be fulfilled once, by whoever comes "
        "first. Buy the plum, and carry it to the theatre."
    ),
    "down Enter b left left left Enter e Enter",
    ("go plum; buy; go theatre; end",),
    ("TURN go:7,7 buy go:7,6 go:7,5 go:7,4",),
    (
        "DRAW 14",
        "TURN go:4,1 fill:3=4,2 gold gold go:4,2",
        "DRAW 9",
        "TURN go:5,4 go:6,4 go:7,4 fill:11=5,4 gold",
        "DRAW 24",
    ),
)
BONUS: Final = Lesson(
    Sentence(
        "The bonus of this order is a good of your choice. Deliver the order and choose rice. "
        "Then take gold twice: a settlement may soon cost 1 gold a shop. "
        "Lay a shop on 6,4, north of the theatre, for a rank in a second area."
    ),
    "d 1 g g up Enter s e Enter",
    ("deliver 5 rice; gold 2; go 6,4; shop; end",),
    ("TURN fill:5=1 gold gold go:6,4 shop",),
    ("TURN go:4,3 shop gold go:5,3 shop", "TURN go:6,4 go:6,5 shop gold gold"),
)
UPKEEP: Final = Lesson(
    Sentence(
        "An order with a settlement was drawn. In each area most shops got most points: 3 for "
        "your three in e. Now all pay 1 gold for each shop on the board, most points first. "
        "Mina was 1 gold short and lost a point. Pay your 4."
    ),
    "Enter",
    ("pay 4",),
    ("UPKEEP 4",),
    ("DRAW 29", "UPKEEP 4", "UPKEEP 4"),
)

LESSONS: Final = (START, WALK, BUY, CHAIN, TOLL, DELIVER, FETCH, BONUS, UPKEEP)
END: Final = Sentence(
    "The first settlement is over, and all have more shops in hand. You know a whole turn now. "
    "A game goes on like this; the third settlement ends it. Then shops, orders, sets of all "
    "three guests and gold make up the points. Now play with bots!"
)
