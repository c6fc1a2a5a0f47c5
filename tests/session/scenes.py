"""Every state of a session, and every item that can come to each state.

A scene is a state in the middle of one game of two bots, with the possible messages of the
peer.
"""

import functools
import random
from dataclasses import dataclass, replace
from ipaddress import IPv4Address
from typing import Any

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Play
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.steps import begin as begin_matcha
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import (
    Arrived,
    LineDialled,
    LineDown,
    LineEnded,
    LineHeard,
    LineQuiet,
    LineUp,
)
from matcha_p2p.session.news import (
    Awaited,
    Concede,
    Interrupted,
    Item,
    Leave,
    LetWatch,
    MakeMove,
    PlayAgain,
    Propose,
    Terms,
    Think,
    TimeUp,
    WatchersCame,
)
from matcha_p2p.session.step.links import standing
from matcha_p2p.session.step.parting import wishes_of
from matcha_p2p.session.step.state import (
    Apart,
    Comparing,
    Conceding,
    Decided,
    HangingUp,
    Links,
    LinkState,
    Parting,
    Playing,
    SessionOver,
    SessionState,
    Synced,
)
from matcha_p2p.session.step.step import begin
from matcha_p2p.session.step.waits import waits
from matcha_p2p.session.watching import Watching, unheard
from matcha_p2p.table.seat import Offer, state_record
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.admission import sign_watch
from matcha_p2p.wire.again import NextKeys, sign_again, sign_open
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.said import sign_said
from matcha_p2p.wire.statements import Abort, Claim, Expose, Resign, Statement, Sync
from matcha_p2p.wire.talk import (
    Farewell,
    PeerAddresses,
    Phrase,
    Proposal,
    Say,
    encode_farewell,
    encode_way,
)
from matcha_p2p.wire.watching import Admission, Visibility
from tests.duel import roster_of, secrets_of
from tests.session.room import own_seat

LINK, STALE, NEW = Binding(b"l" * 32), Binding(b"s" * 32), Binding(b"n" * 32)
PSK = Psk(b"p" * 32)
SEED = "transitions"
HERE = PeerAddresses((Endpoint(IPv4Address("192.0.2.1"), 4717),))
THERE = PeerAddresses((Endpoint(IPv4Address("192.0.2.2"), 4718),))
ROSTER = roster_of(SEED, begin_matcha(EDITION_2015), ("Mina", "Taro"))
STAYS = Terms("Mina", "matcha", None, open_book=False, stays=True)
GOES = Terms("Mina", "matcha", None, open_book=True, stays=False, patience=90.0)


# --- one game --------------------------------------------------------------------------------


@functools.cache
def game() -> tuple[tuple[Chain, Chain], ...]:
    """Return both copies of one game after each entry, from the greetings on."""
    host, guest = (Chain.begin(seat, secrets_of(SEED, seat), PSK, ROSTER) for seat in SEATS)
    host, _ = host.greet(Offer(begin_matcha(EDITION_2015), "Mina"))
    guest, _ = guest.hear(host.entries[0].encoded)
    guest, _ = guest.greet(Offer(begin_matcha(EDITION_2015), "Taro"))
    host, _ = host.hear(guest.entries[1].encoded)
    copies = [(host, guest)]
    rng = random.Random(SEED)
    while (due := next_due(host.table)) is not None:
        author, hearer = (host, guest) if due.seat == 0 else (guest, host)
        seen: Any = author.view
        author, _ = (
            author.follow()
            if seen is None
            else author.decide(BOTS["uniform"].choose(seen, rng))
        )
        hearer, _ = hearer.hear(author.entries[-1].encoded)
        host, guest = (author, hearer) if due.seat == 0 else (hearer, author)
        copies.append((host, guest))
    return tuple(copies)


def _choosing(seat: int) -> tuple[Chain, Chain]:
    """Return the first copies in which ``seat`` has a choice."""
    for copies in game():
        seen = copies[seat].view
        if seen is not None and len(seen.legal_moves()) > 1:
            return copies
    raise AssertionError


def _decided() -> tuple[Chain, Chain, int]:
    """Return the copies that lack only the second signature, and the seat that owes it."""
    copies = next(copies for copies in game() if copies[0].ended is not None)
    due = next_due(copies[0].table)
    assert due is not None
    return *copies, due.seat


# --- states ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """A state, and the peer's copy of the game at this time."""

    state: SessionState
    peer: Chain

    @property
    def binding(self) -> Binding | None:
        """The link that counts."""
        if isinstance(self.state, SessionOver):
            return None
        return standing(self.state.links).get(self.peer.seat)


def _greeting(seat: int) -> Scene:
    host, guest = (Chain.begin(n, secrets_of(SEED, n), PSK, ROSTER) for n in SEATS)
    state, _ = begin((host, guest)[seat], STAYS, LineUp(LINK, None, SEATS[1 - seat]))
    return Scene(state, (guest, host)[seat])


def _playing(link: LinkState, *, due: int = 1, **how) -> Scene:
    ours, theirs = _choosing(due)
    links = linked(ours, link)
    return Scene(
        Playing(ours, STAYS, links, unwatched(ours), asked=len(ours.entries), **how), theirs
    )


def unwatched(ours: Chain) -> Watching:
    """Return what a seat knows of watching when nobody has spoken of it."""
    return unheard(ours.seat, ours.table, Admission())


def linked(ours: Chain, link: LinkState) -> Links:
    """Return the links of a seat whose peer has all that we have, if the link is level."""
    if isinstance(link, Synced):
        given = frozenset(range(len(ours.records)))
        link = replace(link, shown=len(ours.entries), given=given)
    (peer,) = ours.others
    return {peer: link}


def _move_to_send() -> Scene:
    """Return a seat whose player decided while the link was not level."""
    ours, theirs = _choosing(0)
    assert ours.view is not None
    wish = Decided(len(ours.entries), ours.view.legal_moves()[0])
    asked = len(ours.entries)
    links = linked(ours, Comparing(LINK))
    return Scene(Playing(ours, STAYS, links, unwatched(ours), asked=asked, wish=wish), theirs)


def _catching_up(**how) -> Scene:
    """Return a restarted program that lacks an own entry."""
    ours, _ = _choosing(0)
    length = len(ours.entries)
    _, theirs = game()[length - 1]
    links = linked(ours, Synced(LINK, None, length + 1))
    return Scene(
        Playing(replace(ours, whole=False), STAYS, links, unwatched(ours), **how), theirs
    )


def _waiting_for_result(**how) -> Scene:
    *copies, due = _decided()
    ours, theirs = copies[1 - due], copies[due]
    return Scene(
        Playing(ours, STAYS, linked(ours, Synced(LINK)), unwatched(ours), **how), theirs
    )


def _parting(
    link: LinkState, terms: Terms = STAYS, *, wishes=False, leaving=False, **how
) -> Scene:
    """Return a host that has lost: the host's book is opened first."""
    ours, theirs = game()[-1]
    size = (len(ours.entries), len(ours.records))
    if wishes or leaving:
        ours = ours.wish(own_seat(0) if wishes else None)
    if how.get("offers_book"):
        ours = ours.offer_book()
    if isinstance(link, Synced):
        link = replace(link, words=frozenset(ours.words.all))
    offered = frozenset({ours.seat} if how.get("offers_book") else ())
    how |= {"told": size, "leaving": leaving, "wishes": wishes_of(ours), "offered": offered}
    return Scene(Parting(ours, terms, linked(ours, link), unwatched(ours), **how), theirs)


def scenes() -> dict[str, Scene]:
    """Return every kind of state, with the differences within a kind."""
    ours, theirs = _choosing(1)
    return {
        "greeting, as host": _greeting(0),
        "greeting, as guest": _greeting(1),
        "playing, apart": _playing(Apart()),
        "playing, comparing": _playing(Comparing(LINK)),
        "playing, our decision": _playing(Synced(LINK), due=0),
        "playing, their decision": _playing(Synced(LINK)),
        "playing, catching up": _catching_up(),
        "playing, move to send": _move_to_send(),
        "playing, resignation to sign": _catching_up(wish=Conceding()),
        "decided, unsigned": _waiting_for_result(),
        "decided, leaving": _waiting_for_result(leaving=True),
        "parting, apart": _parting(Apart()),
        "parting, comparing": _parting(Comparing(LINK)),
        "parting, level": _parting(Synced(LINK)),
        "parting, unattended": _parting(Synced(LINK), GOES, offers_book=True),
        "parting, rematch offered": _parting(Synced(LINK), wishes=True),
        "parting, leaving": _parting(Synced(LINK), leaving=True, said=frozenset({SEATS[1]})),
        "hanging up": Scene(
            HangingUp(ours, Interrupted("why"), linked(ours, Synced(LINK))), theirs
        ),
        "over": Scene(SessionOver(ours, Interrupted("why")), theirs),
    }


# --- items -----------------------------------------------------------------------------------


def frames(scene: Scene) -> dict[str, Frame | None]:
    """Return the possible messages of the peer, None for impossible messages."""
    return {
        "MSG next": _next_entry(scene),
        "MSG known": _known_entry(scene),
        "MSG unreadable": Frame(Kind.MSG, b"?"),
        "MSG forged": _entry(scene, b"f" * 32),
        "MSG breach": _entry(scene, secrets_of(SEED, scene.peer.seat).session),
        "REC resign": _record(scene, Resign()),
        "REC abort": _record(scene, Abort("E_STATE", bytes(32))),
        "REC claim": _record(scene, Claim(60, 0)),
        "REC expose": _record(scene, None),
        "REC our sync": _our_sync(scene),
        "REC unreadable": Frame(Kind.REC, b"?"),
        "REC forged": _record(scene, Resign(), seed=b"f" * 32),
        "REC breach": _record(scene, Expose(7)),
        "SYNC level": _sync(scene, 0),
        "SYNC ahead": _sync(scene, 1),
        "SYNC unreadable": Frame(Kind.SYNC, b"?"),
        "BYE done": Frame(Kind.BYE, encode_farewell(Farewell.DONE)),
        "BYE later": Frame(Kind.BYE, encode_farewell(Farewell.LATER)),
        "BYE edition": Frame(Kind.BYE, encode_farewell(Farewell.EDITION)),
        "BYE version": Frame(Kind.BYE, encode_farewell(Farewell.VERSION)),
        "BYE unreadable": Frame(Kind.BYE, b"?"),
        "TALK say": _talk(scene, Say("hello")),
        "TALK phrase": _talk(scene, Phrase(4)),
        "TALK forged": _talk(scene, Say("hello"), seed=b"f" * 32),
        "OPEN": _open(scene),
        "AGAIN": _again(scene, wishes=True),
        "AGAIN leaves": _again(scene, wishes=False),
        "WAYS": Frame(Kind.WAYS, encode_way(THERE)),
        "WAYS unreadable": Frame(Kind.WAYS, b"?"),
        "WATCH": _watch(scene, Admission(Visibility.LATER, 3, ("Ann",))),
        "WATCH of a guest": _watch(scene, Admission(Visibility.AT_ONCE)),
        "WATCH forged": _watch(scene, Admission(most=3), seed=b"f" * 32),
        "PING": Frame(Kind.PING),
        "PING behind": Frame(Kind.PING, pack([1])),
    }


def items(scene: Scene) -> dict[str, Item | None]:
    """Return all possible items, None for items that cannot come to ``scene``.

    Only an awaited wait can be over, and frames need a link.
    """
    binding, seat = scene.binding, scene.peer.seat
    return {
        "LineUp": LineUp(NEW, None, seat),
        "LineUp (this link)": None if binding is None else LineUp(binding, None, seat),
        "LineQuiet": LineQuiet(6.0, seat),
        "LineHeard": LineHeard(seat),
        "LineDown": LineDown("why", seat),
        "LineDialled": LineDialled(1, seat),
        "LineEnded": LineEnded("why", seat),
        **{
            name: None if binding is None or frame is None else Arrived(binding, frame)
            for name, frame in frames(scene).items()
        },
        "Play": _move(scene, Play),
        "Pass": MakeMove(PASS),
        "Keep": MakeMove(Keep(frozenset({0, 1}))),
        "Think": Think(),
        "Say": Say("hello"),
        "Phrase": Phrase(4),
        "Concede": Concede(),
        "Propose books": Propose(Proposal.BOOKS),
        "PlayAgain": PlayAgain(own_seat(0)),
        "Leave": Leave(),
        "LetWatch": LetWatch(Visibility.NOTHING),
        "WatchersCame": WatchersCame(("Ann",)),
        "PeerAddresses": HERE,
        **{f"TimeUp {what.name}": _time_up(scene, what) for what in Awaited},
    }


def _time_up(scene: Scene, what: Awaited) -> TimeUp | None:
    waiting = [wait for wait in waits(scene.state) if wait.what is what]
    return TimeUp(waiting[0]) if waiting else None


def _move(scene: Scene, kind: type) -> Item:
    seen = scene.state.chain.view
    legal = () if seen is None else seen.legal_moves()
    return MakeMove(next((move for move in legal if isinstance(move, kind)), Play(0, 0)))


def _next_entry(scene: Scene) -> Frame | None:
    """Return the next entry of the game, if the peer has or can make the entry."""
    length = len(scene.state.chain.entries)
    if not scene.state.chain.met:
        host, guest = game()[0]
        place = 1 - scene.state.chain.seat
        return Frame(Kind.MSG, (host, guest)[place].entries[place].encoded)
    entries = game()[-1][0].entries
    if length == len(entries):
        return None
    lost = not scene.state.chain.whole
    theirs = entries[length].seat == scene.peer.seat
    return Frame(Kind.MSG, entries[length].encoded) if theirs or lost else None


def _known_entry(scene: Scene) -> Frame | None:
    entries = scene.state.chain.entries
    theirs = [entry for entry in entries if entry.seat == scene.peer.seat]
    return Frame(Kind.MSG, theirs[-1].encoded) if theirs else None


def _entry(scene: Scene, seed: bytes) -> Frame | None:
    """Return another entry in the place of the peer's last entry."""
    chain = scene.state.chain
    theirs = [entry for entry in chain.entries if entry.seat == scene.peer.seat]
    if not theirs:
        return None
    last = theirs[-1]
    fork = sign_entry(last.seq, last.seat, last.prev, bytes(16), last.fields, seed)
    return Frame(Kind.MSG, fork.encoded)


def _record(
    scene: Scene, statement: Statement | None, seed: bytes | None = None
) -> Frame | None:
    """Return a record of the peer; without ``statement``, the record that opens its book."""
    peer = scene.peer
    if not scene.state.chain.met:
        return None
    if statement is None:
        statement = Expose(peer.game_key)
    seed = seed or secrets_of(SEED, peer.seat).session
    head = scene.state.chain.entries[-1].id
    record = sign_record(peer.table.gid, peer.seat, head, statement, seed)
    return Frame(Kind.REC, record.encoded)


def _our_sync(scene: Scene) -> Frame | None:
    """Return our own announcement from before our folder was put back."""
    chain = scene.state.chain
    if not chain.met or chain.whole:
        return None
    longer = game()[len(chain.entries) - 1][chain.seat]
    assert chain.player is not None
    record = state_record(chain.player, longer.table, Sync(len(longer.entries), STALE))
    return Frame(Kind.REC, record.encoded)


def _sync(scene: Scene, ahead: int) -> Frame | None:
    """Return the SYNC of the peer, whose copy is ``ahead`` entries longer than ours."""
    chain = scene.state.chain
    if not chain.met or scene.binding is None:
        return None
    place = len(chain.entries) - 2 + ahead
    if place >= len(game()):
        return None
    return Frame(Kind.SYNC, game()[place][scene.peer.seat].sync(scene.binding))


def _watch(scene: Scene, said: Admission, seed: bytes | None = None) -> Frame:
    seat = scene.peer.seat
    seed = secrets_of(SEED, seat).session if seed is None else seed
    return Frame(Kind.WATCH, sign_watch(ROSTER.id, seat, (0, 0), said, seed).encoded)


def _talk(scene: Scene, said: Say | Phrase, seed: bytes | None = None) -> Frame:
    seat = scene.peer.seat
    seed = secrets_of(SEED, seat).session if seed is None else seed
    return Frame(Kind.TALK, sign_said(ROSTER.id, seat, (0, 0), said, seed).encoded)


def _open(scene: Scene) -> Frame:
    seat = scene.peer.seat
    word = sign_open(ROSTER.id, seat, secrets_of(SEED, seat).session)
    return Frame(Kind.OPEN, word.encoded)


def _again(scene: Scene, *, wishes: bool) -> Frame:
    seat = scene.peer.seat
    own = own_seat(seat)
    keys = NextKeys(own.listed.session_key, own.listed.link_key), own.secrets.session
    seed = secrets_of(SEED, seat).session
    word = sign_again(ROSTER.id, seat, 0, keys if wishes else None, seed)
    return Frame(Kind.AGAIN, word.encoded)
