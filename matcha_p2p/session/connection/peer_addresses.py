"""Which of a peer's addresses we dial: no address that could belong to others."""

from collections.abc import Iterable
from dataclasses import replace

from matcha_p2p.transport import endpoints as transport_endpoints
from matcha_p2p.transport.codes.reply import LEAST_PORT, dialable
from matcha_p2p.wire.talk import PeerAddresses


def dialable_addresses(
    way: PeerAddresses, remote: transport_endpoints.Address | None, known: PeerAddresses | None
) -> PeerAddresses | None:
    """Return where to dial the peer after the message ``way``, or None for nowhere.

    remote: the address the message came from, None where links have no address. known: where
    the peer has waited so far. An address of another scope than ``remote`` belongs to somebody
    else, or is of no use. An address that leads nowhere, like 0.0.0.0, may be this machine. A
    port below 1024 is right only if the person was told the port with the invite. ``remote`` is
    dialled as well: a peer behind a router may not know that address.
    """
    told = set[int]() if known is None else {each.port for each in known.endpoints}
    places = way.endpoints
    if remote is not None:
        places = (
            *places[: transport_endpoints.MOST_ENDPOINTS - 1],
            transport_endpoints.Endpoint(transport_endpoints.plain(remote), places[0].port),
        )

    def may_dial(endpoint: transport_endpoints.Endpoint) -> bool:
        of_a_person = endpoint.port >= LEAST_PORT or endpoint.port in told
        of_its_kind = remote is None or endpoint.scope is transport_endpoints.scope_of(remote)
        leads_there = endpoint in places[-1:] or not transport_endpoints.leads_nowhere(
            endpoint.address
        )
        return of_a_person and of_its_kind and leads_there

    endpoints = tuple(filter(may_dial, dict.fromkeys(places)))
    return replace(way, endpoints=endpoints) if endpoints else None


def relayed_addresses(
    way: PeerAddresses, remote: transport_endpoints.Address | None, known: PeerAddresses | None
) -> PeerAddresses | None:
    """Return where to dial a seat whose message ``way`` a neighbour has passed on, or None.

    remote: the neighbour's address. known: where the seat has waited so far; these places stay.
    The seat may be anywhere on the internet, or on the neighbour's network. A seat may name
    machines of others, so ports below 1024 and addresses that lead nowhere are left out.
    """
    scopes = {transport_endpoints.Scope.INTERNET}
    if remote is not None:
        scopes.add(transport_endpoints.scope_of(remote))
    there = [
        endpoint
        for endpoint in way.endpoints
        if endpoint.port >= LEAST_PORT
        and endpoint.scope in scopes
        and not transport_endpoints.leads_nowhere(endpoint.address)
    ]
    before = () if known is None else known.endpoints
    places = tuple(dict.fromkeys((*there, *before)))[: transport_endpoints.MOST_ENDPOINTS]
    punch_port = None if known is None else known.punch_port
    return PeerAddresses(places, punch_port) if places else None


def punch_targets(
    way: PeerAddresses | None, own: Iterable[transport_endpoints.Endpoint]
) -> tuple[transport_endpoints.Endpoint, ...]:
    """Return the peer's internet addresses to dial from our punch port.

    own: our endpoints, which are not dialled.
    """
    if way is None or way.punch_port is None:
        return ()
    places = [
        transport_endpoints.Endpoint(endpoint.address, way.punch_port)
        for endpoint in way.endpoints
    ]
    return dialable(places, own)
