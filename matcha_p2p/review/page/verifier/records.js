/** Signed statements outside the chain (SPEC, records). */

import { bytesOf, hex, join, same } from "./bytes.js";
import { SEATS_LIMIT, blaming, decodeSigned } from "./chain.js";
import { CHECKS, CheckError, need } from "./check.js";
import { checkSignature } from "./ed25519.js";
import { GENERATOR, decodeScalar } from "./ristretto.js";

/** @typedef {import("./chain.js").Chain} Chain */
/** @typedef {import("./encoding.js").Value} Value */

const RECORD = bytesOf("matcha/v1/rec\0");
const SYNC_LEAST = 2;
const SYNC_MOST = 65536;

/**
 * @typedef {object} SoundRecord
 * @property {string} kind
 * @property {number} seat its author
 * @property {Uint8Array} head
 * @property {number} length of the chain, announced by a SYNC; else 0
 * @property {boolean} resigned whether a SYNC announces a RESIGN of the other seat
 * @property {bigint} key exposed by an EXPOSE; else 0
 * @property {number} seconds claimed by a CLAIM; else 0
 * @property {Uint8Array | null} offer named by a RESIGN of a team, empty in an offer; else null
 */

/**
 * Check a record that stands behind all entries.
 * @param {Chain} chain @param {Uint8Array} encoded
 * @returns {SoundRecord}
 * @throws {import("./chain.js").Refusal | CheckError} a CheckError blames no seat
 */
export function acceptRecord(chain, encoded) {
  const { body, signature, fields } = decodeSigned(encoded);
  const { gid, seat, ...record } = decodeStatement(fields);
  const { entries, table } = chain;
  need(table.begun !== undefined && same(gid, table.gid), "E_RECORD");
  need(seat < table.hellos.length, "E_RECORD");
  checkSignature(table.hellos[seat].key, join(RECORD, body), signature, "E_RECORD");
  const place = placeOf(chain, record.head);
  need(record.kind === "SYNC" || place >= 0, "E_RECORD");
  const inTeams = table.begun?.partner !== undefined;
  need(record.kind !== "RESIGN" || inTeams === Boolean(record.offer), "E_RECORD");
  blaming(seat, () => {
    if (record.kind === "EXPOSE") {
      need(GENERATOR.times(record.key).equals(table.hellos[seat].X), "E_EXPOSE");
    }
    if (givesUp(record)) need((chain.played[seat] ?? -1) <= place, "E_RESIGN");
    if (
      record.kind === "SYNC" &&
      lacksEntry(chain, record) &&
      entries.length >= record.length
    ) {
      need((chain.spoke[seat] ?? -1) < record.length - 1, "E_SYNC");
    }
  });
  return { seat, ...record };
}

/**
 * Tell whether a record is a RESIGN that binds its author: any but an offer to the partner.
 * @param {{ kind: string, offer: Uint8Array | null }} record
 */
export function givesUp({ kind, offer }) {
  return kind === "RESIGN" && (offer === null || offer.length > 0);
}

/**
 * Return the RESIGNs that count: of a seat, or of a team with any open offer.
 * @param {Chain} chain @param {SoundRecord[]} records
 */
export function countedResigns(chain, records) {
  const { hellos, begun } = chain.table;
  const open = hellos.map((_, seat) => openOffers(chain, records, seat));
  return records.filter((record) => {
    if (!givesUp(record) || record.offer === null) return givesUp(record);
    const partner = begun?.partner?.(record.seat) ?? record.seat;
    return open[partner][placeOf(chain, record.head)];
  });
}

/**
 * Return by place whether an offer of the seat to resign is open after the entry there.
 * @param {Chain} chain @param {SoundRecord[]} records @param {number} author
 */
function openOffers(chain, records, author) {
  const made = records.filter(
    (record) => record.kind === "RESIGN" && !givesUp(record) && record.seat === author,
  );
  const offered = new Set(made.map(({ head }) => placeOf(chain, head)));
  let open = false;
  return chain.entries.map(({ seat }, place) => {
    open = offered.has(place) || (open && seat !== author);
    return open;
  });
}

/** @param {Chain} chain @param {Uint8Array} head */
export function placeOf({ places }, head) {
  return places.get(hex(head)) ?? -1;
}

/**
 * Return the SYNCs that announce a missing entry or RESIGN.
 * @param {Chain} chain @param {SoundRecord[]} records
 */
export function unknownSyncs(chain, records) {
  const resigned = new Set(records.filter(givesUp).map(({ seat }) => seat));
  return records.filter((record) => {
    if (record.kind !== "SYNC") return false;
    const others = resigned.size - Number(resigned.has(record.seat));
    return (record.resigned && !others) || lacksEntry(chain, record);
  });
}

/** @param {Chain} chain @param {{ length: number, head: Uint8Array }} sync */
function lacksEntry({ entries }, { length, head }) {
  return entries.length < length || !same(entries[length - 1].id, head);
}

/** @param {Value[]} fields */
function decodeStatement(fields) {
  const [kind, gid, seat, head, data] = fields;
  const right =
    fields.length === 5 &&
    typeof kind === "string" &&
    gid instanceof Uint8Array &&
    gid.length === 32 &&
    typeof seat === "number" &&
    seat < SEATS_LIMIT &&
    head instanceof Uint8Array &&
    head.length === 32 &&
    data instanceof Array;
  if (!right) throw new CheckError("E_RECORD");
  return { kind, gid, seat, head, ...decodeData(kind, data) };
}

/** @param {string} kind @param {Value[]} data */
function decodeData(kind, data) {
  const [first, second, third] = data;
  const none = { length: 0, resigned: false, key: 0n, seconds: 0, offer: null };
  switch (kind) {
    case "RESIGN":
      if (!data.length) return none;
      if (data.length !== 1 || !isHashOrEmpty(first)) break;
      return { ...none, offer: first };
    case "CLAIM":
      if (data.length !== 2 || typeof first !== "number" || typeof second !== "number") break;
      return { ...none, seconds: first };
    case "ABORT":
      if (data.length !== 2 || typeof first !== "string" || !isHash(second)) break;
      need(CHECKS.includes(first), "E_RECORD");
      return none;
    case "EXPOSE":
      if (data.length !== 1 || !(first instanceof Uint8Array)) break;
      return { ...none, key: decodeScalar(first) };
    case "SYNC":
      if (data.length !== 3 || typeof first !== "number" || !isHash(second)) break;
      need(first >= SYNC_LEAST && first <= SYNC_MOST, "E_RECORD");
      need(third === 0 || third === 1, "E_RECORD");
      return { ...none, length: first, resigned: third === 1 };
    default:
  }
  throw new CheckError("E_RECORD");
}

/** @param {Value} value @returns {value is Uint8Array} */
function isHashOrEmpty(value) {
  return value instanceof Uint8Array && (value.length === 32 || !value.length);
}

/** @param {Value} value */
function isHash(value) {
  return value instanceof Uint8Array && value.length === 32;
}
