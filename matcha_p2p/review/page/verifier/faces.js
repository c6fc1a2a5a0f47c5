/** Faces of cards (SPEC, cards). */

/** The face of both zeros. */
export const ZERO = 16;

/** @param {number} face 0 .. 15 @returns {number} 0 leaf, 1 bowl, 2 water, 3 scoop */
export function suitOf(face) {
  return face >> 2;
}

/** @param {number} face 0 .. 15 @returns {number} 1 .. 4 */
export function numberOf(face) {
  return (face & 3) + 1;
}
