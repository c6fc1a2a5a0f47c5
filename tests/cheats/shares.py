"""Cheats with shares and their proofs: rows 25 to 28, 35 and 36."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from matcha_p2p.crypto.elgamal import Ciphertext, _sharing, prove_shares, share
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.sigma import Context, Proof, prove
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.machine.faces import _POINTS, unmask
from matcha_p2p.machine.play import contested_slots
from matcha_p2p.machine.table import Opening, Showing, State, Table
from matcha_p2p.player.hand import own_faces
from matcha_p2p.rules.cards import FACES, ZERO, Face
from matcha_p2p.rules.moves import MATS_OF_ROUND
from matcha_p2p.rules.seats import Seat, opposite
from matcha_p2p.transcript.entry import Entry
from matcha_p2p.wire.messages import Open, Reveal, Strip, encode_action
from tests.cheats.scene import Row, Scene, at, cheats, opening, say, says, utter


def falsely(
    scene: Scene, cards: Sequence[Ciphertext], shares: Sequence[Point], label: str
) -> Proof:
    """Argue with one's own key that false ``shares`` are those of ``cards``."""
    place = scene.table.context(label, scene.seat)
    statement = _sharing(scene.player.game_key, cards, shares)
    return prove(statement, place.sid("SHARES"), (scene.player.x,), scene.random)


def proven(scene: Scene, cards: Sequence[Ciphertext], label: str, place: Context | None = None):
    """Return true shares of ``cards``, which may not be those due, and their proof."""
    place = place or scene.table.context(label, scene.seat)
    return prove_shares(scene.player.x, cards, place, scene.random)


# --- STRIP ---------------------------------------------------------------------------------


def theirs(scene: Scene) -> tuple[Ciphertext, ...]:
    return scene.table.hands[1 - scene.seat].cards


def other_exponent(scene: Scene) -> bytes:
    cards = theirs(scene)
    shares = [share(scene.player.x, card) for card in cards]
    shares[2] = share(scene.player.x + 1, cards[2])
    return say(scene, Strip(tuple(shares), falsely(scene, cards, shares, "strip")))


def slots_exchanged(scene: Scene) -> bytes:
    first, second, *rest = theirs(scene)
    return say(scene, Strip(*proven(scene, [second, first, *rest], "strip")))


def four_shares(scene: Scene) -> bytes:
    return utter(scene, [encode_action(Strip(*proven(scene, theirs(scene)[:4], "strip")))])


def no_shares(scene: Scene) -> bytes:
    return utter(scene, [encode_action(Strip(*proven(scene, [], "strip")))])


def key_of_the_other(scene: Scene) -> bytes:
    """Argue as if the key of the other seat were one's own."""
    cards = theirs(scene)
    shares = tuple(share(scene.player.x, card) for card in cards)
    place = scene.table.context("strip", scene.seat)
    statement = _sharing(scene.peer.game_key, cards, shares)
    proof = prove(statement, place.sid("SHARES"), (scene.player.x,), scene.random)
    return say(scene, Strip(shares, proof))


def in_place_of_a_card(other: Callable[[Scene], Ciphertext], argued: bool):
    """Give the share of ``other`` for a card of the hand, with a true or a false proof."""

    def make(scene: Scene) -> bytes:
        cards = theirs(scene)
        given = (other(scene), *cards[1:])
        shares, proof = proven(scene, given, "strip")
        if argued:
            proof = falsely(scene, cards, shares, "strip")
        return say(scene, Strip(shares, proof))

    return make


def aside(scene: Scene) -> Ciphertext:
    return scene.table.aside[0]


def own_card(scene: Scene) -> Ciphertext:
    return scene.table.hands[scene.seat].cards[0]


# --- OPEN ----------------------------------------------------------------------------------


def opens(start: int, end: int) -> Callable[[Scene], bytes]:
    """Open the positions from ``start`` up to ``end`` more or less than is due, well proven."""

    def make(scene: Scene) -> bytes:
        phase = opening(scene.state)
        due = scene.honest.actions()[0]
        assert isinstance(due, Open)
        first = len(phase.shares[scene.seat])
        cards = phase.deck[first + start : first + len(due.shares) + end]
        return utter(scene, [encode_action(Open(*proven(scene, cards, "open")))])

    return make


def opened_twice(scene: Scene) -> bytes:
    """Open again what one has opened, and then what is due."""
    phase = scene.table.phase
    assert isinstance(phase, Opening)
    assert phase.shares[scene.seat]
    return opens(-len(phase.shares[scene.seat]), 0)(scene)


def two_opens(scene: Scene) -> bytes:
    return utter(scene, [scene.fields[0], *scene.fields])


def hidden_zero(scene: Scene) -> bytes:
    """Give shares by which a zero looks like a card that is not on the table."""
    phase = scene.table.phase
    assert isinstance(phase, Opening)
    theirs = phase.shares[1 - scene.seat]
    cards = phase.deck[: len(theirs)]
    shares = [share(scene.player.x, card) for card in cards]
    faces = [unmask(card, pair) for card, *pair in zip(cards, shares, theirs, strict=True)]
    assert not phase.shares[scene.seat]
    place = faces.index(ZERO)
    wanted = next(face for face in FACES if face != ZERO and face not in faces)
    shares[place] = shares[place] + _POINTS[ZERO.index] - _POINTS[wanted.index]
    return say(scene, Open(tuple(shares), falsely(scene, cards, shares, "open")))


# --- REVEAL --------------------------------------------------------------------------------


def contested(scene: Scene) -> tuple[Ciphertext, ...]:
    hand = scene.table.hands[scene.seat].cards
    return tuple(hand[slot] for slot in contested_slots(scene.table, scene.seat).values())


def look_like(scene: Scene, face: Face) -> bytes:
    """Give the share by which the first contested card looks like ``face``."""
    hand = scene.table.hands[scene.seat]
    slots = list(contested_slots(scene.table, scene.seat).values())
    cards = contested(scene)
    shares = [share(scene.player.x, card) for card in cards]
    first = slots[0]
    shares[0] = cards[0].c2 - hand.shares[first] - _POINTS[face.index]
    return say(scene, Reveal(tuple(shares), falsely(scene, cards, shares, "reveal")))


def stronger(scene: Scene) -> bytes:
    """Show another card of the own hand than the one that lies there."""
    faces = own_faces(scene.player, scene.table)
    played = set(contested_slots(scene.table, scene.seat).values())
    shown = [face for slot, face in enumerate(faces) if slot in played]
    other = (face for slot, face in enumerate(faces) if slot not in played)
    return look_like(scene, next(face for face in other if face not in shown))


def other_slot(scene: Scene) -> bytes:
    """Give the share of another slot, with its proof."""
    hand = scene.table.hands[scene.seat].cards
    slots = contested_slots(scene.table, scene.seat).values()
    other = next(slot for slot in range(5) if slot not in slots)
    given = [hand[other], *contested(scene)[1:]]
    return utter(scene, [encode_action(Reveal(*proven(scene, given, "reveal")))])


def withheld(scene: Scene) -> bytes:
    given = contested(scene)[1:]
    return utter(scene, [encode_action(Reveal(*proven(scene, given, "reveal")))])


def lone_opened(scene: Scene) -> bytes:
    hand = scene.table.hands[scene.seat].cards
    given = (*contested(scene), hand[lone_slot(scene.table, scene.seat)])
    return utter(scene, [encode_action(Reveal(*proven(scene, given, "reveal")))])


def after_another_head(scene: Scene) -> bytes:
    place = Context("reveal", scene.log[-2].id, scene.seat)
    return say(scene, Reveal(*proven(scene, contested(scene), "reveal", place)))


def for_another_step(scene: Scene) -> bytes:
    place = replace(scene.table.context("strip", scene.seat))
    return say(scene, Reveal(*proven(scene, contested(scene), "reveal", place)))


def of_another_game(scene: Scene) -> bytes:
    place = Context("reveal", H("another game"), scene.seat)
    return say(scene, Reveal(*proven(scene, contested(scene), "reveal", place)))


def lone_slot(table: Table, seat: Seat) -> int | None:
    """Return the slot of a card that lies alone at a mat of the round."""
    played = table.game.rounds[-1]
    for mat in MATS_OF_ROUND[played.number - 1]:
        slot = played.slot_at(seat, mat)
        if slot is not None and played.slot_at(opposite(seat), mat) is None:
            return slot
    return None


def beside_a_lone_card(state: State, entry: Entry) -> bool:
    return (
        isinstance(state, Table)
        and isinstance(state.phase, Showing)
        and lone_slot(state, entry.seat) is not None
    )


def first_open(state: State, entry: Entry) -> bool:
    return says("OPEN")(state, entry) and not opening(state).shares[entry.seat]


def second_open(state: State, entry: Entry) -> bool:
    return says("OPEN")(state, entry) and bool(opening(state).shares[entry.seat])


STRIPS = at(says("STRIP"))
OPENS = at(first_open)
OPENS_AGAIN = at(second_open)
REVEALS = at(says("REVEAL"))
LONE = at(beside_a_lone_card)

CHEATS = cheats(
    {
        Row(25, Check.SHARE, STRIPS): {
            "a share with another exponent": other_exponent,
            "shares of other slots": slots_exchanged,
            "four shares": four_shares,
            "no shares": no_shares,
            "a proof for the key of the other seat": key_of_the_other,
        },
        Row(26, Check.SHARE, STRIPS): {
            "a share of a card set aside": in_place_of_a_card(aside, False),
            "a share of a card set aside, argued": in_place_of_a_card(aside, True),
            "a share of an own card": in_place_of_a_card(own_card, False),
            "a share of an own card, argued": in_place_of_a_card(own_card, True),
        },
        Row(27, Check.GRAMMAR, OPENS): {
            "a position too few": opens(0, -1),
            "a position too many": opens(0, 1),
        },
        Row(27, Check.GRAMMAR, OPENS_AGAIN): {
            "a position too few the second time": opens(0, -1),
            "a position too many the second time": opens(0, 1),
            "positions opened twice": opened_twice,
            "OPEN twice in a message": two_opens,
        },
        Row(28, Check.SHARE, OPENS): {
            "a zero that looks like a card": hidden_zero,
        },
        Row(35, Check.SHARE, REVEALS): {
            "another slot": other_slot,
            "a stronger card": stronger,
        },
        Row(35, Check.GRAMMAR, REVEALS): {
            "a contested card withheld": withheld,
        },
        Row(35, Check.GRAMMAR, LONE): {
            "a lone card opened": lone_opened,
        },
        Row(36, Check.SHARE, REVEALS): {
            "a proof after another head": after_another_head,
            "a proof for another step": for_another_step,
            "a proof of another game": of_another_game,
        },
    }
)
