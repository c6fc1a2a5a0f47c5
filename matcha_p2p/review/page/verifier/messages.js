/** What is said: the eight verbs, decoded (SPEC, verbs). */

import { bytesOf, pieces, same } from "./bytes.js";
import { CheckError, need } from "./check.js";
import { decodeElement, decodeScalar } from "./ristretto.js";

/** @typedef {import("./encoding.js").Value} Value */
/** @typedef {import("./ristretto.js").Element} Element */
/** @typedef {import("./proofs.js").Proof} Proof */
/** @typedef {import("./proofs.js").Shuffle} Shuffle */

/**
 * @typedef {object} Hello
 * @property {"HELLO"} verb
 * @property {number[]} versions
 * @property {number} version
 * @property {string} game
 * @property {string} variant
 * @property {number} seats
 * @property {Uint8Array} rules
 * @property {string} name of the player
 * @property {Uint8Array} key of the session
 * @property {Uint8Array} anchor
 * @property {Element} X
 * @property {Proof} pop
 * @property {Uint8Array} identity
 * @property {Uint8Array} certificate
 */
/** @typedef {(string | number | Uint8Array)[]} Move its name, then its fields */
/** @typedef {{ verb: "SHUF", shuffle: Shuffle }} Shuf */
/** @typedef {{ verb: "SHARE", shares: Element[], proof: Proof }} Share */
/** @typedef {{ verb: "UNSEAL", salt: Uint8Array, move: Move }} Unseal */
/** @typedef {{ verb: "RESULT", outcome: number[], digest: Uint8Array }} Result */
/**
 * @typedef {Hello | { verb: "COIN", link: Uint8Array } | Shuf | Share
 *   | { verb: "MOVE", move: Move } | { verb: "SEAL", commitment: Uint8Array } | Unseal | Result
 * } Action
 */
/**
 * @typedef {["number" | "backs" | "numbers", number, number]} Field of a move: an integer in this
 * range; the backs of so many cards, at least and at most; or, as the last, up to so many
 * integers, each a field, and the greatest integer
 */
/** @typedef {Record<string, Field[]>} Forms of a game's moves, by their names */

const MAGIC = bytesOf("matcha");

/**
 * The fields of each verb: "b" a byte string, "n" an integer, "t" a text, "a" an array; of MOVE
 * and UNSEAL, those before the move.
 * @type {Record<string, string>}
 */
const FIELDS = {
  HELLO: "banttnbtbbbbbb",
  COIN: "b",
  SHUF: "bb",
  SHARE: "bb",
  MOVE: "",
  SEAL: "b",
  UNSEAL: "b",
  RESULT: "ab",
};

/** @param {Value} value @returns {string} */
function typeOf(value) {
  if (typeof value === "number") return "n";
  if (typeof value === "string") return "t";
  return value instanceof Uint8Array ? "b" : "a";
}

/**
 * Decode one action.
 * @param {Value} value
 * @param {Forms} forms none before all have greeted each other
 * @returns {Action}
 * @throws {CheckError} E_ENCODING, E_POINT, E_SCALAR, E_SHUFFLE
 */
export function decodeAction(value, forms) {
  const [verb, ...fields] = value instanceof Array ? value : [];
  const form = typeof verb === "string" && Object.hasOwn(FIELDS, verb) ? FIELDS[verb] : null;
  const move = verb === "MOVE" || verb === "UNSEAL" ? fields.splice(form?.length ?? 0) : [];
  need(fields.map(typeOf).join("") === form, "E_ENCODING");
  const [first, second] = /** @type {Uint8Array[]} */ (fields);
  switch (verb) {
    case "HELLO":
      return decodeHello(fields);
    case "COIN":
      return { verb, link: sized(first, 32) };
    case "SHUF":
      return { verb, shuffle: decodeShuffle(first, second) };
    case "SHARE":
      return { verb, shares: elements(first), proof: decodeProof(sized(second, 64)) };
    case "MOVE":
      return { verb, move: decodeMove(move, forms) };
    case "SEAL":
      return { verb, commitment: sized(first, 32) };
    case "UNSEAL":
      return { verb, salt: sized(first, 32), move: decodeMove(move, forms) };
    case "RESULT":
      return { verb, outcome: integers(fields[0]), digest: sized(second, 32) };
    default:
      throw new CheckError("E_ENCODING");
  }
}

/** @param {Value[]} values @param {Forms} forms @returns {Move} */
function decodeMove(values, forms) {
  const [name, ...fields] = values;
  if (typeof name !== "string" || !Object.hasOwn(forms, name))
    throw new CheckError("E_ENCODING");
  const form = forms[name].flatMap((field) => unrolled(field, fields.length));
  need(fields.length === form.length, "E_ENCODING");
  return [name, ...fields.map((value, i) => decodeField(value, form[i]))];
}

/** @param {Field} field @param {number} count @returns {Field[]} it, or each of the numbers */
function unrolled([kind, least, most], count) {
  if (kind !== "numbers") return [[kind, least, most]];
  return Array.from({ length: Math.min(least, count) }, () => ["number", 0, most]);
}

/** @param {Value} value @param {Field} field @returns {number | Uint8Array} */
function decodeField(value, [kind, least, most]) {
  if (kind === "number" ? typeof value !== "number" : !(value instanceof Uint8Array))
    throw new CheckError("E_ENCODING");
  const decoded = /** @type {number | Uint8Array} */ (value);
  const size = typeof decoded === "number" ? decoded : decoded.length / 32;
  need(Number.isInteger(size) && least <= size && size <= most, "E_ENCODING");
  return decoded;
}

/** @param {Value} value @returns {number[]} */
function integers(value) {
  const values = value instanceof Array ? value : [];
  const found = values.filter((each) => typeof each === "number");
  need(found.length === values.length, "E_ENCODING");
  return found;
}

/** @param {Uint8Array} bytes @param {...number} sizes that it may have @returns {Uint8Array} */
function sized(bytes, ...sizes) {
  need(sizes.includes(bytes.length), "E_ENCODING");
  return bytes;
}

/** @param {Uint8Array} bytes @returns {Element[]} */
function elements(bytes) {
  need(bytes.length % 32 === 0, "E_ENCODING");
  return pieces(bytes, 32).map(decodeElement);
}

/** @param {Uint8Array} bytes a multiple of 32 @returns {Proof} */
function decodeProof(bytes) {
  const [challenge, ...responses] = pieces(bytes, 32).map(decodeScalar);
  return { challenge, responses };
}

/** @param {Uint8Array} cards @param {Uint8Array} proof @returns {Shuffle} */
function decodeShuffle(cards, proof) {
  need(cards.length % 64 === 0, "E_ENCODING");
  const N = cards.length / 64;
  const deck = pieces(cards, 64).map((card) => {
    const [A, B] = elements(card);
    return { A, B };
  });
  need(proof.length === 32 * (4 * N + 5), "E_SHUFFLE");
  const commitments = elements(proof.subarray(0, 32 * N));
  const chain = elements(proof.subarray(32 * N, 64 * N));
  return { deck, commitments, chain, proof: decodeProof(proof.subarray(64 * N)) };
}

/** @param {Value[]} fields of the right types @returns {Hello} */
function decodeHello(fields) {
  const [magic, listed, version, game, variant, seats, rules, name, ...more] =
    /** @type {[Uint8Array, Value, number, string, string, number, Uint8Array, string,
     *   ...Uint8Array[]]} */ (fields);
  const [key, anchor, X, pop, identity, certificate] = more;
  need(same(magic, MAGIC) && seats >= 2 && seats <= 4, "E_ENCODING");
  sized(identity, 0, 32);
  sized(certificate, identity.length && 64);
  const versions = integers(listed);
  need(versions.length > 0, "E_ENCODING");
  need(
    versions.every((each, i) => i === 0 || versions[i - 1] < each),
    "E_ENCODING",
  );
  return {
    verb: "HELLO",
    versions,
    version,
    game,
    variant,
    seats,
    rules: sized(rules, 32),
    name,
    key: sized(key, 32),
    anchor: sized(anchor, 32),
    X: decodeElement(X),
    pop: decodeProof(sized(pop, 64)),
    identity,
    certificate,
  };
}
