// The check of a whole set by its pictures: holes between tiles are found, and nothing else is taken for one.

import { describe, expect, test } from 'vitest';
import { camerasOf, checkStreamed, type DrawCoverage } from '../../../src/cook/steps/verify/checkStreamed.ts';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { type CookedTile, singleTile } from '../../../src/formats/manifest/tiles.ts';
import { box } from '../../tiling/objects.ts';

const BOUNDS = box(0, 0, 100, 100);

/** A tile that the engine shows as `level` from so many metres on, or that ends there. */
function tile(id: string, level: string | null, from = 64): CookedTile {
  return {
    ...singleTile(id, `${id}.untold`),
    bounds: BOUNDS,
    lods: level === null ? [] : [{ path: level, distance: from }],
    distances: {
      streaming: from - 4,
      unload: from + 6,
      prefetch: null,
      lods: level === null ? [] : [from],
      hlod: null,
      isGated: false,
    },
  };
}

/** Draws full detail as a square of `side` pixels in every picture, and levels as `level` says. */
function drawing(side: number, level: (side: number) => readonly [number, number]): DrawCoverage {
  return async (path, _, views) => {
    const isLevel = path.endsWith('_lod.untold');
    const covered = views.map(({ eye, opaque }) => {
      const [width, height] = isLevel ? level(side) : [side, side];
      return { eye, opaque, x: 10, y: 10, width, height, coverage: new Uint8Array(width * height).fill(255) };
    });
    return { covered, triangles: isLevel ? 10 : 100 };
  };
}

const check = (
  tiles: readonly CookedTile[],
  draw: DrawCoverage,
  mayEnd = (_: string) => false,
  diagnostics = new Diagnostics(),
) => {
  const set = { tiles, bounds: BOUNDS };
  return checkStreamed({ set, mayEnd, draw, ahead: 2, source: 's.usda', diagnostics, onPayload: () => {} });
};

async function found(tiles: readonly CookedTile[], draw: DrawCoverage): Promise<string> {
  const error = await check(tiles, draw).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw new Error(`no hole was found: ${error}`);
  const [{ code, path, message }] = error.diagnostics;
  return `${code} ${path}: ${message}`;
}

describe('a tile whose level covers', () => {
  test('the same pixels passes', async () => {
    const figures = await check(
      [tile('a', 'a_lod.untold')],
      drawing(8, (side) => [side, side]),
    );
    // Eight of the twelve cameras stand outside, one of them within 64 m, where full detail is no level.
    expect(figures).toMatchObject({ cameras: 12, judged: 7 * 64, missing: 0, largestHole: 0 });
    // Straight flights begin half a diagonal beside the tile, 70.7 m away: two points at either end lie beyond 64 m. All points
    // of the circle, 106 m from the middle, lie within 64 m of it.
    const straight = { triangles: Math.round((4 * 10 + 60 * 100) / 64), fullTriangles: 100 };
    expect(figures.flights).toEqual([
      { flight: 'along', ...straight },
      { flight: 'across', ...straight },
      { flight: 'around', triangles: 100, fullTriangles: 100 },
    ]);
  });

  test('four pixels fewer in one place passes, and five fail', async () => {
    const narrower = (side: number): readonly [number, number] => [side, side - 1];
    expect(await check([tile('a', 'a_lod.untold')], drawing(4, narrower))).toMatchObject({ largestHole: 4 });
    expect(await found([tile('a', 'a_lod.untold')], drawing(5, narrower))).toMatch(
      /^UC2067 a: 5 pixels of 640 x 360 show nothing where full detail has a surface, seen from \(/,
    );
  });
});

describe('a tile that ends before the engine stops to look for tiles', () => {
  const gone = tile('gone', null);

  test('is a hole', async () => {
    expect(
      await found(
        [gone],
        drawing(8, () => [0, 0]),
      ),
    ).toMatch(/^UC2067 gone: 64 pixels/);
  });

  test('… unless something else is drawn there, or it may end', async () => {
    const beside = tile('beside', 'beside_lod.untold');
    expect(
      await check(
        [gone, beside],
        drawing(8, (side) => [side, side]),
      ),
    ).toMatchObject({ missing: 0 });
    expect(
      await check(
        [gone],
        drawing(8, () => [0, 0]),
        (id) => id === 'gone',
      ),
    ).toMatchObject({ judged: 0 });
  });
});

test('cameras stand around the set and in it', () => {
  const positions = camerasOf(BOUNDS).map(({ position }) => position);
  const inside = positions.filter(([x, , z]) => x > 0 && x < 100 && z > 0 && z < 100);
  expect([positions.length, inside.length]).toEqual([12, 4]);
});

test('levels that save less than half of the triangles are named, with what they save', async () => {
  const reported = async (from: number) => {
    const diagnostics = new Diagnostics();
    const one = tile('a', 'a_lod.untold', from);
    const { flights } = await check(
      [one],
      drawing(8, (side) => [side, side]),
      undefined,
      diagnostics,
    );
    return { flights, codes: diagnostics.list.map(({ code, message }) => `${code} ${message}`) };
  };
  // Full detail of 100 triangles, levels of 10: around the box they always show; of 64 points of a way
  // of 241.4 m, 28 lie within 5 m of it: (28 * 100 + 36 * 10) / 64.
  const much = await reported(5);
  expect(much.flights.map(({ triangles }) => triangles)).toEqual([49, 49, 10]);
  expect(much.codes).toEqual([]);
  expect((await reported(64)).codes).toEqual([
    'UC2068 levels save 6 % of the triangles along, 6 % across and 0 % around the set',
  ]);
});
