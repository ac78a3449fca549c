// What a sample of a triangle looks like: texture, light, alpha.

import { BLEND, Camera, Canvas, DrawnSurface, GLOWING, OPAQUE, Scene, Texture, UNLIT } from './layout.ts';
import { Fragment, meet, meetScene, surfaceOf } from './meet.ts';
import { between, FULL, filtered, mipAt, mipOf } from './texture.ts';

/** In place of a triangle: the background. */
export const NOTHING: u32 = 0xffffffff;

/** Where the light comes from, of unit length. */
const LIGHT_X: f32 = 0.42426407;
const LIGHT_Y: f32 = 0.8;
const LIGHT_Z: f32 = 0.42426407;

/** The fragment of one sample. */
const SINGLE: usize = memory.data(64, 16);

let scene: Scene = changetype<Scene>(0);
let camera: Camera = changetype<Camera>(0);
/** Tangents in the width and the height of a sample. */
let sampleX: f64 = 0;
let sampleY: f64 = 0;
/** Whether the background has one colour. */
let isPlain = false;
/** What passes the transmitting fragment that was shown last. */
let passing: v128 = i32x4.splat(0);

/** Shading is about this scene, as this camera sees it, until the next call. */
export function useScene(ofScene: Scene, ofCamera: Camera, canvas: Canvas): void {
  scene = ofScene;
  camera = ofCamera;
  meetScene(ofScene, ofCamera, canvas);
  sampleX = (camera.right - camera.left) / <f64>camera.width / <f64>camera.samples;
  sampleY = (camera.top - camera.bottom) / <f64>camera.height / <f64>camera.samples;
  const horizon = camera.background + 16;
  isPlain = isSameColor(camera.background, horizon) && isSameColor(horizon + 16, horizon);
}

/** Whether the background has one colour in all directions. */
export function hasPlainSky(): bool {
  return isPlain;
}

function isSameColor(a: usize, b: usize): bool {
  return !v128.any_true(f32x4.ne(v128.load(a), v128.load(b)));
}

/** The tangents of a place in the picture, in samples from its left and its top. */
export function tangentX(column: f64): f64 {
  return camera.left + column * sampleX;
}

export function tangentY(row: f64): f64 {
  return camera.top - row * sampleY;
}

/** The mip that shows a footprint, squared: whole number and share of the next. */
function mip(texture: Texture, footprint: f64): f64 {
  // Of a triangle that is seen edge-on nothing can be told; the whole texture is its mean.
  return footprint < Infinity ? mipOf(footprint, texture.levelCount) : <f64>(texture.levelCount - 1);
}

/** Red, green, blue and alpha of a texture where a fragment is, between two mips: 0 to 1. */
function sample(texture: Texture, fragment: Fragment, at: f64): v128 {
  const level = <u32>at;
  const share = <f32>(at - <f64>level);
  const mip = mipAt(texture, level);
  const next = share > 0 ? mipAt(texture, level + 1) : mip;
  const color = filtered(mip, next, share, fragment.u, fragment.v);
  return f32x4.mul(color, f32x4.splat(1 / FULL));
}

/** The address of one of the three numbers of a fragment's triangle. */
function corners(fragment: Fragment): usize {
  return scene.indices + <usize>fragment.triangle * 12;
}

function colorOfVertex(corner: u32, weight: f32): v128 {
  const bytes = v128.load32_zero(scene.colors + ((<usize>corner) << 2));
  const words = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
  return f32x4.mul(f32x4.convert_i32x4_s(words), f32x4.splat(weight / 255));
}

/** The vertex colours at the weights. */
function vertexColor(fragment: Fragment): v128 {
  const at = corners(fragment);
  const a = colorOfVertex(load<u32>(at), fragment.weightA);
  const b = colorOfVertex(load<u32>(at, 4), fragment.weightB);
  const c = colorOfVertex(load<u32>(at, 8), fragment.weightC);
  return f32x4.add(f32x4.add(a, b), c);
}

/** The fragment of one triangle where the ray of tangents x, y meets it. */
function single(triangle: u32, x: f64, y: f64): Fragment {
  const fragment = changetype<Fragment>(SINGLE);
  fragment.triangle = triangle;
  fragment.x = <f32>x;
  fragment.y = <f32>y;
  meet(fragment, fragment, fragment, fragment);
  return fragment;
}

/** Whether something is seen through a surface, so that it is drawn after all others. */
export function isSeenThrough(surface: DrawnSurface): bool {
  return surface.alphaMode === BLEND || surface.transmission > 0;
}

/** What passes the transmitting fragment that was shown last: red, green, blue, and 0 for the coverage. */
export function through(): v128 {
  return passing;
}

/** The alpha test of a cut-out at a sample: one mip, bilinear. */
export function passes(triangle: u32, column: u32, row: u32): bool {
  const own = surfaceOf(triangle);
  const hasColors = scene.colors !== 0;
  if (own.alphaCuts === 0 && !hasColors) return own.alpha >= <f32>own.alphaCutoff;
  const fragment = single(triangle, tangentX(<f64>column + 0.5), tangentY(<f64>row + 0.5));
  const vertexAlpha: f32 = hasColors ? f32x4.extract_lane(vertexColor(fragment), 3) : 1;
  if (own.alphaCuts === 0) return own.alpha * vertexAlpha >= <f32>own.alphaCutoff;
  const texture = changetype<Texture>(own.baseColorTexture);
  const level = min(own.cutCount - 1, <u32>(mip(texture, <f64>fragment.footprint) + 0.5));
  const cut = mipAt(texture, level);
  const alpha = f32x4.extract_lane(filtered(cut, cut, 0, fragment.u, fragment.v), 3);
  return (alpha / FULL) * vertexAlpha >= load<f32>(own.alphaCuts + ((<usize>level) << 2));
}

/** The colour of a triangle at tangents x, y: linear rgb and alpha, 0 to 1. */
export function show(triangle: u32, x: f64, y: f64): v128 {
  return colorOf(single(triangle, x, y));
}

/** The colour of a fragment that has met its triangle: linear rgb and alpha, 0 to 1. */
export function colorOf(fragment: Fragment): v128 {
  const surface = surfaceOf(fragment.triangle);
  let color = v128.load(changetype<usize>(surface));
  if (surface.baseColorTexture !== 0) {
    const texture = changetype<Texture>(surface.baseColorTexture);
    let at = mip(texture, <f64>fragment.footprint);
    if (surface.alphaCuts !== 0) at = min(at, <f64>(surface.cutCount - 1));
    color = f32x4.mul(color, sample(texture, fragment, at));
  }
  if (scene.colors !== 0) color = f32x4.mul(color, vertexColor(fragment));
  // Of a transmitting surface alpha counts as of a blended one, unless it is opaque: the alpha test does nothing there.
  if (surface.alphaMode === OPAQUE || !isSeenThrough(surface)) color = f32x4.replace_lane(color, 3, 1);
  const alpha = f32x4.extract_lane(color, 3);
  const own = surface.lighting === UNLIT ? color : f32x4.mul(color, light(fragment));
  color = f32x4.replace_lane(surface.transmission > 0 ? transmit(surface, color, own) : own, 3, alpha);
  if (surface.lighting === GLOWING) color = f32x4.add(color, glow(surface, fragment));
  // The first pseudo-maximum is 0 for what is not a number.
  return f32x4.pmin(f32x4.pmax(f32x4.splat(0), color), f32x4.splat(1));
}

/**
 * The light that a transmitting surface itself sends: what does not pass. The rest takes the square root of the base colour, so
 * that two faces together, of a pane or of a bottle's wall, tint by the base colour.
 */
function transmit(surface: DrawnSurface, base: v128, own: v128): v128 {
  const share = f32x4.splat(surface.transmission);
  passing = f32x4.replace_lane(f32x4.mul(f32x4.sqrt(f32x4.pmax(f32x4.splat(0), base)), share), 3, 0);
  return f32x4.mul(own, f32x4.sub(f32x4.splat(1), share));
}

function glow(surface: DrawnSurface, fragment: Fragment): v128 {
  const factor = v128.load(changetype<usize>(surface), 16);
  if (surface.emissiveTexture === 0) return factor;
  const texture = changetype<Texture>(surface.emissiveTexture);
  return f32x4.mul(factor, sample(texture, fragment, mip(texture, <f64>fragment.glowFootprint)));
}

/** A vector of a vertex (3 float32, and one more that does not count) times a weight. */
function weighed(vector: usize, weight: f32): v128 {
  return f32x4.mul(v128.load(vector), f32x4.splat(weight));
}

/** The light on a fragment; the fourth number does not count. */
function light(fragment: Fragment): v128 {
  const at = corners(fragment);
  const a = <usize>load<u32>(at) * 12;
  const b = <usize>load<u32>(at, 4) * 12;
  const c = <usize>load<u32>(at, 8) * 12;
  const normals = scene.normals;
  const two = f32x4.add(weighed(normals + a, fragment.weightA), weighed(normals + b, fragment.weightB));
  let normal = f32x4.add(two, weighed(normals + c, fragment.weightC));
  let squared = squaredLength(normal);
  if (!(squared > 1e-24)) {
    normal = faceNormal(scene.positions + a, scene.positions + b, scene.positions + c);
    squared = squaredLength(normal);
  }
  const x = f32x4.extract_lane(normal, 0);
  const y = f32x4.extract_lane(normal, 1);
  const z = f32x4.extract_lane(normal, 2);
  const length: f32 = squared > 0 ? sqrt<f32>(squared) : 1;
  const facing = (x * LIGHT_X + y * LIGHT_Y + z * LIGHT_Z) / length;
  const direct = f32x4.mul(f32x4.pmax(f32x4.splat(0), f32x4.splat(facing)), f32x4(0.72, 0.7, 0.65, 0));
  // Light from all around, by whether a surface looks up or down.
  const around = between(f32x4(0.17, 0.16, 0.15, 0), f32x4(0.34, 0.37, 0.41, 0), f32x4.splat(0.5 + (0.5 * y) / length));
  return f32x4.add(direct, around);
}

function squaredLength(vector: v128): f32 {
  const squares = f32x4.mul(vector, vector);
  return f32x4.extract_lane(squares, 0) + f32x4.extract_lane(squares, 1) + f32x4.extract_lane(squares, 2);
}

/** At right angles to a triangle with corners at these addresses. */
function faceNormal(p: usize, q: usize, r: usize): v128 {
  const alongX = load<f32>(q) - load<f32>(p);
  const alongY = load<f32>(q, 4) - load<f32>(p, 4);
  const alongZ = load<f32>(q, 8) - load<f32>(p, 8);
  const otherX = load<f32>(r) - load<f32>(p);
  const otherY = load<f32>(r, 4) - load<f32>(p, 4);
  const otherZ = load<f32>(r, 8) - load<f32>(p, 8);
  let normal = f32x4.splat(alongY * otherZ - alongZ * otherY);
  normal = f32x4.replace_lane(normal, 1, alongZ * otherX - alongX * otherZ);
  return f32x4.replace_lane(normal, 2, alongX * otherY - alongY * otherX);
}

/** The background at tangents x, y, with alpha 0. */
export function sky(x: f64, y: f64): v128 {
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
