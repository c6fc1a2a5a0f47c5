"""Processes that the program starts run the program, whatever folder it is started in."""

import trio

from matcha_p2p.app.demo.processes import start_peer


async def test_a_module_in_the_current_folder_is_not_run(tmp_path, monkeypatch):
    """With ``python -m`` the current folder is the first place to import from."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    planted = 'import pathlib\npathlib.Path("run").touch()\n'
    for name in ("click", "trio", "json", "matcha_p2p"):
        (folder / f"{name}.py").write_text(planted)
    monkeypatch.chdir(folder)
    async with trio.open_nursery() as nursery:
        peer = await start_peer(nursery, tmp_path / "home", ["rules"])
        told = [fact["event"] async for fact in peer.facts()]
        assert await peer.ended() == 0, peer.last_words()
    assert told == ["rules"]
    assert not (folder / "run").exists()
