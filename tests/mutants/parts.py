"""Mutants of whole fields, actions and bodies: changed, left out, doubled, transplanted."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest

from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.table.table import Table, state_tag
from matcha_p2p.wire.encoding import MAX_INTEGER, pack
from tests.cheats.scene import Hostile, Scene, body, message, sign_body, utter
from tests.mutants.site import Mutant, Operator, refused, replaced, respoken, scenes

PROOFS = {"SHUF": "E_SHUFFLE", "SHARE": "E_SHARE"}
OUT = ("E_TURN",)


def some_action(scene: Scene, rng: random.Random, *names: str) -> int | None:
    """Return the place of an action with one of ``names``."""
    places = [n for n, action in enumerate(scene.fields) if action[0] in names]
    return rng.choice(places) if places else None


def some_move(scene: Scene, rng: random.Random, *names: str) -> int | None:
    """Return the place of a move with one of ``names``."""
    places = [n for n, action in enumerate(scene.fields) if action[0] == "MOVE"]
    places = [n for n in places if scene.fields[n][1] in names]
    return rng.choice(places) if places else None


# --- the body ------------------------------------------------------------------------------


def body_with(checks: tuple[str, ...], **changes: Callable[[Scene], int | bytes]) -> Operator:
    """Change seq, prev or st. Up to the signature nobody is to blame."""

    def operate(scene: Scene, _: random.Random) -> Mutant | None:
        values = {name: change(scene) for name, change in changes.items()}
        frames = utter(scene, scene.fields, **values)
        if frames == utter(scene, scene.fields):
            return None
        seat = None if checks[0] in ("E_CHAIN", "E_ENCODING") else scene.seat
        return Mutant(frames, frozenset(checks), seat)

    return operate


def other_prev(scene: Scene) -> bytes:
    """Return the id of the entry before the last; nobody can check what entry 0 follows."""
    return scene.log[-2].id if len(scene.log) > 1 else scene.state.head


def no_prev(scene: Scene) -> bytes:
    return bytes(32) if scene.log else scene.state.head


def older_state(scene: Scene) -> bytes:
    before = [state_tag(state) for state in scene.states]
    return next((tag for tag in reversed(before) if tag != scene.honest.state), bytes(16))


def other_author(scene: Scene, _: random.Random) -> Mutant | None:
    """Let the other seat say it, and sign it."""
    if len(scene.log) < 2:
        return None
    other = 1 - scene.seat
    content = body(scene, scene.fields, seat=other)
    signed = sign_body(pack(content), scene.peer.secrets.session)
    return Mutant(message(signed), frozenset(OUT), other)


def other_greeter(scene: Scene, _: random.Random) -> Mutant | None:
    """Greet in the place of the other seat, with a key of one's own."""
    if len(scene.log) > 1:
        return None
    content = body(scene, scene.fields, seat=1 - scene.seat)
    signed = sign_body(pack(content), scene.player.secrets.session)
    return Mutant(message(signed), frozenset({"E_TURN"}), None)


def other_signature(scene: Scene, _: random.Random) -> Mutant | None:
    signed = sign_body(pack(body(scene, scene.fields)), scene.peer.secrets.session)
    return Mutant(message(signed), frozenset({"E_SIG"}), None)


def other_domain(scene: Scene, _: random.Random) -> Mutant | None:
    content = pack(body(scene, scene.fields))
    signed = sign_body(content, scene.player.secrets.session, b"matcha/v1/sync\0")
    return Mutant(message(signed), frozenset({"E_SIG"}), None)


def forked(scene: Scene, rng: random.Random) -> Mutant | None:
    """Say something else in the place of an entry of one's own."""
    own = [entry for entry in scene.log[2:] if entry.seat == scene.seat]
    if not own:
        return None
    old = rng.choice(own)
    said = utter(scene, scene.fields, seq=old.seq, prev=old.prev, state=old.state)
    if said == message(old.encoded):
        return None
    return Mutant(said, frozenset({"E_FORK"}), scene.seat)


# --- the list of actions -------------------------------------------------------------------


def shaped(change: Callable[[list[Hostile], random.Random], list[Hostile]]) -> Operator:
    """Leave out, double or move actions: E_GRAMMAR, or a proof that does not hold there."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        fields = change(scene.fields, rng)
        if fields == scene.fields:
            return None
        said, owed = next(
            (one, other) for one, other in zip_longest(fields, scene.fields) if one != other
        )
        # Two shuffles or two SHAREs may stand in one message: then the verb is the right one.
        same = said and owed and said[0] == owed[0]
        check = PROOFS[said[0]] if same else "E_GRAMMAR"
        mutant = refused(scene, utter(scene, fields), check)
        greets = bool(fields) and fields[0][0] == "HELLO"
        if mutant is not None and len(scene.log) < 2 and not greets:
            return replace(mutant, seat=None)
        return mutant

    return operate


def last_left_out(fields: list[Hostile], _: random.Random) -> list[Hostile]:
    return fields[:-1]


def one_doubled(fields: list[Hostile], rng: random.Random) -> list[Hostile]:
    place = rng.randrange(len(fields))
    return [*fields[: place + 1], *fields[place:]]


def reversed_order(fields: list[Hostile], _: random.Random) -> list[Hostile]:
    return fields[::-1]


def pass_added(scene: Scene, _: random.Random) -> Mutant | None:
    """Add a move; a greeting is read before the game's forms of moves are known."""
    check = "E_ENCODING" if len(scene.log) < 2 else "E_GRAMMAR"
    return refused(scene, utter(scene, [*scene.fields, ["MOVE", "pass"]]), check)


def result_added(fields: list[Hostile], _: random.Random) -> list[Hostile]:
    return [*fields, ["RESULT", [0], H("digest")]]


def renamed(scene: Scene, rng: random.Random) -> Mutant | None:
    """Call an action by the name of another one of the same form."""
    same = {"COIN": "SEAL", "SEAL": "COIN"}
    place = some_action(scene, rng, *same)
    if place is None:
        return None
    name, *fields = scene.fields[place]
    return refused(
        scene, utter(scene, replaced(scene, place, [same[name], *fields])), "E_GRAMMAR"
    )


def malformed(change: Callable[[Hostile], Hostile]) -> Operator:
    """Spoil the form of an action."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        place = rng.randrange(len(scene.fields))
        action = change(scene.fields[place])
        return refused(scene, utter(scene, replaced(scene, place, action)), "E_ENCODING")

    return operate


# --- fields and actions from elsewhere ------------------------------------------------------


def sources(scene: Scene, name: str, where: str) -> list[Hostile]:
    """Return actions of this name of another place, set or game."""
    now = _set_of(scene)
    return [
        action
        for other in scenes()
        for action in other.fields
        if action[0] == name
        and {
            "game": other.players is not scene.players,
            "set": other.players is scene.players and _set_of(other) != now,
            "place": other.players is scene.players
            and _set_of(other) == now
            and len(other.log) != len(scene.log),
        }[where]
    ]


def _set_of(scene: Scene) -> int:
    return game_of(scene.table).number if isinstance(scene.state, Table) else 0


def proof_from(where: str, part: str) -> Operator:
    """Take the shares or deck, the proof, or the whole action from elsewhere."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        place = some_action(scene, rng, *PROOFS)
        if place is None:
            return None
        name, content, proof = scene.fields[place]
        found = sources(scene, name, where)
        if not found:
            return None
        _, other, argued = rng.choice(found)
        content = other if part != "proof" else content
        proof = argued if part != "content" else proof
        said = respoken(scene, place, [name, content, proof])
        return refused(scene, said, PROOFS[name])

    return operate


def link_from(where: str) -> Operator:
    """Open a link that was opened elsewhere."""

    def operate(scene: Scene, rng: random.Random) -> Mutant | None:
        place = some_action(scene, rng, "COIN")
        found = [] if place is None else sources(scene, "COIN", where)
        if not found:
            return None
        frames = utter(scene, replaced(scene, place, rng.choice(found)))
        return refused(scene, frames, "E_COIN")

    return operate


def hello_from_elsewhere(scene: Scene, rng: random.Random) -> Mutant | None:
    """Greet as in another game, but under the own key."""
    if len(scene.log) > 1:
        return None
    others = [
        other
        for other in scenes()
        if len(other.log) == len(scene.log) and other.state.head != scene.state.head
    ]
    other = rng.choice(others)
    hello, *rest = other.fields
    hello = [*hello[:9], scene.player.session_key, *hello[10:]]
    frames = utter(scene, [hello, *rest])
    return Mutant(frames, frozenset({"E_POP", "E_GAME"}), scene.seat)


OPERATORS: dict[str, Operator] = {
    "seq + 1": body_with(("E_CHAIN",), seq=lambda s: len(s.log) + 1),
    "seq - 1": body_with(("E_CHAIN",), seq=lambda s: max(len(s.log) - 1, 0)),
    "seq 0": body_with(("E_CHAIN",), seq=lambda _: 0),
    "seq greatest": body_with(("E_CHAIN",), seq=lambda _: MAX_INTEGER),
    "prev of the entry before": body_with(("E_CHAIN",), prev=other_prev),
    "prev zero": body_with(("E_CHAIN",), prev=no_prev),
    "prev a byte short": body_with(("E_ENCODING",), prev=lambda s: s.state.head[1:]),
    "seat 4": body_with(("E_ENCODING",), seat=lambda _: 4),
    "st zero": body_with(("E_STATE",), state=lambda _: bytes(16)),
    "st of an earlier state": body_with(("E_STATE",), state=older_state),
    "st a bit changed": body_with(
        ("E_STATE",), state=lambda s: bytes([s.honest.state[0] ^ 1]) + s.honest.state[1:]
    ),
    "st a byte more": body_with(("E_ENCODING",), state=lambda s: s.honest.state + b"\0"),
    "the other seat says it": other_author,
    "the other seat greets": other_greeter,
    "the other seat signs it": other_signature,
    "signed as a SYNC": other_domain,
    "said in an old place": forked,
    "actions: last left out": shaped(last_left_out),
    "actions: all left out": shaped(lambda _, __: []),
    "actions: one doubled": shaped(one_doubled),
    "actions: reversed": shaped(reversed_order),
    "actions: a pass added": pass_added,
    "actions: RESULT added": shaped(result_added),
    "actions: renamed": renamed,
    "form: a field more": malformed(lambda action: [*action, 0]),
    "form: a field less": malformed(lambda action: action[:-1]),
    "form: name in small letters": malformed(lambda action: [action[0].lower(), *action[1:]]),
    "form: last field a text": malformed(lambda action: [*action[:-1], "x"]),
    "form: last field an array": malformed(lambda action: [*action[:-1], []]),
    **{
        f"{part} of another {where}": proof_from(where, part)
        for part in ("content", "proof", "action")
        for where in ("place", "set", "game")
    },
    "link of another set": link_from("set"),
    "link of another game": link_from("game"),
    "greeting of another game": hello_from_elsewhere,
}
