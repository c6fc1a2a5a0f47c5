/** Rounds, what is kept, and the signed result (SPEC sections 13.5 and 13.6). */

import { be4, byte, same } from "./bytes.js";
import { open } from "./cards.js";
import { need } from "./check.js";
import { beginMixing, tossNext } from "./dealing.js";
import { ZERO } from "./faces.js";
import { H } from "./hashes.js";
import { verifyShares } from "./proofs.js";
import { other } from "./rules.js";

/** @typedef {import("./proofs.js").Place} Place */
/** @typedef {import("./messages.js").Keep} Keep */
/** @typedef {import("./messages.js").KeepC} KeepC */
/** @typedef {import("./messages.js").KeepO} KeepO */
/** @typedef {import("./messages.js").Play} Play */
/** @typedef {import("./messages.js").Result} Result */
/** @typedef {import("./messages.js").Shares} Shares */
/** @typedef {import("./table.js").Hand} Hand */
/** @typedef {import("./table.js").Table} Table */

const DRAWN = 2;

/** @param {Table} table @param {Play} action @param {Place} place */
export function play(table, { mat, back }, { seat }) {
  const { game, hands } = table;
  need(game.mayLayAt(seat, mat), "E_PLACE");
  const slot = slotOf(hands[seat], back);
  need(slot >= 0, "E_BACK");
  need(game.hands[seat].includes(slot), "E_SPENT");
  game.play(seat, mat, slot);
  afterMove(table, seat);
}

/** @param {Table} table @param {Place} place */
export function pass(table, { seat }) {
  table.game.pass(seat);
  afterMove(table, seat);
}

/**
 * @param {Hand} hand
 * @param {Uint8Array} back
 * @returns {number} -1 where it has no such card
 */
function slotOf({ backs }, back) {
  return backs.findIndex((each) => same(each, back));
}

/** @param {Table} table @param {number} seat that has moved */
function afterMove(table, seat) {
  if (table.game.phase[0] === "reveal") {
    table.phase = { name: "showing", owing: [seat, other(seat)] };
  } else {
    afterRound(table, seat);
  }
}

/**
 * *After the round*, ended by an action of `seat`.
 * @param {Table} table
 * @param {number} seat
 */
function afterRound(table, seat) {
  switch (table.game.phase[0]) {
    case "end":
      table.closer = seat;
      table.phase = { name: "closing", owing: [seat, other(seat)] };
      break;
    case "keep":
      table.closer = seat;
      table.phase = { name: "committing" };
      break;
    case "deal":
      table.closer = seat;
      table.kept = [[], []];
      tossNext(table);
      break;
    default:
      table.phase = { name: "playing" };
  }
}

/** @param {Table} table @param {Shares} action @param {Place} place */
export function reveal(table, { shares, proof }, place) {
  const { game, phase } = table;
  if (phase.name !== "showing" || game.phase[0] !== "reveal")
    throw new Error("nothing to show");
  const { seat } = place;
  const { contested } = game;
  need(shares.length === contested.length, "E_GRAMMAR");
  const { cards, shares: stripped } = table.hands[seat];
  const slots = contested.map((mat) => /** @type {number} */ (game.slotAt(seat, mat)));
  const shown = slots.map((slot) => cards[slot]);
  verifyShares(table.hellos[seat].X, shown, shares, proof, "reveal", place);
  const faces = shown.map((card, i) => open(card, shares[i], stripped[slots[i]]));
  const turnedUp = game.rounds.flatMap(({ resolutions }) =>
    resolutions.flatMap(([, a, b]) => [...a, ...b]),
  );
  const all = [...game.table, ...turnedUp, ...game.phase[3], ...game.phase[4], ...faces];
  need(
    faces.every((face) => times(face, all) <= (face === ZERO ? 2 : 1)),
    "E_CARD",
  );
  const [, ...owing] = phase.owing;
  table.phase = { name: "showing", owing };
  game.turnUp(seat, faces);
  if (!owing.length) afterRound(table, seat);
}

/** @param {number} face @param {number[]} faces @returns {number} */
function times(face, faces) {
  return faces.filter((each) => each === face).length;
}

/** KEEPC. @param {Table} table @param {KeepC} action */
export function commit(table, { commitment }) {
  table.phase = { name: "choosing", commitment };
}

/** KEEP. @param {Table} table @param {Keep} action @param {Place} place */
export function choose(table, { backs }, { seat }) {
  if (table.phase.name !== "choosing") throw new Error("nothing is to be chosen");
  const chosen = slotsKept(table, seat, backs);
  table.phase = { name: "unsealing", commitment: table.phase.commitment, chosen };
}

/** KEEPO. @param {Table} table @param {KeepO} action @param {Place} place */
export function unseal(table, { salt, backs }, { seat }) {
  if (table.phase.name !== "unsealing") throw new Error("no choice is to be opened");
  const { commitment, chosen } = table.phase;
  const { game, gid } = table;
  need(
    same(H("keep", gid, be4(game.number), byte(seat), salt, ...backs), commitment),
    "E_COMMIT",
  );
  const own = slotsKept(table, seat, backs);
  table.kept = seat === 0 ? [own, chosen] : [chosen, own];
  game.nextSet([[...table.kept[0]], [...table.kept[1]]]);
  table.tell("kept", seat);
  if (own.length || chosen.length) beginMixing(table);
  else tossNext(table);
}

/** @param {Table} table @param {number} seat @param {Uint8Array[]} backs @returns {number[]} */
function slotsKept({ game, hands }, seat, backs) {
  const slots = backs.map((back) => slotOf(hands[seat], back));
  need(
    slots.every((slot) => game.hands[seat].includes(slot)),
    "E_KEEP",
  );
  need(
    slots.every((slot, i) => i === 0 || slots[i - 1] < slot),
    "E_KEEP",
  );
  return slots;
}

/** RESULT. @param {Table} table @param {Result} action */
export function signResult(table, { outcome, digest }) {
  const { game, phase } = table;
  if (phase.name !== "closing" || game.phase[0] !== "end")
    throw new Error("nothing is decided");
  const [winner = DRAWN] = game.phase[1];
  need(outcome === winner && same(digest, table.stateDigest()), "E_RESULT");
  const [, ...owing] = phase.owing;
  table.phase = owing.length ? { name: "closing", owing } : { name: "over" };
}
