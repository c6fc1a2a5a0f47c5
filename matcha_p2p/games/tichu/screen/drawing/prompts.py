"""The line with the question to the person, or with the reason for waiting."""

from typing import Final

from matcha_p2p.console.table import bars
from matcha_p2p.console.terminal.cells import Line, clicked, width, wrapped
from matcha_p2p.games.asking import Listing
from matcha_p2p.games.tichu.rules.actions import Pass
from matcha_p2p.games.tichu.rules.moves import owes
from matcha_p2p.games.tichu.rules.round import Ask, seat_after
from matcha_p2p.games.tichu.screen import marking
from matcha_p2p.games.tichu.screen.drawing.table import GIVEN_TO
from matcha_p2p.games.tichu.screen.scene import GiftChoice, Scene
from matcha_p2p.games.tichu.words import captions, line_sentences
from matcha_p2p.games.tichu.words.card_words import ONE, laid_text, play_words

_LONG: Final = 10
"""Seconds of thinking from which on the line shows the time."""
_SHOWN: Final = 3
"""How many proposals are listed."""


def prompt(scene: Scene, columns: int) -> list[Line]:
    """Return the question in lines as wide as the terminal, at least one."""
    framed = bars.framed_question(scene.focus, columns)
    if framed is not None:
        return framed
    match scene.question:
        case _ if scene.finished is not None:
            return _asked(captions.GO_ON(), columns, click="enter")
        case _ if scene.end is not None:
            return _asked(bars.over(scene), columns, click="enter")
        case Listing() as asked:
            return bars.listed(asked, columns)
        case GiftChoice() as giving:
            return _asked(_giving(scene, giving), columns, click="enter")
        case _ if scene.window and scene.due and not (scene.asked or scene.marked):
            return _asked(captions.WINDOW_KEYS(), columns, click="enter")
        case _:
            return _answerable(scene, columns)


def _asked(text: str, columns: int, *, click: str = "") -> list[Line]:
    style = f"class:due {clicked(click)}" if click else "class:due"
    lines = wrapped(text, columns - width(bars.MARK) - 1)
    return [
        bars.filled([(style, f"{'  ' if number else bars.MARK}{line}")], columns, 0)
        for number, line in enumerate(lines)
    ]


def _giving(scene: Scene, giving: GiftChoice) -> str:
    if None not in giving.gifts:
        return captions.GIVE_ALL()
    seat = seat_after(scene.seat, GIVEN_TO[giving.at])
    return captions.GIVE(name=scene.words.name_of(seat))


def _answerable(scene: Scene, columns: int) -> list[Line]:
    if scene.due is None:
        lines = wrapped(_waiting(scene), columns - 2)
        return [bars.filled([("", f" {line}")], columns, 0) for line in lines]
    match scene.ask:
        case Ask.GRAND:
            return _asked(captions.GRAND(), columns, click="enter")
        case Ask.CALL:
            return _asked(captions.CALL(), columns, click="enter")
        case Ask.HOLD if not marking.judged(scene).lays:
            said = captions.BOMB if scene.window is None else captions.WINDOW_BOMB
            return _asked(said(), columns, click="enter")
        case _ if scene.marked:
            return _asked(_verdict(scene), columns, click="enter")
        case _:
            return _asked(_turn(scene), columns)


def _turn(scene: Scene) -> str:
    seen = scene.due
    if isinstance(scene.advised, Pass):
        return captions.PASSING()
    if seen is None or seen.state.under is None:
        return captions.LEAD()
    if owes(seen.held.values(), seen.state.under, seen.state.wish):
        return captions.BOUND(card=ONE[seen.state.wish]())
    return captions.TURN() if marking.proposals(scene) else captions.NOTHING()


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
    if scene.game.stage is not None or speaker is None or speaker == scene.seat:
        return captions.SENT()
    name = scene.words.name_of(speaker)
    dots = " ." * scene.dots
    time = f"  {scene.waited // 60}:{scene.waited % 60:02}" if scene.waited >= _LONG else ""
    return f"{captions.THINKS(name=name)}{time}{dots}"


def fits(scene: Scene) -> str:
    """Return the first plays that fit here, and how many others there are; or ""."""
    found = marking.proposals(scene) if scene.ask in (Ask.TURN, Ask.HOLD) else []
    if not found:
        return ""
    plays = "  |  ".join(laid_text(play.faces, play.wild) for play in found[:_SHOWN])
    if len(found) <= _SHOWN:
        return captions.FITS(plays=plays)
    return captions.FITS_MORE(plays=plays, more=len(found) - _SHOWN)
