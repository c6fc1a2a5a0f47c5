"""The greetings at the beginning of a game (SPEC#hello): each seat signs its HELLO in turn."""

from dataclasses import replace

from matcha_p2p.errors import Check, CheckError, EncodingError, ProtocolViolationError
from matcha_p2p.games import find, seated
from matcha_p2p.seats import Seat
from matcha_p2p.session import links as session_links
from matcha_p2p.session import news
from matcha_p2p.session import state as states
from matcha_p2p.session.chain import Chain, Offence
from matcha_p2p.session.connection import changes
from matcha_p2p.session.effects import events_told, talk_sent, talk_told
from matcha_p2p.session.parting import hang_up
from matcha_p2p.session.watching import unheard
from matcha_p2p.table.seat import Offer
from matcha_p2p.table.table import Greetings
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire import talk as wire_talk
from matcha_p2p.wire.entry import parse_entry


def go_on(greeting: states.Greeting) -> states.Transition:
    """Sign our HELLO if it is due, and pass the greetings on; after the last, begin to play."""
    effects = tuple[states.Effect, ...]()
    if greeting.chain.greets:
        greeting, effects = _greet(greeting)
    greeting, sent = session_links.flush(greeting)
    effects += sent
    return (_met(greeting) if greeting.chain.met else greeting), effects


def at_door(greeting: states.Greeting, item: news.Item) -> states.Transition:
    """Take ``item`` while the seats greet each other."""
    match item:
        case changes.Arrived(binding, frame):
            seat = session_links.seat_at(greeting.links, binding)
            return (greeting, ()) if seat is None else _hear(greeting, seat, frame)
        case (
            changes.LineUp()
            | changes.LineQuiet()
            | changes.LineHeard()
            | changes.LineDown()
            | changes.LineDialled()
            | changes.LineEnded()
        ):
            return _line_changed(greeting, item)
        case news.Leave():
            ending = news.Interrupted(news.YOU_LEFT())
            return hang_up(greeting.chain, greeting.links, ending, wire_talk.Farewell.LATER)
        case wire_talk.PeerAddresses():
            chain = greeting.chain.with_addresses(greeting.chain.seat, item)
            up = session_links.standing(greeting.links).values()
            said = tuple(talk_sent(binding, item) for binding in up) if chain.begun else ()
            return replace(greeting, chain=chain), said
        case news.WatchersCame(names):
            return replace(greeting, watchers=names), ()
        case news.TimeUp(wait):
            why = news.NO_GREETING(seconds=wait.seconds)
            return states.SessionOver(greeting.chain, news.Interrupted(why)), ()
        case _:
            return greeting, ()


def _line_changed(greeting: states.Greeting, change: changes.LineChange) -> states.Transition:
    """Go on without a link at a table of more than two; between two, the game has not begun."""
    chain = greeting.chain
    seat = session_links.neighbour(chain, change.seat)
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
        case changes.LineUp() if chain.begun:
            link, said = session_links.compare(chain, change)
            shown = () if link.beside else (told,)
            return session_links.with_link(greeting, seat, link), (*shown, *said)
        case changes.LineUp():
            return states.SessionOver(chain, news.Interrupted(news.LEFT())), ()
        case changes.LineDown(why) if not chain.begun or isinstance(link, states.Turning):
            ending = news.Interrupted(why)  # the neighbour may not know of this game
            left = session_links.without(greeting, seat)
            return hang_up(chain, left.links, ending, wire_talk.Farewell.LATER)
        case changes.LineDown():
            return session_links.with_link(greeting, seat, states.Apart()), (told,)
        case changes.LineEnded(why):
            left = session_links.without(greeting, seat)
            over = states.SessionOver(left.chain, news.Interrupted(why))
            return (left if session_links.sought(left.links) else over), ()
        case changes.LineQuiet() | changes.LineHeard() | changes.LineDialled():
            return greeting, (told,) if chain.begun else ()


def _hear(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    if frame.kind is not Kind.BYE and session_links.turning(greeting.links, seat):
        return session_links.turned(greeting, seat, frame)
    if frame.kind is not Kind.ASK and session_links.outdated(greeting, seat):
        return _end_link(greeting, seat)
    match frame.kind:
        case Kind.MSG:
            return _hear_greeting(greeting, seat, frame)
        case Kind.SYNC:
            return _hear_sync(greeting, seat, frame)
        case Kind.ASK | Kind.HERE:
            return _hear_word(greeting, seat, frame)
        case Kind.CHAT:
            return _hear_talk(greeting, seat, frame)
        case Kind.BYE:
            return _hear_goodbye(greeting, seat, frame.payload)
        case _:
            return greeting, ()


def _end_link(greeting: states.Greeting, seat: Seat) -> states.Transition:
    """Give this link up, because anybody may have sent the frame."""
    binding = session_links.standing(greeting.links)[seat]
    return session_links.apart(greeting, seat), (states.HangUp(binding, news.LEFT()),)


def _hear_goodbye(greeting: states.Greeting, seat: Seat, farewell: bytes) -> states.Transition:
    """At a table of more than two, wait for a seat that comes back later."""
    if session_links.is_beside(greeting.links, seat):
        return _end_link(greeting, seat)
    ending = news.ending_of(farewell) or news.Interrupted(news.LEFT())
    stays = session_links.sought(greeting.links) - {seat}
    if isinstance(ending, news.Declined) or not stays:
        return states.SessionOver(greeting.chain, ending), ()
    binding = session_links.standing(greeting.links)[seat]
    change = changes.LineDown(ending.why, seat)
    told = states.Tell(news.LineChanged(change, greeting.chain.name_of(seat)))
    left = session_links.apart(greeting, seat)
    return left, (states.HangUp(binding, ending.why), told)


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
    if not greeting.chain.begun:
        return greeting, ()
    try:
        chain, word = greeting.chain.hear_word(frame)
    except CheckError:
        return _end_link(greeting, seat)
    heard = session_links.has_word(replace(greeting, chain=chain.answered()), seat, word)
    return go_on(heard)


def _hear_greeting(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    chain, links = greeting.chain, greeting.links
    try:
        chain, events = chain.hear(frame.payload)
    except ProtocolViolationError as violation:
        if violation.seat is None and chain.begun:
            return _end_link(greeting, seat)
        if violation.check in (Check.VERSION, Check.GAME, Check.ROSTER):
            declined = news.Declined(wire_talk.Farewell.VERSION, news.INCOMPATIBLE())
            return hang_up(chain, links, declined, wire_talk.Farewell.VERSION)
        return _refuse(greeting, violation, frame)
    unwanted = _unwanted(chain, greeting.terms)
    if unwanted is not None:
        return hang_up(chain, links, unwanted, unwanted.reason)
    place = parse_entry(frame.payload).seq
    heard = session_links.has_entry(replace(greeting, chain=chain.answered()), seat, place)
    after, sent = go_on(heard)
    return after, (*sent, *(events_told(chain, events) if events else ()))


def _refuse(
    greeting: states.Greeting, violation: ProtocolViolationError, frame: Frame
) -> states.Transition:
    """End before the game begins. At a table of more than two, show the breach to all."""
    chain, ending = greeting.chain, news.Violated(violation)
    if not chain.begun:
        return states.SessionOver(chain, ending), ()
    offended = chain.offended(Offence(violation, frame))
    stopped, sent = session_links.flush(states.HangingUp(offended, ending, greeting.links))
    after, said = hang_up(chain, stopped.links, ending, wire_talk.Farewell.LATER)
    return after, (*sent, *said)


def _unwanted(chain: Chain, terms: news.Terms) -> news.Declined | None:
    """Decline if the peer offers a game or variant this seat did not ask for."""
    match chain.state:
        case Greetings(hellos=(hello, *_)):
            pass
        case _:
            return None
    if hello.seats != terms.seats:
        return news.Declined(wire_talk.Farewell.VERSION, news.INCOMPATIBLE())
    firsts = seated(terms.game).variants
    wanted = firsts if terms.variant is None else (terms.variant,)
    if hello.game != terms.game:
        why = news.OTHER_GAME(name=hello.name, game=hello.game, wanted=terms.game)
    elif hello.variant in wanted:
        return None
    elif {hello.variant, *wanted} <= {*firsts}:
        why = news.UNWANTED(name=hello.name, edition=hello.variant, wanted=terms.variant)
    else:  # a variant belongs to a later game of a series
        why = news.OTHER_DEALER(name=hello.name)
    return news.Declined(wire_talk.Farewell.EDITION, why)


def _greet(
    greeting: states.Greeting,
) -> tuple[states.Greeting, tuple[states.Effect, ...]]:
    """Sign our HELLO, which is due."""
    terms = greeting.terms
    match greeting.chain.state:
        case Greetings(hellos=(hello, *_)):
            variant = hello.variant
        case _:
            variant = terms.variant or seated(terms.game).variants[0]
    game = find(terms.game, variant, terms.seats)
    if game is None:
        raise RuntimeError("no table of the game has this variant and number of seats")
    name, identity, roster = terms.name, terms.identity, greeting.chain.state.roster
    if roster is not None:  # the person may have another name by now
        listed = roster.seats[greeting.chain.seat]
        name, identity = listed.name, None if listed.identity is None else identity
    chain, events = greeting.chain.greet(Offer(game, name, identity))
    greeting, sent = session_links.flush(replace(greeting, chain=chain))
    return greeting, (*sent, *(events_told(chain, events) if events else ()))


def _met(greeting: states.Greeting) -> states.Playing:
    """Return the game that begins with the last greeting."""
    chain, terms = greeting.chain, greeting.terms
    watching = unheard(chain.seat, chain.table, terms.admission).seen_by(greeting.watchers)
    return states.Playing(chain, terms, greeting.links, watching)


def _hear_talk(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    """Tell talk, and note addresses; ignore an offer, which belongs to the game before.

    At a table of more than two, talk is signed.
    """
    try:
        talk = wire_talk.decode_talk(frame.payload)
    except EncodingError:
        return greeting, ()
    match talk:
        case wire_talk.Say() | wire_talk.Phrase() if greeting.terms.seats == 2:
            return greeting, (talk_told(talk),)
        case wire_talk.PeerAddresses() if greeting.chain.begun:
            return session_links.hear_addresses(greeting, seat, talk), ()
        case _:
            return greeting, ()
