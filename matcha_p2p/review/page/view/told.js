/** A game that the page tells as matcha_p2p has told it, as far as the verifier accepts it. */

import { html } from "./elements.js";
import { isolated, say, spoken } from "./language.js";

/** @typedef {import("./page.js").Findings} Findings */
/** @typedef {import("./page.js").Mark} Mark */

/** The look of a reader who sees all opened cards. */
export const OPEN = "open";

/** What the views of such games have in common. */
export class ToldView {
  /** @param {Findings} findings */
  constructor(findings) {
    const { sentences, steps } = TOLD ?? { sentences: {}, steps: [] };
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
    const last = this.count - 1;
    return last >= 0 && this.kind(last) === "end" ? this.lines(last, OPEN) : [];
  }

  /** @param {number} at @param {string} look @returns {string[]} */
  lines(at, look) {
    const { said } = this.steps[at];
    return (said[look] ?? said[OPEN]).map((place) => this.sentences[spoken()][place]);
  }

  /** @param {number} _at @returns {string[]} */
  why(_at) {
    return [];
  }

  /** @param {number} at @returns {string} */
  kind(at) {
    return this.steps[at].state.kind;
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
