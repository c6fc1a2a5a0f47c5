"""News for a host besides the invite: who can reach the host, and the router's report."""

from collections.abc import Iterable, Iterator
from typing import Final

from matcha_p2p.language import Sentence
from matcha_p2p.transport.endpoints import Endpoint, Scope
from matcha_p2p.transport.router import mapping

ASKING: Final = Sentence("Asking the router to let others in.")
PASTE_REPLY: Final = Sentence("If your friend gets an answer code, paste it here.")
_OPENED: Final = Sentence(
    "Until you leave, the router leads {endpoint} to this machine ({protocol})."
)
_SHARED: Final = Sentence(
    "Your router's outside address {address} is not on the internet: your provider shares "
    "one address among many customers (CGNAT). Guests cannot reach you by IPv4."
)
_DOUBLE: Final = Sentence(
    "A second router stands before yours: your router's outside address {address} is not on "
    "the internet. Forward TCP port {port} in the second router too."
)
_REFUSED: Final = Sentence(
    "The router opens no port by itself ({why}). Switch on the router's UPnP or PCP, or "
    "forward TCP port {port} to this machine."
)
_SILENT: Final = Sentence(
    "The router does not answer the request to open a port. Switch on the router's UPnP or "
    "PCP, or forward TCP port {port} to this machine."
)
_CLOSED_6: Final = Sentence(
    "By IPv6 guests get in only if the router lets them in: the router opens no port by "
    "itself ({why})."
)
_NO_ANSWER: Final = Sentence("no answer")

_FOR_MACHINE: Final = Sentence("On this machine: {places}")
_FOR_NETWORK: Final = Sentence("On your network, or a VPN that you share: {places}")
_FOR_INTERNET: Final = Sentence("From the internet: {places}")
_FOR_SOME: Final = Sentence("From the internet, if the router lets guests in: {places}")
_ONLY_NETWORK: Final = Sentence(
    "Only guests on your network can reach you. If your friend is elsewhere, add the outside "
    "address of your router, or let your friend host."
)


def findings(report: mapping.RouterReport, port: int) -> Iterator[str]:
    """Yield sentences about the routers for the person. port: our listening port."""
    match report.four:
        case mapping.OpenedPort(outside, how):
            yield _OPENED(endpoint=outside, protocol=how)
        case mapping.Behind(outside) as behind:
            yield (_SHARED if behind.shared else _DOUBLE)(address=outside, port=port)
        case mapping.Refused(why):
            yield _REFUSED(why=why, port=port)
        case mapping.Silent():
            yield _SILENT(port=port)
        case None:
            pass
    match report.six:
        case mapping.OpenedPort(outside, how):
            yield _OPENED(endpoint=outside, protocol=how)
        case mapping.Refused(why):
            yield _CLOSED_6(why=why)
        case mapping.Silent():
            yield _CLOSED_6(why=_NO_ANSWER())
        case _:
            pass


def kind_of(finding: mapping.Finding | None) -> str | None:
    """Return what --json calls a finding."""
    match finding:
        case mapping.OpenedPort():
            return "opened"
        case mapping.Behind() as behind:
            return "shared" if behind.shared else "double"
        case mapping.Refused():
            return "refused"
        case mapping.Silent():
            return "silent"
        case None:
            return None


def who_can_reach(endpoints: Iterable[Endpoint], sure: Iterable[Endpoint]) -> Iterator[str]:
    """Yield who can use ``endpoints``. sure: endpoints that lead here from the internet."""
    groups: dict[Sentence, list[str]] = {}
    certain = frozenset(sure)
    for endpoint in endpoints:
        whom = _FOR_INTERNET if endpoint in certain else _FOR_SOME
        whom = {Scope.MACHINE: _FOR_MACHINE, Scope.NETWORK: _FOR_NETWORK}.get(
            endpoint.scope, whom
        )
        groups.setdefault(whom, []).append(str(endpoint))
    for whom, places in groups.items():
        yield whom(places=", ".join(places))
    if set(groups) == {_FOR_NETWORK}:
        yield _ONLY_NETWORK()
