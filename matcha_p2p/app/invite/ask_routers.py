"""Asks the routers to let people in, before a game."""

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
async def asking(
    port: int, own: Sequence[Address], *, wanted: bool
) -> AsyncGenerator[RouterReport | None]:
    """Ask the routers to open ``port``; yield the report, or None unless ``wanted``.

    The port stays open during the body. own: our addresses.
    """
    if not wanted:
        yield None
        return
    async with asking_router(port, await find_gateways(), global_six(own)) as report:
        yield report


def stays_here(own: Sequence[Address]) -> bool:
    """Tell whether all addresses are on this machine: then no router is asked."""
    return all(scope_of(each) is Scope.MACHINE for each in own)


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
    wanted = wanted and not stays_here(own)
    tell((ASKING(),) if wanted else ())
    async with asking(port, own, wanted=wanted) as report:
        if report is not None:
            out.fact("router", ipv4=kind_of(report.four), ipv6=kind_of(report.six))
            tell(tuple(findings(report, port)))
        yield report
