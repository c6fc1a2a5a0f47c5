"""A person met before is known by the key. A name without the key has little worth."""

from dataclasses import replace
from itertools import combinations
from secrets import token_bytes
from types import SimpleNamespace

import pytest
import trio

from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.friends.friends import compare, forget, show
from matcha_p2p.app.game.people import People, counter, friend_secret, recogniser, remember
from matcha_p2p.app.game.play import Games
from matcha_p2p.app.game.seat import set_up_seat
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.games import find
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.narration.news import GroupCounted, Recognised, Recognition, Renamed
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.store.friends import GameResult, by_identity, read_book, read_friends
from matcha_p2p.store.home import Home
from matcha_p2p.store.identity import own_identity
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.table.seat import Offer
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.roster import NONCE_SIZE, sign_roster
from matcha_p2p.wire.statements import Resign
from tests.harness import PSK

OPTIONS = {"edition": "2015", "ui": "line"}


@pytest.fixture
def seat(tmp_path):
    """Return a function that sets a seat up, by default in a home of the same name."""

    def seat_of(name, home=None, **options):
        where = Home.find(tmp_path / (home or name))
        given = {**OPTIONS, "name": name, **options}
        return set_up_seat(Output(facts=False), where, given, Keyboard(-1))

    return seat_of


TABLES = {
    "two": (),
    "three": ("Ann",),
    "four": ("Ann", "Bob"),
    "three with a bot": ("Bot 1",),
    "four with a bot": ("Ann", "Bot 1"),
}
"""The players beside the two of a test."""


@pytest.fixture(
    params=[
        pytest.param(names, id=table, marks=[] if len(names) < 2 else pytest.mark.slow)
        for table, names in TABLES.items()
    ]
)
def others(request, seat):
    """Return the further players at the table; bots are listed as bots of the host."""
    return [
        seat(name, bot="greedy" if name.startswith("Bot") else None) for name in request.param
    ]


async def meet(*setups, draw=None):
    """Let all seats greet each other; return their ledgers."""
    seats = [(draw or drawn)(setup) for setup in setups]
    game = find(*(("matcha", "2015") if len(seats) == 2 else ("kashi", "ichi")), len(seats))
    roster = sign_roster(
        token_bytes(NONCE_SIZE),
        roster_game(game),
        [each.listed for each in seats],
        seats[0].secrets.session,
    )
    chains = [
        Chain.begin(Seat(seat), own.secrets, PSK, roster) for seat, own in enumerate(seats)
    ]
    for seat, setup in enumerate(setups):
        greeted, _ = chains[seat].greet(Offer(game, setup.terms.name, setup.terms.identity))
        encoded = greeted.entries[-1].encoded
        chains = [greeted if each.seat == seat else each.hear(encoded)[0] for each in chains]
    ledgers = []
    for setup, chain in zip(setups, chains, strict=True):
        ledgers.append(Ledger(setup.home.new_journal(), chain.empty, setup.home.marks))
        ledgers[-1].become(chain)
    return ledgers


def drawn(setup):
    identity = setup.terms.identity
    known = None if identity is None else public_key(identity)
    return draw_seat(setup.terms.name, known, bot=not setup.terms.stays)


def conceded(ledger, *others):
    """Let the seat of ``ledger`` give up, and the ``others`` hear of the end."""
    ledger.become(ledger.chain.declare(Resign()))
    for other in others:
        chain, _ = other.chain.hear_record(ledger.chain.records[-1].encoded)
        other.become(chain)


async def play(host, guest, *others, draw=None):
    """Play a game in which the guest gives up at once; all remember the game."""
    ledgers = await meet(host, guest, *others, draw=draw)
    conceded(ledgers[1], ledgers[0], *ledgers[2:])
    for setup, ledger in zip((host, guest, *others), ledgers, strict=True):
        remember(setup, ledger.chain)
        ledger.close()
    return ledgers


async def standing(setup, other, *others):
    """Return the standing of ``other`` in the eyes of ``setup`` when all meet."""
    ledgers = await meet(setup, other, *others)
    for ledger in ledgers:
        ledger.close()
    found = {who.name: who for who in recogniser(setup)(ledgers[0].chain)}
    assert list(found) == [each.terms.name for each in (other, *others) if each.terms.stays]
    return found[other.terms.name]


def met_as(setup, other):
    """Return ``other`` in the book of ``setup``."""
    return by_identity(read_friends(setup.home), public_key(other.terms.identity))


async def test_met_player_is_known_again(seat, others):
    mina, ivo = seat("Mina"), seat("Ivo")
    assert (await standing(mina, ivo, *others)).standing is Recognition.NEW
    ledgers = await play(mina, ivo, *others)
    known = await standing(mina, ivo, *others)
    assert (known.standing, known.known_as) == (Recognition.KNOWN, "Ivo")
    friend = met_as(mina, ivo)
    assert known.last_met == friend.last_met
    assert list(friend.games) == [ledgers[0].chain.table.gid.hex()]
    assert friend.count(GameResult.WON) == 1
    assert met_as(ivo, mina).count(GameResult.LOST) == 1


async def test_each_person_at_the_table_remembers_each_other_person_and_no_bot(seat, others):
    table = (seat("Mina"), seat("Ivo"), *others)
    ledgers = await play(*table)
    winners = ledgers[0].chain.ended.winners
    persons = [setup for setup in table if setup.terms.stays]
    for number, setup in enumerate(persons):
        friends = read_friends(setup.home)
        assert {friend.name for friend in friends} == {
            other.terms.name for other in persons if other is not setup
        }
        result = GameResult.WON if number in winners else GameResult.LOST
        assert [list(friend.games.values()) for friend in friends] == [[result]] * len(friends)
        assert all(friend.shared for friend in friends)
    bots = [setup for setup in table if not setup.terms.stays]
    assert not any(bot.home.friends.exists() for bot in bots)


async def test_another_name_under_the_same_key_is_the_same_friend(seat, others):
    mina, ivo = seat("Mina"), seat("Ivo")
    await play(mina, ivo, *others)
    known = await standing(mina, seat("Ivan", home="Ivo"), *others)
    assert (known.standing, known.name, known.known_as) == (Recognition.KNOWN, "Ivan", "Ivo")


async def test_both_have_the_same_secret_and_no_other_pair_has_it(seat, others):
    mina, ivo, eve = seat("Mina"), seat("Ivo"), seat("Eve")
    first = await play(mina, ivo, *others)
    await play(mina, eve, *others)
    secret = friend_secret(first[0].chain, Seat(1))
    assert friend_secret(first[1].chain, Seat(0)) == secret
    assert met_as(mina, ivo).secrets == met_as(ivo, mina).secrets == (secret,)
    chains = [ledger.chain for ledger in first]
    pairs = combinations(chains, 2)
    secrets = {(one.seat, other.seat): friend_secret(one, other.seat) for one, other in pairs}
    for (one, other), known in secrets.items():
        assert friend_secret(chains[other], one) == known
    assert len(set(secrets.values())) == len(secrets)
    assert met_as(mina, eve).secrets != (secret,)


async def test_guest_without_the_link_key_of_either_cannot_compute_their_secret(seat):
    """All else that a guest of the table knows gives another secret."""
    ledgers = await play(seat("Mina"), seat("Ivo"), seat("Ann"))
    mina, _, ann = (ledger.chain for ledger in ledgers)
    guessed = replace(mina, secrets=replace(mina.secrets, link=ann.secrets.link))
    assert friend_secret(guessed, Seat(1)) != friend_secret(mina, Seat(1))


async def test_player_with_a_worthless_link_key_becomes_no_friend(seat):
    mina, ivo, ann = seat("Mina"), seat("Ivo"), seat("Ann")

    def worthless(setup):
        own = drawn(setup)
        return (
            own
            if setup is not ivo
            else replace(own, listed=replace(own.listed, link_key=bytes(32)))
        )

    await play(mina, ivo, ann, draw=worthless)
    assert [friend.name for friend in read_friends(mina.home)] == ["Ann"]


async def test_the_secret_moves_on_with_each_game(seat, others):
    mina, ivo = seat("Mina"), seat("Ivo")
    games = [await play(mina, ivo, *others) for _ in range(3)]
    secrets = [friend_secret(ledgers[0].chain, Seat(1)) for ledgers in games]
    assert met_as(mina, ivo).secrets == (secrets[2], secrets[1])


async def test_a_new_key_under_a_known_name_is_told(seat, others):
    mina = seat("Mina")
    await play(mina, seat("Ivo"))
    impostor = seat("ivo", home="elsewhere")
    found = await standing(mina, impostor, *others)
    assert (found.standing, found.name, found.known_as) == (Recognition.OTHER_KEY, "ivo", "Ivo")


async def test_name_that_looks_like_a_known_one_is_told(seat, others):
    """Its i is Cyrillic."""
    ivo = seat("Ivo")
    await play(ivo, seat("Mina"), *others)
    impostor = seat("M\u0456na", home="elsewhere")
    found = await standing(ivo, impostor, *others)
    assert (found.standing, found.known_as) == (Recognition.OTHER_KEY, "Mina")


async def test_a_known_name_without_a_key_is_told(seat, others):
    """Otherwise a person who leaves the key out would pass for a person without a key."""
    mina = seat("Mina")
    await play(mina, seat("Ivo"), *others)
    found = await standing(mina, seat("Ivo", remember="off"), *others)
    assert found.standing is Recognition.MISSING_KEY


async def test_impostor_does_not_become_the_friend_after_a_whole_game(seat, others):
    mina = seat("Mina")
    ivo, impostor = seat("Ivo"), seat("Ivo", home="elsewhere")
    await play(mina, ivo, *others)
    before = met_as(mina, ivo)
    await play(mina, impostor, *others)
    assert met_as(mina, ivo) == before
    assert met_as(mina, impostor) is None


async def test_player_who_sits_under_another_name_is_told_first(seat, others):
    mina, ivo = seat("Mina"), seat("Ivo 2")
    ledgers = await meet(mina, ivo, *others)
    gave = replace(ivo, terms=replace(ivo.terms, name="Ivo"))
    chain = ledgers[1].chain
    assert recogniser(gave)(chain) == (Renamed("Ivo 2"), *recogniser(ivo)(chain))
    for ledger in ledgers:
        ledger.close()


async def test_two_homes_with_one_key_are_told(seat, others):
    mina, ivo = seat("Mina"), seat("Ivo")
    ivo.home.identity.write_bytes(mina.home.identity.read_bytes())
    ivo = seat("Ivo")
    assert public_key(ivo.terms.identity) == public_key(mina.terms.identity)
    found = await standing(mina, ivo, *others)
    assert found.standing is Recognition.OWN_KEY
    await play(mina, ivo, *others)
    assert met_as(mina, ivo) is None


async def test_home_with_remember_off_shows_no_key_and_keeps_no_book(seat, others):
    mina, ivo = seat("Mina", remember="off"), seat("Ivo")
    ledgers = await play(mina, ivo, *others)
    hello = ledgers[1].chain.table.hellos[0]
    assert (hello.identity, hello.certificate) == (None, None)
    assert recogniser(mina)(ledgers[0].chain) == ()
    assert (await standing(ivo, mina, *others)).standing is Recognition.KEYLESS
    assert not mina.home.friends.exists()
    assert not mina.home.identity.exists()
    assert "Mina" not in {friend.name for friend in read_friends(ivo.home)}


async def test_key_shown_in_a_later_run_alone_makes_no_friends(seat, others):
    """A game that began without our key is gone on with after the setting has changed."""
    ledgers = await play(seat("Mina", remember="off"), seat("Ivo"), *others)
    mina = seat("Mina")
    remember(mina, ledgers[0].chain)
    assert recogniser(mina)(ledgers[0].chain) == ()
    assert read_friends(mina.home) == ()


def test_a_bot_and_practice_show_no_key(seat):
    assert seat("Bot", bot="greedy").terms.identity is None
    assert not Home.find(seat("Bot", bot="greedy").home.games).identity.exists()


async def test_abandoned_game_counts_against_the_seat_to_move(seat, others):
    table = (seat("Mina"), seat("Ivo"), *others)
    mina, ivo = table[:2]
    ledgers = await meet(*table)
    for number, (setup, ledger) in enumerate(zip(table, ledgers, strict=True)):
        remember(setup, ledger.chain)
        due = next_due(ledger.chain.table).seat
        for other, each in enumerate(table):
            if each is setup or not (each.terms.stays and setup.terms.stays):
                continue
            friend = met_as(setup, each)
            left = {number: GameResult.LEFT_BY_US, other: GameResult.LEFT_BY_THEM}
            assert list(friend.games.values()) == ([left[due]] if due in left else [])
            assert friend.shared == ()
            assert friend.begun == (friend_secret(ledger.chain, Seat(other)),)
    conceded(ledgers[1], ledgers[0])
    remember(mina, ledgers[0].chain)
    friend = met_as(mina, ivo)
    assert list(friend.games.values()) == [GameResult.WON]
    assert len(friend.secrets) == 1
    for ledger in ledgers:
        ledger.close()


def test_the_key_is_that_of_the_home(seat):
    mina = seat("Mina")
    assert mina.terms.identity == own_identity(mina.home)
    assert mina.terms.identity.hex() not in repr(mina.terms)


async def test_compared_words_share_a_secret_without_a_finished_game(seat, others):
    mina, ivo = seat("Mina"), seat("Ivo")
    ledgers = await meet(mina, ivo, *others)
    for ledger in ledgers:
        ledger.close()
    for setup, other, ledger in zip((mina, ivo), (ivo, mina), ledgers[:2], strict=True):
        remember(setup, ledger.chain)
        assert met_as(setup, other).shared == ()
        compare(setup.out, setup.home, other.terms.name)
    secret = friend_secret(ledgers[0].chain, Seat(1))
    assert met_as(mina, ivo).shared == met_as(ivo, mina).shared == (secret,)
    again = await standing(mina, ivo, *others)
    assert (again.standing, again.known_as) == (Recognition.KNOWN, "Ivo")


def test_comparing_words_with_a_stranger_is_refused(seat):
    mina = seat("Mina")
    with pytest.raises(CommandError) as caught:
        compare(mina.out, mina.home, "Ivo")
    assert caught.value.code == "friend-unknown"


async def test_games_are_counted_for_the_people_at_a_table(seat, others, capsys):
    mina, ivo = seat("Mina"), seat("Ivo")
    ledgers = await play(mina, ivo, *others)
    told = counter(mina)(ledgers[0].chain)
    await play(ivo, mina, *others)
    again = counter(ivo)(ledgers[1].chain)
    people = [each.terms.name for each in others if each.terms.stays]
    assert told.names == tuple(sorted(("Ivo", *people)))
    assert (told.games, again.games) == (1, 2)
    won = {"".join(side.names) for side in told.sides if side.won}
    bots = {""} if any(not each.terms.stays for each in others) else set()
    assert won == {"", *people, *bots}  # all but Ivo, who gave up
    assert {side.ours: side.won for side in told.sides if not side.names}[True] == 1
    assert [side.won for side in again.sides if side.ours or side.names == ("Mina",)] == [1, 1]
    show(mina.out, mina.home)
    assert f"{listed(told.names)}: 2 games. Won: " in capsys.readouterr().out
    forget(mina.out, mina.home, "Ivo")
    capsys.readouterr()
    show(mina.out, mina.home)
    assert "games" not in capsys.readouterr().out


@pytest.mark.parametrize("mina", [{}, {"remember": "off"}], ids=["keyless", "unremembered"])
async def test_games_with_a_player_without_a_key_are_not_counted(seat, mina):
    ivo = seat("Ivo") if mina else seat("Ivo", remember="off")
    ledgers = await play(seat("Mina", **mina), ivo, seat("Ann"))
    assert counter(seat("Mina", **mina))(ledgers[0].chain) is None
    assert read_book(seat("Mina").home).tables == ()


async def test_game_that_is_not_over_is_not_counted(seat):
    ledgers = await meet(seat("Mina"), seat("Ivo"))
    assert counter(seat("Mina"))(ledgers[0].chain) is None
    for ledger in ledgers:
        ledger.close()


async def test_group_is_counted_once_after_each_game():
    told = []
    group = GroupCounted("matcha", ("Ivo",), 1, (), 0)
    settled, another = news.Settled(b""), news.NextGame((1, 0))

    class Over:
        ledger = SimpleNamespace(chain=SimpleNamespace(met=True))

        async def play(self, _begun, _link, inform, _inbox):
            for piece in (settled, settled, another, settled):
                inform(piece)
            await trio.lowlevel.checkpoint()

    counted = iter([group, None])
    people = People(lambda _: (), lambda _: next(counted))
    await Games(Over(), None, {}, people).play(told.append)
    assert told == [settled, group, settled, another, settled]


async def test_identities_come_after_the_greetings_and_before_all_later_news():
    told = []
    who = Recognised(Recognition.OTHER_KEY, "Ivo", "Ivo")

    class Dealing:
        def __init__(self):
            self.met = False
            self.ledger = SimpleNamespace(chain=self)

        async def play(self, _begun, _link, inform, _inbox):
            await trio.lowlevel.checkpoint()
            inform("the line")
            self.met = True
            inform("the first card")
            inform("the second card")

    people = People(lambda _: (who, who), lambda _: None)
    await Games(Dealing(), None, {}, people).play(told.append)
    assert told == ["the line", who, who, "the first card", "the second card"]
