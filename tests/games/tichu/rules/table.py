"""Rounds with open hands, for tests: logs as text, and players that choose at random."""

import json
import random

from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import MAH_JONG, TEXTS
from matcha_p2p.games.tichu.rules.log import play_log
from matcha_p2p.games.tichu.rules.moves import legal_plays, may_pass
from matcha_p2p.games.tichu.rules.round import Ask, Variant


def faces(text):
    """Return the faces of ``text``, such as "R2 GT P"."""
    return [TEXTS.index(each) for each in text.split()]


def header(deck, first=0, windows="every", late_tichu=True):
    return {"deck": deck, "first": first, "windows": windows, "late_tichu": late_tichu}


def told(*lines):
    """Return what a log leads to. A line that is no text is written as JSON."""
    return list(play_log(each if isinstance(each, str) else json.dumps(each) for each in lines))


def opened(*hands, **variant):
    """Return a round at its first lead, and the hands; each hand is a text of up to 14 cards.

    Hands may be short here: the places that are missing have been played.
    """
    known = [faces(hand) for hand in hands]
    (leader,) = (seat for seat in rules.SEATS if MAH_JONG in known[seat])
    state = rules.new_round(Variant(**variant), rules.SEATS[0])
    for seat in rules.SEATS:
        state = rules.grand(state, seat, called=False)
    for seat in rules.SEATS:
        state = rules.push(state, seat)
    state = rules.lead(state, leader)
    for seat in rules.SEATS:
        state = rules.hold(state, seat)
    return state._replace(held=tuple(frozenset(range(len(hand))) for hand in known)), known


def go(state, hands, *steps):
    """Take steps: "0 R5 G5", "1 pass", "2 hold", "3 gift 0", "0 tichu".

    =7 is the number of the Phoenix, ?9 the wish.
    """
    for step in steps:
        seat, *words = step.split()
        seat = rules.SEATS[int(seat)]
        match words:
            case ["pass"]:
                state = rules.pass_turn(state, seat)
            case ["hold"]:
                state = rules.hold(state, seat)
            case ["tichu"]:
                state = rules.call_tichu(state, seat)
            case ["gift", to]:
                state = rules.gift(state, seat, rules.SEATS[int(to)])
            case _:
                numbers = {word[0]: int(word[1:]) for word in words if word[0] in "=?"}
                laid = [TEXTS.index(word) for word in words if word[0] not in "=?"]
                places = {hands[seat].index(face): face for face in laid}
                state = rules.play(
                    state, seat, places, numbers.get("=", 0), numbers.get("?", 0)
                )
    return state


class Player:
    """Plays a round to its end by chance, and keeps its log."""

    def __init__(self, seed, *, fouls=False, **variant):
        self.chance = random.Random(seed)
        self.fouls = fouls
        deck = list(range(56))
        self.chance.shuffle(deck)
        first = self.chance.randrange(4)
        names = {"windows": "every", "late_tichu": True} | variant
        self.lines = [header(deck, first, **names)]
        self.hands = [deck[8 * s : 8 * s + 8] + deck[32 + 6 * s : 38 + 6 * s] for s in range(4)]
        self.state = rules.new_round(
            Variant(names["windows"] == "every", names["late_tichu"]), first
        )
        self.gifts = {}

    def hand(self, seat):
        return [self.hands[seat][place] for place in self.state.held[seat]]

    def play(self):
        while self.state.asked:
            self.act(*self.state.asked[0])
        return self

    def act(self, seat, ask):
        chance, state = self.chance, self.state
        match ask:
            case Ask.GRAND:
                called = chance.random() < 0.1
                self.lines.append([seat, "grand", called])
                self.state = rules.grand(state, seat, called=called)
            case Ask.PUSH:
                self.gifts[seat] = chance.sample(self.hands[seat], 3)
                self.lines.append([seat, "push", *self.gifts[seat]])
                self.state = rules.push(state, seat)
                if len(self.gifts) == 4:
                    self.exchange()
            case Ask.CALL:
                if not state.calls[seat] and chance.random() < 0.1:
                    self.lines.append([seat, "tichu"])
                    self.state = rules.call_tichu(state, seat)
                self.lines.append([seat, "hold"])
                self.state = rules.hold(self.state, seat)
            case Ask.GIFT:
                to = (seat + chance.choice((1, 3))) % 4
                self.lines.append([seat, "gift", to])
                self.state = rules.gift(state, seat, to)
            case _:
                self.move(seat, ask)

    def exchange(self):
        for giver, given in self.gifts.items():
            for steps, face in enumerate(given, 1):
                self.hands[giver].remove(face)
                self.hands[(giver + steps) % 4].append(face)
        self.state = rules.lead(
            self.state, next(s for s in range(4) if MAH_JONG in self.hands[s])
        )

    def move(self, seat, ask):
        chance, state, hand = self.chance, self.state, self.hand(seat)
        plays = legal_plays(state, hand)
        idle = ask is Ask.HOLD or may_pass(state, hand)
        if self.fouls and state.under is not None:
            idle = True
        if idle and (not plays or chance.random() < 0.4):
            self.lines.append([seat, "hold" if ask is Ask.HOLD else "pass"])
            step = rules.hold if ask is Ask.HOLD else rules.pass_turn
            self.state = step(state, seat)
            return
        play = chance.choice(plays)
        wish = chance.randrange(2, 15) if MAH_JONG in play.faces else 0
        self.lines.append([seat, "play", list(play.faces), play.wild, wish])
        laid = {self.hands[seat].index(face): face for face in play.faces}
        self.state = rules.play(state, seat, laid, play.wild, wish)
