/** The game on a table (SPEC, game): lays, passes, open cards, gains. */

import { ZERO, numberOf, suitOf } from "./faces.js";

/**
 * @typedef {object} Edition
 * @property {string} name
 * @property {number} alike tokens of one suit that win
 * @property {number} whisks that win
 * @property {number} turns of a seat in a round; 0: until it passes
 * @property {boolean} keeps whether cards may be kept
 * @property {number} sets at most; 0: no limit
 * @property {boolean} further whether further rounds follow a full tie
 */

/** @type {Record<string, Edition>} */
export const EDITIONS = {
  2015: { name: "2015", alike: 4, whisks: 4, turns: 0, keeps: true, sets: 0, further: true },
  2020: { name: "2020", alike: 3, whisks: 4, turns: 2, keeps: false, sets: 2, further: false },
};

/**
 * @typedef {["play", number, number, number] | ["pass", number, number]} Turn by seat; see SPEC, state array
 */
/** @typedef {[number, number[], number[], number[], number[]]} Resolution see SPEC, state array */
/**
 * @typedef {object} Round
 * @property {number} number 1 .. 3
 * @property {Turn[]} turns
 * @property {Resolution[]} resolutions
 * @property {[number[], number[]]} tokens by seat five counts: after the round, or before it
 */
/**
 * @typedef {["deal"] | ["place", number] | ["reveal", number[], number[], number[], number[]]
 *   | ["keep"] | ["end", number[], string]} Phase see SPEC, state array
 */
/** @typedef {ReturnType<Game["snapshot"]>} Snapshot */
/**
 * @typedef {object} Happening an event of a game, for watchers
 * @property {string} name the kind of its plain form
 * @property {number} seat
 * @property {Snapshot} snapshot the public state after it
 */

const WHISK = 4;
const LAST_ROUND = 3;

/** @param {number} seat @returns {number} */
export function other(seat) {
  return 1 - seat;
}

/** R2, of numbers: 4 beats 3 and 2, 3 beats 2 and 1, 2 beats 1, 1 beats 4. */
const NUMBERS_BEATEN = [[], [4], [1], [1, 2], [2, 3]];

/** R2, of suits: leaf beats bowl, water; bowl water, scoop; water scoop; scoop leaf. */
const SUITS_BEATEN = [[1, 2], [2, 3], [3], [0]];

/** @param {number} mat @returns {boolean} whether it demands the number; else the suit (R5) */
export function demandsNumber(mat) {
  return mat % 2 === 0;
}

/**
 * @param {number} mat
 * @param {number} shown on it
 * @param {number} face
 * @returns {boolean} R12
 */
export function matches(mat, shown, face) {
  if (face === ZERO) return false;
  return demandsNumber(mat)
    ? numberOf(face) === numberOf(shown)
    : suitOf(face) === suitOf(shown);
}

/**
 * Which of two cards that both match wins.
 * @param {number} mat
 * @param {number} a
 * @param {number} b
 */
export function beats(mat, a, b) {
  return demandsNumber(mat)
    ? SUITS_BEATEN[suitOf(a)].includes(suitOf(b))
    : NUMBERS_BEATEN[numberOf(a)].includes(numberOf(b));
}

/** A game without faces, except the faces of open cards. */
export class Game {
  /** @param {Edition} edition @param {number} dealer */
  constructor(edition, dealer) {
    this.edition = edition;
    this.dealer = dealer;
    /** @type {Happening[]} */
    this.told = [];
    this.number = 1;
    /** @type {number[]} */
    this.table = [];
    /** @type {[number[], number[]]} */
    this.hands = [[], []];
    /** @type {Round[]} */
    this.rounds = [];
    /** @type {[number[], number[]]} */
    this.tokens = [
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ];
    this.comparing = false;
    this.kept = [0, 0];
    /** @type {Phase} */
    this.phase = ["deal"];
  }

  /** The public state as an array (SPEC, state array). */
  snapshot() {
    /** @param {Round} round @returns {[number, Turn[], Resolution[], number[], number[]]} */
    const asArray = ({ number, turns, resolutions, tokens: [first, second] }) => {
      return [number, [...turns], [...resolutions], first, second];
    };
    return /** @type {const} */ ([
      this.edition.name,
      this.number,
      this.dealer,
      this.table,
      [[...this.hands[0]], [...this.hands[1]]],
      this.rounds.map(asArray),
      [this.tokens[0], this.tokens[1]],
      this.comparing ? 1 : 0,
      [...this.kept],
      this.phase,
    ]);
  }

  /** @returns {Round} the current one */
  get round() {
    return this.rounds[this.rounds.length - 1];
  }

  /** @returns {number[]} the two mats of the current round */
  get mats() {
    return [2 * this.round.number - 2, 2 * this.round.number - 1];
  }

  get isOver() {
    return this.phase[0] === "end";
  }

  /** @param {string} name @param {number} seat */
  tell(name, seat) {
    this.told.push({ name, seat, snapshot: this.snapshot() });
  }

  /** *Lay*. @param {number[]} faces on the mats */
  lay(faces) {
    this.table = faces;
    this.hands = [
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 4],
    ];
    this.rounds = [];
    this.beginRound(1);
    this.tell("table-laid", this.dealer);
  }

  /** @param {number} number */
  beginRound(number) {
    this.rounds.push({ number, turns: [], resolutions: [], tokens: [...this.tokens] });
    this.phase = ["place", this.dealer];
  }

  /** @param {number} seat @returns {boolean} R10 */
  isOut(seat) {
    const own = this.round.turns.filter((turn) => turn[1] === seat);
    if (this.edition.turns) return own.length >= this.edition.turns;
    return own.some((turn) => turn[0] === "pass");
  }

  /** @param {number} seat @param {number} mat @returns {boolean} R7, R9 */
  mayLayAt(seat, mat) {
    return this.mats.includes(mat) && this.slotAt(seat, mat) === undefined;
  }

  /** @param {number} seat @param {number} mat of this round @returns {number | undefined} */
  slotAt(seat, mat) {
    const laid = this.round.turns.find(
      (turn) => turn[0] === "play" && turn[1] === seat && turn[2] === mat,
    );
    return laid?.[3];
  }

  /** *Move*: lay a card. @param {number} seat @param {number} mat @param {number} slot held */
  play(seat, mat, slot) {
    this.round.turns.push(["play", seat, mat, slot]);
    this.hands[seat] = this.hands[seat].filter((held) => held !== slot);
    this.afterTurn(seat, "placed");
  }

  /** *Move*: pass. @param {number} seat */
  pass(seat) {
    this.round.turns.push(["pass", seat, 0]);
    this.afterTurn(seat, "passed");
  }

  /** R10 and R11. @param {number} seat @param {string} event */
  afterTurn(seat, event) {
    const next = [other(seat), seat].find((each) => !this.isOut(each));
    if (next === undefined) {
      const contested = this.contested;
      this.phase = ["reveal", contested, contested, [], []];
      this.tell(event, seat);
      if (!contested.length) this.resolve([[], []]);
      return;
    }
    this.phase = ["place", next];
    this.tell(event, seat);
    if (!this.hands[next].length || !this.mats.some((mat) => this.mayLayAt(next, mat))) {
      this.round.turns.push(["pass", next, 1]);
      this.afterTurn(next, "passed");
    }
  }

  /** @returns {number[]} the mats of this round where both have laid a card */
  get contested() {
    return this.mats.filter((mat) =>
      [0, 1].every((seat) => this.slotAt(seat, mat) !== undefined),
    );
  }

  /** *Turn up* the cards of a seat. @param {number} seat @param {number[]} faces by mat */
  turnUp(seat, faces) {
    if (this.phase[0] !== "reveal") throw new Error("no card is to be turned up");
    const [, first, second, one, two] = this.phase;
    this.phase =
      seat === 0 ? ["reveal", [], second, faces, two] : ["reveal", first, [], one, faces];
    const shown = /** @type {[number[], number[]]} */ ([this.phase[3], this.phase[4]]);
    if (!this.phase[1].length && !this.phase[2].length) this.resolve(shown);
  }

  /**
   * *Resolve* (R12).
   * @param {[number[], number[]]} shown by seat the faces at contested mats
   */
  resolve(shown) {
    const contested = this.contested;
    const tokens = [[...this.tokens[0]], [...this.tokens[1]]];
    this.round.resolutions = this.mats.map((mat) => {
      const place = contested.indexOf(mat);
      const faces = place < 0 ? [] : [shown[0][place], shown[1][place]];
      const gains = this.gains(mat, faces);
      gains.forEach((gain, seat) => gain.forEach((token) => tokens[seat][token]++));
      return [mat, faces.slice(0, 1), faces.slice(1), ...gains];
    });
    this.tokens = [tokens[0], tokens[1]];
    this.round.tokens = [...this.tokens];
    this.afterRound();
  }

  /**
   * @param {number} mat
   * @param {number[]} faces of both seats, if contested
   * @returns {[number[], number[]]}
   */
  gains(mat, faces) {
    const shown = this.table[mat];
    const prize = [suitOf(shown)];
    if (!faces.length) {
      const alone = [0, 1].map((seat) => (this.slotAt(seat, mat) === undefined ? [] : prize));
      return [alone[0], alone[1]];
    }
    const [first, second] = faces.map((face) => matches(mat, shown, face));
    if (first && second) return beats(mat, faces[0], faces[1]) ? [prize, []] : [[], prize];
    if (first) return [prize, [WHISK]];
    return second ? [[WHISK], prize] : [[], []];
  }

  /** Judge the end of a round (2.4), and go on. */
  afterRound() {
    const ended = this.judged();
    const { number } = this.round;
    if (ended) {
      this.phase = ended;
    } else if (number < LAST_ROUND) {
      this.beginRound(number + 1);
    } else if (this.edition.keeps && this.hands.some((hand) => hand.length)) {
      this.phase = ["keep"];
    }
    this.tell("round-resolved", number);
    if (ended) this.tell("game-ended", 0);
    else if (number === LAST_ROUND && this.phase[0] !== "keep") this.nextSet([[], []]);
  }

  /** @returns {Phase | undefined} the end of the game, by the table of 2.4 */
  judged() {
    const ahead = this.ahead();
    const winner = ahead === undefined ? [] : [ahead];
    if (this.comparing) return winner.length ? ["end", winner, "further-rounds"] : undefined;
    const [first, second] = [this.condition(0), this.condition(1)];
    if (first && second) {
      if (winner.length) return ["end", winner, "tie-break"];
      if (!this.edition.further) return ["end", [], "draw"];
      this.comparing = true;
      return undefined;
    }
    if (first) return ["end", [0], first];
    if (second) return ["end", [1], second];
    if (this.edition.sets === this.number && this.round.number === LAST_ROUND) {
      return winner.length ? ["end", winner, "last-set"] : ["end", [], "draw"];
    }
    return undefined;
  }

  /** R18. @param {number} seat @returns {string | undefined} how it meets a condition */
  condition(seat) {
    const tokens = this.tokens[seat];
    const { alike, whisks } = this.edition;
    if (tokens.some((count, kind) => count >= (kind === WHISK ? whisks : alike)))
      return "alike";
    return tokens.every((count) => count) ? "five-kinds" : undefined;
  }

  /** R19. @returns {number | undefined} the seat that is ahead */
  ahead() {
    const [first, second] = this.tokens;
    const kind = first.findIndex((count, place) => count !== second[place]);
    if (kind < 0) return undefined;
    return first[kind] > second[kind] ? 0 : 1;
  }

  /** *Next set*. @param {[number[], number[]]} kept by seat the slots */
  nextSet(kept) {
    this.number += 1;
    this.dealer = other(this.dealer);
    this.hands = kept;
    this.kept = [kept[0].length, kept[1].length];
    this.phase = ["deal"];
  }

  /** *Draw*, when no coin is left. */
  draw() {
    this.phase = ["end", [], "draw"];
    this.tell("game-ended", 0);
  }
}
