// The levels of one tile where pictures decide: how often they are made, and what they keep.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import type { DrawnMesh } from '../../../src/formats/format.ts';
import { loadFormat } from '../../../src/formats/registry.ts';
import { SharedPositions } from '../../../src/geometry/lod/borders.ts';
import { LevelMaker } from '../../../src/geometry/lod/levels.ts';
import type { Float32Mesh } from '../../../src/geometry/mesh/mesh.ts';
import type { Vec4 } from '../../../src/scene/types.ts';
import { imageFiles } from '../../../src/textures/encode/png.ts';
import { cookLevels } from '../../../src/workers/jobs/cookLevels.ts';
import { LevelJudge } from '../../../src/workers/jobs/levelJudge.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { ground, leaves, sphere, stored } from '../../geometry/packed.ts';

afterEach(() => void vi.restoreAllMocks());

const GREEN: Vec4 = [0.1, 0.5, 0.1, 1];
const RED: Vec4 = [0.8, 0.1, 0.1, 1];

async function drawn(mesh: Float32Mesh, baseColor: Vec4, alphaMode: 'opaque' | 'mask' = 'opaque'): Promise<DrawnMesh> {
  const material = { ...DEFAULT_MATERIAL, name: baseColor.join(), baseColor, alphaMode };
  return { naming: { tile: 't' }, surface: { material, tint: null, palette: null }, mesh: await stored(mesh) };
}

/** Levels of a tile of 16 m, with the reports and how often any was made. */
async function cook(
  meshes: readonly DrawnMesh[],
  lods: readonly number[],
  similarity: 'good' | null,
  keepsCompromise = false,
) {
  const make = vi.spyOn(LevelMaker.prototype, 'make');
  const diagnostics = new Diagnostics();
  const levels = await cookLevels(
    {
      tileId: 't',
      range: { kind: 'grid', tileSize: 16 },
      bounds: { min: [0, 0, 0], max: [16, 4, 16] },
      meshes,
      lods,
      hlod: null,
      textureSize: null,
      similarity,
      keepsCompromise,
      images: async () => null,
      shared: new SharedPositions(new Uint32Array(0)),
      format: { ...(await loadFormat('untold')), textures: imageFiles('keep') },
    },
    diagnostics,
    'f',
  );
  const reported = diagnostics.reported.map(({ item }) => `${item.code} ${item.message}`);
  return { levels, reported, makes: make.mock.calls.length, requests: make.mock.calls.map(([, request]) => request) };
}

/** Balls in rows: their shading and their outlines need triangles. */
async function balls(): Promise<DrawnMesh[]> {
  const centres = [2, 6, 10, 14].flatMap((x) => [2, 6, 10, 14].map((z) => [x, z] as const));
  const meshes = [await drawn(ground(0, 0, 16, 8), GREEN)];
  for (const [x, z] of centres) meshes.push(await drawn(sphere(x, 2, z, 1.8, 20), RED));
  return meshes;
}

describe('where pictures decide', () => {
  test('a level that would fail at its share is made with the triangles that it is likely to need', async () => {
    const { levels, reported, requests } = await cook(await balls(), [0.5, 0.02], 'good');
    expect(levels.map(({ name }) => name)).toEqual(['lod1', 'lod2']);
    // One for the first level; for the second, one for the nearest distance and one for the usual distance at most.
    expect(requests.length).toBeLessThanOrEqual(3);
    for (const { ratio } of requests.slice(1)) expect(ratio).toBeGreaterThan(0.02);
    expect(levels[1].triangles).toBeLessThanOrEqual(0.8 * levels[0].triangles);
    expect(reported.join('\n')).toMatch(/UC2063 lod2 has \d+ of the tile's \d+ triangles, more than the share of 0.02/);
  });

  test('foliage is not thinned', async () => {
    const [land, crown] = await Promise.all([stored(ground(0, 0, 16, 40)), stored(leaves(200, 0.8))]);
    const tile = [
      { mesh: land, cards: false, textured: false },
      { mesh: crown, cards: true, textured: true },
    ];
    const cardsOf = async (judged: boolean) => {
      const maker = new LevelMaker(tile, (positions) => new Uint8Array(positions.length / 3));
      const made = await maker.make(tile, { ratio: 0.5, limit: 0.5, judged });
      if ('obstacle' in made) throw new Error(JSON.stringify(made));
      return (made.meshes[1]?.indices.length ?? 0) / 6;
    };
    expect([await cardsOf(true), (await cardsOf(false)) < 110]).toEqual([200, true]);
  });

  test('where none passes, the most similar one is kept if the set has no room for full detail', async () => {
    const similarity = vi.spyOn(LevelJudge.prototype, 'similarity');
    let looked = 0;
    similarity.mockImplementation(async (_meshes, _kind, _nearest, distance) => {
      const ssim = [0.91, 0.9, 0.89][looked++] ?? 0.8;
      return { distance, ssim, psnr: 30, meanColor: 1, passes: false, failsByColor: false };
    });
    try {
      expect((await cook(await balls(), [0.5], 'good')).levels).toEqual([]);
      looked = 0;
      const { levels, reported } = await cook(await balls(), [0.5], 'good', true);
      // The furthest distance of a LOD: twice the radius of four diagonals of 16 by 4 by 16 m, 91.92 m.
      expect(levels).toMatchObject([{ name: 'lod1', fileType: 'lod', looksFrom: 183.84 }]);
      expect(reported.filter((text) => text.startsWith('UC2064'))).toEqual([
        expect.stringMatching(/^UC2064 lod1 is shown from 183\.84 m with SSIM 0\.\d{3}$/),
      ]);
    } finally {
      similarity.mockRestore();
    }
  });

  test('no level is made again from what stopped the one before', async () => {
    const { levels, reported, makes } = await cook([await drawn(ground(0, 0, 16, 1), GREEN)], [0.5, 0.3, 0.2], 'good');
    expect(levels).toEqual([]);
    // Once for the nearest distance, once for the usual one, once for the furthest.
    expect(makes).toBe(3);
    expect(reported).toHaveLength(3);
  });
});
