"""The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

Keys have the names of prompt_toolkit (enter, escape, left, f10, c-c), or are the typed
character. A click on the square N means the key "atN".
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, cast

from matcha_p2p.console.table import captions as table_captions
from matcha_p2p.console.table.frame import TURNS, Request, TableKeys
from matcha_p2p.console.table.keymap import Key
from matcha_p2p.console.table.scene import tell
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.kashi import questions
from matcha_p2p.games.kashi.board.board import Board
from matcha_p2p.games.kashi.draft import Draft
from matcha_p2p.games.kashi.review.mistakes import Analyse
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.choices import legal_actions, shop_squares
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.screen import captions
from matcha_p2p.games.kashi.screen import scene as scenes
from matcha_p2p.games.kashi.screen.drawing.ways import route
from matcha_p2p.games.kashi.screen.routes import routes
from matcha_p2p.games.kashi.screen.scene import Scene, Walking
from matcha_p2p.games.kashi.words import line_sentences as said
from matcha_p2p.games.kashi.words.names import purpose_words
from matcha_p2p.language import Sentence
from matcha_p2p.narration.news import Wish
from matcha_p2p.session.news import MakeMove
from matcha_p2p.wire.talk import Proposal

if TYPE_CHECKING:  # a hint loads the bots
    from matcha_p2p.games.kashi.bots.hint import Advice

KeyResult: TypeAlias = tuple[Scene, Wish | None]

_SQUARE: Final = re.compile(r"at([0-9]+)")
_ARROWS: Final = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


class KashiKeys(TableKeys[Scene]):
    """The keys of Kashi-ichi."""

    lists: ClassVar = True
    undo_help: ClassVar = captions.HELP_UNDO
    offers: ClassVar = {"r": Proposal.REMATCH}

    def idle(self, scene: Scene) -> Scene:
        """Return the scene without a question."""
        return replace(scene, question=scenes.WAITING)

    def returned(self, scene: Scene) -> Scene:
        """Return the scene after the person has taken a decision back."""
        scene = replace(scene, work=captions.GOING_BACK(), transcript=b"")
        return super().returned(scene)

    def undone(self, scene: Scene) -> Scene | None:
        """Return the scene before the last action of the turn, or before its end was asked."""
        match scene.question:
            case Walking(draft) if draft.made:
                return _undo(scene, draft)
            case scenes.Closing(draft):
                return _home(scene, draft)
            case _:
                return None

    def told(self, scene: Scene, sentence: str) -> Scene:
        """Return the scene with the answer to a key."""
        return replace(scene, answer=sentence)

    def analysis(self, scene: Scene) -> Analyse | None:
        """Return the question about the finished game, once its file is whole."""
        return Analyse(scene.transcript, scene.seat) if scene.transcript else None

    def chosen(self, scene: Scene, gives: object) -> KeyResult:
        """Return the scene and the choice after an option of a list was chosen."""
        match gives:
            case moves.AnswerIdle():
                return _made(scene, gives)
            case int() if scene.draft is not None:
                return _fulfil(scene, scene.draft, gives), None
            case tuple() if scene.draft is not None:
                done = cast("tuple[moves.TurnAction, ...]", gives)
                return _do(scene, scene.draft, *done), None
            case _:
                return scene, None

    def press(self, scene: Scene, key: str) -> tuple[Scene, Request | None]:
        """Return the scene and the choice after a key; the answer to the last key is gone."""
        return super().press(replace(scene, answer="") if scene.answer else scene, key)

    def decision(self, scene: Scene) -> Outlook | None:
        """Return the game after the actions so far, if a move is due."""
        game = scene.game if scene.draft is None else scene.draft.game
        return None if game is None or not scene.asked else Outlook(game, scene.seat)

    def advised(self, scene: Scene, judgement: "Advice") -> Scene:
        """Return the scene with the hint; the actions so far stay."""
        seen = self.decision(scene)
        return scene if seen is None else _advised(scene, seen, judgement)


def _advised(scene: Scene, seen: Outlook, advice: "Advice") -> Scene:
    draft = scene.draft
    match advice.move:
        case moves.StartAt(square):
            at = seen.game.board.starts.index(square)
            scene, hint = replace(scene, question=scenes.Beginning(at)), said.START_ANYWHERE()
        case moves.PayUpkeep(gold):
            asked = scene.question
            if isinstance(asked, scenes.Settling):
                scene = replace(scene, question=asked._replace(gold=gold))
            hint = captions.HINT_PAY(gold=gold)
        case moves.AnswerIdle(settle):
            asked = questions.vote(at=int(settle))
            scene, hint = replace(scene, question=asked), captions.HINT_SETTLE()
        case moves.TakeTurn(actions) if draft is not None:
            words = scene.words.actions(draft.game, draft.seat, actions)
            why = purpose_words(draft.game.board, advice.order, advice.ap)
            hint = f"{captions.HINT_TURN(actions=words)} {why}".rstrip()
            scene = _laid_out(scene, draft, actions)
        case _:
            return replace(scene, hint="")
    return replace(scene, hint=hint)


def _laid_out(scene: Scene, draft: Draft, plan: tuple[moves.TurnAction, ...]) -> Scene:
    """Return the scene where Enter plays the next step of ``plan``, at last the end."""
    ahead = Walking(draft, draft.at, plan=plan) if plan else scenes.Closing(draft)
    return replace(scene, question=ahead)


def _follow(scene: Scene, _: str) -> KeyResult:
    """Play the next step of the turn in the hint."""
    asked = scene.question
    if not isinstance(asked, Walking):
        return scene, None
    done = _do(scene, asked.draft, *asked.step)
    if done.answer or done.draft is None:
        return done, None
    return _laid_out(done, done.draft, asked.plan[len(asked.step) :]), None


def _made(scene: Scene, move: moves.Move) -> KeyResult:
    """Send a choice; what is shown stays until the table has the choice too."""
    scene = replace(scene, sent=scene.shown, lit=(), marked=0, hint="")
    return replace(scene, question=scenes.WAITING), MakeMove(move)


def _start(scene: Scene, key: str) -> KeyResult:
    """Mark a square to start from; a click on the marked square starts."""
    game, asked = scene.game, scene.question
    if game is None or not isinstance(asked, scenes.Beginning):
        return scene, None
    starts, click = game.board.starts, _clicked(key)
    if key == "enter" or (click is not None and click == starts[asked.at]):
        return _made(scene, moves.StartAt(starts[asked.at]))
    if click is None:
        at = asked.at + sum(_ARROWS[key]) if key in _ARROWS else int(key) - 1
    else:
        at = starts.index(click) if click in starts else asked.at
    return replace(scene, question=scenes.Beginning(at % len(starts))), None


def _pay(scene: Scene, key: str) -> KeyResult:
    """Pay the upkeep, or pay more or less."""
    asked = scene.question
    if not isinstance(asked, scenes.Settling):
        return scene, None
    if key == "enter":
        return _made(scene, moves.PayUpkeep(asked.gold))
    step = {"left": -1, "down": -1, "right": 1, "up": 1}[key]
    gold = min(asked.most, max(0, asked.gold + step))
    return replace(scene, question=asked._replace(gold=gold)), None


def _clicked(key: str) -> int | None:
    """Return the square of a click, or None for another key."""
    found = _SQUARE.fullmatch(key)
    return None if found is None else int(found[1])


def _digit(key: str) -> int | None:
    """Return 0 to 4 for the keys 1 to 5, or None."""
    return int(key) - 1 if key in ("1", "2", "3", "4", "5") else None


def _home(scene: Scene, draft: Draft) -> Scene:
    """Return the scene of the running turn, the square of the person chosen."""
    return replace(scene, question=_home_of(draft))


def _home_of(draft: Draft) -> Walking:
    return Walking(draft, draft.at)


def _do(scene: Scene, draft: Draft, *actions: moves.TurnAction) -> Scene:
    """Return the scene after actions, a hint gone, or with the reason of a refusal."""
    try:
        done = replace(scene, marked=_kept(scene, actions), refused="", hint="")
        return _home(done, draft.do(*actions))
    except RefusedError as error:
        why = table_captions.REFUSED(rule=error.rule, why=error.reason())
        return replace(_home(scene, draft), answer=error.reason(), refused=why)


def _kept(scene: Scene, actions: tuple[moves.TurnAction, ...]) -> int:
    """Return the marked order, unless ``actions`` fulfil the order."""
    done = [action.order for action in actions if isinstance(action, moves.Fulfil)]
    return 0 if scene.marked in done else scene.marked


def _walk(scene: Scene, key: str) -> KeyResult:
    """Choose a square, or go to the chosen one."""
    asked, click = scene.question, _clicked(key)
    if not isinstance(asked, Walking):
        return scene, None
    draft = asked.draft
    if key in _ARROWS:
        click = _beside(draft.game.board, asked.at, key)
    if click is not None and click != asked.at:
        return replace(scene, question=Walking(draft, click)), None
    return (scene if key in _ARROWS else _do(scene, draft, *route(scene))), None


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


def _undo(scene: Scene, draft: Draft) -> Scene:
    before = draft.back()
    words = scene.words.actions(before.game, draft.seat, draft.made[-1:])
    return tell(_home(replace(scene, hint=""), before), said.UNDONE(actions=words))


def _buy(scene: Scene, draft: Draft) -> Scene:
    asked = questions.buying(draft, _home_of(draft))
    if isinstance(asked, Listing):
        return replace(scene, question=asked)
    return _do(scene, draft, *asked)


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
    match questions.delivering(draft, scene.words, _home_of(draft)):
        case None:
            return replace(scene, answer=captions.NOTHING_HERE())
        case Listing() as asked:
            return replace(scene, question=asked)
        case order:
            return _fulfil(scene, draft, order)


def _fulfil(scene: Scene, draft: Draft, number: int) -> Scene:
    """Deliver an order, or ask first what its bonus shall be."""
    bonus = draft.game.board.order(number).bonus
    if bonus.chosen:
        return replace(scene, question=questions.wish(draft, number, _home_of(draft)))
    if not bonus.shop:
        return _do(scene, draft, moves.Fulfil(number))
    richer = draft.player._replace(gold=draft.player.gold + bonus.gold)
    squares = tuple(shop_squares(draft.game, richer, bonus.shop))
    if not squares:
        return _do(scene, draft, moves.Fulfil(number, moves.DECLINE))
    return replace(scene, question=scenes.Placing(draft, number, squares, squares[0]))


def _place(scene: Scene, key: str) -> KeyResult:
    """Choose the square of a shop, or lay the shop."""
    asked, click = scene.question, _clicked(key)
    if not isinstance(asked, scenes.Placing):
        return scene, None
    draft, order, squares, at = asked
    if key == "n" and order:
        return _do(scene, draft, moves.Fulfil(order, moves.DECLINE)), None
    if key == "enter" or click == at:
        done = moves.Fulfil(order, moves.PlaceShop(at)) if order else moves.LayShop(at)
        return _do(scene, draft, done), None
    if key in _ARROWS:
        at = _beside(draft.game.board, at, key) if order else _next(squares, at, key)
    elif click is not None:
        at = click
    return replace(scene, question=asked._replace(at=at)), None


def _next(squares: tuple[int, ...], at: int, key: str) -> int:
    places = sorted({*squares, at})
    return places[(places.index(at) + sum(_ARROWS[key])) % len(places)]


# When a key has an effect.


def _asks(*kinds: type) -> Callable[[Scene], bool]:
    return lambda scene: isinstance(scene.question, kinds)


_STARTS: Final = _asks(scenes.Beginning)
_PAYS: Final = _asks(scenes.Settling)
_PLACES: Final = _asks(scenes.Placing)
_CLOSES: Final = _asks(scenes.Closing)
_WALKS: Final = _asks(Walking)


def _pays_some(scene: Scene) -> bool:
    return isinstance(scene.question, scenes.Settling) and scene.question.gold > 0


def _owes(scene: Scene) -> bool:
    asked = scene.question
    return isinstance(asked, scenes.Settling) and asked.gold < asked.most


def _in_draft(do: Callable[[Scene, Draft], Scene]) -> Callable[[Scene, str], KeyResult]:
    def press_it(scene: Scene, _: str) -> KeyResult:
        return (scene if scene.draft is None else do(scene, scene.draft)), None

    return press_it


def _if_legal(word: Sentence, kind: type) -> Callable[[Scene], str]:
    """Return the word of a key, or "" while no such action is legal: pressed, it says why."""

    def label(scene: Scene) -> str:
        legal = () if scene.draft is None else legal_actions(scene.draft.game)
        return word() if any(isinstance(action, kind) for action in legal) else ""

    return label


def _goes(scene: Scene) -> bool:
    return _WALKS(scene) and bool(route(scene))


def _going(scene: Scene) -> str:
    left = 0 if scene.draft is None else scene.draft.ap
    return captions.GOES() if len(route(scene)) <= left else ""


def _planned(scene: Scene) -> bool:
    return isinstance(scene.question, Walking) and bool(scene.question.plan)


def _step(scene: Scene) -> str:
    """Return the word for the next step of the hint."""
    asked = scene.question
    return _WORDS[type(asked.step[0])]() if isinstance(asked, Walking) else ""


def _spent(scene: Scene) -> bool:
    asked = scene.question
    return isinstance(asked, Walking) and not asked.draft.ap and asked.at == asked.draft.at


def _no_bonus(scene: Scene) -> str:
    draft = scene.draft
    return captions.NO_BONUS() if draft is None or draft.decline() is None else ""


def _decline(scene: Scene, draft: Draft) -> Scene:
    declined = draft.decline()
    return scene if declined is None else _home(replace(scene, hint=""), declined)


def _places_bonus(scene: Scene) -> bool:
    return isinstance(scene.question, scenes.Placing) and bool(scene.question.order)


def _chains(scene: Scene) -> bool:
    asked = scene.question
    return (
        isinstance(asked, Walking)
        and len(routes(asked.draft.game, asked.draft.seat, asked.at)) > 1
    )


def _chain(scene: Scene, _: str) -> KeyResult:
    asked = scene.question
    if isinstance(asked, Walking):
        return replace(scene, question=asked._replace(way=asked.way + 1)), None
    return scene, None


def _ends(scene: Scene, draft: Draft) -> Scene:
    return replace(scene, question=scenes.Closing(draft))


def _close(scene: Scene, key: str) -> KeyResult:
    """End the turn, or go on with the turn."""
    asked = scene.question
    if not isinstance(asked, scenes.Closing):
        return scene, None
    if key == "enter":
        return _made(scene, asked.draft.turn)
    return _home(scene, asked.draft), None


def _escape(scene: Scene, draft: Draft) -> Scene:
    return _home(replace(scene, marked=0), draft)


def _strays(scene: Scene) -> bool:
    asked = scene.question
    walks = isinstance(asked, Walking) and (
        scene.marked or asked.plan or asked.at != asked.draft.at
    )
    return bool(walks) or isinstance(asked, scenes.Placing)


def _order(scene: Scene, key: str) -> KeyResult:
    place = _digit(key)
    if scene.draft is None or place is None:
        return scene, None
    return _mark(scene, scene.draft, place), None


_WORDS: Final[Mapping[type, Sentence]] = {
    moves.Go: captions.GOES,
    moves.Buy: captions.BUY,
    moves.TakeGold: captions.TAKE,
    moves.LayShop: captions.LAY,
    moves.Fulfil: captions.FULFIL,
}

KEYS: Final[tuple[Key[Scene], ...]] = (
    Key("enter", _start, captions.STARTS, captions.HELP_GO, _STARTS),
    Key("left right up down 1 2 3 4 at*", _start, None, None, _STARTS),
    Key("enter", _pay, captions.PAYS, None, _PAYS),
    Key("left down", _pay, captions.LESS, captions.HELP_LESS, _pays_some),
    Key("right up", _pay, captions.MORE, captions.HELP_MORE, _owes),
    Key("enter", _place, captions.LAY, None, _PLACES),
    Key("left right up down at*", _place, None, None, _PLACES),
    Key("enter", _close, captions.END_TURN, None, _CLOSES),
    Key("escape", _close, captions.CANCEL, None, _CLOSES),
    Key("enter", _follow, _step, None, _planned),
    Key("enter", _in_draft(_ends), captions.END_TURN, None, _spent),
    Key("enter", _walk, _going, None, _goes),
    Key("left right up down at*", _walk, None, captions.HELP_ARROWS, _WALKS,
        table_captions.ARROWS),
    Key("b", _in_draft(_buy), _if_legal(captions.BUY, moves.Buy), captions.HELP_BUY, _WALKS),
    Key("g", _in_draft(lambda scene, draft: _do(scene, draft, moves.TAKE_GOLD)),
        _if_legal(captions.TAKE, moves.TakeGold), captions.HELP_GOLD, _WALKS),
    Key("s", _in_draft(_lay), _if_legal(captions.LAY, moves.LayShop), captions.HELP_SHOP,
        _WALKS),
    Key("d", _in_draft(_deliver_some), _if_legal(captions.FULFIL, moves.Fulfil),
        captions.HELP_DELIVER, _WALKS),
    Key("e", _in_draft(_ends), captions.END_TURN, captions.HELP_END, _WALKS),
    Key("n", _in_draft(_decline), captions.DECLINE, captions.HELP_DECLINE, _WALKS,
        unless=_no_bonus),
    Key("n", _place, captions.DECLINE, None, _places_bonus),
    Key("c", _chain, captions.CHAIN, captions.HELP_CHAIN, _chains),
    Key("1 2 3 4 5", _order, None, captions.HELP_ORDER, _WALKS, captions.ORDER_KEYS),
    Key("escape", _in_draft(_escape), captions.CANCEL, None, _strays),
    TURNS,
)  # fmt: skip

KashiKeys.own = KEYS
FRAME: Final = KashiKeys()


press: Final = FRAME.press
