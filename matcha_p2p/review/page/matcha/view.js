/** What the page shows of a game of Matcha. */

import { byId, html } from "../view/elements.js";
import { isolated, say } from "../view/language.js";
import { begin } from "../view/page.js";
import { board } from "./board.js";
import { chancesChart, chart } from "./chart.js";
import { endWords, explain, narrate } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("../view/page.js").GameView} GameView */

const SIDES = ["first", "second"];

/** @implements {GameView} */
class MatchaView {
  /** @param {Story} story */
  constructor(story) {
    this.findings = story;
    this.names = story.names;
    this.opened = story.opened;
    this.steps = story.steps;
  }

  get count() {
    return this.steps.length;
  }

  title() {
    const [first, second] = this.names.map(isolated);
    return say("TITLE", { first, second });
  }

  ended() {
    const last = this.steps.at(-1);
    if (last?.snapshot[9][0] !== "end") return [];
    return [endWords(last.snapshot, this.names.map(isolated))];
  }

  notes() {
    return [];
  }

  /** The verifier has found every value of the steps. */
  wrong() {
    return 0;
  }

  looks() {
    const both = [["both", say("VIEW_BOTH")]];
    return [
      ...(this.opened.some(Boolean) ? both : []),
      ["public", say("VIEW_PUBLIC")],
      ...SIDES.map((side, seat) => [side, isolated(this.names[seat] ?? "")]),
    ];
  }

  /** @param {string} look @returns {import("./words.js").Viewpoint} */
  viewpoint(look) {
    const shows = SIDES.map(
      (side, seat) => this.opened[seat] && (look === "both" || look === side),
    );
    return { names: this.names, shows };
  }

  /** @param {number} at @param {string} look @param {import("../view/page.js").Better | null} better */
  board(at, look, better) {
    const front = look === "second" ? 1 : 0;
    return board(this.steps[at], this.viewpoint(look), front, better);
  }

  /** @param {number} at @param {string} look */
  lines(at, look) {
    return narrate(this.steps[at], this.viewpoint(look));
  }

  /** @param {number} at @param {string} look */
  caption(at, look) {
    return this.lines(at, look);
  }

  /** @param {number} at */
  why(at) {
    return explain(this.steps[at], this.names);
  }

  /** @param {number} at */
  draw(at) {
    const { names, steps } = this;
    byId("chart").replaceChildren(chart(steps, names, at));
    const chances = chancesChart(steps, names, at);
    byId("estimate").hidden = !chances;
    byId("chances").replaceChildren(...(chances ? [chances] : []));
    byId("legend").replaceChildren(
      ...names.map((name, seat) =>
        html("span", { class: `seat${seat}` }, html("bdi", {}, name)),
      ),
    );
  }

  /** @param {number} at */
  kind(at) {
    return this.steps[at].name;
  }

  /** @param {number} at @returns {import("../view/page.js").Mark | null} */
  mark(at) {
    const { name, snapshot } = this.steps[at];
    if (name === "table") {
      const text = say("SET_NUMBER", { number: snapshot[1] });
      return { text, label: text, begins: true };
    }
    if (name === "round") {
      const [number] = snapshot[5].findLast((round) => round[2].length) ?? [0];
      return { text: String(number), label: say("ROUND_NUMBER", { number }), begins: false };
    }
    return name === "end" ? { text: "★", label: say("THE_END"), begins: false } : null;
  }

  /** @param {number} at */
  isGoal(at) {
    return this.steps[at].name === "round";
  }
}

begin((story) => new MatchaView(story));
