/** What the page shows of a game of Tichu. */

import { byId, html, passMark, svg } from "../view/elements.js";
import { isolated, say } from "../view/language.js";
import { begin } from "../view/page.js";
import { OPEN, PUBLIC, ToldView, readTold, tableOf } from "../view/told.js";

/** @typedef {import("../view/page.js").Better} Better */
/** @typedef {import("../view/page.js").GameView} GameView */
/** @typedef {import("./seen.js").Seen} Seen */
/** @typedef {import("./seen.js").SeenRound} SeenRound */
/**
 * @typedef {object} Event of its plain form, with the round, and perhaps who gave which faces
 * @property {string} kind @property {number} round @property {number} [seat]
 * @property {number[][]} [gifts]
 */
/** @typedef {typeof NONE} Counts of the steps of a round, by kind */

/** The pictures of the suits: a star, a ring of jade, a pagoda and a sword. */
const SIGNS = [
  "m12 1.5 3.1 7 7.6.8-5.7 5.1 1.6 7.5-6.6-3.8-6.6 3.8L7 14.4 1.3 9.3l7.6-.8z",
  "M12 2a10 10 0 1 0 .01 0zm0 6.2a3.8 3.8 0 1 1-.01 0z",
  "M12 1c.8 3.6 4 6 9 6.8v2.7H3V7.8C8 7 11.2 4.6 12 1zM6.5 11.7h11c.8 2 2.8 3.2 5.3 3.7v2.5H1.2v-2.5c2.5-.5 4.5-1.7 5.3-3.7zM5.5 19.2h13V23h-4.3v-2.2H9.8V23H5.5z",
  "m22.3.7-1.2 5.4L10.7 16.5l-4.2-4.2L16.9 1.9zM4.4 11.6l7 7-1.7 1.7-7-7zM5.2 17.2l1.6 1.6L3.1 22.5 1.5 20.9z",
];
const DOG = 53;
const NONE = { called: 0, laid: 0, "turn-passed": 0, "trick-taken": 0, "went-out": 0 };
const TOTALS = ["round-counted", "game-ended"];
const SIDES = ["near", "right", "far", "left"];

/** @param {number} face of a suit @returns {string} */
function rankOf(face) {
  const number = (face % 13) + 2;
  return "JQKA"[number - 11] ?? String(number);
}

/** @param {number} face @returns {string} as the sentences call it: 7✦, or Phx */
function textOf(face) {
  const marks = say("MARKS").split(" ");
  const suit = Math.floor(face / 13);
  return suit > 3 ? marks[face - 48] : say("CARD", { rank: rankOf(face), suit: marks[suit] });
}

/** @param {number} face @returns {number} by which a hand is sorted, special cards last */
function orderOf(face) {
  return face < 52 ? 4 * (face % 13) + Math.floor(face / 13) : face;
}

/** @param {number} suit @returns {SVGElement} its picture */
function signOf(suit) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "sign", "aria-hidden": "true" },
    svg("path", { d: SIGNS[suit], "fill-rule": "evenodd" }),
  );
}

/** @param {number} face @param {boolean} [isBetter] to lay @returns {HTMLElement} */
function tile(face, isBetter = false) {
  const text = textOf(face);
  const suit = Math.floor(face / 13);
  return html(
    "span",
    {
      class: `tile suit${suit} ${isBetter ? "better" : ""}`,
      role: "img",
      "aria-label": isBetter ? `${text}, ${say("BETTER_MOVE")}` : text,
      title: isBetter && say("BETTER_MOVE"),
    },
    html("b", {}, suit > 3 ? text : rankOf(face)),
    ...(suit > 3 ? [] : [signOf(suit)]),
  );
}

/** @param {string} look @returns {number} the seat that sits below */
function frontOf(look) {
  return look === OPEN || look === PUBLIC ? 0 : Number(look);
}

/** @implements {GameView} */
class TichuView extends ToldView {
  /** @param {import("../view/page.js").Findings} findings @param {import("../view/told.js").Told} told */
  constructor(findings, told) {
    super(findings, told);
    this.counts = countsOf(this.steps.map(({ event }) => event.kind));
  }

  /** @returns {number} */
  wrong() {
    return this.firstWrong((at) => this.agrees(at));
  }

  /** @param {number} at @returns {boolean} whether the step is an event of the checked game */
  agrees(at) {
    const { entries, event } = this.steps[at];
    const { gifts, kind, round, seat } = /** @type {Event} */ (event);
    /** @type {Seen} */
    const { isDecided, number, points } = this.seen(at);
    const state = this.round(at);
    if (!state || (seat !== undefined && !this.names[seat])) return false;
    const {
      laid,
      "turn-passed": passed,
      "trick-taken": taken,
      "went-out": out,
    } = this.counts[at];
    if (this.steps[at + 1]?.entries !== entries && !isAllTold(state, this.counts[at]))
      return false;
    switch (kind) {
      case "round-begun":
        return seat === undefined && round === number;
      case "called":
        return seat !== undefined && state.calls[seat] > 0;
      case "mah-jong-shown":
        return state.leader[0] === seat && (!gifts || areHeld(gifts, this.hands(round)));
      case "laid":
        return state.lays[laid - 1]?.[0] === seat;
      case "turn-passed":
        return state.passers[passed - 1] === seat;
      case "trick-taken":
        return state.takes[taken - 1]?.[0] === seat;
      case "went-out":
        return state.out[out - 1] === seat;
      case "round-counted":
        return seat === undefined && Boolean(points[round - 1]);
      default:
        return seat === undefined && (isDecided || this.findings.verdict === "RESIGNED");
    }
  }

  /** @param {number} at @returns {SeenRound | null} the round of a step */
  round(at) {
    const { last, number, round } = this.seen(at);
    const told = this.steps[at].event.round;
    if (told === number) return round;
    return told === number - 1 ? last : null;
  }

  /** @param {number} round @returns {number[][] | undefined} after the exchange, if known */
  hands(round) {
    return this.findings.seen.at(-1).hands[round - 1];
  }

  /** @param {number} at @param {number} seat @returns {number[] | null} null while it is closed */
  hand(at, seat) {
    const state = this.round(at);
    const hand = this.hands(this.steps[at].event.round)?.[seat];
    if (!state?.leader.length || !hand) return null;
    return state.held[seat].map((place) => hand[place]);
  }

  looks() {
    const isOpen = this.steps.some((_, at) => this.hand(at, 0));
    return [
      ...(isOpen ? [[OPEN, say("VIEW_BOTH")]] : []),
      [PUBLIC, say("VIEW_PUBLIC")],
      ...this.names.map((name, seat) => [String(seat), isolated(name)]),
    ];
  }

  /** @param {number} at @param {string} look @param {Better | null} better */
  board(at, look, better) {
    const front = frontOf(look);
    return html(
      "div",
      { class: "cloth tichu" },
      ...SIDES.map((side, count) => this.player(at, (front + count) % 4, side, look, better)),
      this.trick(at, look, better?.cards ?? []),
      ...this.gone(at),
    );
  }

  /**
   * @param {number} at @param {number} seat @param {string} side @param {string} look
   * @param {Better | null} better
   */
  player(at, seat, side, look, better) {
    const state = /** @type {SeenRound} */ (this.round(at));
    const sees = look === OPEN || look === String(seat);
    const hand = sees ? this.hand(at, seat) : null;
    const lifted = better?.cards ?? [];
    const cards = hand
      ? hand
          .toSorted((a, b) => orderOf(a) - orderOf(b))
          .map((face) => tile(face, lifted.includes(face)))
      : state.held[seat].map(() => html("span", { class: "tile closed" }));
    const { event } = this.steps[at];
    const wins = event.kind === "game-ended" && this.findings.winners?.includes(seat);
    return html(
      "div",
      {
        class: `player ${side} ${event.seat === seat ? "acts" : ""} ${wins ? "winner" : ""}`,
      },
      html(
        "div",
        { class: "who" },
        html("bdi", {}, this.names[seat]),
        ...(event.seat === seat ? passMark(better) : []),
      ),
      html("div", { class: "facts" }, ...factsOf(state, seat)),
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

  /** @param {number} at @param {string} look @returns {string[]} who gave which card to whom */
  gave(at, look) {
    const { gifts } = /** @type {Event} */ (this.steps[at].event);
    const names = this.names.map(isolated);
    return (gifts ?? []).flatMap((faces, seat) => {
      if (look !== OPEN && look !== String(seat)) return [];
      const [first, second, third] = faces.map(textOf);
      const [name, right, partner, left] = [0, 1, 2, 3].map((on) => names[(seat + on) % 4]);
      return [say("GAVE", { name, first, second, third, right, partner, left })];
    });
  }

  /** @param {number} at @param {string} look @param {number[]} better cards */
  trick(at, look, better) {
    const { lays, takes, wish } = /** @type {SeenRound} */ (this.round(at));
    const { laid, "trick-taken": taken } = this.counts[at];
    const plays = lays.slice(takes[taken - 1]?.[1] ?? 0, laid);
    const [by, top] = plays.pop() ?? [null, []];
    const under = plays.flatMap(([, faces]) => faces);
    const name = by === null ? "" : isolated(this.names[by]);
    const told = TOTALS.includes(this.kind(at)) ? this.totals(at) : this.gave(at, look);
    const nothing = told.length ? told : [say("NOTHING_LIES")];
    return html(
      "div",
      { class: "trick", role: "group", "aria-label": say("TRICK") },
      ...(by === null
        ? nothing.map((line) => html("span", { class: "total" }, line))
        : [html("small", {}, say("LAID_BY", { name }))]),
      html(
        "div",
        { class: "tiles top" },
        ...top
          .toSorted((a, b) => orderOf(a) - orderOf(b))
          .map((face) => tile(face, better.includes(face))),
      ),
      html("div", { class: "tiles under" }, ...under.map((face) => tile(face))),
      ...(wish ? [html("strong", {}, say("WISH", { card: rankOf(wish - 2) }))] : []),
    );
  }

  /** @param {number} at @returns {HTMLElement[]} the cards that move to the taker of a trick */
  gone(at) {
    if (this.kind(at) !== "trick-taken") return [];
    const { lays, takes } = /** @type {SeenRound} */ (this.round(at));
    const { "trick-taken": taken } = this.counts[at];
    const [from, to] = [takes[taken - 2]?.[1] ?? 0, takes[taken - 1][1]];
    const faces = lays.slice(from, to).flatMap(([, all]) => all);
    const tiles = faces.map((face) => tile(face));
    return [html("div", { class: "tiles gone", "aria-hidden": "true" }, ...tiles)];
  }

  /** @param {number} team @returns {string} */
  team(team) {
    return [team, team + 2].map((seat) => isolated(this.names[seat])).join(", ");
  }

  /** @param {number} at @returns {string[]} the points of both teams */
  totals(at) {
    const { totals } = this.seen(at);
    return [0, 1].map((team) => `${this.team(team)}: ${totals[team]}`);
  }

  /** @param {number} at */
  draw(at) {
    const heads = [0, 1].map((team) => this.team(team));
    /** @type {[string, ...(number | string)[]][]} */
    const rows = this.steps.flatMap(({ event: { kind, round } }, place) => {
      if (kind !== "round-counted") return [];
      const { points, totals } = this.seen(place);
      const cells = [0, 1].map((team) => `${points[round - 1][team]} (${totals[team]})`);
      return [[say("ROUND_NUMBER", { number: round }), ...cells]];
    });
    const lit = this.steps[at].event.round - 1;
    byId("chart").replaceChildren(
      tableOf([say("SETS"), ...heads], rows, lit),
      html("p", { class: "note" }, say("CARDS")),
    );
    byId("estimate").hidden = true;
  }

  /** @param {number} at @returns {import("../view/page.js").Mark | null} */
  mark(at) {
    const { kind, round } = this.steps[at].event;
    if (kind === "round-begun") {
      const text = say("ROUND_NUMBER", { number: round });
      return { text, label: text, begins: true };
    }
    if (kind === "round-counted") {
      const label = say("ROUND_END", { number: round });
      return { text: this.seen(at).points[round - 1].join(" : "), label, begins: false };
    }
    return kind === "game-ended" ? { text: "★", label: say("THE_END"), begins: false } : null;
  }

  /** @param {number} at */
  isGoal(at) {
    return ["trick-taken", "round-counted"].includes(this.kind(at));
  }
}

/**
 * @param {SeenRound} state @param {number} seat
 * @returns {HTMLElement[]} what a seat has besides its hand
 */
function factsOf(state, seat) {
  const rank = state.out.indexOf(seat);
  const count = state.held[seat].length;
  const facts = [
    ...(state.calls[seat] ? [html("strong", {}, say(`CALLED_${state.calls[seat]}`))] : []),
    rank < 0 ? say("HAND_COUNT", { count }) : say("OUT", { place: rank + 1 }),
    say("IN_TRICKS", { points: state.won[seat] }),
  ];
  return facts.map((fact) => html("small", {}, fact));
}

/**
 * @param {string[]} kinds of the steps
 * @returns {Counts[]} by step, how many of each kind its round has by then
 */
function countsOf(kinds) {
  let counts = NONE;
  return kinds.map((kind) => {
    if (kind === "round-begun") counts = NONE;
    else if (kind in NONE)
      counts = { ...counts, [kind]: counts[/** @type {keyof Counts} */ (kind)] + 1 };
    return counts;
  });
}

/**
 * @param {SeenRound} state after an entry @param {Counts} counts after the entry's last step
 * @returns {boolean} whether all is told; no step tells who takes a Dog that ends the round
 */
function isAllTold({ calls, lays, out, passers, takes }, counts) {
  const left = takes.length - counts["trick-taken"];
  return (
    (left === 0 || (left === 1 && lays.at(-1)?.[1][0] === DOG)) &&
    counts.called === calls.filter(Boolean).length &&
    counts.laid === lays.length &&
    counts["went-out"] === out.length &&
    counts["turn-passed"] === passers.length
  );
}

/**
 * @param {number[][]} gifts by giver, to the next seat first
 * @param {number[][] | undefined} hands after the exchange
 * @returns {boolean} whether each gift is in the hand of the seat that has got it
 */
function areHeld(gifts, hands) {
  return gifts.every((cards, giver) =>
    cards.every((face, place) => hands?.[(giver + place + 1) % 4].includes(face)),
  );
}

begin(async (findings) => new TichuView(findings, await readTold()));
