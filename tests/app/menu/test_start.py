"""``matcha`` alone: the first run, the menu and the way into games, by lines and on screens."""

import base64
import re
import signal
import sys

import pytest

from tests.processes import Matcha, clean_run

pytestmark = pytest.mark.slow

NO_INVITE = "The invite is missing. Ask the host for one; it begins with matcha1.\n"
ENTRY = re.compile(r"(?m)^(\d+): (.*)$")


def number(text: str, words: str) -> str:
    """Return the number of the last shown entry with these words."""
    return [entry[1] for entry in ENTRY.finditer(text) if words in entry[2]][-1]


class Lines:
    """The menu line by line, at a pipe."""

    def __init__(self, home, *words: str, **env: str) -> None:
        self.matcha = Matcha(home, "--ui", "line", *words, **env)
        self.text = ""

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *ended: object) -> None:
        self.matcha.__exit__(*ended)

    def until(self, words: str) -> str:
        """Return the text up to the next line with these words, with the line itself."""
        shown = ""
        while words not in shown.rpartition("\n")[2]:
            line = self.matcha.line()
            assert line is not None, self.text + self.matcha.stderr
            self.text += line
            shown += "\n" + line.rstrip("\n")
        return shown

    def type(self, text: str) -> None:
        self.matcha.type(f"{text}\n")

    def choose(self, words: str) -> None:
        self.type(number(self.text, words))


@pytest.fixture
def home(tmp_path):
    """Return the home of a person with a name from an earlier run."""
    (tmp_path / "config.toml").write_text('name = "Olena"\n')
    return tmp_path


def test_without_a_terminal_there_is_help_and_exit_2(home):
    code, stdout, _ = clean_run(home)
    assert code == 2
    assert "Commands:" in stdout


def test_options_before_a_command_are_refused_with_the_place_for_them(home):
    code, _, stderr = clean_run(home, "--ascii", "rules")
    assert code == 2
    assert "matcha rules --ascii" in stderr


def test_the_first_run_asks_for_a_name_and_offers_the_tutorial(tmp_path):
    with Lines(tmp_path) as menu:
        assert "Language: English" in menu.until("Settings are saved in")
        menu.type("a\u202eb")
        menu.until("This cannot be a name")
        menu.type("Zoe\u0308")
        assert "Zoë" in menu.until("composed form")
        menu.type("Olena")
        menu.until("4: Go to the menu")
        menu.choose("Go to the menu")
        menu.until(": Quit")
        menu.choose("Quit")
        assert menu.matcha.end() == 0
    assert 'name = "Olena"' in (tmp_path / "config.toml").read_text()
    with Lines(tmp_path) as menu:
        assert "Your name" not in menu.until(": Quit")


def test_the_end_of_the_pipe_leaves_at_any_question(tmp_path):
    for stdin in ("", "Olena\n", "8\n", "2\n"):
        code, _, stderr = clean_run(tmp_path, "--ui", "line", stdin=stdin)
        assert code == 0
        assert stderr == ("" if stdin != "2\n" else NO_INVITE)


def test_the_tutorial_is_left_for_the_menu_and_no_typed_line_is_lost(home):
    with Lines(home) as menu:
        menu.until(": Quit")
        menu.choose("Learn a game")
        menu.until("Tichu:")
        menu.choose("Matcha:")
        menu.until("Your move")
        menu.type("leave")
        menu.until("This game is not saved")
        menu.type("y")
        menu.until(": Quit")
        menu.choose("Settings")
        menu.until(": Back to the menu")
        menu.choose("Edition")
        menu.until("2: Edition 2020")
        menu.type("2")
        assert "Edition: 2020" in menu.until(": Back to the menu")
        menu.choose("Back")
        menu.until(": Quit")
        menu.type("q")
        assert menu.matcha.end() == 0
    assert 'edition = "2020"' in (home / "config.toml").read_text()


def test_after_a_game_the_menu_comes_back(
    home,
):
    with Lines(home) as menu:
        menu.until(": Quit")
        menu.choose("Practise")
        menu.until("Kashi-ichi:")
        menu.choose("Matcha:")
        menu.until("5: ")
        menu.choose("beginner")
        menu.until("2: Edition 2020")
        menu.choose("Edition 2020")
        menu.until("Your move")
        menu.type("concede")
        menu.until("Concede the game")
        menu.type("y")
        menu.until("leave")
        menu.type("leave")
        menu.until(": Quit")
        menu.choose("Quit")
        assert menu.matcha.end() == 0


def test_failure_is_told_before_the_menu_returns(home):
    with Lines(home) as menu:
        menu.until(": Quit")
        menu.choose("Join")
        menu.until("begins with matcha1")
        menu.type("hello")
        menu.until("This is no invite")
        menu.until("begins with matcha1")
        menu.type("")
        menu.until(": Quit")
        menu.choose("The rules")
        menu.until("Kashi-ichi:")
        menu.choose("Matcha:")
        menu.until("There are 18 cards")
        menu.until("Kashi-ichi:")
        menu.type("q")
        menu.until(": Quit")
        menu.type("q")
        assert menu.matcha.end() == 0


def test_a_broken_file_of_settings_is_told_and_stays(home):
    (home / "config.toml").write_bytes(b"\xff\xfe")
    with Lines(home) as menu:
        menu.until("The defaults apply")
        menu.until(": Quit")
        menu.choose("Settings")
        menu.until(": Back")
        menu.choose("Name")
        menu.type("Olena")
        assert "stays as it is" in menu.until("Name: Olena")
        menu.type("q")
        menu.until(": Quit")
        menu.type("q")
        assert menu.matcha.end() == 0
    assert (home / "config.toml").read_bytes() == b"\xff\xfe"


def test_settings_that_cannot_be_kept_are_told_and_count_all_the_same(home):
    (home / "config.toml").unlink()
    (home / "config.toml").mkdir()
    with Lines(home) as menu:
        menu.until(": Quit")
        menu.choose("Settings")
        menu.until(": Back")
        menu.choose("Name")
        menu.type("Mina")
        assert "not a plain file" in menu.until("Name: Mina")
        menu.until(": Back")
        menu.type("q")
        menu.type("q")
        assert menu.matcha.end() == 0


if sys.platform != "win32":
    from tests.console.pseudo_terminal import Terminal

    def test_first_run_menu_tutorial_menu_quit(tmp_path):
        with Terminal(tmp_path) as terminal:
            terminal.until("Your name at the table")
            terminal.type("Olena\r")
            terminal.until("New here")
            terminal.type("\r")
            for keys, shown in (
                ("", "Welcome! (.|\\n)*Press +5 +a +Enter"),
                ("p\r", "first let us try mat a"),
                ("5a\r", "Try it: card 3 on mat b"),
                ("3b\r", "Now for a whisk"),
                ("1c\r", "Save your two cards"),
                ("p", "Now you lack"),
                ("4e\r", "did not dare"),
                ("2f\r", "You have all five kinds"),
            ):
                terminal.type(keys)
                terminal.until_true(lambda: re.search(shown, terminal.pane), shown)  # noqa: B023
                terminal.until("Your move|Enter closes")
            terminal.type("\r")
            terminal.until("> 5 +Practise")
            terminal.type("\x1b[F\r")  # to the last entry
            assert terminal.end() == 0
            terminal.assert_restored()

    def test_the_menu_hosts_inside_the_screen_and_escape_comes_back_to_it(home):
        with Terminal(home) as terminal:
            terminal.until("Host a table")
            terminal.type("1")
            terminal.until("Which game")
            terminal.type("1")
            terminal.until("Join a table(.|\n)*matcha1(.|\n)*Waiting on port(.|\n)*Esc ends it")
            assert b"]52;" not in terminal.raw
            terminal.type("c")
            terminal.until("on the clipboard")
            (copied,) = re.findall(rb"\x1b]52;c;([^\x07]+)\x07", terminal.raw)
            assert base64.b64decode(copied).startswith(b"matcha1")
            terminal.type("q")
            terminal.until("▀▄|▄▀")
            terminal.type("\x1b")
            terminal.until("q QR")
            terminal.type("\x1b")
            terminal.until("> 1 +Host a table")
            terminal.type("q")
            assert terminal.end() == 0
            terminal.assert_restored()

    def test_the_menu_joins_inside_the_screen(home):
        with Terminal(home) as terminal:
            terminal.until("Join a table")
            terminal.type("2")
            terminal.until("begins with matcha1|I have an invite")
            if listed := re.search(r"(\d) +I have an invite", terminal.text):
                terminal.type(listed[1])  # somebody waits on this network
                terminal.until("begins with matcha1")
            terminal.type("matcha1q\r")
            terminal.until("cut short")
            terminal.type("\x1b")
            if listed:
                terminal.until("> . +I have an invite")
                terminal.type("\x1b")
            terminal.until("> 2 +Join")
            terminal.type("q")
            assert terminal.end() == 0

    def test_resizes_while_the_menu_is_shown_leave_a_whole_screen(home):
        with Terminal(home) as terminal:
            terminal.until("Host a table")
            for columns, rows in [(20, 5), (300, 100), (1, 1), (59, 15), (110, 40), (3, 2)]:
                terminal.resize(columns, rows)
                terminal.look()
            terminal.resize(70, 20)
            terminal.until_true(
                lambda: terminal.screen.display[-1].startswith(" Up, Down, Enter"), "keys"
            )
            terminal.until(": |Quit")
            terminal.type("q")
            assert terminal.end() == 0
            terminal.assert_restored()

    def test_mouse_and_settings(home):
        with Terminal(home) as terminal:
            terminal.until("Quit")
            row = 1 + next(
                at for at, line in enumerate(terminal.screen.display) if "Settings" in line
            )
            terminal.click(45, row)
            terminal.until("Suits: symbols and letters")
            terminal.type("3")
            terminal.until("How are the suits drawn")
            terminal.type("3")
            terminal.until("Host a table")
            terminal.type("\x03")
            assert terminal.end() == 0
            terminal.assert_restored()
        assert 'icons = "kanji"' in (home / "config.toml").read_text()

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
    def test_a_signal_ends_the_menu_and_restores_the_terminal(home, number):
        with Terminal(home) as terminal:
            terminal.until("Host a table")
            terminal.signal(number)
            assert terminal.end() == 128 + number
            terminal.assert_restored()

    def test_a_signal_in_the_tutorial_ends_the_program_and_restores_the_terminal(home):
        with Terminal(home, "tutorial") as terminal:
            terminal.until("Welcome!")
            terminal.signal(signal.SIGTERM)
            assert terminal.end() == 128 + signal.SIGTERM
            terminal.assert_restored()

    def test_a_closed_terminal_ends_the_menu(home):
        with Terminal(home) as terminal:
            terminal.until("Host a table")
            terminal.hang_up()

    def test_a_dumb_terminal_has_the_menu_line_by_line(home):
        with Terminal(home, TERM="dumb") as terminal:
            terminal.until(": Quit")
            assert b"\x1b[?1049h" not in terminal.raw
            terminal.type("q\r")
            assert terminal.end() == 0

    def test_a_small_terminal_is_taught_line_by_line(home):
        with Terminal(home, "tutorial", columns=60, rows=15) as terminal:
            terminal.until("60x16")
            terminal.until("Type 5 a, then y(.|\n)*Your move")  # or that would ask anew
            terminal.type("leave\ry\r")
            assert terminal.end() == 0
