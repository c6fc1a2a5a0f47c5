"""After a game the menu names its entries: no commands, no codes."""

import re
from pathlib import Path

import pytest

from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.game.play import FinishedGames
from matcha_p2p.app.game.seat import set_up_seat
from matcha_p2p.app.menu import menu as menus
from matcha_p2p.app.menu.user import RememberingOutput
from matcha_p2p.cli import commands
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.session.news import Finished, Interrupted
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.store.home import Home
from tests.app.game.test_people import conceded, meet

COMMAND = re.compile(
    rf"matcha[ _]({'|'.join(commands.commands)})\b|(?<!\w)--[a-z]|\[[a-z]+-[a-z-]+\]|pipx?\b"
)


def test_each_command_in_a_sentence_is_recognised():
    assert COMMAND.search("To go on: matcha resume x")
    assert COMMAND.search("To go on: {matcha_resume}")
    assert COMMAND.search("No answer. [net-unreachable]")
    assert COMMAND.search("Go on --older")
    assert not COMMAND.search("The matcha is waiting [a, b]")


@pytest.fixture
def seats(tmp_path):
    """Return two seats with games begun in the menu."""
    return [
        set_up_seat(
            RememberingOutput(),
            Home.find(tmp_path / name),
            {"edition": "2015", "ui": "line", "name": name},
            Keyboard(-1),
        )
        for name in ("Mina", "Taro")
    ]


async def _nothing_follows(*_: object) -> Path:
    raise AssertionError


async def ended(seats, *, over: bool) -> list[str]:
    """Return the messages to each seat after a game that is over, or was left."""
    ledgers = await meet(*seats)
    if over:
        conceded(ledgers[1], ledgers[0])
    said = []
    for seat in SEATS:
        setup, ledger = seats[seat], ledgers[seat]
        series = Series(ledger, setup.terms, Place((), None), _nothing_follows)
        ending = (
            Finished(ledger.chain.ended, seen_off=False)
            if over
            else Interrupted("You have left the game.")
        )
        try:
            FinishedGames(setup).conclude(series, ending, [])
        except CommandError as error:
            setup.out.fail(setup.out.sentence_of(error), error.exit_code, error.code)
        said.append(setup.out.last)
    return said


@pytest.mark.parametrize("over", [True, False])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_after_a_game_the_menu_says_where_it_is(seats, over, language, restored, capsys):
    speak(language)
    said = await ended(seats, over=over)
    printed = capsys.readouterr()
    for sentence in (*said, printed.out, printed.err):
        assert not COMMAND.search(sentence)
        assert "/" not in sentence
    if language == "en":
        places = {"unfinished", "finished"}
        assert all(places & set(re.findall(r"\w+", sentence)) for sentence in said)
        assert menus.GAMES().startswith("Finished games")
