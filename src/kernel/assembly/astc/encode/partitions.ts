// The patterns that part a block in two, and those that come nearest to a division of its texels.

import { partitionTexels } from '../partitions.ts';
import { allBits, block, CHANNEL, INSIDE, LANES, MASKS, sum, TEXELS } from './state.ts';

const PATTERNS: u32 = 1024;
/** For each pattern that differs from those before: its number, and the texels of partition 1 as bits. */
const NUMBERS: usize = memory.data(1024 * 2, 16);
const BITS: usize = memory.data(1024 * 8, 16);
/** How many texels each pattern puts elsewhere than the division at hand. */
const DISTANCES: usize = memory.data(1024, 16);
/** How many patterns have each distance. A block has at most 64 texels, of which half can be elsewhere. */
const FARTHEST: u32 = 32;
const HISTOGRAM: usize = memory.data((FARTHEST + 1) * 4, 16);

/** An open hash table of the patterns found so far: their place in BITS, from 1. */
const SLOTS: u32 = 4096;
const TABLE: usize = memory.data(4096 * 2, 16);
const PARTS: usize = memory.data(LANES, 16);
const POSITIONS: usize = memory.data(CHANNEL, 16);

let count: u32 = 0;

/** Lists the different patterns of blocks of `side` by `side` texels. */
export function preparePartitions(side: u32): void {
  memory.fill(TABLE, 0, SLOTS * 2);
  const texels = side * side;
  const all = allBits(texels);
  count = 0;
  for (let pattern: u32 = 0; pattern < PATTERNS; pattern++) {
    partitionTexels(pattern, 2, side, side, PARTS);
    let bits: u64 = 0;
    for (let i: u32 = 0; i < texels; i++) bits |= (<u64>load<u8>(PARTS + i)) << i;
    if (bits === 0 || bits === all) continue;
    // A pattern and its opposite are the same division.
    const key = (bits & 1) !== 0 ? bits ^ all : bits;
    if (!isNew(key, all)) continue;
    store<u16>(NUMBERS + ((<usize>count) << 1), pattern);
    store<u64>(BITS + ((<usize>count) << 3), bits);
    count++;
    store<u16>(TABLE + ((<usize>slot) << 1), count);
  }
}

/** Where the last key that was looked up belongs. */
let slot: u32 = 0;

function isNew(key: u64, all: u64): bool {
  slot = <u32>((key * 0x1e3779b97f4a7d) >> 52);
  let found: u32 = load<u16>(TABLE + ((<usize>slot) << 1));
  while (found !== 0) {
    const bits = load<u64>(BITS + ((<usize>found - 1) << 3));
    if (((bits & 1) !== 0 ? bits ^ all : bits) === key) return false;
    slot = (slot + 1) & (SLOTS - 1);
    found = load<u16>(TABLE + ((<usize>slot) << 1));
  }
  return true;
}

function patternNumber(index: u32): u32 {
  return load<u16>(NUMBERS + ((<usize>index) << 1));
}

export function patternBits(index: u32): u64 {
  return load<u64>(BITS + ((<usize>index) << 3));
}

/** Writes the indices of up to `highest` patterns nearest to a division of the texels; gives how many. 16 bits each. */
export function nearestPatterns(division: u64, highest: u32, to: usize): u32 {
  const texels = block.texels;
  memory.fill(HISTOGRAM, 0, (FARTHEST + 1) * 4);
  for (let i: u32 = 0; i < count; i++) {
    const differing = <u32>popcnt<u64>(division ^ patternBits(i));
    const distance = min(differing, texels - differing);
    store<u8>(DISTANCES + i, distance);
    const cell = HISTOGRAM + ((<usize>distance) << 2);
    store<u32>(cell, load<u32>(cell) + 1);
  }
  // All patterns nearer than `limit`, then as many of that distance as there is room for.
  let limit: u32 = 0;
  let nearer: u32 = 0;
  while (limit < FARTHEST && nearer + load<u32>(HISTOGRAM + ((<usize>limit) << 2)) <= highest) {
    nearer += load<u32>(HISTOGRAM + ((<usize>limit) << 2));
    limit++;
  }
  let room = highest - nearer;
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const distance: u32 = load<u8>(DISTANCES + i);
    if (distance > limit) continue;
    if (distance === limit) {
      if (room === 0) continue;
      room--;
    }
    store<u16>(to + ((<usize>found) << 1), i);
    found++;
  }
  return found;
}

/** Puts all texels into partition 0. */
export function useOnePartition(): void {
  block.partitions = 1;
  block.pattern = 0;
  memory.copy(MASKS, INSIDE, CHANNEL);
}

/** Parts the texels by a pattern. */
export function usePattern(index: u32): void {
  const bits = patternBits(index);
  block.partitions = 2;
  block.pattern = patternNumber(index);
  for (let i: u32 = 0; i < block.texels; i++) {
    const second = -(<u32>((bits >> i) & 1));
    store<u32>(MASKS + ((<usize>i) << 2), ~second);
    store<u32>(MASKS + ((<usize>i) << 2) + CHANNEL, second);
  }
}

/** The texels beyond the mean of a line as bits. `positions`: of the texels along it. */
export function divisionAlong(positions: usize): u64 {
  let bits: u64 = 0;
  const zero = f32x4.splat(0);
  for (let i: u32 = 0; i < block.texels; i += 4) {
    bits |= (<u64>i32x4.bitmask(f32x4.gt(v128.load(positions + ((<usize>i) << 2)), zero))) << i;
  }
  return bits & allBits(block.texels);
}

/** Moves each texel to the part whose mean is nearer: a step of Lloyd's algorithm. */
export function improvedDivision(division: u64): u64 {
  const texels = block.texels;
  const members = <u32>popcnt<u64>(division);
  if (members === 0 || members === texels) return division;
  const end = (<usize>texels) << 2;
  for (let i: u32 = 0; i < texels; i++) {
    store<u32>(MASKS + ((<usize>i) << 2), -(<u32>((division >> i) & 1)));
  }
  memory.fill(POSITIONS, 0, end);
  for (let c: u32 = 0; c < block.channels; c++) {
    const values = TEXELS + c * CHANNEL;
    let total = f32x4.splat(0);
    let inside = f32x4.splat(0);
    for (let at: usize = 0; at < end; at += 16) {
      const x = v128.load(values + at);
      total = f32x4.add(total, x);
      inside = f32x4.add(inside, v128.and(x, v128.load(MASKS + at)));
    }
    const all = sum(total);
    const second = sum(inside);
    const secondMean = second / <f32>members;
    const firstMean = (all - second) / <f32>(texels - members);
    const difference = f32x4.splat(secondMean - firstMean);
    const centre = f32x4.splat((secondMean + firstMean) * 0.5);
    for (let at: usize = 0; at < end; at += 16) {
      const along = f32x4.mul(f32x4.sub(v128.load(values + at), centre), difference);
      v128.store(POSITIONS + at, f32x4.add(v128.load(POSITIONS + at), along));
    }
  }
  return divisionAlong(POSITIONS);
}
