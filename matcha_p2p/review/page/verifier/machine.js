/** The protocol: what a seat may say now, and what comes of it (SPEC section 12.3). */

import { need } from "./check.js";
import { openPositions, shuffle, shuffleOwn, strip, toss } from "./dealing.js";
import { greet } from "./greeting.js";
import { choose, commit, pass, play, reveal, signResult, unseal } from "./playing.js";
import { DECISIONS } from "./table.js";

/** @typedef {import("./messages.js").Action} Action */
/** @typedef {import("./proofs.js").Place} Place */
/** @typedef {import("./table.js").Table} Table */

/**
 * Take a message. What is refused leaves the table half-way: nothing is accepted after it.
 * @param {Table} table @param {Action[]} actions decoded @param {Place} place whose, and where
 * @throws {import("./check.js").CheckError}
 */
export function take(table, actions, place) {
  const { seat } = place;
  need(table.phase.name !== "over", "E_TURN");
  need(actions.length > 0, "E_GRAMMAR");
  if (table.phase.name === "playing" && seat !== table.turn() && table.game.isOut(seat)) {
    need(actions[0].name !== "PLAY", "E_PLACE");
    need(actions[0].name !== "PASS", "E_PASS");
  }
  need(table.due()?.[0] === seat, "E_TURN");
  if (table.phase.name === "start") need(said(actions) === "HELLO", "E_GRAMMAR");
  if (table.phase.name === "greeted") need(said(actions) === "HELLO COIN", "E_GRAMMAR");
  for (const [number, action] of actions.entries()) {
    const due = table.due();
    need(due?.[0] === seat && due[1].includes(action.name), "E_GRAMMAR");
    need(number === 0 || !DECISIONS.includes(action.name), "E_GRAMMAR");
    act(table, action, place);
  }
  const due = table.due();
  need(due?.[0] !== seat || DECISIONS.includes(due[1][0]), "E_GRAMMAR");
}

/** @param {Action[]} actions @returns {string} their names */
function said(actions) {
  return actions.map(({ name }) => name).join(" ");
}

/** @param {Table} table @param {Action} action that is due @param {Place} place */
function act(table, action, place) {
  switch (action.name) {
    case "HELLO":
      return greet(table, action, place);
    case "COIN":
      return toss(table, action, place);
    case "SHUF":
      return shuffle(table, action, place);
    case "OPEN":
      return openPositions(table, action, place);
    case "OWN":
      return shuffleOwn(table, action, place);
    case "STRIP":
      return strip(table, action, place);
    case "PLAY":
      return play(table, action, place);
    case "PASS":
      return pass(table, place);
    case "REVEAL":
      return reveal(table, action, place);
    case "KEEPC":
      return commit(table, action);
    case "KEEP":
      return choose(table, action, place);
    case "KEEPO":
      return unseal(table, action, place);
    case "RESULT":
      return signResult(table, action);
  }
}
