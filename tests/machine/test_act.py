"""What a sound proof excludes is refused even where no proof is checked."""

from dataclasses import replace

import pytest

from matcha_p2p.crypto.ristretto255 import GENERATOR
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.machine.close import result_of
from matcha_p2p.machine.faces import mask_public
from matcha_p2p.machine.play import contested_slots
from matcha_p2p.machine.step import act
from matcha_p2p.machine.table import Table, next_due
from matcha_p2p.wire.messages import Action, Open, Own, Shuffle
from tests.cheats.scene import Scene, at, says


def refused(scene: Scene, action: Action) -> Check:
    with pytest.raises(ProofError) as caught:
        act(scene.table, scene.seat, action)
    return caught.value.check


def test_an_opened_card_shows_one_of_the_seventeen_faces():
    scene = at(says("REVEAL"))()
    reveal = scene.honest.actions()[0]
    shares = (reveal.shares[0] + GENERATOR, *reveal.shares[1:])
    assert refused(scene, replace(reveal, shares=shares)) is Check.CARD


def test_no_card_lies_open_twice():
    """A card turned up looks like one of the table."""
    scene = at(says("REVEAL"))()
    reveal = scene.honest.actions()[0]
    hand = scene.table.hands[scene.seat]
    slot = next(iter(contested_slots(scene.table, scene.seat).values()))
    (public,) = mask_public(scene.table.game.table[:1], scene.table.joint_key)
    shown = public.c2 - scene.table.joint_key
    forged = hand.cards[slot].c2 - hand.shares[slot] - shown
    action = replace(reveal, shares=(forged, *reveal.shares[1:]))
    assert refused(scene, action) is Check.CARD


def test_no_table_holds_a_card_twice():
    """The card at the last position opened looks like that at the first."""
    scene = at(says("OPEN", "SHUF"))()
    opened = scene.honest.actions()[0]
    deck, theirs = scene.table.phase.deck, scene.table.phase.shares[1 - scene.seat]
    last = len(theirs) - 1
    faces = act(scene.table, scene.seat, opened)[0].game.table
    (public,) = mask_public(faces[:1], scene.table.joint_key)
    forged = deck[last].c2 - theirs[last] - (public.c2 - scene.table.joint_key)
    action = replace(opened, shares=(*opened.shares[:-1], forged))
    assert refused(scene, action) is Check.CARD


def before(scene: Scene, kind: type[Action]) -> tuple[Table, Action]:
    """Return the table when the honest message comes to its action of ``kind``, and that."""
    table = scene.table
    for action in scene.honest.actions():
        if isinstance(action, kind):
            return table, action
        table, _ = act(table, scene.seat, action)
    raise LookupError(f"the message has no {kind.__name__}")


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("names", [("SHUF", "OPEN"), ("OPEN", "SHUF")], ids="-".join)
def test_exactly_the_positions_due_are_opened(names, change):
    """By who opens first, and by the other, who opens what the first has opened and no less."""
    scene = at(says(*names))()
    table, action = before(scene, Open)
    shares = action.shares[:-1] if change < 0 else (*action.shares, action.shares[-1])
    with pytest.raises(ProofError) as caught:
        act(table, scene.seat, replace(action, shares=shares))
    assert caught.value.check is Check.GRAMMAR


@pytest.mark.parametrize(
    ("kind", "name", "field"), [(Shuffle, "SHUF", "deck"), (Own, "OWN", "hand")]
)
def test_no_card_is_lost_in_a_shuffle(kind, name, field):
    scene = at(lambda _, entry: entry.fields[-1][0] == name)()
    table, action = before(scene, kind)
    with pytest.raises(ProofError) as caught:
        act(table, scene.seat, replace(action, **{field: getattr(action, field)[1:]}))
    assert caught.value.check is Check.SHUFFLE


def test_a_strip_has_a_share_of_every_card():
    scene = at(says("STRIP"))()
    strip = scene.honest.actions()[0]
    assert refused(scene, replace(strip, shares=strip.shares[1:])) is Check.SHARE


def test_the_result_of_a_game_is_asked_for_when_there_is_one():
    scene = at(says("PLAY"))()
    with pytest.raises(ProofError) as caught:
        result_of(scene.table)
    assert caught.value.check is Check.RESULT


def test_a_table_waits_for_a_move_only_while_cards_are_laid():
    """Anything else would be a bug of ours, and says so."""
    playing, ended = at(says("PLAY"))(), at(says("RESULT"))()
    muddled = playing.table._replace(game=ended.table.game)
    with pytest.raises(RuntimeError, match="cards are being placed"):
        next_due(muddled)
