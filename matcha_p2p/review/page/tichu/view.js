/** What the page shows of a game of Tichu. */

import { byId, html } from "../view/elements.js";
import { isolated, say } from "../view/language.js";
import { begin } from "../view/page.js";
import { OPEN, ToldView, tableOf } from "../view/told.js";

/** @typedef {import("../view/page.js").GameView} GameView */
/**
 * @typedef {object} State as games/tichu/replay/page_steps.py writes it
 * @property {string} kind @property {number} round @property {number | null} seat
 * @property {(number[] | null)[]} hands @property {number[]} counts @property {number[]} calls
 * @property {number[]} out @property {number[]} pile @property {number[]} top
 * @property {number | null} by @property {number} wish @property {number[]} won
 * @property {number[]} totals @property {number[] | null} points
 * @property {number[][] | null} gifts
 */

const SUITS = "RGBK";
const RANKS = "23456789TJQKA";
const SPECIAL = "MHPD";
const SIDES = ["near", "right", "far", "left"];
const PUBLIC = "public";

/** @param {number} face @returns {string} as the sentences call it: R7, or P for the Phoenix */
function textOf(face) {
  if (face >= 52) return SPECIAL[face - 52];
  return SUITS[Math.floor(face / 13)] + RANKS[face % 13];
}

/** @param {number} face @returns {number} by which a hand is sorted, special cards last */
function orderOf(face) {
  return face < 52 ? 4 * (face % 13) + Math.floor(face / 13) : face;
}

/** @param {number} face @returns {HTMLElement} */
function tile(face) {
  const text = textOf(face);
  const [suit, rank] = face < 52 ? text : ["", text];
  return html(
    "span",
    { class: `tile ${suit ? `suit${suit}` : "special"}`, role: "img", "aria-label": text },
    html("b", {}, rank),
    html("i", {}, suit),
  );
}

/** @param {string} look @returns {number} the seat that sits below */
function frontOf(look) {
  return look === OPEN || look === PUBLIC ? 0 : Number(look);
}

/** @implements {GameView} */
class TichuView extends ToldView {
  looks() {
    const isOpen = this.steps.some(({ state }) => state.hands.some(Boolean));
    return [
      ...(isOpen ? [[OPEN, say("VIEW_BOTH")]] : []),
      [PUBLIC, say("VIEW_PUBLIC")],
      ...this.names.map((name, seat) => [String(seat), isolated(name)]),
    ];
  }

  /** @param {number} at @param {string} look */
  board(at, look) {
    /** @type {State} */
    const state = this.steps[at].state;
    const front = frontOf(look);
    return html(
      "div",
      { class: "cloth tichu" },
      ...SIDES.map((side, count) => this.player(state, (front + count) % 4, side, look)),
      this.trick(state),
    );
  }

  /** @param {State} state @param {number} seat @param {string} side @param {string} look */
  player(state, seat, side, look) {
    const sees = look === OPEN || look === String(seat);
    const hand = (sees && state.hands[seat]) || null;
    const cards = hand
      ? hand.toSorted((a, b) => orderOf(a) - orderOf(b)).map(tile)
      : Array.from({ length: state.counts[seat] }, () =>
          html("span", { class: "tile closed" }),
        );
    return html(
      "div",
      { class: `player ${side} ${state.seat === seat ? "acts" : ""}` },
      html("div", { class: "who" }, html("bdi", {}, this.names[seat])),
      html("div", { class: "facts" }, ...this.facts(state, seat, sees)),
      html(
        "div",
        {
          class: "tiles",
          role: "group",
          "aria-label": say("HAND_OF", { name: this.names[seat] }),
        },
        ...cards,
      ),
    );
  }

  /** @param {State} state @param {number} seat @param {boolean} sees */
  facts(state, seat, sees) {
    const rank = state.out.indexOf(seat);
    const gifts = (sees && state.gifts?.[seat]) || null;
    const facts = [
      ...(state.calls[seat] ? [html("strong", {}, say(`CALLED_${state.calls[seat]}`))] : []),
      rank < 0
        ? say("HAND_COUNT", { count: state.counts[seat] })
        : say("OUT", { place: rank + 1 }),
      say("IN_TRICKS", { points: state.won[seat] }),
      ...(gifts ? [say("GAVE", { cards: gifts.map(textOf).join(" ") })] : []),
    ];
    return facts.map((fact) => html("small", {}, fact));
  }

  /** @param {State} state */
  trick({ by, pile, top, wish }) {
    const under = pile.slice(0, pile.length - top.length);
    const name = by === null ? "" : isolated(this.names[by]);
    return html(
      "div",
      { class: "trick", role: "group", "aria-label": say("TRICK") },
      html("small", {}, by === null ? say("NOTHING_LIES") : say("LAID_BY", { name })),
      html(
        "div",
        { class: "tiles top" },
        ...top.toSorted((a, b) => orderOf(a) - orderOf(b)).map(tile),
      ),
      html("div", { class: "tiles under" }, ...under.map(tile)),
      ...(wish ? [html("strong", {}, say("WISH", { card: RANKS[wish - 2] }))] : []),
    );
  }

  /** @param {number} at */
  draw(at) {
    const counted = this.steps.flatMap(({ state }, place) =>
      state.points ? [{ place, state }] : [],
    );
    const heads = [0, 1].map((team) =>
      [team, team + 2].map((seat) => isolated(this.names[seat])).join(", "),
    );
    /** @type {[string, ...(number | string)[]][]} */
    const rows = counted.map(({ state }) => [
      say("ROUND_NUMBER", { number: state.round }),
      ...[0, 1].map((team) => `${state.points[team]} (${state.totals[team]})`),
    ]);
    const lit = this.steps[at].state.round - 1;
    byId("chart").replaceChildren(tableOf([say("SETS"), ...heads], rows, lit));
    byId("estimate").hidden = true;
  }

  /** @param {number} at @returns {import("../view/page.js").Mark | null} */
  mark(at) {
    const { kind, points, round } = this.steps[at].state;
    if (kind === "round") {
      const text = say("ROUND_NUMBER", { number: round });
      return { text, label: text, begins: true };
    }
    if (kind === "counted") {
      const label = say("ROUND_END", { number: round });
      return { text: points.join(" : "), label, begins: false };
    }
    return kind === "end" ? { text: "★", label: say("THE_END"), begins: false } : null;
  }

  /** @param {number} at */
  isGoal(at) {
    return ["taken", "counted"].includes(this.kind(at));
  }
}

begin((findings) => new TichuView(findings));
