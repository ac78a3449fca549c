// Levels judged by pictures: what passes, what fails, and from where.

import { describe, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import type { DrawnMesh } from '../../../src/formats/format.ts';
import { loadFormat } from '../../../src/formats/registry.ts';
import { SharedPositions } from '../../../src/geometry/lod/borders.ts';
import type { Float32Mesh } from '../../../src/geometry/mesh/mesh.ts';
import type { Vec4 } from '../../../src/scene/types.ts';
import { imageFiles } from '../../../src/textures/encode/png.ts';
import { cookLevels } from '../../../src/workers/jobs/cookLevels.ts';
import { LevelJudge } from '../../../src/workers/jobs/levelJudge.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { ground, sphere, stored, surface } from '../../geometry/packed.ts';

const GREEN: Vec4 = [0.1, 0.5, 0.1, 1];
const RED: Vec4 = [0.8, 0.1, 0.1, 1];
const bounds = { min: [0, 0, 0], max: [16, 2, 16] } as const;
const images = async () => null;

async function drawn(geometry: Float32Mesh, baseColor: Vec4): Promise<DrawnMesh> {
  const material = { ...DEFAULT_MATERIAL, name: baseColor.join(), baseColor };
  return {
    naming: { tile: 't' },
    surface: { material, tint: null, palette: null },
    mesh: await stored(geometry),
  };
}

const land = await drawn(ground(0, 0, 16, 8), GREEN);
const ball = (radius: number, color = RED) => drawn(sphere(8, 1, 8, radius, 16), color);
const judgeOf = (meshes: readonly DrawnMesh[], quality: 'draft' | 'good' | 'best' = 'good') =>
  new LevelJudge({ meshes, bounds, images, textures: imageFiles('keep'), nearest: 30, quality });

describe('a level', () => {
  test('that draws the same passes from the nearest distance', async () => {
    const tile = [land, await ball(1)];
    const found = await judgeOf(tile).similarity(tile, 'lod', 30, 60);
    expect(found).toEqual({
      distance: 30,
      ssim: 1,
      psnr: Infinity,
      meanColor: 0,
      passes: true,
      failsByColor: false,
    });
  });

  test('that has another colour fails at every distance', async () => {
    const other = await drawn(ground(0, 0, 16, 8), [0.5, 0.1, 0.1, 1]);
    const found = await judgeOf([land]).similarity([other], 'hlod', 30, 90);
    expect(found.passes).toBe(false);
    expect(found.distance).toBeGreaterThan(60);
  });

  test('that lacks a ball is shown from where the ball is a speck', async () => {
    const judge = judgeOf([land, await ball(1.5)]);
    const near = await judge.similarity([land], 'hlod', 30, 30);
    const far = await judge.similarity([land], 'hlod', 30, 20_000);
    expect(near.passes).toBe(false);
    expect(far.passes).toBe(true);
    expect(far.distance).toBeGreaterThan(30);
    expect(far.distance).toBeLessThan(20_000);
  });

  test('that passes in the views that differ most is not looked at in the others', async () => {
    // The bump on one side of the ball is seen from there.
    const tile = [land, await ball(1.5), await drawn(sphere(9.4, 1.5, 8, 0.25, 16), GREEN)];
    const level = tile.slice(0, 2);
    const inAll = await judgeOf(tile).similarity(level, 'lod', 60, 60);
    const inWorst = await judgeOf(tile).similarity(level, 'lod', 60, 240);
    expect([inAll.passes, inWorst.passes, inWorst.distance]).toEqual([true, true, inAll.distance]);
    expect(inWorst.ssim).toBeLessThan(inAll.ssim);
  });

  test('that lacks what is seen through glass fails', async () => {
    const dome = await drawn(sphere(8, 1, 8, 3, 16), [1, 1, 1, 1]);
    const domeOf = (transmission: number): DrawnMesh => ({
      ...dome,
      surface: { ...dome.surface, material: { ...dome.surface.material, roughness: 0, transmission } },
    });
    const inside = await ball(1.5);
    const glass = await judgeOf([land, domeOf(1), inside]).similarity([land, domeOf(1)], 'lod', 30, 30);
    const solid = await judgeOf([land, domeOf(0), inside]).similarity([land, domeOf(0)], 'lod', 30, 30);
    expect([glass.passes, solid.passes]).toEqual([false, true]);
  });

  test('that equals full detail from one side alone passes by what the other sides show', async () => {
    // A wall hides two balls from +Z. They are as bright, and have changed their colours, which the other sides show.
    const wall = await drawn(
      surface(1, 1, (u, v) => [16 * u, 8 * v, 16]),
      GREEN,
    );
    const of = async (left: Vec4, right: Vec4) => [
      wall,
      await drawn(sphere(5, 3, 14, 1.5, 16), left),
      await drawn(sphere(11, 3, 14, 1.5, 16), right),
    ];
    const [red, green]: Vec4[] = [
      [0.7, 0.12, 0.2, 1],
      [0.1, 0.28, 0.2, 1],
    ];
    const tile = await of(red, green);
    const box = { min: [0, 0, 12], max: [16, 8, 16] } as const;
    const judge = new LevelJudge({
      meshes: tile,
      bounds: box,
      images,
      textures: imageFiles('keep'),
      nearest: 60,
      quality: 'good',
    });
    const found = await judge.similarity(await of(green, red), 'hlod', 60, 60);
    expect([found.ssim > 0.932, found.meanColor < 3]).toEqual([true, true]);
    expect(found.psnr).toBeLessThan(30);
    expect(found.passes).toBe(false);
  });

  test('passes a draft before it passes at its best', async () => {
    const tile = [land, await ball(0.7)];
    const passes = async (quality: 'draft' | 'best') =>
      (await judgeOf(tile, quality).similarity([land], 'hlod', 50, 50)).passes;
    expect([await passes('draft'), await passes('best')]).toEqual([true, false]);
  });
});

test('levels are left out, or moved outwards, by their pictures, and the report says why', async () => {
  const format = { ...(await loadFormat('untold')), textures: imageFiles('keep') };
  const cook = async (similarity: 'draft' | 'good' | 'best' | null) => {
    const diagnostics = new Diagnostics();
    const job = {
      tileId: 'far',
      range: { kind: 'grid', tileSize: 16 },
      bounds: { min: [0, 0, 0], max: [16, 2, 16] },
      meshes: [await drawn(ground(0, 0, 16, 40), GREEN), await drawn(sphere(8, 1, 8, 1.5, 24), RED)],
      lods: [0.5, 0.05],
      hlod: null,
      textureSize: null,
      similarity,
      keepsCompromise: false,
      images,
      shared: new SharedPositions(new Uint32Array(0)),
      format: format,
    } as const;
    const levels = await cookLevels(job, diagnostics, 'f');
    return { levels, reported: diagnostics.reported };
  };
  const unjudged = await cook(null);
  expect(unjudged.levels.length).toBeGreaterThan(0);
  for (const level of unjudged.levels) expect(level).not.toHaveProperty('looksFrom');
  const judged = await cook('good');
  for (const { looksFrom } of judged.levels) expect(looksFrom).toBeGreaterThan(0);
  const left = judged.reported.map(({ item }) => item).filter(({ code }) => code === 'UC2060' || code === 'UC2063');
  // Every level asked for is there or is explained.
  expect(judged.levels.length + left.filter(({ code }) => code === 'UC2060').length).toBe(2);
  for (const { message } of left) expect(message).toMatch(/full detail|triangles/);
  expect(await cook('good')).toEqual(judged);
});

test('no level is made that the engine would never draw', async () => {
  const format = { ...(await loadFormat('untold')), textures: imageFiles('keep') };
  const cook = async (similarity: 'good' | null, streaming: number) => {
    const diagnostics = new Diagnostics();
    const job = {
      tileId: 'far',
      range: { kind: 'given', radii: { streaming, unload: streaming + 100 } },
      bounds: { min: [0, 0, 0], max: [16, 2, 16] },
      meshes: [await drawn(ground(0, 0, 16, 40), GREEN)],
      lods: [0.5],
      hlod: null,
      textureSize: null,
      similarity,
      keepsCompromise: false,
      images,
      shared: new SharedPositions(new Uint32Array(0)),
      format: format,
    } as const;
    const levels = await cookLevels(job, diagnostics, 'f');
    return { count: levels.length, messages: diagnostics.reported.map(({ item }) => `${item.code} ${item.message}`) };
  };
  expect((await cook('good', 490)).count).toBe(1);
  expect(await cook('good', 600)).toEqual({
    count: 0,
    messages: ['UC2060 lod1 (0.5) would be shown from 604 m on, and the engine draws no level beyond 500 m'],
  });
  expect((await cook(null, 600)).count).toBe(1);
});
