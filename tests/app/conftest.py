"""People whom tests know by name."""

from contextlib import ExitStack

import pytest

from tests.app.people import Person


@pytest.fixture
def sits(tmp_path):
    """Yield what seats a person by name until the end of the test. place: of the home."""
    with ExitStack() as leaving:

        def sit(name, place=""):
            person = Person(tmp_path / place, name)
            leaving.callback(person.close)
            return person

        yield sit


@pytest.fixture
def mina(sits):
    return sits("Mina")


@pytest.fixture
def ivo(sits):
    return sits("Ivo")


@pytest.fixture
def mia(sits):
    return sits("Mia")


@pytest.fixture
def ann(sits):
    return sits("Ann")
