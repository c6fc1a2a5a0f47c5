"""Line mode of every game, and of a game that has only a notation of moves."""

import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from matcha_p2p.console.lines.dialogue import Dialogue, dialogue_of
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.games import FOLDERS, game_of
from matcha_p2p.narration.audience import HELP_COMMAND, HOW_COMMAND
from matcha_p2p.narration.news import Decisions, TakeBack, Taught
from matcha_p2p.session import news as heard
from matcha_p2p.session.watching import Watching
from matcha_p2p.table.step import AllGreeted, step
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.talk import Proposal, Say
from matcha_p2p.wire.watching import Admission, Visibility
from tests.games.trio.matcha_trio.game import GAME
from tests.games.trio.matcha_trio.seated import EXCHANGE, RULES, Met, View
from tests.games.trio.matcha_trio.steps import SEATS, Trio
from tests.table.party import begun

VIEW = View(SEATS[0], (5, 0, 6, 7, 8, 9, 10, 11), (0, 2), (), (0, 0, 0))
HI = heard.TalkHeard("hi", "Bea", SEATS[1])
MET = heard.GameEvent(Met(("Ann", "Bea", "Carl")), Trio())
UNHEARD = Watching(SEATS[0], (Admission(), None), ("Ann", "Bea"))
SETTLED = heard.Settled(b"")


def asked() -> Dialogue[Any, Any]:
    dialogue: Dialogue[Any, Any] = Dialogue(SEATS[0], GAME)
    for piece in (MET, heard.MoveDue(VIEW)):
        dialogue.hear(piece)
    return dialogue


def events(party, dialogues) -> Iterator[str]:
    """Play to the end, each seat the last card named; yield what the first seat reads."""

    def tell(events) -> Iterator[str]:
        for dialogue, player in zip(dialogues, party.players, strict=True):
            for event in RULES.told(events, player):
                lines = dialogue.hear(heard.GameEvent(event, RULES.state(party.table)))
                yield from lines if player.seat == SEATS[0] else ()

    yield from tell([AllGreeted(party.table)])
    while (due := next_due(party.table)) is not None:
        move, before = None, party.table
        if due.decision:
            view = RULES.look(party.players[due.seat], before, ())
            (question,) = dialogues[due.seat].hear(heard.MoveDue(view))
            assert dialogues[due.seat].waiting
            answer = dialogues[due.seat].read(question.split()[-1])
            assert isinstance(answer.choice, heard.MakeMove)
            move = answer.choice.move
        party.goes_on({due.seat: move}.__getitem__)
        yield from tell(step(before, party.entries[-1])[1])


def test_whole_game_is_typed_in_the_notation():
    dialogues = [Dialogue(seat, GAME) for seat in SEATS]
    met, cards, *laid, end = events(begun("dialogue", Trio()), dialogues)
    assert met == "You play seat 1 and seat 2."
    assert cards == "Your cards: b2 b4 d2 c6 a6 d1 d4 c1."
    assert len(laid) == 24
    assert sum(line.endswith(" takes.") for line in laid) == 8
    assert end.endswith(" won, with the most tricks.")
    assert not any(dialogue.waiting for dialogue in dialogues)


def test_wrong_text_asks_for_help():
    dialogue = asked()
    unknown = "There is no such command here. Type help for the list."
    assert dialogue.read("b5").lines == (unknown,)
    assert dialogue.read("").lines == ("Your move? a6 b1",)
    assert dialogue.read("  b1 ").choice == heard.MakeMove(2)
    assert dialogue.read("b1").lines == (unknown,)


def test_rule_that_forbids_a_move_is_told(monkeypatch):
    dialogue = asked()
    refused = IllegalMoveError("T2", "not this one")
    monkeypatch.setattr(EXCHANGE.notation, "read", Mock(side_effect=refused))
    assert dialogue.read("a6").lines == dialogue.read("why").lines == ("Rule T2: not this one",)


@pytest.mark.parametrize(
    ("command", "question", "choice"),
    [
        ("concede", "Concede the game? y: yes, n: no", heard.Concede()),
        ("leave", "Leave the game unfinished? y: yes, n: no", heard.Leave()),
    ],
)
def test_to_give_up_takes_a_yes(command, question, choice):
    dialogue = asked()
    assert dialogue.read(command).lines == (question,)
    assert dialogue.read("n").lines == ("Cancelled.", "Your move? a6 b1")
    dialogue.read(command)
    assert dialogue.read("b1").choice == heard.MakeMove(2)
    assert dialogue.read(command).choice is None
    assert dialogue.read("Y").choice == choice


def test_people_talk_and_mute():
    dialogue = asked()
    assert dialogue.read("say hello  all").choice == Say("hello all")
    assert dialogue.hear(HI) != ()
    assert dialogue.read("mute").lines[0].startswith("You hear no talk now.")
    assert dialogue.hear(HI) == ()
    assert dialogue.read("mute").lines[0] == "You hear talk again."
    assert dialogue.hear(HI) != ()


def test_help_names_the_commands():
    first, *rows, question = asked().read("?").lines
    assert (first, question) == (
        "A line is a move, as in the question, or a command.",
        "Your move? a6 b1",
    )
    assert "concede: give up. The game then ends for all." in rows


def test_after_the_game_another_one_follows():
    dialogue = asked()
    said = dialogue.hear(SETTLED)
    assert said[-2].startswith("again: after a game, ")
    assert dialogue.waiting
    assert dialogue.read("b1").choice is None
    assert dialogue.read("again").choice == heard.Propose(Proposal.REMATCH)
    dialogue.hear(heard.NextGame((0, 1, 0)))
    assert not dialogue.waiting
    dialogue.hear(SETTLED)
    assert dialogue.read("leave").choice == heard.Leave()


def test_game_that_goes_on_asks_anew():
    dialogue = asked()
    dialogue.read("leave")
    told = dialogue.hear(heard.TakenUp(Trio(), ("Ann", "Bea", "Carl"), (0, 6)))
    assert told == ("You play Bea and Carl.", "Your cards: a1 b1.")
    assert not dialogue.waiting


def test_watchers_are_let_in():
    dialogue = asked()
    assert HELP_COMMAND() not in dialogue.read("?").lines
    now = UNHEARD.hear(SEATS[1], Admission(Visibility.LATER, 3))
    told = dialogue.hear(heard.WatchingChanged(UNHEARD, now))
    assert told[-1] == HOW_COMMAND()
    assert HELP_COMMAND() in dialogue.read("?").lines


async def test_no_thought_and_no_task_is_told():
    assert (asked().pondered, asked().reply, asked().analysis()) == (None, None, None)
    await asked().perform(None, print)


EVERY = [*map(game_of, FOLDERS), GAME]
every_game = pytest.mark.parametrize("game", EVERY, ids=lambda it: it.name)
practice_or_not = pytest.mark.parametrize(
    "advise", [None, lambda _: None], ids=["", "practice"]
)


def talk_of(game, advise=None) -> Dialogue[Any, Any]:
    begin: Any = dialogue_of(game)
    return begin(SEATS[0], game, advise)


@every_game
@practice_or_not
def test_help_tells_each_command(game, advise):
    talk = talk_of(game, advise)
    words = {each.word for each in talk.commands}
    assert len(words) == len(talk.commands)
    told = " ".join(talk.read("help").lines)
    assert [
        word for word in words - {"watch", "keep"} if not re.search(rf"\b{word}\b", told)
    ] == []
    assert ({"hint", "undo"} <= words) is (advise is not None)
    assert ("open" in words) is talk._words.hides


@every_game
def test_first_letters_mean_the_same_in_every_game(game):
    talk = talk_of(game, lambda _: None)
    letters = {"?": "help", "w": "why", "l": "last", "c": "concede", "u": "undo", "le": "leave"}
    for typed, word in letters.items():
        found = talk.command(typed)
        assert found is not None
        assert found.word == word


@every_game
@pytest.mark.parametrize(
    ("typed", "choice"), [("leave", heard.Leave()), ("concede", heard.Concede())]
)
def test_each_game_is_left_after_a_yes_that_news_do_not_end(game, typed, choice):
    talk = talk_of(game)
    (question,) = talk.read(typed).lines
    assert question.endswith("? y: yes, n: no")
    assert talk.hear(HI) == ("Bea says: hi", question)
    assert talk.read("perhaps").lines[1] == question
    assert talk.read("no").lines == ("Cancelled.",)
    assert not talk.waiting
    talk.read(typed)
    assert talk.read("YES").choice == choice


@every_game
def test_each_game_is_not_saved_in_practice_and_lessons(game):
    lesson = talk_of(game)
    lesson.hear(Taught("This is a card."))
    for talk in (lesson, talk_of(game, lambda _: None)):
        assert talk.read("leave").lines == ("Leave? This game is not saved. y: yes, n: no",)


@every_game
def test_decision_is_taken_back_in_practice_alone(game):
    among_people = talk_of(game)
    among_people.hear(Decisions(1))
    assert among_people.read("undo").choice is None
    assert among_people.read("y").choice is None
    assert among_people.read("hint").lines[0].startswith("There is no such command here.")
    talk = talk_of(game, lambda _: None)
    assert talk.read("undo").lines == ("You have no decision to take back.",)
    talk.hear(Decisions(1))
    assert talk.read("undo").lines == ("Take back your last decision? y: yes, n: no",)
    answer = talk.read("y")
    assert (answer.lines, answer.choice) == (("You take back your last decision.",), TakeBack())
    assert talk.read("hint").lines == ("No decision is due now.",)


@every_game
def test_last_news_can_be_heard_again(game):
    talk = talk_of(game)
    assert talk.read("last").lines == ("The game has not begun yet.",)
    talk.hear(HI)
    assert talk.read("last").lines == ("Bea says: hi",)
