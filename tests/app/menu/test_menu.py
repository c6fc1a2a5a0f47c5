"""The menu without a terminal: a script answers, and no game begins."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from matcha_p2p.app.command.outcomes import CANCELLED, Exit
from matcha_p2p.app.friends.friends import COMPARED
from matcha_p2p.app.game import resume
from matcha_p2p.app.invite.join import ask_invite, choose_way
from matcha_p2p.app.menu import past_games
from matcha_p2p.app.menu.levels import ask_bot
from matcha_p2p.app.menu.menu import QUIT, TITLE, choose_action
from matcha_p2p.app.menu.user import MenuUser
from matcha_p2p.app.nearby.guest_side import WaitingTable
from matcha_p2p.app.watching.watch import WatchWish
from matcha_p2p.console.menu.menu import (
    Back,
    Chosen,
    Menu,
    MenuAnswer,
    TextField,
    TextPage,
    Written,
    press,
)
from matcha_p2p.console.terminal.cells import CUT
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.games.matcha.bots.solving import native
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.meeting.beacon import TableAnswer
from matcha_p2p.review.summary import GameSummary, JournalSummary
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.store.friends import Book, Friend, read_friends, write_book
from matcha_p2p.store.game_list import StoredGame, UnfinishedGame
from matcha_p2p.store.groups import PlayedTable
from matcha_p2p.store.home import Home, Note
from matcha_p2p.store.identity import key_words, own_identity
from matcha_p2p.store.settings import Settings, write_settings
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.servers import Named, Server
from tests.console.frames import ask
from tests.console.questions import QUESTIONS

INVITE = Invite(at_port([IPv4Address("127.0.0.1")], 4717), bytes(16)).encode()
HOST, GUEST = SEATS
YOURS = UnfinishedGame(
    "2026-1", JournalSummary(HOST, "matcha", "2015", ("Olena", "Mina"), 1, HOST)
)
THEIRS = UnfinishedGame(
    "2026-2", JournalSummary(GUEST, "matcha", "2020", ("Taro", "Olena"), 1, HOST)
)
OVER = UnfinishedGame(
    "2026-3", JournalSummary(HOST, "matcha", "2020", ("Olena", "Kiku"), 1, None)
)


class Script:
    """Answers questions in turn; an answer to a menu is part of an entry's words."""

    def __init__(self, *answers: str | MenuAnswer) -> None:
        self.answers = list(answers)
        self.asked: list[Menu | TextField | TextPage] = []
        self.told: dict[str, Sequence[str]] = {}

    def tell(self, heading: str, lines: Sequence[str]) -> None:
        self.told[heading] = lines

    async def ask(self, question: Menu | TextField | TextPage) -> MenuAnswer:
        self.asked.append(question)
        answer = self.answers.pop(0)
        if isinstance(answer, str) and isinstance(question, Menu):
            (at,) = (n for n, entry in enumerate(question.entries) if answer in entry)
            return Chosen(at)
        return Written(answer) if isinstance(answer, str) else answer


@pytest.fixture
def unfinished(monkeypatch, tmp_path):
    games: list[UnfinishedGame] = []
    monkeypatch.setattr(past_games, "unfinished_games", lambda _: iter(games))
    (tmp_path / "unfinished" / "2026-1").mkdir(parents=True)
    (tmp_path / "unfinished" / "2026-1" / "journal").touch()
    return games


@pytest.fixture
def done(monkeypatch):
    """Note what would be done."""
    noted: list[tuple[str, tuple]] = []
    rooms = {
        "hosting": "invite.host",
        "joining": "invite.join",
        "calling": "friends.call",
        "waiting": "friends.wait",
        "practising": "practice.practice",
        "resuming": "game.resume",
        "claiming": "game.claim",
        "replaying": "library.replay",
        "watching": "watching.watch",
    }
    for name, room in rooms.items():
        monkeypatch.setattr(
            f"matcha_p2p.app.{room}.run",
            lambda *args, name=name, **_: noted.append((name, args)) or 0,
        )
    return noted


@pytest.mark.parametrize("language", LANGUAGES)
async def test_first_menu_has_all_words_and_entries_in_the_smallest_terminal(
    user, language, restored
):
    speak(language)
    script = Script(QUIT())
    assert await choose_action(script, user) == 0
    (menu,) = script.asked
    lines = ["".join(text for _, text in line) for line in ask(menu, 60, 16, SYMBOLS)]
    shown = "".join("".join(lines).split())
    assert CUT not in shown
    for words in (*menu.said, *menu.entries):
        assert "".join(words.split()) in shown


async def test_each_menu_entry_keeps_its_number(user, tmp_path):
    script = Script("Quit")
    assert await choose_action(script, user) == 0
    (menu,) = script.asked
    assert menu.teaches
    assert menu.entries == (
        "Host a table",
        "Join a table",
        "Friends: call, or wait for a call",
        "Watch the game of other players",
        "Practise against bots",
        "Unfinished games: none",
        "Finished games: look at one again",
        "The rules",
        "Learn a game in a few minutes",
        "Settings",
        "Quit",
    )


async def test_friends_come_first_once_there_are_any(user):
    write_book(user.home, Book((MINA,)))
    script = Script("Quit")
    assert await choose_action(script, user) == 0
    first, *entries = script.asked[0].entries
    assert first == "Friends: call, or wait for a call"
    assert entries[:3] == ["Host a table", "Join a table", "Watch the game of other players"]
    assert script.asked[0].at == 0


async def test_a_number_of_players_is_chosen_by_itself(user, done):
    script = Script("Practise", "Kashi", "club", Back(), Back(), Back(), "Quit")
    await choose_action(script, user)
    menu = next(each for each in script.asked if each.title.startswith("How many"))
    assert [press(menu, key) for key in "34"] == [Chosen(0), Chosen(1)]
    assert press(menu, "1") == menu


async def test_each_game_is_taught(user, monkeypatch):
    user.change_settings(replace(user.settings, game="kashi"))
    taught: list[str] = []
    monkeypatch.setattr(
        "matcha_p2p.app.practice.tutorial.run", lambda *args: taught.append(args[-1]) or 0
    )
    script = Script("Learn", Back(), "Learn", "Tichu:")
    learn = await choose_action(script, user)
    assert learn() == 0
    assert taught == ["tichu"]
    assert user.game == "tichu"  # the game offered first for practice
    games = [entry.partition(":")[0] for entry in script.asked[1].entries]
    assert games == ["Matcha", "Tichu", "Kashi-ichi"]


async def test_cursor_stands_on_practice_after_the_tutorial(user, monkeypatch):
    monkeypatch.setattr("matcha_p2p.app.practice.tutorial.run", lambda *_: 0)
    script = Script("Learn", "Matcha:", "Quit")
    learn = await choose_action(script, user)
    assert learn() == 0
    await choose_action(script, user)
    before, _, after = (menu.entries[menu.at] for menu in script.asked)
    assert before == "Host a table"
    assert after == "Practise against bots"


@pytest.mark.parametrize(
    ("game", "entry"),
    [
        (YOURS, "Go on: Matcha 2015 with Mina, your turn"),
        (THEIRS, "Go on: Matcha 2020 with Taro, Taro's turn"),
        (OVER, "Go on: Matcha 2020 with Kiku, send the last message"),
    ],
)
async def test_an_unfinished_game_is_gone_on_with(user, unfinished, done, game, entry):
    unfinished.append(game)
    action = await choose_action(Script(entry, "Go on"), user)
    assert action() == 0
    ((name, (home, set_up, called, wish)),) = done
    assert wish == resume.ResumeWish()
    assert (name, home, called) == ("resuming", user.home, game.name)
    terms = set_up("tichu", 4).terms
    assert (terms.name, terms.game, terms.seats) == ("Olena", "tichu", 4)


@pytest.mark.parametrize("sure", [True, False])
async def test_an_older_copy_is_gone_on_with_only_if_the_person_insists(
    user, unfinished, monkeypatch, sure
):
    unfinished.append(YOURS)
    path = user.home.unfinished / YOURS.name / "journal"
    path.unlink()
    path.parent.chmod(0o700)
    with Journal.create(path, b"header", user.home.marks) as journal:
        before = path.read_bytes()
        journal.append((JournalItem(1, b"move"),))
    path.write_bytes(before)
    gone_on = []
    monkeypatch.setattr(resume, "run", lambda *about: gone_on.append(about[-1]) or 0)
    script = Script("with Mina", "Go on", "all the same" if sure else "as it is", "Quit")
    action = await choose_action(script, user)
    assert "make you look like a cheat" in script.asked[2].said[0]
    if sure:
        action()
    assert gone_on == [resume.ResumeWish(older=True)] * sure


@pytest.mark.parametrize("openly", [True, False])
async def test_hidden_game_is_gone_on_with_openly_only_by_an_entry_of_its_own(
    user, unfinished, done, openly
):
    summary = replace(YOURS.summary, proxy=Server("127.0.0.1", 9050))
    unfinished.append(replace(YOURS, summary=summary))
    script = Script("with Mina", "learn your addresses" if openly else "Go on with the game")
    action = await choose_action(script, user)
    assert action() == 0
    ((_, (*_, wish)),) = done
    assert wish == resume.ResumeWish(openly=openly)


async def test_of_several_unfinished_games_one_is_chosen(user, unfinished, done):
    unfinished += [YOURS, THEIRS, OVER]
    action = await choose_action(Script("one of 3 unfinished games", "Taro", "Go on"), user)
    action()
    assert done[0][1][2] == THEIRS.name


async def test_an_unfinished_game_is_claimed(user, unfinished, done):
    unfinished.append(THEIRS)
    (await choose_action(Script("with Taro", "Close the game: Taro"), user))()
    assert done == [("claiming", (user.out, user.home, THEIRS.name))]


@pytest.mark.parametrize(("game", "offered"), [(YOURS, False), (THEIRS, True), (OVER, False)])
async def test_game_is_closed_only_while_another_player_owes_a_move(
    user, unfinished, game, offered
):
    unfinished.append(game)
    script = Script("Go on", Back(), Back())
    await choose_action(script, user)
    asked = script.asked[1].entries
    assert [entry for entry in asked if "has made no move" in entry] == (
        ["Close the game: Taro has made no move"] if offered else []
    )


async def test_cursor_stands_on_a_game_to_go_on_with_until_another_entry_is_chosen(
    user, unfinished, monkeypatch, tmp_path
):
    unfinished.append(YOURS)
    monkeypatch.setattr("matcha_p2p.app.practice.tutorial.run", lambda *_: 0)
    script = Script("Rules", Back(), "Learn", "Matcha:", "Quit", "Quit")
    script.answers[0] = "The rules"
    learn = await choose_action(script, user)
    assert learn() == 0
    await choose_action(script, user)
    left = tmp_path / "unfinished" / "2026-2" / "journal"
    left.parent.mkdir()
    left.touch()  # a game was left meanwhile
    await choose_action(script, user)
    cursors = [menu.entries[menu.at] for menu in script.asked if menu.title == TITLE()]
    assert [entry.partition(":")[0] for entry in cursors] == [
        "Go on",
        "The rules",
        "Practise against bots",
        "Go on",
    ]


async def test_unfinished_game_is_removed_after_confirmation(user, unfinished, tmp_path):
    unfinished.append(YOURS)
    journal = tmp_path / "unfinished" / YOURS.name / "journal"
    script = Script("with Mina", "Remove", "Leave", "with Mina", "Leave", Back())
    assert await choose_action(script, user) == 0
    assert journal.exists()
    script = Script("with Mina", "Remove", "Remove", "Unfinished games: none", Back())
    assert await choose_action(script, user) == 0
    assert not journal.parent.exists()
    assert script.asked[-2].said == ("The game is removed.",)
    assert script.asked[-1].said == ("There are no unfinished games here.",)


async def test_host_join_and_practise_take_name_and_edition(user, unfinished, done):
    (await choose_action(Script("Host", "Matcha:"), user))()
    (await choose_action(Script("Join"), user))()
    (await choose_action(Script("Practise", "Matcha:", "beginner", "Edition 2015"), user))()
    (host, join, practice) = done
    assert [name for name, _ in done] == ["hosting", "joining", "practising"]
    assert host[1][0].terms.variant == "2020"
    assert join[1][0].terms.variant is None
    assert join[1][2] is None
    assert practice[1][0].terms.variant == "2015"
    assert practice[1][1] == "beginner"
    assert {call[1][0].terms.name for call in done} == {"Olena"}


async def test_practised_game_is_remembered(user, unfinished, done):
    (await choose_action(Script("Practise", "Tichu:", "keen", "To 300 points"), user))()
    ((_, (seat, bot, *_)),) = done
    assert (seat.terms.game, seat.terms.variant, bot) == ("tichu", "300", "keen")
    script = Script("Practise", Back(), Back())
    assert await choose_action(script, user) == 0
    games = script.asked[1]
    assert games.entries[games.at].startswith("Tichu:")


async def test_game_is_offered_for_the_parts_that_the_game_has(
    user, unfinished, done, monkeypatch
):
    """Trio has bots, and neither a rule book nor a tutorial."""
    monkeypatch.setitem(FOLDERS, "trio", "tests.games.trio.matcha_trio")
    (await choose_action(Script("Practise", "Trio:", "thrifty"), user))()
    ((_, (seat, *_)),) = done
    assert (seat.terms.game, seat.terms.seats) == ("trio", 3)
    script = Script("The rules", Back(), "Learn", Back(), Back())
    assert await choose_action(script, user) == 0
    for at in (1, 3):
        titles = [entry.partition(":")[0] for entry in script.asked[at].entries]
        assert titles == ["Matcha", "Tichu", "Kashi-ichi"]


async def test_seats_are_asked_for_only_where_a_game_has_a_choice(user, unfinished, done):
    script = Script("Practise", "Kashi-ichi:", "club", Back(), "club", "4 players")
    (await choose_action(script, user))()
    (await choose_action(Script("Practise", "Matcha:", "club", "Edition 2015"), user))()
    assert [call[1][3] for call in done] == [4, 2]


async def test_table_of_three_or_four_is_hosted_and_waited_with(user, done):
    write_book(user.home, Book((MINA,)))
    user.change_settings(replace(user.settings, watch="3"))
    script = Script("Host", "Kashi-ichi:", Back(), "Kashi-ichi:", "4 players")
    (await choose_action(script, user))()
    (await choose_action(Script("Friends", "Wait", "Tichu:", "One round"), user))()
    terms = [call[1][0].terms for call in done]
    assert [call[0] for call in done] == ["hosting", "waiting"]
    tables = [(each.game, each.variant, each.seats, each.watchers) for each in terms]
    assert tables == [("kashi", "ichi", 4, 3), ("tichu", "round", 4, 3)]
    assert user.game == "tichu"


async def test_a_game_of_others_is_watched_by_the_invite_that_is_asked_for(user, done):
    (await choose_action(Script("Watch the game"), user))()
    ((name, (out, home, called, asker, look, wish)),) = done
    assert (name, out, home, called) == ("watching", user.out, user.home, "Olena")
    assert wish == WatchWish(None, None)
    assert asker == user.asker
    assert look is None  # there is no terminal


async def test_opened_table_admits_the_watchers_of_the_settings(user, done):
    write_book(user.home, Book((MINA,)))
    user.change_settings(replace(user.settings, watch="3"))
    for answers in (
        ["Host", "Matcha:"],
        ["Friends", "Wait for a call", "Matcha:"],
        ["Friends", "Call"],
        ["Join"],
    ):
        (await choose_action(Script(*answers), user))()
    assert [call[1][0].terms.watchers for call in done] == [3, 3, 3, 0]


OLENA_DAY = date(2026, 5, 3)
MINA = Friend(b"m" * 32, "Mina", "Mina", OLENA_DAY, OLENA_DAY, secrets=(b"s" * 32,))
TARO = Friend(b"t" * 32, "Taro", "Taro", OLENA_DAY, OLENA_DAY, begun=(b"b" * 32,))


async def test_lack_of_friends_is_told(user, done):
    script = Script("Friends", "Quit")
    assert await choose_action(script, user) == 0
    assert "You have met nobody yet" in script.asked[-1].said[0]


async def test_friends_are_called_or_waited_for(user, done):
    write_book(user.home, Book((MINA, TARO)))
    (await choose_action(Script("Friends", "Wait for a call", "Matcha:"), user))()
    (await choose_action(Script("Friends", 'Call "Mina"'), user))()
    (waited, called) = done
    assert (waited[0], called[0]) == ("waiting", "calling")
    assert waited[1][0].terms.variant == "2020"
    assert waited[1][2].router
    assert called[1][0].terms.variant is None
    assert called[1][2] == "Mina"


async def test_table_is_called_by_one_choice(user, done):
    kiku = replace(MINA, identity=b"k" * 32, name="Kiku", says="Kiku")
    seats = MINA.identity, public_key(own_identity(user.home)), kiku.identity
    last = PlayedTable("aa", "kashi", "ichi", seats, (0, 1, 2), (Seat(1),))
    pair = replace(last, id="bb", game="matcha", seats=seats[:2], teams=(0, 1))
    write_book(user.home, Book((MINA, kiku), (last, pair)))
    script = Script("Friends", "Call the table: Kashi-ichi with Kiku, Mina")
    (await choose_action(script, user))()
    assert script.asked[-1].said[1:] == (
        "Kashi-ichi with Kiku, Mina: 1 game. Won: you 1; Mina 0; Kiku 0.",
    )
    assert len(script.asked[-1].entries) == 4
    ((waiting, (setup, _, _, called)),) = done
    assert (waiting, setup.terms.game, setup.terms.seats) == ("waiting", "kashi", 3)
    assert called.places == {kiku.identity: 1, MINA.identity: 2}
    (await choose_action(Script("Friends", 'Call "Kiku"'), user))()
    assert done[-1][1][2] == "Kiku"


@pytest.mark.parametrize("chosen", [["Wait for a call", "Matcha:"], ['Call "Mina"']])
async def test_friend_call_that_is_left_leads_back_to_the_friends(user, monkeypatch, chosen):
    write_book(user.home, Book((MINA, TARO)))
    codes = iter((CANCELLED, Exit.DONE))
    for room in ("wait", "call"):
        monkeypatch.setattr(f"matcha_p2p.app.friends.{room}.run", lambda *_, **__: next(codes))
    assert (await choose_action(Script("Friends", *chosen), user))() == CANCELLED
    script = Script(*chosen)
    assert (await choose_action(script, user))() == Exit.DONE
    assert script.asked[0].title == "Friends"
    script = Script(Back())
    assert await choose_action(script, user) == 0
    (first,) = script.asked
    assert first.entries[first.at] == "Friends: call, or wait for a call"


async def test_nobody_is_called_before_words_are_compared(user, done, capsys):
    write_book(user.home, Book((TARO,)))
    script = Script("Friends", 'Compare words with "Taro"', "The words differ", Back(), Back())
    assert await choose_action(script, user) == 0
    assert script.asked[1].entries == ('Compare words with "Taro"',)
    ours = key_words(public_key(own_identity(user.home)))
    assert [
        words in said
        for words, said in zip(
            (key_words(TARO.identity), ours), script.asked[2].said, strict=True
        )
    ] == [True, True]
    assert read_friends(user.home) == (TARO,)
    script = Script(
        "Friends", 'Compare words with "Taro"', "the same", "Friends", 'Call "Taro"'
    )
    (await choose_action(script, user))()
    assert done[0][1][2] == "Taro"
    assert script.asked[3].said == (COMPARED(name="Taro", words=key_words(TARO.identity)),)
    assert capsys.readouterr().out == ""  # there is a screen
    assert script.asked[4].entries == ("Wait for a call from friends", 'Call "Taro"')


async def test_a_strong_bot_is_asked_for_its_temper(user, unfinished, done, libraries):
    (await choose_action(Script("Practise", "Matcha:", "keen", "bold", "Edition 2020"), user))()
    (
        await choose_action(
            Script("Practise", "Matcha:", "expert", "plain", "Edition 2020"), user
        )
    )()
    assert [call[1][1] for call in done] == ["keen-bold", "expert"]
    backs = (Back(), Back(), Back(), Back(), Back())
    back = Script("Practise", "Matcha:", "expert", "plain", *backs)
    assert await choose_action(back, user) == 0
    assert [question.title for question in back.asked] == [
        "Matcha",
        "Which game?",
        "How strong is the bot?",
        "How does the bot play?",
        "Which rules?",
        "How does the bot play?",
        "How strong is the bot?",
        "Which game?",
        "Matcha",
    ]
    tichu = Script("Practise", "Tichu:", Back(), Back(), Back())
    await choose_action(tichu, user)
    assert "How strong are the bots?" in [question.title for question in tichu.asked]
    assert back.asked[6].entries[back.asked[6].at].startswith("expert")


async def test_where_the_expert_cannot_play_strong_does(
    user, unfinished, done, tmp_path, monkeypatch
):
    monkeypatch.setattr(native, "FOLDER", tmp_path)
    native.library.cache_clear()
    (
        await choose_action(
            Script("Practise", "Matcha:", "strong", "bold", "Edition 2020"), user
        )
    )()
    assert [call[1][1] for call in done] == ["strong-bold"]


async def test_picture_of_the_levels_shows_the_levels_of_the_menu(monkeypatch):
    monkeypatch.setattr("matcha_p2p.app.bots.opponents.see_it_start", lambda *_: None)
    script = Script(Back())
    await ask_bot(script, "matcha", None)
    assert script.asked == [QUESTIONS["levels"]()]
    assert len(script.asked[0].entries) == 5


@pytest.fixture
def at_terminal(user):
    """Let the user sit at a terminal where nobody types."""
    if not hasattr(os, "openpty"):
        pytest.skip("there are no pseudo-terminals")
    ours, theirs = os.openpty()
    user.keyboard = Keyboard(theirs)
    yield
    os.close(ours)
    os.close(theirs)


@pytest.fixture
def mina_waits(monkeypatch):
    """Let Mina wait on this network."""
    answer = TableAnswer(bytes(8), 4718, b"tabl", "2015", "Mina")
    table = WaitingTable(IPv4Address("192.168.1.2"), answer)

    async def find_tables(_):
        return (table,)

    monkeypatch.setattr("matcha_p2p.app.invite.join.find_tables", find_tables)
    return table


async def test_host_on_the_network_is_joined_without_an_invite(mina_waits):
    assert await choose_way(Script('"Mina" has'), near=True) is mina_waits


async def test_an_invite_is_good_on_a_network_where_somebody_waits(mina_waits):
    assert await choose_way(Script("invite", INVITE), near=True) == Invite.parse(INVITE)
    assert await choose_way(Script(Back()), near=True) is None
    typed = Script(Written("m"), INVITE)
    assert await choose_way(typed, near=True) == Invite.parse(INVITE)
    assert typed.asked[-1].draft == "m"
    back = Script("invite", Back(), Written("m"), Back(), '"Mina" has')
    assert await choose_way(back, near=True) is mina_waits
    assert await choose_way(Script(INVITE), near=False) == Invite.parse(INVITE)


@pytest.mark.parametrize("announce", [None, "on", "off"])
async def test_a_table_is_announced_unless_the_settings_say_no(
    user, unfinished, done, at_terminal, announce
):
    user.change_settings(replace(user.settings, announce=announce))
    (await choose_action(Script("Host", "Matcha:"), user))()
    assert done[0][1][-1].announce is (announce != "off")


async def test_a_wrong_invite_is_told_and_asked_for_again():
    script = Script("hello", INVITE[:30], f"  {INVITE}\n")
    assert await ask_invite(script) == Invite.parse(INVITE)
    first, second, third = script.asked
    assert len(first.said) == 1
    assert "This is no invite" in second.said[0]
    assert "cut short" in third.said[0]
    assert await ask_invite(Script(Back())) is None


async def test_back_leads_to_the_menu_with_the_same_entry_chosen(user, unfinished):
    rules = "The rules", "Matcha:", Back(), Back()
    script = Script("Practise", Back(), "Practise", Back(), *rules, Back())
    assert await choose_action(script, user) == 0
    assert [question.title for question in script.asked][-3:] == [
        "The rules: Edition 2020",
        "Which game?",
        "Matcha",
    ]
    assert script.asked[2].at == 4
    assert script.asked[-1].at == 7


async def test_editions_are_chosen_by_how_they_differ(user, unfinished):
    practice = "Practise", "Matcha:", "club", Back(), Back(), Back()
    script = Script(*practice, "Settings", "Edition", Back(), Back(), Back())
    assert await choose_action(script, user) == 0
    for asked in (script.asked[3], script.asked[8]):
        first, _, second = asked.said
        assert "Edition 2015: 4 tokens of one suit, 4 whisks, or all five kinds" in first
        assert "Edition 2020: 3 tokens of one suit, 4 whisks, or all five kinds" in second
        assert "until a player wins" in first
        assert "each of you has 2 turns" in second
        assert "After 2 sets" in second
        assert asked.entries[asked.at] == "Edition 2020"


async def test_each_setting_is_changed_and_kept(user, unfinished, tmp_path):
    names = (Written("a\u202eb"), Written("Оленка"))
    script = Script("Settings", "Name", *names, "Edition", "2015", Back(), "Quit")
    assert await choose_action(script, user) == 0
    text = (tmp_path / "config.toml").read_text()
    assert text == 'name = "Оленка"\nedition = "2015"\n'


async def test_servers_are_named_in_the_settings_and_used(user, unfinished, done, tmp_path):
    servers = ("STUN", "a b", "stun.example.org", "SOCKS", "127.0.0.1:9050")
    script = Script("Settings", *servers, Back(), "Join")
    (await choose_action(script, user))()
    assert "'a b' is not the name of a server" in script.asked[3].said[0]
    text = (tmp_path / "config.toml").read_text()
    assert 'stun = "stun.example.org"\nsocks = "127.0.0.1:9050"\n' in text
    wish = done[0][1][-1]
    assert wish.servers == Named(Server("stun.example.org", 3478), Server("127.0.0.1", 9050))
    await choose_action(Script("Settings", "STUN", "", Back(), "Quit"), user)
    assert user.servers.stun is None


async def test_another_look_opens_the_menu_anew(user, unfinished, tmp_path):
    action = await choose_action(Script("Settings", "Suits", "kanji"), user)
    assert action() == 0
    assert user.display() == {"icons": "kanji"}
    action = await choose_action(Script("Settings", "Colours", "never"), user)
    assert user.display() == {"icons": "kanji", "color": "never"}


async def test_options_go_before_the_settings(tmp_path):
    home = Home.find(tmp_path)
    write_settings(home, Settings(icons="kanji", color="never"))
    user = MenuUser(home, {"icons": "plain", "ui": "line"}, Keyboard(-1))
    assert user.display() == {"icons": "plain", "color": "never", "ui": "line"}


async def test_games_that_are_over_can_be_looked_at(
    user, unfinished, done, monkeypatch, tmp_path
):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "x.matcha").touch()
    game = type("Game", (), {"file": Path("x.matcha")})()
    monkeypatch.setattr(past_games, "_finished", lambda _: [game])
    monkeypatch.setattr(past_games, "finished_label", lambda _: "A game.")
    monkeypatch.setattr(past_games, "scores", lambda _: {})
    action = await choose_action(Script("Finished games", "A game."), user)
    action()
    ((name, args),) = done
    assert (name, args[2]) == ("replaying", Path("x.matcha"))


def stored(seat: Seat | None, winner: Seat | None, names=("Mina", "W" * 24)) -> StoredGame:
    """Return a game that ended on 2026-05-03 at 14:07, by the local clock."""
    teams = ((Seat(0),), (Seat(1),))
    winners = () if winner is None else (winner,)
    over = winner is not None
    summary = GameSummary(bytes(32), "matcha", "2015", names, teams, over, winners, False)
    at = datetime(2026, 5, 3, 14, 7, 59).astimezone().timestamp()
    return StoredGame(Path("x"), "2026-05-03", summary, Note(seat, None), False, at, 9)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("seat", "winner"), [(0, 0), (0, 1), (0, None), (None, 0)])
@pytest.mark.parametrize("size", [(60, 16), (80, 24)], ids=str)
def test_finished_game_is_told_whole(language, seat, winner, size, restored):
    speak(language)
    label = past_games.finished_label(stored(seat, winner, ("M" * 24, "W" * 24)))
    assert label.startswith("2026-05-03 14:07  Matcha 2015  ")
    lines = ask(Menu("", (), (label,)), *size, SYMBOLS)
    shown = "".join(text for line in lines for _, text in line)
    assert CUT not in shown
    assert shown.count("W") == 24


@pytest.mark.parametrize(
    ("kind", "edition", "named"),
    [
        ("matcha", "2020", "Matcha 2020"),
        ("tichu", "1000", "Tichu to 1000"),
        ("tichu", "round", "Tichu, one round"),
        ("kashi", "ichi", "Kashi-ichi"),
    ],
)
def test_finished_game_names_the_game_once(kind, edition, named):
    game = stored(None, HOST)
    game = replace(game, summary=replace(game.summary, kind=kind, edition=edition))
    assert past_games.finished_label(game).startswith(f"2026-05-03 14:07  {named}  Mina, WW")


@pytest.mark.parametrize("language", LANGUAGES)
def test_entry_of_each_game_fits_the_narrowest_screen(language, restored):
    speak(language)
    entries = tuple(game_of(name).entry() for name in FOLDERS)
    lines = ask(Menu("", (), entries), 60, 16, SYMBOLS)
    assert CUT not in "".join(text for line in lines for _, text in line)


def test_game_with_a_later_copy_of_its_file_shows_only_its_day():
    game = replace(stored(HOST, HOST), date="2026-05-02")
    assert past_games.finished_label(game).startswith("2026-05-02  Matcha 2015  won against")


async def test_unreadable_games_are_not_offered_for_replay(user, tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "x.matcha").touch()
    script = Script("Finished games", "Quit")
    assert await choose_action(script, user) == 0
    assert script.asked[1].said == (f"There are no games in {tmp_path / 'games'}.",)


def test_menu_goes_on_where_the_system_refuses_the_unfinished_games(user, monkeypatch):
    """The list of games tells the reason."""
    monkeypatch.setattr(user, "home", replace(user.home, unfinished=Path("/" + "x" * 300)))
    user.look_for_games()
    assert user.at == 0
