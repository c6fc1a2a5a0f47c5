"""The game on a table: one immutable state, and the functions that lead from one to the next.

It is played with slots and mats, as an observer sees it. Faces enter only when they are shown:
the six of the table, and those turned up where both seats have laid a card. So the same engine
serves a player, an observer and a verifier; nothing here can leak a hidden card.
"""

from collections.abc import Mapping
from typing import Final

from matcha_p2p.errors import Check, IllegalMoveError
from matcha_p2p.rules.cards import ZERO, Face
from matcha_p2p.rules.edition import Edition
from matcha_p2p.rules.history import PastSet, Resolution, Round, Turn, slots_laid
from matcha_p2p.rules.moves import (
    MATS_OF_ROUND,
    PASS,
    SLOTS,
    Keep,
    Move,
    Pass,
    Play,
    placements,
    subsets,
)
from matcha_p2p.rules.phases import (
    AwaitingDeal,
    Ended,
    GamePhase,
    How,
    Keeping,
    Placing,
    Revealing,
)
from matcha_p2p.rules.scoring import (
    NO_TOKENS,
    Tokens,
    add,
    condition,
    contest,
    outcome,
)
from matcha_p2p.rules.seats import SEATS, Seat, opposite
from matcha_p2p.rules.snapshot import snapshot
from matcha_p2p.rules.state import Game

__all__ = [
    "AwaitingDeal",
    "Ended",
    "Game",
    "GamePhase",
    "How",
    "Keep",
    "Keeping",
    "Move",
    "Pass",
    "Placing",
    "Play",
    "Resolution",
    "Revealing",
    "Round",
    "Seat",
    "Tokens",
    "Turn",
    "deal",
    "draw",
    "free_mats",
    "is_out",
    "keep",
    "legal_keeps",
    "legal_moves",
    "new_game",
    "place",
    "resign",
    "reveal",
    "snapshot",
]

_NO_CARDS: Final[frozenset[int]] = frozenset()


def new_game(edition: Edition, first_dealer: Seat) -> Game:
    """Return the game before its first deal."""
    return Game(
        edition=edition,
        number=1,
        dealer=first_dealer,
        table=(),
        hands=(_NO_CARDS, _NO_CARDS),
        rounds=(),
        tokens=(NO_TOKENS, NO_TOKENS),
        comparing=False,
        kept=(0, 0),
        phase=AwaitingDeal(),
    )


def deal(game: Game, table: tuple[Face, ...]) -> Game:
    """Lay six faces on the mats 0..5 and give each seat a full hand (R6).

    Raises:
        ValueError: no deal is due, or these are not six different faces without a zero.
    """
    if game.phase != AwaitingDeal():
        raise ValueError("no deal is due")
    if len(table) != 6 or len(set(table)) != 6 or ZERO in table:
        raise ValueError("a table is six different cards, none of them a zero")
    return game._replace(
        table=table,
        hands=(SLOTS, SLOTS),
        rounds=(Round(1, (), (), game.tokens),),
        phase=Placing(game.dealer),
    )


def legal_moves(game: Game) -> tuple[Play | Pass, ...]:
    """Return what the seat to move may do, by mat, then slot, the pass last (R7, R9).

    Empty if nobody is to move.
    """
    if not isinstance(game.phase, Placing):
        return ()
    seat = game.phase.to_move
    return placements(free_mats(game.rounds[-1], seat), game.hands[seat])


def legal_keeps(game: Game, seat: Seat) -> tuple[Keep, ...]:
    """Return every choice of leftover cards (R16); empty if no choice is due."""
    return subsets(game.hands[seat]) if isinstance(game.phase, Keeping) else ()


def is_out(edition: Edition, turns: tuple[Turn, ...], seat: Seat) -> bool:
    """Tell whether ``seat`` has no further turn in a round with these turns (R10)."""
    own = [turn.move for turn in turns if turn.seat == seat]
    if edition.turns is None:
        return bool(own) and isinstance(own[-1], Pass)
    return len(own) == edition.turns


def free_mats(running: Round, seat: Seat) -> tuple[int, ...]:
    """Return the mats of the round where ``seat`` has no card yet (R7, R9)."""
    mats = MATS_OF_ROUND[running.number - 1]
    laid = slots_laid(running.turns, seat)
    return tuple([mat for mat in mats if mat not in laid])


def place(game: Game, move: Play | Pass) -> Game:
    """Make a move of the seat to move, then every pass that follows by itself (R11).

    If that ends the round, it is resolved at once, unless cards have to be turned up first.

    Raises:
        IllegalMoveError: with the check that the move fails: PLACE (not a mat of this round,
            or the seat has a card there), SPENT (the slot is empty), PASS or PLACE (nobody is
            to move).
    """
    if not isinstance(game.phase, Placing):
        check = Check.PASS if isinstance(move, Pass) else Check.PLACE
        raise IllegalMoveError(check, "nobody is to move")
    seat = game.phase.to_move
    running = game.rounds[-1]
    hands = game.hands
    if isinstance(move, Play):
        hand = _hand_after(hands[seat], free_mats(running, seat), move)
        hands = (hands[0], hand) if seat else (hand, hands[1])
    running = _with_turn(running, Turn(seat, move, auto=False))
    to_move = _next_to_move(game.edition, running.turns)
    while to_move is not None and not (hands[to_move] and free_mats(running, to_move)):
        running = _with_turn(running, Turn(to_move, PASS, auto=True))
        to_move = _next_to_move(game.edition, running.turns)
    phase = _all_placed(running) if to_move is None else Placing(to_move)
    return _go_on(game._replace(hands=hands, rounds=(*game.rounds[:-1], running), phase=phase))


def reveal(game: Game, seat: Seat, faces: Mapping[int, Face]) -> Game:
    """Turn up the cards that ``seat`` owes, by mat; once both seats have, resolve the round.

    Raises:
        ValueError: these are not exactly the mats due, or a card other than a zero lies open
            already: what the caller opened cannot be what was dealt.
    """
    phase = game.phase
    if not isinstance(phase, Revealing) or not faces or set(faces) != set(phase.due[seat]):
        raise ValueError("not the cards that this seat has to turn up")
    cards = tuple([faces[mat] for mat in phase.due[seat]])
    opened = (phase.opened[0], cards) if seat else (cards, phase.opened[1])
    _check_unique(game, opened)
    due = (phase.due[0], ()) if seat else ((), phase.due[1])
    return _go_on(game._replace(phase=Revealing(due, opened)))


def keep(game: Game, kept: tuple[frozenset[int], frozenset[int]]) -> Game:
    """End the set: each seat keeps the cards of some slots, all others go back (R16).

    Until the next deal ``hands`` are the slots kept. The deal numbers the slots anew, so that
    none of them tells afterwards which cards were kept.

    Raises:
        IllegalMoveError: check KEEP: no choice is due, or a card is not left over.
    """
    if not isinstance(game.phase, Keeping):
        raise IllegalMoveError(Check.KEEP, "no cards can be kept now")
    if any(not kept[seat] <= game.hands[seat] for seat in SEATS):
        raise IllegalMoveError(Check.KEEP, "only cards left over can be kept")
    return _next_set(game, kept)


def resign(game: Game, seat: Seat) -> Game:
    """Let ``seat`` concede, at any time (R25).

    Raises:
        ValueError: the game is over.
    """
    return _broken_off(game, Ended(opposite(seat), How.RESIGNED))


def draw(game: Game) -> Game:
    """End the game without a winner, because it cannot go on.

    Raises:
        ValueError: the game is over.
    """
    return _broken_off(game, Ended(None, How.DRAW))


def _broken_off(game: Game, ended: Ended) -> Game:
    match game.phase:
        case Ended():
            raise ValueError("the game is over")
        case _:
            return game._replace(phase=ended)


def _hand_after(hand: frozenset[int], free: tuple[int, ...], play: Play) -> frozenset[int]:
    if play.mat not in free:
        raise IllegalMoveError(Check.PLACE, "no card can be laid at this mat now")
    if play.slot not in hand:
        raise IllegalMoveError(Check.SPENT, "this card is no longer in the hand")
    return hand - {play.slot}


def _with_turn(running: Round, turn: Turn) -> Round:
    return Round(running.number, (*running.turns, turn), (), running.tokens)


def _next_to_move(edition: Edition, turns: tuple[Turn, ...]) -> Seat | None:
    """Return whose turn follows ``turns``, at least one, or None if the round is over."""
    last = turns[-1].seat
    for seat in (opposite(last), last):
        if not is_out(edition, turns, seat):
            return seat
    return None


def _contested(running: Round) -> tuple[int, ...]:
    """Return the mats of the round where both seats have a card."""
    first, second = slots_laid(running.turns, SEATS[0]), slots_laid(running.turns, SEATS[1])
    return tuple(sorted(first.keys() & second.keys()))


def _all_placed(running: Round) -> Revealing:
    mats = _contested(running)
    return Revealing((mats, mats), ((), ()))


def _check_unique(game: Game, opened: tuple[tuple[Face, ...], tuple[Face, ...]]) -> None:
    lying = [face.index for face in (*game.table, *opened[0], *opened[1])]
    for settled in game.rounds[:-1]:
        for resolution in settled.resolutions:
            lying += (face.index for face in resolution.cards if face is not None)
    spare = int(lying.count(ZERO.index) == 2)  # the second zero is the only twin
    if len(set(lying)) + spare != len(lying):
        raise ValueError("a card lies open twice")


def _go_on(game: Game) -> Game:
    """Take the steps that wait for nobody."""
    match game.phase:
        case Revealing(((), ()), opened):
            return _go_on(_end_round(game, opened))
        case Keeping() if not (game.edition.keeps and any(game.hands)):  # R17
            return _next_set(game, (_NO_CARDS, _NO_CARDS))
        case _:
            return game


def _end_round(game: Game, opened: tuple[tuple[Face, ...], tuple[Face, ...]]) -> Game:
    """Resolve the round, then look for a win, the next round or the end of the set (R18)."""
    edition = game.edition
    settled = _resolved(game, opened)
    tokens = settled.tokens
    rounds = (*game.rounds[:-1], settled)
    set_over = settled.number == 3
    last = set_over and game.number == edition.sets
    comparing = game.comparing
    phase: GamePhase | None = outcome(edition, tokens, comparing=comparing, last=last)
    if phase is None:  # if both have met a condition, this was a full tie (R20)
        comparing = None not in [condition(edition, own) for own in tokens]
        phase = Keeping() if set_over else Placing(game.dealer)
        if not set_over:
            rounds = (*rounds, Round(settled.number + 1, (), (), tokens))
    return game._replace(rounds=rounds, tokens=tokens, comparing=comparing, phase=phase)


def _resolved(game: Game, opened: tuple[tuple[Face, ...], tuple[Face, ...]]) -> Round:
    running = game.rounds[-1]
    first, second = slots_laid(running.turns, SEATS[0]), slots_laid(running.turns, SEATS[1])
    turned_up = zip(*opened, strict=True)  # in the order of the mats
    resolutions = list[Resolution]()
    for mat in MATS_OF_ROUND[running.number - 1]:
        slots = first.get(mat), second.get(mat)
        cards = None if None in slots else next(turned_up)
        resolutions.append(_resolve(mat, game.table[mat], slots, cards))
    tokens = [
        add(game.tokens[seat], tuple([resolution.gain[seat] for resolution in resolutions]))
        for seat in SEATS
    ]
    return Round(running.number, running.turns, tuple(resolutions), (tokens[0], tokens[1]))


def _resolve(
    mat: int,
    shown: Face,
    slots: tuple[int | None, int | None],
    cards: tuple[Face, Face] | None,
) -> Resolution:
    """Return what ``mat`` gives. A card alone takes the token unseen (R12, R13)."""
    if cards is not None:
        return Resolution(mat, cards, slots, revealed=True, gain=contest(mat, shown, cards))
    first, second = slots
    gain = None if first is None else shown.suit, None if second is None else shown.suit
    return Resolution(mat, (None, None), slots, revealed=False, gain=gain)


def _next_set(game: Game, kept: tuple[frozenset[int], frozenset[int]]) -> Game:
    """Pass the deal to the other player (R15)."""
    over = PastSet(game.number, game.dealer, game.table, game.rounds, game.kept)
    return game._replace(
        number=game.number + 1,
        dealer=opposite(game.dealer),
        hands=kept,
        kept=(len(kept[0]), len(kept[1])),
        phase=AwaitingDeal(),
        past=(*game.past, over),
    )
