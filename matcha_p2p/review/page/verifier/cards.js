/** Masked cards (SPEC section 8). */

import { be4, byte } from "./bytes.js";
import { CheckError } from "./check.js";
import { ZERO } from "./faces.js";
import { H } from "./hashes.js";
import { GENERATOR, faceElement } from "./ristretto.js";

/** @typedef {import("./ristretto.js").Element} Element */
/** @typedef {import("./proofs.js").Masked} Masked */

/** @param {number} face @param {Element} Y @returns {Masked} */
export function publicCard(face, Y) {
  return { A: GENERATOR, B: faceElement(face).plus(Y) };
}

/**
 * Open a card.
 * @param {Masked} card @param {Element} one @param {Element} two the shares of both seats
 * @returns {number} its face
 * @throws {CheckError} E_CARD
 */
export function open({ B }, one, two) {
  const shown = B.minus(one).minus(two);
  for (let face = 0; face <= ZERO; face++) {
    if (shown.equals(faceElement(face))) return face;
  }
  throw new CheckError("E_CARD");
}

/**
 * @param {Uint8Array} gid @param {number} set @param {number} seat @param {Masked} card
 * @returns {Uint8Array} 32 bytes
 */
export function backOf(gid, set, seat, { A, B }) {
  return H("back", gid, be4(set), byte(seat), A.encoded, B.encoded);
}
