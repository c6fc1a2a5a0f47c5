"""Under the board: the state of the turn, the question, and the keys that answer it."""

from typing import assert_never

from matcha_p2p.console.table.bars import asks, over, tells
from matcha_p2p.console.terminal.cells import Fragment
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi.draft import Draft
from matcha_p2p.games.kashi.rules.actions import MOST_GOODS
from matcha_p2p.games.kashi.rules.orders import missing
from matcha_p2p.games.kashi.rules.state import Drawing, GameState, Paying, Questioning, Starting
from matcha_p2p.games.kashi.rules.state import Turn as Running
from matcha_p2p.games.kashi.screen import captions, phrases
from matcha_p2p.games.kashi.screen import scene as screen_scene
from matcha_p2p.games.kashi.screen.drawing import ways
from matcha_p2p.games.kashi.words import names
from matcha_p2p.narration.sentences import listed


def state_lines(
    scene: screen_scene.Scene, game: GameState, skin: Skin, *, short: bool
) -> list[str]:
    """Return the state of the running turn, and the marked order, a sentence a line.

    short: whether both share a line, without gold and goods.
    """
    draft = scene.draft
    if draft is None:
        return []
    left = left_words(draft, skin)
    second = _marked(scene, draft) or _made(scene)
    if short:
        return [f"{left}   {second}"]
    player = draft.player
    signs = [sign for _, sign in phrases.spelt(game.board, player.goods, skin)]
    held = " ".join(signs) or captions.NO_GOODS
    count = sum(player.goods)
    goods = captions.HELD(gold=player.gold, goods=held, count=count, most=MOST_GOODS)
    return [f"{left}   {goods}", second]


def left_words(draft: Draft, skin: Skin) -> str:
    """Return the action points left."""
    point = "o" if skin.framed else "▮"
    return f"{captions.AP_LEFT(ap=draft.ap)} {point * draft.ap}"


def _made(scene: screen_scene.Scene) -> str:
    """Return the actions that the seat has made."""
    draft = scene.draft
    if draft is None or not draft.made:
        return ""
    made = scene.words.actions(draft.start, draft.seat, draft.made)
    return captions.MADE(actions=made)


def _marked(scene: screen_scene.Scene, draft: Draft) -> str:
    """Return what the marked order lacks and, in practice, its cheapest way."""
    if scene.marked not in draft.game.row:
        return ""
    board = draft.game.board
    place = draft.game.row.index(scene.marked) + 1
    order = board.order(scene.marked)
    bonus = phrases.short_bonus(board, order.bonus)
    path = ways.cheapest(scene)
    if path is None:
        lacks = missing(order.goods, draft.player.goods)
        sentence = captions.LACKS if any(lacks) else captions.LACKS_NOTHING
        return sentence(order=place, bonus=bonus, goods=names.goods_words(board, lacks))
    stops = listed(names.tile_name(board, stop) for stop in path.stops)
    parts = (
        (captions.WALKS, sum(path.walk)),
        (captions.BUYS, path.buys),
        (captions.TAKES, path.takes),
    )
    way = listed(said(count=count) for said, count in parts if count)
    return captions.CHEAPEST(order=place, bonus=bonus, ap=path.ap, way=way, stops=stops)


def prompt(scene: screen_scene.Scene) -> Listing | Fragment:
    """Return the question, or the reason for waiting."""
    if scene.is_over:
        return asks(over(scene))
    if isinstance(scene.question, Listing):
        return scene.question
    return asks(_question(scene)) if scene.asked else tells(_waiting(scene))


def _question(scene: screen_scene.Scene) -> str:
    match scene.question:
        case screen_scene.Waiting() | Listing():  # a list stands for itself
            return ""
        case screen_scene.Beginning():
            return captions.START()
        case screen_scene.Settling(owed, _, gold) as asked:
            lost = min(owed - gold, asked.points)
            if not lost:
                return captions.PAY(owed=owed, gold=gold)
            return captions.PAY_LESS(lost, owed=owed, gold=gold)
        case _:
            return _turn_question(scene, scene.question)


def _turn_question(scene: screen_scene.Scene, question: screen_scene.InTurn) -> str:
    row = question.draft.game.row
    match question:
        case screen_scene.Walking():
            return _walking(scene, question)
        case screen_scene.Placing(_, order):
            return captions.PLACE(order=row.index(order) + 1) if order else captions.RELAY()
        case screen_scene.Closing(draft):
            left = draft.ap
            return captions.END_LEFT(ap=left) if left else captions.END()
        case _:
            assert_never(question)


def _walking(scene: screen_scene.Scene, walking: screen_scene.Walking) -> str:
    draft = walking.draft
    moves = ways.route(scene)
    left = draft.ap
    if walking.plan:
        step = scene.words.actions(draft.game, draft.seat, walking.step)
        return captions.NEXT(actions=step)
    if not moves:
        return captions.WALK() if left else captions.SPENT()
    board = draft.game.board
    square = names.tile_name(board, walking.at) or board.name_of(walking.at)
    if len(moves) > left:
        return captions.TOO_FAR(square=square, ap=len(moves), left=left)
    over = moves[0].over
    if len(moves) > 1 or over is None:
        said = captions.STEP(square=square, ap=len(moves))
    elif over == scene.seat:
        said = captions.OVER_YOURS(square=square)
    else:
        said = captions.OVER(square=square, name=scene.names[over])
    return said


def _waiting(scene: screen_scene.Scene) -> str:
    game = scene.game
    if scene.work or game is None:
        return scene.work
    seat = game.due
    if isinstance(game.phase, Drawing) or seat is None:
        return captions.COINS()
    if seat == scene.seat:
        return captions.SENT()
    name = scene.names[seat]
    match game.phase:
        case Starting():
            return captions.THEIR_START(name=name)
        case Paying():
            return captions.THEIR_UPKEEP(name=name)
        case Questioning():
            return captions.THEIR_ANSWER(name=name)
        case Running() | _:
            return captions.THEIR_TURN(name=name)
