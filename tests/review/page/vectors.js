/**
 * The modules of the JavaScript verifier, one by one, against a file of protocol/vectors:
 * `node vectors.js NAME`. Prints how many cases there were; exit code 1 names those that fail.
 */

import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import {
  bytesOf,
  bytes32,
  hex,
  unhex,
} from "../../../matcha_p2p/review/page/verifier/bytes.js";
import { backOf, open, publicCard } from "../../../matcha_p2p/review/page/verifier/cards.js";
import { Chain, decodeSigned } from "../../../matcha_p2p/review/page/verifier/chain.js";
import { ADMITTED, MARKS } from "../../../matcha_p2p/review/page/verifier/characters.js";
import { checkSignature, decodeKey } from "../../../matcha_p2p/review/page/verifier/ed25519.js";
import { pack, unpack } from "../../../matcha_p2p/review/page/verifier/encoding.js";
import { rulesDigest } from "../../../matcha_p2p/review/page/verifier/greeting.js";
import { DRAW, H, INT, XOF } from "../../../matcha_p2p/review/page/verifier/hashes.js";
import { findMatcha } from "../../../matcha_p2p/review/page/verifier/matcha.js";
import { decodeAction } from "../../../matcha_p2p/review/page/verifier/messages.js";
import { checkName } from "../../../matcha_p2p/review/page/verifier/names.js";
import * as proofs from "../../../matcha_p2p/review/page/verifier/proofs.js";
import {
  decodeElement,
  decodeScalar,
  hashToGroup,
} from "../../../matcha_p2p/review/page/verifier/ristretto.js";
import { decodeRoster } from "../../../matcha_p2p/review/page/verifier/roster.js";
import { sha512 } from "../../../matcha_p2p/review/page/verifier/sha2.js";
import { judge } from "../../../matcha_p2p/review/page/verifier/transcript.js";
import { findToy } from "./toy.js";

const FOLDER = new URL("../../../protocol/vectors/", import.meta.url);

/** @param {() => unknown} work @returns {string | null} the check that refuses */
function refusal(work) {
  try {
    work();
    return null;
  } catch (error) {
    if (typeof error.check !== "string") throw error;
    return error.check;
  }
}

const element = (digits) => decodeElement(unhex(digits));
const masked = (digits) => ({ A: element(digits.slice(0, 64)), B: element(digits.slice(64)) });
const encoded = ({ A, B }) => hex(A.encoded) + hex(B.encoded);
const placeOf = ({ head, ...place }) => ({ ...place, head: unhex(head) });
const find = (...game) => findMatcha(...game) ?? findToy(...game);
const gameOf = (name) => (name === "toy" ? find(name, "one", 3) : find(name, "2015", 2));
const scalarHex = (scalar) => hex(bytes32(scalar));

/** Values as encoding.json writes them: bytes are {hex}. */
function plain(value) {
  if (value instanceof Uint8Array) return { hex: hex(value) };
  return Array.isArray(value) ? value.map(plain) : value;
}

/** Values as entries.json writes them: bytes are hex. */
function printed(value) {
  if (value instanceof Uint8Array) return hex(value);
  return Array.isArray(value) ? value.map(printed) : value;
}

function bytesOfCase({ bytes, repeat }) {
  if (bytes !== undefined) return unhex(bytes);
  const [start, each, times] = repeat;
  return unhex(start + each.repeat(times));
}

function proofOf(X, pieces) {
  const action = decodeAction(["SHARE", ...pieces], {});
  return { shares: action.shares, proof: action.proof, X };
}

function checkStatement(given, statement, sid) {
  const ser = proofs.serialised(statement);
  deepStrictEqual(hex(sha512(ser)), given["SHA-512(ser)"]);
  deepStrictEqual(hex(sid), given.sid);
}

/** @type {Record<string, (given: any) => void>} */
const TESTS = {
  encoding(given) {
    const bytes = bytesOfCase(given);
    deepStrictEqual(
      refusal(() => unpack(bytes)),
      given.check ?? null,
    );
    if (!given.check) {
      deepStrictEqual(plain(unpack(bytes)), given.value);
      deepStrictEqual(pack(unpack(bytes)), bytes);
    }
  },
  hash(given) {
    if (given.function === "H") {
      deepStrictEqual(hex(H(given.label, ...given.x.map(unhex))), given.out);
    } else if (given.function === "XOF") {
      deepStrictEqual(hex(XOF(unhex(given.s), unhex(given.x), given.n)), given.out);
    } else if (given.function === "INT") {
      deepStrictEqual(INT(unhex(given.b)).map(scalarHex), given.out);
    } else {
      deepStrictEqual(given.function, "KDF"); // a player's affair
    }
  },
  drawing({ seed, n, k, out }) {
    deepStrictEqual(DRAW(unhex(seed), n, k), out);
  },
  group({ m, element: expected }) {
    deepStrictEqual(hex(hashToGroup(unhex(m)).encoded), expected);
  },
  elements(given) {
    const work = () =>
      "element" in given ? element(given.element) : decodeScalar(unhex(given.scalar));
    deepStrictEqual(refusal(work), given.check);
  },
  names({ text, check }) {
    deepStrictEqual(
      refusal(() => checkName(text)),
      check,
    );
  },
  keys({ key, message, signature, check }) {
    const work = () =>
      signature === undefined
        ? decodeKey(unhex(key))
        : checkSignature(unhex(key), unhex(message), unhex(signature));
    deepStrictEqual(refusal(work), check);
  },
  cards(given) {
    if ("back" in given) {
      deepStrictEqual(hex(backOf(unhex(given.gid), masked(given.card))), given.back);
      return;
    }
    const { faces } = gameOf(given.game);
    const work = () => open(given.game, faces, masked(given.masked), given.D.map(element));
    deepStrictEqual(refusal(work), given.check ?? null);
    if (given.check) return;
    const Y = element(given.Y);
    const card = publicCard(given.game, given.face, Y);
    const r = decodeScalar(unhex(given.r));
    const again = {
      A: card.A.plus(proofs.possession(Y).elements[0].times(r)),
      B: card.B.plus(Y.times(r)),
    };
    deepStrictEqual(
      [encoded(card), encoded(again), work()],
      [given.public, given.masked, given.face],
    );
  },
  pop(given) {
    const work = () => {
      const X = element(given.X);
      const { proof } = proofOf(X, [new Uint8Array(0), unhex(given.proof)]);
      if (given.ser) {
        deepStrictEqual(hex(proofs.serialised(proofs.possession(X))), given.ser);
        checkStatement(
          given,
          proofs.possession(X),
          proofs.sessionId("POP", "hello", placeOf(given)),
        );
      }
      proofs.verifyPossession(X, proof, placeOf(given));
    };
    deepStrictEqual(refusal(work), given.check);
  },
  shares(given) {
    const work = () => {
      const X = element(given.X);
      const cards = given.cards.map(masked);
      const { shares, proof } = proofOf(X, [unhex(given.shares.join("")), unhex(given.proof)]);
      if (given.ser) {
        const sid = proofs.sessionId("SHARES", given.label, placeOf(given));
        checkStatement(given, proofs.sharing(X, cards, shares), sid);
      }
      proofs.verifyShares(X, cards, shares, proof, given.label, placeOf(given));
    };
    deepStrictEqual(refusal(work), given.check);
  },
  shuffle(given) {
    const work = () => {
      const old = given.deck.map(masked);
      const Y = element(given.Y);
      const made = ["SHUF", unhex(given["deck'"].join("")), unhex(given.proof)];
      const { shuffle } = decodeAction(made, {});
      if (given.u) {
        const u = proofs.shuffleScalars(old, Y, given.label, shuffle, placeOf(given));
        deepStrictEqual(u.map(scalarHex), given.u);
        const sid = proofs.sessionId("SHUFFLE", given.label, placeOf(given));
        checkStatement(given, proofs.shuffling(old, Y, shuffle, u), sid);
      }
      proofs.verifyShuffle(old, Y, given.label, shuffle, placeOf(given));
    };
    deepStrictEqual(refusal(work), given.check);
  },
  rules({ rules, pack: bytes, digest }) {
    deepStrictEqual(hex(pack(rules)), bytes);
    deepStrictEqual(hex(rulesDigest(find(...rules))), digest);
  },
  state({ file, entry, ...given }) {
    const { table } = file ? chainOf(file, entry + 1) : new Chain(find);
    deepStrictEqual(hex(table.stateTag()), given.st);
    if (!file) return;
    const piles = Object.entries(table.piles).sort(([a], [b]) => (a < b ? -1 : 1));
    deepStrictEqual(
      {
        state: table.game.snapshot(),
        pack: hex(pack(table.game.snapshot())),
        digest: hex(table.gameDigest()),
        owing: table.owing,
        piles: piles.map(([name, cards]) => ({
          name,
          backs: cards.map(({ back }) => hex(back)),
          shares: hex(cards.flatMap(({ shares }) => shares.map((share) => (share ? 1 : 0)))),
        })),
        st: given.st,
      },
      given,
    );
  },
  entries(given) {
    const items = frames(given.file);
    const entry = items[given.entry];
    const { body, signature, fields } = decodeSigned(entry);
    const [seq, seat, prev, st, actions] = fields;
    deepStrictEqual(
      [
        hex(body),
        hex(signature),
        hex(H("msg", entry)),
        seq,
        seat,
        hex(prev),
        hex(st),
        printed(actions),
      ],
      [
        given.body,
        given.signature,
        given.id,
        given.seq,
        given.seat,
        given.prev,
        given.st,
        given.actions,
      ],
    );
  },
  records({ file, item, record, kind, seat }) {
    deepStrictEqual(hex(frames(file)[item]), record);
    const data = new Uint8Array(readFileSync(new URL(`accept/${file}`, FOLDER)));
    const { records } = judge(data, new Chain(find));
    deepStrictEqual(
      records.some((each) => each.kind === kind && each.seat === seat),
      true,
    );
  },
};

/** @param {string} file @returns {Uint8Array[]} the payloads of its items */
function frames(file) {
  return payloads(file).slice(1);
}

/** @param {string} file @returns {Uint8Array[]} its payloads, of the roster first */
function payloads(file) {
  const bytes = new Uint8Array(readFileSync(new URL(`accept/${file}`, FOLDER)));
  const found = [];
  for (let start = 20; start < bytes.length;) {
    const end = start + 2 + 256 * bytes[start] + bytes[start + 1];
    found.push(bytes.subarray(start + 3, end));
    start = end;
  }
  return found;
}

/** @param {string} file @param {number} length @returns {Chain} its first entries, accepted */
function chainOf(file, length) {
  const chain = new Chain(find);
  const [roster, ...items] = payloads(file);
  chain.table.listed = decodeRoster(roster);
  for (const entry of items.slice(0, length)) chain.accept(entry);
  return chain;
}

/** The lists of SPEC, names. */
function checkCharacters() {
  const digits = (n) => n.toString(16).toUpperCase().padStart(4, "0");
  for (const [file, ranges] of [
    ["admitted", ADMITTED],
    ["marks", MARKS],
  ]) {
    const lines = ranges.map(([first, last]) => `${digits(first)}-${digits(last)}\n`).join("");
    const listed = new URL(`../characters/${file}.txt`, FOLDER);
    deepStrictEqual(lines, readFileSync(listed, "utf-8"));
  }
}

const [, , name] = process.argv;
const { cases } = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf-8"));
if (name === "names") checkCharacters();
let failed = 0;
for (const [number, given] of cases.entries()) {
  try {
    TESTS[name](given);
  } catch (error) {
    failed += 1;
    console.error(`${name} ${number} ${given.name ?? ""}: ${error.stack}`);
  }
}
console.log(cases.length);
process.exit(failed ? 1 : 0);
