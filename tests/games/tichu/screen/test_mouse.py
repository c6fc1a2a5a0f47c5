"""Each action at a table of Tichu by the mouse alone: only what is drawn is clicked."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.console.table.focus import AtTable, Talking
from matcha_p2p.console.table.keys import write
from matcha_p2p.console.terminal.cells import key_of
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu.bots.hint import advise
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.screen.drawing import layout
from matcha_p2p.games.tichu.screen.keys import press
from matcha_p2p.games.tichu.screen.scene import Scene, hear, opening
from matcha_p2p.games.tichu.table.seated import RULES
from matcha_p2p.language import LANGUAGES, speak
from matcha_p2p.narration.news import TakeBack
from matcha_p2p.session.news import GameEvent, Leave, MakeMove, MoveDue
from matcha_p2p.table.step import AllGreeted, step
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.talk import Phrase
from tests.games.tichu.party import game, lawful
from tests.games.tichu.screen.drawing.test_layout import REVIEWED
from tests.games.tichu.screen.scenes import SCENES, YOU, leading
from tests.table.party import begun

TABLE = {"?", "m", "/", "l", "w", "q"}
CARDS = {f"card{place}" for place in (0, 1, 2, 7, 13)}
"""Some of the cards that are still in hand in every scene."""
ACTIONS: dict[str, set[str]] = {
    "grand": {"g", "enter", "s", *TABLE},
    "grand_asked": {"y", "n", "enter", "escape", *TABLE},
    "giving": {*CARDS, "gift0", "gift1", "gift2", "escape", "t", "s", *TABLE},
    "waiting": {*CARDS, "b", "s", "t", *TABLE},
    "lead": {"n", "s", *TABLE},
    "proposed": {"n", "enter", "escape", *TABLE},
    "refused": {*CARDS, "escape", *TABLE},
    "hinted": {*CARDS, "n", "enter", "escape", "h", *TABLE} - {"/"},
    "wish_bound": {*CARDS, "n", "t", *TABLE},
    "wish_met": {"enter", "escape", *TABLE},
    "bomb_possible": {*CARDS, "b", ".", "enter", "t", *TABLE},
    "bomb_marked": {*CARDS, ".", "enter", "p", "escape", *TABLE},
    "bomb_armed": {"b", "escape", *TABLE},
    "window": {*CARDS, "b", ".", *TABLE},
    "passing": {*CARDS, "n", "enter", "escape", "h", *TABLE} - {"/"},
    "wishing": {*"234567890JQKA-", "enter", "escape", *TABLE},
    "tichu_asked": {"y", "n", "enter", "escape", *TABLE},
    "dragon": {"1", "2", "enter", *TABLE},
    "bomb_lies": {"b", "s", *TABLE},
    "bomb_told": {"b", "s", *TABLE},
    "call_told": {*CARDS, "b", "s", "t", *TABLE},
    "doubled": {"enter", *TABLE},
    "round_over": {"enter", *TABLE},
    "won": {"enter", *TABLE},
    "helped": {"escape"},
    "ruled": {"escape"},
    "reviewed": {"escape"},
    "explained": {"escape"},
    "talking": {"enter", "escape", *"123456789"},
    "leaving": {"1", "2", "enter"},
}
"""The keys that clicks mean, by scene. In a low terminal gifts are chosen in their order, and
a long bar lacks Esc."""


def clicks(scene: Scene, columns: int = 80, rows: int = 24) -> set[str]:
    """Return the keys that a click on something drawn means."""
    frame = layout.draw(scene, columns, rows, SYMBOLS).cropped(columns, rows)
    lines = (*frame.head, *frame.body, *frame.foot)
    return {key for line in lines for style, _ in line if (key := key_of(style)) is not None}


def click(scene: Scene, *keys: str):
    """Click on what is drawn; a click on a phrase writes its number."""
    choice = None
    for key in keys:
        assert key in clicks(scene), key
        match scene.focus:
            case Talking(draft) if len(key) == 1:
                scene = write(scene, draft + key)
            case _:
                scene, choice = press(scene, key)
    return scene, choice


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("columns", "rows"), REVIEWED)
def test_each_action_of_a_scene_can_be_clicked(columns, rows, language):
    speak(language)
    try:
        assert ACTIONS.keys() == SCENES.keys()
        for name, wanted in ACTIONS.items():
            low = {"gift0", "gift1", "gift2", "escape"} if rows < 22 else set()
            seen = clicks(SCENES[name](), columns, rows)
            assert wanted - low <= seen, (name, wanted - seen)
    finally:
        speak("en")


def coached() -> Scene:
    return replace(leading().scene, advise=advise, decided=2)


def test_practice_is_coached_by_the_mouse():
    for columns, rows in REVIEWED:
        assert {"h", "u", "m", "w"} <= clicks(coached(), columns, rows)
    assert click(coached(), "u", "enter")[1] == TakeBack()
    assert click(coached(), "u", "escape")[0].focus == AtTable()
    over = replace(SCENES["round_over"](), advise=advise)
    assert {"a", "enter"} <= clicks(over)


def test_the_table_is_left_by_the_mouse():
    assert click(leading().scene, "q", "1")[1] == Leave()
    assert click(leading().scene, "q", "enter")[0].focus == AtTable()


def test_pages_open_and_close_by_the_mouse():
    for key in ("?", "m", "l", "w"):
        assert click(leading().scene, key, "escape")[0].focus == AtTable()


def test_a_phrase_is_said_by_the_mouse():
    assert click(leading().scene, "/", "5", "enter")[1] == Phrase(5)


def clicked_answer(view: Observation, move: actions.TichuMove) -> list[str]:
    """Return the clicks that begin ``move``."""
    match move:
        case actions.AnswerGrand(called):
            return ["g", "y"] if called else ["enter"]
        case actions.GiveCards((right, partner, left)):
            return [f"card{left}", f"card{partner}", f"card{right}", "enter"]
        case actions.GiveTrick(receiver):
            return ["2"] if receiver == seat_after(view.seat) else ["1"]
        case actions.Lay(places):
            return [*(f"card{place}" for place in places), "enter"]
        case actions.Pass():
            return ["p"]
        case _:
            return ["enter"]


def leads_to(asked: Listing, move: actions.TichuMove) -> str:
    """Return the key of the answer that is ``move``, perhaps after another list."""
    for option in asked.options:
        nested = option.gives.options if isinstance(option.gives, Listing) else (option,)
        if move in [each.gives for each in nested]:
            return option.key
    raise AssertionError(asked)


def through(scene: Scene, view: Observation, move: actions.TichuMove) -> tuple[Scene, MakeMove]:
    """Click until the seat has answered with ``move``; cards marked before are unmarked."""
    left = [*(["escape"] if scene.marked else []), *clicked_answer(view, move)]
    if getattr(move, "tichu", False):
        left = ["t", "y", *left]
    for _ in range(30):
        key = left.pop(0) if left else "enter"
        if not left and isinstance(scene.question, Listing):
            key = leads_to(scene.question, move)
        if key == "p" and key not in clicks(scene):  # then Enter passes too
            key = "enter"
        scene, choice = click(scene, key)
        if isinstance(choice, MakeMove):
            return scene, choice
    raise AssertionError(scene.told[-3:])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
async def test_a_round_is_played_by_the_mouse_alone(seed):
    """The others play at random."""
    party, chance = begun(f"tichu by mouse {seed}", game("round")), random.Random(seed)
    scene, answered = opening(YOU, advise), 0

    def told(happened) -> None:
        nonlocal scene
        for event in RULES.told(happened, party.players[YOU]):
            scene = hear(scene, GameEvent(event, RULES.state(party.table)))

    def decide(seat):
        nonlocal scene, answered
        view = RULES.look(party.players[seat], party.table, ())
        if seat != YOU:
            return lawful(view, chance)
        scene = hear(scene, MoveDue(view))
        if scene.reply is not None:
            return scene.reply
        move = lawful(view, chance)
        scene, choice = through(scene, view, move)
        answered += 1
        return choice.move

    told([AllGreeted(party.table)])
    while (due := next_due(party.table)) is not None:
        move = decide(due.seat) if due.decision else None
        before = party.table
        party.goes_on(lambda _, move=move: move)
        told(step(before, party.entries[-1])[1])
    assert answered > 5
    assert click(scene, "enter", "enter")[0].focus != AtTable()


@pytest.mark.parametrize("name", ["giving", "lead"])
def test_the_bar_names_the_keys_that_mark_a_card_and_a_click_on_space_marks(name):
    scene = SCENES[name]()
    assert {"left"} <= clicks(scene)
    scene, _ = press(scene, "left")
    assert " " in clicks(scene)
    assert press(scene, " ")[0] != scene
