// The levels of an image, each made from the one before, row by row: no level is ever in memory as float32.

import { decodeRow } from './decode.ts';
import { encodeRow } from './encode.ts';
import { Chain, Level, Resampling, Windows } from './layout.ts';

/** Makes all levels of the chain from the first one. */
export function makeMips(chain: Chain): void {
  for (let i = chain.levelCount; i-- > 0; ) {
    const level = changetype<Level>(<usize>load<u32>(chain.levels + ((<usize>i) << 2)));
    while (level.made < level.height) makeRow(chain, level);
  }
}

/** Makes the next row of a level, and before it the rows of the finer one that it needs. */
function makeRow(chain: Chain, level: Level): void {
  const y = level.made++;
  const finer = level.finer;
  if (changetype<usize>(finer) === 0) {
    decodeRow(chain, level, y);
    return;
  }
  const sharp = level.sharp;
  const soft = level.soft;
  const hasSoft = changetype<usize>(soft) !== 0;
  let end = endOf(sharp.down, y);
  if (hasSoft) end = max(end, endOf(soft.down, y));
  for (end = min(end, finer.height); level.taken < end; level.taken++) {
    makeRow(chain, finer);
    const slot = (<usize>(level.taken % level.slots) * <usize>level.width) << 4;
    filterAcross(finer.sharp.row, sharp.across, level.width, sharp.ring + slot);
    if (hasSoft) filterAcross(finer.soft.row, soft.across, level.width, soft.ring + slot);
  }
  filterDown(sharp, y, level, finer.height - 1);
  if (hasSoft) filterDown(soft, y, level, finer.height - 1);
  encodeRow(chain, level, y);
}

/** The row after the window of output y. */
function endOf(windows: Windows, y: u32): u32 {
  return load<u32>(windows.starts + ((<usize>y) << 2)) + windows.taps;
}

function filterAcross(from: usize, windows: Windows, width: u32, to: usize): void {
  const taps = (<usize>windows.taps) << 2;
  let starts = windows.starts;
  let weight = windows.weights;
  for (const end = to + ((<usize>width) << 4); to < end; to += 16, starts += 4) {
    let at = from + ((<usize>load<u32>(starts)) << 4);
    let even = f32x4.splat(0);
    let odd = f32x4.splat(0);
    for (const last = weight + taps; weight < last; weight += 16, at += 64) {
      even = f32x4.add(even, f32x4.mul(v128.load32_splat(weight), v128.load(at)));
      odd = f32x4.add(odd, f32x4.mul(v128.load32_splat(weight, 4), v128.load(at, 16)));
      even = f32x4.add(even, f32x4.mul(v128.load32_splat(weight, 8), v128.load(at, 32)));
      odd = f32x4.add(odd, f32x4.mul(v128.load32_splat(weight, 12), v128.load(at, 48)));
    }
    v128.store(to, f32x4.add(even, odd));
  }
}

/** Sums the rows of a window, four at a time. */
function filterDown(resampling: Resampling, y: u32, level: Level, lastRow: u32): void {
  const windows = resampling.down;
  const start = load<u32>(windows.starts + ((<usize>y) << 2));
  const bytes = (<usize>level.width) << 4;
  const row = resampling.row;
  let weight = windows.weights + ((<usize>y * <usize>windows.taps) << 2);
  for (let tap: u32 = 0; tap < windows.taps; tap += 4, weight += 16) {
    // A window longer than the level is high has weights of 0 in the end: any row that is there will do for them.
    let a = resampling.ring + <usize>(min(start + tap, lastRow) % level.slots) * bytes;
    let b = resampling.ring + <usize>(min(start + tap + 1, lastRow) % level.slots) * bytes;
    let c = resampling.ring + <usize>(min(start + tap + 2, lastRow) % level.slots) * bytes;
    let d = resampling.ring + <usize>(min(start + tap + 3, lastRow) % level.slots) * bytes;
    const wa = v128.load32_splat(weight);
    const wb = v128.load32_splat(weight, 4);
    const wc = v128.load32_splat(weight, 8);
    const wd = v128.load32_splat(weight, 12);
    for (let to = row, end = row + bytes; to < end; to += 16, a += 16, b += 16, c += 16, d += 16) {
      const upper = f32x4.add(f32x4.mul(wa, v128.load(a)), f32x4.mul(wb, v128.load(b)));
      const lower = f32x4.add(f32x4.mul(wc, v128.load(c)), f32x4.mul(wd, v128.load(d)));
      const four = f32x4.add(upper, lower);
      v128.store(to, tap === 0 ? four : f32x4.add(v128.load(to), four));
    }
  }
}
