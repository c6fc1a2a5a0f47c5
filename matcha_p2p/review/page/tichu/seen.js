/** What a page draws of a game of Tichu. */

import { pointsOf } from "../verifier/combinations.js";

/** @typedef {ReturnType<typeof roundOf>} SeenRound */
/** @typedef {ReturnType<typeof seenOf>} Seen */

/** @param {import("../verifier/round.js").Round} round */
function roundOf({ calls, held, lays, leader, out, passers, takes, wish, won }) {
  return {
    held: [...held],
    calls: [...calls],
    out: [...out],
    lays: [...lays],
    passers: [...passers],
    takes: [...takes],
    wish,
    won: won.map(pointsOf),
    leader,
  };
}

/** @param {import("../verifier/tichu.js").Tichu} game after an entry */
export function seenOf(game) {
  const { isDecided, number, played, round, totals } = game;
  const last = played.at(-1);
  return {
    number,
    totals,
    round: roundOf(round),
    /** The round that was over last, or null. */
    last: last ? roundOf(last.round) : null,
    /** By round, from 0, the hands after the exchange. */
    hands: played.map(({ hands }) => hands),
    /** By round, from 0, what each team has made; null after a foul. */
    points: played.map(({ points }) => points),
    isDecided,
  };
}
