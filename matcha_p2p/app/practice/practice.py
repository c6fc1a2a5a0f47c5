"""Practice: the table is shown at once, and what plays the game is loaded behind it."""

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.bot_names import FOREIGN
from matcha_p2p.app.game.run_game import SeatSetup, run_game
from matcha_p2p.app.outcomes import SIGNALLED, CommandError
from matcha_p2p.games.matcha.bots import STAND_INS
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.narration.news import Inform, Wish
from matcha_p2p.session.news import Ending

if TYPE_CHECKING:
    from matcha_p2p.app.game.play import FinishedGames
    from matcha_p2p.app.practice.both_seats import Practice

PERSON: Final = Seat(0)

_ITERATIONS: Final = 3000
"""Iterations of the search for a hint."""


class PracticeGame:
    """A game against ``bot``, as ``both_seats`` plays it, with its files in ``folder``.

    talks: whether a bot of ours does. complaints: of the bot's program.
    """

    def __init__(
        self, setup: SeatSetup, bot: str, seed: int | None, folder: Path, *, talks: bool
    ) -> None:
        self._setup: Final = setup
        self._bot: Final = bot
        self._seed: Final = seed
        self._folder: Final = folder
        self._talks: Final = talks
        self._early: Final[list[Wish]] = []
        self._loaded: tuple[Practice, FinishedGames] | None = None
        self.complaints: Final[list[str]] = []

    async def play(self, inform: Inform) -> Ending:
        """Load what plays the game, and play to the end."""
        practice, _ = self._loaded = self._load()
        for wish in self._early:
            practice.choose(wish)
        return await practice.play(inform)

    def choose(self, wish: Wish) -> None:
        """Pass on what the person chooses, as soon as somebody takes it."""
        if self._loaded is None:
            self._early.append(wish)
        else:
            self._loaded[0].choose(wish)

    def close(self) -> None:
        """Close the journals of both seats."""
        if self._loaded is not None:
            self._loaded[0].close()

    async def conclude(self, ending: Ending, caught: list[int]) -> int:
        """Store the game, and say how it ended; return the exit code.

        Raises:
            CommandError: it was stopped before it began.
        """
        if self._loaded is None or not self._loaded[0].series:
            raise CommandError(SIGNALLED + caught[0], "Stopped before the game began.")
        practice, finished = self._loaded
        series = practice.series[PERSON]
        return await trio.to_thread.run_sync(finished.conclude, series, ending, caught)

    def _load(self) -> "tuple[Practice, FinishedGames]":
        # Imported here, when the table is on the screen: this is most of the program.
        from matcha_p2p.app.bot_names import called
        from matcha_p2p.app.game.bot_seat import BotSeat, silence
        from matcha_p2p.app.game.play import FinishedGames
        from matcha_p2p.app.opponents import opponent
        from matcha_p2p.app.practice.banter import Talker
        from matcha_p2p.app.practice.both_seats import Practice

        talks = self._talks and not self._bot.startswith(FOREIGN)
        unattended = BotSeat(
            opponent(self._bot),
            self._seed,
            _say_nothing,
            complain=self.complaints.append,
            agrees=True,
            banter=Talker(self._seed).remark if talks else silence,
        )
        finished = FinishedGames(self._setup)
        terms, name = self._setup.terms, called(self._bot)
        return Practice(terms, unattended, name, self._folder, finished.store), finished


async def practise(setup: SeatSetup, bot: str, seed: int | None, *, talks: bool) -> int:
    """Play against ``bot``; return the exit code. Only the transcript of the game is kept."""
    with tempfile.TemporaryDirectory(prefix="matcha-practice-") as folder:
        setup = replace(setup, lasting=False)
        game = PracticeGame(setup, bot, seed, Path(folder), talks=talks)
        try:
            ending, caught = await run_game(PERSON, setup, game)
        finally:
            game.close()
            for sentence in game.complaints:
                setup.out.warn(sentence)
        return await game.conclude(ending, caught)


def advise(observation: Observation) -> Judgement:
    """Return what the strong bot thinks of the moves; for cards to keep, only its choice."""
    # Imported when a hint is asked for: the table is shown without the bots.
    from matcha_p2p.games.matcha.bots.judge import judge
    from matcha_p2p.games.matcha.bots.valuation.keeping import kept

    if isinstance(observation.game.phase, Keeping):
        return Judgement((JudgedMove(kept(observation), 0.5, 0.5),), exact=False)
    return judge(observation, _ITERATIONS)


def _say_nothing(_: str) -> None:
    """Print nothing: the person's own front end shows the game."""


def run(setup: SeatSetup, bot: str, seed: int | None, *, talks: bool = True) -> int:
    """Play one practice game; return the exit code. talks: whether a bot of ours does.

    Raises:
        BotError: the bot is a program that cannot be started, or lacks its libraries.
    """
    if bot.startswith((FOREIGN, *STAND_INS)):  # no other fails, and the table is shown sooner
        from matcha_p2p.app.opponents import see_it_start

        see_it_start(bot)
    return trio.run(partial(practise, setup, bot, seed, talks=talks))
