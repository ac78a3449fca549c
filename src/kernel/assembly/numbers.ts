// Functions of numbers, to the bit as V8 has them: results were the same when these loops were JavaScript.

/** Math.round: to the nearest whole number, halves up; the sign of 0 stays. */
export function roundNumber(x: f64): f64 {
  const up = ceil<f64>(x);
  return up - 0.5 > x ? up - 1 : up;
}

/** Math.hypot of three numbers: scaled by the greatest and summed as by Kahan, so that no square overflows or vanishes. */
export function hypot3(x: f64, y: f64, z: f64): f64 {
  x = abs<f64>(x);
  y = abs<f64>(y);
  z = abs<f64>(z);
  // A comparison with NaN is false, so that it is never the greatest.
  let highest: f64 = x > 0 ? x : 0;
  if (y > highest) highest = y;
  if (z > highest) highest = z;
  if (highest === Infinity) return Infinity;
  if (!(x + y + z >= 0)) return NaN;
  if (highest === 0) return 0;
  const a = x / highest;
  const b = y / highest;
  const c = z / highest;
  const first = a * a;
  const second = b * b;
  const two = first + second;
  const lost = two - first - second;
  return sqrt<f64>(two + (c * c - lost)) * highest;
}
