"""The demo starts this very program, and reports failures."""

import json
import sys

import pytest
import trio

from matcha_p2p.app.bots import demo
from matcha_p2p.app.command.outcomes import Exit, perform
from matcha_p2p.app.command.output import Output
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
    assert "ended without an answer. The bot's seat concedes." in complaint


async def test_a_module_in_the_current_folder_is_not_run(tmp_path, monkeypatch):
    """With ``python -m`` the current folder is the first place to import from."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    planted = 'import pathlib\npathlib.Path("run").touch()\n'
    for name in ("click", "trio", "json", "matcha_p2p"):
        (folder / f"{name}.py").write_text(planted)
    monkeypatch.chdir(folder)
    async with trio.open_nursery() as nursery:
        peer = await demo.start_peer(nursery, tmp_path / "home", ["rules"])
        told = [fact["event"] async for fact in peer.facts()]
        assert await peer.ended() == 0, peer.last_words()
    assert told == ["rules"]
    assert not (folder / "run").exists()
