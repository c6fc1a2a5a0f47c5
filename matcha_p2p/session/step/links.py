"""The links to the neighbours, and the flooding of a game over the links (PEER#flooding).

Each neighbour is given, once and in order, the entries and records that the neighbour has not
shown to have. So every link carries one unbroken chain, whatever the other links do.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from matcha_p2p.errors import EncodingError
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection import changes, peer_addresses
from matcha_p2p.session.connection.word_kinds import WORD_KINDS
from matcha_p2p.session.step import state as states
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.said import WayWord
from matcha_p2p.wire.statements import Sync
from matcha_p2p.wire.talk import PeerAddresses, decode_way, encode_way
from matcha_p2p.wire.words import AskWord, HereWord, Word

Linked = TypeVar("Linked", bound=states.Greeting | states.Greeted | states.HangingUp)


def standing(links: states.Links) -> Mapping[Seat, Binding]:
    """Return the links that stand."""
    return {
        seat: link.binding for seat, link in links.items() if not isinstance(link, states.Apart)
    }


def level(links: states.Links) -> Mapping[Seat, states.Synced]:
    """Return the links whose ends know how far the other copy goes."""
    return {seat: link for seat, link in links.items() if isinstance(link, states.Synced)}


def seat_at(links: states.Links, binding: Binding) -> Seat | None:
    """Return the neighbour at the link ``binding``, or None if the link counts no more."""
    return next((seat for seat, name in standing(links).items() if name == binding), None)


def with_link(state: Linked, seat: Seat, link: states.LinkState) -> Linked:
    """Return ``state`` with ``link`` as the newest link to ``seat``."""
    return replace(state, links={**state.links, seat: link})


def apart(state: Linked, seat: Seat) -> Linked:
    """Return ``state`` without a link to ``seat``. A direct link is no longer mentioned."""
    if is_beside(state.links, seat):
        return without(state, seat)
    return with_link(state, seat, states.Apart())


def is_beside(links: states.Links, seat: Seat) -> bool:
    """Return whether the link to ``seat`` is a direct link, beside the links of the star."""
    link = links.get(seat)
    return isinstance(link, states.Comparing | states.Synced) and link.beside


def sought(links: states.Links) -> frozenset[Seat]:
    """Return the neighbours that are sought until they come back: the star."""
    return frozenset(seat for seat in links if not is_beside(links, seat))


def without(state: Linked, seat: Seat) -> Linked:
    """Return ``state`` without the neighbour ``seat``."""
    kept = {other: link for other, link in state.links.items() if other != seat}
    return replace(state, links=kept)


def outdated(state: states.Greeting | states.Greeted | states.HangingUp, seat: Seat) -> bool:
    """Return whether the link leads to an earlier run of ``seat``: what comes counts no more.

    Our HERE says what we have of the seat, so nothing may come after it by an old link.
    """
    match state.links.get(seat):
        case states.Comparing(run=run) | states.Synced(run=run):
            return run < state.chain.words.run_of(seat)
        case _:
            return False


def turning(links: states.Links) -> tuple[Seat, ...]:
    """Return the neighbours whose links still belong to the game before."""
    return tuple(seat for seat, link in links.items() if isinstance(link, states.Turning))


def has_entry(state: Linked, seat: Seat, place: int) -> Linked:
    """Note that ``seat`` has the entries up to ``place``: the seat has sent that entry."""
    match state.links.get(seat):
        case states.Synced(shown=shown) as link if shown <= place:
            return with_link(state, seat, replace(link, shown=place + 1))
        case _:
            return state


def has_record(state: Linked, seat: Seat, place: int) -> Linked:
    """Note that ``seat`` has our record ``place``: the seat has sent the record."""
    match state.links.get(seat):
        case states.Synced(given=given) as link:
            return with_link(state, seat, replace(link, given=given | {place}))
        case _:
            return state


def has_word(state: Linked, seat: Seat, word: Word) -> Linked:
    """Note that ``seat`` has sent ``word``; the ASK of ``seat`` shows which program sends.

    Only current words are remembered: a seat can sign any number of other words.
    """
    link = state.links.get(seat)
    if not isinstance(link, states.Comparing | states.Synced):
        return state
    link = replace(link, words=(link.words | {word}).intersection(state.chain.words.all))
    if isinstance(word, AskWord) and word.seat == seat:
        link = replace(link, run=max(link.run, word.asked.run))
    return with_link(state, seat, link)


def lacks(state: Linked, seat: Seat, length: int) -> Linked:
    """Note that ``seat`` has only ``length`` entries, although more were sent.

    At most twice the chain is sent again on a link.
    """
    match state.links.get(seat):
        case states.Synced(shown=shown, again=again) as link if length < shown:
            again += shown - length
            if again <= 2 * len(state.chain.entries):
                link = replace(
                    link, shown=length, given=frozenset(), again=again, words=frozenset()
                )
                return with_link(state, seat, link)
        case _:
            pass
    return state


def flush(state: Linked) -> tuple[Linked, states.Effects]:
    """Send on every level link what the neighbour has not shown to have.

    No word follows our goodbye: the neighbour hangs up, and unread bytes would cut its answer.
    """
    links, effects = dict(state.links), list[states.Effect]()
    left = state.said if isinstance(state, states.Parting) else frozenset[Seat]()
    for seat, link in level(state.links).items():
        words = frozenset(state.chain.words.all) if seat in left else link.words
        links[seat], frames = _given(state.chain, replace(link, words=words))
        effects += [states.Send(link.binding, frame) for frame in frames]
    return (replace(state, links=links), tuple(effects)) if effects else (state, ())


def _given(chain: Chain, link: states.Synced) -> tuple[states.Synced, list[Frame]]:
    """Return the frames for ``link``, and the link after them.

    ASKs and HEREs come first: a restart is known before all else. The evidence of a breach
    follows the chain: two entries for one place, or a message that the chain refutes. An
    announcement is given only to its author, except as evidence. Other words come last: a seat
    that lacks a greeting ignores them.
    """
    words = [word for word in chain.words.all if word not in link.words]
    frames = [as_frame(word) for word in words if isinstance(word, AskWord | HereWord)]
    frames += [Frame(Kind.MSG, entry.encoded) for entry in chain.entries[link.shown :]]
    if chain.offence is not None and not link.warned:
        frames.append(chain.offence.frame)
    places = [
        place
        for place, record in enumerate(chain.records)
        if place not in link.given
        and (chain.offence is not None or not isinstance(record.statement, Sync))
    ]
    frames += [Frame(Kind.REC, chain.records[place].encoded) for place in places]
    frames += [as_frame(word) for word in words if not isinstance(word, AskWord | HereWord)]
    after = replace(
        link,
        shown=max(link.shown, len(chain.entries)),
        given=link.given.union(places),
        warned=chain.offence is not None,
        words=frozenset(chain.words.all),
    )
    return after, frames


def none_given(link: states.Comparing | states.Synced) -> states.Synced:
    """Return ``link`` compared, to a neighbour that has shown to have nothing."""
    return states.Synced(
        link.binding, link.remote, words=link.words, run=link.run, beside=link.beside
    )


def all_given(chain: Chain, link: states.Comparing | states.Synced) -> states.Synced:
    """Return ``link`` once the neighbour has been sent all of ``chain``."""
    records = frozenset(range(len(chain.records)))
    return replace(none_given(link), shown=len(chain.entries), given=records)


def say_addresses(state: Linked, way: PeerAddresses) -> tuple[Linked, states.Effects]:
    """Note where we wait for other links, and tell all neighbours."""
    chain, frame = state.chain, Frame(Kind.WAYS, encode_way(way))
    up = standing(state.links).values()
    said = tuple(states.Send(binding, frame) for binding in up)
    return replace(state, chain=chain.with_addresses(chain.seat, way)), said


def hear_addresses(state: Linked, seat: Seat, payload: bytes) -> Linked:
    """Note where ``seat``, a neighbour, waits for other links, as far as we may dial there.

    payload: of its WAYS.
    """
    try:
        way = decode_way(payload)
    except EncodingError:
        return state
    chain, link = state.chain, state.links[seat]
    remote = None if isinstance(link, states.Apart) else link.remote
    there = peer_addresses.dialable_addresses(way, remote, chain.ways.get(seat))
    return state if there is None else replace(state, chain=chain.hear_addresses(seat, there))


def hear_relayed_addresses(state: Linked, relay: Seat, word: WayWord) -> Linked:
    """Note where another seat waits, as ``relay``, a neighbour, passes the word on."""
    chain, link = state.chain, state.links[relay]
    remote = None if isinstance(link, states.Apart) else link.remote
    there = peer_addresses.relayed_addresses(word.way, remote, chain.ways.get(word.seat))
    if there is None:
        return state
    return replace(state, chain=chain.hear_addresses(word.seat, there))


def compare(chain: Chain, up: changes.LineUp) -> tuple[states.Comparing, states.Effects]:
    """Begin on a new link: say how far our copy goes, and where we wait for further links."""
    ask, heard = own_ask(chain), chain.words.said.values()  # old talk is not said again
    words = frozenset[Word]((*ask, *heard))
    link = states.Comparing(up.binding, up.remote, words, beside=up.beside)
    frames = [*map(as_frame, ask), Frame(Kind.SYNC, chain.sync(up.binding))]
    way = chain.ways.get(chain.seat)
    if way is not None:
        frames.append(Frame(Kind.WAYS, encode_way(way)))
    return link, tuple(states.Send(up.binding, frame) for frame in frames)


def own_ask(chain: Chain) -> tuple[AskWord, ...]:
    """Return our ASK, if this program was started again: it goes first on each new link."""
    ask = chain.words.asks.get(chain.seat)
    return () if ask is None else (ask,)


def as_frame(word: Word) -> Frame:
    """Return the frame of ``word``."""
    return Frame(WORD_KINDS[type(word)].kind, word.encoded)
