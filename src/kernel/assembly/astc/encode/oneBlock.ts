// One block of an image: its tables, its texels, its effort, and what it loses. image.ts is a file apart, because what the kernel exports
// is compiled by itself: state of a file that others import too would be there twice.

import { addBlock, Loss } from '../loss.ts';
import { Effort, searchBlock } from './block.ts';
import { setScales, splitChannels } from './fit.ts';
import { prepareGrids } from './grids.ts';
import { prepareLevels } from './levels.ts';
import { prepareModes } from './modes.ts';
import { packBest, packColor } from './pack.ts';
import { preparePartitions } from './partitions.ts';
import { forgetBlocks, keepBlock, plainColor, takeKept } from './repeats.ts';
import { best, block, CHANNEL, INSIDE, LENGTHS, MASKS, PIXELS } from './state.ts';

/** What an image is: textures/encode/astc.ts has the same numbers. */
const COLOR: u32 = 0;
const NORMAL: u32 = 1;
const OPACITY: u32 = 3;

const EFFORT_WORDS: u32 = 13;
/** Squared error of a texel at which a block may repeat another, in 1/100: a step of 8 bits in one channel. */
const REPEATED: u32 = 100;
/** The words of each Effort in their order. */
// biome-ignore format: a row an effort
const EFFORTS: usize = memory.data<u32>([
  // 4 by 4 colours and opacity: fast, medium, thorough.
  1, 1, 1, 2, 1, 1, 1, 4, 1, 1, 0, 400, 30,
  1, 3, 2, 3, 2, 1, 1, 6, 1, 2, 1, 30, 10,
  9, 9, 3, 8, 4, 4, 6, 48, 12, 4, 3, 0, 0,
  // Normals.
  1, 4, 1, 1, 0, 1, 3, 0, 0, 1, 0, 50, 10,
  1, 6, 1, 1, 0, 1, 4, 0, 0, 1, 1, 5, 10,
  9, 9, 3, 8, 0, 1, 12, 48, 12, 4, 3, 0, 0,
  // Larger blocks: all but normals, then normals.
  12, 3, 2, 1, 1, 1, 1, 2, 1, 1, 0, 800, 30,
  12, 12, 2, 4, 2, 2, 2, 8, 2, 2, 1, 30, 10,
  12, 12, 3, 10, 4, 4, 6, 48, 12, 4, 3, 0, 0,
  12, 3, 1, 1, 0, 1, 2, 0, 0, 1, 0, 100, 10,
  9, 4, 1, 1, 0, 1, 3, 0, 0, 1, 0, 20, 10,
  12, 12, 3, 10, 0, 1, 6, 48, 12, 4, 3, 0, 0,
]);

/** The least squared Z of a normal that weighs X and Y: without a limit one of them would count alone near the horizon. */
const STEEPEST: f32 = 0.1;

/** Squared bytes of X and Y for a squared length of 1. */
const CHORD: f64 = 127.5 * 127.5;

let prepared: u32 = 0;

/** Fills all tables for blocks of `side` by `side` texels, unless the last call did: they depend on nothing else. */
function prepare(side: u32): void {
  if (prepared === side) return;
  prepareLevels();
  prepareGrids(side);
  prepareModes();
  preparePartitions(side);
  const texels = side * side;
  block.texels = texels;
  memory.fill(INSIDE, 0, CHANNEL);
  memory.fill(INSIDE, 0xff, texels << 2);
  // What fills the last vector belongs to no partition, and its lines have no length.
  memory.fill(MASKS, 0, 2 * CHANNEL);
  memory.fill(LENGTHS, 0, 2 * CHANNEL);
  prepared = side;
}

function effortOf(kind: u32, side: u32, quality: u32): Effort {
  const first: u32 = (side > 4 ? 6 : 0) + (kind === NORMAL ? 3 : 0);
  return changetype<Effort>(EFFORTS + (first + quality) * EFFORT_WORDS * 4);
}

/** Begins a row of blocks: none stands for those of another row. */
export function beginRow(): void {
  forgetBlocks();
  best.mode = 0;
}

/** Encodes the block from `left` and `top` on. `loss`: a Loss to which is added what the block loses; 0: nobody asks. */
export function encodeBlockAt(
  pixels: usize,
  width: u32,
  height: u32,
  kind: u32,
  side: u32,
  quality: u32,
  left: u32,
  top: u32,
  loss: usize,
  to: usize,
): void {
  prepare(side);
  readPixels(pixels, width, height, left, top, side);
  const isKnown = encodeBlock(kind, side, effortOf(kind, side, quality), to);
  if (loss === 0) return;
  const sums = changetype<Loss>(loss);
  if (isKnown && left + side <= width && top + side <= height) addKnown(kind, sums);
  else addBlock(to, pixels, width, height, left, top, kind, side, sums);
}

/** Copies the texels of a block to PIXELS. */
function readPixels(pixels: usize, width: u32, height: u32, left: u32, top: u32, side: u32): void {
  let to = PIXELS;
  const inside = min(side, width - left);
  for (let y: u32 = 0; y < side; y++) {
    const from = pixels + ((<usize>min(top + y, height - 1) * width + left) << 2);
    for (let x: u32 = 0; x < inside; x++, to += 4) store<u32>(to, load<u32>(from + ((<usize>x) << 2)));
    const last = load<u32>(to - 4);
    for (let x = inside; x < side; x++, to += 4) store<u32>(to, last);
  }
  // 25 texels end within a vector of four.
  const first = load<u32>(PIXELS);
  for (; (to & 15) !== 0; to += 4) store<u32>(to, first);
}

/** Gives whether the error of the best candidate is what the block loses: it is no colour or datum with alpha, and no repetition. */
function encodeBlock(kind: u32, side: u32, effort: Effort, to: usize): bool {
  const end = PIXELS + ((<usize>block.texels) << 2);
  if (kind === OPACITY || kind === NORMAL) {
    // Only the channels that are stored count: what the others differ in would keep a flat block from being one.
    for (let at = PIXELS; at < end; at += 4) {
      const value = load<u32>(at);
      const first = value & 0xff;
      const last: u32 = kind === NORMAL ? (value >> 8) & 0xff : 0xff;
      store<u32>(at, (first * 0x10101) | (last << 24));
    }
  }
  const stored = load<u32>(PIXELS);
  const one = i32x4.splat(stored);
  let differing = i32x4.splat(0);
  let opaque = i32x4.splat(-1);
  let colored = i32x4.splat(0);
  for (let at = PIXELS; at < end; at += 16) {
    const pixels = v128.load(at);
    differing = v128.or(differing, v128.xor(pixels, one));
    opaque = v128.and(opaque, pixels);
    // Red against green and green against blue, in the lower two bytes.
    colored = v128.or(colored, v128.xor(pixels, i32x4.shr_u(pixels, 8)));
  }
  if (!v128.any_true(differing)) {
    packColor(stored, to);
    best.error = 0;
    return true;
  }
  const isOpaque = i32x4.all_true(i32x4.eq(v128.and(opaque, i32x4.splat(0xff000000)), i32x4.splat(0xff000000)));
  const isGrey = !v128.any_true(v128.and(colored, i32x4.splat(0xffff)));
  block.isRounded = kind === COLOR && (isOpaque || !isGrey) ? 1 : 0;
  if (kind === NORMAL) {
    setScales(normalScales());
    splitChannels(2, 0, 24);
  } else if (isGrey) {
    // An error of luminance is one of three channels.
    setScales(isOpaque ? f32x4.splat(1) : f32x4(1.7320508, 1, 1, 1));
    splitChannels(isOpaque ? 1 : 2, 0, isOpaque ? 0 : 24);
  } else {
    setScales(f32x4.splat(1));
    splitChannels(isOpaque ? 3 : 4, 0, isOpaque ? 16 : 24);
  }
  const most = min(effort.enough, REPEATED) * block.texels;
  if (effort.enough > 0) {
    const plain = plainColor(most / 100);
    if (plain >= 0) {
      packColor(<u32>plain, to);
      return false;
    }
    if (takeKept(most / 100, to)) return false;
  }
  searchBlock(effort);
  packBest(to);
  if (best.error * 100 <= <f32>most) keepBlock(to, side, kind === COLOR);
  return kind === NORMAL || isOpaque;
}

/** Adds the error of the best candidate: of luminance that of three equal channels. */
function addKnown(kind: u32, loss: Loss): void {
  const texels = <f64>block.texels;
  const isGrey = kind !== NORMAL && kind !== OPACITY && block.channels === 1;
  loss.squares += isGrey ? 3 * <f64>best.error : kind === NORMAL ? <f64>best.error / CHORD : <f64>best.error;
  loss.weight += kind === NORMAL || kind === OPACITY ? texels : 3 * texels;
  if (kind !== NORMAL && kind !== OPACITY) loss.alphaWeight += texels;
}

/**
 * The weights of X and Y of a block's normals. Z follows from them: dz = −(x dx + y dy) / z, so that an error of the greater
 * one turns a steep normal further. Both weights are those of the block's mean normal.
 */
function normalScales(): v128 {
  const texels = block.texels;
  let x: f32 = 0;
  let y: f32 = 0;
  for (let i: u32 = 0; i < texels; i++) {
    const pixel = load<u32>(PIXELS + ((<usize>i) << 2));
    x += <f32>(pixel & 0xff);
    y += <f32>(pixel >> 24);
  }
  const factor: f32 = 1 / (<f32>texels * 127.5);
  x = x * factor - 1;
  y = y * factor - 1;
  const zz = max<f32>(1 - x * x - y * y, STEEPEST);
  return f32x4(sqrt<f32>(1 + (x * x) / zz), sqrt<f32>(1 + (y * y) / zz), 1, 1);
}
