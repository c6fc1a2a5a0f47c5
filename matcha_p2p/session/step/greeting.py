"""The greetings at the beginning of a game (SPEC#hello): each seat signs its HELLO in turn."""

from dataclasses import replace

from matcha_p2p.errors import CheckError, EncodingError, ProtocolViolationError
from matcha_p2p.games import find
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Offence
from matcha_p2p.session.connection import changes
from matcha_p2p.session.step import links as session_links
from matcha_p2p.session.step import state as states
from matcha_p2p.session.step.effects import events_told
from matcha_p2p.session.step.parting import hang_up, wishes_of
from matcha_p2p.session.watching import unheard
from matcha_p2p.table.seat import Offer
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire import talk as wire_talk
from matcha_p2p.wire.again import read_next
from matcha_p2p.wire.entry import parse_entry


def go_on(greeting: states.Greeting) -> states.Transition:
    """Sign our HELLO if it is due, and pass the greetings on; after the last, begin to play.

    A neighbour without a turn to this game can still end the game: then nothing signed is lost.
    """
    effects: states.Effects = ()
    if greeting.chain.greets and not session_links.turning(greeting.links):
        greeting, effects = _greet(greeting)
    greeting, sent = session_links.flush(greeting)
    effects += sent
    return (_met(greeting) if greeting.chain.met else greeting), effects


def at_door(greeting: states.Greeting, item: news.Item) -> states.Transition:
    """Take ``item`` while the seats greet each other."""
    if isinstance(item, changes.LineChange):
        return _line_changed(greeting, item)
    match item:
        case changes.Arrived(binding, frame):
            seat = session_links.seat_at(greeting.links, binding)
            return (greeting, ()) if seat is None else _hear(greeting, seat, frame)
        case news.Leave():
            return hang_up(greeting.chain, greeting.links, news.Interrupted(news.YOU_LEFT()))
        case wire_talk.PeerAddresses():
            return session_links.say_addresses(greeting, item)
        case news.WatchersCame(names):
            return replace(greeting, watchers=names), ()
        case news.TimeUp(wait):
            return _late(greeting, wait)
        case _:
            return greeting, ()


def _late(greeting: states.Greeting, wait: news.Timeout) -> states.Transition:
    """Tell whose greeting is missing, or end for want of the greeting."""
    chain, seconds = greeting.chain, wait.seconds
    names = _ungreeted(greeting)
    if wait.what is news.Awaited.FAR:
        told = states.Tell(news.Ungreeted(names, seconds))
        return replace(greeting, missed=len(chain.entries)), (told,)
    why = news.NO_GREETING_OF(names=", ".join(names), seconds=seconds)
    return hang_up(chain, greeting.links, news.Interrupted(why))


def _ungreeted(greeting: states.Greeting) -> tuple[str, ...]:
    """Return the names of the players for whom the game may wait.

    A neighbour without a turn to this game comes before the next seat to greet. Without any
    greeting in a next game, the seat to greet may wait for the turn of any other seat.
    """
    chain = greeting.chain
    if greeting.before is not None and not chain.entries:
        seats = session_links.turning(greeting.links) or chain.others
    else:
        seats = (Seat(len(chain.entries)),)
    return tuple(map(chain.name_of, seats))


def _line_changed(greeting: states.Greeting, change: changes.LineChange) -> states.Transition:
    chain, seat = greeting.chain, change.seat
    told = states.Tell(news.LineChanged(change, chain.name_of(seat)))
    link = greeting.links.get(seat)
    if seat not in session_links.sought(greeting.links) and not isinstance(
        change, changes.LineUp
    ):  # a direct link, maybe of the game before
        down = isinstance(change, changes.LineDown)
        return (session_links.without(greeting, seat) if down else greeting), ()
    match change:
        case changes.LineUp(binding) if (
            binding in session_links.standing(greeting.links).values()
        ):
            return greeting, ()
        case changes.LineUp():
            link, said = session_links.compare(chain, change)
            shown = () if link.beside else (told,)
            return session_links.with_link(greeting, seat, link), (*shown, *said)
        case changes.LineDown(why) if isinstance(link, states.Turning):
            why = news.CUT_UNGREETED(name=chain.name_of(seat), why=why)
            left = session_links.without(greeting, seat)  # it may not know of this game
            return hang_up(chain, left.links, news.Interrupted(why))
        case changes.LineDown():
            return session_links.with_link(greeting, seat, states.Apart()), (told,)
        case changes.LineEnded(why):
            left = session_links.without(greeting, seat)
            over = states.SessionOver(left.chain, news.Interrupted(why))
            return (left if session_links.sought(left.links) else over), ()
        case changes.LineQuiet() | changes.LineHeard() | changes.LineDialled():
            return greeting, (told,)


def _hear(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    if frame.kind is not Kind.BYE and seat in session_links.turning(greeting.links):
        match frame.kind:
            case Kind.AGAIN:
                return _hear_earlier_wish(greeting, frame)
            case Kind.ROSTER:
                return go_on(_turned(greeting, seat, frame.payload))
            case _:
                return greeting, ()
    if frame.kind is not Kind.ASK and session_links.outdated(greeting, seat):
        return _end_link(greeting, seat)
    match frame.kind:
        case Kind.MSG:
            return _hear_greeting(greeting, seat, frame)
        case Kind.SYNC:
            return _hear_sync(greeting, seat, frame)
        case Kind.ASK | Kind.HERE:
            return _hear_word(greeting, seat, frame)
        case Kind.WAYS:
            return session_links.hear_addresses(greeting, seat, frame.payload), ()
        case Kind.BYE:
            return _hear_goodbye(greeting, seat, frame.payload)
        case _:
            return greeting, ()


def _turned(greeting: states.Greeting, seat: Seat, payload: bytes) -> states.Greeting:
    """Begin on the link of ``seat`` if the ROSTER is ours; pass over any other."""
    link = greeting.links[seat]
    try:
        encoded, _ = read_next(payload)
    except EncodingError:
        return greeting
    if encoded != greeting.chain.roster.encoded or not isinstance(link, states.Turning):
        return greeting
    return session_links.with_link(greeting, seat, states.Synced(link.binding, link.remote))


def _hear_earlier_wish(greeting: states.Greeting, frame: Frame) -> states.Transition:
    """Name a seat whose second wish comes after the roster. The game goes on by the first."""
    before = greeting.before
    if before is None:
        return greeting, ()
    try:
        after, _ = before.hear_word(frame)
    except CheckError:
        return greeting, ()
    named = after.words.contradicted - before.words.contradicted
    told = (states.Tell(wishes_of(after)),) if named else ()
    return replace(greeting, before=after), told


def _end_link(greeting: states.Greeting, seat: Seat) -> states.Transition:
    """Give this link up, because anybody may have sent the frame."""
    binding = session_links.standing(greeting.links)[seat]
    return session_links.apart(greeting, seat), (states.HangUp(binding, news.FAULTY()),)


def _hear_goodbye(greeting: states.Greeting, seat: Seat, farewell: bytes) -> states.Transition:
    """Wait for the seat to come back: nothing unsigned ends a game with a signed roster."""
    if session_links.is_beside(greeting.links, seat):
        return _end_link(greeting, seat)
    name = greeting.chain.name_of(seat)
    why = news.left_the_lobby(name, farewell)
    if not session_links.sought(greeting.links) - {seat}:
        missing = [other for other in _ungreeted(greeting) if other != name]
        if missing:
            why = news.LEFT_UNGREETED(name=name, names=", ".join(missing))
        return states.SessionOver(greeting.chain, news.Interrupted(why)), ()
    binding = session_links.standing(greeting.links)[seat]
    return session_links.apart(greeting, seat), (states.HangUp(binding, why),)


def _hear_sync(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    """Begin on a new link with all greetings, which the neighbour may lack.

    If this program was started again, our copy must first have what the SYNC announces.
    """
    link = greeting.links[seat]
    if not isinstance(link, states.Comparing):
        return greeting, ()
    synced = session_links.none_given(link)
    if frame.payload:
        try:
            sync = greeting.chain.hear_early_sync(frame.payload, link.binding, seat)
        except CheckError:
            return _end_link(greeting, seat)
        if not greeting.chain.whole:
            synced = replace(synced, owed=sync.length, resigned=sync.resigned)
    return go_on(session_links.with_link(greeting, seat, synced))


def _hear_word(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    """Take an ASK or a HERE of a seat, answer an ASK, and pass the word on."""
    try:
        chain, word = greeting.chain.hear_word(frame)
    except CheckError:
        return _end_link(greeting, seat)
    heard = session_links.has_word(replace(greeting, chain=chain.answered()), seat, word)
    return go_on(heard)


def _hear_greeting(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    chain = greeting.chain
    try:
        chain, events = chain.hear(frame.payload)
    except ProtocolViolationError as violation:
        if violation.seat is None:
            return _end_link(greeting, seat)
        return _refuse(greeting, violation, frame)
    place = parse_entry(frame.payload).seq
    heard = session_links.has_entry(replace(greeting, chain=chain.answered()), seat, place)
    after, sent = go_on(heard)
    return after, (*sent, *(events_told(chain, events) if events else ()))


def _refuse(
    greeting: states.Greeting, violation: ProtocolViolationError, frame: Frame
) -> states.Transition:
    """End before the game begins, and show the breach to all."""
    chain, ending = greeting.chain, news.Violated(violation)
    offended = chain.offended(Offence(violation, frame))
    stopped, sent = session_links.flush(states.HangingUp(offended, ending, greeting.links))
    after, said = hang_up(stopped.chain, stopped.links, ending)
    return after, (*sent, *said)


def _greet(greeting: states.Greeting) -> tuple[states.Greeting, states.Effects]:
    """Sign our HELLO, which is due."""
    chain, roster = greeting.chain, greeting.chain.roster
    game = find(roster.game.name, roster.game.variant, len(roster.seats))
    if game is None:
        raise RuntimeError("no table of the game has this variant and number of seats")
    listed = roster.seats[chain.seat]  # the person may have another name by now
    identity = None if listed.identity is None else greeting.terms.identity
    chain, events = chain.greet(Offer(game, listed.name, identity))
    greeting, sent = session_links.flush(replace(greeting, chain=chain))
    return greeting, (*sent, *(events_told(chain, events) if events else ()))


def _met(greeting: states.Greeting) -> states.Playing:
    """Return the game that begins with the last greeting."""
    chain, terms = greeting.chain, greeting.terms
    watching = unheard(chain.seat, chain.table, terms.admission).seen_by(greeting.watchers)
    return states.Playing(chain, terms, greeting.links, watching)
