/** What a verifier keeps of a game, and who has to speak (SPEC section 12.2). */

import { pack } from "./encoding.js";
import { H } from "./hashes.js";
import { other } from "./rules.js";

/** @typedef {import("./ristretto.js").Element} Element */
/** @typedef {import("./proofs.js").Masked} Masked */
/** @typedef {import("./messages.js").Hello} Hello */
/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./rules.js").Snapshot} Snapshot */

/**
 * @typedef {object} Hand
 * @property {Masked[]} cards five, by slot
 * @property {Uint8Array[]} backs of them
 * @property {Element[]} shares of the other seat, once it has stripped the hand
 */
/**
 * @typedef {object} Happening what has happened in a game, for those who watch it
 * @property {string} name
 * @property {number} seat
 * @property {Snapshot} snapshot the public state after it
 * @property {number} zeros how many zeros were met while this table was laid
 */
/**
 * @typedef {{ name: "start" } | { name: "greeted" } | { name: "playing" } | { name: "over" }
 *   | { name: "tossing", owing: number[] }
 *   | { name: "mixing", owing: number[], deck: Masked[] }
 *   | { name: "opening", speaker: number, deck: Masked[], shares: [Element[], Element[]] }
 *   | { name: "dealing", first: number, steps: [number, string][], deck: Masked[] }
 *   | { name: "showing", owing: number[] }
 *   | { name: "committing" }
 *   | { name: "choosing", commitment: Uint8Array }
 *   | { name: "unsealing", commitment: Uint8Array, chosen: number[] }
 *   | { name: "closing", owing: number[] }} Phase
 */

export const DECISIONS = Object.freeze(["PLAY", "PASS", "KEEPC", "KEEP"]);

/** @returns {Hand} */
function noHand() {
  return { cards: [], backs: [], shares: [] };
}

/** A game as the chain has brought it about. */
export class Table {
  constructor() {
    /** @type {Phase} */
    this.phase = { name: "start" };
    /** @type {Hello[]} by seat */
    this.hellos = [];
    /** @type {Uint8Array} names the game, once both have greeted each other */
    this.gid = new Uint8Array(0);
    /** @type {Element | undefined} */
    this.jointKey = undefined;
    /** @type {Uint8Array[]} by seat the last link */
    this.links = [];
    this.coins = 0;
    this.closer = 1;
    /** @type {Game | undefined} */
    this.begun = undefined;
    /** @type {[Hand, Hand]} */
    this.hands = [noHand(), noHand()];
    /** @type {Masked[]} */
    this.aside = [];
    /** @type {[number[], number[]]} by seat the slots kept into the set */
    this.kept = [[], []];
    this.zerosMet = 0;
    /** @type {Happening[]} */
    this.told = [];
    /** @type {Map<number, [Hand, Hand]>} by set the hands as they are played */
    this.dealt = new Map();
  }

  /** @returns {Game} the first coin has fallen */
  get game() {
    if (!this.begun) throw new Error("the game has not begun");
    return this.begun;
  }

  /** @returns {Element} Y; both have greeted each other */
  get Y() {
    if (!this.jointKey) throw new Error("there is no joint key yet");
    return this.jointKey;
  }

  /** @returns {boolean} whether the chain decides the game */
  get isDecided() {
    return this.begun !== undefined && this.begun.isOver;
  }

  /** @param {string} name @param {number} seat */
  tell(name, seat) {
    this.told.push({ name, seat, snapshot: this.game.snapshot(), zeros: this.zerosMet });
  }

  /** The state digest of SPEC section 12. @returns {Uint8Array} 32 bytes */
  stateDigest() {
    const state = /** @type {unknown} */ (this.begun ? this.begun.snapshot() : []);
    return H("state", pack(/** @type {import("./encoding.js").Value} */ (state)));
  }

  /** @returns {[number, string[]] | undefined} who has to speak, and what may be said */
  due() {
    const { phase } = this;
    switch (phase.name) {
      case "start":
        return [0, ["HELLO"]];
      case "greeted":
        return [1, ["HELLO"]];
      case "tossing":
        return [phase.owing[0], ["COIN"]];
      case "mixing":
        return [phase.owing[0], ["SHUF"]];
      case "opening":
        return [phase.speaker, ["OPEN"]];
      case "dealing":
        return [phase.steps[0][0], [phase.steps[0][1]]];
      case "playing":
        return [this.turn(), ["PLAY", "PASS"]];
      case "showing":
        return [phase.owing[0], ["REVEAL"]];
      case "committing":
        return [this.closer, ["KEEPC"]];
      case "choosing":
        return [other(this.closer), ["KEEP"]];
      case "unsealing":
        return [this.closer, ["KEEPO"]];
      case "closing":
        return [phase.owing[0], ["RESULT"]];
      case "over":
        return undefined;
    }
  }

  /** @returns {number} the seat whose turn it is to lay a card or to pass */
  turn() {
    const { phase } = this.game;
    if (phase[0] !== "place") throw new Error("it is nobody's turn");
    return phase[1];
  }
}
