"""Scenes of a game between Taro (seat 0, the owner of the screen), Mina and Jun."""

from dataclasses import replace
from typing import Self

from matcha_p2p.console.review.findings import Findings
from matcha_p2p.console.table.frame import Request
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.review.mistakes import BetterMove
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.notation import parse_action
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import GameState, Paying, Questioning, Turn
from matcha_p2p.games.kashi.screen import keys
from matcha_p2p.games.kashi.screen.keys import FRAME
from matcha_p2p.games.kashi.screen.scene import Scene, fresh, hear
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.told import ending
from matcha_p2p.narration.news import News
from matcha_p2p.review.analysis import Mistake
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDown
from matcha_p2p.session.news import GameEvent, LineChanged, MoveDue, Settled, TalkHeard
from matcha_p2p.wire.names import GameId
from tests.console.hints import press_hinted
from tests.games.kashi.rules.positions import BOARD, begun, position, with_shops

NAMES = ("Taro", "Mina", "Jun")
OWN = Seat(0)
MET = events.Met(GameId(bytes(32)), NAMES)


class Story:
    """A game as told to the screen of seat 0. ``scene`` is the current result."""

    def __init__(self, game: GameState, *, practice: bool = False) -> None:
        self.game = game
        self.scene = fresh(OWN, advise if practice else None)
        self.sent: list[Request] = []
        self.tell(GameEvent(MET, game))

    def tell(self, *news: News) -> Self:
        for piece in news:
            self.scene = hear(self.scene, piece)
        return self

    def ask(self) -> Self:
        return self.tell(MoveDue(Outlook(self.game, OWN)))

    def press(self, *pressed: str) -> Self:
        for key in pressed:
            self.scene, choice = press_hinted(keys.FRAME, self.scene, key)
            if choice is not None:
                self.sent.append(choice)
        return self

    def turn(self, seat: int, *texts: str) -> Self:
        """Let another seat make a turn, in the words of a log."""
        actions = tuple(parse_action(BOARD, text) for text in texts)
        self.game = rules.take_turn(self.game, seat, actions)
        return self.tell(GameEvent(events.TurnTaken(Seat(seat), actions), self.game))


def market(**fields) -> GameState:
    """Return a game in its middle: chains of all three seats, goods and gold."""
    game = position(
        person="4,4",
        goods=(1, 0, 1, 1, 0),
        shops=("2,5", "3,4", "3,5", "4,4"),
        others=("5,4", "6,4"),
        **fields,
    )
    game = with_shops(game, 1, ("5,4", "6,4"), person=BOARD.named(4, 4), gold=4)
    return with_shops(game, 2, ("4,6", "5,6", "2,5"), person=BOARD.named(7, 6), orders=(4,))


def met() -> Scene:
    return fresh(OWN)


def starting() -> Scene:
    return Story(rules.new_game(BOARD, 3)).ask().press("right").scene


def own_turn() -> Scene:
    return Story(market()).ask().scene


def way_lit() -> Scene:
    """Show the way over Mina's chain, and a choice of chains."""
    return Story(market()).ask().press("down", "down", "down").scene


def too_far() -> Scene:
    return Story(market()).ask().press("g", "g", *["right"] * 3, *["down"] * 3).scene


def marked() -> Scene:
    return Story(market(), practice=True).ask().press("3").scene


def buying() -> Scene:
    game = position(person="1,4", goods=(2, 2, 2, 1, 1))
    return Story(game).ask().press("b").scene


def delivering() -> Scene:
    game = market()
    game = with_shops(
        game, 0, ("2,5", "3,4"), person=BOARD.destinations[0], goods=(2, 2, 0, 0, 2)
    )
    game = game._replace(row=(1, 2, 4, 8, 14))
    return Story(game).ask().press("d").scene


def placing() -> Scene:
    game = market(row=(1, 2, 3, 8, 12))
    game = with_shops(
        game, 0, ("2,5", "3,4"), person=BOARD.destinations[2], goods=(2, 0, 1, 2, 0)
    )
    return Story(game).ask().press("d", "down").scene


def provisional() -> Scene:
    story = Story(market()).ask().press("up", "up", "enter", "g", "left", "enter", "s")
    return story.press("u", "g").scene


def ending_turn() -> Scene:
    return Story(market()).ask().press("g", "e").scene


def their_turn() -> Scene:
    game = market()._replace(turns=4, phase=Turn(Seat(1), 5))
    return Story(game).turn(1, "go:7,4/1", "gold", "go:7,5", "go:7,6").scene


def settling() -> Scene:
    game = market()._replace(phase=Paying((OWN, Seat(1), Seat(2))), settlements=1)
    story = Story(game).tell(GameEvent(events.AreasSettled(1, (9, 6, 4)), game))
    return story.ask().press("left").scene


def idle() -> Scene:
    game = market()._replace(phase=Questioning((OWN, Seat(1), Seat(2))))
    return Story(game).ask().scene


def won() -> Scene:
    game = market()._replace(phase=Paying((OWN,)), settlements=3)
    story = Story(game).ask().press("enter")
    game = rules.pay(game, 0, 4)
    paid = events.UpkeepPaid(OWN, 4, 0)
    return story.tell(GameEvent(paid, game), GameEvent(ending(game), game)).scene


def analysed() -> Scene:
    """Show the list of the mistakes, while further turns are judged."""
    better = tuple(parse_action(BOARD, text) for text in ("gold", "go:3,4", "shop"))
    made = tuple(parse_action(BOARD, text) for text in ("go:3,5", "gold"))
    board = BetterMove(market(), OWN, better, made)
    done = "to 3,5; taking 1 gold", "taking 1 gold; to 3,4; a shop on 3,4"
    found = tuple(
        Mistake(f"Round {number}", "", *done, loss, f"{loss} points (+-2)", board)
        for number, loss in ((4, 9), (7, 12))
    )
    fine: tuple[tuple[float, Mistake | None], ...] = ((0, None),) * 7
    scene = hear(won(), Settled(b"file"))
    scene, _ = keys.press(scene, "a")
    judged = (*fine, *((each.loss, each) for each in found))
    return replace(scene, findings=Findings(FRAME.analysis(scene), 21, judged))


def studied() -> Scene:
    """Show the second mistake on the board."""
    scene = analysed()
    for key in ("a", "a"):
        scene, _ = keys.press(scene, key)
    return scene


def talking() -> Scene:
    story = Story(market()).ask().tell(TalkHeard("who takes the tea?", "Mina", Seat(1)))
    return story.press("/").scene


def lost_line() -> Scene:
    return (
        Story(market())
        .ask()
        .tell(LineChanged(LineDown("The line broke.", Seat(1)), "Mina"))
        .scene
    )


def helped() -> Scene:
    return Story(market()).ask().press("f1").scene


def four() -> Scene:
    game = begun(4)
    story = Story(game)
    story.scene = replace(story.scene, names=(*NAMES, "Ото"))
    return story.ask().scene


SCENES = {
    each.__name__: each
    for each in (
        met,
        starting,
        own_turn,
        way_lit,
        too_far,
        marked,
        buying,
        delivering,
        placing,
        provisional,
        ending_turn,
        their_turn,
        settling,
        idle,
        won,
        analysed,
        studied,
        talking,
        lost_line,
        helped,
        four,
    )
}
