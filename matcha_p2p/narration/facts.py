"""The facts that --json prints for programs.

A fact is a JSON object on a line, ``{"v":1,"event":...}``. The list shows events and fields;
later versions may add more. The facts of a game are its events in their plain form:
``turn-passed`` is ``TurnPassed`` in ``games/tichu/table/events.py``. ``met`` has our own seat
too, null if we watch.

    router       ipv4, ipv6: opened, shared, double, refused, silent, or null if none was asked.
    invite       invite.
    watch-invite invite, most: who may watch.
    address      address, interface (its name, or empty), invite: whether invites hold it; kind:
                 internet, temporary (on the internet, for about a day), shared (by a provider),
                 vpn, network (private), unique-local, link-local, containers, machine.
    engine       path: the engine of the group arithmetic, and its instructions.
    port         port, free.
    firewall     state: on, off, unknown; names: of the firewall services.
    stun         server, address: ours in the server's eyes, or null.
    proxy        proxy, answers.
    place        place, answers, why: nobody answers there, or null.
    reply        reply: the guest's answer code.
    answer       places: dialled by the host; code: of the fault in an answer, or null.
    waiting      port; why: of the last guest to go before the game began, or null.
    lobby        game, variant; seats: each with name and bot, or null if empty.
    calling      missing: names of the friends who are called, and do not sit at the table yet.
    connected.
    resumed      game (id, hex; of the roster before all have greeted), seat (our own).
    taken-up     hand: a resumed game goes on, or practice after taking a decision back.
    line         state (up, quiet, down, dialled), why; tries so far if dialled.
    round-trip   seconds: from a frame of ours to the peer's answer.
    sight        sight: how much we see of a watched game (nothing, later, at_once).
    surplus      check: the check that a host's item after the end of a watched game broke.
    table        of doctor: name, address, edition and game of a host waiting on this network;
                 seats, and how many of them are free.
    due          moves: our legal moves, in the game's notation.
    window-opened seconds: the time of every answer to the play that lies.
    window-answered  the time has passed; the program has given the quiet answer.
    broken       check, seat: the seat that broke the protocol; the evidence is safe.
    withheld     count: of messages that a neighbour announces, and does not send.
    unproven     names: we sign nothing before each of these players has shown its copy.
    far-seat-missing  name: the game has waited for this player for seconds; ways: names of the
                 players whose programs pass the player's messages on to us.
    ungreeted    names: the game has waited for the greetings of these players for seconds.
    concedes-later  we give up as soon as we may sign.
    resign-offered  seat, name, partner (the seat that is asked): a team resigns only with both
    unheard      our latest talk was not sent: there is no link.
    talk         text, seat: of the speaker.
    talk-recalled  talk: from before a game is taken up (seat, text or phrase).
    decisions    count: of decisions that can be taken back, in practice.
    renamed      name: ours at this table, since another player has our own name.
    taught       text: of a lesson of the tutorial.
    phrase       number (1 to 9), seat: of the speaker.
    settled      the game is over, and both may stay.
    checked      failure: of the whole game, or null.
    group        game, names (of the others at the table), games (finished), drawn;
                 sides: names of each team, ours (whether we are in it), won. Also of friends.
    offered      name: of a player who offers to show the hidden cards of all.
    wishes       wished, missing, left, contradicted: names of who wishes another game, for whom
                 the table waits, who has left, and whose signed wishes contradict each other.
    exposed      seat.
    watching     most (who may watch), sight (nothing, later, at_once: what all allow), names
                 (of the watchers); seats: sight, most, names of each seat, or null if unknown.
    uncovered    cards: taken unopened, and now known, in the game's own fields.
    next-game    score (games won, by us and then by the others).
    transcript   path.
    evidence     path, check, entry.
    interrupted  why, journal (null: a practice game is not kept).
    verdict      file, verdict, valid, waiting, checks; if invalid check, entry, seat, message.
    contradiction  files, check, entry, seat: files of one game that convict a seat.
    score        of an arena: bots, games, pairs, wins, losses, draws, win_rate, interval,
                 elo, elo_interval ...
    ranking      of an arena of three or more, the best first: game, unit (elo, or points a
                 round), bots, ratings (above the mean), intervals.
    game         of an export: game, or text.
    decision     of analysis: set, round, seat, move, exact, loss, moves (move, value, error).
                 Of Tichu: round, seat, move, value, loss (points), moves (move, value).
    chance       of an analysis, before a round: set, round, by (a seat), value.
    accuracy     of an analysis: seat, name, accuracy (of 100), decisions, mistakes, blunders.
    unfinished   of games: name, names (by seat), edition, seat (our own), due (seat or null).
    log          line, and the fields of the game's rules for the log so far.
    stored       of games: file, game, date, names (by seat), edition, seat (our own or null),
                 over, winners (seats), points (of each team, or empty), how (or null),
                 disputed.
    unreadable   of games: file, why: an unreadable file among the games.
    installed    of games --installed: game, package, version, number (in a beacon, or null),
                 why (the game, or the named parts, cannot be used; or null).
    page         of page and index: file, page (the file written), verdict.
    index        path, games (how many are listed).
    score-against  of games: opponent, won, lost, drawn.
    rules        edition, paragraphs.
    board        of kashi check: name, digest (hex) of a board without faults.
    fault        of kashi check: line, message.
    seats        of kashi check: seats, bot, games, wins (by seat), unfinished, error (the
                 standard error of a seat's part of the wins).
    style        of kashi check: seats, style (of one player among bots of level club), games,
                 wins, unfinished, error.
    me           key (hex), words.
    friend       name, says (the friend's own name), key (hex), compared, first_met, last_met,
                 won, lost, drawn, left_by_them, left_by_us.
    peer         of a demo: seat, said (printed by the peer).
    warning      message; the command goes on.
    error        exit, code, message.
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
