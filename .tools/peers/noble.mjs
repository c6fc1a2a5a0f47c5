// What the multiplications of a shuffle cost with noble-curves, which has no shuffle itself: for
// each size a line of N, prove ms, verify ms, 0. A prover multiplies fixed points 6N times, from
// tables, and others 4N times; a verifier multiplies 9N times, in variable time.
import { ristretto255 } from "@noble/curves/ed25519.js";

const Point = ristretto255.Point;
const order = Point.Fn.ORDER;

function scalar(i) {
  return (order - 1n) / (BigInt(i) * 2n + 3n);
}

function median(work) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const start = process.cpuUsage();
    work();
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1000);
  }
  return times.sort((a, b) => a - b)[2];
}

for (const n of process.argv.slice(2).map(Number)) {
  const points = Array.from({ length: n }, (_, i) => Point.BASE.multiply(scalar(i)));
  const prove = median(() => {
    for (let i = 0; i < 6 * n; i++) Point.BASE.multiply(scalar(i));
    for (let i = 0; i < 4 * n; i++) points[i % n].multiply(scalar(i));
  });
  const verify = median(() => {
    for (let i = 0; i < 9 * n; i++) points[i % n].multiplyUnsafe(scalar(i));
  });
  console.log(n, prove.toFixed(2), verify.toFixed(2), 0);
}
