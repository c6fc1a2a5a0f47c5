/** The index: games in a table, who has won how often, and when. */

import { furnish, onChoice, translate } from "./chrome.js";
import { byId, html, svg } from "./elements.js";
import { isolated, say } from "./language.js";

/** @typedef {(typeof GAMES)[number]} Game */

const ANY = "";
const LINES = 4; // players in the drawing: those who have won most
const WIDTH = 600;
const HEIGHT = 190;
const MARGIN = 26;

/** What the reader looks for. */
const filter = { player: ANY, edition: ANY, result: ANY };

/** @param {Game} game @returns {string} */
function resultOf({ valid, over, winner }) {
  if (!valid) return "NOT_VALID";
  if (!over) return "NOT_OVER";
  return winner === null ? "A_DRAW" : "DECIDED";
}

/** @param {Game} game @returns {boolean} */
function isLookedFor(game) {
  return (
    (filter.player === ANY || game.names.includes(filter.player)) &&
    (filter.edition === ANY || game.edition === filter.edition) &&
    (filter.result === ANY || resultOf(game) === filter.result)
  );
}

/** Draw all of it, as the filter and the language want. */
function draw() {
  translate();
  document.title = say("INDEX_TITLE");
  const names = [...new Set(GAMES.flatMap((game) => game.names))].sort((a, b) => a.localeCompare(b));
  offer("player", names.map((name) => [name, isolated(name)]));
  offer("edition", ["2015", "2020"].map((edition) => [edition, edition]));
  offer("result", ["DECIDED", "A_DRAW", "NOT_OVER", "NOT_VALID"].map((key) => [key, say(`INDEX_${key}`)]));
  const found = GAMES.filter(isLookedFor);
  byId("count").textContent = say("INDEX_COUNT", { count: found.length });
  byId("games").replaceChildren(...found.map(row));
  const scores = scoresOf(found);
  byId("scores").replaceChildren(...scores.map(([name, score]) =>
    html("tr", {}, html("th", { scope: "row" }, html("bdi", {}, name)), ...score.map((count) => html("td", {}, String(count))))));
  drawChart(found, scores.slice(0, LINES).map(([name]) => name));
}

/** @param {"player" | "edition" | "result"} id @param {string[][]} values and their words */
function offer(id, values) {
  const options = [[ANY, say("ANY")], ...values].map(([value, words]) =>
    html("option", { value, selected: value === filter[id] }, words));
  byId(id).replaceChildren(...options);
}

/** @param {Game} game @returns {HTMLElement} */
function row(game) {
  const [first = "?", second = "?"] = game.names;
  const result = resultOf(game);
  const words = game.valid && game.winner !== null
    ? say("INDEX_WINS", { name: isolated(game.names[game.winner]) })
    : say(`INDEX_${result}`);
  return html(
    "tr", { class: result.toLowerCase() },
    html("td", {}, game.date),
    html("td", {}, html("a", { href: encodeURIComponent(game.page) }, html("bdi", {}, first), " · ", html("bdi", {}, second))),
    html("td", {}, game.edition ?? ""),
    html("td", {}, String(game.sets)),
    html("td", {}, words),
  );
}

/** @param {Game[]} games @returns {[string, number[]][]} won, lost, drawn by name, the best first */
function scoresOf(games) {
  /** @type {Map<string, number[]>} */
  const scores = new Map();
  for (const game of games.filter(({ valid, over }) => valid && over)) {
    game.names.forEach((name, seat) => {
      const score = scores.get(name) ?? [0, 0, 0];
      score[game.winner === null ? 2 : game.winner === seat ? 0 : 1] += 1;
      scores.set(name, score);
    });
  }
  return [...scores].sort(([, a], [, b]) => b[0] - a[0] || a[1] - b[1]);
}

/** How often each has won by then. @param {Game[]} games the latest first @param {string[]} names */
function drawChart(games, names) {
  const inOrder = games.filter(({ valid, over }) => valid && over).reverse();
  const lines = names.map((name) => {
    let wins = 0;
    return [0, ...inOrder.map((game) => (wins += game.winner !== null && game.names[game.winner] === name ? 1 : 0))];
  });
  const most = Math.max(1, ...lines.flat());
  /** @param {number} place */
  const x = (place) => MARGIN + (place * (WIDTH - MARGIN - 12)) / Math.max(1, inOrder.length);
  /** @param {number} wins */
  const y = (wins) => HEIGHT - MARGIN - (wins * (HEIGHT - MARGIN - 14)) / most;
  const label = names.map((name, line) => `${isolated(name)}: ${lines[line].at(-1)}`).join("; ");
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `${say("WINS_OVER_TIME")}. ${label}` });
  for (const wins of new Set([0, most])) {
    drawing.append(svg("line", { class: "rule", x1: MARGIN, x2: WIDTH - 8, y1: y(wins), y2: y(wins) }));
    drawing.append(svg("text", { x: MARGIN - 6, y: y(wins) + 4, "text-anchor": "end" }, String(wins)));
  }
  [inOrder.at(0), inOrder.at(-1)].forEach((game, end) => {
    drawing.append(svg("text", { x: end ? WIDTH - 8 : MARGIN, y: HEIGHT - 8, "text-anchor": end ? "end" : "start" }, game?.date ?? ""));
  });
  lines.forEach((line, number) => {
    drawing.append(svg("polyline", { class: `line seat${number}`, points: line.map((wins, place) => `${x(place)},${y(wins)}`).join(" ") }));
  });
  byId("chart").replaceChildren(drawing);
  byId("legend").replaceChildren(...names.map((name, line) => html("span", { class: `seat${line}` }, html("bdi", {}, name))));
}

/** Begin. */
function begin() {
  furnish(draw);
  for (const id of /** @type {const} */ (["player", "edition", "result"])) {
    onChoice(id, (value) => {
      filter[id] = value;
      draw();
    });
  }
  draw();
}

begin();
