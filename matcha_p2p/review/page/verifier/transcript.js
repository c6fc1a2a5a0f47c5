/** The file of a game, and the verdict on it (SPEC, transcript and verdicts). */

import { bytesOf, same } from "./bytes.js";
import { Chain, Refusal } from "./chain.js";
import { CheckError, need } from "./check.js";
import { acceptRecord, countedResigns, placeOf, unknownSyncs } from "./records.js";
import { decodeRoster } from "./roster.js";

/** @typedef {import("./records.js").SoundRecord} SoundRecord */
/**
 * @typedef {"COMPLETE" | "DECIDED" | "RESIGNED" | "UNFINISHED" | "INVALID" | "FORK"} Verdict
 */
/**
 * @typedef {object} Failure
 * @property {string} check
 * @property {number} entry the item, from 0
 * @property {number | null} seat to blame
 */
/**
 * @typedef {object} Report
 * @property {Verdict} verdict
 * @property {Failure | null} failure
 * @property {number | null} waiting the seat that has to speak
 * @property {number | null} resigned the seat whose resignation counts
 * @property {number[] | null} winners null while the game is undecided
 * @property {Chain} chain
 * @property {SoundRecord[]} records
 */

const MAGIC = bytesOf("matcha transcript 1\n");
const SIZE_LIMIT = 67108864;
const FRAME_LIMIT = 16384;
const ITEM_LIMIT = 65536;
const MSG = 1;
const REC = 2;
const ROSTER = 7;

/**
 * Judge a transcript.
 * @param {Uint8Array} file
 * @param {Chain} chain without entries
 * @param {(read: number) => void} [watch] is told after each item how many bytes are read
 * @returns {Report}
 */
export function judge(file, chain, watch = () => {}) {
  /** @type {SoundRecord[]} */
  const records = [];
  /** @type {number[] | null} */
  let winners = null; // once all have signed the result
  try {
    need(same(file.subarray(0, MAGIC.length), MAGIC), "E_ENCODING");
    need(file.length <= SIZE_LIMIT, "E_LIMIT");
    const first = readFrame(file, MAGIC.length, 0);
    need(first.kind === ROSTER, "E_ENCODING");
    chain.table.listed = decodeRoster(first.payload);
    for (let start = first.end; start < file.length;) {
      const end = readItem(file, start, chain, records);
      if (chain.table.isOver) winners = chain.table.game.winners(null);
      watch(end);
      start = end;
    }
  } catch (error) {
    if (!(error instanceof CheckError) && !(error instanceof Refusal)) throw error;
    const seat = error instanceof Refusal ? (error.seat ?? null) : null;
    const failure = { check: error.check, entry: chain.entries.length + records.length, seat };
    const verdict = error.check === "E_FORK" ? "FORK" : "INVALID";
    return { verdict, failure, waiting: null, resigned: null, winners, chain, records };
  }
  return soundReport(chain, records);
}

/**
 * Read one frame and judge what is in it.
 * @param {Uint8Array} file
 * @param {number} start
 * @param {Chain} chain
 * @param {SoundRecord[]} records
 * @returns {number} where it ends
 */
function readItem(file, start, chain, records) {
  const { kind, payload, end } = readFrame(file, start, chain.entries.length + records.length);
  need(kind === REC || (kind === MSG && !records.length), "E_ENCODING");
  if (kind === MSG) chain.accept(payload);
  else records.push(acceptRecord(chain, payload));
  return end;
}

/**
 * @param {Uint8Array} file
 * @param {number} start
 * @param {number} item its number, from 0
 * @returns {{ kind: number, payload: Uint8Array, end: number }} end: where the frame ends
 */
function readFrame(file, start, item) {
  const [high, low, kind] = file.subarray(start, start + 3);
  need(start + 2 <= file.length, "E_ENCODING");
  const length = 256 * high + low;
  const end = start + 2 + length;
  need(length <= FRAME_LIMIT, "E_LIMIT");
  need(length > 0 && end <= file.length && kind >= 1 && kind <= 8, "E_ENCODING");
  need(item < ITEM_LIMIT, "E_LIMIT");
  return { kind, payload: file.subarray(start + 3, end), end };
}

/** @param {Chain} chain @param {SoundRecord[]} records @returns {Report} */
function soundReport(chain, records) {
  const { table } = chain;
  const first = table.isDecided ? undefined : firstToResign(chain, records);
  const resigned = first?.seat ?? null;
  const winners = table.isDecided ? table.game.winners(null) : (first?.left ?? null);
  const report = { failure: null, waiting: null, resigned, winners, chain, records };
  if (first) return { ...report, verdict: "RESIGNED" };
  if (table.isOver) return { ...report, verdict: "COMPLETE" };
  const waiting = waitedFor(chain, records);
  return { ...report, waiting, verdict: table.isDecided ? "DECIDED" : "UNFINISHED" };
}

/**
 * @param {Chain} chain @param {SoundRecord[]} records
 * @returns {{ seat: number, left: number[] } | undefined} its seat, and who wins by it
 */
function firstToResign(chain, records) {
  const [first] = countedResigns(chain, records)
    .map(({ seat, head }) => ({ seat, place: placeOf(chain, head) }))
    .sort((a, b) => a.place - b.place || a.seat - b.seat);
  if (!first) return undefined;
  const greeted = chain.table.hellos.length - 1;
  const { left } = chain.entries[Math.max(first.place, greeted)];
  return { seat: first.seat, left: left[first.seat] };
}

/** @param {Chain} chain @param {SoundRecord[]} records @returns {number | null} */
function waitedFor(chain, records) {
  const announced = new Set(unknownSyncs(chain, records).map(({ seat }) => seat));
  const [alone] = announced.size === 1 ? announced : [];
  return alone ?? chain.table.due ?? null;
}
