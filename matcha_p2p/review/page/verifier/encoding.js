/** The subset of MessagePack with a single form for each value (SPEC, encodings). */

import { bytesOf, join, be2, be4 } from "./bytes.js";
import { CheckError, need } from "./check.js";

/** @typedef {number | string | Uint8Array | ValueArray} Value */
/** @typedef {Value[]} ValueArray */

const ENCODING_LIMIT = 16383;
const ELEMENTS_LIMIT = 64;
const DEPTH_LIMIT = 4;

/**
 * Decode what was received.
 * @param {Uint8Array} bytes all of them
 * @returns {Value}
 * @throws {CheckError} E_LIMIT, E_ENCODING
 */
export function unpack(bytes) {
  need(bytes.length <= ENCODING_LIMIT, "E_LIMIT");
  const reader = new Reader(bytes);
  const value = reader.value(0);
  need(reader.place === bytes.length, "E_ENCODING");
  return value;
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  /** @param {number} depth of the arrays around it @returns {Value} */
  value(depth) {
    const form = this.number(1);
    if (form < 0x80) return form;
    if (form >= 0x90 && form < 0xa0) return this.array(form - 0x90, depth);
    if (form >= 0xa0 && form < 0xc0) return this.text(form - 0xa0);
    switch (form) {
      case 0xc4:
        return this.taken(this.number(1));
      case 0xc5:
        return this.taken(this.atLeast(0x100, 2));
      case 0xcc:
        return this.atLeast(0x80, 1);
      case 0xcd:
        return this.atLeast(0x100, 2);
      case 0xce:
        return this.atLeast(0x10000, 4);
      case 0xcf:
        return this.atLeast(2 ** 32, 8);
      case 0xd9:
        return this.text(this.atLeast(32, 1));
      case 0xda:
        return this.text(this.atLeast(0x100, 2));
      case 0xdc:
        return this.array(this.atLeast(16, 2), depth);
      default:
        throw new CheckError("E_ENCODING");
    }
  }

  /** @param {number} count @returns {Uint8Array} the next bytes */
  taken(count) {
    const end = this.place + count;
    need(end <= this.bytes.length, "E_ENCODING");
    const found = this.bytes.subarray(this.place, end);
    this.place = end;
    return found;
  }

  /** @param {number} size in bytes @returns {number} most significant byte first */
  number(size) {
    return this.taken(size).reduce((number, byte) => number * 256 + byte, 0);
  }

  /** @param {number} least below it there is a shorter form @param {number} size */
  atLeast(least, size) {
    const number = this.number(size);
    need(number >= least && number <= Number.MAX_SAFE_INTEGER, "E_ENCODING");
    return number;
  }

  /** @param {number} length in bytes @returns {string} */
  text(length) {
    const bytes = this.taken(length);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new CheckError("E_ENCODING");
    }
  }

  /** @param {number} count @param {number} depth @returns {Value[]} */
  array(count, depth) {
    need(count <= ELEMENTS_LIMIT && depth < DEPTH_LIMIT, "E_ENCODING");
    return Array.from({ length: count }, () => this.value(depth + 1));
  }
}

/**
 * Encode a value; it may be longer and deeper than what is received.
 * @param {Value} value
 * @returns {Uint8Array}
 */
export function pack(value) {
  if (typeof value === "number") return packNumber(value);
  if (typeof value === "string") {
    const bytes = bytesOf(value);
    const start =
      bytes.length < 32
        ? [0xa0 + bytes.length]
        : bytes.length < 0x100
          ? [0xd9, bytes.length]
          : [0xda, ...be2(bytes.length)];
    return join(Uint8Array.from(start), bytes);
  }
  if (value instanceof Uint8Array) {
    const start = value.length < 0x100 ? [0xc4, value.length] : [0xc5, ...be2(value.length)];
    return join(Uint8Array.from(start), value);
  }
  const start = value.length < 16 ? [0x90 + value.length] : [0xdc, ...be2(value.length)];
  return join(Uint8Array.from(start), ...value.map(pack));
}

/** @param {number} n 0 .. 2^53 - 1 @returns {Uint8Array} */
function packNumber(n) {
  if (n < 0x80) return Uint8Array.of(n);
  if (n < 0x100) return Uint8Array.of(0xcc, n);
  if (n < 0x10000) return Uint8Array.of(0xcd, ...be2(n));
  if (n < 2 ** 32) return Uint8Array.of(0xce, ...be4(n));
  return Uint8Array.of(0xcf, ...be4(Math.floor(n / 2 ** 32)), ...be4(n % 2 ** 32));
}
