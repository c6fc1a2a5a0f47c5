"""The lobby of a table, at its host and at a guest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import trio

from matcha_p2p.app.bots.bot_names import is_known, name_at_table
from matcha_p2p.app.bots.opponents import see_it_start
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.invite.lobby_keys import arranged, waits_for_word
from matcha_p2p.app.invite.show_invite import WATCH_KEY, show_watch_code
from matcha_p2p.app.nearby.guest_side import HOST
from matcha_p2p.app.nearby.host_side import DOOR, OpenTable
from matcha_p2p.console.lines import lobby as lines
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import Chosen, Menu, Pressed, Wait, Written
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import BotError, LobbyError, UnwantedGameError
from matcha_p2p.games import find, game_of
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import OwnSeat, draw_seat
from matcha_p2p.lobby.room import HostRoom, ReadyTable, visit
from matcha_p2p.narration.names import is_misleading, look_alike
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Terms, left_the_lobby
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.lobby import PACES, Lobby

TABLE: Final = Sentence("The table")
PLAYED: Final = Sentence("{game}. {rules}")
WISH: Final = Sentence("Your wish")
"""Headings for changes."""

_PARTNER: Final = Sentence("Who is your partner?")
_NEXT: Final = Sentence("Who sits after you?")
_REMOVE: Final = Sentence("Whose seat is to be empty?")
_SENDS_AWAY: Final = Sentence("A guest who sits there is sent away.")
_ALONE: Final = Sentence("Nobody else sits at the table.")
_NO_BOT: Final = "{name!r} is no bot. The bots are: {bots}."

CheckTable: TypeAlias = Callable[[Lobby], None]
"""Refuses the lobby of an unwanted table by an exception."""

_IN_LOBBY: Final = Sentence("Connected. The host begins the game.")


class LobbyTeller:
    """Tells the person of ``own`` who sits where."""

    def __init__(self, setup: SeatSetup, asker: Asker, own: OwnSeat) -> None:
        self._setup: Final = setup
        self._asker: Final = asker
        self._own: Final = own
        self._rules = ""  # in words; the game never changes

    def tell(self, lobby: Lobby) -> None:
        """Tell ``lobby``, and at the host also what the host can do."""
        key, shown = self._own.listed.session_key, list[str]()
        hosts = lobby.taken[0].session_key == key
        if not hosts:
            shown.append(self._played(lobby))
        if arranged(len(lobby.seats)):
            shown += lines.seat_lines(lobby.seats, lobby.game.name, key)
            window = game_of(lobby.game.name).window
            if window is not None:
                shown.append(window(seconds=lobby.pace))
            if hosts and not self._asker.redraws:
                shown += [lines.PACE()] if window is not None else []
                shown.append(lines.next_step(lobby))
        seats, game, variant = (
            lines.seat_facts(lobby.seats),
            lobby.game.name,
            lobby.game.variant,
        )
        self._setup.out.fact("lobby", game=game, variant=variant, seats=seats)
        self._asker.tell(TABLE(), shown)

    def _played(self, lobby: Lobby) -> str:
        """Return which game is played, by which rules or on which board."""
        name, variant = lobby.game.name, lobby.game.variant
        if not self._rules:
            played = game_of(name)
            boards = None if variant in played.variants else played.boards
            self._rules = (boards or played).described(variant)
        return PLAYED(game=game_of(name).named(variant), rules=self._rules)


class HostLobby:
    """The host's lobby.

    With one guest the game begins once the guest sits, and so does every game without a person
    at the host. With more seats to arrange, the host's person begins.

    psk: of the table. places: the seats kept for friends, by identity key. levels: the bot of
    each bot's seat, by the seat's session key.

    Raises:
        LobbyError: the game has no table with so many seats.
    """

    def __init__(
        self,
        setup: SeatSetup,
        asker: Asker,
        psk: Psk,
        places: Mapping[bytes, Seat] | None = None,
    ) -> None:
        own, terms = own_seat(setup), setup.terms
        game = find(terms.game, terms.variant or game_of(terms.game).variants[0], terms.seats)
        if game is None:
            raise LobbyError("This game has no table of {seats}.", seats=terms.seats)
        self.levels: Final[dict[bytes, str]] = {}
        self._setup: Final = setup
        self._asker: Final = asker
        self._game: Final = terms.game
        self._waits_for_word: Final = waits_for_word(terms)
        self._wanted = trio.Event()
        self._tell: Final = LobbyTeller(setup, asker, own).tell
        self._room: Final = HostRoom(
            HostTable.of_game(game, own, psk, places),
            self._heard,
            self._admits,
            self._left,
        )

    def _admits(self, name: str) -> bool:
        """Tell whether a guest's name deceives nobody, and is like no name at the table."""
        names = [seat.name for seat in self._room.lobby.taken]
        return not is_misleading(name) and not any(look_alike(name, it) for it in names)

    async def welcome(self, link: Link, _: Psk | None = None) -> None:
        """Keep a guest's line until the guest leaves, or has the roster."""
        await self._room.welcome(link)

    async def welcome_late(self, link: Link, lacks: Callable[[Seat], bool]) -> None:
        """Tell a guest that comes during the game that every seat is taken.

        A guest of the table gets the roster again, if its greeting is missing. lacks: tells
        whether the greeting of a seat is missing.
        """
        await self._room.welcome(link, lacks=lacks)

    @property
    def open_table(self) -> OpenTable:
        """The table for neighbours, who come without the invite."""
        return OpenTable(self._setup, lambda: self.free, self._welcome_neighbour)

    @property
    def free(self) -> int:
        """The number of empty seats."""
        lobby = self._room.lobby
        return len(lobby.seats) - len(lobby.taken)

    @property
    def alone(self) -> bool:
        """Whether nobody but the host sits at the table."""
        return len(self._room.lobby.taken) == 1

    @property
    def begun(self) -> bool:
        """Whether the game begins."""
        return self._room.begun

    async def start(self) -> ReadyTable:
        """Wait until the game begins; return the table."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            try:
                return await self._room.start()
            except LobbyError as error:
                self._asker.tell(WISH(), (sentence_of(error),))

    async def welcome_friend(self, link: Link, identity: bytes) -> None:
        """Keep the line of a friend that has called, and shows the key ``identity``."""
        await self._room.welcome(link, identity)

    async def attend(self, question: Wait, watch: Invite | None = None) -> None:
        """Do the host's wishes while ``question`` is shown, until the host ends the wait.

        watch: the watchers' invite, shown at key "w".
        """
        if watch is not None:
            question = question._replace(keys=(*question.keys, ("w", WATCH_KEY())))
        while True:
            match await self._asker.ask(question):
                case Written(text):
                    self.take(text)
                case Pressed("w") if watch is not None:
                    await show_watch_code(self._asker, watch)
                case Pressed(key):
                    await self.press(key)
                case _:
                    return
            if not self._asker.redraws:
                question = question._replace(said=())

    def take(self, text: str) -> None:
        """Do what the host has typed; tell why not, if it cannot be done."""
        self._fulfil(partial(lines.read_wish, text, len(self._room.lobby.seats)))

    def _fulfil(self, wish: Callable[[], lines.LobbyWish]) -> None:
        try:
            done = self._do(wish())
        except (LobbyError, BotError) as error:
            done = (sentence_of(error),)
        self._asker.tell(WISH(), done)

    async def press(self, key: str) -> None:
        """Do what the host wants with a key of the full screen."""
        match key:
            case "s":
                self._fulfil(lines.StartGame)
            case "b":
                self._fulfil(lines.FillSeat)
            case "t":
                pace = self._room.lobby.pace % len(PACES) + 1
                self._fulfil(partial(lines.SetPace, pace))
            case "x":
                seats = len(self._room.lobby.seats)
                team = game_of(self._game).rules.teams(seats)[0]
                place = team[1] if len(team) > 1 else Seat(1)
                chosen = await self._choose(_PARTNER() if place in team else _NEXT())
                if chosen is not None:
                    self._fulfil(partial(lines.SwapSeats, chosen, place))
            case _:
                chosen = await self._choose(_REMOVE(), _SENDS_AWAY())
                if chosen is not None:
                    self._fulfil(partial(lines.EmptySeat, chosen))

    async def _choose(self, question: str, *said: str) -> Seat | None:
        """Ask for somebody at the table; return the seat, if still taken."""
        _, *others = self._room.lobby.taken
        if not others:
            self._asker.tell(WISH(), (_ALONE(),))
            return None
        names = tuple(sitter.name for sitter in others)
        answer = await self._asker.ask(Menu(question, said, names))
        seats = self._room.lobby.seats
        if not isinstance(answer, Chosen) or others[answer.at] not in seats:
            return None
        return Seat(seats.index(others[answer.at]))

    async def _welcome_neighbour(self, link: Link, _: Psk) -> None:
        self._asker.tell(DOOR(), ())  # the code has done its work
        await self.welcome(link)

    def _heard(self, lobby: Lobby) -> None:
        self._tell(lobby)
        if lobby.full and not self._waits_for_word:
            self._wanted.set()

    def _left(self, name: str, farewell: bytes) -> None:
        self._asker.tell(DOOR(), (left_the_lobby(name, farewell),))

    def _do(self, wish: lines.LobbyWish) -> tuple[str, ...]:
        """Do ``wish``; return what the host is told beside the table.

        Raises:
            LobbyError, BotError: the wish cannot be done.
        """
        match wish:
            case lines.StartGame():
                self._wanted.set()
            case lines.FillSeat(name):
                self._add_bot(name)
            case lines.EmptySeat(seat):
                sitter = self._room.lobby.seats[seat]
                self._room.change(lambda table: table.empty(seat))
                if sitter is not None and not sitter.bot:
                    return (lines.SENT_AWAY(name=sitter.name),)
            case lines.SwapSeats(one, other):
                self._room.change(lambda table: table.swap(one, other))
            case lines.SetPace(seconds):
                self._room.change(lambda table: table.with_pace(seconds))
        return ()

    def _add_bot(self, name: str) -> None:
        known = game_of(self._game).bots
        level = name or known.levels[len(known.levels) // 2]
        if not is_known(self._game, level):
            raise LobbyError(_NO_BOT, name=level, bots=", ".join(known.names))
        see_it_start(self._game, level)
        taken = [seat.name for seat in self._room.lobby.taken]
        bot = draw_seat(name_at_table(level, taken, among_bots=False), bot=True)
        self._room.change(lambda table: table.add_bot(bot))
        self.levels[bot.listed.session_key] = level


def own_seat(setup: SeatSetup) -> OwnSeat:
    """Draw the seat of this program's player."""
    identity = setup.terms.identity
    return draw_seat(setup.terms.name, None if identity is None else public_key(identity))


@dataclass(frozen=True, slots=True)
class GuestSeat:
    """A guest with a seat. setup: for the game of the table."""

    ready: ReadyTable
    setup: SeatSetup


class _Guest:
    """What a guest hears of the host's table. check: refuses a table by an exception."""

    def __init__(
        self, setup: SeatSetup, asker: Asker, own: OwnSeat, check: CheckTable | None
    ) -> None:
        self._setup: Final = setup
        self._asker: Final = asker
        self._own: Final = own
        self._teller: Final = LobbyTeller(setup, asker, own)
        self._check: Final = check
        self._seated: SeatSetup | None = None

    def hear(self, lobby: Lobby) -> None:
        """Tell the person, or refuse the table.

        Raises:
            LobbyError: the name of another player is misleading, or the person wants another
                edition.
            HandshakeError, LobbyError, CommandError: as ``check``, or as ``another`` of the
                setup.
        """
        if self._check is not None:
            self._check(lobby)
        _check_names(lobby, self._own)
        _check_edition(lobby, self._setup.terms)
        table = lobby.game.name, len(lobby.seats)
        terms, another = self._setup.terms, self._setup.another
        if another is not None and self._seated is None and table != (terms.game, terms.seats):
            self._seated = another(*table)
        self._asker.tell(HOST(), (_IN_LOBBY(),))
        self._teller.tell(lobby)

    def seated(self, ready: ReadyTable) -> GuestSeat:
        """Return the guest at the table."""
        return GuestSeat(ready, self._seated or self._setup)


async def sit_down(
    setup: SeatSetup,
    asker: Asker,
    link: Link,
    own: OwnSeat | None = None,
    check: CheckTable | None = None,
) -> GuestSeat:
    """Join the host's table on ``link``; return once the host begins.

    own: the seat of an earlier JOIN at this table. check: refuses a table by an exception.

    Raises:
        LinkError, LobbyError: as ``visit``.
        HandshakeError, CommandError: the table was refused.
    """
    own = own or own_seat(setup)
    guest = _Guest(setup, asker, own, check)
    try:
        return guest.seated(await visit(link, own, find, guest.hear))
    except BaseException:  # also when the guest has changed its mind
        with trio.CancelScope(shield=True):
            await link.abort()
        raise


def _check_names(lobby: Lobby, own: OwnSeat) -> None:
    """Refuse a table where another player's name could be read as words of this program.

    Raises:
        LobbyError: a name is misleading.
    """
    if any(is_misleading(seat.name) for seat in lobby.taken if seat != own.listed):
        raise LobbyError(
            "The name of a player at this table contains a quotation mark, a date, or words "
            "that this program says about players. Ask the host whom you meet there.",
            code="peer-name",
        )


def _check_edition(lobby: Lobby, terms: Terms) -> None:
    """Refuse a table of the wanted game in another variant than the wanted.

    Raises:
        UnwantedGameError: the host plays another edition, or by other rules.
    """
    game, wanted = lobby.game, terms.variant
    if game.name == terms.game and wanted not in (None, game.variant):
        raise UnwantedGameError(
            "{name} plays edition {edition}, and you asked for {wanted}. Agree on one edition.",
            code="edition",
            name=lobby.taken[0].name,
            edition=game.variant,
            wanted=wanted,
        )
