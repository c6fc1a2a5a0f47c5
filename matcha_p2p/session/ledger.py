"""A copy of a game together with the journal that makes the copy durable.

A journal is made before the greetings, so a game that is cut there is resumed.

Every function here blocks: event loops call the functions in a thread.
"""

from pathlib import Path
from secrets import token_bytes
from typing import Final, Self

from matcha_p2p import wall_clock
from matcha_p2p.errors import CheckError, JournalError, UnknownGameError
from matcha_p2p.session.chain import Chain, ItemKind
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.session.storage.talk import TalkOfAGame
from matcha_p2p.wire.words import NONCE_SIZE


class Ledger:
    """One game of one seat.

    chain: the durable copy, once the game has begun. marks: the folder that remembers the
    length of each journal, or None. talk: the talk of the game. heard_at: when another
    seat's last entry came, in seconds since 1970, or None if unknown.
    """

    def __init__(
        self,
        path: Path,
        chain: Chain,
        marks: Path | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.path: Final = path
        self.marks: Final = marks
        self.chain = chain
        self.talk: Final = TalkOfAGame(path)
        self.heard_at: int | None = None
        self._journal = journal

    @classmethod
    def open(cls, path: Path, marks: Path | None = None, *, older: bool = False) -> Self:
        """Take up the game whose journal is at ``path``.

        older: whether to open an older copy of the journal too.

        Raises:
            JournalError: the journal cannot be read, is in use, or is an older copy.
            UnknownGameError: the game is not installed.
        """
        journal, remembered = Journal.open(path, marks, older=older)
        try:
            chain = Chain.recall(journal.header, remembered)
        except UnknownGameError:
            journal.close()
            raise
        except CheckError as error:
            journal.close()
            raise JournalError(
                "{path} contains messages that no game can have (check {check}).",
                code="journal-foreign",
                path=path,
                check=error.check.value,
            ) from None
        ledger = cls(path, chain, marks, journal)
        ledger.talk.recall(chain.seats)
        started = chain.restarted(wall_clock.seconds(), token_bytes(NONCE_SIZE))
        if started.run != chain.run:
            journal.append(started.since(chain))
        ledger.chain = started
        times = [item.body for item in remembered if item.kind == ItemKind.HEARD_AT]
        ledger.heard_at = int.from_bytes(times[-1], "big") if times else None
        return ledger

    def holds(self, chain: Chain) -> bool:
        """Tell whether ``chain`` is durable as it is."""
        return self._journal is not None and chain is self.chain

    def become(self, chain: Chain) -> None:
        """Make the new part of ``chain``, a later state of our copy, durable; then adopt it."""
        if self._journal is None:
            self._journal = Journal.create(self.path, chain.header, self.marks)
            self.chain = chain.empty
        items = chain.since(self.chain)
        if any(entry.seat != chain.seat for entry in chain.entries[len(self.chain.entries) :]):
            self.heard_at = wall_clock.seconds()
            items = (*items, JournalItem(ItemKind.HEARD_AT, self.heard_at.to_bytes(8, "big")))
        if items:
            self._journal.append(items)
        self.chain = chain

    def close(self) -> None:
        """Close the journal; all appended items stay."""
        if self._journal is not None:
            self._journal.close()
