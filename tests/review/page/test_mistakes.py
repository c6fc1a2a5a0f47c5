"""A page steps from mistake to mistake, if matcha_p2p has judged the game."""

import pytest

from matcha_p2p.app.library import page as library_page
from matcha_p2p.app.library import transcripts
from matcha_p2p.app.library.check_files import check_file
from matcha_p2p.app.output import Output
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.matcha.commands import page_mistakes
from matcha_p2p.games.matcha.events import Passed, Placed
from matcha_p2p.games.matcha.replay.steps import replay_of
from matcha_p2p.games.matcha.review.analysis import Judged
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.language import LANGUAGES
from matcha_p2p.review.told import PageMistake, told_mistakes
from tests.review.page.browser import plain
from tests.vectors import base

OPEN_BOOKS = "open-book-by-both.matcha"


@pytest.fixture
def judge(monkeypatch):
    """Judge each move that was made as worth 30 %, and another one as worth 60 %."""

    def judged(decision):
        others = [move for move in decision.observation.legal_moves() if move != decision.made]
        moves = JudgedMove(others[0], 0.6, 0.0), JudgedMove(decision.made, 0.3, 0.0)
        return Judged(decision, Judgement(moves, exact=False))

    monkeypatch.setattr(page_mistakes, "judged", judged)


def test_each_mistake_is_at_the_step_of_its_move(judge):
    report = verify_transcript(base(OPEN_BOOKS))
    steps = replay_of(report).steps
    found = list(page_mistakes.page_mistakes(report))
    assert len(found) >= 3
    assert [each.step for each in found] == sorted({each.step for each in found})
    for each in found:
        step = steps[each.step]
        assert isinstance(step.event, Placed | Passed)
        said, reason = each.said()
        number, played = step.game.number, len(step.game.rounds)
        assert said.startswith(f"Set {number}, round {played}, ")
        assert reason.startswith("A good player would ")


def test_mistakes_are_told_in_each_language(judge):
    found = list(page_mistakes.page_mistakes(verify_transcript(base(OPEN_BOOKS))))
    told = told_mistakes(found)
    assert told["steps"] == [each.step for each in found]
    assert told["sentences"].keys() == LANGUAGES.keys()
    assert len({str(lines) for lines in told["sentences"].values()}) == len(LANGUAGES)


def test_command_tells_how_many_decisions_are_judged(judge, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(transcripts, "_QUIET_FOR", 0.0)
    file = tmp_path / OPEN_BOOKS
    file.write_bytes(base(OPEN_BOOKS))
    assert library_page.run(Output(facts=False), [file], tmp_path, judges=True) == 0
    assert "Decisions judged so far: 1 of " in capsys.readouterr().err


def test_command_says_if_no_decision_can_be_judged(tmp_path, capsys):
    file = tmp_path / "resigned.matcha"
    file.write_bytes(base("resigned.matcha"))
    assert library_page.run(Output(facts=False), [file], tmp_path, judges=True) == 0
    assert "has no judgement: no book is open" in capsys.readouterr().out
    assert (tmp_path / "resigned.html").exists()


@pytest.mark.slow
def test_page_steps_from_mistake_to_mistake(judge, show):
    data = base(OPEN_BOOKS)
    mistakes = [
        PageMistake(2, lambda: ["first wrong", "better so"]),
        PageMistake(5, lambda: ["second wrong"]),
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
    assert shown() == ("3", ["first wrong", "better so"])
    tab.keyboard.press("e")
    assert shown() == ("6", ["second wrong"])
    tab.keyboard.press("e")
    assert shown() == ("3", ["first wrong", "better so"])


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
    mistakes = told_mistakes([PageMistake(2, lambda: ["wrong"])])
    page = library_page.page_of(data, check_file(data), mistakes)
    size = {"width": 390, "height": 844}
    tab = show(page, viewport=size, locale=language, is_mobile=True, has_touch=True)
    assert tab.evaluate("innerWidth") == 390
    boxes = [each.bounding_box() for each in tab.locator(".buttons button:visible").all()]
    assert len(boxes) == 5
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 390


@pytest.mark.slow
def test_list_of_mistakes_leads_to_each_step_and_marks_the_current_mistake(show):
    data = base(OPEN_BOOKS)
    mistakes = [PageMistake(2, lambda: ["first wrong", "why"]), PageMistake(5, lambda: ["two"])]
    page = library_page.page_of(data, check_file(data), told_mistakes(mistakes))
    tab = show(page, locale="en-GB")
    buttons = tab.locator("#mistakes button")
    assert buttons.all_inner_texts() == ["first wrong", "two"]
    buttons.nth(1).click()
    assert tab.locator("#position").inner_text() == "Step 6 of 35"
    assert tab.locator("#mistakes [aria-current]").all_inner_texts() == ["two"]


@pytest.mark.slow
def test_judged_page_without_a_mistake_says_so(show):
    data = base(OPEN_BOOKS)
    page = library_page.page_of(data, check_file(data), told_mistakes([]))
    tab = show(page, locale="en-GB")
    assert tab.locator("#mistakes").inner_text() == "No decision was judged a mistake."
    assert tab.locator("#mistake").is_hidden()
