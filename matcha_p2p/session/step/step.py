"""A game between peers as one pure function, from a state and an item to the next state.

A session has one to three neighbours, and passes on what it accepts (PEER#flooding).

Frames, choices, changes of the lines and time limits are items, taken one by one. A step
returns the state after an item, and the effects. The driver makes the chain of the state
durable before carrying out the effects. So a crash cannot undo a message sent or news shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, assert_never

from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection import changes
from matcha_p2p.session.step import greeting, hearing, parting, signing, waits
from matcha_p2p.session.step import links as session_links
from matcha_p2p.session.step import state as states
from matcha_p2p.session.step.effects import resigned_told
from matcha_p2p.session.step.rematch import next_chain
from matcha_p2p.session.watching import unheard
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire import talk as wire_talk
from matcha_p2p.wire.encoding import pack

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
        ending = hearing.ending_of_breach(chain, chain.offence.violation)
        return states.SessionOver(chain, ending), effects
    watching = unheard(chain.seat, chain.table, terms.admission)
    playing = states.Playing(chain, terms, links, watching)
    return _then((playing, effects))


def taken_up(chain: Chain) -> news.TakenUp:
    """Return the news that the game of ``chain`` goes on."""
    names = tuple(hello.name for hello in chain.table.hellos)
    return news.TakenUp(chain.game, names, chain.hand, chain.ended is not None)


# --- time ------------------------------------------------------------------------------------


def _time_up(state: states.SessionState, wait: news.Timeout) -> states.Transition:
    match wait.what, state:
        case (news.Awaited.SYNC | news.Awaited.ENTRIES, states.Playing() | states.Parting()):
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


def _link_is_late(state: states.Greeted, wait: news.Timeout) -> states.Transition:
    """End a link whose neighbour does not send its SYNC, or what the SYNC announces."""
    for seat, link in state.links.items():
        match link, wait.of:
            case states.Comparing(binding), named if binding == named:
                return hearing.end_link(state, seat, _SILENT())
            case states.Synced(binding), (named, _) if binding == named:
                told = states.Tell(news.Withheld(waits.lacking(state.chain, seat, link)))
                after, effects = hearing.end_link(state, seat, _WITHHELD())
                return after, (told, *effects)
            case _:
                pass
    return state, ()  # the link has just ended


def _answers_come(playing: states.Playing, wait: news.Timeout) -> states.Playing:
    """Let ``signing.carry_on`` sign the answer whose time has come."""
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
    told = states.Tell(news.FarSeatMissing(chain.name_of(due.seat), ways, waits.FAR_LIMIT))
    return replace(playing, missed=len(chain.entries)), (told,)


def _length_told(state: states.Greeted, wait: news.Timeout) -> states.Effects:
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


def _with_window(effects: states.Effects, opened: news.WindowOpened) -> states.Effects:
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
            table = state.chain, state.terms, state.links, state.watching
            over = states.Parting(*table, leaving=state.leaving, gone=state.gone)
            state, more = parting.go_on(replace(over, offers_book=state.terms.open_book))
        case states.Playing():
            state, more = signing.carry_on(state)
            if state.chain.finished:
                return _go_on((state, (*effects, *more)))
        case states.Parting(chain=Chain(finished=True)):
            state, more = parting.go_on(state)
        case states.Parting():  # an entry that crossed our resignation has decided the game
            table = state.chain, state.terms, state.links, state.watching
            again = states.Playing(*table, leaving=state.leaving, gone=state.gone)
            return _go_on((again, effects))
        case _:
            more = ()
    return state, (*effects, *more)


# --- the line --------------------------------------------------------------------------------


def _at_table(state: states.Greeted, item: news.Item) -> states.Transition:
    if isinstance(item, changes.LineChange):
        return _line_changed(state, item)
    match item:
        case changes.Arrived(binding, frame):
            return hearing.arrived(state, binding, frame)
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
    """Note the choice; ``signing.carry_on`` signs the move."""
    match choice:
        case news.MakeMove() if playing.chain.view is None:
            return playing, ()  # the answer comes too late
        case news.MakeMove(move):
            decided = states.Decided(len(playing.chain.entries), move)
            return replace(playing, wish=decided, thinks=False), ()
        case news.Think():
            return replace(playing, thinks=True), ()
        case news.Concede():
            return signing.concede(playing)


def _say_where_and_who(
    state: states.Greeted, item: wire_talk.PeerAddresses | news.LetWatch | news.WatchersCame
) -> states.Transition:
    """Note our addresses or watchers, and tell the neighbours."""
    match item:
        case wire_talk.PeerAddresses():
            return session_links.say_addresses(state, item)
        case news.LetWatch(sight):
            return hearing.watched(state, state.watching.allow(sight))
        case news.WatchersCame(names):
            return hearing.watched(state, state.watching.seen_by(names))


def _say(state: states.Greeted, said: wire_talk.Say | wire_talk.Phrase) -> states.Transition:
    """Send ``said`` to all seats. If no link stands, tell the person that no seat hears it."""
    if session_links.level(state.links):
        state, sent = session_links.flush(replace(state, chain=state.chain.say(said)))
    else:
        sent = ()
    if not sent:
        return state, (states.Tell(news.Unheard()),)
    return state, (*sent, states.KeepTalk((state.chain.seat, said)))


def _line_changed(state: states.Greeted, change: changes.LineChange) -> states.Transition:
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
            left = hearing.neighbour_left(state, seat)
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
    state: states.Greeted, seat: Seat, change: changes.LineChange
) -> states.Transition:
    """Compare on a new direct link, and forget a link that is down.

    The front end is told nothing: the game goes on by the star.
    """
    match change:
        case changes.LineUp():
            link, said = session_links.compare(state.chain, change)
            return _on(state, seat, link), said
        case changes.LineDown():
            return hearing.unless_alone(session_links.without(state, seat)), ()
        case _:
            return state, ()


def _on(
    state: states.Greeted, seat: Seat, link: states.Apart | states.Comparing
) -> states.Greeted:
    """Return ``state`` with a new link to ``seat``, or none.

    On a new link our goodbye is said again.
    """
    return session_links.with_link(parting.unsaid(state, seat), seat, link)


def _hanging_up(state: states.HangingUp, item: news.Item) -> states.Transition:
    """Wait until the neighbours hang up: if we hung up first, our last words could be lost."""
    match item:
        case changes.LineDown() | changes.LineEnded() | changes.LineUp():
            return _hung_up(state, item.seat)
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


def _ended(state: states.Greeted, ending: news.Ending) -> states.SessionState:
    """End without a farewell; a finished game keeps the result."""
    match state:
        case states.Playing():
            return states.SessionOver(state.chain, ending)
        case states.Parting():
            return parting.give_up(state)


def _wants_to_leave(state: states.Greeted) -> states.Transition:
    match state:
        case states.Parting():
            return replace(state, leaving=True), ()
        case states.Playing(chain=chain, links=links, leaving=leaving):
            if chain.ended is None or leaving or not session_links.standing(links):
                return _leave(state, news.Interrupted(news.YOU_LEFT()))
            return replace(state, leaving=True), ()  # first all seats sign the decided game


def _leave(playing: states.Playing, ending: news.Ending) -> states.Transition:
    return parting.hang_up(playing.chain, playing.links, ending)
