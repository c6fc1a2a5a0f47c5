"""Makes the effects of a session: frames for the neighbours, and news for the front end."""

from matcha_p2p.games.game import Event
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import GameEvent, PhraseHeard, TalkHeard
from matcha_p2p.session.state import Effect, Send, Tell
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.talk import Farewell, Phrase, Say, Talk, encode_farewell, encode_talk


def talk_sent(binding: Binding, talk: Talk) -> Send:
    """Return the effect that sends ``talk``, which is not part of the signed game."""
    return Send(binding, Frame(Kind.CHAT, encode_talk(talk)))


def bye(binding: Binding, farewell: Farewell) -> Send:
    """Return the effect that says goodbye."""
    return Send(binding, Frame(Kind.BYE, encode_farewell(farewell)))


def talk_told(said: Say | Phrase, name: str = "") -> Tell:
    """Return the news of a frame of talk. name: of the player who says it."""
    match said:
        case Say(text):
            return Tell(TalkHeard(text, name))
        case Phrase(number):
            return Tell(PhraseHeard(number, name))


def events_told(chain: Chain, events: tuple[Event, ...]) -> tuple[Effect, ...]:
    """Return the news of ``events``, which led to ``chain``."""
    return tuple(Tell(GameEvent(event, chain.game)) for event in events)


def end_told(chain: Chain) -> tuple[Effect, ...]:
    """Return the news of a result that came by a record, such as a resignation."""
    ended = chain.ended
    return () if ended is None else events_told(chain, (ended,))
