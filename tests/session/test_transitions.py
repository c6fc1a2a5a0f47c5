"""Every transition of a session in one table: the effect of each item in each state.

A row lists items, and names the next state and the effects. A name with ``*`` stands for the
whole kind of item, except for items that the state lists by name. Rows common to several states
stand before the table.
"""

from collections import Counter
from fnmatch import fnmatchcase
from itertools import groupby
from typing import TypeGuard, get_args

import pytest

from matcha_p2p.session.connection.changes import Arrived, LineItem, LineUp
from matcha_p2p.session.news import Awaited, Choice, GameEvent, Item, TimeUp, WatchersCame
from matcha_p2p.session.session import step
from matcha_p2p.session.state import (
    Effect,
    Greeting,
    HangingUp,
    HangUp,
    KeepTalk,
    LinkState,
    Parting,
    Playing,
    Send,
    SessionOver,
    SessionState,
    Tell,
    Turning,
)
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.record import parse_record
from matcha_p2p.wire.talk import PeerAddresses, Proposal, decode_farewell, decode_talk
from tests.session.scenes import STALE, Scene, frames, items, scenes

IMPOSSIBLE = "impossible"
SAME = "same"

GREETING = {
    "LineUp, LineDown, LineEnded, BYE *, TimeUp GREETING": "SessionOver Interrupted",
    "MSG unreadable": "SessionOver Violated",
    "BYE edition, BYE version": "SessionOver Declined",
    "CHAT say": "Greeting: tell TalkHeard",
    "CHAT phrase": "Greeting: tell PhraseHeard",
    "Leave": "HangingUp Interrupted: send BYE LATER",
    "PeerAddresses, WatchersCame": "Greeting",
    (
        "LetWatch, LineUp (this link), LineQuiet, LineHeard, LineDialled, "
        "REC unreadable, SYNC unreadable, CHAT *, WATCH*, PING*, Play, Pass, Keep, Say, "
        "Phrase, Concede, Propose *"
    ): SAME,
    "MSG *, REC *, SYNC *, TimeUp *": IMPOSSIBLE,
}
PLAYING_COMPARING = {
    "LineUp": "Playing Comparing: tell LineChanged, send SYNC",
    "LineQuiet, LineHeard": "Playing Comparing: tell LineChanged",
    "LineDown": "Playing Apart: tell LineChanged",
    "LineEnded": "SessionOver Interrupted: tell LineChanged",
    "MSG *, REC unreadable, REC forged, SYNC unreadable, TimeUp SYNC": "Playing Apart: hang up",
    "MSG breach": "HangingUp Violated: tell Broken, send MSG, send Abort, send BYE LATER",
    "REC breach": "HangingUp Violated: tell Broken, send Abort, send BYE LATER",
    "REC resign, Concede": "Parting Comparing: tell GameEnded, tell Settled",
    "BYE later, BYE unreadable": "SessionOver Interrupted",
    "REC abort, REC claim, CHAT way, Pass, Keep": "Playing Comparing",
    "REC expose": "Playing Comparing: tell Exposed",
    "BYE edition, BYE version": "SessionOver Declined",
    "CHAT say": "Playing Comparing: tell TalkHeard, keep",
    "CHAT phrase": "Playing Comparing: tell PhraseHeard, keep",
    "Say": "Playing Comparing: send Say, keep",
    "Phrase": "Playing Comparing: send Phrase, keep",
    "Leave": "HangingUp Interrupted: send BYE LATER",
    "PeerAddresses": "Playing Comparing: send PeerAddresses",
    "WATCH": "Playing Comparing: tell WatchingChanged",
    "WATCH of a guest": "Playing Comparing",
    "WATCH forged": "Playing Apart: hang up",
    (
        "LetWatch, WatchersCame, LineUp (this link), LineDialled, "
        "MSG known, BYE done, "
        "CHAT books, CHAT rematch, CHAT unreadable, PING*, Propose *"
    ): SAME,
    "REC our sync, TimeUp *": IMPOSSIBLE,
}
PLAYING_LEVEL = {
    "LineUp": "Playing Comparing: tell LineChanged, send SYNC",
    "LineQuiet, LineHeard": "Playing Synced: tell LineChanged",
    "LineDown": "Playing Apart: tell LineChanged",
    "LineEnded": "SessionOver Interrupted: tell LineChanged",
    "MSG *, REC unreadable, REC forged": "Playing Apart: hang up",
    "MSG breach": "HangingUp Violated: tell Broken, send MSG, send Abort, send BYE LATER",
    "REC breach": "HangingUp Violated: tell Broken, send Abort, send BYE LATER",
    "BYE later, BYE unreadable": "SessionOver Interrupted",
    "REC abort, REC claim, CHAT way": "Playing Synced",
    "REC expose": "Playing Synced: tell Exposed",
    "BYE edition, BYE version": "SessionOver Declined",
    "CHAT say": "Playing Synced: tell TalkHeard, keep",
    "CHAT phrase": "Playing Synced: tell PhraseHeard, keep",
    "Say": "Playing Synced: send Say, keep",
    "Phrase": "Playing Synced: send Phrase, keep",
    "PeerAddresses": "Playing Synced: send PeerAddresses",
    "WATCH": "Playing Synced: tell WatchingChanged, send WATCH",
    "WATCH of a guest": "Playing Synced",
    "WATCH forged": "Playing Apart: hang up",
    (
        "LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG known, "
        "SYNC *, "
        "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Propose *"
    ): SAME,
    "PING behind": "Playing Synced: send MSG",
    "TimeUp QUIET": "Playing Synced: send PING",
    "TimeUp *": IMPOSSIBLE,
}
PARTING_LEVEL = {
    "LineUp": "Parting Comparing: tell LineChanged, send SYNC",
    "LineQuiet, LineHeard": "Parting Synced: tell LineChanged",
    "LineDown": "Parting Apart: tell LineChanged",
    "LineEnded": "SessionOver Finished: tell LineChanged",
    "REC resign, REC claim, REC abort": "Parting Synced: tell Settled",
    "REC expose": "Parting Synced: tell Exposed, tell Settled",
    "REC unreadable, REC forged": "Parting Apart: hang up",
    "REC breach": "HangingUp Finished: tell Broken, send Abort, send BYE LATER",
    "CHAT say": "Parting Synced: tell TalkHeard, keep",
    "CHAT phrase": "Parting Synced: tell PhraseHeard, keep",
    "CHAT way": "Parting Synced",
    "Say": "Parting Synced: send Say, keep",
    "Phrase": "Parting Synced: send Phrase, keep",
    "PeerAddresses": "Parting Synced: send PeerAddresses",
    "WATCH": "Parting Synced: tell WatchingChanged, send WATCH",
    "WATCH of a guest": "Parting Synced",
    "WATCH forged": "Parting Apart: hang up",
    (
        "LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, SYNC *, "
        "CHAT unreadable, PING, Play, Pass, Keep, Concede"
    ): SAME,
    "PING behind": "Parting Synced: send MSG",
    "TimeUp QUIET": "Parting Synced: send PING",
    "MSG next, REC our sync, SYNC ahead, TimeUp *": IMPOSSIBLE,
}

TABLE = {
    "greeting, as host": GREETING
    | {
        "MSG next": "Playing Synced: tell Met, send MSG, tell TableLaid, tell Shuffled",
    },
    "greeting, as guest": GREETING
    | {
        "MSG next": "Playing Synced: send MSG, tell Met",
    },
    "playing, apart": {
        "LineUp": "Playing Comparing: tell LineChanged, send SYNC",
        "LineQuiet, LineHeard, LineDown, LineDialled": "Playing Apart: tell LineChanged",
        "LineEnded": "SessionOver Interrupted: tell LineChanged",
        "Play, Pass, Keep, PeerAddresses": "Playing Apart",
        "Concede": "Parting Apart: tell GameEnded, tell Settled",
        "Leave, TimeUp MOVE": "SessionOver Interrupted",
        "Say, Phrase": "Playing Apart: tell Unheard",
        "LetWatch, WatchersCame, Propose *": SAME,
        (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, CHAT *, WATCH*, PING*, TimeUp *"
        ): IMPOSSIBLE,
    },
    "playing, comparing": PLAYING_COMPARING
    | {
        "MSG next": "Playing Comparing: tell Placed",
        "Play": "Playing Comparing",
        "SYNC *": "Playing Synced",
        "TimeUp MOVE": "HangingUp Interrupted: send BYE LATER",
    },
    "playing, our decision": PLAYING_LEVEL
    | {
        "REC resign": "Parting Synced: tell GameEnded, tell Settled",
        "Play": "Playing Synced: send MSG, tell Placed",
        "Pass": "Playing Synced: send MSG, tell Passed",
        "Keep": "Playing Synced: tell MoveDue",
        "Concede": "Parting Synced: send Resign, tell GameEnded, tell Settled",
        "Leave": "HangingUp Interrupted: send BYE LATER",
        "MSG next, REC our sync": IMPOSSIBLE,
    },
    "playing, their decision": PLAYING_LEVEL
    | {
        "MSG next": "Playing Synced: tell Placed, tell MoveDue",
        "REC resign": "Parting Synced: tell GameEnded, tell Settled",
        "Play, Pass, Keep": "Playing Synced",
        "Concede": "Parting Synced: send Resign, tell GameEnded, tell Settled",
        "Leave, TimeUp MOVE": "HangingUp Interrupted: send BYE LATER",
        "REC our sync": IMPOSSIBLE,
    },
    "playing, catching up": PLAYING_LEVEL
    | {
        "MSG next": "Playing Synced: tell Placed",
        "REC resign": "Parting Synced: tell GameEnded, tell Settled",
        "REC our sync, Play, Pass, Keep": "Playing Synced",
        "Concede": "Playing Synced: tell ConcedesLater",
        "Leave": "HangingUp Interrupted: send BYE LATER",
        "TimeUp ENTRIES": "Playing Apart: tell Withheld, hang up",
    },
    "playing, move to send": PLAYING_COMPARING
    | {
        "SYNC *": "Playing Synced: send MSG, tell Placed",
        "Play": SAME,
        "MSG next": IMPOSSIBLE,
    },
    "playing, resignation to sign": PLAYING_LEVEL
    | {
        "MSG next": "Parting Synced: tell Placed, send Resign, tell GameEnded, tell Settled",
        "REC resign": "Parting Synced: tell GameEnded, tell Settled",
        "REC our sync, Play, Pass, Keep": "Playing Synced",
        "Concede": "Playing Synced: tell ConcedesLater",
        "Leave": "HangingUp Interrupted: send BYE LATER",
        "TimeUp ENTRIES": "Playing Apart: tell Withheld, hang up",
    },
    "decided, unsigned": PLAYING_LEVEL
    | {
        "MSG next": "Parting Synced: tell Settled",
        "REC resign, Leave": "Playing Synced",
        "Play, Pass, Keep, Concede": SAME,
        "REC our sync": IMPOSSIBLE,
    },
    "decided, leaving": PLAYING_LEVEL
    | {
        "MSG next": "Parting Synced: tell Settled, send BYE DONE",
        "REC resign": "Playing Synced",
        "Leave, TimeUp RESULT": "HangingUp Interrupted: send BYE LATER",
        "Play, Pass, Keep, Concede": SAME,
        "REC our sync": IMPOSSIBLE,
    },
    "parting, apart": {
        "LineUp": "Parting Comparing: tell LineChanged, send SYNC",
        "LineQuiet, LineHeard, LineDown, LineDialled": "Parting Apart: tell LineChanged",
        "LineEnded": "SessionOver Finished: tell LineChanged",
        "Propose *, Leave, PeerAddresses": "Parting Apart",
        "Say, Phrase": "Parting Apart: tell Unheard",
        "LetWatch, WatchersCame, Play, Pass, Keep, Concede": SAME,
        (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, CHAT *, WATCH*, PING*, TimeUp *"
        ): IMPOSSIBLE,
    },
    "parting, comparing": {
        "LineUp": "Parting Comparing: tell LineChanged, send SYNC",
        "LineQuiet, LineHeard": "Parting Comparing: tell LineChanged",
        "LineDown": "Parting Apart: tell LineChanged",
        "LineEnded": "SessionOver Finished: tell LineChanged",
        "REC resign, REC claim, REC abort": "Parting Comparing: tell Settled",
        "BYE *": "SessionOver Finished",
        "REC expose": "Parting Comparing: tell Exposed, tell Settled",
        "REC unreadable, REC forged, SYNC unreadable, TimeUp SYNC": "Parting Apart: hang up",
        "REC breach": "HangingUp Finished: tell Broken, send Abort, send BYE LATER",
        "SYNC level": "Parting Synced",
        "CHAT say": "Parting Comparing: tell TalkHeard, keep",
        "CHAT phrase": "Parting Comparing: tell PhraseHeard, keep",
        "CHAT books, CHAT rematch": "Parting Comparing: tell Offered",
        "CHAT way, Propose *, Leave": "Parting Comparing",
        "Say": "Parting Comparing: send Say, keep",
        "Phrase": "Parting Comparing: send Phrase, keep",
        "PeerAddresses": "Parting Comparing: send PeerAddresses",
        "WATCH": "Parting Comparing: tell WatchingChanged",
        "WATCH of a guest": "Parting Comparing",
        "WATCH forged": "Parting Apart: hang up",
        (
            "LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, "
            "CHAT unreadable, PING*, Play, Pass, Keep, Concede"
        ): SAME,
        "MSG next, REC our sync, SYNC ahead, TimeUp *": IMPOSSIBLE,
    },
    "parting, level": PARTING_LEVEL
    | {
        "BYE *": "SessionOver Finished: send BYE DONE",
        "CHAT books, CHAT rematch": "Parting Synced: tell Offered",
        "Propose books": "Parting Synced: send BOOKS",
        "Propose rematch": "Parting Synced: send REMATCH",
        "Leave": "Parting Synced: send BYE DONE",
    },
    "parting, unattended": PARTING_LEVEL
    | {
        "BYE *": "SessionOver Finished: send BYE DONE",
        "CHAT books": "Parting Synced: tell Offered, send Expose, tell Exposed, tell Settled",
        "CHAT rematch": "Parting Synced: tell Offered",
        "Propose rematch": "Parting Synced: send REMATCH",
        "Leave, TimeUp BOOKS": "Parting Synced: send BYE DONE",
        "Propose books": SAME,
    },
    "parting, rematch offered": PARTING_LEVEL
    | {
        "BYE *": "SessionOver Finished: send BYE DONE",
        "CHAT books": "Parting Synced: tell Offered",
        "CHAT rematch": "SessionOver Finished: tell Offered",
        "Leave": "Parting Synced: send BYE DONE",
        "Propose *": SAME,
    },
    "parting, leaving": PARTING_LEVEL
    | {
        "BYE *, TimeUp GOODBYE": "SessionOver Finished",
        "CHAT books, CHAT rematch": "Parting Synced: tell Offered",
        "Propose *, Leave": SAME,
        "WATCH": "Parting Synced: tell WatchingChanged",  # no word follows our goodbye
    },
    "hanging up": {
        "LineUp*, LineDown, LineEnded, BYE *, Leave, TimeUp HANG_UP": "SessionOver Interrupted",
        (
            "LetWatch, WatchersCame, LineQuiet, LineHeard, LineDialled, MSG *, REC *, SYNC *, "
            "CHAT *, WATCH*, PING*, Play, Pass, Keep, Say, Phrase, Concede, Propose *, "
            "PeerAddresses"
        ): SAME,
        "REC our sync, TimeUp *": IMPOSSIBLE,
    },
    "over": {
        (
            "LetWatch, WatchersCame, LineUp, LineQuiet, LineHeard, LineDown, LineDialled, "
            "LineEnded, Play, Pass, Keep, Say, Phrase, Concede, Propose *, Leave, PeerAddresses"
        ): SAME,
        (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, CHAT *, WATCH*, PING*, TimeUp *"
        ): IMPOSSIBLE,
    },
}


SCENES = scenes()


def outcome(scene: Scene, item: Item) -> str:
    state, effects = step(scene.state, item)
    if state == scene.state and not effects:
        return SAME
    told = [word for word, _ in groupby(map(_effect, effects))]
    return ": ".join(filter(None, (_state(state), ", ".join(told))))


def _state(state: SessionState) -> str:
    match state:
        case Playing(links=links) | Parting(links=links):
            (link,) = links.values()
            return f"{type(state).__name__} {type(link).__name__}"
        case Greeting():
            return "Greeting"
        case HangingUp(ending=ending) | SessionOver(ending=ending):
            return f"{type(state).__name__} {type(ending).__name__}"


def _effect(effect: Effect) -> str:
    match effect:
        case Send(_, frame):
            return f"send {_word(frame)}"
        case Tell(GameEvent(event)):
            return f"tell {type(event).__name__}"
        case Tell(news):
            return f"tell {type(news).__name__}"
        case HangUp():
            return "hang up"
        case KeepTalk():
            return "keep"


def _word(frame: Frame) -> str:
    match frame.kind:
        case Kind.REC:
            return type(parse_record(frame.payload).statement).__name__
        case Kind.CHAT:
            talk = decode_talk(frame.payload)
            return talk.name if isinstance(talk, Proposal) else type(talk).__name__
        case Kind.BYE:
            return f"BYE {decode_farewell(frame.payload).name}"
        case kind:
            return kind.name


def cells(name: str) -> dict[str, str]:
    """Return the table's cells by item; a row with the full name goes before a pattern."""
    rows = TABLE[name].items()
    named = [(item, cell) for listed, cell in rows for item in listed.split(", ")]
    twice = [item for item, times in Counter(item for item, _ in named).items() if times > 1]
    assert not twice
    known = items(SCENES[name])
    found = {}
    for pattern, cell in sorted(named, key=lambda row: "*" not in row[0]):
        matched = [item for item in known if fnmatchcase(item, pattern)]
        assert matched, f"{pattern} is no item"
        found.update(dict.fromkeys(matched, cell))
    return found


def test_the_table_has_every_state_and_every_item():
    assert set(TABLE) == set(SCENES)
    states = {type(scene.state) for scene in SCENES.values()}
    assert states == set(get_args(SessionState))
    for kind in (Playing, Parting):
        states_of = [s.state for s in SCENES.values() if isinstance(s.state, kind)]
        links = [link for state in states_of for link in state.links.values()]
        assert {type(link) for link in links} == set(get_args(LinkState)) - {Turning}
    for name, scene in SCENES.items():
        assert set(cells(name)) == set(items(scene))


def test_every_kind_of_item_is_possible_somewhere():
    """Every item of the table can come somewhere, and the table has every kind of item."""
    possible = [items(scene) for scene in SCENES.values()]
    larger = {"TimeUp WORDS", "TimeUp FAR"}  # at a larger table
    for name in possible[0].keys() - larger:
        assert any(found[name] is not None for found in possible), name
    kinds = {type(item) for found in possible for item in found.values()} - {type(None)}
    assert kinds == {
        *get_args(LineItem),
        *get_args(Choice),
        PeerAddresses,
        WatchersCame,
        TimeUp,
    }
    heard = {item.frame.kind for found in possible for item in found.values() if is_frame(item)}
    before, larger = (
        {Kind.ROSTER, Kind.LOBBY},
        {Kind.ASK, Kind.HERE, Kind.AGAIN, Kind.OPEN, Kind.TALK, Kind.WAY},
    )
    assert heard | before | larger == set(Kind)  # a session between two has none of these
    over = {item.wait.what for f in possible for item in f.values() if isinstance(item, TimeUp)}
    assert over | {Awaited.WORDS, Awaited.FAR} == set(Awaited)


def is_frame(item: Item | None) -> TypeGuard[Arrived]:
    return isinstance(item, Arrived)


@pytest.mark.parametrize("name", SCENES)
def test_every_item_leads_where_the_table_says(name):
    scene = SCENES[name]
    found = {
        item_name: IMPOSSIBLE if item is None else outcome(scene, item)
        for item_name, item in items(scene).items()
    }
    assert found == cells(name)


@pytest.mark.parametrize("name", SCENES)
def test_a_frame_of_a_link_that_counts_no_more_changes_nothing(name):
    scene = SCENES[name]
    for frame in filter(None, frames(scene).values()):
        assert step(scene.state, Arrived(STALE, frame)) == (scene.state, ())


@pytest.mark.parametrize("name", SCENES)
def test_every_message_goes_over_the_current_link(name):
    scene = SCENES[name]
    for item in filter(None, items(scene).values()):
        link = item.binding if isinstance(item, LineUp) else scene.binding
        _, effects = step(scene.state, item)
        assert {e.binding for e in effects if isinstance(e, Send | HangUp)} <= {link}
