"""List the games of this home, and the score against each opponent; list what is installed."""

from typing import Final

from matcha_p2p import __version__
from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.games.installed import InstalledGame, installed, wholly_loaded
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import listed
from matcha_p2p.review.summary import JournalSummary
from matcha_p2p.store import game_list
from matcha_p2p.store.home import Home

NONE: Final = Sentence("There are no games in {folder}.")

YOUR_WORD: Final = Sentence("Unfinished, {game} with {names}: it is your turn.")
THEIR_WORD: Final = Sentence("Unfinished, {game} with {names}: it is {name}'s turn.")
LAST_WORD: Final = Sentence("Over, {game} with {names}; the last message may not have arrived.")
GO_ON: Final = Sentence("  To go on: {matcha_resume}")

YOU_WON: Final = Sentence("{date}, {game}: you won against {name}, {how}.")
YOU_LOST: Final = Sentence("{date}, {game}: you lost to {name}, {how}.")
WON: Final = Sentence("{date}, {game}: {winners} won against {losers}, {how}.")
POINTS: Final = Sentence("Points: {points}.")
NOBODY_WON: Final = Sentence("{date}, {game}: {names}, nobody won, {how}.")
OPEN: Final = Sentence("{date}, {game}: {names}, unfinished.")
DISPUTED: Final = Sentence(
    "{date}, {game}: {names}, DISPUTED. A player broke the protocol. "
    "To see which: matcha verify {file}"
)
FILE: Final = Sentence("  {file}")
UNREADABLE: Final = Sentence("{file} cannot be listed: {why}")

INSTALLED: Final = Sentence("{title} (--game {game}), of {package} {version}.")

SCORE: Final = Sentence("Against {name}: {won} won, {lost} lost, {drawn} drawn.")

_PAIR: Final = 2
PACKAGE: Final = "matcha-p2p"
BY_THE_RULES: Final = Sentence("by the rules")

RESIGNED: Final = "resigned"
"""The ending of a game in which a seat conceded, in all games."""


def run(out: Output, home: Home) -> int:
    """List every game, unfinished games first; return the exit code."""
    readable: list[game_list.StoredGame] = []
    listed = 0
    for game in game_list.unfinished_games(home):
        listed += 1
        _tell(out, home, game)
    for stored in game_list.stored_games(home):
        listed += 1
        _tell(out, home, stored)
        if isinstance(stored, game_list.StoredGame):
            readable.append(stored)
    if not listed:
        out.say(NONE(folder=home.games))
    for name, score in sorted(game_list.scores(readable).items()):
        _tell_score(out, name, score)
    return Exit.DONE


def run_installed(out: Output) -> int:
    """List the games of all packages, also those that cannot be used; return the exit code."""
    ours = [
        InstalledGame(name, PACKAGE, __version__, "matcha_p2p", game_of(name), None)
        for name in FOLDERS
    ]
    for name, package, version, _, game, fault in (*ours, *map(wholly_loaded, installed())):
        told = {"game": name, "package": package, "version": version}
        why = None if fault is None else out.sentence_of(fault)
        out.fact("installed", **told, number=None if game is None else game.number, why=why)
        out.say(why or INSTALLED(title=name if game is None else game.title, **told))
    return Exit.DONE


def _tell(out: Output, home: Home, game: game_list.Listed) -> None:
    match game:
        case game_list.UnfinishedGame():
            _tell_unfinished(out, home, game)
        case game_list.StoredGame():
            _tell_stored(out, game)
        case game_list.Unreadable(file, why):
            out.fact("unreadable", file=str(file), why=why)
            out.say(UNREADABLE(file=file, why=why))


def _tell_unfinished(out: Output, home: Home, game: game_list.UnfinishedGame) -> None:
    summary = game.summary
    out.fact(
        "unfinished",
        name=game.name,
        game=summary.kind,
        names=list(summary.names),
        edition=summary.edition,
        seat=summary.seat,
        begun=summary.begun,
        due=summary.due,
    )
    out.say(_unfinished_sentence(summary))
    out.say(GO_ON(matcha_resume=home.command("resume", game.name)))


def _unfinished_sentence(summary: JournalSummary) -> str:
    due = summary.due
    told = {
        "game": game_of(summary.kind).named(summary.edition),
        "names": listed(summary.others),
    }
    if due is None:
        return LAST_WORD(**told)
    if due == summary.seat:
        return YOUR_WORD(**told)
    return THEIR_WORD(name=summary.names[due], **told)


def _tell_stored(out: Output, stored: game_list.StoredGame) -> None:
    summary = stored.summary
    how = _how(stored)
    out.fact(
        "stored",
        file=str(stored.file),
        game=summary.kind,
        date=stored.date,
        names=list(summary.names),
        edition=summary.edition,
        seat=stored.note.seat,
        over=summary.over,
        winners=list(summary.winners),
        points=list(stored.note.points),
        how=how,
        disputed=stored.disputed,
    )
    out.say(stored_sentence(stored))
    if not stored.disputed:
        out.say(FILE(file=stored.file))


def _how(stored: game_list.StoredGame) -> str | None:
    """Return the ending of the game, from our index or the file."""
    if stored.summary.conceded:
        return RESIGNED
    noted = stored.note.how if stored.summary.over else None
    return noted if noted in game_of(stored.summary.kind).endings else None


def how_said(game: str, how: str | None) -> str:
    """Return a sentence for the way in which ``game`` was won. how: None if unknown."""
    return game_of(game).endings.get(how or "", BY_THE_RULES)()


def stored_sentence(stored: game_list.StoredGame) -> str:
    """Return the players and the ending of a stored game in a sentence."""
    summary, opponent = stored.summary, stored.opponent
    how = how_said(summary.kind, _how(stored))
    when = {"date": stored.when, "game": game_of(summary.kind).named(summary.edition)}
    names = listed(summary.names)
    if stored.disputed:
        return DISPUTED(**when, names=names, file=stored.file)
    if not summary.over:
        return OPEN(**when, names=names)
    if not summary.winners:
        return NOBODY_WON(**when, names=names, how=how)
    if len(summary.names) == _PAIR and opponent is not None:
        sentence = YOU_WON if stored.seat in summary.winners else YOU_LOST
        return sentence(**when, name=opponent, how=how)
    winners = listed(summary.names[seat] for seat in summary.winners)
    losers = listed(summary.against(summary.winners))
    return _with_points(stored, WON(**when, winners=winners, losers=losers, how=how))


def _with_points(stored: game_list.StoredGame, won: str) -> str:
    """Return ``won``, and the points of each team if all are known."""
    teams = stored.summary.teams
    points = dict(zip(teams, stored.note.points, strict=False))
    if set(points) != set(teams):
        return won
    counted = sorted(points.values(), reverse=True)
    return f"{won} {POINTS(points=listed(map(str, counted)))}"


def _tell_score(out: Output, name: str, score: game_list.Score) -> None:
    out.fact("score-against", opponent=name, won=score.won, lost=score.lost, drawn=score.drawn)
    out.say(SCORE(name=name, won=score.won, lost=score.lost, drawn=score.drawn))
