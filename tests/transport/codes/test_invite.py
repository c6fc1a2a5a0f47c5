"""The invite survives a chat, and every typing mistake is refused."""

import contextlib
import random
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.errors import InviteError
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.transport.codes import bech32m
from matcha_p2p.transport.codes.invite import TEXT_LIMIT, Invite, InviteKind
from matcha_p2p.transport.endpoints import Endpoint, EndpointList

places = st.builds(
    Endpoint,
    st.ip_addresses(v=4) | st.ip_addresses(v=6).filter(lambda a: "%" not in str(a)),
    st.sampled_from([4717, 4718]) | st.integers(1, 65535),
)
invites = st.builds(
    Invite,
    st.lists(places, min_size=1, max_size=7).map(tuple),
    st.binary(min_size=16, max_size=16),
    st.none() | st.integers(1, 65535),
)

HERE = (Endpoint(IPv4Address("203.0.113.7"), 4717), Endpoint(IPv6Address("2001:db8::7"), 4717))
INVITE = Invite(HERE, bytes(range(100, 116)), 40_000)
TEXT = INVITE.encode()
PINNED = "matcha1qgkpymvugqzspjcqwyrjqqgdhqqqqqqqqqqqqqqqqqqqwer9venks6t2ddkx6mn0wpchyuc25q7ry"


def refused(text):
    with pytest.raises(InviteError) as caught:
        Invite.parse(text)
    return caught.value


def refusal(text):
    return str(refused(text))


@pytest.mark.parametrize(
    "valid",
    [
        "a1lqfn3a",
        "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
        "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
        "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
        "?1v759aa",
    ],
)
def test_valid_strings_of_bip_350(valid):
    prefix, _, letters = valid.rpartition("1")
    symbols = [bech32m.ALPHABET.index(letter) for letter in letters]
    assert bech32m.is_valid(prefix, symbols)
    altered = [symbols[0] ^ 1, *symbols[1:]]
    assert not bech32m.is_valid(prefix, altered)
    assert bech32m.wrong_place(prefix, altered) == 0


@given(invites)
def test_encoded_invite_is_read_again(invite):
    text = invite.encode()
    assert Invite.parse(text) == invite
    assert 58 <= len(text) <= 250
    assert text.startswith("matcha1")


def test_the_string_never_changes():
    """An invite of this version stays readable."""
    assert TEXT == PINNED


def test_the_secret_is_not_in_the_repr():
    assert "secret" not in repr(INVITE)
    assert repr(INVITE.secret)[2:-1] not in repr(INVITE)


@pytest.mark.parametrize(
    "decorated",
    [
        f"  {TEXT}\n",
        TEXT.upper(),
        f"> {TEXT[:40]}\r\n> {TEXT[40:]}",
        f'"{TEXT}"',
        f"\u201c{TEXT}\u201d.",
        f"<{TEXT}>",
        f"`{TEXT}`",
        f"*{TEXT}*",
        "-".join(TEXT[at : at + 8] for at in range(0, len(TEXT), 8)),
        " ".join(TEXT),
        f"{TEXT[:30]}\u200b{TEXT[30:]}\ufeff",
        f"matcha join {TEXT}",
        f"Hi! Matcha tonight? Here: {TEXT} - see you, Bob",
        f"matcha join {TEXT}\n\n{TEXT}\n",
    ],
)
def test_decoration_does_no_harm(decorated):
    assert Invite.parse(decorated) == INVITE


def test_two_thousand_random_mistakes_never_pass():
    chance = random.Random(20201)
    for _ in range(2000):
        letters = list(TEXT)
        for place in chance.sample(range(7, len(TEXT)), chance.randint(1, 4)):
            letters[place] = chance.choice(bech32m.ALPHABET.replace(letters[place], ""))
        refusal("".join(letters))


@pytest.mark.parametrize("place", range(7, len(TEXT)))
def test_a_single_wrong_letter_is_named_with_its_place(place):
    for wrong in "qp":
        if TEXT[place] != wrong:
            message = refusal(TEXT[:place] + wrong + TEXT[place + 1 :])
            assert f'"{wrong}" at place {place + 1}.' in message


def test_a_letter_of_no_invite_is_named_with_its_place():
    assert '"b" at place 21.' in refusal(TEXT[:20] + "b" + TEXT[21:])
    assert '"\u0430" at place 9.' in refusal(TEXT[:8] + "\u0430" + TEXT[9:])


def test_several_wrong_letters_are_said_to_be_several():
    assert "several wrong letters" in refusal(TEXT[:20] + "qpzry9x8" + TEXT[28:])


@pytest.mark.parametrize("size", range(7, len(TEXT)))
def test_every_cut_is_refused_and_counted(size):
    message = refusal(TEXT[:size])
    assert "cut short" in message
    assert f"{size} of {len(TEXT)} characters" in message or size < 11


def test_letters_too_many_are_counted():
    assert "3 characters too many" in refusal(TEXT + "qqq")
    longest = TEXT.ljust(TEXT_LIMIT, "q")
    assert f"{TEXT_LIMIT - len(TEXT)} characters too many" in refusal(longest)


def test_a_huge_text_is_refused_unread():
    assert refused(TEXT + " " * TEXT_LIMIT).code == "invite-long"


@pytest.mark.parametrize(
    "text", ["", "-", "hello", "age1qqqqqqqq", "bc1qw508d6qejxtdg4y5r3zarvary"]
)
def test_text_with_another_beginning_is_no_invite(text):
    assert 'begins with "matcha1"' in refusal(text)


FOUR = bytes([203, 0, 113, 7])


def crafted(version=2, port=4717, families=0b10, own=0, rest=FOUR + bytes(16)):
    """Return a string with a good checksum around invalid bytes."""
    body = port.to_bytes(2, "big") + bytes([0, 0, families, own]) + rest
    return bech32m.encode("matcha", bytes([version, 2 + len(body)]) + body)


@pytest.mark.parametrize("version", [0, 1, 3, 255])
def test_another_version_is_told_apart_from_a_mistake(version):
    assert f"of version {version}, " in refusal(crafted(version, rest=bytes(100)))


@pytest.mark.parametrize(
    "text",
    [
        crafted(port=0),
        crafted(families=1, rest=bytes(16)),
        crafted(families=0, rest=bytes(16)),
        crafted(rest=FOUR + bytes(15)),
        crafted(rest=FOUR + bytes(17)),
        crafted(families=0b11),
        crafted(own=1, rest=FOUR + b"\0\0" + bytes(16)),
        crafted(own=1, rest=FOUR + (4718).to_bytes(2, "big") + bytes(16)),
        crafted(own=1, rest=FOUR + (4717).to_bytes(2, "big") + bytes(16)),
        crafted(own=2, rest=FOUR + (4718).to_bytes(2, "big") + bytes(16)),
        bech32m.encode("matcha", b"\x02\x02"),
    ],
)
def test_a_good_checksum_does_not_excuse_bad_bytes(text):
    assert Invite.parse(crafted())
    assert refused(text).code == "invite-malformed"


def test_each_game_has_a_number_of_its_own():
    assert len({game_of(name).number for name in FOLDERS}) == len(FOLDERS)


def test_each_address_can_have_its_own_port():
    four, six = IPv4Address("203.0.113.7"), IPv6Address("2001:db8::7")
    invite = Invite((Endpoint(four, 4718), *HERE, Endpoint(six, 9)), bytes(16))
    assert Invite.parse(invite.encode()) == invite
    assert EndpointList(invite.endpoints).port == 4717


def test_an_invite_with_bits_left_over_is_refused():
    """The checksum is good, but an invite has only one valid string."""
    text = crafted()
    assert Invite.parse(text)
    symbols = [bech32m.ALPHABET.index(letter) for letter in text[7:-6]]
    symbols[-1] |= 1
    checksum = bech32m._residue("matcha", [*symbols, *bytes(6)]) ^ bech32m._VALID
    symbols += [checksum >> shift & 31 for shift in range(25, -1, -5)]
    assert bech32m.is_valid("matcha", symbols)
    altered = text[:7] + "".join(bech32m.ALPHABET[symbol] for symbol in symbols)
    assert refused(altered).code == "invite-malformed"


def test_bits_left_over_must_be_zero():
    with pytest.raises(ValueError, match="left over"):
        bech32m.decode([0, 1, *bytes(6)])
    with pytest.raises(ValueError, match="left over"):
        bech32m.decode([0, 0, 0, *bytes(6)])


@pytest.mark.parametrize("fields", [((), bytes(16)), (HERE * 4, bytes(16)), (HERE, bytes(15))])
def test_text_that_encodes_no_invite_is_refused(fields):
    with pytest.raises(InviteError):
        Invite(*fields)


@given(st.text(max_size=120) | st.text(bech32m.ALPHABET).map("matcha1".__add__))
def test_parsing_is_total(text):
    with contextlib.suppress(InviteError):
        Invite.parse(text)


def test_invite_to_watch_is_read_and_never_lets_anybody_play():
    text = replace(INVITE, kind=InviteKind.WATCH).encode()
    assert text.startswith("matchawatch1")
    watch = Invite.parse(f"Look: {text.upper()} - soon", InviteKind.WATCH)
    assert watch == replace(INVITE, kind=InviteKind.WATCH)
    assert watch.psk != INVITE.psk  # even with the same secret
    assert refused(text).code == "invite-watch"
    with pytest.raises(InviteError) as caught:
        Invite.parse(TEXT, InviteKind.WATCH)
    assert caught.value.code == "invite-play"


@given(invites)
def test_an_invite_to_watch_survives_a_chat_like_any_other(invite):
    watch = replace(invite, kind=InviteKind.WATCH)
    text = watch.encode()
    assert Invite.parse(text, InviteKind.WATCH) == watch
    with pytest.raises(InviteError):
        Invite.parse(text[:-1], InviteKind.WATCH)
