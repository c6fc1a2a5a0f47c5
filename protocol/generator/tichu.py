"""The files of Tichu (SPEC#tichu): whole games, games cut from whole games, and refusals."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile

from matcha_p2p.chain.archive import MAGIC, encode_archive
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.seats import Seat
from matcha_p2p.table.steps import Share
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.roster import Roster
from matcha_p2p.wire.statements import Claim, ResignOffer, ResignTogether, Statement, Sync
from protocol.generator import tichu_games as games
from protocol.generator.games import Golden, winners_of
from protocol.generator.refusals import Refusal
from protocol.generator.tichu_cheats import CHEATS
from protocol.generator.tichu_games import BOMBS, RUNS, played
from protocol.generator.vectors import Case, Vectors
from tests.table.party import Party

# --- accepted ------------------------------------------------------------------------------

ONE_OUT = (games.EIGHTS, games.STAIRS, "1 aK", "1 a4 b4")
THREE_OUT = (games.LONGER, games.FULL_HOUSE, "3 bA", "3 d2", "3 d6")
"""How the seats 1 and 3 go out in the deal ``BOMBS``."""

THROUGH_PHOENIX = (
    *("0 1 ?5", "1 bK", "3 bA", "3 a3 c3", games.LONGER, "3 b2 c2 d2", "3 d3", "3 d6"),
    *("0 aA", *ONE_OUT),
)
EXACTLY_300 = (
    *("0 ! 1", "2 Dragon", "2 b2 c3 d4 a5 b6 c7 d8 a9 bT cJ dQ aK bA", "3", "3 d2"),
    *("0 dK", "0 a2 b3 c4 d5 a6 b7 c8 d9 aT bJ cQ", "0 Dog"),
)
TWO_OUT = (
    *("0 ! 1 a2 b3 c4 d5 a6 b7 c8 d9 aT bJ cQ dK", "0 Dog"),
    *("2 b2", "1 cA", "1 c2 a3 a4 b5 c6 a7 a8 b9 cT aJ aQ bK aA", "2", "3"),
)
"""How a seat of each team goes out in the deal ``RUNS``."""

IN_RUNS: dict[str, tuple[str, ...]] = {
    "100 of 300 points, with the Dragon laid last": (
        *(*TWO_OUT[:2], "2 b2 c3 d4 a5 b6 c7 d8 a9 bT cJ dQ aK bA", "2 Dragon"),
    ),
    "the third seat goes out with the Dragon": (
        *(*TWO_OUT, "2 c3 d4 a5 b6 c7 d8 a9 bT cJ dQ aK bA", "2 Dragon"),
    ),
    "a seat holds the Mah Jong, which it has shown, to the end of the round": (
        *("0 dK", "1 cA", "1 c2 a3 a4 b5 c6 a7 a8 b9 cT aJ aQ bK aA", "2", "2 b2", "3 P"),
        "3 d2 d3 b4 c5 d6 d7 b8 c9 dT dJ bQ cK dA",
    ),
}
"""What is played in the deal ``RUNS``."""

PAIR_OF_FIVES = "T21 binds seat 2 to lay a pair of wished fives"

IN_BOMBS: dict[str, tuple[str, ...]] = {
    "T21 binds seat 3 to lead a wished three": (
        *("0 1 ?3", "1 bK", "3 bA", "3 d6", games.LONGER, games.FULL_HOUSE, "3 d2"),
        *("0 aA", *ONE_OUT),
    ),
    PAIR_OF_FIVES: (*("0 1 ?5", "1 bK", "1 a4 b4", *ONE_OUT[:-1], *THREE_OUT),),
    "T21 binds seat 1 to lay four wished eights": (
        *(f"{games.STRAIGHT} ?8", "0 b6", games.EIGHTS, "1 a4 b4", f"{games.STAIRS} aK bK"),
        *THREE_OUT,
    ),
    "T21 binds seat 3 to lay a flush with a wished nine": (
        *("0 1 ?9", "1 bK", "1 a4 b4", *ONE_OUT[:-1], *THREE_OUT),
    ),
    "both teams end with 0 points, so another round begins": (
        *(games.STRAIGHT, games.SEVENS, "0 Dragon", "0 aA P =14", "0 b6", "0 Dog"),
        *(games.FLUSH, "2 a5 b5 c5 a6 c6", "2 a9 b9 c9", "2 d4"),
    ),
    "a pair of twos, one of them the Phoenix": ("0 a2 P =2",),
    "a pair of aces, one of them the Phoenix": ("0 aA P =14",),
    "the Phoenix, led": ("0 P",),
    "the Phoenix on a four": ("0 1", "1 a4", "0 P"),
    "a wish for a two, fulfilled": ("0 1 ?2", "3 d2"),
    "a call after the first lead": ("0 1", "1 ! a4"),
    "four eights on a straight, and a flush on these": (
        *(games.STRAIGHT, games.EIGHTS, games.LONGER),
    ),
    "four eights on four sevens": (games.SEVENS, games.EIGHTS),
    "a longer flush on a flush": ("0 1", games.FLUSH, games.LONGER),
    "a bomb out of turn while a wish stands": (*(f"{games.STRAIGHT} ?9", f"{games.FLUSH} *"),),
}
"""What is played in the deal ``BOMBS``."""


WAITED = Claim(90, 1_800_000_000)


@cache
def wholes() -> tuple[Golden, ...]:
    """Return the whole files, which the others begin with."""
    return tuple(
        Golden(name, about, seed, party.state.roster, tuple(party.entries))
        for name, seed, about, party in (
            (
                "random",
                f"tichu {games.RANDOM}",
                "a round at random, in which three seats call and fail",
                games.random_round(),
            ),
            (
                "bombs",
                BOMBS.seed,
                "an agreed deal: T21 binds seat 0 to lay the Phoenix with a wished five",
                played(games.dealt(BOMBS), *THROUGH_PHOENIX),
            ),
            (
                "runs",
                RUNS.seed,
                "an agreed deal: the game ends with just the points that it needs",
                played(games.dealt(RUNS), *EXACTLY_300),
            ),
        )
    )


def parties() -> Iterator[tuple[str, Party]]:
    """Yield the names of cases to accept, and their games."""
    for variant in ("1000 plays early", "300 plays"):
        yield f"all have greeted: {variant}", games.greeted("tichu", variant)
    hidden = games.random_round(hides=True)
    yield "T13 binds a seat to show the Mah Jong", hidden
    yield "the seat that has hidden the Mah Jong opens no card", _silent(hidden, 0)
    for name, plays in IN_BOMBS.items():
        yield name, played(games.dealt(BOMBS), *plays)
    bound = played(games.dealt(BOMBS), *IN_BOMBS[PAIR_OF_FIVES])
    yield "of the two seats noted with cards, the first opens none", _silent(bound, 0)
    for name, plays in IN_RUNS.items():
        yield name, played(games.dealt(RUNS), *plays)
    trick = played(games.dealt(RUNS), *TWO_OUT, "2 Dragon", at=(2, Ask.GIFT))
    yield "a trick with the Dragon, once a seat of each team is out", trick


def _silent(party: Party, seat: int) -> Party:
    """Return the game as it stays if ``seat`` opens no card at the end of the round."""
    points = (
        Party(party.players, table, party.entries[: entry.seq])
        for table, entry in games.tables(party)
        if isinstance(table.step, Share) and table.step.label == "uncover"
    )
    return next(point for point in points if point.table.owing[0].seat == seat)


def continued() -> Iterator[Case]:
    """Yield the cases that begin as a whole file and go on otherwise."""
    for name, party in parties():
        yield _case(name, party)
    party = played(games.dealt(BOMBS), "0 1", "1 a4")
    yield _case("seat 3 claims to have waited", party, _state(party, 3, WAITED))
    yield from _resigned(party)


def _state(party: Party, seat: int, statement: Statement, before: int = 0) -> Record:
    """Return a record of ``seat``. before: how many entries came after its head."""
    session, gid = party.players[seat].secrets.session, party.table.gid
    head = party.entries[-1 - before].id
    return sign_record(gid, Seat(seat), head, statement, session)


def _resigned(party: Party) -> Iterator[Case]:
    """Yield the cases in which teams resign. Seat 1 has spoken last."""
    offer, closed = (_state(party, 1, ResignOffer(), before) for before in (0, 1))
    offered = _state(party, 3, ResignOffer())
    agreed = _state(party, 3, ResignTogether(offer.id))
    other = _state(party, 0, ResignOffer())
    open_still = _state(party, 3, ResignOffer(), 1)
    yield _case("seat 1 offers to resign", party, offer)
    yield _case("seat 1 offers to resign, and goes on", party, closed)
    for name, *records in (
        ("seat 3 agrees to the offer of seat 1", offer, agreed),
        ("the offer of seat 1 comes after the agreement", agreed, offer),
        (
            "seat 3 agrees before seat 1 goes on",
            closed,
            _state(party, 3, ResignTogether(closed.id), 1),
        ),
        (
            "seat 1 goes on, and agrees to the offer of seat 3",
            open_still,
            _agreed(party, 1, open_still),
        ),
        ("seat 3 names the offer of the other team", offer, other, _agreed(party, 3, other)),
        ("seat 3 names the older of two offers", closed, offer, _agreed(party, 3, closed)),
        (
            "both teams resign",
            *(other, _state(party, 2, ResignTogether(other.id)), offer, agreed),
        ),
    ):
        yield _case(name, party, *records, verdict="RESIGNED")
    for name, *records in (
        ("seat 3 agrees after seat 1 has gone on", closed, _agreed(party, 3, closed)),
        ("seat 3 agrees to an offer that is not here", agreed),
        ("seat 3 agrees to an offer of the other team", other, _agreed(party, 3, other)),
        ("seat 3 agrees to its own offer", offered, _agreed(party, 3, offered)),
        ("seat 3 agrees to an agreement", agreed, _agreed(party, 1, agreed)),
        (
            "seat 3 agrees to an offer that it has not seen",
            offer,
            _state(party, 3, ResignTogether(offer.id), 1),
        ),
    ):
        yield _case(name, party, *records)
    link, length = H("link"), len(party.entries)
    announced = _state(party, 0, Sync(length, link, resigned=True))
    yield _case("seat 0 has announced a resignation", party, offer, announced, waiting=0)


def _agreed(party: Party, seat: int, offer: Record) -> Record:
    return _state(party, seat, ResignTogether(offer.id))


def _case(
    name: str,
    party: Party,
    *stated: Record,
    verdict: str | None = None,
    waiting: int | None = None,
) -> Case:
    """Return a case to accept, with the records ``stated`` at the end.

    waiting: the seat that has to send something; None: the seat due, if any.
    """
    due, records = next_due(party.table), [record.encoded for record in stated]
    verdict = verdict or ("COMPLETE" if due is None else "UNFINISHED")
    if waiting is None and due and verdict == "UNFINISHED":
        waiting = due.seat
    base, cut = _base(party.entries, party.state.roster)
    entries = [entry.encoded for entry in party.entries]
    data = encode_archive(entries, records, party.state.roster)
    return {
        "name": name,
        "base": f"{base.name}.matcha",
        "cut": cut,
        "append": data[cut:],
        "expect": {
            "verdict": verdict,
            "check": None,
            "waiting": waiting,
            "winners": winners_of(data),
        },
    }


def _base(entries: Sequence[Entry], roster: Roster) -> tuple[Golden, int]:
    """Return the whole file with the longest common beginning, and its bytes."""

    def common(golden: Golden) -> int:
        pairs = zip(golden.entries, entries, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    base = max(wholes(), key=common)
    shared = [entry.encoded for entry in entries[: common(base)]]
    return base, len(encode_archive(shared, [], roster)) if shared else len(MAGIC)


def refused() -> Iterator[Refusal]:
    """Yield the refused files."""
    for cheat in CHEATS:
        scene = cheat.row.scene()
        roster = scene.state.roster
        base, cut = _base(scene.log, roster)
        log = [entry.encoded for entry in scene.log]
        data = encode_archive(log, [], roster) + cheat.make(scene)
        yield Refusal(
            name=cheat.name,
            base=base,
            cut=cut,
            append=data[cut:],
            check=cheat.row.check.value,
            entry=len(scene.log),
            seat=scene.seat if cheat.row.attributed else None,
            row=cheat.row.number,
        )


def _described(golden: Golden) -> Case:
    return {
        "file": f"{golden.name}.matcha",
        "about": golden.about,
        "seed": golden.seed,
        "entries": len(golden.entries),
        "verdict": "COMPLETE",
        "waiting": None,
        "winners": winners_of(golden.encoded),
    }


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each file of Tichu."""
    for golden in wholes():
        yield f"tichu/{golden.name}.matcha", golden.encoded
    for vectors in (
        Vectors(
            "tichu/index",
            "As accept/index.json, of games of Tichu.",
            ("SPEC#tichu", "SPEC#verdicts", "SPEC#transcript"),
            tuple(map(_described, wholes())),
        ),
        Vectors(
            "tichu/continued",
            "File: the first `cut` bytes of tichu/`base`, then `append`; to accept.",
            ("SPEC#tichu", "SPEC#verdicts", "SPEC#transcript"),
            tuple(continued()),
        ),
        Vectors(
            "tichu/refused",
            "As the files of reject/, of games of Tichu. `base` is in tichu/.",
            ("SPEC#tichu", "SPEC#order", "SPEC#checks"),
            tuple(refusal.described() for refusal in refused()),
        ),
    ):
        yield f"{vectors.name}.json", vectors.encode()
