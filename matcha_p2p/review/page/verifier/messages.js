/** What is said: the actions of a message, decoded (SPEC section 11). */

import { bytesOf, pieces, same } from "./bytes.js";
import { CheckError, need } from "./check.js";
import { decodeElement, decodeScalar } from "./ristretto.js";

/** @typedef {import("./encoding.js").Value} Value */
/** @typedef {import("./ristretto.js").Element} Element */
/** @typedef {import("./proofs.js").Proof} Proof */
/** @typedef {import("./proofs.js").Masked} Masked */
/** @typedef {import("./proofs.js").Shuffle} Shuffle */

/**
 * @typedef {object} Hello
 * @property {"HELLO"} name
 * @property {number[]} versions
 * @property {number} version
 * @property {string} edition
 * @property {Uint8Array} rules
 * @property {string} player its name
 * @property {Uint8Array} key of the session
 * @property {Uint8Array} anchor
 * @property {Element} X
 * @property {Proof} pop
 * @property {Uint8Array} identity
 * @property {Uint8Array} certificate
 */
/** @typedef {{ name: "COIN", link: Uint8Array }} Coin */
/** @typedef {{ name: "SHUF" | "OWN", shuffle: Shuffle }} Shuf */
/** @typedef {{ name: "OPEN" | "STRIP" | "REVEAL", shares: Element[], proof: Proof }} Shares */
/** @typedef {{ name: "PLAY", mat: number, back: Uint8Array }} Play */
/** @typedef {{ name: "PASS" }} Pass */
/** @typedef {{ name: "KEEPC", commitment: Uint8Array }} KeepC */
/** @typedef {{ name: "KEEP", backs: Uint8Array[] }} Keep */
/** @typedef {{ name: "KEEPO", salt: Uint8Array, backs: Uint8Array[] }} KeepO */
/** @typedef {{ name: "RESULT", outcome: number, digest: Uint8Array }} Result */
/**
 * @typedef {Hello | Coin | Shuf | Shares | Play | Pass | KeepC | Keep | KeepO | Result} Action
 */

const MAGIC = bytesOf("matcha");

/**
 * The fields of each action: "b" a byte string, "n" an integer, "t" a text, "a" an array.
 * @type {Record<string, string>}
 */
const FIELDS = {
  HELLO: "bantbtbbbbbb",
  COIN: "b",
  SHUF: "bb",
  OPEN: "bb",
  OWN: "bb",
  STRIP: "bb",
  PLAY: "nb",
  PASS: "",
  REVEAL: "bb",
  KEEPC: "b",
  KEEP: "b",
  KEEPO: "bb",
  RESULT: "nb",
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
 * @returns {Action}
 * @throws {CheckError} E_ENCODING, E_POINT, E_SCALAR, E_SHUFFLE
 */
export function decodeAction(value) {
  const [name, ...fields] = value instanceof Array ? value : [];
  const known = typeof name === "string" && Object.hasOwn(FIELDS, name);
  need(known && fields.map(typeOf).join("") === FIELDS[name], "E_ENCODING");
  const [first, second] = /** @type {Uint8Array[]} */ (fields);
  switch (name) {
    case "HELLO":
      return decodeHello(fields);
    case "COIN":
      return { name, link: sized(first, 32) };
    case "SHUF":
    case "OWN":
      return { name, shuffle: decodeShuffle(first, second) };
    case "OPEN":
    case "STRIP":
    case "REVEAL":
      return { name, shares: elements(first), proof: decodeProof(sized(second, 64)) };
    case "PLAY":
      return { name, mat: upTo(fields[0], 5), back: sized(second, 32) };
    case "PASS":
      return { name };
    case "KEEPC":
      return { name, commitment: sized(first, 32) };
    case "KEEP":
      return { name, backs: split(first) };
    case "KEEPO":
      return { name, salt: sized(first, 32), backs: split(second) };
    case "RESULT":
      return { name, outcome: upTo(fields[0], 2), digest: sized(second, 32) };
    default:
      throw new CheckError("E_ENCODING");
  }
}

/** @param {Uint8Array} bytes @param {...number} sizes that it may have @returns {Uint8Array} */
function sized(bytes, ...sizes) {
  need(sizes.includes(bytes.length), "E_ENCODING");
  return bytes;
}

/** @param {Value} value @param {number} most @returns {number} */
function upTo(value, most) {
  need(typeof value === "number" && value <= most, "E_ENCODING");
  return /** @type {number} */ (value);
}

/** @param {Uint8Array} bytes @returns {Uint8Array[]} of 32 bytes each */
function split(bytes) {
  need(bytes.length % 32 === 0, "E_ENCODING");
  return pieces(bytes, 32);
}

/** @param {Uint8Array} bytes @returns {Element[]} */
function elements(bytes) {
  return split(bytes).map(decodeElement);
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
  const [
    magic,
    versions,
    version,
    edition,
    rules,
    player,
    key,
    anchor,
    X,
    pop,
    identity,
    certificate,
  ] =
    /** @type {[Uint8Array, Value[], number, string, Uint8Array, string, ...Uint8Array[]]} */ (
      fields
    );
  need(same(magic, MAGIC), "E_ENCODING");
  sized(identity, 0, 32);
  sized(certificate, identity.length && 64);
  const integers = versions.filter((each) => typeof each === "number");
  need(integers.length === versions.length && integers.length > 0, "E_ENCODING");
  need(
    integers.every((each, i) => i === 0 || integers[i - 1] < each),
    "E_ENCODING",
  );
  return {
    name: "HELLO",
    versions: integers,
    version,
    edition,
    rules: sized(rules, 32),
    player,
    key: sized(key, 32),
    anchor: sized(anchor, 32),
    X: decodeElement(X),
    pop: decodeProof(sized(pop, 64)),
    identity,
    certificate,
  };
}
