/** A round of Tichu (SPEC, a round). */

import { CheckError, need } from "./check.js";
import {
  MAH_JONG,
  canGrant,
  combine,
  isBomb,
  isDragon,
  mayLieOn,
  numberOf,
  pointsOf,
} from "./combinations.js";

/** @typedef {import("./combinations.js").Combination} Combination */
/** @typedef {"grand" | "push" | "call" | "hold" | "turn" | "gift"} Ask */
/** @typedef {[seat: number, ask: Ask]} Question */
/** @typedef {[seat: number, held: Uint8Array, wish: number, under: Combination | null]} Turn */

export const SEATS = [0, 1, 2, 3];
export const HAND = 14;
export const PLACES = Array.from({ length: HAND }, (_, place) => place);
export const FIRST_DEALT = PLACES.slice(0, 8);

/** @param {number} seat @param {number} count @returns {number} */
export function after(seat, count) {
  return (seat + count) % SEATS.length;
}

/** What all know of a round, and the questions to come. */
export class Round {
  held = SEATS.map(() => FIRST_DEALT);
  calls = SEATS.map(() => 0);
  /** @type {number[]} */
  out = [];
  /** @type {number[][]} */
  won = SEATS.map(() => []);
  /** @type {number[]} */
  leader = [];
  /** @type {number[]} */
  lying = [];
  /** @type {Combination | null} */
  under = null;
  last = 0;
  passes = 0;
  wish = 0;
  /** @type {Turn[]} at which a wish stood and was not granted */
  passed = [];
  /** @type {[seat: number, faces: number[]][]} all plays of the round, for watchers */
  lays = [];
  /** @type {number[]} the seat of each pass of the round, for watchers */
  passers = [];
  /** @type {[seat: number, plays: number][]} who got each trick, after how many plays */
  takes = [];

  /** @param {number[]} order @param {number[]} values of the rules */
  constructor(order, values) {
    /** @param {Ask} ask @returns {Question[]} */
    const each = (ask) => order.map((seat) => [seat, ask]);
    this.values = values;
    /** @type {Question[]} */
    this.asked = [...each("grand"), ...each("push"), ...each("call")];
  }

  /** @param {number} seat @returns {boolean} T10 */
  mayCall(seat) {
    const isLate = this.held.some(({ length }) => length < HAND);
    const isFull = this.held[seat].length === HAND;
    return isFull && !this.calls[seat] && (this.values[2] === 1 || !isLate);
  }

  /** @param {number[]} faces @param {number} wild @param {number} wish @returns {Combination} */
  checkLay(faces, wild, wish) {
    const made = combine(faces, wild, this.under);
    if (!made) throw new CheckError("E_RULE");
    need(mayLieOn(made, this.under), "E_RULE");
    need(!wish || (wish >= 2 && faces.includes(MAH_JONG)), "E_RULE");
    need(this.asked[0][1] === "turn" || isBomb(made), "E_RULE");
    return made;
  }

  /** @param {number} seat */
  pass(seat) {
    this.note(seat, []);
    this.passes += 1;
    this.passers.push(seat);
    const others = SEATS.filter((s) => this.held[s].length && s !== this.last);
    if (this.passes < others.length) {
      const turn = this.holderFrom(seat + 1);
      this.asked = [...(this.values[1] ? this.holds(seat, turn) : []), [turn, "turn"]];
    } else {
      this.asked = this.holds(seat, null);
      if (!this.asked.length) this.take();
    }
  }

  /**
   * Lay cards that are open.
   * @param {number} seat @param {number[]} places @param {number[]} faces at these places
   * @param {number} wild @param {number} wish
   */
  lay(seat, places, faces, wild, wish) {
    const made = this.checkLay(faces, wild, wish);
    if (this.asked[0][1] === "turn") this.note(seat, faces);
    if (wish || faces.some((face) => numberOf(face) === this.wish)) this.wish = wish;
    this.held[seat] = this.held[seat].filter((place) => !places.includes(place));
    if (!this.held[seat].length) this.out.push(seat);
    this.lying.push(...faces);
    this.lays.push([seat, faces]);
    [this.under, this.last, this.passes] = [made, seat, 0];
    if (made[0] === "dog") {
      this.last = after(seat, 2);
      this.collect(seat);
    } else if (this.isOver) {
      this.take();
    } else {
      const turn = this.holderFrom(seat + 1);
      this.asked = [...this.holds(seat, turn), [turn, "turn"]];
    }
  }

  /** Note a turn at which the wish is not granted. @param {number} seat @param {number[]} faces */
  note(seat, faces) {
    if (!this.wish || faces.some((face) => numberOf(face) === this.wish)) return;
    this.passed.push([seat, Uint8Array.from(this.held[seat]), this.wish, this.under]);
  }

  /** @param {number} author @param {number | null} turn @returns {Question[]} T24 */
  holds(author, turn) {
    return [1, 2, 3, 4]
      .map((count) => after(author, count))
      .filter((seat) => seat !== turn && this.held[seat].length >= 4)
      .map((seat) => [seat, "hold"]);
  }

  /** @param {number} seat @returns {number} the first from it on that has cards */
  holderFrom(seat) {
    const seats = SEATS.map((count) => after(seat, count));
    return seats.filter((each) => this.held[each].length)[0];
  }

  /** @returns {boolean} whether both seats of a team have no card (T28) */
  get isOver() {
    return [0, 1].some((team) => this.out.filter((seat) => seat % 2 === team).length === 2);
  }

  /** The last who laid takes the trick (T25), or gives it away (T27). */
  take() {
    const isDouble = this.out.length === 2 && this.isOver;
    if (isDragon(this.under) && !isDouble) this.asked = [[this.last, "gift"]];
    else this.collect(this.last);
  }

  /** @param {number} seat that gets the trick */
  collect(seat) {
    this.won[seat].push(...this.lying);
    this.takes.push([seat, this.lays.length]);
    [this.lying, this.under, this.passes] = [[], null, 0];
    this.asked = this.isOver ? [] : [[this.holderFrom(this.last), "turn"]];
  }

  /** @param {number[][]} hands @returns {number[]} seat and turn of the first foul, or nothing */
  fouled(hands) {
    if (!this.leader.length) return [hands.findIndex((hand) => hand.includes(MAH_JONG)), 0];
    const turn = this.passed.findIndex(([seat, held, wish, under]) => {
      const then = [...held].map((place) => hands[seat][place]);
      return canGrant(then, under, wish);
    });
    return turn < 0 ? [] : [this.passed[turn][0], turn];
  }

  /** @returns {number[]} what each team gets (T29, T30) */
  score() {
    const made = [0, 0];
    const [first] = this.out;
    for (const seat of SEATS)
      made[seat % 2] += seat === first ? this.calls[seat] : -this.calls[seat];
    if (this.out.length === 2) {
      made[first % 2] += 200;
      return made;
    }
    const last = this.holderFrom(0);
    for (const seat of SEATS)
      made[(seat === last ? first : seat) % 2] += pointsOf(this.won[seat]);
    made[1 - (last % 2)] += 100 - pointsOf(this.won.flat());
    return made;
  }
}
