"""In every language each screen fits, its frames stand, and each question is whole."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from unicodedata import east_asian_width

import pytest
from babel.messages.pofile import read_po

from matcha_p2p.app.command.front_end import usual_icons
from matcha_p2p.app.menu import menu as menus
from matcha_p2p.app.menu import past_games, settings
from matcha_p2p.app.menu import start as entrance
from matcha_p2p.console.menu.menu import Menu, TextPage
from matcha_p2p.console.table.captions import DEPARTING, SEEKING
from matcha_p2p.console.table.focus import AtTable
from matcha_p2p.console.terminal.cells import CUT, width, wrapped
from matcha_p2p.console.terminal.skins import (
    SKINS,
    SYMBOLS,
    Skin,
    skin_called,
    with_framed_cards,
)
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.lessons.lessons import BY_LINE, END, LESSONS, ON_SCREEN
from matcha_p2p.games.matcha.lessons.tutorial import lesson_text
from matcha_p2p.games.matcha.replay.state import watch
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.edition import EDITION_2020
from matcha_p2p.games.matcha.rules.judgement import Judgement
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen import coach as coaching
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.screen.signs import LETTERS, signs_of
from matcha_p2p.games.matcha.table.events import HandSeen
from matcha_p2p.games.matcha.words import captions, words
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.news import Checked
from matcha_p2p.narration.quick_phrases import phrase_list
from matcha_p2p.review.steps import viewpoints
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDialled, LineQuiet
from matcha_p2p.session.news import (
    GameEvent,
    LineChanged,
    MoveDue,
    Offered,
    Settled,
    TalkHeard,
    Wishes,
)
from tests.catalogues import forms, po, written
from tests.console.frames import ask, assert_as_reviewed, draw
from tests.console.questions import QUESTIONS
from tests.console.scenes import MINE, SCENES, Story, conceded, first_move, keeping
from tests.games.matcha.replay.test_replay import replayed

SCREENS = Path(__file__).parents[1] / "games" / "matcha" / "screens"
SIZES = [(60, 16), (80, 24), pytest.param(110, 40, marks=pytest.mark.slow)]
FRAMES = "│┌┐└┘"

LOOKED_AT = ("ja", "uk")
"""The languages with reviewed screens besides English."""

KEPT = [("first_move", 60, 16), *((name, 80, 24) for name in (
    "first_move", "second_round", "keeping", "helped", "explained"
))]  # fmt: skip

PLURALS = [
    ("en", 1, "1 leaf token"),
    ("en", 4, "4 leaf tokens"),
    ("uk", 1, "1 жетон матчі"),
    ("uk", 3, "3 жетони матчі"),
    ("uk", 11, "11 жетонів матчі"),
    ("uk", 21, "21 жетон матчі"),
    ("ja", 1, "茶葉トークン1個"),
    ("ja", 4, "茶葉トークン4個"),
]


def _story(scene: Scene) -> Story:
    story = Story()
    story.scene = scene
    return story


def _coached(scene: Scene) -> Scene:
    return replace(scene, advise=lambda _: Judgement((), exact=False), decided=1)


def _over() -> Scene:
    """Both players are still there after a sound game."""
    return hear(hear(conceded(), Settled(bytes(32))), Checked(""))


def _working(sentence: Callable[..., str]) -> Callable[[], Scene]:
    return lambda: replace(
        first_move(), question=Scene(SEATS[0]).question, work=sentence(name="Mina")
    )


_WISHES = Wishes(("Mina",), ("Taro",))

ASKED: dict[str, Callable[[], Scene]] = {
    "passing for the round": lambda: Story().deal().press("p").scene,
    "passing the turn": lambda: Story(EDITION_2020).deal().press("p").scene,
    "one mat left": lambda: Story().deal().play("1a", "1a").scene,
    "keeping some": lambda: _story(keeping()).press("p").scene,
    "keeping all": lambda: _story(keeping()).press("3", "4", "p").scene,
    "keeping none": lambda: _story(keeping()).press("2", "5", "p").scene,
    "their move": lambda: Story().deal().play("1a").scene,
    "practice": lambda: _coached(first_move()),
    "leaving practice": lambda: _story(_coached(first_move())).press("q").scene,
    "taking back": lambda: _story(_coached(first_move())).press("u").scene,
    "after the game": _over,
    "waiting for another": lambda: _story(_over()).press("r").scene,
    "books opened": lambda: _story(_over()).press("o").scene,
    "asked for books": lambda: hear(_over(), Offered("Mina")),
    "asked for another": lambda: hear(_over(), _WISHES),
    "asked for both": lambda: hear(hear(_over(), Offered("Mina")), _WISHES),
    "the score": lambda: hear(replace(conceded(), score=(2, 1), focus=AtTable()), Checked("")),
    "a phrase": lambda: Story().deal().press("/", "3").scene,
    "dialled": lambda: hear(first_move(), LineChanged(LineDialled(1_200, Seat(1)), "Taro")),
    "quiet": lambda: hear(first_move(), LineChanged(LineQuiet(120.0, Seat(1)), "Taro")),
    **{
        f"work {number}": _working(sentence)
        for number, sentence in enumerate(
            (
                captions.MEETING,
                SEEKING,
                captions.SHUFFLING,
                captions.DEALING,
                captions.THEIR_CHOICE,
                captions.SENT,
                DEPARTING,
                coaching.GOING_BACK,
                *captions.SHUFFLED.values(),
                *captions.SHUFFLED_YOURS.values(),
            )
        )
    },
}
"""More texts of the prompt line."""


def drawn(scene: Scene, columns: int, rows: int, skin: Skin | None = None) -> list[str]:
    """Return a screen by the usual settings."""
    lines = draw(scene, columns, rows, skin or skin_called(usual_icons()))
    return ["".join(text for _, text in line) for line in lines]


def columns_of_frames(lines: list[str]) -> list[list[int]]:
    """Return the cells of the frames, for each line."""
    return [
        [width(line[:at]) for at, character in enumerate(line) if character in FRAMES]
        for line in lines
    ]


@cache
def english_frames(name: str, columns: int, rows: int, icons: str) -> list[list[int]]:
    """Return the cells of the frames in English. The caller must restore its own language."""
    speak("en")
    return columns_of_frames(drawn(SCENES[name](), columns, rows, skin_called(icons)))


# The longest words and the widest characters are quick; English has neither.
@pytest.fixture(
    params=[pytest.param(it, marks=pytest.mark.slow if it == "en" else ()) for it in LANGUAGES]
)
def language(request: pytest.FixtureRequest, restored: None) -> str:
    speak(request.param)
    return request.param


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", SCENES)
def test_each_screen_fits_and_its_frames_stand(name, columns, rows, language):
    """Frames stand as in English: a longer word pushes no card aside."""
    for icons in SKINS:
        lines = drawn(SCENES[name](), columns, rows, skin_called(icons))
        assert {width(line) for line in lines} == {columns}
        assert len(lines) == rows
        assert columns_of_frames(lines) == english_frames(name, columns, rows, icons)
        speak(language)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("icons", SKINS)
def test_screen_is_nowhere_cut_off(name, columns, rows, icons, language):
    assert CUT not in "".join(drawn(SCENES[name](), columns, rows, skin_called(icons)))


@pytest.mark.parametrize("name", ["first_move", "second_round", "keeping"])
@pytest.mark.parametrize("icons", SKINS)
def test_a_gain_stands_apart_from_the_card_beside_it(name, icons, language):
    """Also in the smallest terminal, and where cards have frames."""
    skin = skin_called(icons)
    for each in (skin, with_framed_cards(skin)):
        lines = drawn(SCENES[name](), 60, 16, each)
        assert CUT not in "".join(lines)
        assert not re.search(
            rf"[0-4]\+|\+{signs_of(skin).letter(Token.LEAF)}[^ ]", "\n".join(lines)
        )


def test_phrases_leave_room_for_the_talk(language):
    """The smallest terminal lists all phrases until the user writes other text."""
    story = Story().deal().tell(TalkHeard("what do you say?", "Taro", Seat(1))).press("/")
    for draft in ("", "3"):
        lines = drawn(story.press(*draft).scene, 60, 16)
        text = "\n".join(lines)
        assert all(phrase in text for phrase in phrase_list())
        assert "what do you say?" in text
    text = "\n".join(drawn(story.press("x").scene, 60, 16))
    assert "what do you say?" in text
    assert phrase_list()[8] not in text


def test_suits_have_letters_of_the_language_all_different(language):
    letters = LETTERS().split()
    assert len(set(letters)) == len({*Token}) + 1
    assert len({width(letter) for letter in letters}) == 1
    for skin in (skin_called("plain"), skin_called("symbol")):
        text = "".join(drawn(first_move(), 80, 24, skin))
        if language != "en":
            assert not re.search("[TBWSKZ][0-9▪▫]", text)
        for letter in letters[:4]:
            assert f"{letter}▫▫▫▫" in text


def test_help_names_the_signs_that_are_drawn(language):
    for icons in SKINS:
        skin = skin_called(icons)
        text = "".join(drawn(SCENES["helped"](), 110, 60, skin))
        for token in Token:
            assert signs_of(skin).token(token) in text


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", ASKED)
def test_no_question_is_cut_off(name, columns, rows, language):
    assert CUT not in "".join(drawn(ASKED[name](), columns, rows))


@pytest.mark.parametrize("name", ["first_move", "second_round", "keeping", "conceded"])
def test_the_words_of_the_table_do_not_touch(name, language):
    """The words for the leader and for a player out of the round do not touch the tokens."""
    for line in drawn(SCENES[name](), 60, 16):
        before, found, _ = line.partition(f"{LETTERS()[0]}▫")
        assert not found or before.endswith(" ")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("view", viewpoints(2).values())
def test_replay_is_nowhere_cut_off(view, columns, rows, language):
    replay = replayed("long", (0,))
    for at in (0, 14, len(replay.steps) - 1):
        watching = watch(replay, view, at)
        for key in ("", "f1", "w"):
            watching = watching.press(key)
            lines = drawn(watching.scene(), columns, rows)
            assert {width(line) for line in lines} == {columns}
            assert CUT not in "".join(lines)


def test_every_lesson_has_room_beside_the_table(language):
    for ways in (ON_SCREEN, BY_LINE):
        for lesson in LESSONS:
            assert len(wrapped(lesson_text(lesson, ways), 27)) <= 19
            assert len(wrapped(lesson_text(lesson, ways), 59)) <= 5  # the hand stays
            assert len(wrapped(lesson.again(), 27)) <= 19
    assert len(wrapped(END(), 27)) <= 19


def test_every_entry_of_the_menu_fits(language):
    entries = [
        menus.HOST(),
        menus.JOIN(),
        menus.PRACTISE(),
        *(
            entry(game="Matcha 2015", names="Mykola", due="Mykola")
            for entry in (
                past_games.GO_ON_YOURS,
                past_games.GO_ON_THEIRS,
                past_games.GO_ON_OVER,
            )
        ),
        past_games.GO_ON_WITH(12),
        menus.GAMES(),
        menus.RULES(),
        menus.TUTORIAL(),
        menus.SETTINGS(),
        menus.QUIT(),
        *(name() for name in (*MATCHA.level_names.values(), *MATCHA.temper_names.values())),
        entrance.SKIP(),
        *(name() for name in (*settings.ICON_NAMES.values(), *settings.COLOUR_NAMES.values())),
    ]
    menu = Menu(
        menus.TITLE(), (menus.ABOUT(games="Matcha, Tichu, Kashi-ichi"),), tuple(entries)
    )
    for question in (menu, TextPage("", ())):
        lines = ask(question, 60, 60, SYMBOLS)
        assert CUT not in "".join(text for line in lines for _, text in line)


@pytest.mark.parametrize(("columns", "rows"), [(60, 60), (80, 24), (120, 40)])
@pytest.mark.parametrize("name", QUESTIONS)
def test_question_is_nowhere_cut_off(name, columns, rows, language):
    for line in ask(QUESTIONS[name](), columns, rows, SYMBOLS):
        text = "".join(text for _, text in line)
        assert width(text) == columns
        assert CUT not in text or "matcha1" in text or name == "joining"


@pytest.mark.parametrize(("name", "columns", "rows"), KEPT)
@pytest.mark.parametrize("language", LOOKED_AT)
def test_a_screen_looks_as_reviewed(name, columns, rows, language, restored):
    speak(language)
    path = SCREENS / f"{name}-{columns}x{rows}.{language}.txt"
    text = "\n".join(line.rstrip() for line in drawn(SCENES[name](), columns, rows)) + "\n"
    assert_as_reviewed(path, text)


@pytest.mark.parametrize(("spoken", "count", "text"), PLURALS)
def test_a_count_has_the_form_of_its_language(spoken, count, text, restored):
    speak(spoken)
    assert words.COUNTED_TOKENS[Token.LEAF](count) == text


def test_line_mode_says_whole_sentences(language):
    """Every command, asked and not asked: no field is left unfilled."""
    story = Story().deal()
    conversation = Conversation(0, MATCHA)
    said = [*conversation.read("help").lines, *conversation.read("table").lines]
    said += conversation.hear(GameEvent(HandSeen(MINE), story.game))
    said += conversation.hear(MoveDue(observe(story.game, 0, MINE)))
    for typed in (
        *(each.word for each in conversation.commands),
        "2 a",
        "n",
        "9",
        "none",
        "p",
        "n",
        "say ",
        "1 c",
    ):
        said += conversation.read(typed).lines
    assert len(said) > 25
    assert not [line for line in said if "{" in line or "}" in line]


@pytest.mark.parametrize(
    ("spoken", "place"),
    [("en", "You: no card."), ("ja", "あなた: カードなし。"), ("uk", "Ви: без карти.")],
)
def test_line_mode_tells_a_place_without_a_card(spoken, place, restored):
    speak(spoken)
    story = Story().deal()
    conversation = Conversation(0, MATCHA)
    conversation.hear(GameEvent(HandSeen(MINE), story.game))
    conversation.hear(MoveDue(observe(story.game, 0, MINE)))
    assert place in "\n".join(conversation.read("table").lines)


def test_japanese_has_no_character_of_open_width():
    """Terminals in Japan may draw such a character in two cells, so the line is too long."""
    with po("ja").open("rb") as file:
        for message in read_po(file, locale="ja"):
            text = "".join(forms(message.string)) if message.id else ""
            assert not [each for each in text if east_asian_width(each) == "A"], text


def test_a_set_has_one_name_in_ukrainian():
    other = re.compile(r"\bпоєдин", re.IGNORECASE)
    texts = [(each.id, form) for each in written(po("uk"), "uk") for form in forms(each.string)]
    assert not [name for name, text in texts if other.search(text)]
