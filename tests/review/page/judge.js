/**
 * The JavaScript verifier as a judge: transcripts on stdin, each behind four bytes of length,
 * a verdict on stdout for each, as JSON on a line.
 *
 * It remembers what it has accepted, so that of many files with one beginning that is judged
 * once. An entry is accepted or not because of the chain before it, which is the key.
 */

import { createHash } from "node:crypto";
import { Chain } from "../../../matcha_p2p/review/page/verifier/chain.js";
import { findKashi } from "../../../matcha_p2p/review/page/verifier/kashi.js";
import { findMatcha } from "../../../matcha_p2p/review/page/verifier/matcha.js";
import { findTichu } from "../../../matcha_p2p/review/page/verifier/tichu.js";
import { judge } from "../../../matcha_p2p/review/page/verifier/transcript.js";
import { copy } from "./copy.js";
import { findPassing } from "./passing.js";
import { findToy } from "./toy.js";

/** @type {Map<string, RememberingChain>} */
const known = new Map();

class RememberingChain extends Chain {
  said = "";

  constructor() {
    const finders = [findMatcha, findKashi, findTichu, findToy, findPassing];
    super((...game) => finders.map((find) => find(...game)).find(Boolean));
  }

  /** @param {RememberingChain} chain whose state becomes that of this one */
  become(chain) {
    Object.assign(this, copy({ ...chain }));
  }

  /** @param {Uint8Array} encoded */
  accept(encoded) {
    const before = this.said || this.table.roster.rid;
    const said = createHash("sha256").update(before).update(encoded).digest("hex");
    const found = known.get(said);
    if (found) {
      this.become(found);
      return;
    }
    super.accept(encoded);
    this.said = said;
    const kept = new RememberingChain();
    kept.become(this);
    known.set(said, kept);
  }
}

/** @param {Uint8Array} file @returns {string} */
function verdict(file) {
  const { verdict, failure, waiting, winners } = judge(file, new RememberingChain());
  const { check, entry, seat } = failure ?? { check: null, entry: null, seat: null };
  return JSON.stringify({ verdict, check, entry, seat, waiting, winners });
}

/** @type {Buffer[]} */
let chunks = []; // joined only once a whole file is there: one of 64 MiB comes in a thousand
let [size, needed] = [0, 4];
for await (const chunk of process.stdin) {
  chunks.push(chunk);
  size += chunk.length;
  while (size >= needed) {
    const read = Buffer.concat(chunks);
    needed = 4 + read.readUInt32BE();
    chunks = [read];
    if (size < needed) break;
    process.stdout.write(`${verdict(new Uint8Array(read.subarray(4, needed)))}\n`);
    chunks = [read.subarray(needed)];
    size -= needed;
    needed = 4;
  }
}
