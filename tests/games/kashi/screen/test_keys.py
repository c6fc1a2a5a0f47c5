"""What keys mean in a turn that is not ended yet, over a page, in talk, and at the end."""

from dataclasses import replace

import pytest

from matcha_p2p.console.table.focus import AtTable, Gone, OpenList, Page, Reading
from matcha_p2p.console.table.keymap import shown
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.kashi.bots.hint import advise
from matcha_p2p.games.kashi.draft import Draft
from matcha_p2p.games.kashi.rules.moves import (
    DECLINE,
    TAKE_GOLD,
    AnswerIdle,
    Buy,
    ChooseGoods,
    Fulfil,
    Go,
    LayShop,
    PayUpkeep,
    PlaceShop,
    StartAt,
    TakeTurn,
)
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import Turn
from matcha_p2p.games.kashi.screen.drawing import ways
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.keys import FRAME
from matcha_p2p.games.kashi.screen.scene import WAITING, Closing, Placing, Scene, Walking
from matcha_p2p.narration.news import Decisions, TakeBack
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import (
    Concede,
    Leave,
    MakeMove,
    Offered,
    Propose,
    Settled,
    TalkHeard,
    Wishes,
)
from matcha_p2p.wire.talk import Proposal, Say
from tests.games.kashi.rules.positions import BOARD, at, position, with_shops
from tests.games.kashi.scenes import (
    OWN,
    Story,
    delivering,
    idle,
    market,
    placing,
    settling,
    starting,
    won,
)


def story_of(scene: Scene) -> Story:
    assert scene.game is not None
    story = Story(scene.game)
    story.scene = scene
    return story


def seen(scene: Scene) -> str:
    """Return the text of the screen, the lines joined by spaces."""
    frame = draw(scene, 80, 24, SYMBOLS)
    lines = ("".join(fragment[1] for fragment in line).strip() for line in frame.body)
    return " ".join(lines)


def turn_of(story: Story) -> Draft:
    draft = story.scene.draft
    assert draft is not None
    return draft


def walker(**fields) -> Story:
    return Story(position(**fields)).ask()


@pytest.mark.parametrize(
    ("keys", "made"),
    [
        (("right", "enter"), (Go(at("3,4")),)),
        (("down", "right", "enter"), (Go(at("3,4")), Go(at("4,4")))),
        (("g", "g"), (TAKE_GOLD, TAKE_GOLD)),
        (("s",), (LayShop(),)),
        (("g", "u"), ()),
        (("g", "s", "u"), (TAKE_GOLD,)),
        (("right", "escape", "enter"), ()),
        (("п",), (TAKE_GOLD,)),  # the key of g on a Ukrainian keyboard
    ],
)
def test_keys_make_actions_that_are_not_signed_yet(keys, made):
    story = walker().press(*keys)
    assert turn_of(story).made == made
    assert story.sent == []
    assert story.press("e", "enter").sent == [MakeMove(TakeTurn(made))]
    assert story.scene.question == WAITING


def test_the_end_of_a_turn_can_be_called_off():
    story = walker().press("g", "e")
    assert story.scene.question == Closing(turn_of(story))
    story.press("escape", "u")
    assert turn_of(story).made == ()
    assert story.sent == []


def test_u_takes_back_actions_and_then_the_last_decision():
    story = Story(market(), practice=True).ask().tell(Decisions(1)).press("g", "u")
    assert (turn_of(story).made, story.scene.focus) == ((), AtTable())
    assert isinstance(story.press("u").scene.focus, OpenList)
    assert walker().press("u").scene.focus == AtTable()


def keys_in_bar(scene: Scene) -> str:
    return "".join(key.shown for key in shown(FRAME.first(scene), scene) if len(key.shown) == 1)


def test_bar_has_the_keys_of_possible_actions_alone():
    assert keys_in_bar(walker().scene) == "gse"
    assert keys_in_bar(walker().press("g", "s").scene) == "ge"
    assert keys_in_bar(walker().press("g", "g", "s").scene) == "e"
    assert "d" in keys_in_bar(replace(delivering(), question=walking(delivering())))


def walking(scene: Scene) -> Walking:
    return Walking(scene.draft, scene.draft.at)


def test_upkeep_names_the_points_that_gold_not_paid_costs():
    story = story_of(settling()).press("right")
    owed = story.scene.question.owed
    assert "Each gold not paid costs a point." in seen(story.scene)
    assert f"pay {owed - 2} gold and lose 2 points?" in seen(story.press("left", "left").scene)
    poor = replace(story.scene, question=story.scene.question._replace(points=1))
    assert f"pay {owed - 2} gold and lose 1 point?" in seen(poor)


def test_a_click_chooses_a_square_and_a_second_click_goes_there():
    square = f"at{at('3,5')}"
    story = walker().press(square)
    assert turn_of(story).made == ()
    assert len(turn_of(story.press(square)).made) == 2


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ("b", "Goods are bought on the square of a wholesaler only."),
        ("ggg", "In one turn gold is taken at most 2 times."),
        ("ss", "A shop stands on that square."),
        ("d", "No order can be delivered here now."),
        ("n", "No bonus was taken just now."),
    ],
)
def test_a_refusal_says_why_and_changes_nothing(keys, reason):
    *before, last = keys
    story = walker().press(*before)
    made = turn_of(story).made
    assert story.press(last).scene.answer == reason
    assert turn_of(story).made == made


def test_a_square_too_far_away_is_not_reached():
    story = walker().press("g", "g", *["right"] * 4, "enter")
    assert turn_of(story).made == (TAKE_GOLD, TAKE_GOLD)
    assert story.scene.answer == "No action point is left."


def test_c_chooses_whose_chain_is_used():
    game = position(person="3,3", shops=("3,4", "3,5"), others=("4,3", "4,4", "4,5"))
    story = Story(game).ask().press("right", "right", "down")
    goal = at("4,5")
    assert turn_of(story.press("enter")).made == (Go(goal, OWN),)
    story.press("u", "right", "right", "down", "c", "enter")
    assert turn_of(story).made == (Go(goal, Seat(1)),)


def test_a_full_bag_asks_what_to_give_back():
    story = walker(person="1,4", goods=(2, 2, 2, 1, 1)).press("b", "3")
    assert turn_of(story).made == (Buy(2),)
    assert turn_of(story.press("b", "escape")).made == (Buy(2),)


def test_one_of_several_orders_is_chosen_by_its_place():
    story = story_of(delivering()).press("2")  # not here
    assert turn_of(story).made == ()
    assert turn_of(story.press("3")).made == (Fulfil(4),)


def test_a_bonus_can_be_declined_afterwards():
    story = story_of(delivering()).press("1", "n")
    assert turn_of(story).made == (Fulfil(1, DECLINE),)
    assert turn_of(story).ap == 4


@pytest.mark.parametrize(("key", "wish"), [("4", ChooseGoods((3,))), ("n", DECLINE)])
def test_a_good_of_choice_is_named_by_its_number(key, wish):
    game = position(goods=(0, 0, 1, 1, 0), row=(1, 2, 3, 8, 14))
    game = with_shops(game, 0, (), person=BOARD.destinations[1])
    story = Story(game).ask().press("d", key)
    assert turn_of(story).made == (Fulfil(8, wish),)


def test_a_shop_of_a_bonus_goes_to_the_chosen_square():
    story = story_of(placing())
    assert isinstance(story.scene.question, Placing)
    assert turn_of(story.press("right", "enter")).made == (Fulfil(3, PlaceShop(at("2,3"))),)


def test_a_place_that_the_rules_refuse_ends_the_question_with_the_reason():
    story = story_of(placing()).press(f"at{at('1,4')}", "enter")
    assert story.scene.answer == "No shop can stand on a wholesaler or a guest."
    assert turn_of(story).made == ()


def test_with_an_empty_hand_a_shop_is_taken_back_from_the_board():
    game = with_shops(position(shops=("2,2", "2,4")), 0, ("2,2", "2,4"), hand=0)
    story = Story(game).ask().press("s", "right", "enter")
    assert turn_of(story).made == (LayShop(at("2,4")),)


def test_an_order_is_marked_until_it_is_delivered_or_marked_again():
    story = walker().press("2")
    assert story.scene.marked == 2
    assert story.press("2").scene.marked == 0
    story = story_of(delivering())
    story.scene = replace(story.scene, marked=1)
    assert story.press("1").scene.marked == 0


def test_start_upkeep_and_idle_are_answered():
    assert story_of(starting()).press("left", "3", "enter").sent == [
        MakeMove(StartAt(BOARD.starts[2]))
    ]
    assert story_of(settling()).press("left", "right", "left", "left", "enter").sent == [
        MakeMove(PayUpkeep(1))
    ]
    assert story_of(idle()).press("right", "enter").sent == [MakeMove(AnswerIdle(settle=True))]


def test_hint_lays_out_the_turn_and_enter_plays_its_steps():
    story = Story(market(), practice=True).ask().press("g", "h")
    before = story.scene.draft
    plan = advise(Outlook(before.game, OWN)).move.actions
    assert story.scene.draft == before  # nothing is done by the hint
    assert story.scene.advice.startswith("A good player would do this: ")
    assert "The hint goes on: " in seen(story.scene)
    lit = dict(ways.lit(story.scene))
    assert {action.square for action in plan if isinstance(action, Go)} <= lit.keys()
    after = story.press("enter").scene.draft.made
    assert story.scene.advice == ""  # the question tells the next step
    assert after == (TAKE_GOLD, *plan[: len(after) - 1])
    while not isinstance(story.scene.question, Closing):
        story.press("enter")
    assert "End your turn" in seen(story.scene)
    (made,) = story.press("enter").sent
    assert made.move == TakeTurn((TAKE_GOLD, *plan))
    assert walker().press("h").scene.advice == ""


@pytest.mark.parametrize("key", ["escape", "right", "u", "g"])
def test_another_key_drops_the_rest_of_a_hint(key):
    story = Story(market(), practice=True).ask().press("g", "h", key)
    assert story.scene.question.plan == ()
    assert "The hint goes on: " not in seen(story.scene)


@pytest.mark.parametrize("key", ["g", "u"])
def test_a_hint_goes_with_the_turn_that_it_was_for(key):
    story = Story(market(), practice=True).ask().press("g", "h")
    assert story.scene.advice
    assert story.press(key).scene.advice == ""


def test_enter_ends_a_turn_without_action_points():
    story = Story(position()._replace(phase=Turn(OWN, 0))).ask()
    assert isinstance(story.press("enter").scene.question, Closing)
    assert isinstance(story.press("escape").scene.question, Walking)


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (
            starting(),
            "The orders are drawn after the start: no square is known to be better yet.",
        ),
        (settling(), "A good player pays 4 gold."),
        (idle(), "A good player settles."),
    ],
)
def test_enter_gives_what_the_hint_says_besides_a_turn(scene, said):
    story = story_of(replace(scene, advise=advise, after_game=None)).press("h")
    assert said in seen(story.scene)
    assert story.press("enter").sent == [MakeMove(advise(Outlook(scene.game, OWN)).move)]


def test_no_hint_is_due_after_the_game():
    story = story_of(replace(won(), advise=advise, after_game=None)).press("h")
    assert story.scene.answer == "No decision is due now."


def test_w_tells_the_rule_that_refused_in_this_turn():
    story = Story(position(person="2,2")).ask()
    assert "No rule refuses anything now." in seen(story.press("w").scene)
    told = "Rule K21: Goods are bought on the square of a wholesaler only."
    assert seen(story.press("w", "b", "up", "w").scene) == told
    assert "No rule refuses anything now." in seen(story.press("w").ask().press("w").scene)


def test_refusal_is_shown_until_the_next_key():
    story = Story(position(person="2,2")).ask().press("b")
    refusal = "Goods are bought on the square of a wholesaler only."
    assert refusal in seen(story.scene)
    assert refusal not in seen(story.press("up").scene)


def test_the_last_decision_is_taken_back_in_practice_alone():
    story = Story(market(), practice=True).ask().press("u")
    assert story.scene.answer == "You have no decision to take back."
    story.tell(Decisions(1)).press("u")
    assert isinstance(story.scene.focus, OpenList)
    assert story.press("enter").sent == [TakeBack()]
    assert walker().tell(Decisions(1)).press("u").scene.focus == AtTable()


def test_talk_and_pages_keep_the_running_turn():
    story = walker().press("g").tell(TalkHeard("hello", "Mina", Seat(1)))
    assert story.scene.talk == ((Seat(1), "hello"),)
    story.press("f2")
    assert story.scene.focus == Reading(Page.RULES)
    story.press("escape", "/")
    story.scene = replace(story.scene, focus=type(story.scene.focus)("well"))
    assert story.press("enter").sent == [Say("well")]
    assert turn_of(story).made == (TAKE_GOLD,)


@pytest.mark.parametrize(("keys", "choice"), [("1", Leave()), ("2y", Concede())])
def test_leaving_is_asked_about(keys, choice):
    story = walker().press("q")
    assert story.press(*keys).sent == [choice]
    assert story.scene.question == WAITING


def test_another_game_is_offered_and_agreed_to():
    story = story_of(won()).press("r")
    assert story.sent == []  # not before all have the whole game
    story.tell(Settled(b""), Wishes(("Mina",), ("Jun",))).press("r", "r")
    assert story.sent == [Propose(Proposal.REMATCH)]
    assert story.scene.lately[-1] == "You agree to another game."
    assert story.press("enter").scene.focus == Gone()


def test_a_chosen_square_at_the_edge_stays():
    story = walker(person="1,4").press("up")
    assert story.scene.question == Walking(turn_of(story), at("1,4"))


def test_offer_to_show_hidden_cards_names_no_key():
    story = story_of(won()).tell(Settled(b""), Offered("Mina"))
    assert (
        story.scene.lately[-1] == "Mina offers to show hidden cards, but this game hides none."
    )
    assert story.press("o").sent == []
