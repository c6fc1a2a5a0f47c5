"""The hint: the best three answers, with points and reasons."""

from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveCards,
    GiveTrick,
    Hold,
    Lay,
    Pass,
    TichuMove,
)
from matcha_p2p.games.tichu.rules.cards import DOG, FACES
from matcha_p2p.games.tichu.rules.combinations import DRAGON_ALONE, Combination, Shape
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import SEATS, Ask
from matcha_p2p.games.tichu.words.hints import reasons
from matcha_p2p.games.tichu.words.seat_words import Around
from tests.games.tichu.screen.scenes import CARL, Story, faces, following, leading, opened

YOU = SEATS[0]
AROUND = Around(right="Carl", partner="Bea", left="Dora")


def lay(story: Story, text: str, wild: int = 0) -> Lay:
    hand = story.hands[YOU]
    return Lay(tuple(sorted(hand.index(face) for face in faces(text))), wild)


def told(seen: Observation, move: TichuMove) -> tuple[str, ...]:
    return reasons(seen, Judgement((JudgedMove(move, None),)), AROUND)


def test_the_best_answer_comes_first_and_equal_points_are_told_once():
    story = leading()
    moves = [("RT KT", 14.9), ("R2", -3.0), ("GQ", 31.0), ("G3", 3.0)]
    judgement = Judgement(tuple(JudgedMove(lay(story, text), worth) for text, worth in moves))
    first, second, third = reasons(story.view(), judgement, AROUND)
    assert first.startswith("1. a pair of tens (10✦ 10⍏): about +10 points. ")
    assert second.startswith("2. a queen (Q◉): about as good. ")
    assert third.startswith("3. a three (3◉): about +0 points. ")


def test_a_lead_is_explained_by_what_it_keeps():
    """The Phoenix is in a straight, so the ace alone is strong."""
    story = leading()
    assert told(story.view(), lay(story, "R2")) == (
        "It keeps an ace. Low cards beat few others: a lead is the time for them.",
    )
    (why,) = told(story.view(), lay(story, "KA"))
    assert why == "5 plays are left then."


def test_a_play_is_explained_by_what_it_breaks():
    story = leading()
    (why,) = told(story.view(), lay(story, "GQ"))
    assert why == "It breaks up a straight of 5 to the queen. It keeps an ace."


def holding(story: Story, text: str) -> Observation:
    """Return the view with other cards in the hand."""
    seen, hand = story.view(), faces(text)
    held = (frozenset(range(len(hand))), *seen.state.held[1:])
    return seen._replace(hand=hand, state=seen.state._replace(held=held))


def test_cards_that_another_part_can_replace_break_nothing():
    """The pair of threes goes with the sevens, but fours can go with them as well."""
    seen = holding(leading(), "R3 G3 R4 G4 R7 G7 B7 RT GT BT")
    house = Lay((0, 1, 7, 8, 9), 0)
    assert told(seen, house) == ("1 play is left then.",)


def test_the_same_play_with_other_cards_breaks_the_part_that_loses_one():
    seen = holding(leading(), "R4 G4 RA GA BA B6 R7 G8 K9 P RT")
    house = Lay((0, 1, 2, 3, 9), 14)
    (why,) = told(seen, house)
    assert why.startswith("It breaks up a straight of 6 to the jack.")


def fewer(seen: Observation, seat: int, size: int) -> Observation:
    """Return the view of a table where a seat has so many cards."""
    held = [*seen.state.held]
    held[seat] = frozenset(sorted(held[seat])[:size])
    return seen._replace(state=seen.state._replace(held=tuple(held)))


def test_a_play_is_explained_by_the_opponent_it_stops():
    story = following()
    seen = story.view()
    last = seen.state.last
    high = lay(story, "KA")
    (why,) = told(fewer(seen, last, 2), high)
    assert why.startswith(f"It stops {AROUND[last - 1]}, who has 2 cards left.")
    called = [0, 0, 0, 0]
    called[last] = 100
    (why,) = told(seen._replace(state=seen.state._replace(calls=tuple(called))), high)
    assert why.startswith(f"It stops {AROUND[last - 1]}, who has called.")


def test_a_lead_is_explained_by_the_opponent_with_too_few_cards():
    story = leading()
    pair = lay(story, "RT KT")
    (why,) = told(fewer(story.view(), SEATS[1], 1), pair)
    assert why.startswith("Carl has 1 card left, too few to beat it.")
    (why,) = told(fewer(story.view(), SEATS[1], 2), pair)
    assert "Carl" not in why


def test_the_dog_is_explained_by_the_partner_who_leads_then():
    seen = leading().view()
    hand = list(seen.hand)
    hand[next(iter(seen.held))] = DOG
    seen = seen._replace(hand=tuple(hand))
    dog = Lay((hand.index(DOG),), 0)
    assert told(seen, dog)[0].startswith("Bea leads then. ")
    assert "Bea" not in told(fewer(seen, SEATS[2], 0), dog)[0]


def test_a_trick_with_points_is_told():
    story = following()
    seen = story.view()
    seen = seen._replace(state=seen.state._replace(pile=faces("RK GT")))
    assert "The trick has 20 points." in told(seen, lay(story, "KA"))[0]


def test_a_play_that_nobody_beats_is_called_safe():
    story = leading()
    seen = story.view()
    gone = tuple(set(FACES) - set(seen.held.values()) - {*faces("R3 G4 B2")})
    seen = seen._replace(state=seen.state._replace(won=((), gone, (), ())))
    assert told(seen, lay(story, "KA")) == ("Nobody can beat it. 5 plays are left then.",)


def test_waiting_is_explained_by_the_partner_and_by_what_is_spared():
    seen = opened().lay(CARL, "M").holds().view()
    spared = "To beat it would break up a full house of sevens with tens."
    assert told(seen, Hold()) == (f"{spared} You still need 6 plays.",)
    partners = seen._replace(state=seen.state._replace(last=SEATS[2]))
    assert told(partners, Hold()) == (f"The trick is your partner's so far. {spared}",)


def test_a_pass_with_a_strong_card_is_explained_by_what_it_keeps():
    seen = leading().view()
    under = Combination(Shape.SINGLE, 1, 26)
    seen = seen._replace(state=seen.state._replace(under=under, last=SEATS[1]))
    assert told(seen, Pass()) == ("It keeps an ace. You still need 6 plays.",)
    high = seen._replace(state=seen.state._replace(under=DRAGON_ALONE))
    assert told(high, Pass()) == ("Your cards do not beat it. You still need 6 plays.",)


def test_last_cards_are_told():
    story = leading()
    seen = story.view()
    two = lay(story, "R2")
    held = (frozenset(two.places), *seen.state.held[1:])
    seen = seen._replace(state=seen.state._replace(held=held))
    assert told(seen, two) == ("Your last cards.",)


def test_a_call_has_a_reason():
    seen = Story().first_eight().view()
    (why,) = told(seen, AnswerGrand(called=False))
    assert why.startswith("Eight cards are worth the risk only with")
    seen = opened().view()
    seen = seen._replace(state=seen.state._replace(asked=((YOU, Ask.CALL),)))
    (why,) = told(seen, Hold())
    assert why == (
        "A call pays if you are out first more often than not. Your hand needs 6 plays."
    )


def test_gifts_are_told_by_name():
    story = Story().deal()
    hand = story.hands[YOU]
    right, partner, left = (hand.index(face) for face in faces("G3 KA R2"))
    giving, why = told(story.view(), GiveCards((right, partner, left)))
    assert giving == "Give 2✦ to Dora, A⍏ to Bea and 3◉ to Carl."
    assert why.startswith("Your hand can spare these cards")


def test_the_trick_of_the_dragon_is_told_by_name():
    seen = following().view()
    for seat, name in ((SEATS[1], "Carl"), (SEATS[3], "Dora")):
        other = SEATS[4 - seat]
        assert told(fewer(seen, seat, 2), GiveTrick(seat)) == (f"Give the trick to {name}.",)
        giving, why = told(fewer(seen, other, 2), GiveTrick(seat))
        assert giving == f"Give the trick to {name}."
        assert why.startswith(f"{name} has more cards left, ")
