"""The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

Keys have the names of prompt_toolkit (enter, escape, left, f10, c-c), or are the typed
character.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from matcha_p2p.console.table import captions as table_captions
from matcha_p2p.console.table import keys
from matcha_p2p.console.table.frame import TableKeys
from matcha_p2p.console.table.keymap import Key
from matcha_p2p.games.matcha.rules.judgement import Judgement
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.screen import coach as coaching
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.analysis import Analyse
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.narration.news import Wish
from matcha_p2p.session.news import MakeMove

KeyResult: TypeAlias = tuple[screen_scene.Scene, Wish | None]


class MatchaKeys(TableKeys[screen_scene.Scene]):
    """The keys of Matcha."""

    def idle(self, scene: screen_scene.Scene) -> screen_scene.Scene:
        """Return the scene without a question."""
        return replace(scene, question=screen_scene.Waiting())

    def returned(self, scene: screen_scene.Scene) -> screen_scene.Scene:
        """Return the scene after the person has taken a decision back."""
        return super().returned(replace(scene, work=coaching.GOING_BACK()))

    def chosen(self, scene: screen_scene.Scene, gives: object) -> KeyResult:
        """Return the scene and the choice after a move was chosen."""
        if not isinstance(gives, Move):
            return scene, None
        return replace(scene, question=screen_scene.Waiting()), MakeMove(gives)

    def decision(self, scene: screen_scene.Scene) -> Observation | None:
        """Return the view of the seat, if a move is due."""
        match scene.question:
            case screen_scene.Waiting():
                return None
            case asked:
                return asked.observation

    def advised(self, scene: screen_scene.Scene, judgement: Judgement) -> screen_scene.Scene:
        """Return the scene with a hint, whose move is marked for Enter; Esc goes back."""
        match _chosen(scene):
            case screen_scene.Waiting() | screen_scene.Ready():
                return scene
            case before:
                seen, best = before.observation, judgement.moves[0].move
                hint = coaching.explained(seen, judgement)
                marked = screen_scene.Ready(seen, best, before)
                return replace(scene, hint=hint, question=marked)

    def analysis(self, scene: screen_scene.Scene) -> Analyse | None:
        """Return the question about the finished game, once its file is whole."""
        known = scene.transcript, scene.seat, scene.hands
        return Analyse(*known) if scene.transcript else None


def _chosen(scene: screen_scene.Scene) -> screen_scene.Question:
    """Return the question that a key at the hand or the mats answers anew."""
    asked = scene.question
    return asked.before if isinstance(asked, screen_scene.Ready) else asked


def _card(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Choose a card, or mark it to be kept."""
    match _chosen(scene):
        case screen_scene.Sorting() as sorting:
            return _toggled(scene, sorting, sorting.at if key == " " else int(key) - 1), None
        case screen_scene.Picking() | screen_scene.Aiming() as asked:
            return _picked(scene, asked.observation, int(key) - 1), None
        case _:
            return scene, None


def _mat(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Choose the mat for the card."""
    match _chosen(scene):
        case screen_scene.Aiming(seen, slot) as aiming:
            mat = MATS.find(key)
            if mat in screen_scene.free_mats(seen):
                scene = _ready(scene, seen, Play(mat, slot), aiming._replace(mat=mat))
            return scene, None
        case _:
            return scene, None


def _pass(scene: screen_scene.Scene, _: str) -> KeyResult:
    """Pass, or keep the marked cards."""
    match _chosen(scene):
        case screen_scene.Sorting(kept=kept):
            return FRAME.chosen(scene, Keep(kept))
        case screen_scene.Picking() | screen_scene.Aiming():
            return FRAME.chosen(scene, PASS)
        case _:
            return scene, None


def _enter(scene: screen_scene.Scene, _: str) -> KeyResult:
    """Go on to the next part of the answer, or give the answer."""
    match scene.question:
        case screen_scene.Ready(move=move):
            return FRAME.chosen(scene, move)
        case screen_scene.Picking(at=screen_scene.PASSING):
            return _pass(scene, "")
        case screen_scene.Picking(seen, at):
            return _picked(scene, seen, at), None
        case screen_scene.Aiming(seen, slot, mat) as aiming:
            return _ready(scene, seen, Play(mat, slot), aiming), None
        case screen_scene.Sorting(at=screen_scene.PASSING):
            return _pass(scene, "")
        case screen_scene.Sorting() as sorting:
            return _toggled(scene, sorting, sorting.at), None
        case _:
            return scene, None


def _escape(scene: screen_scene.Scene, _: str) -> KeyResult:
    match scene.question:
        case screen_scene.Ready(before=before):
            return replace(scene, question=before), None
        case screen_scene.Aiming(seen, slot):
            return replace(scene, question=screen_scene.Picking(seen, slot)), None
        case _:
            return scene, None


def _arrow(scene: screen_scene.Scene, key: str) -> KeyResult:
    step = keys.STEPS[key]
    match _chosen(scene):
        case screen_scene.Aiming(seen, _, mat) as aiming:
            mats = screen_scene.free_mats(seen)
            moved = aiming._replace(mat=_neighbour(mats, mat, step))
            return replace(scene, question=moved), None
        case (screen_scene.Picking() | screen_scene.Sorting()) as asked:
            at = _neighbour(_places(asked.observation), asked.at, step)
            return replace(scene, question=asked._replace(at=at)), None
        case _:
            return scene, None


def _ready(
    scene: screen_scene.Scene,
    seen: Observation,
    move: Move,
    before: screen_scene.Picking | screen_scene.Aiming | screen_scene.Sorting,
) -> screen_scene.Scene:
    return replace(scene, question=screen_scene.Ready(seen, move, before))


def _picked(scene: screen_scene.Scene, observation: Observation, at: int) -> screen_scene.Scene:
    if at not in _places(observation):
        return scene
    mats = screen_scene.free_mats(observation)
    if len(mats) == 1:
        before = screen_scene.Picking(observation, at)
        return replace(
            scene, question=screen_scene.Ready(observation, Play(mats[0], at), before)
        )
    return replace(scene, question=screen_scene.Aiming(observation, at, mats[0]))


def _toggled(
    scene: screen_scene.Scene, sorting: screen_scene.Sorting, slot: int
) -> screen_scene.Scene:
    if slot not in sorting.observation.game.hands[scene.seat]:
        return scene
    return replace(scene, question=sorting._replace(kept=sorting.kept ^ {slot}))


def _places(observation: Observation) -> list[int]:
    """Return the slots that hold a card, and PASSING."""
    return [*sorted(observation.game.hands[observation.seat]), screen_scene.PASSING]


def _neighbour(places: list[int], at: int, step: int) -> int:
    return places[(places.index(at) + step) % len(places)]


# When a key has an effect, and what Enter does.


def _asks(*kinds: type) -> Callable[[screen_scene.Scene], bool]:
    return lambda scene: isinstance(_chosen(scene), kinds)


def _means(scene: screen_scene.Scene) -> str:
    """Return the word for what Enter does now."""
    match scene.question:
        case screen_scene.Ready(move=Play()):
            return captions.LAYS()
        case screen_scene.Ready(move=Pass()) | screen_scene.Picking(at=screen_scene.PASSING):
            return captions.PASSES()
        case screen_scene.Ready() | screen_scene.Sorting(at=screen_scene.PASSING):
            return captions.KEEPS()
        case _:
            return table_captions.CHOOSES()


def _passes(scene: screen_scene.Scene) -> str:
    sorts = isinstance(_chosen(scene), screen_scene.Sorting)
    return (captions.KEEPS if sorts else captions.PASSES)()


def _free(scene: screen_scene.Scene) -> bool:
    return isinstance(_chosen(scene), screen_scene.Aiming)


def _goes_back(scene: screen_scene.Scene) -> bool:
    return isinstance(scene.question, screen_scene.Ready | screen_scene.Aiming)


_AT_HAND: Final = _asks(screen_scene.Picking, screen_scene.Aiming, screen_scene.Sorting)

KEYS: Final[tuple[Key[screen_scene.Scene], ...]] = (
    Key("enter", _enter, _means, captions.HELP_ENTER, _AT_HAND),
    Key("p", _pass, _passes, captions.HELP_PASS, _AT_HAND),
    Key("escape", _escape, table_captions.BACK, captions.HELP_BACK, _goes_back),
    Key("1 2 3 4 5", _card, None, captions.HELP_CARD, _AT_HAND, captions.CARDS),
    Key("space", _card, None, None, _asks(screen_scene.Sorting)),
    Key("a b c d e f", _mat, None, captions.HELP_MAT, _free, captions.MATS),
    Key(
        "left right up down",
        _arrow,
        None,
        captions.HELP_ARROWS,
        _AT_HAND,
        table_captions.ARROWS,
    ),
)

MatchaKeys.own = KEYS
FRAME: Final = MatchaKeys()
press: Final = FRAME.press
