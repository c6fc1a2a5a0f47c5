"""Cheats with what is shuffled, a hand or a deck: rows 24, 29, 30 and 40."""

from collections.abc import Callable

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.errors import Check
from matcha_p2p.games.matcha.rules.cards import FACES, ZERO
from matcha_p2p.games.matcha.table.steps import Mixing
from matcha_p2p.games.matcha.table.view import game_of, matcha_of
from matcha_p2p.table.messages import Shares, Toss, encode_action
from matcha_p2p.table.step import act
from matcha_p2p.table.table import State, Table
from matcha_p2p.wire.entry import Entry
from tests.cheats.parts import is_opening, masked, public
from tests.cheats.scene import Row, Scene, at, cheats, coins, say, says, utter
from tests.cheats.shares import proven
from tests.cheats.shuffles import Deck, deck_of, shuffled


def last_set(scene: Scene) -> bytes:
    """Shuffle what was left beside the table of the last set."""
    coin = Toss(scene.player.chain[scene.table.coins + 1])
    table = game_of(scene.table).table
    rest = [face for face in FACES if face != ZERO and face not in table]
    old = public(scene.table, *rest, ZERO, ZERO)
    return say(scene, coin, shuffled(scene, old, place=1))


def zero_left(scene: Scene) -> bytes:
    """Keep an opened zero off the deck, where its place is taken by the last card opened."""
    table, opened = _opened(scene)
    *deck, zero = deck_of(table)
    assert [zero] == list(public(table, ZERO))
    (card,) = public(table, game_of(table).table[-1])
    return say(scene, opened, shuffled(scene, [*deck, card], place=1))


def zero_not_put_back(scene: Scene) -> bytes:
    table, opened = _opened(scene)
    wrong = shuffled(scene, deck_of(table)[:-1], place=1)
    return utter(scene, [encode_action(opened), encode_action(wrong)])


def _opened(scene: Scene) -> tuple[Table, Shares]:
    opened, _ = scene.actions
    assert isinstance(opened, Shares)
    return act(scene.table, scene.seat, opened, 0)[0], opened


def smuggled(scene: Scene) -> bytes:
    """Take a card that went back into the hand instead of a kept one."""
    own = masked(scene.table, f"hand {scene.seat}")
    old = scene.earlier(lambda table: isinstance(matcha_of(table).stage, Mixing))
    returned = old.piles["mixed"][6].masked
    return say(scene, shuffled(scene, [returned, *own[1:]], "own"))


def needless_own(scene: Scene) -> bytes:
    own = encode_action(shuffled(scene, masked(scene.table, f"hand {scene.seat}"), "own"))
    return utter(scene, [own, *scene.fields])


def own_left_out(scene: Scene) -> bytes:
    cards = masked(scene.table, f"hand {1 - scene.seat}")
    return utter(scene, [encode_action(Shares(*proven(scene, cards, "strip")))])


def mixed(change: Callable[[Table, tuple[Ciphertext, ...], int], Deck]):
    """After the seal is opened shuffle something else than all that went back."""

    def make(scene: Scene) -> bytes:
        kept, _ = scene.actions
        table, _ = act(scene.table, scene.seat, kept, 0)
        wrong = shuffled(scene, change(table, deck_of(table), scene.seat), "mix", place=1)
        if len(wrong.deck) == len(deck_of(table)):
            return say(scene, kept, wrong)
        return utter(scene, [encode_action(kept), encode_action(wrong)])

    return make


def kept_card(table: Table, seat: int) -> Ciphertext:
    owner = seat if table.piles[f"kept {seat}"] else 1 - seat
    return table.piles[f"kept {owner}"][0].masked


def zero_met(state: State, entry: Entry) -> bool:
    """Hold where the last card of the next table is opened, and a zero lies open."""
    return (
        isinstance(state, Table)
        and is_opening(state)
        and says("SHARE open", "SHUF deal")(state, entry)
        and any(card.face == ZERO.index for card in state.piles["mixed"])
    )


NEXT_SET = at(
    lambda state, entry: says("COIN", "SHUF")(state, entry) and coins(state) > 0, "short"
)
ZERO_MET = at(zero_met)
KEEPER = at(says("SHUF own", "SHARE strip"))
STRIPS = at(says("SHARE strip"), "short")
UNSEALS = at(says("UNSEAL", "SHUF mix"))

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
            "the own hand shuffled with nothing kept": needless_own,
        },
        Row(30, Check.GRAMMAR, KEEPER): {
            "the own hand not shuffled": own_left_out,
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
