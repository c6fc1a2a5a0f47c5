/** A drawing of counts that grow from left to right, a line a player. */

import { svg } from "./elements.js";

const WIDTH = 600;
const HEIGHT = 190;
const LEFT = 40;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 28;
const APART = 1.5; // of two lines where they are one

export class Plot {
  /**
   * @param {string} label in words, for readers who cannot see the plot
   * @param {number} columns after the first
   * @param {number} most the highest count
   */
  constructor(label, columns, most) {
    this.columns = Math.max(1, columns);
    this.most = most;
    this.drawing = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "chart",
      role: "img",
      "aria-label": label,
    });
  }

  /** @param {number} column @returns {number} */
  x(column) {
    return LEFT + (column * (WIDTH - LEFT - RIGHT)) / this.columns;
  }

  /** @param {number} count @returns {number} */
  y(count) {
    return HEIGHT - BOTTOM - (count * (HEIGHT - TOP - BOTTOM)) / this.most;
  }

  /**
   * Draw a line across, with its count.
   * @param {number} count
   */
  rule(count) {
    const y = this.y(count);
    this.drawing.append(
      svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
      svg("text", { x: LEFT - 6, y: y + 6, "text-anchor": "end" }, String(count)),
    );
  }

  /**
   * Draw a line from top to bottom.
   * @param {number} column
   * @param {"set" | "current"} look
   */
  upright(column, look) {
    const x = this.x(column);
    this.drawing.append(
      svg("line", { class: look, x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }),
    );
  }

  /**
   * Write under a column.
   * @param {number} column
   * @param {string} text
   * @param {"start" | "middle" | "end"} anchor
   */
  mark(column, text, anchor = "middle") {
    this.drawing.append(
      svg("text", { x: this.x(column), y: HEIGHT - 8, "text-anchor": anchor }, text),
    );
  }

  /**
   * Draw the counts of one player.
   * @param {number} player 0 .. 3
   * @param {number[]} counts by column
   */
  line(player, counts) {
    const points = counts.map((count, column) => [
      this.x(column),
      this.y(count) + APART * (player - 0.5),
    ]);
    const joined = points.map((point) => point.join()).join(" ");
    this.drawing.append(svg("polyline", { class: `line seat${player}`, points: joined }));
  }
}
