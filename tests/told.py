"""Games of protocol/verifier that are told the outcomes of steps, and see no proof."""

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.judges import VERIFIER


@dataclass(eq=False)
class Card:
    """A card without a masked pair. true: the face, or None while no seat has to know the face.

    face: None while the card is closed. given: the seats whose share the card has.
    """

    true: Any = None
    face: int | None = None
    given: set[int] = field(default_factory=set)

    @property
    def back(self) -> bytes:
        """The name of the card in a move."""
        return id(self).to_bytes(32)

    def lacks(self, seat: int, reader: int | None) -> bool:
        """Tell whether the share of ``seat`` is due."""
        return self.face is None and seat != reader and seat not in self.given

    owes = lacks
    """The same, for matcha_p2p."""


class Piles:
    """The piles of a game."""

    def __init__(self) -> None:
        self.piles: dict[str, list[Card]] = {}

    def public(self, *faces: int) -> list[Card]:
        return [Card(face, face) for face in faces]

    def find(self, pile: str, back: bytes) -> int:
        backs = [card.back for card in self.piles[pile]]
        VERIFIER["codec"].require(back in backs, "E_BACK")
        return backs.index(back)


class Told:
    """A game that is told outcomes as protocol/vectors/trace and plays have them."""

    def __init__(self, name: str, variant: str, seats: int) -> None:
        self.game = VERIFIER["games"].find_game(name, variant, seats)
        self.cards = Piles()
        self.step = self.game.begin(self.cards)

    def take(self, outcome: list[Any]) -> None:
        """Go on after a step. Raises: CheckError of the verifier."""
        self._take(outcome)
        while self.step.then and not self.step.owing:  # done at once
            self.step = self.step.then(self.step.opened())

    def _take(self, outcome: list[Any]) -> None:
        match outcome:
            case ["coin", value]:
                self.step = self.step.then(bytes.fromhex(value[2:]))
            case ["mixed"]:
                self.step.pile[:] = [Card() for _ in self.step.pile]
                self.step = self.step.then([])
            case ["faces", text]:
                self._open(bytes.fromhex(text[2:]))
            case ["move" | "moves", *moves]:
                said = {seat: self._wire(seat, move) for seat, *move in moves}
                for seat, move in said.items():
                    self.game.judge(seat, move)
                self.step = self.step.then(said)

    def _open(self, faces: bytes) -> None:
        share(self.step.reads)
        shown = [card for card, reader in self.step.reads if reader is None]
        for card, face in zip(shown, faces, strict=True):
            card.face = face
        self.step = self.step.then([*faces])

    def _wire(self, seat: int, move: list[Any]) -> list[Any]:
        """Return a move with backs for places."""
        hand = self.cards.piles.get(f"hand {seat}", [])

        def named(value: Any) -> Any:
            return b"".join(hand[at].back for at in value) if isinstance(value, list) else value

        return [*map(named, move)]

    def refuses(self, outcomes: list[Any]) -> bool:
        """Tell whether the last of some outcomes is refused; the game is of no use then."""
        *before, last = outcomes
        for outcome in before:
            self._take(outcome)
        try:
            self._take(last)
        except VERIFIER["codec"].CheckError as refusal:
            return refusal.check == "E_RULE"
        return False

    def state(self) -> list[Any]:
        """Return the state array as JSON has it."""
        return plain(self.game.state())


def share(reads: Iterable[tuple[Card, int | None]]) -> None:
    """Give cards the shares of all seats but their readers. reads: cards and their readers."""
    for card, reader in reads:
        card.given |= {0, 1, 2, 3} - {reader}


def plain(value: Any) -> Any:
    """Return a value as JSON has it: bytes in hex behind 0x."""
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    return [*map(plain, value)] if isinstance(value, list | tuple) else value


def changed(array: list[Any], places: dict[str, Any]) -> list[Any]:
    """Return a state array with the values that a case sets."""
    values = dict(enumerate(array)) | {int(place): value for place, value in places.items()}
    return [values[place] for place in range(len(values))]


def is_right(case: dict[str, Any]) -> bool:
    """Tell whether the verifier's rules find each step of a play, and each refusal."""
    told = Told(case["game"], case["variant"], case["seats"])
    array: list[Any] = []
    for step in case["steps"]:
        if "refused" in step:
            if not copy.deepcopy(told).refuses(step["refused"]):
                return False
            continue
        told.take(step["outcome"])
        array = changed(array, step["set"])
        if (told.state(), plain(told.step.owing)) != (array, step["owing"]):
            return False
    return bool(told.game.result() == case["result"])
