// Where the vertices of a scene lie in a camera's picture, and triangles clipped that reach beyond what can be projected
// (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974).
//
// Triangles are clipped at the near plane, and at planes far outside of the picture, so that rounded corners stay small
// enough for exact arithmetic.

import { Camera, Scene, VERTEX_BYTES, Vertex } from './layout.ts';

/** Steps of the grid of corners in the width of a sample: 2 to this power. */
export const STEP_BITS: i32 = 6;
export const STEPS: i32 = 1 << STEP_BITS;

/**
 * Corners lie within so many samples of the picture's middle. With 64 steps a sample, the products of two differences stay
 * below 2^48, which float64 holds exactly.
 */
const REACH: f64 = 65536;

/** The corners of a clipped triangle, at most 8: right, up and forward of the eye, and a Vertex each. */
const CORNERS: usize = memory.data(8 * 24, 8);
const OTHER_CORNERS: usize = memory.data(8 * 24, 8);
const CLIPPED: usize = memory.data(8 * 32, 8);
const EYE_BYTES: usize = 24;

/** Planes in front of the eye. */
let near: f64 = 0;
let minX: f64 = 0;
let maxX: f64 = 0;
let minY: f64 = 0;
let maxY: f64 = 0;
/** Edges of the picture, and steps a unit of tangent. */
let left: f64 = 0;
let top: f64 = 0;
let scaleX: f64 = 0;
let scaleY: f64 = 0;

let from: usize = 0;
let to: usize = 0;

/** Sets the planes and scales of a camera; the other functions are about it. */
function use(camera: Camera): void {
  const columns = <f64>(camera.width * camera.samples);
  const rows = <f64>(camera.height * camera.samples);
  const sideways = (REACH * (camera.right - camera.left)) / columns;
  const upwards = (REACH * (camera.top - camera.bottom)) / rows;
  near = camera.near;
  minX = (camera.left + camera.right) / 2 - sideways;
  maxX = (camera.left + camera.right) / 2 + sideways;
  minY = (camera.bottom + camera.top) / 2 - upwards;
  maxY = (camera.bottom + camera.top) / 2 + upwards;
  left = camera.left;
  top = camera.top;
  scaleX = (columns * <f64>STEPS) / (camera.right - camera.left);
  scaleY = (rows * <f64>STEPS) / (camera.top - camera.bottom);
}

/** Projects a vertex by where the eye sees it. */
function place(vertex: Vertex, x: f64, y: f64, z: f64): void {
  const inverse = 1 / z;
  vertex.x = <i32>floor<f64>((x * inverse - left) * scaleX + 0.5);
  vertex.y = <i32>floor<f64>((top - y * inverse) * scaleY + 0.5);
  vertex.inverse = inverse;
}

/** Writes a Vertex for each vertex of the scene. */
export function project(scene: Scene, camera: Camera, vertices: usize): void {
  use(camera);
  const end = scene.positions + <usize>scene.vertexCount * 12;
  let vertex = changetype<Vertex>(vertices);
  for (let at = scene.positions; at < end; at += 12) {
    const dx = <f64>load<f32>(at) - camera.positionX;
    const dy = <f64>load<f32>(at, 4) - camera.positionY;
    const dz = <f64>load<f32>(at, 8) - camera.positionZ;
    const x = camera.rightX * dx + camera.rightY * dy + camera.rightZ * dz;
    const y = camera.upX * dx + camera.upY * dy + camera.upZ * dz;
    const z = -(camera.backX * dx + camera.backY * dy + camera.backZ * dz);
    vertex.eyeX = <f32>x;
    vertex.eyeY = <f32>y;
    vertex.eyeZ = <f32>z;
    if (z >= near && x >= minX * z && x <= maxX * z && y >= minY * z && y <= maxY * z) place(vertex, x, y, z);
    else vertex.inverse = 0;
    vertex = changetype<Vertex>(changetype<usize>(vertex) + VERTEX_BYTES);
  }
}

/** Clips a triangle and projects what is left of it: gives the number of clippedCorner, 0 where nothing is left. */
export function clip(camera: Camera, a: Vertex, b: Vertex, c: Vertex): i32 {
  use(camera);
  from = CORNERS;
  to = OTHER_CORNERS;
  putCorner(from, a);
  putCorner(from + EYE_BYTES, b);
  putCorner(from + 2 * EYE_BYTES, c);
  let count = cut(3, 0, 0, 1, -near);
  count = cut(count, 1, 0, -minX, 0);
  count = cut(count, -1, 0, maxX, 0);
  count = cut(count, 0, 1, -minY, 0);
  count = cut(count, 0, -1, maxY, 0);
  for (let i = 0; i < count; i++) {
    const at = from + <usize>i * EYE_BYTES;
    place(clippedCorner(i), load<f64>(at), load<f64>(at, 8), load<f64>(at, 16));
  }
  return count;
}

function putCorner(at: usize, vertex: Vertex): void {
  store<f64>(at, <f64>vertex.eyeX);
  store<f64>(at, <f64>vertex.eyeY, 8);
  store<f64>(at, <f64>vertex.eyeZ, 16);
}

export function clippedCorner(i: i32): Vertex {
  return changetype<Vertex>(CLIPPED + <usize>i * VERTEX_BYTES);
}

/** The value of px x + py y + pz z + p at a corner. */
function side(at: usize, px: f64, py: f64, pz: f64, p: f64): f64 {
  return px * load<f64>(at) + py * load<f64>(at, 8) + pz * load<f64>(at, 16) + p;
}

/** Keeps what has px x + py y + pz z + p of at least 0. */
function cut(count: i32, px: f64, py: f64, pz: f64, p: f64): i32 {
  let kept = 0;
  let end = to;
  for (let i = 0; i < count; i++) {
    const at = from + <usize>i * EYE_BYTES;
    const next = i + 1 < count ? at + EYE_BYTES : from;
    const here = side(at, px, py, pz, p);
    const there = side(next, px, py, pz, p);
    if (here >= 0) {
      memory.copy(end, at, EYE_BYTES);
      end += EYE_BYTES;
      kept++;
    }
    if (here >= 0 === there >= 0) continue;
    // From the inner end to the outer one: both triangles of an edge get the same point.
    const inner = here >= 0 ? at : next;
    const outer = here >= 0 ? next : at;
    const share = here >= 0 ? here / (here - there) : there / (there - here);
    for (let k: usize = 0; k < EYE_BYTES; k += 8) {
      store<f64>(end + k, load<f64>(inner + k) + (load<f64>(outer + k) - load<f64>(inner + k)) * share);
    }
    end += EYE_BYTES;
    kept++;
  }
  const filled = to;
  to = from;
  from = filled;
  return kept;
}
