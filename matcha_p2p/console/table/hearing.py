"""What news mean at the table of every game; a game adds the meaning of its own events."""

from dataclasses import replace
from typing import TypeAlias, TypeVar, assert_never

from matcha_p2p.console.table.scene import TableScene, follow_line, tell
from matcha_p2p.narration.after_game import after, is_in_sight
from matcha_p2p.narration.audience import HOW_KEY, is_offer
from matcha_p2p.narration.news import Checked, Decisions, News, Taught
from matcha_p2p.narration.quick_phrases import PHRASES, words_of
from matcha_p2p.session import news as heard
from matcha_p2p.session.connection import changes

S = TypeVar("S", bound=TableScene)
Talk: TypeAlias = heard.TalkHeard | heard.PhraseHeard | heard.TalkRecalled


def hear(scene: S, news: News) -> S:
    """Return the scene after news outside a game."""
    match news:
        case heard.TalkHeard() | heard.PhraseHeard() | heard.TalkRecalled():
            return _talked(scene, news)
        case heard.LineTimed(seconds):
            return replace(scene, round_trip=seconds)
        case heard.LineChanged(change):
            found = scene.is_sought and isinstance(change, changes.LineUp)
            return replace(follow_line(scene, news), work="" if found else scene.work)
        case heard.WatchingChanged(now=watching):
            scene = replace(scene, audience=watching)
            return tell(scene, HOW_KEY()) if is_offer(news) else scene
        case Taught(text, last):
            return replace(scene, lesson=text, taught=True, lesson_over=last)
        case Decisions(count):
            return replace(scene, decided=count)
        case heard.Broken():
            return replace(scene, after_game=None)  # nothing can be agreed upon any more
        case Checked(failure):
            return replace(scene, checked=not failure)
        case heard.Settled() | heard.Offered() | heard.Wishes() if _counts(scene, news):
            return replace(scene, after_game=after(scene.after_game, news))
        case _:
            return scene  # a sentence says it


def is_aside(scene: TableScene, news: News) -> bool:
    """Tell whether the table shows ``news`` just as well as a sentence does."""
    match news:
        case heard.TalkHeard() | heard.PhraseHeard() | heard.TalkRecalled() | Taught():
            return True
        case heard.LineTimed() | Checked(""):
            return True
        case heard.LineChanged(changes.LineQuiet() | changes.LineDown()):
            return True
        case _:
            return _counts(scene, news) and is_in_sight(scene.after_game, news)


def _counts(scene: TableScene, news: News) -> bool:
    """Tell whether a player can agree to ``news``: a game that hides no cards shows none."""
    return scene.hides or not isinstance(news, heard.Offered)


def _talked(scene: S, said: Talk) -> S:
    match said:
        case heard.TalkRecalled(spoken):
            return replace(scene, talk=tuple((by, words_of(text)) for by, text in spoken))
        case heard.TalkHeard(text, by=by):
            pass
        case heard.PhraseHeard(number, by=by):
            text = PHRASES[number]()
        case _:
            assert_never(said)
    talk = (*scene.talk, (by, text))
    return replace(scene, talk=talk, back=0, unread=scene.unread + 1)
