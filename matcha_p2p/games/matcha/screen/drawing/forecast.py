"""Forecasts of a chosen card at each free mat, from its owner's knowledge."""

from collections.abc import Callable
from dataclasses import dataclass

from matcha_p2p.games.matcha.rules import cards as card_rules
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.games.matcha.words.words import TOKENS
from matcha_p2p.narration.sentences import listed


@dataclass(frozen=True, slots=True)
class Forecast:
    """At ``mat``, which shows ``shown``, a card ``fits`` or is a bluff.

    losing_to: the stronger cards among the cards that may lie or come there.
    """

    mat: int
    shown: card_rules.Face
    fits: bool
    losing_to: tuple[card_rules.Face, ...]


def forecast(observation: Observation, slot: int) -> tuple[Forecast, ...]:
    """Return the forecasts of the card of ``slot``, for each open mat in order."""
    card = observation.hand[slot]
    hidden = _hidden(observation)
    found: list[Forecast] = []
    for mat in sorted({m.mat for m in observation.legal_moves() if isinstance(m, Play)}):
        demand, shown = card_rules.DEMANDS[mat], observation.game.table[mat]
        fits = card_rules.matches(demand, shown, card)
        losing_to = tuple(
            face
            for face in hidden
            if card_rules.matches(demand, shown, face)
            and (not fits or card_rules.beats(demand, face, card))
        )
        found.append(Forecast(mat, shown, fits, losing_to))
    return tuple(found)


def foretold(each: Forecast, named: Callable[[card_rules.Face], str]) -> str:
    """Return a forecast in words. named: returns the name of a card."""
    mat = MATS[each.mat]
    if each.fits:
        said = captions.WOULD_FIT(mat=mat)
    elif card_rules.DEMANDS[each.mat] is card_rules.Demand.NUMBER:
        said = captions.WOULD_BLUFF_NUMBER(mat=mat, number=each.shown.number)
    else:
        suit = "" if each.shown.suit is None else TOKENS[each.shown.suit]()
        said = captions.WOULD_BLUFF_SUIT(mat=mat, suit=suit)
    if not each.losing_to:
        return f"{said} {captions.LOSES_TO_NOTHING()}"
    return f"{said} {captions.LOSES_TO(cards=listed(map(named, each.losing_to)))}"


def _hidden(observation: Observation) -> list[card_rules.Face]:
    """Return the faces that the other player may hold, or have laid face down."""
    seen = {*observation.hand, *observation.game.table}
    for played in observation.game.rounds:
        for resolution in played.resolutions:
            seen |= {face for face in resolution.cards if face is not None}
    return [face for face in card_rules.FACES if face not in seen]
