"""The frames of neighbours in a game and after it: entries, records, words, SYNC, goodbyes."""

from dataclasses import replace
from typing import Final, assert_never

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, CheckError, EncodingError, ProtocolViolationError
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain, Offence
from matcha_p2p.session.connection import changes
from matcha_p2p.session.step import links as session_links
from matcha_p2p.session.step import parting
from matcha_p2p.session.step import state as states
from matcha_p2p.session.step.effects import events_told, resigned_told, talk_told
from matcha_p2p.session.watching import Watching
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire import statements
from matcha_p2p.wire.admission import WatchWord
from matcha_p2p.wire.encoding import unpack
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.said import SaidWord, WayWord

_OUTDATED: Final = Sentence("The program at the other end was started again since.")


def arrived(state: states.Greeted, binding: Binding, frame: Frame) -> states.Transition:
    """Take ``frame``, if the link ``binding`` still counts."""
    seat = session_links.seat_at(state.links, binding)
    if seat is None:
        return state, ()
    if frame.kind is not Kind.ASK and session_links.outdated(state, seat):
        return end_link(state, seat, _OUTDATED())
    return _hear(state, seat, frame)


def _hear(state: states.Greeted, seat: Seat, frame: Frame) -> states.Transition:
    match frame.kind:
        case Kind.MSG:
            return _hear_entry(state, seat, frame)
        case Kind.REC:
            return _hear_record(state, seat, frame)
        case Kind.SYNC:
            return _hear_sync(state, seat, frame)
        case Kind.BYE:
            return _hear_goodbye(state, seat, frame.payload)
        case Kind.WAYS:
            return session_links.hear_addresses(state, seat, frame.payload), ()
        case Kind.PING:
            return _hear_length(state, seat, frame.payload)
        case Kind.ASK | Kind.HERE | Kind.AGAIN | Kind.OPEN | Kind.TALK | Kind.WATCH | Kind.WAY:
            return _hear_word(state, seat, frame)
        case Kind.ROSTER:
            return parting.hear_roster(state, seat, frame), ()
        case Kind.LOBBY | Kind.COME | Kind.SIGHT:
            return state, ()  # of the lobby, which is over, or of a watcher
        case _:
            assert_never(frame.kind)


def _hear_length(state: states.Greeted, seat: Seat, payload: bytes) -> states.Transition:
    """Send again what the neighbour lacks, by the length that a ping tells."""
    try:
        told = unpack(payload)
    except EncodingError:
        return state, ()  # most pings say nothing
    match told:
        case [int(length)] if length >= 0:
            return session_links.flush(session_links.lacks(state, seat, length))
        case _:
            return state, ()


def _hear_goodbye(playing: states.Greeted, seat: Seat, farewell: bytes) -> states.Transition:
    """Take the goodbye of a neighbour; without neighbours the session ends."""
    if isinstance(playing, states.Parting):
        return parting.hear_bye(playing, seat, farewell)
    if news.is_done(farewell):
        return playing, ()
    chain, code = playing.chain, _stopped_by(playing.chain, seat)
    why = news.LEFT_BY(name=chain.name_of(seat))
    if code is not None:
        why = news.ABORTED(name=chain.name_of(seat), check=code)
    if session_links.is_beside(playing.links, seat):
        return end_link(playing, seat, why)
    left = neighbour_left(playing, seat)
    if not session_links.sought(left.links):
        return states.SessionOver(chain, news.Interrupted(why)), ()
    told = states.Tell(news.LineChanged(changes.LineDown(why, seat), chain.name_of(seat)))
    return left, (states.HangUp(session_links.standing(playing.links)[seat], why), told)


def end_link(state: states.Greeted, seat: Seat, why: str) -> states.Transition:
    """Give this link up, because anybody may have sent the frame; the game goes on."""
    hang_up = states.HangUp(session_links.standing(state.links)[seat], why)
    return unless_alone(session_links.apart(parting.unsaid(state, seat), seat)), (hang_up,)


def unless_alone(state: states.Greeted) -> states.SessionState:
    """Return ``state``, or its end: after the game, the last direct link may have ended."""
    if isinstance(state, states.Parting) and not state.links:
        return parting.give_up(state)
    return state


def neighbour_left(state: states.Greeted, seat: Seat) -> states.Greeted:
    """Return ``state`` without a neighbour that may lack the end of the game."""
    return session_links.without(replace(state, gone=state.gone | {seat}), seat)


def _stopped_by(chain: Chain, seat: Seat) -> str | None:
    """Return the check of the message that ``seat`` has refused, or None."""
    said = [record.statement for record in chain.records if record.seat == seat]
    return next((abort.code for abort in said if isinstance(abort, statements.Abort)), None)


def _hear_entry(state: states.Greeted, seat: Seat, frame: Frame) -> states.Transition:
    if state.chain.finished and state.chain.resigned is None:
        return state, ()  # said again
    try:
        chain, events = state.chain.hear(frame.payload)
    except ProtocolViolationError as violation:
        return _refuse(state, seat, violation, frame)
    heard = state if chain is state.chain else _with(state, chain)
    place = parse_entry(frame.payload).seq
    after, sent = _answered(session_links.has_entry(heard, seat, place))
    return after, (*sent, *events_told(chain, events))


def _answered(state: states.Greeted) -> tuple[states.Greeted, states.Effects]:
    """Note which seats have shown all that they have of ours, and pass on what is new."""
    return session_links.flush(replace(state, chain=state.chain.answered()))


def _with(state: states.Greeted, chain: Chain) -> states.Greeted:
    """Return ``state`` with more of the game.

    After the game our goodbye is said again: a peer without the whole game has ignored it.
    """
    match state:
        case states.Playing():
            return replace(state, chain=chain)
        case states.Parting():
            return replace(state, chain=chain, said=frozenset())


def _hear_sync(state: states.Greeted, seat: Seat, frame: Frame) -> states.Transition:
    """Send the peer the entries it lacks; the peer sends the entries we lack (PEER#resume)."""
    match state.links[seat]:
        case states.Comparing(binding) as link:
            pass
        case _:
            return state, ()
    if not frame.payload:  # the neighbour lacks a HELLO, so it has lost or announces nothing
        empty, again = session_links.none_given(link), _with(state, state.chain)
        return session_links.flush(session_links.with_link(again, seat, empty))
    try:
        chain, sync = state.chain.hear_sync(frame.payload, binding, seat)
    except ProtocolViolationError as violation:
        if violation.seat is None:
            return _hear_sync_of_other_game(state, seat, frame)
        return _refuse(state, seat, violation, frame)
    except CheckError:
        return end_link(state, seat, news.FAULTY())
    missing = chain.missing(sync, seat)
    effects = [
        *(states.Send(binding, Frame(Kind.MSG, entry)) for entry in missing.entries),
        *(states.Send(binding, Frame(Kind.REC, record)) for record in missing.records),
    ]
    synced = session_links.all_given(chain, link)
    if not chain.whole:
        synced = replace(synced, owed=sync.length, resigned=sync.resigned)
    known = session_links.with_link(_with(state, chain), seat, synced)
    after, sent = session_links.flush(known)
    return after, (*effects, *sent)


def _hear_sync_of_other_game(
    state: states.Greeted, seat: Seat, frame: Frame
) -> states.Transition:
    """Send all entries: the last seat may have signed two greetings under one roster."""
    link = state.links[seat]
    if not isinstance(link, states.Comparing):
        return state, ()
    try:
        sync = state.chain.hear_early_sync(frame.payload, link.binding, seat)
    except CheckError:
        return end_link(state, seat, news.FAULTY())
    owed = 0 if state.chain.whole else sync.length
    other = replace(session_links.none_given(link), owed=owed)
    return session_links.flush(session_links.with_link(state, seat, other))


def _hear_record(state: states.Greeted, seat: Seat, frame: Frame) -> states.Transition:
    before = state.chain
    try:
        chain, record = before.hear_record(frame.payload)
    except ProtocolViolationError as violation:
        return _refuse(state, seat, violation, frame)
    after = replace(state, chain=chain)
    if record in chain.records:
        after = session_links.has_record(after, seat, chain.records.index(record))
    if len(chain.records) == len(before.records):
        return after, ()  # said again after a SYNC, or by another neighbour
    match record.statement:
        case statements.Sync(length) if record.seat == chain.seat:
            return _given_back(after, seat, length), ()
        case statements.Sync() if record.seat == seat:
            return end_link(state, seat, news.FAULTY())  # a SYNC needs its own kind of frame
        case statements.Resign() | statements.ResignOffer() | statements.ResignTogether():
            told = resigned_told(chain, before)
        case statements.Expose():
            told = (states.Tell(news.Exposed(record.seat)),)
        case _:
            told = ()
    after, sent = _answered(after)
    return after, (*sent, *told)


def _hear_word(state: states.Greeted, seat: Seat, frame: Frame) -> states.Transition:
    """Take a word of a seat, answer an ASK, tell talk and watching, and pass the word on."""
    before = state.chain
    try:
        chain, word = before.hear_word(frame)
    except CheckError:
        return end_link(state, seat, news.FAULTY())
    after, sent = _answered(session_links.has_word(replace(state, chain=chain), seat, word))
    if chain is before:
        return after, sent
    match word:
        case SaidWord(by, said=said):
            told = talk_told(said, chain.name_of(by), by), states.KeepTalk((by, said))
            return after, (*sent, *told)
        case WayWord() if word.seat != seat:
            return session_links.hear_relayed_addresses(after, seat, word), sent
        case WatchWord():
            heard, changed = _admission_heard(after, word)
            return heard, (*sent, *changed)
        case _:
            return after, sent


def _admission_heard(state: states.Greeted, word: WatchWord) -> states.Transition:
    """Note what a seat says about watching. Our own no, of an earlier run, is final too."""
    watching, said = state.watching, word.admission
    if word.seat == watching.seat:
        if not word.is_final:
            return state, ()
        said = replace(watching.ours, sight=said.sight)
    return watched(state, watching.hear(word.seat, said))


def watched(state: states.Greeted, watching: Watching) -> states.Transition:
    """Tell the front end how watching has changed; ``step`` tells the others."""
    before = state.watching
    changed = watching != before and watching.most
    told = (states.Tell(news.WatchingChanged(before, watching)),) if changed else ()
    return replace(state, watching=watching), told


def _given_back(state: states.Greeted, seat: Seat, length: int) -> states.Greeted:
    """Wait for entries that this seat announced before a backup was restored."""
    match state.links[seat]:
        case states.Synced(owed=owed) as link if length > len(state.chain.entries):
            return session_links.with_link(state, seat, replace(link, owed=max(owed, length)))
        case _:
            return state


def _refuse(
    state: states.Greeted, seat: Seat, violation: ProtocolViolationError, frame: Frame
) -> states.Transition:
    """At a signed breach, stop and show everybody; at an unsigned breach, end this link."""
    link = state.links[seat]
    if violation.seat is None or isinstance(link, states.Apart | states.Turning):
        return end_link(state, seat, news.FAULTY())
    before = state.chain.offended(Offence(violation, frame))
    ending = ending_of_breach(before, violation)
    told = states.Tell(news.Broken(violation, violation.seat == before.seat, before.finished))
    if isinstance(link, states.Comparing):
        link = session_links.all_given(before, link)
    if violation.check is Check.FORK:  # the neighbour may lack the first entry of the two
        link = replace(link, shown=min(link.shown, parse_entry(frame.payload).seq))
    chain = before.declare(statements.Abort(violation.check.value, H("msg", frame.payload)))
    links = {**state.links, seat: replace(link, warned=True)}
    stopped, sent = session_links.flush(states.HangingUp(chain, ending, links))
    after, said = parting.hang_up(stopped.chain, stopped.links, ending)
    return after, (told, *sent, *said)


def ending_of_breach(chain: Chain, violation: ProtocolViolationError) -> news.Ending:
    """Return how a breach ends the game; a game that was over before keeps the result."""
    ended = chain.ended
    if chain.finished and ended is not None:
        return news.Finished(ended, seen_off=False)
    return news.Violated(violation)
