/** Bytes, and the numbers in bytes (SPEC, conventions). */

const utf8 = new TextEncoder();

/** @param {string} text @returns {Uint8Array} its UTF-8 */
export function bytesOf(text) {
  return utf8.encode(text);
}

/** @param {...Uint8Array} parts @returns {Uint8Array} one after the other */
export function join(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export function same(a, b) {
  return a.length === b.length && a.every((byte, place) => byte === b[place]);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} size
 * @returns {Uint8Array[]} pieces of that size
 */
export function pieces(bytes, size) {
  const found = [];
  for (let start = 0; start < bytes.length; start += size) {
    found.push(bytes.subarray(start, start + size));
  }
  return found;
}

/** @param {Uint8Array} bytes @returns {string} two digits a byte, in lower case */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} digits two a byte @returns {Uint8Array} */
export function unhex(digits) {
  const bytes = new Uint8Array(digits.length / 2);
  for (let place = 0; place < bytes.length; place++) {
    bytes[place] = Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16);
  }
  return bytes;
}

/** @param {number} n 0 .. 255 @returns {Uint8Array} */
export function byte(n) {
  return Uint8Array.of(n);
}

/** @param {number} n @returns {Uint8Array} two bytes, most significant first */
export function be2(n) {
  return Uint8Array.of(n >>> 8, n);
}

/** @param {number} n @returns {Uint8Array} four bytes, most significant first */
export function be4(n) {
  return Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
}

/** @param {number} n @returns {Uint8Array} four bytes, least significant first */
export function le4(n) {
  return Uint8Array.of(n, n >>> 8, n >>> 16, n >>> 24);
}

/** LE(b). @param {Uint8Array} bytes @returns {bigint} least significant first */
export function littleEndian(bytes) {
  return BigInt(`0x0${hex(Uint8Array.from(bytes).reverse())}`);
}

/** @param {bigint} n 0 .. 2^256 - 1 @returns {Uint8Array} 32 bytes, least significant first */
export function bytes32(n) {
  return unhex(n.toString(16).padStart(64, "0")).reverse();
}
