"""What a sound proof excludes is refused even where no proof is checked."""

from dataclasses import replace

import pytest

from matcha_p2p.crypto.ristretto255 import GENERATOR, Point
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import Action, Shares, Shuf
from matcha_p2p.table.piles import GuardError, card_at, point_of
from matcha_p2p.table.step import Taken, act
from matcha_p2p.table.steps import Share
from matcha_p2p.table.table import Table
from matcha_p2p.table.verbs import result_of
from tests.cheats.scene import Scene, at, says


def refused(table: Table, seat: Seat, action: Action) -> Check:
    with pytest.raises(ProofError) as caught:
        act(table, seat, action, 0)
    return caught.value.check


def shares_of(scene: Scene) -> Shares:
    action = scene.actions[0]
    assert isinstance(action, Shares)
    return action


def forged(scene: Scene, place: int, face: Face) -> Point:
    """Return the share by which the card at ``place`` of the step looks like ``face``."""
    assert isinstance(scene.table.step, Share)
    card = card_at(scene.table.piles, scene.table.step.reads[place])
    return card.masked.c2 - card.shares[1 - scene.seat] - point_of("matcha", face.index)


def test_own_action_is_told_with_the_table_before_and_after_it():
    scene = at(says("SHARE reveal"))()
    action = scene.actions[0]
    after, event = act(scene.table, scene.seat, action, 0)
    assert event == Taken(before=scene.table, seat=scene.seat, action=action, after=after)


def test_opened_card_without_a_face_is_refused():
    scene = at(says("SHARE reveal"))()
    honest = shares_of(scene)
    shares = (honest.shares[0] + GENERATOR, *honest.shares[1:])
    action = replace(honest, shares=shares)
    assert refused(scene.table, scene.seat, action) is Check.CARD


def test_card_that_lies_open_twice_is_refused():
    """A card turned up looks like one of the table."""
    scene = at(says("SHARE reveal"))()
    honest = shares_of(scene)
    false = forged(scene, 0, game_of(scene.table).table[0])
    action = replace(honest, shares=(false, *honest.shares[1:]))
    assert refused(scene.table, scene.seat, action) is Check.CARD


def test_table_that_holds_a_card_twice_is_refused():
    """The last card opened looks like the first."""
    scene = at(says("SHARE open", "SHUF"))()
    honest = shares_of(scene)
    first = game_of(act(scene.table, scene.seat, honest, 0)[0]).table[0]
    false = forged(scene, len(honest.shares) - 1, first)
    action = replace(honest, shares=(*honest.shares[:-1], false))
    assert refused(scene.table, scene.seat, action) is Check.CARD


def before(scene: Scene, kind: type[Action]) -> tuple[Table, Action]:
    """Return the table when the honest message comes to its action of ``kind``, and that."""
    table = scene.table
    for place, action in enumerate(scene.actions):
        if isinstance(action, kind):
            return table, action
        table, _ = act(table, scene.seat, action, place)
    raise LookupError(f"the message has no {kind.__name__}")


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize(
    "names",
    [("SHUF mix", "SHARE open"), ("SHARE open", "SHUF deal"), ("SHARE strip",)],
    ids="-".join,
)
def test_share_too_few_or_too_many_is_refused(names, change):
    scene = at(says(*names))()
    table, action = before(scene, Shares)
    shares = action.shares[:-1] if change < 0 else (*action.shares, action.shares[-1])
    assert refused(table, scene.seat, replace(action, shares=shares)) is Check.SHARE


@pytest.mark.parametrize("name", ["SHUF mix", "SHUF deal", "SHUF own"])
def test_card_lost_in_a_shuffle_is_refused(name):
    scene = at(says(name))()
    table, action = before(scene, Shuf)
    lost = replace(action, deck=action.deck[1:])
    assert refused(table, scene.seat, lost) is Check.SHUFFLE


def test_result_of_an_undecided_game_is_a_bug():
    with pytest.raises(GuardError, match="without a result"):
        result_of(at(says("MOVE lay"))().table)
