"""A table of four over loopback: people and bots sit down, play, and leave."""

import re
import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from importlib.resources import files

import pytest
import trio

from matcha_p2p.app.bots.bot_names import PEOPLE
from matcha_p2p.app.game.seat import set_up_seat
from matcha_p2p.app.invite import host, join
from matcha_p2p.app.invite.given_places import read_places
from matcha_p2p.app.invite.lobby import TABLE, WISH, HostLobby
from matcha_p2p.app.nearby.guest_side import HOST
from matcha_p2p.console.menu.menu import Back, Chosen, TextField
from matcha_p2p.errors import HomeError, LinkError, LobbyError
from matcha_p2p.games.kashi.board.board_file import read_board
from matcha_p2p.games.kashi.table.written import digest
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.names import Psk
from tests import processes
from tests.app.invite.test_host import Glass
from tests.app.people import PATIENCE, loopback

SHIPPED = files("matcha_p2p.games.kashi.board").joinpath("board.toml").read_text()


@asynccontextmanager
async def lobby(player):
    """Let ``player`` host until the body ends; yield the invite."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.host)
        yield Invite.parse(await player.reads(r"(matcha1\w+)"))
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def table_of_kashi(player, folder, board):
    """Let ``player`` host three on ``board`` until the body ends; yield the invite."""
    file = folder / "board.toml"
    file.write_text(board)
    options = {"name": "Mia", "ui": "line", "board": file}
    home, out = player.setup.home, player.screen
    table = {**options, "game": "kashi", "seats": 3}
    setup = set_up_seat(out, home, table, player.keyboard)
    wish = host.HostWish(read_places(["127.0.0.1"]), 0, router=False, answers=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.host, setup, player.ask, wish)
        yield Invite.parse(await player.reads(r"(matcha1\w+)"))
        nursery.cancel_scope.cancel()


async def test_guests_see_the_board_of_the_host_and_play_on_it(mia, ann, tmp_path):
    board = SHIPPED.replace('"rice"', '"barley"')
    table = table_of_kashi(mia, tmp_path, board)
    async with table as invite, trio.open_nursery() as nursery:
        nursery.start_soon(ann.join, invite)
        told = await ann.reads(r"(Kashi-ichi\. A board of the host's own.*\n)")
        assert "Rows: 7; columns: 7; goods: barley, chestnut, plum" in told
        assert digest(read_board(board.encode())).hex()[:16] in told
        await mia.reads("Seat 2: Ann\n")
        mia.types("bot club")
        await mia.reads("Seat 3: Nori")
        mia.types("start")
        for player in (mia, ann):
            await player.reads("The coin has chosen")
        nursery.cancel_scope.cancel()
    assert "host's own" not in mia.screen.text


async def test_guests_see_which_game_is_played(mia, ann):
    async with lobby(mia) as invite, trio.open_nursery() as nursery:
        nursery.start_soon(ann.join, invite)
        await ann.reads("Tichu to 1000. Rounds are played until a team has 1000 points")
        nursery.cancel_scope.cancel()


async def test_guest_that_leaves_the_lobby_frees_its_seat(mia, ann):
    async with lobby(mia) as invite:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.join, invite)
            await ann.reads(r"Seat 2: Ann \(you\)")
            await mia.reads("Seat 2: Ann\n")
            nursery.cancel_scope.cancel()
        await mia.reads("(?s)Seat 2: Ann\n.*Seat 2: empty")


async def test_guest_that_the_host_sends_away_is_told_and_the_host_reads_the_name(mia, ann):
    async with lobby(mia) as invite:
        sent_away = pytest.RaisesExc(LinkError, match="the host has sent you away")
        with pytest.RaisesGroup(sent_away, flatten_subgroups=True):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ann.join, invite)
                await mia.reads("Seat 2: Ann\n")
                mia.types("remove 2")
        await mia.reads("(?s)Seat 2: Ann\n.*Seat 2: empty.*Ann has been sent away")
        with pytest.RaisesGroup(sent_away, flatten_subgroups=True):
            await ann.join(invite)
        mia.types("remove 2")
        await mia.reads("Seat 2 is empty")
        mia.types("bot")
        await mia.reads("Seat 2: Nori")
        mia.types("remove 2")
        await mia.reads("(?s)Seat 2: Nori.*Seat 2: empty")
    assert mia.screen.text.count("sent away, and cannot") == 1


async def test_host_that_closes_the_table_tells_its_guests(mia, ann):
    closed = pytest.RaisesExc(LinkError, match="closed the table")
    with pytest.RaisesGroup(closed, flatten_subgroups=True):
        async with trio.open_nursery() as nursery, lobby(mia) as invite:
            nursery.start_soon(ann.join, invite)
            await ann.reads("Seat 2: Ann")


async def test_guest_is_told_that_every_seat_is_taken(mia, ann):
    async with lobby(mia) as invite:
        for seat, name in enumerate(PEOPLE["beginner"][:3], start=2):
            mia.types("bot beginner")
            await mia.reads(rf"Seat {seat}: {name} \(beginner\), a bot")
        full = pytest.RaisesExc(LinkError, match="Every seat of this table is taken")
        with pytest.RaisesGroup(full, flatten_subgroups=True):
            await ann.join(invite)


@pytest.fixture
def nearby(monkeypatch):
    """Let all players be neighbours on a network of their own."""
    around = loopback()
    monkeypatch.setattr(Surroundings, "of", lambda _: around)


async def knocks(guest, host, name, empty):
    """Choose the only table of the network, and type the host's digits."""
    pattern = rf'1: Tichu with "Mia" on this network, empty seats: {empty} '
    await guest.reads(pattern)
    guest.types("1")
    await lets_in(guest, host, name)


async def lets_in(guest, host, name):
    await host.reads(rf'"{name}" \(127\.0\.0\.1\) is at the door')
    host.types("1")
    guest.types(await host.reads(rf'Tell "{name}" this code: (\d{{3}} \d{{3}})'))


async def comes_in(guest, host, name, empty):
    await knocks(guest, host, name, empty)
    await guest.reads(rf"Seat \d: {name} \(you\)")


async def test_three_neighbours_come_in_by_their_digits_and_play(mia, ann, nearby, sits):
    guests = [(ann, "Ann")] + [(sits(name), name) for name in ("Bob", "Cem")]
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(mia.host, announce=True))
            await mia.reads("A friend on this machine needs no invite")
            for seat, (guest, name) in enumerate(guests, start=1):
                nursery.start_soon(guest.join, None)
                await comes_in(guest, mia, name, 4 - seat)
                await mia.reads(f"Seat {seat + 1}: {name}\n")
            mia.types("start")
            for player in (mia, *(guest for guest, _ in guests)):
                await player.reads("Your first cards")
            nursery.cancel_scope.cancel()


async def test_neighbour_and_guest_with_the_invite_sit_at_one_table(mia, ann, nearby, sits):
    bob = sits("Bob")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(mia.host, announce=True))
            invite = Invite.parse(await mia.reads(r"(matcha1\w+)"))
            nursery.start_soon(ann.join, invite)
            await mia.reads("Seat 2: Ann\n")
            nursery.start_soon(bob.join, None)
            await comes_in(bob, mia, "Bob", 2)
            mia.types("bot beginner")
            await mia.reads("Seat 4: Pia")
            mia.types("start")
            for player in (mia, ann, bob):
                await player.reads("Your first cards")
            nursery.cancel_scope.cancel()


async def test_guest_with_a_misleading_name_is_refused_alone(mia, ann, sits):
    eve = sits("Eve")
    named = replace(eve.setup.terms, name='Ann", as on 2026-05-03')
    eve.setup = replace(eve.setup, terms=named)
    async with lobby(mia) as invite, trio.open_nursery() as nursery:
        nursery.start_soon(ann.join, invite)
        await mia.reads("Seat 2: Ann\n")
        refused = pytest.RaisesExc(LinkError, match="refuses your name")
        with pytest.RaisesGroup(refused, flatten_subgroups=True):
            await eve.join(invite)
        mia.types("bot beginner")
        await mia.reads("Seat 3: Pia")
        assert "2026" not in mia.screen.text
        assert "2026" not in ann.screen.text
        nursery.cancel_scope.cancel()


async def numbered(mia, ann, invite, nursery):
    """Let Ann join under the name of Mia."""
    ann.setup = replace(ann.setup, terms=replace(ann.setup.terms, name="Mia"))
    nursery.start_soon(ann.join, invite)
    await mia.reads("Seat 2: Mia 2\n")


async def test_guest_with_the_name_of_another_player_gets_a_number(mia, ann):
    async with lobby(mia) as invite, trio.open_nursery() as nursery:
        await numbered(mia, ann, invite, nursery)
        await ann.reads(r"Seat 2: Mia 2 \(you\)")
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("game", "seats"), [("matcha", 2), ("kashi", 3), ("kashi", 4), ("tichu", 4)]
)
async def test_guest_with_a_number_is_told_its_name_in_the_game(mia, ann, game, seats):
    ann.setup = replace(ann.setup, terms=replace(ann.setup.terms, name="Mia"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mia.host, game, seats)
        nursery.start_soon(ann.join, Invite.parse(await mia.reads(r"(matcha1\w+)")))
        for name in PEOPLE["club"][: seats - 2]:
            await mia.reads("Seat 2: Mia 2\n")
            mia.types("bot")
            await mia.reads(name)
        if seats > 2:
            mia.types("start")
        await ann.reads('Your name here is "Mia 2".\n')
        assert "Your name here" not in mia.screen.text
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("name", ["Mia", "\N{CYRILLIC CAPITAL LETTER EM}ia"])
async def test_guest_whose_number_is_taken_too_is_refused(mia, ann, name, sits):
    first, eve = (sits(called, place) for place, called in (("b", "Mia"), ("c", name)))
    async with lobby(mia) as invite, trio.open_nursery() as nursery:
        nursery.start_soon(first.join, invite)
        await mia.reads("Seat 2: Mia 2\n")
        refused = pytest.RaisesExc(LinkError, match="has this name or one like it")
        with pytest.RaisesGroup(refused, flatten_subgroups=True):
            await eve.join(invite)
        nursery.cancel_scope.cancel()


async def test_guest_with_the_name_of_another_player_chooses_another_name(mia, ann, sits):
    namesake = sits("Mia", "elsewhere")
    async with lobby(mia) as invite, trio.open_nursery() as nursery:
        await numbered(mia, ann, invite, nursery)
        nursery.start_soon(partial(namesake.join, invite, asks=True))
        await namesake.reads("has this name or one like it(.|\n)*Your name at the table: ")
        namesake.types("Eve, as on 2026-05-03")
        await namesake.reads("This cannot be a name")
        namesake.types("MIA")
        await namesake.reads("(?s)like it.*like it.*like it")
        assert "Connected" not in namesake.screen.text
        namesake.types("Eve")
        await namesake.reads(r"Connected(.|\n)*Seat 3: Eve \(you\)")
        await mia.reads("Seat 3: Eve\n")
        assert re.findall("Seat 3: (.*)", mia.screen.text) == ["empty", "Eve"]
        nursery.cancel_scope.cancel()


async def test_neighbour_with_the_name_of_another_player_gets_a_number(mia, nearby, sits):
    """One code lets the neighbour in, and a call rings once."""
    namesake = sits("Mia", "elsewhere")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(mia.host, announce=True))
            await mia.reads("A friend on this machine needs no invite")
            nursery.start_soon(namesake.join, None)
            await knocks(namesake, mia, "Mia", 3)
            await namesake.reads(r"Seat 2: Mia 2 \(you\)")
            nursery.cancel_scope.cancel()


class Leaving(Glass):
    """The full screen of a person who gives no name."""

    async def ask(self, question):
        if isinstance(question, TextField):
            self.asked.append(question)
            return Back()
        return await super().ask(question)


async def test_guest_that_chooses_no_other_name_is_told_why_there_is_no_seat(mia, ann, sits):
    namesake = sits("Mia", "elsewhere")
    namesake.asker = Leaving()
    async with lobby(mia) as invite, trio.open_nursery() as nursery:
        await numbered(mia, ann, invite, nursery)
        refused = pytest.RaisesExc(LinkError, match="has this name or one like it")
        with pytest.RaisesGroup(refused, flatten_subgroups=True):
            await namesake.join(invite, asks=True)
        nursery.cancel_scope.cancel()
    assert "has this name or one like it" in namesake.asker.asked[-1].said[0]


async def test_guest_whose_name_is_refused_late_no_longer_sees_the_table(mia, sits):
    """A hostile host gives a seat, and refuses the name then."""
    eve = sits("Eve", "elsewhere")
    eve.asker = Leaving()

    async def refuse_late(_, asker, link, __):
        asker.tell(TABLE(), ("Seat 2: Eve (you)",))
        await link.abort()
        raise LinkError("The program there refuses your name.", code="name")

    async with lobby(mia) as invite:
        refused = pytest.RaisesGroup(LinkError, flatten_subgroups=True)
        with pytest.MonkeyPatch.context() as patch, refused:
            patch.setattr(join, "sit_down", refuse_late)
            await eve.join(invite, asks=True)
    assert "refuses your name" in eve.asker.asked[-1].said[0]
    assert eve.asker.told[TABLE()] == ()


async def test_screen_of_a_guest_in_the_lobby_no_longer_looks_for_the_host(mia, ann):
    ann.asker = Glass()
    async with lobby(mia) as invite, trio.open_nursery() as nursery:
        nursery.start_soon(ann.join, invite)
        await ann.asker.until(lambda glass: glass.told.get(TABLE()))
        await ann.asker.until(lambda glass: not glass.asked[-1].said)
        assert ann.asker.told[HOST()] == ("Connected. The host begins the game.",)
        assert "Looking for the host at 127.0.0.1" in ann.asker.asked[0].said[0]
        nursery.cancel_scope.cancel()


async def test_table_with_a_misleading_name_is_refused_by_the_guest(mia, ann):
    """The host's program is not honest: it lets its own person be called so."""
    another = mia.setup.another

    def misnamed(game, seats):
        setup = another(game, seats)
        return replace(setup, terms=replace(setup.terms, name="Bob, as on 2026-05-03"))

    mia.setup = replace(mia.setup, another=misnamed)
    refused = pytest.RaisesExc(LobbyError, match="Ask the host whom you meet")
    async with lobby(mia) as invite:
        with pytest.RaisesGroup(refused, flatten_subgroups=True):
            await ann.join(invite)


async def test_guest_that_comes_during_the_game_is_told(mia, ann):
    """The host goes on playing."""
    async with lobby(mia) as invite:
        for seat, name in enumerate(PEOPLE["beginner"][:3], start=2):
            mia.types("bot beginner")
            await mia.reads(f"Seat {seat}: {name}")
        mia.types("start")
        await mia.reads("Your first cards")
        full = pytest.RaisesExc(LinkError, match="Every seat of this table is taken")
        with pytest.RaisesGroup(full, flatten_subgroups=True):
            await ann.join(invite)


async def test_bot_with_a_misleading_program_name_gets_a_plain_name(mia, tmp_path):
    program = tmp_path / "«club»"
    run = f"exec {sys.executable} -m matcha_p2p engine club --game tichu"
    program.write_text(f"#!/bin/sh\n{run}\n")
    program.chmod(0o755)
    async with lobby(mia):
        mia.types(f"bot cmd:{program}")
        await mia.reads("Seat 2: Pia, a bot")


class Choosing(Glass):
    """The full screen of a person choosing the ``entry`` of a menu."""

    entry = ""

    async def ask(self, question):
        self.asked.append(question)
        return Chosen(question.entries.index(self.entry)) if self.entry else Back()


@pytest.mark.parametrize(
    ("game", "asked", "order"),
    [
        ("tichu", "Who is your partner?", ["Mia", "Nori", "Vera", "Hugo"]),
        ("kashi", "Who sits after you?", ["Mia", "Vera", "Hugo", "Nori"]),
    ],
)
async def test_places_are_chosen_by_name(mia, game, asked, order):
    mia.asker = Choosing()
    lobby = HostLobby(mia.setup.another(game, 4), mia.asker, Psk(bytes(32)))

    def names():
        return [line.split(": ")[1].split(" (")[0] for line in mia.asker.told[TABLE()][:4]]

    await lobby.press("x")
    assert mia.asker.told[WISH()] == ("Nobody else sits at the table.",)
    for _ in range(3):
        await lobby.press("b")
    assert names() == ["Mia, the host", "Nori", "Hugo", "Vera"]
    for key in "xd":
        await lobby.press(key)
    mia.asker.entry = "Vera (club)"
    await lobby.press("x")
    assert mia.asker.asked[0].title == mia.asker.asked[-1].title == asked
    assert names() == ["Mia, the host", *order[1:]]
    await lobby.press("d")
    assert names()[order.index("Vera")] == "empty"


async def test_guest_who_has_left_while_the_host_chose_is_not_moved(mia):
    mia.asker = Choosing()
    lobby = HostLobby(mia.setup.another("tichu", 4), mia.asker, Psk(bytes(32)))

    async def leaves(question):
        lobby.take("remove 2")
        lobby.take("bot")
        return Chosen(0)

    lobby.take("bot")
    mia.asker.ask = leaves
    await lobby.press("x")
    assert mia.asker.told[TABLE()][1].startswith("Seat 2: Nori")


async def test_host_reads_why_a_wish_cannot_be_done(mia):
    async with lobby(mia):
        mia.types("start")
        await mia.reads("A seat is empty")
        mia.types("bot nobody")
        await mia.reads("'nobody' is no bot")
        mia.types("swap 1 9")
        await mia.reads("Name the seats by their numbers")


@pytest.mark.parametrize("killed", ["Mia", "Ann"])
async def test_program_that_was_killed_comes_back_to_the_table(mia, ann, killed):
    """The bots of the host's program come back with the host."""
    scopes = {"Mia": trio.CancelScope(), "Ann": trio.CancelScope()}

    dead = trio.Event()

    async def run(name: str, work: Callable[[], Awaitable[None]]) -> None:
        with scopes[name]:
            await work()
        dead.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run, "Mia", mia.host)
        invite = Invite.parse(await mia.reads(r"(matcha1\w+)"))
        nursery.start_soon(run, "Ann", partial(ann.join, invite))
        await mia.reads("Seat 2: Ann")
        for name in PEOPLE["club"][:2]:
            mia.types("bot")
            await mia.reads(name)
        mia.types("start")
        await mia.reads("Your first cards")
        await ann.reads("Your first cards")
        scopes[killed].cancel()
        gone, stays = (mia, ann) if killed == "Mia" else (ann, mia)
        await dead.wait()
        await stays.reads("The game is saved; looking for")
        nursery.start_soon(gone.resume)
        await stays.reads("is connected again")
        await gone.reads("(?s)looking for .*(Your first cards|Your hand)")
        nursery.cancel_scope.cancel()


async def test_host_whose_bots_are_missing_is_told(mia, ann):
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mia.host)
        await mia.reads(r"(matcha1\w+)")
        for name in PEOPLE["beginner"][:3]:
            mia.types("bot beginner")
            await mia.reads(name)
        mia.types("start")
        await mia.reads("Your first cards")
        nursery.cancel_scope.cancel()
    (bot,) = mia.setup.home.unfinished.glob("*/bots/2/bot")
    bot.unlink()
    with pytest.raises(HomeError, match="part of this game is missing"):
        await mia.resume()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "variant", "seats", "bot"),
    [("tichu", "round", 4, "club"), ("kashi", "ichi", 3, "club")],
)
def test_programs_play_to_the_end_and_store_equal_transcripts(
    tmp_path, game, variant, seats, bot
):
    table = ("--game", game, "--variant", variant, "--seats", str(seats))
    words = (*table, "--play", bot, "--seed", "1")
    homes = [tmp_path / str(seat) for seat in range(seats)]
    with ExitStack() as running:
        waiting = running.enter_context(processes.host(homes[0], *words))
        invite = waiting.until("invite")["invite"]
        plays = ("--play", bot, "--seed", "1")
        guests = [
            running.enter_context(
                processes.join(home, invite, *plays, name=f"guest {home.name}")
            )
            for home in homes[1:]
        ]
        ends = [waiting.end(), *(guest.end() for guest in guests)]
    assert ends == [0] * seats
    files = [path for home in homes for path in home.glob("games/*.matcha")]
    assert len(files) == seats
    assert len({path.read_bytes() for path in files}) == 1
    assert processes.clean_run(tmp_path, "verify", *map(str, files))[0] == 0
    assert not [*tmp_path.glob("*/unfinished/*")]


class AtTerminal(processes.Matcha):
    """A command at a terminal of its own; ``reads`` returns the next line with a pattern."""

    program = (sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])")

    def __init__(self, home, *words):
        own = (*processes.Matcha.program, *words, "--ui", "line", "--name", home.name)
        super().__init__(home, *own)

    def reads(self, pattern):
        while (line := self.line()) is not None:
            self.seen.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(self.seen)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the terminals of the test are ptys")
def test_people_and_the_hosts_bot_play_again_on_the_same_links(tmp_path):
    homes = [tmp_path / name for name in ("Mina", "Taro", "Ann")]
    where = ("--address", "127.0.0.1", "--port", "0")
    with ExitStack() as running:
        words = ("host", *where, "--game", "kashi", "--seats", "4")
        people = [running.enter_context(AtTerminal(homes[0], *words))]
        invite = people[0].reads(r"(matcha1\w+)")[1]
        for seat, home in enumerate(homes[1:], 1):
            people.append(running.enter_context(AtTerminal(home, "join", invite)))
            people[0].reads(f"Seat {seat + 1}: {home.name}")
        people[0].type("bot\n")
        people[0].reads("Seat 4: Nori")
        people[0].type("start\n")
        for number in range(3):
            for person in people:
                person.reads("The coin has chosen")
            people[number].type("concede\n")
            people[number].reads("y: yes")
            people[number].type("y\n")
            for person in people:
                person.reads("All players are still here")
            if number == 2:
                break
            people[1].type("again\n")
            people[2].reads("Taro, Nori .* would like to play; waiting for Mina, Ann")
            people[0].type("again\n")
            people[2].reads("Mina, Taro, Nori .* would like to play; waiting for Ann")
            people[2].type("again\n")
            for person in people:
                person.reads("Another game begins")
        people[1].type("leave\n")
        people[2].reads("No other game follows: Taro left the table")
        for person in (people[2], people[0]):
            person.type("leave\n")
        assert [person.end() for person in people] == [0, 0, 0]
    kept = [{path.read_bytes() for path in home.glob("games/*.matcha")} for home in homes]
    assert kept == [kept[0]] * 3
    assert len(kept[0]) == 3
    files = map(str, homes[0].glob("games/*.matcha"))
    assert processes.clean_run(tmp_path, "verify", *files)[0] == 0
    assert not [*tmp_path.glob("*/unfinished/*")]
