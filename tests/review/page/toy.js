/** The game of tests/games/toy/steps.py: three seats, two cards each, of which each seals one. */

import { same } from "../../../matcha_p2p/review/page/verifier/bytes.js";
import { need } from "../../../matcha_p2p/review/page/verifier/check.js";

const SEATS = [0, 1, 2];
const HANDS = SEATS.map((seat) => `hand ${seat}`);

class Toy {
  name = "toy";
  variant = "one";
  seats = 3;
  faces = Array(9).fill(1);
  forms = { choose: [["backs", 1, 1]] };
  told = [];
  stage = "toss";
  first = 2;
  chosen = [];
  winner = [];

  rules() {
    return [9];
  }

  next() {
    const order = SEATS.map((seat) => (this.first + seat) % 3);
    switch (this.stage) {
      case "toss":
        return { kind: "Coin", order };
      case "mix":
        return { kind: "Shuffle", pile: "deck", order, label: "mix" };
      case "deal": {
        const reads = SEATS.flatMap((reader) =>
          [0, 1].map((place) => ({ pile: HANDS[reader], place, reader })),
        );
        return { kind: "Share", reads, order, label: "deal" };
      }
      case "choose":
        return { kind: "Sealed", order };
      case "show": {
        const reads = this.chosen.map((place, seat) => {
          return { pile: HANDS[seat], place, reader: null };
        });
        return { kind: "Share", reads, order, label: "show" };
      }
      default:
        return { kind: "Over", order };
    }
  }

  tossed(value) {
    this.stage = "mix";
    this.first = value[0] % 3;
    return { deck: [...this.faces.keys()] };
  }

  mixed(_, { deck }) {
    this.stage = "deal";
    const hands = HANDS.map((hand, seat) => [hand, deck.slice(2 * seat, 2 * seat + 2)]);
    return { ...Object.fromEntries(hands), rest: deck.slice(6) };
  }

  shared({ label }, faces, piles) {
    this.stage = label === "deal" ? "choose" : "over";
    if (label === "show") this.winner = [faces.indexOf(Math.max(...faces))];
    return piles;
  }

  unsealed(moves, piles) {
    this.stage = "show";
    this.chosen = moves.map((move, seat) => placeOf(move, piles[HANDS[seat]]));
    return piles;
  }

  judge(seat, move, piles) {
    need(placeOf(move, piles[HANDS[seat]]) >= 0, "E_BACK");
  }

  snapshot() {
    return [this.stage, this.first, this.chosen, this.winner];
  }

  result() {
    return this.winner.length ? this.winner : null;
  }

  winners(resigned) {
    return resigned === null ? this.winner : SEATS.filter((seat) => seat !== resigned);
  }
}

function placeOf([, back], hand) {
  return hand.findIndex((card) => same(card.back, back));
}

/** Finds the toy game, and no other. */
export function findToy(name, variant, seats) {
  return name === "toy" && variant === "one" && seats === 3 ? new Toy() : undefined;
}
