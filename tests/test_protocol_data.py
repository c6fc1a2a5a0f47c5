"""protocol/messages.cddl and protocol/checks.toml say what the code does."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from cddl_verifier import Validator, cbor

from matcha_p2p.chain import verify
from matcha_p2p.crypto import signature
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import Check, CheckError
from matcha_p2p.games.kashi.table import signed
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITIONS
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.games.tichu.table import steps as tichu
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import Action, MoveAction, decode_action, encode_action
from matcha_p2p.table.seat import state_record
from matcha_p2p.table.step import act, actions_of
from matcha_p2p.table.table import Table
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.admission import parse_watch
from matcha_p2p.wire.again import parse_again, parse_open, read_next
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.lobby import parse_join, parse_lobby
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.record import Record, parse_record
from matcha_p2p.wire.roster import parse_roster
from matcha_p2p.wire.said import parse_said, parse_way
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.statements import (
    Abort,
    Claim,
    Expose,
    Resign,
    Statement,
    Sync,
)
from matcha_p2p.wire.talk import (
    PHRASES,
    Farewell,
    Phrase,
    Say,
    decode_farewell,
    decode_spoken,
    decode_way,
    encode_farewell,
    encode_spoken,
)
from matcha_p2p.wire.watching import decode_come, decode_dismissal, decode_sight
from matcha_p2p.wire.words import parse_ask, parse_here
from protocol.generator import kashi_games
from protocol.generator.three import SEED, played
from protocol.generator.tichu import parties
from protocol.generator.tichu_games import random_round, tables
from tests import citations
from tests.duel import Duel, opened
from tests.games.toy.steps import Toy
from tests.machines.walk import verb_of
from tests.walks import Way, actions, hoarding, uniform, ways

FOLDER = Path(__file__).parent.parent / "protocol"
SPEC = (FOLDER.parent / "SPEC.md").read_text(encoding="utf-8")
GRAMMAR = Validator(FOLDER / "messages.cddl")
CHECKS = tomllib.loads((FOLDER / "checks.toml").read_text(encoding="utf-8"))["check"]
MACHINE = tomllib.loads((FOLDER / "machine.toml").read_text(encoding="utf-8"))
VERBS = MACHINE["verb"]
LINK = ["COIN", bytes(32)]
LINK_ID = Binding(b"link")
RID = RosterId(b"rid")
OWN_KEY = public_key(bytes(32))
OWN_PROOF = signature.sign(
    bytes(32), b"matcha/v1/again keys\0" + RID + pack([0, 3, OWN_KEY, bytes(32)])
)

FORMS = ({**begin(EDITION_2015).forms, **Toy.forms, **signed.FORMS}, tichu.FORMS)
WRONG_NUMBER = {"SHUF": "E_SHUFFLE", "SHARE": "E_SHARE"}
"""What refuses an action that decodes, but holds a number of cards that is never due."""


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture):
    """Keep the validator from logging each refusal."""
    caplog.set_level("CRITICAL", logger="cddl_verifier")


def fits(rule: str, value: Any) -> bool:
    """Tell whether a rule of the grammar allows ``value``, mapped to CBOR."""
    return GRAMMAR.validate(cbor.encode(value), rule).valid


def refusal(decode: Callable[[Any], object], value: Any) -> str | None:
    """Return the check of the refusal of ``value`` by ``decode``, or None."""
    try:
        decode(value)
    except CheckError as error:
        return error.check.value
    return None


@cache
def said() -> tuple[tuple[Table, Seat, Action], ...]:
    """Return every action of games in which all kinds occur, and the table before it."""
    choosers = uniform(0), (hoarding, hoarding)
    return tuple(step for pair in choosers for step in actions(Way("data", "2015", pair)))


@cache
def duel() -> Duel:
    """Return a duel after greetings with identities."""
    return opened("data", identities=(bytes(32), None))


def samples() -> dict[str, Any]:
    """Return an encoded action of each verb and move, as long as one can be."""
    hello, _ = duel().table.hellos
    others = [("choose", bytes(32)), ("start", 303), ("turn", *range(19)), ("upkeep", 9)]
    every = [hello, *(action for _, _, action in said())]
    every += [MoveAction(move) for move in (*others, ("on",), ("settle",))]
    encoded: list[Any] = [encode_action(action) for action in every]
    encoded.sort(key=lambda value: len(pack(value)))
    moves = {f"MOVE {move[1]} in Tichu": move for move in moves_of_tichu()}
    return {name_of(value): value for value in encoded} | moves


def moves_of_tichu() -> list[list[Any]]:
    """Return the moves of a whole round."""
    said = [action for entry in random_round().entries for action in entry.fields]
    return [list(action) for action in said if isinstance(action, list) and action[0] == "MOVE"]


def name_of(value: list[Any]) -> str:
    """Return the verb of an action and the name of its move."""
    return " ".join(field for field in value[:3] if isinstance(field, str))


NAMES = (
    *("HELLO", "COIN", "SHUF", "SHARE", "SEAL", "RESULT", "UNSEAL keep"),
    *("MOVE lay", "MOVE pass", "MOVE keep", "MOVE choose"),
    *("MOVE start", "MOVE turn", "MOVE upkeep", "MOVE on", "MOVE settle"),
    *(f"MOVE {name} in Tichu" for name in tichu.FORMS),
)

HOSTILE: tuple[Any, ...] = (
    *(0, 2**53, -1, 1.5, True, None, {}),
    *(b"", b"\1" * 32, "?", [], [[]]),
)


def mutants(value: list[Any]) -> Iterator[list[Any]]:
    """Yield ``value`` with a field too few, too many, of another type, size or range."""
    yield [*value, 0]
    yield [*value, b""]
    for place, item in enumerate(value):
        before, after = value[:place], value[place + 1 :]
        yield [*before, *after]
        for other in HOSTILE:
            if type(other) is not type(item) or other != item:
                yield [*before, other, *after]
        match item:
            case bytes():
                for size in (1, 31, 32, 64, 192, 32 * 30):
                    yield [*before, item + item[:1] * size, *after]
                    yield [*before, item[:-size], *after]
                    yield [*before, item + item[:32] * (size // 32), *after]
            case int():
                yield from ([*before, other, *after] for other in range(10))
            case list():
                yield from ([*before, inner, *after] for inner in mutants(item))
            case _:
                pass


def of_one_card(value: list[Any]) -> Iterator[list[Any]]:
    """Yield a shuffle and its proof, cut down to one card."""
    match value:
        case ["SHUF", deck, proof]:
            yield ["SHUF", deck[:64], proof[:64] + proof[-32 * 7 :]]
        case _:
            pass


@pytest.mark.slow
def test_everything_that_is_said_fits_the_grammar():
    """Walk duels with every step of the machine, and every state on the way."""
    for way in ways():
        duel = way.begin()
        for entry in duel.entries:
            check_entry(entry)
        for entry in way.entries(duel):
            check_entry(entry)
            duel.say(entry)
            assert fits("state", duel.table.game.snapshot())
            assert fits("owing", [[owed.seat, owed.verb.value] for owed in duel.table.owing])


def check_entry(entry: Entry) -> None:
    assert fits("entry", unpack(entry.encoded))
    assert fits("entry-body", unpack(entry.signed.body))


@pytest.mark.slow
def test_other_sent_or_hashed_values_fit_the_grammar():
    for record in records(Check):
        assert fits("record", unpack(record.encoded))
        assert fits("record-body", unpack(record.signed.body))
    for said in (Say("Tea?"), Phrase(1), Phrase(PHRASES)):
        assert fits("spoken", unpack(encode_spoken(said)))
    for farewell in Farewell:
        assert fits("farewell", unpack(encode_farewell(farewell)))
    games = [begin(edition, first) for edition in EDITIONS.values() for first in (None, *SEATS)]
    variants = map("".join, product(tichu.TARGETS, ("", " plays"), ("", " early")))
    for game in (*games, Toy(), *(tichu.new_game(variant, 4) for variant in variants)):
        assert fits("rules", [game.name, game.variant, game.seats, game.rules()])
    for state in (
        *played(SEED).states[3:],
        *(table for _, party in parties() for table, _ in tables(party)),
    ):
        assert fits("state", state.game.snapshot())
    assert fits("entry-body", unpack(played(SEED).log[5].signed.body))


@pytest.mark.slow
@pytest.mark.parametrize("label", kashi_games.GAMES)
def test_games_of_kashi_fit_the_grammar(label):
    game = kashi_games.played(label)
    for table in game.tables:
        assert fits("state", unpack(pack(table.game.snapshot())))
        assert fits("owing", [[owed.seat, owed.verb.value] for owed in table.owing])
    for entry in game.log:
        check_entry(entry)
    first = game.tables[0].game
    assert fits("rules", [first.name, first.variant, first.seats, first.rules()])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_grammar_and_the_decoder_refuse_the_same_actions(name: str):
    """But for numbers of cards that decode and are never due: see the next test."""
    verb = name.split(maxsplit=1)[0]
    for mutant in mutants(samples()[name]):
        check = refusal(decode, mutant)
        if fits("action", mutant) and not beyond(mutant):
            assert check in {None, "E_POINT"}
        elif check is None:
            assert verb in WRONG_NUMBER
            assert not beyond(mutant)
        else:
            assert check in {"E_ENCODING", *VERBS[verb]["decode"]}


def beyond(value: list[Any]) -> bool:
    """Tell whether an action breaks what the grammar leaves to its comments."""
    match value:
        case ["HELLO", _, versions, *_]:
            return versions != sorted({*versions})
        case ["SHUF", deck, proof]:
            return len(deck) % 64 != 0 or len(proof) != 32 * (4 * (len(deck) // 64) + 5)
        case ["SHARE", shares, _]:
            return len(shares) % 32 != 0
        case _:
            return False


def decode(value: Any) -> Action:
    """Decode an action of any game, or refuse it as an array of its bytes would be."""
    for forms in FORMS[:-1]:
        with suppress(CheckError):
            return decode_action(unpack(pack(value)), forms)
    return decode_action(unpack(pack(value)), FORMS[-1])


@pytest.mark.slow
def test_decodable_value_outside_the_grammar_is_refused_as_its_comment_says():
    met = set()
    for table, seat, action in {verb_of(step[2]): step for step in said()}.values():
        encoded = encode_action(action)
        for mutant in (*mutants(encoded), *of_one_card(encoded)):
            if refusal(decode, mutant) is None and not fits("action", mutant):
                met.add(mutant[0])
                check = refusal(partial(act, table, seat, place=0), decode(mutant))
                assert check == WRONG_NUMBER[mutant[0]]
    assert met == set(WRONG_NUMBER)
    comments = "\n".join(re.findall(";.*", (FOLDER / "messages.cddl").read_text("utf-8")))
    assert set(WRONG_NUMBER.values()) <= set(re.findall("E_[A-Z]+", comments))


@pytest.mark.parametrize("count", [0, 65])
def test_a_message_of_no_action_or_of_65_is_beyond_the_grammar(count: int):
    body = [2, 0, bytes(32), bytes(16), [LINK] * count]
    assert not fits("entry-body", body)
    body[4] = [LINK]
    assert fits("entry-body", body)


def test_the_grammar_and_the_parser_refuse_the_same_entries():
    for mutant in mutants([2, 0, bytes(32), bytes(16), [LINK]]):
        check = refusal(actions_of_entry, mutant)
        if fits("entry-body", mutant):
            assert check is None
        else:
            assert check == "E_ENCODING" or mutant[4] == []  # that is E_GRAMMAR, later


def actions_of_entry(body: Any) -> Sequence[Action]:
    return actions_of(parse_entry(sign(b"", body, bytes(32))), begin(EDITION_2015))


def records(codes: Iterable[Check]) -> list[Record]:
    """Return a record of each kind, and of ABORT one for each of ``codes``."""
    statements: list[Statement] = [
        Resign(),
        Claim(60, 1_795_000_000),
        Expose(1),
        Sync(2, bytes(32)),
        Sync(65_536, bytes(32)),
    ]
    statements += [Abort(check.value, bytes(32)) for check in codes]
    return [state_record(duel().players[0], duel().table, said) for said in statements]


@pytest.mark.slow
def test_the_grammar_and_the_parser_refuse_the_same_records():
    for record in records([Check.LIMIT]):
        for mutant in mutants(list(unpack(record.signed.body))):
            check = refusal(lambda body: parse_record(sign(b"", body, bytes(32))), mutant)
            assert fits("record-body", mutant) == (check is None), mutant
            assert check in {None, "E_RECORD", "E_ENCODING", "E_SCALAR"}


def test_the_grammar_and_the_parsers_refuse_the_same_of_the_rest():
    for original, parse, rule in (
        (["SAY", "Tea?"], decode_spoken, "spoken"),
        (["PHRASE", 9], decode_spoken, "spoken"),
        (["LATER"], decode_farewell, "farewell"),
        ([1], decode_sight, "watch-sight"),
        ([0, [[4717, bytes(4)]]], decode_way, "ways"),
        (["FULL"], decode_dismissal, "dismissal"),
        ([b"roster", [b"0", b"1", b"2"]], read_next, "next-roster"),
        ([bytes(16), "Ann", 3, 1], decode_come, "come"),
    ):
        for mutant in mutants(original):
            assert fits(rule, mutant) == (refusal(parse, pack(mutant)) is None)


@pytest.mark.parametrize(
    ("rule", "domain", "parse"),
    [
        ("roster-body", b"matcha/v1/roster\0", parse_roster),
        ("join-body", b"matcha/v1/join\0link", lambda body: parse_join(body, LINK_ID)),
        ("lobby-body", b"matcha/v1/lobby\0link", lambda body: parse_lobby(body, LINK_ID)),
        ("ask-body", b"matcha/v1/ask\0rid", lambda body: parse_ask(body, RID, (OWN_KEY,))),
        ("here-body", b"matcha/v1/here\0rid", lambda body: parse_here(body, RID, (OWN_KEY,))),
        ("talk-body", b"matcha/v1/talk\0rid", lambda body: parse_said(body, RID, [OWN_KEY])),
        ("way-body", b"matcha/v1/way\0rid", lambda body: parse_way(body, RID, [OWN_KEY])),
        ("watch-body", b"matcha/v1/watch\0rid", lambda body: parse_watch(body, RID, [OWN_KEY])),
        (
            "again-body",
            b"matcha/v1/again\0rid",
            lambda body: parse_again(body, RID, (OWN_KEY,)),
        ),
        ("open-body", b"matcha/v1/open\0rid", lambda body: parse_open(body, RID, [OWN_KEY])),
    ],
)
def test_the_grammar_and_the_parsers_refuse_the_same_before_a_game(rule, domain, parse):
    seats = [["Ann", public_key(bytes([n] * 32)), bytes([n] * 32), b"", 0] for n in range(3)]
    game = ["tichu", "1000 plays", bytes(32)]
    original = {
        "roster-body": [1, bytes(32), *game, seats],
        "join-body": [1, seats[0]],
        "lobby-body": [*game, [*seats[:2], []], bytes(32), 2],
        "ask-body": [0, 3, 1, bytes(32)],
        "here-body": [0, 1, 3, 1, bytes(32), 2, b"", b""],
        "talk-body": [0, 3, 1, ["SAY", "Tea?"]],
        "way-body": [0, 3, 1, [[4717, bytes(4)], [1, bytes(16)]]],
        "watch-body": [0, 3, 1, 2, 1, []],
        "again-body": [0, 3, [OWN_KEY, bytes(32), OWN_PROOF]],
        "open-body": [0],
    }[rule]
    assert parse(sign(domain, original, bytes(32)))
    for mutant in mutants(original):
        check = refusal(lambda body: parse(sign(domain, body, bytes(32))), mutant)
        assert fits(rule, mutant) == (check != "E_ENCODING"), mutant
        assert check in {None, "E_ENCODING", "E_VERSION", "E_TEXT", "E_KEY", "E_SIG"}


def test_checks_are_listed_in_the_order_of_the_code():
    listed = [(row["number"], row["code"], row["name"]) for row in CHECKS]
    assert listed == [(n, check.value, check.name) for n, check in enumerate(Check, start=1)]


def test_each_check_has_its_place_and_its_evidence_in_the_specification():
    stated = dict(re.findall(r"\| \d+ \| `(E_[A-Z]+)` \| (\w+) \|", SPEC))
    assert {row["code"]: row["evidence"] for row in CHECKS} == stated
    for row in CHECKS:
        assert citations.CITATION.fullmatch(row["anchor"])
        assert re.fullmatch(r"[A-Z][^.]*\.", row["sentence"])


def test_each_check_is_applied_where_a_report_counts_it():
    """The verifier reports what there was occasion for; here are the same occasions."""
    assert applied("entry") == codes(verify._EVERY_ENTRY)
    assert applied("record") == codes(verify._EVERY_RECORD)
    for verb, checks in verify._CALLED_FOR.items():
        sometimes = {"HELLO": {"E_CERT", "E_ROSTER"}, "MOVE": {"E_BACK"}, "UNSEAL": {"E_BACK"}}
        assert applied(verb) == codes(checks) | sometimes.get(verb, set())


def test_each_check_is_applied_where_the_machine_can_fail_it():
    every = applied("entry")
    moves = [checks for row in MACHINE["stage"] for checks in row.get("moves", {}).values()]
    game = {MACHINE["refusal"]["move"], *(check for checks in moves for check in checks)}
    for verb, row in VERBS.items():
        can_fail = {*row["decode"], *row["checks"]} - every
        assert applied(verb) == (can_fail - {"game"} | game if "game" in can_fail else can_fail)


def applied(what: str) -> set[str]:
    return {row["code"] for row in CHECKS if what in row["applies"]}


def codes(checks: frozenset[Check]) -> set[str]:
    return {check.value for check in checks}
