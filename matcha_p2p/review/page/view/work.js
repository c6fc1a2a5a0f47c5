/** The verifier in a worker: a transcript comes in, and its contents and verdict go out. */

import { hex } from "../verifier/bytes.js";
import { Chain } from "../verifier/chain.js";
import { sha256 } from "../verifier/sha2.js";
import { judge } from "../verifier/transcript.js";

/** @typedef {import("../verifier/transcript.js").Report} Report */
/** @typedef {import("./page.js").Findings} Findings */

/**
 * Wait for a transcript, verify it, and post the findings.
 * @param {import("../verifier/greeting.js").Find} find the game
 * @param {(report: Report, file: Uint8Array, seen: unknown[]) => Findings} tell
 * @param {(game: any) => unknown} see what the page draws of a game after an entry
 */
export function work(find, tell, see = () => null) {
  addEventListener("message", ({ data: file }) => {
    const begun = performance.now();
    let told = begun;
    const chain = new Chain(find);
    /** @type {unknown[]} */
    const seen = [];
    const watch = (/** @type {number} */ read) => {
      const { entries, table } = chain;
      if (table.begun) seen[entries.length] ??= see(table.begun);
      const now = performance.now();
      if (now - told < 50) return;
      told = now;
      postMessage({ part: read / file.length });
    };
    const findings = tell(judge(file, chain, watch), file, seen);
    postMessage({ findings, seconds: (performance.now() - begun) / 1000 });
  });
}

/**
 * @param {Report} report @param {Uint8Array} file that was judged
 * @param {unknown[]} seen
 * @returns {Findings}
 */
export function findingsOf(report, file, seen) {
  const { chain, records, verdict, failure, waiting, winners } = report;
  const { table, entries } = chain;
  const hellos = table.hellos.slice(0, entries.length); // a refused entry may have greeted too
  return {
    verdict,
    failure,
    waiting,
    winners,
    entries: entries.length,
    records: records.length,
    names: hellos.map(({ name }) => name),
    digest: hex(sha256(file)),
    seen,
  };
}
