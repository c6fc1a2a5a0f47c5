"""The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

Keys have the names of prompt_toolkit (enter, escape, left, f10, c-c), or are the typed
character. A click on the square N means the key "atN".
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from matcha_p2p.console.table import focus, study
from matcha_p2p.console.table import keys as shared
from matcha_p2p.console.table.scene import tell
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.draft import Draft
from matcha_p2p.games.kashi.review.asked import Analyse, Study
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.actions import MOST_GOODS
from matcha_p2p.games.kashi.rules.choices import legal_actions, shop_squares
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.ways import Map
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen import scene as scenes
from matcha_p2p.games.kashi.screen.drawing.ways import route
from matcha_p2p.games.kashi.screen.scene import Scene, Walking
from matcha_p2p.games.kashi.words import line_sentences as said
from matcha_p2p.narration.after_game import AGREED, OFFERED
from matcha_p2p.narration.news import TakeBack, Wish
from matcha_p2p.session.news import MakeMove, Propose
from matcha_p2p.wire.talk import Proposal

Wanted: TypeAlias = Wish | Analyse

KeyResult: TypeAlias = tuple[Scene, Wanted | None]

_MUTE: Final = "x"
_COACH: Final = ("h", "u")
_REMATCH: Final = "r"
_UNDO: Final = ("z", "c-h")
_SQUARE: Final = re.compile(r"at([0-9]+)")
_ARROWS: Final = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def press(scene: Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key. At the table each key marks talk as read."""
    if scene.answer:
        scene = replace(scene, answer="")
    if scene.unread and not isinstance(scene.focus, focus.Reading):
        scene = replace(scene, unread=0)
    return _press(scene, key if isinstance(scene.focus, focus.Talking) else latin(key))


def _press(scene: Scene, key: str) -> KeyResult:
    match scene.focus:
        case focus.Gone():
            return scene, None
        case focus.Departing():
            return (shared.gone(scene) if key in shared.LEAVE_KEYS else scene), None
        case focus.Leaving(at):
            scene, choice = shared.part(scene, at, key)
            question = scene.question if choice is None else scenes.WAITING
            return replace(scene, question=question), choice
        case focus.TakingBack() if key not in shared.LEAVE_KEYS:
            return _take_back(scene, key)
        case focus.Admitting(sight) if key not in shared.LEAVE_KEYS:
            return shared.admit(scene, sight, key)
        case _ if key in shared.LEAVE_KEYS:
            return shared.leaving(scene), None
        case focus.Talking(draft):
            return shared.talk(scene, draft, key)
        case focus.Reading() as reading:
            return _read(scene, reading, key), None
        case focus.AtTable() | focus.TakingBack() | focus.Admitting():
            return _at_table(scene, key)


def _read(scene: Scene, reading: focus.Reading, key: str) -> Scene:
    """Return the scene after a key on a page; the analysis leads to the board."""
    found = () if scene.judging is None else scene.judging.mistakes
    studying = study.studying_after(reading, key, len(found))
    if studying is not None:
        return replace(scene, focus=studying)
    closing = study.ANALYSES if reading.page is focus.Page.ANALYSIS else ""
    return shared.read_on(scene, reading, key, closing)


def _take_back(scene: Scene, key: str) -> KeyResult:
    match key:
        case "enter":
            scene = tell(scene, said.TAKEN_BACK())
            scene = replace(
                scene, question=scenes.WAITING, work=captions.GOING_BACK(), end=None
            )
            scene = replace(scene, transcript=b"", judging=None)
            return replace(scene, focus=focus.AtTable(), after_game=None), TakeBack()
        case "escape":
            return replace(scene, focus=focus.AtTable()), None
        case _:
            return scene, None


def _at_table(scene: Scene, key: str) -> KeyResult:
    if key in shared.PAGES and shared.PAGES[key] is not focus.Page.WHY:
        return shared.open_page(scene, shared.PAGES[key]), None
    if key == "q":
        return shared.leaving(scene), None
    if key == _MUTE and scene.name:
        return shared.mute(scene), None
    if key == shared.ADMIT and scene.audience.most and not scene.audience.closed:
        return replace(scene, focus=focus.Admitting(scene.audience.ours.sight)), None
    if key in shared.SPEAKING_KEYS:
        return shared.speak(scene, key)
    if key in ("pageup", "pagedown"):
        return shared.scroll_talk(scene, key), None
    if key in _COACH and scene.practice:
        return _ask_coach(scene, key), None
    return _end(scene, key) if scene.end is not None else _answer(scene, key)


def _ask_coach(scene: Scene, key: str) -> Scene:
    if key == "u":
        if scene.decided:
            return replace(scene, focus=focus.TakingBack())
        return replace(scene, answer=said.NOTHING_DECIDED())
    draft = scene.draft
    if draft is None or not draft.game.row:
        return replace(scene, answer=_advised(scene.question))
    game = draft.game
    best = max(
        Map(game, draft.seat).ways(),
        key=lambda path: game.board.order(path.order).points / path.ap,
    )
    hint = captions.HINT(order=game.row.index(best.order) + 1)
    scene = replace(scene, told=(*scene.told, hint), hint=hint, marked=best.order)
    return _home(scene, draft)


def _advised(question: scenes.Question) -> str:
    """Return what a good player does besides turns."""
    match question:
        case scenes.Beginning():
            return said.START_ANYWHERE()
        case scenes.Settling(most=gold):
            return captions.HINT_PAY(gold=gold)
        case scenes.Voting():
            return captions.HINT_SETTLE()
        case _:
            return captions.NO_HINT()


def _end(scene: Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key at the end of the game."""
    if key == "enter":
        return shared.gone(scene), None
    if key == study.ANALYSES and scene.transcript:
        return _analyse(scene)
    after, rematch = scene.after_game, Proposal.REMATCH
    if after is None or key != _REMATCH or not after.allows(rematch):
        return scene, None
    sentences = AGREED if after.asks(rematch) else OFFERED
    offered = replace(scene, after_game=after.offer(rematch))
    return tell(offered, sentences[rematch]()), Propose(rematch)


def _analyse(scene: Scene) -> KeyResult:
    opened = shared.open_page(scene, focus.Page.ANALYSIS)
    if scene.judging is not None:
        return opened, None
    return replace(opened, judging=Study()), Analyse(scene.transcript, scene.seat)


def _answer(scene: Scene, key: str) -> KeyResult:
    match scene.question:
        case scenes.Waiting():
            return scene, None
        case scenes.Beginning(at) if scene.game is not None:
            return _begin(scene, scene.game.board.starts, at, key)
        case scenes.Settling() as settling:
            return _pay(scene, settling, key)
        case scenes.Voting(settle):
            return _say_whether(scene, key, settle=settle)
        case scenes.Closing(draft) if key == "enter":
            return _made(scene, draft.turn)
        case _:
            return _in_turn(scene, key), None


def _made(scene: Scene, move: moves.Move) -> KeyResult:
    """Send a choice; what is shown stays until the table has the choice too."""
    scene = replace(scene, sent=scene.shown, lit=(), marked=0, hint="")
    return replace(scene, question=scenes.WAITING), MakeMove(move)


def _begin(scene: Scene, starts: Sequence[int], at: int, key: str) -> KeyResult:
    click = _clicked(key)
    if key == "enter" or (click is not None and click == starts[at]):
        return _made(scene, moves.StartAt(starts[at]))
    if click in starts:
        at = starts.index(click)
    elif key in _ARROWS:
        at = (at + sum(_ARROWS[key])) % len(starts)
    elif key in "1234":
        at = int(key) - 1
    return replace(scene, question=scenes.Beginning(at)), None


def _pay(scene: Scene, settling: scenes.Settling, key: str) -> KeyResult:
    if key == "enter":
        return _made(scene, moves.PayUpkeep(settling.gold))
    step = {"left": -1, "down": -1, "right": 1, "up": 1}.get(key, 0)
    gold = min(settling.most, max(0, settling.gold + step))
    return replace(scene, question=settling._replace(gold=gold)), None


def _say_whether(scene: Scene, key: str, *, settle: bool) -> KeyResult:
    if key == "enter":
        return _made(scene, moves.AnswerIdle(settle))
    if key in _ARROWS:
        settle = not settle
    elif key in ("1", "2"):
        settle = key == "2"
    return replace(scene, question=scenes.Voting(settle)), None


def _in_turn(scene: Scene, key: str) -> Scene:
    match scene.question:
        case Walking() as walking:
            return _walk(scene, walking, key)
        case scenes.Swapping(draft):
            good = _digit(key)
            return _home(scene, draft) if good is None else _do(scene, draft, moves.Buy(good))
        case scenes.Delivering(draft, orders):
            return _deliver(scene, draft, orders, key)
        case scenes.Wishing() as wishing:
            return _wish(scene, wishing, key)
        case scenes.Placing() as placing:
            return _place(scene, placing, key)
        case scenes.Closing(draft):
            return _home(scene, draft)
        case _:
            return scene


def _clicked(key: str) -> int | None:
    """Return the square of a click, or None for another key."""
    found = _SQUARE.fullmatch(key)
    return None if found is None else int(found[1])


def _digit(key: str) -> int | None:
    """Return 0 to 4 for the keys 1 to 5, or None."""
    return int(key) - 1 if key in ("1", "2", "3", "4", "5") else None


def _home(scene: Scene, draft: Draft) -> Scene:
    """Return the scene of the running turn, the square of the person chosen."""
    return replace(scene, question=Walking(draft, draft.at))


def _do(scene: Scene, draft: Draft, *actions: moves.TurnAction) -> Scene:
    """Return the scene after actions, or with the reason of a refusal."""
    try:
        return _home(replace(scene, marked=_kept(scene, actions)), draft.do(*actions))
    except RefusedError as error:
        return replace(_home(scene, draft), answer=error.reason())


def _kept(scene: Scene, actions: tuple[moves.TurnAction, ...]) -> int:
    """Return the marked order, unless ``actions`` fulfil the order."""
    done = [action.order for action in actions if isinstance(action, moves.Fulfil)]
    return 0 if scene.marked in done else scene.marked


def _walk(scene: Scene, walking: Walking, key: str) -> Scene:
    draft = walking.draft
    click = _clicked(key)
    if click is not None and click != walking.at:
        return replace(scene, question=Walking(draft, click))
    if key in _ARROWS:
        at = _beside(draft.game.board, walking.at, key)
        return replace(scene, question=Walking(draft, at))
    place = _digit(key)
    if place is not None:
        return _mark(scene, draft, place)
    if key == "enter" or click is not None:
        return _do(scene, draft, *route(scene))
    if key == "escape":
        return _home(replace(scene, marked=0), draft)
    if key == "c":
        return replace(scene, question=walking._replace(way=walking.way + 1))
    return _act(scene, draft, key)


def _mark(scene: Scene, draft: Draft, place: int) -> Scene:
    row = draft.game.row
    if place >= len(row):
        return scene
    order = 0 if scene.marked == row[place] else row[place]
    return _home(replace(scene, marked=order), draft)


def _beside(board: Board, square: int, key: str) -> int:
    """Return the next square in the direction of an arrow, or ``square`` at the edge."""
    row, column = divmod(square, board.width)
    down, right = _ARROWS[key]
    while 0 <= row + down < len(board.grid) and 0 <= column + right < board.width:
        row, column = row + down, column + right
        found = board.named(row + 1, column + 1)
        if found is not None:
            return found
    return square


def _act(scene: Scene, draft: Draft, key: str) -> Scene:
    match key:
        case "b":
            return _buy(scene, draft)
        case "g":
            return _do(scene, draft, moves.TAKE_GOLD)
        case "s":
            return _lay(scene, draft)
        case "d":
            return _deliver_some(scene, draft)
        case "n":
            declined = draft.decline()
            if declined is None:
                return replace(scene, answer=captions.NO_BONUS())
            return _home(scene, declined)
        case "e":
            return replace(scene, question=scenes.Closing(draft))
        case _ if key in _UNDO:
            return _undo(scene, draft)
        case _:
            return scene


def _undo(scene: Scene, draft: Draft) -> Scene:
    if not draft.made:
        return replace(scene, answer=captions.NOTHING_BACK())
    before = draft.back()
    words = scene.words.actions(before.game, draft.seat, draft.made[-1:])
    return tell(_home(scene, before), said.UNDONE(actions=words))


def _buy(scene: Scene, draft: Draft) -> Scene:
    exchanges = [
        action
        for action in legal_actions(draft.game)
        if isinstance(action, moves.Buy) and action.back is not None
    ]
    if exchanges and sum(draft.player.goods) >= MOST_GOODS:
        return replace(scene, question=scenes.Swapping(draft))
    return _do(scene, draft, moves.Buy())


def _lay(scene: Scene, draft: Draft) -> Scene:
    squares = tuple(
        action.taken
        for action in legal_actions(draft.game)
        if isinstance(action, moves.LayShop) and action.taken is not None
    )
    if not squares:
        return _do(scene, draft, moves.LayShop())
    return replace(scene, question=scenes.Placing(draft, 0, squares, squares[0]))


def _deliver_some(scene: Scene, draft: Draft) -> Scene:
    ready = {
        action.order for action in legal_actions(draft.game) if isinstance(action, moves.Fulfil)
    }
    orders = tuple(order for order in draft.game.row if order in ready)
    if not orders:
        return replace(scene, answer=captions.NOTHING_HERE())
    if len(orders) == 1:
        return _fulfil(scene, draft, orders[0])
    return replace(scene, question=scenes.Delivering(draft, orders))


def _deliver(scene: Scene, draft: Draft, orders: tuple[int, ...], key: str) -> Scene:
    place = _digit(key)
    row = draft.game.row
    if place is not None and place < len(row) and row[place] in orders:
        return _fulfil(scene, draft, row[place])
    return _home(scene, draft) if key == "escape" else scene


def _fulfil(scene: Scene, draft: Draft, number: int) -> Scene:
    """Deliver an order, or ask first what its bonus shall be."""
    bonus = draft.game.board.order(number).bonus
    if bonus.chosen:
        return replace(scene, question=scenes.Wishing(draft, number))
    if not bonus.shop:
        return _do(scene, draft, moves.Fulfil(number))
    richer = draft.player._replace(gold=draft.player.gold + bonus.gold)
    squares = tuple(shop_squares(draft.game, richer, bonus.shop))
    if not squares:
        return _do(scene, draft, moves.Fulfil(number, moves.DECLINE))
    return replace(scene, question=scenes.Placing(draft, number, squares, squares[0]))


def _wish(scene: Scene, wishing: scenes.Wishing, key: str) -> Scene:
    draft, order, goods = wishing
    good = _digit(key)
    if good is not None:
        goods = tuple(sorted((*goods, good)))
        if len(goods) < draft.game.board.order(order).bonus.chosen:
            return replace(scene, question=wishing._replace(goods=goods))
        return _do(scene, draft, moves.Fulfil(order, moves.ChooseGoods(goods)))
    if key == "n":
        return _do(scene, draft, moves.Fulfil(order, moves.DECLINE))
    return _home(scene, draft) if key == "escape" else scene


def _place(scene: Scene, placing: scenes.Placing, key: str) -> Scene:
    draft, order, squares, at = placing
    click = _clicked(key)
    if key == "escape":
        return _home(scene, draft)
    if key == "n" and order:
        return _do(scene, draft, moves.Fulfil(order, moves.DECLINE))
    if key == "enter" or click == at:
        if order:
            return _do(scene, draft, moves.Fulfil(order, moves.PlaceShop(at)))
        return _do(scene, draft, moves.LayShop(at))
    if key in _ARROWS:
        at = _beside(draft.game.board, at, key) if order else _next(squares, at, key)
    elif click is not None:
        at = click
    return replace(scene, question=placing._replace(at=at))


def _next(squares: tuple[int, ...], at: int, key: str) -> int:
    places = sorted({*squares, at})
    return places[(places.index(at) + sum(_ARROWS[key])) % len(places)]
