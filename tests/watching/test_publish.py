"""The published part of a game, and the time of publishing."""

from matcha_p2p.chain.verify import Verification
from matcha_p2p.games.matcha.rules.phases import Ended
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.watching.publish import publish
from matcha_p2p.wire.statements import Resign
from matcha_p2p.wire.watching import Visibility
from tests.watching.games import chains, tichu_chains

LATER = Visibility.LATER


def turns(chain) -> int:
    """Return the number of turns of an unfinished round."""
    rounds = chain.table.game.state.rounds
    return len(rounds[-1].turns) if rounds and not rounds[-1].resolutions else 0


def test_a_round_is_shown_when_it_is_over_and_not_a_turn_before():
    seen = []
    for chain in chains():
        count = publish(chain, LATER).count
        assert count >= (seen[-1][0] if seen else 0)
        if isinstance(chain.table.game.state.phase, Ended) or not turns(chain):
            assert count == len(chain.entries)
        else:
            assert count == seen[-1][0]  # of a round that goes on, nothing
        seen.append((count, turns(chain)))
    held = [len_ for len_, open_turns in seen if open_turns]
    assert len(set(held)) >= 3


def test_tichu_shows_no_move_of_a_round_before_the_round_is_counted():
    """Passes and answers count too: a play is one move among many."""
    rounds = dict[int, int]()
    for chain in tichu_chains():
        shown = publish(chain, LATER)
        rounds.setdefault(shown.count, chain.table.game.number)
    verification = Verification()
    roster = chain.state.roster
    assert roster is not None
    verification.take(Frame(Kind.ROSTER, roster.encoded))
    for count, number in rounds.items():
        for frame in shown.since(verification.entries, 0)[: count - verification.entries]:
            verification.take(frame)
        game = verification.report().accepted[-1].state.game
        assert (game.number, game.moves, game.laid) == (number, 0, ())
    assert {*rounds.values()} == {0, 1, 2}


def test_published_part_verifies_by_itself():
    """The published part ends at a state that all watchers may see."""
    *_, chain = chains()
    shown = publish(chain, LATER)
    assert len(shown.since(0, 0)) == shown.count == len(chain.entries)
    assert shown.since(shown.count - 1, 0)[0].payload == chain.entries[-1].encoded


def test_publishing_at_once_shows_all_and_forbidden_publishing_nothing():
    for chain in chains():
        assert publish(chain, Visibility.AT_ONCE).count == len(chain.entries)
        assert publish(chain, Visibility.NOTHING).since(0, 0) == []


def test_roster_is_published_with_anything_and_with_nothing_not_at_all():
    *_, chain = tichu_chains()
    for sight in (LATER, Visibility.AT_ONCE):
        assert publish(chain, sight).roster is chain.state.roster is not None
    assert publish(chain, Visibility.NOTHING).roster is None


def test_a_resignation_releases_everything():
    for chain in chains():
        if turns(chain) == 1:
            break
    assert publish(chain, LATER).count < len(chain.entries)
    assert publish(chain, LATER).records == ()
    resigned = chain.declare(Resign())
    shown = publish(resigned, LATER)
    assert shown.count == len(chain.entries)
    assert [record.statement for record in shown.records] == [Resign()]
