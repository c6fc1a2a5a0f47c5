/**
 * The JavaScript verifier against a trace or the plays of a game: node told.js trace/tichu.
 * Prints how many cases are right, or throws at the first wrong one.
 */

import { deepStrictEqual, throws } from "node:assert";
import { readFileSync } from "node:fs";
import { hex, unhex } from "../../../matcha_p2p/review/page/verifier/bytes.js";
import { Chain } from "../../../matcha_p2p/review/page/verifier/chain.js";
import { findKashi } from "../../../matcha_p2p/review/page/verifier/kashi.js";
import { findMatcha } from "../../../matcha_p2p/review/page/verifier/matcha.js";
import { decodeRoster } from "../../../matcha_p2p/review/page/verifier/roster.js";
import { cardAt, debts } from "../../../matcha_p2p/review/page/verifier/steps.js";
import { findTichu } from "../../../matcha_p2p/review/page/verifier/tichu.js";
import { copy } from "./copy.js";
import { findToy } from "./toy.js";

const FOLDER = new URL("../../../protocol/vectors/", import.meta.url);
const FINDERS = [findMatcha, findKashi, findTichu, findToy];
const find = (...game) => FINDERS.map((each) => each(...game)).find(Boolean);
const bytes = (text) => unhex(text.slice(2));

/** @returns {any} a value as JSON has it: bytes in hex behind 0x, all arrays as lists */
function plain(value) {
  if (value instanceof Uint8Array) return `0x${hex(value)}`;
  return Array.isArray(value) ? value.map(plain) : value;
}

/** @returns {Uint8Array[]} the payloads of a file, of the roster first */
function payloads(file) {
  const data = new Uint8Array(readFileSync(new URL(file, FOLDER)));
  const found = [];
  for (let start = 20; start < data.length;) {
    const end = start + 2 + 256 * data[start] + data[start + 1];
    found.push(data.subarray(start + 3, end));
    start = end;
  }
  return found;
}

function traced({ file, cases }) {
  const chain = new Chain(find);
  const [roster, ...entries] = payloads(file);
  chain.table.listed = decodeRoster(roster);
  const array = [];
  for (const [number, entry] of entries.entries()) {
    chain.accept(entry);
    const given = cases.find((each) => each.entry === number);
    if (!given) continue;
    for (const [place, value] of Object.entries(given.set)) array[place] = value;
    const { table } = chain;
    const found = [plain(table.game.snapshot()), table.owing, hex(table.stateTag())];
    deepStrictEqual(found, [array, given.owing, given.st]);
  }
}

/** A game that is told outcomes, and sees no proof. */
class Told {
  backs = 0;

  constructor({ game, variant, seats }) {
    this.game = find(game, variant, seats);
    this.piles = {};
    this.ask();
  }

  ask() {
    this.step = this.game.next(this.piles);
    this.owing = debts(this.step, this.piles);
    if (this.owing.length) return;
    this.opened([...this.reads().map((read) => cardAt(this.piles, read).face)]);
  }

  reads() {
    return this.step.reads.filter(({ reader }) => reader === null);
  }

  card(face) {
    this.backs += 1;
    const back = new Uint8Array(32);
    new DataView(back.buffer).setUint32(0, this.backs);
    return { back, shares: [null, null, null, null], face };
  }

  lay(piles) {
    const card = (item) => (typeof item === "number" ? this.card(item) : item);
    const laid = Object.entries(piles).map(([name, pile]) => [name, pile.map(card)]);
    this.piles = Object.fromEntries(laid);
    this.ask();
  }

  opened(faces) {
    for (const [number, read] of this.reads().entries())
      cardAt(this.piles, read).face = faces[number];
    this.lay(this.game.shared(this.step, faces, this.piles));
  }

  take([kind, ...rest]) {
    const { game, piles, step } = this;
    if (kind === "coin") this.lay(game.tossed(bytes(rest[0])));
    else if (kind === "mixed") {
      piles[step.pile] = piles[step.pile].map(() => this.card(null));
      this.lay(game.mixed(step, piles));
    } else if (kind === "faces") {
      for (const read of step.reads)
        for (const seat of [0, 1, 2, 3])
          if (seat !== read.reader) cardAt(piles, read).shares[seat] = true;
      this.opened([...bytes(rest[0])]);
    } else {
      const moves = [];
      for (const [seat, ...move] of rest) {
        moves[seat] = this.wire(seat, move);
        game.judge(seat, moves[seat], piles);
      }
      const [[seat]] = rest;
      const made = kind === "moves";
      this.lay(made ? game.unsealed(moves, piles) : game.moved(seat, moves[seat], piles));
    }
  }

  /** @returns {any[]} a move with backs for places */
  wire(seat, move) {
    const backs = (places) => places.flatMap((at) => [...this.piles[`hand ${seat}`][at].back]);
    return move.map((field) => (Array.isArray(field) ? new Uint8Array(backs(field)) : field));
  }
}

function played(given) {
  const told = new Told(given);
  const array = [];
  for (const step of given.steps) {
    if (step.refused) {
      const twin = copy(told);
      const last = step.refused.pop();
      for (const outcome of step.refused) twin.take(outcome);
      throws(() => twin.take(last), { check: "E_RULE" });
      continue;
    }
    told.take(step.outcome);
    for (const [place, value] of Object.entries(step.set)) array[place] = value;
    deepStrictEqual([plain(told.game.snapshot()), told.owing], [array, step.owing]);
  }
  deepStrictEqual(told.game.result(), given.result);
}

const [, , name] = process.argv;
const content = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf-8"));
if (name.startsWith("trace/")) traced(content);
else content.cases.forEach(played);
console.log(content.cases.length);
