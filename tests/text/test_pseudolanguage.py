"""No English is left where another language is spoken.

A catalogue puts every sentence between « and »; all text outside
has to be names, cards, keys or commands.
"""

import re
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from click.testing import CliRunner

from matcha_p2p import language
from matcha_p2p.cli import commands
from matcha_p2p.cli.topics import TOPICS
from matcha_p2p.console.terminal.cells import CUT
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.errors import InviteError, LinkError
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020, Edition
from matcha_p2p.games.matcha.rules.notation import move_text
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDown, LineQuiet, LineUp
from matcha_p2p.session.news import Exposed, LineChanged, TakenUp, TalkHeard
from matcha_p2p.transport import dial
from matcha_p2p.transport.codes.invite import Invite
from tests.catalogues import template
from tests.console.frames import draw
from tests.console.scenes import MINE, SCENES, THEIRS, Story

WORD = re.compile(r"[A-Za-z]{2,}")
READ = ("helped", "ruled", "reviewed", "explained")
"""The scenes in which a page lies over the table."""

NAMES = {"Mina", "Taro", "Matcha"}
SAID = {"hello", "again", "one", "more", "then"}
SHOWN_AS_IS = re.compile(r"dask:|--?[a-z-]+|\b[A-Z_]+\b|[\[{]\w+(\|\w+)*[\]}]|'\w+'")
"""In help: options, their values, and typed words."""


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the catalogue, as if that were Ukrainian."""
    made = template("uk")
    for message in made:
        if isinstance(message.id, tuple):
            one, many = (f"«{form}»" for form in message.id)
            message.string = (one, many, many)
        elif isinstance(message.id, str) and message.id:
            message.string = "\n\n".join(f"«{part}»" for part in message.id.split("\n\n"))
    locale = tmp_path_factory.mktemp("locale")
    folder = locale / "uk" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "matcha_p2p.mo").open("wb") as file:
        write_mo(file, made)
    return locale


@pytest.fixture
def _marked(restored: None, marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak with the marks."""
    monkeypatch.setattr(language, "LOCALE", marks)
    monkeypatch.setenv("MATCHA_LANG", "uk")
    language.speak("uk")


def unmarked(text: str) -> set[str]:
    """Return the words of ``text`` outside of all marks; a cut text has lost its end."""
    depth, outside = 0, ""
    for character in text:
        depth += (character == "«") - (character == "»")
        outside += " " if depth or character == "»" else character
        depth = 0 if character == CUT else depth
    assert depth == 0, text
    return set(WORD.findall(outside)) - NAMES


def parts(rows: list[str]) -> list[str]:
    """Return what stands side by side on a screen of 300 columns, each part as one text."""
    low = next((n for n, row in enumerate(rows) if set(row) == {SYMBOLS.across}), 1)
    pane, left = [row[72:] for row in rows[1:low]], [row[:71] for row in rows[1:low]]
    return ["\n".join(part) for part in (rows[:1], left, pane, rows[low:])]


@pytest.mark.usefixtures("_marked")
@pytest.mark.parametrize("name", SCENES)
def test_every_word_of_the_screen_is_translated(name):
    for columns in (79, 300):
        lines = draw(SCENES[name](), columns, 400, SYMBOLS)
        rows = ["".join(text for _, text in line) for line in lines]
        texts = parts(rows) if columns == 300 and name not in READ else ["\n".join(rows)]
        for text in texts:
            assert not unmarked(text) - SAID, text


class Told(Story):
    """A story that line mode tells. lines: all that it says."""

    def __init__(self, edition: Edition) -> None:
        self.conversation = Conversation(SEATS[0], MATCHA)
        self.lines: list[str] = []
        super().__init__(edition)

    def tell(self, *news: News) -> "Told":
        for piece in news:
            self.lines += self.conversation.hear(piece)
        super().tell(*news)
        return self

    def type(self, *lines: str) -> None:
        for line in lines:
            self.lines += self.conversation.read(line).lines


@pytest.mark.usefixtures("_marked")
@pytest.mark.parametrize("edition", [EDITION_2015, EDITION_2020])
def test_every_word_of_line_mode_is_translated(edition):
    commands = (each.word for each in Conversation(SEATS[0], MATCHA).commands)
    typed = (*commands, "say 12", "2 a", "n", "2 f", "1 4", "none", "xyzzy", "y", "")
    story = Told(edition)
    story.type(*typed)
    story.deal()
    story.type(*typed)
    story.play("1a", "1a", "2b", "p")
    while isinstance(story.game.phase, Placing):
        story.type(*typed)
        seat = story.game.phase.to_move
        moves = observe(story.game, seat, (MINE, THEIRS)[seat]).legal_moves()
        story.play(move_text(moves[0]))
    story.tell(
        TalkHeard("12", "Taro", Seat(1)),
        Exposed(0),
        Exposed(1),
        LineChanged(LineQuiet(7, Seat(1)), "Taro"),
        LineChanged(LineUp(b"", None, Seat(1)), "Taro"),
        LineChanged(LineDown("12", Seat(1)), "Taro"),
        TakenUp(story.game, ("Taro", "Mina"), MINE),
    )
    story.type(*typed)
    assert len(story.lines) > 100
    for line in story.lines:
        assert not unmarked(line), line


@pytest.mark.usefixtures("_marked")
@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        *(
            (name, "--help")
            for name, command in commands.commands.items()
            if not command.hidden
        ),
        (),
        ("hots",),
        ("xyzzy",),
        ("host", "--bogus"),
        ("host", "--name", ""),
        ("host", "--port", "70000"),
        ("host", "--address", "12"),
        ("host", "--edition", "12"),
        ("verify",),
        ("arena", "12", "13", "--games", "1"),
    ],
)
def test_every_word_of_help_is_translated(words):
    result = CliRunner().invoke(commands, words, prog_name="matcha")
    text = SHOWN_AS_IS.sub("", result.output)
    names = {"matcha", *commands.commands, *" ".join(TOPICS).replace("-", " ").split()}
    assert not unmarked(text) - names, result.output


@pytest.mark.usefixtures("_marked")
def test_an_error_is_translated_when_it_is_shown():
    with pytest.raises(InviteError) as caught:
        Invite.parse("hello")
    assert not unmarked(language.sentence_of(caught.value))
    assert str(caught.value).startswith("This is no invite")
    language.speak("en")
    assert language.sentence_of(caught.value) == str(caught.value)


def test_nested_error_is_translated_too():
    reason = LinkError("hung up")
    tried = LinkError("{place} ({reason})", place="192.0.2.1:4717", reason=reason)
    said = language.sentence_of(LinkError(dial._NOT_LET_IN, places=(tried, tried)))
    assert "hung up" not in said.replace(language.sentence_of(reason), "")
    assert said.count(language.sentence_of(tried)) == 2
