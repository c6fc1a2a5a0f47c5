/** The chain of signed entries (SPEC, entries). */

import { bytesOf, hex, join, same } from "./bytes.js";
import { CheckError, need } from "./check.js";
import { checkSignature, decodeKey } from "./ed25519.js";
import { unpack } from "./encoding.js";
import { checkListed, takeGreeting } from "./greeting.js";
import { H } from "./hashes.js";
import { decodeAction } from "./messages.js";
import { Table } from "./table.js";
import { takeMessage } from "./verbs.js";

/** @typedef {import("./encoding.js").Value} Value */

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
 * @property {number} told how many things the game has told of until then
 * @property {number[][]} left by seat the winners if it resigned then; none while seats greet
 */

export const SEATS_LIMIT = 4;
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

/** A refusal at an entry or record. seat: to blame, or undefined. */
export class Refusal extends Error {
  /** @param {string} check @param {number | undefined} seat */
  constructor(check, seat) {
    super(check);
    this.check = check;
    this.seat = seat;
  }
}

/**
 * Do `work`; a refusal blames `seat`.
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

/** The accepted entries, and their game. */
export class Chain {
  /** @param {import("./greeting.js").Find} find */
  constructor(find) {
    this.find = find;
    this.table = new Table();
    /** @type {Accepted[]} */
    this.entries = [];
    /** @type {Map<string, number>} the places of the entries, by id */
    this.places = new Map();
    /** @type {number[]} the place of the last entry of each seat */
    this.spoke = [];
    /** @type {number[]} the same, but of RESULT alone */
    this.played = [];
    /** @type {Uint8Array[]} */
    this.greetings = [];
  }

  /**
   * CHECK_ENTRY: check an entry, and accept it.
   * @param {Uint8Array} encoded
   * @throws {Refusal | CheckError} a CheckError blames no seat
   */
  accept(encoded) {
    const { table } = this;
    const signed = decodeSigned(encoded);
    const { body, signature } = signed;
    const { seq, seat, prev, st, actions } = decodeBody(signed.fields);
    const id = H("msg", encoded);
    const message = join(ENTRY, body);
    this.checkFork(seq, seat, prev, id, message, signature);
    need(seq === this.entries.length, "E_CHAIN");
    need(seq === 0 || same(prev, this.entries[seq - 1].id), "E_CHAIN");
    const { begun, hellos } = table;
    need(begun ? seat < hellos.length : seat === hellos.length, "E_TURN");
    if (begun) checkSignature(hellos[seat].key, message, signature);
    const greeting = begun ? undefined : decodeGreeting(table, actions, message, signature);
    blaming(seat, () => {
      if (greeting) {
        this.greetings.push(encoded);
        takeGreeting(table, greeting, this.greetings, prev, this.find);
      } else {
        const { forms } = table.game;
        const decoded = actions.map((action) => decodeAction(action, forms));
        takeMessage(table, decoded, prev, seat);
      }
      need(same(st, table.stateTag()), "E_STATE");
    });
    const [first] = actions;
    const isResult = actions.length === 1 && first instanceof Array && first[0] === "RESULT";
    const told = table.begun?.told.length ?? 0;
    const left = table.hellos.map((_, each) => table.begun?.winners(each) ?? []);
    this.entries.push({ id, seat, prev, isResult, told, left });
    this.places.set(hex(id), seq);
    this.spoke[seat] = seq;
    if (!isResult) this.played[seat] = seq;
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

/**
 * Decode a greeting, which is signed by the key that is in it.
 * @param {Table} table
 * @param {Value[]} actions @param {Uint8Array} message @param {Uint8Array} signature
 * @returns {import("./greeting.js").Greeting}
 */
function decodeGreeting(table, actions, message, signature) {
  const [hello, ...more] = actions.map((action) => decodeAction(action, {}));
  if (hello?.verb !== "HELLO") throw new CheckError("E_GRAMMAR");
  decodeKey(hello.key);
  checkListed(table, hello);
  checkSignature(hello.key, message, signature);
  return { hello, more };
}

/** @param {Value[]} fields */
function decodeBody(fields) {
  const [seq, seat, prev, st, actions] = fields;
  const right =
    fields.length === 5 &&
    typeof seq === "number" &&
    typeof seat === "number" &&
    seat < SEATS_LIMIT &&
    prev instanceof Uint8Array &&
    prev.length === 32 &&
    st instanceof Uint8Array &&
    st.length === 16 &&
    actions instanceof Array;
  if (!right) throw new CheckError("E_ENCODING");
  return { seq, seat, prev, st, actions };
}
