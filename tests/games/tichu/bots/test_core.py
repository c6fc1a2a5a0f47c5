"""The C of Tichu's bots gives the same answers as Python, and refuses what is no position."""

import os
import random
import shutil
import subprocess
import sys
from itertools import cycle

import pytest

from matcha_p2p.games.tichu.bots.dealing import deal, unseen_by
from matcha_p2p.games.tichu.bots.keen import Keen
from matcha_p2p.games.tichu.bots.solving import core, endings, hand
from matcha_p2p.games.tichu.bots.solving.gifts import gifts
from matcha_p2p.games.tichu.rules.cards import ACE, FACES, LOWEST, NUMBERS
from tests.compiled import ROOT, SANITIZED, compiled_into, sanitizer
from tests.games.tichu.bots.positions import decisions, hands_of

SOURCE = core.FOLDER / "core.c"
DECKS = {
    "any": FACES,
    "middle": [face for face in FACES if not 2 <= NUMBERS[face] <= 5],
    "two suits": [face for face in FACES if face < 26 or NUMBERS[face] < 2],
    "few numbers": [face for face in FACES if NUMBERS[face] in (0, 7, 8, 9, 10)],
}
LIES = {
    "a card twice": lambda it: it | {"worlds": [[*it["worlds"][0][:3], it["worlds"][0][0]]]},
    "a team without cards": lambda it: (
        it | {"worlds": [[it["worlds"][0][0], (), it["worlds"][0][2], ()]]}
    ),
    "a seat that is out with cards": lambda it: it | {"state": it["state"]._replace(out=(0,))},
    "a card laid twice": lambda it: it | {"plays": [it["plays"][0]._replace(faces=(0, 0))]},
    "cards of another": lambda it: (
        it | {"plays": [it["plays"][0]._replace(faces=it["worlds"][0][1][:1])]}
    ),
    "too many passes": lambda it: it | {"state": it["state"]._replace(passes=4)},
    "fewer passes than none": lambda it: it | {"state": it["state"]._replace(passes=-1)},
    "a fifth seat": lambda it: it | {"state": it["state"]._replace(last=4)},
    "a wish for the Mah Jong": lambda it: it | {"state": it["state"]._replace(wish=1)},
    "a call of a million": lambda it: it | {"state": it["state"]._replace(calls=(0, 10**6))},
}
FALSE_DEALS = {
    "a card twice": lambda it: it._replace(sure=(it.hidden[:1], *it.sure[1:])),
    "a laid card that is hidden": lambda it: it._replace(laid=(it.hidden[:1], *it.laid[1:])),
    "a card too few": lambda it: it._replace(hidden=it.hidden[1:]),
    "fewer than none": lambda it: it._replace(missing=(-1, *it.missing[1:])),
    "a fifth seat": lambda it: it._replace(seat=4),
    "too many for a hand": lambda it: it._replace(laid=((), it.sure[0], (), ())),
}
some_and_many = pytest.mark.parametrize(
    "times", [1, pytest.param(40, marks=pytest.mark.slow)], ids=["some", "many"]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the C as it stands: what is installed may be older, or missing."""
    if core.core() is not None:
        return core.FOLDER
    return compiled_into(tmp_path_factory.mktemp("core"), [SOURCE])


@pytest.fixture
def use(monkeypatch):
    """Return a function that lets the bots take the library from another folder."""

    def take(folder):
        monkeypatch.setattr(core, "FOLDER", folder)
        core.core.cache_clear()
        return core.core()

    yield take
    core.core.cache_clear()


@some_and_many
@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_c_splits_hands_as_python_does(folder, use, tmp_path, deck, times):
    rng = random.Random(1)
    hands = [rng.sample(deck, rng.randint(0, 14)) for _ in range(250 * times)]
    assert use(tmp_path) is None
    expected = [(hand.split(each), hand.cost(each)) for each in hands]
    assert use(folder)
    assert [(hand.split(each), hand.cost(each)) for each in hands] == expected


@some_and_many
def test_c_gives_as_python_does(folder, use, tmp_path, times):
    rng = random.Random(1)
    hands = [rng.sample(FACES, 14) for _ in range(20 * times)]
    assert use(tmp_path) is None
    expected = [gifts(each) for each in hands]
    assert use(folder)
    assert [gifts(each) for each in hands] == expected


@some_and_many
def test_c_plays_out_as_python_does(folder, use, tmp_path, times):
    wishes = cycle((0, *range(LOWEST, ACE + 1)))
    asked = [
        (
            seen.state._replace(wish=next(wishes)),
            seen.seat,
            [hands_of(table)],
            plays[:: 1 + len(plays) // 4],
            next(wishes),
        )
        for table, seen, plays in decisions(range(2 * times))
    ]
    assert use(tmp_path) is None
    expected = [endings.play_out(*each) for each in asked]
    assert use(folder)
    assert [endings.play_out(*each) for each in asked] == expected


@some_and_many
@pytest.mark.parametrize("call", [0, 100])
def test_c_deals_as_python_does(folder, use, tmp_path, call, times):
    """Most seats have called, or none has."""
    found = [seen for _, seen, _ in decisions(range(times))][::9]
    unseen = [unseen_by(seen)._replace(calls=(call, call, 0, call)) for seen in found]
    assert use(tmp_path) is None
    expected = [deal(each, 12, seed << 40) for seed, each in enumerate(unseen)]
    assert use(folder)
    assert [deal(each, 12, seed << 40) for seed, each in enumerate(unseen)] == expected


@some_and_many
def test_keen_moves_the_same_with_c_and_without(folder, use, tmp_path, times):
    keen = Keen(worlds=3, moves=3)
    asked = [seen for _, seen, _ in decisions(range(100, 100 + times))]
    asked = [seen for seen in asked if keen.judges(seen)]
    assert use(tmp_path) is None
    expected = [keen.judge(seen, random.Random(1)) for seen in asked]
    assert use(folder)
    assert [keen.judge(seen, random.Random(1)) for seen in asked] == expected


@pytest.mark.parametrize("cards", [1 << 56, (1 << 15) - 1, (1 << 64) - 1])
def test_no_hand_is_refused(folder, use, cards):
    fast = use(folder)
    for ask in (fast.cost, fast.split, fast.gifts):
        with pytest.raises(ValueError, match="no hands"):
            ask(cards)


def test_gifts_of_two_cards_are_refused(folder, use):
    with pytest.raises(ValueError, match="no hands"):
        use(folder).gifts(3)


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_no_position_is_refused(folder, use, lie):
    table, seen, plays = next(found for found in decisions([1]) if found[1].seat == 0)
    true = {
        "state": seen.state,
        "seat": seen.seat,
        "worlds": [hands_of(table)],
        "plays": plays[:1],
        "wish": 0,
    }
    fast = use(folder)
    fast.play_out(**true)
    with pytest.raises(ValueError, match="no hands"):
        fast.play_out(**lie(true))


@pytest.mark.parametrize("lie", FALSE_DEALS.values(), ids=FALSE_DEALS)
def test_false_deal_is_refused(folder, use, lie):
    fast, own, none = use(folder), tuple(FACES[:14]), ((),) * 4
    true = core.Unseen(tuple(FACES[14:]), (own, *none[1:]), none, (0, 14, 14, 14), (0,) * 4, 0)
    assert [*map(len, fast.deal(true, 1, 0))] == [14] * 4
    with pytest.raises(ValueError, match="no hands"):
        fast.deal(lie(true), 1, 0)


def test_fewer_swaps_than_none_are_refused(folder, use):
    with pytest.raises(ValueError, match="no hands"):
        use(folder).deal(unseen_by(next(decisions([1]))[1]), -1, 0)


def test_library_of_another_source_is_not_used(folder, use, tmp_path):
    assert use(folder)
    shutil.copy(folder / "libcore.so", tmp_path)
    (tmp_path / "core.c").write_text("/* another */\n")
    assert use(tmp_path) is None


def test_foreign_library_is_not_used(use, tmp_path):
    (tmp_path / "libcore.so").write_bytes(b"\0" * 100)
    assert use(tmp_path) is None


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is of Linux")
def test_no_bytes_misuse_memory_or_arithmetic(tmp_path):
    """True positions and lies."""
    compiled_into(tmp_path, [SOURCE], *SANITIZED)
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.tichu.bots.hostile", tmp_path],
        cwd=ROOT,
        env=os.environ | sanitizer(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stdout
