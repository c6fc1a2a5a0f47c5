/** The chance to win as a set begins: a small network, of the tokens that each has then. */

import { EDITIONS } from "../verifier/rules.js";

/** @typedef {import("../verifier/rules.js").Edition} Edition */
/** @typedef {import("../verifier/rules.js").Phase} Phase */
/** @typedef {import("./story.js").Step} Step */
/** @typedef {readonly number[]} Tokens five counts */
/**
 * @typedef {object} Network one hidden layer of tanh, and a logistic output
 * @property {number[][]} rows by input the weights to the hidden units: those of the dealer's
 *   tokens, of the other's, of the lead, of the bias
 * @property {number[]} out the weights of the hidden units, and a bias
 */

const WHISK = 4;

/**
 * Return the chance of the dealer; a draw is half a win.
 * @param {Network} network @param {Edition} edition
 * @param {Tokens} dealer of the dealer of the set @param {Tokens} other
 * @returns {number}
 */
export function chance({ rows, out }, edition, dealer, other) {
  const lead = rows.length - 2;
  const rowsOn = [
    ...inputsOf(edition, dealer),
    ...inputsOf(edition, other).map((input) => lead / 2 + input),
    lead + 1,
  ].map((input) => rows[input]);
  const ahead = leadOf(dealer, other);
  const hidden = rows[lead].map((weight, unit) =>
    Math.tanh(rowsOn.reduce((sum, row) => sum + row[unit], ahead * weight)),
  );
  const bias = out[hidden.length];
  const total = hidden.reduce((sum, value, unit) => sum + out[unit] * value, bias);
  return 1 / (1 + Math.exp(-total));
}

/** @param {Edition} edition @param {Tokens} tokens @returns {number[]} which inputs are on */
function inputsOf(edition, tokens) {
  const on = [];
  let start = 0;
  let threats = 0;
  for (const [kind, count] of tokens.entries()) {
    const most = (kind === WHISK ? edition.whisks : edition.alike) - 1;
    for (let input = 0; input < Math.min(count, most); input += 1) on.push(start + input);
    if (count >= most) threats += 1;
    start += most;
  }
  const missing = tokens.filter((count) => count === 0).length;
  return [...on, start + Math.min(missing, 4), start + 5 + Math.min(threats, 4)];
}

/** @param {Tokens} dealer @param {Tokens} other @returns {number} 1 ahead, 0 equal, -1 behind */
function leadOf(dealer, other) {
  const kind = dealer.findIndex((count, place) => count !== other[place]);
  return kind < 0 ? 0 : Math.sign(dealer[kind] - other[kind]);
}

/**
 * Return the chances of seat 0 as each set began, and how the game ended.
 * @param {Step[]} steps @param {Record<string, Network>} networks by edition
 * @returns {{ place: number, set: number, value: number }[]} set: 0 at the end of the game
 */
export function chancesOf(steps, networks) {
  return steps.flatMap(({ name, snapshot }, place) => {
    const [edition, set, dealer, , , , tokens, comparing, , phase] = snapshot;
    const network = Object.hasOwn(networks, edition) ? networks[edition] : undefined;
    if (!network) return [];
    if (name === "game-ended") return [{ place, set: 0, value: resultOf(phase) }];
    if (name !== "table-laid") return [];
    if (comparing) return [{ place, set, value: 0.5 }];
    const value = chance(network, EDITIONS[edition], tokens[dealer], tokens[1 - dealer]);
    return [{ place, set, value: dealer ? 1 - value : value }];
  });
}

/** @param {Phase} phase "end" @returns {number} what seat 0 has got */
function resultOf([, winner]) {
  const [seat] = /** @type {number[]} */ (winner);
  return seat === undefined ? 0.5 : 1 - seat;
}
