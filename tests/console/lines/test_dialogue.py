"""Line mode of a game without an own line mode: the notation of moves is read."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from matcha_p2p.console.lines.dialogue import Dialogue
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.narration.audience import HELP_COMMAND, HOW_COMMAND
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
    dialogue.read("mute")
    assert dialogue.hear(HI) == ()


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
    assert said[-1].startswith("again: after a game, ")
    assert dialogue.waiting
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
    assert (asked().pondered, asked().reply, asked().study()) == (None, None, None)
    await asked().perform(None, print)
