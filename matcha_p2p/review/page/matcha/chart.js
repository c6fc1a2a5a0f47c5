/** The tokens and the chances of both players as drawings. */

import { chancesOf } from "./chances.js";
import { say } from "../view/language.js";
import { Plot } from "../view/plot.js";
import { tokensWords } from "./words.js";

/** @typedef {import("./story.js").Step} Step */

const LAST_ROUND = 3;
const LEAST_HEIGHT = 4; // tokens

/** @param {readonly number[]} tokens @returns {number} */
function total(tokens) {
  return tokens.reduce((sum, count) => sum + count, 0);
}

/**
 * Draw how many tokens each had after each round.
 * @param {Step[]} steps
 * @param {string[]} names
 * @param {number} at the current step
 * @returns {SVGElement}
 */
export function chart(steps, names, at) {
  const rounds = steps.flatMap((step, place) =>
    step.name === "round-resolved" ? [{ place, step }] : [],
  );
  const totals = names.map((_, seat) => [
    0,
    ...rounds.map(({ step }) => total(step.snapshot[6][seat])),
  ]);
  const most = Math.max(LEAST_HEIGHT, ...totals.flat());
  const last = rounds.at(-1)?.step.snapshot[6] ?? [[], []];
  const words = names.map((name, seat) => `${name}: ${tokensWords(last[seat])}`).join("; ");
  const plot = new Plot(`${say("CHART")}. ${words}`, rounds.length, most);
  for (let count = 0; count <= most; count += Math.ceil(most / 4)) plot.rule(count);
  rounds.forEach(({ step }, place) => {
    const [number] = step.snapshot[5].findLast((round) => round[2].length) ?? [0];
    plot.mark(place + 1, String(number));
    if (number === LAST_ROUND && place + 1 < rounds.length) plot.upright(place + 1.5, "set");
  });
  plot.upright(rounds.filter(({ place }) => place <= at).length, "current");
  totals.forEach((counts, seat) => plot.line(seat, counts));
  return plot.drawing;
}

/**
 * Draw the chances of both as each set began; null while there are not two of them.
 * @param {Step[]} steps
 * @param {string[]} names
 * @param {number} at the current step
 * @returns {SVGElement | null}
 */
export function chancesChart(steps, names, at) {
  const points = chancesOf(steps, NETWORKS);
  if (points.length < 2) return null;
  const lines = names.map((_, seat) =>
    points.map(({ value }) => 100 * (seat ? 1 - value : value)),
  );
  const words = names.map((name, seat) => `${name}: ${lines[seat].map(Math.round).join(", ")}`);
  const plot = new Plot(`${say("CHANCES")}. ${words.join("; ")}`, points.length - 1, 100);
  for (const percent of [0, 50, 100]) plot.rule(percent);
  points.forEach(({ set }, column) => plot.mark(column, set ? String(set) : "★"));
  plot.upright(Math.max(0, points.filter(({ place }) => place <= at).length - 1), "current");
  lines.forEach((line, seat) => plot.line(seat, line));
  return plot.drawing;
}
