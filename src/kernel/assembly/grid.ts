// Grids of samples over planes: which of them a triangle covers, row by row. Triangles that share an edge never cover the same sample,
// and leave none between them: corners are whole numbers and each edge belongs to one side (the top-left rule of rasterisers).

import { Plane } from './layout.ts';

/** Steps of a corner's coordinate from one sample to the next. */
const SNAP: f64 = 256;
const HALF: f64 = 128;

/** The samples of a row that the triangle covers: row * columns + column of the first, and how many they are. */
export let spanFirst: usize = 0;
export let spanCount: u32 = 0;
/** Of the first of them the weights of the triangle's second and third corner, times `spanScale`; they change by … */
export let spanSecond: f64 = 0;
export let spanThird: f64 = 0;
/** … as much from each sample to the next. All are whole numbers, so that sums are exact. */
export let secondStep: f64 = 0;
export let thirdStep: f64 = 0;
export let spanScale: f64 = 1;

/** The triangle, counter-clockwise: a turned one has its second and third corner exchanged. */
let ax: f64 = 0;
let ay: f64 = 0;
let bx: f64 = 0;
let by: f64 = 0;
let cx: f64 = 0;
let cy: f64 = 0;
let isTurned: bool = false;
/** What lies on an edge counts as inside from here on: 0 or 1. */
let minA: f64 = 0;
let minB: f64 = 0;
let minC: f64 = 0;
/** The columns that the triangle reaches, and the rows that are left. */
let left: f64 = 0;
let right: f64 = 0;
let row: u32 = 0;
let rowEnd: u32 = 0;
let rowLength: u32 = 0;

/** Rounds to a whole number, halves upwards. */
export function rounded(value: f64): f64 {
  const below = floor<f64>(value);
  return value - below >= 0.5 ? below + 1 : below;
}

/** A number of samples in whole steps. */
export function snapped(samples: f64): f64 {
  return rounded(samples * SNAP);
}

/** The coordinate of a vertex (3 float32) along the first axis of a plane. */
export function alongU(plane: Plane, p: usize): f64 {
  return <f64>load<f32>(p) * plane.ux + <f64>load<f32>(p, 4) * plane.uy + <f64>load<f32>(p, 8) * plane.uz;
}

/** … along the second one, … */
export function alongV(plane: Plane, p: usize): f64 {
  return <f64>load<f32>(p) * plane.vx + <f64>load<f32>(p, 4) * plane.vy + <f64>load<f32>(p, 8) * plane.vz;
}

/** … and along the normal. */
export function alongNormal(plane: Plane, p: usize): f64 {
  return <f64>load<f32>(p) * plane.nx + <f64>load<f32>(p, 4) * plane.ny + <f64>load<f32>(p, 8) * plane.nz;
}

/**
 * Begins a triangle in a grid; `nextSpan` then gives row after row of the samples whose centres it covers. Corners are in
 * whole steps of 1/256 sample, either way round; the centre of the first sample is at (128, 128).
 */
export function beginTriangle(x0: f64, y0: f64, x1: f64, y1: f64, x2: f64, y2: f64, columns: u32, rows: u32): void {
  const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  spanScale = abs<f64>(area);
  row = 0;
  rowEnd = 0;
  rowLength = columns;
  // Corners that are not finite have no area either.
  if (!(spanScale > 0 && spanScale < Infinity)) return;
  isTurned = area < 0;
  ax = x0;
  ay = y0;
  bx = isTurned ? x2 : x1;
  by = isTurned ? y2 : y1;
  cx = isTurned ? x1 : x2;
  cy = isTurned ? y1 : y2;
  left = max<f64>(0, ceil<f64>((min<f64>(ax, min<f64>(bx, cx)) - HALF) / SNAP));
  right = min<f64>(<f64>columns - 1, floor<f64>((max<f64>(ax, max<f64>(bx, cx)) - HALF) / SNAP));
  const top = max<f64>(0, ceil<f64>((min<f64>(ay, min<f64>(by, cy)) - HALF) / SNAP));
  const bottom = min<f64>(<f64>rows - 1, floor<f64>((max<f64>(ay, max<f64>(by, cy)) - HALF) / SNAP));
  if (left > right || top > bottom) return;
  row = <u32>top;
  rowEnd = <u32>bottom + 1;
  minA = minInside(bx, by, cx, cy);
  minB = minInside(cx, cy, ax, ay);
  minC = minInside(ax, ay, bx, by);
  const stepB = (cy - ay) * SNAP;
  const stepC = (ay - by) * SNAP;
  secondStep = isTurned ? stepC : stepB;
  thirdStep = isTurned ? stepB : stepC;
}

/** Begins a triangle of a chart's grid, by the corners' addresses. */
export function beginCorners(plane: Plane, a: usize, b: usize, c: usize, columns: u32, rows: u32): void {
  beginTriangle(
    snapped((alongU(plane, a) - plane.lowU) / plane.step),
    snapped((alongV(plane, a) - plane.lowV) / plane.step),
    snapped((alongU(plane, b) - plane.lowU) / plane.step),
    snapped((alongV(plane, b) - plane.lowV) / plane.step),
    snapped((alongU(plane, c) - plane.lowU) / plane.step),
    snapped((alongV(plane, c) - plane.lowV) / plane.step),
    columns,
    rows,
  );
}

/** Goes to the next row in which the triangle covers samples; false where there is none. */
export function nextSpan(): bool {
  while (row < rowEnd) {
    // Twice the areas of the triangles that the row's first sample makes with two corners: positive inside.
    const x = left * SNAP + HALF;
    const y = <f64>row * SNAP + HALF;
    const a = (cx - bx) * (y - by) - (cy - by) * (x - bx);
    const b = (ax - cx) * (y - cy) - (ay - cy) * (x - cx);
    const c = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    from = 0;
    last = right - left;
    narrow(a - minA, (by - cy) * SNAP);
    narrow(b - minB, (cy - ay) * SNAP);
    narrow(c - minC, (ay - by) * SNAP);
    const begin = row++ * rowLength;
    if (from > last) continue;
    spanFirst = <usize>(begin + <u32>(left + from));
    spanCount = <u32>(last - from) + 1;
    spanSecond = (isTurned ? c : b) + from * secondStep;
    spanThird = (isTurned ? b : c) + from * thirdStep;
    return true;
  }
  return false;
}

/** The first and the last sample of the row that may be covered, from `left` on. */
let from: f64 = 0;
let last: f64 = 0;

/** Narrows them to where `value`, which changes by `step` from sample to sample, is not negative. */
function narrow(value: f64, step: f64): void {
  // The quotients of whole numbers below 2^53 never round to another whole number than they lie at.
  if (step > 0) from = max<f64>(from, ceil<f64>(-value / step));
  else if (step < 0) last = min<f64>(last, floor<f64>(value / -step));
  else if (value < 0) last = -1;
}

/** 0 where an edge owns the samples on it: if it runs up, or level from right to left. 1 for another. */
function minInside(xa: f64, ya: f64, xb: f64, yb: f64): f64 {
  return yb < ya || (yb === ya && xb < xa) ? 0 : 1;
}
