"""The messages that this seat signs in a game: due actions, decisions and resignations."""

from dataclasses import replace

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games.game import Event, Move, View
from matcha_p2p.games.timing import Forced, InWindow, Passing
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.step import links as session_links
from matcha_p2p.session.step import state as states
from matcha_p2p.session.step import waits
from matcha_p2p.session.step.effects import events_told, resigned_told
from matcha_p2p.wire import statements


def _may_author(playing: states.Playing) -> bool:
    """Whether this seat may sign a new message.

    First the SYNC of a neighbour must be handled. If our copy may be incomplete, we wait for
    the word of every other seat, and for all entries that they announce. They may hold entries
    of ours that we have lost, and a new entry in their place would be a fork. Or they may hold
    our resignation, and then we must not go on.
    """
    links = session_links.level(playing.links)
    lacking = any(waits.lacking(playing.chain, seat, link) for seat, link in links.items())
    return playing.chain.whole and bool(links) and not lacking


def carry_on(playing: states.Playing) -> tuple[states.Playing, states.Effects]:
    """Sign all due actions, and if a decision is due, ask for the decision."""
    if not _may_author(playing):
        return playing, ()
    if isinstance(playing.wish, states.Conceding) or playing.chain.agrees_to_resign:
        return _resign(replace(playing, wish=None))
    chain, events = playing.chain.follow()
    playing, effects = _said(playing, chain, events)
    view = chain.view
    if view is None:
        return playing, effects
    move, length = _answer(playing, view), len(chain.entries)
    if move is not None:
        playing, said = _decide(playing, move)
        playing, more = carry_on(playing)
        return playing, (*effects, *said, *more)
    if playing.asked == length:
        return playing, effects
    return replace(playing, asked=length), (*effects, states.Tell(news.MoveDue(view)))


def _answer(playing: states.Playing, view: View) -> Move | None:
    """Return the answer to sign now. Before the decision, or too early, return None."""
    chain, terms, decided = playing.chain, playing.terms, None
    match playing.wish:
        case states.Decided(when, move) if when == len(chain.entries):
            decided = move
        case _:
            pass
    match view.timing():
        case Forced(move):
            return move
        case InWindow() if chain.window != playing.closed:
            return None
        case InWindow(quiet) if chain.pace and not (terms.bot or playing.thinks):
            return quiet if decided is None and terms.holds else decided
        case Passing(quiet) if chain.pace and waits.pauses(playing):
            return None if terms.bot or decided == quiet else decided
        case Passing(quiet) if decided is None and terms.passes and _is_bare(view, quiet):
            return quiet
        case _:
            return decided


def _is_bare(view: View, quiet: Move) -> bool:
    """Tell whether ``quiet``, perhaps with a call, is all that the hand has."""
    return {type(move) for move in view.legal_moves()} == {type(quiet)}


def _said(
    playing: states.Playing, chain: Chain, events: tuple[Event, ...]
) -> tuple[states.Playing, states.Effects]:
    """Send the new entry of ``chain``, if any, and tell the front end."""
    if len(chain.entries) == len(playing.chain.entries):
        return playing, ()
    playing, sent = session_links.flush(replace(playing, chain=chain))
    return playing, (*sent, *events_told(chain, events))


def _decide(playing: states.Playing, move: Move) -> tuple[states.Playing, states.Effects]:
    """Make ``move``; tell the player if the program has answered what the player was asked."""
    length = len(playing.chain.entries)
    own = isinstance(playing.wish, states.Decided) and playing.wish.length == length
    late = playing.asked == length and not own
    playing = replace(playing, wish=None)
    try:
        chain, events = playing.chain.decide(move)
    except IllegalMoveError:
        return replace(playing, asked=0), ()
    told = (states.Tell(news.WindowAnswered()),) if late else ()
    playing, said = _said(playing, chain, events)
    return playing, (*told, *said)


def concede(playing: states.Playing) -> states.Transition:
    """Give up the game; a decided game cannot be given up."""
    if playing.chain.ended is not None:
        return playing, ()
    if playing.chain.whole:
        return _resign(playing)
    return replace(playing, wish=states.Conceding()), (states.Tell(news.ConcedesLater()),)


def _resign(playing: states.Playing) -> tuple[states.Playing, states.Effects]:
    """Sign a resignation, sent to each neighbour once the neighbour has all earlier entries.

    In a game of teams the resignation is an offer, or agrees to the offer of the partner.
    """
    before = playing.chain
    statement = before.resignation(before.seat)
    if isinstance(statement, statements.ResignOffer) and before.offers_to_resign:
        return playing, ()  # the partner has the offer
    chain = before.declare(statement)
    after, sent = session_links.flush(replace(playing, chain=chain))
    return after, (*sent, *resigned_told(chain, before))
