"""The signed roster of a simulated table, with real link keys."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from matcha_p2p import games
from matcha_p2p.lobby.room import ReadyTable
from matcha_p2p.seats import Seat
from tests.harness import linked_roster, own_seat
from tests.simulator.wire import End

if TYPE_CHECKING:
    from matcha_p2p.transport.link import Link
    from tests.simulator.world import World


def ready(world: "World", seat: Seat, links: Mapping[int, End]) -> ReadyTable:
    """Return what ``seat`` takes from the lobby. links: to each neighbour."""
    plan, names = world.plan, [machine.name for machine in world.machines]
    variant = plan.edition or games.game_of(plan.game).variants[0]
    game = games.find(plan.game, variant, len(names))
    assert game is not None
    roster, own = linked_roster(plan.seed, game, names), own_seat(plan.seed, seat, names[seat])
    ends = {Seat(peer): cast("Link", end) for peer, end in links.items()}
    return ReadyTable(seat, own, roster, world.psk, ends, {}, 0)
