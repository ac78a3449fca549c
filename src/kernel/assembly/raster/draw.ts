// Draws a scene as a camera sees it: depth, base colour texture, alpha, one fixed light.
//
// A picture is drawn in bands of rows, each in three passes over samples (n x n a pixel):
// 1. visibility: of each sample the nearest triangle that is opaque, or passes its alpha test;
// 2. shading: the colour of each triangle that a pixel shows, once, in the middle of the samples that show it;
// 3. blending: triangles of blended and of transmitting surfaces from back to front, tested against the depth of pass 1.
// Colours of samples are averaged in linear light.
//
// Coverage is decided by whole numbers, 64 to a sample's width, with the top-left rule: samples on an edge that two
// triangles share belong to one of them. Of each row a triangle covers one span of samples, whose ends are where the row
// crosses its edges. float64 holds these numbers exactly, and rounds no quotient of them over a whole number: below 2^20
// samples, quotients lie at least 2^-31 apart from the next whole number.

import { setWord, word } from '../words.ts';
import { BLEND, Camera, Canvas, OPAQUE, Scene, VERTEX_BYTES, Vertex } from './layout.ts';
import { surfaceOf } from './meet.ts';
import { colorAt, resolveBand, shadeBand, usePixels } from './pixels.ts';
import { clip, clippedCorner, STEP_BITS, STEPS } from './project.ts';
import { isSeenThrough, passes, show, tangentX, tangentY, through, useScene } from './shade.ts';
import { between } from './texture.ts';

/** The middle of a sample. */
const HALF: i32 = STEPS / 2;

let canvas: Canvas = changetype<Canvas>(0);
/** Samples of the picture in a row, and the rows of samples of the band. */
let columns: i32 = 0;
let stride: u32 = 0;
let firstRow: i32 = 0;
let lastRow: i32 = 0;

/** Draws the picture: its rgb and coverage. The canvas has the projected vertices. */
export function draw(scene: Scene, camera: Camera, onto: Canvas): void {
  begin(scene, camera, onto);
  const hasBlended = canvas.blendedCount > 0;
  for (let row: u32 = 0; row < camera.height; row += canvas.bandRows) {
    const rows = min(canvas.bandRows, camera.height - row);
    seeBand(scene, camera, row, rows);
    shadeBand(row, rows);
    if (!hasBlended) continue;
    for (let i: u32 = 0; i < canvas.blendedCount; i++) rasterise(scene, camera, word(canvas.blended, i), BLEND);
    resolveBand(row, rows);
  }
}

/** Finds the nearest triangle of each sample of a band, and 1 over its distance: the pass of visibility alone. */
export function see(scene: Scene, camera: Camera, onto: Canvas, row: u32, rows: u32): void {
  begin(scene, camera, onto);
  seeBand(scene, camera, row, rows);
}

function begin(scene: Scene, camera: Camera, onto: Canvas): void {
  canvas = onto;
  columns = <i32>(camera.width * camera.samples);
  stride = canvas.stride;
  useScene(scene, camera, canvas);
  usePixels(camera, canvas);
}

function seeBand(scene: Scene, camera: Camera, row: u32, rows: u32): void {
  const n = camera.samples;
  firstRow = <i32>(row * n);
  lastRow = <i32>((row + rows) * n - 1);
  const samples = <usize>stride * <usize>(rows * n);
  memory.fill(canvas.depths, 0, samples << 2);
  memory.fill(canvas.triangles, 0xff, samples << 2);
  for (let triangle: u32 = 0; triangle < scene.triangleCount; triangle++) {
    const surface = surfaceOf(triangle);
    if (!isSeenThrough(surface)) rasterise(scene, camera, triangle, surface.alphaMode);
  }
}

/** Draws a triangle into the band: its visibility, or where it is blended its colour. */
function rasterise(scene: Scene, camera: Camera, triangle: u32, mode: u32): void {
  const at = scene.indices + <usize>triangle * 12;
  const a = changetype<Vertex>(canvas.vertices + <usize>load<u32>(at) * VERTEX_BYTES);
  const b = changetype<Vertex>(canvas.vertices + <usize>load<u32>(at, 4) * VERTEX_BYTES);
  const c = changetype<Vertex>(canvas.vertices + <usize>load<u32>(at, 8) * VERTEX_BYTES);
  if (a.inverse > 0 && b.inverse > 0 && c.inverse > 0) {
    fill(triangle, mode, a, b, c);
    return;
  }
  const corners = clip(camera, a, b, c);
  for (let i = 1; i + 1 < corners; i++) fill(triangle, mode, clippedCorner(0), clippedCorner(i), clippedCorner(i + 1));
}

/** The first and the last column or row of samples whose middles are between two steps. */
function firstMiddle(step: i32): i32 {
  return (step - HALF + STEPS - 1) >> STEP_BITS;
}

function lastMiddle(step: i32): i32 {
  return (step - HALF) >> STEP_BITS;
}

function fill(triangle: u32, mode: u32, a: Vertex, b: Vertex, c: Vertex): void {
  // Most triangles of a small picture lie between the middles of samples.
  const firstColumn = max(0, firstMiddle(min(a.x, min(b.x, c.x))));
  const lastColumn = min(columns - 1, lastMiddle(max(a.x, max(b.x, c.x))));
  if (firstColumn > lastColumn) return;
  const first = max(firstRow, firstMiddle(min(a.y, min(b.y, c.y))));
  const last = min(lastRow, lastMiddle(max(a.y, max(b.y, c.y))));
  if (first > last) return;
  const area = <f64>(b.x - a.x) * <f64>(c.y - a.y) - <f64>(b.y - a.y) * <f64>(c.x - a.x);
  if (area > 0) fillRows(triangle, mode, a, b, c, area, firstColumn, lastColumn, first, last);
  else if (area < 0) fillRows(triangle, mode, a, c, b, -area, firstColumn, lastColumn, first, last);
}

/** Draws a triangle of this area, twice, in steps, clockwise in the picture, in the columns and rows that it reaches. */
function fillRows(
  triangle: u32,
  mode: u32,
  a: Vertex,
  b: Vertex,
  c: Vertex,
  area: f64,
  firstColumn: i32,
  lastColumn: i32,
  first: i32,
  last: i32,
): void {
  // Of the edges opposite of a, b and c: value at the first sample, less 1 where samples on the edge are another's.
  const px = firstColumn * STEPS + HALF;
  const py = first * STEPS + HALF;
  const aDx = <f64>(c.x - b.x);
  const aDy = <f64>(c.y - b.y);
  const bDx = <f64>(a.x - c.x);
  const bDy = <f64>(a.y - c.y);
  const cDx = <f64>(b.x - a.x);
  const cDy = <f64>(b.y - a.y);
  const aBias: f64 = aDy < 0 || (aDy === 0 && aDx > 0) ? 0 : -1;
  const bBias: f64 = bDy < 0 || (bDy === 0 && bDx > 0) ? 0 : -1;
  const cBias: f64 = cDy < 0 || (cDy === 0 && cDx > 0) ? 0 : -1;
  let aRow = aDx * <f64>(py - b.y) - aDy * <f64>(px - b.x) + aBias;
  let bRow = bDx * <f64>(py - c.y) - bDy * <f64>(px - c.x) + bBias;
  let cRow = cDx * <f64>(py - a.y) - cDy * <f64>(px - a.x) + cBias;
  const aStep = -aDy * <f64>STEPS;
  const bStep = -bDy * <f64>STEPS;
  const cStep = -cDy * <f64>STEPS;
  const bDepth = (b.inverse - a.inverse) / area;
  const cDepth = (c.inverse - a.inverse) / area;
  const depthStep = bStep * bDepth + cStep * cDepth;
  const width = lastColumn - firstColumn;
  for (let row = first; row <= last; row++) {
    const begin = max(firstInside(aRow, aStep), max(firstInside(bRow, bStep), firstInside(cRow, cStep)));
    const end = min(min(width, lastInside(aRow, aStep)), min(lastInside(bRow, bStep), lastInside(cRow, cStep)));
    if (begin <= end) {
      const depth = a.inverse + (bRow - bBias) * bDepth + (cRow - cBias) * cDepth + <f64>begin * depthStep;
      const column = firstColumn + begin;
      if (mode === OPAQUE) cover(triangle, row, column, end - begin + 1, <f32>depth, <f32>depthStep);
      else testEach(triangle, mode, row, column, end - begin + 1, <f32>depth, <f32>depthStep);
    }
    aRow += aDx * <f64>STEPS;
    bRow += bDx * <f64>STEPS;
    cRow += cDx * <f64>STEPS;
  }
}

/** The first step, from 0 on, at which an edge's value that begins with `value` is not negative. */
function firstInside(value: f64, step: f64): i32 {
  return step > 0 && value < 0 ? <i32>ceil<f64>(-value / step) : 0;
}

/** The last such step; negative: there is none. */
function lastInside(value: f64, step: f64): i32 {
  if (step < 0) return <i32>floor<f64>(value / -step);
  return step === 0 && value < 0 ? -1 : i32.MAX_VALUE;
}

/** Samples of a row, four at a time, become an opaque triangle's where nothing nearer is. */
function cover(triangle: u32, row: i32, column: i32, count: i32, depth: f32, step: f32): void {
  const at = (<usize>(<u32>(row - firstRow) * stride + <u32>column)) << 2;
  let depths = canvas.depths + at;
  let triangles = canvas.triangles + at;
  let here = f32x4.add(f32x4.splat(depth), f32x4.mul(f32x4.splat(step), f32x4(0, 1, 2, 3)));
  const further = f32x4.splat(step * 4);
  const own = i32x4.splat(triangle);
  let left = i32x4.sub(i32x4.splat(count), i32x4(0, 1, 2, 3));
  for (let i = 0; i < count; i += 4, depths += 16, triangles += 16) {
    const before = v128.load(depths);
    const isNearer = v128.and(f32x4.gt(here, before), i32x4.gt_s(left, i32x4.splat(0)));
    if (v128.any_true(isNearer)) {
      v128.store(depths, v128.bitselect(here, before, isNearer));
      v128.store(triangles, v128.bitselect(own, v128.load(triangles), isNearer));
    }
    here = f32x4.add(here, further);
    left = i32x4.sub(left, i32x4.splat(4));
  }
}

/** The same for a triangle with an alpha test, or one that is blended over what is there. */
function testEach(triangle: u32, mode: u32, row: i32, column: i32, count: i32, depth: f32, step: f32): void {
  let at = <u32>(row - firstRow) * stride + <u32>column;
  for (let i = 0; i < count; i++, at++) {
    const here = depth + <f32>i * step;
    const place = canvas.depths + ((<usize>at) << 2);
    if (!(here > load<f32>(place))) continue;
    if (mode === BLEND) blend(triangle, column + i, row, at);
    else if (passes(triangle, column + i, row)) {
      store<f32>(place, here);
      setWord(canvas.triangles, at, triangle);
    }
  }
}

/** Lays a sample of a blended triangle over what is behind it, together with what passes through the triangle. */
function blend(triangle: u32, column: i32, row: i32, at: u32): void {
  const color = show(triangle, tangentX(<f64>column + 0.5), tangentY(<f64>row + 0.5));
  const alpha = f32x4.extract_lane(color, 3);
  const place = colorAt(at);
  const behind = v128.load(place);
  const front = f32x4.replace_lane(color, 3, 1);
  const seen =
    surfaceOf(triangle).transmission > 0
      ? f32x4.pmin(f32x4.add(front, f32x4.mul(behind, through())), f32x4.splat(1))
      : front;
  v128.store(place, between(behind, seen, f32x4.splat(alpha)));
}
