"""The word of a seat about watching, WATCH: what watchers may see, and who watches.

PEER#watching. The word is signed, so that neighbours can pass the word on. It stands in no
transcript.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import MOST_SEATS, Seat
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.signed import parse_signed, sign
from matcha_p2p.wire.watching import MOST_WATCHERS, Admission, Visibility, read_name

_WATCH: Final = b"matcha/v1/watch\0"


@dataclass(frozen=True, slots=True)
class WatchWord:
    """``seat`` says something about watching.

    run: of the author's program. number: how many such words the program has said before.
    """

    seat: Seat
    run: int
    number: int
    admission: Admission
    encoded: bytes

    @property
    def place(self) -> tuple[int, int]:
        """The place among the words of this seat: a later word is greater."""
        return self.run, self.number

    @property
    def is_final(self) -> bool:
        """Whether the seat lets nobody watch: then no other word of the seat counts."""
        return self.admission.sight is Visibility.NOTHING


def sign_watch(
    rid: RosterId, seat: Seat, place: tuple[int, int], admission: Admission, seed: bytes
) -> WatchWord:
    """Return the WATCH of ``seat``. place: run and number. seed: of the seat's session key."""
    body: Value = [seat, *place, admission.most, admission.sight, [*admission.names]]
    return WatchWord(seat, *place, admission, sign(_WATCH + rid, body, seed))


def parse_watch(encoded: bytes, rid: RosterId, keys: Sequence[bytes]) -> WatchWord:
    """Return the word in ``encoded``. keys: session keys by seat.

    Raises:
        EncodingError: E_LIMIT, E_ENCODING, E_TEXT.
        ProofError: E_SIG.
    """
    signed, body = parse_signed(_WATCH + rid, encoded)
    match body:
        case [int(seat), int(run), int(number), int(most), int(sight), [*names]] if (
            seat < MOST_SEATS
            and len(names) <= most <= MOST_WATCHERS
            and sight in set(Visibility)
        ):
            admission = Admission(Visibility(sight), most, tuple(map(read_name, names)))
        case _:
            raise EncodingError(
                Check.ENCODING, "a WATCH is seat, run, number, most, sight and names"
            )
    signed.check_author(seat, keys)
    return WatchWord(Seat(seat), run, number, admission, encoded)
