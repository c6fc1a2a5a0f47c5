/** What a page draws of a game of Kashi-ichi. */

import { SHIPPED } from "../verifier/board.js";

/** @typedef {ReturnType<typeof seenOf>} Seen */

/** @type {Record<string, string>} of the shipped board's areas: north, east, south and west */
const DIRECTIONS = { a: "n", b: "e", c: "s", d: "w" };

/** @param {import("../verifier/kashi.js").Kashi} game after an entry */
export function seenOf(game) {
  const { board, closer, drawn, first, judged, players, row, settlements } = game;
  return {
    rows: board.rows,
    areas: board.text === SHIPPED ? DIRECTIONS : {},
    names: board.names,
    first,
    closer,
    settlements,
    drawn: drawn.length,
    row: row.map((number) => ({ number, ...board.orders[number - 1] })),
    players: players.map((player) => ({ ...player, done: player.done.length })),
    way: judged?.way ?? [],
    isDecided: game.result() !== null,
  };
}
