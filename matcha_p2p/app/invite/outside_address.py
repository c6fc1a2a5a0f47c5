"""Learns our address on the internet from a STUN server named by the person."""

from typing import Final

from matcha_p2p.app.command.output import Output
from matcha_p2p.errors import LinkError
from matcha_p2p.language import Sentence, sentence_of
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.servers import Server
from matcha_p2p.transport.stun import ask_outside

_SEEN: Final = Sentence("The STUN server {server} sees you at {address}.")


async def learn_outside(server: Server | None, out: Output) -> tuple[Address, ...]:
    """Return and tell our address in the eyes of ``server``; after a failure, return ().

    server: None if the person has named no server; then return ().
    """
    if server is None:
        return ()
    try:
        address = await ask_outside(server)
    except LinkError as error:
        out.fact("stun", server=str(server), address=None)
        out.warn(sentence_of(error))
        return ()
    out.fact("stun", server=str(server), address=str(address))
    out.say(_SEEN(server=server, address=address))
    return (address,)
