/** Taking actions: the checks and the effects of each verb (SPEC, verbs). */

import { be4, byte, same } from "./bytes.js";
import { need } from "./check.js";
import { pack } from "./encoding.js";
import { H } from "./hashes.js";
import { verifyShares, verifyShuffle } from "./proofs.js";
import { sharesOwed } from "./steps.js";

/** @typedef {import("./messages.js").Action} Action */
/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./messages.js").Result} Result */
/** @typedef {import("./messages.js").Share} Share */
/** @typedef {import("./messages.js").Shuf} Shuf */
/** @typedef {import("./messages.js").Unseal} Unseal */
/** @typedef {import("./proofs.js").Place} Place */
/** @typedef {import("./table.js").Table} Table */

/**
 * Take a message. What is refused leaves the table half-way: nothing is accepted after it.
 * @param {Table} table @param {Action[]} actions decoded
 * @param {Uint8Array} head @param {number} seat
 * @throws {import("./check.js").CheckError}
 */
export function takeMessage(table, actions, head, seat) {
  need(table.due === seat, "E_TURN");
  need(actions.length > 0, "E_GRAMMAR");
  for (const [place, action] of actions.entries()) {
    need(table.due === seat && !(place && table.isDecision), "E_GRAMMAR");
    need(table.owing[0][1] === action.verb, "E_GRAMMAR");
    const { name: game, variant } = table.game;
    take(table, action, { game, variant, head, seat, place });
  }
  need(table.due !== seat || table.isDecision, "E_GRAMMAR");
}

/** @param {Table} table @param {Action} action that is owed @param {Place} place */
export function take(table, action, place) {
  const { seat, head } = place;
  switch (action.verb) {
    case "COIN":
      return toss(table, action.link, seat);
    case "SHUF":
      return shuffle(table, action, place);
    case "SHARE":
      return share(table, action, place);
    case "MOVE":
      return move(table, action.move, seat);
    case "SEAL":
      table.seals[seat] = { commitment: action.commitment, since: head };
      table.paid();
      return;
    case "UNSEAL":
      return unseal(table, action, seat);
    case "RESULT":
      return signResult(table, action);
    case "HELLO":
      throw new Error("all have greeted each other");
  }
}

/** @param {Table} table @param {Uint8Array} link @param {number} seat */
function toss(table, link, seat) {
  need(same(H("coin", byte(seat), link), table.links[seat]), "E_COIN");
  table.links[seat] = link;
  if (!table.paid()) return;
  table.coins += 1;
  const value = H("coin value", table.gid, be4(table.coins), ...table.links);
  table.completed(table.game.tossed(value));
}

/** @param {Table} table @param {Shuf} action @param {Place} place */
function shuffle(table, { shuffle: made }, place) {
  const { game, piles, step } = table;
  if (step.kind !== "Shuffle") throw new Error("no shuffle is due");
  verifyShuffle(piles[step.pile], table.Y, step.label, made, place);
  table.piles = { ...piles, [step.pile]: made.deck.map((card) => table.card(card, null)) };
  if (table.paid()) table.completed(game.mixed(step, table.piles));
}

/** @param {Table} table @param {Share} action @param {Place} place */
function share(table, { shares, proof }, place) {
  const { hellos, piles, step } = table;
  if (step.kind !== "Share") throw new Error("no share is due");
  const { seat } = place;
  const cards = sharesOwed(step, seat, piles);
  verifyShares(hellos[seat].X, cards, shares, proof, step.label, place);
  for (const [i, card] of cards.entries()) card.shares[seat] = shares[i];
  if (table.paid()) table.shared(step);
}

/** @param {Table} table @param {Move} made @param {number} seat */
function move(table, made, seat) {
  const { game, piles, step } = table;
  game.judge(seat, made, piles);
  if (step.kind === "Sealed") table.moves[seat] = made;
  if (!table.paid()) return;
  const laid =
    step.kind === "Sealed" ? game.unsealed(table.moves, piles) : game.moved(seat, made, piles);
  table.completed(laid);
}

/** @param {Table} table @param {Unseal} action @param {number} seat */
function unseal(table, { salt, move: made }, seat) {
  const { commitment, since } = table.seals[seat];
  const opened = H("seal", table.gid, since, byte(seat), salt, pack(made));
  need(same(opened, commitment), "E_SEAL");
  move(table, made, seat);
}

/** @param {Table} table @param {Result} action */
function signResult(table, { outcome, digest }) {
  const result = table.game.result() ?? [];
  need(same(pack(outcome), pack(result)) && same(digest, table.gameDigest()), "E_RESULT");
  table.paid();
}
