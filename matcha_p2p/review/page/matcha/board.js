/** The table at one step: both players, their hands and tokens, and the six mats. */

import { numberOf, suitOf } from "../verifier/faces.js";
import { EDITIONS, demandsNumber, matches, other } from "../verifier/rules.js";
import { askedCard, cardBack, openCard, sealedCard, tokenSign } from "./cards.js";
import { html, passMark } from "../view/elements.js";
import { say } from "../view/language.js";
import {
  KINDS,
  cardWords,
  faceAt,
  kindWords,
  lastMat,
  matLetter,
  tokensWords,
} from "./words.js";

/** @typedef {import("./story.js").Step} Step */
/** @typedef {import("./words.js").Viewpoint} Viewpoint */
/** @typedef {import("../verifier/rules.js").Resolution} Resolution */
/** @typedef {import("../view/page.js").Better | null} Better */

const WHISK = 4;
const SLOTS = [0, 1, 2, 3, 4];
const ALL_MATS = [0, 1, 2, 3, 4, 5];

/**
 * Draw the table.
 * @param {Step} step @param {Viewpoint} view @param {number} front the seat that sits below
 * @param {Better} better than the step's move; null if the move was no mistake
 * @returns {HTMLElement}
 */
export function board(step, view, front, better) {
  const back = other(front);
  return html(
    "div",
    { class: "cloth" },
    player(step, view, back, "far", better),
    html(
      "div",
      { class: "mats", role: "group", "aria-label": say("TABLE") },
      ...ALL_MATS.map((mat) => column(step, view, mat, back, front, better)),
    ),
    player(step, view, front, "near", better),
  );
}

/**
 * @param {Step} step @param {Viewpoint} view @param {number} seat @param {string} side
 * @param {Better} better
 */
function player(step, view, seat, side, better) {
  const { snapshot } = step;
  const leads = snapshot[9][0] === "deal" ? other(snapshot[2]) === seat : snapshot[2] === seat;
  const [phase, winners] = snapshot[9];
  const wins = phase === "end" && /** @type {number[]} */ (winners).includes(seat);
  return html(
    "div",
    { class: `player ${side} ${wins ? "winner" : ""}` },
    html(
      "div",
      { class: "who" },
      html("bdi", {}, view.names[seat]),
      ...(leads ? [html("small", {}, say("LEADS"))] : []),
      ...(seat === step.seat ? passMark(better) : []),
    ),
    hand(step, view, seat),
    tokens(step, seat),
  );
}

/** @param {Step} step @param {Viewpoint} view @param {number} seat */
function hand({ snapshot, hands }, view, seat) {
  const held = snapshot[9][0] === "end" && !hands[seat].length ? [] : snapshot[4][seat];
  const cards = SLOTS.map((slot) => {
    if (!held.includes(slot)) return html("span", { class: "gap" });
    const face = view.shows[seat] ? hands[seat][slot] : null;
    return face === null || face === undefined ? cardBack() : openCard(face);
  });
  return html(
    "div",
    { class: "hand", role: "group", "aria-label": say("HAND_OF", { name: view.names[seat] }) },
    ...cards,
  );
}

/** @param {Step} step @param {number} seat */
function tokens({ snapshot }, seat) {
  const own = snapshot[6][seat];
  const { alike, whisks } = EDITIONS[snapshot[0]];
  const kinds = own.filter((count) => count).length;
  const list = html("ul", {
    class: "tokens",
    "aria-label": say("TOKENS_OF", { tokens: tokensWords(own) }),
  });
  for (const [kind, count] of own.entries()) {
    const goal = kind === WHISK ? whisks : alike;
    const near = count === goal - 1 || (kinds === KINDS.length - 1 && !count);
    const meets = count >= goal || kinds === KINDS.length;
    const look = `token ${KINDS[kind]} ${meets ? "won" : near ? "near" : ""}`;
    const pips = Array.from({ length: goal }, (_, i) =>
      html("i", { class: i < count ? "full" : "" }),
    );
    list.append(
      html(
        "li",
        { class: look, title: kindWords(kind) },
        tokenSign(kind),
        html("b", {}, String(count)),
        html("span", { class: "pips", "aria-hidden": "true" }, ...pips),
      ),
    );
  }
  return list;
}

/**
 * @param {Step} step
 * @param {Viewpoint} view
 * @param {number} mat
 * @param {number} far
 * @param {number} near
 * @param {Better} better
 */
function column(step, view, mat, far, near, better) {
  const { snapshot } = step;
  const shown = snapshot[3][mat];
  const round = snapshot[5].at(-1)?.[0] ?? 0;
  const own = Math.floor(mat / 2) + 1;
  const resolution = snapshot[5]
    .flatMap((each) => [...each[2]])
    .find((each) => each[0] === mat);
  const now =
    step.name === "round-resolved"
      ? resolution !== undefined && lastOfRound(snapshot, mat)
      : own === round;
  const look = now ? "now" : own < round || resolution ? "past" : "later";
  return html(
    "div",
    { class: `mat ${look}` },
    html("div", { class: "demand" }, demand(mat, shown)),
    spot(step, view, far, mat, better),
    outcome(resolution, shown, far),
    shown === undefined ? html("span", { class: "gap" }) : openCard(shown),
    outcome(resolution, shown, near),
    spot(step, view, near, mat, better),
  );
}

/** @param {import("../verifier/rules.js").Snapshot} snapshot @param {number} mat */
function lastOfRound(snapshot, mat) {
  const resolved = snapshot[5].findLast((each) => each[2].length);
  return resolved?.[0] === Math.floor(mat / 2) + 1;
}

/** @param {number} mat @param {number} shown @returns {HTMLElement} */
function demand(mat, shown) {
  const wanted = demandsNumber(mat)
    ? html("b", {}, String(numberOf(shown)))
    : html("b", { class: KINDS[suitOf(shown)] }, tokenSign(suitOf(shown)));
  const label = demandsNumber(mat)
    ? say("MAT_NUMBER", { mat: matLetter(mat), card: cardWords(shown) })
    : say("MAT_SUIT", { mat: matLetter(mat), card: cardWords(shown) });
  return html(
    "span",
    { role: "img", "aria-label": label, title: label },
    matLetter(mat),
    " = ",
    wanted,
  );
}

/**
 * What a seat has at a mat, and the card that was better there.
 * @param {Step} step @param {Viewpoint} view @param {number} seat @param {number} mat
 * @param {Better} better
 */
function spot(step, view, seat, mat, better) {
  const drawn = laid(step, view, seat, mat);
  const face = step.hands[seat][better?.slot?.[0] ?? -1];
  const isHere = step.seat === seat && better?.mat?.[0] === mat && view.shows[seat];
  if (!isHere || typeof face !== "number") return drawn;
  return html("div", { class: "spot" }, drawn, askedCard(face));
}

/** @param {Step} step @param {Viewpoint} view @param {number} seat @param {number} mat */
function laid(step, view, seat, mat) {
  const face = faceAt(step, seat, mat, view);
  if (face === undefined) return html("span", { class: "gap" });
  const resolution = step.snapshot[5]
    .flatMap((round) => [...round[2]])
    .find((each) => each[0] === mat);
  const isOpen = resolution !== undefined && resolution[1].length > 0;
  const drawn = face === null ? cardBack() : isOpen ? openCard(face) : sealedCard(face);
  if (step.name === "placed" && step.seat === seat && lastMat(step) === mat)
    drawn.classList.add("laid");
  if (step.name === "round-resolved" && isOpen && lastOfRound(step.snapshot, mat))
    drawn.classList.add("turned-up");
  return drawn;
}

/**
 * What a seat has gained at a mat, and why.
 * @param {Resolution | undefined} resolution
 * @param {number} shown
 * @param {number} seat
 */
function outcome(resolution, shown, seat) {
  if (!resolution) return html("div", { class: "outcome" });
  const [mat, one, two, ...gains] = resolution;
  const faces = [...one, ...two];
  const gained = gains[seat].map((kind) =>
    html(
      "span",
      { class: `gain ${KINDS[kind]}`, role: "img", "aria-label": `+ ${kindWords(kind)}` },
      "+",
      tokenSign(kind),
    ),
  );
  return html(
    "div",
    { class: "outcome" },
    ...gained,
    ...(faces.length ? [html("small", {}, verdict(mat, shown, faces, seat, gains))] : []),
  );
}

/**
 * @param {number} mat
 * @param {number} shown
 * @param {number[]} faces
 * @param {number} seat
 * @param {number[][]} gains
 */
function verdict(mat, shown, faces, seat, gains) {
  if (!matches(mat, shown, faces[seat])) return say("BLUFF");
  return gains[seat].length ? say("MATCH") : say("BEATEN");
}
