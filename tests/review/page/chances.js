/**
 * The chances of a page: `node chances.js` reads {network, edition, cases} as JSON, of which each
 * case has the tokens of the dealer and of the other; it prints the chances as JSON.
 */

import { readFileSync } from "node:fs";
import { EDITIONS } from "../../../matcha_p2p/review/page/verifier/rules.js";
import { chance } from "../../../matcha_p2p/review/page/matcha/chances.js";

const { network, edition, cases } = JSON.parse(readFileSync(0, "utf-8"));
const found = cases.map(([dealer, other]) => chance(network, EDITIONS[edition], dealer, other));
process.stdout.write(JSON.stringify(found));
