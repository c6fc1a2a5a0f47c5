"""The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

Keys have the names of prompt_toolkit, or are the typed character. A click on a card is the key
``card`` with the place of the card, and a click on a gift the key ``gift`` with its number.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Final, TypeAlias

from matcha_p2p.console.table import captions as table_captions
from matcha_p2p.console.table import focus, keys
from matcha_p2p.console.table.frame import TableKeys
from matcha_p2p.console.table.keymap import Key
from matcha_p2p.console.table.scene import tell
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu import questions
from matcha_p2p.games.tichu.bots.judgement import Judgement
from matcha_p2p.games.tichu.questions import CallAnswer
from matcha_p2p.games.tichu.review.mistakes import AnalyseRound, recorded
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.moves import check_duty
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import HAND, Ask
from matcha_p2p.games.tichu.screen import marking
from matcha_p2p.games.tichu.screen import scene as scenes
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Marking, Scene, Waiting
from matcha_p2p.games.tichu.table.seated import BEHIND, RULES
from matcha_p2p.games.tichu.words import captions, line_sentences
from matcha_p2p.narration.news import Wish
from matcha_p2p.session.news import Concede, MakeMove, Think

KeyResult: TypeAlias = tuple[Scene, Wish | None]

CARD: Final = "card"
"""Begins the key that a click on a card means; the place of the card follows."""
GIFT: Final = "gift"
"""Begins the key that a click on a gift means."""


class TichuKeys(TableKeys[Scene]):
    """The keys of Tichu."""

    lists: ClassVar = True

    def idle(self, scene: Scene) -> Scene:
        """Return the scene without a question."""
        return scenes.answered(scene)

    def parted(self, scene: Scene, choice: Wish) -> KeyResult:
        """Return the scene and the choice; a partner has to agree to resign."""
        if choice != Concede():
            return super().parted(scene, choice)
        scene = replace(scene, focus=focus.AtTable())  # the game may go on
        coached = scene.game if scene.coached else None
        if coached is None or RULES.resigns(coached, scene.seat):
            return scene, choice
        said = line_sentences.PLAYS_ON(name=scene.words.around.partner, points=BEHIND)
        return tell(scene, said), None

    def over(self, scene: Scene) -> bool:
        """Tell whether the result of a round or of the game covers the table."""
        return scene.finished is not None or scene.end is not None

    def after(self, scene: Scene, key: str) -> KeyResult:
        """Return the scene and the choice after a key at the end of a round or of the game."""
        if key == "enter" and scene.finished is not None:
            return replace(scene, finished=None), None
        return super().after(scene, key)

    def closes(self, scene: Scene) -> bool:
        """Tell whether Enter closes the table."""
        return scene.finished is None

    def analysis(self, scene: Scene) -> AnalyseRound | None:
        """Return the question about the answers in the round that is over, in practice."""
        return AnalyseRound(scene.names, scene.answers) if scene.coached else None

    def chosen(self, scene: Scene, gives: object) -> KeyResult:
        """Return the scene and the choice after an option of a list was chosen."""
        if isinstance(gives, actions.TichuMove):
            return _make(scene, gives)
        back = scene.question.back if isinstance(scene.question, Listing) else scene.question
        scene = replace(scene, question=back)
        if gives is CallAnswer.CALLS:
            scene = tell(replace(scene, calls=True), line_sentences.WILL_CALL())
            if scene.due is not None and scene.due.asked is Ask.CALL:
                return _make(scene, scene.due.legal_moves()[0])
        return scene, None

    def decision(self, scene: Scene) -> Observation | None:
        """Return the view of the seat, if an answer is due."""
        return scene.due

    def advised(self, scene: Scene, judgement: Judgement) -> Scene:
        """Return the scene with a good player's answer marked for Enter."""
        seen = scene.due
        if seen is None:
            return scene
        from matcha_p2p.games.tichu.words.hints import answer_words, reasons  # the bots

        best = judgement.moves[0].move
        told = reasons(seen, judgement, scene.words.around)
        if len(told) < 2 and not isinstance(best, actions.GiveTrick):  # the only answer
            told = (captions.HINT(answer=answer_words(seen, best)), *told)
        return _advised(replace(scene, hint="\n".join(told)), best)


def _advised(scene: Scene, best: actions.TichuMove) -> Scene:
    if not isinstance(best, actions.AnswerGrand | actions.GiveTrick) and best.tichu:
        marked = _advised(scene, best._replace(tichu=False))
        asked = marked.question if scene.calls else questions.tichu(marked.question)
        return replace(marked, question=asked)
    match scene.question, best:
        case Listing(options=options, back=back) as asked, _:
            gives = [option.gives for option in options]
            if best not in gives:  # the list asks for something else than the hint
                return _advised(replace(scene, question=back), best)
            return replace(scene, question=asked._replace(at=gives.index(best)))
        case GiftChoice(), actions.GiveCards((right, partner, left)):
            return replace(scene, question=GiftChoice((left, partner, right), 2))
        case _, actions.AnswerGrand(called=True):
            return replace(scene, question=questions.grand(scene.question))
        case _, actions.Lay(places):
            return replace(scene, marked=frozenset(places), advised=best)
        case _:
            return replace(scene, marked=frozenset(), advised=best)


def _make(scene: Scene, move: actions.TichuMove) -> KeyResult:
    if scene.due is None:
        return scene, None
    answers = recorded(scene.answers, scene.due, move)
    made = MakeMove(scenes.with_call(scene, move, scene.due))
    after = replace(scenes.answered(scene), answers=answers)
    if isinstance(move, actions.Hold):  # cards marked for the next turn stay marked
        after = replace(after, marked=scene.marked, window=None)
    return after, made


def _refused(scene: Scene, refused: RefusedError) -> Scene:
    said = line_sentences.REFUSED(rule=refused.rule, why=refused.why())
    return tell(replace(scene, refused=refused), said)


# What Enter does, and whether the seat may pass: for the key, and for its word in the bar.


def _meant(scene: Scene) -> actions.TichuMove | Listing | None:
    """Return the answer of Enter, or a question before the answer."""
    match scene.question:
        case GiftChoice((int(left), int(partner), int(right))):
            return actions.GiveCards((right, partner, left))
        case Marking() if scene.due is not None:
            return _marked(scene, scene.due)
        case _:
            return None


def _marked(scene: Scene, seen: Observation) -> actions.TichuMove | Listing | None:
    match seen.asked:
        case Ask.GRAND:
            return actions.AnswerGrand(called=False)
        case Ask.CALL:
            return seen.legal_moves()[0]
        case asked:
            lays, advised = marking.judged(scene).lays, scene.advised
            if isinstance(advised, actions.Lay):  # with the advised wish
                lays = tuple(advised if it == advised._replace(wish=0) else it for it in lays)
            if lays:
                return questions.laying(seen, lays, advised, scene.question)
            return actions.Hold() if asked is Ask.HOLD else _only_pass(scene)


def _only_pass(scene: Scene) -> actions.Pass | None:
    """Return the advised pass, or a pass where nothing fits; else None."""
    passes = isinstance(scene.advised, actions.Pass) or not marking.fitting(scene)
    return actions.Pass() if passes and not scene.marked else None


def _means(scene: Scene) -> str:
    """Return the word for what Enter does now."""
    match _meant(scene):
        case None:
            return ""
        case actions.Pass():
            return captions.PASSED()
        case actions.GiveCards():
            return captions.GIVES()
        case actions.Hold() if scene.ask is Ask.HOLD:
            return captions.HOLDS()
        case actions.Lay() | Listing():
            return captions.LAYS()
        case _:
            return table_captions.GOES_ON()


def _enter(scene: Scene, _: str) -> KeyResult:
    match _meant(scene):
        case None if scene.marked:
            refused = marking.judged(scene).refused
            return (scene if refused is None else _refused(scene, refused)), None
        case None if isinstance(scene.question, Marking):
            return tell(scene, captions.UNMARKED()), None
        case None:
            return scene, None
        case Listing() as asked:
            return replace(scene, question=asked), None
        case move:
            return _make(scene, move)


def _no_pass(scene: Scene) -> RefusedError | None:
    """Return why the seat with the turn cannot pass, or None."""
    seen = scene.due
    if seen is None or seen.asked is not Ask.TURN:
        return None
    try:
        rules.pass_turn(seen.state, seen.seat)
        check_duty(seen.state, seen.held.values(), ())
    except RefusedError as refused:
        return refused
    return None


def _passes(scene: Scene) -> str:
    """Return the word for the pass, unless Enter does the same."""
    said = (captions.HOLDS if scene.ask is Ask.HOLD else captions.PASSED)()
    return said if _no_pass(scene) is None and _means(scene) != said else ""


def _pass(scene: Scene, _: str) -> KeyResult:
    refused = _no_pass(scene)
    if refused is not None:
        return _refused(scene, refused), None
    return _make(scene, actions.Hold() if scene.ask is Ask.HOLD else actions.Pass())


# Marking cards.


def _disarmed(scene: Scene) -> Scene:
    """Disarm a bomb at a key that marks or clears."""
    if not scene.armed:
        return scene
    return tell(replace(scene, armed=False), line_sentences.DISARMED())


def _moved(scene: Scene, key: str) -> KeyResult:
    """Return the scene with the cursor at the next card in the direction of ``key``."""
    places, step = marking.in_order(scene), keys.STEPS[key]
    if scene.at not in places:
        return replace(scene, at=places[0 if step > 0 else -1]), None
    return replace(scene, at=places[(places.index(scene.at) + step) % len(places)]), None


def _mark(scene: Scene, key: str) -> KeyResult:
    """Mark a card, or make it a gift."""
    if isinstance(scene.question, GiftChoice):
        return _choose_gift(scene, scene.question, key), None
    scene = _disarmed(scene)
    if key == " ":
        return (scene if scene.at is None else marking.toggled(scene, scene.at)), None
    if key.startswith(CARD):
        return marking.toggled(scene, int(key.removeprefix(CARD))), None
    return marking.marked_by(scene, key), None


def _next_fitting(scene: Scene, key: str) -> KeyResult:
    return marking.next_fitting(scene, 1 if key == "n" else -1), None


def _clear(scene: Scene, _: str) -> KeyResult:
    if isinstance(scene.question, GiftChoice):
        return replace(scene, question=_without_last(scene.question)), None
    return replace(_disarmed(scene), marked=frozenset(), at=None, advised=None), None


def _bomb(scene: Scene, _: str) -> KeyResult:
    """Mark a fitting bomb; while nothing is asked, mark, arm or disarm a bomb.

    With an armed bomb the session has to ask, also after the time of a window.
    """
    if scene.ask is Ask.HOLD:
        return _next_fitting(scene, "n")
    if scene.armed:
        return _disarmed(scene), None
    if marking.is_bomb(scene):
        return replace(scene, armed=True), Think() if scene.is_timed else None
    marked = marking.bomb_marked(scene)
    return (tell(scene, line_sentences.NO_BOMB()) if marked is None else marked), None


def _bomb_means(scene: Scene) -> str:
    if scene.ask is Ask.HOLD or not marking.is_bomb(scene):
        return captions.BOMBS()
    return (captions.DISARMS if scene.armed else captions.ARMS)()


def _wait(scene: Scene, _: str) -> KeyResult:
    if scene.window is None:
        return scene, None
    return replace(scene, window=scene.window._replace(waits=True)), Think()


def _asks(question: Callable[[object], Listing]) -> Callable[[Scene, str], KeyResult]:
    return lambda scene, _: (replace(scene, question=question(scene.question)), None)


# Gifts.


def _choose_gift(scene: Scene, giving: GiftChoice, key: str) -> Scene:
    """Put the card into the present gift and go to the next; a chosen card is taken back."""
    if key == " ":
        places = [] if scene.at is None else [scene.at]
    elif key.startswith(CARD):
        places = [int(key.removeprefix(CARD))]
    else:
        bare = replace(scene, marked=marking.given(giving))
        places = sorted(marking.marked_by(bare, key).marked - bare.marked)
    for place in places:
        gifts = [None if each == place else each for each in giving.gifts]
        at = giving.at
        if place in giving.gifts:
            at = giving.gifts.index(place)
        else:
            gifts[at] = place
            at = gifts.index(None) if None in gifts else at
        first, second, third = gifts
        giving = GiftChoice((first, second, third), at)
    return replace(scene, question=giving)


def _without_last(giving: GiftChoice) -> GiftChoice:
    filled = [at for at, place in enumerate(giving.gifts) if place is not None]
    at = filled[-1] if filled else giving.at
    first, second, third = (
        None if each == at else place for each, place in enumerate(giving.gifts)
    )
    return GiftChoice((first, second, third), at)


def _to_gift(scene: Scene, key: str) -> KeyResult:
    if not isinstance(scene.question, GiftChoice):
        return scene, None
    step = keys.STEPS.get(key)
    to = int(key.removeprefix(GIFT)) if step is None else scene.question.at + step
    return replace(scene, question=scene.question._replace(at=to % 3)), None


# When a key has an effect.


def _plays(scene: Scene) -> bool:
    return bool(scene.held) and isinstance(scene.question, Marking | Waiting)


def _gives(scene: Scene) -> bool:
    return isinstance(scene.question, GiftChoice)


def _holds(scene: Scene) -> bool:
    return _plays(scene) or _gives(scene)


def _at_card(scene: Scene) -> bool:
    return _holds(scene) and scene.at is not None


def _chooses(scene: Scene) -> str:
    """Return the word for the arrows while a card is to be marked."""
    lacks = isinstance(scene.question, GiftChoice) or scene.ask in (Ask.TURN, Ask.HOLD)
    return table_captions.CHOOSES() if lacks and not _means(scene) else ""


def _marks(scene: Scene) -> str:
    return captions.MARKS() if _chooses(scene) else ""


def _other_fits(scene: Scene) -> bool:
    return _plays(scene) and marking.next_fitting(scene, 1).marked != scene.marked


def _bombs(scene: Scene) -> bool:
    return _plays(scene) if scene.due is None else scene.ask is Ask.HOLD and _other_fits(scene)


def _waits(scene: Scene) -> bool:
    return scene.window is not None and not scene.window.waits


def _clears(scene: Scene) -> bool:
    if isinstance(scene.question, GiftChoice):
        return bool(marking.given(scene.question))
    passes = isinstance(scene.advised, actions.Pass)
    return _plays(scene) and bool(scene.marked or passes or scene.at is not None)


def may_call(scene: Scene) -> bool:
    """Tell whether Tichu can still be called from this seat."""
    if scene.calls or scene.watched is not None or scene.game is None:
        return False
    if len(scene.game.round.held[scene.seat]) < HAND:
        return False
    try:  # as if the seat were asked now
        rules.call_tichu(scene.game.round._replace(asked=((scene.seat, Ask.TURN),)), scene.seat)
    except RefusedError:
        return False
    return True


_CARDS: Final = " ".join((*marking.RANK_KEYS, *marking.SPECIAL_KEYS, f"{CARD}*"))

KEYS: Final[tuple[Key[Scene], ...]] = (
    Key("enter", _enter, _means, captions.HELP_ENTER, lambda scene: scene.due is not None),
    Key("p", _pass, _passes, captions.HELP_PASS,
        lambda scene: scene.ask in (Ask.TURN, Ask.HOLD)),
    Key("n N", _next_fitting, captions.SHOWS_FIT, captions.HELP_FITS, _other_fits, rank=2),
    Key("b", _bomb, _bomb_means, captions.HELP_BOMB, _bombs),
    Key(".", _wait, captions.WAITS, captions.HELP_WAIT, _waits),
    Key("g", _asks(questions.grand), captions.CALLS_GRAND, captions.HELP_GRAND,
        lambda scene: scene.ask is Ask.GRAND),
    Key("t", _asks(questions.tichu), captions.NAME, captions.HELP_TICHU, may_call),
    Key("escape c-h", _clear, captions.CLEARS, captions.HELP_CLEAR, _clears),
    Key("s", lambda scene, _: (replace(scene, by_plays=not scene.by_plays), None),
        captions.SORTS, captions.HELP_SORT, lambda scene: bool(scene.held), rank=3),
    Key(_CARDS, _mark, None, captions.HELP_MARK, _holds, captions.RANKS),
    Key("left right", _moved, _chooses, captions.HELP_MOVE, _holds, captions.SIDEWAYS,
        rank=4),
    Key("space", _mark, _marks, captions.HELP_SPACE, _at_card, rank=3),
    Key("up down gift*", _to_gift, None, captions.HELP_GIFT, _gives, captions.UP_AND_DOWN),
)  # fmt: skip

TichuKeys.own = KEYS
FRAME: Final = TichuKeys()
press: Final = FRAME.press
