/** What the page shows of a game of Kashi-ichi. */

import { byId, html } from "../view/elements.js";
import { isolated, knows, say } from "../view/language.js";
import { begin } from "../view/page.js";
import { OPEN, ToldView, readTold, tableOf } from "../view/told.js";

/** @typedef {import("../view/page.js").Better} Better */
/** @typedef {import("../view/page.js").GameView} GameView */
/** @typedef {import("./seen.js").Seen} Seen */
/** @typedef {Seen["row"][number]} Order */

const TILES = "12345ABC";
const NO_SQUARE = "#";
const TINTS = 5; // the different tints of areas

/** @param {string} name on the board @returns {string} in the language of the page */
function shown(name) {
  return knows(`NAME_${name}`) ? say(`NAME_${name}`) : name;
}

/** @param {number[]} counts @param {string[]} names @returns {string} */
function goodsWords(counts, names) {
  return counts
    .flatMap((count, good) => (count ? [`${shown(names[good])}\u00a0×${count}`] : []))
    .join(", ");
}

/** @param {string} text @param {number} seat @param {string} label */
function marker(text, seat, label) {
  return html("b", { class: `marker seat${seat}`, role: "img", "aria-label": label }, text);
}

/** @param {string[]} names @returns {string[]} a letter for each seat, all different */
function marksOf(names) {
  const found = names.map((name) => [...name][0]?.toUpperCase() ?? "");
  const plain = found.every((letter) => letter.toLowerCase() !== letter);
  return plain && new Set(found).size === found.length ? found : [..."ABCD"];
}

/** @param {number} square @returns {string} its row and column, as the sentences tell them */
function placeOf(square) {
  return `${Math.floor(square / 100)},${square % 100}`;
}

/** @param {string} mark @param {number} seat @param {string} name @returns {HTMLElement} */
function personMarker(mark, seat, name) {
  const found = marker(mark, seat, name);
  found.prepend(html("span", { class: "face" }, "☻"));
  found.classList.add("person");
  return found;
}

/** @implements {GameView} */
class KashiView extends ToldView {
  marks = marksOf(this.names);

  /** @returns {number} */
  wrong() {
    return this.firstWrong((at) => this.agrees(at));
  }

  /** @param {number} at @returns {boolean} whether the step is an event of the checked game */
  agrees(at) {
    const { kind, seat } = this.steps[at].event;
    /** @type {[Seen, Seen]} */
    const [now, before] = [this.seen(at), this.seenBefore(at)];
    switch (kind) {
      case "first-drawn":
        return seat === now.first;
      case "started":
      case "turn-taken":
      case "idle-answered":
      case "upkeep-paid":
        return seat === now.closer;
      case "orders-drawn":
        return seat === undefined && now.drawn > before.drawn;
      case "areas-settled":
        return seat === undefined && now.settlements === before.settlements + 1;
      default:
        return seat === undefined && (now.isDecided || this.findings.verdict === "RESIGNED");
    }
  }

  /** @param {number} at @returns {number[]} the squares that a person has passed */
  way(at) {
    const { kind, seat } = this.steps[at].event;
    /** @type {Seen} */
    const { players, way } = this.seen(at);
    if (kind === "started") return [players[seat].person];
    return kind === "turn-taken" ? way : [];
  }

  looks() {
    return [[OPEN, say("VIEW_BOTH")]];
  }

  /** @param {number} at @param {string} _look @param {Better | null} better */
  board(at, _look, better) {
    /** @type {Seen} */
    const { areas: called, names, players, row, rows } = this.seen(at);
    const winners = this.kind(at) === "game-ended" ? this.findings.winners : null;
    const way = this.way(at);
    const letters = new Set(rows.flatMap((row) => [...row]));
    const areas = [...letters].filter((each) => ![...TILES, NO_SQUARE].includes(each)).sort();
    const cells = rows.flatMap((letters, down) =>
      [...letters].map((letter, right) => {
        const square = 100 * (down + 1) + right + 1;
        const text = called[letter] ?? letter;
        const cell = this.cell(players, square, text, names, way.lastIndexOf(square));
        const odd = (down + right) % 2 ? "-odd" : "";
        const tint = `var(--area${areas.indexOf(letter) % TINTS}${odd})`;
        if (areas.includes(letter)) cell.style.setProperty("--tint", tint);
        if (letter !== NO_SQUARE) markBetter(cell, square, better);
        return cell;
      }),
    );
    const squares = html("div", { class: "squares" }, ...cells);
    squares.style.setProperty("--rows", String(rows.length));
    squares.style.setProperty("--columns", String(rows[0].length));
    return html(
      "div",
      { class: "cloth kashi" },
      squares,
      html(
        "div",
        { class: "facts" },
        ...this.names.map((name, seat) =>
          html(
            "span",
            { class: winners?.includes(seat) ? "winner" : "" },
            html(
              "span",
              { class: "who" },
              personMarker(this.marks[seat], seat, isolated(name)),
              html("bdi", {}, name),
            ),
          ),
        ),
      ),
      html(
        "ul",
        { class: "row", "aria-label": say("ORDERS") },
        ...row.map((order) => orderLine(order, names)),
      ),
    );
  }

  /**
   * @param {Seen["players"]} players @param {number} square @param {string} letter
   * @param {string[]} goods and guests @param {number} nth of the squares passed, or -1
   */
  cell(players, square, letter, goods, nth) {
    if (letter === NO_SQUARE) return html("div", { class: "hole" });
    const name = goods[TILES.indexOf(letter)];
    const names = this.names.map(isolated);
    const shops = players.flatMap((player, owner) => {
      const count = player.shops.filter((shop) => shop === square).length;
      const label = say("SHOPS_OF", { name: names[owner], count });
      const text = `⌂${this.marks[owner]}${count > 1 ? count : ""}`;
      return count ? [marker(text, owner, label)] : [];
    });
    const people = players.flatMap(({ person }, owner) =>
      person === square ? [personMarker(this.marks[owner], owner, names[owner])] : [],
    );
    const text = name === undefined ? letter : shown(name);
    const cell = html(
      "div",
      { class: `cell ${name === undefined ? "" : "tile-name"} ${nth < 0 ? "" : "lit"}` },
      html("small", {}, text, html("span", { class: "at" }, placeOf(square))),
      html("span", {}, ...shops, ...people),
    );
    cell.style.setProperty("--nth", String(nth));
    cell.style.setProperty("--letters", String(text.length));
    return cell;
  }

  /**
   * @param {number} at @param {string} look
   * @returns {string[]} the winner first: the points take lines of their own
   */
  caption(at, look) {
    const lines = super.caption(at, look);
    return this.kind(at) === "game-ended" ? [...lines.slice(-1), ...lines.slice(0, -1)] : lines;
  }

  /** @param {number} at */
  draw(at) {
    /** @type {Seen} */
    const { names, players } = this.seen(at);
    const heads = ["PLAYER", "POINTS", "GOLD", "GOODS", "SHOPS", "DONE"].map((key) => say(key));
    /** @type {[string, ...(number | string)[]][]} */
    const rows = players.map((player, seat) => [
      isolated(this.names[seat]),
      player.points,
      player.gold,
      goodsWords(player.goods, names),
      player.hand,
      player.done,
    ]);
    byId("chart").replaceChildren(tableOf(heads, rows, this.steps[at].event.seat ?? -1));
    byId("estimate").hidden = true;
  }

  /** @param {number} at @returns {import("../view/page.js").Mark | null} */
  mark(at) {
    const kind = this.kind(at);
    if (kind === "first-drawn")
      return { text: say("BEGIN"), label: say("BEGIN"), begins: true };
    if (kind === "areas-settled") {
      const label = say("SETTLEMENT", { number: this.seen(at).settlements });
      return { text: label, label, begins: false };
    }
    return kind === "game-ended" ? { text: "★", label: say("THE_END"), begins: false } : null;
  }

  /** @param {number} at */
  isGoal(at) {
    return this.kind(at) === "areas-settled";
  }
}

/**
 * Mark what was better at a square.
 * @param {HTMLElement} cell @param {number} square @param {Better | null} better
 */
function markBetter(cell, square, better) {
  const isShop = better?.shops?.includes(square);
  if (!isShop && !better?.way?.includes(square)) return;
  const label = say(isShop ? "BETTER_SHOP" : "BETTER_MOVE");
  cell.classList.add("better");
  cell.title = label;
  cell.lastElementChild?.append(
    html("b", { class: "marker ask", role: "img", "aria-label": label }, isShop ? "⌂?" : ""),
  );
}

/** @param {Order} order @param {string[]} names of the board @returns {HTMLElement} */
function orderLine({ number, goods, guest, points }, names) {
  return html(
    "li",
    {},
    html("b", {}, `${number}: `),
    `${goodsWords(goods, names)} → ${shown(names[goods.length + guest])}: `,
    html("span", { class: "unit" }, `${say("POINTS")}\u00a0`),
    html("b", {}, String(points)),
  );
}

begin(async (findings) => new KashiView(findings, await readTold()));
