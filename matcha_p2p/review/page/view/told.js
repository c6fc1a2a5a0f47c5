/** A game in the steps that matcha_p2p has told, drawn from what the verifier has found. */

import { html } from "./elements.js";
import { isolated, say, spoken } from "./language.js";
import { unpacked } from "./packed.js";

/** @typedef {import("./page.js").Findings} Findings */
/** @typedef {import("./page.js").Mark} Mark */

/**
 * @typedef {object} Told as review/told.py writes it
 * @property {Record<string, string[]>} sentences by language, in one order
 * @property {{ entries: number, said: Record<string, number[]>, event: any }[]} steps
 */

/** The look of a reader who sees all opened cards. */
export const OPEN = "open";
/** The look of a reader who sees what all may see. */
export const PUBLIC = "public";

/** @returns {Promise<Told>} the game of this page */
export function readTold() {
  return unpacked(TOLD).then((text) => JSON.parse(text));
}

/** What the views of such games have in common. A view has `agrees`, for a step of its game. */
export class ToldView {
  /** @param {Findings} findings @param {Told} told */
  constructor(findings, { sentences, steps }) {
    this.findings = findings;
    this.names = findings.names;
    this.sentences = sentences;
    this.steps = steps.filter(({ entries }) => entries <= findings.entries);
  }

  get count() {
    return this.steps.length;
  }

  title() {
    return say("TITLE", { names: this.names.map(isolated).join(", ") });
  }

  ended() {
    const names = (this.findings.winners ?? []).map((seat) => isolated(this.names[seat]));
    const count = names.length;
    return count ? [say("WINNERS", { count, names: names.join(", ") })] : [];
  }

  notes() {
    return [say("DRAWN_FROM_CHECK")];
  }

  /** @param {number} at @returns {any} the game after the step, as the verifier has found it */
  seen(at) {
    return this.findings.seen[this.steps[at].entries];
  }

  /** @param {number} at @returns {any} the game before the step's last entry */
  seenBefore(at) {
    return this.findings.seen[this.steps[at].entries - 1];
  }

  /** @param {(at: number) => boolean} agrees with the verifier @returns {number} */
  firstWrong(agrees) {
    return 1 + this.steps.findIndex((_, at) => !this.seen(at) || !agrees(at));
  }

  /** @param {number} at @param {string} look @returns {string[]} */
  lines(at, look) {
    const { said } = this.steps[at];
    return (said[look] ?? said[OPEN]).map((place) => this.sentences[spoken()][place]);
  }

  /** @param {number} at @param {string} _look what all may see: the board has the cards */
  caption(at, _look) {
    return this.lines(at, PUBLIC);
  }

  /** @param {number} at @returns {string[]} */
  why(at) {
    return this.steps[at].said.why ? this.lines(at, "why") : [];
  }

  /** @param {number} at @returns {string} */
  kind(at) {
    return this.steps[at].event.kind;
  }
}

/**
 * Draw a table of numbers.
 * @param {string[]} heads of the columns
 * @param {[string, ...(number | string)[]][]} rows each with its head
 * @param {number} lit the row that belongs to the current step, or -1
 * @returns {HTMLElement}
 */
export function tableOf(heads, rows, lit) {
  const [corner, ...others] = heads.map((head) =>
    html("th", { scope: "col" }, html("bdi", {}, head)),
  );
  return html(
    "table",
    { class: "points" },
    html("thead", {}, html("tr", {}, corner, ...others)),
    html(
      "tbody",
      {},
      ...rows.map(([head, ...cells], place) =>
        html(
          "tr",
          { class: place === lit ? "here" : "" },
          html("th", { scope: "row" }, html("bdi", {}, head)),
          ...cells.map((cell) => html("td", {}, String(cell))),
        ),
      ),
    ),
  );
}
