"""The book of friends: read as it was written, for the owner's eyes only, and bounded."""

import json
import os
import stat
import threading
from dataclasses import replace
from datetime import date, timedelta
from ipaddress import ip_address

import pytest

from matcha_p2p.errors import HomeError
from matcha_p2p.seats import Seat
from matcha_p2p.store.friends import (
    MOST_FRIENDS,
    MOST_GAMES,
    Book,
    Friend,
    GameResult,
    by_identity,
    by_name,
    change_friends,
    read_book,
    read_friends,
    write_book,
)
from matcha_p2p.store.groups import PlayedTable
from matcha_p2p.store.home import Home
from matcha_p2p.transport.endpoints import Endpoint

DAY = date(2026, 5, 3)
MINA = Friend(
    b"m" * 32,
    "Mina",
    "Mina K",
    DAY,
    DAY,
    {"aa": GameResult.WON, "bb": GameResult.LEFT_BY_THEM},
    (Endpoint(ip_address("192.168.1.2"), 4717), Endpoint(ip_address("2001:db8::2"), 4718)),
    (b"s" * 32, b"t" * 32),
)


@pytest.fixture
def home(tmp_path):
    return Home.find(tmp_path / "home")


def test_first_reading_knows_no_friends(home):
    assert read_friends(home) == ()


def test_written_friends_are_read(home):
    taro = Friend(b"t" * 32, "太郎", "太郎", DAY - timedelta(1), DAY - timedelta(1))
    write_book(
        home,
        Book(
            (
                taro,
                MINA,
            )
        ),
    )
    assert read_friends(home) == (MINA, taro)


@pytest.mark.skipif(os.name == "nt", reason="rights are others on Windows")
def test_friends_file_is_for_the_eyes_of_its_owner_only(home):
    write_book(home, Book((MINA,)))
    assert stat.S_IMODE(home.friends.stat().st_mode) == 0o600


def test_latest_friends_stay_in_a_full_book(home):
    crowd = [
        Friend(n.to_bytes(32, "big"), f"N{n}", f"N{n}", DAY, DAY + timedelta(n))
        for n in range(MOST_FRIENDS + 5)
    ]
    write_book(home, Book(tuple(crowd)))
    assert {friend.name for friend in read_friends(home)} == {each.name for each in crowd[5:]}


def test_a_game_that_was_left_and_then_finished_counts_once():
    friend = MINA.met("Mina", DAY, "bb", GameResult.LOST)
    assert friend.count(GameResult.LEFT_BY_THEM) == 0
    assert (friend.count(GameResult.WON), friend.count(GameResult.LOST)) == (1, 1)


def test_the_latest_games_are_remembered():
    friend = MINA
    for number in range(MOST_GAMES + 1):
        friend = friend.met("Mina", DAY, f"{number}", GameResult.DRAWN)
    assert len(friend.games) == MOST_GAMES
    assert f"{MOST_GAMES}" in friend.games


def test_a_secret_moves_on_and_the_one_before_stays():
    new = MINA.moved_on(b"n" * 32)
    assert new.secrets == (b"n" * 32, b"s" * 32)
    assert new.moved_on(b"n" * 32) == new
    assert new.moved_on(b"s" * 32) == new  # a game that is looked at again


@pytest.mark.parametrize("name", ["Mina", "mina", "Mina K", "\uff2dina"])
def test_a_friend_is_found_by_any_name_that_looks_the_same(name):
    assert by_name([MINA], name) == MINA
    assert by_name([MINA], "Mira") is None


def test_friend_is_found_before_strangers_of_the_same_name():
    """Later friends have the same name or a similar name."""
    eve = replace(MINA, identity=b"e" * 32, name="Eve", says="Mina")
    alike = replace(MINA, identity=b"a" * 32, name="M\u0456na", says="M\u0456na")
    assert by_name([eve, alike, MINA], "Mina") == MINA
    assert by_name([eve, alike], "Mina") == alike
    assert by_name([eve], "Mina") == eve


def test_a_friend_is_found_by_the_key():
    assert by_identity([MINA], b"m" * 32) == MINA
    assert by_identity([MINA], b"n" * 32) is None


def damaged(**change):
    book = {
        "identity": "00" * 32,
        "name": "Mina",
        "says": "Mina",
        "first_met": "2026-05-03",
        "last_met": "2026-05-03",
        "games": {},
        "endpoints": [],
        "secrets": [],
    }
    return json.dumps({"version": 1, "friends": [book | change]})


def test_the_undamaged_one_is_read(home):
    home.friends.parent.mkdir(parents=True)
    home.friends.write_text(damaged())
    assert len(read_friends(home)) == 1


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[",
        "[" * 100_000,
        "{}",
        json.dumps({"version": 2, "friends": []}),
        json.dumps({"version": 1, "friends": {}}),
        json.dumps({"version": 1, "friends": [7]}),
        damaged(identity="00" * 31),
        damaged(identity=7),
        damaged(name="\x1b[2J"),
        damaged(says=""),
        damaged(first_met="yesterday"),
        damaged(games={"a": "stolen"}),
        damaged(games=[]),
        damaged(endpoints=[["192.168.1.2", 0]]),
        damaged(endpoints=[["mina.example.org", 4717]]),
        damaged(secrets=["zz"]),
    ],
)
def test_damaged_book_is_told_and_not_taken_for_an_empty_one(home, content):
    home.friends.parent.mkdir(parents=True)
    home.friends.write_text(content)
    with pytest.raises(HomeError) as caught:
        read_friends(home)
    assert caught.value.code == "friends-damaged"


TABLE = PlayedTable(
    "aa", "kashi", "ichi", (MINA.identity, None, b"o" * 32), (0, 1, 2), (Seat(0),)
)


def test_tables_are_read_as_written_and_forgotten_with_a_friend(home):
    other = replace(TABLE, id="bb", seats=(b"t" * 32, b"o" * 32), teams=(0, 1))
    taro = replace(MINA, identity=b"t" * 32)
    book = Book((MINA, taro), (TABLE, other))
    write_book(home, book)
    assert read_book(home) == book
    change_friends(home, lambda friends: friends)
    assert read_book(home) == book
    change_friends(home, lambda _: [taro])
    assert read_book(home) == Book((taro,), (other,))


@pytest.mark.parametrize(
    "change", [{"winners": (3,)}, {"teams": (0, 1)}, {"seats": (b"o",) * 3}, {"id": 7}]
)
def test_damaged_table_is_told(home, change):
    write_book(home, Book((MINA,), (replace(TABLE, **change),)))
    with pytest.raises(HomeError) as caught:
        read_book(home)
    assert caught.value.code == "friends-damaged"


def test_secrets_are_not_shown():
    assert "sss" not in repr(replace(MINA, identity=b"i" * 32))


def test_a_secret_of_a_game_that_was_left_counts_once_words_are_compared():
    left = MINA.left(b"u" * 32).left(b"v" * 32).left(b"w" * 32)
    assert left.begun == (b"w" * 32, b"v" * 32)
    assert left.shared == MINA.secrets
    compared = replace(left, compared=True)
    assert compared.shared == (*MINA.secrets, *left.begun)
    assert compared.moved_on(b"w" * 32).shared == (b"w" * 32, b"s" * 32, b"v" * 32)


def test_comparison_of_words_is_read_as_written(home):
    friend = replace(MINA.left(b"u" * 32), compared=True)
    write_book(home, Book((friend,)))
    assert read_friends(home) == (friend,)


def test_two_programs_that_change_the_book_at_once_both_count(home):
    """Without the lock each program would undo the other program's change."""
    begun = threading.Barrier(2)

    def add(number):
        begun.wait()
        for each in range(10):
            key = bytes([number, each]) * 16
            friend = replace(MINA, identity=key)
            change_friends(home, lambda friends, friend=friend: [*friends, friend])

    adding = [threading.Thread(target=add, args=(number,)) for number in (1, 2)]
    for thread in adding:
        thread.start()
    for thread in adding:
        thread.join()
    assert len(read_friends(home)) == 20


def test_a_change_that_fails_changes_nothing_and_holds_nobody_up(home):
    write_book(home, Book((MINA,)))

    def fail(_):
        raise HomeError("no")

    with pytest.raises(HomeError):
        change_friends(home, fail)
    change_friends(home, lambda friends: friends)
    assert read_friends(home) == (MINA,)
