"""Punch, and print the seconds.

python -m tests.reach.puncher host|guest PORT ADDRESS PORT SECONDS linux|elsewhere
elsewhere: on a system where ICMP ends a dial.
"""

import sys
from ipaddress import ip_address

import trio

from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.punch import PunchPort, punch_as_guest, punch_as_host

_PSK = Psk(bytes(range(32)))


async def punch(role: str, port: int, target: Endpoint, limit: float) -> float | None:
    began = trio.current_time()
    with PunchPort(port), trio.move_on_after(limit):
        way = punch_as_host if role == "host" else punch_as_guest
        link = await way(port, [target], _PSK)
        took = trio.current_time() - began
        await link.send(Frame(Kind.PING))
        await link.receive()
        await link.aclose()
        return took
    return None


def main() -> None:
    role, port, address, there, limit, system = sys.argv[1:]
    sys.platform = system
    target = Endpoint(ip_address(address), int(there))
    took = trio.run(punch, role, int(port), target, float(limit))
    print("never" if took is None else f"{took:.2f}")


if __name__ == "__main__":
    main()
