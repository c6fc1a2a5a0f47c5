"""SPEC.md says what the code does: anchors, checks, tables, numbers, an example in bytes."""

import json
import re
from collections.abc import Iterator
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path, PurePath
from typing import get_args

import pytest

from matcha_p2p.crypto import shuffle, sigma
from matcha_p2p.crypto.ristretto255 import DST, GENERATOR, RISTRETTO255, encode_scalar
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.machine import close, deal, faces, opening
from matcha_p2p.machine.step import act, adopt
from matcha_p2p.machine.table import Due, ProtocolPhase, Table, next_due, state_digest
from matcha_p2p.meeting import beacon, nearby, pairing
from matcha_p2p.narration.quick_phrases import PHRASES
from matcha_p2p.player.reply import decide, follow
from matcha_p2p.player.secret import Player
from matcha_p2p.rules.cards import FACES, Face
from matcha_p2p.rules.edition import EDITIONS
from matcha_p2p.rules.game import new_game
from matcha_p2p.rules.moves import PASS, Keep, Move, Play
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.phases import How, Keeping
from matcha_p2p.rules.seats import SEATS, Seat
from matcha_p2p.rules.snapshot import snapshot
from matcha_p2p.session.connection.line import LOST_AFTER
from matcha_p2p.session.session import GREETING_LIMIT
from matcha_p2p.transcript import archive, entry
from matcha_p2p.transport import framing, listen, noise
from matcha_p2p.transport.codes import invite, reply
from matcha_p2p.transport.endpoints import MOST_ENDPOINTS, Endpoint, at_port
from matcha_p2p.watching.gallery import SEND_LIMIT
from matcha_p2p.wire import encoding, messages, records, talk, text
from matcha_p2p.wire.talk import MOST_WATCHERS
from tests.duel import Duel, next_entry, opened, play_out

ROOT = Path(__file__).parent.parent
SPEC = (ROOT / "SPEC.md").read_text(encoding="utf-8")
ANCHORS = re.findall(r'<a id="([a-z0-9-]+)"></a>', SPEC)


def sources(root: Path, *folders: str) -> dict[PurePath, str]:
    """Return the modules in ``folders`` by where they are in the checkout at ``root``."""
    return {
        PurePath(path.relative_to(root)): path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted((root / folder).rglob("*.py"))
    }


PACKAGE = sources(ROOT, "matcha_p2p")
SOURCES = PACKAGE | sources(ROOT, "tests")
DECISIONS = {"PLAY", "PASS", "KEEPC", "KEEP"}


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
def short_game() -> tuple[Table, Duel]:
    """Return a game of 2020 in full, and its table after the greetings."""
    duel = opened("SPEC short", "2020")
    return duel.table, play_out(duel, (first_move, first_move))


@cache
def long_game() -> tuple[Table, Duel]:
    """Return the beginning of a game of 2015, over a set's end with kept cards, likewise."""
    duel = opened("SPEC long", "2015")
    begun = duel.table
    while len(duel.entries) < 30 and (said := next_entry(duel, (hoard, hoard))):
        duel.say(said)
    return begun, duel


@cache
def actions_asked_for() -> list[tuple[str, str, Due]]:
    """Return the phase, the action and what was due at every step of both games."""
    return [step for game in (short_game(), long_game()) for step in replayed(*game)]


def replayed(state: Table, duel: Duel) -> Iterator[tuple[str, str, Due]]:
    for said in duel.entries[2:]:
        for action in said.actions():
            due = next_due(state)
            assert due is not None
            yield type(state.phase).__name__, name_of(action), due
            state, _ = act(state, said.seat, action)
        state = adopt(state, said)


def name_of(action: messages.Action) -> str:
    """Return the name of an action on the wire."""
    encoded = messages.encode_action(action)
    assert isinstance(encoded, list)
    return str(encoded[0])


def entries() -> list[entry.Entry]:
    """Return every entry of both games."""
    return [said for _, duel in (short_game(), long_game()) for said in duel.entries]


def test_a_module_is_what_it_is_wherever_the_checkout_lies(tmp_path):
    """Also in a folder called like one of ours."""
    root = tmp_path / "tests" / "crypto" / "checkout"
    (root / "matcha_p2p" / "wire").mkdir(parents=True)
    (root / "matcha_p2p" / "wire" / "text.py").write_text("SPEC#names")
    found = sources(root, "matcha_p2p", "tests")
    assert found == {PurePath("matcha_p2p/wire/text.py"): "SPEC#names"}


def test_every_anchor_that_the_code_cites_exists():
    cited = {
        (anchor, path.name)
        for path, source in SOURCES.items()
        for anchor in re.findall(r"SPEC#([a-z0-9-]+)", source)
    }
    assert not {(anchor, name) for anchor, name in cited if anchor not in ANCHORS}


def test_anchors_are_unique_and_every_link_leads_to_one():
    assert len(ANCHORS) == len(set(ANCHORS))
    assert not set(re.findall(r"\]\(#([^)]*)\)", SPEC)) - set(ANCHORS)


def test_every_way_to_write_a_number_in_bytes_is_defined():
    used = set(re.findall(r"\b([BL]E\d)\(", SPEC))
    assert used == set(re.findall(r"[BL]E\d", "".join(map("".join, table("conventions")))))


def test_every_standard_that_is_named_is_among_the_sources():
    named = r"\b(?:RFC|BIP|UAX) \d+|\bFIPS [\d-]+|\bdraft-[a-z-]+[a-z](?:-\d+)?|\bCPace|\bHMAC"
    body, sources = SPEC.split('<a id="sources"></a>', 1)
    assert set(re.findall(named, body)) <= set(re.findall(named, sources))


def test_every_assumption_that_a_claim_rests_on_is_stated():
    stated = {row[0] for row in table("assumptions")}
    assert stated == {f"A{number}" for number in range(1, len(stated) + 1)}
    assert set(re.findall(r"\bA\d+\b", SPEC)) <= stated
    assert f"A1 to A{len(stated)} assumptions" in SPEC


def test_every_rule_that_the_code_cites_is_stated():
    stated = set(re.findall(r"\*\*(R\d+)\*\*", SPEC))
    assert stated == {f"R{number}" for number in range(1, 26)}
    cited = {
        rule
        for path, source in PACKAGE.items()
        if "crypto" not in path.parts  # there R_1 and the like are symbols
        for rule in re.findall(r"\bR[1-9]\d?\b", source)
    }
    assert cited <= stated


def test_every_check_has_its_row_and_every_row_its_check():
    rows = table("checks")
    expected = [(str(number), check.value) for number, check in enumerate(Check, start=1)]
    assert [(number, code) for number, code, *_ in rows] == expected
    assert {evidence for _, _, evidence, _ in rows} == {"public", "local"}


def test_no_check_is_named_that_does_not_exist():
    assert set(re.findall(r"`(E_[A-Z]+)`", SPEC)) == {check.value for check in Check}


def test_every_limit_is_that_of_the_code():
    shortest = invite.Invite(at_port([IPv4Address("192.0.2.1")], 1), bytes(16))
    six = IPv6Address("2001:db8::1")
    longest = invite.Invite(tuple(Endpoint(six, port) for port in range(1, 8)), bytes(16))
    assert {what: float(number) for what, number in table("limits")} == {
        "bytes of kind and payload of a frame": framing.FRAME_LIMIT,
        "bytes of an encoding": encoding.LIMIT,
        "elements of an array": encoding._MAX_ITEMS,
        "arrays within arrays": encoding._MAX_DEPTH,
        "largest integer": encoding.MAX_INTEGER,
        "characters of a name": text.NAME_LIMIT,
        "bytes of a name": text.NAME_SIZE_LIMIT,
        "characters of talk": text.TALK_LIMIT,
        "cards in a shuffle, at least": shuffle.SMALLEST,
        "cards in a shuffle, at most": shuffle.LARGEST,
        "coins of a game": close.COINS,
        "bytes of a transcript": archive.SIZE_LIMIT,
        "items of a transcript": archive.ITEM_LIMIT,
        "entries that a SYNC announces, at least": records.LEAST_LENGTH,
        "entries that a SYNC announces, at most": records.MOST_LENGTH,
        "addresses of an invite": MOST_ENDPOINTS,
        "bytes of an invite's secret": invite.SECRET_SIZE,
        "characters of the shortest invite": len(shortest.encode()),
        "characters of the longest invite": len(longest.encode()),
        "bytes of an answer code's tag": reply.TAG_SIZE,
        "lowest port that is dialled because somebody says so": reply.LEAST_PORT,
        "default port": listen.DEFAULT_PORT,
        "seconds from connection to flight 3": listen.KNOCK_DEADLINE,
        "seconds to greet, and for a SYNC": GREETING_LIMIT,
        "unproven connections": listen.SLOTS,
        "unproven connections of one block": listen.SLOTS_PER_BLOCK,
        "flights 1 answered in a second": listen.HANDSHAKES_PER_SECOND,
        "bytes of a query, and of an answer at most": beacon.SIZE,
        "answers in a second by IPv4, and by IPv6": nearby.ANSWERS_PER_SECOND,
        "answers in a second to one address": nearby.ANSWERS_TO_ONE,
        "digits of a pairing code": pairing.DIGITS,
        "seconds that a pairing code lives": pairing.CODE_LIFE,
        "wrong pairing codes that close the door": pairing.GUESSES,
        "watchers of a game, at most": MOST_WATCHERS,
        "seconds that a watcher has to take a frame": SEND_LIMIT,
        "seconds of silence that end a connection": LOST_AFTER,
        "bytes of st": entry.STATE_SIZE,
    }


def test_the_editions_differ_as_the_table_says():
    words = {"yes": True, "no": False, "until it passes": None, "no limit": None}
    words |= {"further rounds": True, "draw": False}
    for column, name in enumerate(("2015", "2020"), start=1):
        values = [words.get(row[column], row[column]) for row in table("game-end")]
        edition = EDITIONS[name]
        stated = [value if value in {True, False, None} else int(value) for value in values]
        assert stated == [*edition[1:]]


def test_the_rules_have_the_digests_shown():
    for name, first, array, digest in table("rules"):
        drawn = first == "drawn"
        assert digest == opening.rules_digest(EDITIONS[name], drawn=drawn).hex()
        assert digest == H("rules", encoding.pack(json.loads(array))).hex()


def test_the_ways_to_end_are_those_of_the_rules():
    row = next(row for row in table("snapshot-phases") if row[0].startswith('["end"'))
    assert re.findall(r"[a-z-]+", row[1].split("how: one of ")[1]) == [how.value for how in How]


def test_the_labels_of_the_hash_are_all_that_are_used():
    listed = re.search(r"labels of H in use are ([^.]*)\.", SPEC)
    assert listed is not None
    used = {
        label for text in PACKAGE.values() for label in re.findall(r'\bH\("([a-z]+)"', text)
    }
    assert set(re.findall(r"`([a-z]+)`", listed[1])) == used


def test_what_is_signed_is_signed_under_the_domains_listed():
    domains = re.compile(r'"(matcha/v1/[a-z]+)\\0')
    used = {domain for text in PACKAGE.values() for domain in domains.findall(text)}
    assert set(domains.findall(section("signatures").split("<a id", 1)[0])) == used


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
        archive.MAGIC[:-1],
    ],
)
def test_the_names_that_go_into_keys_and_hashes_are_stated(name: bytes):
    assert name.decode() in SPEC


def test_the_actions_have_the_fields_listed():
    encoded = {field[0]: field for said in entries() for field in said.fields}
    rows = table("messages")
    assert len(rows) == len(get_args(messages.Action))
    assert {name for name, *_ in rows} == set(encoded)
    for name, listed, _ in rows:
        count = 0 if listed == "none" else len(listed.split(","))
        assert len(encoded[name]) == 1 + count


def test_the_byte_strings_have_the_sizes_listed():
    listed = {name: re.findall(r"[^,\s][^,]*", sizes) for name, _, sizes in table("messages")}
    for said in entries():
        for name, *values in said.fields:
            sizes = [len(value) for value in values if isinstance(value, bytes)]
            assert len(sizes) == len(listed[name])
            assert all(map(fits, sizes, listed[name]))


def fits(size: int, listed: str) -> bool:
    """Tell whether a size is of a form such as 32, 32·k, 0 or 64, 32·(4·N + 5)."""
    if match := re.fullmatch(r"(\d+)·[Nmn]", listed):
        return size % int(match[1]) == 0
    if listed == "32·(4·N + 5)":
        return (size // 32 - 5) % 4 == 0
    return str(size) in listed.split(" or ")


def test_the_phases_ask_for_what_the_table_says():
    rows = {row[0].split("(")[0]: row[2] for row in table("machine")}
    assert list(rows) == [
        "Start",
        "Greeted",
        *(phase.__name__ for phase in get_args(ProtocolPhase)),
    ]
    listed = {(name, action) for name, row in rows.items() for action in row.split(", ")}
    beginning = {("Start", "HELLO"), ("Greeted", "HELLO"), ("Over", "")}
    assert {(name, action) for name, action, _ in actions_asked_for()} == listed - beginning


def test_the_decisions_are_the_four_listed():
    assert "PLAY, PASS, KEEPC and KEEP are **decisions**" in SPEC
    for _, action, due in actions_asked_for():
        assert due.decision == (action in DECISIONS)


@pytest.mark.parametrize("kept", [(0, 0), (1, 0), (0, 2), (3, 1)])
@pytest.mark.parametrize("first", [0, 1])
def test_the_steps_of_a_deal_come_in_the_order_listed(first: Seat, kept: tuple[int, int]):
    game = new_game(EDITIONS["2015"], SEATS[0])._replace(kept=kept)
    seats = {"first": first, "second": 1 - first}
    due = {
        "": True,
        "k_first = 0": kept[first] == 0,
        "k_first > 0": kept[first] > 0,
        "k_second > 0": kept[1 - first] > 0,
    }
    words = {"SHUF deal": "shuffle", "OWN": "own", "STRIP": "strip"}
    listed = [
        (seats[by], words[action.split(",")[0]])
        for _, by, action, condition in table("deal")
        if due[condition]
    ]
    assert list(deal.dealing(game, first, ()).owing) == listed


def test_entries_have_the_sizes_listed():
    paragraph = " ".join(section("entry-sizes").split("\n\n", 1)[0].split())
    listed = re.findall(r"([A-Z]+(?: [A-Z]+)*) (\d+)", paragraph)
    made = {
        (" ".join(field[0] for field in said.fields), len(said.encoded)) for said in entries()
    }
    assert len(listed) == 10
    assert {(names, int(size)) for names, size in listed} <= made


def test_frames_and_farewells_are_those_listed():
    assert [(int(n), name) for n, name, _ in table("frames")] == [
        (kind.value, kind.name) for kind in framing.Kind
    ]
    for farewell in talk.Farewell:
        assert f"`{farewell.value}`" in section("talk").split("<a id", 1)[0]


def test_the_phrases_are_those_listed():
    listed = re.findall(r'([0-9]+)\s"(.*?)"', section("phrases").split("### ", 1)[0])
    assert listed == [(str(number), phrase()) for number, phrase in PHRASES.items()]
    assert [*PHRASES] == [*range(1, talk.PHRASES + 1)]


def test_the_example_is_what_the_code_makes():
    shown: dict[str, str] = {}
    name = ""
    for line in block("example").splitlines():
        if "=" in line:
            name, value = (part.strip() for part in line.split("="))
            shown[name] = value
        else:
            shown[name] += line.strip()
    assert shown == {name: value.hex() for name, value in example().items()}


def test_the_state_of_the_example_is_what_the_code_makes():
    state = snapshot(example_game().table.game)
    array, packed, digest = block("example-state").split("\n\n")
    assert json.loads(array) == state
    assert bytes.fromhex(packed) == encoding.pack(state)
    assert bytes.fromhex(digest) == state_digest(example_game().table)


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
    greeting, answer, shuffled, laid = (duel.entries[seq] for seq in (0, 1, 2, 5))
    hello = duel.table.hellos[0]
    equation = sigma.Equation(image=((1, 1),), terms=((0, 0, 1),))
    possession = sigma.Relation(RISTRETTO255, (GENERATOR, hello.game_key), (equation,))
    gid, links = duel.table.gid, [player.chain[1] for player in duel.players]
    rest = faces.rest_of_deck(duel.table.game.table)
    return {
        "K": shuffle.blinding().encode(),
        "K_1": shuffle.generators(1)[0].encode(),
        "K_64": shuffle.generators(64)[63].encode(),
        "M_0": element_of(FACES[0]),
        "M_16": element_of(FACES[16]),
        "binding": greeting.prev,
        **secrets_of(duel.players[0]),
        "anchor_0": hello.anchor,
        "session key 0": hello.session_key,
        "POP sid": opening.hello_context(greeting.prev, SEATS[0]).sid("POP"),
        "POP ser": possession.encoding,
        "POP c": encode_scalar(hello.pop.challenge),
        "POP z": encode_scalar(hello.pop.responses[0]),
        "entry 0": greeting.encoded,
        "id of entry 0": greeting.id,
        **secrets_of(duel.players[1]),
        "id of entry 1": answer.id,
        "gid": gid,
        "Y": duel.table.joint_key.encode(),
        "link_0[1]": links[0],
        "link_1[1]": links[1],
        "H(dealer, ..)": H("dealer", gid, *links),
        "H(table, ..)": H("table", gid, (1).to_bytes(4, "big"), *links),
        "table": bytes(face.index for face in duel.table.game.table),
        "deck, card 1": faces.mask_public(rest, duel.table.joint_key)[0].encode(),
        "SHUF sid, entry 2": sigma.Context("deal", answer.id, 0).sid("SHUFFLE"),
        "id of entry 2": shuffled.id,
        "seat 1, slot 0": duel.table.hands[1].cards[0].encode(),
        "its back": duel.table.hands[1].backs[0],
        "entry 5": laid.encoded,
    }


def element_of(face: Face) -> bytes:
    (card,) = faces.mask_public((face,), GENERATOR)
    return (card.c2 - GENERATOR).encode()


def secrets_of(player: Player) -> dict[str, bytes]:
    return {
        f"game secret {player.seat}": player.secrets.game,
        f"session seed {player.seat}": player.secrets.session,
        f"x_{player.seat}": encode_scalar(player.x),
        f"X_{player.seat}": player.game_key.encode(),
        f"link_{player.seat}[4096]": player.chain[-1],
    }
