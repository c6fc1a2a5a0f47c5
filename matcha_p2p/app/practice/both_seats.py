"""A person plays a bot. Both seats are in this process, and play the whole protocol in memory.

A decision is taken back by a return to an earlier position, which is a value. The entries
signed since then are dropped; no other place does so. Everywhere else a chain only grows: two
entries of one seat for one place are a fork, and prove a breach. Dropping entries is sound only
here, for three reasons together:

* Both seats return together: no copy keeps an old entry in the place of a new entry.
* Nobody has seen the dropped entries, because entries never leave this process.
* All randomness follows from the secret, the head and the full input (SPEC#randomness). The
  same history gives the same bytes; another history gives independent masks and nonces. Two
  signatures for one place betray no key.

The links of the coin chains do not depend on the history. A holder of the dropped entries
would know the coins of later sets. Here nobody holds the dropped entries.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from secrets import token_bytes
from typing import Final, NamedTuple, TypeAlias

import trio

from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.narration.news import Decisions, Inform, News, TakeBack, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session import news, state
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import Arrived
from matcha_p2p.session.rematch import next_chain, next_score
from matcha_p2p.session.session import begin, step, taken_up
from matcha_p2p.table.seat import SECRET_SIZE, Secrets
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.talk import Proposal

PERSON: Final = 0
BOT: Final = 1
"""The two sides; the seats change from game to game."""

PracticeSide: TypeAlias = int
SideChoice: TypeAlias = tuple[PracticeSide, news.Choice]


class Position(NamedTuple):
    """The whole state of a practice at a moment.

    states: of both sessions, by side. sent: frames on their way, in order, each with the
    receiving side.
    """

    states: tuple[state.SessionState, ...] = ()
    sent: tuple[tuple[PracticeSide, Arrived], ...] = ()


class Practice:
    """The games of ``person`` against ``bot`` called ``name``.

    store: stores a finished game of the person before the next game.
    """

    def __init__(
        self, person: news.Terms, bot: BotSeat, name: str, store: Callable[[Chain], None]
    ) -> None:
        bots = news.Terms(name, person.game, None, open_book=False, stays=True)
        self._terms = [person, bots]
        self._bot: Final = bot
        self._store: Final = store
        self._score = (0, 0)  # games won, by the person and by the bot
        self._decided: Final[list[Position]] = []  # the position at each decision of the person
        self._inform: Inform = _tell_nobody
        self._tell_bot: Inform = _tell_nobody
        self._playing = trio.CancelScope()
        self._choose, self._choices = trio.open_memory_channel[SideChoice](math.inf)
        self.position = Position()

    async def play(self, inform: Inform) -> news.Ending:
        """Play to the end, with every undo on the way."""
        self._inform = inform
        ending: news.Ending | None = None
        try:
            link, psk = Binding(token_bytes(SECRET_SIZE)), Psk(token_bytes(SECRET_SIZE))
            chains = [Chain.begin(seat, _secrets(), link, psk) for seat in (Seat(0), Seat(1))]
            await self._begin(chains, link)
            while ending is None:
                ending = await self._go_on()
        finally:
            self._inform = _tell_nobody  # the person has left
            self._decided.clear()
        return ending

    def choose(self, wish: Wish) -> None:
        """Pass on the person's choice, or take a decision back.

        A move forced by the rules (R17) is no decision.
        """
        match wish:
            case TakeBack():
                if self._decided:
                    self._take_back()
                return
            case news.Propose(Proposal.REMATCH) | news.Leave():
                self._decided.clear()  # the bot agrees, so the game is final
                self._inform(Decisions(0))
            case news.MakeMove():
                if not self._is_asked():
                    return
                self._decided.append(self.position)
                self._inform(Decisions(len(self._decided)))
            case _:
                pass
        self._choose.send_nowait((PERSON, wish))

    def _is_asked(self) -> bool:
        """Tell whether the person has to make a move now."""
        if not self.position.states:
            return False
        chain = self.position.states[PERSON].chain
        made = [len(each.states[PERSON].chain.entries) for each in self._decided[-1:]]
        return chain.view is not None and made != [len(chain.entries)]

    def _take_back(self) -> None:
        """Return to the person's last decision; drop later choices that no seat has heard."""
        self.position = self._decided.pop()
        self._playing.cancel()
        self._choose, self._choices = trio.open_memory_channel[SideChoice](math.inf)
        chain = self.position.states[PERSON].chain
        for piece in (Decisions(len(self._decided)), taken_up(chain), news.MoveDue(chain.view)):
            self._inform(piece)

    async def _go_on(self) -> news.Ending | None:
        """Play on from the position; return the ending, or None for an undo."""
        ending = None
        told, heard = trio.open_memory_channel[News](math.inf)
        self._tell_bot, chosen = told.send_nowait, self._choose

        def choose(choice: news.Choice) -> None:
            chosen.send_nowait((BOT, choice))

        async with trio.open_nursery() as nursery:
            self._playing = nursery.cancel_scope
            seat = self.position.states[BOT].chain.seat
            nursery.start_soon(self._bot.play, seat, heard, choose)
            ending = await self._play_on()
            nursery.cancel_scope.cancel()
        return ending

    async def _play_on(self) -> news.Ending:
        """Let the seats hear sent frames first, then choices, to the end."""
        while True:
            states, sent = self.position
            match states[PERSON]:
                case state.SessionOver(ending=news.Finished(again=bytes(link)) as ending) if (
                    not sent
                ):
                    chains = [each.chain for each in states]
                    await self._begin_next(chains, ending, Binding(link))
                case state.SessionOver(ending=ending) | state.HangingUp(ending=ending) if (
                    not sent
                ):
                    return ending
                case _:
                    side, item = sent[0] if sent else await self._choices.receive()
                    self._follow(side, await _in_thread(partial(step, states[side], item)))

    async def _begin(self, chains: Iterable[Chain], link: Binding) -> None:
        """Begin the game of ``chains`` on ``link``."""
        begun = [
            await _in_thread(partial(begin, chain, terms, link))
            for chain, terms in zip(chains, self._terms, strict=True)
        ]
        self.position = Position(tuple(each for each, _ in begun))
        for side, (_, effects) in enumerate(begun):
            self._bring_about(side, effects)

    async def _begin_next(
        self, before: Sequence[Chain], ending: news.Finished, link: Binding
    ) -> None:
        """Store the finished game, and begin the next game."""
        await trio.to_thread.run_sync(self._store, before[PERSON])
        self.position = Position()  # so the game is stored once
        variant, _ = before[PERSON].next()
        self._terms = [replace(terms, variant=variant) for terms in self._terms]
        self._score = next_score(self._score, before[PERSON], ending)
        chains = [next_chain(chain, link, _secrets()) for chain in before]
        self._inform(news.NextGame(chains[PERSON].seat, self._score))
        ours, theirs = self._score
        self._tell_bot(news.NextGame(chains[BOT].seat, (theirs, ours)))
        await self._begin(chains, link)

    def _follow(self, side: PracticeSide, done: state.Transition) -> None:
        """Take the new state and the effects of a step of ``side``."""
        (*states,), sent = self.position
        states[side], effects = done
        self.position = Position(tuple(states), sent[1:])
        self._bring_about(side, effects)

    def _bring_about(self, side: PracticeSide, effects: Iterable[state.Effect]) -> None:
        """Pass on the frames and news of ``side``; talk is not kept."""
        inform = self._inform if side == PERSON else self._tell_bot
        for effect in effects:
            match effect:
                case state.Send(binding, frame):
                    states, sent = self.position
                    there = (1 - side, Arrived(binding, frame))
                    self.position = Position(states, (*sent, there))
                case state.Tell(piece):
                    inform(piece)
                case state.HangUp(_, why):
                    raise RuntimeError(why)  # both seats are ours
                case state.KeepTalk():
                    pass


async def _in_thread(work: Callable[[], state.Transition]) -> state.Transition:
    """Compute in a thread; when a decision is taken back, drop the result."""
    done = await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    await trio.lowlevel.checkpoint_if_cancelled()
    return done


def _secrets() -> Secrets:
    return Secrets(token_bytes(SECRET_SIZE), token_bytes(SECRET_SIZE))


def _tell_nobody(_: News) -> None:
    """Drop a piece of news: no front end listens."""
