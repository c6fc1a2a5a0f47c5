"""The response of both front ends to news and offers after a game."""

from importlib import import_module

import pytest

from matcha_p2p.console.table.focus import Gone
from matcha_p2p.console.table.stage import Staged, leave_alone
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.console.terminal.skins import ASCII
from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.games import FOLDERS
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.rules.notation import faces
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.table.events import Unopened
from matcha_p2p.narration.after_game import ALONE, tell_after
from matcha_p2p.narration.news import Checked, Taught, Uncovered
from matcha_p2p.session.news import (
    Broken,
    Exposed,
    Leave,
    NextGame,
    Offered,
    Propose,
    Settled,
    Wishes,
)
from matcha_p2p.wire.talk import Proposal
from tests.console.frames import draw, press
from tests.console.scenes import conceded
from tests.games.kashi import scenes as kashi_scenes
from tests.games.tichu.screen import scenes as tichu_scenes
from tests.games.toy.steps import SEATS, Toy
from tests.games.toy.telling import ToyWords

BOOKS, REMATCH = Proposal
OFFERS = {BOOKS: Offered("Mina"), REMATCH: Wishes(("Mina",), ("Taro",))}
(LEAF,) = faces("T3")


def over() -> Scene:
    """Return the scene of a conceded game, while both players are still there."""
    return hear(conceded(), Settled(b""))


def text(scene: Scene, columns: int = 80, rows: int = 24) -> list[str]:
    return [
        "".join(fragment[1] for fragment in line) for line in draw(scene, columns, rows, ASCII)
    ]


@pytest.mark.parametrize(("key", "proposal"), [("o", BOOKS), ("r", REMATCH)])
def test_key_offers_once_and_only_in_the_presence_of_both(key, proposal):
    assert press(conceded(), key) == (conceded(), None)
    scene, choice = press(over(), key)
    assert choice == Propose(proposal)
    assert "You offer" in scene.lately[-1]
    agreed, _ = press(hear(over(), OFFERS[proposal]), key)
    assert "You agree" in agreed.lately[-1]
    assert press(scene, key) == (scene, None)
    assert press(leave_alone(Staged(over(), Show(Speed.OFF))).scene, key)[1] is None


ENDS = {
    "matcha": conceded,
    "tichu": tichu_scenes.SCENES["won"],
    "kashi": kashi_scenes.SCENES["won"],
}


@pytest.mark.parametrize("game", FOLDERS)
@pytest.mark.parametrize("lesson", [None, "", "You know the game now."])
def test_others_have_left_a_table_and_no_tutorial(game, lesson):
    screen = f"{FOLDERS[game]}.screen"
    scene = ENDS[game]()
    if lesson is not None:
        scene = import_module(f"{screen}.scene").hear(scene, Taught(lesson))
    left = leave_alone(Staged(scene, import_module(f"{screen}.show").Show(Speed.OFF))).scene
    assert (ALONE() in left.told) is (lesson is None)


def test_after_a_breach_nothing_is_offered_and_the_result_is_still_there():
    breach = ProtocolViolationError(Check.EXPOSE, 1, 70, "no key of the cards")
    before = hear(over(), OFFERS[BOOKS])
    scene = hear(before, Broken(breach, ours=False, over=True))
    assert press(scene, "o")[1] is None
    assert (scene.end, press(scene, "enter")[0].focus) == (before.end, Gone())
    assert any("after the game" in line for line in text(scene, 110, 40))


def test_nothing_is_offered_after_another_game():
    scene, _ = press(over(), "r")
    assert press(scene, "o") == (scene, None)
    assert asked(text(scene)).startswith("> Waiting for")


def test_enter_closes_the_table_all_the_same():
    scene = hear(over(), OFFERS[REMATCH])
    assert press(scene, "enter")[0].focus == Gone()


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (110, 40)])
def test_an_offer_of_the_peer_stands_where_nothing_else_is_asked(columns, rows):
    before = asked(text(over(), columns, rows))
    for offers in ([BOOKS], [REMATCH], [BOOKS, REMATCH]):
        scene = over()
        for offer in offers:
            scene = hear(scene, OFFERS[offer])
        after = text(scene, columns, rows)
        assert asked(after) == before  # the question is as it was
        place = after.index(next(line for line in after if asked([line])))
        assert "would like to" in "\n".join(after[place - len(offers) : place + 2])
        assert "\n".join(after).count("would like to") == len(offers)
        for key in ("o", "r"):
            scene, _ = press(scene, key)
        assert "would like to" not in "\n".join(text(scene, columns, rows))


def asked(lines: list[str]) -> str:
    """Return the line that asks something."""
    return next((line.strip() for line in lines if line.strip().startswith("> ")), "")


def test_a_sound_game_has_a_mark_in_the_title():
    assert "checked" not in text(over())[0]
    scene = hear(over(), Checked(""))
    assert "checked" in text(scene)[0]
    assert "Checked: every move" in scene.told[-1]
    assert scene.lately == over().lately
    scene = hear(over(), Checked("the signature does not hold"))
    assert "checked" not in text(scene)[0]
    assert "the signature does not hold" in scene.lately[-1]


def test_the_next_game_begins_with_an_empty_table_and_the_score():
    scene = over()
    name, seat = scene.name, scene.seat
    scene, _ = press(scene, "/")
    scene = hear(scene, NextGame((2, 1)))
    assert (scene.seat, scene.name, scene.game, scene.end) == (seat, name, None, None)
    assert f"you 2 : 1 {name}" in text(scene)[0]


def test_talk_stays_with_its_speaker():
    scene = over()
    for key in ("/", "h", "i", "enter"):
        scene, _ = press(scene, key)
    scene = hear(scene, NextGame((0, 0)))
    assert scene.talk[-1] == (scene.seat, "hi")


def test_hidden_cards_are_told_one_a_line():
    cards = (Unopened(1, 2, 0, 2, LEAF), Unopened(2, 1, 1, 1, LEAF))
    conversation = Conversation(0, MATCHA)
    assert conversation.hear(Uncovered(cards))[0] == (
        "Set 1, round 2, mat c: your face-down card was leaf 3."
    )
    assert len(hear(over(), Uncovered(cards)).told) == len(over().told) + 2
    assert conversation.hear(Uncovered(())) == ("In this game no card stayed face down.",)
    assert conversation.hear(Exposed(0))


def test_line_mode_offers_agrees_and_leaves():
    conversation = Conversation(0, MATCHA)
    assert conversation.read("open").choice is None
    _, *rows = conversation.hear(Settled(b""))
    assert [row.partition(":")[0] for row in rows] == ["again", "open", "analyse", "leave"]
    assert conversation.hear(Settled(b"")) == ()
    assert conversation.read("open").choice == Propose(BOOKS)
    assert conversation.read("open").choice is None
    assert len(conversation.hear(OFFERS[REMATCH])) == 2
    answer = conversation.read("again")
    assert answer.choice == Propose(REMATCH)
    assert answer.lines == ("You agree to another game.",)
    assert conversation.read("leave").choice == Leave()
    conversation.hear(NextGame((0, 1)))
    assert conversation.read("open").choice is None
    assert conversation.read("leave").choice is None  # it asks first


def test_score_of_a_game_of_three_names_each_player():
    words = ToyWords(SEATS[2])
    words.take_up(Toy(), ("Ann", "Ben", "Mina"), ())
    (sentence,) = tell_after(NextGame((1, 0, 2)), words)
    assert sentence == "Another game begins. Games won: you 1, Ann 0, Ben 2."
