/** Linear relations, and the three proofs made of linear relations (SPEC, proofs). */

import { bytes32, bytesOf, join, le4 } from "./bytes.js";
import { need } from "./check.js";
import { combination } from "./edwards.js";
import { H, INT, ORDER, XOF } from "./hashes.js";
import { Element, GENERATOR, commitmentBase } from "./ristretto.js";

/**
 * @typedef {object} Place the one place at which a proof holds
 * @property {string} game its name @property {string} variant
 * @property {Uint8Array} head @property {number} seat
 * @property {number} place of the action in its message, from 0
 */
/** @typedef {{ challenge: bigint, responses: bigint[] }} Proof */
/** @typedef {{ A: Element, B: Element }} Masked a masked card */
/** @typedef {[number, bigint][]} Image pairs (i, α) */
/** @typedef {[number, number, bigint][]} Terms triples (j, i, β) */
/** @typedef {{ image: Image, terms: Terms }} Equation */
/**
 * @typedef {{ elements: Element[], equations: Equation[] }} Statement elements P_0 = G, P_1, ..
 */

/** The most cards of which there are bases for commitments, and the fewest of a shuffle. */
const MOST_CARDS = 64;
const FEWEST_CARDS = 2;

/** @param {string} relation @param {string} label @param {Place} place @returns {Uint8Array} */
export function sessionId(relation, label, { game, variant, head, seat, place }) {
  const engine = ["CMPT", "sigma-proofs_Shake128_ristretto255"];
  const names = [...engine, relation, game, variant, label].map(bytesOf);
  return H("proof", ...names, head, Uint8Array.of(seat, place));
}

/** @param {bigint} n @returns {bigint} 0 .. ℓ - 1 */
function scalar(n) {
  const rest = n % ORDER;
  return rest < 0n ? rest + ORDER : rest;
}

/** ser (SPEC, linear relations). @param {Statement} statement @returns {Uint8Array} */
export function serialised({ elements, equations }) {
  const parts = [le4(equations.length)];
  for (const { image, terms } of equations) {
    parts.push(le4(image.length));
    for (const [i, alpha] of image) parts.push(le4(i), bytes32(scalar(alpha)));
    parts.push(le4(terms.length));
    for (const [j, i, beta] of terms) parts.push(le4(j), le4(i), bytes32(scalar(beta)));
  }
  return join(...parts, ...elements.slice(1).map((element) => element.encoded));
}

/** @param {Statement} statement @param {Image} image @returns {Element} */
function sumOfImage({ elements }, image) {
  const [[first, alpha]] = image;
  if (image.length === 1 && alpha === 1n) return elements[first];
  return new Element(combination(image.map(([i, a]) => [scalar(a), elements[i].point])));
}

/**
 * VERIFY (SPEC, linear relations). Of the instance checks, those that a statement of this file can
 * fail are made: no element and no image is the identity.
 * @param {Statement} statement @param {Uint8Array} sid @param {Proof} proof
 * @param {string} check by which to refuse
 */
function verify(statement, sid, { challenge, responses }, check) {
  const { elements, equations } = statement;
  need(!elements.some((element) => element.isIdentity), check);
  const commitments = equations.map(({ image, terms }) => {
    const target = sumOfImage(statement, image);
    need(!target.isIdentity, check);
    const pairs = terms.map(([j, i, beta]) => pair(scalar(beta * responses[j]), elements[i]));
    const commitment = new Element(combination([...pairs, pair(scalar(-challenge), target)]));
    need(!commitment.isIdentity, check);
    return commitment.encoded;
  });
  const [expected] = INT(XOF(sid, join(serialised(statement), ...commitments), 48));
  need(challenge === expected, check);
}

/**
 * @param {bigint} factor
 * @param {Element} element
 * @returns {[bigint, import("./edwards.js").Point]}
 */
function pair(factor, element) {
  return [factor, element.point];
}

/** @param {Element} X @returns {Statement} */
export function possession(X) {
  return { elements: [GENERATOR, X], equations: [{ image: [[1, 1n]], terms: [[0, 0, 1n]] }] };
}

/** POP (SPEC, POP). @param {Element} X @param {Proof} proof @param {Place} place */
export function verifyPossession(X, proof, place) {
  verify(possession(X), sessionId("POP", "hello", place), proof, "E_POP");
}

/** @param {Element} X @param {Masked[]} cards @param {Element[]} shares @returns {Statement} */
export function sharing(X, cards, shares) {
  const m = cards.length;
  /** @type {Equation[]} */
  const equations = cards.map((_, i) => ({
    image: [[2 + m + i, 1n]],
    terms: [[0, 2 + i, 1n]],
  }));
  return {
    elements: [GENERATOR, X, ...cards.map(({ A }) => A), ...shares],
    equations: [...possession(X).equations, ...equations],
  };
}

/**
 * SHARES (SPEC, SHARES).
 * @param {Element} X @param {Masked[]} cards @param {Element[]} shares @param {Proof} proof
 * @param {string} label @param {Place} place
 */
export function verifyShares(X, cards, shares, proof, label, place) {
  need(shares.length === cards.length, "E_SHARE");
  verify(sharing(X, cards, shares), sessionId("SHARES", label, place), proof, "E_SHARE");
}

/**
 * @typedef {object} Shuffle a seat's claim about its shuffle
 * @property {Masked[]} deck
 * @property {Element[]} commitments C_1 .. C_N
 * @property {Element[]} chain Ĉ_1 .. Ĉ_N
 * @property {Proof} proof
 */

/** @param {Masked[]} deck @returns {Uint8Array[]} */
function encodedDeck(deck) {
  return deck.flatMap(({ A, B }) => [A.encoded, B.encoded]);
}

/**
 * The scalars u (SPEC, SHUFFLE).
 * @param {Masked[]} old @param {Element} Y @param {string} label @param {Shuffle} shuffle
 * @param {Place} place
 */
export function shuffleScalars(old, Y, label, { deck, commitments }, place) {
  const bytes = [
    Y.encoded,
    ...encodedDeck(old),
    ...encodedDeck(deck),
    ...commitments.map((C) => C.encoded),
  ];
  return INT(XOF(sessionId("SHUFFLE", `${label}/u`, place), join(...bytes), 48 * old.length));
}

/**
 * The statement (SPEC, SHUFFLE).
 * @param {Masked[]} old @param {Element} Y @param {Shuffle} shuffle @param {bigint[]} u
 * @returns {Statement}
 */
export function shuffling(old, Y, shuffle, u) {
  const N = old.length;
  const [G, K, K1, y] = [0, 1, 2, 2 + N];
  const [A, B, newA, newB, C, links] = [1, 2, 3, 4, 5, 6].map((group) => 3 + group * N);
  /** @param {number} first @returns {[number, bigint][]} u_i times each of a group */
  const weighted = (first) => u.map((factor, i) => [first + i, factor]);
  /** @param {number} first @returns {[number, number, bigint][]} w_{4+N}.. times each */
  const permuted = (first) => u.map((_, i) => [4 + N + i, first + i, 1n]);
  /** @param {number} i @returns {number} the element of Ĉ_i */
  const link = (i) => (i ? links + i - 1 : K);
  /** @type {Equation[]} */
  const equations = [
    {
      image: [...u.map((_, i) => signed(C + i, 1n)), ...u.map((_, i) => signed(K1 + i, -1n))],
      terms: [[0, G, 1n]],
    },
    {
      image: [
        [link(N), 1n],
        [K, -u.reduce((all, each) => scalar(all * each), 1n)],
      ],
      terms: [[1, G, 1n]],
    },
    { image: weighted(C), terms: [[2, G, 1n], ...permuted(K1)] },
    { image: weighted(A), terms: [[3, G, -1n], ...permuted(newA)] },
    { image: weighted(B), terms: [[3, y, -1n], ...permuted(newB)] },
  ];
  for (let i = 1; i <= N; i++) {
    equations.push({
      image: [[link(i), 1n]],
      terms: [
        [3 + i, G, 1n],
        [3 + N + i, link(i - 1), 1n],
      ],
    });
  }
  return { elements: shuffleElements(old, Y, shuffle), equations };
}

/**
 * @param {Masked[]} old @param {Element} Y @param {Shuffle} shuffle
 * @returns {Element[]} in the order of the statement
 */
function shuffleElements(old, Y, { deck, commitments, chain }) {
  const bases = old.map((_, i) => commitmentBase(i + 1));
  return [
    GENERATOR,
    commitmentBase(),
    ...bases,
    Y,
    ...old.map(({ A }) => A),
    ...old.map(({ B }) => B),
    ...deck.map(({ A }) => A),
    ...deck.map(({ B }) => B),
    ...commitments,
    ...chain,
  ];
}

/** @param {number} i @param {bigint} alpha @returns {[number, bigint]} */
function signed(i, alpha) {
  return [i, alpha];
}

/**
 * VERIFY_SHUFFLE (SPEC, SHUFFLE).
 * @param {Masked[]} old @param {Element} Y @param {string} label @param {Shuffle} shuffle
 * @param {Place} place
 */
export function verifyShuffle(old, Y, label, shuffle, place) {
  const N = old.length;
  need(N >= FEWEST_CARDS && N <= MOST_CARDS && shuffle.deck.length === N, "E_SHUFFLE");
  const u = shuffleScalars(old, Y, label, shuffle, place);
  const sid = sessionId("SHUFFLE", label, place);
  verify(shuffling(old, Y, shuffle, u), sid, shuffle.proof, "E_SHUFFLE");
}
