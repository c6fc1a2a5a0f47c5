/** SHA-256 and SHA-512 (FIPS 180-4); their constants are computed from the first primes. */

import { join, be4 } from "./bytes.js";

/** The first 80 primes. */
const PRIMES = [2];
for (let n = 3; PRIMES.length < 80; n += 2) {
  if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
}

/** @param {bigint} n @param {bigint} degree @returns {bigint} the root, rounded down */
function root(n, degree) {
  let low = 0n;
  let high = 1n << 80n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= n) low = middle;
    else high = middle;
  }
  return low;
}

/** 64 bits behind the point of the square roots of 8, of the cube roots of 80 primes. */
const SQUARE_ROOTS = PRIMES.slice(0, 8).map((p) => root(BigInt(p) << 128n, 2n));
const CUBE_ROOTS = PRIMES.map((p) => root(BigInt(p) << 192n, 3n));

/** @param {bigint[]} roots @returns {Int32Array} of each the bits 32 to 63 */
function highs(roots) {
  return Int32Array.from(roots, (n) => Number(BigInt.asIntN(32, n >> 32n)));
}

/** @param {bigint[]} roots @returns {Int32Array} of each the bits 0 to 31 */
function lows(roots) {
  return Int32Array.from(roots, (n) => Number(BigInt.asIntN(32, n)));
}

const START_HIGH = highs(SQUARE_ROOTS);
const START_LOW = lows(SQUARE_ROOTS);
const K_HIGH = highs(CUBE_ROOTS);
const K_LOW = lows(CUBE_ROOTS);

/**
 * Pad a message to whole blocks.
 * @param {Uint8Array} message shorter than 2^29 bytes
 * @param {number} block bytes of a block
 * @returns {DataView}
 */
function padded(message, block) {
  const lengthField = block / 8;
  const zeros = (2 * block - 1 - lengthField - (message.length % block)) % block;
  const bits = be4(message.length * 8);
  const tail = new Uint8Array(1 + zeros + lengthField);
  tail[0] = 0x80;
  tail.set(bits, tail.length - 4);
  return new DataView(join(message, tail).buffer);
}

/** @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export function sha256(message) {
  const view = padded(message, 64);
  const state = Int32Array.from(START_HIGH);
  const words = new Int32Array(64);
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(start + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = words[i - 15];
      const y = words[i - 2];
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
    }
    compress256(state, words);
  }
  return join(...Array.from(state, be4));
}

/** @param {number} x @param {number} count @returns {number} x rotated to the right */
function turn(x, count) {
  return (x >>> count) | (x << (32 - count));
}

/** @param {Int32Array} state 8 words @param {Int32Array} words 64 */
function compress256(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K_HIGH[i] + words[i]) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

/**
 * SHA-512. A word of 64 bits is two of 32, its high and its low half.
 * @param {Uint8Array} message
 * @returns {Uint8Array} 64 bytes
 */
export function sha512(message) {
  const view = padded(message, 128);
  const high = Int32Array.from(START_HIGH);
  const low = Int32Array.from(START_LOW);
  const wordsHigh = new Int32Array(80);
  const wordsLow = new Int32Array(80);
  for (let start = 0; start < view.byteLength; start += 128) {
    for (let i = 0; i < 16; i++) {
      wordsHigh[i] = view.getInt32(start + 8 * i);
      wordsLow[i] = view.getInt32(start + 8 * i + 4);
    }
    expand512(wordsHigh, wordsLow);
    compress512(high, low, wordsHigh, wordsLow);
  }
  return join(...Array.from(high, (word, i) => join(be4(word), be4(low[i]))));
}

/** @param {Int32Array} high 80 halves, 16 of them given @param {Int32Array} low likewise */
function expand512(high, low) {
  for (let i = 16; i < 80; i++) {
    const [xh, xl, yh, yl] = [high[i - 15], low[i - 15], high[i - 2], low[i - 2]];
    const s0h = half(xh, xl, 1) ^ half(xh, xl, 8) ^ (xh >>> 7);
    const s0l = half(xl, xh, 1) ^ half(xl, xh, 8) ^ ((xl >>> 7) | (xh << 25));
    const s1h = half(yh, yl, 19) ^ half(yl, yh, 29) ^ (yh >>> 6);
    const s1l = half(yl, yh, 19) ^ half(yh, yl, 29) ^ ((yl >>> 6) | (yh << 26));
    const sum = (low[i - 16] >>> 0) + (s0l >>> 0) + (low[i - 7] >>> 0) + (s1l >>> 0);
    low[i] = sum | 0;
    high[i] = (high[i - 16] + s0h + high[i - 7] + s1h + carry(sum)) | 0;
  }
}

/** @param {number} x @param {number} y the half that bits come from @param {number} count */
function half(x, y, count) {
  return (x >>> count) | (y << (32 - count));
}

/** @param {number} sum of unsigned halves @returns {number} what goes to the other half */
function carry(sum) {
  return Math.floor(sum / 2 ** 32);
}

/**
 * @param {Int32Array} high @param {Int32Array} low 8 halves: the state
 * @param {Int32Array} wordsHigh @param {Int32Array} wordsLow 80 halves
 */
function compress512(high, low, wordsHigh, wordsLow) {
  let [ah, bh, ch, dh, eh, fh, gh, hh] = high;
  let [al, bl, cl, dl, el, fl, gl, hl] = low;
  for (let i = 0; i < 80; i++) {
    const s1h = half(eh, el, 14) ^ half(eh, el, 18) ^ half(el, eh, 9);
    const s1l = half(el, eh, 14) ^ half(el, eh, 18) ^ half(eh, el, 9);
    const choice = (el & fl) ^ (~el & gl);
    const one =
      (hl >>> 0) + (s1l >>> 0) + (choice >>> 0) + (K_LOW[i] >>> 0) + (wordsLow[i] >>> 0);
    const oneHigh =
      (hh + s1h + ((eh & fh) ^ (~eh & gh)) + K_HIGH[i] + wordsHigh[i] + carry(one)) | 0;
    const s0h = half(ah, al, 28) ^ half(al, ah, 2) ^ half(al, ah, 7);
    const s0l = half(al, ah, 28) ^ half(ah, al, 2) ^ half(ah, al, 7);
    const two = (s0l >>> 0) + (((al & bl) ^ (al & cl) ^ (bl & cl)) >>> 0);
    const twoHigh = (s0h + ((ah & bh) ^ (ah & ch) ^ (bh & ch)) + carry(two)) | 0;
    [hh, hl, gh, gl, fh, fl] = [gh, gl, fh, fl, eh, el];
    const down = (dl >>> 0) + ((one | 0) >>> 0);
    [eh, el] = [(dh + oneHigh + carry(down)) | 0, down | 0];
    [dh, dl, ch, cl, bh, bl] = [ch, cl, bh, bl, ah, al];
    const up = ((one | 0) >>> 0) + ((two | 0) >>> 0);
    [ah, al] = [(oneHigh + twoHigh + carry(up)) | 0, up | 0];
  }
  const sums = [ah, al, bh, bl, ch, cl, dh, dl, eh, el, fh, fl, gh, gl, hh, hl];
  for (let i = 0; i < 8; i++) {
    const sum = (low[i] >>> 0) + (sums[2 * i + 1] >>> 0);
    low[i] = sum | 0;
    high[i] = (high[i] + sums[2 * i] + carry(sum)) | 0;
  }
}
