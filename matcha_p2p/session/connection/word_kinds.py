"""The kinds of words that seats flood beside the chain, a row for each (PEER#words)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from matcha_p2p.transport.framing import Kind
from matcha_p2p.wire import again, said, words
from matcha_p2p.wire.admission import WatchWord, parse_watch


class WordKind(NamedTuple):
    """How words of one kind travel.

    kind: of their frames. parse: reads the payload of a frame. rate: how many words of one
    author are accepted, a second and at once (PEER#word-limits).
    """

    kind: Kind
    parse: words.Parse
    rate: tuple[int, int]


WORD_KINDS: Final[Mapping[type[words.Word], WordKind]] = {
    words.AskWord: WordKind(Kind.ASK, words.parse_ask, (1, 20)),
    words.HereWord: WordKind(Kind.HERE, words.parse_here, (10, 100)),
    again.AgainWord: WordKind(Kind.AGAIN, again.parse_again, (1, 20)),
    said.SaidWord: WordKind(Kind.TALK, said.parse_said, (1, 5)),
    again.OpenWord: WordKind(Kind.OPEN, again.parse_open, (1, 20)),
    WatchWord: WordKind(Kind.WATCH, parse_watch, (1, 5)),
    said.WayWord: WordKind(Kind.WAY, said.parse_way, (1, 5)),
}

BY_FRAME: Final[Mapping[Kind, WordKind]] = {row.kind: row for row in WORD_KINDS.values()}
