"""Pages of games that matcha_p2p tells: the told steps, the drawn cards, and no more."""

import base64
from pathlib import Path

import pytest

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games import part
from matcha_p2p.games.tichu.replay.page_steps import page_steps
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.language import LANGUAGES, speak, spoken
from matcha_p2p.review.told import OPEN
from matcha_p2p.table.seat import Offer
from tests.games.tichu.party import course, until
from tests.games.tichu.review.test_export import transcript
from tests.review.page.browser import assert_plays_through, page_of, plain, sentences
from tests.table import party as table_party
from tests.vectors import FOLDER, of_tichu

pytestmark = pytest.mark.slow

WHOLE = 378
PART = 200
LAID = 30
"""A step at which cards lie on the table."""


def tichu(end: int = WHOLE, opened: tuple[int, ...] = ()) -> bytes:
    return transcript(course(1), end, opened)


def told(data: bytes, look: str) -> list[str]:
    report = verify_transcript(data)
    steps = part(report.game, "replay.page_steps").page_steps(report)
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


def test_tichu_board_shows_the_cards_of_each_step(show):
    tab = show(page_of(tichu()), locale="en-GB")
    steps = page_steps(verify_transcript(tichu()))
    for step in steps:
        for seat, side in enumerate(("near", "right", "far", "left")):
            hand, count = step.state["hands"][seat], step.state["counts"][seat]
            shown = ["closed"] * count if hand is None else sorted(TEXTS[face] for face in hand)
            assert tiles(tab, f".player.{side}") == shown
        assert tiles(tab, ".trick") == sorted(TEXTS[face] for face in step.state["pile"])
        tab.keyboard.press("ArrowRight")
    assert tab.locator("#chart tbody tr").all_inner_texts() == ["Round 1\t90 (90)\t10 (10)"]


def test_seat_that_looks_sits_near_and_sees_its_own_hand_alone(show):
    tab = show(page_of(tichu()), locale="en-GB", step=LAID)
    tab.select_option("#view", "2")
    assert tab.locator(".player.near .who").inner_text() == "seat 2"
    assert "closed" not in tiles(tab, ".player.near")
    for side in ("right", "far", "left"):
        assert set(tiles(tab, f".player.{side}")) == {"closed"}


def test_hands_of_a_round_in_play_stay_closed_and_are_not_in_the_page(show):
    page = page_of(tichu(PART))
    assert '"hands":[[' not in page
    tab = show(page, locale="en-GB", step=99999)
    assert set(tiles(tab, ".player")) == {"closed"}
    assert tiles(tab, ".trick") != []
    assert tab.locator("#view option").first.get_attribute("value") == "public"


def test_gifts_are_shown_at_the_first_lead_if_all_books_are_open(show):
    data = tichu(opened=(0, 1, 2, 3))
    tab = show(page_of(data), locale="en-GB", step=2)
    assert tab.locator(".facts", has_text="gave").count() == 4
    tab.select_option("#view", "public")
    assert tab.locator(".facts", has_text="gave").count() == 0


def test_next_goal_is_the_end_of_a_trick(show):
    tab = show(page_of(tichu()), locale="en-GB")
    tab.click("#reveal")
    assert tab.locator("#whole li.here.taken").count() == 1


def test_step_of_a_refused_entry_is_not_shown(show):
    entries = [entry.encoded for entry in course(1).party.entries[:PART]]
    broken = bytearray(encode_archive(entries, []))
    broken[-1] ^= 1
    tab = show(page_of(bytes(broken)), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "bad"
    assert sentences(tab) == told(tichu(PART - 1), "public")


def test_page_whose_verifier_stops_earlier_shows_the_verified_steps_alone(show):
    """The told steps of a page are shown as far as the page's own verifier comes."""
    before, _, rest = page_of(tichu()).partition('id="transcript">')
    script = rest.partition("</script>")[2]
    short = base64.b64encode(tichu(PART)).decode()
    tab = show(f'{before}id="transcript">{short}</script>{script}', locale="en-GB")
    assert sentences(tab) == told(tichu(), OPEN)[: len(told(tichu(PART), OPEN))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (1920, 1080)])
def test_tichu_board_fits_the_window_and_nothing_covers_the_near_hand(size, language, show):
    viewport = dict(zip(("width", "height"), size, strict=True))
    tab = show(page_of(tichu()), viewport=viewport, locale=language, step=3)
    for scrolled in (0, 60, 300):
        for key in ("End", "Home", "n"):
            tab.keyboard.press(key)
            tab.evaluate(f"scrollTo(0, {scrolled})")
            board, near, controls = (
                tab.locator(place).bounding_box()
                for place in ("#board", ".player.near", ".controls")
            )
            assert board["y"] >= 0
            assert near["y"] + near["height"] <= controls["y"]
            assert controls["y"] + controls["height"] <= size[1]


@pytest.mark.parametrize("width", [360, 800, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_tichu_page_stays_within_its_edges_in_each_language(width, language, show):
    viewport = {"width": width, "height": 900}
    tab = show(page_of(tichu()), viewport=viewport, locale=language, step=LAID)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    before = spoken()
    speak(language)
    assert sentences(tab) == told(tichu(), OPEN)
    speak(before)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_wrong_in_a_page_of_tichu(theme, width, show):
    axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    options = {"viewport": {"width": width, "height": 900}, "locale": "en-GB"}
    tab = show(page_of(tichu()), step=LAID, bypass_csp=True, reduced_motion="reduce", **options)
    tab.select_option("#theme", theme)
    tab.click("#all summary")
    tab.evaluate(Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    wrong = tab.evaluate("axe.run().then(({ violations }) => violations)")
    found = [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in wrong]
    assert found == []


NAMES = ("</script><svg/onload=a>", "<img src=x onerror=a()>", "{name} ${1} 'x' &lt;", "א" * 24)


def test_names_of_players_are_text_and_nothing_else(show, monkeypatch):
    monkeypatch.setattr(
        table_party, "Offer", lambda game, name: Offer(game, NAMES[int(name[-1])])
    )
    party = until("names", lambda table: bool(table.game.round.pile))
    data = encode_archive([entry.encoded for entry in party.entries], [])
    tab = show(page_of(data), step=99999)
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
    report = verify_transcript(data)
    steps = part("kashi", "replay.page_steps").page_steps(report)
    tab = show(page_of(data), locale="en-GB")
    assert tab.locator("#board .cell").count() == 49
    for step in steps[:60]:
        players = step.state["players"]
        people = [player for player in players if player["person"] is not None]
        markers = tab.locator("#board .cell .marker").all_inner_texts()
        assert len([text for text in markers if text.startswith("●")]) == len(people)
        assert tab.locator("#board .cell.lit").count() == len(set(step.state["way"]))
        rows = tab.locator("#chart tbody tr").all_inner_texts()
        assert [row.split("\t")[1] for row in rows] == [str(each["points"]) for each in players]
        tab.keyboard.press("ArrowRight")


@pytest.mark.parametrize("language", LANGUAGES)
def test_kashi_board_fits_the_window_in_each_language(language, show):
    size = {"width": 1280, "height": 720}
    tab = show(page_of(kashi("four.matcha")), viewport=size, locale=language, step=60)
    board, controls = (tab.locator(place).bounding_box() for place in ("#board", ".controls"))
    assert board["y"] + board["height"] <= controls["y"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_wrong_in_a_page_of_kashi(theme, width, show):
    axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    options = {"viewport": {"width": width, "height": 900}, "locale": "en-GB"}
    page = page_of(kashi("four.matcha"))
    tab = show(page, step=LAID, bypass_csp=True, reduced_motion="reduce", **options)
    tab.select_option("#theme", theme)
    tab.evaluate(Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    wrong = tab.evaluate("axe.run().then(({ violations }) => violations)")
    found = [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in wrong]
    assert found == []
