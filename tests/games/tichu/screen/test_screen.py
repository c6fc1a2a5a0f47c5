"""The screen of Tichu on a terminal: news in, choices out, and a whole round by keys alone."""

import math
import random
import statistics
import threading
from dataclasses import replace
from functools import partial
from itertools import pairwise
from select import select

import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from matcha_p2p.console.table.frame import Request
from matcha_p2p.console.table.show import CALM, DOT
from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.cells import line_width
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import ASCII, SYMBOLS
from matcha_p2p.games.front import Screen
from matcha_p2p.games.tichu.answers import Advise
from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveCards,
    GiveTrick,
    Hold,
    Lay,
    Pass,
    TichuMove,
)
from matcha_p2p.games.tichu.rules.cards import DOG, DRAGON, MAH_JONG, NUMBERS, PHOENIX
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, seat_after
from matcha_p2p.games.tichu.screen import screen
from matcha_p2p.games.tichu.screen.drawing.layout import draw
from matcha_p2p.games.tichu.screen.drawing.prompts import prompt
from matcha_p2p.games.tichu.screen.drawing.table import may_bomb, turn_of
from matcha_p2p.games.tichu.screen.keys import press
from matcha_p2p.games.tichu.screen.scene import Moment, Scene, Slide, Trick, hear, opening
from matcha_p2p.games.tichu.screen.screen import TichuView
from matcha_p2p.games.tichu.screen.show import Show
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.seated import RULES
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import (
    GameEvent,
    Leave,
    MakeMove,
    MoveDue,
    TakenUp,
    Think,
    WindowAnswered,
    WindowOpened,
)
from matcha_p2p.table.step import AllGreeted, step
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.talk import Say
from tests.games.tichu.party import game, lawful
from tests.games.tichu.screen.scenes import (
    BEA,
    CARL,
    DORA,
    SCENES,
    YOU,
    Story,
    Told,
    bombed,
    ended,
    faces,
    following,
    hands,
    leading,
    opened,
)
from tests.table.party import begun

SCREEN: Screen = screen.full_screen  # the type checker compares the function
SPECIAL = {MAH_JONG: "M", DOG: "H", PHOENIX: "P", DRAGON: "D"}
RANKS = dict(zip(range(2, 15), "234567890JQKA", strict=True))


class Glass(DummyOutput):
    """An output that notes titles and bells."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.bells = 0
        self.rung = threading.Event()
        self.flushed = threading.Event()

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)

    def set_title(self, title: str) -> None:
        self.titles.append(title)

    def bell(self) -> None:
        self.bells += 1
        self.rung.set()

    def flush(self) -> None:
        self.flushed.set()


def advise(seen: Observation) -> Judgement:
    """Return the first answer: in practice, no time passes before a bomb."""
    return Judgement((JudgedMove(seen.legal_moves()[0], None),))


class Desk:
    """A full screen on a keyboard that a test types on. advise: in practice."""

    def __init__(self, keyboard, advise: Advise | None) -> None:
        self.keyboard, self.glass = keyboard, Glass()
        self.front = screen.full_screen(Look(SYMBOLS), None, advise)
        self.news, self._heard = trio.open_memory_channel[News](math.inf)
        self._chosen, self.choices = trio.open_memory_channel[Wish](math.inf)

    async def play(self) -> None:
        with trio.fail_after(60), create_app_session(self.keyboard, self.glass):
            await self.front.play(YOU, self._heard, self._chosen.send_nowait)

    async def chosen(self) -> Wish:
        with trio.fail_after(20):
            return await self.choices.receive()

    def tell(self, *news: News) -> None:
        for piece in news:
            self.news.send_nowait(piece)


@pytest.fixture
def desk():
    with create_pipe_input() as keyboard:
        yield Desk(keyboard, advise)


async def test_an_answer_is_chosen_with_the_bell_and_the_title(desk, nursery):
    nursery.start_soon(desk.play)
    desk.tell(*Told().first_eight().all)
    await trio.to_thread.run_sync(desk.glass.rung.wait)
    desk.keyboard.send_text("/hello\r\r")
    assert await desk.chosen() == Say("hello")
    assert await desk.chosen() == MakeMove(AnswerGrand(called=False))
    assert "tichu: your move" in desk.glass.titles
    assert desk.glass.bells >= 1
    desk.news.close()


async def test_closed_news_draw_nothing():
    with create_pipe_input() as keyboard:
        desk = Desk(keyboard, None)
        desk.news.close()
        await desk.play()
        assert not desk.glass.flushed.is_set()


async def test_a_person_who_leaves_ends_the_screen(desk, nursery):
    nursery.start_soon(desk.play)
    desk.tell(*Told().first_eight().all)
    await trio.to_thread.run_sync(desk.glass.flushed.wait)
    desk.keyboard.send_text("q1\r")
    assert await desk.chosen() == Leave()
    desk.news.close()


class Watch:
    """A screen among people. now: the seconds on its clock."""

    def __init__(self, look: Look | None = None, *, bomb: bool = True) -> None:
        self.view, self.now = TichuView(look or Look(SYMBOLS)), 10.0
        self.story = Told()
        if not bomb:
            mine, others = self.story.hands[YOU], self.story.hands[BEA]
            mine[3], others[0] = others[0], mine[3]
        self.story.deal().exchange()
        self.state = self.view.begin(YOU)
        self.tell(*[piece for piece in self.story.all if not isinstance(piece, MoveDue)])

    def tell(self, *news: News) -> Request | None:
        choice: Request | None = None
        for piece in news:
            self.state, choice = self.view.hear(self.state, piece, self.now)
        return choice

    def lay(self, cards: str) -> Request | None:
        """Let Carl lay ``cards``, and all others but you no bomb; return your answer."""
        before = len(self.story.all)
        self.story.lay(CARL, cards)
        self.tell(*self.story.all[before:], WindowOpened(2.0))
        return self.asked()

    def asked(self) -> Request | None:
        while self.story.game.round.asked[0] != (YOU, Ask.HOLD):
            seat = self.story.game.round.asked[0][0]
            self.story.change(partial(rules.hold, seat=seat))
        return self.tell(MoveDue(self.story.view()))

    def press(self, key: str) -> Request | None:
        self.state, choice = self.view.press(self.state, key, self.now)
        return choice

    def shown(self) -> str:
        frame = self.view.draw(self.state, 80, 24, self.now)
        return "\n".join("".join(text for _, text in line) for line in frame.body)


@pytest.mark.parametrize("bomb", [True, False])
def test_the_bar_runs_the_same_for_every_hand_until_the_session_answers(bomb):
    watch = Watch(bomb=bomb)
    assert watch.lay("M") is None
    assert f" BOMB?   {'▮' * 12} 2" in watch.shown()
    watch.now += 1.5
    assert f" BOMB?   {'▮' * 3}{'▯' * 9} 1" in watch.shown()
    assert watch.view.status(watch.state, watch.now).changes_in == 0.25
    watch.now += 0.5
    assert watch.tell(WindowAnswered()) is None
    assert "▯" not in watch.shown()
    assert watch.press("enter") is None


@pytest.mark.parametrize("bomb", [True, False])
@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
def test_the_bar_lies_on_the_field_where_cards_have_colours(columns, rows, bomb):
    watch = Watch(bomb=bomb)
    watch.lay("M")
    scene = watch.state.seen(watch.now)
    for skin, grounds in ((SYMBOLS, {"class:lit"}), (ASCII, {"class:cloth"})):
        body = draw(scene, columns, rows, skin).body
        (bar,) = [
            [style for style, text in line if set(text) & {*"▮#"}]
            for line in body
            if any(set(text) & {*"▮#"} and "class:now" in style for style, text in line)
        ]
        assert {style.split()[-2] for style in bar} == grounds


def test_a_play_that_opens_a_window_is_shown_at_once():
    watch = Watch()
    watch.lay("M")
    assert watch.state.lasts(watch.now) == 0


def test_the_bell_rings_for_a_hand_with_a_bomb_alone():
    for bomb in (True, False):
        watch = Watch(bomb=bomb)
        watch.lay("M")
        assert bool(watch.view.status(watch.state, watch.now).calls) is bomb


@pytest.mark.parametrize("bomb", [True, False])
def test_enter_lays_no_bomb_and_a_full_stop_takes_more_time(bomb):
    watch = Watch(bomb=bomb)
    watch.lay("M")
    assert watch.press("enter") == MakeMove(Hold())
    watch = Watch(bomb=bomb)
    watch.lay("M")
    assert watch.press(".") == Think()
    assert watch.press("enter") == MakeMove(Hold())


def test_a_bomb_is_laid_in_the_window():
    watch = Watch()
    watch.lay("M")
    assert watch.press("b") is None
    laid = watch.press("enter")
    assert isinstance(laid, MakeMove)
    assert isinstance(laid.move, Lay)


def test_a_person_who_wants_to_be_asked_is_waited_for():
    watch = Watch(bomb=False)
    watch.lay("M")
    watch.now += 60
    assert "BOMB?   ▯" in watch.shown()
    assert watch.press("enter") == MakeMove(Hold())


def test_a_play_of_another_is_seen_before_the_question_that_follows():
    """Our own plays are not held up."""
    story = opened()
    before = story.scene
    story.lay(CARL, "M")
    laid = GameEvent(story.scene.trick[-1][1], story.game)
    view = TichuView(Look(SYMBOLS))
    state, _ = view.hear(Staged(replace(before, advise=advise), Show(Speed.NORMAL)), laid, 10.0)
    assert state.lasts(10.0) == pytest.approx(0.15 + 1.4)
    asked, _ = view.hear(state, MoveDue(story.view()), 10.1)
    assert not asked.seen(10.2).asked
    assert asked.finish("enter", 10.2)[1]


def test_a_key_during_an_act_does_not_pass():
    view = TichuView(Look(SYMBOLS))
    before, after = opened().scene, SCENES["passing"]()
    state = Staged(before, Show(Speed.NORMAL)).follow(after, after.trick[0][1], 10.0)
    state, choice = view.press(state, "p", 10.1)
    assert (choice, state.lasts(10.1)) == (None, 0)
    assert view.press(state, "p", 10.2)[1] == MakeMove(Pass())


def test_no_play_is_skipped_while_others_play_on():
    story, state = opened(), Staged(replace(opened().scene, advise=advise), Show(Speed.NORMAL))
    story.lay(CARL, "M")
    laid = GameEvent(story.scene.trick[-1][1], story.game)
    for _ in range(9):
        state, _ = TichuView(Look(SYMBOLS)).hear(state, laid, 10.0)
    assert state.lasts(10.0) == pytest.approx(9 * (0.15 + 1.4))


def test_nothing_is_shown_under_the_result_of_a_round():
    over = SCENES["round_over"]()
    hand = GameEvent(events.HandSeen(tuple(range(8))), over.game)
    state = Staged(replace(over, game=None), Show(Speed.NORMAL))
    for scene in (state.scene, replace(state.scene, finished=None)):
        state, _ = TichuView(Look(SYMBOLS)).hear(state.to(scene), hand, 10.0)
        assert (state.lasts(10.0) > 0) is (scene.finished is None)


def test_trick_is_remembered_by_the_play_that_took_it():
    story = opened().lay(CARL, "B2").holds()
    story.change(partial(rules.hold, seat=YOU)).holds().lay(BEA, "GK").holds()
    while story.game.round.under is not None:
        seat, ask = story.game.round.asked[0]
        turn = rules.hold if ask is Ask.HOLD else rules.pass_turn
        story.change(partial(turn, seat=seat))
    assert story.scene.tricks == (Trick(BEA, "K◉", 10),)


def test_the_dog_is_no_trick_that_anybody_takes():
    story = leading()
    story.hands[YOU][0], tricks = DOG, story.scene.tricks
    story.lay(YOU, "H")
    assert (story.scene.trick, story.scene.tricks) == ((), tricks)
    for columns, rows in ((60, 16), (80, 24), (120, 40)):
        body = draw(story.scene, columns, rows, SYMBOLS).body
        shown = "\n".join("".join(text for _, text in line) for line in body)
        assert "The Dog gives the lead to Bea." in shown
        assert " with H" not in shown
    story.lay(BEA, "GK")
    story.tell(TakenUp(story.game, story.scene.names, story.scene.words.hand))
    assert story.scene.tricks == tricks


def test_screen_tells_nobody_to_type_a_command():
    (told, *_) = opened().scene.told
    assert told.startswith("You play with Bea")
    assert not any("Type help" in sentence for sentence in opened().scene.told)


def test_taken_back_decision_leaves_the_plays_of_the_trick_on_the_table():
    story = leading()
    before, shown = story.game, story.scene
    story.lay(YOU, "RT KT").holds().passes(CARL)
    story.tell(TakenUp(before, shown.names, shown.words.hand))
    assert (story.scene.trick, story.scene.tricks) == (shown.trick, shown.tricks)
    follows = following()
    trick = tuple(play for play in follows.scene.trick if play[1] is not None)
    follows.tell(TakenUp(follows.game, shown.names, shown.words.hand))
    assert follows.scene.trick == trick
    assert follows.scene.tricks


def test_taken_back_round_is_no_longer_counted():
    story = leading()
    before, hand = story.game, story.scene.words.hand
    story.scene = ended().scene
    story.tell(TakenUp(before, story.scene.names, hand))
    assert (story.scene.rounds, story.scene.finished) == ((), None)


def keys_of(view: Observation, move: TichuMove) -> str:
    """Return the keys that begin ``move``; some confirmations may follow."""

    def ranks(places) -> str:
        cards = [view.held[place] for place in places]
        return "".join(SPECIAL.get(face) or RANKS[NUMBERS[face]] for face in cards)

    match move:
        case AnswerGrand(called):
            return "gy" if called else "\r"
        case GiveCards((right, partner, left)):
            return ranks((left, partner, right)) + "\r"
        case GiveTrick(receiver):
            return "2" if receiver == seat_after(view.seat) else "1"
        case Lay(places):
            return f"{ranks(places)}\r"
        case _:
            return "p"


def through(scene: Scene, typed: str) -> tuple[Scene, MakeMove, str]:
    """Type ``typed`` where nothing is marked, and Enter until a choice is made.

    Return what was typed too.
    """
    left, pressed = ["\x7f", *typed], ""
    while len(pressed) < 30:
        key = left.pop(0) if left else "\r"
        pressed += key
        scene, choice = press(scene, {"\r": "enter", "\x7f": "c-h"}.get(key, key))
        if isinstance(choice, MakeMove):
            return scene, choice, pressed
    raise AssertionError(scene.told[-3:])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
async def test_a_round_is_played_by_keys_alone(seed, desk, nursery):
    """The others play at random; the pure scene beside the screen says which keys are left."""
    party, chance = begun(f"tichu on screen {seed}", game("round")), random.Random(seed)
    scene = opening(YOU, advise)
    nursery.start_soon(desk.play)

    def tell(*news: News) -> None:
        nonlocal scene
        for piece in news:
            scene = hear(scene, piece)
        desk.tell(*news)

    def told(happened) -> None:
        told = RULES.told(happened, party.players[YOU])
        tell(*(GameEvent(event, RULES.state(party.table)) for event in told))

    async def decide(seat: Seat):
        nonlocal scene
        view = RULES.look(party.players[seat], party.table, ())
        if seat != YOU:
            return lawful(view, chance)
        desk.glass.rung.clear()
        tell(MoveDue(view))
        if scene.reply is None:
            scene, choice, pressed = through(scene, keys_of(view, lawful(view, chance)))
            await trio.to_thread.run_sync(desk.glass.rung.wait)  # the screen asks
            desk.keyboard.send_text(pressed)
            assert await desk.chosen() == choice
            return choice.move
        reply = await desk.chosen()
        assert reply == MakeMove(scene.reply)
        return scene.reply

    told([AllGreeted(party.table)])
    await trio.to_thread.run_sync(desk.glass.flushed.wait)
    while (due := next_due(party.table)) is not None:
        move = await decide(due.seat) if due.decision else None
        before = party.table
        party.goes_on(lambda _, move=move: move)
        told(step(before, party.entries[-1])[1])
    assert isinstance(scene.end, events.GameEnded)
    desk.news.close()
    with trio.fail_after(10):
        while not desk.choices.statistics().current_buffer_used:
            if not select([desk.keyboard], (), (), 0)[0]:  # each key so far is read
                desk.keyboard.send_text("\r")
            await trio.lowlevel.checkpoint()
    assert await desk.chosen() == Leave()


def test_hand_is_dealt_card_by_card_at_normal_speed_alone():
    before = Story().scene
    after = Story().first_eight().scene
    seen = events.HandSeen(after.words.hand)
    act = Show(Speed.NORMAL).act(before, after, seen)
    assert [len(beat.scene.held) for beat in act] == list(range(8))
    assert sum(beat.seconds for beat in act) < 1
    assert Show(Speed.FAST).act(before, after, seen) == ()


def test_the_wedge_stays_at_the_turn_while_others_are_asked_for_a_bomb():
    scene = opened().lay(CARL, "M").scene
    asked = [seat for seat, ask in scene.game.round.asked if ask is Ask.HOLD]
    assert scene.game.round.speaker in asked
    assert turn_of(scene.game) == BEA
    seats = SEATS[1:]
    bombs = sorted({*asked} - {YOU})
    assert [seat for seat in seats if may_bomb(scene, scene.game, seat)] == bombs
    past = replace(scene, acting=True)
    assert not any(may_bomb(past, scene.game, seat) for seat in seats)
    for shown, count, asked_of in (
        (scene, len(bombs), "Dora is asked for a bomb."),
        (past, 0, "Bea is asked."),
    ):
        lines = draw(shown, 80, 24, SYMBOLS).body
        text = "\n".join("".join(text for _, text in line) for line in lines)
        assert text.count(" BOMB? ") == count
        assert text.count("▸") == text.count("▸Bea") == 1
        assert f" {asked_of}" in text


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
@pytest.mark.parametrize(
    ("seat", "x", "y"), [(YOU, 0, -1), (CARL, -1, 0), (BEA, 0, 1), (DORA, 1, 0)]
)
def test_a_play_slides_open_from_its_seat_into_the_field(seat, x, y, columns, rows):
    """Also a play that is nearly as wide as the field."""
    for cards in ("R9 K9", "R2 G3 R4 G5 R6 G7 R8 G9 RT"):
        laid = Laid(seat, faces(cards), wild=0, wish=0, leads=True)
        scene = replace(following().scene, trick=((seat, laid),))
        ways = Show(Speed.NORMAL).act(scene, scene, laid)[:3]
        drawn = [*(way.scene for way in ways), scene]
        places = [place_of_play(each, columns, rows) for each in drawn]
        if len(laid.cards) > 2:  # its end is beside the field at first
            places = [places[0], places[-1]]
        for (left, top), (after, below) in pairwise(places):
            assert (after - left) * x + (below - top) * y > 0
        assert sum(way.seconds for way in ways) == pytest.approx(0.3 if seat == YOU else 0.15)
        assert len(Show(Speed.FAST).act(scene, scene, laid)) == (seat != YOU)


def place_of_play(scene: Scene, columns: int, rows: int) -> tuple[float, float]:
    """Return the middle of what is seen of the cards on the field: the column and the row."""
    cells = [
        (line_width(line[:at]), line_width(line[: at + 1]), row)
        for row, line in enumerate(draw(scene, columns, rows, SYMBOLS).body)
        for at, (style, text) in enumerate(line)
        if {"class:lit", "class:paper"} <= {*style.split()} and text
    ]
    lefts, rights, at = zip(*cells, strict=True)
    return (min(lefts) + max(rights)) / 2, (min(at) + max(at)) / 2


def middle_of_backs(scene: Scene, rows: int) -> tuple[float, int]:
    """Return the mean row of two cards face down side by side, and their column."""
    pair = f"{SYMBOLS.back * 4} {SYMBOLS.back * 4}"
    lines = ["".join(text for _, text in line) for line in draw(scene, 80, rows, SYMBOLS).body]
    found = {at: line.index(pair) for at, line in enumerate(lines) if pair in line}
    (column,) = set(found.values())
    return statistics.fmean(found), column


@pytest.mark.parametrize("rows", [24, 40])
@pytest.mark.parametrize(
    ("taker", "down", "across"), [(YOU, 1, 0), (CARL, 0, 1), (BEA, -1, 0), (DORA, 0, -1)]
)
def test_a_taken_trick_slides_face_down_to_its_taker(taker, down, across, rows):
    before = following().scene
    after, event = replace(before, trick=()), events.TrickTaken(taker, faces("R9 K9"), taker)
    lies, *slides = Show(Speed.NORMAL).act(before, after, event)
    assert lies.scene.trick == before.trick
    assert sum(beat.seconds for beat in slides) < 1
    places = [middle_of_backs(beat.scene, rows) for beat in slides]
    for (above, left), (below, right) in pairwise(places):
        assert ((below > above) - (below < above)) == down
        assert ((right > left) - (right < left)) == across


def given() -> tuple[Scene, Scene, events.GiftsGiven]:
    """Return the scenes before and after three cards of the own hand are given, and how."""
    story, event = Story().deal(), events.GiftsGiven(faces("R2 KA G3"))
    story.change(partial(rules.push, seat=YOU))
    return story.scene, story.event(event).scene, event


def flying(scene: Scene, columns: int, rows: int) -> tuple[int, int, int]:
    """Return where the first and the last card face down on the field begin, and the lines."""
    places, lines = set[int](), 0
    for line in draw(scene, columns, rows, SYMBOLS).body:
        for at, (style, text) in enumerate(line):
            if {"class:lit", "class:back"} <= {*style.split()} and text.strip():
                places.add(line_width(line[:at]))
                lines += 1
    return min(places), max(places), lines


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
def test_gifts_fly_face_down_to_their_seats(columns, rows):
    before, after, event = given()
    beats = Show(Speed.NORMAL).act(before, after, event)
    assert sum(beat.seconds for beat in beats) < 1
    seen = [flying(beat.scene, columns, rows) for beat in beats]
    for (left, right, whole), (further, beyond, rest) in pairwise(seen):
        assert further < left
        assert beyond > right
        assert rest < whole  # the partner's gift leaves over the upper edge
    assert Show(Speed.FAST).act(before, after, event) == ()


def test_gifts_are_out_of_the_hand_until_it_is_seen_again():
    before, after, event = given()
    assert set(before.held.values()) - set(after.held.values()) == set(event.cards)
    back = hear(after, TakenUp(before.game, before.names, before.words.hand))
    assert back.held == before.held
    coming = hear(after, GameEvent(events.GiftsPlaced((3, 13, 1)), after.game))
    seen = events.HandSeen(tuple(hands()[YOU]))
    whole = hear(coming, GameEvent(seen, after.game))
    assert len(whole.held) == 14
    ways = [beat.scene for beat in Show(Speed.NORMAL).act(coming, whole, seen)]
    assert [way.flown for way in ways] == [0.75, 0.5, 0.25]
    assert all(way.held == coming.held for way in ways)
    assert Show(Speed.OFF).act(coming, whole, seen) == ()


@pytest.mark.parametrize("speed", [Speed.NORMAL, Speed.FAST])
def test_a_bomb_is_told_in_large_letters_before_its_cards_lie_open(speed):
    before, after = opened().scene, bombed().scene
    (laid,) = [each for _, each in after.trick if each is not None and each.seat == YOU]
    bomb = laid._replace(seat=DORA)
    told, lies = Show(speed).act(before, after, bomb)[-2:]
    assert told.scene.moment == Moment("alarm", "BOMB", "Dora: a bomb of sevens")
    assert lies.scene.moment is None
    assert told.seconds + lies.seconds == pytest.approx(2.4)


def test_a_call_is_told_in_large_letters():
    scene = opened().scene
    (beat,) = Show(Speed.FAST).act(scene, scene, events.Called(CARL, 200))
    assert beat.scene.moment == Moment("call", "GRAND TICHU", "Carl: 200 points, won or lost")
    assert Show(Speed.FAST).act(scene, scene, events.Called(YOU, 200)) == ()


def test_the_points_of_a_trick_are_told_at_its_taker_while_it_slides():
    before = following().scene
    event = events.TrickTaken(CARL, faces("R9 K9"), CARL)
    for beat in Show(Speed.NORMAL).act(before, replace(before, trick=()), event):
        lines = draw(beat.scene, 80, 24, SYMBOLS).body
        assert any("+0" in text for line in lines for _, text in line)
        lit = {text for line in lines for style, text in line if style.endswith("class:now")}
        assert lit & {"Carl", "▸Carl"}


def test_a_taken_trick_lies_still_at_fast_speed():
    before = following().scene
    event = events.TrickTaken(CARL, faces("R9 K9"), CARL)
    (lies,) = Show(Speed.FAST).act(before, replace(before, trick=()), event)
    assert lies.scene.slide == Slide(CARL, 0, takes=True)


def test_a_key_ends_the_slide_of_a_trick():
    before = following().scene
    after, event = replace(before, trick=()), events.TrickTaken(CARL, faces("R9 K9"), CARL)
    show = Show(Speed.NORMAL).follow(before, after, event, 0.0)
    sliding = show.lasts(0.0) - 0.1
    assert show.shown(after, sliding).slide is not None
    view, state = TichuView(Look(SYMBOLS)), Staged(after, show)
    pressed, _ = view.press(state, "enter", sliding)
    assert pressed.show.shown(pressed.scene, sliding).slide is None


def waits(speed: Speed, *seconds: float) -> list[str]:
    """Return the line about the player who thinks, after each time of thinking."""
    scene, show = opened().scene, Show(speed, thinks_since=100 * DOT)
    shown = (prompt(show.waiting(scene, show.thinks_since + each)) for each in seconds)
    return [str(line[1]).strip() for line in shown]


def test_dots_come_and_go_while_another_player_thinks():
    asked = "Carl is asked."
    assert waits(Speed.NORMAL, *(DOT * (count + 0.5) for count in range(4))) == [
        f"{asked} . .",
        f"{asked} . . .",
        f"{asked} .",
        f"{asked} . .",
    ]


def test_the_time_waited_stands_before_the_dots():
    asked = "Carl is asked.  0:12"
    assert waits(Speed.NORMAL, 12.0, 12.5) == [f"{asked} . .", f"{asked} . . ."]


def test_without_motion_no_dots_move():
    assert waits(Speed.OFF, 0.5, CALM - 0.5) == ["Carl is asked."] * 2


def test_no_dots_are_shown_while_the_person_is_asked():
    scene = Told().first_eight().scene
    assert Show(Speed.NORMAL).waiting(scene, 5.0) == scene
