"""On a terminal, sentences break between words; a script gets a sentence a line."""

import os
import sys
from contextlib import contextmanager

import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

import termios

from matcha_p2p.app.command.front_end import asker_for
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.command.streams import LETTERS
from matcha_p2p.console.menu.menu import QrCode
from matcha_p2p.console.terminal.keyboard import Keyboard

SAID = "The router does not answer when it is asked to open a port: forward TCP port 4717."
INVITE = "matcha1" + "q" * 90


@contextmanager
def terminal(monkeypatch):
    """Let stdout and stderr be a terminal of 40 columns; yield a function that reads both."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    with os.fdopen(theirs, "w") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        patch.setattr(sys, "stderr", stream)

        def shown():
            stream.write("\0")
            stream.flush()
            text = b""
            while not text.endswith(b"\0"):
                text += os.read(ours, 10_000)
            return text[:-1].decode().replace("\r\n", "\n")

        yield shown
    os.close(ours)


def test_sentence_is_broken_between_words_on_a_terminal(monkeypatch):
    out = Output(facts=False)
    with terminal(monkeypatch) as shown:
        for tell in (out.say, out.warn, lambda said: out.fail(said, 1, None)):
            tell(SAID)
            assert shown() == (
                "The router does not answer when it is\n"
                "asked to open a port: forward TCP\n"
                "port 4717.\n"
            )
        out.say("Short.\n\n- Also short.")
        assert shown() == "Short.\n\n- Also short.\n"


async def test_line_mode_wraps_its_sentences_and_no_invite(monkeypatch):
    with terminal(monkeypatch) as shown:
        async with asker_for(Output(facts=False), {"ui": "line"}, Keyboard(-1)) as asker:
            await asker.ask(QrCode("Title", (SAID, INVITE), ""))
        lines = shown().splitlines()
    assert lines[1] == "The router does not answer when it is"
    assert lines[-1] == INVITE


def test_script_gets_a_sentence_a_line(capsys):
    out = Output(facts=False)
    out.say(SAID)
    out.warn(SAID)
    assert capsys.readouterr() == (f"{SAID}\n", f"{SAID}\n")


def test_signs_of_cards_are_letters_where_only_ascii_can_be_written():
    assert "7✦ 10⌂ é".encode("ascii", LETTERS) == rb"7r 10b \xe9"
    assert "7✦".encode("utf-8", LETTERS) == "7✦".encode()
