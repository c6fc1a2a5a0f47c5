"""Practice: the table is shown at once, and the game is loaded meanwhile."""

from functools import partial
from typing import TYPE_CHECKING, Final

import trio

from matcha_p2p.app.bots.bot_names import FOREIGN
from matcha_p2p.app.command.outcomes import SIGNALLED, CommandError, Exit
from matcha_p2p.app.game.keep import SavedGames, kept, trying
from matcha_p2p.app.game.run_game import SeatSetup, run_game
from matcha_p2p.games import game_of
from matcha_p2p.games.front import Advise, Judgement
from matcha_p2p.games.game import Game, View
from matcha_p2p.narration.news import Inform, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Ending, Interrupted

if TYPE_CHECKING:
    from matcha_p2p.app.game.bot_seat import BotSeat
    from matcha_p2p.app.practice.table_of_bots import Practice
    from matcha_p2p.session.chain import Chain


class PracticeGame:
    """A game against ``bot`` at every other seat, played by ``table_of_bots``.

    seats: of the table. talks: whether a bot of ours talks. complaints: of the bot's program.
    said: sentences about the stored games. saved: stores the games.
    """

    def __init__(
        self, setup: SeatSetup, bot: str, seed: int | None, seats: int, *, talks: bool
    ) -> None:
        self._setup: Final = setup
        self._bot: Final = bot
        self._seed: Final = seed
        self._seats: Final = seats
        self._talks: Final = talks
        self._early: Final[list[Wish]] = []
        self._practice: Practice | None = None
        self._said: Final[list[str]] = []
        self.saved: Final = SavedGames(setup.home, setup.out)
        self.complaints: Final[list[str]] = []

    async def play(self, inform: Inform) -> Ending:
        """Load the game's modules, and play to the end."""
        self._practice = self._load()
        for wish in self._early:
            self._practice.choose(wish)
        return await self._practice.play(inform)

    def choose(self, wish: Wish) -> None:
        """Pass on the person's choice; until the game is loaded, keep the choice."""
        if self._practice is None:
            self._early.append(wish)
        else:
            self._practice.choose(wish)

    @property
    def chain(self) -> "Chain | None":
        """The person's copy of the game, None before the beginning."""
        return None if self._practice is None else self._practice.chain

    def conclude(self, ending: Ending, caught: list[int]) -> int:
        """Store the game, and say how the game ended; return the exit code.

        Raises:
            CommandError: the game was stopped before the beginning, or left.
            HomeError: the game cannot be stored.
        """
        setup = self._setup
        while self._said:
            setup.out.say(self._said.pop(0))
        chain = self.chain
        if chain is None:
            raise CommandError(SIGNALLED + caught[0], "Stopped before the game began.")
        match ending:
            case _ if chain.finished:
                setup.out.say(kept(self.saved.conclude(chain), setup.out))
                return Exit.DONE
            case Interrupted(why):
                pass
            case _:
                raise RuntimeError(f"all seats are ours: {ending}")
        setup.out.fact("interrupted", why=why, journal=None)
        raise CommandError(
            SIGNALLED + caught[0] if caught else Exit.INTERRUPTED,
            "{why} Practice games left early are not saved.",
            code="practice-left",
            why=why,
        )

    def _keep(self, chain: "Chain") -> None:
        """Store a game that is over."""
        self._said.append(kept(self.saved.conclude(chain), self._setup.out))

    def _load(self) -> "Practice":
        # Imported when the table is on the screen: these modules are most of the program.
        from matcha_p2p.app.bots.bot_names import name_at_table
        from matcha_p2p.app.practice.table_of_bots import Practice, Sitter

        terms = self._setup.terms
        names = [terms.name]
        for _ in range(1, self._seats):
            names.append(name_at_table(self._bot, names, among_bots=True))
        sitters = [Sitter(each, self._bot_seat()) for each in names[1:]]
        return Practice(terms, sitters, self._keep)

    def _bot_seat(self) -> "BotSeat":
        from matcha_p2p.app.bots.opponents import opponent
        from matcha_p2p.app.game.bot_seat import BotSeat, silence

        game = self._setup.terms.game
        talker = game_of(game).talker
        talks = self._talks and talker is not None and not self._bot.startswith(FOREIGN)
        return BotSeat(
            opponent(game, self._bot),
            game,
            self._seed,
            _say_nothing,
            complain=self.complaints.append,
            banter=talker(self._seed).remark if talks and talker else silence,
        )


async def practise(
    setup: SeatSetup, bot: str, seed: int | None, seats: int, *, talks: bool
) -> int:
    """Play against ``bot``; return the exit code. Only the transcript of the game is kept."""
    game = PracticeGame(setup, bot, seed, seats, talks=talks)
    try:
        ending, caught = await run_game(Seat(0), setup, game, game.saved)
    finally:
        for sentence in game.complaints:
            setup.out.warn(sentence)
    ask = None if caught else setup.ask
    return await trying(partial(game.conclude, ending, caught), ask, setup.out)


def adviser(game: str) -> Advise:
    """Return a good player of ``game``, who judges the possible moves."""

    def advise(view: View) -> Judgement:
        # Loaded when a hint is asked for: the table is shown without the bots.
        return game_of(game).needed(Game.advise)(view)

    return advise


def _say_nothing(_: str) -> None:
    """Print nothing: the person's own front end shows the game."""


def run(setup: SeatSetup, bot: str, seed: int | None, seats: int, *, talks: bool = True) -> int:
    """Play a practice game; return the exit code.

    seats: of the table. talks: whether a bot of ours talks.

    Raises:
        BotError: the bot is a program that cannot be started, or lacks its libraries.
    """
    if bot.startswith(
        (FOREIGN, *game_of(setup.terms.game).bots.stand_ins)
    ):  # no other fails, and the table is shown sooner
        from matcha_p2p.app.bots.opponents import see_it_start

        see_it_start(setup.terms.game, bot)
    return trio.run(partial(practise, setup, bot, seed, seats, talks=talks))
