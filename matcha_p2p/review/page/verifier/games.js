/** The games that a verifier knows, by name. */

import { Matcha, editionOf } from "./matcha.js";

/** @type {import("./greeting.js").Find} */
export function findGame(name, variant, seats) {
  const edition = editionOf(variant);
  return name === "matcha" && seats === 2 && edition ? new Matcha(edition, variant) : undefined;
}
