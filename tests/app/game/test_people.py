"""A person met before is known by the key. A name without the key has little worth."""

from dataclasses import replace

import pytest
import trio

from matcha_p2p.app.friends.friends import compare
from matcha_p2p.app.game.people import friend_secret, recognise, remember
from matcha_p2p.app.game.play import Games, greet_peer
from matcha_p2p.app.game.seat import set_up_seat
from matcha_p2p.app.outcomes import CommandError, NotBegunError
from matcha_p2p.app.output import Output
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.narration.news import Recognised, Recognition
from matcha_p2p.session.news import Declined, ending_of
from matcha_p2p.store.friends import GameResult, read_friends
from matcha_p2p.store.home import Home
from matcha_p2p.store.identity import own_identity
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Kind
from matcha_p2p.wire.statements import Resign
from tests.harness import PSK, links

OPTIONS = {"edition": "2015", "ui": "line"}


@pytest.fixture
def seat(tmp_path):
    """Return a function that sets a seat up, by default in a home of the same name."""

    def seat_of(name, home=None, **options):
        where = Home.find(tmp_path / (home or name))
        given = {**OPTIONS, "name": name, **options}
        return set_up_seat(Output(facts=False), where, given, Keyboard(-1))

    return seat_of


async def meet(host, guest):
    """Let two seats greet each other; return their ledgers."""
    ours, theirs = await links()
    met = {}

    async def greet(link, number, setup):
        met[number] = await greet_peer(link, Seat(number), PSK, setup)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet, ours, 0, host)
        nursery.start_soon(greet, theirs, 1, guest)
    for greeted in met.values():
        await greeted.link.aclose()
    return met[0].ledger, met[1].ledger


def conceded(ledger, other):
    """Let the seat of ``ledger`` give up, and the ``other`` ledger hear of the end."""
    ledger.become(ledger.chain.declare(Resign()))
    chain, _ = other.chain.hear_record(ledger.chain.records[-1].encoded)
    other.become(chain)


async def play(host, guest):
    """Play a game in which the guest gives up at once; both remember the game."""
    ledgers = await meet(host, guest)
    conceded(ledgers[1], ledgers[0])
    for setup, ledger in zip((host, guest), ledgers, strict=True):
        remember(setup, ledger.chain)
        ledger.close()
    return ledgers


async def standing(setup, other):
    """Return the standing of ``other`` in the eyes of ``setup`` when both meet."""
    ledgers = await meet(setup, other)
    for ledger in ledgers:
        ledger.close()
    return recognise(setup, ledgers[0].chain)


async def test_met_player_is_known_again(seat):
    mina, ivo = seat("Mina"), seat("Ivo")
    assert (await standing(mina, ivo)).standing is Recognition.NEW
    await play(mina, ivo)
    known = await standing(mina, ivo)
    assert (known.standing, known.known_as) == (Recognition.KNOWN, "Ivo")
    (friend,) = read_friends(mina.home)
    assert known.last_met == friend.last_met
    assert friend.count(GameResult.WON) == 1
    assert read_friends(ivo.home)[0].count(GameResult.LOST) == 1


async def test_another_name_under_the_same_key_is_the_same_friend(seat):
    mina, ivo = seat("Mina"), seat("Ivo")
    await play(mina, ivo)
    known = await standing(mina, seat("Ivan", home="Ivo"))
    assert (known.standing, known.name, known.known_as) == (Recognition.KNOWN, "Ivan", "Ivo")


async def test_both_have_the_same_secret_and_no_other_pair_has_it(seat):
    mina, ivo, eve = seat("Mina"), seat("Ivo"), seat("Eve")
    first = await play(mina, ivo)
    await play(mina, eve)
    assert friend_secret(first[0].chain) == friend_secret(first[1].chain)
    (of_ivo,) = read_friends(ivo.home)
    by_name = {friend.name: friend for friend in read_friends(mina.home)}
    assert by_name["Ivo"].secrets == of_ivo.secrets == (friend_secret(first[0].chain),)
    assert by_name["Eve"].secrets != of_ivo.secrets


async def test_the_secret_moves_on_with_each_game(seat):
    mina, ivo = seat("Mina"), seat("Ivo")
    games = [await play(mina, ivo) for _ in range(3)]
    secrets = [friend_secret(ledgers[0].chain) for ledgers in games]
    assert read_friends(mina.home)[0].secrets == (secrets[2], secrets[1])


async def test_a_new_key_under_a_known_name_is_told(seat):
    mina = seat("Mina")
    await play(mina, seat("Ivo"))
    impostor = seat("ivo", home="elsewhere")
    found = await standing(mina, impostor)
    assert (found.standing, found.name, found.known_as) == (Recognition.OTHER_KEY, "ivo", "Ivo")


async def test_name_that_looks_like_a_known_one_is_told(seat):
    """Its i is Cyrillic."""
    ivo = seat("Ivo")
    await play(ivo, seat("Mina"))
    impostor = seat("M\u0456na", home="elsewhere")
    found = await standing(ivo, impostor)
    assert (found.standing, found.known_as) == (Recognition.OTHER_KEY, "Mina")


async def test_guest_with_a_misleading_name_is_not_greeted(seat):
    mina, ivo = seat("Mina"), seat("Ivo")
    named = replace(ivo, terms=replace(ivo.terms, name="Ivo, as on 2026-05-03"))
    ours, theirs = await links()
    met = {}

    async def greet(link, number, setup):
        try:
            met[number] = await greet_peer(link, Seat(number), PSK, setup)
        except NotBegunError as error:
            met[number] = error

    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet, ours, 0, mina)
        nursery.start_soon(greet, theirs, 1, named)
    assert met[0].code == "peer-name"
    assert list(mina.home.unfinished.glob("*")) == []
    while (frame := await met[1].link.receive()).kind is not Kind.BYE:
        pass
    heard = ending_of(frame.payload)
    assert isinstance(heard, Declined)
    assert "refuses your name" in heard.why
    await met[1].link.aclose()
    met[1].ledger.close()


async def test_a_known_name_without_a_key_is_told(seat):
    """Otherwise a person who leaves the key out would pass for a person without a key."""
    mina = seat("Mina")
    await play(mina, seat("Ivo"))
    found = await standing(mina, seat("Ivo", remember="off"))
    assert found.standing is Recognition.MISSING_KEY


async def test_impostor_does_not_become_the_friend_after_a_whole_game(seat):
    mina = seat("Mina")
    await play(mina, seat("Ivo"))
    before = read_friends(mina.home)
    await play(mina, seat("Ivo", home="elsewhere"))
    assert read_friends(mina.home) == before


async def test_two_homes_with_one_key_are_told(seat, tmp_path):
    mina, ivo = seat("Mina"), seat("Ivo")
    ivo.home.identity.write_bytes(mina.home.identity.read_bytes())
    ivo = seat("Ivo")
    assert public_key(ivo.terms.identity) == public_key(mina.terms.identity)
    found = await standing(mina, ivo)
    assert found.standing is Recognition.OWN_KEY
    await play(mina, ivo)
    assert read_friends(mina.home) == ()


async def test_home_with_remember_off_shows_no_key_and_keeps_no_book(seat):
    mina, ivo = seat("Mina", remember="off"), seat("Ivo")
    ledgers = await play(mina, ivo)
    hello = ledgers[1].chain.table.hellos[0]
    assert (hello.identity, hello.certificate) == (None, None)
    assert recognise(mina, ledgers[0].chain) is None
    assert (await standing(ivo, mina)).standing is Recognition.KEYLESS
    assert not mina.home.friends.exists()
    assert not mina.home.identity.exists()
    assert read_friends(ivo.home) == ()


def test_a_bot_and_practice_show_no_key(seat):
    assert seat("Bot", bot="greedy").terms.identity is None
    assert not Home.find(seat("Bot", bot="greedy").home.games).identity.exists()


async def test_abandoned_game_counts_against_the_seat_to_move(seat):
    mina, ivo = seat("Mina"), seat("Ivo")
    ledgers = await meet(mina, ivo)
    for setup, ledger in zip((mina, ivo), ledgers, strict=True):
        remember(setup, ledger.chain)
        due = next_due(ledger.chain.table).seat
        ours = due == ledger.chain.seat
        (friend,) = read_friends(setup.home)
        left = GameResult.LEFT_BY_US if ours else GameResult.LEFT_BY_THEM
        assert list(friend.games.values()) == [left]
        assert friend.shared == ()
        assert friend.begun == (friend_secret(ledger.chain),)
    conceded(ledgers[1], ledgers[0])
    remember(mina, ledgers[0].chain)
    (friend,) = read_friends(mina.home)
    assert list(friend.games.values()) == [GameResult.WON]
    assert len(friend.secrets) == 1
    for ledger in ledgers:
        ledger.close()


def test_the_key_is_that_of_the_home(seat):
    mina = seat("Mina")
    assert mina.terms.identity == own_identity(mina.home)
    assert mina.terms.identity.hex() not in repr(mina.terms)


async def test_compared_words_share_a_secret_without_a_finished_game(seat):
    mina, ivo = seat("Mina"), seat("Ivo")
    ledgers = await meet(mina, ivo)
    for setup, other, ledger in zip((mina, ivo), ("Ivo", "Mina"), ledgers, strict=True):
        remember(setup, ledger.chain)
        assert read_friends(setup.home)[0].shared == ()
        compare(setup.out, setup.home, other)
        ledger.close()
    (of_mina,), (of_ivo,) = (read_friends(setup.home) for setup in (mina, ivo))
    assert of_mina.shared == of_ivo.shared == (friend_secret(ledgers[0].chain),)
    again = await standing(mina, ivo)
    assert (again.standing, again.known_as) == (Recognition.KNOWN, "Ivo")


def test_comparing_words_with_a_stranger_is_refused(seat):
    mina = seat("Mina")
    with pytest.raises(CommandError) as caught:
        compare(mina.out, mina.home, "Ivo")
    assert caught.value.code == "friend-unknown"


async def test_identity_of_the_peer_comes_before_all_other_news():
    told = []
    who = Recognised(Recognition.OTHER_KEY, "Ivo", "Ivo")

    class Dealing:
        async def play(self, _begun, _link, inform, _inbox):
            await trio.lowlevel.checkpoint()
            inform("the first card")

    await Games(Dealing(), None, {}, who).play(told.append)
    assert told == [who, "the first card"]
