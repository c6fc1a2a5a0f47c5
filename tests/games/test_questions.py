"""Each question of a game can be answered by each thing that it offers, in both front ends.

The games are random and whole; the registry names them.
"""

import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import pytest

from matcha_p2p.console.lines.dialogue import COMMON, UNKNOWN, Dialogue, dialogue_of
from matcha_p2p.console.table import keymap
from matcha_p2p.console.table.focus import AtTable
from matcha_p2p.console.terminal.looks import Depth, Look, Speed
from matcha_p2p.console.terminal.skins import ASCII
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.game import Game
from matcha_p2p.games.kashi.rules.game import act
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.narration.news import Decisions, TakeBack
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Concede, GameEvent, Leave, MakeMove, MoveDue
from tests.console.hints import press_hinted
from tests.games.test_forms import NAMES, course, games, trio

__all__ = ["trio"]

LISTED = 4
"""How many of the moves that a question names are typed."""
MOST = 3
"""How often a seat answers questions that differ only in names and numbers."""
STEPS = 20
"""Keys pressed by chance at each decision."""


def decisions(name: str, hear: Any) -> Iterator[tuple[Seat, Any, Any]]:
    """Yield each decision, after ``hear`` was told what its seat knows by then."""
    found, told = course(name, "club"), 0
    for (seen, move), known in zip(found.decided, found.known, strict=True):
        for seat, event, state in found.events[told:known]:
            hear(seat, GameEvent(event, state))
        told = known
        hear(seen.seat, MoveDue(seen))
        yield seen.seat, seen, move
    for seat, event, state in found.events[told:]:
        hear(seat, GameEvent(event, state))


def allowed(name: str, seen: Any, wish: Any) -> bool:
    """Tell whether the rules accept what an answer gives."""
    if not isinstance(wish, MakeMove):
        return isinstance(wish, Concede | Leave | TakeBack)
    notation = game_of(name).exchange.notation
    return notation.read(seen, notation.text_of(seen, wish.move)) == wish.move


def moments(seen: Any, move: Any) -> Iterator[Any]:
    """Yield what a seat sees as it decides: in a turn of Kashi-ichi, after each action."""
    yield seen
    for action in getattr(move, "actions", ()):
        seen = Outlook(act(seen.game, action), seen.seat)
        yield seen


def kind_of(asked: Listing) -> str:
    """Return the first and the last words of a question."""
    words = asked.asks.split()
    return f"{words[0]} {words[-1]}"


def parts(value: Any) -> Iterator[Any]:
    """Yield a value that never changes, and its parts: they need not be copied."""
    yield value
    if isinstance(value, tuple):
        inside = [*value]
    else:
        inside = [getattr(value, each.name) for each in fields(value)]
    for part in inside:
        if isinstance(part, tuple) or is_dataclass(part):
            yield from parts(part)


class Lines:
    """A seat in line mode."""

    def __init__(self, name: str, seat: int) -> None:
        self.name = name
        begin: Any = dialogue_of(game_of(name))
        self.talk: Dialogue[Any, Any] = begin(Seat(seat), game_of(name), lambda _: None)
        self.talk.hear(Decisions(1))
        self.asked = Counter[str]()
        self._kept: dict[int, Any] = {}

    def copied(self, talk: Dialogue[Any, Any], seen: Any) -> Dialogue[Any, Any]:
        """Return a copy, without copies of what is seen."""
        if self._kept.get(id(seen)) is not seen:
            self._kept = {id(part): part for part in parts(seen)}
        return deepcopy(talk, {**self._kept})

    def typed(self, talk: Dialogue[Any, Any], line: str, seen: Any) -> Dialogue[Any, Any]:
        """Type on a copy; see that what was chosen is allowed."""
        copy = self.copied(talk, seen)
        answer = copy.read(line)
        assert answer.choice is None or allowed(self.name, seen, answer.choice), line
        assert answer.choice is not None or answer.lines, line
        assert (UNKNOWN(hint=copy.how),) != answer.lines[:1], line
        return copy

    def leads_to(self, talk: Dialogue[Any, Any], line: str, seen: Any) -> set[str]:
        """Return the moves to which ``line`` leads, also by the lists that follow."""
        copy = self.copied(talk, seen)
        choice = copy.read(line).choice
        if isinstance(choice, MakeMove):
            return {game_of(self.name).exchange.notation.text_of(seen, choice.move)}
        keys = [option.key for option in copy._asked.options] if copy._asked else []
        return set[str]().union(*(self.leads_to(copy, key, seen) for key in keys))

    def answers(self, talk: Dialogue[Any, Any], seen: Any) -> None:
        """Answer the open list with each of its answers, and the lists that follow."""
        asked = talk._asked
        if asked is None or self.asked[kind_of(asked)] >= MOST:
            return
        self.asked[kind_of(asked)] += 1
        for option in asked.options:
            for line in filter(None, (option.key, option.typed)):
                after = self.typed(talk, line, seen)
                assert after._why == talk._why, (asked.asks, line)  # nothing was refused
                assert after._asked != asked
                self.answers(after, seen)

    def tries(self, talk: Dialogue[Any, Any], text: str, seen: Any) -> None:
        """Type each command, and the beginnings of a move; answer what they ask."""
        for command in talk.commands:
            self.asked[command.word] += command in COMMON
            if command.word != "hint" and self.asked[command.word] <= MOST:
                self.answers(self.typed(talk, command.word, seen), seen)
        words = text.split()
        for count in range(1, len(words)):
            copy = self.copied(talk, seen)
            copy.read(" ".join(words[:count]))
            self.answers(copy, seen)


@games
def test_each_question_of_line_mode_is_answered_by_each_thing_it_offers(name):
    notation = game_of(name).exchange.notation
    desks = [Lines(name, seat) for seat in range(len(NAMES))]

    def hear(seat: Seat, news: Any) -> None:
        assert not [line for line in desks[seat].talk.hear(news) if "{" in line]

    for seat, seen, move in decisions(name, hear):
        desk = desks[seat]
        talk = desk.talk
        if talk.reply is not None:
            assert allowed(name, seen, talk.reply)
            continue
        assert talk.waiting
        asked = talk.ask(seen)
        if isinstance(asked, Listing):
            for option in asked.options:
                assert desk.typed(talk, option.key, seen)._due is None
        offered = [notation.text_of(seen, move), *notation.listed(seen)[:LISTED]]
        assert offered[0] in desk.leads_to(talk, offered[0], seen)
        for text in offered:
            after = desk.typed(talk, text, seen)
            assert after._asked is not None or after._due is None, text
            desk.answers(after, seen)
        *actions, last = notation.text_of(seen, move).split("; ")
        for action in actions:
            desk.tries(talk, action, seen)
            talk = desk.typed(talk, action, seen)
        desk.tries(talk, last, seen)
    assert any(desk.asked for desk in desks)
    assert not any(desk.talk.waiting for desk in desks if name != "trio")


@pytest.mark.parametrize("name", FOLDERS)
def test_each_list_on_the_screen_is_answered_by_each_of_its_keys(name):
    look = Look(ASCII, "dark", Depth.NONE, Speed.OFF)
    view: Any = game_of(name).needed(Game.screen)(look, None, None)
    view = view._view
    frame = import_module(f"{FOLDERS[name]}.screen.keys").FRAME
    scenes = [view.opening(Seat(seat)) for seat in range(len(NAMES))]
    found, chance = 0, random.Random(name)

    def hear(seat: Seat, news: Any) -> None:
        scenes[seat] = view.told(scenes[seat], news)

    def answers(scene: Any, seen: Any) -> int:
        asked = frame._asked(scene)
        if asked is None:
            return 0
        count = 1
        for option in asked.options:
            after, wish = press_hinted(frame, scene, option.key)
            assert (after, wish) != (scene, None), (asked.asks, option.key)
            assert wish is None or allowed(name, seen, wish)
            count += answers(after, seen) if frame._asked(after) != asked else 0
        return count

    for seat, seen, move in decisions(name, hear):
        for moment in moments(seen, move):
            scene = view.told(scenes[seat], MoveDue(moment))
            found += answers(scene, moment)
            for _ in range(STEPS):
                table = chance.choice((frame.first(scene), frame.first(scene), frame.common))
                bars = keymap.shown(table or frame.common, scene)
                after, wish = press_hinted(
                    frame, scene, chance.choice(chance.choice(bars).names)
                )
                found += answers(after, moment)
                if wish is None and after.focus in (AtTable(), scene.focus):
                    scene = after
        scenes[seat] = frame.idle(scenes[seat])
    assert found
