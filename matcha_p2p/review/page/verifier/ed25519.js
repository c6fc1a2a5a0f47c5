/** Ed25519 with a strict verification (SPEC, signatures). */

import { bytes32, join, littleEndian, same } from "./bytes.js";
import { CheckError, need } from "./check.js";
import { IDENTITY, Point, combination, recoverX } from "./edwards.js";
import { P, inverse, canonical, equal } from "./field.js";
import { ORDER } from "./hashes.js";
import { sha512 } from "./sha2.js";

const BASE_Y = canonical(4n * inverse(5n));
const BASE = Point.affine(/** @type {bigint} */ (recoverX(BASE_Y)), BASE_Y);

/** @type {Map<string, Point>} good keys, by their bytes */
const goodKeys = new Map();

/**
 * Return the point of a good key.
 * @param {Uint8Array} key 32 bytes
 * @returns {Point}
 * @throws {CheckError} E_KEY
 */
export function decodeKey(key) {
  const name = String(key);
  const point = goodKeys.get(name) ?? goodKey(key);
  goodKeys.set(name, point);
  return point;
}

/** @param {Uint8Array} key @returns {Point} */
function goodKey(key) {
  const number = littleEndian(key);
  const y = number & ((1n << 255n) - 1n);
  const odd = number >> 255n;
  need(y < P && !(odd && (y === 1n || y === P - 1n)), "E_KEY");
  const even = recoverX(y);
  if (even === undefined) throw new CheckError("E_KEY");
  const point = Point.affine(odd ? -even : even, y);
  need(!isIdentity(point) && isIdentity(point.times(ORDER)), "E_KEY");
  return point;
}

/** @param {Point} point */
function isIdentity({ X, Y, Z }) {
  return equal(X, IDENTITY.X) && equal(Y, Z);
}

/** RFC 8032 section 5.1.2. @param {Point} point @returns {Uint8Array} 32 bytes */
function encode(point) {
  const [x, y] = point.toAffine();
  return bytes32(y | ((x & 1n) << 255n));
}

/**
 * Check a signature.
 * @param {Uint8Array} key @param {Uint8Array} message @param {Uint8Array} signature 64 bytes
 * @param {string} [check] what a signature that does not hold is
 * @throws {CheckError} E_KEY, or `check`
 */
export function checkSignature(key, message, signature, check = "E_SIG") {
  const point = decodeKey(key);
  const [R, S] = [signature.subarray(0, 32), littleEndian(signature.subarray(32))];
  need(S < ORDER, check);
  const k = littleEndian(sha512(join(R, key, message))) % ORDER;
  need(
    same(
      R,
      encode(
        combination([
          [S, BASE],
          [k, point.negated()],
        ]),
      ),
    ),
    check,
  );
}
