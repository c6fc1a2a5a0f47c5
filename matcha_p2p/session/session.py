"""A game between peers as one pure function, from a state and an item to the next state.

A session has one to three neighbours, and passes on what it accepts (PEER#flooding).

Frames, choices, changes of the lines and time limits are items, taken one by one. A step
returns the state after an item, and the effects. The driver makes the chain of the state
durable before carrying out the effects. So a crash cannot undo a message sent or news shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, assert_never

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import (
    Check,
    CheckError,
    EncodingError,
    IllegalMoveError,
    ProtocolViolationError,
)
from matcha_p2p.games.game import Event, Move, View
from matcha_p2p.games.timing import Forced, InWindow, Passing
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.session import greeting, news, parting
from matcha_p2p.session import links as session_links
from matcha_p2p.session import state as states
from matcha_p2p.session.chain import Chain, Offence
from matcha_p2p.session.connection import changes
from matcha_p2p.session.effects import events_told, resigned_told, talk_told
from matcha_p2p.session.rematch import next_chain
from matcha_p2p.session.watching import Watching, unheard
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire import statements
from matcha_p2p.wire import talk as wire_talk
from matcha_p2p.wire.admission import WatchWord
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.said import SaidWord, WayWord

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

_OUTDATED: Final = Sentence("The program at the other end was started again since.")
_SILENT: Final = Sentence(
    "The program at the other end does not say how far its copy of the game goes."
)
_WITHHELD: Final = Sentence(
    "The program at the other end does not send the messages that it announced."
)


# --- beginning -------------------------------------------------------------------------------


def begin(
    chain: Chain,
    terms: news.Terms,
    *links: changes.LineUp,
    apart: Sequence[Seat] = (),
    awaited: frozenset[Seat] = frozenset(),
    before: Chain | None = None,
) -> states.Transition:
    """Begin a new game on ``links``, one to each neighbour.

    apart: the neighbours whose links have ended already. awaited: the neighbours whose copy of
    the roster is still to come, after the game ``before`` of the same table.
    """
    begun: dict[Seat, states.LinkState] = {seat: states.Apart() for seat in apart}
    for up in links:
        link = states.Turning if up.seat in awaited else states.Synced
        begun[up.seat] = link(up.binding, up.remote)
    state, effects = greeting.go_on(states.Greeting(chain, terms, begun, before=before))
    names = [(seat, chain.name_of(seat)) for seat in apart]
    told = [
        states.Tell(news.LineChanged(changes.LineDown(news.LEFT_BY(name=name), seat), name))
        for seat, name in names
    ]
    return _then((state, (*told, *effects)))


def begin_next(before: Chain, terms: news.Terms, again: news.Again) -> states.Transition:
    """Begin the game after the game of ``before``."""
    awaited = frozenset(up.seat for up in again.links) - {again.turned}
    chain = next_chain(before, again)
    return begin(chain, terms, *again.links, awaited=awaited, before=before)


def take_up(
    chain: Chain,
    terms: news.Terms,
    spoken: tuple[wire_talk.Spoken, ...] = (),
    neighbours: Iterable[Seat] = (),
) -> states.Transition:
    """Go on with a game from the end of its journal; there is no link yet.

    spoken: the talk of the players so far. neighbours: the seats to which lines are sought.
    """
    links: states.Links = {seat: states.Apart() for seat in neighbours}
    if not chain.met and chain.offence is not None:
        return states.SessionOver(chain, news.Violated(chain.offence.violation)), ()
    if not chain.met:
        return _then(greeting.go_on(states.Greeting(chain, terms, links)))
    names = tuple(map(chain.name_of, chain.table.seats))
    said = (states.Tell(news.TalkRecalled(spoken, names)),) if spoken else ()
    effects = (states.Tell(taken_up(chain)), *said, *resigned_told(chain, chain.empty))
    if chain.offence is not None:
        return states.SessionOver(
            chain, _ending_of_breach(chain, chain.offence.violation)
        ), effects
    watching = unheard(chain.seat, chain.table, terms.admission)
    playing = states.Playing(chain, terms, links, watching)
    return _then((playing, effects))


def taken_up(chain: Chain) -> news.TakenUp:
    """Return the news that the game of ``chain`` goes on."""
    names = tuple(hello.name for hello in chain.table.hellos)
    return news.TakenUp(chain.game, names, chain.hand, chain.ended is not None)


# --- time ------------------------------------------------------------------------------------


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


def _link_waits(
    state: states.Playing | states.Parting,
) -> tuple[news.Timeout, ...]:
    found: list[news.Timeout] = []
    for seat, link in state.links.items():
        match link:
            case states.Comparing(binding):
                found.append(news.Timeout(news.Awaited.SYNC, binding, GREETING_LIMIT))
            case states.Synced(binding):
                place = (binding, len(state.chain.entries))
                if _lacking(state.chain, seat, link):
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
    if chain.pace and playing.asked == length and _pauses(playing):
        found.append(news.Timeout(news.Awaited.PAUSE, length, chain.pause))
    return tuple(found)


def _pauses(playing: states.Playing) -> bool:
    """Tell whether the program may pass here, and its pass still takes time."""
    terms = playing.terms
    return (terms.bot or terms.passes) and playing.paused != len(playing.chain.entries)


def _parting_waits(state: states.Parting) -> tuple[news.Timeout, ...]:
    if state.leaving:
        return (news.Timeout(news.Awaited.GOODBYE, 0, PARTING_LIMIT),)
    if not state.terms.stays:
        return (news.Timeout(news.Awaited.BOOKS, sum(state.told), PARTING_LIMIT),)
    return ()


def _time_up(state: states.SessionState, wait: news.Timeout) -> states.Transition:
    match wait.what, state:
        case (
            news.Awaited.SYNC | news.Awaited.ENTRIES,
            states.Playing() | states.Parting(),
        ):
            return _link_is_late(state, wait)
        case news.Awaited.QUIET, states.Playing() | states.Parting():
            return state, _length_told(state, wait)
        case news.Awaited.WORDS, states.Playing():
            return _words_missing(state)
        case news.Awaited.FAR, states.Playing():
            return _far_seat_missing(state)
        case ((news.Awaited.WINDOW | news.Awaited.PAUSE), states.Playing()):
            return _answers_come(state, wait), ()
        case news.Awaited.MOVE, states.Playing():
            return _no_move(state, wait)
        case news.Awaited.RESULT, states.Playing():
            why = news.YOU_LEFT if state.leaving else news.NO_RESULT
            return _leave(state, news.Interrupted(why()))
        case ((news.Awaited.BOOKS | news.Awaited.GOODBYE), states.Parting()):
            books = wait.what is news.Awaited.BOOKS
            return replace(state, leaving=True) if books else parting.give_up(state), ()
        case news.Awaited.HANG_UP, states.HangingUp():
            return states.SessionOver(state.chain, state.ending), ()
        case _:
            return state, ()  # the wait has just ended


def _no_move(playing: states.Playing, wait: news.Timeout) -> states.Transition:
    """Leave the game, and name the seat that makes no move."""
    due = next_due(playing.chain.table)
    if due is None:
        return playing, ()
    name = playing.chain.name_of(due.seat)
    why = news.NO_MOVE(name=name, seconds=wait.seconds)
    return _leave(playing, news.Interrupted(why))


def _link_is_late(
    state: states.Playing | states.Parting, wait: news.Timeout
) -> states.Transition:
    """End a link whose neighbour does not send its SYNC, or what the SYNC announces."""
    for seat, link in state.links.items():
        match link, wait.of:
            case states.Comparing(binding), named if binding == named:
                return _end_link(state, seat, _SILENT())
            case states.Synced(binding), (named, _) if binding == named:
                told = states.Tell(news.Withheld(_lacking(state.chain, seat, link)))
                after, effects = _end_link(state, seat, _WITHHELD())
                return after, (told, *effects)
            case _:
                pass
    return state, ()  # the link has just ended


def _answers_come(playing: states.Playing, wait: news.Timeout) -> states.Playing:
    """Let ``_carry_on`` sign the answer whose time has come."""
    if wait.what is news.Awaited.WINDOW:
        return replace(playing, closed=playing.chain.window)
    return replace(playing, paused=len(playing.chain.entries))


def _words_missing(playing: states.Playing) -> states.Transition:
    """Tell whose word is missing for us to sign."""
    chain = playing.chain
    missing = tuple(chain.name_of(seat) for seat in chain.others if seat not in chain.shown)
    told = states.Tell(news.Unproven(missing))
    return replace(playing, unproven=chain.shown), (told,)


def _far_seat_missing(playing: states.Playing) -> states.Transition:
    """Tell by whose way the next entry comes to us."""
    chain, due = playing.chain, next_due(playing.chain.table)
    if due is None:
        return playing, ()
    ways = tuple(chain.name_of(seat) for seat in session_links.level(playing.links))
    told = states.Tell(news.FarSeatMissing(chain.name_of(due.seat), ways, FAR_LIMIT))
    return replace(playing, missed=len(chain.entries)), (told,)


def _length_told(
    state: states.Playing | states.Parting, wait: news.Timeout
) -> tuple[states.Effect, ...]:
    """Tell a neighbour how far our copy goes: a message to us may be lost."""
    payload = pack([len(state.chain.entries)])
    return tuple(
        states.Send(link.binding, Frame(Kind.PING, payload))
        for link in session_links.level(state.links).values()
        if wait.of == (link.binding, len(state.chain.entries))
    )


# --- one item --------------------------------------------------------------------------------


def step(state: states.SessionState, item: news.Item) -> states.Transition:
    """Return the state after ``item``, and the effects."""
    match state:
        case states.Greeting():
            return _then(greeting.at_door(state, item))
        case states.Playing() | states.Parting():
            return _then(_at_table(state, item))
        case states.HangingUp():
            return _hanging_up(state, item)
        case states.SessionOver():
            return state, ()
        case _:
            assert_never(state)


def _then(done: states.Transition) -> states.Transition:
    """Add all consequences of ``done`` that need no further item."""
    state, effects = _go_on(done)
    match state:
        case states.Playing() | states.Parting():
            window = state.chain.window
            if isinstance(state, states.Playing) and window not in (0, state.opened):
                state = replace(state, opened=window)
                effects = _with_window(effects, news.WindowOpened(state.chain.pace))
            chain = state.chain.admit(state.watching.ours).say_where()
            if chain is not state.chain:
                state, said = session_links.flush(replace(state, chain=chain))
                return state, (*effects, *said)
        case _:
            pass
    return state, effects


def _with_window(
    effects: tuple[states.Effect, ...], opened: news.WindowOpened
) -> tuple[states.Effect, ...]:
    """Add the news ``opened``, before a question in the window: no event follows a question."""
    match effects:
        case (*before, states.Tell(news.MoveDue()) as asked):
            return (*before, states.Tell(opened), asked)
        case _:
            return (*effects, states.Tell(opened))


def _go_on(done: states.Transition) -> states.Transition:
    """Go on with the game, or after the game."""
    state, effects = done
    match state:
        case states.Playing(chain=Chain(finished=True)):
            over = states.Parting(
                state.chain,
                state.terms,
                state.links,
                state.watching,
                offers_book=state.terms.open_book,
                leaving=state.leaving,
                gone=state.gone,
            )
            state, more = parting.go_on(over)
        case states.Playing():
            state, more = _carry_on(state)
            if state.chain.finished:
                return _go_on((state, (*effects, *more)))
        case states.Parting(chain=Chain(finished=True)):
            state, more = parting.go_on(state)
        case states.Parting():  # an entry that crossed our resignation has decided the game
            again = states.Playing(
                state.chain,
                state.terms,
                state.links,
                state.watching,
                leaving=state.leaving,
                gone=state.gone,
            )
            return _go_on((again, effects))
        case _:
            more = ()
    return state, (*effects, *more)


# --- the line --------------------------------------------------------------------------------


def _at_table(state: states.Playing | states.Parting, item: news.Item) -> states.Transition:
    match item:
        case changes.Arrived(binding, frame):
            return _arrived(state, binding, frame)
        case (
            changes.LineUp()
            | changes.LineQuiet()
            | changes.LineHeard()
            | changes.LineDown()
            | changes.LineDialled()
            | changes.LineEnded()
        ):
            return _line_changed(state, item)
        case news.TimeUp(wait):
            return _time_up(state, wait)
        case wire_talk.PeerAddresses() | news.LetWatch() | news.WatchersCame():
            return _say_where_and_who(state, item)
        case wire_talk.Say() | wire_talk.Phrase():
            return _say(state, item)
        case news.Leave():
            return _wants_to_leave(state)
        case news.Propose() | news.PlayAgain():
            after = parting.propose(state, item) if isinstance(state, states.Parting) else state
            return after, ()
        case news.MakeMove() | news.Think() | news.Concede():
            return _choose(state, item) if isinstance(state, states.Playing) else (state, ())
        case _:
            assert_never(item)


def _choose(
    playing: states.Playing, choice: news.MakeMove | news.Think | news.Concede
) -> states.Transition:
    """Note the choice; ``_carry_on`` signs the move."""
    match choice:
        case news.MakeMove() if playing.chain.view is None:
            return playing, ()  # the answer comes too late
        case news.MakeMove(move):
            decided = states.Decided(len(playing.chain.entries), move)
            return replace(playing, wish=decided, thinks=False), ()
        case news.Think():
            return replace(playing, thinks=True), ()
        case news.Concede():
            return _concede(playing)


def _say_where_and_who(
    state: states.Playing | states.Parting,
    item: wire_talk.PeerAddresses | news.LetWatch | news.WatchersCame,
) -> states.Transition:
    """Note our addresses or watchers, and tell the neighbours."""
    match item:
        case wire_talk.PeerAddresses():
            return session_links.say_addresses(state, item)
        case news.LetWatch(sight):
            return _watched(state, state.watching.allow(sight))
        case news.WatchersCame(names):
            return _watched(state, state.watching.seen_by(names))


def _watched(state: states.Playing | states.Parting, watching: Watching) -> states.Transition:
    """Tell the front end how watching has changed; ``_then`` tells the others."""
    before = state.watching
    changed = watching != before and watching.most
    told = (states.Tell(news.WatchingChanged(before, watching)),) if changed else ()
    return replace(state, watching=watching), told


def _say(
    state: states.Playing | states.Parting, said: wire_talk.Say | wire_talk.Phrase
) -> states.Transition:
    """Send ``said`` to all seats. If no link stands, tell the person that no seat hears it."""
    if session_links.level(state.links):
        state, sent = session_links.flush(replace(state, chain=state.chain.say(said)))
    else:
        sent = ()
    if not sent:
        return state, (states.Tell(news.Unheard()),)
    return state, (*sent, states.KeepTalk((state.chain.seat, said)))


def _line_changed(
    state: states.Playing | states.Parting, change: changes.LineChange
) -> states.Transition:
    seat = change.seat
    direct = isinstance(change, changes.LineUp) and change.beside
    if direct or session_links.is_beside(state.links, seat):
        return _direct_line_changed(state, seat, change)
    told = states.Tell(news.LineChanged(change, state.chain.name_of(seat)))
    binding = session_links.standing(state.links).get(seat)
    match change:
        case changes.LineUp(up) if up == binding:
            return state, ()  # the seats greeted each other on this link
        case changes.LineUp():
            link, said = session_links.compare(state.chain, change)
            return _on(state, seat, link), (told, *said)
        case changes.LineEnded(why):
            left = _without(state, seat)
            stays = session_links.sought(left.links)
            return (left if stays else _ended(state, news.Interrupted(why))), (told,)
        case _ if seat not in state.links:
            return state, ()  # the neighbour has said goodbye, or the link was a direct link
        case changes.LineDialled() if binding is not None:
            return state, ()  # the front end is told of the silence
        case changes.LineQuiet() | changes.LineHeard() | changes.LineDialled():
            return state, (told,)
        case changes.LineDown():
            return _on(state, seat, states.Apart()), (told,)
        case _:
            assert_never(change)


def _direct_line_changed(
    state: states.Playing | states.Parting, seat: Seat, change: changes.LineChange
) -> states.Transition:
    """Compare on a new direct link, and forget a link that is down.

    The front end is told nothing: the game goes on by the star.
    """
    match change:
        case changes.LineUp():
            link, said = session_links.compare(state.chain, change)
            return _on(state, seat, link), said
        case changes.LineDown():
            return _unless_alone(session_links.without(state, seat)), ()
        case _:
            return state, ()


def _on(
    state: states.Playing | states.Parting,
    seat: Seat,
    link: states.Apart | states.Comparing,
) -> states.Playing | states.Parting:
    """Return ``state`` with a new link to ``seat``, or none.

    On a new link our goodbye is said again.
    """
    if isinstance(state, states.Parting):
        state = parting.unsaid(state, seat)
    return session_links.with_link(state, seat, link)


def _end_link(
    state: states.Playing | states.Parting, seat: Seat, why: str
) -> states.Transition:
    """Give this link up, because anybody may have sent the frame; the game goes on."""
    hang_up = states.HangUp(session_links.standing(state.links)[seat], why)
    if isinstance(state, states.Parting):
        state = parting.unsaid(state, seat)
    return _unless_alone(session_links.apart(state, seat)), (hang_up,)


def _unless_alone(state: states.Playing | states.Parting) -> states.SessionState:
    """Return ``state``, or its end: after the game, the last direct link may have ended."""
    if isinstance(state, states.Parting) and not state.links:
        return parting.give_up(state)
    return state


def _hanging_up(state: states.HangingUp, item: news.Item) -> states.Transition:
    """Wait until the neighbours hang up: if we hung up first, our last words could be lost."""
    match item:
        case changes.LineDown(seat=seat) | changes.LineEnded(seat=seat):
            return _hung_up(state, seat)
        case changes.LineUp(seat=seat):
            return _hung_up(state, seat)
        case changes.Arrived(binding, Frame(kind=Kind.BYE)):
            at = session_links.seat_at(state.links, binding)
            return (state, ()) if at is None else _hung_up(state, at)
        case news.Leave():
            return states.SessionOver(state.chain, state.ending), ()
        case news.TimeUp(wait):
            return _time_up(state, wait)
        case _:
            return state, ()


def _hung_up(state: states.HangingUp, seat: Seat) -> states.Transition:
    """Hang up on a neighbour that has nothing more to say."""
    left = session_links.without(state, seat)
    if not left.links:
        return states.SessionOver(state.chain, state.ending), ()
    binding = session_links.standing(state.links).get(seat)
    if binding is None:
        return left, ()
    return left, (states.HangUp(binding, news.LEFT_BY(name=state.chain.name_of(seat))),)


def _ended(state: states.Playing | states.Parting, ending: news.Ending) -> states.SessionState:
    """End without a farewell; a finished game keeps the result."""
    match state:
        case states.Playing():
            return states.SessionOver(state.chain, ending)
        case states.Parting():
            return parting.give_up(state)


# --- what is heard ---------------------------------------------------------------------------


def _arrived(
    state: states.Playing | states.Parting, binding: Binding, frame: Frame
) -> states.Transition:
    seat = session_links.seat_at(state.links, binding)
    if seat is None:
        return state, ()
    if frame.kind is not Kind.ASK and session_links.outdated(state, seat):
        return _end_link(state, seat, _OUTDATED())
    return _hear(state, seat, frame)


def _hear(
    state: states.Playing | states.Parting, seat: Seat, frame: Frame
) -> states.Transition:
    match frame.kind:
        case Kind.MSG:
            return _hear_entry(state, seat, frame)
        case Kind.REC:
            return _hear_record(state, seat, frame)
        case Kind.SYNC:
            return _hear_sync(state, seat, frame)
        case Kind.BYE:
            return _hear_goodbye(state, seat, frame.payload)
        case Kind.WAYS:
            return session_links.hear_addresses(state, seat, frame.payload), ()
        case Kind.PING:
            return _hear_length(state, seat, frame.payload)
        case Kind.ASK | Kind.HERE | Kind.AGAIN | Kind.OPEN | Kind.TALK | Kind.WATCH | Kind.WAY:
            return _hear_word(state, seat, frame)
        case Kind.ROSTER:
            return parting.hear_roster(state, seat, frame), ()
        case Kind.LOBBY | Kind.COME | Kind.SIGHT:
            return state, ()  # of the lobby, which is over, or of a watcher
        case _:
            assert_never(frame.kind)


def _hear_length(
    state: states.Playing | states.Parting, seat: Seat, payload: bytes
) -> states.Transition:
    """If the neighbour lacks what it was sent, send that again."""
    try:
        told = unpack(payload)
    except EncodingError:
        return state, ()  # most pings say nothing
    match told:
        case [int(length)] if length >= 0:
            return session_links.flush(session_links.lacks(state, seat, length))
        case _:
            return state, ()


def _hear_goodbye(
    playing: states.Playing | states.Parting, seat: Seat, farewell: bytes
) -> states.Transition:
    """Take the goodbye of a neighbour; without neighbours the session ends."""
    if isinstance(playing, states.Parting):
        return parting.hear_bye(playing, seat, farewell)
    if news.is_done(farewell):
        return playing, ()
    chain, code = playing.chain, _stopped_by(playing.chain, seat)
    why = news.LEFT_BY(name=chain.name_of(seat))
    if code is not None:
        why = news.ABORTED(name=chain.name_of(seat), check=code)
    if session_links.is_beside(playing.links, seat):
        return _end_link(playing, seat, why)
    left = _without(playing, seat)
    if not session_links.sought(left.links):
        return states.SessionOver(chain, news.Interrupted(why)), ()
    told = states.Tell(news.LineChanged(changes.LineDown(why, seat), chain.name_of(seat)))
    return left, (
        states.HangUp(session_links.standing(playing.links)[seat], why),
        told,
    )


def _without(
    state: states.Playing | states.Parting, seat: Seat
) -> states.Playing | states.Parting:
    """Return ``state`` without a neighbour that may lack the end of the game."""
    return session_links.without(replace(state, gone=state.gone | {seat}), seat)


def _stopped_by(chain: Chain, seat: Seat) -> str | None:
    """Return the check of the message that ``seat`` has refused, or None."""
    for record in chain.records:
        match record.statement:
            case statements.Abort(code) if record.seat == seat:
                return code
            case _:
                pass
    return None


def _hear_entry(
    state: states.Playing | states.Parting, seat: Seat, frame: Frame
) -> states.Transition:
    if state.chain.finished and state.chain.resigned is None:
        return state, ()  # said again
    try:
        chain, events = state.chain.hear(frame.payload)
    except ProtocolViolationError as violation:
        return _refuse(state, seat, violation, frame)
    heard = state if chain is state.chain else _with(state, chain)
    place = parse_entry(frame.payload).seq
    after, sent = session_links.flush(_caught_up(session_links.has_entry(heard, seat, place)))
    told = events_told(chain, events)
    return after, (*sent, *told)


def _caught_up(
    state: states.Playing | states.Parting,
) -> states.Playing | states.Parting:
    """Note which seats have answered us, and shown all that they have of ours."""
    return replace(state, chain=state.chain.answered())


def _lacking(chain: Chain, seat: Seat, link: states.Synced) -> int:
    """Return how many messages we wait for on the link to ``seat``: some may be ours."""
    lost = link.resigned and not chain.has_resignation_for(seat)
    return max(0, link.owed - len(chain.entries)) + lost


def _with(
    state: states.Playing | states.Parting, chain: Chain
) -> states.Playing | states.Parting:
    """Return ``state`` with more of the game.

    After the game our goodbye is said again: a peer without the whole game has ignored it.
    """
    match state:
        case states.Playing():
            return replace(state, chain=chain)
        case states.Parting():
            return replace(state, chain=chain, said=frozenset())


def _hear_sync(
    state: states.Playing | states.Parting, seat: Seat, frame: Frame
) -> states.Transition:
    """Send the peer the entries it lacks; the peer sends the entries we lack (PEER#resume)."""
    match state.links[seat]:
        case states.Comparing(binding) as link:
            pass
        case _:
            return state, ()
    if not frame.payload:  # the neighbour lacks a HELLO, so it has lost or announces nothing
        empty = session_links.none_given(link)
        return session_links.flush(
            session_links.with_link(_with(state, state.chain), seat, empty)
        )
    try:
        chain, sync = state.chain.hear_sync(frame.payload, binding, seat)
    except ProtocolViolationError as violation:
        if violation.seat is None:
            return _hear_sync_of_other_game(state, seat, frame)
        return _refuse(state, seat, violation, frame)
    except CheckError:
        return _end_link(state, seat, news.FAULTY())
    missing = chain.missing(sync, seat)
    effects = [
        *(states.Send(binding, Frame(Kind.MSG, entry)) for entry in missing.entries),
        *(states.Send(binding, Frame(Kind.REC, record)) for record in missing.records),
    ]
    synced = session_links.all_given(chain, link)
    if not chain.whole:
        synced = replace(synced, owed=sync.length, resigned=sync.resigned)
    after, sent = session_links.flush(
        session_links.with_link(_with(state, chain), seat, synced)
    )
    return after, (*effects, *sent)


def _hear_sync_of_other_game(
    state: states.Playing | states.Parting, seat: Seat, frame: Frame
) -> states.Transition:
    """Send all entries: the last seat may have signed two greetings under one roster."""
    link = state.links[seat]
    if not isinstance(link, states.Comparing):
        return state, ()
    try:
        sync = state.chain.hear_early_sync(frame.payload, link.binding, seat)
    except CheckError:
        return _end_link(state, seat, news.FAULTY())
    owed = 0 if state.chain.whole else sync.length
    other = replace(session_links.none_given(link), owed=owed)
    return session_links.flush(session_links.with_link(state, seat, other))


def _hear_record(
    state: states.Playing | states.Parting, seat: Seat, frame: Frame
) -> states.Transition:
    before = state.chain
    try:
        chain, record = before.hear_record(frame.payload)
    except ProtocolViolationError as violation:
        return _refuse(state, seat, violation, frame)
    after = replace(state, chain=chain)
    if record in chain.records:
        after = session_links.has_record(after, seat, chain.records.index(record))
    if len(chain.records) == len(before.records):
        return after, ()  # said again after a SYNC, or by another neighbour
    match record.statement:
        case statements.Sync(length) if record.seat == chain.seat:
            return _given_back(after, seat, length), ()
        case statements.Sync() if record.seat == seat:
            return _end_link(state, seat, news.FAULTY())  # a SYNC needs its own kind of frame
        case statements.Resign() | statements.ResignOffer() | statements.ResignTogether():
            told = resigned_told(chain, before)
        case statements.Expose():
            told = (states.Tell(news.Exposed(record.seat)),)
        case _:
            told = ()
    after, sent = session_links.flush(_caught_up(after))
    return after, (*sent, *told)


def _hear_word(
    state: states.Playing | states.Parting, seat: Seat, frame: Frame
) -> states.Transition:
    """Take a word of a seat, answer an ASK, tell talk and watching, and pass the word on."""
    before = state.chain
    try:
        chain, word = before.hear_word(frame)
    except CheckError:
        return _end_link(state, seat, news.FAULTY())
    after, sent = session_links.flush(
        _caught_up(session_links.has_word(replace(state, chain=chain), seat, word))
    )
    told = tuple[states.Effect, ...]()
    if isinstance(word, SaidWord) and chain is not before:
        talk = talk_told(word.said, chain.name_of(word.seat), word.seat)
        told = (talk, states.KeepTalk((word.seat, word.said)))
    if isinstance(word, WayWord) and chain is not before and word.seat != seat:
        return session_links.hear_relayed_addresses(after, seat, word), sent
    if isinstance(word, WatchWord) and chain is not before:
        heard, told = _admission_heard(after, word)
        return heard, (*sent, *told)
    return after, (*sent, *told)


def _admission_heard(
    state: states.Playing | states.Parting, word: WatchWord
) -> states.Transition:
    """Note what a seat says about watching. Our own no, of an earlier run, is final too."""
    watching, said = state.watching, word.admission
    if word.seat == watching.seat:
        if not word.is_final:
            return state, ()
        said = replace(watching.ours, sight=said.sight)
    return _watched(state, watching.hear(word.seat, said))


def _given_back(
    state: states.Playing | states.Parting, seat: Seat, length: int
) -> states.Playing | states.Parting:
    """Wait for entries that this seat announced before a backup was restored."""
    match state.links[seat]:
        case states.Synced(owed=owed) as link if length > len(state.chain.entries):
            return session_links.with_link(state, seat, replace(link, owed=max(owed, length)))
        case _:
            return state


def _refuse(
    state: states.Playing | states.Parting,
    seat: Seat,
    violation: ProtocolViolationError,
    frame: Frame,
) -> states.Transition:
    """At a signed breach, stop and show everybody; at an unsigned breach, end this link."""
    link = state.links[seat]
    if violation.seat is None or isinstance(link, states.Apart | states.Turning):
        return _end_link(state, seat, news.FAULTY())
    before = state.chain.offended(Offence(violation, frame))
    ending = _ending_of_breach(before, violation)
    told = states.Tell(news.Broken(violation, violation.seat == before.seat, before.finished))
    if isinstance(link, states.Comparing):
        link = session_links.all_given(before, link)
    if violation.check is Check.FORK:  # the neighbour may lack the first entry of the two
        link = replace(link, shown=min(link.shown, parse_entry(frame.payload).seq))
    chain = before.declare(statements.Abort(violation.check.value, H("msg", frame.payload)))
    links = {**state.links, seat: replace(link, warned=True)}
    stopped, sent = session_links.flush(states.HangingUp(chain, ending, links))
    after, said = parting.hang_up(stopped.chain, stopped.links, ending)
    return after, (told, *sent, *said)


def _ending_of_breach(chain: Chain, violation: ProtocolViolationError) -> news.Ending:
    """Return how a breach ends the game; a game that was over before keeps the result."""
    ended = chain.ended
    if chain.finished and ended is not None:
        return news.Finished(ended, seen_off=False)
    return news.Violated(violation)


# --- what is said ----------------------------------------------------------------------------


def _may_author(playing: states.Playing) -> bool:
    """Whether this seat may sign a new message.

    First the SYNC of a neighbour must be handled. If our copy may be incomplete, we wait for
    the word of every other seat, and for all entries that they announce. They may hold entries
    of ours that we have lost, and a new entry in their place would be a fork. Or they may hold
    our resignation, and then we must not go on.
    """
    links = session_links.level(playing.links)
    lacking = any(_lacking(playing.chain, seat, link) for seat, link in links.items())
    return playing.chain.whole and bool(links) and not lacking


def _carry_on(
    playing: states.Playing,
) -> tuple[states.Playing, tuple[states.Effect, ...]]:
    """Sign all due actions, and if a decision is due, ask for the decision."""
    if not _may_author(playing):
        return playing, ()
    if isinstance(playing.wish, states.Conceding) or playing.chain.agrees_to_resign:
        return _resign(replace(playing, wish=None))
    chain, events = playing.chain.follow()
    playing, effects = _said(playing, chain, events)
    view = chain.view
    if view is None:
        return playing, effects
    move, length = _answer(playing, view), len(chain.entries)
    if move is not None:
        playing, said = _decide(playing, move)
        playing, more = _carry_on(playing)
        return playing, (*effects, *said, *more)
    if playing.asked == length:
        return playing, effects
    return replace(playing, asked=length), (*effects, states.Tell(news.MoveDue(view)))


def _answer(playing: states.Playing, view: View) -> Move | None:
    """Return the answer to sign now. Before the decision, or too early, return None."""
    chain, terms, decided = playing.chain, playing.terms, None
    match playing.wish:
        case states.Decided(when, move) if when == len(chain.entries):
            decided = move
        case _:
            pass
    match view.timing():
        case Forced(move):
            return move
        case InWindow() if chain.window != playing.closed:
            return None
        case InWindow(quiet) if chain.pace and not (terms.bot or playing.thinks):
            return quiet if decided is None and terms.holds else decided
        case Passing(quiet) if chain.pace and _pauses(playing):
            return None if terms.bot or decided == quiet else decided
        case Passing(quiet) if decided is None and terms.passes and _is_bare(view, quiet):
            return quiet
        case _:
            return decided


def _is_bare(view: View, quiet: Move) -> bool:
    """Tell whether ``quiet``, perhaps with a call, is all that the hand has."""
    return {type(move) for move in view.legal_moves()} == {type(quiet)}


def _said(
    playing: states.Playing, chain: Chain, events: tuple[Event, ...]
) -> tuple[states.Playing, tuple[states.Effect, ...]]:
    """Send the new entry of ``chain``, if any, and tell the front end."""
    if len(chain.entries) == len(playing.chain.entries):
        return playing, ()
    playing, sent = session_links.flush(replace(playing, chain=chain))
    return playing, (*sent, *events_told(chain, events))


def _decide(
    playing: states.Playing, move: Move
) -> tuple[states.Playing, tuple[states.Effect, ...]]:
    """Make ``move``; tell the player if the program has answered what the player was asked."""
    length = len(playing.chain.entries)
    own = isinstance(playing.wish, states.Decided) and playing.wish.length == length
    late = playing.asked == length and not own
    playing = replace(playing, wish=None)
    try:
        chain, events = playing.chain.decide(move)
    except IllegalMoveError:
        return replace(playing, asked=0), ()
    told = (states.Tell(news.WindowAnswered()),) if late else ()
    playing, said = _said(playing, chain, events)
    return playing, (*told, *said)


def _concede(playing: states.Playing) -> states.Transition:
    """Give up the game; a decided game cannot be given up."""
    if playing.chain.ended is not None:
        return playing, ()
    if playing.chain.whole:
        return _resign(playing)
    return replace(playing, wish=states.Conceding()), (states.Tell(news.ConcedesLater()),)


def _resign(
    playing: states.Playing,
) -> tuple[states.Playing, tuple[states.Effect, ...]]:
    """Sign a resignation, sent to each neighbour once the neighbour has all earlier entries.

    In a game of teams the resignation is an offer, or agrees to the offer of the partner.
    """
    before = playing.chain
    statement = before.resignation(before.seat)
    if isinstance(statement, statements.ResignOffer) and before.offers_to_resign:
        return playing, ()  # the partner has the offer
    chain = before.declare(statement)
    after, sent = session_links.flush(replace(playing, chain=chain))
    return after, (*sent, *resigned_told(chain, before))


def _wants_to_leave(
    state: states.Playing | states.Parting,
) -> states.Transition:
    match state:
        case states.Parting():
            return replace(state, leaving=True), ()
        case states.Playing(chain=chain, links=links, leaving=leaving):
            if chain.ended is None or leaving or not session_links.standing(links):
                return _leave(state, news.Interrupted(news.YOU_LEFT()))
            return replace(state, leaving=True), ()  # first all seats sign the decided game


def _leave(playing: states.Playing, ending: news.Ending) -> states.Transition:
    return parting.hang_up(playing.chain, playing.links, ending)
