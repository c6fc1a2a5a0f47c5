/** Matcha in the steps of the table (SPEC, Matcha). L, the closer, has acted last; O follows. */

import { pieces, same } from "./bytes.js";
import { open } from "./cards.js";
import { need } from "./check.js";
import { ZERO } from "./faces.js";
import { DRAW, H } from "./hashes.js";
import { EDITIONS, Game, other } from "./rules.js";

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./cards.js").NewPiles} NewPiles */
/** @typedef {import("./cards.js").Piles} Piles */
/** @typedef {import("./messages.js").Forms} Forms */
/** @typedef {import("./messages.js").Move} Move */
/** @typedef {import("./rules.js").Edition} Edition */
/** @typedef {import("./steps.js").Share} Share */
/** @typedef {import("./steps.js").Shuffle} Shuffle */
/** @typedef {import("./steps.js").Step} Step */

const REMATCHES = [" rematch 0", " rematch 1"];
const COINS = 4096;
const SLOTS = [0, 1, 2, 3, 4];
const TABLE = 6;
const FACES = Array.from({ length: ZERO }, (_, face) => face);
const FACE_COUNTS = [...FACES.map(() => 1), 2];

/** @param {string} variant @returns {number | null} who deals first; null if a coin draws it */
function firstDealer(variant) {
  const first = REMATCHES.findIndex((end) => variant.endsWith(end));
  return first < 0 ? null : first;
}

/** @param {string} variant @returns {Edition | undefined} */
function editionOf(variant) {
  const first = firstDealer(variant);
  const name = first === null ? variant : variant.slice(0, -REMATCHES[first].length);
  return Object.hasOwn(EDITIONS, name) ? EDITIONS[name] : undefined;
}

/** @param {number} seat @returns {string} the pile that is its hand */
function handOf(seat) {
  return `hand ${seat}`;
}

/**
 * @param {Card} card @param {(import("./cards.js").Element | null)[]} shares of both seats
 * @returns {number} its face
 */
export function faceOf(card, shares) {
  return open("matcha", FACE_COUNTS, card, shares);
}

/** The game in the view of its rules, and the steps of its cards. */
export class Matcha {
  name = "matcha";
  seats = 2;
  faces = FACE_COUNTS;
  /** @type {Forms} */
  forms = {
    lay: [
      ["number", 0, 5],
      ["backs", 1, 1],
    ],
    pass: [],
    keep: [["backs", 0, SLOTS.length]],
  };

  /** @param {Edition} edition @param {string} variant */
  constructor(edition, variant) {
    this.variant = variant;
    this.state = new Game(edition, firstDealer(variant) ?? 0);
    this.coins = 0;
    this.closer = 1;
    /** @type {Step[]} what follows, before it is played on */
    this.plan = [this.toss()];
    /** @type {Map<number, [Card[], Card[]]>} by set the hands as they are played */
    this.dealt = new Map();
  }

  /** @returns {boolean} whether a coin draws the first dealer */
  get isDrawn() {
    return firstDealer(this.variant) === null;
  }

  /** @returns {number[]} L, O */
  get order() {
    return [this.closer, other(this.closer)];
  }

  get told() {
    return this.state.told;
  }

  rules() {
    const { alike, whisks, turns, keeps, sets, further } = this.state.edition;
    const first = firstDealer(this.variant);
    const drawn = first === null ? 1 : 2 * first;
    return [alike, whisks, turns, Number(keeps), sets, Number(further), drawn];
  }

  snapshot() {
    return this.state.snapshot();
  }

  /** @returns {number[] | null} */
  result() {
    const { phase } = this.state;
    return phase[0] === "end" ? phase[1] : null;
  }

  /** @param {number | null} resigned @returns {number[]} */
  winners(resigned) {
    return resigned === null ? (this.result() ?? []) : [1 - resigned];
  }

  /** @returns {Step} */
  next() {
    return this.plan[0] ?? this.nextInPlay();
  }

  /** @returns {Step} */
  nextInPlay() {
    const { order, state } = this;
    const { phase } = state;
    switch (phase[0]) {
      case "place":
        return { kind: "Decide", seat: phase[1], auto: false };
      case "reveal": {
        const seat = phase[1 + this.closer].length ? this.closer : other(this.closer);
        const slots = state.contested.map((mat) => Number(state.slotAt(seat, mat)));
        return sharing(handOf(seat), slots, null, [seat, other(seat)], "reveal");
      }
      case "keep":
        return { kind: "Sealed", order };
      case "end":
        return { kind: "Over", order };
      case "deal":
        throw new Error("a table is awaited");
    }
  }

  /** @returns {Step} */
  toss() {
    return { kind: "Coin", order: this.order };
  }

  /** @param {Uint8Array} value @returns {NewPiles} */
  tossed(value) {
    if (!this.coins && this.isDrawn) this.state.dealer = H("dealer", value)[0] & 1;
    this.coins += 1;
    const table = DRAW(H("table", value), FACES.length, TABLE);
    this.state.lay(table);
    this.plan = [shuffleOf("deck", this.order.reverse(), "deal")];
    return { deck: [...FACES.filter((face) => !table.includes(face)), ZERO, ZERO] };
  }

  /** @param {Shuffle} step @param {Piles} piles @returns {NewPiles} */
  mixed({ label, order }, piles) {
    switch (label) {
      case "mix":
        this.plan = [opening(piles.mixed, this.order.reverse())];
        return piles;
      case "deal":
        this.plan = this.handing(order);
        return this.hands(piles);
      default: // own
        this.plan.shift();
        return piles;
    }
  }

  /** @param {number[]} order in which the deck was shuffled @returns {Step[]} */
  handing([a, b]) {
    const [keepsA, keepsB] = [this.state.kept[a] > 0, this.state.kept[b] > 0];
    return [
      ...(keepsB ? [own(b)] : []),
      keepsA ? own(a) : strip(a),
      strip(b),
      ...(keepsA ? [strip(a)] : []),
    ];
  }

  /** @param {Piles} piles kept cards, and the deck @returns {NewPiles} kept cards come first */
  hands(piles) {
    const deck = [...piles.deck];
    const [first, second] = [0, 1].map((seat) => {
      const kept = piles[`kept ${seat}`] ?? [];
      return [...kept, ...deck.splice(0, SLOTS.length - kept.length)];
    });
    return { "hand 0": first, "hand 1": second, aside: deck };
  }

  /** @param {Share} step @param {number[]} faces @param {Piles} piles @returns {NewPiles} */
  shared({ label, order }, faces, piles) {
    switch (label) {
      case "open":
        return this.opened(piles, order);
      case "strip":
        this.plan.shift();
        if (!this.plan.length) {
          this.dealt.set(this.state.number, [piles["hand 0"], piles["hand 1"]]);
          this.state.tell("hands-dealt", this.state.dealer);
        }
        return piles;
      default: // reveal
        [this.closer] = order;
        this.state.turnUp(this.closer, faces);
        this.afterRound();
        return piles;
    }
  }

  /**
   * Lay the table once six faces show that are not zero; until then open more cards.
   * @param {Piles} piles @param {number[]} order
   * @returns {NewPiles}
   */
  opened(piles, order) {
    const { mixed, ...kept } = piles;
    const shown = facesShown(mixed);
    const table = shown.filter((face) => face !== ZERO);
    if (table.length < TABLE) {
      this.plan = [opening(mixed, [...order].reverse())];
      return piles;
    }
    const zeros = shown.filter((face) => face === ZERO);
    this.state.lay(table);
    this.plan = [shuffleOf("deck", [...order].reverse(), "deal")];
    return { ...kept, deck: [...mixed.slice(shown.length), ...zeros] };
  }

  /** @param {number} seat @param {Move} move @param {Piles} piles @returns {NewPiles} */
  moved(seat, move, piles) {
    const [name, mat, back] = move;
    this.closer = seat;
    if (name === "pass") this.state.pass(seat);
    else this.state.play(seat, Number(mat), find(piles[handOf(seat)], back));
    this.afterRound();
    return piles;
  }

  /** Go on to the next set, if one has ended. */
  afterRound() {
    if (this.state.phase[0] === "deal") this.nextTable();
  }

  /** Toss the next coin; if no coin is left, the game is drawn. */
  nextTable() {
    if (this.coins < COINS) this.plan = [this.toss()];
    else this.state.draw();
  }

  /** @param {Move[]} moves @param {Piles} piles @returns {NewPiles} */
  unsealed(moves, piles) {
    const hands = [piles["hand 0"], piles["hand 1"]];
    const [first, second] = hands.map((hand, seat) => slotsOf(moves[seat], hand));
    this.state.nextSet([first, second]);
    this.state.tell("kept", this.closer);
    if (!first.length && !second.length) {
      this.nextTable();
      return piles;
    }
    this.plan = [shuffleOf("mixed", this.order, "mix")];
    const table = [...this.state.table].sort((a, b) => a - b);
    const returned = [first, second].flatMap((kept, seat) =>
      hands[seat].filter((_, slot) => !kept.includes(slot)),
    );
    return {
      mixed: [...table, ...returned, ...piles.aside],
      "kept 0": first.map((slot) => hands[0][slot]),
      "kept 1": second.map((slot) => hands[1][slot]),
    };
  }

  /** @param {number} seat @param {Move} move @param {Piles} piles */
  judge(seat, move, piles) {
    const { hands, phase } = this.state;
    const [name, mat, back] = move;
    const hand = piles[handOf(seat)];
    need((name === "keep") === (phase[0] === "keep"), "E_RULE");
    if (name === "keep") {
      const slots = slotsOf(move, hand);
      const inOrder = slots.every((slot, i) => i === 0 || slots[i - 1] < slot);
      need(inOrder && slots.every((slot) => hands[seat].includes(slot)), "E_RULE");
    } else if (name === "lay") {
      const slot = find(hand, back);
      need(this.state.mayLayAt(seat, Number(mat)) && hands[seat].includes(slot), "E_RULE");
    }
  }
}

/** @param {string} pile @param {number[]} order @param {string} label @returns {Step} */
function shuffleOf(pile, order, label) {
  return { kind: "Shuffle", pile, order, label };
}

/** A seat shuffles its own hand. @param {number} seat @returns {Step} */
function own(seat) {
  return shuffleOf(handOf(seat), [seat], "own");
}

/** A seat may read its hand. @param {number} seat @returns {Step} */
function strip(seat) {
  return sharing(handOf(seat), SLOTS, seat, [other(seat), seat], "strip");
}

/**
 * As many cards as are missing of six that are not zero are opened.
 * @param {Card[]} mixed @param {number[]} order
 * @returns {Step}
 */
function opening(mixed, order) {
  const shown = facesShown(mixed);
  const missing = TABLE - shown.filter((face) => face !== ZERO).length;
  const places = Array.from({ length: missing }, (_, i) => shown.length + i);
  return sharing("mixed", places, null, order, "open");
}

/**
 * @param {string} pile @param {number[]} places @param {number | null} reader
 * @param {number[]} order @param {string} label
 * @returns {Step}
 */
function sharing(pile, places, reader, order, label) {
  const reads = places.map((place) => ({ pile, place, reader }));
  return { kind: "Share", reads, order, label };
}

/** @param {Card[]} pile @returns {number[]} the faces of its open cards */
function facesShown(pile) {
  return pile.flatMap(({ face }) => (face === null ? [] : [face]));
}

/** @param {Card[]} hand @param {unknown} back @returns {number} the first card with this back */
function find(hand, back) {
  const slot = hand.findIndex((card) => same(card.back, /** @type {Uint8Array} */ (back)));
  need(slot >= 0, "E_BACK");
  return slot;
}

/** @param {Move} keep @param {Card[]} hand @returns {number[]} the slots that it names */
function slotsOf([, backs], hand) {
  return pieces(/** @type {Uint8Array} */ (backs), 32).map((back) => find(hand, back));
}

/** @type {import("./greeting.js").Find} */
export function findMatcha(name, variant, seats) {
  const edition = editionOf(variant);
  return name === "matcha" && seats === 2 && edition ? new Matcha(edition, variant) : undefined;
}
