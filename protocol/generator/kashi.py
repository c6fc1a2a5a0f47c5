"""Transcripts of Kashi-ichi (SPEC#kashi): games, their beginnings, and refused entries."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules import state as phases
from matcha_p2p.games.kashi.rules.moves import TakeTurn
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.table.signed import read
from matcha_p2p.games.kashi.table.steps import VARIANT, Kashi, new_game
from matcha_p2p.games.kashi.table.view import game_of
from matcha_p2p.games.kashi.table.written import digest, text_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.greeting import rules_digest
from matcha_p2p.table.messages import MoveAction
from matcha_p2p.table.step import actions_of
from matcha_p2p.table.table import Table, game_digest
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Resign
from protocol.generator.games import Golden
from protocol.generator.kashi_boards import FLAWS, LARGEST
from protocol.generator.kashi_games import GAMES, SMALL, Played, played
from protocol.generator.kashi_turns import LAWLESS, Place
from protocol.generator.refusals import Refusal
from protocol.generator.three import described
from protocol.generator.vectors import Case, Vectors, seed
from tests.cheats.scene import message
from tests.table.party import begun

THREE, FOUR, OTHER, IDLE = GAMES
NAMES: Final = {THREE: "three", FOUR: "four", OTHER: "other-board", IDLE: "idle"}
ABOUT: Final = {
    THREE: "a whole game of three seats",
    FOUR: "a whole game of four seats",
    OTHER: "a whole game on another board",
    IDLE: "a whole game without an order, with two winners",
}
RESIGNED: Final[dict[str, tuple[str, str, int, *tuple[tuple[int, int], ...]]]] = {
    "resigned": ("seat 1 resigns at the start", THREE, 9, (1, 9)),
    "resigned-greeted": (
        "seat 0 resigns after its own greeting: nobody has points yet, and all others win",
        *(THREE, 3, (0, 1)),
    ),
    "resigned-best": (
        "seat 2 has most points and resigns, and two others are equal",
        *(FOUR, 26, (2, 26)),
    ),
    "resigned-crossing": (
        "seat 2 resigns, and the turn that crosses puts one of the equal two ahead",
        *(FOUR, 27, (2, 26)),
    ),
    "resigned-by-two": (
        "seat 2 resigns, then the seat that wins by it",
        *(THREE, 21, (1, 21), (2, 19)),
    ),
}
"""Of each game with a RESIGN the length, the seats that resign, and how much each has seen."""
_TEXT: Final = SMALL.removeprefix(f"{VARIANT} ")


# --- accepted ------------------------------------------------------------------------------


def every() -> Iterator[tuple[Golden, str, int | None]]:
    """Yield all accepted transcripts, with the verdict and the seat that has to speak."""
    for label, name in NAMES.items():
        yield _golden(name, ABOUT[label], label), "COMPLETE", None
    for label, name, place in (
        (THREE, "greeted", 3),
        *(
            (label, f"{phase.__name__.lower()}", _first(label, phase))
            for label, phase in (
                (THREE, phases.Starting),
                (THREE, phases.Opening),
                (FOUR, phases.Turn),
                (OTHER, phases.Drawing),
                (FOUR, phases.Paying),
                (IDLE, phases.Questioning),
            )
        ),
    ):
        golden = _golden(name, f"a game that ends with {name}", label, place)
        yield golden, "UNFINISHED", played(label).table(place).owing[0].seat
    decided = _golden("decided", "a signature of the result is missing", IDLE, -1)
    yield decided, "DECIDED", played(IDLE).log[-1].seat
    for name, (about, label, end, *resigned) in RESIGNED.items():
        yield _resigned(_golden(name, about, label, end), resigned), "RESIGNED", None
    yield _largest(), "UNFINISHED", 0


def _golden(name: str, about: str, label: str, end: int | None = None) -> Golden:
    """Return the first entries of a game. end: the place of the first entry left out."""
    game = played(label)
    return Golden(name, about, label, game.party.state.roster, game.log[:end])


def _resigned(golden: Golden, resigned: Sequence[tuple[int, int]]) -> Golden:
    """Return a transcript with RESIGNs. resigned: seats, and how many entries each has seen."""
    game = played(golden.seed)
    gid, players = game.party.table.gid, game.party.players
    records = tuple(
        sign_record(
            gid, Seat(seat), game.log[seen - 1].id, Resign(), players[seat].secrets.session
        )
        for seat, seen in resigned
    )
    return replace(golden, records=records)


def _largest() -> Golden:
    text, label = _TEXT, "kashi largest"
    for old, new in LARGEST:
        text = text.replace(old, new)
    game = new_game(f"{VARIANT} {text}", 3)
    if game is None:
        raise ValueError(text)
    party, about = begun(label, game), "a board of 20 rows of 20 letters"
    return Golden("largest", about, label, party.state.roster, tuple(party.entries))


def _first(label: str, phase: type) -> int:
    """Return the place of the first entry that is due in ``phase`` of the rules."""
    game = played(label)
    return next(place for place in _places(game) if isinstance(_rules(game, place), phase))


def _places(game: Played) -> range:
    """Return the places of the entries after the first seat is drawn."""
    first = next(place for place, table in enumerate(game.tables) if _kashi(table).drawn)
    return range(first + len(game.party.players), len(game.log))


def _rules(game: Played, place: int) -> phases.Phase:
    return game_of(game.table(place)).phase


def _kashi(table: Table) -> Kashi:
    if not isinstance(table.game, Kashi):
        raise TypeError(table.game.name)
    return table.game


# --- refused -------------------------------------------------------------------------------


def refused() -> Iterator[Refusal]:
    """Yield all transcripts to refuse."""
    yield from _greetings()
    for name, (label, place, numbers) in lawless_turns().items():
        yield _said(name, label, place, Check.RULE, [["MOVE", "turn", *numbers]])
    yield from _moves()
    yield from _orders_and_results()


def _said(
    name: str,
    label: str,
    place: int,
    check: Check,
    actions: Sequence[Value],
    *,
    turn: int = 0,
) -> Refusal:
    """Return a refused entry. turn: its author, counted from the seat that is due."""
    game = played(label)
    table = game.table(place)
    seat = Seat((table.owing[0].seat + turn) % len(table.seats))
    session = game.party.players[seat].secrets.session
    entry = sign_entry(place, seat, table.head, bytes(16), actions, session)
    return _refusal(name, label, place, check, seat, message(entry.encoded))


def _refusal(
    name: str, label: str, place: int, check: Check, seat: int, frame: bytes
) -> Refusal:
    base = _golden(NAMES[label], ABOUT[label], label)
    cut = len(_golden("", "", label, place).encoded)
    return Refusal(name, base, cut, frame, check.value, place, seat)


@cache
def lawless_turns() -> dict[str, tuple[str, int, tuple[int, ...]]]:
    """Return by name a turn whose last action a rule forbids: the game, the place, the turn."""
    found: dict[str, tuple[str, int, tuple[int, ...]]] = {}
    for label in GAMES:
        game = played(label)
        for place in _places(game):
            match actions_of(game.log[place], game.table(place).game):
                case (MoveAction(("turn", *numbers)), *_):
                    _look(found, label, place, [n for n in numbers if isinstance(n, int)])
                case _:
                    pass
    return {name: found[name] for name in LAWLESS}


def _look(
    found: dict[str, tuple[str, int, tuple[int, ...]]],
    label: str,
    place: int,
    numbers: Sequence[int],
) -> None:
    """Add the lawless turns that begin as the turn of an entry does."""
    state = game_of(played(label).table(place))
    for count in range(len(numbers) + 1):
        if count:
            state = _after(state, numbers[count - 1])
        if not isinstance(state.phase, phases.Turn):
            raise TypeError(state.phase)
        point = Place(state, state.phase)
        for name in LAWLESS.keys() - found.keys():
            rule = name.partition(":")[0]
            for number in LAWLESS[name](point):
                if _rule(state, number) == rule:
                    found[name] = label, place, (*numbers[:count], number)
                    break


def _after(state: phases.GameState, number: int) -> phases.GameState:
    match read(state.board, ("turn", number)):
        case TakeTurn((action,)):
            return rules.act(state, action)
        case _:
            raise ValueError(number)


def _rule(state: phases.GameState, number: int) -> str | None:
    """Return the rule that forbids an action, or None."""
    try:
        _after(state, number)
    except RefusedError as error:
        return error.rule
    return None


def _moves() -> Iterator[Refusal]:
    """Yield moves of another form, kind or seat than is due."""
    start, turn = _first(THREE, phases.Starting), _first(THREE, phases.Turn)
    pay, idle = _first(FOUR, phases.Paying), _first(IDLE, phases.Questioning)
    forms: tuple[tuple[str, list[Value]], ...] = (
        ("20 actions", ["turn", *[0] * 20]),
        ("an action above 31 000 000", ["turn", 31_000_001]),
        ("an action that is no integer", ["turn", b"0"]),
        ("a start above 9999", ["start", 10_000]),
        ("a start without a square", ["start"]),
        ("a start on two squares", ["start", 303, 305]),
        ("an upkeep of 100 gold", ["upkeep", 100]),
        ("on with a field", ["on", 0]),
        ("a settlement with a field", ["settle", 0]),
        ("a move of Matcha", ["pass"]),
    )
    for name, move in forms:
        yield _said(name, THREE, turn, Check.ENCODING, [["MOVE", *move]])
    lawless: tuple[tuple[str, str, int, list[Value]], ...] = (
        ("K11: a start elsewhere", THREE, start, ["start", 304]),
        ("K2: a start beside the board", THREE, start, ["start", 909]),
        ("K50: a turn before the start", THREE, start, ["turn"]),
        ("K50: a start in a turn", THREE, turn, ["start", 303]),
        ("K50: upkeep in a turn", THREE, turn, ["upkeep", 0]),
        ("K50: on in a turn", THREE, turn, ["on"]),
        ("K50: settle in a turn", THREE, turn, ["settle"]),
        ("K50: a turn in a settlement", FOUR, pay, ["turn"]),
        ("K50: settle in a settlement", FOUR, pay, ["settle"]),
        ("K50: a turn instead of an answer", IDLE, idle, ["turn"]),
        ("K50: upkeep instead of an answer", IDLE, idle, ["upkeep", 0]),
        *_paid(),
    )
    for name, label, place, move in lawless:
        yield _said(name, label, place, Check.RULE, [["MOVE", *move]])
    early: tuple[tuple[str, str, int, list[Value]], ...] = (
        ("a start of the next seat", THREE, start, ["start", 303]),
        ("a turn of the next seat", THREE, turn, ["turn"]),
        ("upkeep of the next seat", FOUR, pay, ["upkeep", 0]),
        ("an answer of the next seat", IDLE, idle, ["settle"]),
    )
    for name, label, place, move in early:
        yield _said(name, label, place, Check.TURN, [["MOVE", *move]], turn=1)
    yield _said("two turns at once", THREE, turn, Check.GRAMMAR, [["MOVE", "turn"]] * 2)


def _paid() -> Iterator[tuple[str, str, int, list[Value]]]:
    """Yield an upkeep of more gold than is held, and another of more than is owed."""
    found: dict[str, tuple[str, int, int]] = {}
    for label, place in _payments():
        table = played(label).table(place)
        own = game_of(table).players[table.owing[0].seat]
        held, owed = own.gold, len(own.shops)
        name = "more than is held" if held < owed else "more than is owed"
        found.setdefault(name, (label, place, min(held, owed) + 1))
    for name, (label, place, gold) in sorted(found.items()):
        yield f"K42: {name}", label, place, ["upkeep", gold]


def _payments() -> Iterator[tuple[str, int]]:
    for label in (FOUR, THREE, OTHER):
        game = played(label)
        for place in _places(game):
            if isinstance(_rules(game, place), phases.Paying):
                yield label, place


def _orders_and_results() -> Iterator[Refusal]:
    """Yield coins and results of other games."""
    game = played(THREE)
    place = next(
        place
        for place in _places(game)
        if isinstance(_rules(game, place + 1), phases.Drawing)
        and isinstance(_rules(game, place), phases.Turn)
    )
    move, coin = game.log[place].fields
    yield _said("a turn without the coin of its orders", THREE, place, Check.GRAMMAR, [move])
    yield _said(
        "a link of another chain",
        THREE,
        place,
        Check.COIN,
        [move, ["COIN", seed("a link")]],
    )
    yield _said("orders that the coin does not draw", THREE, place, Check.STATE, [move, coin])
    last = len(game.log) - 1
    table = game.table(last)
    winners = table.game.result() or ()
    digest = game_digest(table.game)
    for name, outcome in (
        ("another winner", [(winners[0] + 1) % 3]),
        ("all have won", [0, 1, 2]),
        ("nobody has won", []),
    ):
        yield _said(name, THREE, last, Check.RESULT, [["RESULT", outcome, digest]])


# --- greetings ----------------------------------------------------------------------------


def _greetings() -> Iterator[Refusal]:
    """Yield greetings of unknown rules."""
    for name, old, new in FLAWS:
        head, part, tail = _TEXT.rpartition(old) if old == "],1]" else _TEXT.partition(old)
        if not part:
            raise ValueError(name)
        text = f"{head}{new}{tail}"
        yield _greeted(f"a board: {name}", f"{VARIANT} {text}", text)
    shipped = text_of(shipped_board())
    for name, variant, text, seats in (
        ("two seats", VARIANT, shipped, 2),
        ("an unknown variant", "ni", shipped, 3),
        ("a variant that is a text alone", _TEXT, _TEXT, 3),
        ("the text of the shipped board", f"{VARIANT} {shipped}", shipped, 3),
        ("a variant with two spaces", f"{VARIANT}  {_TEXT}", _TEXT, 3),
        ("a variant without its text", f"{VARIANT} ", "", 3),
        ("the text of an array in arrays", f"{VARIANT} {'[' * 10_000}", "", 3),
        ("the rules of the shipped board for another", SMALL, shipped, 3),
    ):
        yield _greeted(name, variant, text, seats)


def _greeted(name: str, variant: str, text: str, seats: int = 3) -> Refusal:
    """Return a HELLO of a variant, with the digest of the rules that a text would have."""
    game = played(THREE)
    (hello,) = game.log[0].fields
    if not isinstance(hello, list):
        raise TypeError(hello)
    verb, magic, versions, version, kashi, _, _, _, *rest = hello
    digest = hashlib.sha256(text.encode()).digest()
    agreed = [kashi, variant, seats, H("rules", pack([kashi, variant, seats, [digest]]))]
    fields = [verb, magic, versions, version, *agreed, *rest]
    session = game.party.players[0].secrets.session
    entry = sign_entry(0, Seat(0), game.log[0].prev, game.log[0].state, [fields], session)
    return _refusal(name, THREE, 0, Check.GAME, 0, message(entry.encoded))


# --- files ---------------------------------------------------------------------------------


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each file about Kashi-ichi."""
    accepted = tuple(every())
    for golden, *_ in accepted:
        yield f"kashi/{golden.name}.matcha", golden.encoded
    for vectors in (
        Vectors(
            "kashi/index",
            "As accept/index.json, of games of Kashi-ichi.",
            ("SPEC#kashi", "SPEC#verdicts", "SPEC#transcript"),
            tuple(described(*each) for each in accepted),
        ),
        Vectors(
            "kashi/refused",
            "As the files of reject/, of games of Kashi-ichi. `base` is in kashi/.",
            ("SPEC#kashi-turn", "SPEC#kashi-moves", "SPEC#kashi-board", "SPEC#checks"),
            tuple(refusal.described() for refusal in refused()),
        ),
        Vectors(
            "kashi/boards",
            "Texts of boards, with their digests. rules: by the number of seats, of the rules.",
            ("SPEC#kashi-board", "SPEC#kashi-rules"),
            (
                _board("shipped", VARIANT),
                _board("other", SMALL),
                _board("marks", SMALL.replace("caf\\u00e9", '\\"\\\\')),
            ),
        ),
    ):
        yield f"{vectors.name}.json", vectors.encode()


def _board(name: str, variant: str) -> Case:
    games = [game for seats in (3, 4) if (game := new_game(variant, seats))]
    return {
        "name": name,
        "variant": variant,
        "text": text_of(games[0].state.board),
        "digest": digest(games[0].state.board),
        "rules": {game.seats: rules_digest(game) for game in games},
    }
