// Numbers for fuzzing that depend on a seed alone, so that every case can be made again.

/** Whole numbers from 0 to `below`, exclusive. */
export type Random = (below: number) => number;

/** mulberry32: small, seeded, good enough to choose bytes. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)];
}

/** A seed of 32 bits from several values (FNV-1a). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join('\0')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash | 0;
}
