"""Reads the addresses of this machine, as a person typed them."""

from collections.abc import Iterable
from typing import Final

from matcha_p2p.errors import InviteError
from matcha_p2p.language import Sentence
from matcha_p2p.transport.endpoints import Endpoint, Scope, leads_nowhere
from matcha_p2p.transport.local.addresses import GivenPlace

NOT_ASCII: Final = Sentence(
    "{text!r} has other letters than a to z. Give the name in its form for programs, which has "
    "xn-- in it, as xn--mnchen-3ya.example for münchen.example."
)
_NO_PLACE: Final = (
    "{text!r} is no address. Give an IP address or the internet name of this machine. If the "
    "port differs, add it, as in 203.0.113.7:4718 or [2600::7]:4718."
)
_NOWHERE: Final = (
    "No guest can reach you at {address}. Give an address by which other machines find this "
    "machine."
)
_THIS_MACHINE: Final = (
    "{address} leads guests to their own machine. To play on this machine alone, give no "
    "other address."
)
_NO_OUTSIDE: Final = (
    "{address} is not on the internet, and an answer code holds only internet addresses. "
    "Give the outside address of your router, or leave the option out."
)


def read_places(texts: Iterable[str]) -> tuple[GivenPlace, ...]:
    """Return the addresses of this machine in ``texts``, for guests.

    Either all addresses lead guests to their own machine, or none does.

    Raises:
        InviteError: a text is no address, or only some addresses lead guests to their own
            machine.
    """
    places = tuple(map(_place, texts))
    here = [place for place in places if place.on_this_machine]
    if here and len(here) < len(places):
        raise InviteError(_THIS_MACHINE, code="address", address=here[0].host)
    return places


async def endpoints_outside(places: Iterable[GivenPlace], port: int) -> tuple[Endpoint, ...]:
    """Return the internet endpoints of ``places``.

    port: the port of a place that names no port.

    Raises:
        InviteError: a place is not on the internet, or a name leads nowhere.
    """
    found = [
        Endpoint(address, place.port or port)
        for place in places
        for address in await place.resolve()
    ]
    for endpoint in found:
        if endpoint.scope is not Scope.INTERNET:
            raise InviteError(_NO_OUTSIDE, code="address", address=endpoint.address)
    return tuple(found)


def _place(text: str) -> GivenPlace:
    try:
        place = GivenPlace.parse(text)
    except ValueError:
        if not text.isascii():
            raise InviteError(NOT_ASCII.english, code="address", text=text) from None
        raise InviteError(_NO_PLACE, code="address", text=text) from None
    if not isinstance(place.host, str) and leads_nowhere(place.host):
        raise InviteError(_NOWHERE, code="address", address=place.host)
    return place
