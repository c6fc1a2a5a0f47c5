/**
 * The field of 2^255 - 19 elements. Every integer congruent to an element stands for the
 * element, also a negative integer. So sums need not be reduced. Products are reduced, and
 * compared or encoded numbers pass through `canonical`.
 */

export const P = (1n << 255n) - 19n;

/** @param {bigint} a @returns {bigint} 0 .. p - 1 */
export function canonical(a) {
  const rest = a % P;
  return rest < 0n ? rest + P : rest;
}

/** @param {bigint} a @param {number} count @returns {bigint} a^(2^count) */
function squared(a, count) {
  let power = a;
  for (let i = 0; i < count; i++) power = (power * power) % P;
  return power;
}

/** @param {bigint} a @returns {[bigint, bigint]} a^(2^250 - 1), and a^11 */
function ladder(a) {
  const a2 = squared(a, 1);
  const a9 = (a * squared(a2, 2)) % P;
  const a11 = (a2 * a9) % P;
  const to5 = (a9 * squared(a11, 1)) % P;
  const to10 = (to5 * squared(to5, 5)) % P;
  const to20 = (to10 * squared(to10, 10)) % P;
  const to40 = (to20 * squared(to20, 20)) % P;
  const to50 = (to10 * squared(to40, 10)) % P;
  const to100 = (to50 * squared(to50, 50)) % P;
  const to200 = (to100 * squared(to100, 100)) % P;
  return [(to50 * squared(to200, 50)) % P, a11];
}

/** @param {bigint} a not 0 @returns {bigint} 1/a, which is a^(p - 2) */
export function inverse(a) {
  const [high, a11] = ladder(a);
  return (squared(high, 5) * a11) % P;
}

/** @param {bigint} a @returns {boolean} whether it is odd, which RFC 9496 calls negative */
export function isNegative(a) {
  return (canonical(a) & 1n) === 1n;
}

/** @param {bigint} a @returns {bigint} of a and -a the even one */
export function absolute(a) {
  const one = canonical(a);
  return one & 1n ? P - one : one;
}

/** @param {bigint} a @param {bigint} b */
export function equal(a, b) {
  return (a - b) % P === 0n;
}

/** The even square root of -1. */
export const SQRT_M1 = absolute(squared(ladder(2n)[0], 3) * 8n); // 2^((p - 1) / 4)

/**
 * SQRT_RATIO_M1 of RFC 9496, section 4.2.
 * @param {bigint} u @param {bigint} v
 * @returns {[boolean, bigint]} whether u/v is a square; the even root of u/v, or of i·u/v
 */
export function squareRootOfRatio(u, v) {
  const v3 = (((v * v) % P) * v) % P;
  const base = (((u * v3) % P) * ((v3 * v) % P)) % P;
  const power = (squared(ladder(base)[0], 2) * base) % P; // to (p - 5) / 8
  const r = (((u * v3) % P) * power) % P;
  const check = (v * ((r * r) % P)) % P;
  const flipped = equal(check, -u);
  const turned = flipped || equal(check, -u * SQRT_M1);
  return [flipped || equal(check, u), absolute(turned ? r * SQRT_M1 : r)];
}
