"""List the games of this home, and the score against each opponent."""

from typing import Final

from matcha_p2p.app.outcomes import Exit
from matcha_p2p.app.output import Output
from matcha_p2p.language import Sentence
from matcha_p2p.rules.phases import How
from matcha_p2p.store.home import Home
from matcha_p2p.store.library import (
    Kept,
    Listed,
    Score,
    Unfinished,
    Unreadable,
    kept_games,
    scores,
    unfinished_games,
)

NONE: Final = Sentence("There are no games in {folder}.")

YOUR_WORD: Final = Sentence("Unfinished, against {name}, edition {edition}: it is your turn.")
THEIR_WORD: Final = Sentence("Unfinished, against {name}, edition {edition}: it is their turn.")
LAST_WORD: Final = Sentence(
    "Over, against {name}, edition {edition}; they may lack the last word of it."
)
GO_ON: Final = Sentence("  Go on with: matcha resume {game}")

YOU_WON: Final = Sentence("{date}, edition {edition}: you won against {name}, {how}.")
YOU_LOST: Final = Sentence("{date}, edition {edition}: you lost to {name}, {how}.")
WON: Final = Sentence("{date}, edition {edition}: {winner} won against {loser}, {how}.")
DRAWN: Final = Sentence("{date}, edition {edition}: {first} and {second} drew.")
OPEN: Final = Sentence("{date}, edition {edition}: {first} and {second} did not finish.")
DISPUTED: Final = Sentence(
    "{date}, edition {edition}: {first} and {second}, DISPUTED. Somebody broke the protocol; "
    "who did: matcha verify {file}"
)
FILE: Final = Sentence("  {file}")
UNREADABLE: Final = Sentence("{file} cannot be listed: {why}")

SCORE: Final = Sentence("Against {name}: {won} won, {lost} lost, {drawn} drawn.")

HOWS: Final = {
    How.ALIKE: Sentence("with enough tokens alike"),
    How.FIVE_KINDS: Sentence("with all five kinds"),
    How.TIE_BREAK: Sentence("when both had met a condition"),
    How.FURTHER_ROUNDS: Sentence("in further rounds"),
    How.LAST_SET: Sentence("after the last set"),
    How.RESIGNED: Sentence("by a resignation"),
    How.DRAW: Sentence("without a winner"),
}
BY_THE_RULES: Final = Sentence("by the rules")


def run(out: Output, home: Home) -> int:
    """List every game, those that are not over first; return the exit code."""
    kept: list[Kept] = []
    listed = 0
    for game in unfinished_games(home):
        listed += 1
        _tell(out, game)
    for stored in kept_games(home):
        listed += 1
        _tell(out, stored)
        if isinstance(stored, Kept):
            kept.append(stored)
    if not listed:
        out.say(NONE(folder=home.games))
    for name, score in sorted(scores(kept).items()):
        _tell_score(out, name, score)
    return Exit.DONE


def _tell(out: Output, game: Listed) -> None:
    match game:
        case Unfinished():
            _tell_unfinished(out, game)
        case Kept():
            _tell_kept(out, game)
        case Unreadable(file, why):
            out.fact("unreadable", file=str(file), why=why)
            out.say(UNREADABLE(file=file, why=why))


def _tell_unfinished(out: Output, game: Unfinished) -> None:
    pause = game.pause
    out.fact(
        "unfinished",
        name=game.name,
        names=list(pause.names),
        edition=pause.edition,
        seat=pause.seat,
        due=pause.due,
    )
    if pause.due is None:
        sentence = LAST_WORD
    else:
        sentence = YOUR_WORD if pause.due == pause.seat else THEIR_WORD
    out.say(sentence(name=pause.names[1 - pause.seat], edition=pause.edition))
    out.say(GO_ON(game=game.name))


def _tell_kept(out: Output, kept: Kept) -> None:
    glance = kept.glance
    how = _how(kept)
    out.fact(
        "stored",
        file=str(kept.file),
        date=kept.date,
        names=list(glance.names),
        edition=glance.edition,
        seat=kept.note.seat,
        over=glance.over,
        winner=glance.winner,
        how=None if how is None else how.value,
        disputed=kept.disputed,
    )
    out.say(kept_sentence(kept))
    if not kept.disputed:
        out.say(FILE(file=kept.file))


def _how(kept: Kept) -> How | None:
    """Return how the game ended, as far as we noted it or the file says it."""
    if kept.glance.conceded:
        return How.RESIGNED
    noted = kept.note.how
    known = {how.value: how for how in How}
    return known.get(noted) if noted is not None and kept.glance.over else None


def kept_sentence(kept: Kept) -> str:
    """Say whose game that was, and how it ended."""
    glance, opponent, known = kept.glance, kept.opponent, _how(kept)
    how = BY_THE_RULES() if known is None else HOWS[known]()
    first, second = glance.names
    when = {"date": kept.date, "edition": glance.edition}
    if kept.disputed:
        return DISPUTED(**when, first=first, second=second, file=kept.file)
    if glance.winner is None:
        return (DRAWN if glance.over else OPEN)(**when, first=first, second=second)
    if opponent is None:
        winner, loser = glance.names[glance.winner], glance.names[1 - glance.winner]
        return WON(**when, winner=winner, loser=loser, how=how)
    sentence = YOU_WON if glance.winner == kept.note.seat else YOU_LOST
    return sentence(**when, name=opponent, how=how)


def _tell_score(out: Output, name: str, score: Score) -> None:
    out.fact("score-against", opponent=name, won=score.won, lost=score.lost, drawn=score.drawn)
    out.say(SCORE(name=name, won=score.won, lost=score.lost, drawn=score.drawn))
