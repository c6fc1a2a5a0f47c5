"""The table after a round, drawn: which cards, signs and names stand in the picture."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from matcha_p2p.games.matcha.review.picture import picture
from tests.review.exporting import export_game
from tests.vectors import accepted, base

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("</text><script>a</script>", "Taro & Co")
OPEN, CLOSED = "open-book-by-both.matcha", "short.matcha"


def drawn(file: str, place: tuple[int, int]) -> ET.Element:
    return ET.fromstring(picture(export_game(base(file)), NAMES, place, "After <it>"))


def texts(root: ET.Element) -> list[str | None]:
    return [text.text for text in root.iter(f"{SVG}text")]


def papers(root: ET.Element) -> Counter[str]:
    """Count the cards: open, backs, and known ones that lie face down."""
    found: Counter[str] = Counter()
    for group in root.iter(f"{SVG}g"):
        looks = [each.get("class") for each in group.findall(f"{SVG}rect")]
        if "paper" in looks:
            sealed = "sealed" if "veil" in looks else "open"
            found["back" if group.get("class") == "back" else sealed] += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("golden", accepted(), ids=str)
def test_every_round_of_a_golden_game_can_be_drawn(golden):
    game = export_game(golden.data)
    for number, played in enumerate(game["sets"], start=1):
        for round_number in range(1, len(played["rounds"]) + 1):
            root = ET.fromstring(picture(game, NAMES, (number, round_number), "T"))
            laid = sum(
                move["move"] == "play"
                for each in played["rounds"][:round_number]
                for move in each["moves"]
            )
            held = sum(len(hand) for hand in played["hands"]) - laid
            assert papers(root).total() == 6 + laid + held


def test_open_books_show_held_and_sealed_cards():
    assert papers(drawn(OPEN, (2, 2))) == {"open": 6 + 6 + 3, "sealed": 1}


def test_closed_card_of_the_file_is_drawn_as_a_back():
    assert papers(drawn(CLOSED, (1, 1)))["back"] >= 6
    assert papers(drawn(CLOSED, (1, 1)))["sealed"] == 0


def test_names_and_titles_are_text():
    root = drawn(OPEN, (1, 1))
    assert {*NAMES, "After <it>"} <= set(texts(root))
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.parametrize("place", [(0, 0), (0, 1), (3, 1), (1, 4), (1, 0)])
def test_unplayed_round_has_no_picture(place):
    with pytest.raises(LookupError):
        drawn(OPEN, place)


def test_picture_refers_only_to_itself():
    text = picture(export_game(base(OPEN)), NAMES, (1, 3), "T")
    assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"') == 1
    identities = {each.get("id") for each in ET.fromstring(text).iter()}
    used = {each.get("href") for each in ET.fromstring(text).iter(f"{SVG}use")}
    assert {str(href).removeprefix("#") for href in used} <= identities
