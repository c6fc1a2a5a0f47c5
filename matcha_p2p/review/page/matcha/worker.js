/** The worker of a page of Matcha. */

import { findGame } from "../verifier/games.js";
import { work } from "../view/work.js";
import { storyOf } from "./story.js";

work(findGame, storyOf);
