"""protocol/messages.cddl and protocol/checks.toml say what the code does."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from cddl_verifier import Validator, cbor

from matcha_p2p.errors import Check, CheckError
from matcha_p2p.machine.step import act
from matcha_p2p.machine.table import Table
from matcha_p2p.player.reply import state_record
from matcha_p2p.review import verify
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.rules.snapshot import snapshot
from matcha_p2p.transcript.entry import Entry, parse_entry
from matcha_p2p.transcript.record import Record, parse_record
from matcha_p2p.transcript.signed import sign
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.messages import Action, decode_action, encode_action
from matcha_p2p.wire.records import (
    Abort,
    Claim,
    Expose,
    Resign,
    Statement,
    Sync,
    encode_statement,
)
from matcha_p2p.wire.talk import (
    PHRASES,
    Farewell,
    Phrase,
    Proposal,
    Say,
    decode_farewell,
    decode_talk,
    encode_farewell,
    encode_talk,
)
from matcha_p2p.wire.watching import decode_come, decode_dismissal, decode_sight
from tests.duel import Duel, opened
from tests.games import Way, actions, hoarding, uniform, ways
from tests.vectors import cases

FOLDER = Path(__file__).parent.parent / "protocol"
SPEC = (FOLDER.parent / "SPEC.md").read_text(encoding="utf-8")
GRAMMAR = Validator(FOLDER / "messages.cddl")
CHECKS = tomllib.loads((FOLDER / "checks.toml").read_text(encoding="utf-8"))["check"]
MACHINE = tomllib.loads((FOLDER / "machine.toml").read_text(encoding="utf-8"))

WRONG_NUMBER = {
    "SHUF": "E_SHUFFLE",
    "OWN": "E_SHUFFLE",
    "OPEN": "E_GRAMMAR",
    "REVEAL": "E_GRAMMAR",
    "STRIP": "E_SHARE",
    "KEEP": "E_KEEP",
    "KEEPO": "E_COMMIT",
}
"""What refuses an action that decodes, but holds a number of cards that is never due."""


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture):
    """Keep the validator from logging each refusal."""
    caplog.set_level("CRITICAL", logger="cddl_verifier")


def fits(rule: str, value: Any) -> bool:
    """Tell whether a rule of the grammar allows ``value``, mapped to CBOR."""
    return GRAMMAR.validate(cbor.encode(value), rule).valid


def refusal(decode: Callable[[Any], object], value: Any) -> str | None:
    """Return the check by which ``decode`` refuses ``value``, or None."""
    try:
        decode(value)
    except CheckError as error:
        return error.check.value
    return None


@cache
def said() -> tuple[tuple[Table, int, Action], ...]:
    """Return every action of a game in which all kinds occur, and the table before it."""
    choosers = uniform(0), (hoarding, hoarding)
    return tuple(step for pair in choosers for step in actions(Way("data", "2015", pair)))


def last_of_each_name() -> Iterable[tuple[Table, int, Action]]:
    return {type(action): (table, seat, action) for table, seat, action in said()}.values()


@cache
def duel() -> Duel:
    """Return a duel after greetings with identities."""
    return opened("data", identities=(bytes(32), None))


def samples() -> dict[str, Any]:
    """Return an encoded action of each name, as long as one can be."""
    greetings = [action for entry in duel().entries for action in entry.actions()]
    rest = [action for _, _, action in said()]
    encoded: list[Any] = [encode_action(action) for action in greetings + rest]
    encoded.sort(key=lambda value: len(pack(value)))
    return {value[0]: value for value in encoded}


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
    """Yield a shuffle cut down to one card, its proof with it."""
    match value:
        case ["SHUF" | "OWN" as name, deck, proof]:
            yield [name, deck[:64], proof[:64] + proof[-32 * 7 :]]
        case _:
            pass


@pytest.mark.slow
def test_everything_that_is_said_fits_the_grammar():
    """Over duels that take every step of the machine, and every state on their way."""
    for way in ways():
        duel = way.begin()
        for entry in duel.entries:
            check_entry(entry)
        for entry in way.entries(duel):
            check_entry(entry)
            duel.say(entry)
            assert fits("state", snapshot(duel.table.game))


def check_entry(entry: Entry) -> None:
    assert fits("entry", unpack(entry.encoded))
    assert fits("entry-body", unpack(entry.signed.body))


@pytest.mark.slow
def test_what_else_is_sent_or_hashed_fits_the_grammar():
    for record in records(Check):
        assert fits("record", unpack(record.encoded))
        assert fits("record-body", unpack(record.signed.body))
    for talk in (Say("Tea?"), Phrase(1), Phrase(PHRASES), *Proposal):
        assert fits("talk", unpack(encode_talk(talk)))
    for farewell in Farewell:
        assert fits("farewell", unpack(encode_farewell(farewell)))
    for array in re.findall(r'`(\["20\d\d",.*?\])`', SPEC):
        assert fits("rules", eval(array))
    assert len(re.findall(r'`\["20\d\d",.*?\]`', SPEC)) == 2 * len(EDITIONS)
    assert fits("state", [])


@pytest.mark.slow
@pytest.mark.parametrize("name", MACHINE["decode"])
def test_the_grammar_and_the_decoder_refuse_the_same_actions(name: str):
    """But for numbers of cards that decode and are never due: see the next test."""
    for mutant in mutants(samples()[name]):
        check = refusal(decode, mutant)
        if fits("action", mutant):
            descending = name == "HELLO" and mutant[2] != sorted({*mutant[2]})
            assert check == "E_ENCODING" if descending else check in {None, "E_POINT"}
        elif check is None:
            assert name in WRONG_NUMBER
        else:
            assert check in {"E_ENCODING", *MACHINE["decode"][name]}


def decode(value: Any) -> Action:
    """Decode an action, or refuse it as an array of its bytes would be."""
    decoded = unpack(pack(value))
    return decode_action(decoded)


@pytest.mark.slow
def test_what_decodes_and_does_not_fit_is_refused_as_its_comment_says():
    met = set()
    for table, seat, action in last_of_each_name():
        encoded = encode_action(action)
        for mutant in (*mutants(encoded), *of_one_card(encoded)):
            if refusal(decode, mutant) is None and not fits("action", mutant):
                met.add(mutant[0])
                check = refusal(partial(act, table, seat), decode(mutant))
                assert check == WRONG_NUMBER[mutant[0]]
    assert met == set(WRONG_NUMBER)
    comments = "\n".join(re.findall(";.*", (FOLDER / "messages.cddl").read_text("utf-8")))
    assert set(WRONG_NUMBER.values()) <= set(re.findall("E_[A-Z]+", comments))


@pytest.mark.parametrize("count", [0, 4])
def test_a_message_of_no_action_or_of_four_is_beyond_the_grammar(count: int):
    body = [2, 0, bytes(32), bytes(16), [["PASS"]] * count]
    assert not fits("entry-body", body)
    body[4] = [["PASS"]]
    assert fits("entry-body", body)


def test_the_grammar_and_the_parser_refuse_the_same_entries():
    for mutant in mutants([2, 0, bytes(32), bytes(16), [["PASS"]]]):
        check = refusal(actions_of_entry, mutant)
        if fits("entry-body", mutant):
            assert check is None
        else:
            assert check == "E_ENCODING" or mutant[4] == []  # that is E_GRAMMAR, later


def actions_of_entry(body: Any) -> Sequence[Action]:
    return parse_entry(sign(b"", body, bytes(32))).actions()


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
        (["SAY", "Tea?"], decode_talk, "talk"),
        (["PHRASE", 9], decode_talk, "talk"),
        (["OPEN"], decode_talk, "talk"),
        (["AGAIN"], decode_talk, "talk"),
        (["ALLOW", 1], decode_talk, "talk"),
        (["LATER"], decode_farewell, "farewell"),
        (["SIGHT", 1], decode_sight, "watch-sight"),
        (["FULL"], decode_dismissal, "dismissal"),
        (["COME", bytes(16), "Ann", 3, 1], decode_come, "come"),
    ):
        for mutant in mutants(original):
            assert fits(rule, mutant) == (refusal(parse, pack(mutant)) is None)


def test_the_checks_are_those_of_the_code_in_its_order():
    listed = [(row["number"], row["code"], row["name"]) for row in CHECKS]
    assert listed == [(n, check.value, check.name) for n, check in enumerate(Check, start=1)]


def test_each_check_has_its_place_and_its_evidence_in_the_specification():
    anchors = set(re.findall(r'<a id="([a-z0-9-]+)"></a>', SPEC))
    stated = dict(re.findall(r"\| \d+ \| `(E_[A-Z]+)` \| (\w+) \|", SPEC))
    assert {row["code"]: row["evidence"] for row in CHECKS} == stated
    for row in CHECKS:
        assert row["anchor"] in anchors
        assert re.fullmatch(r"[A-Z][^.]*\.", row["sentence"])


def test_each_check_is_applied_where_a_report_counts_it():
    """The verifier reports what there was occasion for; here are the same occasions."""
    assert applied("entry") == codes(verify._EVERY_ENTRY)
    assert applied("record") == codes(verify._EVERY_RECORD)
    for action, checks in verify._CALLED_FOR.items():
        name = samples_by_type()[action]
        certified = {"E_CERT"} if name == "HELLO" else set()
        assert applied(name) == codes(checks) | certified


def test_each_check_is_applied_to_the_kinds_of_records_that_a_report_counts():
    every = applied("record")
    for record in records([Check.LIMIT]):
        kind, _ = encode_statement(record.statement)
        assert applied(kind) - every == codes(verify._of_record(record)) - every


def test_each_check_that_refuses_a_sync_is_applied_to_it():
    assert applied("SYNC") == {case["check"] for case in cases("sync")} - {None}


def test_each_check_is_applied_where_the_machine_can_fail_it():
    every = applied("entry")
    for name, decode in MACHINE["decode"].items():
        steps = [row["checks"] for row in MACHINE["step"] if row["action"] == name]
        can_fail = {check for checks in (decode, *steps) for check in checks}
        can_fail |= {MACHINE["refusal"]["out"].get(name, "E_TURN")}
        assert applied(name) == can_fail - every


def applied(what: str) -> set[str]:
    return {row["code"] for row in CHECKS if what in row["applies"]}


def codes(checks: frozenset[Check]) -> set[str]:
    return {check.value for check in checks}


def samples_by_type() -> dict[type, str]:
    return {type(decode_action(value)): name for name, value in samples().items()}
