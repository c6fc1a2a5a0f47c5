"""The agreement of two players about watchers, over a line that may break."""

from dataclasses import replace

import pytest

from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.news import Item, LetWatch, Terms, WatchersCame, WatchingChanged
from matcha_p2p.session.session import step
from matcha_p2p.session.state import Playing, Send, SessionState
from matcha_p2p.session.watching import UNWATCHED, Watching
from matcha_p2p.transport.framing import Kind
from matcha_p2p.wire.talk import Allow, Talk, Visibility, Watched, decode_talk
from tests.harness import Player, introduced, play
from tests.session.scenes import NEW, items, scenes

HOST = Terms("Mina", "matcha", None, open_book=False, watchers=3)
GUEST = Terms("Taro", "matcha", None, open_book=False)
HOSTING = Watching(hosts=True, most=3)
LATER, AT_ONCE, NOTHING = Visibility.LATER, Visibility.AT_ONCE, Visibility.NOTHING


def told(player: Player) -> list[Watching]:
    return [news.now for news in player.told(WatchingChanged)]


@pytest.mark.slow
@pytest.mark.parametrize("ours", Visibility)
@pytest.mark.parametrize("theirs", Visibility)
async def test_watchers_see_the_smaller_of_both_permissions(tmp_path, ours, theirs):
    terms = replace(HOST, sight=ours), replace(GUEST, sight=theirs)
    players, ends = await introduced(tmp_path, terms)
    await play(players, ends)
    for player in players:
        (known,) = told(player)
        assert known.sight is min(ours, theirs)
        assert known.most == 3
        assert known.closed == (NOTHING in (ours, theirs))


async def test_game_without_watchers_sends_no_message_about_watchers(tmp_path):
    players, ends = await introduced(tmp_path, (replace(HOST, watchers=0), GUEST))
    await play(players, ends)
    assert [told(player) for player in players] == [[], []]


def test_until_the_guest_has_answered_watchers_see_nothing():
    """An older program does not know the offer, and never answers."""
    assert HOSTING.sight is NOTHING
    assert not HOSTING.closed


def test_no_is_final_on_both_sides():
    heard = HOSTING.hear(Allow(LATER)).hear(Allow(NOTHING))
    assert heard.hear(Allow(AT_ONCE)) == heard
    assert heard.sight is NOTHING
    said = HOSTING.allow(NOTHING)
    assert said.allow(LATER) == said
    guest = UNWATCHED.hear(Watched(3, NOTHING)).hear(Watched(3, AT_ONCE))
    assert guest.sight is NOTHING


@pytest.mark.parametrize("theirs", Visibility)
async def test_two_hosts_each_hear_the_permission_of_the_other(tmp_path, theirs):
    players, ends = await introduced(tmp_path, (HOST, replace(GUEST, watchers=2, sight=theirs)))
    await play(players, ends)
    for player, most in zip(players, (3, 2), strict=True):
        (known,) = told(player)
        assert known.sight is min(LATER, theirs)
        assert known.most == most


def test_a_host_is_told_of_watchers_elsewhere_and_tells_of_its_own():
    heard = HOSTING.seen_by(("Ann",)).hear(Watched(32, AT_ONCE, ("Bo",)))
    assert heard.names == ("Ann", "Bo")
    assert heard.sight is LATER
    assert heard.due() == Watched(3, LATER, ("Ann",))


def test_answer_and_watchers_of_a_guest_are_ignored():
    assert UNWATCHED.hear(Allow(AT_ONCE)) == UNWATCHED
    assert UNWATCHED.seen_by(("Eve",)) == UNWATCHED


def test_watchers_are_not_mentioned_in_an_unwatchable_game():
    assert UNWATCHED.due() is None
    assert UNWATCHED.allow(NOTHING) == UNWATCHED


def sent(state: SessionState, item: Item) -> tuple[SessionState, list[Talk]]:
    """Return the state after ``item``, and the sent talk."""
    state, effects = step(state, item)
    frames = [effect.frame for effect in effects if isinstance(effect, Send)]
    return state, [decode_talk(frame.payload) for frame in frames if frame.kind is Kind.CHAT]


def hosting() -> Playing:
    """Return the state of a host whose guest has agreed."""
    state = scenes()["playing, their decision"].state
    assert isinstance(state, Playing)
    return replace(state, watching=replace(HOSTING, theirs=LATER, said=True))


def test_peer_is_told_the_watchers_and_their_changes():
    state, talk = sent(hosting(), WatchersCame(("Ann",)))
    assert talk == [Watched(3, LATER, ("Ann",))]
    state, talk = sent(state, LetWatch(AT_ONCE))
    assert talk == [Watched(3, AT_ONCE, ("Ann",))]
    _, talk = sent(state, LetWatch(AT_ONCE))
    assert talk == []


def test_permission_is_sent_again_on_a_new_link():
    """The earlier link may have broken before the talk arrived."""
    scene = scenes()["playing, comparing"]
    assert isinstance(scene.state, Playing)
    known = replace(HOSTING, theirs=LATER, own=("Ann",), said=True)
    state, _ = step(replace(scene.state, watching=known), LineUp(NEW))
    assert isinstance(state, Playing)
    assert not state.watching.said
    again = replace(scene.state, watching=state.watching)
    _, talk = sent(again, items(scene)["SYNC level"])
    assert talk == [Watched(3, LATER, ("Ann",))]
