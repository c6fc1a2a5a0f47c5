/** Tichu in the steps of the table (SPEC, Tichu). */

import { need } from "./check.js";
import { MAH_JONG } from "./combinations.js";
import { H } from "./hashes.js";
import { FIRST_DEALT, HAND, PLACES, Round, SEATS, after } from "./round.js";

/** @typedef {import("./cards.js").NewPiles} NewPiles */
/** @typedef {import("./cards.js").Piles} Piles */
/** @typedef {import("./messages.js").Forms} Forms */
/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./steps.js").Read} Read */
/** @typedef {import("./steps.js").Share} Share */
/** @typedef {import("./steps.js").Shuffle} Shuffle */
/** @typedef {import("./steps.js").Step} Step */

/**
 * @typedef {["toss" | "mix" | "deal" | "more" | "look" | "uncover" | "asked"]
 *   | ["give" | "own", number]
 *   | ["show", seat: number, place: number]
 *   | ["lay", seat: number, places: Uint8Array, wild: number, wish: number]} Stage
 */

const FACES = Array.from({ length: 56 }, (_, face) => face);
/** @type {Record<string, number>} */
const TARGETS = { 1000: 1000, 300: 300, round: 0 };

/** @type {Record<string, import("./round.js").Ask[]>} by move the questions that it answers */
const ANSWERED = {
  grand: ["grand"],
  give: ["push"],
  open: ["call"],
  hold: ["call", "hold"],
  lay: ["turn", "hold"],
  pass: ["turn"],
  gift: ["gift"],
};

/** @param {number} seat @returns {string} the pile that is its hand */
function handOf(seat) {
  return `hand ${seat}`;
}

/** @param {number} mask @returns {number[]} */
function placesOf(mask) {
  return PLACES.filter((place) => (mask >> place) & 1);
}

/** @param {number} total @returns {number[]} */
function signed(total) {
  return [Math.max(total, 0), Math.max(-total, 0)];
}

/** A game of Tichu. */
export class Tichu {
  name = "tichu";
  seats = SEATS.length;
  faces = FACES.map(() => 1);
  /** @type {Forms} */
  forms = {
    grand: [["number", 0, 1]],
    give: [["number", 0, 1]],
    open: [
      ["number", 0, 1],
      ["number", 0, HAND - 1],
    ],
    hold: [["number", 0, 1]],
    lay: [
      ["number", 0, 1],
      ["number", 0, 14],
      ["number", 0, 14],
      ["number", 1, 2 ** HAND - 1],
    ],
    pass: [["number", 0, 1]],
    gift: [["number", 0, 3]],
  };
  /** @type {unknown[]} */
  told = [];
  number = 0;
  first = 3;
  totals = [0, 0];
  isDecided = false;
  /** @type {number[]} */
  foul = [];
  /** @type {Stage} */
  stage = ["toss"];
  /**
   * The rounds that are over, for watchers: their hands after the exchange, and the points.
   * @type {{ round: Round, hands: number[][], points: number[] | null }[]}
   */
  played = [];

  /** @param {string} variant @param {number[]} values */
  constructor(variant, values) {
    this.variant = variant;
    this.values = values;
    this.round = new Round(this.order, values);
  }

  /** @returns {number[]} forward */
  get order() {
    return SEATS.map((count) => after(this.first, count));
  }

  /** @returns {number[]} its reverse */
  get backward() {
    return this.order.reverse();
  }

  /** @returns {number[]} forward, but who may have fouled comes last */
  get boundLast() {
    const bound = new Set(this.round.passed.map(([seat]) => seat));
    const free = this.order.filter((seat) => !bound.has(seat));
    return [...free, ...this.order.filter((seat) => bound.has(seat))];
  }

  rules() {
    return this.values;
  }

  /** @param {number} seat */
  partner(seat) {
    return after(seat, 2);
  }

  snapshot() {
    const { round } = this;
    return [
      [this.number, this.first, ...this.totals.map(signed)],
      this.stage,
      round.held.map((held) => Uint8Array.from(held)),
      round.asked,
      round.calls,
      round.out,
      round.won.map((won) => Uint8Array.from(won)),
      round.leader,
      [Uint8Array.from(round.lying), round.under ?? [], round.last, round.passes],
      round.wish,
      round.passed.map(([seat, held, wish, under]) => [seat, held, wish, under ?? []]),
      this.foul,
    ];
  }

  /** @returns {number[] | null} */
  result() {
    if (!this.isDecided) return null;
    return this.foul.length ? [this.foul[0]] : this.ahead();
  }

  // -- Steps ---------------------------------------------------------------------------------

  /** @param {Piles} piles @returns {Step} */
  next(piles) {
    const { boundLast, order, stage } = this;
    switch (stage[0]) {
      case "toss":
        return { kind: "Coin", order };
      case "mix":
        return { kind: "Shuffle", pile: "deck", order, label: "mix" };
      case "deal":
        return this.dealing(FIRST_DEALT, this.backward);
      case "more":
        return this.dealing(PLACES.slice(FIRST_DEALT.length), this.backward);
      case "look":
        return this.dealing(PLACES, order);
      case "give":
      case "own":
        return { kind: "Shuffle", pile: handOf(stage[1]), order: [stage[1]], label: stage[0] };
      case "show": {
        const reads = toAll(stage[1], [stage[2]]);
        return { kind: "Share", reads, order: boundLast, label: "show" };
      }
      case "lay": {
        const hand = piles[handOf(stage[1])];
        const closed = [...stage[2]].filter((place) => hand[place].face === null);
        return {
          kind: "Share",
          reads: toAll(stage[1], closed),
          order: boundLast,
          label: "lay",
        };
      }
      case "uncover": {
        const holders = boundLast.filter((seat) => this.round.held[seat].length);
        const reads = holders
          .slice(0, -1)
          .flatMap((seat) => toAll(seat, this.round.held[seat]));
        return { kind: "Share", reads, order: boundLast, label: "uncover" };
      }
      case "asked":
        if (this.isDecided) return { kind: "Over", order };
        return { kind: "Decide", seat: this.round.asked[0][0], auto: false };
    }
  }

  /**
   * Each seat reads these places of its hand.
   * @param {number[]} places @param {number[]} order @returns {Step}
   */
  dealing(places, order) {
    const reads = this.order.flatMap((reader) =>
      places.map((place) => ({ pile: handOf(reader), place, reader })),
    );
    return { kind: "Share", reads, order, label: this.stage[0] };
  }

  /** Ask on, or end the round. */
  ask() {
    this.stage = this.round.asked.length ? ["asked"] : ["uncover"];
  }

  /** @param {Uint8Array} value @returns {NewPiles} */
  tossed(value) {
    this.first = H("first", value)[0] & 3;
    return this.newRound();
  }

  /** @returns {NewPiles} */
  newRound() {
    this.round = new Round(this.order, this.values);
    this.number += 1;
    this.stage = ["mix"];
    return { deck: FACES };
  }

  /** @param {Shuffle} step @param {Piles} piles @returns {NewPiles} */
  mixed({ label, order: [seat] }, piles) {
    switch (label) {
      case "mix":
        this.stage = ["deal"];
        return byHand((s) => piles.deck.slice(HAND * s, HAND * (s + 1)));
      case "give":
        return this.given(seat, piles);
      default: {
        const left = this.backward.slice(this.backward.indexOf(seat) + 1);
        this.stage = left.length ? ["own", left[0]] : ["look"];
        return piles;
      }
    }
  }

  /** @param {number} seat @param {Piles} piles its hand ends in its gifts @returns {NewPiles} */
  given(seat, piles) {
    const hand = piles[handOf(seat)];
    const laid = { ...piles, [handOf(seat)]: hand.slice(0, -3) };
    for (const count of [1, 2, 3])
      laid[`${seat} to ${after(seat, count)}`] = [hand[HAND - 4 + count]];
    this.ask();
    if (this.round.asked[0][1] === "push") return laid;
    this.stage = ["own", this.backward[0]];
    return byHand((receiver) => [
      ...laid[handOf(receiver)],
      ...[1, 2, 3].flatMap((count) => laid[`${after(receiver, count)} to ${receiver}`]),
    ]);
  }

  /** @param {Share} _ @param {number[]} faces @param {Piles} piles @returns {NewPiles} */
  shared(_, faces, piles) {
    const { stage } = this;
    switch (stage[0]) {
      case "show":
        need(faces[0] === MAH_JONG, "E_RULE");
        this.round.leader = [stage[1]];
        this.round.asked.push([stage[1], "turn"]);
        this.ask();
        return piles;
      case "lay": {
        const [, seat, places, wild, wish] = stage;
        this.round.lay(seat, [...places], openFaces(seat, [...places], piles), wild, wish);
        this.ask();
        return piles;
      }
      case "uncover":
        return this.uncovered(piles);
      default:
        this.ask();
        return piles;
    }
  }

  // -- Moves ---------------------------------------------------------------------------------

  /** @param {number} seat @param {Move} move @param {Piles} piles */
  judge(seat, [name, ...fields], piles) {
    const [first, wild, wish, mask] = /** @type {number[]} */ (fields);
    const { round } = this;
    need(name === "grand" || name === "gift" || !first || round.mayCall(seat), "E_RULE");
    need(ANSWERED[String(name)].includes(round.asked[0][1]), "E_RULE");
    if (name === "open") need(!round.leader.length, "E_RULE");
    if (name === "pass") need(round.under !== null, "E_RULE");
    if (name === "gift") need((first + seat) % 2 === 1, "E_RULE");
    if (name !== "lay") return;
    const places = placesOf(mask);
    const isHeld = places.every((place) => round.held[seat].includes(place));
    need(isHeld, "E_RULE");
    const shown = openFaces(seat, places, piles);
    if (shown.length === places.length) round.checkLay(shown, wild, wish);
  }

  /** @param {number} seat @param {Move} move @param {Piles} piles @returns {NewPiles} */
  moved(seat, [name, ...fields], piles) {
    const [first, second, wish, mask] = /** @type {number[]} */ (fields);
    const { round } = this;
    if (name === "grand") round.calls[seat] = 200 * first;
    else if (name !== "gift" && first) round.calls[seat] = 100;
    if (name === "lay") {
      this.stage = ["lay", seat, Uint8Array.from(placesOf(mask)), second, wish];
      return piles;
    }
    round.asked.shift();
    if (name === "pass") round.pass(seat);
    else if (name === "gift") round.collect(first);
    else if (round.under && !round.asked.length) round.take();
    this.ask();
    if (name === "give") this.stage = ["give", seat];
    if (name === "open") this.stage = ["show", seat, second];
    if (name === "grand" && round.asked[0][1] !== "grand") {
      round.held = SEATS.map(() => PLACES);
      this.stage = ["more"];
    }
    return piles;
  }

  // -- The end of a round ----------------------------------------------------------------------

  /** @param {Piles} piles at most one hand is closed @returns {NewPiles} */
  uncovered(piles) {
    this.stage = ["asked"];
    const hands = SEATS.map((seat) => piles[handOf(seat)].map(({ face }) => face));
    const rest = FACES.filter((face) => !hands.flat().includes(face));
    const faces = hands.map((hand) => hand.map((face) => face ?? Number(rest.shift())));
    this.foul = this.round.fouled(faces);
    const made = this.foul.length ? null : this.round.score();
    this.played.push({ round: this.round, hands: faces, points: made });
    if (made) {
      this.totals = this.totals.map((total, team) => total + made[team]);
      if (!this.ahead().length) {
        this.first = after(this.first, 1);
        return this.newRound();
      }
    }
    this.isDecided = true;
    return piles;
  }

  /** @returns {number[]} the seats of the team that has won, or nothing (T32) */
  ahead() {
    const [a, b] = this.totals;
    if (a === b || Math.max(a, b) < (this.values[0] || -Infinity)) return [];
    return a > b ? [0, 2] : [1, 3];
  }

  /** @param {number | null} resigned @returns {number[]} nobody after a foul */
  winners(resigned) {
    if (resigned !== null) return SEATS.filter((seat) => (seat + resigned) % 2);
    return this.foul.length ? [] : this.ahead();
  }

  /** @returns {NewPiles} */
  unsealed() {
    throw new Error("no move is sealed in Tichu");
  }
}

/** @param {number} seat @param {Iterable<number>} places @returns {Read[]} */
function toAll(seat, places) {
  return [...places].map((place) => ({ pile: handOf(seat), place, reader: null }));
}

/** @param {number} seat @param {number[]} places @param {Piles} piles @returns {number[]} */
function openFaces(seat, places, piles) {
  const hand = piles[handOf(seat)];
  return places.flatMap((place) => hand[place].face ?? []);
}

/** @param {(seat: number) => (import("./cards.js").Card | number)[]} cards @returns {NewPiles} */
function byHand(cards) {
  return Object.fromEntries(SEATS.map((seat) => [handOf(seat), cards(seat)]));
}

/** @type {import("./greeting.js").Find} */
export function findTichu(name, variant, seats) {
  const [, target, plays, early] = /^(1000|300|round)( plays)?( early)?$/.exec(variant) ?? [];
  if (name !== "tichu" || seats !== SEATS.length || !target) return undefined;
  return new Tichu(variant, [TARGETS[target], Number(!plays), Number(!early)]);
}
