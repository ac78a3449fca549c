// Measures of one triangle. All arithmetic is float64 over float32 coordinates.

import { word } from './words.ts';

/** The address of the vertex to which entry `corner` of the index list refers. */
export function vertexOf(positions: usize, indices: usize, corner: u32): usize {
  return positions + <usize>word(indices, corner) * 12;
}

/**
 * The squared distance from a point to the triangle of nine coordinates at `t`; Ericson, Real-Time Collision Detection,
 * 5.1.5.
 */
export function pointTriangle(t: usize, x: f64, y: f64, z: f64): f64 {
  const ax = <f64>load<f32>(t);
  const ay = <f64>load<f32>(t, 4);
  const az = <f64>load<f32>(t, 8);
  const abx = <f64>load<f32>(t, 12) - ax;
  const aby = <f64>load<f32>(t, 16) - ay;
  const abz = <f64>load<f32>(t, 20) - az;
  const acx = <f64>load<f32>(t, 24) - ax;
  const acy = <f64>load<f32>(t, 28) - ay;
  const acz = <f64>load<f32>(t, 32) - az;
  const apx = x - ax;
  const apy = y - ay;
  const apz = z - az;
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  let v: f64 = 0;
  let w: f64 = 0;
  if (d1 > 0 || d2 > 0) {
    const abab = abx * abx + aby * aby + abz * abz;
    const abac = abx * acx + aby * acy + abz * acz;
    const acac = acx * acx + acy * acy + acz * acz;
    // Products with the point's vectors from b and c follow from those from a.
    const d3 = d1 - abab;
    const d4 = d2 - abac;
    const d5 = d1 - abac;
    const d6 = d2 - acac;
    if (d3 >= 0 && d4 <= d3) v = 1;
    else if (d6 >= 0 && d5 <= d6) w = 1;
    else {
      const vc = d1 * d4 - d3 * d2;
      const vb = d5 * d2 - d1 * d6;
      const va = d3 * d6 - d5 * d4;
      if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
      else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
      else if (va <= 0 && d4 >= d3 && d5 >= d6) {
        w = (d4 - d3) / (d4 - d3 + (d5 - d6));
        v = 1 - w;
      } else {
        // No area: one of the edges was nearest, and rounding hid which; the corner is not nearer than that.
        const sum = va + vb + vc;
        if (sum !== 0) {
          v = vb / sum;
          w = vc / sum;
        }
      }
    }
  }
  const dx = apx - v * abx - w * acx;
  const dy = apy - v * aby - w * acy;
  const dz = apz - v * abz - w * acz;
  return dx * dx + dy * dy + dz * dz;
}

/** The result of `cross`. */
export let crossX: f64 = 0;
export let crossY: f64 = 0;
export let crossZ: f64 = 0;

/** The cross product of the edges from the first corner, by the corners' addresses: the normal, as long as twice the area. */
export function cross(a: usize, b: usize, c: usize): void {
  const ax = <f64>load<f32>(a);
  const ay = <f64>load<f32>(a, 4);
  const az = <f64>load<f32>(a, 8);
  const ux = <f64>load<f32>(b) - ax;
  const uy = <f64>load<f32>(b, 4) - ay;
  const uz = <f64>load<f32>(b, 8) - az;
  const vx = <f64>load<f32>(c) - ax;
  const vy = <f64>load<f32>(c, 4) - ay;
  const vz = <f64>load<f32>(c, 8) - az;
  crossX = uy * vz - uz * vy;
  crossY = uz * vx - ux * vz;
  crossZ = ux * vy - uy * vx;
}

/** The square of twice the area, by the corners' addresses. */
export function crossSquared(a: usize, b: usize, c: usize): f64 {
  cross(a, b, c);
  return crossX * crossX + crossY * crossY + crossZ * crossZ;
}

function squaredEdge(a: usize, b: usize): f64 {
  const x = <f64>load<f32>(b) - <f64>load<f32>(a);
  const y = <f64>load<f32>(b, 4) - <f64>load<f32>(a, 4);
  const z = <f64>load<f32>(b, 8) - <f64>load<f32>(a, 8);
  return x * x + y * y + z * z;
}

/** The longest edge: no point of the triangle is further from another. By the corners' addresses. */
export function longestEdge(a: usize, b: usize, c: usize): f64 {
  return sqrt<f64>(max(max(squaredEdge(a, b), squaredEdge(b, c)), squaredEdge(c, a)));
}
