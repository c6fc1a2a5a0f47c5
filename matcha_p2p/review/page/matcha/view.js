/** What the page shows of a game of Matcha. */

import { byId, html } from "../view/elements.js";
import { isolated, say } from "../view/language.js";
import { begin } from "../view/page.js";
import { OPEN, PUBLIC, ToldView, readTold } from "../view/told.js";
import { board } from "./board.js";
import { chancesChart, chart } from "./chart.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("../view/page.js").GameView} GameView */

/** @implements {GameView} */
class MatchaView extends ToldView {
  /** @param {Story} story @param {import("../view/told.js").Told} told */
  constructor(story, told) {
    super(story, told);
    this.story = story;
  }

  title() {
    const [first, second] = this.names.map(isolated);
    return say("TITLE", { first, second });
  }

  ended() {
    const last = this.count - 1;
    return last >= 0 && this.kind(last) === "game-ended" ? this.lines(last, PUBLIC) : [];
  }

  /** @returns {number} */
  wrong() {
    return this.firstWrong((at) => this.agrees(at));
  }

  /** @param {number} at @returns {boolean} whether the step is an event of the checked game */
  agrees(at) {
    const { kind, seat } = this.steps[at].event;
    const { steps } = this.story;
    return (
      steps[at].name === kind &&
      (seat === undefined || seat === steps[at].seat) &&
      (at + 1 < this.count || this.count === steps.length)
    );
  }

  /** @param {number} at @returns {import("./story.js").Step} */
  seen(at) {
    return this.story.steps[at];
  }

  looks() {
    return [
      ...(this.story.opened.some(Boolean) ? [[OPEN, say("VIEW_BOTH")]] : []),
      [PUBLIC, say("VIEW_PUBLIC")],
      ...this.names.map((name, seat) => [String(seat), isolated(name)]),
    ];
  }

  /** @param {string} look @returns {import("./words.js").Viewpoint} */
  viewpoint(look) {
    const shows = this.story.opened.map(
      (isOpen, seat) => isOpen && (look === OPEN || look === String(seat)),
    );
    return { names: this.names, shows };
  }

  /** @param {number} at @param {string} look @param {import("../view/page.js").Better | null} better */
  board(at, look, better) {
    const front = look === "1" ? 1 : 0;
    return board(this.seen(at), this.viewpoint(look), front, better);
  }

  /** @param {number} at @param {string} look */
  caption(at, look) {
    return this.lines(at, look);
  }

  /** @param {number} at */
  draw(at) {
    const { names, steps } = this.story;
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

  /** @param {number} at @returns {import("../view/page.js").Mark | null} */
  mark(at) {
    const { name, snapshot } = this.seen(at);
    if (name === "table-laid") {
      const text = say("SET_NUMBER", { number: snapshot[1] });
      return { text, label: text, begins: true };
    }
    if (name === "round-resolved") {
      const [number] = snapshot[5].findLast((round) => round[2].length) ?? [0];
      return { text: String(number), label: say("ROUND_NUMBER", { number }), begins: false };
    }
    return name === "game-ended" ? { text: "★", label: say("THE_END"), begins: false } : null;
  }

  /** @param {number} at */
  isGoal(at) {
    return this.kind(at) === "round-resolved";
  }
}

begin(async (story) => new MatchaView(story, await readTold()));
