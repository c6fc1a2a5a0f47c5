"""Keys of Tichu: cards are marked by keys and clicks, named at once, and laid."""

from dataclasses import replace
from functools import partial

import pytest

from matcha_p2p.console.table.focus import AtTable
from matcha_p2p.console.terminal.cells import key_of
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu.bots.hint import advise
from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveCards,
    GiveTrick,
    Hold,
    Lay,
    Pass,
    TichuMove,
)
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.games.tichu.screen.drawing import layout
from matcha_p2p.games.tichu.screen.keys import FRAME, press
from matcha_p2p.games.tichu.screen.marking import fitting, in_order
from matcha_p2p.games.tichu.screen.scene import (
    Marking,
    Scene,
    answered,
    hear,
    opening,
)
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.words import captions, line_sentences
from matcha_p2p.narration import after_game
from matcha_p2p.narration.news import TakeBack
from matcha_p2p.session.news import Concede, Leave, MakeMove, MoveDue, Offered, Propose, Settled
from matcha_p2p.session.watching import Watching
from matcha_p2p.wire.talk import Proposal
from matcha_p2p.wire.watching import Admission, Visibility
from tests.console.hints import press_hinted
from tests.games.tichu.screen.drawing.test_layout import drawn
from tests.games.tichu.screen.scenes import (
    CARL,
    DORA,
    SCENES,
    YOU,
    Story,
    faces,
    following,
    leading,
    opened,
)


def typed(scene: Scene, *keys: str):
    choice = None
    for key in keys:
        scene, choice = press_hinted(FRAME, scene, key)
    return scene, choice


def move(scene: Scene, *keys: str) -> TichuMove:
    _, choice = typed(scene, *keys)
    assert isinstance(choice, MakeMove)
    return choice.move


def marked(scene: Scene) -> str:
    return " ".join(
        TEXTS[scene.held[place]] for place in in_order(scene) if place in scene.marked
    )


def prompt(scene: Scene) -> str:
    return next(line for line in drawn(scene, 80, 24) if line.startswith("> "))


def beside_the_dragon() -> Scene:
    """Return the scene of your turn, with no card that fits, as the others hold and pass."""
    story = Story()
    story.hands[YOU] = list(faces("R2 G3 B5 R7 G7 B7 K8 B9 RT KT GQ KA P G4"))
    story.deal().exchange().lay(CARL, "D")
    while story.game.round.asked[0] != (YOU, Ask.TURN):
        seat, ask = story.game.round.asked[0]
        if ask is Ask.HOLD:  # no news tell of it
            state = rules.hold(story.game.round, seat)
            story.game = story.game._replace(round=state)
        else:
            story.passes(seat)
    return story.ask().scene


def test_a_hand_in_which_nothing_fits_passes_by_enter():
    scene = beside_the_dragon()
    assert "none of your cards fits" in prompt(scene)
    assert isinstance(move(scene, "enter"), Pass)


def test_own_name_is_lit_when_others_have_laid_no_bomb():
    shown = "\n".join(drawn(beside_the_dragon(), 80, 24))
    assert "▸you" in shown
    assert ">Carl" not in shown


def test_enter_without_a_marked_card_says_so():
    scene, choice = typed(leading().scene, "enter")
    assert (choice, scene.lately[-1]) == (None, captions.UNMARKED())


def test_a_rank_key_marks_one_more_card_and_then_none():
    scene = leading().scene
    shown = [marked(scene := press(scene, "0")[0]) for _ in range(4)]
    assert shown == ["RT", "RT KT", "", "RT"]


def test_special_cards_have_keys_of_their_own():
    assert marked(typed(leading().scene, "P", "D", "H", "M")[0]) == "P"


def test_arrows_and_space_mark_a_card_and_escape_unmarks_all():
    scene, _ = typed(leading().scene, "right", "right", " ")
    assert marked(scene) == "G3"
    assert marked(typed(scene, "escape")[0]) == ""


def test_a_click_on_a_card_marks_it():
    scene = leading().scene
    place = in_order(scene)[0]
    assert marked(typed(scene, f"card{place}")[0]) == "R2"


def test_what_is_marked_is_named_at_once_or_refused_with_the_rule():
    assert "a pair of tens (10✦ 10⍏): Enter lays it." in prompt(
        typed(leading().scene, *"00")[0]
    )
    assert "Rule T14" in prompt(typed(leading().scene, *"89")[0])
    assert "Rule T16" in prompt(typed(following().scene, *"77")[0])


def test_what_is_refused_is_not_laid_and_why_tells_the_rule():
    scene, choice = typed(leading().scene, "8", "9", "enter")
    assert choice is None
    assert any("straight is five" in line for line in drawn(typed(scene, "w")[0], 80, 24))


def test_w_tells_no_refusal_of_an_earlier_decision():
    story = leading().press("p")
    assert any("Rule T" in line for line in drawn(story.press("w").scene, 80, 24))
    later = story.press("w").ask().press("w").scene
    assert any("No rule refuses anything now." in line for line in drawn(later, 80, 24))


def test_w_tells_why_the_marked_cards_are_refused():
    scene = typed(leading().scene, "p", *"89", "w")[0]
    assert any("Rule T14" in line for line in drawn(scene, 80, 24))


def test_marked_cards_are_laid_by_enter():
    story = leading()
    hand = {face: place for place, face in story.scene.held.items()}
    places = tuple(sorted((hand[TEXTS.index("RT")], hand[TEXTS.index("KT")])))
    assert move(story.scene, *"00", "enter") == Lay(places)


def test_the_plays_that_fit_go_round_and_back():
    scene = leading().scene
    count = len(fitting(scene))
    first = marked(typed(scene, "n")[0])
    assert marked(typed(scene, *"n" * (count + 1))[0]) == first
    assert marked(typed(scene, "n", "n", "N")[0]) == first
    assert marked(typed(scene, "N")[0]) == marked(typed(scene, *"n" * count)[0])


def test_a_bound_seat_is_proposed_only_what_meets_the_wish():
    scene = following().scene
    assert marked(typed(scene, "n")[0]) == "GQ P"
    refused, choice = typed(scene, "p")
    assert choice is None
    assert refused.refused is not None
    assert refused.refused.rule == "T21"


def test_a_lead_cannot_be_passed():
    scene, choice = typed(leading().scene, "p")
    assert choice is None
    assert "A lead cannot be passed." in scene.lately[-1]


@pytest.mark.parametrize("key", ["enter", "p"])
def test_a_bomb_is_held_or_shown_and_laid(key):
    assert move(SCENES["bomb_possible"](), key) == Hold()
    laid = move(SCENES["bomb_possible"](), "b", "enter")
    assert isinstance(laid, Lay)
    assert len(laid.places) == 4


def test_grand_tichu_is_asked_twice_and_refused_by_enter():
    assert move(SCENES["grand"](), "enter") == AnswerGrand(called=False)
    assert move(SCENES["grand"](), "g", "y") == AnswerGrand(called=True)
    assert typed(SCENES["grand"](), "g", "n")[1] is None


@pytest.mark.parametrize("name", ["giving", "waiting", "wish_bound", "bomb_possible"])
def test_tichu_is_offered_until_a_call_is_on_its_way(name):
    scene = SCENES[name]()
    assert "t" in clickable(scene)
    called, _ = typed(scene, "t", "y")
    assert called.lately[-1] == line_sentences.WILL_CALL()
    assert called.question == scene.question
    assert "t" not in clickable(called)


def test_call_is_still_confirmed_when_a_move_falls_due():
    story = following()
    story.scene = answered(story.scene)
    scene = story.press("t").ask().scene
    assert typed(scene, "n")[0].question == Marking()
    after, choice = typed(scene, "enter")
    assert (choice, after.calls, after.question) == (None, True, Marking())


def test_tichu_goes_out_with_the_next_answer():
    scene, choice = typed(following().scene, "t", "y")
    assert choice is None
    laid = move(scene, "n", "enter")
    assert isinstance(laid, Lay)
    assert laid.tichu


def test_tichu_is_refused_after_the_first_card():
    scene, _ = typed(leading().scene, "t", "y")
    assert not scene.calls


def test_gifts_are_chosen_in_turn_and_taken_back():
    scene = Story().deal().ask().scene
    places = in_order(scene)
    assert move(scene, "2", "3", "5", "enter") == GiveCards((places[2], places[1], places[0]))
    assert typed(scene, "2", "3", "enter")[1] is None
    scene, _ = typed(scene, "2", "3", "escape", "up", f"card{places[3]}")
    assert typed(scene, "enter")[1] is None


def test_the_dragon_goes_to_the_left_or_the_right():
    assert move(SCENES["dragon"](), "enter") == GiveTrick(DORA)
    assert move(SCENES["dragon"](), "right", "enter") == GiveTrick(CARL)
    assert move(SCENES["dragon"](), "2") == GiveTrick(CARL)


def mah_jong_lead() -> Scene:
    return typed(SCENES["wishing"](), "escape", "escape")[0]


def test_the_mah_jong_asks_for_a_wish():
    scene = SCENES["wishing"]()
    assert isinstance(scene.question, Listing)
    for keys, wish in ((("enter",), 0), (("Q",), 12), (("-",), 0), (("right", "enter"), 2)):
        laid = move(scene, *keys)
        assert isinstance(laid, Lay)
        assert laid.wish == wish


def test_a_phoenix_with_two_readings_is_asked_about():
    story = leading()
    scene, choice = typed(story.scene, *"00", "P", "8", "K", "enter")
    assert choice is None
    scene, choice = typed(story.scene, "8", "9", "0", "P", "Q", "enter")
    assert isinstance(choice, MakeMove) or isinstance(scene.question, Listing)


def test_cards_can_be_marked_before_the_turn():
    story = following()
    story.scene = typed(story.scene, "n")[0]
    assert marked(story.ask().scene) == "GQ P"


def test_the_hand_is_sorted_by_plays_and_back():
    scene = leading().scene
    other = typed(scene, "s")[0]
    assert sorted(in_order(other)) == sorted(in_order(scene))
    assert in_order(other) != in_order(scene)
    assert in_order(typed(other, "s")[0]) == in_order(scene)


def test_talk_and_leaving_work_as_at_any_table():
    assert typed(leading().scene, "/", "escape", "q", "1")[1] == Leave()
    scene, _ = typed(leading().scene, "/")
    assert scene.is_talking
    assert typed(SCENES["leaving"](), "escape")[1] is None


def test_the_result_of_a_round_stays_until_enter():
    scene = SCENES["round_over"]()
    assert any("ROUND 1 IS OVER" in line for line in drawn(scene, 80, 24))
    after = typed(scene, "n", "enter")[0]
    assert not any("ROUND 1 IS OVER" in line for line in drawn(after, 80, 24))


def test_cards_marked_for_the_next_turn_lay_no_bomb():
    scene = typed(SCENES["bomb_possible"](), "8")[0]
    assert "Enter: no bomb." in prompt(scene)
    after, choice = typed(scene, "enter")
    assert choice == MakeMove(Hold())
    assert marked(after) == "K8"


def coached(decided: int = 0) -> Scene:
    return replace(
        following().scene,
        advise=lambda seen: Judgement((JudgedMove(seen.legal_moves()[0], None),)),
        decided=decided,
    )


def advised(scene: Scene, best: TichuMove) -> Scene:
    """Return the scene after a hint for ``best``."""
    judgement = Judgement((JudgedMove(best, None),))
    return typed(replace(scene, advise=lambda _: judgement), "h")[0]


def test_a_hint_is_given_in_practice_alone():
    assert "A good player's answer: a pair of queens (Q◉ Phx)." in "".join(
        drawn(typed(coached(), "h")[0], 80, 24)
    )
    assert typed(following().scene, "h")[0].hint == ""


def test_a_hint_for_the_exchange_says_who_gets_which_card():
    scene = replace(SCENES["giving"](), advise=advise)
    shown = typed(scene, "h")[0].hint
    assert "to Dora, " in shown
    assert "A good player's answer" not in shown


@pytest.mark.parametrize(
    ("scene", "best", "words"),
    [
        (SCENES["grand"], AnswerGrand(called=False), "no Grand Tichu"),
        (SCENES["grand"], AnswerGrand(called=True), "Grand Tichu"),
        (SCENES["bomb_possible"], Hold(), "no bomb"),
        (lambda: following().scene, Pass(), "passing"),
    ],
)
def test_a_hint_says_no_command_of_line_mode(scene, best, words):
    assert advised(scene(), best).hint.startswith(f"A good player's answer: {words}.")


def test_a_hint_before_the_first_lead_says_whether_to_call():
    story = Story()
    story.hands[YOU], story.hands[CARL] = story.hands[CARL], story.hands[YOU]
    story.deal()
    for _ in range(4):
        seat = story.game.round.asked[0][0]
        story.change(partial(rules.push, seat=seat))
    scene = story.tell(MoveDue(story.view())).scene
    for best, words in zip(scene.due.legal_moves(), ("no call", "Tichu"), strict=True):
        assert f"A good player's answer: {words}." in advised(scene, best).hint


def test_a_hint_marks_its_first_answer_and_enter_lays_the_answer():
    scene = typed(coached(), "h")[0]
    assert marked(scene) == "GQ P"
    assert move(scene, "enter") == following().view().legal_moves()[0]
    assert marked(typed(scene, "escape")[0]) == ""


def test_a_hint_takes_the_place_of_the_cards_that_are_marked():
    assert marked(typed(coached(), "0", "h")[0]) == "GQ P"


def test_enter_after_a_hint_passes_or_lays_no_bomb():
    scene = SCENES["passing"]()
    assert "Pass this turn? Enter passes" in prompt(scene)
    assert move(scene, "enter") == Pass()
    assert "mark cards" in prompt(typed(scene, "escape")[0])
    shown = typed(SCENES["bomb_possible"](), "b")[0]
    assert move(advised(shown, Hold()), "enter") == Hold()


@pytest.mark.parametrize("called", [True, False])
def test_enter_after_a_hint_calls_or_does_not(called):
    grand = AnswerGrand(called)
    assert move(advised(SCENES["grand"](), grand), "enter") == grand
    seen = following().view()
    asked = seen._replace(state=seen.state._replace(asked=((YOU, Ask.CALL),)))
    scene = hear(answered(following().scene), MoveDue(asked))
    assert move(advised(scene, Hold(called)), "enter") == Hold(called)


def test_a_hint_puts_the_gifts_to_the_players():
    scene, best = Story().deal().ask().scene, GiveCards((5, 2, 0))
    given = advised(typed(scene, "3")[0], best)
    assert move(given, "enter") == best
    assert typed(given, "escape", "enter")[1] is None


@pytest.mark.parametrize("receiver", [CARL, DORA])
def test_a_hint_puts_the_cursor_at_the_receiver_of_a_trick(receiver):
    best = GiveTrick(receiver)
    assert move(advised(SCENES["dragon"](), best), "enter") == best


def test_enter_after_a_hint_wishes_as_advised():
    scene = mah_jong_lead()
    best = Lay((in_order(scene)[0],), wish=12)
    assert move(advised(scene, best), "enter", "enter") == best


@pytest.mark.parametrize("wild", [9, 11])
def test_enter_after_a_hint_reads_the_phoenix_as_advised(wild):
    story = Story()
    story.hands[YOU] = list(faces("M B2 B3 B4 G5 R6 R9 K9 GT RJ BJ KQ RK P"))
    scene = story.deal().exchange().ask().scene
    best = Lay((6, 7, 9, 10, 13), wild)
    assert move(advised(scene, best), "enter", "enter") == best


def test_a_decision_is_taken_back_in_practice():
    assert typed(coached(1), "u", "enter")[1] == TakeBack()
    assert typed(coached(1), "u", "escape")[1] is None
    assert typed(coached(), "u", "enter")[1] is None


def armed() -> Story:
    """Return the story in which you arm your bomb while Carl leads."""
    return opened().press("b", "b")


def test_a_bomb_is_marked_then_armed_and_then_laid_by_itself():
    story = opened().press("b")
    assert marked(story.scene) == "R7 G7 B7 K7"
    assert "b arms the bomb" in "".join(drawn(story.scene, 80, 24))
    story = armed()
    assert "Armed: a bomb of sevens" in "".join(drawn(story.scene, 80, 24))
    story.lay(CARL, "M").holds().ask()
    assert isinstance(story.scene.reply, Lay)
    assert not story.scene.armed


@pytest.mark.parametrize("keys", [("b",), ("escape",), ("2",)])
def test_a_key_that_marks_or_clears_disarms_the_bomb(keys):
    story = armed().press(*keys)
    assert not story.scene.armed
    assert story.lay(CARL, "M").holds().ask().scene.reply is None


@pytest.mark.parametrize("key", ["enter", "s", "?"])
def test_other_keys_leave_the_bomb_armed(key):
    assert armed().press(key).scene.armed


def test_an_armed_bomb_stays_marked_in_the_own_turn():
    story = following()
    story.scene = answered(story.scene)
    story.press("b", "b").ask()
    assert (marked(story.scene), story.scene.armed) == ("R7 G7 B7 K7", False)


def test_a_hand_without_a_bomb_arms_none():
    story = opened()
    story.scene = press(beside_the_dragon(), "p")[0]
    assert "You hold no such bomb." in story.press("b").scene.lately


@pytest.mark.parametrize(
    ("totals", "resigns"), [((0, 0), False), ((10, 205), False), ((5, 205), True)]
)
def test_in_practice_the_partner_gives_up_only_far_behind(totals, resigns):
    scene = coached()
    assert scene.game is not None
    scene = replace(scene, game=scene.game._replace(totals=totals))
    after, choice = typed(scene, "q", "2", "y")
    assert choice == (Concede() if resigns else None)
    assert after.due is not None  # until the partner agrees, the seat plays on
    assert after.focus == AtTable()
    assert ("Bea plays on" in after.lately[-1]) is not resigns


def test_among_people_a_player_resigns_without_a_bot_s_word():
    assert typed(following().scene, "q", "2", "y")[1] == Concede()


def test_a_practice_game_begins_with_the_aim_and_the_keys():
    story = Story()
    assert "are a team" not in " ".join(story.scene.lately)
    story.scene = replace(opening(YOU, coached().advise), words=story.scene.words)
    story.event(events.RoundBegun(1, YOU))
    assert "You and Bea are a team" in story.scene.lately[-1]


# Keys of every table, and keys after the game.


def after_the_end() -> Scene:
    return hear(SCENES["won"](), Settled(b""))


@pytest.mark.parametrize(("key", "proposal"), [("o", Proposal.BOOKS), ("r", Proposal.REMATCH)])
def test_key_after_the_game_offers_once_and_can_be_clicked(key, proposal):
    scene = after_the_end()
    assert key in clickable(scene)
    scene, choice = press(scene, key)
    assert choice == Propose(proposal)
    assert after_game.OFFERED[proposal]() in scene.told
    assert press(scene, key) == (scene, None)
    assert key not in clickable(scene)


def test_key_o_agrees_with_the_offer_to_open_the_books():
    scene = hear(after_the_end(), Offered("Bea"))
    scene, choice = press(scene, "o")
    assert choice == Propose(Proposal.BOOKS)
    assert after_game.AGREED[Proposal.BOOKS]() in scene.told


def test_mute_and_watchers_have_keys_to_click_while_they_have_an_effect():
    scene = SCENES["lead"]()
    assert not clickable(scene) & {"x", "v"}
    watched = Watching(YOU, (Admission(),) * 4, scene.names)
    watched = watched.hear(CARL, Admission(Visibility.LATER, 3))
    scene = replace(scene, talk=((CARL, "Hello"),), audience=watched)
    assert clickable(scene) >= {"x", "v", "q"}
    assert clickable(scene, 60) >= {"q"}


def clickable(scene: Scene, columns: int = 80) -> set[str | None]:
    frame = layout.draw(scene, columns, 24, SYMBOLS)
    return {key_of(style) for line in frame.body[-2:] for style, _ in line}
