"""Pages of games that matcha_p2p tells: the told steps, the drawn cards, and no more."""

import base64
from functools import cache

import pytest

from matcha_p2p.app.library import page as library_page
from matcha_p2p.games.kashi.replay import steps as kashi_steps
from matcha_p2p.games.kashi.rules.moves import Go
from matcha_p2p.games.kashi.table.events import Started, TurnTaken
from matcha_p2p.games.tichu.replay import steps as tichu_steps
from matcha_p2p.games.tichu.review.rounds import played_rounds
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.table.events import RoundBegun, TrickTaken
from matcha_p2p.games.tichu.table.view import game_of
from matcha_p2p.games.tichu.words.card_words import MARKS, card_text
from matcha_p2p.language import LANGUAGES, speak, spoken
from matcha_p2p.review.told import OPEN, told_game
from matcha_p2p.table.seat import Offer
from tests.duel import greetings_of
from tests.games.tichu.party import course, until
from tests.games.tichu.review.test_export import transcript
from tests.review.exporting import told_steps
from tests.review.page.browser import (
    FOR_AXE,
    assert_axe_finds_nothing_wrong,
    assert_board_fits,
    assert_plays_through,
    made_page,
    page_of,
    plain,
    sentences,
    verified,
)
from tests.table import party as table_party
from tests.vectors import FOLDER, base, of_tichu

pytestmark = pytest.mark.slow


@cache
def part_way() -> int:
    """Return how many entries the game has when a card lies on others in the middle of it."""
    played = course(1)
    return next(
        entries
        for entries, table in enumerate(played.tables, start=4)
        if entries > len(played.party.entries) / 2 and len(game_of(table).round.pile) > 1
    )


def step_of_cards() -> int:
    """Return the step of the game after which cards lie on the table."""
    return len(told(tichu(part_way()), OPEN))


def tichu(end: int | None = None, opened: tuple[int, ...] = ()) -> bytes:
    return transcript(course(1), end, opened)


def told(data: bytes, look: str) -> list[str]:
    report = verified(data)
    steps = told_steps(report)
    return [plain(" ".join(step.said.get(look, step.said[OPEN]))) for step in steps]


def tiles(tab, place: str) -> list[str]:
    found = tab.locator(f"{place} .tile").all()
    return sorted(str(tile.get_attribute("aria-label") or "closed") for tile in found)


@pytest.mark.parametrize("file", [f for f in of_tichu() if f.expected.check is None], ids=str)
def test_page_of_a_golden_transcript_tells_every_step_in_each_look(file, show):
    tab = show(page_of(file.data), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "good"
    looks = tab.locator("#view option").evaluate_all("all => all.map((each) => each.value)")
    for look in looks:
        tab.select_option("#view", look)
        assert sentences(tab) == told(file.data, look)
    assert_plays_through(tab)
    assert set(tab.asked) == {"file", "blob"}


SUITS = MARKS.english.split()[:4]
SIDES = ("near", "right", "far", "left")
DRAWN = """places => places.map(place => [...document.querySelectorAll(`${place} .tile`)].map(
    tile => tile.getAttribute("aria-label") ?? "closed").sort())"""


def expected_tiles(data: bytes):
    """Yield the cards of each hand and of the trick, by step, as the replay has them."""
    pile: list[int] = []
    for step in tichu_steps.replay_of(verified(data)).steps:
        match step.event:
            case Laid():
                pile += step.event.cards
            case TrickTaken() | RoundBegun():
                pile.clear()
        counted = step.game.counted
        state = counted.round if step.game.number > step.game.number else step.game.round
        open_hands = step.hands if state.leader is not None else tichu_steps.NO_HANDS
        yield [
            *(
                sorted(card_text(hand[place]) if hand else "closed" for place in held)
                for hand, held in zip(open_hands, state.held, strict=True)
            ),
            sorted(map(card_text, pile)),
        ]


TWO_ROUNDS = "both teams end with 0 points, so another round begins"


@pytest.mark.parametrize("rounds", ["one", "two"])
def test_tichu_board_shows_the_cards_of_each_step(rounds, show):
    (two,) = (file.data for file in of_tichu() if TWO_ROUNDS in file.name)
    data = tichu() if rounds == "one" else two
    tab = show(page_of(data), locale="en-GB")
    places = [*(f".player.{side}" for side in SIDES), ".trick"]
    for tiles_of_step in expected_tiles(data):
        assert tab.evaluate(DRAWN, places) == tiles_of_step
        tab.keyboard.press("ArrowRight")


def test_points_of_a_counted_round_stand_beside_the_board(show):
    tab = show(page_of(tichu()), locale="en-GB")
    first, second = tichu_steps.replay_of(verified(tichu())).steps[-1].game.totals
    expected = [f"Round 1\t{first} ({first})\t{second} ({second})"]
    assert tab.locator("#chart tbody tr").all_inner_texts() == expected


def test_seat_that_looks_sits_near_and_sees_its_own_hand_alone(show):
    tab = show(page_of(tichu()), locale="en-GB", step=step_of_cards())
    tab.select_option("#view", "2")
    assert tab.locator(".player.near .who").inner_text() == "seat 2"
    assert "closed" not in tiles(tab, ".player.near")
    for side in ("right", "far", "left"):
        assert set(tiles(tab, f".player.{side}")) == {"closed"}


def test_end_of_tichu_shows_the_totals_and_marks_the_winners(show):
    tab = show(page_of(tichu()), locale="en-GB", step=99999)
    totals = tichu_steps.replay_of(verified(tichu())).steps[-1].game.totals
    teams = ("seat 0, seat 2", "seat 1, seat 3")
    shown = [plain(text) for text in tab.locator(".trick .total").all_inner_texts()]
    assert shown == [f"{team}: {total}" for team, total in zip(teams, totals, strict=True)]
    won = tab.locator(".player.winner .who").all_inner_texts()
    assert sorted(won) == teams[totals[1] > totals[0]].split(", ")


def test_hands_of_a_round_in_play_stay_closed(show):
    tab = show(page_of(tichu(part_way())), locale="en-GB", step=99999)
    assert set(tiles(tab, ".player")) == {"closed"}
    assert tiles(tab, ".trick") != []
    assert tab.locator("#view option").first.get_attribute("value") == "public"


def test_page_of_tichu_says_what_the_marks_of_its_cards_mean(show):
    tab = show(page_of(tichu()), locale="en-GB")
    (note,) = tab.locator("#chart .note").all_inner_texts()
    assert all(mark in note for mark in MARKS.english.split() if mark != "Dog")


def test_suit_of_a_card_is_a_picture_and_its_sign_is_a_label(show):
    tab = show(page_of(tichu()), locale="en-GB", step=3)
    drawn: dict[str, set[str]] = {}
    for tile in tab.locator("#board .tile").all():
        label = str(tile.get_attribute("aria-label"))
        signs = tile.locator("path").evaluate_all("all => all.map((it) => it.outerHTML)")
        suit = label[-1] if label[-1] in SUITS else ""
        rank = label.removesuffix(suit)
        drawn.setdefault(suit, set()).update(signs)
        assert tile.inner_text().strip() == rank
    assert drawn.pop("") == set()
    assert [len(signs) for signs in drawn.values()] == [1] * 4
    assert len(set.union(*drawn.values())) == 4


def test_points_in_tricks_are_called_points(show):
    tab = show(page_of(tichu()), locale="en-GB", step=step_of_cards())
    facts = tab.locator("#board .facts").all_inner_texts()
    assert all("trick points: " in each for each in facts)


def test_gifts_are_shown_at_the_first_lead_if_all_books_are_open(show):
    data = tichu(opened=(0, 1, 2, 3))
    tab = show(page_of(data), locale="en-GB", step=2)
    gifts = played_rounds(verified(data))[0].gifts
    expected = []
    for seat, faces in enumerate(gifts):
        got = [
            f"{card_text(it)} to seat {(seat + on) % 4}" for on, it in enumerate(faces, start=1)
        ]
        expected.append(f"seat {seat} gave {got[0]}, {got[1]} and {got[2]}.")
    for look, lines in (
        ("open", expected),
        ("2", expected[2:3]),
        ("public", ["Nothing lies here."]),
    ):
        tab.select_option("#view", look)
        told = tab.locator(".trick .total").all_inner_texts()
        assert [plain(line) for line in told] == lines


def test_next_goal_is_the_end_of_a_trick(show):
    tab = show(page_of(tichu()), locale="en-GB")
    tab.click("#reveal")
    assert tab.locator("#whole li.here.trick-taken").count() == 1


def test_step_of_a_refused_entry_is_not_shown(show):
    broken = bytearray(tichu(part_way()))
    broken[-1] ^= 1
    tab = show(page_of(bytes(broken)), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "bad"
    assert sentences(tab) == told(tichu(part_way() - 1), "public")


def test_page_whose_verifier_stops_earlier_shows_the_verified_steps_alone(show):
    """The told steps of a page are shown as far as the page's own verifier comes."""
    before, _, rest = page_of(tichu()).partition('id="transcript">')
    script = rest.partition("</script>")[2]
    short = base64.b64encode(tichu(part_way())).decode()
    tab = show(f'{before}id="transcript">{short}</script>{script}', locale="en-GB")
    assert sentences(tab) == told(tichu(), "public")[: step_of_cards()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tichu_board_fits_the_window_and_nothing_covers_the_near_hand(language, show):
    tab = show(page_of(tichu()), locale=language, step=3)
    for size in ((1280, 720), (1024, 768), (1920, 1080)):
        assert_board_fits(tab, size, ("End", "Home", "n"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_tichu_page_stays_within_its_edges_in_each_language(language, show):
    tab = show(page_of(tichu()), locale=language, step=step_of_cards())
    for width in (360, 800, 1280):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    before = spoken()
    speak(language)
    assert sentences(tab) == told(tichu(), OPEN)
    speak(before)


def test_axe_finds_nothing_wrong_in_a_page_of_tichu(show):
    tab = show(page_of(tichu()), step=step_of_cards(), **FOR_AXE)
    tab.click("#all summary")
    assert_axe_finds_nothing_wrong(tab)


NAMES = ("</script><svg/onload=a>", "<img src=x onerror=a()>", "{name} ${1} 'x' &lt;", "א" * 24)


def test_names_of_players_are_text_and_nothing_else(show, monkeypatch):
    monkeypatch.setattr(
        table_party, "Offer", lambda game, name: Offer(game, NAMES[int(name[-1])])
    )
    monkeypatch.setattr(
        table_party,
        "greetings_of",
        lambda seed, game, _, find: greetings_of(seed, game, NAMES, find),
    )
    party = until("names", lambda table: bool(table.game.round.pile))
    tab = show(page_of(party.file()), step=99999)
    assert tuple(tab.locator("#names bdi").all_text_contents()) == NAMES
    assert tuple(sorted(tab.locator("#board .who bdi").all_text_contents())) == tuple(
        sorted(NAMES)
    )
    assert any(name in line for name in NAMES for line in sentences(tab))
    assert tab.locator("img, svg[onload], script[src]").count() == 0
    assert tab.said == []


def kashi(file: str) -> bytes:
    return (FOLDER / "kashi" / file).read_bytes()


@pytest.mark.parametrize("file", ["three.matcha", "other-board.matcha", "resigned.matcha"])
def test_page_of_kashi_tells_every_step(file, show):
    tab = show(page_of(kashi(file)), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "good"
    assert sentences(tab) == told(kashi(file), OPEN)
    assert_plays_through(tab)
    assert set(tab.asked) == {"file", "blob"}


def test_kashi_board_shows_people_shops_and_the_way_of_a_move(show):
    data = kashi("three.matcha")
    steps = kashi_steps.replay_of(verified(data)).steps
    tab = show(page_of(data), locale="en-GB")
    assert tab.locator("#board .cell").count() == 49
    before = None
    for step in steps[:60]:
        keepers = step.game.players
        people = [keeper for keeper in keepers if keeper.person is not None]
        assert tab.locator("#board .cell .person").count() == len(people)
        assert tab.locator("#board .cell.lit").count() == len(way_of(step.event, before))
        rows = tab.locator("#chart tbody tr").all_inner_texts()
        assert [row.split("\t")[1] for row in rows] == [str(each.points) for each in keepers]
        tab.keyboard.press("ArrowRight")
        before = step.game


def test_kashi_squares_have_the_places_that_the_sentences_tell(show):
    tab = show(page_of(kashi("three.matcha")), locale="en-GB")
    places = tab.locator("#board .cell .at").all_inner_texts()
    assert places == [f"{row},{column}" for row in range(1, 8) for column in range(1, 8)]


CUT = """() => [...document.querySelectorAll("#board .cell")].some(
    (cell) => cell.scrollHeight > cell.clientHeight + 1)"""


@pytest.mark.parametrize("height", [640, 844])
def test_people_and_shops_of_each_square_are_whole_on_a_phone(height, show):
    size = {"width": 360, "height": height}
    tab = show(page_of(kashi("four.matcha")), viewport=size, locale="en-GB", is_mobile=True)
    for _ in sentences(tab):
        assert not tab.evaluate(CUT)
        tab.keyboard.press("ArrowRight")


def test_end_of_kashi_begins_with_the_winner(show):
    data = kashi("four.matcha")
    (winner,) = kashi_steps.replay_of(verified(data)).steps[-1].event.winners
    tab = show(page_of(data), locale="en-GB", step=99999)
    caption = [plain(text) for text in tab.locator("#caption p").all_inner_texts()]
    assert caption[0] == f"seat {winner} wins."
    assert len(caption) == 5
    assert tab.locator("#board .winner bdi").all_inner_texts() == [f"seat {winner}"]


def test_names_on_a_kashi_board_are_whole_on_a_phone(show):
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    tab = show(page_of(kashi("four.matcha")), locale="en-GB", **phone)
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    assert tab.locator("#board .cell").evaluate_all(cut) == 0


def way_of(event, before) -> set[int]:
    match event:
        case Started(square=square):
            return {square}
        case TurnTaken(seat, actions):
            squares = [action.square for action in actions if isinstance(action, Go)]
            return {before.players[seat].person, *squares}
    return set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_kashi_board_fits_the_window_in_each_language(language, show):
    size = {"width": 1280, "height": 720}
    tab = show(page_of(kashi("four.matcha")), viewport=size, locale=language, step=60)
    board, controls = (tab.locator(place).bounding_box() for place in ("#board", ".controls"))
    assert board["y"] + board["height"] <= controls["y"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_axe_finds_nothing_wrong_in_a_page_of_kashi(show):
    tab = show(page_of(kashi("four.matcha")), step=60, **FOR_AXE)
    assert_axe_finds_nothing_wrong(tab)


def event_of(steps, kind: str) -> dict:
    return next(step["event"] for step in steps if step["event"]["kind"] == kind)


def another_seat(kind: str, sum_of_seats: int = 3):
    return lambda steps: event_of(steps, kind).update(
        seat=sum_of_seats - event_of(steps, kind)["seat"]
    )


def another_kind(kind: str, new: str):
    return lambda steps: event_of(steps, kind).update(kind=new)


def told_twice(kind: str):
    return lambda steps: steps.insert(place_of(steps, kind), steps[place_of(steps, kind)])


def place_of(steps, kind: str) -> int:
    return [step["event"]["kind"] for step in steps].index(kind)


def left_out(kind: str):
    return lambda steps: steps.pop(place_of(steps, kind))


def too_early(steps) -> None:
    next(step for step in steps if step["event"]["kind"] == "laid")["entries"] -= 8


def gift_of_another(steps) -> None:
    gifts = event_of(steps, "mah-jong-shown")["gifts"]
    event_of(steps, "mah-jong-shown")["gifts"] = (*gifts[1:], gifts[0])


TICHU_CHANGES = {
    "seat of a play": another_seat("laid"),
    "play left out": left_out("laid"),
    "play before its entry": too_early,
    "seat of the first lead": another_seat("mah-jong-shown"),
    "seat of a pass": another_seat("turn-passed"),
    "seat of a taken trick": another_seat("trick-taken"),
    "a seat that goes out twice": told_twice("went-out"),
    "a call told twice": told_twice("called"),
    "a seat at the end": lambda steps: event_of(steps, "game-ended").update(seat=0),
    "a round that is not counted": another_kind("trick-taken", "round-counted"),
    "a call of nobody": another_kind("turn-passed", "called"),
    "an end in the middle": another_kind("turn-passed", "game-ended"),
    "a round that has not begun": lambda steps: steps[9]["event"].update(round=2),
    "a seat that goes out early": another_kind("turn-passed", "went-out"),
    "gifts that nobody holds": gift_of_another,
}
KASHI_CHANGES = {
    "seat of a turn": another_seat("turn-taken"),
    "seat of the first turn": another_seat("first-drawn"),
    "seat of a payment": another_seat("upkeep-paid"),
    "a seat at new orders": lambda steps: event_of(steps, "orders-drawn").update(seat=0),
    "an end in the middle": another_kind("orders-drawn", "game-ended"),
    "a settlement that was none": another_kind("orders-drawn", "areas-settled"),
    "orders that nobody has drawn": another_kind("upkeep-paid", "orders-drawn"),
}
MATCHA_CHANGES = {
    "seat of a card": another_seat("placed", 1),
    "seat of a pass": another_seat("passed", 1),
    "a card left out": left_out("placed"),
    "an end left out": left_out("game-ended"),
    "a card told twice": told_twice("placed"),
    "a pass told as a card": another_kind("passed", "placed"),
    "an end in the middle": another_kind("round-resolved", "game-ended"),
}
CHANGES = {"matcha": MATCHA_CHANGES, "tichu": TICHU_CHANGES, "kashi": KASHI_CHANGES}


@pytest.mark.parametrize(
    ("game", "change"), [(game, name) for game, changes in CHANGES.items() for name in changes]
)
def test_page_that_tells_another_game_draws_nothing_and_says_so(
    game, change, show, monkeypatch
):
    def told(steps):
        made = told_game(steps)
        CHANGES[game][change](made["steps"])
        return made

    monkeypatch.setattr(library_page.review_told, "told_game", told)
    data = {
        "matcha": lambda: base("open-book-by-both.matcha"),
        "tichu": lambda: transcript(course(2), opened=(0, 1, 2, 3)),
        "kashi": lambda: kashi("three.matcha"),
    }
    tab = show(made_page(data[game]()), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "bad"
    assert tab.locator("#verdict").inner_text().startswith("This page is false: its step ")
    tab.keyboard.press("ArrowRight")
    assert not tab.locator("#game").is_visible()
    assert tab.locator("#board > *").count() == 0
    assert tab.said == []


def test_page_names_the_winners_that_it_has_found_and_what_it_has_not_checked(show):
    tab = show(page_of(kashi("four.matcha")), locale="en-GB")
    verdict = plain(tab.locator("#verdict").inner_text())
    game = kashi_steps.replay_of(verified(kashi("four.matcha"))).steps[-1]
    names = [tab.locator("#names bdi").all_inner_texts()[seat] for seat in game.event.winners]
    word = "Winner" if len(names) == 1 else "Winners"
    assert f"{word}: {', '.join(names)}." in verdict
    assert "are not checked" in verdict


@pytest.mark.parametrize(("game", "most"), [("kashi", 250_000), ("tichu", 312_000)])
def test_page_of_a_usual_game_is_small(game, most):
    data = kashi("four.matcha") if game == "kashi" else tichu()
    assert len(page_of(data).encode()) < most
