"""Undo in a practice game: the only place where signed entries are dropped.

Everywhere else a chain only grows. A seat that signs two entries for one place has forked the
game, and both entries together are proof of that. So a journal is opened whole or not at all,
and a resumed seat first gets from its peer the entries that it has lost. A rollback is sound
here, and only here, for three reasons together:

* both seats are ours and are rolled back to the same length, so that no copy of the game holds
  another entry where a new one will be signed;
* nobody else has seen the dropped entries: they have crossed this machine's loopback, encrypted
  with keys that are gone, between two journals in a temporary folder;
* all randomness follows from the secret, the head and the full input (SPEC#randomness). The
  same history gives the same bytes; another one gives masks and nonces that are independent of
  those dropped, although the secret is the same. Two signatures for one place betray no key.

One secret does not depend on the history: the links of the coin chains. Somebody with the
dropped entries would know the coins of later sets. Here nobody has them.
"""

from pathlib import Path

from matcha_p2p.session.chain import ItemKind
from matcha_p2p.session.storage.journal import Journal
from matcha_p2p.session.storage.ledger import Ledger


def roll_back(path: Path, length: int) -> Ledger:
    """Cut the closed journal at ``path`` down to the first ``length`` entries, and open it.

    A shorter journal keeps all its entries. Records are dropped, as each is about the game as
    it stood; so are the addresses, which both seats announce again. length: at least the two
    greetings.

    Raises:
        JournalError: the journal cannot be read or made anew; the game is lost.
    """
    book, remembered = Journal.open(path)
    book.close()
    entries = [record for record in remembered if record.kind == ItemKind.ENTRY]
    path.unlink()
    with Journal.create(path, book.header) as anew:
        anew.append(entries[:length])
    return Ledger.open(path)
