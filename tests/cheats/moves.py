"""Cheats with moves, kept cards and the result: rows 31 to 34, 37 to 39 and 41."""

from collections.abc import Callable

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.rules.game import free_mats
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, Play
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.table.view import game_of, matcha_of
from matcha_p2p.table.table import State, Table, Verb, game_digest
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.entry import Entry
from tests.cheats.parts import backs, is_playing, out_of_round
from tests.cheats.scene import Row, Scene, at, cheats, says, utter


def free_mat(scene: Scene) -> int:
    """Return a mat at which the cheat may lay a card."""
    played = game_of(scene.table).rounds[-1]
    return free_mats(played, scene.seat)[0]


def held_back(scene: Scene) -> bytes:
    slot = min(game_of(scene.table).hands[scene.seat])
    return backs(scene.table, scene.seat)[slot]


def spent_back(scene: Scene) -> bytes:
    slots = set(range(5)) - game_of(scene.table).hands[scene.seat]
    return backs(scene.table, scene.seat)[min(slots)]


def lays(back: Callable[[Scene], bytes]) -> Callable[[Scene], bytes]:
    return lambda scene: utter(scene, [["MOVE", "lay", free_mat(scene), back(scene)]])


def other_back(scene: Scene) -> bytes:
    return backs(scene.table, 1 - scene.seat)[0]


def old_back(scene: Scene) -> bytes:
    number = game_of(scene.table).number
    before = scene.earlier(lambda table: game_of(table).number < number)
    return backs(before, scene.seat)[0]


def lays_at(mat: Callable[[Scene], int]) -> Callable[[Scene], bytes]:
    return lambda scene: utter(scene, [["MOVE", "lay", mat(scene), held_back(scene)]])


def next_round(scene: Scene) -> int:
    return 2 * game_of(scene.table).rounds[-1].number


def last_round(scene: Scene) -> int:
    return 2 * game_of(scene.table).rounds[-1].number - 3


def own_mat(scene: Scene) -> int:
    played = game_of(scene.table).rounds[-1]
    mats = MATS_OF_ROUND[played.number - 1]
    return next(mat for mat in mats if played.slot_at(scene.seat, mat) is not None)


def lays_after_all(scene: Scene) -> bytes:
    """Lay a card, though out of the round: one that is held, or else a spent one."""
    held = game_of(scene.table).hands[scene.seat]
    back = held_back(scene) if held else spent_back(scene)
    mat = 2 * game_of(scene.table).rounds[-1].number - 1
    return utter(scene, [["MOVE", "lay", mat, back]])


def passes(scene: Scene) -> bytes:
    return utter(scene, [["MOVE", "pass"]])


def unsealed(change: Callable[[Scene, bytes, bytes], tuple[bytes, bytes]]):
    """Open the commitment to the kept cards otherwise than it was made."""

    def make(scene: Scene) -> bytes:
        (verb, salt, name, kept), *rest = scene.fields
        other_salt, other_kept = change(scene, salt, kept)
        return utter(scene, [[verb, other_salt, name, other_kept], *rest])

    return make


def keeps(kept: Callable[[Scene], list[bytes]]) -> Callable[[Scene], bytes]:
    return lambda scene: utter(scene, [["MOVE", "keep", b"".join(kept(scene))]])


def left(scene: Scene) -> list[bytes]:
    own = backs(scene.table, scene.seat)
    return [own[slot] for slot in sorted(game_of(scene.table).hands[scene.seat])]


def out_of_order(scene: Scene) -> list[bytes]:
    assert len(left(scene)) > 1
    return left(scene)[::-1]


def unsealed_early(scene: Scene) -> bytes:
    """Open the commitment before the other seat has chosen."""
    return utter(scene, [["UNSEAL", H("salt"), "keep", b"".join(left(scene))]])


def result(outcome: list[int], digest: bytes) -> list[Value]:
    return [["RESULT", outcome, digest]]


def other_outcome(outcome: list[int]) -> Callable[[Scene], bytes]:
    return lambda scene: utter(scene, result(outcome, game_digest(scene.table.game)))


def more_tokens(scene: Scene) -> bytes:
    """Sign the digest of a state in which one's own tokens are one more."""
    (_, outcome, _), *_ = scene.fields
    game = game_of(scene.table)
    own = game.tokens[scene.seat]
    more = (own[0] + 1, *own[1:])
    tokens = (more, game.tokens[1]) if scene.seat == 0 else (game.tokens[0], more)
    wished = matcha_of(scene.table)._replace(state=game._replace(tokens=tokens))
    return utter(scene, result(outcome, game_digest(wished)))


def other_winner(scene: Scene) -> bytes:
    (_, outcome, digest), *_ = scene.fields
    return utter(scene, result([1 - winner for winner in outcome], digest))


def too_early(scene: Scene) -> bytes:
    return utter(scene, result([scene.seat], game_digest(scene.table.game)))


def playing(
    holds: Callable[[Table, Seat], bool], *, other: bool = False
) -> Callable[[State, Entry], bool]:
    """Hold where a move is due and ``holds`` (table, seat of the cheat)."""

    def at_move(state: State, entry: Entry) -> bool:
        if not isinstance(state, Table) or not is_playing(state):
            return False
        return holds(state, opposite(entry.seat) if other else entry.seat)

    return at_move


def holding(table: Table, seat: Seat) -> bool:
    return out_of_round(table, seat) and bool(game_of(table).hands[seat])


def empty(table: Table, seat: Seat) -> bool:
    return out_of_round(table, seat) and not game_of(table).hands[seat]


def laid_one(table: Table, seat: Seat) -> bool:
    """Tell whether the seat has laid a card in this round and may lay another."""
    return game_of(table).rounds[-1].laid[seat].count(None) == 1


def laid_before(table: Table, seat: Seat) -> bool:
    """Tell whether the seat has laid a card in an earlier round, and none in this one."""
    laid = [
        turn
        for played in game_of(table).rounds[:-1]
        for turn in played.turns
        if turn.seat == seat and isinstance(turn.move, Play)
    ]
    return bool(laid) and game_of(table).rounds[-1].laid[seat] == (None, None)


def chooses(state: State, entry: Entry) -> bool:
    """Hold where a seat that has laid and has left cards says what it keeps."""
    return (
        isinstance(state, Table)
        and bool(state.seals)
        and state.owing[0].verb is Verb.MOVE
        and 0 < len(game_of(state).hands[entry.seat]) < 5
    )


PLAYS = at(says("MOVE lay"))
AGAIN = at(playing(laid_one), "racing")
LATER = at(playing(laid_before), "short")
SECOND_SET = at(playing(lambda table, _: game_of(table).number == 2))
PASSED = at(playing(holding, other=True), "racing", other=True)
TWO_TURNS = at(playing(holding, other=True), "short", other=True)
EMPTY = at(playing(empty, other=True), "racing", other=True)
CHOOSES = at(chooses)
CHOOSES_TWO = at(
    lambda state, entry: (
        isinstance(state, Table)
        and chooses(state, entry)
        and len(game_of(state).hands[entry.seat]) > 1
    )
)
CLOSER = at(chooses, other=True)
UNSEALS = at(says("UNSEAL"))
ENDED = at(says("RESULT"))
SHOWS = at(says("SHARE reveal"), "short", other=True)
DRAWN = at(says("RESULT"), "passing")

CHEATS = cheats(
    {
        Row(31, Check.BACK, PLAYS): {
            "an unknown back": lays(lambda _: H("some back")),
            "a back of the other seat": lays(other_back),
            "an unknown back at a mat of the next round": lambda s: utter(
                s, [["MOVE", "lay", next_round(s), H("some back")]]
            ),
        },
        Row(31, Check.BACK, SECOND_SET): {
            "a back of the last set": lays(old_back),
        },
        Row(32, Check.RULE, AGAIN): {
            "a back twice in a round": lays(spent_back),
        },
        Row(32, Check.RULE, LATER): {
            "a back again in a later round": lays(spent_back),
        },
        Row(33, Check.RULE, PLAYS): {
            "a mat of the next round": lays_at(next_round),
        },
        Row(33, Check.RULE, LATER): {
            "a mat of the last round": lays_at(last_round),
        },
        Row(33, Check.RULE, AGAIN): {
            "a mat where one has a card": lays_at(own_mat),
            "cards kept while cards are laid": keeps(lambda _: []),
        },
        Row(33, Check.TURN, PASSED): {
            "a card after passing out": lays_after_all,
        },
        Row(33, Check.TURN, TWO_TURNS): {
            "a card after two turns": lays_after_all,
        },
        Row(33, Check.TURN, EMPTY): {
            "a card when out of cards": lays_after_all,
        },
        Row(34, Check.TURN, PASSED): {
            "a pass after passing out": passes,
            "a link after passing out": lambda s: utter(s, [["COIN", H("link")]]),
        },
        Row(34, Check.TURN, TWO_TURNS): {
            "a pass after two turns": passes,
        },
        Row(34, Check.TURN, EMPTY): {
            "a pass when out of cards": passes,
        },
        Row(37, Check.SEAL, UNSEALS): {
            "another salt": unsealed(lambda _, __, backs: (H("salt"), backs)),
            "a back less": unsealed(lambda _, salt, backs: (salt, backs[32:])),
            "a back more": unsealed(lambda s, salt, backs: (salt, backs + spent_back(s))),
        },
        Row(38, Check.RULE, CHOOSES): {
            "a played card kept": keeps(lambda s: [spent_back(s)]),
            "a card kept twice": keeps(lambda s: left(s)[:1] * 2),
            "more cards kept than are left": keeps(lambda s: list(backs(s.table, s.seat))),
            "a card laid instead of kept": lays(lambda s: left(s)[0]),
            "a pass instead of a choice": passes,
        },
        Row(38, Check.BACK, CHOOSES): {
            "a back of a new hand kept": keeps(lambda _: [H("new")]),
            "a card of the other kept": keeps(lambda s: [other_back(s)]),
        },
        Row(38, Check.RULE, CHOOSES_TWO): {
            "cards out of order": keeps(out_of_order),
        },
        Row(39, Check.TURN, CLOSER): {
            "the seal opened before the other has chosen": unsealed_early,
        },
        Row(41, Check.RESULT, ENDED): {
            "a token more": more_tokens,
            "the other winner": other_winner,
            "a win claimed as a draw": other_outcome([]),
        },
        Row(41, Check.RESULT, DRAWN): {
            "a draw claimed as a win": other_outcome([0]),
        },
        Row(34, Check.TURN, SHOWS): {
            "a pass while the other turns up": passes,
            "a card while the other turns up": lays_after_all,
        },
        Row(41, Check.GRAMMAR, PLAYS): {
            "a result too early": too_early,
        },
    }
)
