/** ristretto255 (RFC 9496): the group of keys, cards and proofs (SPEC, group). */

import { be2, byte, bytes32, bytesOf, join, littleEndian, unhex } from "./bytes.js";
import { need } from "./check.js";
import { D, Point } from "./edwards.js";
import {
  P,
  SQRT_M1,
  absolute,
  canonical,
  equal,
  isNegative,
  squareRootOfRatio,
} from "./field.js";
import { ORDER } from "./hashes.js";
import { sha512 } from "./sha2.js";

// The constants of RFC 9496 section 4.1; where a root has two signs, this is the one meant.
const SQRT_AD_MINUS_ONE =
  25063068953384623474111414158702152701244531502492656460079210482610430750235n;
const INVSQRT_A_MINUS_D =
  54469307008909316920995813868745141605393597292927456921205312896311721017578n;
const ONE_MINUS_D_SQ = canonical(1n - D * D);
const D_MINUS_ONE_SQ = canonical((D - 1n) * (D - 1n));

const DST = bytesOf("Matcha-V01-CS01-with-ristretto255_XMD:SHA-512_R255MAP_RO_");

/** An element, represented by one of its points. Elements never change. */
export class Element {
  /** @param {Point} point @param {Uint8Array} [encoding] its 32 bytes, where they are known */
  constructor(point, encoding) {
    this.point = point;
    this.known = encoding;
  }

  /** @returns {Uint8Array} 32 bytes */
  get encoded() {
    this.known ??= encode(this.point);
    return this.known;
  }

  /** @param {Element} other @returns {Element} */
  plus(other) {
    return new Element(this.point.plus(other.point));
  }

  /** @param {Element} other @returns {Element} */
  minus(other) {
    return new Element(this.point.minus(other.point));
  }

  /** @param {bigint} scalar 0 .. ℓ - 1 @returns {Element} */
  times(scalar) {
    return new Element(this.point.times(scalar));
  }

  /** @param {Element} other */
  equals(other) {
    const [p, q] = [this.point, other.point];
    return equal(p.X * q.Y, p.Y * q.X) || equal(p.Y * q.Y, p.X * q.X);
  }

  /** @returns {boolean} */
  get isIdentity() {
    return equal(this.point.X, 0n) || equal(this.point.Y, 0n);
  }
}

/**
 * Decode an element that is not the identity (RFC 9496 section 4.3.1).
 * @param {Uint8Array} bytes
 * @returns {Element}
 * @throws {import("./check.js").CheckError} E_POINT
 */
export function decodeElement(bytes) {
  need(bytes.length === 32, "E_POINT");
  const s = littleEndian(bytes);
  need(s < P && (s & 1n) === 0n && s !== 0n, "E_POINT");
  const ss = (s * s) % P;
  const u1 = 1n - ss;
  const u2 = 1n + ss;
  const u2Squared = (u2 * u2) % P;
  const v = (-D * ((u1 * u1) % P) - u2Squared) % P;
  const [square, root] = squareRootOfRatio(1n, v * u2Squared);
  const denominatorX = (root * u2) % P;
  const denominatorY = (((root * denominatorX) % P) * v) % P;
  const x = absolute(2n * s * denominatorX);
  const y = canonical(u1 * denominatorY);
  const t = (x * y) % P;
  need(square && !isNegative(t) && y !== 0n, "E_POINT");
  return new Element(new Point(x, y, 1n, t), bytes);
}

/** RFC 9496 section 4.3.2. @param {Point} point @returns {Uint8Array} 32 bytes */
function encode({ X, Y, Z, T }) {
  const u1 = ((Z + Y) * (Z - Y)) % P;
  const u2 = (X * Y) % P;
  const [, root] = squareRootOfRatio(1n, u1 * ((u2 * u2) % P));
  const one = (root * u1) % P;
  const two = (root * u2) % P;
  const zInverse = (((one * two) % P) * T) % P;
  const rotate = isNegative(T * zInverse);
  const x = rotate ? (Y * SQRT_M1) % P : X;
  const y = rotate ? (X * SQRT_M1) % P : Y;
  const inverse = rotate ? (one * INVSQRT_A_MINUS_D) % P : two;
  const signed = isNegative(x * zInverse) ? -y : y;
  return bytes32(absolute(inverse * (Z - signed)));
}

/**
 * Decode a scalar.
 * @param {Uint8Array} bytes
 * @returns {bigint} 0 .. ℓ - 1
 * @throws {import("./check.js").CheckError} E_SCALAR
 */
export function decodeScalar(bytes) {
  need(bytes.length === 32, "E_SCALAR");
  const scalar = littleEndian(bytes);
  need(scalar < ORDER, "E_SCALAR");
  return scalar;
}

/** HG. @param {Uint8Array} message @returns {Element} */
export function hashToGroup(message) {
  const bytes = expandMessage(message);
  return new Element(map(bytes.subarray(0, 32)).plus(map(bytes.subarray(32))));
}

/** expand_message_xmd of RFC 9380 section 5.3.1, for 64 bytes. @param {Uint8Array} message */
function expandMessage(message) {
  const tail = join(DST, byte(DST.length));
  const first = sha512(join(new Uint8Array(128), message, be2(64), byte(0), tail));
  return sha512(join(first, byte(1), tail));
}

/** MAP of RFC 9496 section 4.3.4. @param {Uint8Array} bytes 32 @returns {Point} */
function map(bytes) {
  const t = littleEndian(bytes) & ((1n << 255n) - 1n);
  const r = (SQRT_M1 * ((t * t) % P)) % P;
  const u = ((r + 1n) * ONE_MINUS_D_SQ) % P;
  const v = ((-1n - r * D) * (r + D)) % P;
  const [square, root] = squareRootOfRatio(u, v);
  const s = square ? root : -absolute(root * t);
  const c = square ? -1n : r;
  const n = (((c * (r - 1n)) % P) * D_MINUS_ONE_SQ - v) % P;
  const ss = (s * s) % P;
  const [w0, w1, w2, w3] = [(2n * s * v) % P, (n * SQRT_AD_MINUS_ONE) % P, 1n - ss, 1n + ss];
  return new Point((w0 * w3) % P, (w2 * w1) % P, (w1 * w3) % P, (w0 * w2) % P);
}

/** The generator, G. */
export const GENERATOR = decodeElement(
  unhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"),
);

/** @type {Map<string, Element>} */
const derived = new Map();

/** @param {string} name @param {Uint8Array} number @returns {Element} */
function derive(name, number) {
  const key = `${name}${number}`;
  const found = derived.get(key) ?? hashToGroup(join(bytesOf(name), number));
  derived.set(key, found);
  return found;
}

/** @param {string} game @param {number} face 0 .. 255 @returns {Element} M_f */
export function faceElement(game, face) {
  return derive(`card/${game}/`, byte(face));
}

/** @param {number} [i] 1 .. 64 @returns {Element} K_i; without i, K */
export function commitmentBase(i) {
  return i === undefined ? derive("pedersen", new Uint8Array(0)) : derive("pedersen/", be2(i));
}
