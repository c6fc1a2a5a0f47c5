"""Which of the places that a peer names we dial: none that could belong to others."""

from collections.abc import Iterable
from dataclasses import replace

from matcha_p2p.transport.codes.reply import LEAST_PORT, dialable
from matcha_p2p.transport.endpoints import (
    MOST_ENDPOINTS,
    Address,
    Endpoint,
    leads_nowhere,
    plain,
    scope_of,
)
from matcha_p2p.wire.talk import PeerAddresses


def dialable_addresses(
    way: PeerAddresses, remote: Address | None, known: PeerAddresses | None
) -> PeerAddresses | None:
    """Return where we dial the peer who says ``way``; None if nowhere.

    remote: the address from which the peer says so, None where links have none. known: where it
    has waited so far. An address of another scope than ``remote`` is somebody else's, or of no
    use, and one that leads nowhere may be this machine itself, as 0.0.0.0 is; a port below 1024
    is right only if the person was told it with the invite. ``remote`` is dialled as well: a
    peer behind a router may not know it.
    """
    told = set[int]() if known is None else {each.port for each in known.endpoints}
    places = way.endpoints
    if remote is not None:
        places = (*places[: MOST_ENDPOINTS - 1], Endpoint(plain(remote), places[0].port))

    def may_dial(endpoint: Endpoint) -> bool:
        of_a_person = endpoint.port >= LEAST_PORT or endpoint.port in told
        of_its_kind = remote is None or endpoint.scope is scope_of(remote)
        leads_there = endpoint in places[-1:] or not leads_nowhere(endpoint.address)
        return of_a_person and of_its_kind and leads_there

    endpoints = tuple(filter(may_dial, dict.fromkeys(places)))
    return replace(way, endpoints=endpoints) if endpoints else None


def punch_targets(way: PeerAddresses | None, own: Iterable[Endpoint]) -> tuple[Endpoint, ...]:
    """Return whom we dial from our punch port: the peer's, on the internet alone.

    own: our endpoints, which are not dialled.
    """
    if way is None or way.punch_port is None:
        return ()
    places = [Endpoint(endpoint.address, way.punch_port) for endpoint in way.endpoints]
    return dialable(places, own)
