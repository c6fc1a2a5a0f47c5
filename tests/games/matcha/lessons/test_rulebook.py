"""The rules in the application: whatever they claim, the engine does."""

import re
from itertools import combinations, product

import pytest

from matcha_p2p.games.matcha.lessons import rulebook as book
from matcha_p2p.games.matcha.lessons.examples import (
    EXAMPLES,
    TIED,
    Example,
    play_example,
    tell_example,
    tell_tie,
)
from matcha_p2p.games.matcha.lessons.rulebook import rulebook, rules_text
from matcha_p2p.games.matcha.rules.cards import (
    DECK,
    DEMANDS,
    FACES,
    SUITS,
    ZERO,
    Demand,
    Token,
    beats,
    matches,
    number_beats,
    suit_beats,
)  # fmt: skip
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.game import advance, deal, is_out, legal_moves, new_game
from matcha_p2p.games.matcha.rules.history import Resolution
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, PASS, Play
from matcha_p2p.games.matcha.rules.notation import MATS, face
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal, Ended, How, Keeping, Placing
from matcha_p2p.games.matcha.rules.scoring import condition, leader, outcome
from matcha_p2p.games.matcha.words.words import TOKENS

SUITED = [each for each in FACES if each != ZERO]
CLAIM = re.compile(r"- (\w+) beats ([\w, ]+), and loses to ([\w, ]+)\.")


def named(text: str) -> set[str]:
    return set(re.split(", | and ", text.lower()))


def relations(name: str, others: list[str], better) -> tuple[str, set[str], set[str]]:
    return (
        name,
        {other for other in others if better(name, other)},
        {other for other in others if better(other, name)},
    )


def claimed(sentence: str) -> tuple[str, set[str], set[str]]:
    found = CLAIM.fullmatch(sentence)
    return found[1].lower(), named(found[2]), named(found[3])


def test_ranks_of_suits_agree_with_the_rules():
    suit = {name: token for token, name in ((token, TOKENS[token]()) for token in SUITS)}
    assert list(book.SUIT_RANKS) == list(SUITS)
    for token, sentence in book.SUIT_RANKS.items():
        others = [name for name in suit if suit[name] != token]
        wanted = relations(
            TOKENS[token](), others, lambda one, two: suit_beats(suit[one], suit[two])
        )
        assert claimed(sentence()) == wanted


def test_ranks_of_numbers_agree_with_the_rules():
    assert sorted(book.NUMBER_RANKS) == [1, 2, 3, 4]
    for number, sentence in book.NUMBER_RANKS.items():
        others = [each for each in "1234" if each != str(number)]
        wanted = relations(
            str(number), others, lambda one, two: number_beats(int(one), int(two))
        )
        assert claimed(sentence()) == wanted


def test_a_zero_fits_nowhere_and_beats_nothing():
    assert "never matches and never beats a card" in book.ZERO_RANK()
    for demand, shown, other in product(Demand, SUITED, SUITED):
        assert not matches(demand, shown, ZERO)
        assert not beats(demand, ZERO, other)
        assert beats(demand, other, ZERO)


def predicted(resolution: Resolution, shown, row) -> tuple[Token | None, Token | None]:
    """Return what a row of the chart says that both players take."""
    demand = DEMANDS[resolution.mat]
    match row:
        case book.CHART_BOTH_NUMBER:
            first = suit_beats(resolution.cards[0].suit, resolution.cards[1].suit)
        case book.CHART_BOTH_SUIT:
            first = number_beats(resolution.cards[0].number, resolution.cards[1].number)
        case book.CHART_ONE:
            match = [matches(demand, shown, card) for card in resolution.cards]
            one, two = (shown.suit if fits else Token.WHISK for fits in match)
            return one, two
        case book.CHART_ALONE:
            return tuple(None if slot is None else shown.suit for slot in resolution.slots)
        case _:
            return None, None
    return (shown.suit, None) if first else (None, shown.suit)


def row_for(mat: int, shown, yours, theirs):
    """Return the row of the chart that speaks of this case."""
    if yours is None or theirs is None:
        return book.CHART_EMPTY if yours == theirs else book.CHART_ALONE
    both = [matches(DEMANDS[mat], shown, card) for card in (yours, theirs)]
    if not all(both):
        return book.CHART_ONE if any(both) else book.CHART_NEITHER
    return book.CHART_BOTH_SUIT if mat else book.CHART_BOTH_NUMBER


@pytest.mark.parametrize("mat", [0, 1])
@pytest.mark.parametrize("shown", ["T3", "B1", "W4", "S2"])
def test_chart_agrees_with_the_engine_in_every_case(mat, shown):
    shown = face(shown)
    cards = [None, ZERO, *(each for each in SUITED if each != shown)]
    met = set()
    for yours, theirs in product(cards, cards):
        if yours == theirs and yours not in (None, ZERO):
            continue
        row = row_for(mat, shown, yours, theirs)
        played = play_example(Example(book.CHART, mat, shown, yours, theirs))
        assert played.gain == predicted(played, shown, row), row()
        assert played.revealed == (yours is not None and theirs is not None)
        met.add(row())
    other = book.CHART_BOTH_NUMBER if mat else book.CHART_BOTH_SUIT
    chart = next(each for each in rulebook(EDITION_2015) if each.title == book.CHART_TITLE())
    rows = {line for line in chart.paragraphs if line.startswith("- ")}
    assert met == rows - {other()}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (book.CHART_BOTH_NUMBER, ("both match a number mat: the better suit", "nothing")),
        (book.CHART_BOTH_SUIT, ("both match a suit mat: the better number", "nothing")),
        (book.CHART_ONE, ("one matches: it takes the token", "a whisk")),
        (book.CHART_NEITHER, ("neither matches: nobody takes",)),
        (book.CHART_ALONE, ("Only one of you", "matches or not", "Nobody takes a whisk")),
        (book.CHART_EMPTY, ("Nobody laid", "nobody takes anything")),
    ],
)
def test_the_rows_of_the_chart_are_worded_as_they_are_checked(row, words):
    for word in words:
        assert word in row()


def find(words: str) -> Example:
    (example,) = (each for each in EXAMPLES if words in each.title())
    return example


def test_examples_show_their_titles():
    """Each title is checked against the cards of its example, as the engine judges them."""
    scoop = find("scoop beats leaf")
    assert (scoop.yours.suit, scoop.theirs.suit) == (Token.SCOOP, Token.LEAF)
    assert play_example(scoop).gain == (scoop.shown.suit, None)
    four = find("1 beats only 4")
    assert (four.yours.number, four.theirs.number) == (4, 1)
    assert play_example(four).gain == (None, four.shown.suit)
    assert [n for n in (2, 3, 4) if number_beats(1, n)] == [4]
    middle = find("middle of the order")
    assert (middle.yours.number, middle.theirs.number) == (3, 2)
    assert play_example(middle).gain == (middle.shown.suit, None)
    zero = find("zero's bluff is called")
    assert zero.yours == ZERO
    assert play_example(zero).gain == (Token.WHISK, zero.shown.suit)
    suit = find("right suit does not help")
    assert DEMANDS[suit.mat] is Demand.NUMBER
    assert suit.yours.suit == suit.shown.suit
    assert play_example(suit).gain[0] is Token.WHISK
    assert play_example(find("two bluffs meet")).gain == (None, None)
    alone = find("alone on a mat")
    assert (alone.yours, alone.theirs) == (ZERO, None)
    assert play_example(alone).gain == (alone.shown.suit, None)
    assert not play_example(alone).revealed
    assert len(EXAMPLES) == 7


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_name_every_card_and_every_token(example):
    text = " ".join(tell_example(example))
    for card in (example.shown, example.yours, example.theirs):
        if card is not None and not (card == ZERO and example.theirs is None):
            number = "" if card == ZERO else f" {card.number}"
            name = "zero" if card == ZERO else TOKENS[card.suit]() + number
            assert name in text
    gain = play_example(example).gain
    for who, token in zip(("You take a", "Mina takes a"), gain, strict=True):
        assert (who in text) == (token is not None)
        assert token is None or f"{who} {TOKENS[token]()} token" in text


def test_the_example_of_a_tie_is_one_in_both_editions():
    for edition in EDITIONS.values():
        assert all(condition(edition, own) for own in TIED)
        assert outcome(edition, TIED, comparing=False, last=False) == Ended(0, How.TIE_BREAK)
    assert tell_tie()[1] == "- You win: more bowl tokens, 2 to 1."


def text_of(edition) -> str:
    return "\n".join(rules_text(edition))


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_numbers_agree_with_the_cards(edition):
    text = text_of(edition)
    assert f"There are {len(DECK)} cards: {len(SUITS)} suits" in text
    assert "numbers 1 to 4; and 2 zeros" in text
    assert "5 kinds of token" in text
    assert "The other 16 cards are shuffled, and 6 of them" in text
    assert "the 10 cards that are left" in text
    assert "a hand of 5. The last 2 stay aside" in text
    assert len(DECK) == 6 + 2 * 5 + 2
    pairs = [" and ".join(MATS[mat] for mat in mats) for mats in MATS_OF_ROUND]
    assert "first {}, then {}, then {}".format(*pairs) in text
    for mat, demand in enumerate(DEMANDS):
        found = re.search(r"The mats ([a-f, ]+) ask for the number", text)[1]
        assert (MATS[mat] in found) == (demand is Demand.NUMBER)


def own_part(edition) -> str:
    """Return the rules of an edition without the chapter on the other one."""
    return text_of(edition).split("HOW EDITION")[0]


def test_each_edition_is_told_by_its_own_values():
    one, two = own_part(EDITION_2015), own_part(EDITION_2020)
    assert EDITION_2015.suits_alike == EDITION_2015.whisks_alike == 4
    assert "- 4 tokens of one kind, whisks included, or" in one
    assert (EDITION_2020.suits_alike, EDITION_2020.whisks_alike) == (3, 4)
    assert "- 3 tokens of one suit, or 4 whisks, or" in two
    assert EDITION_2015.turns is None
    assert "you take turns until you pass" in one
    assert EDITION_2020.turns == 2
    assert "each of you has 2 turns" in two
    assert EDITION_2015.keeps
    assert "keep any number" in one
    assert not EDITION_2020.keeps
    assert "no card is kept" in two
    assert EDITION_2015.sets is None
    assert "until a player wins" in one
    assert EDITION_2020.sets == 2
    assert "there are 2 sets at most" in two
    assert EDITION_2015.further_rounds
    assert "you play on" in one
    assert not EDITION_2020.further_rounds
    assert "the game is a draw" in two


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_chapter_on_the_other_edition_agrees_with_the_rules_of_the_other(edition):
    (other,) = (each for each in EDITIONS.values() if each != edition)
    chapter = rulebook(edition)[-1]
    assert other.name in chapter.title
    for paragraph in chapter.paragraphs:
        assert paragraph in own_part(other).splitlines()
    assert f"Edition {edition.name}" not in "\n".join(chapter.paragraphs)


def cards_for(edition, dealer=0):
    game = deal(new_game(edition, dealer), tuple(SUITED[:6]))
    return game, (tuple(SUITED[6:11]), tuple(SUITED[11:16]))


def test_turns_are_as_they_are_told():
    """Out after a pass, and the other goes on alone (2015); two turns each (2020)."""
    game, hands = cards_for(EDITION_2015)
    game = advance(game, PASS, hands)
    assert is_out(EDITION_2015, game.rounds[-1].turns, 0)
    for mat in (0, 1):
        assert game.phase == Placing(1)
        game = advance(game, Play(mat, mat), hands)
    assert game.rounds[0].resolutions
    game, hands = cards_for(EDITION_2020)
    game = advance(advance(game, PASS, hands), PASS, hands)
    assert game.phase == Placing(0)
    assert Play(1, 0) in legal_moves(game)


def test_passing_is_always_possible_and_only_mats_of_the_round_are():
    game, hands = cards_for(EDITION_2015)
    moves = observe(game, 0, hands[0]).legal_moves()
    assert PASS in moves
    assert {move.mat for move in moves if move != PASS} == {0, 1}


def test_keeping_and_the_deal_are_as_they_are_told():
    for edition, asked in ((EDITION_2015, Keeping()), (EDITION_2020, AwaitingDeal())):
        game, hands = cards_for(edition)
        while game.number == 1 and game.phase != asked:
            game = advance(game, PASS, hands)
        assert game.phase == asked


def test_the_order_of_comparison_is_that_of_the_tokens():
    text = book.WIN_BOTH()
    places = [text.index(TOKENS[token]()) for token in Token]
    assert places == sorted(places)
    for first, second in combinations(Token, 2):
        more = tuple(int(token is first) for token in Token)
        fewer = tuple(int(token is second) for token in Token)
        assert leader((more, fewer)) == 0
