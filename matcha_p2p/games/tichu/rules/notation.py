"""Moves as text, alike for people and programs (``games/exchange.py: Notation``).

A card is R2 to KA, M, H, P or D; P7 is the Phoenix as a seven. Moves are "grand" and "no",
"give R2 KA G5" (to the left, the partner, the right), "hold", "pass", cards alone ("R5 G5"),
"M wish 8", "gift left" and "gift right". "tichu" before a move calls Tichu first.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from matcha_p2p.games.tichu.rules import actions, cards
from matcha_p2p.games.tichu.rules.actions import TichuMove, calls_tichu
from matcha_p2p.games.tichu.rules.cards import ACE, LOWEST, TEXTS
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask, seat_after

RANKS: Final = dict(zip("23456789TJQKA", range(LOWEST, ACE + 1), strict=True))
"""The number of each rank."""
_LETTERS: Final = {number: rank for rank, number in RANKS.items()}
_SIDES: Final = {"right": 1, "left": 3}
"""How many seats after the own seat a side sits."""
_TICHU: Final = "tichu"


def text_of(seen: Observation, move: TichuMove) -> str:
    """Return ``move`` of the seat as text; cards stand by number."""
    text = _plain_text(seen, move)
    return f"{_TICHU} {text}" if calls_tichu(move) else text


def _plain_text(seen: Observation, move: TichuMove) -> str:
    match move:
        case actions.AnswerGrand(called):
            return "grand" if called else "no"
        case actions.GiveTrick(receiver):
            return "gift right" if receiver == seat_after(seen.seat) else "gift left"
        case actions.GiveCards((right, partner, left)):
            given = (TEXTS[seen.held[place]] for place in (left, partner, right))
            return f"give {' '.join(given)}"
        case actions.ShowMahJong() | actions.Hold():
            return "hold"
        case actions.Pass():
            return "pass"
        case actions.Lay(places, wild, wish):
            faces = cards.in_order((seen.held[place] for place in places), wild)
            texts = [TEXTS[face] + _named(face, wild) for face in faces]
            return " ".join([*texts, *(["wish", _LETTERS[wish]] if wish else [])])
        case _:
            assert_never(move)


def _named(face: int, wild: int) -> str:
    return _LETTERS[wild] if wild and face == cards.PHOENIX else ""


def read(seen: Observation, text: str) -> TichuMove:
    """Return the legal move that ``text`` names.

    Raises:
        RefusedError: a rule forbids the move.
        ValueError: ``text`` names no move, or a card that the seat does not hold.
    """
    word, *names = text.split(" ")
    called = word == _TICHU
    if called:
        word, *names = names or [""]
    move = _move(seen, word, names, tichu=called)
    seen.check(move)
    return move


def _move(seen: Observation, word: str, names: list[str], *, tichu: bool) -> TichuMove:
    match word, names:
        case "grand" | "no", [] if not tichu:
            return actions.AnswerGrand(word == "grand")
        case "gift", [side] if side in _SIDES and not tichu:
            return actions.GiveTrick(seat_after(seen.seat, _SIDES[side]))
        case "give", [_, _, _]:
            left, partner, right = _places(seen, names)
            return actions.GiveCards((right, partner, left), tichu)
        case "hold", []:
            return _held(seen, tichu=tichu)
        case "pass", []:
            return actions.Pass(tichu)
        case _, [*others, "wish", rank] if rank in RANKS:
            return _lay(seen, [word, *others], RANKS[rank], tichu=tichu)
        case _:
            return _lay(seen, [word, *names], 0, tichu=tichu)


def _held(seen: Observation, *, tichu: bool) -> TichuMove:
    """Return the answer without a play; before the first lead it shows the Mah Jong."""
    shown = [place for place, face in seen.held.items() if face == cards.MAH_JONG]
    if seen.asked is Ask.CALL and shown:
        return actions.ShowMahJong(shown[0], tichu)
    return actions.Hold(tichu)


def _lay(seen: Observation, laid: Sequence[str], wish: int, *, tichu: bool) -> TichuMove:
    named = [card[1:] for card in laid if card[:1] == "P" and card[1:]]
    if len(named) > 1 or not {*named} <= RANKS.keys():
        raise ValueError("the Phoenix stands for one number")
    places = _places(seen, ["P" if card[:1] == "P" else card for card in laid])
    return actions.Lay(tuple(sorted(places)), RANKS[named[0]] if named else 0, wish, tichu)


def _places(seen: Observation, texts: Sequence[str]) -> list[int]:
    """Return the places of different cards of the hand."""
    places = {TEXTS[face]: place for place, face in seen.held.items()}
    if len({*texts}) < len(texts) or not places.keys() >= {*texts}:
        raise ValueError("the hand does not hold these cards")
    return [places[text] for text in texts]


def listed(seen: Observation) -> list[str]:
    """Return the legal moves without calls and wishes; [] for the many ways to give cards."""
    if seen.asked is Ask.PUSH:
        return []
    usual = (move for move in seen.legal_moves() if not calls_tichu(move))
    return [text_of(seen, it) for it in usual if not (isinstance(it, actions.Lay) and it.wish)]
