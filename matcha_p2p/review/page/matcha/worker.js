/** The worker of a page of Matcha. */

import { findMatcha } from "../verifier/matcha.js";
import { work } from "../view/work.js";
import { storyOf } from "./story.js";

work(findMatcha, storyOf);
