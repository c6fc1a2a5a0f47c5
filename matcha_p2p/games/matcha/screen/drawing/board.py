"""The table between the players: three fields of two mats, the players, the own hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from matcha_p2p.console.review.findings import BETTER_SIGN, MADE_SIGN, signs
from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.cards import DEMANDS, Demand, Face, Token
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.history import Resolution
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.drawing import cards
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast
from matcha_p2p.games.matcha.screen.drawing.tokens import short_of, track
from matcha_p2p.games.matcha.screen.moments import Caption, Laying, Turned
from matcha_p2p.games.matcha.screen.signs import signs_of, style_of
from matcha_p2p.games.matcha.words import captions
from matcha_p2p.games.matcha.words.words import TOKENS

SKIPPING: Final = "p"
"""Chooses the button after the hand, in every language."""

_NAME_CELLS: Final = 14
_BACKS_CELLS: Final = 6
_WORDS_FROM: Final = 11
"""The least width of a card, in cells, with room for words beside signs."""

_ALL: Final = 6

_NOTHING: Final = ("", "")
_GAP: Final = ("", " ")


@dataclass(frozen=True, slots=True)
class Board:
    """A scene in a game whose table is laid, as drawn in a skin and a size.

    Each method returns lines as wide as the table.
    """

    scene: screen_scene.Scene
    game: GameState
    skin: Skin
    size: cards.Size

    def player(self, seat: Seat) -> terminal_cells.Line:
        """Return a player's name, state, cards in hand, and tokens."""
        counted = self.size.width >= _WORDS_FROM
        tokens = track(self.scene, self.game, seat, self.skin, counted=counted)
        room = self.size.table - terminal_cells.line_width(tokens) - _BACKS_CELLS - 1
        to_move = self.game.phase == Placing(seat)
        name = terminal_cells.cut(self.scene.called(seat), min(_NAME_CELLS, room))
        line: terminal_cells.Line = [
            ("class:now" if to_move else "", f"{'>' if to_move else ' '}{name}")
        ]
        for style, state in self._states(seat):
            mark = "" if len(line) == 1 else ","
            if (
                terminal_cells.line_width(line) + terminal_cells.width(f"{mark} {state}")
                <= room
            ):
                line += [("class:faint", f"{mark} "), (style, state)]
        held = len(self.game.hands[seat])
        backs = ("class:back", self.skin.back * held), ("", " " * (_BACKS_CELLS - held))
        return [*terminal_cells.fit_line(line, room + 1), *backs, *tokens]

    def _states(self, seat: Seat) -> list[terminal_cells.Fragment]:
        """Return the states of ``seat`` in words, the most important first.

        After the end of the game, return no states.
        """
        game = self.game
        states: list[terminal_cells.Fragment] = []
        if self.scene.end is not None:
            return states
        if short_of(game, seat):
            states.append(("class:now", captions.NEARLY()))
        if game.rounds and is_out(game.edition, game.rounds[-1].turns, seat):
            states.append(("class:faint", captions.OUT()))
        if seat == game.dealer:
            mine = seat == self.scene.seat and self.scene.watched is None
            leads = captions.LEADS_YOURS if mine else captions.LEADS
            states.append(("class:faint", leads()))
        return states

    def demands(self) -> terminal_cells.Line:
        """Return the demand of each mat; the mats open for cards now are marked."""
        spelt = (
            max(terminal_cells.width(word()) for word in TOKENS.values()) + 5 <= self.size.width
        )
        cells: list[cards.Block] = []
        for mat, shown in enumerate(self.game.table):
            if mat >= self._in_sight()[0]:
                cells.append([[_NOTHING]])
                continue
            label = f"{'>' if self._is_open(mat) else ' '}{MATS[mat]} = "
            what = str(shown.number)
            if DEMANDS[mat] is Demand.SUIT and shown.suit is not None:
                what = TOKENS[shown.suit]() if spelt else signs_of(self.skin).token(shown.suit)
                if terminal_cells.width(label + what) > self.size.width:
                    what = signs_of(self.skin).letter(shown.suit)
            style = "class:now" if self._is_lit(mat) else "class:faint"
            text = terminal_cells.cut(label + what, self.size.width)
            cells.append([[(f"{style} {terminal_cells.clicked(MATS[mat])}", text)]])
        return self._fields(cells)[0]

    def mats(self) -> list[terminal_cells.Line]:
        """Return the six cards of the table, the colours of their prizes at their sides."""
        cells: list[cards.Block] = []
        for mat, shown in enumerate(self.game.table):
            if mat >= self._in_sight()[0]:
                cells.append(cards.place(self.size))
                continue
            ground = "paper" if self._is_lit(mat) else "shade"
            card = cards.face(shown, self.skin, self.size, ground)
            if mat == _aimed(self.scene.question):
                card = [[("class:at", text) for _, text in line] for line in card]
            cells.append(_clickable(MATS[mat], card))
        return self._fields(cells, self._band)

    def laid(self, seat: Seat) -> list[terminal_cells.Line]:
        """Return the cards that ``seat`` has laid, mat by mat."""
        cells = [self._laid(seat, mat) for mat in range(6)]
        if seat == self.scene.seat:
            cells = [_clickable(MATS[mat], cell) for mat, cell in enumerate(cells)]
        return self._fields(cells)

    def strip(self, seat: Seat) -> terminal_cells.Line:
        """Return the word beside each card of ``seat``: its forecast, or its outcome."""
        foreseen = {} if seat != self.scene.seat else self._foreseen()
        cells: list[cards.Block] = []
        for mat in range(6):
            resolution = self._resolution(mat)
            if resolution is None:
                style, text = foreseen.get(mat, _NOTHING)
            else:
                style, text = self._said(resolution, seat)
            cells.append([[(style, terminal_cells.centred(text, self.size.width))]])
        return self._fields(cells)[0]

    def other_hand(self) -> terminal_cells.Line:
        """Return the cards of the other player's hand that may be seen."""
        held = self.game.hands[opposite(self.scene.seat)]
        chip = cards.Size(
            terminal_cells.width(signs_of(self.skin).card(self.game.table[0])) + 2, 1
        )
        line: terminal_cells.Line = [_GAP]
        for slot, card in enumerate(self.scene.theirs):
            if slot in held:
                line += [*cards.face(card, self.skin, chip, "shade")[0], _GAP]
        return terminal_cells.fit_line(line, self.size.table)

    def hand(self) -> list[terminal_cells.Line]:
        """Return the own hand with its numbers, and the button after the hand.

        A chosen card is raised over its number; the numbers stand above the other cards, or
        below cards without rows. A replay has no numbers.
        """
        scene, size = self.scene, self.size
        held = self.game.hands[scene.seat] if scene.hand else frozenset[int]()
        numbered = [] if scene.watched is not None else [1]
        columns: list[cards.Block] = []
        for slot in range(5):
            card, number = cards.place(size), ("", " " * size.width)
            up = slot in held and _is_raised(scene.question, slot)
            if slot in held and slot < self._in_sight()[1]:
                laid = isinstance(scene.made, Play) and scene.made.slot == slot
                ground = "better" if up else "caught" if laid else "paper"
                shown = cards.face(scene.hand[slot], self.skin, size, ground)
                card = _clickable(str(slot + 1), shown)
                number = _number(scene.question, slot, size)
            below = up or size.height == 1
            beside = [[number] for _ in numbered]
            columns.append([*card, *beside] if below else [*beside, *card])
        key, (style, label) = _button(scene.question)
        if scene.made is not None:
            label += signs(
                (isinstance(scene.made, Pass), _chosen(scene.question) == screen_scene.PASSING)
            )
        blank: terminal_cells.Line = [("", " " * terminal_cells.width(label))]
        rows = size.height + len(numbered)
        column = [blank] * rows
        middle = size.height // 2
        column[middle] = [(style, label)]
        if numbered:
            text = terminal_cells.centred(key[1], terminal_cells.width(label))
            column[middle + 1] = [(key[0], text)]
        columns.append(column)
        lines = [_spaced([column[row] for column in columns]) for row in range(rows)]
        return [terminal_cells.fit_line([_GAP, *line], size.table) for line in lines]

    def _fields(
        self,
        cells: Sequence[cards.Block],
        side: Callable[[int], terminal_cells.Fragment] = lambda _: _GAP,
    ) -> list[terminal_cells.Line]:
        """Return one block for each mat, in three fields, that of the current round lit.

        side: the fragment at the outer side of a mat.
        """
        size = self.size.width
        lines: list[terminal_cells.Line] = []
        for row in range(len(cells[0])):
            line: terminal_cells.Line = []
            for mat in (0, 2, 4):
                ground = "class:lit" if self._is_current(mat) else "class:cloth"
                first, second = (
                    terminal_cells.fit_line(cells[mat][row], size),
                    terminal_cells.fit_line(cells[mat + 1][row], size),
                )
                pair = [side(mat), *first, _GAP, *second, side(mat + 1)]
                line += [(f"{ground} {style}".rstrip(), text) for style, text in pair]
            lines.append(line)
        return lines

    def _band(self, mat: int) -> terminal_cells.Fragment:
        """Return the colour of the prize at the side of a mat, once its card is dealt."""
        if mat >= self._in_sight()[0]:
            return _GAP
        return f"class:band {style_of(self.game.table[mat].suit)}", " "

    def _in_sight(self) -> tuple[int, int]:
        """Return how many cards of the table and of the own hand are dealt already."""
        return self.scene.moment.dealt or (_ALL, _ALL)

    def _is_current(self, mat: int) -> bool:
        """Tell whether ``mat`` belongs to the last round that has begun."""
        return bool(self.game.rounds) and self.game.rounds[-1].number == mat // 2 + 1

    def _is_lit(self, mat: int) -> bool:
        """Tell whether ``mat`` is in the light."""
        light = self.scene.moment.mat
        return self._is_current(mat) if light is None else mat == light

    def _is_open(self, mat: int) -> bool:
        """Tell whether cards are being laid on ``mat``."""
        return isinstance(self.game.phase, Placing) and self._is_current(mat)

    def _resolution(self, mat: int) -> Resolution | None:
        if len(self.game.rounds) <= mat // 2:
            return None
        resolutions = self.game.rounds[mat // 2].resolutions
        return next((each for each in resolutions if each.mat == mat), None)

    def _laid(self, seat: Seat, mat: int) -> cards.Block:
        """Return the card of ``seat`` at a mat, or its room."""
        if len(self.game.rounds) <= mat // 2:
            return cards.place(self.size)
        slot = self.game.rounds[mat // 2].slot_at(seat, mat)
        if slot is None:
            return self._not_laid(seat, mat)
        hand = self.scene.hand if seat == self.scene.seat else self.scene.theirs
        known = hand[slot] if hand else None
        resolution = self._resolution(mat)
        if resolution is not None:
            return self._judged(resolution, seat, known)
        match self.scene.moment.laying:
            case Laying(by, at, part) if (by, at) == (seat, mat):
                return self._laying(known, part)
            case _:
                return cards.back(self.skin, self.size, known)

    def _not_laid(self, seat: Seat, mat: int) -> cards.Block:
        """Return the card about to be laid, or a stroke at a mat that stays empty."""
        match self.scene.question:
            case screen_scene.Ready(observation, Play(aimed, slot)) | screen_scene.Aiming(
                observation, slot, aimed
            ) if seat == self.scene.seat and aimed == mat:
                return self._question(mat, observation.hand[slot])
            case _ if _laid_at(self.scene, seat) == mat:
                return self._question(mat, None)
            case _:
                played = self.game.rounds[mat // 2]
                out = is_out(self.game.edition, played.turns, seat)
                over = played.resolutions or out
                return cards.place(self.size, "-" if over and played.turns else "")

    def _question(self, mat: int, card: Face | None) -> cards.Block:
        """Return a card about to be laid; at a mistake, also the card laid.

        If a row has no room for both, they stand one below the other. On a card of one row
        they lose their icons; if that is not enough, the better card stands alone.
        """
        icons, marked, size = signs_of(self.skin), list[tuple[Face, str]](), self.size
        match self.scene.made:
            case Play(laid, slot) if laid == mat:
                marked.append((self.scene.hand[slot], MADE_SIGN))
            case _:
                pass
        if card is not None:
            marked.append((card, BETTER_SIGN))
        whole = [f"{icons.card(each)}{sign}" for each, sign in marked]
        short = [f"{icons.letters(each)}{sign}" for each, sign in marked]
        forms = [" ".join(whole)], whole, [" ".join(short)], whole[-1:]
        texts = next(form for form in forms if self._have_room(form))
        rows, above = cards.place(size), (size.height - len(texts) + 1) // 2
        lines = [[("class:now", terminal_cells.centred(text, size.width))] for text in texts]
        return [*rows[:above], *lines, *rows[above + len(texts) :]]

    def _have_room(self, texts: Sequence[str]) -> bool:
        """Tell whether ``texts`` fit on a card, each in a row."""
        size = self.size
        wide = max(map(terminal_cells.width, texts), default=0)
        return len(texts) <= size.height and wide <= size.width

    def _laying(self, known: Face | None, part: int) -> cards.Block:
        """Return a card on its way: the other player's card slides in, the own card turns."""
        whole = cards.back(self.skin, self.size, known)
        if known is not None:
            turning = cards.edge(self.skin, self.size, narrow=True)
            return (cards.face(known, self.skin, self.size), turning, whole)[part - 1]
        rows = max(1, self.size.height * part // 3)
        return [*whole[:rows], *cards.place(self.size)[rows:]]

    def _judged(self, resolution: Resolution, seat: Seat, known: Face | None) -> cards.Block:
        """Return a card of a judged mat, turned up if both players had a card there."""
        moment, opened = self.scene.moment, resolution.cards[seat]
        turned = moment.turned[seat] if moment.mat == resolution.mat else Turned.FACE
        beside: terminal_cells.Line = []
        if self.size.height == 1:  # no room for strips
            style, text = self._said(resolution, seat)
            beside = (
                [(style, text)] if terminal_cells.width(text) <= self.size.width // 2 else []
            )
        size = cards.Size(self.size.width - terminal_cells.line_width(beside), self.size.height)
        if opened is None or turned is Turned.BACK:
            card = cards.back(self.skin, size, known)
        elif turned is Turned.FACE:
            ground = self._ground(resolution, seat)
            card = cards.face(opened, self.skin, size, ground, apart=bool(beside))
        else:
            card = cards.edge(self.skin, size, narrow=turned is Turned.EDGE)
        return [[*line, *beside] for line in card]

    def _ground(self, resolution: Resolution, seat: Seat) -> str:
        """Return the paper of an open card; its colour also tells whether the card has won."""
        if not self._is_lit(resolution.mat):
            return "shade"
        if self.scene.moment.said is Caption.NOTHING:
            return "paper"
        match resolution.gain[seat]:
            case Token.WHISK:
                return "caught"
            case Token():
                return "better"
            case None:
                return "paper"

    def _said(self, resolution: Resolution, seat: Seat) -> terminal_cells.Fragment:
        """Return the word beside a card of a judged mat."""
        moment = self.scene.moment
        here = moment.mat == resolution.mat
        if here and moment.said is Caption.NOTHING:
            return _NOTHING
        if here and moment.said is Caption.VERDICT and resolution.revealed:
            return "class:now", _verdict(resolution, seat)
        token = resolution.gain[seat]
        if token is None:
            return _NOTHING
        if here and moment.flash:
            style = "class:at"
        elif self._is_lit(resolution.mat) or self._is_current(resolution.mat):
            style = f"class:chip {style_of(token)}"
        else:
            style = style_of(token)
        signs = signs_of(self.skin)
        sign = signs.letter(token) if self.size.height == 1 else signs.token(token)
        spelt = f"+{sign} {TOKENS[token]()}"
        short = self.size.height == 1 or terminal_cells.width(spelt) > self.size.width
        return style, f"+{sign}" if short else spelt

    def _foreseen(self) -> dict[int, terminal_cells.Fragment]:
        """Return the forecast of the chosen card, by mat."""
        match self.scene.question:
            case screen_scene.Aiming(observation, slot) | screen_scene.Ready(
                observation, Play(slot=slot)
            ):
                return {
                    each.mat: ("class:now", (captions.FITS if each.fits else captions.BLUFF)())
                    for each in forecast(observation, slot)
                }
            case _:
                return {}


def _verdict(resolution: Resolution, seat: Seat) -> str:
    """Return a word for the outcome of a card that was turned up."""
    match resolution.gain[seat], resolution.gain[opposite(seat)]:
        case Token.WHISK, _:
            return captions.VERDICT_BLUFF()
        case None, None:
            return captions.VERDICT_BLUFF()
        case None, _:
            return captions.VERDICT_BEATEN()
        case _:
            return captions.VERDICT_MATCH()


def _laid_at(scene: screen_scene.Scene, seat: Seat) -> int | None:
    """Return the mat where ``seat`` laid a card by mistake, or None."""
    made = scene.made if seat == scene.seat else None
    return made.mat if isinstance(made, Play) else None


def _spaced(cells: Sequence[terminal_cells.Line]) -> terminal_cells.Line:
    return [fragment for cell in cells for fragment in (*cell, _GAP)]


def _clickable(key: str, block: cards.Block) -> cards.Block:
    """Return a block in which a click means ``key``."""
    click = terminal_cells.clicked(key)
    return [[(f"{style} {click}", text) for style, text in line] for line in block]


def _aimed(question: screen_scene.Question) -> int | None:
    match question:
        case screen_scene.Aiming(mat=mat) | screen_scene.Ready(move=Play(mat)):
            return mat
        case _:
            return None


def _chosen(question: screen_scene.Question) -> int | None:
    """Return the slot under the cursor or chosen, PASSING for the button, or None."""
    match question:
        case screen_scene.Picking(at=at) | screen_scene.Sorting(at=at):
            return at
        case screen_scene.Aiming(slot=slot) | screen_scene.Ready(move=Play(slot=slot)):
            return slot
        case screen_scene.Ready():
            return screen_scene.PASSING
        case screen_scene.Waiting():
            return None


def _is_raised(question: screen_scene.Question, slot: int) -> bool:
    """Tell whether a card is chosen."""
    match question:
        case (
            screen_scene.Sorting(kept=kept)
            | screen_scene.Ready(before=screen_scene.Sorting(kept=kept))
        ):
            return slot in kept
        case _:
            return slot == _chosen(question)


def _number(
    question: screen_scene.Question, slot: int, size: cards.Size
) -> terminal_cells.Fragment:
    """Return the number of a card, marked if the card is chosen."""
    match question:
        case (
            screen_scene.Sorting(kept=kept)
            | screen_scene.Ready(before=screen_scene.Sorting(kept=kept))
        ) if slot in kept:
            text = captions.KEPT(number=slot + 1)
        case _:
            text = str(slot + 1)
    if slot != _chosen(question):
        return "class:faint", terminal_cells.centred(text, size.width)
    room = size.width - terminal_cells.width(text)
    marked = f"> {text} <" if room > 3 else f">{text}<" if room > 1 else f">{text}"
    return "class:now", terminal_cells.centred(marked, size.width)


def _button(
    question: screen_scene.Question,
) -> tuple[terminal_cells.Fragment, terminal_cells.Fragment]:
    """Return the key and the label of the button beside laying a card."""
    match question:
        case screen_scene.Waiting():
            return _NOTHING, _NOTHING
        case screen_scene.Sorting() | screen_scene.Ready(before=screen_scene.Sorting()):
            label = captions.BUTTON_KEEP()
        case _:
            label = captions.BUTTON_SKIP()
    click = terminal_cells.clicked(SKIPPING)
    if _chosen(question) == screen_scene.PASSING:
        return ("class:now", f"> {SKIPPING} <"), (f"class:at {click}", f"[{label}]")
    return ("class:faint", SKIPPING), (click, f"[{label}]")
