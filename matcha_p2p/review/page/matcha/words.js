/** Cards and tokens in words, and the cards at the mats. */

import { ZERO, numberOf, suitOf } from "../verifier/faces.js";
import { say } from "../view/language.js";

/** @typedef {import("./story.js").Step} Step */
/**
 * @typedef {{ names: string[], shows: boolean[] }} Viewpoint shows: whose open cards are shown
 */

export const KINDS = ["leaf", "bowl", "water", "scoop", "whisk"];
const MATS = "abcdef";
const KINDS_KEYS = ["LEAF", "BOWL", "WATER", "SCOOP", "WHISK"];

/** @param {number} mat @returns {string} */
export function matLetter(mat) {
  return MATS[mat];
}

/** @param {number} face @returns {string} leaf 3, or zero */
export function cardWords(face) {
  if (face === ZERO) return say("ZERO");
  return say("CARD", { suit: kindWords(suitOf(face)), number: numberOf(face) });
}

/** @param {number} kind 0 .. 4 @returns {string} */
export function kindWords(kind) {
  return say(`TOKEN_${KINDS_KEYS[kind]}`);
}

/** @param {readonly number[]} tokens @returns {string} leaf 2, whisk 1 */
export function tokensWords(tokens) {
  const held = tokens.flatMap((count, kind) =>
    count ? [say("HELD", { token: kindWords(kind), count })] : [],
  );
  return held.join(say("COMMA")) || say("NONE");
}

/**
 * Return the face of the card that a seat has laid at a mat, as far as it may be told.
 * @param {Step} step @param {number} seat @param {number} mat @param {Viewpoint} view
 * @returns {number | null | undefined} undefined without a card
 */
export function faceAt({ snapshot, hands }, seat, mat, view) {
  for (const [, turns, resolutions] of snapshot[5]) {
    const turn = turns.find(
      (each) => each[0] === "play" && each[1] === seat && each[2] === mat,
    );
    if (turn?.[3] === undefined) continue;
    const shown = resolutions.find((each) => each[0] === mat)?.[seat === 0 ? 1 : 2][0];
    return shown ?? (view.shows[seat] ? (hands[seat][turn[3]] ?? null) : null);
  }
  return undefined;
}

/** @param {Step} step after a card was laid @returns {number} the mat */
export function lastMat({ snapshot, seat }) {
  const turns = snapshot[5].at(-1)?.[1] ?? [];
  const played = turns.filter((turn) => turn[0] === "play" && turn[1] === seat);
  return played.at(-1)?.[2] ?? 0;
}
