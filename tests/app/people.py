"""People at the programs of a test, who meet over loopback."""

import os
import re
from contextlib import asynccontextmanager

import trio

from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game import resume
from matcha_p2p.app.game.seat import set_up_seat
from matcha_p2p.app.invite import host, join
from matcha_p2p.app.invite.given_places import read_places
from matcha_p2p.console.menu.asker import LineAsker
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.meeting.nearby import Surroundings
from matcha_p2p.store.home import Home
from tests.transport.test_multicast import free_port

PATIENCE = 60.0


class Screen(Output):
    """Remembers what a person reads."""

    def __init__(self):
        super().__init__(facts=False)
        self.text = ""
        self.changed = trio.Event()

    def write(self, text):
        self.text += text
        changed, self.changed = self.changed, trio.Event()
        changed.set()

    async def until(self, pattern):
        """Wait for a match of ``pattern``; return the match's group, or the whole match."""
        while (found := re.search(pattern, self.text)) is None:
            await self.changed.wait()
        return found[1] if found.groups() else found[0]


class Person:
    """A person in line mode: reads ``screen``, types into ``keyboard``."""

    def __init__(self, folder, name):
        self.screen = Screen()
        end, self._hands = os.pipe()
        self.keyboard = Keyboard(end)
        self._ends = (end, self._hands)
        self.setup = set_up_seat(
            self.screen,
            Home.find(folder / name),
            {"name": name, "edition": "2015", "ui": "line"},
            self.keyboard,
        )
        self.asker = LineAsker(self.screen.write, self.keyboard)

    def types(self, line):
        os.write(self._hands, f"{line}\n".encode())

    @asynccontextmanager
    async def ask(self):
        yield self.asker

    async def host(self, game="tichu", seats=4, *, announce=False):
        places = read_places(["127.0.0.1"])
        wish = host.HostWish(places, 0, router=False, answers=True, announce=announce)
        await host.host(self.setup.another(game, seats), self.ask, wish)

    async def join(self, invite, *, asks=False):
        wish = join.JoinWish(asks, router=False, near=invite is None)
        await join.join(self.setup, self.ask, invite, wish)

    async def resume(self):
        wish = resume.ResumeWish(router=False)
        await resume.resume(self.setup.home, self.setup.another, None, wish)

    async def reads(self, pattern):
        with trio.fail_after(PATIENCE):
            return await self.screen.until(pattern)

    def close(self):
        for end in self._ends:
            os.close(end)


def loopback():
    around = Surroundings.of(["127.0.0.1"])
    return Surroundings(around.networks, around.hosts, free_port())
