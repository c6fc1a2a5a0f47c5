/** Copies of a verifier's state. */

import { Point } from "../../../matcha_p2p/review/page/verifier/edwards.js";
import { Element } from "../../../matcha_p2p/review/page/verifier/ristretto.js";

/** What never changes is not copied. */
const FIXED = [Element, Point, Uint8Array, Function];

/**
 * @param {any} value
 * @param {Map<object, object>} copies
 * @returns {any}
 */
export function copy(value, copies = new Map()) {
  if (
    typeof value !== "object" ||
    value === null ||
    FIXED.some((kind) => value instanceof kind)
  ) {
    return value;
  }
  const made = copies.get(value);
  if (made) return made;
  if (value instanceof Map) {
    const map = new Map();
    copies.set(value, map);
    for (const [key, each] of value) map.set(key, copy(each, copies));
    return map;
  }
  const object = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
  copies.set(value, object);
  for (const [key, each] of Object.entries(value)) object[key] = copy(each, copies);
  return object;
}
