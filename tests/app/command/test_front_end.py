"""A person gets the full screen where a table has room, and else learns why not."""

import pytest

from matcha_p2p.app.command import front_end
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.practice import tutorial


@pytest.fixture
def terminal(monkeypatch):
    """Let the program run in a terminal of 60 columns and 16 rows; return a way to resize."""

    def resize(columns, rows):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(rows))

    monkeypatch.setattr(front_end, "_at_terminal", lambda _: True)
    monkeypatch.setattr(front_end, "_frames_are_wide", lambda: False)
    monkeypatch.setenv("TERM", "xterm")
    resize(60, 16)
    return resize


def test_a_terminal_with_room_for_a_table_gets_the_full_screen(terminal, capsys):
    assert front_end.look_for(Output(facts=False), {}) is not None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("size", [(59, 16), (60, 15)])
def test_a_small_terminal_is_told_once(terminal, capsys, size):
    terminal(*size)
    out = Output(facts=False)
    assert [front_end.look_for(out, {}) for _ in range(2)] == [None, None]
    assert capsys.readouterr().out.count("60x16") == 1


def test_who_asks_for_lines_or_for_the_screen_is_told_nothing(terminal, monkeypatch, capsys):
    terminal(30, 10)
    out = Output(facts=False)
    assert front_end.look_for(out, {"ui": "line"}) is None
    assert front_end.look_for(out, {"ui": "full"}) is not None
    terminal(60, 16)
    monkeypatch.setenv("TERM", "dumb")
    assert front_end.look_for(out, {}) is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("game", ["matcha", "tichu", "kashi"])
def test_a_lesson_opens_as_a_game_does(monkeypatch, game):
    """The tutorial asks for the front end of a game, and changes no option."""
    asked = []
    monkeypatch.setattr(tutorial, "front_end_for", lambda *words: asked.append(words[1]))
    monkeypatch.setattr(tutorial.trio, "run", lambda *_: 0)
    assert tutorial.run(Output(facts=False), {"ui": "auto"}, None, "Ann", game) == 0
    assert asked == [{"ui": "auto"}]
