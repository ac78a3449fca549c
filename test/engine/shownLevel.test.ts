import { describe, expect, test } from 'vitest';
import { shownLevel, showsShared, type TileDistances } from '../../src/engine/shownLevel.ts';

/** Full detail is requested up to half-way between 40 and 60 m, and one more. */
const TILE: TileDistances = {
  streaming: 40,
  unload: 60,
  prefetch: null,
  lods: [44, 48],
  hlod: 55,
  isGated: false,
};

/** What is shown at each distance: `full`, `lod0`, `hlod` or `-`. */
function shown(tile: TileDistances, ...distances: number[]): string {
  const words = distances.map((distance) => {
    const level = shownLevel(tile, distance);
    if (level === null) return '-';
    return level.kind === 'lod' ? `lod${level.index}` : level.kind;
  });
  return words.join(' ');
}

describe('shownLevel', () => {
  test('goes from full detail over the levels to the HLOD, and to nothing', () => {
    expect(shown(TILE, 0, 44, 44.1, 47.9, 48, 54.9, 55, 500, 500.1)).toBe('full full lod0 lod0 lod1 lod1 hlod hlod -');
  });

  test('takes levels in any order', () => {
    expect(shown({ ...TILE, lods: [48, 44] }, 30, 45, 50)).toBe('full lod1 lod0');
  });

  test('without levels shows full detail as far as it is requested', () => {
    const bare = { ...TILE, lods: [], hlod: null };
    expect(shown(bare, 51, 51.1, 100)).toBe('full - -');
    expect(shown({ ...bare, prefetch: 45 }, 46, 46.1)).toBe('full -');
    // The loader keeps the prefetch distance between the radii; 0 is none.
    expect(shown({ ...bare, prefetch: 10 }, 41, 41.1)).toBe('full -');
    expect(shown({ ...bare, prefetch: 99 }, 61, 61.1)).toBe('full -');
    expect(shown({ ...bare, prefetch: 0 }, 51)).toBe('full');
    // The unload radius is raised to 4 m beyond the streaming radius.
    expect(shown({ ...bare, unload: 10 }, 43, 43.1)).toBe('full -');
  });

  test('between full detail and the first level shows that level', () => {
    // Full detail ends at 51; the LOD begins at 58, which the loader allows up to 4 m before the unload radius of 70.
    const tile = { ...TILE, unload: 70, prefetch: 50, lods: [58], hlod: null };
    expect(shown(tile, 51, 52, 57, 58, 400)).toBe('full lod0 lod0 lod0 lod0');
    expect(shown({ ...tile, lods: [], hlod: 65 }, 51, 52, 64, 66)).toBe('full hlod hlod hlod');
  });

  test('a gated tile shows a level in place of full detail, or nothing', () => {
    expect(shown({ ...TILE, isGated: true }, 0, 46, 60)).toBe('lod0 lod0 hlod');
    expect(shown({ ...TILE, isGated: true, lods: [], hlod: null }, 0)).toBe('-');
  });
});

test('the shared bucket is shown half-way between its radii, or without them as far as the loader looks', () => {
  expect([75, 76, 76.1].map((distance) => showsShared(50, 100, distance))).toEqual([true, true, false]);
  expect([500, 501].map((distance) => showsShared(null, null, distance))).toEqual([true, false]);
});
