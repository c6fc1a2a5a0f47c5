"""Makes the effects of a session: frames for the neighbours, and news for the front end."""

from matcha_p2p.games.game import Event
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import GameEvent, PhraseHeard, ResignOffered, TalkHeard
from matcha_p2p.session.step.state import Effects, Send, Tell
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire import talk as wire_talk


def bye(binding: Binding, farewell: wire_talk.Farewell) -> Send:
    """Return the effect that says goodbye."""
    return Send(binding, Frame(Kind.BYE, wire_talk.encode_farewell(farewell)))


def talk_told(said: wire_talk.Say | wire_talk.Phrase, name: str, by: Seat) -> Tell:
    """Return the news of talk. name, by: of the speaker."""
    match said:
        case wire_talk.Say(text):
            return Tell(TalkHeard(text, name, by))
        case wire_talk.Phrase(number):
            return Tell(PhraseHeard(number, name, by))


def events_told(chain: Chain, events: tuple[Event, ...]) -> Effects:
    """Return the news of ``events``, which led to ``chain``."""
    return tuple(Tell(GameEvent(event, chain.game)) for event in events)


def resigned_told(chain: Chain, before: Chain) -> tuple[Tell, ...]:
    """Return the news of the resignations that ``chain`` has and ``before`` lacks.

    News are an offer to resign with the partner that is still open, and the end of the game.
    """
    if chain.ended is not None:
        told = Tell(GameEvent(chain.ended, chain.game))
        return (told,) if chain.ended != before.ended else ()
    return tuple(
        Tell(_offered(chain, offer.seat, partner))
        for offer, partner in chain.open_offers()
        if offer not in before.records
    )


def _offered(chain: Chain, seat: Seat, partner: Seat) -> ResignOffered:
    bot = chain.roster.seats[seat].bot
    return ResignOffered(seat, chain.name_of(seat), partner, chain.game, bot)
