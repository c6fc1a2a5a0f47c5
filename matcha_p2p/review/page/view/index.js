/** The index: games in a table, who has won how often, and when. */

import { furnish, onChoice, translate } from "./chrome.js";
import { byId, html } from "./elements.js";
import { isolated, say } from "./language.js";
import { Plot } from "./plot.js";

/** @typedef {(typeof GAMES)[number]} Game */

const ANY = "";
const LINES = 4; // players in the drawing: those who have won most

/** The reader's filters. */
const filter = { player: ANY, edition: ANY, result: ANY };

/** @param {Game} game @returns {string} */
function resultOf({ valid, over, winners }) {
  if (!valid) return "NOT_VALID";
  if (!over) return "NOT_OVER";
  return winners.length ? "DECIDED" : "A_DRAW";
}

/** @param {Game} game @returns {string} its name, and its edition */
function editionOf({ game, edition }) {
  return edition === null ? game : `${game} ${edition}`;
}

/** @param {Game} game @returns {boolean} */
function isLookedFor(game) {
  return (
    (filter.player === ANY || game.names.includes(filter.player)) &&
    (filter.edition === ANY || editionOf(game) === filter.edition) &&
    (filter.result === ANY || resultOf(game) === filter.result)
  );
}

/** Draw all of it, as the filter and the language want. */
function draw() {
  translate();
  document.title = say("INDEX_TITLE");
  const names = [...new Set(GAMES.flatMap((game) => game.names))].sort((a, b) =>
    a.localeCompare(b),
  );
  offer(
    "player",
    names.map((name) => [name, isolated(name)]),
  );
  offer(
    "edition",
    [...new Set(GAMES.map(editionOf))].sort().map((edition) => [edition, edition]),
  );
  offer(
    "result",
    ["DECIDED", "A_DRAW", "NOT_OVER", "NOT_VALID"].map((key) => [key, say(`INDEX_${key}`)]),
  );
  const found = GAMES.filter(isLookedFor);
  byId("count").textContent = say("INDEX_COUNT", { count: found.length });
  byId("games").replaceChildren(...found.map(row));
  const scores = scoresOf(found);
  byId("scores").replaceChildren(
    ...scores.map(([name, score]) =>
      html(
        "tr",
        {},
        html("th", { scope: "row" }, html("bdi", {}, name)),
        ...score.map((count) => html("td", {}, String(count))),
      ),
    ),
  );
  drawChart(
    found,
    scores.slice(0, LINES).map(([name]) => name),
  );
}

/** @param {"player" | "edition" | "result"} id @param {string[][]} values and their words */
function offer(id, values) {
  const options = [[ANY, say("ANY")], ...values].map(([value, words]) =>
    html("option", { value, selected: value === filter[id] }, words),
  );
  byId(id).replaceChildren(...options);
}

/** @param {Game} game @returns {HTMLElement} */
function row(game) {
  const names = game.names.length ? game.names : ["?", "?"];
  const result = resultOf(game);
  const words = game.valid && game.winners.length ? wonWords(game) : say(`INDEX_${result}`);
  return html(
    "tr",
    { class: result.toLowerCase() },
    html("td", {}, game.date),
    html(
      "td",
      {},
      html(
        "a",
        { href: game.page },
        ...names.flatMap((name, seat) => [seat ? " · " : "", html("bdi", {}, name)]),
      ),
    ),
    html("td", {}, editionOf(game)),
    html("td", {}, String(game.sets)),
    html("td", {}, words),
  );
}

/**
 * @param {Game[]} games
 * @returns {[string, number[]][]} won, lost, drawn by name, the best first
 */
function scoresOf(games) {
  /** @type {Map<string, number[]>} */
  const scores = new Map();
  for (const game of games.filter(({ valid, over }) => valid && over)) {
    game.names.forEach((name, seat) => {
      const score = scores.get(name) ?? [0, 0, 0];
      score[!game.winners.length ? 2 : game.winners.includes(seat) ? 0 : 1] += 1;
      scores.set(name, score);
    });
  }
  return [...scores].sort(([, a], [, b]) => b[0] - a[0] || a[1] - b[1]);
}

/** @param {Game} game that has winners @returns {string} */
function wonWords(game) {
  const names = winnersOf(game).map(isolated);
  if (names.length > 1) return say("INDEX_TEAM_WINS", { names: names.join(", ") });
  return say("INDEX_WINS", { name: names[0] });
}

/** @param {Game} game @returns {string[]} the names of the winners */
function winnersOf({ names, winners }) {
  return winners.map((seat) => names[seat]);
}

/**
 * Draw how often each has won by then.
 * @param {Game[]} games the latest first
 * @param {string[]} names
 */
function drawChart(games, names) {
  const inOrder = games.filter(({ valid, over }) => valid && over).reverse();
  const lines = names.map((name) => winsOf(name, inOrder));
  const most = Math.max(1, ...lines.flat());
  const words = names.map((name, line) => `${isolated(name)}: ${lines[line].at(-1)}`);
  const label = `${say("WINS_OVER_TIME")}. ${words.join("; ")}`;
  const plot = new Plot(label, inOrder.length, most);
  for (const wins of [0, most]) plot.rule(wins);
  plot.mark(0, inOrder.at(0)?.date ?? "", "start");
  if (inOrder.length > 1) plot.mark(inOrder.length, inOrder.at(-1)?.date ?? "", "end");
  lines.forEach((wins, line) => plot.line(line, wins));
  byId("chart").replaceChildren(plot.drawing);
  const legend = names.map((name, line) =>
    html("span", { class: `seat${line}` }, html("bdi", {}, name)),
  );
  byId("legend").replaceChildren(...legend);
}

/**
 * @param {string} name
 * @param {Game[]} games in their order
 * @returns {number[]} how many of the first 0, 1, .. games it has won
 */
function winsOf(name, games) {
  let wins = 0;
  const after = games.map((game) => {
    wins += winnersOf(game).includes(name) ? 1 : 0;
    return wins;
  });
  return [0, ...after];
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
