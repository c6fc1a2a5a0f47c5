"""What a sound proof excludes is refused even where no proof is checked."""

from dataclasses import replace

import pytest

from matcha_p2p.crypto.ristretto255 import GENERATOR
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.machine.close import result_of
from matcha_p2p.machine.faces import mask_public
from matcha_p2p.machine.play import contested_slots
from matcha_p2p.machine.step import act
from matcha_p2p.machine.table import next_due
from matcha_p2p.wire.messages import Action
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


def test_the_result_of_a_game_is_asked_for_when_there_is_one():
    scene = at(says("PLAY"))()
    with pytest.raises(ProofError) as caught:
        result_of(scene.table)
    assert caught.value.check is Check.RESULT


def test_a_table_waits_for_a_move_only_while_cards_are_laid():
    """Anything else would be a bug of ours, and says so."""
    playing, ended = at(says("PLAY"))(), at(says("RESULT"))()
    muddled = replace(playing.table, game=ended.table.game)
    with pytest.raises(RuntimeError, match="cards are being placed"):
        next_due(muddled)
