"""All sentences about the watchers of a game, for the players."""

from typing import Final

from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.names import quoted
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import WatchingChanged
from matcha_p2p.session.watching import Watching
from matcha_p2p.wire.watching import Admission, Visibility

LETS: Final = Counted(
    "{name} lets {count} person watch this game.", "{name} lets {count} people watch this game."
)
AGREED: Final = Counted(
    "{name} agrees that {count} person may watch.",
    "{name} agrees that {count} people may watch.",
)
SEEN: Final = {
    Visibility.LATER: Sentence("Watchers see each round when it is over."),
    Visibility.AT_ONCE: Sentence("Watchers see each move at once, and no card in a hand."),
}
SEEN_OPEN: Final = Sentence("Watchers see each move at once.")
CLOSED: Final = Sentence("{name} allows no watchers. This holds for the whole game.")
CLOSED_YOURS: Final = Sentence("You allow no watchers. This holds for the whole game.")
WANTS_AT_ONCE: Final = Sentence(
    "{name} would let watchers see each move at once. They do once all players agree."
)
WANT_AT_ONCE: Final = Sentence(
    "You would let watchers see each move at once. They do once all players agree."
)
WATCH: Final = Counted(
    "{count} watches now, let in by {host}: {names}.",
    "{count} watch now, let in by {host}: {names}.",
)
WATCH_HERE: Final = Counted(
    "{count} watches now, let in by you: {names}.",
    "{count} watch now, let in by you: {names}.",
)
NOBODY: Final = Sentence("Nobody watches now.")
UNWATCHED: Final = Sentence("This game has no watchers, and no invite to watch.")

# The full screen.

MARK: Final = Sentence("watched by {count}: {names}")
NUMBER: Final = Sentence("watched: {count}")
LABEL: Final = Sentence("watchers")
HOW_KEY: Final = Sentence("v: say how much watchers may see.")
ASK: Final = Sentence("Watchers see")
ANSWERS: Final = {
    Visibility.NOTHING: Sentence("nothing"),
    Visibility.LATER: Sentence("past rounds"),
    Visibility.AT_ONCE: Sentence("each move"),
}
HELP_KEYS: Final = Sentence(
    "Choose how much watchers may see: nothing for the rest of the game, each round when "
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
    """Tell whether watchers see something from ``news`` on: every seat has spoken."""
    return news.now.sight > news.before.sight is Visibility.NOTHING


def tell_watching(news: WatchingChanged) -> list[str]:
    """Return ``news`` in sentences. A bot's word is not told: its host speaks for the bot."""
    before, now = news.before, news.now
    if now.closed:
        return [] if before.closed else [_closed(now)]
    told = [
        (LETS if said.most else AGREED)(said.most or now.most, name=now.players[seat])
        for seat, said in _of_people(now)
        if seat not in before.others or not before.most
    ]
    if now.sight is not before.sight:
        told += _seen(now)
    told += _wishes(before, now)
    early = is_offer(news) and now.ours.names  # they came before the game began
    if early or now.names != before.names:
        told += who_watches(now)
    return told


def _of_people(watching: Watching) -> list[tuple[Seat, Admission]]:
    """Return what the other people have said."""
    return [(seat, said) for seat, said in watching.others.items() if seat not in watching.bots]


def _closed(watching: Watching) -> str:
    """Tell which player lets nobody watch."""
    seat = watching.closed_by
    if seat is None or seat == watching.seat:
        return CLOSED_YOURS()
    return CLOSED(name=watching.players[seat])


def _wishes(before: Watching, now: Watching) -> list[str]:
    """Tell the wishes of players to let watchers see more than now."""
    if now.sight is not Visibility.LATER:
        return []
    wanted = {seat for seat, said in _of_people(before) if said.sight is Visibility.AT_ONCE}
    told = [
        WANTS_AT_ONCE(name=now.players[seat])
        for seat, said in _of_people(now)
        if said.sight is Visibility.AT_ONCE and seat not in wanted
    ]
    if now.ours.sight is Visibility.AT_ONCE and before.ours.sight is not now.ours.sight:
        told.append(WANT_AT_ONCE())
    return told


def who_watches(watching: Watching) -> list[str]:
    """Return a sentence for each seat that has watchers: their number and names."""
    told = list[str]()
    here = watching.ours.names
    if here:
        told.append(WATCH_HERE(len(here), names=listed(map(quoted, here))))
    for seat, said in watching.others.items():
        if said.names:
            names, host = listed(map(quoted, said.names)), watching.players[seat]
            told.append(WATCH(len(said.names), host=host, names=names))
    return told or [NOBODY()]


def mark(watching: Watching) -> str:
    """Return the watchers of all seats in a few words."""
    return MARK(count=len(watching.names), names=listed(map(quoted, watching.names)))


def describe(watching: Watching) -> tuple[str, ...]:
    """Return sentences about all watchers."""
    if not watching.most:
        return (UNWATCHED(),)
    if watching.closed:
        return (_closed(watching),)
    return (*_seen(watching), *who_watches(watching))


def _seen(watching: Watching) -> list[str]:
    """Return what watchers see, [] for nothing. A game without cards has no hand to hide."""
    match watching.sight:
        case Visibility.NOTHING:
            return []
        case Visibility.AT_ONCE if watching.is_open:
            return [SEEN_OPEN()]
        case sight:
            return [SEEN[sight]()]
