"""Observations and moves as programs read and write them: protocol/bots.md.

Observations are plain values, ready for JSON. A card is R2 to KA, M, H, P or D, and P7 the
Phoenix as a seven. A move is a word and its cards or seat: "play R5 P5", "gift 1".
"""

from collections.abc import Iterator, Sequence
from typing import Final

from matcha_p2p.games import json_values
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.games.tichu.rules import actions, cards, combinations
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import TichuMove
from matcha_p2p.games.tichu.rules.cards import ACE, FACES, LOWEST, TEXTS
from matcha_p2p.games.tichu.rules.combinations import Combination
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.round import HAND, SEATS, Ask, Passed, Round
from matcha_p2p.games.tichu.rules.scoring import Points
from matcha_p2p.seats import Seat

EDITIONS: Final = ("tichu",)
"""All variants have the same rules within a round."""

_TICHU: Final = "tichu"
_RANKS: Final = dict(zip("23456789TJQKA", range(LOWEST, ACE + 1), strict=True))
_LETTERS: Final = {number: rank for rank, number in _RANKS.items()}
_CALLS: Final = (0, rules.SMALL, rules.GRAND)
_MOST: Final = 1 << 20
"""More than any count in a game."""


def move_text(seen: Observation, move: TichuMove) -> str:
    """Return ``move`` as a program reads and writes the move."""
    match move:
        case actions.AnswerGrand(called):
            return "grand" if called else "no"
        case actions.GiveTrick(receiver):
            return f"gift {receiver}"
        case _:
            words = [*([_TICHU] if move.tichu else []), *_words(seen, move)]
            return " ".join(words)


def _words(
    seen: Observation,
    move: actions.GiveCards | actions.ShowMahJong | actions.Hold | actions.Pass | actions.Lay,
) -> Iterator[str]:
    held = seen.held
    match move:
        case actions.GiveCards(places):
            yield "push"
            yield from (TEXTS[held[place]] for place in places)
        case actions.ShowMahJong() | actions.Hold():
            yield "hold"
        case actions.Pass():
            yield "pass"
        case actions.Lay(places, wild, wish):
            yield "play"
            for place in places:
                named = _LETTERS[wild] if wild and held[place] == cards.PHOENIX else ""
                yield TEXTS[held[place]] + named
            if wish:
                yield from ("wish", _LETTERS[wish])


def chosen(seen: Observation, text: str) -> TichuMove:
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
    _check(seen, move, tichu=called)
    return move


def _move(seen: Observation, word: str, names: list[str], *, tichu: bool) -> TichuMove:
    match word, names:
        case "grand" | "no", [] if not tichu:
            return actions.AnswerGrand(word == "grand")
        case "gift", [receiver] if not tichu and receiver in ("0", "1", "2", "3"):
            return actions.GiveTrick(SEATS[int(receiver)])
        case "push", [_, _, _]:
            first, second, third = _places(seen, names)
            return actions.GiveCards((first, second, third), tichu)
        case "hold", []:
            return _held(seen, tichu=tichu)
        case "pass", []:
            return actions.Pass(tichu)
        case "play", [*cards, "wish", rank] if rank in _RANKS:
            return _lay(seen, cards, _RANKS[rank], tichu=tichu)
        case "play", cards:
            return _lay(seen, cards, 0, tichu=tichu)
        case _:
            raise ValueError("this is no move")


def _held(seen: Observation, *, tichu: bool) -> TichuMove:
    """Return the answer without a play; before the first lead it shows the Mah Jong."""
    shown = [place for place, face in seen.held.items() if face == cards.MAH_JONG]
    if seen.asked is Ask.CALL and shown:
        return actions.ShowMahJong(shown[0], tichu)
    return actions.Hold(tichu)


def _lay(seen: Observation, cards: Sequence[str], wish: int, *, tichu: bool) -> TichuMove:
    named = [card[1:] for card in cards if card[:1] == "P" and card[1:]]
    wild = _RANKS.get(named[0], 0) if named else 0
    if (named and not wild) or len(named) > 1:
        raise ValueError("the Phoenix stands for one number")
    faces = ["P" if card[:1] == "P" else card for card in cards]
    return actions.Lay(tuple(sorted(_places(seen, faces))), wild, wish, tichu)


def _places(seen: Observation, cards: Sequence[str]) -> list[int]:
    """Return the places of different ``cards`` of the hand."""
    places = {TEXTS[face]: place for place, face in seen.held.items()}
    if not cards or len(set(cards)) < len(cards) or not places.keys() >= set(cards):
        raise ValueError("the hand does not hold these cards")
    return [places[card] for card in cards]


def _check(seen: Observation, move: TichuMove, *, tichu: bool) -> None:
    """See that the rules allow ``move``.

    Raises:
        RefusedError: a rule forbids the move.
    """
    state, seat = seen.state, seen.seat
    if tichu:
        state = rules.call_tichu(state, seat)
    match move:
        case actions.AnswerGrand(called):
            rules.grand(state, seat, called=called)
        case actions.GiveCards():
            rules.push(state, seat)
        case actions.ShowMahJong() | actions.Hold():
            rules.hold(state, seat)
        case actions.Pass():
            rules.pass_turn(state, seat)
        case actions.Lay(places, wild, wish):
            laid = {place: seen.held[place] for place in places}
            rules.play(state, seat, laid, wild, wish)
        case actions.GiveTrick(receiver):
            rules.gift(state, seat, receiver)
    seen.check_duty(move)


def described(seen: Observation) -> JsonObject:
    """Return the seat's whole observation as plain values."""
    state = seen.state
    return {
        "edition": EDITIONS[0],
        "windows": "every" if state.variant.every_window else "plays",
        "late_tichu": state.variant.late_tichu,
        "seat": seen.seat,
        "round": seen.number,
        "totals": list(seen.totals),
        "asked": [[seat, ask.value] for seat, ask in state.asked],
        "hand": [None if face is None else TEXTS[face] for face in seen.hand],
        "held": [sorted(held) for held in state.held],
        "given": _texts(seen.given),
        "received": _texts(seen.received),
        "calls": list(state.calls),
        "laid": [_laid(laid) for laid in seen.laid],
        "under": _combination(state.under),
        "pile": _texts(state.pile),
        "last": state.last,
        "passes": state.passes,
        "wish": state.wish,
        "passed": [
            {
                "seat": turn.seat,
                "held": sorted(turn.held),
                "wish": turn.wish,
                "under": _combination(turn.under),
            }
            for turn in state.passed
        ],
        "leader": state.leader,
        "out": list(state.out),
        "won": [_texts(faces) for faces in state.won],
        "may_call": seen.may_call(),
        "legal": _legal(seen),
    }


def _legal(seen: Observation) -> list[str]:
    """Return the legal moves without calls and wishes; [] for the many ways to give cards."""
    if seen.asked is Ask.PUSH:
        return []
    found: dict[str, None] = {}
    for move in seen.legal_moves():
        plain = move
        if isinstance(move, actions.Lay):
            plain = move._replace(wish=0, tichu=False)
        elif not isinstance(move, actions.AnswerGrand | actions.GiveTrick):
            plain = move._replace(tichu=False)
        found[move_text(seen, plain)] = None
    return [*found]


def _texts(faces: Sequence[int]) -> list[str]:
    return [TEXTS[face] for face in faces]


def _laid(laid: Laid) -> JsonObject:
    return {
        "seat": laid.seat,
        "cards": _texts(laid.faces),
        "wild": laid.wild,
        "wish": laid.wish,
        "leads": laid.leads,
    }


def _combination(made: Combination | None) -> JsonObject | None:
    if made is None:
        return None
    return {"kind": made.kind.value, "size": made.size, "strength": made.strength}


def observed(plain: object) -> Observation:
    """Return the observation from ``plain``, a value made by ``described``.

    Raises:
        BotError: ``plain`` is no observation of a seat that is asked.
    """
    with json_values.reading_observation():
        found = _observed(json_values.as_object(plain))
        _check_decision(found)
    return found


def _observed(plain: JsonObject) -> Observation:
    windows, late = plain["windows"], plain["late_tichu"]
    if plain["edition"] != EDITIONS[0] or windows not in ("every", "plays"):
        raise ValueError("these are other rules")
    leader = plain["leader"]
    state = Round(
        variant=rules.Variant(windows == "every", bool(late)),
        held=tuple(_set_of(held) for held in _four(plain["held"])),
        asked=tuple(_read_ask(ask) for ask in json_values.as_list(plain["asked"])),
        calls=tuple(
            _CALLS[_CALLS.index(json_values.as_number(it))] for it in _four(plain["calls"])
        ),
        out=tuple(_seat(seat) for seat in json_values.as_list(plain["out"])),
        won=tuple(_faces(faces) for faces in _four(plain["won"])),
        leader=None if leader is None else _seat(leader),
        pile=_faces(plain["pile"]),
        under=_read_combination(plain["under"]),
        last=_seat(plain["last"]),
        passes=json_values.number_up_to(plain["passes"], len(SEATS)),
        wish=_number(plain["wish"]),
        passed=tuple(_read_passed(turn) for turn in json_values.as_objects(plain["passed"])),
    )
    hand = tuple(None if it is None else _face(it) for it in json_values.as_list(plain["hand"]))
    return Observation(
        state,
        _seat(plain["seat"]),
        hand,
        tuple(_read_laid(laid) for laid in json_values.as_objects(plain["laid"])),
        json_values.number_up_to(plain["round"], _MOST),
        _points(plain["totals"]),
        _faces(plain["given"]),
        _faces(plain["received"]),
    )


def _check_decision(seen: Observation) -> None:
    """See that the seat is asked, and that each card is there once.

    Raises:
        ValueError: the seat is not asked, or the cards are not those of a round.
    """
    state, hand = seen.state, seen.held
    if seen.asked is None or not hand:
        raise ValueError("the seat is not asked")
    if len(hand) != len(state.held[seen.seat]) or (state.under is None) != (not state.pile):
        raise ValueError("a seat reads its hand, and sees the trick")
    won = [face for faces in state.won for face in faces]
    lying = [*won, *state.pile, *hand.values()]
    others = sum(len(state.held[seat]) for seat in SEATS if seat != seen.seat)
    dealt = len(SEATS) * rules.DEALT_FIRST if seen.asked is Ask.GRAND else len(FACES)
    if len({*lying}) != len(lying) or len(lying) + others != dealt:
        raise ValueError("each card is there once")
    _check_gifts(seen, {*lying})


def _check_gifts(seen: Observation, lying: set[int]) -> None:
    """See that each gift lies open or may still be in its receiver's hand.

    Raises:
        ValueError: the gifts are not those of a round.
    """
    counts, hand = (len(seen.given), len(seen.received)), {*seen.hand}
    different = len({*seen.given, *seen.received}) == sum(counts)
    if counts not in ((0, 0), (3, 3)) or not different or hand & {*seen.given}:
        raise ValueError("three cards were given away")
    if not hand >= {*seen.received}:
        raise ValueError("three cards of the hand are gifts")
    for steps, face in enumerate(seen.given, 1):
        if face not in lying and not seen.state.held[rules.seat_after(seen.seat, steps)]:
            raise ValueError("a gift is in its receiver's hand until it is laid")


def _four(plain: object) -> list[object]:
    """Return a list with an item for each seat."""
    items = json_values.as_list(plain)
    if len(items) != len(SEATS):
        raise ValueError("there are four seats")
    return items


def _seat(plain: object) -> Seat:
    return SEATS[json_values.number_up_to(plain, len(SEATS) - 1)]


def _face(plain: object) -> int:
    return TEXTS.index(str(plain))


def _faces(plain: object) -> tuple[int, ...]:
    return tuple(_face(text) for text in json_values.as_list(plain))


def _number(plain: object) -> int:
    return json_values.number_up_to(plain, ACE)


def _set_of(plain: object) -> frozenset[int]:
    return frozenset(json_values.numbers_up_to(plain, HAND - 1))


def _points(plain: object) -> Points:
    first, second = json_values.as_list(plain)
    return json_values.as_number(first), json_values.as_number(second)


def _read_ask(plain: object) -> tuple[Seat, Ask]:
    seat, ask = json_values.as_list(plain)
    return _seat(seat), Ask(ask)


def _read_combination(plain: object) -> Combination | None:
    if plain is None:
        return None
    made = json_values.as_object(plain)
    size, strength = (
        json_values.number_up_to(made["size"], HAND),
        json_values.number_up_to(made["strength"], 2 * ACE + 2),
    )
    return Combination(combinations.Shape(made["kind"]), size, strength)


def _read_passed(turn: JsonObject) -> Passed:
    under = _read_combination(turn["under"])
    return Passed(_seat(turn["seat"]), _set_of(turn["held"]), _number(turn["wish"]), under)


def _read_laid(laid: JsonObject) -> Laid:
    wild, wish = _number(laid["wild"]), _number(laid["wish"])
    return Laid(_seat(laid["seat"]), _faces(laid["cards"]), wild, wish, bool(laid["leads"]))
