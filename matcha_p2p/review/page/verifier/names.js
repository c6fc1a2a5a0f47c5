/** Names of players (SPEC, names). */

import { ADMITTED, MARKS, isAmong } from "./characters.js";
import { need } from "./check.js";

const LONGEST = 24;
const SPACE = 0x20;
const MARKS_IN_A_ROW = 2;

/**
 * Refuse what is no name.
 * @param {string} name
 * @throws {CheckError} E_TEXT
 */
export function checkName(name) {
  const characters = Array.from(
    name,
    (character) => /** @type {number} */ (character.codePointAt(0)),
  );
  need(characters.length >= 1 && characters.length <= LONGEST, "E_TEXT");
  need(name.normalize("NFC") === name, "E_TEXT");
  let before = SPACE; // as nothing may follow the beginning that may not follow a space
  let marks = 0;
  for (const character of characters) {
    if (character === SPACE) {
      need(before !== SPACE, "E_TEXT");
    } else {
      need(isAmong(character, ADMITTED), "E_TEXT");
    }
    marks = isAmong(character, MARKS) ? marks + 1 : 0;
    need(marks <= MARKS_IN_A_ROW && !(marks && before === SPACE), "E_TEXT");
    before = character;
  }
  need(before !== SPACE, "E_TEXT");
}
