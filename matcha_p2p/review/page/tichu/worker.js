/** The worker of a page of Tichu. */

import { findTichu } from "../verifier/tichu.js";
import { findingsOf, work } from "../view/work.js";
import { seenOf } from "./seen.js";

work(findTichu, findingsOf, seenOf);
