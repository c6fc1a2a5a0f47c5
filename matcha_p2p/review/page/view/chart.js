/** The tokens of both players, round by round, as a drawing. */

import { svg } from "./elements.js";
import { say } from "./language.js";
import { tokensWords } from "./words.js";

/** @typedef {import("./story.js").Step} Step */

const WIDTH = 600;
const HEIGHT = 190;
const LEFT = 26;
const TOP = 12;
const BOTTOM = 24;

/** @param {readonly number[]} tokens @returns {number} */
function total(tokens) {
  return tokens.reduce((sum, count) => sum + count, 0);
}

/**
 * Draw how many tokens each had after each round.
 * @param {Step[]} steps @param {string[]} names @param {number} at the current step
 * @returns {SVGElement}
 */
export function chart(steps, names, at) {
  const rounds = steps.flatMap((step, place) => (step.name === "round" ? [{ place, step }] : []));
  const totals = [0, 1].map((seat) => [0, ...rounds.map(({ step }) => total(step.snapshot[6][seat]))]);
  const most = Math.max(4, ...totals.flat());
  /** @param {number} round */
  const x = (round) => LEFT + (round * (WIDTH - LEFT - 12)) / Math.max(1, rounds.length);
  /** @param {number} count */
  const y = (count) => HEIGHT - BOTTOM - (count * (HEIGHT - TOP - BOTTOM)) / most;
  const last = rounds.at(-1)?.step.snapshot[6] ?? [[], []];
  const label = names.map((name, seat) => `${name}: ${tokensWords(last[seat])}`).join("; ");
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `${say("TOKENS")}. ${label}` });
  for (let count = 0; count <= most; count += Math.ceil(most / 4)) {
    drawing.append(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - 8, y1: y(count), y2: y(count) }));
    drawing.append(svg("text", { class: "scale", x: LEFT - 6, y: y(count) + 4, "text-anchor": "end" }, String(count)));
  }
  rounds.forEach(({ step }, place) => {
    const [number] = step.snapshot[5].findLast((round) => round[2].length) ?? [0];
    drawing.append(svg("text", { class: "scale", x: x(place + 1), y: HEIGHT - 8, "text-anchor": "middle" }, String(number)));
    if (number === 3 && place + 1 < rounds.length) {
      const middle = (x(place + 1) + x(place + 2)) / 2;
      drawing.append(svg("line", { class: "set", x1: middle, x2: middle, y1: TOP, y2: HEIGHT - BOTTOM }));
    }
  });
  const now = rounds.filter(({ place }) => place <= at).length;
  drawing.append(svg("line", { class: "current", x1: x(now), x2: x(now), y1: TOP, y2: HEIGHT - BOTTOM }));
  totals.forEach((counts, seat) => {
    const points = counts.map((count, round) => `${x(round)},${y(count) + (seat ? 1.5 : -1.5)}`);
    drawing.append(svg("polyline", { class: `line seat${seat}`, points: points.join(" ") }));
    counts.forEach((count, round) => {
      const look = { class: `dot seat${seat}`, cx: x(round), cy: y(count) + (seat ? 1.5 : -1.5), r: 4 };
      drawing.append(seat ? svg("rect", { class: look.class, x: look.cx - 4, y: look.cy - 4, width: 8, height: 8 }) : svg("circle", look));
    });
  });
  return drawing;
}
