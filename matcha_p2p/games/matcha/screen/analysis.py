"""The worth of each decision of a game, on the full screen and in line mode."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.console.review import study
from matcha_p2p.console.table import captions
from matcha_p2p.console.terminal.cells import Fragment, Line, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.review import analysis as game_analysis
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.judgement import HandsBySet, JudgedMove
from matcha_p2p.games.matcha.rules.moves import Move, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.screen.coach import explained
from matcha_p2p.games.matcha.screen.signs import style_of
from matcha_p2p.games.matcha.words.words import card_words
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed

LAYING: Final = Sentence("{card} on mat {mat}")
PASSING: Final = Sentence("passing")
FINE: Final = Sentence("Set {number}, round {round}, {name}: {made}, {value:.0%}.")
BETTER: Final = Sentence(
    "Set {number}, round {round}, {name}: {made}, {value:.0%}; {best} had {most:.0%}."
)
MISTAKEN: Final = Sentence(
    "Set {number}, round {round}, {name}: {made}, {value:.0%}; {best} had {most:.0%}: "
    "a mistake."
)
BLUNDERED: Final = Sentence(
    "Set {number}, round {round}, {name}: {made}, {value:.0%}; {best} had {most:.0%}: "
    "a blunder."
)
WORTH: Final = Sentence("{move} {value:.0%} (+-{error:.1%})")
ACCURACY: Final = Sentence(
    "{name}: accuracy {accuracy:.1f} of 100. Decisions: {count}, mistakes: {mistakes}, "
    "blunders: {blunders}."
)
CHANCES: Final = Sentence(
    "Set {number}, round {round}: {first} {value:.0%}, {second} {rest:.0%}."
)
PLOT: Final = Sentence("{name}'s chance to win at the start of each round (set.round)")
ESTIMATES: Final = Sentence(
    "The percentages are chances to win if both play well from there, with their margin of "
    "error; later sets are estimated. A loss counts as a mistake if it is more than twice "
    "the margin of error. Accuracy counts every loss, on the scale of lichess: 100 means no "
    "loss, and a few blunders lower it a lot."
)
MISTAKES: Final = Sentence("Mistakes, the largest loss first:")
IN_ORDER: Final = Sentence("All other decisions, in order:")
UNKNOWN: Final = Sentence("No cards are known, so no decision can be judged.")

_SHOWN: Final = 5
"""The most moves of a decision listed with their values."""
_ROWS: Final = 8
_CELLS: Final = 5
"""The height of the plot, and the width of a round in the plot."""
_AXIS: Final = 6


@dataclass(frozen=True, slots=True)
class Analyse:
    """The person asks for the analysis of a finished game.

    hands: of ``seat``, which the transcript may not open.
    """

    transcript: bytes
    seat: Seat
    hands: HandsBySet


def decision_lines(judged: game_analysis.JudgedDecision, names: Sequence[str]) -> list[str]:
    """Return lines: the worth of a decision, its moves, and the reason for the best move."""
    seen = judged.decision.observation
    shown = list(dict.fromkeys(_worth(judged, it) for it in judged.judgement.moves))[:_SHOWN]
    return [
        decision_sentence(judged, names),
        listed(shown),
        explained(seen, judged.judgement),
    ]


def decision_sentence(judged: game_analysis.JudgedDecision, names: Sequence[str]) -> str:
    """Return a sentence: the worth of a decision, and the better move."""
    made = judged.judgement.of(judged.decision.made)
    best = judged.judgement.moves[0]
    number, played = judged.round
    if judged.loss > game_analysis.BLUNDER:
        sentence = BLUNDERED
    elif judged.loss > game_analysis.MISTAKE:
        sentence = MISTAKEN
    else:
        sentence = BETTER if judged.loss else FINE
    return sentence(
        number=number,
        round=played,
        name=names[judged.seat],
        made=_words(judged, made.move),
        value=made.value,
        best=_words(judged, best.move),
        most=best.value,
    )


def accuracy_sentence(found: game_analysis.Accuracy, name: str) -> str:
    """Return a sentence about the accuracy of the player ``name``."""
    return ACCURACY(
        name=name,
        accuracy=found.accuracy,
        count=found.count,
        mistakes=found.mistakes,
        blunders=found.blunders,
    )


def summary(analysis: game_analysis.Analysis) -> list[str]:
    """Return the chances round by round, the mistakes, and how well both have decided."""
    if not analysis.judged:
        return [UNKNOWN()]
    first, second = analysis.names
    table = [
        CHANCES(
            number=it.round[0],
            round=it.round[1],
            first=first,
            value=it.value,
            second=second,
            rest=1 - it.value,
        )
        for it in analysis.chances(SEATS[0])
    ]
    worst = [decision_sentence(it, analysis.names) for it in analysis.mistakes()]
    mistakes = [MISTAKES(), *worst] if worst else []
    return [*table, *mistakes, *_accuracies(analysis), ESTIMATES()]


def analysis_page(
    analysis: game_analysis.Analysis | None, seat: Seat, columns: int, skin: Skin
) -> list[Line]:
    """Return the analysis in lines: a plot of the chances of ``seat``, then all decisions.

    Mistakes come first, the largest loss first.
    """
    if analysis is None or analysis.reading:
        return _wrapped([("", captions.STARTING())], columns)
    paragraphs: list[Fragment] = []
    if not analysis.done:
        done, all_ = len(analysis.judged), len(analysis.decisions)
        paragraphs.append(("class:now", study.PROGRESS(done=done, all=all_)))
    if not analysis.judged:
        paragraphs += [] if paragraphs else [("", UNKNOWN())]
        return _wrapped(paragraphs, columns)
    lines = _wrapped([*paragraphs, ("class:now", PLOT(name=analysis.names[seat]))], columns)
    lines += _plot(analysis.chances(seat), columns, skin)
    paragraphs = [("", it) for it in (*_accuracies(analysis), ESTIMATES())]
    mistakes = analysis.mistakes()
    others = [it for it in analysis.judged if it.loss <= game_analysis.MISTAKE]
    if mistakes:
        paragraphs += [("", ""), ("class:now", study.LEADS_ON()), ("class:now", MISTAKES())]
        paragraphs += _decisions(mistakes, analysis.names, "class:now")
    if mistakes and others:
        paragraphs += [("", ""), ("class:title", IN_ORDER())]
    paragraphs += _decisions(others, analysis.names, "class:title")
    return lines + _wrapped(paragraphs, columns)


def _decisions(
    decided: Sequence[game_analysis.JudgedDecision], names: Sequence[str], style: str
) -> Iterator[Fragment]:
    for judged in decided:
        said, *more = decision_lines(judged, names)
        yield "", ""
        yield style, said
        yield from (("", each) for each in more)


def _accuracies(analysis: game_analysis.Analysis) -> list[str]:
    return [
        accuracy_sentence(found, analysis.names[seat]) for seat, found in analysis.accuracies()
    ]


def _worth(judged: game_analysis.JudgedDecision, move: JudgedMove) -> str:
    return WORTH(move=_words(judged, move.move), value=move.value, error=move.error)


def _words(judged: game_analysis.JudgedDecision, move: Move) -> str:
    match move:
        case Play(mat, slot):
            card = card_words(judged.decision.observation.hand[slot])
            return LAYING(card=card, mat=MATS[mat])
        case _:
            return PASSING()


def _wrapped(paragraphs: Sequence[Fragment], columns: int) -> list[Line]:
    return [
        [(style, f" {line}")]
        for style, sentence in paragraphs
        for line in wrapped(sentence, columns - 2)
    ]


def _plot(chances: Sequence[game_analysis.Chance], columns: int, skin: Skin) -> list[Line]:
    """Return a bar for each round, in as many rows of bars as needed."""
    beside = max(1, (columns - _AXIS - 1) // _CELLS)
    lines: list[Line] = []
    for start in range(0, len(chances), beside):
        lines += _bars(chances[start : start + beside], skin)
    return lines


def _bars(chances: Sequence[game_analysis.Chance], skin: Skin) -> list[Line]:
    filled = ("", "###") if skin.framed else (f"class:chip {style_of(Token.LEAF)}", "   ")
    gap = " " * (_CELLS - 3)
    marks = {0: "100%", _ROWS // 2: "50%"}
    lines: list[Line] = []
    for row in range(_ROWS):
        line: Line = [("class:faint", f"{marks.get(row, ''):>{_AXIS - 1}} ")]
        for it in chances:
            high = it.value * _ROWS >= _ROWS - row - 0.5
            line += [filled if high else ("", "   "), ("", gap)]
        lines.append(line)
    values = "".join(f"{it.value:>4.0%} " for it in chances)
    places = "".join(f"{it.round[0]:>2}.{it.round[1]} " for it in chances)
    axis = " " * (_AXIS - 1)
    return [*lines, [("", axis + values)], [("class:faint", axis + places)], []]
