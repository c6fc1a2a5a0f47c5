"""The events of a game in sentences, from any point of view.

Both players go by their names; a player who reads is "you".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from matcha_p2p.games.matcha.rules import cards as card_rules
from matcha_p2p.games.matcha.rules.history import Resolution, Round
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.phases import How
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table import events
from matcha_p2p.games.matcha.words import game_sentences as said
from matcha_p2p.games.matcha.words import words
from matcha_p2p.language import Sentence

Names: TypeAlias = tuple[str, str]

_PASSES: Final = said.PASSED_YOURS, said.PASSED
_PASSES_AUTO: Final = said.PASSED_AUTO_YOURS, said.PASSED_AUTO


@dataclass(frozen=True, slots=True)
class PointOfView:
    """The reader of the sentences, and the reader's knowledge.

    hands: the cards to tell, () for a seat with secret cards. you: the reader's seat; None for
    a watcher.
    """

    names: Names
    hands: card_rules.Hands = ((), ())
    you: Seat | None = None

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Return the seats in the order of telling, the reader's seat first."""
        first, second = SEATS
        return (second, first) if self.you == second else (first, second)

    def say(self, seat: Seat, yours: Sentence, named: Sentence, **fields: object) -> str:
        """Return the sentence about ``seat``, which ``named`` calls {name}.

        The other player is {other}.
        """
        sentence = yours if seat == self.you else named
        return sentence(name=self.names[seat], other=self.names[opposite(seat)], **fields)


def point_of_view(seat: Seat, name: str, hand: tuple[card_rules.Face, ...] = ()) -> PointOfView:
    """Return the point of view of ``seat``. name: of the other player."""
    if seat == 0:
        return PointOfView(("", name), (hand, ()), you=Seat(0))
    return PointOfView((name, ""), ((), hand), you=Seat(1))


def narrate(event: events.Event, game: GameState, view: PointOfView) -> list[str]:
    """Return the sentences about ``event``, a sentence a line.

    game: the game after ``event``.
    """
    match event:
        case events.TableLaid():
            return _table(event, view)
        case events.HandsDealt() | events.HandSeen():
            return _hands(event, view)
        case events.Placed(seat, mat):
            return [_placed(seat, mat, game, view)]
        case events.Passed(seat, auto):
            return [view.say(seat, *(_PASSES_AUTO if auto else _PASSES))]
        case events.RoundResolved(played):
            return _round(played, game, view)
        case events.Kept(counts):
            return _kept(counts, game, view)
        case events.GameEnded():
            return [_end(event, view)]
        case events.Met():
            return _met(event, view)
        case events.Shuffled():
            return []


def _met(met: events.Met, view: PointOfView) -> list[str]:
    if view.you is None:
        return []
    return [said.MET(name=met.names[opposite(view.you)], edition=met.edition.name)]


def mats_of(table: tuple[card_rules.Face, ...]) -> list[str]:
    """Return the cards on the mats in words, a round a line."""
    return [words.round_words(said.MATS_OF_ROUND, number, table) for number in (1, 2, 3)]


def _table(laid: events.TableLaid, view: PointOfView) -> list[str]:
    lines = [view.say(laid.dealer, said.SET_YOURS, said.SET, number=laid.number)]
    if laid.zeros_met:
        lines.append(said.ZEROS_MET[laid.zeros_met]())
    return lines + mats_of(laid.table)


def _hands(event: events.HandsDealt | events.HandSeen, view: PointOfView) -> list[str]:
    if isinstance(event, events.HandSeen):
        return [said.HAND_YOURS(cards=words.numbered(enumerate(event.cards)))]
    if view.you is not None:
        return [said.SHUFFLED()]  # an event of its own tells a player the hand
    hands = [
        said.HAND(name=name, cards=words.numbered(enumerate(hand)))
        for name, hand in zip(view.names, view.hands, strict=True)
        if hand
    ]
    return [said.DEALT(), *hands]


def _placed(seat: Seat, mat: int, game: GameState, view: PointOfView) -> str:
    slot = game.rounds[mat // 2].slot_at(seat, mat)
    if slot is None:
        raise RuntimeError("a card was laid, and the round does not show it")
    if not view.hands[seat]:
        return said.SEALED(name=view.names[seat], mat=MATS[mat])
    card = words.card_words(view.hands[seat][slot])
    return view.say(seat, said.SEALED_YOURS, said.SEALED_CARD, card=card, mat=MATS[mat])


def _round(played: Round, game: GameState, view: PointOfView) -> list[str]:
    lines = [
        sentence
        for resolution in played.resolutions
        for sentence in _mat(resolution, game.table[resolution.mat], view)
    ]
    first, second = (words.tokens_words(played.tokens[seat]) for seat in view.seats)
    names = [view.names[seat] for seat in view.seats]
    if view.you is None:
        lines += [
            said.HOLDS(name=names[0], tokens=first),
            said.HOLDS(name=names[1], tokens=second),
        ]
    else:
        lines.append(said.HOLDINGS(mine=first, name=names[1], theirs=second))
    if game.rounds[-1].number > played.number:
        lines.append(words.round_words(said.NEXT_ROUND, played.number + 1, game.table))
    return lines


def _mat(resolution: Resolution, shown: card_rules.Face, view: PointOfView) -> list[str]:
    mat = MATS[resolution.mat]
    first, second = (resolution.cards[seat] for seat in view.seats)
    if first is None or second is None:
        alone = [
            view.say(
                seat,
                said.UNOPENED_YOURS,
                said.UNOPENED,
                mat=mat,
                token=words.ONE_TOKEN[token](),
            )
            for seat, token in zip(SEATS, resolution.gain, strict=True)
            if token is not None
        ]
        return alone or [said.EMPTY(mat=mat)]
    names = [view.names[seat] for seat in view.seats]
    fields = {
        "mat": mat,
        "card": words.card_words(shown),
        "first": names[0],
        "second": names[1],
    }
    cards = {"one": words.card_words(first), "two": words.card_words(second)}
    if view.you is None:
        return [said.OPENED(**fields, **cards), *_gains(resolution, view)]
    gain = gain_for(resolution, view)
    return [said.OPENED_YOURS(**fields, **cards, gain=gain)]


def gain_for(resolution: Resolution, view: PointOfView) -> str:
    """Return a player's gain on a mat in one sentence, or the gains of both players."""
    return _both_gain(resolution, view) or _gains(resolution, view)[0]


def _gains(resolution: Resolution, view: PointOfView) -> list[str]:
    told: list[str] = []
    for seat in view.seats:
        token = resolution.gain[seat]
        if token is not None:
            told.append(
                view.say(seat, said.GAIN_YOURS, said.GAIN, token=words.ONE_TOKEN[token]())
            )
    return told or [said.GAIN_NOBODY()]


def _both_gain(resolution: Resolution, view: PointOfView) -> str | None:
    """Return the gains of both players, the whisk last; None unless both gain."""
    first, second = view.seats
    mine, theirs = resolution.gain[first], resolution.gain[second]
    if mine is None or theirs is None:
        return None
    one, two, name = words.ONE_TOKEN[mine](), words.ONE_TOKEN[theirs](), view.names[second]
    if mine is card_rules.Token.WHISK:
        return said.BOTH_GAIN(name=name, token=two, other=one)
    return said.BOTH_GAIN_YOURS(name=name, token=one, other=two)


def _kept(counts: tuple[int, int], game: GameState, view: PointOfView) -> list[str]:
    if view.you is not None:
        first, second = view.seats
        return [
            said.KEPT_YOURS(mine=counts[first], theirs=counts[second], name=view.names[second])
        ]
    return [_kept_by(seat, counts[seat], game, view) for seat in view.seats]


def _kept_by(seat: Seat, count: int, game: GameState, view: PointOfView) -> str:
    hand = view.hands[seat]
    if not (count and hand):
        return said.KEEPS(count, name=view.names[seat])
    kept = ((slot, hand[slot]) for slot in sorted(game.hands[seat]))
    return said.KEPT(name=view.names[seat], cards=words.numbered(kept))


def _end(end: events.GameEnded, view: PointOfView) -> str:
    winner = end.ended.winner
    if winner is None:
        return said.DRAW()
    return view.say(winner, said.YOU_WIN, said.WINS, why=_why_won(end, winner, view))


def _why_won(end: events.GameEnded, winner: Seat, view: PointOfView) -> str:
    own = end.tokens[winner]
    match end.ended.how:
        case How.ALIKE:
            return _most_alike(own)
        case How.FIVE_KINDS:
            return said.FIVE_KINDS()
        case How.TIE_BREAK:
            mine, theirs = (_met_by(end.tokens[seat]) for seat in (winner, opposite(winner)))
            both = mine == theirs == said.ALL_KINDS()
            tie = said.TIE_BREAK_KINDS if both else said.TIE_BREAK
            return _decided(tie, winner, end.tokens, mine=mine, theirs=theirs)
        case How.FURTHER_ROUNDS:
            return _decided(said.FURTHER, winner, end.tokens)
        case How.LAST_SET:
            return _decided(said.LAST_SET, winner, end.tokens)
        case How.RESIGNED:
            return view.say(opposite(winner), said.YOU_CONCEDED, said.CONCEDED)
        case How.DRAW:
            raise RuntimeError("nobody wins a draw")


def _most_alike(tokens: Tokens) -> str:
    kind = max(card_rules.Token, key=lambda token: tokens[token])
    return words.COUNTED_TOKENS[kind](tokens[kind])


def _met_by(tokens: Tokens) -> str:
    """Return the condition that ``tokens`` meet (R18), five kinds before tokens alike."""
    return said.ALL_KINDS() if all(tokens) else _most_alike(tokens)


def _decided(
    sentence: Sentence, winner: Seat, tokens: tuple[Tokens, Tokens], **fields: str
) -> str:
    """Name the first kind of which the winner has more (R19)."""
    more, fewer = tokens[winner], tokens[opposite(winner)]
    kind = next(token for token in card_rules.Token if more[token] != fewer[token])
    decisive = words.SOME_TOKENS[kind]()
    return sentence(tokens=decisive, more=more[kind], fewer=fewer[kind], **fields)


def explain(game: GameState | None, view: PointOfView) -> tuple[str, ...]:
    """Return the reasons for the outcome of the last resolved round, card by card."""
    played = resolved(game)
    if game is None or not played:
        return (said.WHY_NOTHING(),)
    told: list[str] = []
    for resolution in played[-1].resolutions:
        told += [*explain_mat(resolution, game.table[resolution.mat], view), ""]
    return (*told, said.WHY_KIND())


def resolved(game: GameState | None) -> list[Round]:
    """Return the rounds of the set that are over."""
    return [each for each in (game.rounds if game else ()) if each.resolutions]


def explain_mat(
    resolution: Resolution, shown: card_rules.Face, view: PointOfView
) -> tuple[str, ...]:
    """Return the reasons for the outcome of the mat that shows ``shown``."""
    return (
        demand_words(resolution.mat, shown),
        *_reasons(resolution, shown, view),
        *_gains(resolution, view),
    )


def demand_words(mat: int, shown: card_rules.Face) -> str:
    """Return what a mat shows and asks for."""
    if card_rules.DEMANDS[mat] is card_rules.Demand.NUMBER:
        return said.WHY_NUMBER(mat=MATS[mat], card=words.card_words(shown), number=shown.number)
    return said.WHY_SUIT(mat=MATS[mat], card=words.card_words(shown), suit=_suit(shown))


def _reasons(
    resolution: Resolution, shown: card_rules.Face, view: PointOfView
) -> Sequence[str]:
    first, second = view.seats
    one, two = resolution.cards[first], resolution.cards[second]
    if one is None or two is None:
        return _alone(resolution, view)
    demand = card_rules.DEMANDS[resolution.mat]
    cards = {"card": words.card_words(one), "shown": words.card_words(two)}
    match card_rules.matches(demand, shown, one), card_rules.matches(demand, shown, two):
        case True, True:
            better, worse = (one, two) if card_rules.beats(demand, one, two) else (two, one)
            both = view.say(first, said.WHY_BOTH_YOURS, said.WHY_BOTH, **cards)
            return both, _compared(demand, better, worse)
        case True, False:
            return (view.say(first, said.WHY_ONE_YOURS, said.WHY_ONE, **cards),)
        case False, True:
            sentence = said.WHY_ONE if view.you is None else said.WHY_ONE_OTHER
            cards = {"card": words.card_words(two), "shown": words.card_words(one)}
            return (view.say(second, sentence, sentence, **cards),)
        case _:
            return (view.say(first, said.WHY_NEITHER_YOURS, said.WHY_NEITHER, **cards),)


def _alone(resolution: Resolution, view: PointOfView) -> Sequence[str]:
    laid = [
        view.say(seat, said.WHY_ALONE_YOURS, said.WHY_ALONE)
        for seat, slot in zip(SEATS, resolution.slots, strict=True)
        if slot is not None
    ]
    return laid or (said.WHY_EMPTY(),)


def _compared(
    demand: card_rules.Demand, better: card_rules.Face, worse: card_rules.Face
) -> str:
    """Return which of two matching cards wins, and the rule."""
    if demand is card_rules.Demand.NUMBER:
        return said.WHY_SUITS(better=_suit(better), worse=_suit(worse))
    return said.WHY_NUMBERS(better=better.number, worse=worse.number)


def _suit(face: card_rules.Face) -> str:
    """Return the suit in words; a zero has no suit, and never gets here."""
    return words.ZERO() if face.suit is None else words.TOKENS[face.suit]()
