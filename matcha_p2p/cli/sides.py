"""A game told from both sides at once, out of what each side's own program tells."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from matcha_p2p.cli.peers import Fact
from matcha_p2p.rules.notation import MATS, mat_text

LEGEND: Final = (
    "Cards: T leaf, B bowl, W water, S scoop, Z zero; [] one that is face down, - none.\n"
    "Mats: # asks for its card's number, * for its suit. K is the whisk token."
)
_FACE_DOWN: Final = "[]"
_NONE: Final = "-"
_TOLD: Final = ("table", "hand", "round", "kept", "result")


@dataclass(frozen=True, slots=True)
class _View:
    """What a side tells. laid: in a round, the cards by (seat, mat), as the side sees them."""

    fact: Fact
    laid: dict[tuple[int, int], str]


class Sides:
    """Collects what both sides tell, and says it when both have told it."""

    def __init__(self, names: tuple[str, str], say: Callable[[str], None]) -> None:
        self._names: Final = names
        self._say: Final = say
        self._views: Final[tuple[list[_View], list[_View]]] = ([], [])
        self._laid: Final[list[dict[tuple[int, int], str]]] = [{}, {}]
        self._table: list[str] = []

    def take(self, seat: int, fact: Fact) -> None:
        """Take a fact that the program of ``seat`` has told."""
        if fact["event"] == "placed":
            self._laid[seat][fact["seat"], fact["mat"]] = fact["card"] or _FACE_DOWN
        if fact["event"] not in _TOLD:
            return
        laid: dict[tuple[int, int], str] = {}
        if fact["event"] == "round":
            laid, self._laid[seat] = self._laid[seat], laid
        self._views[seat].append(_View(fact, laid))
        while all(self._views):
            self._tell((self._views[0].pop(0), self._views[1].pop(0)))

    def _tell(self, views: tuple[_View, _View]) -> None:
        fact = views[0].fact
        match fact["event"]:
            case "table":
                self._table = fact["table"]
                self._tell_table(fact)
            case "hand":
                for seat, view in enumerate(views):
                    hand = " ".join(view.fact["cards"])
                    self._say(f"  {self._names[seat]} sees   own hand {hand}, the other's []x5")
            case "round":
                self._tell_round(views)
            case "kept":
                first, second = fact["counts"]
                self._say(f"Kept: {self._names[0]} {first}, {self._names[1]} {second}.")
            case _:
                self._tell_result(fact)

    def _tell_table(self, fact: Fact) -> None:
        mats = ", ".join(f"{mat_text(mat)} {card}" for mat, card in enumerate(self._table))
        self._say(f"Set {fact['set']}, {self._names[fact['dealer']]} deals. Mats: {mats}.")

    def _tell_round(self, views: tuple[_View, _View]) -> None:
        fact = views[0].fact
        mats = [mat["mat"] for mat in fact["mats"]]
        shown = " and ".join(f"{mat_text(mat)} {self._table[mat]}" for mat in mats)
        self._say(f"Round {fact['number']}: {shown}")
        for seat, view in enumerate(views):
            rows = (
                f"{name} "
                + " ".join(
                    f"{MATS[mat]}:{view.laid.get((other, mat), _NONE):<2}" for mat in mats
                )
                for other, name in enumerate(self._names)
            )
            self._say(f"  {self._names[seat]} sees   {'   '.join(rows)}".rstrip())
        for mat in fact["mats"]:
            self._say(f"  {self._outcome(mat)}")
        self._say(f"  Tokens: {self._tokens(fact)}")

    def _outcome(self, mat: Fact) -> str:
        letter = MATS[mat["mat"]]
        gains = [
            f"{name} takes {token}"
            for name, token in zip(self._names, mat["gain"], strict=True)
            if token
        ]
        taken = " and ".join(gains) or "nobody takes anything"
        if mat["revealed"]:
            first, second = mat["cards"]
            return f"{letter} opened, {first} against {second}: {taken}."
        return f"{letter} unopened: {taken}."

    def _tell_result(self, fact: Fact) -> None:
        winner = fact["winner"]
        won = "A draw" if winner is None else f"{self._names[winner]} wins"
        self._say(f"{won} ({fact['how']}). {self._tokens(fact)}")

    def _tokens(self, fact: Fact) -> str:
        return "; ".join(
            f"{name} " + " ".join(f"{letter}{count}" for letter, count in tokens.items())
            for name, tokens in zip(self._names, fact["tokens"], strict=True)
        )
