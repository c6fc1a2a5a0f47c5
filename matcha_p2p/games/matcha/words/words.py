"""The words for cards, mats and tokens, and the questions and answers of line mode."""

from collections.abc import Iterable, Sequence
from typing import Final

from matcha_p2p.games.matcha.rules.cards import DEMANDS, Demand, Face, Token
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND as ROUND_MATS
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.sentences import listed

TOKENS: Final = {
    Token.LEAF: Sentence("leaf"),
    Token.BOWL: Sentence("bowl"),
    Token.WATER: Sentence("water"),
    Token.SCOOP: Sentence("scoop"),
    Token.WHISK: Sentence("whisk"),
}
ONE_TOKEN: Final = {
    Token.LEAF: Sentence("a leaf token"),
    Token.BOWL: Sentence("a bowl token"),
    Token.WATER: Sentence("a water token"),
    Token.SCOOP: Sentence("a scoop token"),
    Token.WHISK: Sentence("a whisk token"),
}
SOME_TOKENS: Final = {
    Token.LEAF: Sentence("leaf tokens"),
    Token.BOWL: Sentence("bowl tokens"),
    Token.WATER: Sentence("water tokens"),
    Token.SCOOP: Sentence("scoop tokens"),
    Token.WHISK: Sentence("whisk tokens"),
}
COUNTED_TOKENS: Final = {
    Token.LEAF: Counted("{count} leaf token", "{count} leaf tokens"),
    Token.BOWL: Counted("{count} bowl token", "{count} bowl tokens"),
    Token.WATER: Counted("{count} water token", "{count} water tokens"),
    Token.SCOOP: Counted("{count} scoop token", "{count} scoop tokens"),
    Token.WHISK: Counted("{count} whisk token", "{count} whisk tokens"),
}
ZERO: Final = Sentence("zero")
CARD: Final = Sentence("{suit} {number}")
HELD: Final = Sentence("{token} {count}")
MAT_NUMBER: Final = Sentence("Mat {mat}, {card}, match the number.")
MAT_SUIT: Final = Sentence("Mat {mat}, {card}, match the suit.")
OR: Final = Sentence(" or ")
NUMBERED: Final = Sentence("{number}: {card}")

# Questions and answers.

YOUR_MOVE: Final = Sentence("Your move, on mat {mats}. Hand: {cards}.")
CHOOSE_KEEP: Final = Sentence(
    "The set is over. Which cards do you keep for the next set? You have {cards}. Type their "
    "numbers, or none."
)
SEAL_Q: Final = Sentence("Seal {card} on mat {mat}?")
SKIP_Q: Final = Sentence("Pass this turn?")
SIT_OUT_Q: Final = Sentence("Pass for this round?")
KEEP_Q: Final = Sentence("Keep {cards}?")
KEEP_NONE_Q: Final = Sentence("Keep no card?")
ROUND_MATS_ONLY: Final = Sentence("In this round cards go to mat {mats}.")
MAT_TAKEN: Final = Sentence("You have a card on mat {mat} already.")
CARD_GONE: Final = Sentence("Card {number} is no longer in your hand.")
MOVE_INSTEAD: Final = Sentence(
    "It is your move: a card's number and a mat's letter, for example 2 a; or p to pass."
)
KEEP_INSTEAD: Final = Sentence(
    "Choose the cards to keep: their numbers, for example 1 4; or none."
)
NOT_YOUR_MOVE: Final = Sentence("It is not your move. You will be asked.")
NO_TABLE: Final = Sentence("No cards have been dealt yet.")
MINE: Final = Sentence("You hold: {tokens}.")
THEIRS: Final = Sentence("{name} holds: {tokens}; cards in hand: {count}.")
ON_MAT: Final = Sentence("{mat} You: {mine}. {name}: {theirs}.")
SHORT: Final = Sentence("{name} wins with one more: {tokens}")
SHORT_YOURS: Final = Sentence("You win with one more: {tokens}")
OUT: Final = Sentence("{name} is out of this round.")
OUT_YOURS: Final = Sentence("You are out of this round.")
MY_MOVE: Final = Sentence("It is your move.")
THEIR_MOVE: Final = Sentence("{name} is to move.")
FACE_DOWN: Final = Sentence("a sealed card")
NO_CARD: Final = Sentence("no card")
HAND_NOW: Final = Sentence("Hand: {cards}.")

HELP_MOVE: Final = Sentence(
    "2 a: seal card 2 of your hand on mat a. p: pass. Before every step that cannot be undone "
    "you are asked."
)
HELP_KEEP: Final = Sentence(
    "When a set of edition 2015 is over: 1 4 keeps cards 1 and 4, none keeps no card."
)
HELP_TELL: Final = Sentence(
    "hand, table, mine, theirs: hear your cards, the mats, and the tokens."
)
HELP_WHY: Final = Sentence("why: why the last round ended as it did.")


def card_words(face: Face) -> str:
    """Return a card in words: leaf 3, or zero."""
    if face.suit is None:
        return ZERO()
    return CARD(suit=TOKENS[face.suit](), number=face.number)


def mat_words(mat: int, shown: Face) -> str:
    """Return a mat, its card, and its demand."""
    sentence = MAT_NUMBER if DEMANDS[mat] is Demand.NUMBER else MAT_SUIT
    return sentence(mat=MATS[mat], card=card_words(shown))


def round_words(sentence: Sentence, number: int, table: Sequence[Face]) -> str:
    """Return ``sentence`` about both mats of round ``number``, 1 to 3.

    sentence: MATS_OF_ROUND or NEXT_ROUND. table: the cards of all mats.
    """
    first, second = ROUND_MATS[number - 1]
    return sentence(
        number=number,
        mat=MATS[first],
        card=card_words(table[first]),
        other=MATS[second],
        shown=card_words(table[second]),
    )


def mats_to_choose(mats: Iterable[int]) -> str:
    """Return the letters of the one or two mats where a card can be laid."""
    return OR().join(MATS[mat] for mat in mats)


def numbered(cards: Iterable[tuple[int, Face]]) -> str:
    """Return cards of a hand, each with the number 1 to 5 that chooses the card."""
    return listed(NUMBERED(number=slot + 1, card=card_words(face)) for slot, face in cards)


def tokens_words(tokens: Tokens) -> str:
    """Return a player's tokens, by kind: leaf 2, whisk 1."""
    return listed(
        HELD(token=TOKENS[token](), count=tokens[token]) for token in Token if tokens[token]
    )
