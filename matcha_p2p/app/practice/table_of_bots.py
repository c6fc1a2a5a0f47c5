"""A person plays one to three bots. All seats are in this process, at one table in memory.

The whole protocol is played: each seat has keys of its own, and signs what it says. An entry is
not checked when it is said. The person's program verifies the whole game at its end.

A decision is taken back by a return to an earlier position, which is a value. The entries that
were signed since then are dropped, and this is the only place where that is done. Everywhere
else a chain only grows: two entries of one seat for one place are a fork, and prove a breach.
To drop them is sound here, and only here, for three reasons together:

* All seats return together: there is one chain, and no other copy of it.
* Nobody else has seen the dropped entries, because they never leave this process.
* All randomness follows from the secret, the head and the full input (PEER#randomness). The
  same history gives the same bytes, and another one gives independent masks and nonces. Two
  signatures for one place betray no key.

The links of the coin chains do not depend on the history. Somebody with the dropped entries
would know the coins of later sets. Here nobody has them.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from secrets import token_bytes
from typing import Final, NamedTuple, TypeAlias, TypeVar

import trio

from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.errors import HomeError, IllegalMoveError
from matcha_p2p.games import find, game_of
from matcha_p2p.games.game import Event, Move, View
from matcha_p2p.games.matches import in_memory
from matcha_p2p.narration.news import Decisions, Inform, News, TakeBack, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.step.effects import resigned_told
from matcha_p2p.table import seat as table_seat
from matcha_p2p.table.game import TableGame
from matcha_p2p.table.step import TableEvent
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.statements import Expose, Statement
from matcha_p2p.wire.talk import Phrase, Proposal

SeatChoice: TypeAlias = tuple[Seat | None, news.Choice]
"""A choice, and the seat of the bot that has made it; None for the person."""

_Standing: TypeAlias = tuple[Chain, Mapping[Seat, tuple[Event, ...]]]
"""The person's copy of a game, and the events of each seat."""

Result = TypeVar("Result")


class Sitter(NamedTuple):
    """Somebody at the table. bot: None for the person. won: how many games so far."""

    name: str
    bot: BotSeat | None
    won: int = 0


class Practice:
    """The games of ``person`` against ``bots``.

    store: stores a game that is followed by another one. chain: the game as the person has it;
    None before it begins.
    """

    def __init__(
        self, person: news.Terms, bots: Sequence[Sitter], store: Callable[[Chain], None]
    ) -> None:
        self._game: Final = person.game
        self._passes: Final = person.passes
        self._variant = person.variant or game_of(person.game).variants[0]
        self._sitters = (Sitter(person.name, None), *bots)  # by seat
        self._players: tuple[table_seat.Player, ...] = ()  # by seat
        self._store: Final = store
        self._decided: Final[list[_Standing]] = []  # at each decision of the person
        self._told: Mapping[Seat, tuple[Event, ...]] = {}  # the events of the game, by seat
        self._asked: View | None = None  # what the person sees, who is to move
        self._inform: Inform = _tell_nobody
        self._bots: Mapping[Seat, Inform] = {}
        self._playing = trio.CancelScope()
        self._choose, self._choices = trio.open_memory_channel[SeatChoice](math.inf)
        self.chain: Chain | None = None

    async def play(self, inform: Inform) -> news.Ending:
        """Play to the end, with every undo on the way."""
        self._inform = inform
        last: news.Leave | news.Propose | None = None
        try:
            while not isinstance(last, news.Leave):
                last = await self._go_on()
                if isinstance(last, news.Propose) and not await self._move_on():
                    break
        finally:
            self._inform = _tell_nobody  # the person has left: nobody is there to be told
            self._decided.clear()
        chain = self._begun
        if chain.ended is None:
            return news.Interrupted(news.YOU_LEFT())
        return news.Finished(chain.ended, seen_off=True)

    def choose(self, wish: Wish) -> None:
        """Pass on what the person chooses, or take a decision back.

        A choice that the rules make (R17), or the program without a question, is no decision.
        """
        match wish:
            case TakeBack():
                if self._decided:
                    self._take_back()
                return
            case news.Propose(Proposal.REMATCH) | news.Leave():
                self._decided.clear()  # the game stays so
                self._inform(Decisions(0))
            case news.MakeMove(move):
                if self._asked is None:
                    return
                if self._is_decision(self._asked, move):
                    self._decided.append((self._begun, self._told))
                    self._inform(Decisions(len(self._decided)))
                self._asked = None
            case _:
                pass
        self._choose.send_nowait((None, wish))

    def _is_decision(self, view: View, move: Move) -> bool:
        if len(view.legal_moves()) < 2:
            return False
        undecided = game_of(self._game).undecided
        return undecided is None or undecided(view, calls=False) != move

    @property
    def _begun(self) -> Chain:
        if self.chain is None:
            raise RuntimeError("no game has begun")
        return self.chain

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(sitter.name for sitter in self._sitters)

    def _take_back(self) -> None:
        """Return to the person's last decision; what is chosen and not heard yet is dropped."""
        self.chain, self._told = self._decided.pop()
        self._asked = None
        self._playing.cancel()
        self._choose, self._choices = trio.open_memory_channel[SeatChoice](math.inf)
        self._inform(Decisions(len(self._decided)))

    async def _go_on(self) -> news.Leave | news.Propose | None:
        """Play on from where the game stands; return what ends that, or None for an undo."""
        last = None
        async with trio.open_nursery() as nursery:
            self._playing = nursery.cancel_scope
            self._bots = {
                Seat(seat): self._let_play(bot, Seat(seat), nursery)
                for seat, (_, bot, _) in enumerate(self._sitters)
                if bot is not None
            }
            last = await self._play_on()
            nursery.cancel_scope.cancel()
        return last

    def _let_play(self, bot: BotSeat, seat: Seat, nursery: trio.Nursery) -> Inform:
        """Let ``bot`` play in ``nursery``; return what tells it news."""
        told, heard = trio.open_memory_channel[News](math.inf)
        chosen = self._choose

        def choose(choice: news.Choice) -> None:
            if not nursery.cancel_scope.cancel_called:
                chosen.send_nowait((seat, choice))

        nursery.start_soon(bot.play, seat, heard, choose)
        return told.send_nowait

    async def _play_on(self) -> news.Leave | news.Propose:
        """Let the seats speak until the person leaves, or wants another game."""
        if self.chain is None:
            await self._begin()
        else:
            self._tell_of_undo(self.chain)
        await self._follow()
        while True:
            by, choice = await self._choices.receive()
            chain = self._begun
            seat = chain.seat if by is None else by
            match choice:
                case news.MakeMove(move) if not chain.finished:
                    with suppress(IllegalMoveError):  # the seat is asked again
                        await self._say(
                            partial(table_seat.decide, self._players[seat], chain.table, move)
                        )
                    await self._follow()
                case news.Concede() if chain.ended is None:
                    await self._resign(seat)
                case Phrase(number) if by is not None:
                    self._inform(news.PhraseHeard(number, self._sitters[by].name, Seat(by)))
                case news.Propose(Proposal.BOOKS) if chain.finished and not chain.exposed:
                    for player in self._players:
                        await self._declare(player.seat, Expose(player.x))
                        self._inform(news.Exposed(player.seat))
                    self._inform(news.Settled(self._begun.transcript))
                case news.Propose(Proposal.REMATCH) if chain.finished:
                    self._inform(news.Wishes(self._names, ()))  # bots agree
                    return choice
                case news.Leave():
                    return choice
                case _:
                    pass

    async def _begin(self) -> None:
        """Let all greet each other."""
        game = find(self._game, self._variant, len(self._sitters))
        if game is None:
            raise ValueError(f"{self._game} is not for {len(self._sitters)} seats")
        self.chain, self._players, events = await _in_thread(partial(_met, game, self._sitters))
        self._told = {player.seat: () for player in self._players}
        await self._tell_events(events)

    def _tell_of_undo(self, chain: Chain) -> None:
        """Tell each seat from where the game goes on."""
        for player in self._players:
            hand = game_of(self._game).rules.hand(player, chain.table)
            self._tell(player.seat, news.TakenUp(chain.game, self._names, hand))

    async def _move_on(self) -> bool:
        """Store the game that is over, and let all take their seats for the next one.

        If the disk refuses the game, return False: the person is asked once the table closes.
        """
        chain = self._begun
        try:
            await trio.to_thread.run_sync(self._store, chain)
        except HomeError:
            return False
        self.chain = None  # nobody stores that game again
        winners = () if chain.ended is None else chain.ended.winners
        self._sitters = tuple(
            sitter._replace(won=sitter.won + (seat in winners))
            for seat, sitter in enumerate(self._sitters)
        )
        self._variant, own = chain.next(), chain.seat
        others = (*self._sitters[:own], *self._sitters[own + 1 :])
        score = (self._sitters[own].won, *(other.won for other in others))
        self._inform(news.NextGame(score))
        return True

    async def _follow(self) -> None:
        """Let seats say what needs no decision, and ask for one; or tell that all is said."""
        self._asked = None
        while not self._begun.finished:
            table = self._begun.table
            player = self._players[table.owing[0].seat]
            eyes, told = game_of(self._game).rules, self._told[player.seat]
            person = player.seat not in self._bots and not self._passes
            ask = partial(in_memory.undecided, player, table, eyes, told, person=person)
            view = await self._say(ask)
            if view is not None:
                self._asked = None if player.seat in self._bots else view
                self._tell(player.seat, news.MoveDue(view))
                return
        self._tell_all(news.Settled(self._begun.transcript))

    async def _say(self, speak: Callable[[], table_seat.Said | View]) -> View | None:
        """Add what a seat says, and tell all; return what it sees if it has to be asked."""
        said = await _in_thread(speak)
        if not isinstance(said, table_seat.Said):
            return said
        chain = self._begun
        self.chain = replace(chain, state=said.table, entries=(*chain.entries, said.entry))
        await self._tell_events(said.events)
        return None

    async def _resign(self, seat: Seat) -> None:
        """Let ``seat`` resign, or offer this to its partner; tell all."""
        before = self._begun
        await self._declare(seat, before.resignation(seat))
        for told in resigned_told(self._begun, before):
            self._tell_all(told.news)
        if self._begun.finished:
            await self._follow()

    async def _declare(self, seat: Seat, statement: Statement) -> None:
        """Add a record of ``seat``."""
        chain = self._begun
        record = await _in_thread(
            partial(table_seat.state_record, self._players[seat], chain.table, statement)
        )
        self.chain = replace(chain, records=(*chain.records, record))

    async def _tell_events(self, events: Sequence[TableEvent]) -> None:
        """Tell each seat what it may know of ``events``, which led to where the game stands."""
        game = self._begun.game
        told = game_of(self._game).rules.told
        for player in self._players:
            heard = await _in_thread(partial(told, events, player))
            self._told = {**self._told, player.seat: (*self._told[player.seat], *heard)}
            for event in heard:
                self._tell(player.seat, news.GameEvent(event, game))

    def _tell_all(self, piece: News) -> None:
        for player in self._players:
            self._tell(player.seat, piece)

    def _tell(self, seat: Seat, piece: News) -> None:
        self._bots.get(seat, self._inform)(piece)


def _met(
    game: TableGame, sitters: Sequence[Sitter]
) -> tuple[Chain, tuple[table_seat.Player, ...], tuple[TableEvent, ...]]:
    """Return a game in which all have greeted, by the person's copy, and what has happened."""
    # Nobody is linked: the psk is of no use, but a chain wants one.
    psk = Psk(token_bytes(table_seat.SECRET_SIZE))
    secrets = [_secrets() for _ in sitters]
    own = next(seat for seat, sitter in enumerate(sitters) if sitter.bot is None)
    seats = [
        in_memory.Sitting(sitter.name, made, bot=sitter.bot is not None)
        for sitter, made in zip(sitters, secrets, strict=True)
    ]
    company = in_memory.meet(game, seats, token_bytes, find)
    me = company.players[own]
    chain = Chain(me.seat, me.secrets, psk, company.table, me, company.entries)
    return chain, company.players, company.events


def _secrets() -> table_seat.Secrets:
    return table_seat.Secrets(
        token_bytes(table_seat.SECRET_SIZE), token_bytes(table_seat.SECRET_SIZE)
    )


async def _in_thread(work: Callable[[], Result]) -> Result:
    """Compute in a thread; when a decision is taken back, nothing comes of it."""
    done = await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    await trio.lowlevel.checkpoint_if_cancelled()
    return done


def _tell_nobody(_: News) -> None:
    """Drop a piece of news: nobody is there to be told."""
