"""Observations and moves as programs read and write them: protocol/bots.md, for every game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from matcha_p2p.errors import BotError
from matcha_p2p.games.json_values import JsonObject, as_object
from matcha_p2p.games.plain import Form

V = TypeVar("V")
V_contra = TypeVar("V_contra", contravariant=True)
M = TypeVar("M")


class Notation(Protocol[V_contra, M]):
    """Moves as text, alike for people and programs, in every language. May be a module."""

    def text_of(self, seen: V_contra, move: M, /) -> str:
        """Return ``move`` of the seat knowing ``seen``; ``read`` returns the same move."""
        ...

    def read(self, seen: V_contra, text: str, /) -> M:
        """Return the legal move that ``text`` names, in the words of ``text_of``.

        Raises:
            IllegalMoveError: a rule forbids the move.
            ValueError: ``text`` names no move.
        """
        ...

    def listed(self, seen: V_contra, /) -> list[str]:
        """Return the legal moves without optional parts; [] if there are too many."""
        ...


@dataclass(frozen=True)
class BotExchange(Generic[V, M]):
    """The exchange with programs about one game.

    editions: the names of the rules. edition: of a view. check: raises a ValueError if the
    rules do not lead to a view, or the seat has nothing to decide.
    """

    editions: tuple[str, ...]
    edition: Callable[[V], str]
    view: Form[V]
    notation: Notation[V, M]
    check: Callable[[V], None]

    def described(self, seen: V) -> JsonObject:
        """Return all that the seat knows as plain values, and the legal moves."""
        known, legal = self.view.write(seen), self.notation.listed(seen)
        return {"edition": self.edition(seen), **known, "legal": legal}

    def observed(self, plain: object) -> V:
        """Return the view from ``plain``, a value made by ``described``.

        Raises:
            BotError: ``plain`` is no view of a seat that has to decide.
        """
        try:
            return self._read(plain)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise BotError(
                "This is no observation of the bot protocol: {error}", error=error
            ) from error

    def _read(self, plain: object) -> V:
        found = self.view.read(plain)
        if as_object(plain)["edition"] != self.edition(found):
            raise ValueError("these are other rules")
        self.check(found)
        return found


AnyExchange: TypeAlias = BotExchange[Any, Any]
"""The exchange about some game."""
