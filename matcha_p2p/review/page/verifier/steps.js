/** The steps that a game asks of the table, and the actions that seats owe (SPEC, steps). */

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./cards.js").Piles} Piles */
/** @typedef {import("./cards.js").NewPiles} NewPiles */
/** @typedef {import("./messages.js").Forms} Forms */
/** @typedef {import("./messages.js").Move} Move */

/** @typedef {{ pile: string, place: number, reader: number | null }} Read null: all read it */
/** @typedef {{ kind: "Coin", order: number[] }} Coin */
/** @typedef {{ kind: "Shuffle", pile: string, order: number[], label: string }} Shuffle */
/** @typedef {{ kind: "Share", reads: Read[], order: number[], label: string }} Share */
/** @typedef {{ kind: "Decide", seat: number, auto: boolean }} Decide */
/** @typedef {{ kind: "Sealed", order: number[] }} Sealed */
/** @typedef {{ kind: "Over", order: number[] }} Over */
/** @typedef {Coin | Shuffle | Share | Decide | Sealed | Over} Step */

/**
 * @typedef {object} Game a game as the table uses it: the steps and their results
 * @property {string} name @property {string} variant @property {number} seats
 * @property {number[]} faces by face how many cards show it
 * @property {Forms} forms of its moves
 * @property {() => unknown} rules the values that tell these rules from others
 * @property {(piles: Piles) => Step} next
 * @property {(value: Uint8Array) => NewPiles} tossed
 * @property {(step: Shuffle, piles: Piles) => NewPiles} mixed
 * @property {(step: Share, faces: number[], piles: Piles) => NewPiles} shared faces: that all read
 * @property {(seat: number, move: Move, piles: Piles) => NewPiles} moved
 * @property {(moves: Move[], piles: Piles) => NewPiles} unsealed moves: by seat
 * @property {(seat: number, move: Move, piles: Piles) => void} judge refuses an illegal move
 * @property {() => unknown} snapshot the public state as an array
 * @property {() => number[] | null} result null while the game is undecided
 * @property {(resigned: number | null) => number[]} winners of a decided game, or if the seat
 *   `resigned` resigned now
 * @property {(seat: number) => number} [partner] in a game of teams
 * @property {readonly unknown[]} told the events, for watchers
 */

/** @typedef {[number, string]} Owed seat and verb */

/** @param {Step} step @param {Piles} piles @returns {Owed[]} the actions owed, in order */
export function debts(step, piles) {
  switch (step.kind) {
    case "Coin":
      return step.order.map((seat) => [seat, "COIN"]);
    case "Shuffle":
      return piles[step.pile].length < 2 ? [] : step.order.map((seat) => [seat, "SHUF"]);
    case "Share":
      return step.order
        .filter((seat) => sharesOwed(step, seat, piles).length)
        .map((seat) => [seat, "SHARE"]);
    case "Decide":
      return [[step.seat, "MOVE"]];
    case "Sealed": {
      const first = step.order.slice(0, -1);
      /** @param {string} verb @returns {Owed[]} */
      const each = (verb) => first.map((seat) => [seat, verb]);
      return [...each("SEAL"), [step.order[first.length], "MOVE"], ...each("UNSEAL")];
    }
    case "Over":
      return step.order.map((seat) => [seat, "RESULT"]);
  }
}

/**
 * Return the cards of which the share of `seat` is missing, in the order of the step.
 * @param {Share} step @param {number} seat @param {Piles} piles
 */
export function sharesOwed({ reads }, seat, piles) {
  return reads
    .filter(({ reader }) => reader !== seat)
    .map((read) => cardAt(piles, read))
    .filter(({ face, shares }) => face === null && !shares[seat]);
}

/** @param {Piles} piles @param {Read} read @returns {Card} */
export function cardAt(piles, { pile, place }) {
  return piles[pile][place];
}
