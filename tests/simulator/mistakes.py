"""Mistakes that a programmer could make in resuming, each planted by name.

A test plants one mistake after another: the simulator is worth as much as the mistakes found.
"""
# ruff: noqa: D401 -- each docstring is the mistake, in a sentence

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.game import play as game
from matcha_p2p.chain import records
from matcha_p2p.errors import Check, JournalError, ProtocolViolationError
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.session import chain, ledger
from matcha_p2p.session.chain import Chain, Missing
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.connection.line import Connection
from matcha_p2p.session.driver import Driver
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.step import links, parting, signing, waits
from matcha_p2p.session.step import step as session
from matcha_p2p.session.step.links import level, standing
from matcha_p2p.session.step.state import Comparing, Send
from matcha_p2p.session.storage import files, journal
from matcha_p2p.session.words import newest
from matcha_p2p.table import seat
from matcha_p2p.table.seat import Player
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.statements import Sync
from matcha_p2p.wire.talk import Farewell, encode_farewell
from tests.simulator.disk import FS

Patch = tuple[object, str, Any]


def send_before_journal() -> list[Patch]:
    """A message goes to the disk with the next message."""
    become = Ledger.become
    written: dict[int, Chain] = {}

    def late(self: Ledger, after: Chain) -> None:
        if self._journal is None:
            become(self, after)
        else:
            items = ledger.since(self.chain, written.get(id(self), self.chain))
            if items:
                self._journal.append(items)
        written[id(self)] = self.chain
        self.chain = after

    return [(Ledger, "become", late)]


def no_sync_of_the_file() -> list[Patch]:
    """A commit is written, and the program does not wait for the disk."""

    def unsynced(file: int, content: bytes) -> None:
        FS.write(file, content)

    return [(journal, "_write", unsynced)]


def no_sync_of_the_folder() -> list[Patch]:
    """The copy made at opening takes effect only in memory."""
    return [(files, "sync_folder", lambda _: None)]


def failed_sync_tried_again() -> list[Patch]:
    """A failed sync is repeated, and the second sync succeeds without doing anything."""
    write = journal._write

    def again(file: int, content: bytes) -> None:
        try:
            write(file, content)
        except OSError:
            FS.fdatasync(file)

    return [(journal, "_write", again)]


def going_on_after_a_failure() -> list[Patch]:
    """A message is sent although the disk refused the entry."""
    append = journal.Journal.append

    def careless(self: journal.Journal, records: list[journal.JournalItem]) -> None:
        with suppress(JournalError):
            append(self, records)

    return [(journal.Journal, "append", careless)]


def torn_tail_refused() -> list[Patch]:
    """Half a commit at the end of a journal counts as damage."""
    recover = journal._recover

    def strict(path: Path, content: bytes) -> Any:
        recovered = recover(path, content)
        if recovered.size < len(content):
            raise JournalError("{path} is damaged.", code="journal-damaged", path=path)
        return recovered

    return [(journal, "_recover", strict)]


def no_adoption() -> list[Patch]:
    """Our own entries are refused if the peer sends them."""
    hear = Chain.hear

    def refuse(self: Chain, encoded: bytes) -> Any:
        after, events = hear(self, encoded)
        if after.met and after.entries[-1].seat == self.seat:
            raise ProtocolViolationError(Check.TURN, self.seat, len(self.entries), "ours")
        return after, events

    return [(Chain, "hear", refuse)]


def authoring_before_the_sync() -> list[Patch]:
    """A new entry is made as soon as our turn comes, on any link."""
    return [(signing, "_may_author", lambda playing: bool(standing(playing.links)))]


def authoring_before_caught_up() -> list[Patch]:
    """A new entry is made as soon as the peer's SYNC has come."""
    return [(signing, "_may_author", lambda playing: bool(level(playing.links)))]


def going_on_without_the_own_resignation() -> list[Patch]:
    """Neither HERE nor SYNC tells a seat of its own resignation, which it lost."""
    return [
        (chain, "newest", lambda seat, entries, _: newest(seat, entries, ())),
        (Chain, "has_resignation_for", lambda _chain, _peer: True),
    ]


def newer_link_ignored() -> list[Patch]:
    """A new link is ignored while the old link has not broken."""
    line_changed = session._line_changed

    def only_after_down(state: Any, change: Any) -> Any:
        if isinstance(change, LineUp) and standing(state.links):
            return state, ()
        return line_changed(state, change)

    return [(session, "_line_changed", only_after_down)]


def late_decision_on_a_new_link() -> list[Patch]:
    """Frames for the old link go out on the new link, before the SYNC of the new link."""
    bring_about = Driver._bring_about

    async def on_any(self: Driver, effect: Any) -> None:
        newest = getattr(getattr(self._sender, "_lines", [None])[0], "_link", None)
        if isinstance(effect, Send) and newest is not None:
            effect = Send(newest.binding, effect.frame)
        await bring_about(self, effect)

    return [(Driver, "_bring_about", on_any)]


def early_exit() -> list[Patch]:
    """The seat with the last word forgets the game before the last word has arrived."""
    return [(Chain, "last_word", property(lambda self: 1 - self.seat))]


def any_goodbye_will_do() -> list[Patch]:
    """A peer that says goodbye is taken to have the whole game."""
    hear_bye = parting.hear_bye

    def bye(state: Any, peer: Seat, farewell: bytes) -> Any:
        del farewell
        return hear_bye(state, peer, encode_farewell(Farewell.DONE))

    return [(parting, "hear_bye", bye)]


def same_coins() -> list[Patch]:
    """Randomness follows from its purpose alone, and not from the history."""

    def by_label(player: Player, head: bytes) -> Any:
        random = seat.seeded(player.secrets.game, b"", player.seat)
        return lambda label, message, n: random(label, message if label == "keep" else b"", n)

    return [(Player, "random", by_label)]


def re_made_entry() -> list[Patch]:
    """After a crash the last own entry is made anew."""
    recall = ledger.recall_chain

    def forgetful(header: bytes, remembered: Any) -> Chain:
        kept = list(remembered)
        if len(kept) > 6:
            while kept and kept[-1].kind != ledger.ItemKind.ENTRY:
                kept.pop()
            kept.pop()
        return recall(header, kept)

    return [(ledger, "recall_chain", forgetful)]


def records_not_sent_again() -> list[Patch]:
    """After a new link the peer is given the entries it lacks, and no records."""
    missing = Chain.missing

    def entries_only(self: Chain, sync: Any, peer: Seat) -> Missing:
        return replace(missing(self, sync, peer), records=())

    return [(Chain, "missing", entries_only)]


def record_before_the_rest() -> list[Patch]:
    """A record goes out on a new link before the entries that the peer lacks."""
    resign = signing._resign

    def at_once(playing: Any) -> Any:
        after, effects = resign(playing)
        for link in playing.links.values():
            if isinstance(link, Comparing):
                record = Frame(Kind.REC, after.chain.records[-1].encoded)
                effects = (Send(link.binding, record), *effects)
        return after, effects

    return [(signing, "_resign", at_once)]


def nothing_given_back() -> list[Patch]:
    """On a new link the peer gets our entries, and not its own lost entries."""
    missing = Chain.missing

    def own_only(self: Chain, sync: Any, peer: Seat) -> Missing:
        told = missing(self, sync, peer)
        own = tuple(e for e in told.entries if parse_entry(e).seat == self.seat)
        return replace(told, entries=own)

    return [(Chain, "missing", own_only)]


def trouble_forgotten() -> list[Patch]:
    """A seat waiting to dial goes on waiting for the trouble of a replaced link."""
    import trio

    def calm(self: Connection) -> None:
        self._trouble = trio.Event()

    return [(Connection, "_calm", calm)]


def reach_in_memory() -> list[Patch]:
    """Where the peer waits is remembered, and not written down."""
    since = ledger.since

    def without(self: Chain, before: Chain) -> Any:
        return tuple(i for i in since(self, before) if i.kind != ledger.ItemKind.THEIR_WAY)

    return [(ledger, "since", without)]


def one_key_for_both_ways() -> list[Patch]:
    """Later dialled links have the same key: the own door accepts them too."""
    link_psk = Chain.link_psk
    return [(Chain, "link_psk", lambda self, *_: link_psk(self, SEATS[0], SEATS[1]))]


def waiting_for_a_lie() -> list[Patch]:
    """Entries announced by the peer are awaited for ever, although none can be missing."""
    hear_sync = Chain.hear_sync

    def credulous(self: Chain, encoded: bytes, binding: Binding, peer: Seat) -> Any:
        heard, sync = hear_sync(self, encoded, binding, peer)
        return replace(heard, whole=False), sync

    return [(Chain, "hear_sync", credulous), (waits, "ENTRIES_LIMIT", math.inf)]


def resignation_not_final() -> list[Patch]:
    """Who has resigned may go on."""
    return [(records, "check_not_contradicted", lambda *_: None)]


def decided_game_not_stored() -> list[Patch]:
    """A decided game counts for nothing until both have signed the result."""

    def left(_ledger: Any, _setup: Any, _saved: Any, why: str, exit_code: int) -> CommandError:
        return CommandError(exit_code, why)

    return [(game, "_left_unfinished", left)]


def shown_before_durable() -> list[Patch]:
    """A received entry goes to the disk after a player has seen the entry."""
    become = Ledger.become

    def lazily(self: Ledger, after: Chain) -> None:
        held = self.__dict__.get("held")
        own = [e for e in after.entries[len(self.chain.entries) :] if e.seat == after.seat]
        if (
            self._journal is not None
            and not own
            and len(after.records) == len(self.chain.records)
        ):
            if held is None:
                self.__dict__["held"] = self.chain
            self.chain = after
            return
        if held is not None:
            self.chain = self.__dict__.pop("held")
        become(self, after)

    return [(Ledger, "become", lazily)]


def resigning_without_knowing_all() -> list[Patch]:
    """A program that was started again signs a resignation before the peer has told."""
    concede = signing.concede

    def at_once(playing: Any) -> Any:
        return concede(replace(playing, chain=replace(playing.chain, whole=True)))

    return [(signing, "concede", at_once)]


def older_copy_taken_up() -> list[Patch]:
    """The folder of a game may be put back to an older copy, and nobody notices."""
    return [(journal, "_read_mark", lambda _: 0)]


def signing_with_one_word() -> list[Patch]:
    """A restarted program signs once a single neighbour has said how far its copy goes."""
    hear = Chain.hear_sync

    def one(self: Chain, encoded: bytes, binding: Binding, peer: Seat) -> tuple[Chain, Sync]:
        chain, sync = hear(self, encoded, binding, peer)
        return replace(chain, whole=True), sync

    return [(Chain, "hear_sync", one)]


def not_flooding() -> list[Patch]:
    """A seat sends its own entries; of the others, the seat passes on the greetings alone."""
    given = links._given

    def own_only(chain: Chain, link: Any) -> Any:
        after, frames = given(chain, link)
        later = chain.entries[len(chain.state.hellos) :]
        others = {entry.encoded for entry in later if entry.seat != chain.seat}
        return after, [frame for frame in frames if frame.payload not in others]

    return [(links, "_given", own_only)]


class Mistake(NamedTuple):
    """The patches of a mistake, and the seed of a game that shows the mistake.

    After a change of the protocol or of a bot, the game may show the mistake no more. Then
    ``python -m tests.simulation --find NAME`` finds another game.
    """

    make: Callable[[], list[Patch]]
    seed: str


MISTAKES: dict[str, Mistake] = {
    make.__name__.replace("_", "-"): Mistake(make, seed)
    for make, seed in (
        (send_before_journal, "0"),
        (no_sync_of_the_file, "0"),
        (no_sync_of_the_folder, "0"),
        (failed_sync_tried_again, "table 0"),
        (going_on_after_a_failure, "table 0"),
        (torn_tail_refused, "24"),
        (no_adoption, "table 0"),
        (authoring_before_the_sync, "resigning 10"),
        (authoring_before_caught_up, "resigning 10"),
        (going_on_without_the_own_resignation, "resigning 609"),
        (newer_link_ignored, "23"),
        (late_decision_on_a_new_link, "table 0"),
        (early_exit, "6"),
        (any_goodbye_will_do, "resigning 44"),
        (same_coins, "0"),
        (re_made_entry, "table 0"),
        (records_not_sent_again, "resigning 3"),
        (record_before_the_rest, "76"),
        (nothing_given_back, "resigning 6"),
        (trouble_forgotten, "30"),
        (reach_in_memory, "1"),
        (one_key_for_both_ways, "6"),
        (waiting_for_a_lie, "table 0"),
        (resignation_not_final, "vicious 9"),
        (decided_game_not_stored, "hub 4"),
        (shown_before_durable, "0"),
        (resigning_without_knowing_all, "resigning 13"),
        (older_copy_taken_up, "resigning 0"),
        (signing_with_one_word, "resigning 10"),
        (not_flooding, "table 0 any star"),
    )
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Make the mistake ``name`` for the body."""
    with ExitStack() as held:
        for place, attribute, value in MISTAKES[name].make():
            held.enter_context(patch.object(place, attribute, value))
        yield
