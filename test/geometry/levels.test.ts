// Levels over generated tiles: neighbours meet bit for bit, triangles fall, errors are what an independent sampling
// finds, equal input gives equal bytes, and what must not change does not.

import { describe, expect, test } from 'vitest';
import { isMadeOfCards, plantedCards, thinCards } from '../../src/geometry/hlod/cards.ts';
import { BorderMap, borderPositions, neighboursOf, SharedPositions } from '../../src/geometry/lod/borders.ts';
import { type Level, LevelMaker, partsOf } from '../../src/geometry/lod/levels.ts';
import type { SimplifiedMesh } from '../../src/geometry/lod/simplifiedMesh.ts';
import { simplifyParts } from '../../src/geometry/lod/simplify.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import type { PickedMesh } from '../../src/geometry/mesh/united.ts';
import { boundsOfPoints } from '../../src/scene/bounds.ts';
import type { Bounds } from '../../src/scene/types.ts';
import { area, ground, leaves, places, sphere, stored, surface } from './packed.ts';
import { sampledError } from './sampled.ts';

const unlocked = (positions: Float32Array) => new Uint8Array(positions.length / 3);
const boundsOf = ({ positions }: Float32Mesh) => boundsOfPoints(positions) as Bounds;
const part = (mesh: Float32Mesh, more: Partial<SimplifiedMesh> = {}): SimplifiedMesh => ({
  mesh,
  cards: false,
  textured: true,
  ...more,
});

const present = (level: Level): Float32Mesh[] => level.meshes.filter((mesh) => mesh !== null);

async function levelsOf(
  tile: readonly SimplifiedMesh[],
  ratios: readonly number[],
  limit: number,
  locked: (positions: Float32Array) => Uint8Array = unlocked,
): Promise<Level[]> {
  const maker = new LevelMaker(tile, locked);
  const levels: Level[] = [];
  let from = tile;
  for (const ratio of ratios) {
    const made = await maker.make(from, { ratio, limit });
    if ('obstacle' in made) throw new Error(`left out: ${JSON.stringify(made)}`);
    levels.push(made);
    from = partsOf(from, made.meshes);
  }
  return levels;
}

describe('four tiles of ground', () => {
  const SIZE = 8;
  const corners = [
    [0, 0],
    [SIZE, 0],
    [0, SIZE],
    [SIZE, SIZE],
  ];

  async function cook(): Promise<{ tiles: Float32Mesh[]; levels: Level[][] }> {
    const tiles = await Promise.all(corners.map(([x, z]) => stored(ground(x, z, SIZE, 32))));
    const borders = new BorderMap();
    const neighbours = neighboursOf(tiles.map(boundsOf));
    tiles.forEach((tile, i) => {
      borders.add(
        borderPositions(
          [tile.positions],
          neighbours[i].map(({ box }) => box),
        ),
      );
    });
    const shared = new SharedPositions(borders.sharedRows());
    // 33 positions on each of four inner borders; the middle lies on all of them.
    expect(shared.count).toBe(4 * 33 - 3);
    const levels: Level[][] = [];
    for (const tile of tiles) {
      levels.push(await levelsOf([part(tile)], [0.5, 0.2, 0.1], 0.5, (positions) => shared.lockedVertices(positions)));
    }
    return { tiles, levels };
  }

  test('meet bit for bit at every level, and of different levels', async () => {
    const { tiles, levels } = await cook();
    const border = (meshes: readonly Float32Mesh[], axis: 0 | 2) =>
      places(meshes).filter((place) => Number(place.split(',')[axis]) === SIZE);
    for (const axis of [0, 2] as const) {
      tiles.forEach((tile, i) => {
        const full = border([tile], axis);
        expect(full.length).toBe(33);
        for (const level of levels[i]) expect(border(present(level), axis)).toEqual(full);
      });
    }
  });

  test('leave no edge open inside: each edge of a level belongs to two triangles or lies on the outline', async () => {
    const { levels } = await cook();
    for (const level of levels.flat()) {
      const [mesh] = present(level);
      const p = mesh.positions;
      const at = (v: number) => [...p.subarray(v * 3, v * 3 + 3)];
      const edges = new Map<string, number>();
      const sides = new Map<string, [number[], number[]]>();
      for (let i = 0; i < mesh.indices.length; i++) {
        const next = i % 3 === 2 ? i - 2 : i + 1;
        const pair = [at(mesh.indices[i]), at(mesh.indices[next])] as [number[], number[]];
        const key = pair.map(String).sort().join('|');
        edges.set(key, (edges.get(key) ?? 0) + 1);
        sides.set(key, pair);
      }
      const { min, max } = boundsOf(mesh);
      for (const [key, count] of edges) {
        if (count === 2) continue;
        expect(count).toBe(1);
        const [a, b] = sides.get(key) as [number[], number[]];
        expect([0, 2].some((k) => a[k] === b[k] && (a[k] === min[k] || a[k] === max[k]))).toBe(true);
      }
    }
  });

  test('fall in triangles, each level at most 85 % of the one before', async () => {
    const { tiles, levels } = await cook();
    tiles.forEach((tile, i) => {
      let before = tile.indices.length / 3;
      for (const { triangles } of levels[i]) {
        expect(triangles).toBeLessThanOrEqual(before * 0.85);
        before = triangles;
      }
    });
  });

  test('give the same bytes again', async () => {
    expect((await cook()).levels).toEqual((await cook()).levels);
  });
});

describe('the declared error', () => {
  const scenes: [string, () => Float32Mesh[]][] = [
    ['ground', () => [ground(0, 0, 8, 14)]],
    ['spheres', () => [sphere(0, 0, 0, 2, 9), sphere(5, 1, 0, 0.5, 6), sphere(0, 4, 3, 1, 7)]],
    ['ground with a ball in it', () => [ground(0, 0, 8, 12), sphere(4, 0.5, 4, 1.5, 7)]],
  ];
  test.each(scenes)('of %s is at least 0.9 of what four times the points find', async (_, meshes) => {
    const tile = await Promise.all(meshes().map(stored));
    const levels = await levelsOf(
      tile.map((mesh) => part(mesh)),
      [0.5, 0.2],
      1,
    );
    for (const level of levels) {
      const found = Math.max(sampledError(tile, present(level), 8192), sampledError(present(level), tile, 8192));
      expect(found).toBeGreaterThan(0);
      expect(level.error).toBeGreaterThanOrEqual(0.9 * found);
      // And it is no fear of the worst either.
      expect(level.error).toBeLessThan(found * 2);
    }
  });

  test('of a flat plate with a bump cut off is the height of the bump', async () => {
    const flat = ground(0, 0, 8, 1);
    const plate = await stored({ ...flat, positions: Float32Array.of(0, 0, 8, 8, 0, 8, 0, 0, 0, 8, 0, 0) });
    const bump = await stored({
      ...flat,
      vertexCount: 3,
      positions: Float32Array.of(4, 0, 4, 4.1, 0, 4, 4, 0.25, 4),
      attributes: { normal: new Float32Array(9).fill(0.577), uv0: new Float32Array(6) },
      indices: Uint32Array.of(0, 1, 2),
    });
    const maker = new LevelMaker([part(plate), part(bump)], unlocked);
    const made = await maker.make([part(plate), part(bump)], { ratio: 0.7, limit: 0.3 });
    expect(made).toMatchObject({ triangles: 2, meshes: [{ vertexCount: 4 }, null] });
    expect((made as Level).error).toBeCloseTo(0.25, 6);
  });
});

test('a level whose error would pass the limit is left out, and says so', async () => {
  const ball = part(await stored(sphere(0, 0, 0, 2, 8)));
  const made = await new LevelMaker([ball], unlocked).make([ball], { ratio: 0.1, limit: 0.001 });
  expect(made).toMatchObject({ obstacle: 'limit', before: ball.mesh.indices.length / 3 });
});

/** A thin post above the ground. By the planes of its sides, which is what the library sees, it may go for little. */
const post = (x: number, radius = 0.05) =>
  surface(8, 16, (u, v) => [x + radius * Math.sin(u * 2 * Math.PI), 1 + v * 3, 4 + radius * Math.cos(u * 2 * Math.PI)]);

test('a level holds what would stray by its furthest vertex, and goes on simplifying all of it', async () => {
  const meshes = await Promise.all([ground(0, 0, 8, 32), post(2), post(6)].map(stored));
  const tile = meshes.map((mesh) => part(mesh));
  const triangles = 51;
  const first = await simplifyParts(tile, { triangles, limit: 1, lockedVertices: unlocked });
  const left = first.meshes.flatMap((picked) => (picked ? [picked.mesh] : []));
  expect(sampledError(meshes, left, 2048)).toBeGreaterThan(3);

  const made = (await new LevelMaker(tile, unlocked).make(tile, { ratio: 0.02, limit: 1 })) as Level;
  expect(made.error).toBeLessThanOrEqual(1);
  expect(sampledError(meshes, present(made), 2048)).toBeLessThanOrEqual(1 / 0.9);
  expect(made.triangles).toBeLessThanOrEqual(triangles * 1.1);
  for (const mesh of made.meshes.slice(1)) {
    const { min, max } = boundsOf(mesh as Float32Mesh);
    expect(min[1]).toBeLessThan(2);
    expect(max[1]).toBeGreaterThan(3);
  }
});

test('a level holds what stands next to what would stray, where that itself went with the level before', async () => {
  const flat = await stored(ground(0, 0, 8, 32));
  const tile = [part(flat), part(await stored(post(4)))];
  // As a level before might have it: nearly the same post, and none of its vertices.
  const before = [part(flat), part(await stored(post(4, 0.04)))];
  const made = (await new LevelMaker(tile, unlocked).make(before, { ratio: 0.02, limit: 1 })) as Level;
  expect(made.error).toBeLessThanOrEqual(1);
  expect(made.triangles).toBeLessThanOrEqual(60);
  const { min, max } = boundsOf(made.meshes[1] as Float32Mesh);
  expect(min[1]).toBeLessThan(2);
  expect(max[1]).toBeGreaterThan(3);
});

test('UVs that reach no texture are no seams', async () => {
  // Quads with UVs of their own: all inner vertices are seams where a texture is drawn.
  const whole = surface(16, 16, (u, v) => [u * 8, 0, -v * 8]);
  const corners = whole.indices;
  const apart: Float32Mesh = {
    ...whole,
    vertexCount: corners.length,
    positions: Float32Array.from([...corners].flatMap((v) => [...whole.positions.subarray(v * 3, v * 3 + 3)])),
    attributes: {
      normal: Float32Array.from([...corners].flatMap(() => [0, 1, 0])),
      uv0: Float32Array.from([...corners].flatMap((_, i) => [(Math.floor(i / 6) % 7) / 7, (i % 6) / 8])),
    },
    indices: Uint32Array.from(corners, (_, i) => i),
  };
  const mesh = await stored(apart);
  const trianglesOf = async (textured: boolean) =>
    (await simplifyParts([part(mesh, { textured })], { triangles: 20, limit: 0.5, lockedVertices: unlocked }))
      .triangles;
  expect(await trianglesOf(false)).toBeLessThanOrEqual(20);
  expect(await trianglesOf(true)).toBeGreaterThan(20);
});

test('a level of nothing but locked vertices is left out, and says so', async () => {
  const tile = part(await stored(ground(0, 0, 8, 16)));
  const maker = new LevelMaker([tile], (positions) => new Uint8Array(positions.length / 3).fill(1));
  expect(await maker.make([tile], { ratio: 0.5, limit: 1 })).toEqual({
    obstacle: 'locks',
    triangles: 512,
    before: 512,
  });
});

describe('small components', () => {
  const far = async () => [part(await stored(ground(0, 0, 8, 16))), part(await stored(sphere(4, 3, 4, 0.05, 4)))];

  test('go', async () => {
    const made = await simplifyParts(await far(), { triangles: 300, limit: 0.3, lockedVertices: unlocked });
    expect(made.meshes[1]).toBeNull();
  });

  test('stay whole when one of their vertices is locked', async () => {
    const parts = await far();
    const [x, y, z] = parts[1].mesh.positions;
    const lockedVertices = (positions: Float32Array) =>
      Uint8Array.from({ length: positions.length / 3 }, (_, v) =>
        [x, y, z].every((value, k) => Object.is(positions[v * 3 + k], value)) ? 1 : 0,
      );
    const made = await simplifyParts(parts, { triangles: 300, limit: 0.3, lockedVertices });
    expect(places([made.meshes[1]!.mesh])).toContain([x, y, z].join());
  });

  test('stay when there is nothing else', async () => {
    const tiny = [part(await stored(sphere(0, 0, 0, 0.01, 4)))];
    const made = await simplifyParts(tiny, { triangles: 1000, limit: 1, lockedVertices: unlocked });
    expect(made.triangles).toBe(tiny[0].mesh.indices.length / 3);
  });
});

test('materials that meet go on meeting: no edge opens between two halves of a sheet', async () => {
  const halves = await Promise.all([stored(ground(0, 0, 8, 24)), stored(ground(8, 0, 8, 24))]);
  const made = await simplifyParts(
    halves.map((mesh) => part(mesh)),
    { triangles: 400, limit: 1, lockedVertices: unlocked },
  );
  const along = (picked: PickedMesh | null) => places([picked!.mesh]).filter((p) => Number(p.split(',')[0]) === 8);
  expect(made.triangles).toBeLessThanOrEqual(400);
  expect(along(made.meshes[0]).length).toBeLessThan(25);
  expect(along(made.meshes[0])).toEqual(along(made.meshes[1]));
});

describe('foliage cards', () => {
  test('are many parts of few triangles', async () => {
    expect(isMadeOfCards(await stored(leaves(200, 0.3)))).toBe(true);
    expect(isMadeOfCards(await stored(leaves(15, 0.3)))).toBe(false);
    expect(isMadeOfCards(await stored(ground(0, 0, 8, 16)))).toBe(false);
  });

  test.each([0.7, 0.5])('keep their area when %d of them stay', async (ratio) => {
    const mesh = await stored(leaves(200, 0.8));
    const thinning = { ratio, maxGrowth: 1.5 };
    const { mesh: thinned } = await thinCards(plantedCards(mesh, new Uint8Array(mesh.vertexCount)), thinning);
    expect(Math.abs(thinned.indices.length / 6 - 200 * ratio)).toBeLessThanOrEqual(3);
    expect(area([thinned])).toBeCloseTo(200 * 0.64, 3);
  });

  test('stay in greater numbers than asked for where a plant would cover too little', async () => {
    const mesh = await stored(leaves(200, 0.8));
    const thinning = { ratio: 0.01, maxGrowth: 1.5 };
    const { mesh: thinned } = await thinCards(plantedCards(mesh, new Uint8Array(mesh.vertexCount)), thinning);
    expect(thinned.indices.length / 6).toBeGreaterThan(4);
    expect(thinned.indices.length / 6).toBeLessThan(150);
  });

  test('with a locked vertex stay as they are', async () => {
    const mesh = await stored(leaves(200, 0.3));
    const locked = Uint8Array.from({ length: mesh.vertexCount }, (_, v) => (v < 40 ? 1 : 0));
    const { mesh: thinned } = await thinCards(plantedCards(mesh, locked), { ratio: 0.1, maxGrowth: 1.5 });
    const before = mesh.positions;
    const after = new Set(places([thinned]));
    for (let v = 0; v < 40; v++) expect(after.has([...before.subarray(v * 3, v * 3 + 3)].join())).toBe(true);
  });
});
