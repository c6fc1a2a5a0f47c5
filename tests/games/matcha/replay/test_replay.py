"""A finished game from every side: what is shown, and above all what is not."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.formatted_text import fragment_list_width
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from matcha_p2p.app.watching.watch import POSITION_AWAY, POSITION_LEFT, POSITION_OVER, POSITIONS
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.console.review.findings import beside
from matcha_p2p.console.review.replay import (
    JudgedView,
    Live,
    MistakeSearch,
    ReplayPosition,
    follow,
    position_at,
)
from matcha_p2p.console.table.focus import Gone
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.screen import NAMED_KEYS
from matcha_p2p.console.terminal.skins import SYMBOLS, Skin
from matcha_p2p.crypto.ristretto255 import ORDER
from matcha_p2p.games import game_of
from matcha_p2p.games.matcha.replay import analyse
from matcha_p2p.games.matcha.replay.state import MatchaPlace, watch
from matcha_p2p.games.matcha.replay.steps import MatchaReplay, replay_of
from matcha_p2p.games.matcha.review.analysis import JudgedDecision
from matcha_p2p.games.matcha.rules.cards import FACES, Face
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.signs import SIGNS, Signs
from matcha_p2p.games.matcha.table.events import (
    GameEnded,
    HandsDealt,
    Kept,
    Met,
    Passed,
    Placed,
    RoundResolved,
    Shuffled,
    TableLaid,
)
from matcha_p2p.games.matcha.table.told import told as told_of
from matcha_p2p.games.matcha.table.view import own_faces
from matcha_p2p.language import LANGUAGES
from matcha_p2p.review.analysis import page_mistakes
from matcha_p2p.review.steps import Viewpoint, viewpoints
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Expose, Resign
from matcha_p2p.wire.watching import Visibility
from tests.cheats.scene import played
from tests.console.frames import assert_as_reviewed, draw

BOTH, PUBLIC, FIRST, SECOND = VIEWS = tuple(viewpoints(2).values())

GAMES = ("hoarding", "racing", "long", "short")
SCREENS = Path(__file__).parents[1] / "screens"


@cache
def replayed(
    game: str, seats: tuple[int, ...] = (0, 1), end: int | None = None, *more
) -> MatchaReplay:
    """Return the first entries of a game; ``seats`` have opened their books."""
    return replay_of(reported(game, seats, end, *more))


def reported(game: str, seats: tuple[int, ...], end: int | None, *more) -> Report:
    scene = played(game)
    entries = scene.log[:end]

    def record(seat, statement) -> bytes:
        secrets = scene.players[seat].secrets
        return sign_record(
            scene.table.gid, seat, entries[-1].id, statement, secrets.session
        ).encoded

    records = [record(seat, Expose(scene.players[seat].x)) for seat in seats]
    records += [record(seat, Resign()) for seat in more]
    archive = encode_archive([entry.encoded for entry in entries], records, scene.state.roster)
    return verified_transcript(archive)


def opened(replay: MatchaReplay) -> tuple[bool, ...]:
    return tuple(map(replay.opens, SEATS))


class Marked(Signs):
    """Cards that no number of tokens looks like."""

    def card(self, face: Face) -> str:
        return f"!{face.name}"


MARKED = Skin("marked")


@pytest.fixture(autouse=True)
def _marked(monkeypatch):
    monkeypatch.setitem(SIGNS, "marked", Marked(SIGNS["plain"].signs))


def drawn(state: MatchaPlace, columns: int = 80, rows: int = 24, skin: Skin = MARKED) -> str:
    lines = draw(state.scene(), columns, rows, skin)
    return "\n".join("".join(text for _, text in line) for line in lines)


def frames(replay: MatchaReplay, view: Viewpoint) -> Iterator[str]:
    """Yield every screen of a view, and every page of it."""
    for at in range(len(replay.steps)):
        state = watch(replay, view, at)
        for columns, rows in ((80, 24), (60, 16), (110, 40)):
            yield drawn(state, columns, rows)
        for page in ("f4", "w"):
            yield drawn(state.press(page), 80, 60)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_the_game_is_a_step(game):
    replay = replayed(game)
    scene = played(game)
    archive = encode_archive([e.encoded for e in scene.log], [], scene.state.roster)
    report = verified_transcript(archive)
    told = [event for sound in report.accepted for event in told_of(sound.events)]
    shown = [event for event in told if not isinstance(event, Met | Shuffled)]
    assert [step.event for step in replay.steps] == shown
    assert replay.names == ("Mina", "Taro")
    assert isinstance(replay.steps[-1].event, GameEnded)


@pytest.mark.parametrize("game", GAMES)
def test_a_step_shows_the_game_right_after_it(game):
    for step in replayed(game).steps:
        rounds = step.game.rounds
        match step.event:
            case TableLaid(number, dealer, table):
                assert (step.game.number, step.game.dealer) == (number, dealer)
                assert step.game.table == table
                assert step.hands == ((), ())
            case Placed(seat, mat):
                turns = rounds[mat // 2].turns
                assert any(
                    t.seat == seat and getattr(t.move, "mat", None) == mat for t in turns
                )
                assert not rounds[mat // 2].resolutions
            case Passed():
                assert not rounds[-1].resolutions
            case RoundResolved(resolved):
                assert rounds[resolved.number - 1] == resolved
            case Kept(counts):
                assert tuple(map(len, step.game.hands)) == counts
            case _:
                pass


@pytest.mark.parametrize("game", GAMES)
def test_a_set_stays_on_the_table_until_the_next_one_is_laid(game):
    laid = TableLaid(0, 0, (), 0)
    for step in replayed(game).steps:
        if isinstance(step.event, TableLaid):
            laid = step.event
        assert (step.game.number, step.game.dealer) == (laid.number, laid.dealer)
        assert step.game.table == laid.table


@pytest.mark.parametrize("game", GAMES)
def test_slots_that_were_laid_are_no_longer_held(game):
    for step in replayed(game).steps:
        if isinstance(step.event, Placed | Passed):
            for seat in (0, 1):
                turns = [t for r in step.game.rounds for t in r.turns if t.seat == seat]
                laid = {t.move.slot for t in turns if hasattr(t.move, "slot")}
                assert not laid & step.game.hands[seat]
                assert len(laid) + len(step.game.hands[seat]) == 5


@pytest.mark.parametrize("game", GAMES)
def test_open_hands_are_the_hands_of_the_players(game):
    scene = played(game)
    held = {}
    for state in scene.states[2:]:
        if all(own_faces(p, state) for p in scene.players):
            held[state.game.state.number] = tuple(own_faces(p, state) for p in scene.players)
    for step in replayed(game).steps:
        if isinstance(step.event, HandsDealt):
            assert all(step.hands)
        if isinstance(step.event, Placed):
            assert step.hands == held[step.game.number]


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seats", [(), (0,), (1,), (0, 1)])
def test_view_shows_only_faces_within_its_knowledge(view, seats):
    """The other faces are replaced by others: not a cell of any screen may change."""
    replay = replayed("hoarding", seats)
    seen = {
        FIRST: (0,),
        SECOND: (1,),
        PUBLIC: (),
        BOTH: (0, 1),
    }[view]
    false = tuple(random.Random(1).sample(FACES, 5))

    def disguised(step):
        hands = [
            hand if seat in seen else (hand and false) for seat, hand in enumerate(step.hands)
        ]
        return replace(step, hands=(hands[0], hands[1]))

    other = replace(replay, steps=tuple(map(disguised, replay.steps)))
    assert list(frames(replay, view)) == list(frames(other, view))


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seats", [(), (0,), (1,), (0, 1)])
def test_each_card_on_a_screen_lies_open_or_is_of_a_hand_that_is_seen(view, seats):
    replay = replayed("racing", seats)
    may = {
        FIRST: {0},
        SECOND: {1},
        PUBLIC: set(),
        BOTH: {0, 1},
    }[view]
    for at, step in enumerate(replay.steps):
        known = set(step.game.table)
        for played_round in step.game.rounds:
            for resolution in played_round.resolutions:
                known |= {card for card in resolution.cards if card is not None}
        for seat in may & set(seats):
            known |= set(step.hands[seat])
        text = drawn(watch(replay, view, at))
        hidden = {face.name for face in FACES} - {face.name for face in known}
        assert not [name for name in hidden if f"!{name}" in text]


def test_closed_cards_of_the_file_are_in_no_view():
    for step in replayed("long", ()).steps:
        assert step.hands == ((), ())
    replay = replayed("long", (1,))
    assert opened(replay) == (False, True)
    assert {bool(step.hands[0]) for step in replay.steps} == {False}
    assert "cards are closed" in watch(replay, FIRST).scene().watched.position
    assert "not open" not in watch(replay, SECOND).scene().watched.position


def test_an_open_hand_is_told_and_shown():
    replay = replayed("short")
    told = [
        sentence for at in range(len(replay.steps)) for sentence in replay.sentences(at, BOTH)
    ]
    for name in replay.names:
        assert any(sentence.startswith(f"{name}'s hand: 1: ") for sentence in told)
    dealt = next(n for n, step in enumerate(replay.steps) if isinstance(step.event, HandsDealt))
    text = drawn(watch(replay, BOTH, dealt))
    for hand in replay.steps[dealt].hands:
        assert all(f"!{face.name}" in text for face in hand)


def test_kept_cards_are_named_where_they_are_seen():
    replay = replayed("hoarding")
    at = next(n for n, step in enumerate(replay.steps) if isinstance(step.event, Kept))
    assert all(": " in line for line in replay.sentences(at, BOTH))
    for line in replay.sentences(at, PUBLIC):
        assert line.startswith(("Mina keeps ", "Taro keeps "))
        assert line.endswith((" card.", " cards."))


@pytest.mark.slow
def test_replay_calls_no_player_you():
    for view in VIEWS:
        for text in frames(replayed("short"), view):
            assert " you " not in text.replace("in this view", "").lower()


def test_second_seat_is_drawn_in_front_in_its_own_view():
    replay = replayed("short")
    for view, front, back in (
        (FIRST, "Mina", "Taro"),
        (SECOND, "Taro", "Mina"),
    ):
        rows = drawn(watch(replay, view, 3)).split("\n")[:16]
        starts = [row[1:5] for row in rows if row[1:5] in ("Mina", "Taro")]
        assert starts == [back, front]


def test_a_resignation_is_the_last_step():
    replay = replayed("long", (), 30, 1)
    end = replay.steps[-1]
    assert isinstance(end.event, GameEnded)
    assert end.event.ended.winner == 0
    assert end.game.phase == end.event.ended
    assert replay.sentences(len(replay.steps) - 1, PUBLIC) == ["Mina wins: Taro conceded."]


def test_an_unfinished_game_stops_where_it_stopped():
    replay = replayed("long", (), 20)
    assert not isinstance(replay.steps[-1].event, GameEnded)


def test_before_the_first_table_there_are_no_steps():
    assert replayed("long", (), 2).steps == ()
    assert replayed("long", (), 2, 1).steps == ()


# Keys.


@cache
def start() -> MatchaPlace:
    return watch(replayed("hoarding"), BOTH)


def after(*keys: str, state: MatchaPlace | None = None) -> MatchaPlace:
    state = start() if state is None else state
    for key in keys:
        state = state.press(key)
    return state


def test_left_and_right_go_a_step_and_stop_at_the_ends():
    last = len(start().replay.steps) - 1
    assert after("right").at == after("enter").at == 1
    assert after("right", "right", "left").at == 1
    assert after("left").at == after("end", "home").at == 0
    assert after("end").at == after("end", "right").at == last


def test_n_goes_from_reveal_to_reveal():
    steps = start().replay.steps
    reveals = [n for n, step in enumerate(steps) if isinstance(step.event, RoundResolved)]
    found, state = [], start()
    for _ in reveals:
        state = state.press("n")
        found.append(state.at)
    assert found == reveals
    assert state.press("n").at == len(steps) - 1


def test_pages_go_from_round_to_round_and_back_again():
    there, state = [0], start()
    while state.at < len(state.replay.steps) - 1:
        state = state.press("pagedown")
        there.append(state.at)
    tables = [n for n, s in enumerate(state.replay.steps) if isinstance(s.event, TableLaid)]
    assert set(tables) <= set(there)
    back = [state.at]
    while state.at:
        state = state.press("pageup")
        back.append(state.at)
    assert back == there[::-1]


def test_v_goes_round_through_all_views():
    views = [after(*"v" * n).view for n in range(5)]
    assert set(views) == set(VIEWS)
    assert views[0] == views[4]


@pytest.mark.parametrize("key", ["q", "escape", "f10", "c-c"])
def test_leaving_keys_end_the_replay(key):
    assert after(key).focus == Gone()
    assert after(key, "right", "v", "f1") == after(key)


@pytest.mark.parametrize("key", ["f1", "?", "f2", "f4", "f5", "w"])
def test_a_page_opens_and_escape_closes_it_but_not_the_replay(key):
    opened = after("n", key)
    assert opened.at == after("n").at
    assert "Esc closes" in drawn(opened)
    assert after("escape", state=opened) == after("n")
    assert after("f10", state=opened).focus == Gone()


def test_listed_steps_end_at_the_shown_step():
    listed = drawn(after("n", "f4"), 80, 60)
    assert "Set 1." in listed
    assert "wins" not in listed
    assert "wins" in drawn(after("end", "f4"), 80, 60)


def test_why_tells_of_the_last_round_by_name():
    assert "No round is over" in drawn(after("w"))
    told = drawn(after("n", "w"))
    assert "Mat a shows" in told
    assert "your" not in told.lower()


@pytest.mark.slow
def test_random_keys_on_any_size_never_break_the_screen():
    rng = random.Random(7)
    state = start()
    for _ in range(400):
        key = rng.choice((*NAMED_KEYS, *"12abpnvvw?/ 茶"))
        columns, rows = rng.choice([(60, 16), (80, 24), (110, 40), (1, 1), (59, 15), (200, 10)])
        after_key = state.press(key)
        state = start() if after_key.focus == Gone() else after_key
        lines = draw(state.scene(), columns, rows, SYMBOLS)
        assert {fragment_list_width(line) for line in lines} == {columns}, key
        assert len(lines) == rows


def test_replay_steps_from_mistake_to_mistake_with_the_better_move_on_the_board(monkeypatch):
    def worse(decision):
        other = next(it for it in decision.observation.legal_moves() if it != decision.made)
        values = JudgedMove(other, 0.6, 0.0), JudgedMove(decision.made, 0.3, 0.0)
        return JudgedDecision(decision, Judgement(values, exact=False))

    monkeypatch.setattr(analyse, "judge", worse)
    found = tuple(page_mistakes(game_of("matcha"), reported("short", (0, 1), None)))
    place = replace(watch(replayed("short")), judging=MistakeSearch(found, done=True))
    for mistake in found[:3]:
        place = place.press("a")
        assert place.at == mistake.step
        scene, seen = place.scene(), place.mistake.board.decision.observation
        assert (scene.game, scene.seat, scene.hand) == (seen.game, seen.seat, seen.hand)
        assert scene.question.move == place.mistake.board.judgement.moves[0].move
        assert scene.made == place.mistake.board.decision.made
        assert scene.lesson == beside(place.mistake)
        assert "a next  A before" in drawn(place)
    assert place.press("A").at == found[1].step
    ours = page_mistakes(game_of("matcha"), reported("short", (0, 1), None), seat=SEATS[0])
    named = {it.told().name for it in found}
    assert {it.told().name for it in ours} == {"", *named} - {replayed("short").names[0]}


SHOWN = {
    "replay_both": lambda: watch(replayed("hoarding"), BOTH, 9),
    "replay_public": lambda: watch(replayed("racing"), PUBLIC, 12),
    "replay_end": lambda: after("end", state=watch(replayed("short", (1,)), SECOND)),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 16), (110, 40)])
def test_each_screen_looks_as_reviewed(name, columns, rows):
    path = SCREENS / f"{name}-{columns}x{rows}.txt"
    text = drawn(SHOWN[name](), columns, rows, SYMBOLS)
    text = "\n".join(line.rstrip() for line in text.split("\n")) + "\n"
    assert_as_reviewed(path, text)


def test_the_own_hand_is_seen_with_the_key_that_was_kept_and_with_no_other():
    scene = played("short")
    archive = encode_archive([entry.encoded for entry in scene.log], [], scene.state.roster)
    report = verified_transcript(archive)
    for seat in SEATS:
        key = scene.players[seat].x
        replay = replay_of(report, (seat, key))
        assert opened(replay) == (seat == 0, seat == 1)
        dealt = replay.steps[-1].hands
        assert len(dealt[seat]) == 5
        assert dealt[1 - seat] == ()
        for wrong in (key + 1, 0, ORDER + key):
            assert opened(replay_of(report, (seat, wrong))) == (False, False)


def test_player_looking_at_an_own_game_sits_in_front():
    for own in SEATS:
        views = viewpoints(2, own)
        for view in (views["both"], views["public"]):
            assert watch(replayed("short"), view, 3, own).scene().seat == own


def test_keys_lead_to_sets_and_to_decisions():
    state = watch(replayed("long"), SECOND)
    sets = [
        at for at, step in enumerate(state.replay.steps) if isinstance(step.event, TableLaid)
    ]
    there = [replace(state, at=at).press("s").at for at in sets[:-1]]
    assert there == sets[1:]
    assert [replace(state, at=at).press("S").at for at in sets[1:]] == sets[:-1]
    decided = state.press("d")
    assert state.replay.steps[decided.at].event.seat == 1
    assert decided.press("d").at > decided.at


def test_replay_plays_by_itself_until_a_key_or_the_end():
    view = JudgedView(SYMBOLS)
    place = start()
    state = position_at(place)
    state, _ = view.press(state, " ", 0.0)
    seen = []
    for tick in range(2000):
        state, _ = view.by(state, 0.5 * tick)
        seen.append(state.place.at)
        assert (view.status(state, 0.5 * tick).changes_in is None) is (state.due is None)
    last = len(place.replay.steps) - 1
    assert seen[-1] == last
    assert state.due is None
    assert sorted(set(seen)) == list(range(1, last + 1))
    again, _ = view.press(ReplayPosition(place, state.staged), " ", 0.0)
    stopped, _ = view.press(view.by(again, 0.0)[0], "left", 0.1)
    assert view.by(stopped, 99.0) == (stopped, None)


def test_list_of_steps_groups_by_set_and_round():
    listed = drawn(after("end", "f4"), 80, 400)
    said = [listed.index(words) for words in (
        "SET 1, ROUND 1", "Set 1.", "SET 1, ROUND 2", "Round 2 of 3.", "SET 1, ROUND 3",
        "Round 3 of 3.",
    )]  # fmt: skip
    assert said == sorted(said)


def live(end: int, position=POSITIONS[Visibility.LATER]) -> Live:
    """Return the first entries of a game, as they are watched live."""
    return Live(replayed("short", (), end), position)


def following(end: int) -> ReplayPosition:
    """Return who looks at the last step of a game that has come so far."""
    state = watch(live(end).replay, BOTH, 10_000)
    return position_at(state)


def test_watcher_of_a_live_game_sees_each_added_step():
    state, looking, now = following(9), JudgedView(SYMBOLS), 0.0
    seen = [state.place.at]
    state = state.grown(live(16), now)
    while not state.place.is_last or state.due is not None:
        now += 1.0
        state, _ = looking.by(state, now)
        seen.append(state.place.at)
    count = len(live(16).replay.steps)
    assert sorted(set(seen)) == list(range(seen[0], count))
    assert count > seen[0] + 2


def test_view_of_an_earlier_step_stays_while_a_live_game_goes_on():
    looking = JudgedView(SYMBOLS)
    state, _ = looking.press(following(9), "left", 0.0)
    place = state.place.at
    state, _ = looking.by(state.grown(live(16), 1.0), 9.0)
    assert state.place.at == place
    assert state.place.replay.steps == live(16).replay.steps
    state, _ = looking.press(state, "end", 10.0)
    assert state.grown(live(20), 11.0).due == 11.0  # and follows again


def test_a_stored_game_and_a_live_one_share_one_view():
    """All that differs is the line that says how it is watched, and the keys."""
    one = watch(replayed("short", (), 16), PUBLIC, 5)
    other = replace(one, live=POSITIONS[Visibility.LATER])
    stored, alive = drawn(one).splitlines(), drawn(other).splitlines()
    position, keys = [at for at, line in enumerate(stored) if line != alive[at]]
    assert "as an onlooker saw it" in stored[position]
    assert "You see each round when it is over" in alive[position]
    assert keys == len(stored) - 1  # a game that is still played is not judged


@pytest.mark.parametrize(
    "position",
    [
        *POSITIONS.values(),
        POSITION_AWAY,
        POSITION_OVER,
        POSITION_LEFT,
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_how_a_game_is_watched_fits_into_a_narrow_line(position, language):
    text = position.text_in(language).format(number=188, count=188)
    assert fragment_list_width([("", text)]) < 60


def test_late_watcher_of_a_live_game_skips_the_earlier_steps():
    state = following(9).grown(live(60), 0.0)
    assert state.place.is_last
    assert state.due is None


class Glass(DummyOutput):
    """An output that notes titles."""

    def __init__(self) -> None:
        self.titles: list[str] = []

    def set_title(self, title: str) -> None:
        self.titles.append(title)


async def test_a_screen_follows_a_live_game_until_it_is_closed():
    glass, ends = Glass(), [9, 16, 60]

    async def seen():
        while ends:
            yield reported("short", (), ends.pop(0)), POSITIONS[Visibility.AT_ONCE]
        keyboard.send_text("q")
        await trio.sleep_forever()

    with create_pipe_input() as keyboard, create_app_session(keyboard, glass):
        with trio.fail_after(20):
            await follow(game_of("matcha"), Look(SYMBOLS), seen())
    assert glass.titles == ["matcha: Mina, Taro"]
    assert not ends
