/** Cards of paper, their backs, and the five kinds of token, drawn. */

import { ZERO, numberOf, suitOf } from "../verifier/faces.js";
import { svg } from "../view/elements.js";
import { say } from "../view/language.js";
import { KINDS, cardWords } from "./words.js";

/** The places of a card's signs, in sixty by eighty-four, by the number of signs. */
const PIPS = [
  [],
  [[30, 42]],
  [
    [30, 28],
    [30, 56],
  ],
  [
    [30, 23],
    [30, 42],
    [30, 61],
  ],
  [
    [21.5, 29],
    [38.5, 29],
    [21.5, 55],
    [38.5, 55],
  ],
];
const PIP = 15;

/**
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @returns {SVGElement}
 */
function sign(name, x, y, size) {
  return svg("use", {
    href: `#${name}`,
    x: x - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
  });
}

/** @param {number} kind of token @returns {SVGElement} a small picture, with words beside it */
export function tokenSign(kind) {
  const picture = svg("svg", {
    viewBox: "0 0 24 24",
    class: `sign ${KINDS[kind]}`,
    "aria-hidden": "true",
  });
  picture.append(sign(KINDS[kind], 12, 12, 24));
  return picture;
}

/**
 * @param {string} look
 * @param {string} label
 * @param {...SVGElement} drawn
 * @returns {SVGElement}
 */
function card(look, label, ...drawn) {
  return svg(
    "svg",
    { viewBox: "0 0 60 84", class: `card ${look}`, role: "img", "aria-label": label },
    svg("rect", { class: "paper", x: 0.5, y: 0.5, width: 59, height: 83, rx: 5 }),
    ...drawn,
  );
}

/** @param {number} face @param {string} [label] @returns {SVGElement} */
export function openCard(face, label = cardWords(face)) {
  if (face === ZERO) return card("zero", label, sign("zero", 30, 42, 44));
  const kind = KINDS[suitOf(face)];
  const number = numberOf(face);
  return card(
    kind,
    label,
    corner(number, kind, "corner"),
    corner(number, kind, "corner turned"),
    ...PIPS[number].map(([x, y]) => sign(kind, x, y, number === 1 ? 26 : PIP)),
  );
}

/** @param {number} number @param {string} kind @param {string} place @returns {SVGElement} */
function corner(number, kind, place) {
  const transform = place === "corner" ? false : "rotate(180 30 42)";
  return svg(
    "g",
    { class: place, transform },
    svg("text", { x: 8, y: 16 }, String(number)),
    sign(kind, 8.5, 24, 9),
  );
}

/** @param {number} face of a card that was better to lay @returns {SVGElement} */
export function askedCard(face) {
  const shown = openCard(face, `${say("BETTER_MOVE")}: ${cardWords(face)}`);
  shown.classList.add("better");
  shown.append(
    svg("title", {}, say("BETTER_MOVE")),
    svg("circle", { class: "ask", cx: 47, cy: 14, r: 11 }),
    svg("text", { class: "ask", x: 47, y: 19.5 }, "?"),
  );
  return shown;
}

/** @returns {SVGElement} */
export function cardBack() {
  return card(
    "back",
    say("FACE_DOWN"),
    svg("rect", { class: "weave", x: 4, y: 4, width: 52, height: 76, rx: 3 }),
  );
}

/**
 * A card that lies face down, though its book is open.
 * @param {number} face
 * @returns {SVGElement}
 */
export function sealedCard(face) {
  const shown = openCard(face, `${say("FACE_DOWN")}: ${cardWords(face)}`);
  shown.classList.add("sealed");
  shown.append(svg("rect", { class: "veil", x: 0.5, y: 0.5, width: 59, height: 83, rx: 5 }));
  return shown;
}
