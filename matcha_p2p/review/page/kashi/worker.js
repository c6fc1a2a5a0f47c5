/** The worker of a page of Kashi-ichi. */

import { findKashi } from "../verifier/kashi.js";
import { findingsOf, work } from "../view/work.js";
import { seenOf } from "./seen.js";

work(findKashi, findingsOf, seenOf);
