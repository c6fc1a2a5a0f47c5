"""The words of a page that depend on a number."""

import json
import subprocess

import pytest

from matcha_p2p.games import game_of
from matcha_p2p.games.game import Game
from tests.review.page.test_verifier import SOURCES

_SCRIPT = """
const [sentences, winners, folder] = process.argv.slice(1);
globalThis.SENTENCES = JSON.parse(sentences);
globalThis.document = { documentElement: {} };
const { speak } = await import(`${folder}/view/language.js`);
const { ToldView } = await import(`${folder}/view/told.js`);
const findings = { winners: JSON.parse(winners), names: ["A", "B", "C", "D"], entries: 0 };
const view = new ToldView(findings, { sentences: {}, steps: [] });
const said = Object.keys(SENTENCES).map((each) => [each, (speak(each), view.ended())]);
console.log(JSON.stringify(Object.fromEntries(said)));
"""


@pytest.mark.parametrize("game", ["kashi", "tichu"])
@pytest.mark.parametrize(
    ("winners", "said"),
    [
        (None, {"en": [], "ja": [], "uk": []}),
        ([], {"en": [], "ja": [], "uk": []}),
        ([1], {"en": ["Winner: B."], "ja": ["勝者: B。"], "uk": ["Переможець: B."]}),
        (
            [1, 3],
            {"en": ["Winners: B, D."], "ja": ["勝者: B, D。"], "uk": ["Переможці: B, D."]},
        ),
    ],
)
def test_page_names_one_winner_or_several(game, winners, said, node):
    texts = game_of(game).needed(Game.page).page_texts()
    arguments = json.dumps(texts), json.dumps(winners), SOURCES.as_uri()
    command = [node, "--input-type=module", "--eval", _SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.replace("\u2068", "").replace("\u2069", ""))
    assert {language: found[language] for language in said} == said
