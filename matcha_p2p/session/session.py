"""A game between two peers as one pure function, from a state and an item to the next state.

Frames, choices, changes of the line and time limits are items, taken one by one. A step returns
the state after an item, and the effects. The driver makes the chain of the state durable before
carrying out the effects. So a crash cannot undo a message sent or news shown.
"""

from dataclasses import replace
from typing import Final, assert_never

from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import (
    Check,
    CheckError,
    EncodingError,
    IllegalMoveError,
    ProtocolViolationError,
)
from matcha_p2p.games import seated
from matcha_p2p.games.game import Event, Move
from matcha_p2p.language import Sentence
from matcha_p2p.session import news, parting
from matcha_p2p.session.chain import Chain, Offence
from matcha_p2p.session.connection import changes
from matcha_p2p.session.connection.peer_addresses import dialable_addresses
from matcha_p2p.session.effects import (
    bye,
    end_told,
    entry_sent,
    events_told,
    record_sent,
    talk_sent,
    talk_told,
)
from matcha_p2p.session.state import (
    Apart,
    Comparing,
    Conceding,
    Decided,
    Effect,
    Greeting,
    HangingUp,
    HangUp,
    KeepTalk,
    Parting,
    Playing,
    Send,
    SessionOver,
    SessionState,
    Synced,
    Tell,
    Transition,
)
from matcha_p2p.session.watching import Watching
from matcha_p2p.table.seat import Offer
from matcha_p2p.table.table import Greetings, next_due
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.statements import Abort, Expose, Resign, Sync
from matcha_p2p.wire.talk import (
    Allow,
    Farewell,
    PeerAddresses,
    Phrase,
    Proposal,
    Say,
    Spoken,
    Watched,
    decode_talk,
)

GREETING_LIMIT: Final = 10.0
"""Seconds for a peer to greet us, and to compare copies on a new link."""

ENTRIES_LIMIT: Final = 10.0
"""Seconds between two entries or resignations that a peer has announced."""

RESULT_LIMIT: Final = 30.0
"""Seconds for a peer to sign the result, where no person is at our seat."""

PARTING_LIMIT: Final = 10.0
"""Seconds to wait for the peer's last words, if this seat wants to go."""

_FAULTY: Final = Sentence(
    "The other player's program sent a message that does not belong to this game."
)
_SILENT: Final = Sentence(
    "The other player's program does not say how far its copy of the game goes."
)
_WITHHELD: Final = Sentence(
    "The other player's program does not send the messages that it announced."
)


# --- beginning -------------------------------------------------------------------------------


def begin(
    chain: Chain, terms: news.Terms, binding: Binding, remote: Address | None = None
) -> Transition:
    """Begin a new game on the link ``binding``, where the peer has the address ``remote``."""
    greeting = Greeting(chain, terms, binding, remote)
    return _greet(greeting) if chain.seat == 0 else (greeting, ())


def take_up(chain: Chain, terms: news.Terms, spoken: tuple[Spoken, ...] = ()) -> Transition:
    """Go on with a game from the end of its journal; there is no link yet.

    spoken: the talk of the two players so far.
    """
    said = (Tell(news.TalkRecalled(spoken)),) if spoken else ()
    effects = (Tell(taken_up(chain)), *said, *end_told(chain))
    if chain.offence is not None:
        return SessionOver(chain, _ending_of_breach(chain, chain.offence.violation)), effects
    return _then((Playing(chain, terms, Apart(), watching=_watching(terms)), effects))


def taken_up(chain: Chain) -> news.TakenUp:
    """Return the news that the game of ``chain`` goes on."""
    names = tuple(hello.name for hello in chain.table.hellos)
    return news.TakenUp(chain.game, names, chain.hand)


# --- time ------------------------------------------------------------------------------------


def waits(state: SessionState) -> tuple[news.Timeout, ...]:
    """Return the waits of ``state``, with time limits.

    The seconds count from the first appearance of a wait here. If the seconds pass and no other
    item comes, a TimeUp with the wait is the next item.
    """
    match state:
        case Greeting(binding=binding):
            return (news.Timeout(news.Awaited.GREETING, binding, GREETING_LIMIT),)
        case Playing():
            return (*_link_waits(state), *_peer_waits(state))
        case Parting():
            return (*_link_waits(state), *_parting_waits(state))
        case HangingUp(binding=binding):
            return (news.Timeout(news.Awaited.HANG_UP, binding, PARTING_LIMIT),)
        case SessionOver():
            return ()
        case _:
            assert_never(state)


def _link_waits(state: Playing | Parting) -> tuple[news.Timeout, ...]:
    match state.link:
        case Comparing(binding):
            return (news.Timeout(news.Awaited.SYNC, binding, GREETING_LIMIT),)
        case Synced(binding) if _lacking(state):
            place = (binding, len(state.chain.entries))
            return (news.Timeout(news.Awaited.ENTRIES, place, ENTRIES_LIMIT),)
        case _:
            return ()


def _peer_waits(playing: Playing) -> tuple[news.Timeout, ...]:
    """Return the waits for the peer: to sign the result, or to move."""
    chain, length = playing.chain, len(playing.chain.entries)
    if chain.ended is not None:
        if playing.leaving:
            return (news.Timeout(news.Awaited.RESULT, length, PARTING_LIMIT),)
        if playing.terms.stays:
            return ()
        ever = news.Timeout(news.Awaited.RESULT, length, playing.terms.patience)
        if not isinstance(playing.link, Synced):
            return (ever,)
        return (
            news.Timeout(news.Awaited.RESULT, (playing.link.binding, length), RESULT_LIMIT),
            ever,
        )
    due = next_due(chain.table)
    theirs = due is not None and due.seat != chain.seat
    return (news.Timeout(news.Awaited.MOVE, length, playing.terms.patience),) if theirs else ()


def _parting_waits(state: Parting) -> tuple[news.Timeout, ...]:
    if state.leaving:
        return (news.Timeout(news.Awaited.GOODBYE, 0, PARTING_LIMIT),)
    if not state.terms.stays:
        return (news.Timeout(news.Awaited.BOOKS, sum(state.told), PARTING_LIMIT),)
    return ()


def _time_up(state: SessionState, wait: news.Timeout) -> Transition:
    match wait.what, state:
        case news.Awaited.GREETING, Greeting():
            return SessionOver(
                state.chain, news.Interrupted(news.NO_GREETING(seconds=wait.seconds))
            ), ()
        case news.Awaited.SYNC, Playing() | Parting():
            return _end_link(state, _SILENT())
        case news.Awaited.ENTRIES, Playing() | Parting():
            told = Tell(news.Withheld(_lacking(state)))
            state, effects = _end_link(state, _WITHHELD())
            return state, (told, *effects)
        case news.Awaited.MOVE, Playing():
            return _leave(state, news.Interrupted(news.NO_MOVE(seconds=wait.seconds)))
        case news.Awaited.RESULT, Playing():
            why = news.YOU_LEFT if state.leaving else news.NO_RESULT
            return _leave(state, news.Interrupted(why()))
        case news.Awaited.BOOKS, Parting():
            return replace(state, leaving=True), ()
        case news.Awaited.GOODBYE, Parting():
            return parting.give_up(state), ()
        case news.Awaited.HANG_UP, HangingUp():
            return SessionOver(state.chain, state.ending), ()
        case _:
            return state, ()  # the wait has just ended


# --- one item --------------------------------------------------------------------------------


def step(state: SessionState, item: news.Item) -> Transition:
    """Return the state after ``item``, and the effects."""
    match state:
        case Greeting():
            return _at_door(state, item)
        case Playing() | Parting():
            return _then(_at_table(state, item))
        case HangingUp():
            return _hanging_up(state, item)
        case SessionOver():
            return state, ()
        case _:
            assert_never(state)


def _then(done: Transition) -> Transition:
    """Add all consequences of ``done`` that need no further item."""
    state, effects = _go_on(done)
    match state:
        case Playing(link=Synced(binding)) | Parting(link=Synced(binding)):
            talk = state.watching.due()
            if talk is not None:
                watching = replace(state.watching, said=True)
                return replace(state, watching=watching), (*effects, talk_sent(binding, talk))
        case _:
            pass
    return state, effects


def _go_on(done: Transition) -> Transition:
    """Go on with the game, or after the game."""
    state, effects = done
    match state:
        case Playing(chain=Chain(finished=True)):
            ours = frozenset({Proposal.BOOKS} if state.terms.open_book else ())
            over = Parting(
                state.chain,
                state.terms,
                state.link,
                ours=ours,
                leaving=state.leaving,
                watching=state.watching,
            )
            state, more = parting.go_on(over)
        case Playing():
            state, more = _carry_on(state)
            if state.chain.finished:
                return _go_on((state, (*effects, *more)))
        case Parting(chain=Chain(finished=True)):
            state, more = parting.go_on(state)
        case Parting():  # an entry that crossed our resignation has decided the game
            again = Playing(
                state.chain,
                state.terms,
                state.link,
                leaving=state.leaving,
                watching=state.watching,
            )
            return _go_on((again, effects))
        case _:
            more = ()
    return state, (*effects, *more)


# --- greeting --------------------------------------------------------------------------------


def _at_door(greeting: Greeting, item: news.Item) -> Transition:
    match item:
        case changes.Arrived(binding, frame) if binding == greeting.binding:
            return _hear_at_door(greeting, frame)
        case changes.LineUp(binding) if binding != greeting.binding:
            return SessionOver(greeting.chain, news.Interrupted(news.LEFT())), ()
        case changes.LineDown(why) | changes.LineEnded(why):
            return SessionOver(greeting.chain, news.Interrupted(why)), ()
        case news.Leave():
            return _hang_up(
                greeting.chain,
                news.Interrupted(news.YOU_LEFT()),
                greeting.binding,
                Farewell.LATER,
            )
        case PeerAddresses():
            return replace(
                greeting, chain=greeting.chain.with_addresses(greeting.chain.seat, item)
            ), ()
        case news.TimeUp(wait):
            return _time_up(greeting, wait)
        case _:
            return greeting, ()


def _hear_at_door(greeting: Greeting, frame: Frame) -> Transition:
    match frame.kind:
        case Kind.MSG:
            return _hear_greeting(greeting, frame)
        case Kind.CHAT:
            return greeting, _talk_of(frame)
        case Kind.BYE:
            ending = news.ending_of(frame.payload) or news.Interrupted(news.LEFT())
            return SessionOver(greeting.chain, ending), ()
        case _:
            return greeting, ()


def _hear_greeting(greeting: Greeting, frame: Frame) -> Transition:
    try:
        chain, events = greeting.chain.hear(frame.payload)
    except ProtocolViolationError as violation:
        if violation.check in (Check.VERSION, Check.GAME, Check.ROSTER):
            declined = news.Declined(Farewell.VERSION, news.INCOMPATIBLE())
            return _hang_up(greeting.chain, declined, greeting.binding, Farewell.VERSION)
        return SessionOver(greeting.chain, news.Violated(violation)), ()
    unwanted = _unwanted(chain, greeting.terms)
    if unwanted is not None:
        return _hang_up(chain, unwanted, greeting.binding, Farewell.EDITION)
    if chain.met:
        return _then((_met(greeting, chain), events_told(chain, events)))
    return _greet(replace(greeting, chain=chain))


def _unwanted(chain: Chain, terms: news.Terms) -> news.Declined | None:
    """Decline if the peer offers a game or variant this seat did not ask for."""
    match chain.state:
        case Greetings(hellos=(hello,)):
            pass
        case _:
            return None
    if hello.seats != 2:
        return news.Declined(Farewell.VERSION, news.INCOMPATIBLE())
    firsts = seated(terms.game).variants
    wanted = firsts if terms.variant is None else (terms.variant,)
    if hello.game != terms.game:
        why = news.OTHER_GAME(name=hello.name, game=hello.game, wanted=terms.game)
    elif hello.variant in wanted:
        return None
    elif {hello.variant, *wanted} <= {*firsts}:
        why = news.UNWANTED(name=hello.name, edition=hello.variant, wanted=terms.variant)
    else:  # a variant belongs to a later game of a series
        why = news.OTHER_DEALER(name=hello.name)
    return news.Declined(Farewell.EDITION, why)


def _greet(greeting: Greeting) -> Transition:
    terms, game = greeting.terms, seated(greeting.terms.game)
    match greeting.chain.state:
        case Greetings(hellos=(hello,)):
            variant = hello.variant
        case _:
            variant = terms.variant or game.variants[0]
    offer = Offer(game.begin(variant), terms.name, terms.identity)
    chain, events = greeting.chain.greet(offer)
    said = entry_sent(greeting.binding, chain.entries[-1])
    if chain.met:
        return _then((_met(greeting, chain), (said, *events_told(chain, events))))
    return replace(greeting, chain=chain), (said,)


def _met(greeting: Greeting, chain: Chain) -> Playing:
    """Return the game that begins with both greetings: both seats have all of it."""
    link = Synced(greeting.binding, greeting.remote)
    return Playing(chain, greeting.terms, link, watching=_watching(greeting.terms))


def _watching(terms: news.Terms) -> Watching:
    return Watching(hosts=terms.watchers > 0, most=terms.watchers, ours=terms.sight)


# --- the line --------------------------------------------------------------------------------


def _at_table(state: Playing | Parting, item: news.Item) -> Transition:
    match item:
        case changes.Arrived(binding, frame):
            return _hear(state, frame) if binding == _binding(state) else (state, ())
        case (
            changes.LineUp()
            | changes.LineQuiet()
            | changes.LineHeard()
            | changes.LineDown()
            | changes.LineDialled()
            | changes.LineEnded()
        ):
            return _line_changed(state, item)
        case news.TimeUp(wait):
            return _time_up(state, wait)
        case PeerAddresses() | news.LetWatch() | news.WatchersCame():
            return _say_where_and_who(state, item)
        case Say() | Phrase():
            return state, _talk(state, item)
        case news.Leave():
            return _wants_to_leave(state)
        case news.Propose(proposal):
            after = parting.propose(state, proposal) if isinstance(state, Parting) else state
            return after, ()
        case news.Concede():
            return _concede(state) if isinstance(state, Playing) else (state, ())
        case news.MakeMove(move):
            return _decide(state, move) if isinstance(state, Playing) else (state, ())
        case _:
            assert_never(item)


def _say_where_and_who(
    state: Playing | Parting, item: PeerAddresses | news.LetWatch | news.WatchersCame
) -> Transition:
    """Note our addresses or watchers, and tell the peer."""
    match item:
        case PeerAddresses():
            state = replace(state, chain=state.chain.with_addresses(state.chain.seat, item))
            return state, _talk(state, item)
        case news.LetWatch(sight):
            return _watched(state, state.watching.allow(sight))
        case news.WatchersCame(names):
            return _watched(state, state.watching.seen_by(names))


def _watched(state: Playing | Parting, watching: Watching) -> Transition:
    """Tell the front end how watching has changed; ``_then`` tells the peer."""
    before = state.watching
    told = (Tell(news.WatchingChanged(before, watching)),) if watching != before else ()
    return replace(state, watching=watching), told


def _binding(state: Playing | Parting) -> Binding | None:
    match state.link:
        case Comparing(binding) | Synced(binding):
            return binding
        case Apart():
            return None


def _talk(state: Playing | Parting, talk: Say | Phrase | PeerAddresses) -> tuple[Effect, ...]:
    binding = _binding(state)
    match talk:
        case PeerAddresses():
            return () if binding is None else (talk_sent(binding, talk),)
        case _ if binding is None:
            return (Tell(news.Unheard()),)
        case _:
            return talk_sent(binding, talk), KeepTalk((state.chain.seat, talk))


def _line_changed(state: Playing | Parting, change: changes.LineChange) -> Transition:
    told = Tell(news.LineChanged(change))
    match change:
        case changes.LineUp(binding) if binding == _binding(state):
            # Both seats greeted each other on this link. Talk since then may be lost.
            return replace(state, watching=state.watching.unsaid()), ()
        case changes.LineUp(binding, remote):
            return _compare(state, Comparing(binding, remote), told)
        case changes.LineDialled() if _binding(state) is not None:
            return state, ()  # beside a quiet link; the front end is told of the silence
        case changes.LineQuiet() | changes.LineHeard() | changes.LineDialled():
            return state, (told,)
        case changes.LineDown():
            return _on(state, Apart()), (told,)
        case changes.LineEnded(why):
            return _ended(state, news.Interrupted(why)), (told,)
        case _:
            assert_never(change)


def _on(state: Playing | Parting, link: Apart | Comparing) -> Playing | Parting:
    """Return ``state`` on a new link, or none; on a new link both seats repeat their wishes."""
    match state:
        case Playing():
            return replace(state, link=link, watching=state.watching.unsaid())
        case Parting():
            return replace(
                state,
                link=link,
                said=frozenset(),
                theirs=frozenset(),
                watching=state.watching.unsaid(),
            )


def _compare(state: Playing | Parting, link: Comparing, told: Tell) -> Transition:
    """Begin on a new link: say how far our copy goes, and where we wait for further links."""
    chain = state.chain
    effects: list[Effect] = [told]
    effects.append(Send(link.binding, Frame(Kind.SYNC, chain.sync(link.binding))))
    way = chain.ways.get(chain.seat)
    if way is not None:
        effects.append(talk_sent(link.binding, way))
    return _on(state, link), tuple(effects)


def _end_link(state: Playing | Parting, why: str) -> Transition:
    """Give this link up, because anybody may have sent the frame; the game goes on."""
    binding = _binding(state)
    return _on(state, Apart()), () if binding is None else (HangUp(binding, why),)


def _hang_up(
    chain: Chain, ending: news.Ending, binding: Binding, farewell: Farewell
) -> Transition:
    return HangingUp(chain, ending, binding), (bye(binding, farewell),)


def _hanging_up(state: HangingUp, item: news.Item) -> Transition:
    """Wait until the peer has hung up: if we hung up first, our last words could be lost."""
    match item:
        case changes.LineDown() | changes.LineUp() | changes.LineEnded() | news.Leave():
            return SessionOver(state.chain, state.ending), ()
        case news.TimeUp(wait):
            return _time_up(state, wait)
        case _:
            return state, ()


def _ended(state: Playing | Parting, ending: news.Ending) -> SessionState:
    """End without a farewell; a finished game keeps the result."""
    match state:
        case Playing():
            return SessionOver(state.chain, ending)
        case Parting():
            return parting.give_up(state)


# --- what is heard ---------------------------------------------------------------------------


def _hear(state: Playing | Parting, frame: Frame) -> Transition:
    match frame.kind:
        case Kind.MSG:
            return _hear_entry(state, frame)
        case Kind.REC:
            return _hear_record(state, frame)
        case Kind.SYNC:
            return _hear_sync(state, frame)
        case Kind.BYE if isinstance(state, Parting):
            return parting.hear_bye(state, frame.payload)
        case Kind.BYE:
            ending = news.ending_of(frame.payload)
            return (state, ()) if ending is None else (SessionOver(state.chain, ending), ())
        case Kind.CHAT:
            return _hear_talk(state, frame)
        case Kind.PING | Kind.ROSTER | Kind.LOBBY:
            return state, ()
        case _:
            assert_never(frame.kind)


def _hear_entry(state: Playing | Parting, frame: Frame) -> Transition:
    if state.chain.finished and state.chain.resigned is None:
        return state, ()  # said again
    try:
        chain, events = state.chain.hear(frame.payload)
    except ProtocolViolationError as violation:
        return _refuse(state, violation, frame)
    return _caught_up(_with(state, chain)), events_told(chain, events)


def _caught_up(state: Playing | Parting) -> Playing | Parting:
    """If our copy has all entries that the peer has announced on this link, note so."""
    if isinstance(state.link, Synced) and not _lacking(state):
        return replace(state, chain=state.chain.caught_up())
    return state


def _lacking(state: Playing | Parting) -> int:
    """Return how many entries and resignations we wait for, as some may be ours."""
    match state.link:
        case Synced(_, _, owed, resigned):
            lost = resigned and not state.chain.has_resigned
            return max(0, owed - len(state.chain.entries)) + lost
        case _:
            return 0


def _with(state: Playing | Parting, chain: Chain) -> Playing | Parting:
    """Return ``state`` with more of the game.

    Our offers after the game are made again: a peer without the whole game has ignored the
    first offers.
    """
    match state:
        case Playing():
            return replace(state, chain=chain)
        case Parting():
            return replace(state, chain=chain, said=frozenset())


def _hear_sync(state: Playing | Parting, frame: Frame) -> Transition:
    """Send the peer the entries it lacks; the peer sends the entries we lack (SPEC#resume)."""
    match state.link:
        case Comparing(binding, remote):
            pass
        case _:
            return state, ()
    try:
        chain, sync = state.chain.hear_sync(frame.payload, binding)
    except ProtocolViolationError as violation:
        return _refuse(state, violation, frame)
    except CheckError:
        return _end_link(state, _FAULTY())
    missing = chain.missing(sync)
    effects = [
        *(Send(binding, Frame(Kind.MSG, entry)) for entry in missing.entries),
        *(Send(binding, Frame(Kind.REC, record)) for record in missing.records),
    ]
    level = Synced(binding, remote)
    if not chain.whole:
        level = Synced(binding, remote, sync.length, sync.resigned)
    return replace(_with(state, chain), link=level), tuple(effects)


def _hear_record(state: Playing | Parting, frame: Frame) -> Transition:
    before = state.chain
    try:
        chain, record = before.hear_record(frame.payload)
    except ProtocolViolationError as violation:
        return _refuse(state, violation, frame)
    if len(chain.records) == len(before.records):
        return state, ()  # said again after a SYNC
    after = replace(state, chain=chain)
    match record.statement:
        case Sync(length) if record.seat == chain.seat:
            return _given_back(after, length), ()
        case Sync():
            return _end_link(state, _FAULTY())  # a SYNC needs its own kind of frame
        case Resign():
            return _caught_up(after), end_told(chain) if chain.ended != before.ended else ()
        case Abort(code) if record.seat != chain.seat:
            return _ended(after, news.Interrupted(news.ABORTED(check=code))), ()
        case Expose():
            return after, (Tell(news.Exposed(record.seat)),)
        case _:
            return after, ()


def _given_back(state: Playing | Parting, length: int) -> Playing | Parting:
    """Wait for entries that this seat announced before a backup was restored."""
    match state.link:
        case Synced(owed=owed) as level if length > len(state.chain.entries):
            return replace(state, link=replace(level, owed=max(owed, length)))
        case _:
            return state


def _hear_talk(state: Playing | Parting, frame: Frame) -> Transition:
    try:
        talk = decode_talk(frame.payload)
    except EncodingError:
        return state, ()  # talk is no part of the game: unreadable talk is not shown
    match talk, state:
        case Say() | Phrase(), _:
            return state, (talk_told(talk), KeepTalk((state.chain.peer, talk)))
        case Proposal(), Parting():
            after, effects = parting.hear(state, talk)
            return after, tuple(effects)
        case PeerAddresses(), _:
            return _hear_addresses(state, talk), ()
        case Allow() | Watched(), _:
            return _watched(state, state.watching.hear(talk))
        case _:
            return state, ()


def _hear_addresses(state: Playing | Parting, way: PeerAddresses) -> Playing | Parting:
    chain = state.chain
    remote = None if isinstance(state.link, Apart) else state.link.remote
    there = dialable_addresses(way, remote, chain.ways.get(chain.peer))
    return state if there is None else replace(state, chain=chain.hear_addresses(there))


def _talk_of(frame: Frame) -> tuple[Effect, ...]:
    """Tell the talk of a frame; ignore an offer, which belongs to the game before."""
    try:
        talk = decode_talk(frame.payload)
    except EncodingError:
        return ()
    return (talk_told(talk),) if isinstance(talk, Say | Phrase) else ()


def _refuse(
    state: Playing | Parting, violation: ProtocolViolationError, frame: Frame
) -> Transition:
    """At a signed breach, stop and say so; at an unsigned breach, only end this link."""
    if violation.seat is None:
        return _end_link(state, _FAULTY())
    before = state.chain.offended(Offence(violation, frame))
    ending = _ending_of_breach(before, violation)
    told = Tell(news.Broken(violation, violation.seat == before.seat, before.finished))
    binding = _binding(state)
    if binding is None:
        return SessionOver(before, ending), (told,)
    chain = before.declare(Abort(violation.check.value, H("msg", frame.payload)))
    return HangingUp(chain, ending, binding), (told, record_sent(binding, chain.records[-1]))


def _ending_of_breach(chain: Chain, violation: ProtocolViolationError) -> news.Ending:
    """Return how a breach ends the game; a game that was over before keeps the result."""
    ended = chain.ended
    if chain.finished and ended is not None:
        return news.Finished(ended, seen_off=False)
    return news.Violated(violation)


# --- what is said ----------------------------------------------------------------------------


def _may_author(playing: Playing) -> bool:
    """Whether this seat may sign a new message.

    First the peer's SYNC must be handled. If our copy may be incomplete, we wait for all
    entries that the SYNC announces. The peer may hold entries of ours that we have lost, and a
    new entry in their place would be a fork. Or the peer may hold our resignation, and then we
    must not go on.
    """
    return isinstance(playing.link, Synced) and not _lacking(playing)


def _carry_on(playing: Playing) -> tuple[Playing, tuple[Effect, ...]]:
    """Sign all due actions, and if a decision is due, ask for the decision."""
    if not _may_author(playing):
        return playing, ()
    if isinstance(playing.wish, Conceding):
        return _resign(replace(playing, wish=None))
    chain, events = playing.chain.follow()
    playing, effects = _said(playing, chain, events)
    view = chain.view
    if view is None:
        return playing, effects
    length = len(chain.entries)
    match view.legal_moves(), playing.wish:
        case (only,), _:  # a single move is no decision (R17)
            playing, said = _decide(playing, only)
        case _, Decided(when, move) if when == length:
            playing, said = _decide(playing, move)
        case _ if playing.asked != length:
            return replace(playing, asked=length), (*effects, Tell(news.MoveDue(view)))
        case _:
            return playing, effects
    playing, more = _carry_on(playing)
    return playing, (*effects, *said, *more)


def _said(
    playing: Playing, chain: Chain, events: tuple[Event, ...]
) -> tuple[Playing, tuple[Effect, ...]]:
    """Send the new entry of ``chain``, if any, and tell the front end."""
    binding = _binding(playing)
    if len(chain.entries) == len(playing.chain.entries) or binding is None:
        return playing, ()
    said = entry_sent(binding, chain.entries[-1])
    return replace(playing, chain=chain), (said, *events_told(chain, events))


def _decide(playing: Playing, move: Move) -> tuple[Playing, tuple[Effect, ...]]:
    """Make ``move``, or remember ``move`` until we may sign."""
    if not _may_author(playing):
        return replace(playing, wish=Decided(len(playing.chain.entries), move)), ()
    playing = replace(playing, wish=None)
    try:
        chain, events = playing.chain.decide(move)
    except IllegalMoveError:
        return replace(playing, asked=0), ()
    return _said(playing, chain, events)


def _concede(playing: Playing) -> Transition:
    """Give up the game; a decided game cannot be given up."""
    if playing.chain.ended is not None:
        return playing, ()
    if playing.chain.whole:
        return _resign(playing)
    return replace(playing, wish=Conceding()), (Tell(news.ConcedesLater()),)


def _resign(playing: Playing) -> tuple[Playing, tuple[Effect, ...]]:
    """Sign a resignation, sent once the peer has all earlier entries."""
    chain = playing.chain.declare(Resign())
    told = end_told(chain)
    after = replace(playing, chain=chain)
    match playing.link:
        case Synced(binding):
            return after, (record_sent(binding, chain.records[-1]), *told)
        case _:
            return after, told


def _wants_to_leave(state: Playing | Parting) -> Transition:
    match state:
        case Parting():
            return replace(state, leaving=True), ()
        case Playing(chain=Chain(ended=None)) | Playing(link=Apart()) | Playing(leaving=True):
            return _leave(state, news.Interrupted(news.YOU_LEFT()))
        case Playing():  # first both seats sign the decided game
            return replace(state, leaving=True), ()


def _leave(playing: Playing, ending: news.Ending) -> Transition:
    binding = _binding(playing)
    if binding is None:
        return SessionOver(playing.chain, ending), ()
    return _hang_up(playing.chain, ending, binding, Farewell.LATER)
