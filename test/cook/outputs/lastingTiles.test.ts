// What a cook says of tiles without levels, from data of a set that is made by hand.

import { describe, expect, test } from 'vitest';
import { type SetParts, settledSet } from '../../../src/cook/outputs/tileSet/assembleSet.ts';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import type { SetTile } from '../../../src/formats/manifest/write.ts';
import { box } from '../../tiling/objects.ts';

/** A tile of 25 m at x. */
function tile(id: string, x: number, more: Partial<SetTile> = {}): SetTile {
  const bounds = box(x, 0, x + 25, 25);
  return {
    planned: {
      id,
      cell: [0, 0, 0],
      tree: null,
      bounds,
      priority: 10,
      range: { kind: 'grid', tileSize: 25 },
      objects: [],
      estimate: { triangles: 1 },
    },
    path: `${id}.untold`,
    bytes: 1000,
    gpuBytes: 1000,
    meshes: 1,
    vertices: 3,
    bounds,
    ...more,
  };
}

/** What is reported of a set of these tiles. */
function reported(tiles: readonly SetTile[]): string[] {
  const diagnostics = new Diagnostics();
  const plan = { defaultRange: { kind: 'grid', tileSize: 25 } };
  const parts = { source: 's.usda', plan, tiles, shared: null, clusters: [], counts: null } as unknown as SetParts;
  settledSet(parts, diagnostics);
  return diagnostics.list.map(({ code, message }) => `${code} ${message}`);
}

const LEVEL = { path: 'lod', error: 0.01 };

describe('tiles without levels', () => {
  test('are named where full detail stands for levels', () => {
    const bare = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, i) => tile(id, i * 25, { gpuBytes: 500_000 }));
    expect(reported([tile('levelled', -25, { lods: [LEVEL] }), ...bare])).toEqual([
      'UC2065 full detail of 6 tiles is drawn up to 500 m, 3.0 MB on the GPU: a, b, c, d, e and 1 more',
    ]);
    expect(reported([tile('levelled', 0, { lods: [LEVEL] })])).toEqual([]);
  });

  test('end before others where nobody asked for levels and all geometry has no room in memory, with a warning', () => {
    const wide = tile('wide', 0, { bounds: box(0, 0, 100, 100) });
    expect(reported([wide, tile('small', 30, { gpuBytes: 4e8 })])).toEqual([
      expect.stringMatching(/^UC2066 1 tile ends before the others, which are drawn up to \d+(\.\d+)? m: small$/),
    ]);
    expect(reported([wide, tile('small', 30)])).toEqual([]);
  });
});
