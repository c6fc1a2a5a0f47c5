/** From a coin, or from kept cards, to two hands (SPEC sections 13.2 to 13.4). */

import { be4, byte, same } from "./bytes.js";
import { backOf, open, publicCard } from "./cards.js";
import { CheckError, need } from "./check.js";
import { ZERO } from "./faces.js";
import { firstDealerIsSeat0 } from "./greeting.js";
import { DRAW, H } from "./hashes.js";
import { verifyShares, verifyShuffle } from "./proofs.js";
import { EDITIONS, Game, other } from "./rules.js";

/** @typedef {import("./ristretto.js").Element} Element */
/** @typedef {import("./proofs.js").Masked} Masked */
/** @typedef {import("./proofs.js").Place} Place */
/** @typedef {import("./messages.js").Coin} Coin */
/** @typedef {import("./messages.js").Shares} Shares */
/** @typedef {import("./messages.js").Shuf} Shuf */
/** @typedef {import("./table.js").Hand} Hand */
/** @typedef {import("./table.js").Table} Table */

const COINS = 4096;
const HAND = 5;
const TABLE = 6;
const OPENED_AT_MOST = 8;
const FACES = Array.from({ length: ZERO }, (_, face) => face);

/**
 * Go on to the next coin; without one that is left the game is drawn.
 * @param {Table} table
 */
export function tossNext(table) {
  const owing = [table.closer, other(table.closer)];
  if (table.coins < COINS) {
    table.phase = { name: "tossing", owing };
  } else {
    table.game.draw();
    table.phase = { name: "closing", owing };
  }
}

/** @param {Table} table @param {Coin} action @param {Place} place */
export function toss(table, { link }, { seat }) {
  if (table.phase.name !== "tossing") throw new Error("no coin is due");
  need(same(H("coin", byte(seat), link), table.links[seat]), "E_COIN");
  table.links[seat] = link;
  const [, ...owing] = table.phase.owing;
  table.phase = { name: "tossing", owing };
  if (!owing.length) coinFallen(table, seat);
}

/** @param {Table} table @param {number} second the seat of the second link */
function coinFallen(table, second) {
  const { gid, links } = table;
  table.coins += 1;
  table.begun ??= beginGame(table);
  const faces = DRAW(H("table", gid, be4(table.game.number), ...links), FACES.length, TABLE);
  table.zerosMet = 0;
  table.game.lay(faces);
  const rest = FACES.filter((face) => !faces.includes(face));
  beginDealing(
    table,
    second,
    [...rest, ZERO, ZERO].map((face) => publicCard(face, table.Y)),
  );
}

/** @param {Table} table @returns {Game} */
function beginGame(table) {
  const [hello] = table.hellos;
  const lot = H("dealer", table.gid, ...table.links)[0] & 1;
  const dealer = firstDealerIsSeat0(hello) ? 0 : lot;
  return new Game(EDITIONS[hello.edition], dealer, (name, seat) => table.tell(name, seat));
}

/** @param {Table} table */
export function beginMixing(table) {
  const { aside, closer, game, hands, kept, Y } = table;
  const returned = hands.flatMap(({ cards }, seat) =>
    cards.filter((_, slot) => !kept[seat].includes(slot)),
  );
  const faces = [...game.table].sort((a, b) => a - b);
  const deck = [...faces.map((face) => publicCard(face, Y)), ...returned, ...aside];
  table.phase = { name: "mixing", owing: [closer, other(closer)], deck };
}

/** @param {Table} table @param {number} first @param {Masked[]} deck */
function beginDealing(table, first, deck) {
  const second = other(first);
  const [keeps, follows] = [table.kept[first].length > 0, table.kept[second].length > 0];
  /** @type {[number, string, boolean][]} */
  const steps = [
    [first, "SHUF", true],
    [second, "SHUF", true],
    [second, "OWN", follows],
    [second, "STRIP", !keeps],
    [first, "OWN", keeps],
    [first, "STRIP", true],
    [second, "STRIP", keeps],
  ];
  const owed = steps.flatMap(([seat, name, due]) => (due ? [step(seat, name)] : []));
  table.phase = { name: "dealing", first, steps: owed, deck };
}

/** @param {number} seat @param {string} name @returns {[number, string]} */
function step(seat, name) {
  return [seat, name];
}

/** @param {Table} table @param {Shuf} action @param {Place} place */
export function shuffle(table, { shuffle: made }, place) {
  const { phase } = table;
  switch (phase.name) {
    case "mixing": {
      verifyShuffle(phase.deck, table.Y, "mix", made, place);
      const [, ...owing] = phase.owing;
      table.phase = owing.length
        ? { name: "mixing", owing, deck: made.deck }
        : { name: "opening", speaker: place.seat, deck: made.deck, shares: [[], []] };
      break;
    }
    case "dealing": {
      verifyShuffle(phase.deck, table.Y, "deal", made, place);
      table.phase = { ...phase, deck: made.deck };
      if (place.seat !== phase.first) handOut(table, made.deck);
      stepDone(table);
      break;
    }
    default:
      throw new Error("no shuffle is due");
  }
}

/** @param {Table} table */
function stepDone(table) {
  if (table.phase.name !== "dealing") throw new Error("nothing is dealt");
  const [, ...steps] = table.phase.steps;
  if (steps.length) {
    table.phase = { ...table.phase, steps };
  } else {
    table.phase = { name: "playing" };
    table.dealt.set(table.game.number, [table.hands[0], table.hands[1]]);
    table.tell("dealt", table.game.dealer);
  }
}

/** @param {Table} table @param {Masked[]} deck shuffled by both */
function handOut(table, deck) {
  const [first, second] = table.kept.map((slots, seat) =>
    slots.map((slot) => table.hands[seat].cards[slot]),
  );
  const split = HAND - first.length;
  const end = split + HAND - second.length;
  table.hands = [
    hand(table, 0, [...first, ...deck.slice(0, split)]),
    hand(table, 1, [...second, ...deck.slice(split, end)]),
  ];
  table.aside = deck.slice(end);
}

/** @param {Table} table @param {number} seat @param {Masked[]} cards five @returns {Hand} */
function hand({ gid, game }, seat, cards) {
  return {
    cards,
    backs: cards.map((card) => backOf(gid, game.number, seat, card)),
    shares: [],
  };
}

/** OWN. @param {Table} table @param {Shuf} action @param {Place} place */
export function shuffleOwn(table, { shuffle: made }, place) {
  const { seat } = place;
  verifyShuffle(table.hands[seat].cards, table.Y, "own", made, place);
  table.hands[seat] = hand(table, seat, made.deck);
  stepDone(table);
}

/** @param {Table} table @param {Shares} action @param {Place} place */
export function strip(table, { shares, proof }, place) {
  const stripped = table.hands[other(place.seat)];
  verifyShares(table.hellos[place.seat].X, stripped.cards, shares, proof, "strip", place);
  stripped.shares = shares;
  stepDone(table);
}

/** OPEN. @param {Table} table @param {Shares} action @param {Place} place */
export function openPositions(table, { shares, proof }, place) {
  const { phase } = table;
  if (phase.name !== "opening") throw new Error("nothing is to be opened");
  const { seat } = place;
  const own = phase.shares[seat].length;
  const theirs = phase.shares[other(seat)].length;
  const end = own + shares.length;
  need(end > own && end >= theirs && end <= OPENED_AT_MOST, "E_GRAMMAR");
  const cards = phase.deck.slice(own, end);
  verifyShares(table.hellos[seat].X, cards, shares, proof, "open", place);
  phase.shares[seat].push(...shares);
  const [first, second] = phase.shares;
  const faces = phase.deck.slice(0, theirs).map((card, i) => open(card, first[i], second[i]));
  const found = faces.filter((face) => face !== ZERO);
  need(end === theirs + TABLE - found.length, "E_GRAMMAR");
  if (found.length < TABLE) {
    table.phase = { ...phase, speaker: other(seat) };
    return;
  }
  if (new Set(found).size < TABLE) throw new CheckError("E_CARD");
  table.zerosMet = faces.length - TABLE;
  table.game.lay(found);
  const zeros = Array.from({ length: table.zerosMet }, () => publicCard(ZERO, table.Y));
  beginDealing(table, seat, [...phase.deck.slice(end), ...zeros]);
}
