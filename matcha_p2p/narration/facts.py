"""The facts that --json prints for programs.

A fact is a JSON object on a line, ``{"v":1,"event":...}``. ``protocol/schemas/facts.json`` has
all events and fields; later versions may add more. The facts of a game are its events in their
plain form: ``turn-passed`` is ``TurnPassed`` in ``games/tichu/table/events.py``.
``met`` has our own seat too, null if we watch.
"""

from typing import Final

from matcha_p2p.games.game import Fact, Telling
from matcha_p2p.narration import news as narration_news
from matcha_p2p.narration.sentences import LINE_QUIET
from matcha_p2p.seats import Seat
from matcha_p2p.session import news as session_news
from matcha_p2p.session.connection import changes
from matcha_p2p.session.watching import Watching
from matcha_p2p.wire.talk import Phrase, Say
from matcha_p2p.wire.watching import Admission


class FactTeller:
    """Turns the news of ``seat`` into facts. telling: of the game. seat: None for a watcher."""

    def __init__(self, telling: Telling, seat: Seat | None) -> None:
        self._telling: Final = telling
        self._seat: Final = seat
        self._facts = telling.facts(seat)

    def tell(self, news: narration_news.News) -> Fact:
        """Return ``news`` as a fact."""
        match news:
            case session_news.GameEvent(event, game):
                return self._facts.tell(event, game)
            case (
                session_news.MoveDue()
                | session_news.WindowOpened()
                | session_news.WindowAnswered()
            ):
                return self._tell_due(news)
            case (
                session_news.TalkHeard()
                | session_news.PhraseHeard()
                | session_news.TalkRecalled()
            ):
                return _of_talk(news)
            case session_news.LineChanged() | session_news.LineTimed():
                return _of_line(news)
            case session_news.TakenUp(_, _, hand):
                return "taken-up", {"hand": self._facts.take_up(hand)}
            case narration_news.Decisions() | narration_news.Taught():
                return _of_practice(news)
            case (
                session_news.Broken()
                | session_news.Withheld()
                | session_news.Unproven()
                | session_news.FarSeatMissing()
                | session_news.Ungreeted()
                | session_news.ConcedesLater()
                | session_news.Unheard()
            ):
                return _of_people(news)
            case (
                narration_news.Recognised()
                | narration_news.Renamed()
                | session_news.WatchingChanged()
            ):
                return _of_people(news)
            case session_news.ResignOffered(seat, name, partner):
                return "resign-offered", {"seat": seat, "name": name, "partner": partner}
            case _:
                return self._tell_after(news)

    def _tell_due(
        self,
        news: session_news.MoveDue | session_news.WindowOpened | session_news.WindowAnswered,
    ) -> Fact:
        match news:
            case session_news.MoveDue(view):
                return "due", {"moves": self._facts.moves(view)}
            case session_news.WindowOpened(seconds):
                return "window-opened", {"seconds": seconds}
            case session_news.WindowAnswered():
                return "window-answered", {}

    def _tell_after(self, news: narration_news.AfterNews) -> Fact:
        match news:
            case session_news.Settled():
                return "settled", {}
            case narration_news.Checked(failure):
                return "checked", {"failure": failure or None}
            case narration_news.GroupCounted():
                return "group", group_fields(news)
            case session_news.Offered(name):
                return "offered", {"name": name}
            case session_news.Wishes():
                return "wishes", {key: list(names) for key, names in news._asdict().items()}
            case session_news.Exposed(seat):
                return "exposed", {"seat": seat}
            case narration_news.Uncovered(cards):
                return "uncovered", {"cards": self._facts.uncover(cards)}
            case session_news.NextGame(score):
                self._facts = self._telling.facts(self._seat)
                return "next-game", {"score": list(score)}


def group_fields(news: narration_news.GroupCounted) -> dict[str, object]:
    """Return the fields of the fact ``group``."""
    sides = [{**side._asdict(), "names": list(side.names)} for side in news.sides]
    return {**news._asdict(), "names": list(news.names), "sides": sides}


def _of_talk(
    news: session_news.TalkHeard | session_news.PhraseHeard | session_news.TalkRecalled,
) -> Fact:
    match news:
        case session_news.TalkHeard(text, by=by):
            return "talk", {"text": text, "seat": by}
        case session_news.PhraseHeard(number, by=by):
            return "phrase", {"number": number, "seat": by}
        case session_news.TalkRecalled(spoken):
            return "talk-recalled", {"talk": [_spoken(*each) for each in spoken]}


def _spoken(seat: Seat, said: Say | Phrase) -> dict[str, object]:
    match said:
        case Say(text):
            return {"seat": seat, "text": text}
        case Phrase(number):
            return {"seat": seat, "phrase": number}


def _of_people(
    news: session_news.Trouble
    | narration_news.Recognised
    | narration_news.Renamed
    | session_news.WatchingChanged,
) -> Fact:
    match news:
        case session_news.WatchingChanged(now=watching):
            return "watching", _watching(watching)
        case narration_news.Recognised() | narration_news.Renamed():
            return _of_standing(news)
        case session_news.Broken(violation):
            return "broken", {"check": violation.check.value, "seat": violation.seat}
        case session_news.Withheld(count):
            return "withheld", {"count": count}
        case session_news.Unproven(names):
            return "unproven", {"names": list(names)}
        case session_news.FarSeatMissing(name, ways, seconds):
            return "far-seat-missing", {"name": name, "ways": list(ways), "seconds": seconds}
        case session_news.Ungreeted(names, seconds):
            return "ungreeted", {"names": list(names), "seconds": seconds}
        case session_news.ConcedesLater():
            return "concedes-later", {}
        case session_news.Unheard():
            return "unheard", {}


def _of_standing(news: narration_news.Recognised | narration_news.Renamed) -> Fact:
    match news:
        case narration_news.Recognised(standing, name, known_as):
            known = known_as or None
            return "peer", {"standing": standing.value, "name": name, "known_as": known}
        case narration_news.Renamed(name):
            return "renamed", {"name": name}


def _of_line(news: session_news.LineChanged | session_news.LineTimed) -> Fact:
    match news:
        case session_news.LineChanged(change, name):
            return "line", {**_line(change, name), "seat": change.seat}
        case session_news.LineTimed(seconds):
            return "round-trip", {"seconds": seconds}


def _of_practice(news: narration_news.Decisions | narration_news.Taught) -> Fact:
    match news:
        case narration_news.Decisions(count):
            return "decisions", {"count": count}
        case narration_news.Taught(text):
            return "taught", {"text": text}


def _line(change: changes.LineChange, name: str) -> dict[str, object]:
    match change:
        case changes.LineUp() | changes.LineHeard():
            return {"state": "up", "why": None}
        case changes.LineQuiet(seconds):
            return {"state": "quiet", "why": LINE_QUIET(name=name, seconds=round(seconds))}
        case changes.LineDown(why) | changes.LineEnded(why):
            return {"state": "down", "why": why}
        case changes.LineDialled(tries):
            return {"state": "dialled", "why": None, "tries": tries}


def _watching(watching: Watching) -> dict[str, object]:
    return {
        "most": watching.most,
        "sight": watching.sight.name.lower(),
        "names": list(watching.names),
        "seats": [None if said is None else _admission(said) for said in watching.said],
    }


def _admission(said: Admission) -> dict[str, object]:
    sight = said.sight.name.lower()
    return {"sight": sight, "most": said.most, "names": list(said.names)}
