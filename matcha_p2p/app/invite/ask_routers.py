"""Asks the routers to let others in, before a game, and tells what came of it."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from matcha_p2p.app.invite.reachability import ASKING, findings, kind_of
from matcha_p2p.app.output import Output
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
    """Yield what the routers do for ``port``, after 2 s at most, as long as the body lasts.

    None if the person does not want them asked, or nobody could come. own: our addresses. tell:
    is given what the person reads under the heading of the router, in place of what was there.
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
