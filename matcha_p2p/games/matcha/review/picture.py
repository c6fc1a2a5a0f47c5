"""A picture of the table after a round, as one SVG file complete in itself.

Cards and signs are the same as on a game's page (review/page/view).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Final, TypeAlias

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.matcha.review.export import (
    ExportedGame,
    ExportedRound,
    ExportedSet,
    exported,
)
from matcha_p2p.games.matcha.rules.cards import DEMANDS, Demand, Token
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.language import Sentence

TITLE: Final = Sentence("Edition {edition}, set {number}, after round {round}")

LaidNames: TypeAlias = dict[tuple[int, int], str | None]
"""The card laid, by seat and mat; None if unknown."""

_WIDTH: Final = 760
_HEIGHT: Final = 706
_COLUMN: Final = 120
_LEFT: Final = 20
_FAR, _TABLE, _NEAR = 172, 312, 452  # where the rows of cards begin, downwards
_CARD: Final = 1.3  # of a card's sixty by eighty-four
_HELD: Final = 0.75
_BACK: Final = "back"
_SIGNS: Final = {token.letter: token.name.lower() for token in Token} | {"Z": "zero"}
_INKS: Final = {
    "T": "#17613a",
    "B": "#9c2f10",
    "W": "#1a5299",
    "S": "#6f4a00",
    "K": "#742f8c",
    "Z": "#44443e",
}
_PIPS: Final = {
    "1": ((30, 42),),
    "2": ((30, 28), (30, 56)),
    "3": ((30, 23), (30, 42), (30, 61)),
    "4": ((21.5, 29), (38.5, 29), (21.5, 55), (38.5, 55)),
}
_STYLE: Final = """
text { font-family: Georgia, serif; fill: #1d2a14; }
.paper { fill: #fffdf6; stroke: #b8ac8d; }
.back .paper { fill: #2b7a62; stroke: #1a5545; }
.weave { fill: url(#waves); stroke: #1a5545; }
.wave { fill: none; stroke: #1a5545; stroke-width: .7; }
.stroke { fill: none; stroke: inherit; stroke-width: 1.6; stroke-linecap: round; }
.thick { stroke-width: 2.4; } .enso { stroke-width: 2.6; }
.veil { fill: #2b7a6255; stroke: #1a5545; stroke-width: 2; stroke-dasharray: 4 3; }
.gap { fill: none; stroke: #1d2a14; stroke-opacity: .35; stroke-dasharray: 4 4; }
use { stroke-width: 0; }
"""


def picture_of(report: Report, place: tuple[int, int] | None) -> str:
    """Return the table of a verified game after a round.

    place: the set and the round, from 1; None for the last.

    Raises:
        LookupError: the game has no such round.
    """
    game = exported(report)
    number, round_number = place or _last_round(game)
    title = TITLE(edition=game["edition"], number=number, round=round_number)
    names = [hello.name for sound in report.accepted[-1:] for hello in sound.state.hellos]
    return picture(game, names, (number, round_number), title)


def _last_round(game: ExportedGame) -> tuple[int, int]:
    """Return the last set and round that have begun; (0, 0) before the first round."""
    begun = [
        (number, len(played["rounds"]))
        for number, played in enumerate(game["sets"], start=1)
        if played["rounds"]
    ]
    return begun[-1] if begun else (0, 0)


def picture(
    game: ExportedGame, names: Sequence[str], place: tuple[int, int], title: str
) -> str:
    """Return the table after a round of ``game``, seat 0 below.

    place: the set and the round, from 1. title: the text above the table.

    Raises:
        LookupError: the game has no such round.
    """
    number, round_number = place
    if not 1 <= number <= len(game["sets"]):
        raise LookupError(number)
    played = game["sets"][number - 1]
    if not 1 <= round_number <= len(played["rounds"]):
        raise LookupError(round_number)
    rounds = played["rounds"][:round_number]
    parts = [
        f"<style>{_STYLE}</style>",
        _signs(),
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="16" fill="#c6d8a6"/>',
        _text(_LEFT, 34, title, size=20),
        *_mats(played, rounds),
        *_player(1, names[1], played, rounds, 60),
        *_player(0, names[0], played, rounds, 610),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' width="{_WIDTH}" height="{_HEIGHT}"><title>{escape(title)}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _signs() -> str:
    """Return the signs of tokens and the weave of backs, from the page of a game."""
    page = files("matcha_p2p.review.page").joinpath("view", "page.html").read_text("utf-8")
    _, _, rest = page.partition('class="signs">')
    return f"<defs>{rest.partition('</svg>')[0]}</defs>"


def _text(x: float, y: float, text: str, *, size: int, anchor: str = "start") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def _sign(letter: str, x: float, y: float, size: float) -> str:
    """Draw a sign around a place."""
    ink, half = _INKS[letter], size / 2
    return (
        f'<use href="#{_SIGNS[letter]}" x="{x - half:g}" y="{y - half:g}" width="{size:g}"'
        f' height="{size:g}" fill="{ink}" stroke="{ink}"/>'
    )


def _card(name: str, x: float, y: float, scale: float, *, sealed: bool = False) -> str:
    """Draw a card, or a back, whose upper left corner is at a place."""
    drawn = ['<rect class="paper" x=".5" y=".5" width="59" height="83" rx="5"/>']
    if name == _BACK:
        drawn.append('<rect class="weave" x="4" y="4" width="52" height="76" rx="3"/>')
    elif name == "Z":
        drawn.append(_sign("Z", 30, 42, 44))
    else:
        suit, number = name[0], name[1]
        corner = (
            f'<text x="8" y="16" font-size="15" font-weight="700" text-anchor="middle"'
            f' style="fill: {_INKS[suit]}">{number}</text>{_sign(suit, 8.5, 24, 9)}'
        )
        drawn += [corner, f'<g transform="rotate(180 30 42)">{corner}</g>']
        size = 26 if number == "1" else 15
        drawn += [_sign(suit, across, down, size) for across, down in _PIPS[number]]
    if sealed:
        drawn.append('<rect class="veil" x="1" y="1" width="58" height="82" rx="5"/>')
    look = ' class="back"' if name == _BACK else ""
    return f'<g{look} transform="translate({x:g} {y:g}) scale({scale})">{"".join(drawn)}</g>'


def _mats(played: ExportedSet, rounds: Sequence[ExportedRound]) -> Iterator[str]:
    laid = _laid(rounds)
    came = {mat["mat"]: mat for each in rounds for mat in each["mats"]}
    lit = _LEFT + 2 * _COLUMN * (len(rounds) - 1)
    yield f'<rect x="{lit}" y="140" width="{2 * _COLUMN}" height="432" rx="10" fill="#dfeac8"/>'
    for mat, name in enumerate(played["table"]):
        x = _LEFT + _COLUMN * mat + (_COLUMN - 60 * _CARD) / 2
        middle = _LEFT + _COLUMN * (mat + 0.5)
        if name is not None:
            yield from _demand(mat, name, middle)
            yield _card(name, x, _TABLE, _CARD)
        for seat, y, strip in ((1, _FAR, 297), (0, _NEAR, 437)):
            yield _lying(laid, seat, mat, (x, y), is_open=mat in came and came[mat]["revealed"])
            gain = came[mat]["gain"][seat] if mat in came else None
            if gain is not None:
                yield _text(middle - 6, strip + 6, "+", size=18, anchor="end")
                yield _sign(gain, middle + 8, strip, 20)


def _demand(mat: int, name: str, middle: float) -> Iterator[str]:
    wanted = name[1] if DEMANDS[mat] is Demand.NUMBER else ""
    yield _text(middle - 2, 162, f"{MATS[mat]} = {wanted}", size=16, anchor="middle")
    if not wanted:
        yield _sign(name[0], middle + 24, 157, 18)


def _lying(
    laid: LaidNames, seat: int, mat: int, corner: tuple[float, float], *, is_open: bool
) -> str:
    x, y = corner
    if (seat, mat) not in laid:
        width, height = 60 * _CARD, 84 * _CARD
        return (
            f'<rect class="gap" x="{x:g}" y="{y}" width="{width}" height="{height:g}" rx="6"/>'
        )
    name = laid[seat, mat]
    if name is None:
        return _card(_BACK, x, y, _CARD)
    return _card(name, x, y, _CARD, sealed=not is_open)


def _laid(rounds: Sequence[ExportedRound]) -> LaidNames:
    return {
        (turn["seat"], turn.get("mat", 0)): turn.get("card")
        for each in rounds
        for turn in each["moves"]
        if turn["move"] == "play"
    }


def _player(
    seat: int, name: str, played: ExportedSet, rounds: Sequence[ExportedRound], y: int
) -> Iterator[str]:
    yield _text(_LEFT, y + 24, name, size=22)
    for place, (letter, count) in enumerate(rounds[-1]["tokens"][seat].items()):
        left = _LEFT + 12 + 62 * place
        yield _sign(letter, left, y + 50, 24)
        yield _text(left + 18, y + 57, str(count), size=20)
    held = _held(seat, played, rounds)
    for place, card in enumerate(held):
        x = _WIDTH - _LEFT - (len(held) - place) * (60 * _HELD + 6)
        yield _card(card, x, y, _HELD)


def _held(seat: int, played: ExportedSet, rounds: Sequence[ExportedRound]) -> list[str]:
    """Return the cards that the seat still has. If the hand is unknown, return backs."""
    laid = [card for (owner, _), card in _laid(rounds).items() if owner == SEATS[seat]]
    hand = [card for card in played["hands"][seat] if card is not None]
    if len(hand) < len(played["hands"][seat]):
        return [_BACK] * (len(played["hands"][seat]) - len(laid))
    left = Counter(hand) - Counter(card for card in laid if card is not None)
    return sorted(left.elements())
