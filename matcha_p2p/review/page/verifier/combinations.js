/** Cards and combinations of Tichu (SPEC, cards and combinations). */

/** @typedef {[kind: string, size: number, strength: number]} Combination */

export const MAH_JONG = 52;
const DOG = 53;
const PHOENIX = 54;
const DRAGON = 55;
/** @type {Combination} */
const DRAGON_ALONE = ["single", 1, 30];

/** @param {number} face @returns {number} 1 .. 14, or 0 of a face without a number */
export function numberOf(face) {
  return face < MAH_JONG ? (face % 13) + 2 : Number(face === MAH_JONG);
}

/** @param {number[]} faces @returns {number} what they count together (T3) */
export function pointsOf(faces) {
  /** @type {Record<number, number>} */
  const ofNumber = { 5: 5, 10: 10, 13: 10 };
  /** @type {Record<number, number>} */
  const ofFace = { [PHOENIX]: -25, [DRAGON]: 25 };
  return faces.reduce((sum, face) => sum + (ofFace[face] ?? ofNumber[numberOf(face)] ?? 0), 0);
}

/** @param {Combination} made @returns {boolean} */
export function isBomb([kind]) {
  return kind === "four" || kind === "flush";
}

/** @param {Combination | null} made @returns {boolean} */
export function isDragon(made) {
  return made !== null && made[0] === "single" && made[2] === DRAGON_ALONE[2];
}

/**
 * @param {number[]} faces @param {number} wild the number of the Phoenix, or 0
 * @param {Combination | null} under
 * @returns {Combination | null} what they are together (T14, T15, T17, T18)
 */
export function combine(faces, wild, under) {
  if (faces.length === 1) return wild ? null : alone(faces[0], under);
  if (faces.includes(DOG) || faces.includes(DRAGON)) return null;
  if (faces.includes(PHOENIX) ? wild < 2 : wild) return null;
  const made = together(faces.map((face) => (face === PHOENIX ? wild : numberOf(face))));
  if (made?.[0] === "four" && wild) return null;
  return made?.[0] === "straight" && isOfOneSuit(faces) ? ["flush", made[1], made[2]] : made;
}

/** @param {number} face @param {Combination | null} under @returns {Combination} */
function alone(face, under) {
  switch (face) {
    case DOG:
      return ["dog", 1, 0];
    case PHOENIX:
      return ["single", 1, under?.[0] === "single" ? under[2] + 1 : 3];
    case DRAGON:
      return DRAGON_ALONE;
    default:
      return ["single", 1, 2 * numberOf(face)];
  }
}

/** @param {number[]} numbers two at least @returns {Combination | null} */
function together(numbers) {
  const size = numbers.length;
  /** @type {Map<number, number>} */
  const times = new Map();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const isRun = times.size > 1 && times.size === most - least + 1;
  /** @param {number} count */
  const isEach = (count) => [...times.values()].every((each) => each === count);
  if (times.size === 1 && size <= 4)
    return [["pair", "triple", "four"][size - 2], size, 2 * most];
  const three = [...times.keys()].find((number) => times.get(number) === 3);
  if (size === 5 && times.size === 2 && three) return ["full house", 5, 2 * three];
  if (isRun && isEach(2)) return ["stairs", size, 2 * most];
  return isRun && isEach(1) && size >= 5 ? ["straight", size, 2 * most] : null;
}

/** @param {number[]} faces @returns {boolean} */
function isOfOneSuit(faces) {
  const suits = new Set(faces.map((face) => Math.floor(face / 13)));
  return suits.size === 1 && Math.max(...faces) < MAH_JONG;
}

/**
 * @param {Combination} made @param {Combination | null} under
 * @returns {boolean} whether it may lie on `under` (T16, T18, T23)
 */
export function mayLieOn(made, under) {
  if (!under) return true;
  const [kind, size, strength] = made;
  if (kind === under[0] && size === under[1]) return strength > under[2] && !isDragon(under);
  if (!isBomb(made)) return false;
  return !isBomb(under) || (kind === "flush" && (under[0] === "four" || size > under[1]));
}

/**
 * @param {number[]} hand @param {Combination | null} under @param {number} wish
 * @returns {boolean} whether something with the wished number can be laid (T21)
 */
export function canGrant(hand, under, wish) {
  for (let chosen = 1; chosen < 2 ** hand.length; chosen += 1) {
    const faces = hand.filter((_, place) => (chosen >> place) & 1);
    if (!faces.some((face) => numberOf(face) === wish)) continue;
    const isWild = faces.includes(PHOENIX);
    if (under && isWild && faces.length !== under[1]) continue; // no bomb has the Phoenix
    for (let wild = isWild ? 2 : 0; wild <= (isWild ? 14 : 0); wild += 1) {
      const made = combine(faces, wild, under);
      if (made && mayLieOn(made, under)) return true;
    }
  }
  return false;
}
