"""The game on a table: one immutable state, and functions from one state to the next.

The game is played with slots and mats, as an observer sees the game. Faces enter only when
shown: the six faces of the table, and the faces turned up where both seats have laid a card.
So the same engine serves a player, an observer and a verifier, and no code here can leak a
hidden card.
"""

import functools
from collections.abc import Iterator, Mapping
from typing import Final

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.matcha.rules import history, phases, scoring
from matcha_p2p.games.matcha.rules import moves as move_rules
from matcha_p2p.games.matcha.rules.cards import ZERO, Face, Hands
from matcha_p2p.games.matcha.rules.edition import Edition
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState

_NO_CARDS: Final[frozenset[int]] = frozenset()


def new_game(edition: Edition, first_dealer: Seat) -> GameState:
    """Return the game before its first deal."""
    return GameState(
        edition=edition,
        number=1,
        dealer=first_dealer,
        table=(),
        hands=(_NO_CARDS, _NO_CARDS),
        rounds=(),
        tokens=(scoring.NO_TOKENS, scoring.NO_TOKENS),
        comparing=False,
        kept=(0, 0),
        phase=phases.AWAITING_DEAL,
    )


def deal(game: GameState, table: tuple[Face, ...]) -> GameState:
    """Lay six faces on the mats 0..5 and give each seat a full hand (R6).

    Raises:
        ValueError: no deal is due, or ``table`` is not six different faces without a zero.
    """
    if game.phase != phases.AWAITING_DEAL:
        raise ValueError("no deal is due")
    if len(table) != 6 or len(set(table)) != 6 or ZERO in table:
        raise ValueError("a table is six different cards, none of them a zero")
    return game._replace(
        table=table,
        hands=(move_rules.SLOTS, move_rules.SLOTS),
        rounds=(_begun(1, game.tokens),),
        phase=phases.PLACING[game.dealer],
    )


def legal_moves(game: GameState) -> tuple[move_rules.Play | move_rules.Pass, ...]:
    """Return the legal moves of the seat to move, by mat, then slot, the pass last (R7, R9).

    Empty if no seat is to move.
    """
    if not isinstance(game.phase, phases.Placing):
        return ()
    seat = game.phase.to_move
    return move_rules.placements(free_mats(game.rounds[-1], seat), game.hands[seat])


def legal_keeps(game: GameState, seat: Seat) -> tuple[move_rules.Keep, ...]:
    """Return every choice of leftover cards (R16); empty if no choice is due."""
    return (
        move_rules.subsets(game.hands[seat]) if isinstance(game.phase, phases.Keeping) else ()
    )


def is_out(edition: Edition, turns: tuple[history.Turn, ...], seat: Seat) -> bool:
    """Tell whether ``seat`` has no further turn in a round with these turns (R10)."""
    had = 0
    for turn in turns:
        if turn.seat == seat:
            if edition.turns is None and isinstance(turn.move, move_rules.Pass):
                return True
            had += 1
    return had == edition.turns


def free_mats(running: history.Round, seat: Seat) -> tuple[int, ...]:
    """Return the mats of the round where ``seat`` has no card yet (R7, R9)."""
    return _free(move_rules.MATS_OF_ROUND[running.number - 1], running.laid[seat])


def place(game: GameState, move: move_rules.Play | move_rules.Pass) -> GameState:
    """Make a move of the seat to move, then every automatic pass (R11).

    If the round ends, resolve the round at once, unless cards have to be turned up first.

    Raises:
        IllegalMoveError: R7 (not a mat of this round), R9 (the seat has a card there, or the
            slot is empty), R10 (no seat is to move).
    """
    running, hands, to_move = _after_turn(game, move)
    if to_move is not None:
        return _going_on(game, running, hands, phases.PLACING[to_move])
    due = _contested(running)
    if not due:
        return _end_round(game, running, hands, ())
    return _going_on(game, running, hands, phases.Revealing((due, due), ((), ())))


def advance(
    game: GameState, move: move_rules.Play | move_rules.Pass, faces: Hands
) -> GameState:
    """Make a move as ``place`` does, and turn up at once the cards due after the move.

    So a game with known hands can be played: an example, a lesson, a simulation.

    faces: in each seat's slots.

    Raises:
        IllegalMoveError: as ``place`` does.
        ValueError: the hands cannot have been dealt.
    """
    running, hands, to_move = _after_turn(game, move)
    if to_move is not None:
        return _going_on(game, running, hands, phases.PLACING[to_move])
    cards = tuple(
        [
            (faces[0][first], faces[1][second])
            for first, second in zip(*running.laid, strict=True)
            if first is not None and second is not None
        ]
    )
    _check_unique(game, cards)
    return _end_round(game, running, hands, cards)


def reveal(game: GameState, seat: Seat, faces: Mapping[int, Face]) -> GameState:
    """Turn up the cards that ``seat`` owes, by mat; once both seats have, resolve the round.

    Raises:
        ValueError: the mats differ from the mats due, or a card other than a zero already lies
            open: the opened card cannot be the card dealt.
    """
    phase = game.phase
    if (
        not isinstance(phase, phases.Revealing)
        or not faces
        or set(faces) != set(phase.due[seat])
    ):
        raise ValueError("not the cards that this seat has to turn up")
    mats = phase.due[seat]
    cards = tuple([faces[mat] for mat in mats])
    opened = (phase.opened[0], cards) if seat else (cards, phase.opened[1])
    _check_unique(game, opened)
    if not phase.due[opposite(seat)]:
        cards_by_mat = tuple(zip(*opened, strict=True))
        return _end_round(game, game.rounds[-1], game.hands, cards_by_mat)
    due = (mats, ()) if seat else ((), mats)
    return game._replace(phase=phases.Revealing(due, opened))


def keep(game: GameState, kept: tuple[frozenset[int], frozenset[int]]) -> GameState:
    """End the set: each seat keeps the cards of some slots, all other cards go back (R16).

    Until the next deal ``hands`` are the slots kept. The deal numbers the slots anew, so a
    slot does not tell which cards were kept.

    Raises:
        IllegalMoveError: R16: no choice is due, or a card is not left over.
    """
    if not isinstance(game.phase, phases.Keeping):
        raise IllegalMoveError("R16", "no cards can be kept now")
    if any(not kept[seat] <= game.hands[seat] for seat in SEATS):
        raise IllegalMoveError("R16", "only cards left over can be kept")
    return _next_set(game, kept)


def resign(game: GameState, seat: Seat) -> GameState:
    """Let ``seat`` concede, at any time (R25).

    Raises:
        ValueError: the game is over.
    """
    return _broken_off(game, phases.Ended(opposite(seat), phases.How.RESIGNED))


def draw(game: GameState) -> GameState:
    """End the game without a winner, because it cannot go on.

    Raises:
        ValueError: the game is over.
    """
    return _broken_off(game, phases.Ended(None, phases.How.DRAW))


def _broken_off(game: GameState, ended: phases.Ended) -> GameState:
    match game.phase:
        case phases.Ended():
            raise ValueError("the game is over")
        case _:
            return game._replace(phase=ended)


def _after_turn(
    game: GameState, move: move_rules.Play | move_rules.Pass
) -> tuple[history.Round, tuple[frozenset[int], frozenset[int]], Seat | None]:
    """Return the round after a move and the automatic passes after the move.

    Also return the slots that each seat still holds, and the seat to move, or None if the
    round is over.
    """
    if not isinstance(game.phase, phases.Placing):
        raise IllegalMoveError("R10", "nobody is to move")
    seat = game.phase.to_move
    number, turns, laid, _, tokens = running = game.rounds[-1]
    hands = game.hands
    if isinstance(move, move_rules.Play):
        hand, own = _lay(running, seat, hands[seat], move)
        hands = (hands[0], hand) if seat else (hand, hands[1])
        laid = (laid[0], own) if seat else (own, laid[1])
    turns = (*turns, history.Turn(seat, move))
    to_move = _next_to_move(game.edition, turns)
    while to_move is not None and not (hands[to_move] and None in laid[to_move]):
        turns = (*turns, history.Turn(to_move, move_rules.PASS, auto=True))
        to_move = _next_to_move(game.edition, turns)
    return history.Round(number, turns, laid, (), tokens), hands, to_move


def _lay(
    running: history.Round, seat: Seat, hand: frozenset[int], play: move_rules.Play
) -> tuple[frozenset[int], history.Laid]:
    """Return the slots that the seat holds and the slots laid, after a play."""
    laid, at = running.laid[seat], play.mat % 2
    if play.mat not in move_rules.MATS_OF_ROUND[running.number - 1]:
        raise IllegalMoveError("R7", "this mat is not one of the round")
    if laid[at] is not None:
        raise IllegalMoveError("R9", "the seat has laid a card at this mat")
    if play.slot not in hand:
        raise IllegalMoveError("R9", "this card is no longer in the hand")
    return hand - {play.slot}, (laid[0], play.slot) if at else (play.slot, laid[1])


def _going_on(
    game: GameState,
    running: history.Round,
    hands: tuple[frozenset[int], frozenset[int]],
    phase: phases.Placing | phases.Revealing,
) -> GameState:
    """Return the game within a round.

    ``_replace`` is slower, and simulations call this often.
    """
    edition, number, dealer, table, _, rounds, tokens, comparing, kept, _, past = game
    rounds = (*rounds[:-1], running)
    return GameState(
        edition, number, dealer, table, hands, rounds, tokens, comparing, kept, phase, past
    )


def _begun(number: int, tokens: tuple[scoring.Tokens, scoring.Tokens]) -> history.Round:
    return history.Round(number, (), history.NOTHING_LAID, (), tokens)


@functools.cache  # 3 pairs of mats, 31 pairs of slots
def _free(mats: tuple[int, int], laid: history.Laid) -> tuple[int, ...]:
    return tuple(mat for mat, slot in zip(mats, laid, strict=True) if slot is None)


def _next_to_move(edition: Edition, turns: tuple[history.Turn, ...]) -> Seat | None:
    """Return the seat to move after ``turns``, at least one, or None if the round is over."""
    last = turns[-1].seat
    other = opposite(last)
    if not is_out(edition, turns, other):
        return other
    return None if is_out(edition, turns, last) else last


def _contested(running: history.Round) -> tuple[int, ...]:
    """Return the mats of the round where both seats have a card."""
    first, second = running.laid
    mats = move_rules.MATS_OF_ROUND[running.number - 1]
    return tuple([mat for mat in mats if None not in (first[mat % 2], second[mat % 2])])


def _check_unique(game: GameState, turned_up: tuple[tuple[Face, ...], ...]) -> None:
    lying: list[Face | None] = [*game.table]
    for cards in turned_up:
        lying += cards
    for settled in game.rounds[:-1]:
        for resolution in settled.resolutions:
            if resolution.revealed:
                lying += resolution.cards
    spare = int(lying.count(ZERO) == 2)  # the second zero is the only twin
    if len(set(lying)) + spare != len(lying):
        raise ValueError("a card lies open twice")


def _end_round(
    game: GameState,
    running: history.Round,
    hands: tuple[frozenset[int], frozenset[int]],
    turned_up: tuple[tuple[Face, Face], ...],
) -> GameState:
    """Resolve the round, then look for a win, the next round or the end of the set (R18)."""
    edition, number, dealer, table, _, rounds, _, comparing, kept, _, past = game
    settled = _resolved(game, running, iter(turned_up))
    tokens = settled.tokens
    rounds = (*rounds[:-1], settled)
    set_over = settled.number == 3
    last = set_over and number == edition.sets
    phase: phases.GamePhase | None = scoring.outcome(
        edition, tokens, comparing=comparing, last=last
    )
    if phase is None:
        if scoring.condition(
            edition, tokens[0]
        ):  # both met a condition, else the game is over: R20
            comparing = True
        if set_over:
            phase = phases.KEEPING
        else:
            rounds = (*rounds, _begun(settled.number + 1, tokens))
            phase = phases.PLACING[dealer]
    game = GameState(
        edition, number, dealer, table, hands, rounds, tokens, comparing, kept, phase, past
    )
    if phase is phases.KEEPING and not (edition.keeps and any(hands)):  # R17
        return _next_set(game, (_NO_CARDS, _NO_CARDS))
    return game


def _resolved(
    game: GameState, running: history.Round, turned_up: Iterator[tuple[Face, Face]]
) -> history.Round:
    number, turns, laid, _, _ = running
    number_mat, suit_mat = move_rules.MATS_OF_ROUND[number - 1]
    at_number = _resolve(number_mat, game.table, (laid[0][0], laid[1][0]), turned_up)
    at_suit = _resolve(suit_mat, game.table, (laid[0][1], laid[1][1]), turned_up)
    first = scoring.add(game.tokens[0], (at_number.gain[0], at_suit.gain[0]))
    second = scoring.add(game.tokens[1], (at_number.gain[1], at_suit.gain[1]))
    return history.Round(number, turns, laid, (at_number, at_suit), (first, second))


def _resolve(
    mat: int,
    table: tuple[Face, ...],
    slots: tuple[int | None, int | None],
    turned_up: Iterator[tuple[Face, Face]],
) -> history.Resolution:
    """Return the outcome of ``mat``. A card alone takes the token unseen (R12, R13)."""
    shown = table[mat]
    if None not in slots:
        cards = next(turned_up)
        gain = scoring.contest(mat % 2, shown, cards)  # all mats of a kind share the cache
        return history.Resolution(mat, cards, slots, gain)
    gain = None if slots[0] is None else shown.suit, None if slots[1] is None else shown.suit
    return history.Resolution(mat, (None, None), slots, gain)


def _next_set(game: GameState, kept: tuple[frozenset[int], frozenset[int]]) -> GameState:
    """Pass the deal to the other player (R15)."""
    over = history.PastSet(game.number, game.dealer, game.table, game.rounds, game.kept)
    return game._replace(
        number=game.number + 1,
        dealer=opposite(game.dealer),
        hands=kept,
        kept=(len(kept[0]), len(kept[1])),
        phase=phases.AWAITING_DEAL,
        past=(*game.past, over),
    )
