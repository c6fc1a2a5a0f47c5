"""Frames cut out of byte streams."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.transport.framing import (
    FRAME_LIMIT,
    PADDED_SIZES,
    BodyDecoder,
    Frame,
    FrameDecoder,
    Kind,
    decode_body,
    encode_body,
    encode_frame,
    pad_frame,
    unpad_frame,
)

frames = st.builds(Frame, st.sampled_from(Kind), st.binary(max_size=200))


def test_bytes_on_the_wire():
    """Length, kind, payload: the layout of the specification, byte for byte."""
    assert encode_frame(Frame(Kind.WAYS, b"hi")) == b"\x00\x03\x03hi"
    assert [kind.value for kind in Kind] == [*range(1, 18)]


@given(st.lists(frames, max_size=5), st.integers(1, 50))
def test_any_cut_gives_the_same_frames(sent, piece):
    stream = b"".join(map(encode_frame, sent))
    decoder = FrameDecoder()
    received = []
    for at in range(0, len(stream), piece):
        received += decoder.feed(stream[at : at + piece])
    assert received == sent
    assert decoder.pending == 0


@given(st.binary(max_size=300))
def test_decoding_is_total(garbage):
    """Garbage gives frames or an EncodingError; frames encode to the same bytes."""
    decoder = FrameDecoder()
    received = []
    with contextlib.suppress(EncodingError):
        received += decoder.feed(garbage)
    assert garbage.startswith(b"".join(map(encode_frame, received)))


def test_the_largest_frame_passes_and_one_byte_more_does_not():
    largest = Frame(Kind.MSG, bytes(FRAME_LIMIT - 1))
    assert list(FrameDecoder().feed(encode_frame(largest))) == [largest]
    with pytest.raises(EncodingError, match="too large") as caught:
        encode_body(Frame(Kind.MSG, bytes(FRAME_LIMIT)))
    assert caught.value.check is Check.LIMIT


def test_a_length_over_the_limit_is_refused_before_its_body_arrives():
    decoder = BodyDecoder(10)
    with pytest.raises(EncodingError) as caught:
        list(decoder.feed(b"\x00\x0b"))
    assert caught.value.check is Check.LIMIT


def test_whole_frames_before_a_bad_one_come_out_first():
    decoder = FrameDecoder()
    arrived = decoder.feed(encode_frame(Frame(Kind.PING)) + b"\xff\xff")
    assert next(arrived) == Frame(Kind.PING)
    with pytest.raises(EncodingError):
        next(arrived)


@pytest.mark.parametrize("body", [b"", b"\x00", b"\x40payload", b"\xff"])
def test_empty_bodies_and_unknown_kinds_are_refused(body):
    with pytest.raises(EncodingError) as caught:
        decode_body(body)
    assert caught.value.check is Check.ENCODING


def test_half_a_frame_is_pending():
    decoder = FrameDecoder()
    assert list(decoder.feed(b"\x00\x05\x01ab")) == []
    assert decoder.pending == 5


@given(st.builds(Frame, st.sampled_from(Kind), st.binary(max_size=FRAME_LIMIT - 1)))
def test_a_padded_frame_is_one_of_a_few_sizes_and_is_read_as_it_was(frame):
    padded = pad_frame(frame)
    assert len(padded) in PADDED_SIZES
    assert unpad_frame(padded) == frame


@given(st.binary(max_size=600))
def test_unpadding_is_total(garbage):
    with contextlib.suppress(EncodingError):
        assert pad_frame(unpad_frame(garbage)) == garbage
