/** A verifier's record of a game, and the actions that seats owe (SPEC, state of the table). */

import { bytesOf, join } from "./bytes.js";
import { allCards, backOf, open, publicCard } from "./cards.js";
import { need } from "./check.js";
import { pack } from "./encoding.js";
import { H } from "./hashes.js";
import { cardAt, debts } from "./steps.js";

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./cards.js").NewPiles} NewPiles */
/** @typedef {import("./cards.js").Piles} Piles */
/** @typedef {import("./encoding.js").Value} Value */
/** @typedef {import("./messages.js").Hello} Hello */
/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./proofs.js").Masked} Masked */
/** @typedef {import("./ristretto.js").Element} Element */
/** @typedef {import("./roster.js").Roster} Roster */
/** @typedef {import("./steps.js").Game} Game */
/** @typedef {import("./steps.js").Owed} Owed */
/** @typedef {import("./steps.js").Share} Share */
/** @typedef {import("./steps.js").Step} Step */

/** A game as the chain has brought it about. */
export class Table {
  constructor() {
    /** @type {Roster | undefined} set before the first entry */
    this.listed = undefined;
    /** @type {Hello[]} by seat */
    this.hellos = [];
    /** @type {Uint8Array} names the game, once all have greeted each other */
    this.gid = new Uint8Array(0);
    /** @type {Element | undefined} */
    this.jointKey = undefined;
    /** @type {Game | undefined} once all have greeted each other */
    this.begun = undefined;
    /** @type {Uint8Array[]} by seat the last link */
    this.links = [];
    this.coins = 0;
    /** @type {Piles} */
    this.piles = {};
    /** @type {number[]} how often each face lies under no card */
    this.out = [];
    /** @type {Step} */
    this.step = { kind: "Over", order: [] };
    /** @type {Owed[]} */
    this.owing = [[0, "HELLO"]];
    /** @type {{ commitment: Uint8Array, since: Uint8Array }[]} by seat the sealed moves */
    this.seals = [];
    /** @type {Move[]} by seat the known moves of a Sealed */
    this.moves = [];
  }

  /** @returns {Roster} who sits where */
  get roster() {
    if (!this.listed) throw new Error("no roster has been read");
    return this.listed;
  }

  /** @returns {Game} all have greeted each other */
  get game() {
    if (!this.begun) throw new Error("the game has not begun");
    return this.begun;
  }

  /** @returns {Element} Y; all have greeted each other */
  get Y() {
    if (!this.jointKey) throw new Error("there is no joint key yet");
    return this.jointKey;
  }

  /** @returns {boolean} whether the chain decides the game */
  get isDecided() {
    return Boolean(this.begun?.result());
  }

  /** @returns {boolean} whether all have signed the result */
  get isOver() {
    return !this.owing.length;
  }

  /** @returns {boolean} whether a seat chooses the next action */
  get isDecision() {
    const { step } = this;
    if (step.kind === "Decide") return !step.auto;
    return step.kind === "Sealed" && this.owing[0][1] !== "UNSEAL";
  }

  /** @returns {number | undefined} the seat that owes the next action */
  get due() {
    return this.owing[0]?.[0];
  }

  /**
   * All have greeted each other: begin.
   * @param {Game} game @param {Uint8Array} gid @param {Element} Y
   */
  begin(game, gid, Y) {
    this.begun = game;
    this.gid = gid;
    this.jointKey = Y;
    this.links = this.hellos.map(({ anchor }) => anchor);
    this.out = [...game.faces];
    this.ask();
  }

  /** Ask the game for steps, until something is owed. */
  ask() {
    this.step = this.game.next(this.piles);
    this.owing = debts(this.step, this.piles);
    this.seals = [];
    this.moves = [];
    if (this.owing.length) return;
    if (this.step.kind === "Shuffle") this.completed(this.game.mixed(this.step, this.piles));
    else if (this.step.kind === "Share") this.shared(this.step);
    else throw new Error("a step owes nothing");
  }

  /** Strike out the first action owed. @returns {boolean} whether the step is complete */
  paid() {
    this.owing = this.owing.slice(1);
    return !this.owing.length;
  }

  /** A step is complete. @param {NewPiles} piles that the game lays */
  completed(piles) {
    this.lay(piles);
    this.ask();
  }

  /** A Share is complete: open the cards that all may read. @param {Share} step */
  shared(step) {
    const { game, out, piles } = this;
    const forAll = step.reads.filter(({ reader }) => reader === null);
    const faces = forAll.map((read) => {
      const card = cardAt(piles, read);
      card.face ??= open(game.name, game.faces, card, card.shares);
      return card.face;
    });
    const cards = allCards(piles);
    for (const [face, times] of game.faces.entries()) {
      const shown = cards.filter((card) => card.face === face).length;
      need(shown + out[face] <= times, "E_CARD");
    }
    this.completed(game.shared(step, faces, piles));
  }

  /** Lay piles in place of the present piles. @param {NewPiles} piles */
  lay(piles) {
    const stay = new Set(Object.values(piles).flat());
    const left = allCards(this.piles).filter((card) => !stay.has(card));
    if (left.some(({ face }) => face === null)) {
      const open = [...stay].filter((item) => typeof item !== "number");
      this.out = [...this.game.faces];
      for (const { face } of open) if (face !== null) this.out[face] -= 1;
    } else {
      for (const { face } of left) if (face !== null) this.out[face] += 1;
    }
    /** @type {Piles} */
    const laid = {};
    for (const [name, pile] of Object.entries(piles))
      laid[name] = pile.map((item) => (typeof item === "number" ? this.layPublic(item) : item));
    this.piles = laid;
  }

  /** @param {number} face that lies under no card @returns {Card} */
  layPublic(face) {
    this.out[face] -= 1;
    return this.card(publicCard(this.game.name, face, this.Y), face);
  }

  /** @param {Masked} masked @param {number | null} face @returns {Card} without shares */
  card({ A, B }, face) {
    const back = backOf(this.gid, { A, B });
    return { A, B, back, shares: this.hellos.map(() => null), face };
  }

  /** @returns {Uint8Array} the digest of the game's state, 32 bytes */
  gameDigest() {
    return H("game state", pack(/** @type {Value} */ (this.game.snapshot())));
  }

  /** @returns {Uint8Array} st, 16 bytes */
  stateTag() {
    return (this.coins ? this.stateDigest() : H("state", pack([]))).subarray(0, 16);
  }

  /** @returns {Uint8Array} 32 bytes; the first coin has fallen */
  stateDigest() {
    const names = Object.keys(this.piles).sort();
    const piles = names.flatMap((name) => {
      const cards = this.piles[name];
      const shares = cards.flatMap((card) => card.shares.map((share) => (share ? 1 : 0)));
      return [bytesOf(name), join(...cards.map(({ back }) => back)), Uint8Array.from(shares)];
    });
    return H("state", this.gameDigest(), pack(this.owing), ...piles);
  }
}
