"""The line with the question to the person, or with the reason for waiting."""

from typing import Final

from matcha_p2p.console.table.bars import asks, over, tells
from matcha_p2p.console.terminal.cells import Fragment
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu.rules.actions import Pass
from matcha_p2p.games.tichu.rules.moves import owes
from matcha_p2p.games.tichu.rules.round import Ask, seat_after
from matcha_p2p.games.tichu.screen import marking
from matcha_p2p.games.tichu.screen.drawing.table import GIVEN_TO, may_bomb, turn_of
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene
from matcha_p2p.games.tichu.words import captions, line_sentences
from matcha_p2p.games.tichu.words.card_words import ONE, laid_text, play_words

_LONG: Final = 10
"""Seconds of thinking from which on the line shows the time."""
_SHOWN: Final = 3
"""How many plays that fit are listed."""


def prompt(scene: Scene) -> Listing | Fragment:
    """Return the question, or the reason for waiting."""
    match scene.question:
        case _ if scene.finished is not None:
            return asks(captions.GO_ON())
        case _ if scene.end is not None:
            return asks(over(scene))
        case Listing() as asked:
            return asked
        case GiftChoice() as giving:
            return asks(_giving(scene, giving))
        case _ if scene.window and scene.due and not (scene.asked or scene.marked):
            return asks(captions.WINDOW_KEYS())
        case _:
            return _answerable(scene)


def _giving(scene: Scene, giving: GiftChoice) -> str:
    if None not in giving.gifts:
        return captions.GIVE_ALL()
    seat = seat_after(scene.seat, GIVEN_TO[giving.at])
    return captions.GIVE(name=scene.words.name_of(seat))


def _answerable(scene: Scene) -> Fragment:
    if scene.due is None:
        return tells(_waiting(scene))
    match scene.ask:
        case Ask.GRAND:
            return asks(captions.GRAND())
        case Ask.CALL:
            return asks(captions.CALL())
        case Ask.HOLD if not marking.judged(scene).lays:
            said = captions.BOMB if scene.window is None else captions.WINDOW_BOMB
            return asks(said())
        case _ if scene.marked:
            return asks(_verdict(scene))
        case _:
            return asks(_turn(scene), "")


def _turn(scene: Scene) -> str:
    seen = scene.due
    if isinstance(scene.advised, Pass):
        return captions.PASSING()
    if seen is None or seen.state.under is None:
        return captions.LEAD()
    if owes(seen.held.values(), seen.state.under, seen.state.wish):
        return captions.BOUND(card=ONE[seen.state.wish]())
    return captions.TURN() if marking.fitting(scene) else captions.NOTHING()


def _verdict(scene: Scene) -> str:
    """Return what the marked cards are, or the rule that forbids them."""
    lays, refused = marking.judged(scene)
    if refused is not None:
        return line_sentences.REFUSED(rule=refused.rule, why=refused.why())
    held, lay = scene.held, lays[0]
    play = play_words([held[place] for place in lay.places], lay.wild)
    return (captions.GOOD if len(lays) == 1 else captions.GOOD_MANY)(play=play)


def _waiting(scene: Scene) -> str:
    if scene.work or scene.game is None:
        return scene.work
    made = marking.named(scene) if scene.marked else None
    if made is not None:
        armable = captions.ARMED if scene.armed else captions.ARMABLE
        said = armable if marking.is_bomb(scene) else captions.MARKED
        return said(play=play_words(*made))
    speaker = scene.game.round.speaker
    bombs = speaker is not None and may_bomb(scene, scene.game, speaker)
    speaker = speaker if bombs else turn_of(scene.game)
    if scene.game.stage is not None or speaker is None or speaker == scene.seat:
        return captions.SENT()
    name = scene.words.name_of(speaker)
    dots = " ." * scene.dots
    time = f"  {scene.waited // 60}:{scene.waited % 60:02}" if scene.waited >= _LONG else ""
    said = captions.MAY_BOMB if bombs else captions.THINKS
    return f"{said(name=name)}{time}{dots}"


def fits(scene: Scene) -> str:
    """Return the first plays that fit here, and how many others there are; or ""."""
    found = marking.fitting(scene) if scene.ask in (Ask.TURN, Ask.HOLD) else []
    if not found:
        return ""
    plays = "  |  ".join(laid_text(play.faces, play.wild) for play in found[:_SHOWN])
    if len(found) <= _SHOWN:
        return captions.FITS(plays=plays)
    return captions.FITS_MORE(plays=plays, more=len(found) - _SHOWN)
