"""Cheats with what is shuffled, a hand or a deck: rows 24, 29, 30 and 40."""

from collections.abc import Callable

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.errors import Check
from matcha_p2p.machine.faces import mask_public, rest_of_deck
from matcha_p2p.machine.step import act
from matcha_p2p.machine.table import Mixing, Table
from matcha_p2p.player import reply
from matcha_p2p.rules.cards import ZERO
from matcha_p2p.wire.messages import Coin, Open, Own, Shuffle, Strip, encode_action
from tests.cheats.scene import Row, Scene, at, cheats, coins, opening, say, says, utter
from tests.cheats.shuffles import Deck, deck_of, shuffled


def last_set(scene: Scene) -> bytes:
    """Shuffle what was left beside the table of the last set."""
    _, *rest = scene.honest.actions()
    coin = Coin(scene.player.chain[scene.table.coins + 1])
    old = mask_public(rest_of_deck(scene.table.game.table), scene.table.joint_key)
    assert isinstance(rest[0], Shuffle)
    return say(scene, coin, shuffled(scene, old))


def zero_left(scene: Scene) -> bytes:
    """Keep an opened zero off the deck, where its place is taken by the last card opened."""
    table, opened = _opened(scene)
    *deck, zero = deck_of(table)
    assert [zero] == list(mask_public([ZERO], table.joint_key))
    (card,) = mask_public([table.game.table[-1]], table.joint_key)
    return say(scene, opened, shuffled(scene, [*deck, card]))


def zero_not_put_back(scene: Scene) -> bytes:
    table, opened = _opened(scene)
    wrong = shuffled(scene, deck_of(table)[:-1])
    return utter(scene, [encode_action(opened), encode_action(wrong)])


def _opened(scene: Scene) -> tuple[Table, Open]:
    opened, _ = scene.honest.actions()
    assert isinstance(opened, Open)
    return act(scene.table, scene.seat, opened)[0], opened


def smuggled(scene: Scene) -> bytes:
    """Take a card that went back into the hand instead of a kept one."""
    hand = scene.table.hands[scene.seat].cards
    old = scene.earlier(lambda table: isinstance(table.phase, Mixing))
    kept = old.kept[scene.seat]
    returned = next(
        card for slot, card in enumerate(old.hands[scene.seat].cards) if slot not in kept
    )
    wrong = shuffled(scene, [returned, *hand[1:]], "own")
    return say(scene, Own(wrong.deck, wrong.proof))


def needless_own(scene: Scene) -> bytes:
    right = shuffled(scene, scene.table.hands[scene.seat].cards, "own")
    own = encode_action(Own(right.deck, right.proof))
    return utter(scene, [own, *scene.fields])


def own_left_out(scene: Scene) -> bytes:
    cards = scene.table.hands[1 - scene.seat].cards
    strip = Strip(*reply._shares(scene.player, scene.table, cards, "strip"))
    return utter(scene, [encode_action(strip)])


def mixed(change: Callable[[Table, tuple[Ciphertext, ...], int], Deck]):
    """After KEEPO shuffle something else than all that went back."""

    def make(scene: Scene) -> bytes:
        kept, _ = scene.honest.actions()
        table, _ = act(scene.table, scene.seat, kept)
        wrong = shuffled(scene, change(table, deck_of(table), scene.seat), "mix")
        if len(wrong.deck) == len(deck_of(table)):
            return say(scene, kept, wrong)
        return utter(scene, [encode_action(kept), encode_action(wrong)])

    return make


def kept_card(table: Table, seat: int) -> Ciphertext:
    owner = seat if table.kept[seat] else 1 - seat
    return table.hands[owner].cards[min(table.kept[owner])]


NEXT_SET = at(
    lambda state, entry: says("COIN", "SHUF")(state, entry) and coins(state) > 0, "short"
)
ZERO_MET = at(
    lambda state, entry: says("OPEN", "SHUF")(state, entry) and ZERO in opening(state).faces
)
KEEPER = at(says("OWN", "STRIP"))
STRIPS = at(says("STRIP"), "short")
UNSEALS = at(says("KEEPO", "SHUF"))

CHEATS = cheats(
    {
        Row(24, Check.SHUFFLE, NEXT_SET): {
            "the rest of the last set": last_set,
        },
        Row(29, Check.SHUFFLE, ZERO_MET): {
            "a zero left on the table": zero_left,
            "an opened zero not put back": zero_not_put_back,
        },
        Row(30, Check.SHUFFLE, KEEPER): {
            "a returned card for a kept one": smuggled,
        },
        Row(30, Check.GRAMMAR, STRIPS): {
            "OWN with nothing kept": needless_own,
        },
        Row(30, Check.GRAMMAR, KEEPER): {
            "OWN left out": own_left_out,
        },
        Row(40, Check.SHUFFLE, UNSEALS): {
            "a kept card also in the deck": mixed(
                lambda table, deck, seat: (*deck, kept_card(table, seat))
            ),
            "a kept card in place of a returned one": mixed(
                lambda table, deck, seat: (*deck[:-1], kept_card(table, seat))
            ),
            "a returned card left out": mixed(lambda _, deck, __: deck[:-1]),
        },
    }
)
