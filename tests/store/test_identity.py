"""The key of a player: made once, for the owner's eyes only, and shown as six words."""

import errno
import os
import re
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.errors import HomeError
from matcha_p2p.store.home import Home
from matcha_p2p.store.identity import key_words, own_identity


@pytest.fixture
def home(tmp_path):
    return Home.find(tmp_path / "home")


def test_identity_is_made_once(home):
    seed = own_identity(home)
    assert len(seed) == 32
    assert own_identity(home) == seed
    names = {path.name for path in home.identity.parent.iterdir()}
    assert names == {"identity", "identity.lock"}


def test_disk_without_links_keeps_an_identity(home, monkeypatch):
    """Memory cards and many shared disks have no links."""

    def refuse(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse, raising=False)
    assert own_identity(home) == own_identity(home)


def test_two_programs_making_an_identity_at_once_agree(home):
    """The second program to store a key takes the first program's key."""
    first = own_identity(home)
    home.keep_identity(bytes(32))
    assert own_identity(home) == first


def test_each_home_has_its_own_identity(tmp_path):
    assert own_identity(Home.find(tmp_path / "a")) != own_identity(Home.find(tmp_path / "b"))


@pytest.mark.skipif(os.name == "nt", reason="rights are others on Windows")
def test_identity_file_is_for_the_eyes_of_its_owner_only(home):
    own_identity(home)
    assert stat.S_IMODE(home.identity.stat().st_mode) == 0o600
    home.identity.chmod(0o644)
    with pytest.raises(HomeError) as caught:
        own_identity(home)
    assert caught.value.code == "identity-open"


@pytest.mark.parametrize("content", [b"", bytes(31), bytes(33)])
def test_a_damaged_one_is_refused(home, content):
    own_identity(home)
    home.identity.write_bytes(content)
    with pytest.raises(HomeError) as caught:
        own_identity(home)
    assert caught.value.code == "identity-damaged"


def test_a_link_or_a_folder_is_refused(home, tmp_path):
    home.identity.parent.mkdir(parents=True)
    home.identity.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HomeError):
        own_identity(home)


def test_words_agree_with_the_paper():
    """127.0.0.1 and 63.84.220.193, as the paper has them."""
    key = bytes([127, 0, 0, 1, 63, 84, 220, 193]) + bytes(24)
    assert key_words(key) == "lusab babad gutih tugad babab babab"


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_words_say_96_bits_of_the_key(one, other):
    assert re.fullmatch(r"([a-z]{5} ){5}[a-z]{5}", key_words(one))
    assert (key_words(one) == key_words(other)) == (one[:12] == other[:12])
