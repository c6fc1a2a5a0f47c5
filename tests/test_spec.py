"""The documents of the protocol say what the code does: checks, tables, numbers, an example."""

import hashlib
import json
import re
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import get_args

import pytest

from matcha_p2p.chain import archive
from matcha_p2p.crypto import shuffle
from matcha_p2p.crypto.ristretto255 import DST, encode_scalar
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.table import steps as kashi
from matcha_p2p.games.kashi.table.written import text_of
from matcha_p2p.games.matcha.rules.moves import PASS, Keep, Move, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import How, Keeping
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.rules.snapshot import snapshot
from matcha_p2p.games.matcha.table.steps import (
    FORMS,
    hand_of,
    new_game,
)
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.games.tichu.table import steps as tichu
from matcha_p2p.meeting import beacon, nearby, pairing
from matcha_p2p.narration.quick_phrases import PHRASES
from matcha_p2p.seats import MOST_SEATS
from matcha_p2p.session.connection import word_kinds
from matcha_p2p.session.connection.line import LOST_AFTER
from matcha_p2p.session.step.waits import GREETING_LIMIT
from matcha_p2p.table.greeting import rules_digest
from matcha_p2p.table.messages import Action
from matcha_p2p.table.moves import Number
from matcha_p2p.table.seat import Player, decide, follow
from matcha_p2p.table.step import Taken
from matcha_p2p.table.steps import (
    COINS,
    Coin,
    Decide,
    Over,
    Sealed,
    Share,
    Shuffle,
    Step,
)
from matcha_p2p.table.table import Verb, game_digest, is_decision, next_due, state_tag
from matcha_p2p.table.verbs import _LABEL
from matcha_p2p.transport import framing, listen, noise
from matcha_p2p.transport.codes import invite, reply
from matcha_p2p.transport.endpoints import MOST_ENDPOINTS, Endpoint, at_port
from matcha_p2p.watching.watch_host import SEND_LIMIT
from matcha_p2p.wire import encoding, entry, statements, talk, text
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.watching import MOST_WATCHERS
from tests.citations import DOCUMENTS
from tests.duel import Chooser, Duel, next_entry, opened
from tests.games.toy.steps import Toy

ROOT = Path(__file__).parent.parent
SPEC = "\n".join((ROOT / file).read_text(encoding="utf-8") for file in DOCUMENTS.values())
"""All documents of the protocol: an anchor stands in one of them."""


def section(anchor: str) -> str:
    """Return what follows an anchor, to the end."""
    return SPEC.split(f'<a id="{anchor}"></a>', 1)[1]


def table(anchor: str) -> list[list[str]]:
    """Return the cells of the first table after an anchor, its heading left out."""
    found = re.search(r"(?:^\|.*\n)+", section(anchor), re.MULTILINE)
    assert found is not None
    rows = [line.strip().strip("|").split("|") for line in found[0].splitlines()]
    return [[cell.strip().replace("`", "") for cell in row] for row in rows[2:]]


def block(anchor: str) -> str:
    """Return the first fenced block after an anchor."""
    return section(anchor).split("```\n", 2)[1]


def first_move(observation: Observation) -> Move:
    """Play whatever is legal first: both lay cards at the same mats."""
    return observation.legal_moves()[0]


def hoard(observation: Observation) -> Move:
    """Pass through a set and keep cards: seat 0 one, seat 1 two."""
    if isinstance(observation.game.phase, Keeping):
        return Keep(frozenset(range(1 + observation.seat)))
    return PASS


@cache
def short_game() -> tuple[Duel, list[Taken]]:
    """Return a game of 2020 in full, and every action after the greetings."""
    duel = opened("SPEC short", "2020")
    return duel, taken(duel, (first_move, first_move), 99)


@cache
def long_game() -> tuple[Duel, list[Taken]]:
    """Return the beginning of a game of 2015, over a set's end with kept cards, likewise."""
    duel = opened("SPEC long", "2015")
    return duel, taken(duel, (hoard, hoard), 30)


def taken(duel: Duel, choosers: tuple[Chooser, Chooser], most: int) -> list[Taken]:
    """Play until there are ``most`` entries; return the actions."""
    actions = list[Taken]()
    while len(duel.entries) < most and (said := next_entry(duel, choosers)):
        actions += [event for event in duel.say(said) if isinstance(event, Taken)]
    return actions


@cache
def all_taken() -> list[Taken]:
    """Return every action of both games."""
    return [*short_game()[1], *long_game()[1]]


def name_of(field: Value) -> str:
    """Return the verb of an action on the wire, and the name of its move."""
    match field:
        case ["MOVE", str(move), *_]:
            return f"MOVE {move}"
        case [str(verb), *_]:
            return verb
        case _:
            raise AssertionError(field)


def entries() -> list[entry.Entry]:
    """Return every entry of both games."""
    return [said for duel, _ in (short_game(), long_game()) for said in duel.entries]


def test_every_check_has_its_row_and_every_row_its_check():
    rows = table("checks")
    expected = [(str(number), check.value) for number, check in enumerate(Check, start=1)]
    assert [(number, code) for number, code, *_ in rows] == expected
    assert {evidence for _, _, evidence, _ in rows} == {"public", "local"}


def test_named_checks_exist():
    assert set(re.findall(r"`(E_[A-Z]+)`", SPEC)) == {check.value for check in Check}


def test_every_word_and_its_limits_are_those_of_the_code():
    rows = {row[0].partition("]")[0][1:]: row[-1] for row in table("words")}
    assert rows == {
        kind.name: "{}, {}".format(*row.rate) for kind, row in word_kinds.BY_FRAME.items()
    }


def test_every_limit_is_that_of_the_code():
    assert {what: int(number) for what, number in table("limits")} == {
        "bytes of an encoding": encoding.LIMIT,
        "bytes of kind and payload of a frame": framing.FRAME_LIMIT,
        "bytes of a transcript": archive.SIZE_LIMIT,
        "items of a transcript": archive.ITEM_LIMIT,
    }


WORDS = {3: "three", 6: "six"}
SHORTEST = invite.Invite(at_port([IPv4Address("192.0.2.1")], 1), bytes(16)).encode()
LONGEST = invite.Invite(
    tuple(Endpoint(IPv6Address("2001:db8::1"), port) for port in range(1, 8)), bytes(16)
).encode()


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        ("conventions", f"the number of seats of a table, 2 to {MOST_SEATS}"),
        ("encoding", "0 .. 2⁵³ \N{MINUS SIGN} 1"),
        ("encoding", f"array | 0 .. {encoding._MAX_ITEMS} elements"),
        ("encoding", f"nested more than {encoding._MAX_DEPTH} deep"),
        ("names", f"1 to {text.NAME_LIMIT} characters"),
        ("shuffle", f"{shuffle.SMALLEST} ≤ N ≤ {shuffle.LARGEST}"),
        ("steps", f"1 to {_LABEL} letters"),
        ("coin", f"link_s[0] to link_s[{COINS}]"),
        ("entries", f"st {entry.STATE_SIZE} bytes"),
        ("records", f"an integer {statements.LEAST_LENGTH} .. the greatest number of [items]"),
        ("lost", f"After {LOST_AFTER:g} s without a frame"),
        ("talk", f"cut to {text.TALK_LIMIT} characters"),
        ("invite", f"1 to {MOST_ENDPOINTS} addresses"),
        ("invite", f"{invite.SECRET_SIZE} | secret, random, for one game"),
        ("invite", f"{len(SHORTEST)} to {len(LONGEST)} characters"),
        ("answer", f"{reply.TAG_SIZE} | TAG(KEY(secret of the invite"),
        ("answer", f"at ports from {reply.LEAST_PORT} on"),
        ("listening", f"allow {listen.KNOCK_DEADLINE:g} s from connection to flight 3"),
        ("listening", f"hold at most {listen.SLOTS} connections without a valid flight 1"),
        ("listening", f"and {listen.SLOTS_PER_BLOCK} of them from one IPv4 address"),
        ("listening", f"at most {listen.HANDSHAKES_PER_SECOND} valid flights 1 a second"),
        ("resume", f"a limited time for it (here {GREETING_LIMIT:g} s)"),
        ("beacon", f"by UDP to port {listen.DEFAULT_PORT}"),
        ("beacon", f"query, {beacon.SIZE}"),
        ("beacon", f"at most {nearby.ANSWERS_PER_SECOND} queries a second by IPv4"),
        ("beacon", f"same share for each address, {nearby.ANSWERS_TO_ONE} at most"),
        ("pairing", f"draws {WORDS[pairing.DIGITS]} decimal digits"),
        ("pairing", f"let a code live {pairing.CODE_LIFE / 60:g} minutes"),
        ("pairing", f"After {WORDS[pairing.GUESSES]} wrong codes"),
        ("watching", f"(0 .. {MOST_WATCHERS}, 0 at a seat that is no host)"),
        ("watching", f"takes no frame for {SEND_LIMIT:g} s"),
    ],
)
def test_number_of_the_code_stands_once_in_its_section(anchor: str, said: str):
    assert " ".join(SPEC.split()).count(said) == 1
    assert said in " ".join(section(anchor).split("\n## ")[0].split())


def test_numbers_that_are_stated_as_a_formula_or_by_another_name():
    assert encoding.MAX_INTEGER == 2**53 - 1
    assert statements.MOST_LENGTH == archive.ITEM_LIMIT


def test_the_rules_have_the_digests_shown():
    for variant, values, digest in table("matcha-rules"):
        game = new_game(variant, 2)
        assert game is not None
        assert json.loads(values) == game.rules()
        assert digest == rules_digest(game).hex()
        assert digest == H("rules", encoding.pack(["matcha", variant, 2, game.rules()])).hex()


def test_the_rules_of_tichu_have_the_digests_shown():
    rows = list(table("tichu-values"))
    for variant, values, digest in rows:
        game = tichu.new_game(variant, 4)
        assert game is not None
        assert (json.loads(values), digest) == (game.rules(), rules_digest(game).hex())
    assert len(rows) == 4 * len(tichu.TARGETS)


def test_the_rules_of_kashi_have_the_digests_shown():
    board = re.search(r"of the shipped board\s+`([0-9a-f]+)`", section("kashi-rules"))
    assert board is not None
    for variant, seats, digest in table("kashi-rules"):
        game = kashi.new_game(variant, int(seats))
        assert game is not None
        assert (*game.rules(), rules_digest(game).hex()) == (bytes.fromhex(board[1]), digest)


def test_text_of_the_shipped_board_is_shown():
    shown = SPEC.partition('<a id="kashi-shipped"></a>')[2].split("```")[1]
    assert shown.replace("\n", "") == text_of(shipped_board())


def test_the_toy_game_has_the_digest_shown():
    assert f"digest `{rules_digest(Toy()).hex()}`" in section("toy")


def test_ways_to_end_are_listed_as_in_the_rules():
    stated = re.findall(r'"([a-z-]+)"', section("matcha-end").split("\n## ")[0])
    others = {"place", "keep", "deal", "end"}
    assert {*stated} - others == {how.value for how in How} - {How.RESIGNED.value}


@pytest.mark.parametrize(
    "name",
    [
        DST,
        noise.PROTOCOL_NAME,
        noise.PROLOGUE,
        b"matcha/v1 invite psk",
        b"matcha/v1 pairing psk",
        b"matcha/v1 friend",
        b"matcha/v1 call psk",
        b"matcha/v1 table psk",
        archive.MAGIC[:-1],
    ],
)
def test_the_names_that_go_into_keys_and_hashes_are_stated(name: bytes):
    assert name.decode() in SPEC


def test_the_actions_have_the_fields_listed():
    encoded = {field[0]: field for said in entries() for field in said.fields}
    rows = [
        row if row[0] != "HELLO" else ["HELLO", *fields_of_hello()] for row in table("verbs")
    ]
    assert [verb for verb, *_ in rows] == [verb.value for verb in Verb]
    assert len(rows) == len(get_args(Action))
    for verb, listed, _ in rows:
        count = len(listed.split(",")) - listed.count("then its fields")
        if verb in {"MOVE", "UNSEAL"}:
            assert len(encoded[verb]) > count
        else:
            assert len(encoded[verb]) == 1 + count


def fields_of_hello() -> tuple[str, str]:
    """Return the fields of HELLO and the sizes of its byte strings, each list in one text."""
    names, types = zip(*(row[:2] for row in table("hello")), strict=True)
    sizes = (each.removesuffix(" bytes") for each in types if each.endswith(" bytes"))
    return ", ".join(names), ", ".join(sizes)


def test_the_byte_strings_have_the_sizes_listed():
    listed = {verb: re.findall(r"[^,\s][^,]*", sizes) for verb, _, sizes in table("verbs")}
    listed["HELLO"] = re.findall(r"[^,\s][^,]*", fields_of_hello()[1])
    for said in entries():
        for verb, *values in said.fields:
            sizes = [len(value) for value in values if isinstance(value, bytes)]
            stated = [size for size in listed[verb] if size != "as the game says"]
            assert all(map(fits, sizes, stated))
            assert len(sizes) == len(stated) or verb in {"MOVE", "UNSEAL"}


def fits(size: int, listed: str) -> bool:
    """Tell whether a size is of a form such as 32, 32·k, 0 or 64, 32·(4·N + 5)."""
    if match := re.fullmatch(r"(\d+)·[Nm]", listed):
        return size % int(match[1]) == 0
    if listed == "32·(4·N + 5)":
        return (size // 32 - 5) % 4 == 0
    return str(size) in listed.split(" or ")


def test_the_moves_of_matcha_have_the_fields_listed():
    for name, listed in table("matcha-moves"):
        fields = [
            f"an integer {field.least} to {field.most}"
            if isinstance(field, Number)
            else f"of {field.least} to {field.most} cards"
            if field.least < field.most
            else f"of {field.least} card"
            for field in FORMS[name]
        ]
        found = re.findall(r"an integer \d to \d|of \d to \d cards|of \d card\b", listed)
        assert found == fields
    assert [name for name, *_ in table("matcha-moves")] == [*FORMS]


def test_the_steps_owe_the_verbs_that_the_table_lists():
    rows = {row[0].split("(")[0]: row[1] for row in table("owing")}
    assert list(rows) == [step.__name__ for step in get_args(Step)]
    listed = {
        (name, verb) for name, row in rows.items() for verb in re.findall("[A-Z]{4,}", row)
    }
    made = {
        (type(each.before.step).__name__, each.before.owing[0].verb.value)
        for each in all_taken()
    }
    assert made == listed


def test_decisions_are_listed_as_in_the_code():
    assert "SEAL; MOVE of a Sealed; MOVE of a Decide that is not auto" in " ".join(SPEC.split())
    for each in all_taken():
        verb = each.before.owing[0].verb
        assert is_decision(each.before) == (verb in {Verb.SEAL, Verb.MOVE})


def test_stages_of_matcha_ask_as_the_table_says():
    asked = {
        (type(each.before.step).__name__, label_of(each.before.step)) for each in all_taken()
    }
    listed = set[tuple[str, str]]()
    for _, step, _ in table("matcha-steps"):
        label = re.search(r'"([a-z]+)"', step)
        listed.add((step.split("(")[0], label[1] if label else ""))
    assert asked == listed


def label_of(step: Step) -> str:
    """Return the label of a step, "" if it has none."""
    match step:
        case Shuffle(_, _, label) | Share(_, _, label):
            return label
        case Coin() | Decide() | Sealed() | Over():
            return ""


def test_entries_have_the_sizes_listed():
    paragraph = " ".join(section("entry-sizes").split("\n\n", 1)[0].split())
    listed = re.findall(
        r"((?:[A-Z]+|lay|pass|keep)(?: (?:[A-Z]+|lay|pass|keep))*) (\d+)", paragraph
    )
    made = {(" ".join(map(name_of, said.fields)), len(said.encoded)) for said in entries()}
    assert len(listed) == 10
    assert {(names, int(size)) for names, size in listed} <= made


def test_frames_and_farewells_are_listed_as_in_the_code():
    assert [(int(n), name) for n, name, _ in table("frames")] == [
        (kind.value, kind.name) for kind in framing.Kind
    ]
    for farewell in talk.Farewell:
        assert farewell.value in {reason for reason, *_ in table("goodbyes")}


def test_phrases_are_listed_as_in_the_code():
    paragraph = " ".join(section("phrases").split("\n\n", 1)[0].split())
    listed = re.findall(r'([0-9]+) "(.*?)"', paragraph)
    assert listed == [(str(number), phrase()) for number, phrase in PHRASES.items()]
    assert [*PHRASES] == [*range(1, talk.PHRASES + 1)]


def test_vectors_have_the_digest_shown():
    """As sha256sum prints it: the digest of each file, two spaces, its name, a line feed."""
    folder = ROOT / "protocol/vectors"
    files = sorted(
        (path.relative_to(folder).as_posix().encode(), path)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".md"
    )
    lines = [
        hashlib.sha256(path.read_bytes()).hexdigest().encode() + b"  " + name + b"\n"
        for name, path in files
    ]
    digest = hashlib.sha256(b"".join(lines)).hexdigest()
    assert digest in re.findall("[0-9a-f]{64}", SPEC), f"for the head of SPEC.md: {digest}"


def test_reading_order_names_each_file_of_vectors():
    readme = (ROOT / "protocol/README.md").read_text(encoding="utf-8")
    order = readme.split("## Reading order\n")[1].split("\n## ")[0]
    rows = [line for line in order.splitlines() if line.startswith("| ")]
    named = [name for row in rows for name in re.findall("`([a-z_]+/?)`", row.split("|")[3])]
    folder = ROOT / "protocol/vectors"
    files = [path.stem for path in folder.glob("*.json")]
    assert sorted(named) == sorted(
        [*files, *(f"{p.name}/" for p in folder.iterdir() if p.is_dir())]
    )


def test_example_is_made_by_the_code():
    shown: dict[str, str] = {}
    name = ""
    for line in block("example").splitlines():
        if "=" in line:
            name, value = (part.strip() for part in line.split("="))
            shown[name] = value
        else:
            shown[name] += line.strip()
    assert shown == {name: value.hex() for name, value in example().items()}


def test_state_of_the_example_is_made_by_the_code():
    table = example_game().table
    state = snapshot(game_of(table))
    array, packed, digest, owing, tag = block("example-state").split("\n\n")
    assert json.loads(array) == state
    assert bytes.fromhex(packed) == encoding.pack(state)
    assert bytes.fromhex(digest) == game_digest(table.game)
    assert json.loads(owing) == [[owed.seat, owed.verb.value] for owed in table.owing]
    assert bytes.fromhex(tag) == state_tag(table) == example_game().entries[-1].state


@cache
def example_game() -> Duel:
    """Return the game of SPEC#example: opened, and one card laid."""
    duel = opened("SPEC example", "2020")
    while (due := next_due(duel.table)) is not None and not due.decision:
        said = follow(duel.players[due.seat], duel.table)
        assert said is not None
        duel.say(said[0])
    assert due is not None
    duel.say(decide(duel.players[due.seat], duel.table, Play(0, 0))[0])
    return duel


def example() -> dict[str, bytes]:
    """Return the values of SPEC#example, in its order."""
    duel = example_game()
    greeting, answer, laid = (duel.entries[seq] for seq in (0, 1, 5))
    table = duel.table
    hello = table.hellos[0]
    gid, links = table.gid, [player.chain[1] for player in duel.players]
    value = H("coin value", gid, (1).to_bytes(4), *links)
    mats = [face.index for face in game_of(table).table]
    (card, *_) = table.piles[hand_of(SEATS[1])]
    return {
        "K": shuffle.blinding().encode(),
        "rid": greeting.prev,
        **secrets_of(duel.players[0]),
        "anchor_0": hello.anchor,
        "session key 0": hello.session_key,
        "entry 0": greeting.encoded,
        "id of entry 0": greeting.id,
        **secrets_of(duel.players[1]),
        "id of entry 1": answer.id,
        "gid": gid,
        "Y": table.deck.key.encode(),
        "link_0[1]": links[0],
        "link_1[1]": links[1],
        "value of the coin": value,
        "H(table, ..)": H("table", value),
        "table": bytes(mats),
        "back of the card": card.back,
        "entry 5": laid.encoded,
    }


def secrets_of(player: Player) -> dict[str, bytes]:
    return {
        f"game secret {player.seat}": player.secrets.game,
        f"session seed {player.seat}": player.secrets.session,
        f"x_{player.seat}": encode_scalar(player.x),
        f"X_{player.seat}": player.game_key.encode(),
        f"link_{player.seat}[4096]": player.chain[-1],
    }
