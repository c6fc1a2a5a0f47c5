"""Watching live: real processes of players and watchers, among them a hostile one."""

import json
from contextlib import suppress

import pytest
import trio

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.watching import Come, encode_come
from tests.processes import Matcha, answer, clean_run, host, join

pytestmark = pytest.mark.slow

BOT = ("--play", "greedy", "--edition", "2020")


def watcher(home, invite: str, name: str) -> Matcha:
    return Matcha(home, "watch", "-", "--json", "--name", name, stdin=invite)


def transcript_of(peer: Matcha) -> bytes:
    (path,) = peer.home.glob("games/*.matcha")
    return path.read_bytes()


def play(guest: Matcha, answers: int | None = None) -> None:
    """Play as the person of ``guest``, line by line: ``answers`` times, or to the end."""
    while answers != 0 and (line := guest.line()) is not None:
        typed = answer(line)
        if typed is not None:
            guest.type(f"{typed}\n")
            answers = None if answers is None else answers - 1


async def misbehave(text: str) -> None:
    """Come in as a watcher, and send forbidden frames until the host hangs up."""
    invite = Invite.parse(text, InviteKind.WATCH)
    link = await dial(invite.endpoints, invite.psk, timeout=5)
    await link.send(Frame(Kind.COME, encode_come(Come(bytes(16), "Eve"))))
    with suppress(LinkError), trio.fail_after(10):
        while True:
            await link.send(Frame(Kind.MSG, b"forged" * 500))


async def play_with(watch: str, play: str) -> None:
    """Try to come in as a guest by the invite for watchers."""
    invite, secret = Invite.parse(play), Invite.parse(watch, InviteKind.WATCH).psk
    await dial(invite.endpoints, secret, timeout=5)


def test_players_and_watchers_end_with_one_transcript_in_any_order_of_arrival(tmp_path):
    """Ann watches from the beginning, Bo from round 2, and a third watcher attacks always."""
    with host(tmp_path / "h", *BOT, "--watch", "3") as hosting:
        invite = hosting.until("invite")["invite"]
        watch = hosting.until("watch-invite")
        assert watch["most"] == 3
        with pytest.raises((LinkError, HandshakeError)):
            trio.run(play_with, watch["invite"], invite)
        with (
            watcher(tmp_path / "early", watch["invite"], "Ann") as early,
            Matcha(tmp_path / "g", "join", "--ui", "line", MATCHA_INVITE=invite) as guest,
        ):
            early.until("sight")
            trio.run(misbehave, watch["invite"])
            play(guest, answers=4)  # two of them are the first round, one may answer a question
            with watcher(tmp_path / "late", watch["invite"], "Bo") as late:
                late.until("placed")
                trio.run(misbehave, watch["invite"])
                play(guest)
                ends = [peer.end() for peer in (hosting, guest, early, late)]
    assert ends == [0, 0, 0, 0]
    files = {transcript_of(peer) for peer in (hosting, guest, early, late)}
    (transcript,) = files
    assert verify_transcript(transcript).verdict is Verdict.COMPLETE
    for peer in (early, late):
        assert peer.facts("game-ended") == hosting.facts("game-ended")
        assert not peer.facts("hand-seen")
        assert {fact["card"] for fact in peer.facts("placed")} == {None}
        shown = [fact["event"] for fact in peer.seen]
        assert "talk" not in shown
    assert {"Ann"} in [set(fact["names"]) for fact in hosting.facts("watching")]


def test_both_together_let_watchers_see_each_move_at_once(tmp_path):
    at_once = ("--watchers-see", "moves")
    with host(tmp_path / "h", *BOT, "--watch", "1", *at_once) as hosting:
        invite = hosting.until("invite")["invite"]
        watch = hosting.until("watch-invite")["invite"]
        with watcher(tmp_path / "w", watch, "Ann") as ann:
            ann.until("sight")
            with watcher(tmp_path / "full", watch, "Bo") as second:
                assert second.end() == 7
                assert second.facts("error")[0]["code"] == "watch-full"
            with join(tmp_path / "g", invite, *at_once) as guest:
                assert [hosting.end(), guest.end(), ann.end()] == [0, 0, 0]
    assert ann.facts("sight")[-1]["sight"] == "at_once"
    assert transcript_of(ann) == transcript_of(guest)


def test_invite_opens_only_its_own_door(tmp_path):
    with host(tmp_path / "h", *BOT, "--watch", "1") as hosting:
        invite = hosting.until("invite")["invite"]
        watch = hosting.until("watch-invite")["invite"]
        for command, text, code in (
            ("join", watch, "invite-watch"),
            ("watch", invite, "invite-play"),
        ):
            exit_code, stdout, _ = clean_run(tmp_path / "w", command, "-", "--json", stdin=text)
            assert exit_code == 2
            assert json.loads(stdout.splitlines()[-1])["code"] == code
    exit_code, stdout, _ = clean_run(tmp_path / "w", "watch", "-", "--json", stdin=watch)
    assert exit_code == 3
    assert json.loads(stdout.splitlines()[-1])["code"] == "watch-unreached"


def test_watchers_are_told_if_a_player_stays_away_for_good(tmp_path):
    with host(tmp_path / "h", *BOT, "--watch", "1", "--patience", "0.5") as hosting:
        invite = hosting.until("invite")["invite"]
        watch = hosting.until("watch-invite")["invite"]
        with (
            watcher(tmp_path / "w", watch, "Ann") as ann,
            Matcha(tmp_path / "g", "join", "--ui", "line", MATCHA_INVITE=invite) as guest,
        ):
            ann.until("table-laid")
            play(guest, answers=1)
            guest.type("leave\ny\n")
            assert [hosting.end(), guest.end(), ann.end()] == [6, 6, 6]
    assert ann.facts("error")[0]["code"] == "watch-left"
