"""Cheats at Tichu (SPEC#tichu): each breaks one check, mostly after an agreed deal."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from matcha_p2p.crypto.elgamal import prove_shares
from matcha_p2p.crypto.shuffle import shuffle
from matcha_p2p.errors import Check, IllegalMoveError
from matcha_p2p.games.tichu.rules.round import HAND, Ask
from matcha_p2p.games.tichu.table.view import game_of, look
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import Action, MoveAction, Shares, Shuf, encode_action
from matcha_p2p.table.piles import card_at
from matcha_p2p.table.step import act
from matcha_p2p.table.steps import Share, Shuffle, Wire
from matcha_p2p.table.table import Table, Verb
from matcha_p2p.table.verbs import owed_reads
from matcha_p2p.wire.encoding import Value
from protocol.generator import tichu_games as games
from protocol.generator.tichu_games import BOMBS, RUNS, played
from tests.cheats import records
from tests.cheats.greeting import greeting as hello_of
from tests.cheats.scene import Row, Scene, cheats, say, utter
from tests.table.party import Party, begun

Change = Callable[[Sequence[Any]], Sequence[Any]]
Make = Callable[[Scene], bytes]


# --- scenes --------------------------------------------------------------------------------


def _scene(party: Party) -> Scene:
    """Return the scene before the cheat of the seat due."""
    states, log = (party.state,), tuple(party.entries)
    return Scene(tuple(party.players), states, log, party.table.owing[0].seat)


def _asked(seat: int, ask: Ask, *plays: str, deal: games.Deal = BOMBS) -> Callable[[], Scene]:
    """Return a finder of the question to ``seat`` after ``plays``."""
    return lambda: _scene(played(games.dealt(deal), *plays, at=(seat, ask)))


def _greets(seat: int) -> Callable[[], Scene]:
    """Return a finder of the greeting of ``seat``."""

    def find() -> Scene:
        party = games.greeted(BOMBS.seed, BOMBS.variant)
        game = party.table.game
        before = begun(BOMBS.seed, game, greeted=seat)
        players, log = tuple(party.players), tuple(before.entries)
        return Scene(players, (before.state,), log, Seat(seat), party.entries[seat])

    return find


def _dealing(holds: Callable[[Party], bool]) -> Callable[[], Scene]:
    """Return a finder of the first point of a deal for which ``holds`` is true."""

    def find() -> Scene:
        party = games.dealt(BOMBS)
        points = (
            Party(party.players, table, party.entries[: entry.seq])
            for table, entry in games.tables(party)
        )
        return _scene(next(point for point in points if holds(point)))

    return find


def _owes(verb: Verb, label: str) -> Callable[[], Scene]:
    """Return a finder of the first entry that begins with an action of the step ``label``."""

    def holds(party: Party) -> bool:
        step, owed = party.table.step, party.table.owing[0]
        return owed.verb is verb and isinstance(step, Shuffle | Share) and step.label == label

    return _dealing(holds)


def _by(seat: int, find: Callable[[], Scene]) -> Callable[[], Scene]:
    """Return a finder of the same point, at which another seat cheats."""
    return lambda: replace(find(), seat=Seat(seat))


# --- what is said --------------------------------------------------------------------------


def _hello(change: Callable[[Scene], dict[str, Any]]) -> Make:
    """Greet with some fields changed."""

    def make(scene: Scene) -> bytes:
        hello = replace(hello_of(scene), **change(scene))
        return utter(scene, [encode_action(hello), *scene.fields[1:]])

    return make


def _rogue(scene: Scene) -> dict[str, Any]:
    """Subtract the other seats' keys from the own key."""
    first, second, third, own = (player.game_key for player in scene.players)
    return {"game_key": own - first - second - third}


def _says(*fields: Value) -> Make:
    return lambda scene: utter(scene, [list(fields)])


def _under_another_key(scene: Scene) -> bytes:
    other = replace(scene, seat=Seat((scene.seat + 1) % 4))
    return utter(other, [["MOVE", "pass", 0]], seat=scene.seat)


def _twice(scene: Scene) -> bytes:
    """Replace the last entry by another entry."""
    last = scene.log[-1]
    return utter(scene, [["MOVE", "pass", 0]], seq=last.seq, prev=last.prev)


def _lays(play: str) -> Make:
    """Lay cards as ``play`` says, and open them."""

    def make(scene: Scene) -> bytes:
        view, read = look(scene.player, scene.table, ()), games.play_of(play)
        mask = sum(1 << place for place in games.laid(view, read).places)
        return _does(("lay", int(read.tichu), read.wild, read.wish, mask))(scene)

    return make


def _lays_again(scene: Scene) -> bytes:
    """Lay the card again that the seat has laid already."""
    held = game_of(scene.table).round.held[scene.seat]
    (place,) = {*range(HAND)} - held
    return _says("MOVE", "lay", 0, 0, 0, 1 << place)(scene)


def _does(wire: Wire, change: Change = list) -> Make:
    """Make a move, and share the cards that it opens. change: the cards in their places."""

    def make(scene: Scene) -> bytes:
        said: list[Action] = [MoveAction(wire)]
        table = scene.table
        with suppress(IllegalMoveError):
            table, _ = act(table, scene.seat, said[0], 0)
        if isinstance(table.step, Share):
            said.append(_shares(scene, table, change, place=1))
        return utter(scene, [encode_action(action) for action in said])

    return make


def _opens_another(scene: Scene) -> bytes:
    """Lay a card, and share the next one instead."""
    laid, other = (card for card in sorted(look(scene.player, scene.table, ()).held)[2:4])
    wire = ("lay", 0, 0, 0, 1 << laid)
    return _does(wire, lambda reads: [replace(reads[0], place=other)])(scene)


def _shares(scene: Scene, table: Table, change: Change, place: int = 0) -> Shares:
    if not isinstance(table.step, Share):
        raise TypeError("no shares are due")
    reads = change(list(owed_reads(table, table.step, scene.seat)))
    cards = [card_at(table.piles, read).masked for read in reads]
    where = table.context(scene.seat, table.step.label, place)
    return Shares(*prove_shares(scene.player.x, cards, where, scene.random))


def _shared(before: Change = list, after: Change = list) -> Make:
    """Share other cards than are due, or exchange shares that were proven."""

    def make(scene: Scene) -> bytes:
        shares = _shares(scene, scene.table, before)
        changed = replace(shares, shares=tuple(after(shares.shares)))
        return utter(scene, [encode_action(changed)])

    return make


def _shuffles(before: Change = list, after: Change = list, move: Wire | None = None) -> Make:
    """Exchange cards before or after a shuffle, behind ``move`` unless None."""

    def make(scene: Scene) -> bytes:
        said: list[Action] = [] if move is None else [MoveAction(move)]
        table = scene.table
        for action in said:
            table, _ = act(table, scene.seat, action, 0)
        if not isinstance(table.step, Shuffle):
            raise TypeError("no shuffle is due")
        cards = before([card.masked for card in table.piles[table.step.pile]])
        where = table.context(scene.seat, table.step.label, len(said))
        last = range(len(table.step.give))
        deck, proof = shuffle(cards, table.deck.key, where, scene.random, last)
        return say(scene, *said, Shuf(tuple(after(deck)), proof))

    return make


def _doubled(cards: Sequence[Any]) -> Sequence[Any]:
    return [cards[1], *cards[1:]]


def _exchanged(cards: Sequence[Any]) -> Sequence[Any]:
    return [*cards[1:], cards[0]]


# --- all of them ---------------------------------------------------------------------------

COIN = _dealing(lambda party: party.table.owing[0].verb is Verb.COIN)
MIX, OWN = _owes(Verb.SHUF, "mix"), _owes(Verb.SHUF, "own")
SHARE = _owes(Verb.SHARE, "deal")
GIVE = _dealing(lambda party: games.asked(party) == (3, Ask.PUSH))
CALL = _asked(3, Ask.CALL)
LEAD = _asked(0, Ask.TURN)
WINDOW = _asked(2, Ask.HOLD, "0 1")
FOLLOWS = _asked(0, Ask.TURN, "0 1", "1 a4")

CHEATS = cheats(
    {
        Row(2, Check.ENCODING, LEAD): {
            "a card that the seat has given away": _says("MOVE", "lay", 0, 0, 0, 1 << HAND),
            "no card laid": _says("MOVE", "lay", 0, 0, 0, 0),
            "the Phoenix as a fifteen": _says("MOVE", "lay", 0, 15, 0, 1),
            "a wish for a fifteen": _says("MOVE", "lay", 0, 0, 15, 1),
            "a pass as in Matcha": _says("MOVE", "pass"),
        },
        Row(3, Check.SIG, LEAD, attributed=False): {
            "a move under the key of another seat": _under_another_key,
        },
        Row(4, Check.CHAIN, LEAD, attributed=False): {
            "a move after the last entry but one": lambda s: utter(
                s, [["MOVE", "pass", 0]], prev=s.log[-1].prev
            ),
        },
        Row(5, Check.TURN, _by(1, WINDOW)): {
            "the next seat does not wait for bombs": _says("MOVE", "pass", 0),
        },
        Row(5, Check.TURN, _by(3, WINDOW)): {
            "a seat holds before it is asked": _says("MOVE", "hold", 0),
        },
        Row(6, Check.GRAMMAR, LEAD): {
            "a card laid and not opened": _says("MOVE", "lay", 0, 0, 0, 2),
        },
        Row(6, Check.GRAMMAR, GIVE): {
            "gifts without a shuffle": _says("MOVE", "give", 0),
        },
        Row(6, Check.GRAMMAR, SHARE): {
            "a move instead of shares": _says("MOVE", "hold", 0),
        },
        Row(7, Check.FORK, _by(0, WINDOW)): {
            "two answers at one place": _twice,
        },
        Row(10, Check.GAME, _greets(0)): {
            "another game with the rules of Tichu": _hello(lambda _: {"game": "tichus"}),
            "an unknown variant": _hello(lambda _: {"variant": "500"}),
            "Tichu for three": _hello(lambda _: {"seats": 3}),
        },
        Row(13, Check.POP, _greets(3)): {
            "a rogue key": _hello(_rogue),
        },
        Row(16, Check.COIN, COIN): {
            "the link of another seat": lambda s: utter(s, [["COIN", s.players[1].chain[1]]]),
        },
        Row(17, Check.SHUFFLE, MIX): {
            "two cards of the deck exchanged": _shuffles(after=_exchanged),
        },
        Row(18, Check.SHUFFLE, MIX): {
            "a card of the deck doubled": _shuffles(before=_doubled),
        },
        Row(17, Check.SHUFFLE, GIVE): {
            "gifts exchanged": _shuffles(after=_exchanged, move=("give", 0)),
        },
        Row(18, Check.SHUFFLE, GIVE): {
            "a gift doubled": _shuffles(before=_doubled, move=("give", 0)),
        },
        Row(17, Check.SHUFFLE, OWN): {
            "two cards of a hand exchanged": _shuffles(after=_exchanged),
        },
        Row(18, Check.SHUFFLE, OWN): {
            "a card of a hand doubled": _shuffles(before=_doubled),
        },
        Row(25, Check.SHARE, SHARE): {
            "shares exchanged": _shared(after=_exchanged),
            "shares of other cards": _shared(_exchanged),
            "a share is missing": _shared(lambda reads: reads[1:]),
        },
        Row(28, Check.SHARE, FOLLOWS): {
            "another face than the card's": _opens_another,
        },
        Row(32, Check.RULE, LEAD): {
            "the Dog among three cards": _lays("0 Dog a7 P =7"),
            "the Dragon among three cards": _lays("0 Dragon a7 P =7"),
            "the Dog and the Dragon as a pair": _lays("0 Dog Dragon"),
            "the Phoenix as a one": _lays("0 1 P =1"),
            "the Phoenix without a number in a pair": _lays("0 a7 P"),
            "the Phoenix alone with a number": _lays("0 P =5"),
            "five sevens": _lays("0 a7 b7 c7 d7 P =7"),
            "a bomb with the Phoenix": _lays("0 a7 b7 c7 P =7"),
            "a number for the Phoenix, which is not laid": _lays("0 a7 b7 =7"),
            "two numbers": _lays("0 a2 b3"),
            "a run of four": _lays("0 a2 b3 c4 d5"),
            "five numbers that are no run": _lays("0 a2 b3 c4 d5 a7"),
            "a run with a pair in it": _lays("0 a2 b3 c4 d5 b6 a7 b7"),
            "pairs of twos and sevens": _lays("0 a2 P =2 a7 b7"),
            "a wish without the Mah Jong": _lays("0 a2 ?5"),
            "a wish for a one": _lays("0 1 ?1"),
            "a lead is passed": _says("MOVE", "pass", 0),
        },
        Row(32, Check.RULE, FOLLOWS): {
            "a weaker card": _lays("0 b3"),
            "a card of the same number": _lays("0 c4"),
            "a pair on a card": _lays("0 a7 b7"),
            "the Dog on a card": _lays("0 Dog"),
            "a call after the first own card": _says("MOVE", "pass", 1),
        },
        Row(32, Check.RULE, _asked(0, Ask.TURN, "0 aA")): {
            "a card that was laid before": _lays_again,
        },
        Row(32, Check.RULE, _asked(0, Ask.TURN, "0 1", games.EIGHTS)): {
            "four sevens on four eights": _lays(games.SEVENS),
        },
        Row(32, Check.RULE, _asked(3, Ask.TURN, "0 1", games.FLUSH)): {
            "a flush on an equal one": _lays("3 dT dJ dQ dK dA"),
        },
        Row(32, Check.RULE, _asked(1, Ask.TURN, "0 1", games.LONGER)): {
            "four of a number on a flush": _lays(games.EIGHTS),
        },
        Row(32, Check.RULE, _asked(2, Ask.TURN, "0 1", games.LONGER)): {
            "a flush on a longer one": _lays(games.FLUSH),
        },
        Row(32, Check.RULE, _asked(3, Ask.TURN, "0 1", "2 Dragon", deal=RUNS)): {
            "the Phoenix on the Dragon": _lays("3 P"),
        },
        Row(32, Check.RULE, _asked(2, Ask.GIFT, "0 1", "2 Dragon", deal=RUNS)): {
            "the trick of the Dragon for the partner": _says("MOVE", "gift", 0),
            "the trick of the Dragon for the seat itself": _says("MOVE", "gift", 2),
        },
        Row(32, Check.RULE, _asked(1, Ask.TURN, "0 1", deal=RUNS)): {
            "a call after a card was laid, in a variant with early": _says("MOVE", "pass", 1),
        },
        Row(33, Check.RULE, CALL): {
            "Grand Tichu after the ninth card": _says("MOVE", "grand", 1),
            "a card shown that is not the Mah Jong": _does(("open", 0, 0)),
        },
        Row(33, Check.RULE, _asked(2, Ask.CALL)): {
            "the Mah Jong shown again": _says("MOVE", "open", 0, 0),
            "two calls": _says("MOVE", "hold", 1),
        },
        Row(33, Check.RULE, WINDOW): {
            "a window is passed": _says("MOVE", "pass", 0),
            "a card out of turn that is no bomb": _lays("2 d4"),
        },
        Row(42, Check.RECORD, FOLLOWS, attributed=False): {
            "a seat resigns without its partner": records.record("RESIGN", records.nothing),
            "a seat agrees to an offer of 31 bytes": records.record(
                "RESIGN", lambda _: [bytes(31)]
            ),
            "a seat offers twice in a record": records.record(
                "RESIGN", lambda s: [*records.offering(s), *records.offering(s)]
            ),
            "a seat offers and agrees": records.record(
                "RESIGN", lambda s: [*records.offering(s), *records.agreeing(s)]
            ),
            "a seat agrees to two offers": records.record(
                "RESIGN", lambda s: [*records.agreeing(s), *records.agreeing(s)]
            ),
        },
        Row(48, Check.RESIGN, FOLLOWS): {
            "a seat that has agreed to resign goes on": lambda s: records.record(
                "RESIGN", records.agreeing, head=records.head_before_own(s)
            )(s),
        },
    }
)
