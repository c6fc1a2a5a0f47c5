"""The waits of a session, with their time limits."""

from typing import Final, assert_never

from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.step import links as session_links
from matcha_p2p.session.step import state as states
from matcha_p2p.table.table import next_due

GREETING_LIMIT: Final = 10.0
"""Seconds for a peer to greet us, and to compare copies on a new link."""

ENTRIES_LIMIT: Final = 10.0
"""Seconds between two entries or resignations that a peer has announced."""

QUIET_LIMIT: Final = 20.0
"""Seconds without an entry after which a neighbour is told how far our copy goes."""

FAR_LIMIT: Final = 40.0
"""Seconds for the entry of a seat without a link to us; then the person reads its way to us."""

WORDS_LIMIT: Final = 3.0
"""Seconds for the words of the other seats; then the person reads whose word is missing."""

RESULT_LIMIT: Final = 30.0
"""Seconds for a peer to sign the result, where no person is at our seat."""

PARTING_LIMIT: Final = 10.0
"""Seconds to wait for the peer's last words, if this seat wants to go."""


def waits(state: states.SessionState) -> tuple[news.Timeout, ...]:
    """Return the waits of ``state``, with time limits.

    The seconds count from the first appearance of a wait here. If the seconds pass and no other
    item comes, a TimeUp with the wait is the next item.
    """
    match state:
        case states.Greeting(chain=chain):
            # A neighbour without a turn to this game may never hear of the game.
            turning = session_links.turning(state.links)
            limit = GREETING_LIMIT if turning else state.terms.patience
            place = len(chain.entries)
            ending = news.Timeout(news.Awaited.GREETING, place, limit)
            if turning or state.missed == place:
                return (ending,)
            return (news.Timeout(news.Awaited.FAR, place, GREETING_LIMIT), ending)
        case states.Playing():
            links = _link_waits(state)
            return (*links, *_word_waits(state), *_seat_waits(state), *_own_waits(state))
        case states.Parting():
            return (*_link_waits(state), *_parting_waits(state))
        case states.HangingUp():
            return (news.Timeout(news.Awaited.HANG_UP, 0, PARTING_LIMIT),)
        case states.SessionOver():
            return ()
        case _:
            assert_never(state)


def _link_waits(state: states.Greeted) -> tuple[news.Timeout, ...]:
    found: list[news.Timeout] = []
    for seat, link in state.links.items():
        match link:
            case states.Comparing(binding):
                found.append(news.Timeout(news.Awaited.SYNC, binding, GREETING_LIMIT))
            case states.Synced(binding):
                place = (binding, len(state.chain.entries))
                if lacking(state.chain, seat, link):
                    found.append(news.Timeout(news.Awaited.ENTRIES, place, ENTRIES_LIMIT))
                found.append(news.Timeout(news.Awaited.QUIET, place, QUIET_LIMIT))
            case _:
                pass
    return tuple(found)


def _word_waits(playing: states.Playing) -> tuple[news.Timeout, ...]:
    """Return the wait for the words of the other seats, after a restart."""
    chain = playing.chain
    if chain.whole or chain.shown == playing.unproven:
        return ()
    return (news.Timeout(news.Awaited.WORDS, bytes(sorted(chain.shown)), WORDS_LIMIT),)


def _seat_waits(playing: states.Playing) -> tuple[news.Timeout, ...]:
    """Return the waits for the other seats: to sign the result, or to move."""
    chain, length = playing.chain, len(playing.chain.entries)
    if chain.ended is not None:
        if playing.leaving:
            return (news.Timeout(news.Awaited.RESULT, length, PARTING_LIMIT),)
        if playing.terms.stays:
            return ()
        ever = news.Timeout(news.Awaited.RESULT, length, playing.terms.patience)
        links = b"".join(link.binding for link in session_links.level(playing.links).values())
        soon = news.Timeout(news.Awaited.RESULT, (links, length), RESULT_LIMIT)
        return (soon, ever) if links else (ever,)
    due = next_due(chain.table)
    if due is None or due.seat == chain.seat:
        return ()
    found = [news.Timeout(news.Awaited.MOVE, length, playing.terms.patience)]
    linked = session_links.level(playing.links)
    if linked and due.seat not in playing.links and playing.missed < length:
        found.append(news.Timeout(news.Awaited.FAR, length, FAR_LIMIT))
    return tuple(found)


def _own_waits(playing: states.Playing) -> tuple[news.Timeout, ...]:
    """Return the waits for the time of answers: of a window, and of our pass."""
    chain, length = playing.chain, len(playing.chain.entries)
    found: list[news.Timeout] = []
    if chain.window and chain.window != playing.closed:
        found.append(news.Timeout(news.Awaited.WINDOW, chain.window, chain.pace))
    if chain.pace and playing.asked == length and pauses(playing):
        found.append(news.Timeout(news.Awaited.PAUSE, length, chain.pause))
    return tuple(found)


def pauses(playing: states.Playing) -> bool:
    """Tell whether the program may pass here, and its pass still takes time."""
    terms = playing.terms
    return (terms.bot or terms.passes) and playing.paused != len(playing.chain.entries)


def _parting_waits(state: states.Parting) -> tuple[news.Timeout, ...]:
    if state.leaving:
        return (news.Timeout(news.Awaited.GOODBYE, 0, PARTING_LIMIT),)
    if not state.terms.stays:
        return (news.Timeout(news.Awaited.BOOKS, sum(state.told), PARTING_LIMIT),)
    return ()


def lacking(chain: Chain, seat: Seat, link: states.Synced) -> int:
    """Return how many messages we wait for on the link to ``seat``: some may be ours."""
    lost = link.resigned and not chain.has_resignation_for(seat)
    return max(0, link.owed - len(chain.entries)) + lost
