"""The doctor's report on the machine, the router and an invite."""

import json
import re
from ipaddress import ip_address, ip_interface
from types import SimpleNamespace

import pytest

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.invite import doctor
from matcha_p2p.app.nearby.guest_side import WaitingTable
from matcha_p2p.crypto.engine import ENGINE
from matcha_p2p.meeting.beacon import TableAnswer
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.listen import listen
from matcha_p2p.transport.local.firewall import Firewall, Switch
from matcha_p2p.transport.local.interfaces import Interface
from matcha_p2p.transport.local.own_addresses import Marks, describe
from matcha_p2p.transport.router.gateway import Gateways
from matcha_p2p.transport.servers import NOBODY, Named
from tests.processes import clean_run, host
from tests.transport.router.fake import OUTSIDE, FakeRouter
from tests.transport.servers import FakeSocks, FakeStun, nobody_listens

OWN = [ip_address(text) for text in ("2600::7", "192.168.1.2", "100.64.0.7")]
VPN = [
    Interface(7, each.ip, each.network, "tailscale0") for each in [ip_interface("100.65.0.7")]
]


@pytest.fixture
def machine(monkeypatch):
    async def own():
        return tuple(OWN)

    async def tables(_):
        return ()

    async def firewall():
        return Firewall(Switch.UNKNOWN)

    async def described(held):
        return describe(held, VPN, Marks())

    monkeypatch.setattr(doctor, "local_addresses", own)
    monkeypatch.setattr(doctor, "own_addresses", described)
    monkeypatch.setattr(doctor, "find_tables", tables)
    monkeypatch.setattr(doctor, "find_firewall", firewall)
    return monkeypatch


def facts(text):
    return [json.loads(line) for line in text.splitlines()]


async def test_doctor_tells_addresses_port_and_router(machine, capsys, nursery):
    router = FakeRouter(pcp=True)
    await nursery.start(router.run)

    async def gateways():
        return Gateways(router.address)

    machine.setattr(doctor, "find_gateways", gateways)
    assert await doctor.examine(Output(facts=True), NOBODY) == 0
    told = facts(capsys.readouterr().out)
    assert told[0] == {"v": 1, "event": "engine", "path": ENGINE.path}
    known = [
        (fact["kind"], fact["interface"], fact["invite"])
        for fact in told
        if fact["event"] == "address"
    ]
    in_invites = [(kind, "", True) for kind in ("internet", "network", "shared")]
    assert known == [*in_invites, ("vpn", "tailscale0", False)]
    assert told[-1] == {"v": 1, "event": "router", "ipv4": "opened", "ipv6": None}
    assert router.asked == ["PCP", "PCP"]  # opened, and given back
    assert router.mapped == {}


async def test_a_person_reads_the_same(machine, capsys, nursery):
    router = FakeRouter(natpmp=True)
    await nursery.start(router.run)

    async def gateways():
        return Gateways(router.address)

    machine.setattr(doctor, "find_gateways", gateways)
    await doctor.examine(Output(facts=False), NOBODY)
    shown = capsys.readouterr().out
    assert f"The engine that computes: {ENGINE.path}\n" in shown
    assert "2600::7: for guests on the internet" in shown
    assert (
        "if you host with --address 100.65.0.7, for guests in the same VPN (tailscale0)"
        in shown
    )
    assert re.search(rf"the router leads {OUTSIDE}:\d+ to this machine", shown)
    assert "matcha doctor --ask" in shown


async def test_doctor_of_macos_tells_how_the_network_is_allowed(machine, capsys):
    async def gateways():
        return Gateways()

    machine.setattr(doctor, "find_gateways", gateways)
    for system, told in (("darwin", 1), ("linux", 0)):
        machine.setattr(doctor, "sys", SimpleNamespace(platform=system))
        await doctor.examine(Output(facts=False), NOBODY)
        assert capsys.readouterr().out.count("Privacy & Security, Local Network") == told


async def test_missing_router_is_told(machine, capsys):
    async def gateways():
        return Gateways()

    machine.setattr(doctor, "find_gateways", gateways)
    assert await doctor.examine(Output(facts=False), NOBODY) == 0
    assert "This machine has no router" in capsys.readouterr().out


async def test_firewall_and_another_waiting_host_are_told(machine, capsys):
    async def gateways():
        return Gateways()

    async def tables(_):
        answer = TableAnswer(bytes(8), 4718, b"tabl", "2015", "Mina")
        return (WaitingTable(ip_address("192.168.1.7"), answer),)

    async def firewall():
        return Firewall(Switch.ON, ("ufw",))

    machine.setattr(doctor, "find_gateways", gateways)
    machine.setattr(doctor, "find_tables", tables)
    machine.setattr(doctor, "find_firewall", firewall)
    await doctor.examine(Output(facts=True), NOBODY)
    told = {fact["event"]: fact for fact in facts(capsys.readouterr().out)}
    assert told["firewall"] == {"v": 1, "event": "firewall", "state": "on", "names": ["ufw"]}
    where = {"name": "Mina", "address": "192.168.1.7", "edition": "2015"}
    seats = {"game": "matcha", "seats": 2, "free": 1}
    assert told["table"] == {"v": 1, "event": "table", **where, **seats}
    await doctor.examine(Output(facts=False), NOBODY)
    shown = capsys.readouterr().out
    assert "let the firewall pass TCP 4717 and 4718, and UDP 4717" in shown
    assert '"Mina" has an open table on this network (192.168.1.7), Matcha 2015' in shown


async def test_a_port_that_is_taken_is_told(machine, capsys):
    async def gateways():
        return Gateways()

    async def taken(port=None):
        if port:
            raise doctor.LinkError("It is taken.")
        return await listen(0, ["127.0.0.1"])

    machine.setattr(doctor, "find_gateways", gateways)
    machine.setattr(doctor, "listen", taken)
    await doctor.examine(Output(facts=False), NOBODY)
    assert "Port 4717 cannot be used: It is taken." in capsys.readouterr().out


@pytest.mark.slow
def test_doctor_knocks_at_an_invite_and_the_host_goes_on_waiting(tmp_path):
    with host(tmp_path / "a", "--play", "greedy") as waiting:
        text = waiting.until("invite")["invite"]
        right = Invite.parse(text)
        code, shown, _ = clean_run(tmp_path / "b", "doctor", "--ask", text, "--json")
        assert (code, facts(shown)[0]["answers"]) == (0, True)
        wrong = Invite(right.endpoints, bytes(16)).encode()
        code, shown, _ = clean_run(tmp_path / "b", "doctor", "--ask", wrong, "--json")
        assert (code, facts(shown)[0]["why"]) == (3, "hung up")
        with nobody_listens() as gone:
            closed = Invite((Endpoint(ip_address(gone.host), gone.port),), bytes(16)).encode()
            code, shown, _ = clean_run(tmp_path / "b", "doctor", "--ask", closed)
        assert code == 3
        assert "No address of the invite can be reached" in shown
        assert len(waiting.facts("waiting")) <= 1


async def test_doctor_asks_the_servers_that_are_named(machine, capsys, nursery):
    async def gateways():
        return Gateways()

    machine.setattr(doctor, "find_gateways", gateways)
    stun, proxy = FakeStun(), FakeSocks()
    named = Named(await nursery.start(stun.run), await nursery.start(proxy.run))
    await doctor.examine(Output(facts=True), named)
    told = {fact["event"]: fact for fact in facts(capsys.readouterr().out)}
    assert told["stun"]["address"] == str(stun.seen.address)
    assert told["proxy"]["answers"] is True
    assert proxy.targets == []  # nobody is dialled


async def test_doctor_tells_of_servers_that_do_not_answer(machine, capsys):
    async def gateways():
        return Gateways()

    machine.setattr(doctor, "find_gateways", gateways)
    with nobody_listens() as gone:
        await doctor.examine(Output(facts=False), Named(gone, gone))
    said = capsys.readouterr().err
    assert f"The STUN server {gone} does not answer." in said
    assert f"The SOCKS proxy at {gone} does not answer." in said
