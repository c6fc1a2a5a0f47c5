"""Tests speak English, whatever the locale."""

import os
from collections.abc import Iterator

import pytest

from matcha_p2p.language import speak


@pytest.fixture(autouse=True, scope="session")
def _asked_for_english() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MATCHA_LANG", "en")
        patch.setenv("LANGUAGE", os.environ.get("LANGUAGE", ""))
        yield


@pytest.fixture
def restored() -> Iterator[None]:
    """Let a test speak any language."""
    yield
    speak("en")
