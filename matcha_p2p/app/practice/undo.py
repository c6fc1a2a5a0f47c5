"""How a practice game goes back: the one place where what was signed is unsaid.

Everywhere else a chain only grows. Whoever signs a second entry at a height has forked the
game, and both entries together convict him; so a journal is opened whole or not at all, and a
resumed seat first takes back from its peer whatever it has lost. To roll back is sound here,
and only here, for three reasons that hold together:

* both seats are ours and are rolled back to the same length, so that no copy of the game holds
  another entry where a new one will be signed;
* nobody else has seen the dropped entries: they have crossed this machine's loopback, encrypted
  with keys that are gone, between two journals in a temporary folder;
* all randomness follows from the secret, the head and the full input (SPEC#randomness). The
  same history gives the same bytes; another one gives masks and nonces that are independent of
  those dropped, although the secret is the same. Two signatures at one height betray no key.

One secret is not bound to the history: the links of the coin chains. Whoever kept dropped
entries would know the coins of sets that are still to come. Here nobody has kept any.
"""

from pathlib import Path

from matcha_p2p.session.chain import ItemKind
from matcha_p2p.session.journal import Journal
from matcha_p2p.session.ledger import Ledger


def roll_back(path: Path, length: int) -> Ledger:
    """Let the closed journal at ``path`` hold the first ``length`` entries alone; open it.

    A journal that is shorter keeps all its entries. Records go: each speaks of the game as it
    stood; so do the reaches, which both seats tell anew. length: at least the two greetings.

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
