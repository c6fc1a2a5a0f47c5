"""Asks the routers to let guests in, before a game, and tells the result."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.invite.reachability import ASKING, findings, kind_of
from matcha_p2p.language import Sentence
from matcha_p2p.transport.endpoints import Address, Scope, global_six, scope_of
from matcha_p2p.transport.router.gateway import find_gateways
from matcha_p2p.transport.router.mapping import RouterReport, asking_router

ROUTER: Final = Sentence("The router")


@asynccontextmanager
async def letting_in(
    port: int,
    own: Sequence[Address],
    out: Output,
    tell: Callable[[Sequence[str]], None],
    *,
    wanted: bool,
) -> AsyncGenerator[RouterReport | None]:
    """Ask the routers to open ``port``; yield the report after 2 s at most.

    The port stays open during the body. If the person wants no router asked, or all addresses
    are on this machine, yield None. own: our addresses.

    tell: takes the sentences under the router's heading, in place of the sentences before.
    """
    if not wanted or all(scope_of(each) is Scope.MACHINE for each in own):
        tell(())
        yield None
        return
    tell((ASKING(),))
    async with asking_router(port, await find_gateways(), global_six(own)) as report:
        out.fact("router", ipv4=kind_of(report.four), ipv6=kind_of(report.six))
        tell(tuple(findings(report, port)))
        yield report
