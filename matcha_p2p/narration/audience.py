"""All sentences about the watchers of a game, for the players."""

from typing import Final

from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.names import quoted
from matcha_p2p.narration.sentences import listed
from matcha_p2p.session.news import WatchingChanged
from matcha_p2p.session.watching import Watching
from matcha_p2p.wire.talk import Visibility

LETS: Final = Counted(
    "{name} lets {count} person watch this game.", "{name} lets {count} people watch this game."
)
AGREED: Final = Counted(
    "{name} agrees that {count} person may watch.",
    "{name} agrees that {count} people may watch.",
)
SEEN: Final = {
    Visibility.LATER: Sentence("Watchers see each round when it is over, and never your hand."),
    Visibility.AT_ONCE: Sentence("Watchers see each move at once, and never your hand."),
}
CLOSED: Final = Sentence("{name} allows no watchers. This holds for the whole game.")
CLOSED_YOURS: Final = Sentence("You allow no watchers. This holds for the whole game.")
WANTS_AT_ONCE: Final = Sentence(
    "{name} would let watchers see each move at once. If you agree, they do."
)
WANT_AT_ONCE: Final = Sentence(
    "You would let watchers see each move at once. If {name} agrees, they do."
)
WATCH: Final = Counted("{count} watches now: {names}.", "{count} watch now: {names}.")
NOBODY: Final = Sentence("Nobody watches now.")
UNWATCHED: Final = Sentence("This game has no watchers, and no invite to watch.")

# The full screen.

MARK: Final = Sentence("watched by {count}: {names}")
NUMBER: Final = Sentence("watched: {count}")
HOW_KEY: Final = Sentence("v: say how much watchers may see.")
ASK: Final = Sentence("Watchers see")
ANSWERS: Final = {
    Visibility.NOTHING: Sentence("1 nothing"),
    Visibility.LATER: Sentence("2 past rounds"),
    Visibility.AT_ONCE: Sentence("3 each move"),
}
HELP_KEYS: Final = Sentence(
    "v: choose how much watchers may see: nothing for the rest of the game, each round when "
    "it is over, or each move at once. They see what all players allow."
)

# Line mode.

HOW_COMMAND: Final = Sentence(
    "watch nothing: allow no watchers. watch rounds, watch moves: allow each round when it "
    "is over, or each move at once."
)
HELP_COMMAND: Final = Sentence(
    "watch: the watchers, and what they see. watch nothing, rounds, moves: what you allow."
)
WATCH_WHAT: Final = Sentence("Type watch nothing, watch rounds or watch moves.")
WORDS: Final = {
    "nothing": Visibility.NOTHING,
    "rounds": Visibility.LATER,
    "moves": Visibility.AT_ONCE,
}
"""What is typed after ``watch``."""


def is_offer(news: WatchingChanged) -> bool:
    """Tell whether ``news`` is the first news of watching for this player."""
    return news.before.theirs is None and not news.now.closed


def tell_watching(news: WatchingChanged, name: str) -> list[str]:
    """Return ``news`` in sentences. name: of the other player."""
    before, now = news.before, news.now
    if now.closed:
        if before.closed:
            return []
        ours = now.ours is Visibility.NOTHING
        return [CLOSED_YOURS() if ours else CLOSED(name=name)]
    told: list[str] = []
    if now.theirs is not None and before.theirs is None:
        told.append((AGREED if now.hosts else LETS)(now.most, name=name))
    if now.sight is not before.sight:
        told.append(SEEN[now.sight]())
    told += _wishes(before, now, name)
    if now.names != before.names:
        told.append(who_watches(now))
    return told


def _wishes(before: Watching, now: Watching, name: str) -> list[str]:
    """Tell the wish of a player to let watchers see more."""
    if now.sight is not Visibility.LATER:
        return []
    if now.theirs is Visibility.AT_ONCE and before.theirs is not now.theirs:
        return [WANTS_AT_ONCE(name=name)]
    if now.ours is Visibility.AT_ONCE and before.ours is not now.ours:
        return [WANT_AT_ONCE(name=name)]
    return []


def who_watches(watching: Watching) -> str:
    """Return the number and names of the watchers."""
    names = watching.names
    return WATCH(len(names), names=listed(map(quoted, names))) if names else NOBODY()


def describe(watching: Watching, name: str) -> tuple[str, ...]:
    """Return sentences about all watchers. name: of the other player."""
    if not watching.most:
        return (UNWATCHED(),)
    if watching.closed:
        ours = watching.ours is Visibility.NOTHING
        return (CLOSED_YOURS() if ours else CLOSED(name=name),)
    seen = SEEN.get(watching.sight)
    return (*([] if seen is None else [seen()]), who_watches(watching))
