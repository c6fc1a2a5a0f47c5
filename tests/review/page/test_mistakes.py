"""A page steps from mistake to mistake, if matcha_p2p has judged the game."""

from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.library import page as library_page
from matcha_p2p.app.library import transcripts
from matcha_p2p.app.library.check_files import check_file
from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games import game_of
from matcha_p2p.games.matcha.replay import analyse
from matcha_p2p.games.matcha.replay.steps import replay_of
from matcha_p2p.games.matcha.review.analysis import JudgedDecision
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.table.events import Passed, Placed
from matcha_p2p.games.matcha.words.words import card_words
from matcha_p2p.language import LANGUAGES
from matcha_p2p.review.analysis import Mistake, page_mistakes
from matcha_p2p.review.told import PageMistake, told_mistakes
from matcha_p2p.seats import Seat
from matcha_p2p.store.home import Home
from tests.duel import chooser, opened, play_out
from tests.review.page.browser import FOR_AXE, assert_axe_finds_nothing_wrong, plain
from tests.vectors import FOLDER, base

OPEN_BOOKS = "open-book-by-both.matcha"


@pytest.fixture
def judge(monkeypatch):
    """Judge each move that was made as worth 30 %, and another one as worth 60 %."""

    def judged(decision):
        others = [move for move in decision.observation.legal_moves() if move != decision.made]
        moves = JudgedMove(others[0], 0.6, 0.0), JudgedMove(decision.made, 0.3, 0.0)
        return JudgedDecision(decision, Judgement(moves, exact=False))

    monkeypatch.setattr(analyse, "judge", judged)


def run(folder: Path, file: Path) -> int:
    """Write the judged page of ``file`` into ``folder``, which is the home too."""
    home = Home.find(folder)
    return library_page.run(Output(facts=False), home, [file], folder, judges=True)


def test_each_mistake_is_at_the_step_of_its_move(judge):
    report = verify_transcript(base(OPEN_BOOKS))
    steps = replay_of(report).steps
    found = list(page_mistakes(game_of("matcha"), report))
    assert len(found) >= 3
    assert [each.step for each in found] == sorted({each.step for each in found})
    for each in found:
        step = steps[each.step]
        assert isinstance(step.event, Placed | Passed)
        said, reason = each.told().said()
        number, played = step.game.number, len(step.game.rounds)
        assert said.startswith(f"Set {number}, round {played}, ")
        assert " Better: " in said
        assert reason.startswith("A good player would ")
        marks = each.told().marks
        assert marks == {} or step.hands[step.event.seat][marks["slot"][0]]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("bob+-5 loses 9 (+-2).", "bob+-5 loses 9 (±2)."),
        ("50%\uff08+-1.5%\uff09", "50%\uff08±1.5%\uff09"),
    ],
)
def test_sign_of_an_error_is_a_book_s_and_a_name_keeps_its_signs(said, told):
    mistakes = told_mistakes([wrong(1, said)])
    assert mistakes["sentences"]["en"][0][1:] == [told]


def test_mistakes_are_told_in_each_language(judge):
    found = list(page_mistakes(game_of("matcha"), verify_transcript(base(OPEN_BOOKS))))
    told = told_mistakes(found)
    assert told["steps"] == [each.step for each in found]
    assert told["marks"] == [each.told().marks for each in found]
    assert told["sentences"].keys() == LANGUAGES.keys()
    assert len({str(lines) for lines in told["sentences"].values()}) == len(LANGUAGES)


def test_command_tells_how_many_decisions_are_judged(judge, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(transcripts, "_QUIET_FOR", 0.0)
    file = tmp_path / OPEN_BOOKS
    file.write_bytes(base(OPEN_BOOKS))
    assert run(tmp_path, file) == 0
    assert "Decisions judged so far: 1 of " in capsys.readouterr().err


def test_command_says_if_no_decision_can_be_judged(tmp_path, capsys):
    file = tmp_path / "resigned.matcha"
    file.write_bytes(base("resigned.matcha"))
    assert run(tmp_path, file) == 0
    assert "has no judgement: the file shows no hidden cards" in capsys.readouterr().out
    assert (tmp_path / "resigned.html").exists()


def test_own_decisions_are_judged_despite_closed_books(judge, tmp_path, capsys):
    """As after a practice game, whose file opens no hidden card."""
    choosers = chooser("uniform", "a"), chooser("uniform", "b")
    duel = play_out(opened("page", "2020"), choosers)
    data = encode_archive([entry.encoded for entry in duel.entries], [], duel.state.roster)
    home = Home.find(tmp_path)
    path = home.store_transcript(duel.table.gid, data)
    home.note_game(path, Seat(1), "alike", duel.players[1].x)
    assert run(tmp_path, path) == 0
    assert "no judgement" not in capsys.readouterr().out
    own = Seat(1), duel.players[1].x
    report = verify_transcript(data)
    steps = replay_of(report).steps
    judged = list(page_mistakes(game_of("matcha"), report, own))
    assert {steps[each.step].event.seat for each in judged} == {Seat(1)}
    assert page_mistakes(game_of("matcha"), report) is None


@pytest.mark.slow
def test_page_steps_from_mistake_to_mistake(judge, show):
    data = base(OPEN_BOOKS)
    mistakes = [
        wrong(2, "first wrong", "better so"),
        wrong(5, "second wrong"),
    ]
    found = check_file(data)
    tab = show(library_page.page_of(data, found, told_mistakes(mistakes)), locale="en-GB")
    assert "does not check the judgements" in plain(tab.locator("#verdict").inner_text())

    def shown():
        return (
            tab.locator("#position").inner_text().split()[1],
            tab.locator("#caption .mistake").all_inner_texts(),
        )

    assert shown()[1] == []
    tab.locator("#mistake").click()
    assert shown() == ("3", ["Mistake 1 of 2", SAID, "first wrong", "better so"])
    tab.keyboard.press("a")
    assert shown() == ("6", ["Mistake 2 of 2", SAID, "second wrong"])
    tab.keyboard.press("a")
    assert shown() == ("3", ["Mistake 1 of 2", SAID, "first wrong", "better so"])
    tab.keyboard.press("Shift+A")
    assert shown() == ("6", ["Mistake 2 of 2", SAID, "second wrong"])
    tab.keyboard.press("Shift+A")
    assert shown() == ("3", ["Mistake 1 of 2", SAID, "first wrong", "better so"])


SAID = "Round 1: this. Better: that. Lost: 9 points."


def wrong(step: int, *why: str, marks: Any = None, place: str = "Round 1") -> PageMistake:
    """Return a mistake whose further sentences are ``why``."""
    told = Mistake(place, "", "this", "that", 9.0, "9 points", why=why, marks=marks or {})
    return PageMistake(step, lambda: told)


GAMES = {
    "matcha": base(OPEN_BOOKS),
    "tichu": Path(FOLDER, "tichu/random.matcha").read_bytes(),
    "kashi": Path(FOLDER, "kashi/four.matcha").read_bytes(),
}
STEPS = {"matcha": 2, "tichu": 5, "kashi": 8}
"""A step of each game in which seat 0 makes a move."""
BETTER = "#board .better"
SECOND_CARD = replay_of(verify_transcript(GAMES["matcha"])).steps[STEPS["matcha"]].hands[0][1]


def judged_page(name: str, marks: Any) -> str:
    """Return the page of a game with one mistake. marks: the better move."""
    mistakes = told_mistakes([wrong(STEPS[name], marks=marks)])
    return library_page.page_of(GAMES[name], check_file(GAMES[name]), mistakes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "marks", "marked"),
    [
        ("matcha", {"mat": [0], "slot": [1]}, [f"the better move: {card_words(SECOND_CARD)}"]),
        ("tichu", {"cards": [49, 36]}, ["Q⌂, the better move", "Q⍏, the better move"]),
        ("tichu", {"cards": [27, 40]}, ["3⌂, the better move", "3⍏, the better move"]),
        (
            "kashi",
            {"way": [603, 604], "shops": [604]},
            ["the better move", "the better move: a shop"],
        ),
    ],
)
def test_better_move_is_marked_on_the_board_at_its_mistake(name, marks, marked, show):
    tab = show(judged_page(name, marks), step=STEPS[name] + 1, locale="en-GB")
    labels = "all => all.map((each) => each.getAttribute('aria-label') ?? each.title)"
    assert tab.locator(BETTER).evaluate_all(labels) == marked
    tab.keyboard.press("ArrowRight")
    assert tab.locator(BETTER).count() == 0
    assert tab.said == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["matcha", "tichu"])
def test_better_pass_is_noted_beside_the_name_of_the_player(name, show):
    tab = show(judged_page(name, {}), step=STEPS[name] + 1, locale="en-GB")
    assert tab.locator(".near .who .better").all_inner_texts() == ["better: passing"]
    assert tab.locator(BETTER).count() == 1


@pytest.mark.slow
def test_better_card_of_a_closed_hand_is_not_marked(show):
    tab = show(judged_page("matcha", {"mat": [0], "slot": [1]}), step=STEPS["matcha"] + 1)
    for look, count in (("0", 1), ("1", 0), ("public", 0)):
        tab.select_option("#view", look)
        assert tab.locator(BETTER).count() == count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("matcha", {"mat": [0], "slot": [1]}),
        ("matcha", {}),
        ("tichu", {"cards": [49, 36]}),
        ("kashi", {"way": [603, 604], "shops": [604]}),
    ],
)
def test_axe_finds_nothing_wrong_at_a_mistake(name, marks, show):
    tab = show(judged_page(name, marks), step=STEPS[name] + 1, **FOR_AXE)
    assert tab.locator(BETTER).count()
    assert_axe_finds_nothing_wrong(tab, widths=(1280,))


NOT_OF_THE_GAME = [
    {"mat": [99], "slot": [99], "cards": [99, -1], "way": [99, 10**9], "shops": [0]},
    {"mat": "<b>", "slot": [0.5], "cards": [None], "way": {"length": 1}, "shops": [["604"]]},
    ["<svg onload=a()>"],
    "cards",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("marks", NOT_OF_THE_GAME, ids=range(4))
def test_marks_that_the_board_does_not_have_are_not_drawn(name, marks, show):
    tab = show(judged_page(name, marks), step=STEPS[name] + 1, locale="en-GB")
    assert tab.locator("#caption .mistake").all_inner_texts() == ["Mistake 1 of 1", SAID]
    assert tab.locator(BETTER).count() == 0
    assert tab.said == []


@pytest.mark.slow
def test_page_without_a_judgement_offers_no_step_to_a_mistake(show):
    data = base(OPEN_BOOKS)
    tab = show(library_page.page_of(data, check_file(data)), locale="en-GB")
    assert tab.locator("#mistake").is_hidden()
    assert tab.locator("#judged").is_hidden()
    assert "judgements" not in tab.locator("#verdict").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_judged_page_has_room_for_its_buttons_on_a_phone(language, show):
    data = base(OPEN_BOOKS)
    mistakes = told_mistakes([wrong(2)])
    page = library_page.page_of(data, check_file(data), mistakes)
    size = {"width": 390, "height": 844}
    tab = show(page, viewport=size, locale=language, is_mobile=True, has_touch=True)
    assert tab.evaluate("innerWidth") == 390
    boxes = [each.bounding_box() for each in tab.locator(".buttons button:visible").all()]
    assert len(boxes) == 5
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 390


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_controls_on_a_phone_cover_no_word_of_a_long_caption(name, show):
    mistakes = told_mistakes([wrong(STEPS[name], *["so many words " * 12] * 2)])
    page = library_page.page_of(GAMES[name], check_file(GAMES[name]), mistakes)
    size = {"width": 390, "height": 844}
    tab = show(page, viewport=size, locale="en-GB", is_mobile=True, has_touch=True)
    for lead in ("#mistake", "#mistakes button"):
        tab.locator(lead).click()
        words = tab.locator("#caption p").last.bounding_box()
        controls = tab.locator(".controls").bounding_box()
        assert words["y"] + words["height"] <= controls["y"] + 1
        assert controls["y"] + controls["height"] <= 844
        tab.keyboard.press("Home")


@pytest.mark.slow
def test_list_of_mistakes_leads_to_each_step_and_marks_the_current_mistake(show):
    data = base(OPEN_BOOKS)
    mistakes = [wrong(2, "why"), wrong(5, place="Round 2")]
    page = library_page.page_of(data, check_file(data), told_mistakes(mistakes))
    tab = show(page, locale="en-GB")
    buttons = tab.locator("#mistakes button")
    assert buttons.all_inner_texts() == [SAID, SAID.replace("1", "2")]
    buttons.nth(1).click()
    assert tab.locator("#position").inner_text() == "Step 6 of 35"
    assert tab.locator("#mistakes [aria-current]").all_inner_texts() == [SAID.replace("1", "2")]


@pytest.mark.slow
def test_judged_page_without_a_mistake_says_so(show):
    data = base(OPEN_BOOKS)
    page = library_page.page_of(data, check_file(data), told_mistakes([]))
    tab = show(page, locale="en-GB")
    assert tab.locator("#mistakes").inner_text() == "No decision was judged a mistake."
    assert tab.locator("#mistake").is_hidden()
