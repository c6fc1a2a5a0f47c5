/**
 * The characters of names, in Unicode 3.2 (SPEC, names).
 *
 * A range has one or two numbers in base 36: the distance of its first character from the last
 * character of the range before, and, if the range has several characters, how many follow.
 */

/**
 * @param {string} folded
 * @returns {[number, number][]} first and last character of each range
 */
function unfolded(folded) {
  let last = 0;
  return folded
    .trim()
    .split(/\s+/)
    .map((range) => {
      const [distance, more = "0"] = range.split("-");
      const first = last + Number.parseInt(distance, 36);
      last = first + Number.parseInt(more, 36);
      return [first, last];
    });
}

/** @param {number} character @param {[number, number][]} ranges ascending */
export function isAmong(character, ranges) {
  return ranges.some(([first, last]) => first <= character && character <= last);
}

/** The characters of a name besides spaces: the list whose SHA-256 is in SPEC. */
export const ADMITTED = unfolded(`
  x-2l z-b 2-aa 2-h t-2l 3-1q i-26 i-f 5-1 5 4 6-6 2 2-j 2-17 2-12 a-3q 2-1y 2-11 3-1 7-f
  y-11 3-6 2-12 2-1 7-g 2-m 2-9 c-q 6-4 o f 4 2-p 6-l b-3g 2-f 3-e 2-d 3-s 4-q 1i-1d 9c-2
  2-1g 3-h 3-4 4-o h-2 2-7 3-1 3-l 2-6 2 4-3 3 2-6 3-1 3-2 a 5-1 2-4 3-k 8 3-5 5-1 3-l 2-6
  2-1 2-1 2-1 3 2-4 5-1 3-2 c-3 2 8-e d-2 2-6 2 2-2 2-l 2-6 2-1 2-4 3-9 2-2 2-2 3 g 6-9 i-2
  2-7 3-1 3-l 2-6 2-1 3-3 3-7 4-1 3-2 9-1 5-1 2-2 5-a i-1 2-5 4-2 2-3 4-1 2 2-1 4-1 4-2 4-7
  2-2 5-4 4-2 2-3 a g-b f-2 2-7 2-2 2-m 2-9 2-4 5-6 2-2 2-3 8-1 a-1 5-9 j-1 2-7 2-2 2-m 2-9
  2-4 5-6 2-2 2-3 8-1 8 2-1 5-9 j-1 2-7 2-2 2-m 2-f 5-5 3-2 2-3 a 9-1 5-9 j-1 2-h 4-n 2-8 2
  3-6 4 5-5 2 2-7 j-2 d-1l 5-s 12-1 2 3-1 2 3 7-3 2-6 2-2 2 2 3-1 2-c 2-2 3-4 2 2-5 3-9 3-1
  z-1z 2-x 7-q 5-7 2-z 2-e 3 1d-x 2-4 2-1 2-6 4-3 7-p 1z-11 b-14 3 5-2h 8-1t 6-29 7-6 2-1q 2
  2-3 3-6 2 2-3 3-12 2 2-3 3-u 2 2-3 3-6 2 2-3 3-6 2-6 2-m 2-u 2 2-3 3-6 2-12 2-i 7-r 10-2c
  d-hh b-r 4-28 g-c 2-6 c-m a-j d-c 2-2 2-1 d-1f 3-12 4-9 n-a 6-9 7-2f 9-15 11z-4b 5-2h 7-l
  3-5 3-11 3-5 3-7 2 2 2 2-u 3-1g 2-e 2-d 3-5 2-i 3-2 2-8 i-n 9-y 5 p-1 3-q i-h v-q m-1m 3-e
  8-1c d-fy 1e-12 q-a m-4e 2-7n 3-1 2-2s 3-9 3c-3 2-3 3-r 2-y 2 2-3 4 2-6 3-1f 4-n 2-d i-r
  5-f 2-la ox-p 2-2g d-5x r-b 6-1q 2-2d 3-2u 6-13 5-1e 2-15 2-13 1l-18 4-z e-16 4-24 5-1a
  2-3a 5-2q 3-u 2-52t 23-g4l 2j-wc 4-1i 1fe-8mb 6l9-8d 3-1m 46-6 d-4 6-p 2-4 2 2-1 2-1 2-2z
  y-a4 h-1r 3-1h 15-c 10-3 d-m 3-9 2-i 2-3 5-4 2-3q 5-4e 2-t 4-5 3-5 3-5 3-2 4-6 2-6 e-1
  lf-u 2-3 d-q 52-11 3-11 148j-6t b-12 4-1a 2-o 9-2q f7-2c 2-1y 2-1 3 3-1 3-3 2-b 2 2-3 2-1
  2-1s 2-3 3-7 2-6 2-r 2-3 2-4 2 4-6 2-9d 5-81 5-1d 7wh-wye g16-f1
`);

/** The characters among them whose category begins with M. */
export const MARKS = unfolded(`
  lc-26 i-f 7o-3 2-1 7c-g 2-m 2-2 2 2-1 2 3r-a r 2u-6 2-6 3-1 2-3 10 v-q 2k-a 9d-2 1l 2-f
  4-3 e-1 u-2 1l 2-6 3-1 3-2 a b-1 v 1m 2-4 5-1 3-2 z-1 g-2 1l 2-7 2-2 2-2 1g-2 1l 2-5 4-1
  3-2 9-1 17 1o-4 4-2 2-3 a 16-2 1n-6 2-2 2-3 8-1 18-1 1n-6 2-2 2-3 8-1 18-1 1n-5 3-2 2-3 a
  17-1 1z 5-5 2 2-7 j-1 1q 3-6 d-7 2r 3-5 2-1 c-5 23-1 s 2 2 5-1 1e-j 2-1 9-7 2-z a 2u-6 4-3
  t-3 1bt-2 u-2 u-1 v-1 1v-t 5y 1lz-q 30g-5 2y-1 1404 le-3 15qa-4 4-5 9-7 3-6 v-3
`);
