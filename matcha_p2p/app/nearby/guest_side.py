"""Finds the tables that wait on the local network, and knocks at a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from secrets import token_bytes
from typing import Final

import trio

from matcha_p2p.console.menu.asker import Asker, InputClosedError
from matcha_p2p.console.menu.menu import Back, TextField, Written
from matcha_p2p.console.terminal.keyboard import narrow
from matcha_p2p.errors import LinkError
from matcha_p2p.games import USUAL, game_of, numbered
from matcha_p2p.language import Sentence
from matcha_p2p.meeting.beacon import NONCE_SIZE, Query, TableAnswer
from matcha_p2p.meeting.nearby import Found, Surroundings
from matcha_p2p.meeting.pairing import DIGITS, Paired, PairingTable, enter
from matcha_p2p.narration.names import is_misleading
from matcha_p2p.transport.dial import NO_PERMISSION, lacks_permission, open_within
from matcha_p2p.transport.endpoints import Address, scope_of
from matcha_p2p.transport.local.interfaces import Interface

REACH_LIMIT: Final = 5.0
"""Seconds to reach a table that has just answered."""

HOST: Final = Sentence("The host")
"""The heading for news from the host's door."""

WAITING_HERE: Final = Sentence('"{name}" has an open table on this network ({address}), {game}')
SEATS_HERE: Final = Sentence(
    '{game} with "{name}" on this network, empty seats: {free} ({address})'
)
_KNOCKING: Final = Sentence('You knocked at the table of "{name}". Waiting for a yes.')
_CODE: Final = Sentence('"{name}" says yes. Ask "{name}" for the code of six digits.')
_CODE_Q: Final = Sentence("Code:")
_NO_DIGITS: Final = Sentence("The code is wrong: type six digits.")


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A waiting table on this network, at ``address``."""

    address: Address
    answer: TableAnswer

    @property
    def game(self) -> str:
        """The game, by its name. A table of an unknown game is not listed."""
        return numbered(self.answer.game) or USUAL

    @property
    def label(self) -> str:
        """Who waits there, in a line."""
        answer = self.answer
        offered = game_of(self.game)
        game = offered.named(answer.edition) if answer.edition else offered.title
        told = {"game": game, "name": answer.name, "address": self.address}
        if offered.tables == (2,):
            return WAITING_HERE(**told)
        return SEATS_HERE(**told, free=answer.free)


async def find_tables(around: Surroundings) -> tuple[WaitingTable, ...]:
    """Ask the network for waiting tables, for 1.5 s at most; without a socket, return ()."""
    try:
        own = around.networks()
    except OSError:
        return ()
    return listed(await around.search(Query(token_bytes(NONCE_SIZE)), own), own)


def listed(found: Sequence[Found], own: Sequence[Interface]) -> tuple[WaitingTable, ...]:
    """Return the tables, each once for an answering machine, by name.

    A second table at an address comes after all first tables.

    own: the addresses of this machine. A table known by IPv4 is not listed by IPv6 too. If two
    machines give the same number, both are listed: a machine has copied the number.
    """
    here = {interface.address.packed for interface in own}
    places: dict[TableAnswer, list[Address]] = {}
    for each in found:
        if isinstance(each.answer, TableAnswer) and _can_be_joined(each.answer):
            places.setdefault(each.answer, []).append(each.address)
    tables: list[WaitingTable] = []
    for answer, addresses in places.items():
        addresses.sort(key=lambda address: (not address.is_loopback, address.version))
        mine = [address for address in addresses if address.packed in here]
        others = [address for address in addresses if address.packed not in here]
        others4 = [address for address in others if address.version == 4]
        kept = mine[:1] + (others4 if mine or others4 else others)
        tables += (WaitingTable(address, answer) for address in kept)
    tables.sort(key=lambda each: (each.answer.name, int(each.address)))
    ranks = Counter[Address]()
    ranked: list[tuple[int, WaitingTable]] = []
    for table in tables:
        ranked.append((ranks[table.address], table))
        ranks[table.address] += 1
    return tuple(table for _, table in sorted(ranked, key=lambda each: each[0]))


def _can_be_joined(answer: TableAnswer) -> bool:
    """Tell whether the game of the table is known here, and the host's name can be shown."""
    game = numbered(answer.game)
    return game is not None and (
        answer.seats in game_of(game).tables and not is_misleading(answer.name)
    )


async def knock_at(table: WaitingTable, name: str, asker: Asker) -> Paired:
    """Reach ``table``, and enter with the host's code; ``name`` is the person's name.

    Raises:
        LinkError, HandshakeError: the person was not let in; the sentence says why.
    """
    answer = table.answer
    stream = await _reach(table)
    asker.tell(HOST(), (_KNOCKING(name=answer.name),))
    meant = PairingTable(answer.table, answer.name)
    return await enter(stream, meant, name, partial(_ask_code, asker, answer.name))


async def _reach(table: WaitingTable) -> trio.SocketStream:
    try:
        return await open_within(REACH_LIMIT, table.address, table.answer.port)
    except OSError as error:
        if lacks_permission(scope_of(table.address), error):
            raise LinkError(
                NO_PERMISSION, code="net-permission", places=str(table.address)
            ) from None
        raise LinkError(
            '"{name}" has left, or a firewall there lets nobody in. Ask for the invite.',
            code="pair-gone",
            name=table.answer.name,
        ) from None


async def _ask_code(asker: Asker, name: str) -> str:
    wrong: tuple[str, ...] = ()
    asker.tell(HOST(), ())  # the host has said yes
    while True:
        said = (*wrong, _CODE(name=name))
        try:
            answer = await asker.ask(TextField(HOST(), said, _CODE_Q()))
        except InputClosedError:
            answer = Back()
        match answer:
            case Written(text):
                digits = narrow(text).replace(" ", "").replace("-", "").strip()
            case _:
                raise LinkError("No code was typed. Knock again.", code="pair-left")
        if len(digits) == DIGITS and digits.isascii() and digits.isdecimal():
            return digits
        wrong = (_NO_DIGITS(),)
