/** Masked cards, and the known facts about each card (SPEC, masked cards and piles). */

import { need } from "./check.js";
import { H } from "./hashes.js";
import { GENERATOR, faceElement } from "./ristretto.js";

/** @typedef {import("./ristretto.js").Element} Element */
/** @typedef {import("./proofs.js").Masked} Masked */

/**
 * @typedef {object} Card
 * @property {Element} A @property {Element} B the masked card
 * @property {Uint8Array} back of it, 32 bytes
 * @property {(Element | null)[]} shares by seat
 * @property {number | null} face if all know it
 */
/** @typedef {Record<string, Card[]>} Piles by their names in the game */
/**
 * @typedef {Record<string, (Card | number)[]>} NewPiles a number: a face that lies under no card
 */

/** @param {string} game @param {number} face @param {Element} Y @returns {Masked} */
export function publicCard(game, face, Y) {
  return { A: GENERATOR, B: faceElement(game, face).plus(Y) };
}

/** @param {Uint8Array} gid @param {Masked} card @returns {Uint8Array} 32 bytes */
export function backOf(gid, { A, B }) {
  return H("back", gid, A.encoded, B.encoded);
}

/**
 * Open a card.
 * @param {string} game
 * @param {number[]} faces of the game: how many cards show each
 * @param {Masked} card
 * @param {(Element | null)[]} shares of all seats
 * @returns {number} its face
 * @throws {import("./check.js").CheckError} E_CARD
 */
export function open(game, faces, { B }, shares) {
  let shown = B;
  for (const share of shares) shown = share ? shown.minus(share) : shown;
  const face = faces.findIndex((times, i) => times && shown.equals(faceElement(game, i)));
  need(face >= 0, "E_CARD");
  return face;
}

/** @param {Piles} piles @returns {Card[]} of all piles */
export function allCards(piles) {
  return Object.values(piles).flat();
}
