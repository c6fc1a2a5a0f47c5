"""What the demo says when it does not go well."""

import json
import sys

import pytest
import trio

from matcha_p2p.app.demo import demo
from matcha_p2p.app.outcomes import Exit, perform
from matcha_p2p.app.output import Output
from matcha_p2p.store.home import Home


@pytest.mark.slow
def test_bot_that_dies_is_named_and_makes_the_demo_fail(tmp_path, monkeypatch, capsys):
    hello = json.dumps({"v": 1, "name": "odd", "editions": ["2015", "2020"]})
    dying = tmp_path / "bot.py"
    dying.write_text(f"print({hello!r}, flush=True)")
    monkeypatch.setattr(demo, "_BOT", f"cmd:{sys.executable} {dying}")
    shown = demo.Demonstration(Output(facts=False), tmp_path, 1)

    def play() -> int:
        trio.run(shown.run, "2020")
        return Exit.DONE

    assert perform(Output(facts=False), Home.find(tmp_path), play) == Exit.BUG
    (complaint,) = capsys.readouterr().err.splitlines()
    assert complaint.startswith("The bot of ")
    assert "has ended without an answer. Its seat resigns." in complaint
