"""Golden transcripts: whole games and pieces of games that every verifier accepts.

A transcript cannot be patched together: each entry is proven and signed under the entries
before. So all golden games were really played, with the secrets of a labelled seed, by bots or
by players with an agreement about the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias
from unittest import mock

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import Report, verify_transcript
from matcha_p2p.games import FOLDERS
from matcha_p2p.games.matcha.rules.cards import ZERO, Face
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Keep, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.table.events import GameEnded, HandsDealt
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.table.messages import encode_action
from matcha_p2p.table.seat import Offer, greet, take_seat
from matcha_p2p.table.step import step
from matcha_p2p.table.table import Greetings, next_due, state_tag
from matcha_p2p.wire.encoding import MAX_INTEGER
from matcha_p2p.wire.entry import Entry, parse_entry, sign_entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.roster import Roster, sign_roster
from matcha_p2p.wire.statements import (
    MOST_LENGTH,
    Abort,
    Claim,
    Expose,
    Resign,
    Statement,
    Sync,
)
from protocol.generator import unmasked
from protocol.generator.primitives import name_cases
from protocol.generator.unmasked import go_on
from protocol.generator.vectors import Case, seed
from tests.cheats.greeting import FIRST, eager_host, greeting
from tests.cheats.scene import GAMES, Scene, played
from tests.duel import Chooser, Duel, chooser, opened, play_out
from tests.games import toy

HOST, GUEST = SEATS

# The seats that take the two mats of each round, from the first round of the game on.
Plan: TypeAlias = Sequence[tuple[int | None, int | None]]


@dataclass(frozen=True)
class Golden:
    """A transcript to accept. seed: the source of the seats' secrets (see README.md)."""

    name: str
    about: str
    seed: str
    roster: Roster
    entries: tuple[Entry, ...]
    records: tuple[Record, ...] = ()

    @property
    def encoded(self) -> bytes:
        """The bytes of the file."""
        entries = [entry.encoded for entry in self.entries]
        records = [record.encoded for record in self.records]
        return encode_archive(entries, records, self.roster)

    def described(self) -> Case:
        """Return the expected finding of a verifier."""
        report = verify_transcript(self.encoded)
        return {
            "file": f"{self.name}.matcha",
            "about": self.about,
            "seed": self.seed,
            "entries": len(self.entries),
            "records": len(self.records),
            "verdict": report.verdict.value,
            "waiting": report.waiting,
            "winners": winners_of(self.encoded),
            "result": _result(report),
            "exposed": sorted(report.exposed),
        }


def winners_of(data: bytes) -> list[int] | None:
    """Return the seats that have won in a transcript, also of a toy game, or None."""
    with mock.patch.dict(FOLDERS, toy.FOLDERS):
        result = verify_transcript(data).result
    return None if result is None else [*result.winners]


def _result(report: Report) -> Case | None:
    end = report.result
    if not isinstance(end, GameEnded):
        return None
    return {
        "winner": end.ended.winner,
        "how": end.ended.how.value,
        "tokens": [list(tokens) for tokens in end.tokens],
    }


def every() -> Iterator[Golden]:
    """Yield all golden transcripts, the smallest beginnings first."""
    yield from _beginnings()
    yield from _endings()
    yield from _contested()
    yield from _kept()
    yield from _unmasked()
    yield from _stopped()
    yield from whole(("hoarding", "racing", "long", "short"))


def _of_duel(name: str, about: str, seed: str, duel: Duel) -> Golden:
    return Golden(name, about, seed, duel.state.roster, tuple(duel.entries))


def _of_scene(
    name: str, about: str, seed: str, scene: Scene, *records: Record, end: int | None = None
) -> Golden:
    """Return the first ``end`` entries of a scene."""
    return Golden(name, about, seed, scene.state.roster, scene.log[:end], records)


def whole(names: Iterable[str]) -> Iterator[Golden]:
    """Yield games from which cheats begin."""
    for name in names:
        about = f"a game of {GAMES[name][1]} that cheats begin from"
        yield _of_scene(name, about, GAMES[name][0], played(name))


# --- beginnings ----------------------------------------------------------------------------


def _beginnings() -> Iterator[Golden]:
    seed, short = GAMES["short"][0], played("short")
    yield _of_scene("nothing-said", "a file without entries", seed, short, end=0)
    about = "a roster that names an unknown game, and no entry"
    yield Golden("unknown-game", about, GAMES["hoarding"][0], unknown_game(FIRST()), ())
    yield _of_scene("one-greeting", "seat 0 has greeted", seed, short, end=1)
    about = "a host that speaks versions 1 and 2"
    yield _of_scene("two-versions", about, GAMES["hoarding"][0], eager_host())
    yield _many_versions()
    yield from _names()
    yield from _skipping()
    yield _of_scene("named", "both seats show an identity", "named", played("named"))
    for first in SEATS:
        label = f"again {first}"
        duel = opened(label, "2020", first=first)
        duel = play_out(duel, (chooser("greedy", label),) * 2)
        about = f"the variant says that seat {first} deals first"
        yield _of_duel(f"rematch-{first}", about, label, duel)
    yield _of_scene("dealt", "both hands are dealt", seed, short, end=_dealt(short.log))


def _names() -> Iterator[Golden]:
    """Let two players greet each other with every good name."""
    good = [str(case["text"]) for case in name_cases() if case["check"] is None]
    for number, (one, two) in enumerate(zip(good, (*good[1:], good[0]), strict=True)):
        if number % 2 == 0:
            duel = opened(f"name {number}", names=(one, two))
            about = "the players have names as good as any"
            yield _of_duel(f"names-{number}", about, f"name {number}", duel)


def unknown_game(scene: Scene) -> Roster:
    """Return the roster of a scene, but for the name of the game: nobody knows it."""
    roster, host = scene.state.roster, scene.players[HOST]
    game = replace(roster.game, name="whist")
    return sign_roster(roster.nonce, game, roster.seats, host.secrets.session)


def _many_versions() -> Golden:
    """Let seat 0 speak as many versions as an array can hold."""
    scene = FIRST()
    hello = replace(greeting(scene), versions=tuple(range(1, 65)), version=64)
    host, guest = scene.players
    tag, session = state_tag(scene.state), host.secrets.session
    said = [encode_action(hello)]
    first = sign_entry(0, HOST, scene.state.head, tag, said, session)
    state, _ = step(scene.state, parse_entry(first.encoded))
    if not isinstance(state, Greetings):
        raise TypeError("no greeting has begun")
    answerer = take_seat(GUEST, first.id, guest.secrets)
    second = greet(answerer, state, Offer(begin(EDITION_2015), "Taro"))
    about, seed = "a host that speaks versions 1 to 64", GAMES["hoarding"][0]
    return Golden("many-versions", about, seed, scene.state.roster, (first, second))


def _skipping() -> Iterator[Golden]:
    """Draw tables for which UNIFORM skips a value that would change the table."""
    for number in SKIPPING:
        seed = f"golden {number}"
        duel = opened(seed, "2020")
        go_on(duel, (_by_plan(()), _by_plan(())))
        about = "2020: a value is skipped while the table is drawn"
        yield _of_duel(f"skipping-{number}", about, seed, duel)


SKIPPING = (17827, 18927)


def _dealt(log: Sequence[Entry]) -> int:
    dues = [next_due(state) for state in played("short").states]
    return next(n for n, due in enumerate(dues[: len(log)]) if due is not None and due.decision)


# --- endings -------------------------------------------------------------------------------

BY_BOTS = (
    ("2015-alike", "2015", 0, "greedy"),
    ("2015-five-kinds", "2015", 1, "greedy"),
    ("2015-alike-and-five-kinds", "2015", 92, "uniform"),
    ("2015-tie-break", "2015", 2, "greedy"),
    ("2020-alike", "2020", 2, "greedy"),
    ("2020-five-kinds", "2020", 7, "greedy"),
    ("2020-tie-break", "2020", 0, "greedy"),
    ("2020-last-set", "2020", 8, "greedy"),
)

# If no cards are kept, the tables of a whole game follow from the first two entries. A player
# who lays a card at a mat alone takes the token of the mat. So two players can agree from the
# start on a full tie. The plans were found by trying all.
BY_PLAN: tuple[tuple[str, str, int, str, Plan], ...] = (
    (
        "2015-further-rounds",
        "2015",
        6,
        "a full tie, after which the next round decides",
        (
            *((None, None), (None, None), (0, 0)),
            *((0, None), (1, None), (None, 1)),
            *((1, None), (0, 1), (None, 0)),
        ),
    ),
    (
        "2015-tied-again",
        "2015",
        6,
        "a full tie, then a round that changes nothing, then one that decides",
        (
            *((None, None), (None, None), (0, 0)),
            *((0, None), (1, None), (None, 1)),
            *((1, None), (0, 1), (None, None)),
            *((None, 0), (None, None), (None, None)),
        ),
    ),
    (
        "2020-full-tie",
        "2020",
        17,
        "both have three alike after the same round, and equal tokens: a draw",
        ((0, 0), (None, None), (1, None), (None, 1), (0, 1)),
    ),
)


def _endings() -> Iterator[Golden]:
    for name, edition, number, bot in BY_BOTS:
        seed = f"golden {number}"
        choosers = (chooser(bot, f"first {number}"), chooser(bot, f"second {number}"))
        duel = play_out(opened(seed, edition), choosers)
        yield _of_duel(name, f"{edition}, won by {name[5:]}", seed, duel)
    for name, edition, number, about, plan in BY_PLAN:
        seed = f"golden {number}"
        duel = play_out(opened(seed, edition), (_by_plan(plan), _by_plan(plan)))
        yield _of_duel(name, f"{edition}: {about}", seed, duel)
    about = "2020: nobody ever lays a card, a draw after two sets"
    yield _of_scene("passing", about, GAMES["passing"][0], played("passing"))


def _by_plan(plan: Plan) -> Chooser:
    """Return a chooser for either seat that plays ``plan``, and keeps no card."""

    def choose(observation: Observation) -> Move:
        game, seat = observation.game, observation.seat
        if game.phase == Keeping():
            return Keep(frozenset())
        place = len(game.rounds) - 1
        owners = plan[len(MATS_OF_ROUND) * (game.number - 1) + place]
        for mat, owner in zip(MATS_OF_ROUND[place], owners, strict=True):
            if owner == seat and game.rounds[-1].slot_at(seat, mat) is None:
                return Play(mat, min(game.hands[seat]))
        return PASS

    return choose


# --- contested mats ------------------------------------------------------------------------

# By length, games of 2015. In all games together, seat 0 meets seat 1 with every suit against
# every other suit at a mat of the number, and with every number at a mat of the suit.
RELATIONS = {10: (5, 7, 15, 23, 25, 33, 45, 103, 135, 224), 15: (2, 29, 119, 208)}


def _contested() -> Iterator[Golden]:
    for length, number in ((length, n) for length, these in RELATIONS.items() for n in these):
        seed = f"golden {number}"
        duel = opened(seed)
        while len(duel.entries) < length:
            go_on(duel, (_matching, _matching))
        about = "2015: seats that lay only what matches, so that both often do"
        yield _of_duel(f"matching-{number}", about, seed, duel)


def _matching(observation: Observation) -> Move:
    """Lay a card that matches the mat, or pass; keep no card."""
    first, *_ = moves = observation.legal_moves()
    if isinstance(first, Keep):
        return first
    held = dict(observation.held())
    table = observation.game.table
    plays = (move for move in moves if isinstance(move, Play))
    return next((play for play in plays if _matches(held[play.slot], play.mat, table)), PASS)


def _matches(face: Face, mat: int, table: Sequence[Face]) -> bool:
    if face == ZERO:
        return False
    if mat % 2 == 0:
        return face.index % 4 == table[mat].index % 4
    return face.index // 4 == table[mat].index // 4


# --- kept cards ----------------------------------------------------------------------------

KEPT = (
    ("kept-0", 0, (0, 0), "both may keep cards, and keep none"),
    ("kept-1-0", 4, (1, 0), "seat 0 keeps a card"),
    ("kept-0-1", 1, (0, 1), "seat 1 keeps a card"),
    ("kept-2-2", 2, (2, 2), "both keep two cards"),
    ("kept-5-0", 3, (5, 0), "seat 0 keeps all five cards"),
    ("kept-5-5", 5, (5, 5), "both keep all five cards, so both know every hand"),
    ("zeros-met-0", 0, (1, 0), "no zero is met while the table is opened"),
    ("zeros-met-1", 5, (1, 0), "one zero is met while the table is opened"),
    ("zeros-met-2", 11, (1, 0), "both zeros are met while the table is opened"),
)


def _kept() -> Iterator[Golden]:
    for name, number, counts, about in KEPT:
        seed = f"golden {number}"
        choosers = (_keeping(counts[0]), _keeping(counts[1]))
        duel = _until_second_deal(opened(seed), choosers)
        yield _of_duel(name, f"2015, two sets begun: {about}", seed, duel)


def _keeping(count: int) -> Chooser:
    """Lay no card, and keep the first ``count`` of the hand."""

    def choose(observation: Observation) -> Move:
        if observation.game.phase == Keeping():
            return Keep(frozenset(sorted(observation.game.hands[observation.seat])[:count]))
        return PASS

    return choose


def _until_second_deal(duel: Duel, choosers: tuple[Chooser, Chooser]) -> Duel:
    while duel.events.count(HandsDealt()) < 2:
        go_on(duel, choosers)
    return duel


# --- decks that nobody masks ---------------------------------------------------------------


def _unmasked() -> Iterator[Golden]:
    keeper, closer = unmasked.KEEPER, unmasked.CLOSER
    for name, number, duel, about in (
        ("unmasked", keeper, unmasked.TWIN_LAID.duel, "a seat has laid one of them"),
        ("unmasked-to-keep", keeper, unmasked.TWINS_TO_KEEP.duel, "it may keep them"),
        ("unmasked-left", keeper, unmasked.TWIN_LEFT_TO_KEEP.duel, "it has laid one"),
        ("unmasked-kept", keeper, unmasked.TWIN_KEPT.duel, "it keeps the first"),
        ("unmasked-sealed", closer, unmasked.TWIN_SEALED.duel, "as closer it keeps the first"),
        ("unmasked-both-sealed", closer, unmasked.both_sealed(), "as closer it seals both"),
        (
            "unmasked-laid-sealed",
            closer,
            unmasked.laid_sealed(),
            "as closer it seals a laid",
        ),
    ):
        start = "2015: nobody masks a card, a seat has two zeros that are alike: "
        yield _of_duel(name, start + about, f"golden {number}", duel)


# --- games that were stopped, and records --------------------------------------------------


def _stopped() -> Iterator[Golden]:
    short = played("short")
    log = short.log
    dealt, over = _dealt(log), len(log)
    middle = dealt + 3
    winner = opposite(log[over - 1].seat)
    state, announce = stater("short"), announcer("short")
    about = "a game of 2020 in which "
    for name, end, records, what in (
        ("unfinished", middle, (), "a move is awaited"),
        ("decided", over - 1, (), "the loser has not signed the result"),
        ("resigned", middle, (state(HOST, middle, Resign()),), "seat 0 resigns"),
        (
            "resigned-twice",
            middle,
            (state(HOST, middle, Resign()), state(HOST, middle, Resign())),
            "seat 0 resigns, and the file has the record twice",
        ),
        (
            "resigned-by-both",
            middle,
            (state(HOST, middle, Resign()), state(GUEST, middle - 1, Resign())),
            "both resign, seat 1 having seen less of it",
        ),
        (
            "resigned-by-both-at-once",
            middle,
            (state(GUEST, middle, Resign()), state(HOST, middle, Resign())),
            "both resign with the same last entry: seat 0 counts as the first",
        ),
        (
            "resigned-at-once",
            2,
            (state(GUEST, 2, Resign()),),
            "seat 1 resigns after the greetings",
        ),
        (
            "resigned-when-decided",
            over - 1,
            (state(log[over - 1].seat, over - 1, Resign()),),
            "the loser resigns instead of signing the result",
        ),
        (
            "resigned-late",
            over,
            (state(log[-1].seat, over - 2, Resign()),),
            "a resignation crosses the message of the other seat that decides the game",
        ),
        (
            "announced",
            middle,
            (announce(GUEST, middle + 2),),
            "seat 1 has announced two entries that are not here",
        ),
        (
            "announced-by-both",
            middle,
            (announce(HOST, middle + 1), announce(GUEST, middle + 2)),
            "both seats have announced entries that are not here",
        ),
        (
            "announced-and-shown",
            middle,
            (state(GUEST, middle, Sync(middle, link())),),
            "seat 1 has announced what is here",
        ),
        (
            "announced-and-shown-by-seat-0",
            middle,
            (state(HOST, middle, Sync(middle, link())),),
            "seat 0 has announced what is here",
        ),
        (
            "announced-before",
            middle,
            (state(HOST, middle - 3, Sync(middle - 3, link())),),
            "seat 0 has announced the beginning, and gone on",
        ),
        (
            "announced-before-by-seat-1",
            middle,
            (state(GUEST, middle - 3, Sync(middle - 3, link())),),
            "seat 1 has announced the beginning, and gone on",
        ),
        (
            "announced-at-most",
            middle,
            (announce(GUEST, MOST_LENGTH),),
            "seat 1 has announced as many entries as a file can hold",
        ),
        (
            "announced-otherwise",
            middle,
            (announce(opposite(log[middle - 1].seat), middle),),
            "a seat has announced another last entry, and signed none since",
        ),
        (
            "announced-resignation",
            middle,
            (state(opposite(log[middle].seat), middle, Sync(middle, link(), resigned=True)),),
            "a seat has announced a resignation of the other that is not here",
        ),
        (
            "decided-and-announced-resignation",
            over - 1,
            (
                state(winner, over - 1, Sync(over - 1, link(), resigned=True)),
                state(opposite(winner), over - 2, Resign()),
            ),
            "the winner has announced a resignation that was too late",
        ),
        (
            "decided-and-resigned-itself",
            over - 1,
            (
                state(winner, over - 1, Resign()),
                state(winner, over - 1, Sync(over - 1, link(), resigned=True)),
            ),
            "the winner has resigned, and announced a resignation of the loser",
        ),
        (
            "decided-and-announced",
            over - 1,
            (announce(opposite(log[over - 1].seat), over),),
            "the winner says that it has the loser's signature under the result",
        ),
        (
            "claimed",
            middle,
            (state(GUEST, middle, Claim(90, 1_800_000_000)),),
            "seat 1 claims to have waited",
        ),
        (
            "claimed-in-all-sizes",
            middle,
            tuple(state(GUEST, middle, Claim(one, two)) for one, two in pairwise(SIZES)),
            "claims with the least and the greatest number of each size",
        ),
        (
            "aborted",
            middle,
            (state(GUEST, middle, Abort("E_SHUFFLE", log[middle].id)),),
            "seat 1 stops, saying that seat 0 sent what is in no transcript",
        ),
        (
            "open-book-by-one",
            over,
            (state(GUEST, over, _key("short", GUEST)),),
            "seat 1 shows its cards at the end",
        ),
        (
            "open-book-by-both",
            over,
            (state(HOST, over, _key("short", HOST)), state(GUEST, over, _key("short", GUEST))),
            "both show their cards at the end",
        ),
    ):
        yield _of_scene(name, about + what, GAMES["short"][0], short, *records, end=end)


SIZES = (0, 127, 128, 255, 256, 2**16 - 1, 2**16, 2**32 - 1, 2**32, MAX_INTEGER)


def link() -> bytes:
    """Return the binding named in SYNCs."""
    return seed("link of a SYNC")


def announcer(game: str) -> Callable[[Seat, int], Record]:
    """Return a function that makes a SYNC about entries of a game that nobody has shown."""
    scene = played(game)

    def announce(seat: Seat, length: int) -> Record:
        session, sync = scene.players[seat].secrets.session, Sync(length, link())
        head = EntryId(seed("head of a SYNC"))
        return sign_record(scene.table.gid, seat, head, sync, session)

    return announce


def _key(game: str, seat: Seat) -> Expose:
    return Expose(played(game).players[seat].x)


def stater(game: str) -> Callable[[Seat, int, Statement], Record]:
    """Return a function that makes a record of a seat after the first ``seen`` entries."""
    scene = played(game)

    def state(seat: Seat, seen: int, statement: Statement) -> Record:
        head, gid = scene.log[seen - 1].id, scene.table.gid
        return sign_record(gid, seat, head, statement, scene.players[seat].secrets.session)

    return state
