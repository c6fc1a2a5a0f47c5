"""The search of rounds 1 and 2 in C, for reports that ask it many thousand times.

It is that of ``matcha_p2p/bots/solving/search.py``, some thirty times as fast, with chance of
its own. ``search.c`` is compiled when it is first needed: that takes a C compiler.
"""

import ctypes
import functools
import shutil
import subprocess
import tempfile
from itertools import product
from pathlib import Path

from matcha_p2p.bots.roster import BOTS
from matcha_p2p.bots.solving import search
from matcha_p2p.bots.solving.course import NOWHERE, PLACES, Course, running_course
from matcha_p2p.bots.solving.masks import mat_of, pack_tokens
from matcha_p2p.bots.solving.search import Choice
from matcha_p2p.bots.valuation.verdicts import verdicts_after
from matcha_p2p.rules.moves import PASS, Play
from matcha_p2p.rules.phases import Placing
from matcha_p2p.rules.seats import opposite

SOURCE = Path(__file__).parent / "search.c"
OPTIONS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-fPIC", "-shared")
MOVES = 11


class Mat(ctypes.Structure):
    _fields_ = (
        ("token", ctypes.c_uint64),
        ("matching", ctypes.c_uint32),
        ("beaten", ctypes.c_uint32 * 18),
    )


class Stage(ctypes.Structure):
    _fields_ = (
        ("seat", ctypes.c_int32),
        ("free", ctypes.c_int32 * 2),
        ("following", ctypes.c_int32 * 3),
        ("ways", ctypes.c_int32),
        ("open_counts", ctypes.c_int32 * 4),
        ("open", ctypes.c_int32 * 4 * 4),
    )


class Deal(ctypes.Structure):
    _fields_ = (("hands", ctypes.c_uint32 * 2), ("laid", ctypes.c_uint32 * 4))


class Tried(ctypes.Structure):
    """What ``search.c`` calls a choice."""

    _fields_ = (
        ("place", ctypes.c_int32),
        ("card", ctypes.c_uint32),
        ("visits", ctypes.c_int32),
        ("total", ctypes.c_double),
    )


class Task(ctypes.Structure):
    _fields_ = (
        ("tokens", ctypes.c_uint64 * 2),
        ("mats", Mat * 6),
        ("stages", ctypes.POINTER(Stage)),
        ("deals", ctypes.POINTER(Deal)),
        ("deal_count", ctypes.c_int32),
        ("number", ctypes.c_int32),
        ("stage", ctypes.c_int32),
        ("within", ctypes.c_int32),
        ("at_end", ctypes.c_int32),
        ("first_stages", ctypes.c_int32 * 36),
        ("exploration", ctypes.c_double),
        ("matching", ctypes.c_double),
    )


JUDGE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int32, ctypes.c_uint64)


def compiled(folder):
    """Compile the search into a folder, and return the library.

    Raises:
        RuntimeError: no compiler, or it fails.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        raise RuntimeError(
            "The fast search is compiled first, and there is no C compiler called cc. "
            "Install one (Debian: apt install gcc libc6-dev), or leave --fast out."
        )
    library = Path(folder) / "search.so"
    command = [compiler, *OPTIONS, "-o", str(library), str(SOURCE), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        raise RuntimeError(f"{SOURCE.name} does not compile without warnings:\n{done.stderr}")
    return library


@functools.cache
def loaded():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        run = ctypes.CDLL(str(compiled(folder))).run
    run.argtypes = (
        ctypes.POINTER(Task),
        JUDGE,
        ctypes.c_uint64,
        ctypes.c_int32,
        ctypes.POINTER(Tried),
    )
    run.restype = ctypes.c_int32
    return run


_verdicts = [None]  # C counts them from 1


def number_of(verdicts):
    """Return the number by which C asks for verdicts."""
    for number, known in enumerate(_verdicts):
        if known is verdicts:
            return number
    _verdicts.append(verdicts)
    return len(_verdicts) - 1


@JUDGE
def judge(number, pair):
    return _verdicts[number][pair]


_stages = (Stage * 4096)()  # an edition has some hundred
_stage_numbers: dict[Course, int] = {}


def stage_number(course):
    """Return the number of the stage with that course, and list what may follow it."""
    if course in _stage_numbers:
        return _stage_numbers[course]
    number = _stage_numbers[course] = len(_stage_numbers)
    stage, listed = search._stage(course), _stages[number]
    listed.seat = -1 if stage.seat is None else stage.seat
    listed.ways = len(stage.open)
    for way, places in enumerate(stage.open):
        listed.open_counts[way] = len(places)
        listed.open[way][: len(places)] = places
    for place in PLACES if stage.seat is not None else ():
        if place == NOWHERE or place in stage.free:
            listed.following[place] = stage_number(course.after(place))
    for place in stage.free:
        listed.free[place] = 1
    return number


@functools.cache
def first_stages(limit, dealer):
    """Return the stages as a round begins; both seats hold a card then."""
    found = (ctypes.c_int32 * 36)()
    for first, second in product(range(1, 6), repeat=2):
        found[6 * first + second] = stage_number(Course(limit, dealer, (first, second)))
    return found


@functools.cache
def mats_of(table):
    found = (Mat * 6)()
    for at, shown in enumerate(table):
        mat = mat_of(at, shown)
        found[at].token, found[at].matching = mat.token, mat.matching
        for card, beaten in mat.beaten.items():
            found[at].beaten[card.bit_length() - 1] = beaten
    return found


class FastSearch:
    """The search from one observation. It may run several times, each time from nothing."""

    def __init__(self, observation):
        game = observation.game
        self._own = search._own_bits(observation)
        dealt = search._deals(observation, self._own)
        self._deals = (Deal * len(dealt))(*dealt)
        within = verdicts_after(
            game.edition, comparing=game.comparing, last=False, next_dealer=None
        )
        at_end = verdicts_after(
            game.edition,
            comparing=game.comparing,
            last=game.number == game.edition.sets,
            next_dealer=opposite(game.dealer),
        )
        self._task = Task(
            tokens=tuple(map(pack_tokens, game.tokens)),
            mats=mats_of(game.table),
            stages=_stages,
            deals=self._deals,
            deal_count=len(dealt),
            number=game.rounds[-1].number - 1,
            stage=stage_number(running_course(game)),
            within=number_of(within),
            at_end=number_of(at_end),
            first_stages=first_stages(game.edition.turns, game.dealer),
            exploration=search._EXPLORATION,
            matching=search._MATCHING,
        )

    def run(self, rng, iterations):
        """Return what is known of each move, best first; the rng gives only the seed."""
        tried = (Tried * MOVES)()
        seed = rng.getrandbits(64)
        count = loaded()(ctypes.byref(self._task), judge, seed, iterations, tried)
        if not count:
            raise MemoryError
        found = [
            Choice(self._move(it.place, it.card), it.total / max(1, it.visits), it.visits)
            for it in tried[:count]
        ]
        return sorted(found, key=lambda choice: (-choice.visits, -choice.value))

    def _move(self, place, card):
        if place == NOWHERE:
            return PASS
        return Play(2 * self._task.number + place, self._own.index(card))


class FastStrong:
    """Plays rounds 1 and 2 as strong does, and leaves all else to another bot."""

    name = "strong"

    def __init__(self, others="strong"):
        self._others = BOTS[others]

    def choose(self, observation, rng):
        game = observation.game
        early = isinstance(game.phase, Placing) and len(game.rounds) < 3
        if early and len(observation.legal_moves()) > 1:
            found = FastSearch(observation).run(rng, BOTS["strong"].iterations)
            return found[0].move
        return self._others.choose(observation, rng)
