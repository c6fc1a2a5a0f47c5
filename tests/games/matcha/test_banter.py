"""What a bot says at the table: now and then, late enough, and nothing about its cards."""

import math

import trio

from matcha_p2p.app.game.bot_seat import BotSeat, silence
from matcha_p2p.games.matcha.banter import Talker
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.matcha.table.events import HandsDealt, RoundResolved
from matcha_p2p.narration.news import News
from matcha_p2p.session.news import Choice, GameEvent, Settled, TalkHeard
from matcha_p2p.wire.talk import PHRASES, Phrase
from tests.console.scenes import Story

BOT = Seat(1)


class Overheard(Story):
    """A game of which all that was told is kept."""

    def tell(self, *news: News) -> "Overheard":
        self.told = [*getattr(self, "told", []), *news]
        super().tell(*news)
        return self


def game() -> list[News]:
    story = Overheard()
    story.deal().play("1a", "1a", "2b", "4b", "4d", "2c", "5c", "3d")
    return [*story.told, Settled(bytes(32))]


def said(seed: int, news: list[News]) -> list[int]:
    talker = Talker(seed)
    remarks = (talker.remark(piece, BOT) for piece in news)
    return [remark.phrase.number for remark in remarks if remark is not None]


def test_bot_makes_a_remark_now_and_then():
    counts = [len(said(seed, game())) for seed in range(50)]
    assert all(1 <= count <= 4 for count in counts)
    assert len(set(counts)) > 1
    numbers = {number for seed in range(50) for number in said(seed, game())}
    assert numbers <= set(range(1, PHRASES + 1))
    assert len(numbers) > 4


def test_remarks_do_not_depend_on_the_cards_of_the_bot():
    """Boasts and doubts come by chance: nobody learns from them what lies there."""
    for seed in range(20):
        dealt = Overheard().deal().play("1a", "3a", "2b", "p")
        other = Overheard().deal().play("1a", "2a", "2b", "p")
        pairs = [
            [piece for piece in story.told if not _is_opened(piece)] for story in (dealt, other)
        ]
        assert said(seed, pairs[0]) == said(seed, pairs[1])


def _is_opened(piece: News) -> bool:
    return isinstance(piece, GameEvent) and isinstance(piece.event, RoundResolved)


def test_a_seed_makes_its_talk_repeatable():
    assert said(3, game()) == said(3, game())


async def test_remark_comes_after_the_person_has_seen_its_subject(nursery, autojump_clock):
    """And a bot without banter says nothing."""
    story = Overheard().deal()
    dealt = next(p for p in story.told if isinstance(p, GameEvent) and p.event == HandsDealt())
    for banter, wanted in ((Talker(0).remark, [Phrase(6)]), (silence, [])):
        heard: list[tuple[float, Choice]] = []
        told, news = trio.open_memory_channel[News](math.inf)
        seat = BotSeat(BOTS["uniform"], "matcha", 1, lambda _: None, banter=banter)
        start = trio.current_time()

        def choose(choice, heard=heard, start=start) -> None:
            heard.append((trio.current_time() - start, choice))

        nursery.start_soon(seat.play, BOT, news, choose)
        told.send_nowait(dealt)
        told.send_nowait(TalkHeard("hello", "Taro", Seat(1)))
        await trio.sleep(10)
        told.close()
        assert [choice for _, choice in heard] == wanted
        assert all(at > 1 for at, _ in heard)
