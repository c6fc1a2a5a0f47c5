"""Every target of the fuzzer on its seeds, and on damage chosen by a random seed."""

import random
from itertools import islice

import pytest

from tests.fuzz.mutations import mutations
from tests.fuzz.seeds import seeds
from tests.fuzz.targets import TARGETS

RUNS = {"step": 1000, "transcript": 200, "journal": 1000, "memory": 500}
MOST_RUNS = 5000


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_its_seeds(name):
    for seed in seeds(name):
        TARGETS[name](seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_bytes_give_a_result_or_one_of_our_errors(name):
    damaged = mutations(seeds(name), random.Random(name))
    for data in islice(damaged, RUNS.get(name, MOST_RUNS)):
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_targets_give_a_result_or_an_own_error_for_noise(name):
    chance = random.Random(name)
    for size in (0, 1, 2, 3, 100, 20_000):
        TARGETS[name](chance.randbytes(size))
