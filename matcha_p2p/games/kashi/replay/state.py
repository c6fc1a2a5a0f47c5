"""The place in a replay of Kashi-ichi: its scene, and the keys of this game."""

from dataclasses import dataclass, replace
from typing import Final, Self

from matcha_p2p.console.table.replay import JUDGES, JUDGES_BACK, ReplayPlace
from matcha_p2p.console.table.scene import Replaying
from matcha_p2p.console.terminal.cells import TerminalFrame
from matcha_p2p.console.terminal.looks import Speed
from matcha_p2p.console.terminal.screen import WINDOW
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.kashi import events
from matcha_p2p.games.kashi.replay.steps import Replay
from matcha_p2p.games.kashi.review.asked import Better
from matcha_p2p.games.kashi.screen.drawing.layout import draw
from matcha_p2p.games.kashi.screen.routes import Footprints, trodden
from matcha_p2p.games.kashi.screen.scene import Scene
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.games.kashi.screen.study import on_board
from matcha_p2p.games.kashi.words import replay_sentences
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat

SEAT_IN_FRONT: Final = Seat(0)
"""The player in front, if no other is asked for."""


def _is_turn(event: events.Event) -> bool:
    return isinstance(event, events.TurnTaken)


def _settles(event: events.Event) -> bool:
    return isinstance(event, events.AreasSettled)


@dataclass(frozen=True, slots=True, kw_only=True)
class KashiPlace(ReplayPlace[Scene, Replay]):
    """The place in a replay of Kashi-ichi. front: the player in front."""

    front: Seat

    @property
    def title(self) -> str:
        """The players' names, for the title of the terminal."""
        return WINDOW(name=listed(self.replay.names))

    @property
    def seen_from(self) -> object:
        """The view; a step is shown with its animation if the view stays."""
        return self.front

    @staticmethod
    def picture(scene: Scene, columns: int, rows: int, skin: Skin) -> TerminalFrame:
        """Return the frame of ``scene``."""
        return draw(scene, columns, rows, skin)

    @staticmethod
    def acts(speed: Speed) -> Show:
        """Return the game's animations, none of them begun."""
        return Show(speed)

    def own_key(self, key: str) -> Self:
        """Return the place after a key at the table that is no key of every replay."""
        match key:
            case "pagedown":
                return self.forward(_is_turn)
            case "pageup":
                return self.backward(_is_turn)
            case "s":
                return self.forward(self._begins_round)
            case "S":
                return self.backward(self._begins_round)
            case "n":
                return self.forward(_settles)
            case "d":
                return self.forward(self._decides)
            case _ if key in (JUDGES, JUDGES_BACK):
                return self.to_mistake(1 if key == JUDGES else -1)
            case "v":
                return replace(self, front=Seat((self.front + 1) % len(self.replay.names)))
            case _:
                return self

    def _begins_round(self, event: events.Event) -> bool:
        """Tell whether the player who began the game has made a turn."""
        first = self.replay.steps[0].event
        match event:
            case events.TurnTaken(seat):
                return isinstance(first, events.FirstDrawn) and seat == first.seat
            case _:
                return False

    def _decides(self, event: events.Event) -> bool:
        """Tell whether the player in front has decided."""
        match event:
            case (
                events.Started(seat)
                | events.TurnTaken(seat)
                | events.IdleAnswered(seat)
                | events.UpkeepPaid(seat)
            ):
                return seat == self.front
            case _:
                return False

    def scene(self) -> Scene:
        """Return the scene to draw."""
        replay, at = self.replay, self.at
        step = replay.steps[at]
        shown = self.position(replay_sentences.POSITION, name=replay.names[self.front])
        scene = Scene(
            self.front,
            lesson=self.mistake_said,
            focus=self.focus,
            told=tuple(said for each in replay.steps[: at + 1] for said in each.said),
            lately=step.said,
            names=replay.names,
            game=step.game,
            lit=self._lit(),
            end=step.event if isinstance(step.event, events.GameEnded) else None,
            watched=Replaying(shown, self.keys),
        )
        if self.mistake is None or not isinstance(self.mistake.better, Better):
            return scene
        return on_board(scene, self.mistake.better)

    def _lit(self) -> Footprints:
        """Return the way of the turn that this step shows."""
        match self.event:
            case events.TurnTaken(seat, actions) if self.at:
                steps = self.replay.steps
                start = steps[self.at - 1].game.players[seat].person
                return trodden(steps[self.at].game, start, actions)
            case _:
                return ()


def watch(replay: Replay, at: int = 0, front: Seat = SEAT_IN_FRONT) -> KashiPlace:
    """Begin at the step ``at``, or at the last step; the replay has at least one step."""
    return KashiPlace(replay=replay, at=min(at, len(replay.steps) - 1), front=front)
