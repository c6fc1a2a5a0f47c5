"""Whole games and rough treatment on a real pseudo-terminal."""

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pyte
import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

import termios

from matcha_p2p.chain.verify import Verdict, verify_transcript
from tests.console.pseudo_terminal import Terminal
from tests.processes import clean_run, host

pytestmark = pytest.mark.slow

ASKED = "Your move|Keep which|Enter closes"
CONFIRMING = "^(Lay|Pass|Keep [^w])"


def open_game(tmp_path, edition="2020", **options) -> Terminal:
    words = ("practice", "--seed", "1", "--name", "Taro", "--edition", edition)
    return Terminal(tmp_path, *words, **options)


def choose(terminal: Terminal) -> None:
    """Make the first legal move, or keep no card."""
    slot = re.search(r"> (\d) <", terminal.text)
    mat = re.search(r"then mat ([a-f])", terminal.prompt)
    if "Keep which" in terminal.prompt:
        answer(terminal, "\x1b[A\r")  # from the first card back to the button
    elif slot and mat:
        terminal.type(slot[1] + mat[1])
        confirm(terminal)
    else:
        answer(terminal, "p")


def follow_hint(terminal: Terminal) -> None:
    """Make the move that the hint has marked."""
    terminal.type("h")
    terminal.until("A good player would")
    confirm(terminal)


def confirm(terminal: Terminal) -> None:
    terminal.until_true(lambda: re.search(CONFIRMING, terminal.prompt) is not None, "question")
    answer(terminal, "\r")


def answer(terminal: Terminal, keys: str) -> None:
    asked = terminal.prompt
    terminal.type(keys)
    terminal.until_true(lambda: terminal.prompt != asked, f"answer to {asked}")


def test_a_whole_game_ends_with_a_sentence_and_the_terminal_as_it_was(tmp_path):
    with open_game(tmp_path) as terminal:
        while "Enter closes" not in terminal.until(ASKED):
            choose(terminal)
        assert re.search("wins?: |A draw: ", terminal.text)
        terminal.type("\r")
        assert terminal.end() == 0
        terminal.assert_restored()
        assert "The game is saved" in terminal.text


def test_in_practice_another_game_follows_with_open_books_hint_and_undo(tmp_path):
    scratch, home = tmp_path / "scratch", tmp_path / "home"
    scratch.mkdir()
    with open_game(home, TMPDIR=str(scratch)) as terminal:
        play_on(terminal)
        terminal.type("u\r")  # what has ended goes on
        terminal.until("Your move|Keep which")
        play_on(terminal)
        terminal.type("o")
        terminal.until("Nori has opened the book|a analysis  r play again")
        terminal.type("r")
        terminal.until("(?s)set 1.*Your move")
        asked = terminal.prompt
        follow_hint(terminal)
        terminal.until(ASKED)
        terminal.type("u\r")
        terminal.until("You take back your last decision")
        terminal.until_true(lambda: terminal.prompt == asked, asked)
        play_on(terminal)
        terminal.type("\r")
        assert terminal.end() == 0
        terminal.assert_restored()
    games = list(home.glob("games/*.matcha"))
    assert len(games) == 2
    for game in games:
        assert verify_transcript(game.read_bytes()).verdict is Verdict.COMPLETE
    assert list(scratch.iterdir()) == []


def play_on(terminal: Terminal) -> None:
    while "Enter closes" not in terminal.until(ASKED):
        choose(terminal)
    terminal.until("checked")


def concede(terminal: Terminal) -> None:
    terminal.until("Leave[?]")
    terminal.type("2")
    terminal.until("Concede the game[?] .*>n no<")
    terminal.type("y")


def test_a_set_of_2015_with_cards_kept_and_then_the_game_conceded(tmp_path):
    with ExitStack() as stack:
        terminal = stack.enter_context(open_game(tmp_path, "2015"))
        while "Keep which" not in terminal.until(ASKED):
            if "Enter closes" in terminal.prompt:  # of six cards, four may be of one suit
                terminal = stack.enter_context(open_game(tmp_path, "2015"))
            else:
                answer(terminal, "p")
        terminal.type("13")
        terminal.until("keep 1.*keep 3")
        terminal.type("\x1b[A\r")
        terminal.until("Matcha 2015   set 2")
        terminal.type("l")  # the bot may have moved on, so the line is in the review alone
        terminal.until("You keep 2 of your cards")
        terminal.type("\x1b")
        terminal.type("\x1b[21~")  # F10
        concede(terminal)
        terminal.until(r"Nori wins: you conceded")
        terminal.type("\r")
        assert terminal.end() == 0


def test_arrows_and_enter_alone_lay_a_card(tmp_path):
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        terminal.type("\x1b[C")
        terminal.until("> 2 <")
        terminal.type("\r")
        terminal.until("Which mat")
        terminal.type("\x1b[C\r")
        terminal.until("Lay .* on mat b")
        terminal.type("\r")
        terminal.until("You sealed .* on mat b")


def test_a_card_can_be_laid_with_the_mouse_alone(tmp_path):
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        terminal.click(13, 18)  # the second card
        terminal.until("Which mat")
        terminal.click(13, 9)  # mat b
        terminal.until("Lay .* on mat b")
        terminal.click(5, 23)
        terminal.until("You sealed .* on mat b")


def test_control_c_asks_how_to_leave(tmp_path):
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        terminal.type("\x03")
        terminal.until("Leave[?] .*>3 stay<")
        terminal.type("\r")
        terminal.until("Your move")
        terminal.type("\x031\r")
        assert terminal.end() == 6
        terminal.assert_restored()
        assert "Practice games left early are not saved" in " ".join(terminal.text.split())


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT], ids=["TERM", "INT", "QUIT"]
)
def test_a_signal_ends_the_game_and_restores_the_terminal(tmp_path, number):
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        terminal.signal(number)
        assert terminal.end() == 128 + number
        terminal.assert_restored()


def test_a_signal_at_the_end_of_a_game_loses_nothing_of_it(tmp_path):
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        terminal.type("\x03")
        concede(terminal)
        terminal.until("Enter closes")
        terminal.signal(signal.SIGTERM)
        assert terminal.end() == 0
        terminal.assert_restored()
        assert "The game is saved" in terminal.text


def test_a_closed_terminal_ends_the_program_and_leaves_nothing(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with open_game(tmp_path, TMPDIR=str(scratch)) as terminal:
        terminal.until("Your move")
        assert terminal.hang_up() == 128 + signal.SIGHUP
    assert list(scratch.iterdir()) == []
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_hint_and_a_decision_taken_back(tmp_path):
    """Afterwards the game goes to its end, and the talk is still there."""
    with open_game(tmp_path, "2020") as terminal:
        terminal.until("Your move")
        assert "h hint" in terminal.text
        terminal.type("/well\r")
        terminal.until("you: well")
        terminal.type("u")
        terminal.until("You have no decision to take back")
        asked = terminal.prompt
        follow_hint(terminal)
        terminal.until(ASKED)
        terminal.type("u")
        terminal.until("Take back your last decision[?] >y yes<")
        terminal.type("\x1b")
        terminal.until(ASKED)
        terminal.type("u\r")
        terminal.until("You take back your last decision")
        terminal.until_true(lambda: terminal.prompt == asked, "the question again")
        terminal.until("you: well")
        while "Enter closes" not in terminal.until(ASKED):
            choose(terminal)
        terminal.type("\r")
        assert terminal.end() == 0
        terminal.assert_restored()
    (path,) = tmp_path.glob("games/*.matcha")
    assert verify_transcript(path.read_bytes()).verdict is Verdict.COMPLETE


@pytest.mark.parametrize(
    ("ui", "shown", "keys"),
    [
        ("full", "Your move", b""),
        ("full", "Your move", b"\x1bOP"),
        ("full", "Your move", b"\x03"),
        ("line", "Your move", b""),
        ("line", "Your move", b"leave\r"),
    ],
    ids=["screen", "help", "asked", "line", "line-asked"],
)
def test_a_terminal_that_is_gone_without_a_signal_ends_the_program(tmp_path, ui, shown, keys):
    """The lost terminal controls no process: only an error or an end of input tells the loss.

    shown: the text on the terminal when a move is due.
    """
    home = tmp_path / "guest"
    env = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    with (
        host(tmp_path / "host", "--play", "club") as bot,
        subprocess.Popen(
            [sys.executable, "-m", "matcha_p2p", "join", "--ui", ui, "--home", str(home)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | env | {"MATCHA_INVITE": bot.until("invite")["invite"]},
            start_new_session=True,
        ) as process,
    ):
        os.close(slave)
        screen = pyte.Screen(80, 24)
        stream = pyte.ByteStream(screen)
        while not any(shown in line for line in screen.display):
            stream.feed(os.read(master, 65_536))
        os.write(master, keys)
        os.close(master)
        try:
            assert process.wait(10) in (6, 128 + signal.SIGHUP)
        finally:
            process.kill()
    assert len(list(home.glob("unfinished/*/journal"))) == 1
    assert not list(home.glob("log/*"))


def test_resizes_at_any_moment_leave_a_whole_screen(tmp_path):
    storm = [(20, 5), (300, 100), (60, 16), (59, 15), (110, 40), (1, 1), (79, 23), (200, 10)]
    with open_game(tmp_path) as terminal:
        terminal.until("leave")  # in too small a terminal it would not begin
        for columns, rows in storm:  # also while the cards are being shuffled
            terminal.resize(columns, rows)
            terminal.look()
        terminal.resize(80, 24)
        terminal.until("Your move")
        for columns, rows in storm * 3:
            terminal.resize(columns, rows)
            terminal.look(0)
        terminal.resize(20, 5)
        terminal.until("Please enlarge")
        terminal.resize(100, 30)
        terminal.until("Your move")
        terminal.type("\x0c")  # Ctrl-L
        terminal.until_true(
            lambda: terminal.screen.display[0].rstrip().endswith("Nori"), "title"
        )
        terminal.until_true(lambda: "? help" in terminal.screen.display[-1], "keys")


def test_pasted_garbage_is_no_key_and_in_talk_only_text(tmp_path):
    garbage = "p\r2b\r\x1b[2J\x1b]0;owned\x07\u202eevil\x00\x03q"
    paste = f"\x1b[200~{garbage}\x1b[201~"
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        terminal.type(paste + "/" + paste)
        terminal.until("Say: p 2b")
        assert b"\x1b[2J\x1b]0;owned" not in terminal.raw
        terminal.type("\r")
        terminal.until("you: p 2b")
        terminal.until("Your move")
        terminal.type("\x031\r")
        assert terminal.end() == 6
        terminal.assert_restored()


def test_help_rules_and_review_open_and_close(tmp_path):
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        for key, words in (("\x1bOP", "take"), ("\x1bOQ", "18 cards"), ("\x1bOS", "Set 1.")):
            terminal.type(key)
            terminal.until(words)
            terminal.type("\x1b")
            terminal.until("Your move")


@pytest.mark.parametrize(
    ("words", "env"),
    [(("--ui", "line"), {}), ((), {"TERM": "dumb"}), ((), {"MATCHA_UI": "line"})],
    ids=["option", "dumb", "variable"],
)
def test_line_mode_where_it_is_wanted_or_nothing_else_is_possible(tmp_path, words, env):
    with Terminal(tmp_path, "practice", *words, **env) as terminal:
        terminal.until("(?m)^>$")
        assert b"\x1b[?1049h" not in terminal.raw
        terminal.type("leave\ry\r")
        assert terminal.end() == 6


def test_a_full_screen_without_a_terminal_is_a_mistake(tmp_path):
    code, _, stderr = clean_run(tmp_path, "practice", "--ui", "full")
    assert code == 2
    assert "needs a terminal" in stderr


def test_no_colour_and_ascii_draw_without_either(tmp_path):
    with Terminal(tmp_path, "practice", "--ascii", NO_COLOR="1") as terminal:
        terminal.until("Your move")
        assert terminal.text.isascii()
        assert not re.search(rb"\x1b\[(\d+;)*[34][0-8](;\d+)*m", terminal.raw)


def test_at_normal_speed_a_reveal_is_an_event_of_its_own(tmp_path):
    with open_game(tmp_path, "2015", MATCHA_SPEED="normal") as terminal:
        shown = ""
        while "is opened" not in shown and "stays closed" not in shown:
            terminal.until("Your move")
            choose(terminal)
            shown = terminal.until("is opened|stays closed|Your move")
        terminal.until("(?s)round 2 of 3.*(Your move|to move)")


def test_stopped_program_takes_the_terminal_over_again(tmp_path):
    with open_game(tmp_path) as terminal:
        terminal.until("Your move")
        keyboard = terminal.process.fileno()
        terminal.signal(signal.SIGSTOP)
        cooked = termios.tcgetattr(keyboard)
        cooked[3] |= termios.ICANON | termios.ECHO  # as a shell leaves it
        termios.tcsetattr(keyboard, termios.TCSANOW, cooked)
        seen = len(terminal.raw)
        terminal.signal(signal.SIGCONT)
        terminal.until_true(lambda: b"?1049h" in terminal.raw[seen:], "a new screen")
        assert not termios.tcgetattr(keyboard)[3] & (termios.ICANON | termios.ECHO)
        terminal.type("1")
        terminal.until("Which mat|matches")
        terminal.type("\x031\r")
        assert terminal.end() == 6
        terminal.assert_restored()


def test_program_from_the_background_goes_on_in_the_foreground(tmp_path):
    """A program in the background may not touch the terminal, so the shell stops it again."""
    stopped = '[[ $(< /proc/$(jobs -p)/stat) == *") T "* ]]'
    script = f'set -m; "$@"; bg; until {stopped}; do :; done; fg'
    with open_game(tmp_path, wrapper=("bash", "--norc", "-ic", script, "bash")) as terminal:
        terminal.until("Your move")
        shell = terminal.process.pid
        game = int(Path(f"/proc/{shell}/task/{shell}/children").read_text())
        seen = len(terminal.raw)
        os.kill(game, signal.SIGSTOP)
        terminal.until_true(lambda: b"?1049h" in terminal.raw[seen:], "a new screen")
        terminal.type("1")
        terminal.until("Which mat|matches")
        terminal.type("\x031\r")
        assert terminal.end() == 6


def test_keys_from_the_start_to_the_first_card_laid(tmp_path):
    """A person with a name from an earlier run opens the menu."""
    (tmp_path / "config.toml").write_text('name = "Olena"\n')
    for keys, most in (("5\r\r\r1a\r", 7), ("9\r5a\r", 5)):
        with Terminal(tmp_path) as terminal:
            terminal.until("Host a table")
            terminal.type(keys[:-3])
            terminal.until("Your move")
            terminal.type(keys[-3:])
            terminal.until("You sealed")
            assert len(keys) <= most
            terminal.signal(signal.SIGTERM)
            assert terminal.end() == 128 + signal.SIGTERM
