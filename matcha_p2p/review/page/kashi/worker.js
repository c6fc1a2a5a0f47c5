/** The worker of a page of Kashi-ichi. */

import { findKashi } from "../verifier/kashi.js";
import { work } from "../view/work.js";

work(findKashi);
