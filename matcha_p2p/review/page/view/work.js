/** The verifier in a worker: a transcript comes in, and its contents and verdict go out. */

import { hex } from "../verifier/bytes.js";
import { Chain } from "../verifier/chain.js";
import { sha256 } from "../verifier/sha2.js";
import { judge } from "../verifier/transcript.js";

/** @typedef {import("../verifier/transcript.js").Report} Report */

/**
 * Wait for a transcript, verify it, and post the findings.
 * @param {import("../verifier/greeting.js").Find} find the game
 * @param {(report: Report, file: Uint8Array) => import("./page.js").Findings} tell
 */
export function work(find, tell = findingsOf) {
  addEventListener("message", ({ data: file }) => {
    const begun = performance.now();
    let told = begun;
    const watch = (/** @type {number} */ read) => {
      const now = performance.now();
      if (now - told < 50) return;
      told = now;
      postMessage({ part: read / file.length });
    };
    const findings = tell(judge(file, new Chain(find), watch), file);
    postMessage({ findings, seconds: (performance.now() - begun) / 1000 });
  });
}

/**
 * @param {Report} report @param {Uint8Array} file that was judged
 * @returns {import("./page.js").Findings}
 */
export function findingsOf({ chain, records, verdict, failure, waiting }, file) {
  const { table, entries } = chain;
  const hellos = table.hellos.slice(0, entries.length); // a refused entry may have greeted too
  return {
    verdict,
    failure,
    waiting,
    entries: entries.length,
    records: records.length,
    names: hellos.map(({ name }) => name),
    digest: hex(sha256(file)),
  };
}
