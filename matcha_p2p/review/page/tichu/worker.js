/** The worker of a page of Tichu. */

import { findTichu } from "../verifier/tichu.js";
import { work } from "../view/work.js";

work(findTichu);
