"""Cheats with shares and their proofs: rows 25 to 28, 35 and 36."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from matcha_p2p.crypto.elgamal import Ciphertext, _sharing, prove_shares, share
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.sigma import Context, Proof, prove
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.rules.cards import FACES, ZERO, Face
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.table.steps import contested_slots
from matcha_p2p.games.matcha.table.view import game_of, own_faces
from matcha_p2p.table.messages import Shares, encode_action
from matcha_p2p.table.piles import Card, card_at, point_of
from matcha_p2p.table.steps import Share
from matcha_p2p.table.table import State, Table
from matcha_p2p.wire.entry import Entry
from tests.cheats.parts import hand, is_opening, masked
from tests.cheats.scene import Row, Scene, at, cheats, say, says, utter


def falsely(
    scene: Scene, cards: Sequence[Ciphertext], shares: Sequence[Point], label: str
) -> Proof:
    """Argue with one's own key that false ``shares`` are those of ``cards``."""
    place = scene.table.context(scene.seat, label, 0)
    statement = _sharing(scene.player.game_key, cards, shares)
    return prove(statement, place.sid("SHARES"), (scene.player.x,), scene.random)


def proven(scene: Scene, cards: Sequence[Ciphertext], label: str, place: Context | None = None):
    """Return true shares of ``cards``, which may not be those due, and their proof."""
    place = place or scene.table.context(scene.seat, label, 0)
    return prove_shares(scene.player.x, cards, place, scene.random)


# --- STRIP ---------------------------------------------------------------------------------


def theirs(scene: Scene) -> tuple[Ciphertext, ...]:
    return masked(scene.table, f"hand {1 - scene.seat}")


def other_exponent(scene: Scene) -> bytes:
    cards = theirs(scene)
    shares = [share(scene.player.x, card) for card in cards]
    shares[2] = share(scene.player.x + 1, cards[2])
    return say(scene, Shares(tuple(shares), falsely(scene, cards, shares, "strip")))


def slots_exchanged(scene: Scene) -> bytes:
    first, second, *rest = theirs(scene)
    return say(scene, Shares(*proven(scene, [second, first, *rest], "strip")))


def four_shares(scene: Scene) -> bytes:
    return utter(scene, [encode_action(Shares(*proven(scene, theirs(scene)[:4], "strip")))])


def no_shares(scene: Scene) -> bytes:
    return utter(scene, [encode_action(Shares(*proven(scene, [], "strip")))])


def key_of_the_other(scene: Scene) -> bytes:
    """Argue as if the key of the other seat were one's own."""
    cards = theirs(scene)
    shares = tuple(share(scene.player.x, card) for card in cards)
    place = scene.table.context(scene.seat, "strip", 0)
    statement = _sharing(scene.peer.game_key, cards, shares)
    proof = prove(statement, place.sid("SHARES"), (scene.player.x,), scene.random)
    return say(scene, Shares(shares, proof))


def in_place_of_a_card(other: Callable[[Scene], Ciphertext], argued: bool):
    """Give the share of ``other`` for a card of the hand, with a true or a false proof."""

    def make(scene: Scene) -> bytes:
        cards = theirs(scene)
        given = (other(scene), *cards[1:])
        shares, proof = proven(scene, given, "strip")
        if argued:
            proof = falsely(scene, cards, shares, "strip")
        return say(scene, Shares(shares, proof))

    return make


def aside(scene: Scene) -> Ciphertext:
    return scene.table.piles["aside"][0].masked


def own_card(scene: Scene) -> Ciphertext:
    return hand(scene.table, scene.seat)[0].masked


# --- open ----------------------------------------------------------------------------------


def due(scene: Scene) -> tuple[Card, ...]:
    """Return the cards of the step."""
    assert isinstance(scene.table.step, Share)
    return tuple(card_at(scene.table.piles, read) for read in scene.table.step.reads)


def opens(start: int, end: int) -> Callable[[Scene], bytes]:
    """Open other positions of the deck than those that are due, well proven."""

    def make(scene: Scene) -> bytes:
        deck = scene.table.piles["mixed"]
        first = deck.index(due(scene)[0])
        cards = [card.masked for card in deck[first + start : first + len(due(scene)) + end]]
        return utter(scene, [encode_action(Shares(*proven(scene, cards, "open")))])

    return make


def opened_twice(scene: Scene) -> bytes:
    """Open again what is open, and then what is due."""
    first = scene.table.piles["mixed"].index(due(scene)[0])
    assert first
    return opens(-first, 0)(scene)


def two_opens(scene: Scene) -> bytes:
    return utter(scene, [scene.fields[0], *scene.fields])


def hidden_zero(scene: Scene) -> bytes:
    """Give shares by which a zero looks like a card that is not on the table."""
    cards = due(scene)
    theirs = [card.shares[1 - scene.seat] for card in cards]
    shares = [share(scene.player.x, card.masked) for card in cards]
    faces = [
        scene.table.deck.face_of(card.masked, pair)
        for card, *pair in zip(cards, shares, theirs, strict=True)
    ]
    place = faces.index(ZERO.index)
    wanted = next(face for face in FACES if face != ZERO and face.index not in faces)
    shares[place] = shares[place] + shown(ZERO) - shown(wanted)
    false = falsely(scene, [card.masked for card in cards], shares, "open")
    return say(scene, Shares(tuple(shares), false))


def shown(face: Face) -> Point:
    return point_of("matcha", face.index)


# --- reveal --------------------------------------------------------------------------------


def contested(scene: Scene) -> tuple[Ciphertext, ...]:
    return tuple(card.masked for card in due(scene))


def look_like(scene: Scene, face: Face) -> bytes:
    """Give the share by which the first contested card looks like ``face``."""
    first, *_ = due(scene)
    cards = contested(scene)
    shares = [share(scene.player.x, card) for card in cards]
    shares[0] = first.masked.c2 - first.shares[1 - scene.seat] - shown(face)
    return say(scene, Shares(tuple(shares), falsely(scene, cards, shares, "reveal")))


def stronger(scene: Scene) -> bytes:
    """Show another card of the own hand than the one that lies there."""
    faces = own_faces(scene.player, scene.table)
    played = set(contested_slots(game_of(scene.table), scene.seat).values())
    shown = [face for slot, face in enumerate(faces) if slot in played]
    other = (face for slot, face in enumerate(faces) if slot not in played)
    return look_like(scene, next(face for face in other if face not in shown))


def other_slot(scene: Scene) -> bytes:
    """Give the share of another slot, with its proof."""
    own = masked(scene.table, f"hand {scene.seat}")
    slots = contested_slots(game_of(scene.table), scene.seat).values()
    other = next(slot for slot in range(5) if slot not in slots)
    given = [own[other], *contested(scene)[1:]]
    return utter(scene, [encode_action(Shares(*proven(scene, given, "reveal")))])


def withheld(scene: Scene) -> bytes:
    given = contested(scene)[1:]
    return utter(scene, [encode_action(Shares(*proven(scene, given, "reveal")))])


def lone_opened(scene: Scene) -> bytes:
    own = masked(scene.table, f"hand {scene.seat}")
    given = (*contested(scene), own[lone_slot(scene.table, scene.seat)])
    return utter(scene, [encode_action(Shares(*proven(scene, given, "reveal")))])


def after_another_head(scene: Scene) -> bytes:
    place = replace(scene.table.context(scene.seat, "reveal", 0), head=scene.log[-2].id)
    return say(scene, Shares(*proven(scene, contested(scene), "reveal", place)))


def for_another_step(scene: Scene) -> bytes:
    place = scene.table.context(scene.seat, "strip", 0)
    return say(scene, Shares(*proven(scene, contested(scene), "reveal", place)))


def of_another_game(scene: Scene) -> bytes:
    place = replace(scene.table.context(scene.seat, "reveal", 0), head=H("another game"))
    return say(scene, Shares(*proven(scene, contested(scene), "reveal", place)))


def lone_slot(table: Table, seat: Seat) -> int | None:
    """Return the slot of a card that lies alone at a mat of the round."""
    played = game_of(table).rounds[-1]
    for mat in MATS_OF_ROUND[played.number - 1]:
        slot = played.slot_at(seat, mat)
        if slot is not None and played.slot_at(opposite(seat), mat) is None:
            return slot
    return None


def beside_a_lone_card(state: State, entry: Entry) -> bool:
    return (
        isinstance(state, Table)
        and says("SHARE reveal")(state, entry)
        and lone_slot(state, entry.seat) is not None
    )


def first_open(state: State, entry: Entry) -> bool:
    """Hold where a seat opens cards that the other seat has opened, and has opened none."""
    first = is_opening(state) and opened(state) == 0 and len(state.owing) == 1
    return first and says("SHARE open")(state, entry)


def second_open(state: State, entry: Entry) -> bool:
    return says("SHARE open")(state, entry) and opened(state) > 0


def opened(state: State) -> int:
    """Return how many cards of the mixed deck lie open."""
    assert is_opening(state)
    return sum(card.face is not None for card in state.piles["mixed"])


STRIPS = at(says("SHARE strip"))
OPENS = at(first_open)
OPENS_AGAIN = at(second_open)
REVEALS = at(says("SHARE reveal"))
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
        Row(27, Check.SHARE, OPENS): {
            "a position too few": opens(0, -1),
            "a position too many": opens(0, 1),
        },
        Row(27, Check.SHARE, OPENS_AGAIN): {
            "a position too few the second time": opens(0, -1),
            "a position too many the second time": opens(0, 1),
            "positions opened twice": opened_twice,
        },
        Row(27, Check.GRAMMAR, OPENS_AGAIN): {
            "cards opened twice in a message": two_opens,
        },
        Row(28, Check.SHARE, OPENS): {
            "a zero that looks like a card": hidden_zero,
        },
        Row(35, Check.SHARE, REVEALS): {
            "another slot": other_slot,
            "a stronger card": stronger,
            "a contested card withheld": withheld,
        },
        Row(35, Check.SHARE, LONE): {
            "a lone card opened": lone_opened,
        },
        Row(36, Check.SHARE, REVEALS): {
            "a proof after another head": after_another_head,
            "a proof for another step": for_another_step,
            "a proof of another game": of_another_game,
        },
    }
)
