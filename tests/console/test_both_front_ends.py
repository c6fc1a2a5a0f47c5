"""Line mode says the full content of the screen, in the same order."""

from dataclasses import replace
from functools import partial

import pytest

from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast, foretold
from matcha_p2p.games.matcha.screen.drawing.tokens import short_of
from matcha_p2p.games.matcha.screen.scene import Scene, hear
from matcha_p2p.games.matcha.table.events import HandsDealt, HandSeen, Met, TableLaid
from matcha_p2p.games.matcha.words import words
from matcha_p2p.games.matcha.words.narrator import explain, point_of_view
from matcha_p2p.games.matcha.words.words import TOKENS, card_words, tokens_words
from matcha_p2p.narration.news import Checked, News
from matcha_p2p.narration.sentences import listed
from matcha_p2p.session.connection.changes import LineDown, LineUp
from matcha_p2p.session.news import (
    GameEvent,
    LineChanged,
    MoveDue,
    Offered,
    PhraseHeard,
    Settled,
    TalkHeard,
    Unheard,
    WatchingChanged,
)
from matcha_p2p.session.watching import Watching
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.names import GameId
from matcha_p2p.wire.watching import Admission, Visibility
from tests.games.matcha.replay.test_replay import replayed

GAMES = ["short", "long"]
NAMES = ("Mina", "Taro")
OUT = ("You are out of this round.", " is out of this round.")


def news_of(game: str, seat: Seat) -> list[News]:
    """Return the news of ``seat`` during a whole game, with talk and an outage."""
    steps = replayed(game).steps
    news: list[News] = [
        GameEvent(Met(GameId(bytes(32)), steps[0].game.edition, NAMES), steps[0].game)
    ]
    for number, step in enumerate(steps):
        news.append(GameEvent(step.event, step.game))
        hand = step.hands[seat]
        match step.event:
            case HandsDealt():
                news.append(GameEvent(HandSeen(hand), step.game))
            case TableLaid():
                news += [
                    TalkHeard(f"set {step.game.number}", "Taro", Seat(1)),
                    PhraseHeard(3, "Taro", Seat(1)),
                ]
            case _:
                pass
        if number == 9:
            news += [
                LineChanged(LineDown("The line broke.", Seat(1)), "Taro"),
                Unheard(),
                LineChanged(LineUp(Binding(bytes(32)), None, Seat(1)), "Taro"),
            ]
        asked = step.game.phase in (Placing(seat), Keeping())
        if asked and hand and observe(step.game, seat, hand).legal_moves():
            news.append(MoveDue(observe(step.game, seat, hand)))
    return [*news, Settled(bytes(32)), Checked(""), Offered("Taro")]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("game", GAMES)
def test_each_sentence_of_the_screen_is_a_line_in_the_same_order(game, seat):
    conversation, scene = Conversation(seat, MATCHA), Scene(seat)
    lines: list[str] = []
    for piece in news_of(game, seat):
        lines += conversation.hear(piece)
        scene = hear(scene, piece)
    places = iter(lines)
    assert all(sentence in places for sentence in scene.told)
    assert len(scene.told) > 30
    for _, text in scene.talk:
        assert any(line.endswith(text) for line in lines)


def _answer(conversation: Conversation, command: str) -> str:
    return "\n".join(conversation.read(command).lines)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("game", GAMES)
def test_table_is_told_on_request(game, seat):
    """Mats, cards, gains, tokens, leader, player out, turn, and the reason of a round's end."""
    conversation, scene = Conversation(seat, MATCHA), Scene(seat)
    for piece in news_of(game, seat):
        conversation.hear(piece)
        scene = hear(scene, piece)
        if scene.game is None or not scene.game.table or scene.end is not None:
            continue
        said = partial(_answer, conversation)

        shown = scene.game
        assert all(card_words(face) in said("table") for face in shown.table)
        assert ("You deal" in said("table")) == (shown.dealer == seat)
        for each, sentence in zip((seat, opposite(seat)), OUT, strict=True):
            out = bool(shown.rounds) and is_out(shown.edition, shown.rounds[-1].turns, each)
            assert (sentence in said("table")) == out
        for played in shown.rounds:
            for resolution in played.resolutions:
                line = said("table").splitlines()[resolution.mat]
                gained = [TOKENS[token]() for token in resolution.gain if token is not None]
                assert all(token in line.partition(". You: ")[2] for token in gained)
                assert ("take" in line) == bool(gained)
        assert tokens_words(shown.tokens[seat]) in said("mine")
        assert tokens_words(shown.tokens[opposite(seat)]) in said("theirs")
        if scene.hand:
            held = [card_words(scene.hand[slot]) for slot in shown.hands[seat]]
            assert all(card in said("hand") for card in held)
        match shown.phase:
            case Placing(to_move):
                mine = to_move == seat
                whose = words.MY_MOVE() if mine else words.THEIR_MOVE(name=scene.name)
                assert said("table").endswith(whose)
            case _:
                assert words.MY_MOVE() not in said("table")
        why = explain(shown, point_of_view(seat, scene.name))
        assert said("why") == "\n".join(filter(None, why))


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("game", GAMES)
def test_effect_of_a_card_is_told_before_sealing(game, seat):
    """The screen shows the effect beside the hand."""
    conversation, told = Conversation(seat, MATCHA), 0
    for piece in news_of(game, seat):
        conversation.hear(piece)
        if not isinstance(piece, MoveDue):
            continue
        for move in piece.view.legal_moves():
            if isinstance(move, Play):
                would = forecast(piece.view, move.slot)
                (here,) = (each for each in would if each.mat == move.mat)
                said = conversation.read(f"{move.slot + 1}{MATS[move.mat]}").lines
                assert said[0] == foretold(here, card_words)
                conversation.read("n")
                told += 1
    assert told > 20


def test_watchers_are_told_on_change_and_on_request():
    """The screen names watchers in its title."""
    conversation = Conversation(SEATS[0], MATCHA)
    said = Admission(Visibility.LATER, 3)
    before = Watching(SEATS[0], (said, said), NAMES)
    watched = before.seen_by(("Olena",)).hear(SEATS[1], replace(said, names=("Kiku",)))
    told = "\n".join(conversation.hear(WatchingChanged(before, watched)))
    for name in watched.names:
        assert name in told
        assert name in _answer(conversation, "watch")


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("game", ["hoarding", "long"])
def test_lack_of_one_token_is_told_once(game, seat):
    conversation, told = Conversation(seat, MATCHA), []
    short = {each: frozenset() for each in SEATS}
    for piece in news_of(game, seat):
        lines = conversation.hear(piece)
        if not isinstance(piece, GameEvent):
            continue
        for each in SEATS:
            now = short_of(piece.game, each)
            if now and now != short[each]:
                tokens = listed(TOKENS[token]() for token in sorted(now))
                sentence = words.SHORT_YOURS if each == seat else words.SHORT
                told.append(sentence(name=NAMES[each], tokens=tokens))
                assert told[-1] in lines
            short[each] = now
        assert sum("with one more" in line for line in lines) <= 2
    assert told
