/** Kashi-ichi in the steps of the table (SPEC, Kashi-ichi). */

import { SHIPPED, readBoard, sum } from "./board.js";
import { bytesOf } from "./bytes.js";
import { need } from "./check.js";
import { H, uniform } from "./hashes.js";
import { sha256 } from "./sha2.js";
import { Shake } from "./shake.js";
import { Turn } from "./turn.js";

/** @typedef {import("./cards.js").NewPiles} NewPiles */
/** @typedef {import("./cards.js").Piles} Piles */
/** @typedef {import("./messages.js").Forms} Forms */
/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./steps.js").Step} Step */
/** @typedef {import("./turn.js").Keeper} Keeper */

/**
 * @typedef {["toss" | "open"] | ["start", number] | ["turn", seat: number, ap: number]
 *   | ["draw", number] | ["pay" | "idle" | "end", number[]]} Phase
 */

const VARIANT = "ichi";
const ROW = 5;
const ORDERS = 30;
const SETTLEMENTS = 3;

/** @type {Record<string, Phase[0]>} by move the phase in which it is asked for */
const ASKED = { start: "start", turn: "turn", upkeep: "pay", on: "idle", settle: "idle" };

/** @param {string} label @param {Uint8Array} value @returns {Shake} */
function streamOf(label, value) {
  return new Shake(256, H(label, value));
}

/** A game of Kashi-ichi. */
export class Kashi {
  name = "kashi";
  /** @type {number[]} */
  faces = [];
  /** @type {Forms} */
  forms = {
    start: [["number", 0, 9999]],
    turn: [["numbers", 19, 31_000_000]],
    upkeep: [["number", 0, 99]],
    on: [],
    settle: [],
  };
  /** @type {unknown[]} */
  told = [];
  first = 0;
  /** @type {Phase} */
  phase = ["toss"];
  turns = 0;
  settlements = 0;
  quiet = 0;
  /** @type {number[]} */
  drawn = [];
  /** @type {number[]} */
  row = [];
  /** @type {Turn | undefined} the last turn that was judged, its actions made */
  judged = undefined;

  /** @param {string} variant @param {number} seats @param {import("./board.js").Board} board */
  constructor(variant, seats, board) {
    this.variant = variant;
    this.seats = seats;
    this.board = board;
    this.closer = seats - 1;
    this.players = this.around(0).map((seat) => this.keeper(seat));
  }

  /** @param {number} seat @returns {number[]} all seats, `seat` first */
  around(seat) {
    return Array.from({ length: this.seats }, (_, count) => (seat + count) % this.seats);
  }

  /** @param {number} seat @returns {Keeper} before its start */
  keeper(seat) {
    const { gold, points, hand, later } = this.board.begins[this.seats];
    const place = (seat - this.first + this.seats) % this.seats;
    return {
      person: 0,
      gold: gold[place],
      goods: [0, 0, 0, 0, 0],
      points: points[place],
      shops: [],
      hand,
      aside: 2 * later,
      done: [],
    };
  }

  rules() {
    return [sha256(bytesOf(this.board.text))];
  }

  snapshot() {
    const { first, phase, turns, settlements, quiet, drawn, row, players } = this;
    const kept = players.map(({ person, gold, goods, points, shops, hand, aside, done }) => {
      const squares = [...shops].sort((a, b) => a - b);
      return [person, gold, goods, points, squares, hand, aside, done];
    });
    return [first, phase, turns, settlements, quiet, drawn, row, kept];
  }

  /** @returns {number[] | null} */
  result() {
    return this.phase[0] === "end" ? this.phase[1] : null;
  }

  // -- Steps ---------------------------------------------------------------------------------

  /** @returns {Step} */
  next() {
    const { phase } = this;
    switch (phase[0]) {
      case "start":
      case "turn":
        return { kind: "Decide", seat: phase[1], auto: false };
      case "pay":
      case "idle":
        return { kind: "Decide", seat: phase[1][0], auto: false };
      case "end":
        return { kind: "Over", order: this.around(this.closer) };
      default:
        return { kind: "Coin", order: this.around(this.closer) };
    }
  }

  /** @param {Uint8Array} value @returns {NewPiles} */
  tossed(value) {
    const { phase } = this;
    if (phase[0] === "toss") {
      this.first = uniform(streamOf("first", value), this.seats);
      this.players = this.around(0).map((seat) => this.keeper(seat));
      this.phase = ["start", this.first];
      return {};
    }
    const drawn = this.draw(value, phase[0] === "draw" ? phase[1] : ROW);
    if (drawn.some((number) => this.settles(number))) this.settle();
    else this.nextTurn();
    return {};
  }

  /** @param {number} number @returns {boolean} whether an order brings a settlement */
  settles(number) {
    return this.board.orders[number - 1].settles;
  }

  /** @param {Uint8Array} value @param {number} count @returns {number[]} the orders drawn */
  draw(value, count) {
    const stream = streamOf("draw", value);
    const before = this.drawn.length;
    for (let i = 0; i < count; i++) {
      const place = this.drawn.length % 10;
      const ten = this.drawn.slice(this.drawn.length - place);
      const isLate = place >= 7 && !ten.some((number) => this.settles(number));
      const settles = isLate && uniform(stream, 10 - place) === 0;
      const pool = Array.from({ length: ORDERS }, (_, index) => index + 1).filter(
        (number) => this.settles(number) === settles && !this.drawn.includes(number),
      );
      this.drawn = [...this.drawn, pool[uniform(stream, pool.length)]];
    }
    const drawn = this.drawn.slice(before);
    this.row = [...this.row, ...drawn].sort((a, b) => a - b);
    return drawn;
  }

  nextTurn() {
    const ap = this.turns < this.seats ? this.board.ap[this.turns] : 5;
    this.phase = ["turn", (this.first + this.turns) % this.seats, ap];
  }

  // -- Moves ---------------------------------------------------------------------------------

  /** @param {number} seat @param {Move} move */
  judge(seat, [name, ...fields]) {
    const numbers = /** @type {number[]} */ (fields);
    const { phase } = this;
    need(ASKED[String(name)] === phase[0], "E_RULE");
    if (name === "start") need(this.board.starts.includes(numbers[0]), "E_RULE");
    if (name === "upkeep") {
      const { gold, shops } = this.players[seat];
      need(numbers[0] <= Math.min(gold, shops.length), "E_RULE");
    }
    if (phase[0] === "turn") {
      const turn = new Turn(this.board, this.players, this.row, seat, phase[2]);
      for (const number of numbers) turn.act(number);
      this.judged = turn;
    }
  }

  /** @param {number} seat @param {Move} move @returns {NewPiles} */
  moved(seat, [name, field]) {
    this.closer = seat;
    if (name === "start") this.start(seat, Number(field));
    else if (name === "turn" && this.judged) this.endTurn(this.judged);
    else if (name === "upkeep") this.pay(seat, Number(field));
    else if (name === "settle") this.settle();
    else this.goOn();
    return {};
  }

  /** @param {number} seat @param {number} square */
  start(seat, square) {
    this.players[seat].person = square;
    const later = (seat + 1) % this.seats;
    this.phase = later === this.first ? ["open"] : ["start", later];
  }

  /** @param {Turn} turn */
  endTurn({ players, row, done }) {
    this.players = players;
    this.row = row;
    this.turns += 1;
    this.quiet = done ? 0 : this.quiet + 1;
    const count = Math.min(done, ORDERS - this.drawn.length);
    const { idle } = this.board;
    if (count) this.phase = ["draw", count];
    else if (idle && this.quiet === idle * this.seats)
      this.phase = ["idle", this.around((this.first + this.turns) % this.seats)];
    else this.nextTurn();
  }

  goOn() {
    const [, ...later] = this.phase[0] === "idle" ? this.phase[1] : [];
    if (later.length) {
      this.phase = ["idle", later];
      return;
    }
    this.quiet = 0;
    this.nextTurn();
  }

  // -- Settlements ---------------------------------------------------------------------------

  settle() {
    this.settlements += 1;
    this.quiet = 0;
    for (const [letter, values] of this.board.areas) {
      const counts = this.players.map(
        ({ shops }) => shops.filter((shop) => this.board.grid[shop] === letter).length,
      );
      for (const [seat, count] of counts.entries()) {
        const ahead = counts.filter((other) => other > count).length;
        const tied = counts.filter((other) => other === count).length;
        if (count)
          this.players[seat].points += Math.floor(
            sum(values.slice(ahead, ahead + tied)) / tied,
          );
      }
    }
    const latest = this.around(this.first).reverse();
    const points = this.players.map((player) => player.points);
    this.phase = ["pay", latest.sort((a, b) => points[b] - points[a])];
  }

  /** @param {number} seat @param {number} gold */
  pay(seat, gold) {
    const player = this.players[seat];
    player.gold -= gold;
    player.points = Math.max(0, player.points - player.shops.length + gold);
    const [, ...later] = this.phase[0] === "pay" ? this.phase[1] : [];
    if (later.length) {
      this.phase = ["pay", later];
    } else if (this.settlements === SETTLEMENTS) {
      this.phase = ["end", this.winners(null)];
    } else {
      const more = this.board.begins[this.seats].later;
      for (const each of this.players) {
        each.hand += more;
        each.aside -= more;
      }
      this.nextTurn();
    }
  }

  /** @param {number | null} resigned @returns {number[]} all before the first seat is drawn */
  winners(resigned) {
    const left = this.around(0).filter((seat) => seat !== resigned);
    if (this.phase[0] === "toss") return left;
    const marks = this.players.map((player) => {
      const orders = player.done.map((number) => this.board.orders[number - 1]);
      const guests = [0, 1, 2].map((guest) => orders.filter((o) => o.guest === guest).length);
      const gold = player.gold + sum(player.goods);
      const won = sum(orders.map(({ points }) => points)) + 6 * Math.min(...guests);
      const points = player.points + won + Math.floor(gold / 5);
      return (points * 100 + orders.length) * 10 + (gold % 5);
    });
    const best = Math.max(...left.map((seat) => marks[seat]));
    return left.filter((seat) => marks[seat] === best);
  }

  /** @returns {NewPiles} */
  mixed() {
    throw new Error("no card is shuffled in Kashi-ichi");
  }

  /** @returns {NewPiles} */
  shared() {
    throw new Error("no card is opened in Kashi-ichi");
  }

  /** @returns {NewPiles} */
  unsealed() {
    throw new Error("no move is sealed in Kashi-ichi");
  }
}

/** @type {import("./greeting.js").Find} */
export function findKashi(name, variant, seats) {
  if (name !== "kashi" || seats < 3) return undefined;
  if (variant !== VARIANT && !variant.startsWith(`${VARIANT} `)) return undefined;
  const text = variant.slice(VARIANT.length + 1);
  if (text === SHIPPED) return undefined;
  const board = readBoard(variant === VARIANT ? SHIPPED : text);
  return board && new Kashi(variant, seats, board);
}
