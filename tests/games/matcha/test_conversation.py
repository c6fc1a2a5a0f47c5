"""What line mode says to a person and understands of what is typed."""

import pytest

from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020, Edition
from matcha_p2p.games.matcha.rules.game import deal, new_game, place
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Play
from matcha_p2p.games.matcha.rules.notation import faces
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Ended, How, Keeping
from matcha_p2p.games.matcha.rules.scoring import NO_TOKENS
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table.events import (
    HandSeen,
    Met,
    Placed,
    RoundResolved,
    TableLaid,
    ended_by,
)
from matcha_p2p.session.connection.changes import (
    LineDialled,
    LineDown,
    LineHeard,
    LineQuiet,
    LineUp,
)
from matcha_p2p.session.news import (
    Concede,
    GameEvent,
    Leave,
    LetWatch,
    LineChanged,
    MakeMove,
    MoveDue,
    PhraseHeard,
    WatchingChanged,
)
from matcha_p2p.session.watching import Watching
from matcha_p2p.wire.names import GameId
from matcha_p2p.wire.talk import Phrase, Say
from matcha_p2p.wire.watching import Admission, Visibility
from tests.console.scenes import Story

TABLE = faces("T3 W1 B2 S4 W4 T1")
HAND = faces("B3 W2 Z S1 T4")

SEAL_WATER = ("On b it matches. Beaten by water 3.", "Seal water 2 on mat b? y: yes, n: no")
SEAL_BOWL = ("On a it matches. No hidden card beats it.", "Seal bowl 3 on mat a? y: yes, n: no")


def dealt(edition: Edition = EDITION_2015) -> GameState:
    """Return the game after the first deal; seat 0 deals and leads."""
    return deal(new_game(edition, SEATS[0]), TABLE)


def met(game: GameState, seat: Seat = SEATS[0]) -> Conversation:
    """Return the conversation of a seat that has met the other and seen its hand."""
    talk = Conversation(seat, MATCHA)
    talk.hear(GameEvent(Met(GameId(bytes(32)), game.edition, ("Mina", "Taro")), game))
    talk.hear(GameEvent(TableLaid(1, SEATS[0], TABLE, 0), game))
    talk.hear(GameEvent(HandSeen(HAND), game))
    return talk


def asked(game: GameState | None = None) -> Conversation:
    """Return the conversation of seat 0, whose move it is."""
    game = game or dealt()
    talk = met(game)
    talk.hear(MoveDue(observe(game, SEATS[0], HAND)))
    return talk


def keeping() -> Conversation:
    """Return a conversation in which cards 2 and 5 are left and may be kept."""
    left = (frozenset({1, 4}), frozenset[int]())
    return asked(dealt()._replace(hands=left, phase=Keeping()))


def test_a_move_is_asked_for_with_the_mats_and_the_numbered_hand():
    talk = met(dealt())
    assert not talk.waiting
    (line,) = talk.hear(MoveDue(observe(dealt(), 0, HAND)))
    hand = "1: bowl 3, 2: water 2, 3: zero, 4: scoop 1, 5: leaf 4"
    assert line == f"Your move, on mat a or b. Hand: {hand}."
    assert talk.waiting


@pytest.mark.parametrize("typed", ["2 b", "2b", " 2  B "])
def test_a_card_is_sealed_only_after_a_yes(typed):
    talk = asked()
    assert talk.read(typed) == Answer(SEAL_WATER)
    assert talk.read("Yes") == Answer((), MakeMove(Play(1, 1)))
    assert not talk.waiting


def test_a_no_or_another_move_takes_the_first_one_back():
    talk = asked()
    talk.read("2 b")
    assert talk.read("n").lines[0] == "Cancelled."
    talk.read("2 b")
    assert talk.read("1 a") == Answer(SEAL_BOWL)
    assert talk.read("y") == Answer((), MakeMove(Play(0, 0)))


def test_a_yes_to_no_question_does_nothing():
    assert asked().read("y").choice is None


@pytest.mark.parametrize(
    ("edition", "question"),
    [
        (EDITION_2015, "Pass for this round? y: yes, n: no"),
        (EDITION_2020, "Pass this turn? y: yes, n: no"),
    ],
)
def test_pass_tells_its_price(edition, question):
    talk = asked(dealt(edition))
    assert talk.read("p") == Answer((question,))
    assert talk.read("y") == Answer((), MakeMove(PASS))


def test_illegal_card_is_explained():
    game = place(place(dealt(), Play(0, 1)), Play(0, 1))
    talk = asked(game)
    assert talk.read("2 b").lines == ("Card 2 is no longer in your hand.",)
    assert talk.read("1 a").lines == ("You have a card on mat a already.",)
    assert talk.read("1 c").lines == ("In this round cards go to mat b.",)
    assert "It is your move" in talk.read("1 4").lines[0]
    assert "It is your move" in talk.read("abracadabra").lines[0]


@pytest.mark.parametrize("typed", ["1 a", "p", "none", "k 2"])
def test_a_move_out_of_turn_is_told(typed):
    assert met(dealt()).read(typed).lines == ("It is not your move. You will be asked.",)


@pytest.mark.parametrize(
    ("typed", "question", "slots"),
    [
        ("2 5", "Keep water 2, leaf 4? y: yes, n: no", {1, 4}),
        ("k 5", "Keep leaf 4? y: yes, n: no", {4}),
        ("keep 2,5", "Keep water 2, leaf 4? y: yes, n: no", {1, 4}),
        ("all", "Keep water 2, leaf 4? y: yes, n: no", {1, 4}),
        ("none", "Keep no card? y: yes, n: no", set()),
        ("keep none", "Keep no card? y: yes, n: no", set()),
    ],
)
def test_any_of_the_cards_left_can_be_kept(typed, question, slots):
    talk = keeping()
    assert talk.read(typed) == Answer((question,))
    assert talk.read("y") == Answer((), MakeMove(Keep(frozenset(slots))))


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("1", "Card 1 is no longer in your hand."),
        ("2 b", "Choose the cards to keep"),
        ("p", "Choose the cards to keep"),
        ("keep", "Choose the cards to keep"),
        ("xyzzy", "Choose the cards to keep"),
        ("", "Which cards do you keep"),
    ],
)
def test_other_text_while_keeping_gets_a_hint(typed, hint):
    answer = keeping().read(typed)
    assert answer.choice is None
    assert hint in answer.lines[0]


@pytest.mark.parametrize(("typed", "choice"), [("concede", Concede()), ("leave", Leave())])
def test_a_move_that_falls_due_meanwhile_leaves_that_question_open(typed, choice):
    talk = met(dealt())
    question = talk.read(typed).lines[0]
    call, again = talk.hear(MoveDue(observe(dealt(), 0, HAND)))
    assert call.startswith("Your move")
    assert again == question
    assert talk.read("y") == Answer((), choice)
    talk = met(dealt())
    talk.read(typed)
    talk.hear(MoveDue(observe(dealt(), 0, HAND)))
    assert talk.read("n").lines == ("Cancelled.", call)
    assert talk.read("2 b") == Answer(SEAL_WATER)


def test_talk_is_sent_clean():
    assert asked().read("say  I have\x1b it ") == Answer(
        ("You said: I have\N{REPLACEMENT CHARACTER} it",),
        Say("I have\N{REPLACEMENT CHARACTER} it"),
    )
    assert asked().read("s").lines == ("Say what? Type say, then the words.",)


def test_the_end_of_the_game_ends_every_question():
    talk = asked()
    talk.read("2 b")
    ended = ended_by(Ended(0, How.RESIGNED), (NO_TOKENS, NO_TOKENS))
    assert talk.hear(GameEvent(ended, dealt())) == ("You win: Taro conceded.",)
    assert not talk.waiting
    assert talk.read("y").choice is None


def test_first_letters_mean_the_first_command_that_fits():
    talk = asked()
    for letters, word in {
        "h": "hand",
        "t": "table",
        "th": "theirs",
        "m": "mine",
        "?": "help",
    }.items():
        assert talk.read(letters) == talk.read(word)


def test_the_table_can_be_asked_for_without_learning_hidden_cards():
    game = place(place(dealt(), Play(0, 1)), Play(1, 0))
    talk = asked(game)
    talk.hear(GameEvent(Placed(1, 1), game))
    assert talk.read("table").lines[:3] == (
        "Mat a, leaf 3, match the number. You: water 2. Taro: no card.",
        "Mat b, water 1, match the suit. You: no card. Taro: a sealed card.",
        "Mat c, bowl 2, match the number.",
    )
    assert talk.read("hand").lines == ("Hand: 1: bowl 3, 3: zero, 4: scoop 1, 5: leaf 4.",)
    assert talk.read("mine").lines == ("You hold: none.",)
    assert talk.read("theirs").lines == ("Taro holds: none; cards in hand: 4.",)
    assert talk.read("last").lines == ("Taro sealed a card on mat b.",)


def test_a_hand_that_is_being_dealt_cannot_be_seen_yet():
    """Nor the one of the set before."""
    talk = met(dealt())
    talk.hear(GameEvent(TableLaid(2, 1, TABLE, 0), dealt()))
    assert talk.read("hand").lines == ("No cards have been dealt yet.",)
    assert talk.read("table").lines[2] == "Mat c, bowl 2, match the number."
    talk.hear(GameEvent(HandSeen(HAND), dealt()))
    assert talk.read("hand").lines[0].startswith("Hand: 1: bowl 3")


def test_request_before_the_deal_shows_no_table():
    talk = Conversation(0, MATCHA)
    assert talk.read("last").lines == ("The game has not begun yet.",)
    assert talk.read("table").lines == ("No cards have been dealt yet.",)
    assert talk.read("qwerty").lines == (
        "There is no such command here. Type help for the list.",
    )
    assert talk.read("") == Answer(())


@pytest.mark.parametrize("edition", [EDITION_2015, EDITION_2020])
def test_told_rules_are_the_rules_of_the_edition(edition):
    lines = asked(dealt(edition)).read("rules").lines
    assert f"Edition {edition.name}" in " ".join(lines)


def test_a_phrase_is_said_by_its_number_and_heard_as_a_sentence():
    talk = met(dealt())
    answer = talk.read("phrase 2")
    assert answer == Answer(("You said: Nothing here.",), Phrase(2))
    assert talk.hear(PhraseHeard(2, "Taro", Seat(1))) == ("Taro says: Nothing here.",)
    assert len(talk.read("phrases").lines) == 9
    assert talk.read("phrase ２").choice == Phrase(2)
    for typed in ("phrase", "phrase 10", "phrase two"):
        assert talk.read(typed).choice is None


def test_wide_letters_of_an_input_method_are_commands_too():
    talk = asked()
    assert talk.read("２\u3000ｂ").lines == SEAL_WATER
    assert talk.read("ｙ").choice == MakeMove(Play(1, 1))
    assert talk.read("ｓａｙ　Ｗａｔｅｒ！").choice == Say("Ｗａｔｅｒ！")


def test_why_tells_of_the_last_round():
    talk = Conversation(0, MATCHA)
    assert talk.read("why").lines == ("No round is over yet.",)
    story = Story().deal().play("1a", "1a", "3b", "4b")
    played = story.game.rounds[0]
    talk.hear(GameEvent(RoundResolved(played), story.game))
    assert talk.read("w").lines[0] == "Mat a shows leaf 3 and asks for the number 3."


def test_one_outage_ends_once():
    conversation = asked()
    up = LineChanged(LineUp(bytes(32), None, Seat(1)), "Taro")
    assert conversation.hear(up) == ()
    assert conversation.hear(LineChanged(LineDown("The line broke.", Seat(1)), "Taro"))
    assert len(conversation.hear(up)) == 1
    assert conversation.hear(up) == ()


def test_end_of_a_silence_is_said_once():
    conversation = asked()
    assert conversation.hear(LineChanged(LineQuiet(6.0, Seat(1)), "Taro"))
    assert len(conversation.hear(LineChanged(LineHeard(Seat(1)), "Taro"))) == 1
    assert conversation.hear(LineChanged(LineHeard(Seat(1)), "Taro")) == ()


def test_tries_to_dial_are_said_now_and_then():
    conversation = asked()
    conversation.hear(LineChanged(LineDown("The line broke.", Seat(1)), "Taro"))
    said = [
        tries
        for tries in range(1, 101)
        if conversation.hear(LineChanged(LineDialled(tries, Seat(1)), "Taro"))
    ]
    assert said == [5, 10, 20, 40, 80]


UNHEARD = Watching(SEATS[0], (Admission(), None), ("Mina", "Taro"))


def offered() -> tuple[Conversation, tuple[str, ...]]:
    """Return the conversation of a guest whose host lets three people watch, and its news."""
    talk = met(dealt())
    return talk, talk.hear(
        WatchingChanged(UNHEARD, UNHEARD.hear(SEATS[1], Admission(Visibility.LATER, 3)))
    )


def test_a_guest_hears_that_others_may_watch_and_how_to_forbid_it():
    talk, lines = offered()
    assert lines == (
        "Taro lets 3 people watch this game.",
        "Watchers see each round when it is over.",
        (
            "watch nothing: allow no watchers. watch rounds, watch moves: allow each round "
            "when it is over, or each move at once."
        ),
    )
    assert talk.read("watch").lines[-1] == "Nobody watches now."
    assert talk.read("watch nothing").choice == LetWatch(Visibility.NOTHING)
    assert talk.read("watch MOVES").choice == LetWatch(Visibility.AT_ONCE)
    assert talk.read("watch paint dry") == Answer(
        ("Type watch nothing, watch rounds or watch moves.",)
    )


def test_watchers_are_told_by_number_and_name():
    talk, _ = offered()
    before = UNHEARD.hear(SEATS[1], Admission(Visibility.LATER, 3))
    now = UNHEARD.hear(SEATS[1], Admission(Visibility.LATER, 3, ("Ann", "Bo")))
    assert talk.hear(WatchingChanged(before, now)) == (
        '2 watch now, let in by Taro: "Ann", "Bo".',
    )
    assert talk.read("watch").lines[-1] == '2 watch now, let in by Taro: "Ann", "Bo".'
    assert talk.hear(WatchingChanged(now, before)) == ("Nobody watches now.",)


def test_without_watchers_there_is_nothing_to_allow():
    talk = met(dealt())
    answer = talk.read("watch nothing")
    assert answer.choice is None
    assert answer.lines == ("This game has no watchers, and no invite to watch.",)


def test_a_no_of_either_player_is_told_once():
    talk, _ = offered()
    open_ = UNHEARD.hear(SEATS[1], Admission(Visibility.LATER, 3))
    closed = open_.hear(SEATS[1], Admission(Visibility.NOTHING, 3))
    assert talk.hear(WatchingChanged(open_, closed)) == (
        "Taro allows no watchers. This holds for the whole game.",
    )
    assert talk.read("watch moves").choice is None
    ours = open_.allow(Visibility.NOTHING)
    assert talk.hear(WatchingChanged(open_, ours)) == (
        "You allow no watchers. This holds for the whole game.",
    )
    assert (
        talk.hear(WatchingChanged(ours, ours.hear(SEATS[1], Admission(Visibility.NOTHING, 3))))
        == ()
    )


def test_player_can_offer_watchers_more():
    talk, _ = offered()
    open_ = UNHEARD.hear(SEATS[1], Admission(Visibility.LATER, 3))
    wanted = open_.hear(SEATS[1], Admission(Visibility.AT_ONCE, 3))
    assert talk.hear(WatchingChanged(open_, wanted)) == (
        "Taro would let watchers see each move at once. They do once all players agree.",
    )
    both = wanted.allow(Visibility.AT_ONCE)
    assert talk.hear(WatchingChanged(wanted, both)) == (
        "Watchers see each move at once, and no card in a hand.",
    )
    assert talk.hear(WatchingChanged(open_, open_.allow(Visibility.AT_ONCE))) == (
        "You would let watchers see each move at once. They do once all players agree.",
    )
    host = UNHEARD.hear(SEATS[0], Admission(most=1))
    assert talk.hear(WatchingChanged(host, host.hear(SEATS[1], Admission())))[0] == (
        "Taro agrees that 1 person may watch."
    )
