"""What a bot says at the table: now and then, to others."""

from matcha_p2p.games.kashi.banter import Talker
from matcha_p2p.games.kashi.rules.moves import Fulfil
from matcha_p2p.games.kashi.table.events import AreasSettled, Event, FirstDrawn, TurnTaken
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Settled
from tests.games.kashi.rules.positions import position

BOT, OTHER = Seat(0), Seat(1)
GAME = position()
DONE = (Fulfil(1),)


def said(seed: int | None, *told: Event) -> list[int]:
    talker = Talker(seed)
    pieces: list[News] = [GameEvent(event, GAME) for event in told]
    pieces.append(Settled(bytes(32)))
    remarks = (talker.remark(piece, BOT) for piece in pieces)
    return [remark.phrase.number for remark in remarks if remark is not None]


def test_bot_wishes_luck_praises_others_and_thanks():
    game = FirstDrawn(OTHER), *[TurnTaken(OTHER, DONE)] * 30, AreasSettled(1, (3, 5, 2))
    counts = [len(said(seed, *game)) for seed in range(50)]
    assert all(1 <= count <= 5 for count in counts)
    assert len(set(counts)) > 1
    assert {number for seed in range(50) for number in said(seed, *game)} == {5, 6, 9}
    assert said(7, *game) == said(7, *game)


def test_bot_praises_neither_itself_nor_turns_without_an_order():
    own = TurnTaken(BOT, DONE), TurnTaken(OTHER, ()), AreasSettled(1, (5, 5, 2))
    assert all(said(seed, *own * 20) == [9] for seed in range(20))
