"""Mutants of moves, of choices what to keep, and of results."""

import random
from collections.abc import Callable

from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.matcha.rules.seats import opposite
from matcha_p2p.games.matcha.table.steps import hand_of
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table.table import Table
from matcha_p2p.wire.encoding import pack
from tests.cheats.parts import backs, is_playing
from tests.cheats.scene import Hostile, Scene, body, message, sign_body, utter
from tests.mutants.parts import OUT, some_action, some_move
from tests.mutants.site import Mutant, Operator, refused, replaced, scenes


def back_of(find: Callable[[Scene, random.Random], bytes | None], check: str) -> Operator:
    """Lay another card than one of those in the hand."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        place = some_move(scene, rng, "lay")
        back = None if place is None else find(scene, rng)
        if back is None:
            return None
        _, _, mat, _ = scene.fields[place]
        return refused(
            scene, utter(scene, replaced(scene, place, ["MOVE", "lay", mat, back])), check
        )

    return operate


def unknown_back(scene: Scene, rng: random.Random) -> bytes:
    return H("back", rng.randbytes(8))


def back_of_the_other(scene: Scene, rng: random.Random) -> bytes:
    return rng.choice(backs(scene.table, 1 - scene.seat))


def back_of_another_set(scene: Scene, rng: random.Random) -> bytes | None:
    number, pile = game_of(scene.table).number, hand_of(scene.seat)
    tables = [state for state in scene.states if isinstance(state, Table)]
    old = [
        back
        for table in tables
        if pile in table.piles and game_of(table).number < number
        for back in backs(table, scene.seat)
        if back not in backs(scene.table, scene.seat)
    ]
    return rng.choice(old) if old else None


def spent_back(scene: Scene, rng: random.Random) -> bytes | None:
    held = game_of(scene.table).hands[scene.seat]
    own = backs(scene.table, scene.seat)
    spent = [back for slot, back in enumerate(own) if slot not in held]
    return rng.choice(spent) if spent else None


def mat_with(change: Callable[[int], int]) -> Operator:
    """Lay the card at another mat; where that is allowed, the state tells."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        place = some_move(scene, rng, "lay")
        if place is None:
            return None
        _, _, mat, back = scene.fields[place]
        if not 0 <= change(mat) < 6:
            return None
        fields = [["MOVE", "lay", change(mat), back]]
        # E_GRAMMAR: what follows the honest move need not follow this one, or the reverse.
        return refused(scene, utter(scene, fields), "E_STATE", "E_RULE", "E_GRAMMAR")

    return operate


def passed_instead(scene: Scene, rng: random.Random) -> Mutant | None:
    """Pass in place of laying a card, and sign the state of having laid it."""
    if some_move(scene, rng, "lay") is None:
        return None
    return refused(scene, utter(scene, [["MOVE", "pass"]]), "E_STATE", "E_GRAMMAR")


def out_of_turn(scene: Scene, rng: random.Random) -> Mutant | None:
    """Let the seat that is not to move pass or lay the first card of its hand."""
    if not isinstance(scene.state, Table) or not is_playing(scene.state):
        return None
    other = opposite(scene.seat)
    back = rng.choice(backs(scene.table, other))
    said: Hostile = rng.choice([["MOVE", "pass"], ["MOVE", "lay", rng.randrange(6), back]])
    content = body(scene, [said], seat=other)
    signed = sign_body(pack(content), scene.peer.secrets.session)
    return Mutant(message(signed), frozenset(OUT), other)


def kept(
    change: Callable[[list[bytes], Scene], list[bytes]], check: str = "E_RULE"
) -> Operator:
    """Keep what cannot be kept."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        if some_move(scene, rng, "keep") is None:
            return None
        own = backs(scene.table, scene.seat)
        left = [own[slot] for slot in sorted(game_of(scene.table).hands[scene.seat])]
        chosen = change(left, scene)
        if not chosen or chosen == left:
            return None
        said = utter(scene, [["MOVE", "keep", b"".join(chosen)]])
        return refused(scene, said, "E_ENCODING" if len(chosen) > 5 else check)

    return operate


def unsealed(change: Callable[[bytes, bytes], tuple[bytes, bytes]]) -> Operator:
    """Open the commitment otherwise."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        place = some_action(scene, rng, "UNSEAL")
        if place is None:
            return None
        _, salt, name, chosen = scene.fields[place]
        other_salt, other = change(salt, chosen)
        action: Hostile = ["UNSEAL", other_salt, name, other]
        return refused(scene, utter(scene, replaced(scene, place, action)), "E_SEAL")

    return operate


def commitment_changed(scene: Scene, rng: random.Random) -> Mutant | None:
    """Commit to something else; then all goes on, until the choice has to be opened."""
    if some_action(scene, rng, "SEAL") is None:
        return None
    where = next(n for n, other in enumerate(scenes()) if _same(other, scene))
    sealed, chosen, opened = scenes()[where : where + 3]
    frames, head = b"", bytes(scene.log[-1].id)
    for other, fields in (
        (sealed, [["SEAL", rng.randbytes(32)]]),
        (chosen, chosen.fields),
        (opened, opened.fields),
    ):
        content = body(other, fields, prev=head)
        signed = sign_body(pack(content), other.player.secrets.session)
        frames, head = frames + message(signed), H("msg", signed)
    return Mutant(frames, frozenset({"E_SEAL"}), scene.seat, later=2)


def _same(one: Scene, two: Scene) -> bool:
    return one.players is two.players and len(one.log) == len(two.log)


def result_with(change: Callable[[list[int], bytes], tuple[list[int], bytes]]) -> Operator:
    """Sign another result."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        place = some_action(scene, rng, "RESULT")
        if place is None:
            return None
        _, outcome, digest = scene.fields[place]
        action: Hostile = ["RESULT", *change(outcome, digest)]
        return refused(scene, utter(scene, replaced(scene, place, action)), "E_RESULT")

    return operate


OPERATORS: dict[str, Operator] = {
    "back unknown": back_of(unknown_back, "E_BACK"),
    "back of the other seat": back_of(back_of_the_other, "E_BACK"),
    "back of another set": back_of(back_of_another_set, "E_BACK"),
    "back spent": back_of(spent_back, "E_RULE"),
    "mat + 1": mat_with(lambda mat: mat + 1),
    "mat - 1": mat_with(lambda mat: mat - 1),
    "mat 0": mat_with(lambda _: 0),
    "mat 5": mat_with(lambda _: 5),
    "mat + 2": mat_with(lambda mat: mat + 2),
    "a pass instead of a card": passed_instead,
    "a move out of turn": out_of_turn,
    "kept: reversed": kept(lambda left, _: left[::-1]),
    "kept: one twice": kept(lambda left, _: [*left, *left[-1:]]),
    "kept: a card of the other": kept(
        lambda left, s: [*left, backs(s.table, 1 - s.seat)[0]], "E_BACK"
    ),
    "kept: what was laid": kept(lambda _, s: list(backs(s.table, s.seat))),
    "kept: unknown": kept(lambda _, s: [H("back", s.state.head)], "E_BACK"),
    "unsealed: another salt": unsealed(lambda salt, backs: (H("salt", salt), backs)),
    "unsealed: a card less": unsealed(lambda salt, backs: (salt, backs[:-32])),
    "unsealed: a card more": unsealed(lambda salt, backs: (salt, backs + H("back", salt))),
    "commitment changed": commitment_changed,
    "result: the other winner": result_with(lambda o, digest: ([1 - s for s in o], digest)),
    "result: both win": result_with(lambda _, digest: ([0, 1], digest)),
    "result: nobody wins": result_with(lambda _, digest: ([], digest)),
    "result: a bit of the digest": result_with(
        lambda outcome, digest: (outcome, bytes([digest[0] ^ 1]) + digest[1:])
    ),
    "result: no digest": result_with(lambda outcome, _: (outcome, bytes(32))),
}
