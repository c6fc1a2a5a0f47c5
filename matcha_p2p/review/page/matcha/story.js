/** A verified game as plain values for the picture: every value has been verified. */

import { Matcha, faceOf } from "../verifier/matcha.js";
import { other } from "../verifier/rules.js";
import { findingsOf } from "../view/work.js";

/** @typedef {import("../verifier/cards.js").Card} Card */
/** @typedef {import("../verifier/rules.js").Happening} Happening */
/** @typedef {import("../verifier/transcript.js").Report} Report */
/** @typedef {(number | null)[]} Faces by slot; null is a card that the file does not open */
/**
 * @typedef {object} Step one thing that has happened
 * @property {string} name the kind of its plain form
 * @property {number} seat
 * @property {import("../verifier/rules.js").Snapshot} snapshot the public state after it
 * @property {[Faces, Faces]} hands by seat five faces; empty while they are not dealt
 */
/** @typedef {ReturnType<typeof storyOf>} Story */

/** @param {Report} report @param {Uint8Array} file that was judged @param {unknown[]} seen */
export function storyOf(report, file, seen) {
  const { chain, records, resigned } = report;
  const { table, entries } = chain;
  const game = table.begun instanceof Matcha ? table.begun : undefined;
  const told = game?.told.slice(0, entries.at(-1)?.told ?? 0) ?? [];
  const keys = [0, 1].map(
    (seat) =>
      records.find(({ kind, seat: author }) => kind === "EXPOSE" && author === seat)?.key,
  );
  return {
    ...findingsOf(report, file, seen),
    opened: keys.map((key) => key !== undefined),
    steps: stepsOf(told, openedHands(game, keys), resigned),
  };
}

/**
 * Return the hands of each set, as far as exposed keys open them.
 * @param {Matcha | undefined} game @param {(bigint | undefined)[]} keys by seat
 */
function openedHands(game, keys) {
  /** @type {Map<number, [Faces, Faces]>} */
  const hands = new Map();
  for (const [number, both] of game?.dealt ?? [])
    hands.set(number, [facesOf(both[0], keys, 0), facesOf(both[1], keys, 1)]);
  return hands;
}

/**
 * @param {Card[]} hand
 * @param {(bigint | undefined)[]} keys
 * @param {number} seat
 * @returns {Faces}
 */
function facesOf(hand, keys, seat) {
  const key = keys[seat];
  return hand.map((card) =>
    key === undefined ? null : faceOf(card, [card.A.times(key), card.shares[other(seat)]]),
  );
}

/**
 * @param {Happening[]} told @param {Map<number, [Faces, Faces]>} hands
 * @param {number | null} resigned
 * @returns {Step[]}
 */
function stepsOf(told, hands, resigned) {
  /** @type {[Faces, Faces]} */
  let current = [[], []];
  const steps = told.map((happening) => {
    if (happening.name === "table-laid") current = [[], []];
    if (happening.name === "hands-dealt")
      current = hands.get(happening.snapshot[1]) ?? [[], []];
    return { ...happening, hands: current };
  });
  const last = steps.at(-1);
  if (last && resigned !== null) steps.push(conceded(last, other(resigned)));
  return steps;
}

/**
 * @param {Step} last
 * @param {number} winner
 * @returns {Step} a resignation stands in no entry
 */
function conceded(last, winner) {
  const [edition, number, dealer, table, hands, rounds, tokens, comparing, kept] =
    last.snapshot;
  /** @type {import("../verifier/rules.js").Phase} */
  const phase = ["end", [winner], "resigned"];
  const snapshot = /** @type {const} */ ([
    edition,
    number,
    dealer,
    table,
    hands,
    rounds,
    tokens,
    comparing,
    kept,
    phase,
  ]);
  return { ...last, name: "game-ended", seat: winner, snapshot };
}
