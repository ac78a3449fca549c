// The loops around edge collapse (geometry/lod/simplify.ts): which vertices it holds, which triangles it starts from, and
// whether its result may stay. Flags are bytes, 1 for yes.

import { setWord, word } from './words.ts';

/**
 * Adds the flags of `held` (address 0: none) to those of `locked`, and writes to `locks` what `seams` has, with the bits
 * `lock` where a vertex is locked.
 */
export function addLocks(locked: usize, held: usize, seams: usize, count: u32, lock: u32, locks: usize): void {
  for (let v: usize = 0; v < <usize>count; v++) {
    const isLocked = load<u8>(locked + v) | (held === 0 ? 0 : load<u8>(held + v));
    store<u8>(locked + v, isLocked);
    store<u8>(locks + v, load<u8>(seams + v) | (isLocked === 1 ? lock : 0));
  }
}

/** Writes for each vertex the flag of its number, times `scale`. False where a number is not below `flagCount`. */
export function pickFlags(flags: usize, flagCount: u32, numbers: usize, count: u32, scale: u32, to: usize): bool {
  for (let v: u32 = 0; v < count; v++) {
    const number = word(numbers, v);
    if (number >= flagCount) return false;
    store<u8>(to + v, load<u8>(flags + number) * <u8>scale);
  }
  return true;
}

/** Writes the flag of each vertex to its number: vertices of one number have the same flag. */
export function spreadFlags(flags: usize, numbers: usize, count: u32, to: usize): void {
  for (let v: u32 = 0; v < count; v++) store<u8>(to + word(numbers, v), load<u8>(flags + v));
}

/**
 * Copies the corners of the triangles whose component is not flagged in `dropped`; gives how many these are. A component
 * with a locked vertex is not dropped: its flag is cleared.
 */
export function keepComponents(
  indices: usize,
  triangleCount: u32,
  componentOf: usize,
  locked: usize,
  dropped: usize,
  to: usize,
): u32 {
  for (let t: u32 = 0, at = indices; t < triangleCount; t++, at += 12) {
    const a = load<u8>(locked + load<u32>(at));
    const b = load<u8>(locked + load<u32>(at, 4));
    const c = load<u8>(locked + load<u32>(at, 8));
    if ((a | b | c) === 1) store<u8>(dropped + word(componentOf, t), 0);
  }
  let count: u32 = 0;
  for (let t: u32 = 0, at = indices; t < triangleCount; t++, at += 12) {
    if (load<u8>(dropped + word(componentOf, t)) === 1) continue;
    store<u64>(to, load<u64>(at));
    store<u32>(to, load<u32>(at, 8), 8);
    to += 12;
    count += 3;
  }
  return count;
}

/**
 * Copies the corners of the triangles in components that hold a vertex flagged in `held` and not in `heldBefore` (address
 * 0: none); gives how many these are. `isChanged`: zeros, a byte a component. `isOfChanged`: zeros; a byte a vertex, set
 * for those of the triangles copied.
 */
export function changedCorners(
  indices: usize,
  triangleCount: u32,
  componentOf: usize,
  held: usize,
  heldBefore: usize,
  isChanged: usize,
  isOfChanged: usize,
  to: usize,
): u32 {
  for (let t: u32 = 0, at = indices; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++, at += 4) {
      const v = load<u32>(at);
      if (load<u8>(held + v) !== 1 || (heldBefore !== 0 && load<u8>(heldBefore + v) === 1)) continue;
      store<u8>(isChanged + word(componentOf, t), 1);
    }
  }
  let count: u32 = 0;
  for (let t: u32 = 0, at = indices; t < triangleCount; t++, at += 12) {
    if (load<u8>(isChanged + word(componentOf, t)) === 0) continue;
    for (let k: usize = 0; k < 12; k += 4) {
      const v = load<u32>(at + k);
      store<u8>(isOfChanged + v, 1);
      store<u32>(to + k, v);
    }
    to += 12;
    count += 3;
  }
  return count;
}

/** Copies the corners whose vertices have no flag; gives how many these are. */
export function unflaggedCorners(indices: usize, count: u32, flags: usize, to: usize): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(indices, i);
    if (load<u8>(flags + v) !== 0) continue;
    setWord(to, kept, v);
    kept++;
  }
  return kept;
}

/** Whether `before` uses a locked position that `after` does not. `used`: zeros, a byte for each position id. */
export function losesLocked(
  before: usize,
  beforeCount: u32,
  after: usize,
  afterCount: u32,
  ids: usize,
  locked: usize,
  used: usize,
): bool {
  for (let i: u32 = 0; i < afterCount; i++) store<u8>(used + word(ids, word(after, i)), 1);
  for (let i: u32 = 0; i < beforeCount; i++) {
    const v = word(before, i);
    if (load<u8>(locked + v) === 1 && load<u8>(used + word(ids, v)) === 0) return true;
  }
  return false;
}

/** Whether a triangle has corners of several meshes. */
export function mixesMeshes(indices: usize, count: u32, meshOf: usize): bool {
  const end = indices + ((<usize>count) << 2);
  for (let at = indices; at < end; at += 12) {
    const mesh = word(meshOf, load<u32>(at));
    if (word(meshOf, load<u32>(at, 4)) !== mesh || word(meshOf, load<u32>(at, 8)) !== mesh) return true;
  }
  return false;
}

/** The vertex nearest to a point, the first of equals. At least one position. */
export function nearestVertex(positions: usize, count: u32, x: f64, y: f64, z: f64): u32 {
  let lowest: f64 = Infinity;
  let nearest: u32 = 0;
  for (let v: u32 = 0, at = positions; v < count; v++, at += 12) {
    const dx = <f64>load<f32>(at) - x;
    const dy = <f64>load<f32>(at, 4) - y;
    const dz = <f64>load<f32>(at, 8) - z;
    const d = dx * dx + dy * dy + dz * dz;
    if (d >= lowest) continue;
    lowest = d;
    nearest = v;
  }
  return nearest;
}
