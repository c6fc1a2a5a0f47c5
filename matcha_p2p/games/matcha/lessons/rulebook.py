"""The rules of both editions in our own words, enough to learn the game without a rule book.

The Edition gives the differences between the editions; every number comes from the rules.
"""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.lessons.examples import EXAMPLES, tell_example, tell_tie
from matcha_p2p.games.matcha.rules import cards as card_rules
from matcha_p2p.games.matcha.rules.edition import EDITIONS, Edition
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, SLOTS
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.language import Sentence
from matcha_p2p.narration.sentences import COMMA


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading, and paragraphs to be wrapped; a paragraph that begins with "- " is an item."""

    title: str
    paragraphs: tuple[str, ...]


ABOUT_TITLE: Final = Sentence("THE AIM OF THE GAME")
ABOUT: Final = Sentence(
    "Matcha is a game of bluff for two. Each of you gathers the utensils of a tea ceremony. "
    "The utensils are tokens: you win them with cards that you lay face down beside the "
    "cards of the table."
)
ABOUT_WHISK: Final = Sentence(
    "A card that fits may win a utensil. A bluff that is called wins a whisk, and you need "
    "whisks too. An uncalled bluff wins as much as a card that fits."
)

CARDS_TITLE: Final = Sentence("CARDS AND TOKENS")
CARDS: Final = Sentence(
    "There are {cards} cards: {suits} suits, leaf (T), bowl (B), water (W) and scoop (S), "
    "each with the numbers 1 to {highest}; and {zeros} zeros (Z), which have neither suit "
    "nor number."
)
KINDS: Final = Sentence(
    "There are {kinds} kinds of token: one for each suit, and the whisk (K), which belongs "
    "to no suit. They never run out."
)

RANKS_TITLE: Final = Sentence("WHICH CARD IS BETTER")
RANKS: Final = Sentence(
    "Suits are compared on number mats, numbers on suit mats. Both orders close to a circle: "
    "the last beats the first."
)
SUIT_RANKS: Final = {
    card_rules.Token.LEAF: Sentence("- Leaf beats bowl and water, and loses to scoop."),
    card_rules.Token.BOWL: Sentence("- Bowl beats water and scoop, and loses to leaf."),
    card_rules.Token.WATER: Sentence("- Water beats scoop, and loses to leaf and bowl."),
    card_rules.Token.SCOOP: Sentence("- Scoop beats leaf, and loses to bowl and water."),
}
NUMBER_RANKS: Final = {
    4: Sentence("- 4 beats 3 and 2, and loses to 1."),
    3: Sentence("- 3 beats 2 and 1, and loses to 4."),
    2: Sentence("- 2 beats 1, and loses to 4 and 3."),
    1: Sentence("- 1 beats 4, and loses to 3 and 2."),
}
ZERO_RANK: Final = Sentence(
    "- A zero never matches and never beats a card. Both zeros are alike."
)

TABLE_TITLE: Final = Sentence("THE TABLE")
TABLE: Final = Sentence(
    "The game goes in sets. For a set {mats} cards lie on {mats} mats, and both of you see "
    "them from the beginning. A set has {rounds} rounds, each with two mats of its own: "
    "first a and b, then c and d, then e and f."
)
ASKING: Final = Sentence(
    "The mats {numbers} ask for the number of their card, the mats {suits} for its suit. A "
    "card fits, or matches, if it has the number or suit that its mat asks for."
)
DEAL: Final = Sentence(
    "At first the zeros are out. The other {suited} cards are shuffled, and {mats} of them "
    "go to the mats: a mat never shows a zero. Then the zeros join the {rest} cards that are "
    "left, and each of you gets a hand of {hand}. The last {aside} stay aside, unseen."
)
DEALER: Final = Sentence(
    "The dealer of a set has the first turn in each of its rounds. A coin decides the first "
    "dealer; then the deal alternates. Here the two programs shuffle together, so nobody "
    "handles the deck: to deal means to begin."
)

TURN_TITLE: Final = Sentence("YOUR TURN")
TURN: Final = Sentence(
    "Lay a card of your hand face down on one of the two mats of the round, or pass. On each "
    "mat you can have one card. The mats of earlier and later rounds are closed to you."
)
TURNS_UNTIL_PASS: Final = Sentence(
    "Edition {edition}: you take turns until you pass. A player who passes is out of the "
    "round. The other player goes on alone, while a card can be laid. The round ends when "
    "both have passed."
)
TURNS_COUNTED: Final = Sentence(
    "Edition {edition}: in a round each of you has {turns} turns, alternately. A pass costs "
    "only that turn: with the next turn you may still lay a card."
)
PASSING: Final = Sentence(
    "You may pass with a card that fits. If you cannot lay a card, you pass automatically."
)
SPARE_MAT: Final = Sentence(
    "A hand of {hand} is too small for {mats} mats: choose the mats that you leave to the "
    "other player."
)

CHART_TITLE: Final = Sentence("WHAT A MAT GIVES")
CHART: Final = Sentence(
    "When a round is over, each of its two mats is decided by itself. The token always has "
    "the suit of the mat's own card."
)
CHART_BOTH_NUMBER: Final = Sentence(
    "- Both of you laid a card, and both match a number mat: the better suit takes the "
    "token, the other card nothing."
)
CHART_BOTH_SUIT: Final = Sentence(
    "- Both of you laid a card, and both match a suit mat: the better number takes the "
    "token, the other card nothing."
)
CHART_ONE: Final = Sentence(
    "- Both of you laid a card, and one matches: it takes the token, and the other player "
    "takes a whisk."
)
CHART_NEITHER: Final = Sentence(
    "- Both of you laid a card, and neither matches: nobody takes anything."
)
CHART_ALONE: Final = Sentence(
    "- Only one of you laid a card: it takes the token, whether it matches or not. Nobody "
    "takes a whisk."
)
CHART_EMPTY: Final = Sentence("- Nobody laid a card: nobody takes anything.")
UNSEEN: Final = Sentence(
    "Where both laid a card, both cards are turned up. A card that lay alone is never turned "
    "up: the other player will not know whether it was a bluff."
)

EXAMPLES_TITLE: Final = Sentence("EXAMPLES")

SET_TITLE: Final = Sentence("AFTER A SET")
SET: Final = Sentence(
    "After {rounds} rounds without a winner all cards are gathered, face-down cards unseen, "
    "and a new set is dealt. The tokens stay."
)
KEEPING: Final = Sentence(
    "Edition {edition}: of the cards left in your hand keep any number, from none to all. "
    "Both of you decide before the new table is seen, and tell only how many cards you keep. "
    "Then your hand is filled up to {hand}."
)
NOT_KEEPING: Final = Sentence("Edition {edition}: no card is kept; each set has new hands.")

WIN_TITLE: Final = Sentence("WINNING")
WIN: Final = Sentence("After a round, when both mats are decided, you win with")
WIN_ALIKE: Final = Sentence("- {count} tokens of one kind, whisks included, or")
WIN_SUIT_OR_WHISKS: Final = Sentence("- {suits} tokens of one suit, or {whisks} whisks, or")
WIN_KINDS: Final = Sentence("- one token of each of the {kinds} kinds.")
WIN_BOTH: Final = Sentence(
    "Often both of you get there in the same round. Then leaf tokens are compared; if they "
    "are equal, bowl tokens, then water, scoop and whisk. The first difference decides, "
    "whichever condition each of you met."
)
WIN_FURTHER: Final = Sentence(
    "Edition {edition}: if all {kinds} counts are equal, you play on, into new sets if need "
    "be. From then on only this comparison counts, after every round, until there is a "
    "difference."
)
WIN_DRAW: Final = Sentence(
    "Edition {edition}: if all {kinds} counts are equal, the game is a draw."
)
WIN_ENDLESS: Final = Sentence("Edition {edition}: sets go on until a player wins.")
WIN_LAST_SET: Final = Sentence(
    "Edition {edition}: there are {sets} sets at most. After the last set the same "
    "comparison decides, leaf first."
)
CONCEDING: Final = Sentence("You may concede at any time; the other player wins then.")

TALK_TITLE: Final = Sentence("TABLE TALK")
TALK: Final = Sentence(
    "Say what you like about your cards: lying is part of the game. Showing a card is not, "
    "and the program has no way to do it."
)
OTHER_TITLE: Final = Sentence("HOW EDITION {edition} DIFFERS")


def rulebook(edition: Edition) -> tuple[Chapter, ...]:
    """Return the rules of ``edition``, in the spoken language."""
    (other,) = (each for each in EDITIONS.values() if each != edition)
    return (
        Chapter(ABOUT_TITLE(), (ABOUT(), ABOUT_WHISK())),
        _cards(),
        _ranks(),
        _table(),
        _turn(edition),
        _chart(),
        Chapter(
            EXAMPLES_TITLE(),
            tuple(line for example in EXAMPLES for line in tell_example(example)),
        ),
        Chapter(SET_TITLE(), (SET(rounds=len(MATS_OF_ROUND)), _keeping(edition))),
        Chapter(
            WIN_TITLE(),
            (*_winning(edition), WIN_BOTH(), *_ends(edition), *tell_tie(), CONCEDING()),
        ),
        Chapter(TALK_TITLE(), (TALK(),)),
        Chapter(
            OTHER_TITLE(edition=other.name),
            (turns_of(other), _keeping(other), *_winning(other), *_ends(other)),
        ),
    )


def rules_text(edition: Edition) -> tuple[str, ...]:
    """Return the rules of ``edition`` paragraph by paragraph, "" between chapters."""
    lines: list[str] = []
    for chapter in rulebook(edition):
        lines += [chapter.title, *chapter.paragraphs, ""]
    return tuple(lines[:-1])


def _cards() -> Chapter:
    zeros = card_rules.DECK.count(card_rules.ZERO)
    cards = CARDS(
        cards=len(card_rules.DECK),
        suits=len(card_rules.SUITS),
        highest=max(face.number for face in card_rules.DECK),
        zeros=zeros,
    )
    return Chapter(CARDS_TITLE(), (cards, KINDS(kinds=len(card_rules.Token))))


def _ranks() -> Chapter:
    said = (*SUIT_RANKS.values(), *NUMBER_RANKS.values(), ZERO_RANK)
    return Chapter(RANKS_TITLE(), (RANKS(), *(sentence() for sentence in said)))


def _table() -> Chapter:
    mats, hand = len(card_rules.DEMANDS), len(SLOTS)
    suited = len(card_rules.DECK) - card_rules.DECK.count(card_rules.ZERO)
    return Chapter(
        TABLE_TITLE(),
        (
            TABLE(mats=mats, rounds=len(MATS_OF_ROUND)),
            ASKING(
                numbers=_asking(card_rules.Demand.NUMBER), suits=_asking(card_rules.Demand.SUIT)
            ),
            DEAL(
                suited=suited,
                mats=mats,
                rest=suited - mats,
                hand=hand,
                aside=len(card_rules.DECK) - mats - 2 * hand,
            ),
            DEALER(),
        ),
    )


def _asking(demand: card_rules.Demand) -> str:
    return COMMA().join(
        MATS[mat] for mat, asked in enumerate(card_rules.DEMANDS) if asked is demand
    )


def _turn(edition: Edition) -> Chapter:
    spare = SPARE_MAT(hand=len(SLOTS), mats=len(card_rules.DEMANDS))
    return Chapter(TURN_TITLE(), (TURN(), turns_of(edition), PASSING(), spare))


def turns_of(edition: Edition) -> str:
    """Return the turns of a round, and the cost of a pass."""
    if edition.turns is None:
        return TURNS_UNTIL_PASS(edition=edition.name)
    return TURNS_COUNTED(edition=edition.name, turns=edition.turns)


def _chart() -> Chapter:
    return Chapter(
        CHART_TITLE(),
        (
            CHART(),
            CHART_BOTH_NUMBER(),
            CHART_BOTH_SUIT(),
            CHART_ONE(),
            CHART_NEITHER(),
            CHART_ALONE(),
            CHART_EMPTY(),
            UNSEEN(),
        ),
    )


def _keeping(edition: Edition) -> str:
    if edition.keeps:
        return KEEPING(edition=edition.name, hand=len(SLOTS))
    return NOT_KEEPING(edition=edition.name)


def _winning(edition: Edition) -> tuple[str, ...]:
    if edition.suits_alike == edition.whisks_alike:
        alike = WIN_ALIKE(count=edition.suits_alike)
    else:
        alike = WIN_SUIT_OR_WHISKS(suits=edition.suits_alike, whisks=edition.whisks_alike)
    return WIN(), alike, WIN_KINDS(kinds=len(card_rules.Token))


def _ends(edition: Edition) -> tuple[str, ...]:
    tie = WIN_FURTHER if edition.further_rounds else WIN_DRAW
    if edition.sets is None:
        last = WIN_ENDLESS(edition=edition.name)
    else:
        last = WIN_LAST_SET(edition=edition.name, sets=edition.sets)
    return tie(edition=edition.name, kinds=len(card_rules.Token)), last


def short_rules(edition: Edition) -> tuple[str, ...]:
    """Return rules that can each be understood alone."""
    ranks = [paragraph for paragraph in _ranks().paragraphs if paragraph.startswith("- ")]
    said = (ABOUT_WHISK(), *ranks, PASSING(), UNSEEN(), _keeping(edition), TALK())
    return tuple(paragraph.removeprefix("- ") for paragraph in said)
