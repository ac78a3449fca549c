// From samples, each of which shows a triangle or the background, to pixels. Of a pixel each triangle is shaded once, in the
// middle of the samples that show it: a fragment.
//
// Fragments are gathered first and then shaded many at a time, four by four, so that the choices that gathering takes do not
// hold up the arithmetic of shading.

import { Camera, Canvas } from './layout.ts';
import { FRAGMENT_BYTES, Fragment, meet } from './meet.ts';
import { colorOf, hasPlainSky, NOTHING, sky, tangentX, tangentY } from './shade.ts';

const COLOR_BYTES: usize = 16;
/** Samples of a pixel. */
const MAX_SAMPLES: u32 = 16;
/** Fragments that are shaded together, with room for those of one more pixel. */
const GATHERED: u32 = 96;
const FRAGMENTS: usize = memory.data(112 * 64, 16);
/** The triangles of a pixel's samples, row by row, and where those samples are in the canvas from its first one. */
const IDS: usize = memory.data(64, 16);
const PLACES: usize = memory.data(64, 16);
/** By how many samples show a triangle: 1 over it. */
const SHARES: usize = memory.data(17 * 8, 8);

let camera: Camera = changetype<Camera>(0);
let canvas: Canvas = changetype<Canvas>(0);
/** Samples along each side of a pixel, and in it. */
let side: u32 = 0;
let inPixel: u32 = 0;
/** Bits, one a sample of a pixel: all, and those whose column or row in the pixel has bit 0 or bit 1 set. */
let all: u32 = 0;
let columnBit0: u32 = 0;
let columnBit1: u32 = 0;
let rowBit0: u32 = 0;
let rowBit1: u32 = 0;
/** Whether blended triangles are still to come, so that the colours of samples are kept. */
let isKept = false;
let gathered: u32 = 0;
/** Of the pixel whose fragments are being added up. */
let sum: v128 = f32x4.splat(0);

/** Pixels are of this camera and canvas until the next call. */
export function usePixels(ofCamera: Camera, ofCanvas: Canvas): void {
  camera = ofCamera;
  canvas = ofCanvas;
  side = camera.samples;
  inPixel = side * side;
  isKept = canvas.blendedCount > 0;
  all = (1 << inPixel) - 1;
  columnBit0 = columnBit1 = rowBit0 = rowBit1 = 0;
  for (let i: u32 = 0; i < inPixel; i++) {
    const column = i % side;
    const row = i / side;
    store<u32>(PLACES + ((<usize>i) << 2), row * canvas.stride + column);
    columnBit0 |= (column & 1) << i;
    columnBit1 |= (column >> 1) << i;
    rowBit0 |= (row & 1) << i;
    rowBit1 |= (row >> 1) << i;
  }
  for (let i: u32 = 1; i <= MAX_SAMPLES; i++) store<f64>(SHARES + ((<usize>i) << 3), 1 / <f64>i);
}

/** The address of a sample's colour. */
export function colorAt(sample: u32): usize {
  return canvas.colors + <usize>sample * COLOR_BYTES;
}

/**
 * Shades `rows` rows of pixels of the band that begins at pixel row `row`. Where triangles are blended over them later,
 * the colours of samples are kept instead of the pixels'.
 */
export function shadeBand(row: u32, rows: u32): void {
  // Most pixels of the background are of one colour: it is found once, by writing the first pixel.
  const isPlain = !isKept && side === 2 && hasPlainSky();
  const start = row * camera.width;
  putPixel(start, f32x4.mul(sky(0, 0), f32x4.splat(<f32>inPixel)));
  const plain = load<u32>(canvas.rgb + <usize>start * 3);
  gathered = 0;
  sum = f32x4.splat(0);
  for (let j: u32 = 0; j < rows; j++) {
    let first = j * side * canvas.stride;
    let pixel = start + j * camera.width;
    for (let i: u32 = 0; i < camera.width; i++, pixel++, first += side) {
      if (isPlain && showsNothing(first)) {
        putPlain(pixel, plain);
        continue;
      }
      gather(pixel, first, i * side, (row + j) * side);
      if (gathered >= GATHERED) shadeGathered();
    }
  }
  shadeGathered();
}

/** Whether all four samples of a pixel show the background. */
function showsNothing(first: u32): bool {
  const at = canvas.triangles + ((<usize>first) << 2);
  return (load<u64>(at) & load<u64>(at + ((<usize>canvas.stride) << 2))) === u64.MAX_VALUE;
}

/** Writes a pixel of the background. */
function putPlain(pixel: u32, color: u32): void {
  const rgb = canvas.rgb + <usize>pixel * 3;
  store<u16>(rgb, <u16>color);
  store<u8>(rgb, <u8>(color >> 16), 2);
  store<u8>(canvas.coverage + <usize>pixel, 0);
}

/** Adds the fragments of a pixel whose first sample is number `first` of the canvas, and at a column and row of samples. */
function gather(pixel: u32, first: u32, column: u32, row: u32): void {
  loadIds(first);
  let rest = all;
  let fragment = changetype<Fragment>(FRAGMENTS + <usize>gathered * FRAGMENT_BYTES);
  const left = <f64>column + 0.5;
  const top = <f64>row + 0.5;
  while (true) {
    const triangle = load<u32>(IDS + ((<usize>ctz(rest)) << 2));
    const own = samplesOf(triangle) & all;
    const count = popcnt(own);
    const across = popcnt(own & columnBit0) + 2 * popcnt(own & columnBit1);
    const down = popcnt(own & rowBit0) + 2 * popcnt(own & rowBit1);
    const share = load<f64>(SHARES + ((<usize>count) << 3));
    fragment.x = <f32>tangentX(left + <f64>across * share);
    fragment.y = <f32>tangentY(top + <f64>down * share);
    fragment.triangle = triangle;
    fragment.pixel = pixel;
    fragment.firstSample = first;
    fragment.samples = own;
    fragment.count = count;
    gathered++;
    rest &= ~own;
    fragment.isLast = rest === 0;
    if (rest === 0) return;
    fragment = changetype<Fragment>(changetype<usize>(fragment) + FRAGMENT_BYTES);
  }
}

/** Copies the triangles of a pixel's samples to IDS. */
function loadIds(first: u32): void {
  const at = canvas.triangles + ((<usize>first) << 2);
  if (side === 2) {
    v128.store(IDS, v128.load_lane<u64>(at + ((<usize>canvas.stride) << 2), v128.load64_zero(at), 1));
    return;
  }
  for (let i: usize = 0; i < (<usize>inPixel) << 2; i += 4) {
    store<u32>(IDS + i, load<u32>(at + ((<usize>load<u32>(PLACES + i)) << 2)));
  }
}

/** Bits: of the samples in IDS that show a triangle, and of some that no pixel has. */
function samplesOf(triangle: u32): u32 {
  const wanted = i32x4.splat(triangle);
  let bits = <u32>i32x4.bitmask(i32x4.eq(v128.load(IDS), wanted));
  for (let i: u32 = 4; i < inPixel; i += 4) {
    bits |= (<u32>i32x4.bitmask(i32x4.eq(v128.load(IDS + ((<usize>i) << 2)), wanted))) << i;
  }
  return bits;
}

/** Shades what was gathered, adds the colours of each pixel up, and writes it. */
function shadeGathered(): void {
  meetGathered();
  const end = FRAGMENTS + <usize>gathered * FRAGMENT_BYTES;
  for (let at = FRAGMENTS; at < end; at += FRAGMENT_BYTES) {
    const fragment = changetype<Fragment>(at);
    const color = fragment.triangle === NOTHING ? sky(<f64>fragment.x, <f64>fragment.y) : colorOf(fragment);
    if (isKept) {
      keep(fragment, color);
      continue;
    }
    sum = f32x4.add(sum, f32x4.mul(color, f32x4.splat(<f32>fragment.count)));
    if (!fragment.isLast) continue;
    putPixel(fragment.pixel, sum);
    sum = f32x4.splat(0);
  }
  gathered = 0;
}

/** Four by four; of those that are left over, the last one several times. */
function meetGathered(): void {
  let first: usize = 0;
  let second: usize = 0;
  let third: usize = 0;
  let waiting = 0;
  const end = FRAGMENTS + <usize>gathered * FRAGMENT_BYTES;
  for (let at = FRAGMENTS; at < end; at += FRAGMENT_BYTES) {
    if (changetype<Fragment>(at).triangle === NOTHING) continue;
    if (waiting === 3) {
      meetAll(first, second, third, at);
      waiting = 0;
      continue;
    }
    first = second;
    second = third;
    third = at;
    waiting++;
  }
  if (waiting === 1) meetAll(third, third, third, third);
  if (waiting === 2) meetAll(second, third, third, third);
  if (waiting === 3) meetAll(first, second, third, third);
}

function meetAll(first: usize, second: usize, third: usize, fourth: usize): void {
  meet(
    changetype<Fragment>(first),
    changetype<Fragment>(second),
    changetype<Fragment>(third),
    changetype<Fragment>(fourth),
  );
}

/** Stores the colour of a fragment's samples. */
function keep(fragment: Fragment, color: v128): void {
  for (let rest = fragment.samples; rest !== 0; rest &= rest - 1) {
    const place = load<u32>(PLACES + ((<usize>ctz(rest)) << 2));
    v128.store(colorAt(fragment.firstSample + place), color);
  }
}

/** Writes the pixels of a band whose samples were kept. */
export function resolveBand(row: u32, rows: u32): void {
  for (let j: u32 = 0; j < rows; j++) {
    let first = j * side * canvas.stride;
    let pixel = (row + j) * camera.width;
    for (let i: u32 = 0; i < camera.width; i++, pixel++, first += side) resolvePixel(pixel, first);
  }
}

function resolvePixel(pixel: u32, first: u32): void {
  let total = f32x4.splat(0);
  for (let i: usize = 0; i < (<usize>inPixel) << 2; i += 4) {
    total = f32x4.add(total, v128.load(colorAt(first + load<u32>(PLACES + i))));
  }
  putPixel(pixel, total);
}

/** Writes a pixel by the sum of its samples. */
function putPixel(pixel: u32, total: v128): void {
  const mean = f32x4.mul(total, f32x4.splat(1 / <f32>inPixel));
  const whole = f32x4.add(f32x4.mul(mean, f32x4(65535, 65535, 65535, 255)), f32x4.splat(0.5));
  const limited = i32x4.min_s(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(65535));
  const rgb = canvas.rgb + <usize>pixel * 3;
  const bytes = canvas.byteOfLinear;
  store<u8>(rgb, load<u8>(bytes + <usize>i32x4.extract_lane(limited, 0)));
  store<u8>(rgb, load<u8>(bytes + <usize>i32x4.extract_lane(limited, 1)), 1);
  store<u8>(rgb, load<u8>(bytes + <usize>i32x4.extract_lane(limited, 2)), 2);
  store<u8>(canvas.coverage + <usize>pixel, <u8>i32x4.extract_lane(limited, 3));
}
