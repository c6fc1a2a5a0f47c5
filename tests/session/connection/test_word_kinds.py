"""Each kind of word that seats flood has one row, and is kept and passed on."""

from typing import get_args

import pytest

from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.word_kinds import BY_FRAME, WORD_KINDS
from matcha_p2p.session.step.links import as_frame
from matcha_p2p.session.words import WordsHeard
from matcha_p2p.wire.admission import WatchWord
from matcha_p2p.wire.again import AgainWord, OpenWord
from matcha_p2p.wire.said import SaidWord, WayWord
from matcha_p2p.wire.talk import PeerAddresses, Say
from matcha_p2p.wire.watching import Admission
from matcha_p2p.wire.words import AskId, AskWord, HereWord, Word

ASKED = AskId(1, 0, b"nonce")
WORDS: tuple[Word, ...] = (
    AskWord(Seat(1), ASKED, b"ask"),
    HereWord(Seat(1), Seat(0), ASKED, 0, None, None, b"here"),
    AgainWord(Seat(1), 0, None, b"again"),
    OpenWord(Seat(1), b"open"),
    SaidWord(Seat(1), 0, 0, Say("hello"), b"talk"),
    WatchWord(Seat(1), 0, 0, Admission(), b"watch"),
    WayWord(Seat(1), 0, 0, PeerAddresses(()), b"way"),
)


def test_every_kind_of_word_has_a_row():
    assert set(WORD_KINDS) == set(get_args(Word)) == set(map(type, WORDS))
    assert len(BY_FRAME) == len(WORD_KINDS)


@pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)
def test_a_word_that_is_kept_is_among_all_that_a_new_link_is_given(word: Word):
    assert WordsHeard().with_word(word).all == (word,)
    frame = as_frame(word)
    assert (frame.kind, frame.payload) == (WORD_KINDS[type(word)].kind, word.encoded)
