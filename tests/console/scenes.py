"""Scenes of a game between Taro (seat 0, the owner of the screen) and Mina, piece by piece."""

from dataclasses import replace
from typing import Self

from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020, Edition
from matcha_p2p.games.matcha.rules.game import advance, deal, new_game, resign
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import faces, parse_move
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Ended, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.table.events import (
    HandsDealt,
    HandSeen,
    Met,
    Shuffled,
    TableLaid,
    ended_by,
    placing_events,
)
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDown
from matcha_p2p.session.news import GameEvent, LineChanged, MoveDue, TalkHeard
from matcha_p2p.wire.names import GameId
from tests.console.frames import press

YOU, PEER = SEATS
TABLE = faces("T3 W1 B2 S4 W4 T1")
MINE = faces("B3 W2 Z S1 T4")
THEIRS = faces("S3 Z B1 W3 T2")


class Story:
    """A game as told to the screen of seat 0. ``scene`` is the current result."""

    def __init__(self, edition: Edition = EDITION_2015, name: str = "Mina") -> None:
        self.game = new_game(edition, YOU)
        self.scene = Scene(YOU)
        self.tell(GameEvent(Met(GameId(bytes(32)), edition, ("Taro", name)), self.game))
        self.tell(GameEvent(Shuffled(YOU, "mix"), self.game))

    def tell(self, *news: News) -> Self:
        for piece in news:
            self.scene = hear(self.scene, piece)
        return self

    def deal(self) -> Self:
        self.game = deal(self.game, TABLE)
        laid = TableLaid(self.game.number, self.game.dealer, TABLE, 0)
        for event in (laid, HandsDealt(), HandSeen(MINE)):
            self.tell(GameEvent(event, self.game))
        return self.ask()

    def ask(self) -> Self:
        """Ask seat 0 for its move, if one is due."""
        seen = observe(self.game, YOU, MINE)
        return self.tell(MoveDue(seen)) if seen.legal_moves() else self

    def play(self, *moves: str) -> Self:
        for move in moves:
            self._make(parse_move(move))
        return self

    def _make(self, move: Move) -> None:
        before = self.game
        if before.phase == Placing(YOU):
            self.scene = replace(self.scene, question=Scene(YOU).question)
        assert isinstance(move, Play | Pass)
        self.game = advance(before, move, (MINE, THEIRS))
        self.tell(*(GameEvent(event, self.game) for event in placing_events(before, self.game)))
        self.ask()

    def press(self, *keys: str) -> Self:
        for key in keys:
            self.scene, _ = press(self.scene, key)
        return self


def shuffling() -> Scene:
    return Story().scene


def first_move() -> Scene:
    return Story().deal().scene


def aiming() -> Scene:
    return Story().deal().press("1").scene


def sealing() -> Scene:
    return Story().deal().press("1", "b").scene


def second_round() -> Scene:
    story = Story().deal().play("1a", "1a", "2b", "p", "4d")
    story.tell(TalkHeard("I have nothing here", "Taro", Seat(1)))
    return story.press("/", *"so have I", "enter").scene


def keeping() -> Scene:
    story = Story().deal().play("1a", "1a", "p", "p", "p", "2d", "p", "p", "p")
    return story.press("2", "5").scene


def talking() -> Scene:
    story = Story().deal().tell(TalkHeard("hello again!", "Taro", Seat(1)))
    return story.press("/", *"one more then").scene


def leaving() -> Scene:
    return Story().deal().press("f10").scene


def lost_line() -> Scene:
    return Story().deal().tell(LineChanged(LineDown("The line broke.", Seat(1)), "Taro")).scene


def conceded() -> Scene:
    story = Story(EDITION_2020).deal().play("1a", "1a", "2b", "p")
    ended = resign(story.game, PEER)
    assert isinstance(ended.phase, Ended)
    return story.tell(GameEvent(ended_by(ended.phase, ended.tokens), ended)).scene


def helped() -> Scene:
    return Story().deal().press("f1").scene


def ruled() -> Scene:
    return Story().deal().press("f2").scene


def reviewed() -> Scene:
    return Story().deal().play("1a", "1a", "2b", "p").press("f4").scene


def explained() -> Scene:
    return Story().deal().play("1a", "1a", "2b", "4b").press("w").scene


def won() -> Scene:
    """Seat 0 wins by a fourth leaf token."""
    story = Story()
    story.game = story.game._replace(tokens=((3, 1, 0, 0, 0), (0, 2, 1, 1, 1)))
    return story.deal().play("1a", "1a", "2b", "p").scene


def tie_break() -> Scene:
    """Seat 0 has five kinds, seat 1 four whisks, and a leaf token decides."""
    story = Story()
    story.game = story.game._replace(tokens=((0, 1, 1, 1, 1), (0, 2, 0, 0, 3)))
    return story.deal().play("1a", "2a", "p", "p").scene


def nearly() -> Scene:
    """Both seats need a single token more, and seat 0 is to move."""
    story = Story()
    story.game = story.game._replace(tokens=((3, 1, 0, 0, 0), (0, 2, 1, 1, 1)))
    return story.deal().scene


def hinted() -> Scene:
    """Seat 0 has asked for a hint, and the hint has the greatest length."""
    moves = (JudgedMove(parse_move("2a"), 0.58, 0.01), JudgedMove(parse_move("3a"), 0.31, 0.01))
    story = Story().deal().play("4b", "1a")
    story.scene = replace(
        story.scene, advise=lambda _: Judgement(moves, exact=False), decided=1
    )
    return story.press("h").scene


SCENES = {
    scene.__name__: scene
    for scene in (
        shuffling,
        first_move,
        aiming,
        sealing,
        second_round,
        keeping,
        talking,
        leaving,
        lost_line,
        conceded,
        helped,
        ruled,
        reviewed,
        explained,
        won,
        tie_break,
        nearly,
        hinted,
    )
}
