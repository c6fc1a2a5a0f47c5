"""Every transition of a session, in one table: in each state, what each item leads to.

A cell names the state after the item, and what the item brings about. Names end in ``*`` where
the whole kind of item does the same, but for those that the state lists by name.
"""

from collections import Counter
from fnmatch import fnmatchcase
from typing import TypeGuard, get_args

import pytest

from matcha_p2p.session.connection.changes import Arrived, LineItem, LineUp
from matcha_p2p.session.news import Awaited, Choice, Item, TimeUp, Told, WatchersCame
from matcha_p2p.session.session import step
from matcha_p2p.session.state import (
    Effect,
    Greeting,
    HangingUp,
    HangUp,
    KeepTalk,
    LinkState,
    Over,
    Parting,
    Playing,
    Send,
    State,
    Tell,
)
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.record import parse_record
from matcha_p2p.wire.talk import Proposal, Way, decode_farewell, decode_talk
from tests.session.scenes import STALE, Scene, frames, items, scenes

IMPOSSIBLE = "impossible"
SAME = "same"

TABLE = {
    "greeting, as host": {
        "Over Interrupted": "LineUp, LineDown, LineEnded, BYE *, TimeUp GREETING",
        "Playing Level: tell Met, send MSG, tell TableLaid, tell Shuffled": "MSG next",
        "Over Violated": "MSG unreadable",
        "Over Declined": "BYE edition, BYE version",
        "Greeting: tell TalkHeard": "CHAT say",
        "Greeting: tell PhraseHeard": "CHAT phrase",
        "HangingUp Interrupted: send BYE LATER": "Leave",
        "Greeting": "Way",
        "same": (
            "LetWatch, WatchersCame, LineUp (this link), LineQuiet, LineHeard, LineDialled, "
            "REC unreadable, SYNC unreadable, CHAT *, PING, Play, Pass, Keep, Say, Phrase, "
            "Concede, Propose *"
        ),
        "impossible": "MSG *, REC *, SYNC *, TimeUp *",
    },
    "greeting, as guest": {
        "Over Interrupted": "LineUp, LineDown, LineEnded, BYE *, TimeUp GREETING",
        "Playing Level: send MSG, tell Met": "MSG next",
        "Over Violated": "MSG unreadable",
        "Over Declined": "BYE edition, BYE version",
        "Greeting: tell TalkHeard": "CHAT say",
        "Greeting: tell PhraseHeard": "CHAT phrase",
        "HangingUp Interrupted: send BYE LATER": "Leave",
        "Greeting": "Way",
        "same": (
            "LetWatch, WatchersCame, LineUp (this link), LineQuiet, LineHeard, LineDialled, "
            "REC unreadable, SYNC unreadable, CHAT *, PING, Play, Pass, Keep, Say, Phrase, "
            "Concede, Propose *"
        ),
        "impossible": "MSG *, REC *, SYNC *, TimeUp *",
    },
    "playing, apart": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Apart: tell LineChanged": "LineQuiet, LineHeard, LineDown, LineDialled",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Playing Apart": "Play, Pass, Keep, Way",
        "Parting Apart: tell GameEnded, tell Settled": "Concede",
        "Over Interrupted": "Leave, TimeUp MOVE",
        "Playing Apart: tell Unheard": "Say, Phrase",
        "same": "LetWatch, WatchersCame, Propose *",
        "impossible": (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, CHAT *, PING, TimeUp *"
        ),
    },
    "playing, comparing": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Comparing: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Playing Comparing: tell Placed": "MSG next",
        "Playing Apart: hang up": (
            "MSG *, REC unreadable, REC forged, SYNC unreadable, TimeUp SYNC"
        ),
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Parting Comparing: tell GameEnded, tell Settled": "REC resign, Concede",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Comparing": "REC claim, CHAT way, Play, Pass, Keep",
        "Playing Comparing: tell Exposed": "REC expose",
        "Playing Level": "SYNC *",
        "Over Declined": "BYE edition, BYE version",
        "Playing Comparing: tell TalkHeard, keep": "CHAT say",
        "Playing Comparing: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Comparing: send Say, keep": "Say",
        "Playing Comparing: send Phrase, keep": "Phrase",
        "HangingUp Interrupted: send BYE LATER": "Leave, TimeUp MOVE",
        "Playing Comparing: send Way": "Way",
        "Playing Comparing: tell WatchingChanged": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Propose *"
        ),
        "impossible": "REC our sync, TimeUp *",
    },
    "playing, our decision": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Level: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Playing Apart: hang up": "MSG *, REC unreadable, REC forged",
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Parting Level: tell GameEnded, tell Settled": "REC resign",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Level": "REC claim, CHAT way",
        "Playing Level: tell Exposed": "REC expose",
        "Over Declined": "BYE edition, BYE version",
        "Playing Level: tell TalkHeard, keep": "CHAT say",
        "Playing Level: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Level: send MSG, tell Placed": "Play",
        "Playing Level: send MSG, tell Passed": "Pass",
        "Playing Level: tell MoveDue": "Keep",
        "Playing Level: send Say, keep": "Say",
        "Playing Level: send Phrase, keep": "Phrase",
        "Parting Level: send Resign, tell GameEnded, tell Settled": "Concede",
        "HangingUp Interrupted: send BYE LATER": "Leave",
        "Playing Level: send Way": "Way",
        "Playing Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, SYNC *, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Propose *"
        ),
        "impossible": "MSG next, REC our sync, TimeUp *",
    },
    "playing, their decision": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Level: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Playing Level: tell Placed, tell MoveDue": "MSG next",
        "Playing Apart: hang up": "MSG *, REC unreadable, REC forged",
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Parting Level: tell GameEnded, tell Settled": "REC resign",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Level": "REC claim, CHAT way, Play, Pass, Keep",
        "Playing Level: tell Exposed": "REC expose",
        "Over Declined": "BYE edition, BYE version",
        "Playing Level: tell TalkHeard, keep": "CHAT say",
        "Playing Level: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Level: send Say, keep": "Say",
        "Playing Level: send Phrase, keep": "Phrase",
        "Parting Level: send Resign, tell GameEnded, tell Settled": "Concede",
        "HangingUp Interrupted: send BYE LATER": "Leave, TimeUp MOVE",
        "Playing Level: send Way": "Way",
        "Playing Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, SYNC *, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Propose *"
        ),
        "impossible": "REC our sync, TimeUp *",
    },
    "playing, catching up": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Level: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Playing Level: tell Placed": "MSG next",
        "Playing Apart: hang up": "MSG *, REC unreadable, REC forged",
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Parting Level: tell GameEnded, tell Settled": "REC resign",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Level": "REC claim, REC our sync, CHAT way, Play, Pass, Keep",
        "Playing Level: tell Exposed": "REC expose",
        "Over Declined": "BYE edition, BYE version",
        "Playing Level: tell TalkHeard, keep": "CHAT say",
        "Playing Level: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Level: send Say, keep": "Say",
        "Playing Level: send Phrase, keep": "Phrase",
        "Playing Level: tell ConcedesLater": "Concede",
        "HangingUp Interrupted: send BYE LATER": "Leave",
        "Playing Level: send Way": "Way",
        "Playing Apart: tell Withheld, hang up": "TimeUp ENTRIES",
        "Playing Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, SYNC *, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Propose *"
        ),
        "impossible": "TimeUp *",
    },
    "playing, move to send": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Comparing: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Playing Apart: hang up": (
            "MSG *, REC unreadable, REC forged, SYNC unreadable, TimeUp SYNC"
        ),
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Parting Comparing: tell GameEnded, tell Settled": "REC resign, Concede",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Comparing": "REC claim, CHAT way, Pass, Keep",
        "Playing Comparing: tell Exposed": "REC expose",
        "Playing Level: send MSG, tell Placed": "SYNC *",
        "Over Declined": "BYE edition, BYE version",
        "Playing Comparing: tell TalkHeard, keep": "CHAT say",
        "Playing Comparing: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Comparing: send Say, keep": "Say",
        "Playing Comparing: send Phrase, keep": "Phrase",
        "HangingUp Interrupted: send BYE LATER": "Leave",
        "Playing Comparing: send Way": "Way",
        "Playing Comparing: tell WatchingChanged": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Play, Propose *"
        ),
        "impossible": "MSG next, REC our sync, TimeUp *",
    },
    "playing, resignation to sign": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Level: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Parting Level: tell Placed, send Resign, tell GameEnded, tell Settled": "MSG next",
        "Playing Apart: hang up": "MSG *, REC unreadable, REC forged",
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Parting Level: tell GameEnded, tell Settled": "REC resign",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Level": "REC claim, REC our sync, CHAT way, Play, Pass, Keep",
        "Playing Level: tell Exposed": "REC expose",
        "Over Declined": "BYE edition, BYE version",
        "Playing Level: tell TalkHeard, keep": "CHAT say",
        "Playing Level: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Level: send Say, keep": "Say",
        "Playing Level: send Phrase, keep": "Phrase",
        "Playing Level: tell ConcedesLater": "Concede",
        "HangingUp Interrupted: send BYE LATER": "Leave",
        "Playing Level: send Way": "Way",
        "Playing Apart: tell Withheld, hang up": "TimeUp ENTRIES",
        "Playing Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, SYNC *, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Propose *"
        ),
        "impossible": "TimeUp *",
    },
    "decided, unsigned": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Level: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Parting Level: tell Settled": "MSG next",
        "Playing Apart: hang up": "MSG *, REC unreadable, REC forged",
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Playing Level": "REC resign, REC claim, CHAT way, Leave",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Level: tell Exposed": "REC expose",
        "Over Declined": "BYE edition, BYE version",
        "Playing Level: tell TalkHeard, keep": "CHAT say",
        "Playing Level: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Level: send Say, keep": "Say",
        "Playing Level: send Phrase, keep": "Phrase",
        "Playing Level: send Way": "Way",
        "Playing Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, SYNC *, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Play, Pass, Keep, "
            "Concede, Propose *"
        ),
        "impossible": "REC our sync, TimeUp *",
    },
    "decided, leaving": {
        "Playing Comparing: tell LineChanged, send SYNC": "LineUp",
        "Playing Level: tell LineChanged": "LineQuiet, LineHeard",
        "Playing Apart: tell LineChanged": "LineDown",
        "Over Interrupted: tell LineChanged": "LineEnded",
        "Parting Level: tell Settled, send BYE DONE": "MSG next",
        "Playing Apart: hang up": "MSG *, REC unreadable, REC forged",
        "HangingUp Violated: tell Broken, send Abort": "MSG breach, REC breach",
        "Playing Level": "REC resign, REC claim, CHAT way",
        "Over Interrupted": "REC abort, BYE later, BYE unreadable",
        "Playing Level: tell Exposed": "REC expose",
        "Over Declined": "BYE edition, BYE version",
        "Playing Level: tell TalkHeard, keep": "CHAT say",
        "Playing Level: tell PhraseHeard, keep": "CHAT phrase",
        "Playing Level: send Say, keep": "Say",
        "Playing Level: send Phrase, keep": "Phrase",
        "HangingUp Interrupted: send BYE LATER": "Leave, TimeUp RESULT",
        "Playing Level: send Way": "Way",
        "Playing Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, SYNC *, "
            "BYE done, CHAT books, CHAT rematch, CHAT unreadable, PING, Play, Pass, Keep, "
            "Concede, Propose *"
        ),
        "impossible": "REC our sync, TimeUp *",
    },
    "parting, apart": {
        "Parting Comparing: tell LineChanged, send SYNC": "LineUp",
        "Parting Apart: tell LineChanged": "LineQuiet, LineHeard, LineDown, LineDialled",
        "Over Finished: tell LineChanged": "LineEnded",
        "Parting Apart": "Propose *, Leave, Way",
        "Parting Apart: tell Unheard": "Say, Phrase",
        "same": "LetWatch, WatchersCame, Play, Pass, Keep, Concede",
        "impossible": (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, CHAT *, PING, TimeUp *"
        ),
    },
    "parting, comparing": {
        "Parting Comparing: tell LineChanged, send SYNC": "LineUp",
        "Parting Comparing: tell LineChanged": "LineQuiet, LineHeard",
        "Parting Apart: tell LineChanged": "LineDown",
        "Over Finished: tell LineChanged": "LineEnded",
        "Parting Comparing: tell Settled": "REC resign, REC claim",
        "Over Finished": "REC abort, BYE *",
        "Parting Comparing: tell Exposed, tell Settled": "REC expose",
        "Parting Apart: hang up": ("REC unreadable, REC forged, SYNC unreadable, TimeUp SYNC"),
        "HangingUp Finished: tell Broken, send Abort": "REC breach",
        "Parting Level": "SYNC level",
        "Parting Comparing: tell TalkHeard, keep": "CHAT say",
        "Parting Comparing: tell PhraseHeard, keep": "CHAT phrase",
        "Parting Comparing: tell Offered": "CHAT books, CHAT rematch",
        "Parting Comparing": "CHAT way, Propose *, Leave",
        "Parting Comparing: send Say, keep": "Say",
        "Parting Comparing: send Phrase, keep": "Phrase",
        "Parting Comparing: send Way": "Way",
        "Parting Comparing: tell WatchingChanged": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, "
            "CHAT unreadable, PING, Play, Pass, Keep, Concede"
        ),
        "impossible": "MSG next, REC our sync, SYNC ahead, TimeUp *",
    },
    "parting, level": {
        "Parting Comparing: tell LineChanged, send SYNC": "LineUp",
        "Parting Level: tell LineChanged": "LineQuiet, LineHeard",
        "Parting Apart: tell LineChanged": "LineDown",
        "Over Finished: tell LineChanged": "LineEnded",
        "Parting Level: tell Settled": "REC resign, REC claim",
        "Over Finished": "REC abort",
        "Parting Level: tell Exposed, tell Settled": "REC expose",
        "Parting Apart: hang up": "REC unreadable, REC forged",
        "HangingUp Finished: tell Broken, send Abort": "REC breach",
        "Over Finished: send BYE DONE": "BYE *",
        "Parting Level: tell TalkHeard, keep": "CHAT say",
        "Parting Level: tell PhraseHeard, keep": "CHAT phrase",
        "Parting Level: tell Offered": "CHAT books, CHAT rematch",
        "Parting Level": "CHAT way",
        "Parting Level: send Say, keep": "Say",
        "Parting Level: send Phrase, keep": "Phrase",
        "Parting Level: send BOOKS": "Propose books",
        "Parting Level: send REMATCH": "Propose rematch",
        "Parting Level: send BYE DONE": "Leave",
        "Parting Level: send Way": "Way",
        "Parting Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, "
            "SYNC *, CHAT unreadable, PING, Play, Pass, Keep, Concede"
        ),
        "impossible": "MSG next, REC our sync, SYNC ahead, TimeUp *",
    },
    "parting, unattended": {
        "Parting Comparing: tell LineChanged, send SYNC": "LineUp",
        "Parting Level: tell LineChanged": "LineQuiet, LineHeard",
        "Parting Apart: tell LineChanged": "LineDown",
        "Over Finished: tell LineChanged": "LineEnded",
        "Parting Level: tell Settled": "REC resign, REC claim",
        "Over Finished": "REC abort",
        "Parting Level: tell Exposed, tell Settled": "REC expose",
        "Parting Apart: hang up": "REC unreadable, REC forged",
        "HangingUp Finished: tell Broken, send Abort": "REC breach",
        "Over Finished: send BYE DONE": "BYE *",
        "Parting Level: tell TalkHeard, keep": "CHAT say",
        "Parting Level: tell PhraseHeard, keep": "CHAT phrase",
        "Parting Level: tell Offered, send Expose, tell Exposed, tell Settled": "CHAT books",
        "Parting Level: tell Offered": "CHAT rematch",
        "Parting Level": "CHAT way",
        "Parting Level: send Say, keep": "Say",
        "Parting Level: send Phrase, keep": "Phrase",
        "Parting Level: send REMATCH": "Propose rematch",
        "Parting Level: send BYE DONE": "Leave, TimeUp BOOKS",
        "Parting Level: send Way": "Way",
        "Parting Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, "
            "SYNC *, CHAT unreadable, PING, Play, Pass, Keep, Concede, Propose books"
        ),
        "impossible": "MSG next, REC our sync, SYNC ahead, TimeUp *",
    },
    "parting, rematch offered": {
        "Parting Comparing: tell LineChanged, send SYNC": "LineUp",
        "Parting Level: tell LineChanged": "LineQuiet, LineHeard",
        "Parting Apart: tell LineChanged": "LineDown",
        "Over Finished: tell LineChanged": "LineEnded",
        "Parting Level: tell Settled": "REC resign, REC claim",
        "Over Finished": "REC abort",
        "Parting Level: tell Exposed, tell Settled": "REC expose",
        "Parting Apart: hang up": "REC unreadable, REC forged",
        "HangingUp Finished: tell Broken, send Abort": "REC breach",
        "Over Finished: send BYE DONE": "BYE *",
        "Parting Level: tell TalkHeard, keep": "CHAT say",
        "Parting Level: tell PhraseHeard, keep": "CHAT phrase",
        "Parting Level: tell Offered": "CHAT books",
        "Over Finished: tell Offered": "CHAT rematch",
        "Parting Level": "CHAT way",
        "Parting Level: send Say, keep": "Say",
        "Parting Level: send Phrase, keep": "Phrase",
        "Parting Level: send BYE DONE": "Leave",
        "Parting Level: send Way": "Way",
        "Parting Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, "
            "SYNC *, CHAT unreadable, PING, Play, Pass, Keep, Concede, Propose *"
        ),
        "impossible": "MSG next, REC our sync, SYNC ahead, TimeUp *",
    },
    "parting, leaving": {
        "Parting Comparing: tell LineChanged, send SYNC": "LineUp",
        "Parting Level: tell LineChanged": "LineQuiet, LineHeard",
        "Parting Apart: tell LineChanged": "LineDown",
        "Over Finished: tell LineChanged": "LineEnded",
        "Parting Level: tell Settled": "REC resign, REC claim",
        "Over Finished": "REC abort, BYE *, TimeUp GOODBYE",
        "Parting Level: tell Exposed, tell Settled": "REC expose",
        "Parting Apart: hang up": "REC unreadable, REC forged",
        "HangingUp Finished: tell Broken, send Abort": "REC breach",
        "Parting Level: tell TalkHeard, keep": "CHAT say",
        "Parting Level: tell PhraseHeard, keep": "CHAT phrase",
        "Parting Level: tell Offered": "CHAT books, CHAT rematch",
        "Parting Level": "CHAT way",
        "Parting Level: send Say, keep": "Say",
        "Parting Level: send Phrase, keep": "Phrase",
        "Parting Level: send Way": "Way",
        "Parting Level: tell WatchingChanged, send Allow": "CHAT watched",
        "same": (
            "CHAT allow, LetWatch, WatchersCame, LineUp (this link), LineDialled, MSG *, "
            "SYNC *, CHAT unreadable, PING, Play, Pass, Keep, Concede, Propose *, Leave"
        ),
        "impossible": "MSG next, REC our sync, SYNC ahead, TimeUp *",
    },
    "hanging up": {
        "Over Interrupted": "LineUp*, LineDown, LineEnded, Leave, TimeUp HANG_UP",
        "same": (
            "LetWatch, WatchersCame, LineQuiet, LineHeard, LineDialled, MSG *, REC *, SYNC *, "
            "BYE *, CHAT *, PING, Play, Pass, Keep, Say, Phrase, Concede, Propose *, Way"
        ),
        "impossible": "REC our sync, TimeUp *",
    },
    "over": {
        "same": (
            "LetWatch, WatchersCame, LineUp, LineQuiet, LineHeard, LineDown, LineDialled, "
            "LineEnded, Play, Pass, Keep, Say, Phrase, Concede, Propose *, Leave, Way"
        ),
        "impossible": (
            "LineUp (this link), MSG *, REC *, SYNC *, BYE *, CHAT *, PING, TimeUp *"
        ),
    },
}


SCENES = scenes()


def outcome(scene: Scene, item: Item) -> str:
    state, effects = step(scene.state, item)
    if state == scene.state and not effects:
        return SAME
    return ": ".join(filter(None, (_state(state), ", ".join(map(_effect, effects)))))


def _state(state: State) -> str:
    match state:
        case Playing(link=link) | Parting(link=link):
            return f"{type(state).__name__} {type(link).__name__}"
        case Greeting():
            return "Greeting"
        case HangingUp(ending=ending) | Over(ending=ending):
            return f"{type(state).__name__} {type(ending).__name__}"


def _effect(effect: Effect) -> str:
    match effect:
        case Send(_, frame):
            return f"send {_word(frame)}"
        case Tell(Told(event)):
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
    """Return by item what the table says; of two rows, the one that says its name."""
    rows = TABLE[name].items()
    named = [(item, cell) for cell, listed in rows for item in listed.split(", ")]
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
    assert states == set(get_args(State))
    for kind in (Playing, Parting):
        states_of = [s.state for s in SCENES.values() if isinstance(s.state, kind)]
        assert {type(state.link) for state in states_of} == set(get_args(LinkState))
    for name, scene in SCENES.items():
        assert set(cells(name)) == set(items(scene))


def test_every_kind_of_item_is_possible_somewhere():
    """So that none is in the table for show, and none that there is can be left out."""
    possible = [items(scene) for scene in SCENES.values()]
    for name in possible[0]:
        assert any(found[name] is not None for found in possible), name
    kinds = {type(item) for found in possible for item in found.values()} - {type(None)}
    assert kinds == {*get_args(LineItem), *get_args(Choice), Way, WatchersCame, TimeUp}
    heard = {item.frame.kind for found in possible for item in found.values() if is_frame(item)}
    assert heard == set(Kind)
    over = {item.wait.what for f in possible for item in f.values() if isinstance(item, TimeUp)}
    assert over == set(Awaited)


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
def test_whatever_is_sent_goes_over_the_link_that_counts(name):
    scene = SCENES[name]
    for item in filter(None, items(scene).values()):
        link = item.binding if isinstance(item, LineUp) else scene.binding
        _, effects = step(scene.state, item)
        assert {e.binding for e in effects if isinstance(e, Send | HangUp)} <= {link}
