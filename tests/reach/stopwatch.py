"""python -m tests.reach.stopwatch table|router: the seconds that it takes, without the program.

table: until the first answer of who waits on this network. router: until it is known what the
router does for a port.
"""

import sys

import trio

from matcha_p2p.app.invite.reachability import kind_of
from matcha_p2p.app.nearby.guest_side import find_tables
from matcha_p2p.meeting.nearby import LATECOMERS, Surroundings
from matcha_p2p.transport.endpoints import global_six
from matcha_p2p.transport.local.addresses import local_addresses
from matcha_p2p.transport.router.gateway import find_gateways
from matcha_p2p.transport.router.mapping import asking_router


async def table() -> str:
    began = trio.current_time()
    tables = await find_tables(Surroundings.of(None))
    took = trio.current_time() - began - LATECOMERS  # for which others are waited for
    return f"{took:.3f}" if tables else "never"


async def router() -> str:
    own, gateways = await local_addresses(), await find_gateways()
    began = trio.current_time()
    async with asking_router(4717, gateways, global_six(own)) as report:
        took = trio.current_time() - began
        return f"IPv4 {kind_of(report.four)}, IPv6 {kind_of(report.six)}, {took:.3f}"


if __name__ == "__main__":
    print(trio.run({"table": table, "router": router}[sys.argv[1]]))
