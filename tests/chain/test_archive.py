"""The file of a game: readable items, and the place where reading ends."""

import pytest

from matcha_p2p.chain import archive
from matcha_p2p.chain.archive import MAGIC, encode_archive, parse_archive
from matcha_p2p.errors import Check, EncodingError, TranscriptError
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.transport.framing import FRAME_LIMIT, Frame, Kind, encode_frame
from tests.duel import roster_of

ROSTER = roster_of("file", begin(EDITION_2015), ("Mina", "Taro"))
ENTRIES = [b"first", b"", b"third" * 1000]
RECORDS = [b"resigned", b"exposed"]
FRAMES = [
    Frame(Kind.ROSTER, ROSTER.encoded),
    *(Frame(Kind.MSG, entry) for entry in ENTRIES),
    *(Frame(Kind.REC, record) for record in RECORDS),
]


def readable(data: bytes) -> tuple[list[Frame], Exception | None]:
    """Return the items of a file, and the error that ends reading, or None."""
    items = []
    try:
        for frame in parse_archive(data):
            items.append(frame)  # noqa: PERF402 -- a comprehension would lose them
    except (EncodingError, TranscriptError) as error:
        return items, error
    return items, None


def test_written_file_is_read_back_unchanged():
    assert readable(encode_archive(ENTRIES, RECORDS, ROSTER)) == (FRAMES, None)


def test_file_without_a_roster_is_refused():
    items, error = readable(MAGIC + encode_frame(FRAMES[1]))
    assert (items, error.check) == ([], Check.ENCODING)
    items, error = readable(MAGIC)
    assert items == []
    assert "cut short" in str(error)


def test_a_file_is_magic_and_frames_as_on_the_wire():
    beginning = MAGIC + encode_frame(FRAMES[0])
    said = beginning + b"\0\x03\x01ab" + b"\0\x02\x02c"
    assert encode_archive([b"ab"], [b"c"], ROSTER) == said


def test_a_cut_file_gives_the_items_before_the_cut():
    data = encode_archive(ENTRIES, RECORDS, ROSTER)
    sizes = [len(encode_frame(frame)) for frame in FRAMES]
    ends = [len(MAGIC) + sum(sizes[:n]) for n in range(len(sizes) + 1)]
    for end in range(len(MAGIC), len(data)):
        items, error = readable(data[:end])
        assert items == FRAMES[: sum(e <= end for e in ends) - 1]
        assert (error is None) == (end in ends[1:])
        assert error is None or "cut short" in str(error)


@pytest.mark.parametrize("size", range(1, len(MAGIC)))
def test_a_file_cut_in_the_magic_line_is_called_cut(size):
    items, error = readable(MAGIC[:size])
    assert items == []
    assert isinstance(error, TranscriptError)
    assert "cut short" in str(error)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a matcha transcript"),
        (b"\x89PNG\r\n\x1a\n", "not a matcha transcript"),
        (b"matcha journal 1" + bytes(64), "not a matcha transcript"),
        (b"matcha transcript 2\n", "another version"),
        (b"matcha transcript 2\r\n", "another version"),
        (encode_archive(ENTRIES, [], ROSTER).replace(b"\n", b"\r\n"), "line ends (CRLF)"),
        (encode_archive(ENTRIES, [], ROSTER).replace(b"\n", b"\r"), "as if it were text"),
        (b"\xef\xbb\xbf" + encode_archive(ENTRIES, [], ROSTER), "as if it were text"),
        (b"\xef\xbb\xbf", "not a matcha transcript"),
        (b"matcha transcripts, a few words about them", "not a matcha transcript"),
    ],
)
def test_foreign_file_is_named_as_foreign(data, words):
    items, error = readable(data)
    assert items == []
    assert isinstance(error, TranscriptError)
    assert words in str(error)


@pytest.mark.parametrize("kind", [Kind.ROSTER, Kind.WAYS, Kind.SYNC, Kind.PING, Kind.BYE])
def test_only_entries_and_records_belong_there(kind):
    items, error = readable(encode_archive(ENTRIES, [], ROSTER) + encode_frame(Frame(kind)))
    assert items == FRAMES[:4]
    assert error.check is Check.ENCODING


def test_no_entry_follows_a_record():
    items, error = readable(encode_archive([], RECORDS, ROSTER) + encode_frame(FRAMES[1]))
    assert items == [FRAMES[0], *FRAMES[4:]]
    assert error.check is Check.ENCODING


def test_a_frame_that_is_too_large_ends_the_file():
    items, error = readable(encode_archive(ENTRIES, [], ROSTER) + b"\xff\xff")
    assert items == FRAMES[:4]
    assert error.check is Check.LIMIT
    with pytest.raises(EncodingError) as caught:
        encode_archive([bytes(FRAME_LIMIT)], [], ROSTER)
    assert caught.value.check is Check.LIMIT


def test_number_of_items_is_limited(monkeypatch):
    data = encode_archive(ENTRIES, RECORDS, ROSTER)
    monkeypatch.setattr(archive, "ITEM_LIMIT", 4)
    items, error = readable(data)
    assert items == FRAMES[:5]
    assert error.check is Check.LIMIT
    with pytest.raises(EncodingError) as caught:
        encode_archive(ENTRIES, RECORDS, ROSTER)
    assert caught.value.check is Check.LIMIT


@pytest.mark.parametrize(
    ("kind", "check"), [(Kind.SYNC, Check.LIMIT), (Kind.ASK, Check.ENCODING)]
)
def test_kind_above_8_is_refused_before_the_number_of_items(monkeypatch, kind, check):
    monkeypatch.setattr(archive, "ITEM_LIMIT", 3)
    data = encode_archive(ENTRIES, [], ROSTER)
    items, error = readable(data + encode_frame(Frame(kind, b"x")))
    assert items == FRAMES[:4]
    assert error.check is check


def test_size_is_limited(monkeypatch):
    data = encode_archive(ENTRIES, RECORDS, ROSTER)
    monkeypatch.setattr(archive, "SIZE_LIMIT", len(data))
    assert encode_archive(ENTRIES, RECORDS, ROSTER) == data
    assert readable(data) == (FRAMES, None)
    items, error = readable(data + b"\0")
    assert items == []
    assert error.check is Check.LIMIT
    with pytest.raises(EncodingError) as caught:
        encode_archive([*ENTRIES, b""], RECORDS, ROSTER)
    assert caught.value.check is Check.LIMIT


def test_the_limits_are_those_of_the_protocol():
    assert (archive.SIZE_LIMIT, archive.ITEM_LIMIT) == (64 * 1024 * 1024, 65_536)
