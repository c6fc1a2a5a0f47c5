/** Why something is refused: the code of a check (SPEC, checks). */

export const CHECKS = Object.freeze([
  "E_LIMIT",
  "E_ENCODING",
  "E_CHAIN",
  "E_SIG",
  "E_FORK",
  "E_TURN",
  "E_GRAMMAR",
  "E_POINT",
  "E_SCALAR",
  "E_VERSION",
  "E_GAME",
  "E_TEXT",
  "E_KEY",
  "E_POP",
  "E_CERT",
  "E_COIN",
  "E_SHUFFLE",
  "E_SHARE",
  "E_CARD",
  "E_BACK",
  "E_RULE",
  "E_SEAL",
  "E_RESULT",
  "E_STATE",
  "E_RECORD",
  "E_EXPOSE",
  "E_RESIGN",
  "E_SYNC",
  "E_ROSTER",
]);

/** A refusal. The catcher knows the seat to blame and the item. */
export class CheckError extends Error {
  /** @param {string} check one of CHECKS */
  constructor(check) {
    super(check);
    this.check = check;
  }
}

/**
 * Refuse by `check` unless `holds`.
 * @param {boolean} holds
 * @param {string} check one of CHECKS
 */
export function need(holds, check) {
  if (!holds) throw new CheckError(check);
}
