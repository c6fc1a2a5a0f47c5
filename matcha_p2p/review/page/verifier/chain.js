/** The chain of signed entries (SPEC section 12). */

import { bytesOf, join, same } from "./bytes.js";
import { CheckError, need } from "./check.js";
import { checkSignature, decodeKey } from "./ed25519.js";
import { unpack } from "./encoding.js";
import { H } from "./hashes.js";
import { take } from "./machine.js";
import { decodeAction } from "./messages.js";
import { Table } from "./table.js";

/** @typedef {import("./encoding.js").Value} Value */
/** @typedef {import("./messages.js").Action} Action */

/**
 * @typedef {object} Signed
 * @property {Uint8Array} body
 * @property {Uint8Array} signature
 * @property {Value[]} fields of the body
 */
/**
 * @typedef {object} Accepted
 * @property {Uint8Array} id @property {number} seat @property {Uint8Array} prev
 * @property {boolean} isResult whether RESULT is its only action
 */

const ENTRY = bytesOf("matcha/v1/msg\0");

/**
 * @param {Uint8Array} bytes
 * @returns {Signed} a statement whose signature is not yet checked
 */
export function decodeSigned(bytes) {
  const value = unpack(bytes);
  const [body, signature, ...more] = value instanceof Array ? value : [];
  const isPair = body instanceof Uint8Array && signature instanceof Uint8Array && !more.length;
  if (!isPair || signature.length !== 64) throw new CheckError("E_ENCODING");
  const fields = unpack(body);
  if (!(fields instanceof Array)) return { body, signature, fields: [fields, []] };
  return { body, signature, fields };
}

/** A refusal at an entry or record. seat: to blame; undefined if nobody is. */
export class Refusal extends Error {
  /** @param {string} check @param {number | undefined} seat */
  constructor(check, seat) {
    super(check);
    this.check = check;
    this.seat = seat;
  }
}

/**
 * Do what blames `seat` if it is refused.
 * @param {number | undefined} seat
 * @param {() => void} work
 */
export function blaming(seat, work) {
  try {
    work();
  } catch (error) {
    if (error instanceof CheckError) throw new Refusal(error.check, seat);
    throw error;
  }
}

/** The entries that were accepted, and the game that they are. */
export class Chain {
  constructor() {
    this.table = new Table();
    /** @type {Accepted[]} */
    this.entries = [];
    /** @type {Uint8Array[]} */
    this.greetings = [];
  }

  /**
   * Check an entry in the order of SPEC section 12.1, and accept it.
   * @param {Uint8Array} encoded
   * @throws {Refusal | CheckError} a CheckError blames nobody
   */
  accept(encoded) {
    const signed = decodeSigned(encoded);
    const { body, signature } = signed;
    const { seq, seat, prev, st, actions } = decodeBody(signed.fields);
    const id = H("msg", encoded);
    const message = join(ENTRY, body);
    this.checkFork(seq, seat, prev, id, message, signature);
    need(seq === this.entries.length, "E_CHAIN");
    need(seq === 0 || same(prev, this.entries[seq - 1].id), "E_CHAIN");
    /** @type {Action[]} */
    let decoded = [];
    if (seq < 2) {
      need(seat === seq, "E_TURN");
      decoded = actions.map(decodeAction);
      const [hello] = decoded;
      if (hello?.name !== "HELLO") throw new CheckError("E_GRAMMAR");
      decodeKey(hello.key);
      checkSignature(hello.key, message, signature);
    } else {
      checkSignature(this.table.hellos[seat].key, message, signature);
    }
    blaming(seat, () => {
      if (seq >= 2) decoded = actions.map(decodeAction);
      take(this.table, decoded, { head: prev, seat });
      need(same(st, this.table.stateDigest().subarray(0, 16)), "E_STATE");
    });
    const isResult = decoded.length === 1 && decoded[0].name === "RESULT";
    this.entries.push({ id, seat, prev, isResult });
    if (seq < 2) this.greetings.push(encoded);
    if (seq === 1) this.table.gid = H("game", ...this.greetings);
  }

  /**
   * @param {number} seq @param {number} seat @param {Uint8Array} prev @param {Uint8Array} id
   * @param {Uint8Array} message @param {Uint8Array} signature
   */
  checkFork(seq, seat, prev, id, message, signature) {
    const entry = this.entries[seq];
    if (!entry || entry.seat !== seat || !same(entry.prev, prev) || same(entry.id, id)) return;
    try {
      checkSignature(this.table.hellos[seat].key, message, signature);
    } catch (error) {
      if (error instanceof CheckError) return; // anybody can have made it
      throw error;
    }
    throw new Refusal("E_FORK", seat);
  }
}

/** @param {Value[]} fields */
function decodeBody(fields) {
  const [seq, seat, prev, st, actions] = fields;
  const right =
    fields.length === 5 &&
    typeof seq === "number" &&
    (seat === 0 || seat === 1) &&
    prev instanceof Uint8Array &&
    prev.length === 32 &&
    st instanceof Uint8Array &&
    st.length === 16 &&
    actions instanceof Array;
  if (!right) throw new CheckError("E_ENCODING");
  return { seq, seat, prev, st, actions };
}
