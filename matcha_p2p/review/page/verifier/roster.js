/** The roster of a table (SPEC, roster). */

import { bytesOf, hex, join } from "./bytes.js";
import { decodeSigned } from "./chain.js";
import { CheckError, need } from "./check.js";
import { decodeKey, checkSignature } from "./ed25519.js";
import { H } from "./hashes.js";
import { checkName } from "./names.js";

/** @typedef {import("./encoding.js").Value} Value */
/**
 * @typedef {object} Listed
 * @property {string} name @property {Uint8Array} key @property {Uint8Array} link
 * @property {Uint8Array} identity
 */
/**
 * @typedef {object} Roster
 * @property {Uint8Array} rid names the roster
 * @property {string} game @property {string} variant @property {Uint8Array} rules
 * @property {Listed[]} seats
 */

const ROSTER = bytesOf("matcha/v1/roster\0");
const VERSION = 1;

/**
 * CHECK_ROSTER: check a roster.
 * @param {Uint8Array} encoded @returns {Roster}
 */
export function decodeRoster(encoded) {
  const { body, signature, fields } = decodeSigned(encoded);
  const [version, nonce, game, variant, rules, listed] = fields;
  const right =
    fields.length === 6 &&
    typeof version === "number" &&
    isBytes(nonce) &&
    typeof game === "string" &&
    typeof variant === "string" &&
    isBytes(rules) &&
    listed instanceof Array &&
    listed.length >= 2 &&
    listed.length <= 4;
  if (!right) throw new CheckError("E_ENCODING");
  const seats = listed.map(decodeListed);
  need(version === VERSION, "E_VERSION");
  for (const { name, key, identity } of seats) {
    checkName(name);
    decodeKey(key);
    if (identity.length) decodeKey(identity);
  }
  need(new Set(seats.map(({ key }) => hex(key))).size === seats.length, "E_KEY");
  checkSignature(seats[0].key, join(ROSTER, body), signature);
  return { rid: H("roster", encoded), game, variant, rules, seats };
}

/** @param {Value} value @returns {Listed} */
function decodeListed(value) {
  const [name, key, link, identity, bot, ...more] = value instanceof Array ? value : [];
  const right =
    typeof name === "string" &&
    isBytes(key) &&
    isBytes(link) &&
    identity instanceof Uint8Array &&
    (identity.length === 0 || identity.length === 32) &&
    (bot === 0 || bot === 1) &&
    !more.length;
  if (!right) throw new CheckError("E_ENCODING");
  return { name, key, link, identity };
}

/** @param {Value} value @returns {value is Uint8Array} */
function isBytes(value) {
  return value instanceof Uint8Array && value.length === 32;
}
