/** Hashes and numbers from hashes (SPEC, hashes). */

import { be4, bytesOf, join, littleEndian } from "./bytes.js";
import { sha256 } from "./sha2.js";
import { Shake } from "./shake.js";

/** The order of the group, ℓ. */
export const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

const SPACER = new Uint8Array(136);

/** @param {Uint8Array} bytes @returns {Uint8Array} LP */
function withLength(bytes) {
  return join(be4(bytes.length), bytes);
}

/** @param {string} label @param {...Uint8Array} parts @returns {Uint8Array} 32 bytes */
export function H(label, ...parts) {
  const all = [bytesOf("matcha/v1"), bytesOf(label), ...parts];
  return sha256(join(...all.map(withLength)));
}

/** @param {Uint8Array} sid 32 bytes @param {Uint8Array} bytes @param {number} count */
export function XOF(sid, bytes, count) {
  return new Shake(128, join(sid, SPACER, bytes)).next(count);
}

/** @param {Uint8Array} bytes 48·n @returns {bigint[]} n scalars */
export function INT(bytes) {
  const scalars = [];
  for (let start = 0; start < bytes.length; start += 48) {
    scalars.push(littleEndian(bytes.subarray(start, start + 48)) % ORDER);
  }
  return scalars;
}

/**
 * Draw `count` of the numbers 0 .. n - 1, none twice.
 * @param {Uint8Array} seed @param {number} n @param {number} count
 * @returns {number[]}
 */
export function DRAW(seed, n, count) {
  const stream = new Shake(256, seed);
  const list = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const j = i + uniform(stream, n - i);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list.slice(0, count);
}

/** @param {Shake} stream @param {number} n 1 .. 65536 @returns {number} 0 .. n - 1 */
export function uniform(stream, n) {
  for (;;) {
    const [low, high] = stream.next(2);
    const v = low + 256 * high;
    if (v < 65536 - (65536 % n)) return v % n;
  }
}
