"""The meaning of keys: a scene and a key in, a scene and perhaps a choice out.

Keys have the names of prompt_toolkit, or are the typed character. A click on a card is the key
``card`` with the place of the card; clicks on other things are keys too.
"""

from dataclasses import replace
from typing import Final, TypeAlias

from matcha_p2p.console.table import focus
from matcha_p2p.console.table import keys as frame
from matcha_p2p.console.table.scene import tell
from matcha_p2p.console.terminal.keyboard import latin
from matcha_p2p.games.tichu.review.asked import AnalyseRound, recorded
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import ACE, LOWEST, MAH_JONG
from matcha_p2p.games.tichu.rules.moves import check_duty
from matcha_p2p.games.tichu.rules.notation import text_of
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import GRAND, HAND, SMALL, Ask, seat_after
from matcha_p2p.games.tichu.screen import marking
from matcha_p2p.games.tichu.screen import scene as screen_scene
from matcha_p2p.games.tichu.seated import BEHIND, RULES
from matcha_p2p.games.tichu.words import captions, line_sentences
from matcha_p2p.narration import after_game
from matcha_p2p.narration.news import TakeBack, Wish
from matcha_p2p.session.news import Concede, MakeMove, Propose, Think
from matcha_p2p.wire.talk import Proposal

KeyResult: TypeAlias = tuple[screen_scene.Scene, Wish | AnalyseRound | None]

CARD: Final = "card"
"""Begins the key that a click on a card means; the place of the card follows."""
GIFT: Final = "gift"
"""Begins the key that a click on a gift means."""
WISH: Final = "wish"
"""Begins the key that a click on a number means."""
WISHES: Final = (*range(LOWEST, ACE + 1), 0)

_PROPOSALS: Final = {"r": Proposal.REMATCH, "o": Proposal.BOOKS}
"""What the keys offer after the game, or agree to."""

JUDGES: Final = "a"
"""Asks for the analysis of a round that is over; in practice only."""

_UNMARKS: Final = ("escape", "c-h")


def press(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key. At the table each key marks talk as read."""
    if scene.unread and not isinstance(scene.focus, focus.Reading):
        scene = replace(scene, unread=0)
    return _press(scene, key if isinstance(scene.focus, focus.Talking) else latin(key))


def _press(scene: screen_scene.Scene, key: str) -> KeyResult:
    match scene.focus:
        case focus.Gone():
            return scene, None
        case focus.Departing():
            return (frame.gone(scene) if key in frame.LEAVE_KEYS else scene), None
        case focus.Leaving(at):
            return _part(scene, at, key)
        case _ if key in frame.LEAVE_KEYS:
            return frame.leaving(scene), None
        case focus.TakingBack():
            return _take_back(scene, key)
        case focus.Admitting(sight):
            return frame.admit(scene, sight, key)
        case focus.Talking(draft):
            return frame.talk(scene, draft, key)
        case focus.Reading() as reading:
            return _read(scene, reading, key), None
        case focus.AtTable():
            return _at_table(scene, key)


def _part(scene: screen_scene.Scene, at: int, key: str) -> KeyResult:
    scene, choice = frame.part(scene, at, key)
    if choice == Concede():  # the partner has to agree, so the game may go on
        scene = replace(scene, focus=focus.AtTable())
        coached = scene.game if scene.advise is not None else None
        if coached is None or RULES.resigns(coached, scene.seat):
            return scene, choice
        said = line_sentences.PLAYS_ON(name=scene.words.around.partner, points=BEHIND)
        return tell(scene, said), None
    return (scene if choice is None else screen_scene.answered(scene)), choice


def _take_back(scene: screen_scene.Scene, key: str) -> KeyResult:
    match key:
        case "enter":
            scene = tell(screen_scene.answered(scene), line_sentences.TAKEN_BACK())
            scene = replace(scene, focus=focus.AtTable(), mistake=None)
            return replace(scene, end=None, after_game=None), TakeBack()
        case "escape":
            return replace(scene, focus=focus.AtTable()), None
        case _:
            return scene, None


def _read(scene: screen_scene.Scene, page: focus.Reading, key: str) -> screen_scene.Scene:
    """Return the scene after a key on a page; the analysis leads to the board."""
    if page.page is focus.Page.ANALYSIS and key == JUDGES and scene.mistakes:
        return replace(scene, focus=focus.AtTable(), mistake=0)
    return frame.read_on(scene, page, key)


def _at_table(scene: screen_scene.Scene, key: str) -> KeyResult:
    if scene.sure:
        return _confirm(scene, key)
    if key in frame.PAGES:
        return frame.open_page(scene, frame.PAGES[key]), None
    if key in frame.SPEAKING_KEYS:
        return frame.speak(scene, key)
    match key:
        case "q":
            return frame.leaving(scene), None
        case "x" if scene.name:
            return frame.mute(scene), None
        case "." if scene.window is not None:
            return replace(scene, window=scene.window._replace(waits=True)), Think()
        case "v" if scene.audience.most and not scene.audience.closed:
            return replace(scene, focus=focus.Admitting(scene.audience.ours.sight)), None
        case "pageup" | "pagedown":
            return frame.scroll_talk(scene, key), None
        case "h" | "u" if scene.advise is not None:
            return _ask_coach(scene, key), None
        case _:
            return _answer(scene, key)


def _ask_coach(scene: screen_scene.Scene, key: str) -> screen_scene.Scene:
    if key == "u":
        if scene.decided:
            return replace(scene, focus=focus.TakingBack())
        return tell(scene, line_sentences.NOTHING_DECIDED())
    seen = scene.due
    if seen is None or scene.advise is None:
        return tell(scene, line_sentences.NO_HINT())
    from matcha_p2p.games.tichu.words.hints import reasons  # the bots, not needed before

    judgement = scene.advise(seen)
    best = judgement.moves[0].move
    told = reasons(seen, judgement, scene.words.around)
    if len(told) < 2 and not isinstance(best, actions.GiveTrick):  # the only answer
        answer = text_of(seen, best)
        told = (captions.HINT(answer=answer), *told)
    scene = replace(scene, hint="\n".join(told), told=(*scene.told, *told))
    return _advised(scene, best)


def _advised(scene: screen_scene.Scene, best: actions.TichuMove) -> screen_scene.Scene:
    """Return the scene in which Enter answers with ``best``, if no card is marked yet."""
    match scene.question, best:
        case screen_scene.Marking(), actions.Lay(places) if not scene.marked:
            return replace(scene, marked=frozenset(places), advised=best)
        case screen_scene.GiftChoice(screen_scene.NO_GIFTS), actions.GiveCards(given):
            right, partner, left = given
            gifts = screen_scene.GiftChoice((left, partner, right), 2)
            return replace(scene, question=gifts)
        case screen_scene.TrickChoice(), actions.GiveTrick(receiver):
            at = int(receiver == seat_after(scene.seat))
            return replace(scene, question=screen_scene.TrickChoice(at))
        case _:
            return scene


def _confirm(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key while a call is asked about."""
    if key in ("n", "escape"):
        return replace(scene, sure=0), None
    if key not in ("y", "enter"):
        return scene, None
    if scene.sure == GRAND:
        return _make(scene, actions.AnswerGrand(called=True))
    scene = tell(replace(scene, sure=0, calls=True), line_sentences.WILL_CALL())
    if scene.due is not None and scene.due.asked is Ask.CALL:
        return _make(scene, scene.due.legal_moves()[0])
    return scene, None


def _answer(scene: screen_scene.Scene, key: str) -> KeyResult:
    if scene.finished is not None or scene.end is not None:
        return _after(scene, key)
    if key == "s":
        return replace(scene, by_plays=not scene.by_plays), None
    if key == "t":
        return _call(scene), None
    match scene.question:
        case screen_scene.GiftChoice() as giving:
            return _give(scene, giving, key)
        case screen_scene.Naming() as naming:
            return _name(scene, naming, key)
        case screen_scene.WishChoice() as wishing:
            return _wish(scene, wishing, key)
        case screen_scene.TrickChoice() as giving_trick:
            return _give_trick(scene, giving_trick, key)
        case screen_scene.Waiting() | screen_scene.Marking():
            return _mark(_disarmed(scene, key), key)


def _after(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key at the end of a round or of the game."""
    if scene.mistake is not None:
        return _step(scene, scene.mistake, key), None
    return (_go_on if scene.end is None else _end)(scene, key)


def _step(scene: screen_scene.Scene, at: int, key: str) -> screen_scene.Scene:
    """Return the scene with another mistake on the board, or with the result of the round."""
    match key:
        case "a" | "right" | "down":
            return replace(scene, mistake=(at + 1) % len(scene.mistakes))
        case "A" | "left" | "up":
            return replace(scene, mistake=(at - 1) % len(scene.mistakes))
        case "enter" | "escape":
            return replace(scene, mistake=None)
        case _:
            return scene


def _go_on(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key while the result of a round is shown."""
    if key == JUDGES and scene.advise is not None:
        reading = replace(scene, focus=focus.Reading(focus.Page.ANALYSIS))
        asked = AnalyseRound(scene.names, scene.answers)
        starting = (line_sentences.STARTING(),)
        return replace(reading, analysis=starting, mistakes=()), asked
    return (replace(scene, finished=None) if key in ("enter", " ") else scene), None


def _end(scene: screen_scene.Scene, key: str) -> KeyResult:
    if key == JUDGES and scene.finished is not None:
        return _go_on(scene, key)
    if key == "enter":
        if scene.finished is not None:
            return replace(scene, finished=None), None
        return frame.gone(scene), None
    offers = scene.after_game
    proposal = _PROPOSALS.get(key)
    if proposal is None or offers is None or not offers.allows(proposal):
        return scene, None
    said = after_game.AGREED if offers.asks(proposal) else after_game.OFFERED
    scene = replace(scene, after_game=offers.offer(proposal))
    return tell(scene, said[proposal]()), Propose(proposal)


def _call(scene: screen_scene.Scene) -> screen_scene.Scene:
    """Ask whether Tichu is called with the next answer, if the rules let this seat call."""
    if scene.game is None or len(scene.held) < HAND or scene.calls:
        return scene
    state = scene.game.round._replace(asked=((scene.seat, Ask.TURN),))
    try:  # as if the seat were asked now
        rules.call_tichu(state, scene.seat)
    except RefusedError as refused:
        return _refused(scene, refused)
    return replace(scene, sure=SMALL)


def _refused(scene: screen_scene.Scene, refused: RefusedError) -> screen_scene.Scene:
    said = line_sentences.REFUSED(rule=refused.rule, why=refused.why())
    return tell(replace(scene, refused=refused), said)


def _make(scene: screen_scene.Scene, move: actions.TichuMove) -> KeyResult:
    if scene.due is None:
        return scene, None
    answers = recorded(scene.answers, scene.due, move)
    made = MakeMove(screen_scene.with_call(scene, move, scene.due))
    return replace(screen_scene.answered(scene), answers=answers), made


def _moved(scene: screen_scene.Scene, key: str) -> screen_scene.Scene:
    """Return the scene with the cursor at the next card in the direction of ``key``."""
    places = marking.in_order(scene)
    if not places:
        return scene
    step = frame.STEPS[key]
    if scene.at not in places:
        return replace(scene, at=places[0 if step > 0 else -1])
    return replace(scene, at=places[(places.index(scene.at) + step) % len(places)])


def _disarmed(scene: screen_scene.Scene, key: str) -> screen_scene.Scene:
    """Disarm a bomb at every key that marks or clears; ``_arm`` does so at b."""
    if not scene.armed or key in ("enter", "b"):
        return scene
    return tell(replace(scene, armed=False), line_sentences.DISARMED())


def _mark(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Mark cards, at any time, and answer when asked."""
    match key:
        case "left" | "right":
            return _moved(scene, key), None
        case " " if scene.at is not None and scene.at in scene.held:
            return marking.toggled(scene, scene.at), None
        case "n" | "N":
            return marking.proposed(scene, 1 if key == "n" else -1), None
        case "escape" | "c-h":
            return replace(scene, marked=frozenset(), at=None), None
        case _ if key in marking.RANK_KEYS or key in marking.SPECIAL_KEYS:
            return marking.marked_by(scene, key), None
        case _ if key.startswith(CARD) and key != CARD:
            return marking.toggled(scene, int(key.removeprefix(CARD))), None
        case _ if scene.due is not None:
            return _decide(scene, scene.due, key)
        case _:
            return _prepare(scene, key)


def _prepare(scene: screen_scene.Scene, key: str) -> KeyResult:
    """Return the scene and the choice after a key while nothing is asked.

    With an armed bomb the session has to ask, also after the time of a window.
    """
    if key != "b" or not scene.held:
        return scene, None
    scene = _arm(scene)
    return scene, Think() if scene.armed and scene.is_timed else None


def _arm(scene: screen_scene.Scene) -> screen_scene.Scene:
    """Arm the marked bomb, or disarm it; where no bomb is marked, mark the weakest one."""
    if scene.armed:
        return tell(replace(scene, armed=False), line_sentences.DISARMED())
    if marking.is_bomb(scene):
        return replace(scene, armed=True)
    marked = marking.bomb_marked(scene)
    return tell(scene, line_sentences.NO_BOMB()) if marked is None else marked


def _decide(scene: screen_scene.Scene, seen: Observation, key: str) -> KeyResult:
    match seen.asked, key:
        case Ask.GRAND, "g":
            return replace(scene, sure=GRAND), None
        case Ask.GRAND, "enter":
            return _make(scene, actions.AnswerGrand(called=False))
        case Ask.CALL, "enter":
            return _make(scene, seen.legal_moves()[0])
        case Ask.HOLD, "p" | " ":
            return _hold(scene)
        case Ask.HOLD, "enter" if not marking.judged(scene).lays:
            return _hold(scene)
        case Ask.HOLD, "b":
            return marking.proposed(scene, 1), None
        case Ask.TURN, "p" | " ":
            return _pass(scene, seen)
        case Ask.TURN, "enter" if not scene.marked and not marking.proposals(scene):
            return _pass(scene, seen)
        case Ask.TURN | Ask.HOLD, "enter":
            return _lay_marked(scene, seen)
        case _:
            return scene, None


def _hold(scene: screen_scene.Scene) -> KeyResult:
    """Lay no bomb; cards marked for the next turn stay marked."""
    after, choice = _make(scene, actions.Hold())
    return replace(after, marked=scene.marked, window=None), choice


def _pass(scene: screen_scene.Scene, seen: Observation) -> KeyResult:
    try:
        rules.pass_turn(seen.state, seen.seat)
        check_duty(seen.state, seen.held.values(), ())
    except RefusedError as refused:
        return _refused(scene, refused), None
    return _make(scene, actions.Pass())


def _lay_marked(scene: screen_scene.Scene, seen: Observation) -> KeyResult:
    if not scene.marked:
        return tell(scene, captions.UNMARKED()), None
    lays, refused = marking.judged(scene)
    if refused is not None:
        return _refused(scene, refused), None
    advised = scene.advised
    if advised is not None:  # with the advised wish, and chosen among the readings
        lays = tuple(advised if lay == advised._replace(wish=0) else lay for lay in lays)
    if len(lays) == 1:
        return _lay(scene, seen, lays[0])
    at = lays.index(advised) if advised in lays else 0
    return replace(scene, question=screen_scene.Naming(lays, at)), None


def _lay(scene: screen_scene.Scene, seen: Observation, lay: actions.Lay) -> KeyResult:
    if MAH_JONG in [seen.held[place] for place in lay.places]:
        return replace(scene, question=screen_scene.WishChoice(lay, lay.wish)), None
    return _make(scene, lay)


def _back(
    scene: screen_scene.Scene, question: screen_scene.Question | None = None
) -> KeyResult:
    return replace(scene, question=question or screen_scene.Marking()), None


def _name(scene: screen_scene.Scene, naming: screen_scene.Naming, key: str) -> KeyResult:
    lays, at = naming
    match key:
        case "left" | "right" | "up" | "down":
            return _back(scene, screen_scene.Naming(lays, (at + frame.STEPS[key]) % len(lays)))
        case "enter" if scene.due is not None:
            return _lay(scene, scene.due, lays[at])
        case _ if key.isdecimal() and 0 < int(key) <= len(lays) and scene.due is not None:
            return _lay(scene, scene.due, lays[int(key) - 1])
        case _ if key in _UNMARKS:
            return _back(scene)
        case _:
            return scene, None


def _wish(scene: screen_scene.Scene, wishing: screen_scene.WishChoice, key: str) -> KeyResult:
    lay, number = wishing
    match key:
        case "left" | "right" | "up" | "down":
            at = (WISHES.index(number) + frame.STEPS[key]) % len(WISHES)
            return _back(scene, screen_scene.WishChoice(lay, WISHES[at]))
        case "enter":
            return _make(scene, lay._replace(wish=number))
        case "-":
            return _back(scene, screen_scene.WishChoice(lay, 0))
        case _ if key in marking.RANK_KEYS:
            return _back(scene, screen_scene.WishChoice(lay, marking.RANK_KEYS[key]))
        case _ if key.startswith(WISH) and key != WISH:
            return _back(scene, screen_scene.WishChoice(lay, int(key.removeprefix(WISH))))
        case _ if key in _UNMARKS:
            return _back(scene)
        case _:
            return scene, None


def _give_trick(
    scene: screen_scene.Scene, giving: screen_scene.TrickChoice, key: str
) -> KeyResult:
    match key:
        case "left" | "right" | "up" | "down":
            return _back(scene, screen_scene.TrickChoice(1 - giving.at))
        case "1" | "2":
            return _back(scene, screen_scene.TrickChoice(int(key) - 1))
        case "enter":
            return _make(
                scene, actions.GiveTrick(seat_after(scene.seat, 1 if giving.at else 3))
            )
        case _:
            return scene, None


def _give(scene: screen_scene.Scene, giving: screen_scene.GiftChoice, key: str) -> KeyResult:
    match key:
        case "left" | "right":
            return _moved(scene, key), None
        case "up" | "down":
            return _back(scene, giving._replace(at=(giving.at + frame.STEPS[key]) % 3))
        case " " if scene.at is not None:
            return _choose_gift(scene, giving, [scene.at])
        case "escape" | "c-h":
            return _back(scene, _without_last(giving))
        case "enter":
            return _give_all(scene, giving)
        case _ if key in marking.RANK_KEYS or key in marking.SPECIAL_KEYS:
            bare = replace(scene, marked=marking.given(giving))
            after = marking.marked_by(bare, key).marked
            return _choose_gift(scene, giving, sorted(after - bare.marked))
        case _ if key.startswith(CARD) and key != CARD:
            return _choose_gift(scene, giving, [int(key.removeprefix(CARD))])
        case _ if key.startswith(GIFT) and key != GIFT:
            return _back(scene, giving._replace(at=int(key.removeprefix(GIFT)) % 3))
        case _:
            return scene, None


def _choose_gift(
    scene: screen_scene.Scene, giving: screen_scene.GiftChoice, places: list[int]
) -> KeyResult:
    """Put the card into the present gift and go to the next; a chosen card is taken back."""
    for place in places:
        gifts = tuple(None if each == place else each for each in giving.gifts)
        if place in giving.gifts:
            at = giving.gifts.index(place)
        else:
            gifts = (*gifts[: giving.at], place, *gifts[giving.at + 1 :])
            free = [at for at, each in enumerate(gifts) if each is None]
            at = free[0] if free else giving.at
        first, second, third = gifts
        giving = screen_scene.GiftChoice((first, second, third), at)
    return _back(scene, giving)


def _without_last(giving: screen_scene.GiftChoice) -> screen_scene.GiftChoice:
    filled = [at for at, place in enumerate(giving.gifts) if place is not None]
    if not filled:
        return giving
    at = filled[-1]
    first, second, third = (
        None if each == at else place for each, place in enumerate(giving.gifts)
    )
    return screen_scene.GiftChoice((first, second, third), at)


def _give_all(scene: screen_scene.Scene, giving: screen_scene.GiftChoice) -> KeyResult:
    match giving.gifts:
        case int(left), int(partner), int(right):
            return _make(scene, actions.GiveCards((right, partner, left)))
        case _:
            return scene, None
