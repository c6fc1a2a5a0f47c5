"""Prints a game from both sides at once, from the facts that each side's program prints."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.front import Printed
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.notation import MATS as LETTERS
from matcha_p2p.games.matcha.rules.notation import mat_text
from matcha_p2p.language import Sentence

CARDS: Final = Sentence(
    "Cards: T leaf, B bowl, W water, S scoop, Z zero; [] a card face down, - no card."
)
MATS: Final = Sentence(
    "Mats: # asks for its card's number, * for its suit. K is the whisk token."
)
legend: Final = (CARDS, MATS)
_HAND: Final = Sentence("{name} sees   own hand {hand}, the other's {backs}")
_KEPT: Final = Sentence("Kept: {name} {kept}, {other} {other_kept}.")
_SET: Final = Sentence("Set {number}, {name} deals. Mats: {mats}.")
_ROUND: Final = Sentence("Round {number}: {first} and {second}")
_SEES: Final = Sentence("{name} sees   {cards}")
_OPENED: Final = Sentence("{mat} opened, {first} against {second}: {taken}.")
_UNOPENED: Final = Sentence("{mat} stays closed: {taken}.")
_TAKES: Final = Sentence("{name} takes {token}")
_BOTH_TAKE: Final = Sentence("{name} takes {token} and {other} takes {other_token}")
_NOBODY: Final = Sentence("nobody takes a token")
_TOKENS_NOW: Final = Sentence("Tokens: {tokens}")
_DRAW: Final = Sentence("A draw ({how}). {tokens}")
_WINS: Final = Sentence("{name} wins ({how}). {tokens}")

_FACE_DOWN: Final = "[]"
_NONE: Final = "-"
_TOLD: Final = ("table-laid", "hand-seen", "round-resolved", "kept", "game-ended")


@dataclass(frozen=True, slots=True)
class _View:
    """A fact of one side.

    laid: in a round, the cards by (seat, mat) as the side sees the cards.
    """

    fact: Printed
    laid: dict[tuple[int, int], str]


class Sides:
    """Collects the facts of both sides; prints each fact as soon as both sides have sent it."""

    def __init__(self, names: tuple[str, str], say: Callable[[str], None]) -> None:
        self._names: Final = names
        self._say: Final = say
        self._views: Final[tuple[list[_View], list[_View]]] = ([], [])
        self._laid: Final[list[dict[tuple[int, int], str]]] = [{}, {}]
        self._table: list[str] = []

    def take(self, seat: int, fact: Printed) -> None:
        """Take a fact that the program of ``seat`` has printed."""
        if fact["event"] == "placed":
            self._laid[seat][fact["seat"], fact["mat"]] = fact["card"] or _FACE_DOWN
        if fact["event"] not in _TOLD:
            return
        laid: dict[tuple[int, int], str] = {}
        if fact["event"] == "round-resolved":
            laid, self._laid[seat] = self._laid[seat], laid
        self._views[seat].append(_View(fact, laid))
        while all(self._views):
            self._tell((self._views[0].pop(0), self._views[1].pop(0)))

    def _tell(self, views: tuple[_View, _View]) -> None:
        fact = views[0].fact
        match fact["event"]:
            case "table-laid":
                self._table = fact["table"]
                self._tell_table(fact)
            case "hand-seen":
                for seat, view in enumerate(views):
                    hand = " ".join(view.fact["cards"])
                    said = _HAND(name=self._names[seat], hand=hand, backs=f"{_FACE_DOWN}x5")
                    self._say(f"  {said}")
            case "round-resolved":
                self._tell_round(views)
            case "kept":
                name, other = self._names
                kept: list[int] = fact["counts"]
                self._say(_KEPT(name=name, kept=kept[0], other=other, other_kept=kept[1]))
            case _:
                self._tell_result(fact)

    def _tell_table(self, fact: Printed) -> None:
        mats = ", ".join(f"{mat_text(mat)} {card}" for mat, card in enumerate(self._table))
        dealer = self._names[int(fact["dealer"])]
        self._say(_SET(number=fact["number"], name=dealer, mats=mats))

    def _tell_round(self, views: tuple[_View, _View]) -> None:
        played: Printed = views[0].fact["played"]
        mats = [mat["mat"] for mat in played["resolutions"]]
        first, second = (f"{mat_text(mat)} {self._table[mat]}" for mat in mats)
        self._say(_ROUND(number=played["number"], first=first, second=second))
        for seat, view in enumerate(views):
            rows = (
                f"{name} "
                + " ".join(
                    f"{LETTERS[mat]}:{view.laid.get((other, mat), _NONE):<2}" for mat in mats
                )
                for other, name in enumerate(self._names)
            )
            said = _SEES(name=self._names[seat], cards="   ".join(rows))
            self._say(f"  {said}".rstrip())
        for mat in played["resolutions"]:
            self._say(f"  {self._outcome(mat)}")
        self._say(f"  {_TOKENS_NOW(tokens=self._tokens(played))}")

    def _outcome(self, mat: Printed) -> str:
        letter, taken = LETTERS[mat["mat"]], self._taken(mat["gain"])
        first, second = mat["cards"]
        if first is not None:
            return _OPENED(mat=letter, first=first, second=second, taken=taken)
        return _UNOPENED(mat=letter, taken=taken)

    def _taken(self, gain: list[str | None]) -> str:
        name, other = self._names
        match gain:
            case [str(token), str(other_token)]:
                return _BOTH_TAKE(name=name, token=token, other=other, other_token=other_token)
            case [str(token), _]:
                return _TAKES(name=name, token=token)
            case [_, str(token)]:
                return _TAKES(name=other, token=token)
            case _:
                return _NOBODY()

    def _tell_result(self, fact: Printed) -> None:
        tokens = self._tokens(fact)
        match fact["winners"]:
            case [int(winner)]:
                self._say(_WINS(name=self._names[winner], how=fact["how"], tokens=tokens))
            case _:
                self._say(_DRAW(how=fact["how"], tokens=tokens))

    def _tokens(self, fact: Printed) -> str:
        return "; ".join(
            f"{name} " + " ".join(f"{token.letter}{tokens[token]}" for token in Token)
            for name, tokens in zip(self._names, fact["tokens"], strict=True)
        )


def sides(names: tuple[str, str], say: Callable[[str], None]) -> Sides:
    """Return the printer of a game between ``names``; the printer calls ``say``."""
    return Sides(names, say)
