// Where rays meet triangles: barycentric coordinates as seen from the eye, texture coordinates, and how much of a texture a
// pixel shows. Four rays at a time: each vector of four float32 below has a number of each.
//
// Of the ray d to a sample and corners p0 p1 p2 as seen from the eye, the barycentric coordinates are in proportion to
// d.(p1 x p2), d.(p2 x p0) and d.(p0 x p1) (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates",
// 1997). This is right in perspective, and clipped triangles need no corners of their own. A corner may be moved along the
// ray without changing them: moved to the eye's plane it has only two numbers, which are small where the corner is near the
// ray, so that float32 suffices, as it does on a GPU.

import { word } from '../words.ts';
import { Camera, Canvas, DrawnSurface, Scene, SURFACE_BYTES, Texture, VERTEX_BYTES, Vertex } from './layout.ts';

/** What a ray shows of a triangle, or of the background. */
@unmanaged
export class Fragment {
  /** The ray: its tangents. */
  x: f32;
  y: f32;
  /** Texture coordinates where it meets the triangle. */
  u: f32;
  v: f32;
  /** Shares of the corners there. */
  weightA: f32;
  weightB: f32;
  weightC: f32;
  /** The longer side of a pixel in texels of the finest mip, squared: of the base colour texture and of the emissive one. */
  footprint: f32;
  glowFootprint: f32;
  /** NOTHING (shade.ts): the background, which rays do not meet. */
  triangle: u32;
  /** The pixel that shows it, its first sample in the canvas, and which of its samples do: bits, and how many. */
  pixel: u32;
  firstSample: u32;
  samples: u32;
  count: u32;
  /** Whether it is the last one of its pixel. */
  isLast: bool;
}

export const FRAGMENT_BYTES: usize = 64;

/** Stands for the mips of a surface that has no texture. */
const NO_MIP: usize = memory.data(16, 4);

let scene: Scene = changetype<Scene>(0);
let vertices: usize = 0;
/** Tangents in the width and the height of a pixel. */
let pixelX: f32 = 0;
let pixelY: f32 = 0;

/** Fragments are of this scene, as this camera sees it, until the next call. */
export function meetScene(ofScene: Scene, camera: Camera, canvas: Canvas): void {
  scene = ofScene;
  vertices = canvas.vertices;
  pixelX = <f32>((camera.right - camera.left) / <f64>camera.width);
  pixelY = <f32>((camera.top - camera.bottom) / <f64>camera.height);
}

export function surfaceOf(triangle: u32): DrawnSurface {
  return changetype<DrawnSurface>(scene.surfaces + <usize>word(scene.surfaceOf, triangle) * SURFACE_BYTES);
}

/** Four float32 that lie apart. */
function four(a: usize, b: usize, c: usize, d: usize): v128 {
  const two = v128.load_lane<f32>(b, v128.load32_zero(a), 1);
  return v128.load_lane<f32>(d, v128.load_lane<f32>(c, two, 2), 3);
}

/** Two times two numbers of four bytes that lie apart. */
function twoPairs(a: usize, b: usize): v128 {
  return v128.load_lane<f64>(b, v128.load64_zero(a), 1);
}

/** The first numbers of four pairs, and the second ones. */
function firsts(two: v128, others: v128): v128 {
  return v128.shuffle<i32>(two, others, 0, 2, 4, 6);
}

function seconds(two: v128, others: v128): v128 {
  return v128.shuffle<i32>(two, others, 1, 3, 5, 7);
}

/** a d - b c. */
function determinant(a: v128, b: v128, c: v128, d: v128): v128 {
  return f32x4.sub(f32x4.mul(a, d), f32x4.mul(b, c));
}

function sum(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.add(a, b), c);
}

/** a x + b y + c z. */
function weighed(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 {
  return sum(f32x4.mul(a, x), f32x4.mul(b, y), f32x4.mul(c, z));
}

function vertexAt(corner: u32): usize {
  return vertices + <usize>corner * VERTEX_BYTES + offsetof<Vertex>('eyeX');
}

function uvAt(corner: u32): usize {
  return scene.uvs + ((<usize>corner) << 3);
}

/** The finest mip of a texture; 0: none. */
function mipsOf(texture: usize): usize {
  return texture === 0 ? NO_MIP : changetype<Texture>(texture).levels;
}

/** Finds where the rays of four fragments, which may be the same, meet their triangles: all numbers that depend on it. */
export function meet(first: Fragment, second: Fragment, third: Fragment, fourth: Fragment): void {
  const xyOfTwo = twoPairs(changetype<usize>(first), changetype<usize>(second));
  const xyOfOthers = twoPairs(changetype<usize>(third), changetype<usize>(fourth));
  const x = firsts(xyOfTwo, xyOfOthers);
  const y = seconds(xyOfTwo, xyOfOthers);

  const i = scene.indices + <usize>first.triangle * 12;
  const j = scene.indices + <usize>second.triangle * 12;
  const k = scene.indices + <usize>third.triangle * 12;
  const l = scene.indices + <usize>fourth.triangle * 12;
  // The corners, moved along the rays, and their texture coordinates.
  let p = vertexAt(load<u32>(i));
  let q = vertexAt(load<u32>(j));
  let r = vertexAt(load<u32>(k));
  let s = vertexAt(load<u32>(l));
  let two = twoPairs(p, q);
  let others = twoPairs(r, s);
  const az = four(p + 8, q + 8, r + 8, s + 8);
  const ax = f32x4.sub(firsts(two, others), f32x4.mul(x, az));
  const ay = f32x4.sub(seconds(two, others), f32x4.mul(y, az));
  p = vertexAt(load<u32>(i, 4));
  q = vertexAt(load<u32>(j, 4));
  r = vertexAt(load<u32>(k, 4));
  s = vertexAt(load<u32>(l, 4));
  two = twoPairs(p, q);
  others = twoPairs(r, s);
  const bz = four(p + 8, q + 8, r + 8, s + 8);
  const bx = f32x4.sub(firsts(two, others), f32x4.mul(x, bz));
  const by = f32x4.sub(seconds(two, others), f32x4.mul(y, bz));
  p = vertexAt(load<u32>(i, 8));
  q = vertexAt(load<u32>(j, 8));
  r = vertexAt(load<u32>(k, 8));
  s = vertexAt(load<u32>(l, 8));
  two = twoPairs(p, q);
  others = twoPairs(r, s);
  const cz = four(p + 8, q + 8, r + 8, s + 8);
  const cx = f32x4.sub(firsts(two, others), f32x4.mul(x, cz));
  const cy = f32x4.sub(seconds(two, others), f32x4.mul(y, cz));

  let a = determinant(bx, by, cx, cy);
  let b = determinant(cx, cy, ax, ay);
  let c = determinant(ax, ay, bx, by);
  // All are negative for a triangle that is seen from behind.
  const nought = f32x4.splat(0);
  const whole = sum(a, b, c);
  const turned = v128.and(f32x4.lt(whole, nought), f32x4.splat(-0.0));
  // Corners are rounded to steps, so that a sample may lie a hair outside.
  a = f32x4.pmax(v128.xor(a, turned), nought);
  b = f32x4.pmax(v128.xor(b, turned), nought);
  c = f32x4.pmax(v128.xor(c, turned), nought);
  const positive = sum(a, b, c);
  const isSeen = f32x4.gt(positive, nought);
  const share = f32x4.div(f32x4.splat(1), positive);
  const equal = f32x4.splat(1.0 / 3.0);
  a = v128.bitselect(f32x4.mul(a, share), equal, isSeen);
  b = v128.bitselect(f32x4.mul(b, share), equal, isSeen);
  c = v128.bitselect(f32x4.mul(c, share), equal, isSeen);

  two = twoPairs(uvAt(load<u32>(i)), uvAt(load<u32>(j)));
  others = twoPairs(uvAt(load<u32>(k)), uvAt(load<u32>(l)));
  const ua = firsts(two, others);
  const va = seconds(two, others);
  two = twoPairs(uvAt(load<u32>(i, 4)), uvAt(load<u32>(j, 4)));
  others = twoPairs(uvAt(load<u32>(k, 4)), uvAt(load<u32>(l, 4)));
  const ub = firsts(two, others);
  const vb = seconds(two, others);
  two = twoPairs(uvAt(load<u32>(i, 8)), uvAt(load<u32>(j, 8)));
  others = twoPairs(uvAt(load<u32>(k, 8)), uvAt(load<u32>(l, 8)));
  const uc = firsts(two, others);
  const vc = seconds(two, others);
  const u = weighed(ua, a, ub, b, uc, c);
  const v = weighed(va, a, vb, b, vc, c);
  put(first, second, third, fourth, offsetof<Fragment>('u'), u);
  put(first, second, third, fourth, offsetof<Fragment>('v'), v);
  put(first, second, third, fourth, offsetof<Fragment>('weightA'), a);
  put(first, second, third, fourth, offsetof<Fragment>('weightB'), b);
  put(first, second, third, fourth, offsetof<Fragment>('weightC'), c);

  // A triangle whose corners show one place of the texture shows its finest mip.
  const isSpreadU = v128.or(f32x4.ne(ua, ub), f32x4.ne(ub, uc));
  const isSpread = v128.or(isSpreadU, v128.or(f32x4.ne(va, vb), f32x4.ne(vb, vc)));
  // How u and v, less what they are here, change with the ray: as the determinants do.
  const du = f32x4.sub(ua, u);
  const dv = f32x4.sub(va, v);
  const eu = f32x4.sub(ub, u);
  const ev = f32x4.sub(vb, v);
  const fu = f32x4.sub(uc, u);
  const fv = f32x4.sub(vc, v);
  const aAcross = determinant(by, bz, cy, cz);
  const bAcross = determinant(cy, cz, ay, az);
  const cAcross = determinant(ay, az, by, bz);
  const aDown = determinant(bx, bz, cx, cz);
  const bDown = determinant(cx, cz, ax, az);
  const cDown = determinant(ax, az, bx, bz);
  const inverse = f32x4.div(f32x4.splat(1), whole);
  const across = f32x4.mul(inverse, f32x4.splat(pixelX));
  const down = f32x4.mul(inverse, f32x4.splat(pixelY));
  const acrossU = f32x4.mul(weighed(du, aAcross, eu, bAcross, fu, cAcross), across);
  const acrossV = f32x4.mul(weighed(dv, aAcross, ev, bAcross, fv, cAcross), across);
  const downU = f32x4.mul(weighed(du, aDown, eu, bDown, fu, cDown), down);
  const downV = f32x4.mul(weighed(dv, aDown, ev, bDown, fv, cDown), down);

  const g = surfaceOf(first.triangle);
  const h = surfaceOf(second.triangle);
  const m = surfaceOf(third.triangle);
  const n = surfaceOf(fourth.triangle);
  two = twoPairs(mipsOf(g.baseColorTexture), mipsOf(h.baseColorTexture));
  others = twoPairs(mipsOf(m.baseColorTexture), mipsOf(n.baseColorTexture));
  let longer = footprint(firsts(two, others), seconds(two, others), acrossU, acrossV, downU, downV);
  put(first, second, third, fourth, offsetof<Fragment>('footprint'), v128.and(longer, isSpread));
  if ((g.emissiveTexture | h.emissiveTexture | m.emissiveTexture | n.emissiveTexture) === 0) return;
  two = twoPairs(mipsOf(g.emissiveTexture), mipsOf(h.emissiveTexture));
  others = twoPairs(mipsOf(m.emissiveTexture), mipsOf(n.emissiveTexture));
  longer = footprint(firsts(two, others), seconds(two, others), acrossU, acrossV, downU, downV);
  put(first, second, third, fourth, offsetof<Fragment>('glowFootprint'), v128.and(longer, isSpread));
}

/** Stores one number of each fragment. */
function put(first: Fragment, second: Fragment, third: Fragment, fourth: Fragment, offset: usize, values: v128): void {
  v128.store_lane<f32>(changetype<usize>(first) + offset, values, 0);
  v128.store_lane<f32>(changetype<usize>(second) + offset, values, 1);
  v128.store_lane<f32>(changetype<usize>(third) + offset, values, 2);
  v128.store_lane<f32>(changetype<usize>(fourth) + offset, values, 3);
}

/** The longer sides of pixels in texels, squared, by how texture coordinates change from pixel to pixel. */
function footprint(widths: v128, heights: v128, acrossU: v128, acrossV: v128, downU: v128, downV: v128): v128 {
  const width = f32x4.convert_i32x4_s(widths);
  const height = f32x4.convert_i32x4_s(heights);
  const acrossColumns = f32x4.mul(acrossU, width);
  const acrossLines = f32x4.mul(acrossV, height);
  const downColumns = f32x4.mul(downU, width);
  const downLines = f32x4.mul(downV, height);
  const across = f32x4.add(f32x4.mul(acrossColumns, acrossColumns), f32x4.mul(acrossLines, acrossLines));
  const down = f32x4.add(f32x4.mul(downColumns, downColumns), f32x4.mul(downLines, downLines));
  return f32x4.pmax(down, across);
}
