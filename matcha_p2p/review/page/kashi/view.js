/** What the page shows of a game of Kashi-ichi. */

import { byId, html } from "../view/elements.js";
import { isolated, knows, say } from "../view/language.js";
import { begin } from "../view/page.js";
import { OPEN, ToldView, tableOf } from "../view/told.js";

/** @typedef {import("../view/page.js").GameView} GameView */
/**
 * @typedef {object} Player @property {number | null} person @property {number} gold
 * @property {number[]} goods @property {number} points @property {number} hand
 * @property {number[]} shops @property {number} orders
 */
/** @typedef {{ number: number, goods: number[], guest: string, points: number }} Order */
/**
 * @typedef {object} Board @property {string[]} grid @property {number} width
 * @property {[number, string][]} tiles @property {string[]} goods
 */
/**
 * @typedef {object} State as games/kashi/replay/page_steps.py writes it
 * @property {string} kind @property {number | null} seat @property {Board | null} board
 * @property {number[]} way @property {Order[]} row @property {number} settlements
 * @property {Player[]} players
 */

const NO_SQUARE = "#";

/** @param {string} name on the board @returns {string} in the language of the page */
function shown(name) {
  return knows(`NAME_${name}`) ? say(`NAME_${name}`) : name;
}

/** @param {number[]} counts @param {string[]} names @returns {string} */
function goodsWords(counts, names) {
  return counts
    .flatMap((count, good) => (count ? [`${shown(names[good])} ×${count}`] : []))
    .join(", ");
}

/** @param {string} sign @param {number} seat @param {string} rest @param {string} label */
function marker(sign, seat, rest, label) {
  return html(
    "b",
    { class: `marker seat${seat}`, role: "img", "aria-label": label },
    `${sign}${seat + 1}${rest}`,
  );
}

/** @implements {GameView} */
class KashiView extends ToldView {
  /** @returns {Board} which the first step brings */
  get data() {
    return this.steps[0].state.board;
  }

  looks() {
    return [[OPEN, say("VIEW_BOTH")]];
  }

  /** @param {number} at */
  board(at) {
    /** @type {State} */
    const state = this.steps[at].state;
    const { goods, grid, width } = this.data;
    const cells = grid.flatMap((letters, row) =>
      [...letters].map((letter, column) => this.cell(state, row * width + column, letter)),
    );
    const squares = html("div", { class: "squares" }, ...cells);
    squares.style.setProperty("--rows", String(grid.length));
    squares.style.setProperty("--columns", String(width - 1));
    return html(
      "div",
      { class: "cloth kashi" },
      squares,
      html(
        "div",
        { class: "facts" },
        ...this.names.map((name, seat) =>
          html("span", {}, marker("●", seat, "", isolated(name)), " ", html("bdi", {}, name)),
        ),
      ),
      html(
        "ul",
        { class: "row", "aria-label": say("ORDERS") },
        ...state.row.map((order) => orderLine(order, goods)),
      ),
    );
  }

  /** @param {State} state @param {number} square @param {string} letter */
  cell({ players, way }, square, letter) {
    if (letter === NO_SQUARE) return html("div", { class: "hole" });
    const name = this.data.tiles.find(([place]) => place === square)?.[1];
    const names = this.names.map(isolated);
    const shops = players.flatMap((player, owner) => {
      const count = player.shops.filter((shop) => shop === square).length;
      const label = say("SHOPS_OF", { name: names[owner], count });
      return count ? [marker("▲", owner, count > 1 ? `×${count}` : "", label)] : [];
    });
    const people = players.flatMap(({ person }, owner) =>
      person === square ? [marker("●", owner, "", names[owner])] : [],
    );
    const lit = way.includes(square) ? "lit" : "";
    return html(
      "div",
      { class: `cell ${name === undefined ? `area${letter}` : "tile-name"} ${lit}` },
      html("small", {}, name === undefined ? letter : shown(name)),
      html("span", {}, ...shops, ...people),
    );
  }

  /** @param {number} at */
  draw(at) {
    /** @type {State} */
    const { players } = this.steps[at].state;
    const { goods } = this.data;
    const heads = ["PLAYER", "POINTS", "GOLD", "GOODS", "SHOPS", "DONE"].map((key) => say(key));
    /** @type {[string, ...(number | string)[]][]} */
    const rows = players.map((player, seat) => [
      isolated(this.names[seat]),
      player.points,
      player.gold,
      goodsWords(player.goods, goods),
      player.hand,
      player.orders,
    ]);
    byId("chart").replaceChildren(tableOf(heads, rows, this.steps[at].state.seat ?? -1));
    byId("estimate").hidden = true;
  }

  /** @param {number} at @returns {import("../view/page.js").Mark | null} */
  mark(at) {
    const { kind, settlements } = this.steps[at].state;
    if (kind === "first") return { text: say("BEGIN"), label: say("BEGIN"), begins: true };
    if (kind === "settled") {
      const label = say("SETTLEMENT", { number: settlements });
      return { text: label, label, begins: true };
    }
    return kind === "end" ? { text: "★", label: say("THE_END"), begins: false } : null;
  }

  /** @param {number} at */
  isGoal(at) {
    return this.kind(at) === "settled";
  }
}

/** @param {Order} order @param {string[]} names of the goods @returns {HTMLElement} */
function orderLine({ number, goods, guest, points }, names) {
  return html(
    "li",
    {},
    html("b", {}, `${number}: `),
    `${goodsWords(goods, names)} → ${shown(guest)}, ${points} ${say("POINTS")}`,
  );
}

begin((findings) => new KashiView(findings));
