/** The game of tests/games/passing/steps.py: each seat gives a card to every other. */

import { same } from "../../../matcha_p2p/review/page/verifier/bytes.js";
import { need } from "../../../matcha_p2p/review/page/verifier/check.js";

const HAND = 4;

class Passing {
  name = "passing";
  variant = "one";
  forms = { give: [["number", 0, 9]], zero: [["backs", 1, 1]], none: [] };
  told = [];
  stage = "toss";
  turn = 0;
  said = [];
  holder = [];

  constructor(seats) {
    this.seats = seats;
    this.first = seats - 1;
    this.faces = Array(HAND * seats).fill(1);
  }

  get order() {
    return this.all.map((seat) => (this.first + seat) % this.seats);
  }

  get all() {
    return [...Array(this.seats).keys()];
  }

  get seat() {
    return this.order[this.stage === "tell" ? this.seats - 1 - this.turn : this.turn];
  }

  rules() {
    return [HAND];
  }

  next(piles) {
    const { order, seat, stage } = this;
    switch (stage) {
      case "toss":
        return { kind: "Coin", order };
      case "mix":
        return { kind: "Shuffle", pile: "deck", order, label: "mix" };
      case "deal":
      case "look": {
        const reads = order.flatMap((reader) =>
          piles[`hand ${reader}`].map((_, place) => ({
            pile: `hand ${reader}`,
            place,
            reader,
          })),
        );
        return { kind: "Share", reads, order, label: stage };
      }
      case "give":
      case "own":
        return { kind: "Shuffle", pile: `hand ${seat}`, order: [seat], label: stage };
      case "choose":
      case "tell":
        return { kind: "Decide", seat, auto: stage === "tell" };
      case "show": {
        const [holder, place] = this.holder;
        const reads = [{ pile: `hand ${holder}`, place, reader: null }];
        return { kind: "Share", reads, order, label: "show" };
      }
      default:
        return { kind: "Over", order };
    }
  }

  tossed(value) {
    this.stage = "mix";
    this.first = value[0] % this.seats;
    return { deck: [...this.faces.keys()] };
  }

  mixed({ label }, piles) {
    if (label === "mix") {
      this.stage = "deal";
      const hand = (seat) => piles.deck.slice(HAND * seat, HAND * (seat + 1));
      return Object.fromEntries(this.all.map((seat) => [`hand ${seat}`, hand(seat)]));
    }
    if (label === "own") {
      this.goOn("own", "look");
      return piles;
    }
    const { seat } = this;
    const laid = { ...piles, [`hand ${seat}`]: piles[`hand ${seat}`].slice(0, 1 - this.seats) };
    const others = this.all.filter((other) => other !== seat);
    for (const [i, card] of piles[`hand ${seat}`].slice(1 - this.seats).entries()) {
      laid[`${seat} to ${others[i]}`] = [card];
    }
    this.goOn("choose", "own");
    return this.stage === "choose" ? laid : this.received(laid);
  }

  received(piles) {
    const hand = (seat) => [
      ...piles[`hand ${seat}`],
      ...this.all.flatMap((giver) => piles[`${giver} to ${seat}`] ?? []),
    ];
    return Object.fromEntries(this.all.map((seat) => [`hand ${seat}`, hand(seat)]));
  }

  goOn(stage, then) {
    this.turn = (this.turn + 1) % this.seats;
    this.stage = this.turn ? stage : then;
  }

  shared({ label }, _, piles) {
    this.stage = { deal: "choose", look: "tell", show: "over" }[label];
    return piles;
  }

  moved(seat, move, piles) {
    if (this.stage === "choose") {
      this.said.push(move[1]);
      this.stage = "give";
      return piles;
    }
    if (move[0] === "zero") this.holder = [seat, placeOf(move, piles[`hand ${seat}`])];
    this.goOn("tell", "show");
    return piles;
  }

  judge(seat, move, piles) {
    need(move[0] !== "zero" || placeOf(move, piles[`hand ${seat}`]) >= 0, "E_BACK");
  }

  snapshot() {
    return [this.stage, this.turn, this.order, this.said, this.holder];
  }

  result() {
    return this.stage === "over" ? [this.holder[0]] : null;
  }

  winners(resigned) {
    if (resigned === null) return this.result();
    return [...Array(this.seats).keys()].filter((seat) => seat !== resigned);
  }
}

function placeOf([, back], hand) {
  return hand.findIndex((card) => same(card.back, back));
}

/** Finds the game of passing, and no other. */
export function findPassing(name, variant, seats) {
  return name === "passing" && variant === "one" ? new Passing(seats) : undefined;
}
