// What a sample of a triangle looks like: barycentric coordinates as seen from the eye, texture, light, alpha.
//
// Of the ray d to a sample and corners p0 p1 p2 as seen from the eye, the barycentric coordinates are in proportion to
// d.(p1 x p2), d.(p2 x p0) and d.(p0 x p1) (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates",
// 1997). This is right in perspective, and clipped triangles need no corners of their own.

import { word } from '../words.ts';
import { BLEND, Camera, Canvas, Scene, SURFACE_BYTES, Surface, Texture, VERTEX_BYTES, Vertex } from './layout.ts';
import { between, FULL, filtered, mipAt, mipOf } from './texture.ts';

/** In place of a triangle: the background. */
export const NOTHING: u32 = 0xffffffff;

/** Where the light comes from, of unit length. */
const LIGHT_X: f32 = 0.42426407;
const LIGHT_Y: f32 = 0.8;
const LIGHT_Z: f32 = 0.42426407;

let scene: Scene = changetype<Scene>(0);
let camera: Camera = changetype<Camera>(0);
let vertices: usize = 0;
/** Tangents in the width and the height of a sample, and of a pixel. */
let sampleX: f64 = 0;
let sampleY: f64 = 0;
let pixelX: f64 = 0;
let pixelY: f64 = 0;
/** Whether the background has one colour. */
let isPlain = false;

/** The triangle that all below is about, its surface, and the numbers of its corners. */
let aimed: u32 = NOTHING;
let surface: Surface = changetype<Surface>(0);
let cornerA: u32 = 0;
let cornerB: u32 = 0;
let cornerC: u32 = 0;
/** The products of its corners: each is multiplied with a ray of tangents x, y and 1. */
let ax: f64 = 0;
let ay: f64 = 0;
let az: f64 = 0;
let bx: f64 = 0;
let by: f64 = 0;
let bz: f64 = 0;
let cx: f64 = 0;
let cy: f64 = 0;
let cz: f64 = 0;
/** Texture coordinates of its corners. */
let ua: f64 = 0;
let va: f64 = 0;
let ub: f64 = 0;
let vb: f64 = 0;
let uc: f64 = 0;
let vc: f64 = 0;
/** Whether these differ, and how they change with the ray: u is (ux x + uy y + u1) / (dx x + dy y + d1), and so is v. */
let isSpread = false;
let dx: f64 = 0;
let dy: f64 = 0;
let d1: f64 = 0;
let ux: f64 = 0;
let uy: f64 = 0;
let u1: f64 = 0;
let vx: f64 = 0;
let vy: f64 = 0;
let v1: f64 = 0;
/** Weights of its corners where a ray meets it. */
let weightA: f64 = 0;
let weightB: f64 = 0;
let weightC: f64 = 0;

/** Shading is about this scene, as this camera sees it, until the next call. */
export function useScene(ofScene: Scene, ofCamera: Camera, canvas: Canvas): void {
  scene = ofScene;
  camera = ofCamera;
  vertices = canvas.vertices;
  pixelX = (camera.right - camera.left) / <f64>camera.width;
  pixelY = (camera.top - camera.bottom) / <f64>camera.height;
  sampleX = pixelX / <f64>camera.samples;
  sampleY = pixelY / <f64>camera.samples;
  aimed = NOTHING;
  const horizon = camera.background + 16;
  isPlain = isSameColor(camera.background, horizon) && isSameColor(horizon + 16, horizon);
}

function isSameColor(a: usize, b: usize): bool {
  return !v128.any_true(f32x4.ne(v128.load(a), v128.load(b)));
}

export function surfaceOf(triangle: u32): Surface {
  return changetype<Surface>(scene.surfaces + <usize>word(scene.surfaceOf, triangle) * SURFACE_BYTES);
}

/** The tangents of a place in the picture, in samples from its left and its top. */
export function tangentX(column: f64): f64 {
  return camera.left + column * sampleX;
}

export function tangentY(row: f64): f64 {
  return camera.top - row * sampleY;
}

function aim(triangle: u32): void {
  if (aimed === triangle) return;
  aimed = triangle;
  surface = surfaceOf(triangle);
  const at = scene.indices + <usize>triangle * 12;
  cornerA = load<u32>(at);
  cornerB = load<u32>(at, 4);
  cornerC = load<u32>(at, 8);
  const a = changetype<Vertex>(vertices + <usize>cornerA * VERTEX_BYTES);
  const b = changetype<Vertex>(vertices + <usize>cornerB * VERTEX_BYTES);
  const c = changetype<Vertex>(vertices + <usize>cornerC * VERTEX_BYTES);
  ax = b.eyeY * c.eyeZ - b.eyeZ * c.eyeY;
  ay = b.eyeZ * c.eyeX - b.eyeX * c.eyeZ;
  az = b.eyeX * c.eyeY - b.eyeY * c.eyeX;
  bx = c.eyeY * a.eyeZ - c.eyeZ * a.eyeY;
  by = c.eyeZ * a.eyeX - c.eyeX * a.eyeZ;
  bz = c.eyeX * a.eyeY - c.eyeY * a.eyeX;
  cx = a.eyeY * b.eyeZ - a.eyeZ * b.eyeY;
  cy = a.eyeZ * b.eyeX - a.eyeX * b.eyeZ;
  cz = a.eyeX * b.eyeY - a.eyeY * b.eyeX;
  if (surface.baseColorTexture === 0 && surface.emissiveTexture === 0) return;
  const uvA = scene.uvs + <usize>cornerA * 8;
  const uvB = scene.uvs + <usize>cornerB * 8;
  const uvC = scene.uvs + <usize>cornerC * 8;
  ua = <f64>load<f32>(uvA);
  va = <f64>load<f32>(uvA, 4);
  ub = <f64>load<f32>(uvB);
  vb = <f64>load<f32>(uvB, 4);
  uc = <f64>load<f32>(uvC);
  vc = <f64>load<f32>(uvC, 4);
  isSpread = ua !== ub || ub !== uc || va !== vb || vb !== vc;
  if (!isSpread) return;
  dx = ax + bx + cx;
  dy = ay + by + cy;
  d1 = az + bz + cz;
  ux = ua * ax + ub * bx + uc * cx;
  uy = ua * ay + ub * by + uc * cy;
  u1 = ua * az + ub * bz + uc * cz;
  vx = va * ax + vb * bx + vc * cx;
  vy = va * ay + vb * by + vc * cy;
  v1 = va * az + vb * bz + vc * cz;
}

/** Barycentric coordinates of the aimed triangle where the ray of tangents x, y meets it, at least 0 each. */
function weigh(x: f64, y: f64): void {
  let a = ax * x + ay * y + az;
  let b = bx * x + by * y + bz;
  let c = cx * x + cy * y + cz;
  // All are negative for a triangle that is seen from behind.
  if (a + b + c < 0) {
    a = -a;
    b = -b;
    c = -c;
  }
  // Corners are rounded to steps, so that a sample may lie a hair outside.
  if (a < 0) a = 0;
  if (b < 0) b = 0;
  if (c < 0) c = 0;
  const sum = a + b + c;
  const isSeen = sum > 0;
  const share = 1 / sum;
  weightA = isSeen ? a * share : 1.0 / 3.0;
  weightB = isSeen ? b * share : 1.0 / 3.0;
  weightC = isSeen ? c * share : 1.0 / 3.0;
}

/** The mip of a texture on the aimed triangle at tangents x, y: by the longer side of a pixel's footprint in texels. */
function mip(texture: Texture, x: f64, y: f64): f64 {
  if (!isSpread) return 0;
  const inverse = 1 / (dx * x + dy * y + d1);
  const u = (ux * x + uy * y + u1) * inverse;
  const v = (vx * x + vy * y + v1) * inverse;
  const finest = mipAt(texture, 0);
  const texels = <f64>finest.width * inverse;
  const lines = <f64>finest.height * inverse;
  const acrossU = (ux - u * dx) * texels * pixelX;
  const acrossV = (vx - v * dx) * lines * pixelX;
  const downU = (uy - u * dy) * texels * pixelY;
  const downV = (vy - v * dy) * lines * pixelY;
  const across = acrossU * acrossU + acrossV * acrossV;
  const down = downU * downU + downV * downV;
  const squared = across > down ? across : down;
  // Of a triangle that is seen edge-on nothing can be told; the whole texture is its mean.
  return squared < Infinity ? mipOf(squared, texture.levelCount) : <f64>(texture.levelCount - 1);
}

/** Red, green, blue and alpha of a texture on the aimed triangle, between two mips: 0 to 1. */
function sample(texture: Texture, at: f64): v128 {
  const u = ua * weightA + ub * weightB + uc * weightC;
  const v = va * weightA + vb * weightB + vc * weightC;
  const level = <u32>at;
  const share = <f32>(at - <f64>level);
  let color = filtered(mipAt(texture, level), u, v);
  if (share > 0) color = between(color, filtered(mipAt(texture, level + 1), u, v), f32x4.splat(share));
  return f32x4.mul(color, f32x4.splat(1 / FULL));
}

function colorOfVertex(corner: u32, weight: f64): v128 {
  const bytes = v128.load32_zero(scene.colors + ((<usize>corner) << 2));
  const words = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
  return f32x4.mul(f32x4.convert_i32x4_u(words), f32x4.splat(<f32>(weight / 255)));
}

/** The vertex colours at the weights. */
function vertexColor(): v128 {
  const two = f32x4.add(colorOfVertex(cornerA, weightA), colorOfVertex(cornerB, weightB));
  return f32x4.add(two, colorOfVertex(cornerC, weightC));
}

/** The alpha test of a cut-out at a sample: one mip, bilinear. */
export function passes(triangle: u32, column: u32, row: u32): bool {
  const own = surfaceOf(triangle);
  const hasColors = scene.colors !== 0;
  if (own.alphaCuts === 0 && !hasColors) return own.alpha >= <f32>own.alphaCutoff;
  aim(triangle);
  const x = tangentX(<f64>column + 0.5);
  const y = tangentY(<f64>row + 0.5);
  weigh(x, y);
  const vertexAlpha: f32 = hasColors ? f32x4.extract_lane(vertexColor(), 3) : 1;
  if (own.alphaCuts === 0) return own.alpha * vertexAlpha >= <f32>own.alphaCutoff;
  const texture = changetype<Texture>(own.baseColorTexture);
  const level = <u32>min(<f64>(own.cutCount - 1), floor<f64>(mip(texture, x, y) + 0.5));
  const u = ua * weightA + ub * weightB + uc * weightC;
  const v = va * weightA + vb * weightB + vc * weightC;
  const alpha = f32x4.extract_lane(filtered(mipAt(texture, level), u, v), 3);
  return (alpha / FULL) * vertexAlpha >= load<f32>(own.alphaCuts + ((<usize>level) << 2));
}

/** The colour of a triangle, or of the background, at tangents x, y: linear rgb and alpha, 0 to 1. */
export function show(triangle: u32, x: f64, y: f64): v128 {
  if (triangle === NOTHING) return sky(x, y);
  aim(triangle);
  weigh(x, y);
  let color = v128.load(changetype<usize>(surface));
  if (surface.baseColorTexture !== 0) {
    const texture = changetype<Texture>(surface.baseColorTexture);
    let at = mip(texture, x, y);
    if (surface.alphaCuts !== 0) at = min(at, <f64>(surface.cutCount - 1));
    color = f32x4.mul(color, sample(texture, at));
  }
  if (scene.colors !== 0) color = f32x4.mul(color, vertexColor());
  if (surface.alphaMode !== BLEND) color = f32x4.replace_lane(color, 3, 1);
  const alpha = f32x4.extract_lane(color, 3);
  color = f32x4.replace_lane(f32x4.mul(color, light()), 3, alpha);
  if (surface.isGlowing !== 0) color = f32x4.add(color, glow(x, y));
  // The first pseudo-maximum is 0 for what is not a number.
  return f32x4.min(f32x4.pmax(f32x4.splat(0), color), f32x4.splat(1));
}

function glow(x: f64, y: f64): v128 {
  const factor = v128.load(changetype<usize>(surface), 16);
  if (surface.emissiveTexture === 0) return factor;
  const texture = changetype<Texture>(surface.emissiveTexture);
  return f32x4.mul(factor, sample(texture, mip(texture, x, y)));
}

/** Sum of three vectors of a vertex (3 float32, and one more that does not count), by the weights of the corners. */
function atWeights(array: usize): v128 {
  const a = f32x4.mul(v128.load(array + <usize>cornerA * 12), f32x4.splat(<f32>weightA));
  const b = f32x4.mul(v128.load(array + <usize>cornerB * 12), f32x4.splat(<f32>weightB));
  const c = f32x4.mul(v128.load(array + <usize>cornerC * 12), f32x4.splat(<f32>weightC));
  return f32x4.add(f32x4.add(a, b), c);
}

/** The light on the aimed triangle at the weights; the fourth number does not count. */
function light(): v128 {
  const normal = atWeights(scene.normals);
  let x = f32x4.extract_lane(normal, 0);
  let y = f32x4.extract_lane(normal, 1);
  let z = f32x4.extract_lane(normal, 2);
  let squared = x * x + y * y + z * z;
  if (!(squared > 1e-24)) {
    const p = scene.positions + <usize>cornerA * 12;
    const q = scene.positions + <usize>cornerB * 12;
    const r = scene.positions + <usize>cornerC * 12;
    const alongX = load<f32>(q) - load<f32>(p);
    const alongY = load<f32>(q, 4) - load<f32>(p, 4);
    const alongZ = load<f32>(q, 8) - load<f32>(p, 8);
    const otherX = load<f32>(r) - load<f32>(p);
    const otherY = load<f32>(r, 4) - load<f32>(p, 4);
    const otherZ = load<f32>(r, 8) - load<f32>(p, 8);
    x = alongY * otherZ - alongZ * otherY;
    y = alongZ * otherX - alongX * otherZ;
    z = alongX * otherY - alongY * otherX;
    squared = x * x + y * y + z * z;
  }
  const length: f32 = squared > 0 ? sqrt<f32>(squared) : 1;
  const facing = (x * LIGHT_X + y * LIGHT_Y + z * LIGHT_Z) / length;
  const direct = f32x4.mul(f32x4.splat(max<f32>(facing, 0)), f32x4(0.72, 0.7, 0.65, 0));
  // Light from all around, by whether a surface looks up or down.
  const around = between(f32x4(0.17, 0.16, 0.15, 0), f32x4(0.34, 0.37, 0.41, 0), f32x4.splat(0.5 + (0.5 * y) / length));
  return f32x4.add(direct, around);
}

/** The background at tangents x, y, with alpha 0. */
function sky(x: f64, y: f64): v128 {
  const horizon = v128.load(camera.background, 16);
  if (isPlain) return horizon;
  const rayX = camera.rightX * x + camera.upX * y - camera.backX;
  const rayY = camera.rightY * x + camera.upY * y - camera.backY;
  const rayZ = camera.rightZ * x + camera.upZ * y - camera.backZ;
  const height = rayY / sqrt<f64>(rayX * rayX + rayY * rayY + rayZ * rayZ);
  const end = v128.load(height < 0 ? camera.background + 32 : camera.background);
  const far = 1 - abs<f64>(height);
  return between(horizon, end, f32x4.splat(<f32>(1 - far * far)));
}
