"""The greetings at the beginning of a game (SPEC#hello): each seat signs its HELLO in turn."""

from dataclasses import replace

from matcha_p2p.errors import Check, EncodingError, ProtocolViolationError
from matcha_p2p.games import find, seated
from matcha_p2p.games.game import Event
from matcha_p2p.seats import Seat
from matcha_p2p.session import links as session_links
from matcha_p2p.session import news
from matcha_p2p.session import state as states
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection import changes
from matcha_p2p.session.effects import events_told, talk_told
from matcha_p2p.session.parting import hang_up
from matcha_p2p.session.watching import Watching
from matcha_p2p.table.seat import Offer
from matcha_p2p.table.table import Greetings
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire import talk as wire_talk


def at_door(greeting: states.Greeting, item: news.Item) -> states.Transition:
    """Take ``item`` while the seats greet each other."""
    match item:
        case changes.Arrived(binding, frame):
            seat = session_links.seat_at(greeting.links, binding)
            return (greeting, ()) if seat is None else _hear(greeting, seat, frame)
        case changes.LineUp(binding) if session_links.seat_at(greeting.links, binding) is None:
            return states.SessionOver(greeting.chain, news.Interrupted(news.LEFT())), ()
        case changes.LineDown(why, named) | changes.LineEnded(why, named):
            left = session_links.without(
                greeting, session_links.neighbour(greeting.chain, named)
            )
            return (
                left if left.links else states.SessionOver(left.chain, news.Interrupted(why))
            ), ()
        case news.Leave():
            ending = news.Interrupted(news.YOU_LEFT())
            return hang_up(greeting.chain, greeting.links, ending, wire_talk.Farewell.LATER)
        case wire_talk.PeerAddresses():
            return replace(
                greeting, chain=greeting.chain.with_addresses(greeting.chain.seat, item)
            ), ()
        case news.TimeUp(wait):
            why = news.NO_GREETING(seconds=wait.seconds)
            return states.SessionOver(greeting.chain, news.Interrupted(why)), ()
        case _:
            return greeting, ()


def _hear(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    if frame.kind is not Kind.BYE and session_links.turning(greeting.links, seat):
        return session_links.turned(greeting, seat, frame)
    match frame.kind:
        case Kind.MSG:
            return _hear_greeting(greeting, seat, frame)
        case Kind.CHAT:
            return greeting, _talk_of(greeting, frame)
        case Kind.BYE:
            ending = news.ending_of(frame.payload) or news.Interrupted(news.LEFT())
            return states.SessionOver(greeting.chain, ending), ()
        case _:
            return greeting, ()


def _hear_greeting(greeting: states.Greeting, seat: Seat, frame: Frame) -> states.Transition:
    chain, links = greeting.chain, greeting.links
    try:
        chain, events = chain.hear(frame.payload)
    except ProtocolViolationError as violation:
        if violation.check in (Check.VERSION, Check.GAME, Check.ROSTER):
            declined = news.Declined(wire_talk.Farewell.VERSION, news.INCOMPATIBLE())
            return hang_up(chain, links, declined, wire_talk.Farewell.VERSION)
        return states.SessionOver(chain, news.Violated(violation)), ()
    if chain is greeting.chain:
        return greeting, ()  # said again
    unwanted = _unwanted(chain, greeting.terms)
    if unwanted is not None:
        return hang_up(chain, links, unwanted, unwanted.reason)
    heard = session_links.has_entry(
        replace(greeting, chain=chain), seat, len(chain.entries) - 1
    )
    if len(chain.entries) == chain.seat:
        return greet(heard)
    return _greeted(heard, events)


def _greeted(greeting: states.Greeting, events: tuple[Event, ...]) -> states.Transition:
    """Pass the greetings on; after the last greeting, begin to play."""
    greeting, sent = session_links.flush(greeting)
    effects = (*sent, *events_told(greeting.chain, events)) if events else sent
    if not greeting.chain.met:
        return greeting, effects
    return _met(greeting), effects


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


def greet(greeting: states.Greeting) -> states.Transition:
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
    chain, events = greeting.chain.greet(Offer(game, terms.name, terms.identity))
    return _greeted(replace(greeting, chain=chain), events)


def _met(greeting: states.Greeting) -> states.Playing:
    """Return the game that begins with the last greeting."""
    terms = greeting.terms
    return states.Playing(greeting.chain, terms, greeting.links, watching=watching_of(terms))


def watching_of(terms: news.Terms) -> Watching:
    """Return the watching of a game that begins, or goes on, with ``terms``."""
    return Watching(hosts=terms.watchers > 0, most=terms.watchers, ours=terms.sight)


def _talk_of(greeting: states.Greeting, frame: Frame) -> tuple[states.Effect, ...]:
    """Tell the talk of a frame; ignore an offer, which belongs to the game before.

    At a table of more than two, talk is signed.
    """
    if greeting.terms.seats > 2:
        return ()
    try:
        talk = wire_talk.decode_talk(frame.payload)
    except EncodingError:
        return ()
    return (talk_told(talk),) if isinstance(talk, wire_talk.Say | wire_talk.Phrase) else ()
