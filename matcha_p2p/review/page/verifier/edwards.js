/** Points of edwards25519 (RFC 8032), the curve under ristretto255 and the signatures. */

import { P, canonical, inverse, squareRootOfRatio } from "./field.js";

/** The constant of the curve -x² + y² = 1 + d·x²·y². */
export const D = canonical(-121665n * inverse(121666n));

const WIDTH = 5; // of the windows of a scalar

/** A point in extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z. Points never change. */
export class Point {
  /** @param {bigint} X @param {bigint} Y @param {bigint} Z @param {bigint} T */
  constructor(X, Y, Z, T) {
    this.X = X;
    this.Y = Y;
    this.Z = Z;
    this.T = T;
    /** @type {Summand[] | undefined} */
    this.odd = undefined;
  }

  /** @param {bigint} x @param {bigint} y */
  static affine(x, y) {
    return new Point(x, y, 1n, (x * y) % P);
  }

  /** @returns {Point} */
  negated() {
    return new Point(-this.X, this.Y, this.Z, -this.T);
  }

  /** @param {Point} other @returns {Point} */
  plus(other) {
    return sum(this, summand(other));
  }

  /** @param {Point} other @returns {Point} */
  minus(other) {
    return this.plus(other.negated());
  }

  /** @param {bigint} scalar 0 .. 2^255 - 1 @returns {Point} */
  times(scalar) {
    return combination([[scalar, this]]);
  }

  /** @returns {[bigint, bigint]} x and y, canonical */
  toAffine() {
    const z = inverse(this.Z);
    return [canonical(this.X * z), canonical(this.Y * z)];
  }

  /** @returns {Summand[]} this point times 1, 3, .. 15, ready to be added */
  oddMultiples() {
    if (!this.odd) {
      const double = summand(doubled(this));
      /** @type {Point} */
      let multiple = this;
      this.odd = [summand(multiple)];
      for (let i = 1; i < 2 ** (WIDTH - 2); i++) {
        multiple = sum(multiple, double);
        this.odd.push(summand(multiple));
      }
    }
    return this.odd;
  }
}

export const IDENTITY = new Point(0n, 1n, 1n, 0n);

/**
 * Return the even or the odd x that goes with y.
 * @param {bigint} y canonical
 * @returns {bigint | undefined} the even one; none where no point has this y
 */
export function recoverX(y) {
  const [square, x] = squareRootOfRatio(y * y - 1n, ((D * ((y * y) % P)) % P) + 1n);
  return square ? x : undefined;
}

/** @typedef {[bigint, bigint, bigint, bigint]} Summand Y - X, Y + X, 2·d·T, 2·Z */

/** @param {Point} p @returns {Summand} */
function summand(p) {
  return [p.Y - p.X, p.Y + p.X, (2n * D * p.T) % P, 2n * p.Z];
}

/**
 * Add two points, whichever they are (Hisil, Wong, Carter, Dawson 2008, section 3.1).
 * @param {Point} p @param {Summand} q
 * @returns {Point}
 */
function sum(p, [difference, total, t, z]) {
  const a = ((p.Y - p.X) * difference) % P;
  const b = ((p.Y + p.X) * total) % P;
  return product(b - a, (p.Z * z) % P, (p.T * t) % P, b + a);
}

/** @param {Point} p @param {Summand} q @returns {Point} p - q */
function difference(p, [lower, upper, t, z]) {
  const a = ((p.Y - p.X) * upper) % P;
  const b = ((p.Y + p.X) * lower) % P;
  return product(b - a, (p.Z * z) % P, (-p.T * t) % P, b + a);
}

/** @param {bigint} e @param {bigint} d @param {bigint} c @param {bigint} h @returns {Point} */
function product(e, d, c, h) {
  const f = d - c;
  const g = d + c;
  return new Point((e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P);
}

/** @param {Point} p @returns {Point} */
function doubled(p) {
  const a = (p.X * p.X) % P;
  const b = (p.Y * p.Y) % P;
  const both = p.X + p.Y;
  const e = ((both * both) % P) - a - b;
  const g = b - a;
  const f = g - 2n * ((p.Z * p.Z) % P);
  const h = -a - b;
  return new Point((e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P);
}

/**
 * Return the sum of scalar·point over all pairs (Straus's method, signed windows).
 * @param {[bigint, Point][]} pairs scalars 0 .. 2^255 - 1
 * @returns {Point}
 */
export function combination(pairs) {
  const terms = pairs.map(([scalar, point]) => ({
    digits: signedDigits(scalar),
    multiples: point.oddMultiples(),
  }));
  let result = IDENTITY;
  for (let place = 255; place >= 0; place--) {
    if (result !== IDENTITY) result = doubled(result);
    for (const { digits, multiples } of terms) {
      const digit = digits[place];
      if (digit > 0) result = sum(result, multiples[digit >> 1]);
      else if (digit < 0) result = difference(result, multiples[-digit >> 1]);
    }
  }
  return result;
}

/**
 * Write a scalar with odd digits from -15 to 15, between any two of which are four zeros.
 * @param {bigint} scalar 0 .. 2^255 - 1
 * @returns {Int8Array} 256 digits, the last the most significant
 */
function signedDigits(scalar) {
  const text = scalar.toString(16).padStart(68, "0");
  const digits = new Int8Array(256);
  let carry = 0;
  for (let place = 0; place < 256;) {
    const end = text.length - (place >> 2);
    const bits = Number.parseInt(text.slice(end - 3, end), 16) >> (place & 3);
    const window = carry + (bits & (2 ** WIDTH - 1));
    if (window & 1) {
      carry = window < 2 ** (WIDTH - 1) ? 0 : 1;
      digits[place] = window - carry * 2 ** WIDTH;
      place += WIDTH;
    } else {
      place += 1;
    }
  }
  return digits;
}
