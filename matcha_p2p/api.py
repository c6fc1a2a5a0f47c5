"""matcha_p2p as a library: the names in ``__all__`` are public, and no other name is.

``matcha_p2p.__version__`` counts as MAJOR.MINOR.PATCH. A public name keeps its meaning until
MAJOR grows; while MAJOR is 0, until MINOR grows, and CHANGELOG.md then says what to change. New
names and new optional arguments may come with any version. All other modules may change at any
time. Files and messages have versions of their own: the protocol (``v1``), each format of an
export (``v``), the lines of ``--json`` (``v``) and of bots (``v``). A transcript that was valid
stays valid.

No function but ``serve`` prints, and no function draws from a clock. Only ``verify_many``
reads files. The processes of ``verify_many`` and ``arena`` import nothing of the caller's. In
the examples below, ``transcript`` is the file that the example of ``play`` makes.
"""

import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from secrets import randbits, token_bytes
from typing import Any, NamedTuple

from matcha_p2p import games
from matcha_p2p.app.bots.arena import standings
from matcha_p2p.app.bots.bot_names import FOREIGN
from matcha_p2p.app.bots.opponents import opponent
from matcha_p2p.app.library.check_files import CheckedFile
from matcha_p2p.app.library.check_files import check_files as verify_many
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import Failure, Report, Verdict, Verification, verify_transcript
from matcha_p2p.errors import BotError, Check, CheckError, MatchaError, TranscriptError
from matcha_p2p.games import new_game
from matcha_p2p.games.bots import serve as engines
from matcha_p2p.games.bots.bot import Bot
from matcha_p2p.games.front import HandNames
from matcha_p2p.games.game import Game
from matcha_p2p.games.matches import in_memory
from matcha_p2p.games.matches.match import ArenaWish
from matcha_p2p.games.new_game import NewGame, NewView
from matcha_p2p.review.export import exported
from matcha_p2p.review.steps import Replay
from matcha_p2p.table import labelled_deck as deck
from matcha_p2p.table import moves, steps
from matcha_p2p.table.game import Find, TableGame
from matcha_p2p.table.seat import SECRET_SIZE, Secrets, state_record
from matcha_p2p.wire.statements import Expose

__all__ = [
    "GAMES",
    "Bot",
    "BotError",
    "Check",
    "CheckError",
    "CheckedFile",
    "Failure",
    "MatchaError",
    "NewGame",
    "NewView",
    "Replay",
    "Report",
    "Secrets",
    "Standing",
    "TranscriptError",
    "Verdict",
    "arena",
    "bot",
    "deck",
    "export",
    "hands",
    "moves",
    "new_secrets",
    "play",
    "replay",
    "serve",
    "steps",
    "verify",
    "verify_many",
]

GAMES = tuple(games.FOLDERS)
"""The names of the games of this package; other packages may add games."""


class Standing(NamedTuple):
    """A bot's place in an ``arena``.

    value: how far the bot is ahead of the mean of all bots: in Elo points, in Tichu in points a
    round. low, high: the 95 % interval.
    """

    name: str
    value: float
    low: float
    high: float


def verify(transcript: bytes, game: NewGame | None = None) -> Report:
    """Return the report on a transcript, any bytes: the verdict, and the first failure or None.

    game: a game of the caller's own, before its first step. Without it, the installed games are
    known. Cost: about 1 s a game of Matcha; at most 64 MiB are read. Raises nothing: a file
    that is no transcript has the verdict INVALID. Source: SPEC#verdicts.

    >>> report = api.verify(transcript)
    >>> report.verdict, report.failure, report.result.winners
    (<Verdict.COMPLETE: 'COMPLETE'>, None, (0,))
    >>> api.verify(transcript[:-1]).verdict
    <Verdict.INVALID: 'INVALID'>
    """
    if game is None:
        return verify_transcript(transcript)
    known = Verification(new_game.finder(game), new_game.ended)
    return verify_transcript(transcript, verification=known)


def replay(report: Report) -> Replay[Any, Any]:
    """Return a valid game as steps: ``steps`` are values, ``sentences(at)`` tells a step.

    at: 0 to ``len(steps)`` - 1. Sentences are in the language of the program, English if none
    is chosen. A game that has not begun has no steps.

    Raises:
        ValueError: the transcript is not valid, or its game is not installed.

    >>> game = api.replay(api.verify(transcript))
    >>> len(game.steps), game.sentences(len(game.steps) - 1)
    (40, ['greedy wins: 4 leaf tokens.'])
    """
    return _game_of(report).needed(Game.replay)(report)


def hands(report: Report) -> HandNames:
    """Return the hands that lie open: by set or round from the first, and by seat.

    A card is a text as in ``export``, for example ``"T3"``, or None for an unknown card. Of
    Matcha, open books show whole hands, and mats the cards turned up; Tichu shows all hands
    after each round. A game without hands has [].

    Raises:
        ValueError: as for ``replay``.

    >>> api.hands(api.verify(transcript))[0]
    [['B2', 'S4', 'S1', 'W2', 'B1'], ['Z', 'W1', 'T2', 'Z', 'W3']]
    """
    return _game_of(report).needed(Game.export).hands(report)


def export(report: Report) -> Mapping[str, object]:
    """Return a valid game as values for JSON, as ``matcha export --format json`` prints them.

    Source: protocol/schemas/export.json. Seats, sets and rounds count from 0 in lists.

    Raises:
        ValueError: as for ``replay``.

    >>> game = api.export(api.verify(transcript))
    >>> game["format"], game["v"], game["verdict"]
    ('matcha-game', 1, 'COMPLETE')
    """
    return exported(_game_of(report), report)


def bot(game: str, name: str) -> Bot:
    """Return a bot of ``game`` by its name, or a program that plays after ``cmd:``.

    name: as for ``matcha practice --bot``. A program starts at its first question, has 30 s for
    a move, and ends with this process, or by its ``close``. Source: protocol/bots.md.

    Raises:
        KeyError: no game, or no bot, has the name.
        BotError: the bot needs a library that is missing here.

    >>> api.bot("tichu", "club").name
    'club'
    """
    if name.startswith(FOREIGN):
        return opponent(game, name)
    played = games.game_of(game)
    made = played.roster[name]
    played.bots.see_it_loads(name)
    return made


def play(
    game: str | NewGame,
    seats: Sequence[Bot],
    *,
    variant: str = "",
    open_books: bool = False,
    random_bytes: Callable[[int], bytes] = token_bytes,
) -> bytes:
    """Play a whole game in memory, signed and proven as over a line; return its transcript.

    seats: who plays, by seat: any values with ``name`` (1 to 24 characters) and
    ``choose(seen, rng)``, which returns a legal move. ``seen`` is the seat's knowledge, and
    ``seen.legal_moves()`` lists moves: of Kashi-ichi and Tichu not every one. ``help(seen)``
    describes its other parts, which may change with any version; the lines of ``serve`` keep
    their meaning. A seat is asked only if it has a choice. variant: the usual one if empty.
    open_books: show all hands at the end. random_bytes: the source of keys and of ``rng``; one
    that repeats itself, repeats the game, and everybody who knows it knows all cards. Cost:
    about 1 s a game of Matcha.

    Raises:
        KeyError: no game has the name.
        ValueError: the game has no such variant for so many seats.
        CheckError: a choice is no move, or breaks a rule (E_RULE); or no seat may have the
            name (E_TEXT).
        BotError: a bot is a program, and the program has failed.

    >>> class Last:
    ...     name = "last"
    ...
    ...     def choose(self, seen, rng):
    ...         return seen.legal_moves()[-1]
    >>> dice = random.Random(7)
    >>> seats = [api.bot("matcha", "greedy"), Last()]
    >>> made = api.play("matcha", seats, open_books=True, random_bytes=dice.randbytes)
    >>> made == transcript
    True
    """
    begun, known, eyes = _begun(game, variant, len(seats))
    sitting = [
        in_memory.Sitting(each.name, new_secrets(random_bytes), bot=True) for each in seats
    ]
    gathering = in_memory.meet(begun, sitting, random_bytes, known)
    rng = random.Random(random_bytes(SECRET_SIZE))  # noqa: S311 -- for the choices of bots
    table, entries = in_memory.play_out(gathering, seats, rng, eyes)
    records = [
        state_record(player, table, Expose(player.x))
        for player in gathering.players
        if open_books
    ]
    said, stated = ([item.encoded for item in items] for items in (entries, records))
    return encode_archive(said, stated, table.roster)


def arena(
    game: str,
    bots: Sequence[str],
    count: int,
    *,
    variant: str = "",
    seed: int | None = None,
    executor: Executor | None = None,
) -> list[Standing]:
    """Let each two bots play a match without cryptography; return all bots, the best first.

    bots: two names or more, as for ``bot``; ``serve`` shows how a bot of yours gets a name.
    count: how many games of Matcha, deals of Tichu or decks of Kashi-ichi a match has, as for
    ``matcha arena``. variant: the usual one if empty. seed: of all chance, a new one if None.
    executor: any executor of ``concurrent.futures``, which plays the games and stays open;
    without one, each core has a process. A program that fails resigns the game, and
    ``warnings`` tells why. A table of Kashi-ichi has three seats.

    Raises:
        ValueError: there are fewer than two bots or no games, or the game has no such variant.
        KeyError: no game, or no bot, has the name.
        BotError: a bot needs a library that is missing here, or is a program that does not
            start.
        KeyboardInterrupt: Ctrl-C has stopped a match.

    >>> for each in api.arena("matcha", ["uniform", "greedy", "club"], 8, seed=7):
    ...     print(f"{each.name} {each.value:+.0f} ({each.low:+.0f} to {each.high:+.0f})")
    club +90 (-31 to +211)
    greedy +21 (-82 to +124)
    uniform -111 (-246 to +24)
    """
    if len(bots) < 2 or count < 1:
        raise ValueError("an arena has two bots or more, and one game or more")
    offered = games.game_of(game)
    known = offered.bots.names
    seats, named = offered.tables[0], variant or offered.variants[0]
    if named not in offered.variants:
        raise ValueError(f"{game} has no variant {named!r}")
    for name in bots:
        if not name.startswith(FOREIGN) and name not in known:
            raise KeyError(name)
    chance = randbits(32) if seed is None else seed
    wish = ArenaWish(tuple(bots), count, named, game, seats, chance, None)
    return [
        Standing(name, rating.value, rating.value - rating.reach, rating.value + rating.reach)
        for name, rating in standings(wish, executor)
    ]


def serve(
    game: str,
    bot: Bot,
    lines: Iterable[str] | None = None,
    write: Callable[[str], None] | None = None,
) -> None:
    """Play ``bot`` in a program of its own: answer a line at a time until the lines end.

    If a file ``mine.py`` ends with ``api.serve("matcha", Mine())``, the bot has the name
    ``cmd:python mine.py``, for ``bot``, for ``arena`` and for the program ``matcha``.

    lines, write: a JSON object a line; standard input and output if None. The
    answer to a wrong line is ``{"error": ..}``. If the bot raises an exception, the answer is
    ``{"error": ..}`` too, and standard error gets the traceback. Source: protocol/bots.md.

    Raises:
        KeyError: no game has the name.

    >>> api.serve("matcha", api.bot("matcha", "greedy"), ['{"do": "hello", "v": 1}'])
    {"v": 1, "name": "greedy", "editions": ["2015", "2020"]}
    """
    asked = sys.stdin if lines is None else lines
    engines.serve(games.game_of(game).needed(Game.exchange), bot, asked, write or _answer)


def _answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def new_secrets(random_bytes: Callable[[int], bytes] = token_bytes) -> Secrets:
    """Return the two seeds of a seat, or of a party of a deck, of 32 bytes each.

    Each game or deck needs new secrets. random_bytes: the operating system's. Another source is
    for tests alone, because the seeds give away all cards.

    >>> len(api.new_secrets().game)
    32
    """
    return Secrets(random_bytes(SECRET_SIZE), random_bytes(SECRET_SIZE))


def _begun(
    game: str | NewGame, variant: str, seats: int
) -> tuple[TableGame, Find, in_memory.Eyes]:
    """Return the game before its first step, and how the table and the seats see the game."""
    eyes: in_memory.Eyes
    if isinstance(game, NewGame):
        eyes = new_game
        name, usual, finds = game.name, game.variant, new_game.finder(game)
    else:
        eyes = games.game_of(game).rules
        name, usual, finds = game, games.game_of(game).variants[0], games.find
    begun = finds(name, variant or usual, seats)
    if begun is None:
        raise ValueError(f"{name} has no variant {variant or usual!r} for {seats} seats")
    return begun, finds, eyes


def _game_of(report: Report) -> Game:
    if report.failure is not None:
        raise ValueError(f"the transcript is not valid: {report.failure.sentence}")
    if report.game is None or report.game not in games.names():
        raise ValueError(f"{report.game} is not installed")
    return games.game_of(report.game)
