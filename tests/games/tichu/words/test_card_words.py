"""Cards bear the same marks on the table, in sentences and where they are typed."""

import pytest

from matcha_p2p.console.terminal.skins import SKINS, skin_called
from matcha_p2p.games.tichu.rules.cards import FACES, PHOENIX, TEXTS
from matcha_p2p.games.tichu.screen.drawing.cards import USUAL, block, label
from matcha_p2p.games.tichu.words.card_words import card_text, hand_text, laid_text
from matcha_p2p.games.tichu.words.notation import read_gifts
from matcha_p2p.language import LANGUAGES, speak


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("icons", SKINS)
def test_sentences_name_cards_as_the_table_draws_them(language, icons, restored):
    speak(language)
    if icons != "kanji" or language == "ja":
        assert [label(face, skin_called(icons)) for face in FACES] == [*map(card_text, FACES)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_card_can_be_typed_as_it_is_shown_and_as_files_name_it(language, restored):
    speak(language)
    held = dict(enumerate(FACES))
    for first in range(53):
        three = (first, first + 1, first + 2)
        assert read_gifts(" ".join(map(card_text, three)), held) == three
        assert read_gifts("".join(card_text(face).lower() for face in three), held) == three
        assert read_gifts(" ".join(TEXTS[face] for face in three), held) == three


def test_japanese_marks(restored):
    speak("ja")
    sevens = [face for face in FACES if TEXTS[face][1:] == "7"]
    assert hand_text([*sevens, PHOENIX]) == "赤7 緑7 青7 黒7、鳳"
    assert laid_text([sevens[0], PHOENIX], 6) == "鳳 赤7"
    assert block(sevens[1], skin_called("kanji"), USUAL)[0][0][1] == "緑7 "
