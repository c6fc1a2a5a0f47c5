"""Pages in a real browser: the shown games, the refusals, and attacks without effect."""

from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.app.library.check_files import check_file
from matcha_p2p.app.library.page import COMMON_SIZE
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.matcha.bots.valuation.values import Values
from matcha_p2p.games.matcha.replay.steps import replay_of
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.words import game_sentences
from matcha_p2p.games.matcha.words.page_sentences import page_texts
from matcha_p2p.language import LANGUAGES
from matcha_p2p.narration.page_sentences import index_texts
from matcha_p2p.review.page.build import IndexedGame, build_index
from matcha_p2p.review.steps import viewpoints
from tests.duel import chooser, next_entry, opened
from tests.review.page.browser import (
    FOR_AXE,
    LONG,
    assert_axe_finds_nothing_wrong,
    assert_board_fits,
    assert_plays_through,
    assert_shows_what_the_package_tells,
    game_of_bots,
    long_game,
    page_of,
    plain,
    sentences,
)
from tests.vectors import accepted, base, refused

pytestmark = pytest.mark.slow

FINISHED = "open-book-by-both.matcha"
SHORT = "resigned.matcha"


@pytest.mark.parametrize("golden", accepted(), ids=str)
def test_the_page_of_a_golden_transcript_shows_the_game_as_it_was(golden, show):
    tab = show(page_of(golden.data), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "good"
    assert_shows_what_the_package_tells(tab, golden.data)
    assert_plays_through(tab)


@pytest.mark.parametrize("number", range(20))
def test_page_of_a_game_of_bots_shows_the_game(number, show):
    data = game_of_bots(number)
    assert_shows_what_the_package_tells(show(page_of(data), locale="en-GB"), data)


@pytest.mark.parametrize("file", [FINISHED, SHORT, "nothing-said.matcha"])
def test_a_page_checks_its_game_and_asks_for_nothing_else(file, show):
    page = page_of(base(file))
    tab = show(page, locale="en-GB")
    assert tab.locator("#verdict").inner_text().startswith("Every move is checked.")
    assert_shows_what_the_package_tells(tab, base(file))
    assert set(tab.asked) == {"file", "blob"}
    assert tab.said == []
    assert len(page.encode()) < COMMON_SIZE


def test_the_largest_golden_game_fits_into_a_page():
    largest = max((golden.data for golden in accepted()), key=len)
    assert len(page_of(largest).encode()) < COMMON_SIZE


@pytest.mark.slow
def test_a_long_game_fits_into_a_page():
    data = long_game(0)
    assert check_file(data).sets == LONG
    assert len(page_of(data).encode()) < COMMON_SIZE


def test_chances_are_told_as_each_set_began_and_at_the_end(show):
    duel = opened("long 1")
    choosers = [chooser("greedy", f"1 {seat}") for seat in (0, 1)]
    begun = {}
    while (entry := next_entry(duel, choosers)) is not None:
        duel.say(entry)
        game = duel.table.game.state
        if isinstance(game.phase, Placing):
            begun.setdefault(game.number, (game.dealer, game.tokens))
    values = Values.of(game.edition)
    dealers = [values.chance(had[dealer], had[1 - dealer]) for dealer, had in begun.values()]
    first = [
        1 - value if dealer else value
        for value, (dealer, _) in zip(dealers, begun.values(), strict=True)
    ]
    ended = 1 - game.phase.winner
    told = ", ".join(str(round(100 * value)) for value in (*first, ended))
    tab = show(
        page_of(encode_archive([each.encoded for each in duel.entries], [], duel.state.roster))
    )
    assert f"Mina: {told};" in tab.get_attribute("#chances svg", "aria-label")
    assert tab.locator("#chances svg text").all_text_contents()[-4:] == ["1", "2", "3", "★"]
    assert tab.said == []


def test_page_of_a_hardly_begun_game_tells_no_chances(show):
    tab = show(page_of(base("nothing-said.matcha")))
    assert not tab.locator("#estimate").is_visible()
    assert tab.said == []


@pytest.mark.parametrize(
    ("file", "far", "near"),
    [("2015-five-kinds.matcha", 0, 5), ("2015-tie-break.matcha", 1, 5)],
)
def test_tokens_that_meet_a_condition_are_marked(file, far, near, show):
    tab = show(page_of(base(file)), step="99999")
    marked = [tab.locator(f".player.{side} .token.won").count() for side in ("far", "near")]
    assert marked == [far, near]


def test_keys_buttons_the_slider_and_the_lists_lead_to_the_same_steps(show):
    tab = show(page_of(base(FINISHED)), locale="en-GB")
    last = len(sentences(tab))
    for act, step in (
        (lambda: tab.keyboard.press("End"), last),
        (lambda: tab.click("#first"), 1),
        (lambda: tab.click("#forward"), 2),
        (lambda: tab.keyboard.press("Home"), 1),
        (lambda: tab.locator("#slider").fill("6"), 7),
        (tab.locator("#sets button.set").first.click, 1),
    ):
        act()
        assert tab.locator("#position").inner_text() == f"Step {step} of {last}"
    tab.keyboard.press("n")
    assert tab.locator("#whole li.here.round-resolved").count() == 1


def test_page_tells_the_reasons_of_the_last_round_card_by_card(show):
    tab = show(page_of(base(FINISHED)), locale="en-GB")
    assert tab.locator("#why p").all_inner_texts() == [game_sentences.WHY_NOTHING.english]
    tab.keyboard.press("n")
    reasons = [plain(line) for line in tab.locator("#why p").all_inner_texts()]
    replay = replay_of(verify_transcript(base(FINISHED)))
    at = next(at for at, step in enumerate(replay.steps) if step.game.rounds[0].resolutions)
    assert reasons == replay.why(at)
    assert reasons[-1] == game_sentences.WHY_KIND.english
    assert "are not checked" in tab.locator("#verdict").inner_text()


@pytest.mark.parametrize(
    ("step", "number"),
    [("2.5", 2), ("1e999", 35), ("-3", 1), ("NaN", 1), ("%00", 1), ("9" * 400, 35)],
)
def test_link_to_any_step_text_leads_to_a_step(step, number, show):
    tab = show(page_of(base(FINISHED)), locale="en-GB", step=step)
    assert tab.locator("#position").inner_text() == f"Step {number} of 35"
    assert tab.said == []


def test_played_it_goes_on_to_the_end_and_stops(show):
    tab = show(page_of(base(SHORT)), locale="en-GB", alone=True)
    last = len(sentences(tab))
    tab.clock.install()
    tab.click("#play")
    assert tab.get_attribute("#play", "aria-label") == "Stop playing"
    tab.clock.run_for(1700 * last)
    assert tab.locator("#position").inner_text() == f"Step {last} of {last}"
    assert tab.get_attribute("#play", "aria-label") == "Play step by step"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_speaks_each_language(language, show):
    tab = show(page_of(base(FINISHED)), locale="fr-FR")
    assert tab.get_attribute("html", "lang") == "en"
    tab.select_option("#language", language)
    texts = page_texts()[language]
    assert tab.get_attribute("html", "lang") == language
    assert tab.locator("#reveal").inner_text() == texts["NEXT_REVEAL"]
    assert all(sentences(tab))
    assert tab.said == []


def test_a_page_begins_in_the_language_of_the_browser(show):
    assert show(page_of(base(SHORT)), locale="uk-UA").get_attribute("html", "lang") == "uk"


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_stays_within_its_edges(language, show):
    tab = show(page_of(base(FINISHED)), locale=language, step=20)
    for width in (360, 800, 1280, 1920):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        controls = [each for each in tab.locator(".buttons button").all() if each.is_visible()]
        boxes = [control.bounding_box() for control in controls]
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_board_fits_the_window_and_nothing_covers_the_near_hand(language, show):
    tab = show(page_of(base(FINISHED)), locale=language)
    for size in ((1280, 900), (1280, 720), (1024, 768), (1920, 1080)):
        assert_board_fits(tab, size, ("End", "Home"))


def test_end_marks_the_winner_alone(show):
    tab = show(page_of(base(FINISHED)), step=99999)
    found = check_file(base(FINISHED))
    winner = found.names[found.result.ended.winner]
    assert tab.locator("#board .winner bdi").all_inner_texts() == [winner]
    tab.keyboard.press("Home")
    assert tab.locator("#board .winner").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_numbers_of_drawings_are_large_enough_to_read(width, show):
    tab = show(page_of(base(FINISHED)), viewport={"width": width, "height": 800})
    heights = [each.bounding_box()["height"] for each in tab.locator(".chart text").all()]
    assert min(heights) >= 11


def test_board_never_covers_the_words_beside_it(show):
    tab = show(page_of(base(FINISHED)), viewport={"width": 1280, "height": 800}, step=1)
    tab.evaluate("scrollTo(0, document.body.scrollHeight)")
    stage = tab.locator(".stage").bounding_box()
    for place in ("#verdict", ".side", "#check"):
        assert tab.locator(place).bounding_box()["x"] >= stage["x"] + stage["width"]


def test_phone_shows_the_whole_board_of_a_checked_game_at_once(show):
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    tab = show(page_of(base(FINISHED)), **phone)
    board, controls, verdict = (
        tab.locator(place).bounding_box() for place in ("#board", ".controls", "#verdict")
    )
    assert board["y"] + board["height"] <= controls["y"] < verdict["y"]
    broken = show(page_of(base(FINISHED)[:-1]), **phone)
    board, verdict = (broken.locator(place).bounding_box() for place in ("#board", "#verdict"))
    assert verdict["y"] < board["y"]


def test_axe_finds_nothing_wrong(show):
    tab = show(page_of(base(FINISHED)), step=20, **FOR_AXE)
    tab.click("#all summary")
    assert_axe_finds_nothing_wrong(tab)


def test_the_transcript_can_be_taken_out(show):
    tab = show(page_of(base(FINISHED)), accept_downloads=True)
    with tab.expect_download() as waited:
        tab.click("#save")
    assert Path(waited.value.path()).read_bytes() == base(FINISHED)
    assert waited.value.suggested_filename.endswith(".matcha")


@pytest.mark.parametrize("place", [100, 3000, -100])
def test_a_changed_byte_of_the_transcript_is_found(place, show):
    data = bytearray(base(SHORT))
    data[place] ^= 1
    failure = verify_transcript(bytes(data)).failure
    tab = show(page_of(bytes(data)), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "bad"
    text = tab.locator("#verdict").inner_text()
    assert f"Item {failure.entry} breaks the check {failure.check.value}:" in text
    assert "valid so far" in text


REFUSED = {bad.name: bad for bad in refused()}
HALF_WAY = (
    "E_STATE: the right action, another st",
    "E_GRAMMAR: an automatic action left out after a pass",
    "E_GRAMMAR: two cards laid in one message",
    "E_GRAMMAR: cards opened twice in a message",
)


@pytest.mark.parametrize("name", HALF_WAY)
def test_refused_entry_is_not_drawn(name, show):
    """The page draws no action of the refused entry, even an action before the broken rule."""
    data = REFUSED[name].data
    tab = show(page_of(data), locale="en-GB")
    assert tab.get_attribute("#verdict", "class") == "bad"
    replay = replay_of(verify_transcript(data))
    told = [
        " ".join(replay.sentences(at, viewpoints(2)["public"]))
        for at in range(len(replay.steps))
    ]
    assert sentences(tab) == told


@pytest.mark.parametrize(
    "old", ["const VERIFIER", "const SENTENCES", "drawVerdict", '"rows":[[']
)
def test_a_changed_byte_of_the_script_keeps_it_from_running(old, show):
    page = page_of(base(SHORT))
    changed = page.replace(old, old.swapcase(), 1)
    assert changed != page
    tab = show(changed, waits=False)
    assert tab.locator("#unchecked").inner_text().startswith("This page has not checked")
    assert not tab.locator("#page").is_visible()
    assert any("Content Security Policy" in line for line in tab.said)


NAMES = (
    "</script><svg/onload=a>",
    "<img src=x onerror=a()>",
    "{name} ${1} 'x' &lt;",
    "א" * 24,
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_text_and_nothing_else(name, show):
    duel = opened("names on a page", names=(name, "Mina"))
    tab = show(
        page_of(
            encode_archive([entry.encoded for entry in duel.entries], [], duel.state.roster)
        )
    )
    assert tab.locator("#names bdi").first.text_content() == name
    assert tab.get_attribute("#verdict", "class") == "good"
    assert tab.locator("img, svg[onload], script[src]").count() == 0
    assert tab.said == []


def test_a_transcript_that_is_markup_is_carried_as_letters():
    page = page_of(b"</script><script>alert(1)</script>")
    assert page.count("<script") == page.count("</script>") == 2
    assert "<!--" not in page.partition("<script>")[2]


def test_page_runs_only_its_own_script(show):
    added = page_of(base(SHORT)).replace("</footer>", "</footer><script>alert(1)</script>")
    tab = show(added.replace("<main>", '<main><img src="x" onerror="alert(2)">'))
    assert not any("a dialog" in line for line in tab.said)
    assert any("Content Security Policy" in line for line in tab.said)


def test_a_page_can_be_printed_whole(show):
    tab = show(page_of(base(FINISHED)), locale="en-GB")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    tab.emulate_media(media="print")
    assert tab.locator("#whole").is_visible()
    assert not tab.locator(".controls").is_visible()
    assert tab.locator("#verdict").is_visible()
    assert tab.locator("#board .mat").count() == 6


def game(number: int, names: tuple[str, ...], *winners: int, **other) -> IndexedGame:
    given: dict[str, Any] = {
        "game": "Matcha", "edition": "2015", "sets": 2, "valid": True, "over": True
    } | other  # fmt: skip
    date = f"2026-01-{number:02}"
    return IndexedGame(f"{number}.html", date, names, winners=winners, **given)


LISTED = [
    game(5, ("Mina", "</script><svg/onload=a>"), over=False),
    game(4, ("Mina", "Ash"), 1, edition="2020"),
    game(3, ("Ash", "Mina")),
    game(2, (), valid=False, over=False, edition=None),
    game(1, ("Mina", "Taro"), 0),
]


def index_of(games: list[IndexedGame]) -> str:
    return build_index(games, index_texts(), LANGUAGES)


def rows(tab, place: str) -> list[str]:
    return [
        plain(" ".join(row.split())) for row in tab.locator(f"{place} tr").all_inner_texts()
    ]


def test_an_index_lists_filters_and_counts(show):
    tab = show(index_of(LISTED), waits=False, locale="en-GB")
    assert len(rows(tab, "#games")) == 5
    assert rows(tab, "#scores") == ["Ash 1 0 1", "Mina 1 1 1", "Taro 0 1 0"]
    assert tab.locator("#games a").first.get_attribute("href") == "5.html"
    tab.select_option("#player", "Ash")
    assert rows(tab, "#games") == [
        "2026-01-04 Mina · Ash Matcha 2020 2 Ash won",
        "2026-01-03 Ash · Mina Matcha 2015 2 drawn",
    ]
    tab.select_option("#edition", "Matcha 2020")
    assert tab.locator("#count").inner_text() == "1 game is listed."
    tab.select_option("#result", "NOT_VALID")
    assert rows(tab, "#games") == []
    assert tab.said == []
    assert set(tab.asked) == {"file"}


def test_index_on_a_phone_has_a_line_for_the_players_of_each_game(show):
    size = {"width": 390, "height": 844}
    tab = show(index_of(LISTED), waits=False, viewport=size, locale="en-GB", has_touch=True)
    date, link, _, _, result = tab.locator("#games tr").nth(1).locator("td").all()
    tops = [each.bounding_box()["y"] for each in (date, link, result)]
    assert tops == sorted(set(tops))
    assert link.bounding_box()["width"] > 300


def test_index_lists_games_of_all_kinds_and_counts_for_each_winner(show):
    four = ("Mina", "Ash", "Taro", "Bea")
    tichu = {"game": "Tichu", "edition": "300"}
    games = [
        game(2, four, 0, 2, **tichu),
        game(1, four[:3], 1, game="Kashi-ichi"),
        *LISTED[1:2],
    ]
    tab = show(index_of(games), waits=False, locale="en-GB")
    assert rows(tab, "#games")[0] == (
        "2026-01-02 Mina · Ash · Taro · Bea Tichu 300 2 Mina, Taro have won"
    )
    assert rows(tab, "#scores") == ["Ash 2 1 0", "Taro 1 1 0", "Mina 1 2 0", "Bea 0 1 0"]
    editions = tab.locator("#edition option").evaluate_all(
        "all => all.map((each) => each.value)"
    )
    assert editions == ["", "Kashi-ichi 2015", "Matcha 2020", "Tichu 300"]
    tab.select_option("#edition", "Tichu 300")
    assert len(rows(tab, "#games")) == 1
    assert tab.said == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_wrong_in_an_index(language, show):
    size = {"width": 360, "height": 800}
    tab = show(index_of(LISTED), waits=False, viewport=size, **FOR_AXE | {"locale": language})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    assert_axe_finds_nothing_wrong(tab, widths=(360,))
