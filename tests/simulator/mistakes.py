"""Mistakes that a programmer could make in resuming, each planted by name.

The simulator is worth as much as it finds of these: a test plants one after the other.
"""
# ruff: noqa: D401 -- each docstring is the mistake, in a sentence

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from unittest.mock import patch

from matcha_p2p.afterwards import Afterwards
from matcha_p2p.cli import game
from matcha_p2p.errors import Check, JournalError, ProtocolViolationError
from matcha_p2p.player import secret
from matcha_p2p.player.secret import Player
from matcha_p2p.session import chain, journal, line
from matcha_p2p.session.chain import Chain, Resumption
from matcha_p2p.session.line import Arrived, Line
from matcha_p2p.session.session import Session
from matcha_p2p.transcript.entry import parse_entry
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.voice import Voice
from matcha_p2p.wire.talk import Farewell, encode_farewell

Patch = tuple[object, str, Any]


def send_before_journal() -> list[Patch]:
    """What is said goes to the disk with the next thing said."""
    held: dict[int, list[journal.Record]] = {}

    def write(self: Chain, *own: journal.Record) -> None:
        before = held.pop(id(self), [])
        held[id(self)] = [*self._unwritten, *own]
        self._unwritten.clear()
        if before:
            self._book.append(before)

    return [(Chain, "_write", write)]


def no_sync_of_the_file() -> list[Patch]:
    """A commit is written, and nobody waits for the disk."""

    def unsynced(file: int, content: bytes) -> None:
        journal.os.write(file, content)

    return [(journal, "_write", unsynced)]


def no_sync_of_the_folder() -> list[Patch]:
    """The copy made at opening takes its place, but only in memory."""
    return [(journal, "_sync_folder", lambda _: None)]


def failed_sync_tried_again() -> list[Patch]:
    """A sync that failed is repeated, and the second one succeeds without doing anything."""
    write = journal._write

    def again(file: int, content: bytes) -> None:
        try:
            write(file, content)
        except OSError:
            journal.os.fdatasync(file)

    return [(journal, "_write", again)]


def going_on_after_a_failure() -> list[Patch]:
    """What the disk refuses is said all the same."""
    append = journal.Journal.append

    def careless(self: journal.Journal, records: list[journal.Record]) -> None:
        with suppress(JournalError):
            append(self, records)

    return [(journal.Journal, "append", careless)]


def torn_tail_refused() -> list[Patch]:
    """Half a commit at the end of a journal counts as damage."""
    recover = journal._recover

    def strict(path: object, content: bytes) -> Any:
        recovered = recover(path, content)
        if recovered.size < len(content):
            raise JournalError(f"{path} is damaged. [journal-damaged]")
        return recovered

    return [(journal, "_recover", strict)]


def no_adoption() -> list[Patch]:
    """Entries of our own that come from the peer are refused."""
    hear = Chain.hear

    def refuse(self: Chain, encoded: bytes) -> Any:
        entry = parse_entry(encoded)
        if self._player is not None and self.met and entry.seat == self.seat:
            raise ProtocolViolationError(Check.TURN, None, len(self.entries), "ours")
        return hear(self, encoded)

    return [(Chain, "hear", refuse)]


def authoring_before_the_sync() -> list[Patch]:
    """A new entry is made as soon as it is our turn."""
    return [(Session, "_may_author", True)]


def authoring_before_caught_up() -> list[Patch]:
    """A new entry is made as soon as the peer's SYNC has come."""
    return [(Session, "_may_author", property(lambda self: self._announced is not None))]


def stale_link_accepted() -> list[Patch]:
    """A link goes on to be heard when a newer one has come."""
    handle, serve = Session._handle, Line._serve

    async def any_link(self: Session, item: Any) -> Any:
        if isinstance(item, Arrived):
            return await self._hear(item.frame)
        return await handle(self, item)

    async def beside(self: Line, link: Any, post: Any) -> None:
        self._link = None
        await serve(self, link, post)

    return [(Session, "_handle", any_link), (Line, "_serve", beside)]


def newer_link_ignored() -> list[Patch]:
    """A new link means nothing while the old one has not broken."""
    line_up = Session._line_up

    async def only_after_down(self: Session, binding: bytes) -> None:
        if not self._voice.binding:
            await line_up(self, binding)

    return [(Session, "_line_up", only_after_down)]


def late_decision_on_a_new_link() -> list[Patch]:
    """What was made for the old link goes out on the new one, and comes before its SYNC."""

    async def send(self: Voice, kind: Kind, payload: bytes) -> None:
        link = self._line._link
        await self._line.send(b"" if link is None else link.binding, Frame(kind, payload))

    return [(Voice, "send", send)]


def early_exit() -> list[Patch]:
    """Who has said the last word forgets the game without knowing that it has arrived."""
    return [(Chain, "last_word", property(lambda self: 1 - self.seat))]


def any_goodbye_will_do() -> list[Patch]:
    """Whoever says goodbye is taken to have all of the game."""
    hear_bye = Afterwards.hear_bye

    async def bye(self: Afterwards, farewell: bytes) -> None:
        await hear_bye(self, encode_farewell(Farewell.DONE))

    return [(Afterwards, "hear_bye", bye)]


def goodbyes_that_cross() -> list[Patch]:
    """Who gave up forgets the game at a goodbye that was said before that was known."""
    return [(game, "SEATS", (0, 1, 2))]


def same_coins() -> list[Patch]:
    """Randomness follows from what it is for alone, and not from the history."""

    def by_label(player: Player, head: bytes) -> Any:
        random = secret.seeded(player.secrets.game, b"", player.seat)
        return lambda label, message, n: random(label, message if label == "keep" else b"", n)

    return [(Player, "random", by_label)]


def re_made_entry() -> list[Patch]:
    """After a crash the last own entry is made anew."""
    unfold = Chain._unfold.__func__

    def forgetful(cls: type[Chain], book: Any, remembered: Any) -> Chain:
        kept = list(remembered)
        if len(kept) > 6:
            while kept and kept[-1].kind != chain.ENTRY:
                kept.pop()
            kept.pop()
        return unfold(cls, book, kept)

    return [(Chain, "_unfold", classmethod(forgetful))]


def records_not_sent_again() -> list[Patch]:
    """After a new link the peer is given the entries it lacks, and no records."""
    hear_sync = Chain.hear_sync

    def entries_only(self: Chain, encoded: bytes, binding: bytes) -> Resumption:
        told = hear_sync(self, encoded, binding)
        return Resumption(told.length, told.entries, ())

    return [(Chain, "hear_sync", entries_only)]


def record_before_the_rest() -> list[Patch]:
    """A record goes out on a new link before the entries that the peer lacks."""
    declare = Voice.declare

    async def at_once(self: Voice, statement: Any, **_: Any) -> None:
        await declare(self, statement)

    return [(Voice, "declare", at_once)]


def nothing_given_back() -> list[Patch]:
    """After a new link the peer is given our entries, and not its own that it lost."""
    hear_sync = Chain.hear_sync

    def own_only(self: Chain, encoded: bytes, binding: bytes) -> Resumption:
        told = hear_sync(self, encoded, binding)
        own = tuple(e for e in told.entries if parse_entry(e).seat == self.seat)
        return Resumption(told.length, own, told.records)

    return [(Chain, "hear_sync", own_only)]


def not_reading_while_sending() -> list[Patch]:
    """Nothing is read while the session is busy, and it may be busy with sending."""
    return [(line, "READ_AHEAD", 0)]


def trouble_forgotten() -> list[Patch]:
    """Whoever waits to dial goes on waiting for the trouble of a link that was replaced."""
    import trio

    def calm(self: Line) -> None:
        self._trouble = trio.Event()

    return [(Line, "_calm", calm)]


def reach_in_memory() -> list[Patch]:
    """Where the peer waits is remembered, and not written down."""

    def note(self: Chain, kind: int, reach: Any) -> None:
        self.reaches[kind] = reach

    return [(Chain, "note_reach", note)]


MISTAKES: dict[str, Callable[[], list[Patch]]] = {
    make.__name__.replace("_", "-"): make
    for make in (
        send_before_journal,
        no_sync_of_the_file,
        no_sync_of_the_folder,
        failed_sync_tried_again,
        going_on_after_a_failure,
        torn_tail_refused,
        no_adoption,
        authoring_before_the_sync,
        authoring_before_caught_up,
        stale_link_accepted,
        newer_link_ignored,
        late_decision_on_a_new_link,
        early_exit,
        any_goodbye_will_do,
        goodbyes_that_cross,
        same_coins,
        re_made_entry,
        records_not_sent_again,
        record_before_the_rest,
        nothing_given_back,
        not_reading_while_sending,
        trouble_forgotten,
        reach_in_memory,
    )
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Make the mistake ``name`` for the body."""
    with ExitStack() as held:
        for place, attribute, value in MISTAKES[name]():
            held.enter_context(patch.object(place, attribute, value))
        yield
