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
from matcha_p2p.session.news import (
    Awaited,
    Choice,
    GameEvent,
    Item,
    PlayAgain,
    TimeUp,
    WatchersCame,
)
from matcha_p2p.session.step.state import (
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
from matcha_p2p.session.step.step import step
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.record import parse_record
from matcha_p2p.wire.talk import PeerAddresses, decode_farewell
from tests.session.scenes import STALE, Scene, frames, items, scenes

IMPOSSIBLE = "impossible"
SAME = "same"

GREETING = {
    "LineUp": "Greeting: tell LineChanged, send SYNC",
    "LineQuiet, LineHeard, LineDown, LineDialled": "Greeting: tell LineChanged",
    "LineEnded, BYE *": "SessionOver Interrupted",
    "MSG unreadable": "Greeting: hang up",
    "TimeUp FAR": "Greeting: tell Ungreeted",
    "Leave, TimeUp GREETING": "HangingUp Interrupted: send BYE LATER",
    "PeerAddresses": "Greeting: send WAYS",
    "WAYS, WatchersCame": "Greeting",
    (
        "LetWatch, LineUp (this link), REC unreadable, SYNC unreadable, TALK *, OPEN, AGAIN*, "
        "WAYS unreadable, WATCH*, PING*, Play, Pass, Keep, Think, Say, Phrase, Concede, "
        "Propose books, PlayAgain"
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
    "BYE *": "SessionOver Interrupted",
    "REC abort, REC claim, WAYS, Think": "Playing Comparing",
    "REC expose": "Playing Comparing: tell Exposed",
    "TALK say": "Playing Comparing: tell TalkHeard, keep",
    "TALK phrase": "Playing Comparing: tell PhraseHeard, keep",
    "TALK forged": "Playing Apart: hang up",
    "OPEN, AGAIN*": "Playing Comparing",
    "Say, Phrase": "Playing Comparing: tell Unheard",
    "Leave": "HangingUp Interrupted: send BYE LATER",
    "PeerAddresses": "Playing Comparing: send WAYS",
    "WATCH": "Playing Comparing: tell WatchingChanged",
    "WATCH of a guest": "Playing Comparing",
    "WATCH forged": "Playing Apart: hang up",
    (
        "LetWatch, WatchersCame, LineUp (this link), LineDialled, "
        "MSG known, BYE done, "
        "WAYS unreadable, PING*, Propose books, PlayAgain"
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
    "BYE *": "SessionOver Interrupted",
    "REC abort, REC claim, WAYS, Think": "Playing Synced",
    "REC expose": "Playing Synced: tell Exposed",
    "TALK say": "Playing Synced: tell TalkHeard, keep",
    "TALK phrase": "Playing Synced: tell PhraseHeard, keep",
    "TALK forged": "Playing Apart: hang up",
    "OPEN, AGAIN*": "Playing Synced",
    "Say, Phrase": "Playing Synced: send TALK, keep",
    "PeerAddresses": "Playing Synced: send WAYS",
    "WATCH": "Playing Synced: tell WatchingChanged, send WATCH",
    "WATCH of a guest": "Playing Synced",
    "WATCH forged": "Playing Apart: hang up",
    (
        "LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG known, "
        "SYNC *, "
        "BYE done, WAYS unreadable, PING, Propose books, PlayAgain"
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
    "TALK say": "Parting Synced: tell TalkHeard, keep",
    "TALK phrase": "Parting Synced: tell PhraseHeard, keep",
    "TALK forged": "Parting Apart: hang up",
    "OPEN": "Parting Synced: tell Offered",
    "AGAIN*": "Parting Synced: tell Wishes",
    "WAYS": "Parting Synced",
    "Say, Phrase": "Parting Synced: send TALK, keep",
    "PeerAddresses": "Parting Synced: send WAYS",
    "WATCH": "Parting Synced: tell WatchingChanged, send WATCH",
    "WATCH of a guest": "Parting Synced",
    "WATCH forged": "Parting Apart: hang up",
    (
        "LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, SYNC *, "
        "WAYS unreadable, PING, Play, Pass, Keep, Think, Concede"
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
        "Play, Pass, Keep": SAME,
        "Think, PeerAddresses": "Playing Apart",
        "Concede": "Parting Apart: tell GameEnded, tell Settled",
        "Leave, TimeUp MOVE": "SessionOver Interrupted",
        "Say, Phrase": "Playing Apart: tell Unheard",
        "LetWatch, WatchersCame, Propose books, PlayAgain": SAME,
        (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, TALK *, OPEN, AGAIN*, WAYS*, "
            "WATCH*, PING*, TimeUp *"
        ): IMPOSSIBLE,
    },
    "playing, comparing": PLAYING_COMPARING
    | {
        "MSG next": "Playing Comparing: tell Placed",
        "Play, Pass, Keep": SAME,
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
        "Play, Pass, Keep": SAME,
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
        "TimeUp WORDS": "Playing Synced: tell Unproven",
        "Leave": "HangingUp Interrupted: send BYE LATER",
        "TimeUp ENTRIES": "Playing Apart: tell Withheld, hang up",
    },
    "playing, move to send": PLAYING_COMPARING
    | {
        "SYNC *": "Playing Synced: send MSG, tell Placed",
        "Play": SAME,
        "Pass, Keep": "Playing Comparing",
        "MSG next": IMPOSSIBLE,
    },
    "playing, resignation to sign": PLAYING_LEVEL
    | {
        "MSG next": "Playing Synced: tell Placed",
        "REC resign": "Parting Synced: tell GameEnded, tell Settled",
        "REC our sync, Play, Pass, Keep": "Playing Synced",
        "Concede": "Playing Synced: tell ConcedesLater",
        "TimeUp WORDS": "Playing Synced: tell Unproven",
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
        "MSG next": "Parting Synced: tell Settled, send AGAIN, tell Wishes, send BYE DONE",
        "REC resign": "Playing Synced",
        "Leave, TimeUp RESULT": "HangingUp Interrupted: send BYE LATER",
        "Play, Pass, Keep, Concede": SAME,
        "REC our sync": IMPOSSIBLE,
    },
    "parting, apart": {
        "LineUp": "Parting Comparing: tell LineChanged, send SYNC",
        "LineQuiet, LineHeard, LineDown, LineDialled": "Parting Apart: tell LineChanged",
        "LineEnded": "SessionOver Finished: tell LineChanged",
        "Propose books, PeerAddresses": "Parting Apart",
        "PlayAgain, Leave": "Parting Apart: tell Wishes",
        "Say, Phrase": "Parting Apart: tell Unheard",
        "LetWatch, WatchersCame, Play, Pass, Keep, Think, Concede": SAME,
        (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, TALK *, OPEN, AGAIN*, WAYS*, "
            "WATCH*, PING*, TimeUp *"
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
        "TALK say": "Parting Comparing: tell TalkHeard, keep",
        "TALK phrase": "Parting Comparing: tell PhraseHeard, keep",
        "TALK forged": "Parting Apart: hang up",
        "OPEN": "Parting Comparing: tell Offered",
        "AGAIN*, PlayAgain, Leave": "Parting Comparing: tell Wishes",
        "WAYS, Propose books": "Parting Comparing",
        "Say, Phrase": "Parting Comparing: tell Unheard",
        "PeerAddresses": "Parting Comparing: send WAYS",
        "WATCH": "Parting Comparing: tell WatchingChanged",
        "WATCH of a guest": "Parting Comparing",
        "WATCH forged": "Parting Apart: hang up",
        (
            "LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, "
            "WAYS unreadable, PING*, Play, Pass, Keep, Think, Concede"
        ): SAME,
        "MSG next, REC our sync, SYNC ahead, TimeUp *": IMPOSSIBLE,
    },
    "parting, level": PARTING_LEVEL
    | {
        "BYE *": "SessionOver Finished: send BYE DONE",
        "Propose books": "Parting Synced: send OPEN",
        "PlayAgain": "Parting Synced: send AGAIN, tell Wishes",
        "Leave": "Parting Synced: send AGAIN, tell Wishes, send BYE DONE",
    },
    "parting, unattended": PARTING_LEVEL
    | {
        "BYE *": "SessionOver Finished: send BYE DONE",
        "OPEN": "Parting Synced: tell Offered, send Expose, tell Exposed, tell Settled",
        "PlayAgain": "Parting Synced: send AGAIN, tell Wishes",
        "Leave, TimeUp BOOKS": "Parting Synced: send AGAIN, tell Wishes, send BYE DONE",
        "PING behind": "Parting Synced: send MSG, send OPEN",
        "Propose books": SAME,
    },
    "parting, rematch offered": PARTING_LEVEL
    | {
        "BYE *": "SessionOver Finished: send BYE DONE",
        "AGAIN": "SessionOver Finished: tell Wishes, send ROSTER",
        "AGAIN leaves": "Parting Synced: tell Wishes",
        "Leave": "Parting Synced: send AGAIN, tell Wishes, send BYE DONE",
        "PING behind": "Parting Synced: send MSG, send AGAIN",
        "Propose books, PlayAgain": SAME,
    },
    "parting, leaving": PARTING_LEVEL
    | {
        "BYE *, TimeUp GOODBYE": "SessionOver Finished",
        "Say, Phrase": "Parting Synced: tell Unheard",
        "Propose books, PlayAgain, Leave": SAME,
        "WATCH": "Parting Synced: tell WatchingChanged",  # no word follows our goodbye
    },
    "hanging up": {
        "LineUp*, LineDown, LineEnded, BYE *, Leave, TimeUp HANG_UP": "SessionOver Interrupted",
        (
            "LetWatch, WatchersCame, LineQuiet, LineHeard, LineDialled, MSG *, REC *, SYNC *, "
            "TALK *, OPEN, AGAIN*, WAYS*, WATCH*, PING*, Play, Pass, Keep, Think, Say, Phrase, "
            "Concede, Propose books, PlayAgain, PeerAddresses"
        ): SAME,
        "REC our sync, TimeUp *": IMPOSSIBLE,
    },
    "over": {
        (
            "LetWatch, WatchersCame, LineUp, LineQuiet, LineHeard, LineDown, LineDialled, "
            "LineEnded, Play, Pass, Keep, Think, Say, Phrase, Concede, Propose books, "
            "PlayAgain, Leave, PeerAddresses"
        ): SAME,
        (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, TALK *, OPEN, AGAIN*, WAYS*, "
            "WATCH*, PING*, TimeUp *"
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
        case Kind.BYE:
            return f"BYE {decode_farewell(frame.payload).name}"
        case kind:
            return kind.name


def cells(name: str) -> dict[str, str]:
    """Return the table's cells by item; a row with the full name goes before a pattern."""
    rows = TABLE[name].items()
    named = [(item, cell) for listed, cell in rows for item in listed.split(", ")]
    twice = [item for item, times in Counter(item for item, _ in named).items() if times > 1]
    assert not twice, name
    known = items(SCENES[name])
    found = {}
    for pattern, cell in sorted(named, key=lambda row: "*" not in row[0]):
        matched = [item for item in known if fnmatchcase(item, pattern)]
        assert matched, f"{name}: {pattern} is no item"
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
    lacking = {name: set(items(scene)) - set(cells(name)) for name, scene in SCENES.items()}
    assert not any(lacking.values()), lacking


def test_every_kind_of_item_is_possible_somewhere():
    """Every item of the table can come somewhere, and the table has every kind of item."""
    possible = [items(scene) for scene in SCENES.values()]
    # at a larger table
    larger = {f"TimeUp {it}" for it in ("WINDOW", "PAUSE")}
    for name in possible[0].keys() - larger:
        assert any(found[name] is not None for found in possible), name
    kinds = {type(item) for found in possible for item in found.values()} - {type(None)}
    assert kinds == {
        *get_args(LineItem),
        *get_args(Choice),
        PlayAgain,
        PeerAddresses,
        WatchersCame,
        TimeUp,
    }
    heard = {item.frame.kind for found in possible for item in found.values() if is_frame(item)}
    before = {Kind.ROSTER, Kind.LOBBY, Kind.COME, Kind.SIGHT}
    elsewhere = {Kind.ASK, Kind.HERE, Kind.WAY}  # tests/session/test_neighbours.py
    assert heard | before | elsewhere == set(Kind)
    over = {item.wait.what for f in possible for item in f.values() if isinstance(item, TimeUp)}
    larger = {Awaited.WINDOW, Awaited.PAUSE}
    assert over | larger == set(Awaited)


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
