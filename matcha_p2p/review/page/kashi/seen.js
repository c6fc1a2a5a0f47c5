/** What a page draws of a game of Kashi-ichi. */

/** @typedef {ReturnType<typeof seenOf>} Seen */

/** @param {import("../verifier/kashi.js").Kashi} game after an entry */
export function seenOf(game) {
  const { board, closer, drawn, first, judged, players, row, settlements } = game;
  return {
    rows: board.rows,
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
