"""What keys mean at the table, in talk, over a page and when leaving."""

from dataclasses import replace

import pytest

from matcha_p2p.console.table.focus import (
    AtTable,
    Departing,
    Gone,
    Page,
    Reading,
    Talking,
)
from matcha_p2p.console.table.frame import Request
from matcha_p2p.console.table.keys import write
from matcha_p2p.console.terminal.cells import width
from matcha_p2p.console.terminal.screen import NAMED_KEYS
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Move, Play
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.scene import (
    Aiming,
    Picking,
    Ready,
    Scene,
    Waiting,
    hear,
)
from matcha_p2p.language import LANGUAGES
from matcha_p2p.narration import audience
from matcha_p2p.narration.quick_phrases import PHRASES, REACTIONS, reactions_help
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import (
    Concede,
    Leave,
    LetWatch,
    MakeMove,
    PhraseHeard,
    TalkHeard,
    WatchingChanged,
)
from matcha_p2p.session.watching import Watching
from matcha_p2p.wire.talk import Phrase, Say
from matcha_p2p.wire.watching import Admission, Visibility
from tests.console.frames import draw, press
from tests.console.scenes import MINE, Story, conceded, first_move, keeping, second_round

EVERY_KEY = (*NAMED_KEYS, *"12345abcdefpq/? x茶")


def pressed(scene: Scene, *keys: str) -> tuple[Scene, list[Request]]:
    choices = []
    for key in keys:
        scene, choice = press(scene, key)
        if choice is not None:
            choices.append(choice)
    return scene, choices


def chosen(scene: Scene, *keys: str) -> Request | None:
    scene, choices = pressed(scene, *keys)
    assert scene.question == Waiting()
    (choice,) = choices
    return choice


@pytest.mark.parametrize(
    ("keys", "move"),
    [
        ("2b", Play(1, 1)),
        ("5a", Play(0, 4)),
        ("5a3b", Play(1, 2)),  # changed before it is confirmed
        ("1ab", Play(1, 0)),
        ("2c2b", Play(1, 1)),  # c is no mat of this round
        ("２ｂ", Play(1, 1)),
        ("2и", Play(1, 1)),  # the key of b on a Ukrainian keyboard
    ],
)
def test_a_card_and_a_mat_and_enter(keys, move):
    assert pressed(first_move(), *keys)[1] == []
    assert chosen(first_move(), *keys, "enter") == MakeMove(move)


@pytest.mark.parametrize("keys", ["p", "2p", "2bp", "з"])
def test_p_passes_at_once(keys):
    assert chosen(first_move(), *keys) == MakeMove(PASS)


@pytest.mark.parametrize(
    ("keys", "move"),
    [
        (("enter", "enter", "enter"), Play(0, 0)),
        (("right", "enter", "right", "enter", "enter"), Play(1, 1)),
        (("left", "enter"), PASS),
        (("down", "down", "up", "enter", "left", "enter", "enter"), Play(1, 1)),
    ],
)
def test_arrows_and_enter_alone_suffice(keys, move):
    assert chosen(first_move(), *keys) == MakeMove(move)


def test_escape_goes_back_step_by_step():
    scene, _ = pressed(first_move(), "2", "b")
    assert isinstance(scene.question, Ready)
    scene, _ = press(scene, "escape")
    assert isinstance(scene.question, Aiming)
    scene, _ = press(scene, "escape")
    assert scene.question == Picking(scene.question.observation, 1)
    assert press(scene, "escape") == (scene, None)


def test_with_one_mat_left_a_card_suffices():
    story = Story().deal().play("1a", "1b")
    assert chosen(story.scene, "2", "enter") == MakeMove(Play(1, 1))


def test_a_card_that_is_gone_cannot_be_chosen():
    scene = Story().deal().play("1a", "1b").scene
    assert press(scene, "1") == (scene, None)
    scene, _ = pressed(scene, "left", "right", "right")
    assert scene.question.at == 2


def test_cards_are_kept_by_number_or_by_arrows():
    asked = keeping()
    assert asked.question.kept == {1, 4}
    assert chosen(asked, "left", "enter") == MakeMove(Keep(frozenset({1, 4})))
    assert chosen(asked, "2", "p") == MakeMove(Keep(frozenset({4})))
    assert chosen(asked, " ", "right", "enter", "left", "left", "enter") == MakeMove(
        Keep(frozenset({2, 4}))
    )
    assert press(asked, "1") == (asked, None)


def test_no_key_makes_an_illegal_choice():
    """All sequences of two keys and enter, from each kind of question."""
    for scene in (first_move(), keeping(), Story().deal().play("1a", "1b").scene):
        observation = scene.question.observation
        legal = observe(observation.game, 0, MINE).legal_moves()
        for first in EVERY_KEY:
            for second in EVERY_KEY:
                for choice in pressed(scene, first, second, "enter", "enter")[1]:
                    if isinstance(choice, Move):
                        assert choice in legal


def test_talk_is_written_sent_and_dropped():
    scene, choices = pressed(second_round(), "/", *"ab c ", "enter")
    assert choices == [Say("ab c")]
    assert scene.talk[-1] == (0, "ab c")
    assert pressed(scene, "tab", "x", "escape")[1] == []
    assert pressed(scene, "/", "enter")[1] == []
    scene, _ = pressed(scene, "/", *"2b")
    assert scene.focus == Talking("2b")


def test_talk_is_never_longer_than_it_may_be():
    scene, choices = pressed(write(press(first_move(), "/")[0], "x" * 10_000), "y", "enter")
    assert choices == [Say("x" * 200)]
    assert scene.focus == AtTable()


def test_written_talk_is_one_line_without_control_characters():
    scene = first_move()
    assert write(scene, "2b\r") is scene
    talking = write(press(scene, "/")[0], "a\nb\x1b[2J\u202e")
    assert talking.focus == Talking("a b\ufffd[2J\ufffd")


def test_earlier_talk_is_scrolled_to():
    scene, _ = pressed(second_round(), "pageup")
    assert scene.back == 1
    assert pressed(scene, "pageup", "pageup")[0].back == 1
    assert pressed(scene, "pagedown", "pagedown")[0].back == 0
    assert pressed(second_round(), "/", "pageup")[0].back == 1


def test_pages_open_change_and_close():
    for key, page in (("f1", Page.HELP), ("?", Page.HELP), ("f2", Page.RULES)):
        scene, _ = press(first_move(), key)
        assert scene.focus == Reading(page)
        for closing in ("escape", "enter", key):
            assert press(scene, closing) == (first_move(), None)
    scene, _ = pressed(first_move(), "f1", "f2", "down", "pagedown")
    assert scene.focus == Reading(Page.RULES)
    assert pressed(scene, "x")[0] == scene
    assert press(first_move(), "f4")[0].focus.page is Page.REVIEW


def test_a_move_that_is_due_waits_while_a_page_is_read():
    story = Story().deal().press("f1").ask()
    assert story.scene.focus == Reading(Page.HELP)
    assert isinstance(story.scene.question, Picking)


@pytest.mark.parametrize("key", ["f10", "c-c"])
def test_leaving_is_asked_and_staying_comes_first(key):
    scene, choices = pressed(first_move(), key)
    assert choices == []
    for staying in (
        "enter",
        "escape",
        "q",
        "3",
        "2 n",
        "2 enter",
        "left right enter",
        "2 escape escape",
    ):
        assert pressed(scene, *staying.split()) == (first_move(), [])
    assert pressed(scene, "d") == (scene, [])
    assert pressed(scene, "?")[0].focus == Reading(Page.HELP)
    for leaving, choice in (
        (["1"], Leave()),
        (["2", "y"], Concede()),
        (["left", "enter", "left", "enter"], Concede()),
    ):
        gone, choices = pressed(scene, *leaving)
        assert (gone.focus, choices) == (Departing(), [choice])
        assert pressed(gone, "1", "a", "enter") == (gone, [])
        assert pressed(gone, key)[0].focus == Gone()


def test_at_the_end_enter_or_leaving_closes():
    for key in ("enter", "f10", "c-c"):
        assert press(conceded(), key)[0].focus == Gone()
    assert pressed(conceded(), "p", "1", "a") == (conceded(), [])
    gone, _ = press(conceded(), "enter")
    assert press(gone, "f1") == (gone, None)


def test_while_the_other_moves_no_key_is_a_move():
    scene = replace(first_move(), question=Waiting())
    assert pressed(scene, "1", "a", "enter", "p", "enter") == (scene, [])


@pytest.mark.parametrize("key", ["/", "tab", "f3"])
def test_a_number_in_the_talk_line_says_a_phrase(key):
    scene, choices = pressed(first_move(), key, "3", "enter")
    assert choices == [Phrase(3)]
    assert scene.talk[-1] == (scene.seat, "You would not dare.")


@pytest.mark.parametrize("typed", ["0", "10", "33", "³", "3 tokens"])
def test_invalid_phrase_number_is_sent_as_text(typed):
    _, choices = pressed(first_move(), "/", *typed, "enter")
    assert choices == [Say(typed)]


def test_letters_act_as_function_keys():
    for letter, key in (("q", "f10"), ("m", "f2"), ("l", "f4"), ("?", "f1"), ("w", "f5")):
        assert press(first_move(), letter) == press(first_move(), key)


def test_talk_of_a_muted_player_is_hidden_until_unmuted():
    scene, _ = press(first_move(), "x")
    assert "Mina is muted" in scene.lately[-1]
    assert hear(scene, TalkHeard("boo", "Taro", Seat(1))) == scene
    assert hear(scene, PhraseHeard(3, "Taro", Seat(1))) == scene
    scene, _ = press(scene, "x")
    assert hear(scene, TalkHeard("hello", "Taro", Seat(1))).talk[-1] == (1, "hello")


def test_new_talk_is_marked_until_a_key_is_pressed_at_the_table():
    scene = hear(press(first_move(), "?")[0], TalkHeard("hello", "Taro", Seat(1)))
    scene = hear(scene, PhraseHeard(3, "Taro", Seat(1)))
    assert scene.unread == 2
    title = "".join(text for _, text in draw(scene, 80, 24, SYMBOLS)[0])
    assert "TALK: 2 new" in title
    scene, _ = pressed(scene, "down", "escape")
    assert scene.unread == 2
    shown = "\n".join("".join(t for _, t in line) for line in draw(scene, 80, 24, SYMBOLS))
    assert "TALK: 2 new" in shown
    assert press(scene, "1")[0].unread == 0


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 16), (120, 40)])
def test_beginning_to_talk_shows_the_phrases(columns, rows):
    scene, _ = press(first_move(), "/")
    shown = "\n".join(
        "".join(t for _, t in line) for line in draw(scene, columns, rows, SYMBOLS)
    )
    told = [f"{number}: " in shown for number in PHRASES]
    assert sum(told) >= (len(PHRASES) if rows > 16 else 3)


UNHEARD = Watching(SEATS[0], (Admission(), None), ("Mina", "Taro"))


def watched() -> Scene:
    """Return a scene whose other player lets three people watch; one does."""
    now = UNHEARD.hear(SEATS[1], Admission(Visibility.LATER, 3, ("Ann",)))
    return hear(first_move(), WatchingChanged(UNHEARD, now))


def text_of(scene: Scene, rows: int = 24) -> str:
    lines = draw(scene, 80, rows, SYMBOLS)
    return "\n".join("".join(text for _, text in line) for line in lines)


def test_v_tells_the_limits_for_watchers():
    scene, wish = press(watched(), "v")
    assert wish is None
    assert "Watchers see  1 nothing >2 past rounds< 3 each move" in text_of(scene)
    assert pressed(scene, "3")[1] == [LetWatch(Visibility.AT_ONCE)]
    assert pressed(scene, "enter")[1] == [LetWatch(Visibility.LATER)]
    assert pressed(scene, "left", "enter")[1] == [LetWatch(Visibility.NOTHING)]
    assert pressed(scene, "right", "escape") == (replace(scene, focus=AtTable()), [])


def test_key_v_means_nothing_without_watchers():
    scene = first_move()
    assert press(scene, "v") == (scene, None)
    closed = replace(scene, audience=UNHEARD.hear(SEATS[1], Admission(Visibility.NOTHING, 3)))
    assert press(closed, "v") == (closed, None)


def test_watchers_are_named_on_the_table():
    text = text_of(watched())
    assert 'watched by 1: "Ann"' in text
    assert "v: say how much watchers may see" in text
    assert "how much watchers may see" in text_of(press(watched(), "?")[0], 60)


def test_number_of_watchers_is_told_in_narrow_lines_too():
    scene = replace(watched(), round_trip=0.001)
    first = "".join(text for _, text in draw(scene, 60, 16, SYMBOLS)[0])
    assert "   watched: 1 you and M" in first


@pytest.mark.parametrize("language", LANGUAGES)
def test_question_about_watchers_fits_a_narrow_line(language):
    asked = [audience.ASK, *audience.ANSWERS.values()]
    texts = [sentence.text_in(language) for sentence in asked]
    assert width("> ") + sum(map(width, texts)) + 1 + 4 * len(Visibility) <= 60


@pytest.mark.parametrize(("key", "number"), REACTIONS.items())
def test_single_key_says_a_phrase_also_while_a_move_is_due(key, number):
    scene, choices = pressed(first_move(), key)
    assert choices == [Phrase(number)]
    assert scene.talk[-1] == (scene.seat, PHRASES[number]())
    assert scene.question == first_move().question
    assert f"{key.upper()} {PHRASES[number]().rstrip('.')}" in reactions_help()


def test_reaction_keeps_the_line_that_is_written():
    scene, choices = pressed(first_move(), "/", "h", "f6")
    assert (scene.focus, choices) == (Talking("h"), [Phrase(5)])


def test_no_reaction_is_said_when_nobody_hears():
    alone = replace(first_move(), advise=lambda _: None)
    assert pressed(alone, "f6") == (alone, [])
