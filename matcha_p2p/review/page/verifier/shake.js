/** SHAKE128 and SHAKE256 (FIPS 202), whose constants are computed as section 3.2 says. */

/** Lanes of 64 bits are pairs of 32, the low half first, at 2·(x + 5·y). */
const LANES = 25;
const ROUNDS = 24;

/** How far each lane is rotated (rho), and where it goes (pi). */
const ROTATIONS = new Uint8Array(LANES);
const PLACES = new Uint8Array(LANES);
for (let x = 1, y = 0, t = 0; t < 24; t++) {
  ROTATIONS[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
  [x, y] = [y, (2 * x + 3 * y) % 5];
}
for (let x = 0; x < 5; x++) {
  for (let y = 0; y < 5; y++) PLACES[x + 5 * y] = y + 5 * ((2 * x + 3 * y) % 5);
}

/** What iota adds to lane 0 in each round, low and high half. */
const IOTA = new Int32Array(2 * ROUNDS);
for (let round = 0, register = 1; round < ROUNDS; round++) {
  for (let j = 0; j < 7; j++) {
    const bit = 2 ** j - 1;
    if (register & 1) IOTA[2 * round + (bit >>> 5)] ^= 1 << (bit & 31);
    register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
  }
}

const sums = new Int32Array(10);
const moved = new Int32Array(2 * LANES);

/** Keccak-f[1600]. @param {Int32Array} lanes 50 halves */
function permute(lanes) {
  for (let round = 0; round < ROUNDS; round++) {
    theta(lanes);
    for (let lane = 0; lane < LANES; lane++) {
      const [low, high, count] = [lanes[2 * lane], lanes[2 * lane + 1], ROTATIONS[lane]];
      const place = 2 * PLACES[lane];
      const [one, two] = count < 32 ? [low, high] : [high, low];
      const by = count & 31;
      moved[place] = by ? (one << by) | (two >>> (32 - by)) : one;
      moved[place + 1] = by ? (two << by) | (one >>> (32 - by)) : two;
    }
    for (let row = 0; row < 50; row += 10) {
      for (let i = 0; i < 10; i++) {
        lanes[row + i] =
          moved[row + i] ^ (~moved[row + ((i + 2) % 10)] & moved[row + ((i + 4) % 10)]);
      }
    }
    lanes[0] ^= IOTA[2 * round];
    lanes[1] ^= IOTA[2 * round + 1];
  }
}

/** @param {Int32Array} lanes */
function theta(lanes) {
  for (let i = 0; i < 10; i++) {
    sums[i] = lanes[i] ^ lanes[i + 10] ^ lanes[i + 20] ^ lanes[i + 30] ^ lanes[i + 40];
  }
  for (let x = 0; x < 5; x++) {
    const [left, right] = [2 * ((x + 4) % 5), 2 * ((x + 1) % 5)];
    const low = sums[left] ^ ((sums[right] << 1) | (sums[right + 1] >>> 31));
    const high = sums[left + 1] ^ ((sums[right + 1] << 1) | (sums[right] >>> 31));
    for (let y = 0; y < 50; y += 10) {
      lanes[2 * x + y] ^= low;
      lanes[2 * x + 1 + y] ^= high;
    }
  }
}

/** The endless output of SHAKE for one input. */
export class Shake {
  /** @param {128 | 256} strength @param {Uint8Array} input */
  constructor(strength, input) {
    this.rate = 200 - strength / 4;
    this.lanes = new Int32Array(2 * LANES);
    const length = (Math.floor(input.length / this.rate) + 1) * this.rate;
    const blocks = new Uint8Array(length);
    blocks.set(input);
    blocks[input.length] ^= 0x1f;
    blocks[length - 1] ^= 0x80;
    const view = new DataView(blocks.buffer);
    for (let start = 0; start < length; start += this.rate) {
      for (let i = 0; 4 * i < this.rate; i++) {
        this.lanes[i] ^= view.getInt32(start + 4 * i, true);
      }
      permute(this.lanes);
    }
    this.read = 0;
  }

  /** @param {number} count @returns {Uint8Array} the next bytes */
  next(count) {
    const found = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      if (this.read === this.rate) {
        permute(this.lanes);
        this.read = 0;
      }
      found[i] = this.lanes[this.read >> 2] >>> (8 * (this.read & 3));
      this.read++;
    }
    return found;
  }
}
