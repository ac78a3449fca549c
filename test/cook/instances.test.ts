// Instances through whole cooks: the same scene cooked with and without them draws the same triangles at the same places,
// in smaller files, and its levels are the same.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CookSettings } from '../../src/config/types.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { validateUntold } from '../../src/formats/untold/check/validate.ts';
import { decodePayload } from '../../src/formats/untold/payload.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldScene } from '../../src/formats/untold/types.ts';
import { type Float32Mesh, valuesOf } from '../../src/geometry/mesh/mesh.ts';
import { multiply, rotation, scaling, translation } from '../../src/scene/matrix.ts';
import type { Mat4 } from '../../src/scene/types.ts';
import { DEFAULT_TILING } from '../../src/tiling/options.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { ground, places, sphere, surface } from '../geometry/packed.ts';
import { payloadPath, withoutHash } from '../payloadNames.ts';
import { cookToFile, trianglesOf } from './cooked.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'instances-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Thing {
  readonly name?: string;
  readonly mesh: number;
  readonly at: Mat4;
}

/** The parts of each mesh have the two materials in turn. */
function gltf(meshes: readonly (readonly Float32Mesh[])[], things: readonly Thing[]): string {
  const bytes: Uint8Array[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  let at = 0;
  const add = (data: Float32Array | Uint32Array, type: string, size: number, more: object = {}): number => {
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength: data.byteLength });
    bytes.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    at += data.byteLength;
    const componentType = data instanceof Uint32Array ? 5125 : 5126;
    accessors.push({ bufferView: bufferViews.length - 1, componentType, count: data.length / size, type, ...more });
    return accessors.length - 1;
  };
  const primitive = (mesh: Float32Mesh, material: number) => {
    const p = mesh.positions as Float32Array;
    const axis = (k: number) => [...p].filter((_, i) => i % 3 === k);
    const ends = { min: [0, 1, 2].map((k) => Math.min(...axis(k))), max: [0, 1, 2].map((k) => Math.max(...axis(k))) };
    const attributes = {
      POSITION: add(p, 'VEC3', 3, ends),
      NORMAL: add(mesh.attributes.normal, 'VEC3', 3),
      TEXCOORD_0: add(valuesOf(mesh, 'uv0'), 'VEC2', 2),
    };
    return { attributes, indices: add(mesh.indices, 'SCALAR', 1), material: material % 2 };
  };
  const written = meshes.map((parts, i) => ({ name: `mesh${i}`, primitives: parts.map(primitive) }));
  const uri = `data:application/octet-stream;base64,${Buffer.concat(bytes).toString('base64')}`;
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: things.map((_, i) => i) }],
    nodes: things.map((thing, i) => ({
      mesh: thing.mesh,
      name: thing.name ?? `thing${i}`,
      matrix: [...thing.at],
    })),
    meshes: written,
    materials: ['green', 'brown'].map((name, i) => ({
      name,
      pbrMetallicRoughness: { baseColorFactor: [0.2 + i * 0.3, 0.5 - i * 0.3, 0.1, 1], metallicFactor: 0 },
    })),
    accessors,
    bufferViews,
    buffers: [{ byteLength: at, uri }],
  });
}

/** A ball on a lattice of 1/1024 m, so that every vertex of a pole is at the same place. */
function ball(...at: Parameters<typeof sphere>): Float32Mesh {
  const mesh = sphere(...at);
  return { ...mesh, positions: mesh.positions.map((x) => Math.round(x * 1024) / 1024) };
}

/** A crown and a trunk: two materials. */
const TREE = [ball(0, 3, 0, 1, 12), ball(0, 1, 0, 0.25, 6)];
const GROUND = [ground(0, 0, 16, 16)];

/** Small budgets, so that no tile is joined with its neighbour. */
const SMALL = { ...DEFAULT_TILING, budgets: { bytes: 1_000_000, meshes: 50, vertices: 5000 } };

const QUARTERS = [0, 1, 2, 3].map((k) => {
  const [c, s] = [[1, 0, -1, 0][k], [0, 1, 0, -1][k]];
  return Float64Array.of(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1);
});

/** Trees on a lattice of eighths of a metre, turned by quarters, of sizes that float32 multiplies exactly. */
function exactTrees(count: number, x0 = 0): Thing[] {
  return Array.from({ length: count }, (_, i) => {
    const size = [1, 0.5, 2][i % 3];
    const spot = translation(x0 + 3 + (i % 6) * 2 + (i % 4) / 8, 0.5, 3 + Math.floor(i / 6) * 2);
    return { mesh: 0, at: multiply(spot, multiply(QUARTERS[i % 4], scaling(size, size, size))) };
  });
}

async function cook(
  out: string,
  source: string,
  settings: Partial<CookSettings>,
  pool?: WorkerPool,
): Promise<CookOutcome> {
  writeFileSync(join(folder, 'wood.gltf'), source);
  mkdirSync(join(folder, out), { recursive: true });
  const job = {
    source: join(folder, 'wood.gltf'),
    root: null,
    target: { kind: 'folder', folder: join(folder, out), sceneName: 'wood' },
    settings: { missingTexture: 'error', tileSize: 16, compress: 'none', ...settings },
    policy: { strict: true, deny: new Set<never>(), allow: new Set<never>() },
    force: false,
  } as const;
  const outcome = await cookSource(job, { pool });
  expect(outcome.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(outcome.status).toBe('ok');
  for (const { path } of outcome.outputs.filter((file) => file.path.endsWith('.untold'))) {
    expect(await validateUntold(readFileSync(path), path, { engine: true })).toEqual([]);
  }
  return outcome;
}

const bytesOf = (out: string, name: string) =>
  new Uint8Array(readFileSync(payloadPath(join(folder, out, 'wood'), name)));
const read = (out: string, name: string): Promise<UntoldScene> => readUntold(bytesOf(out, name), name);
const manifest = (out: string) => JSON.parse(readFileSync(join(folder, out, 'wood.json'), 'utf8'));

/** The corners' positions and UVs of all triangles with their materials' names, from the least on; sorted. */
function drawn(scene: UntoldScene): string[] {
  return trianglesOf(scene)
    .map(({ corners, material }) => {
      const ring = corners.map(({ position, uv }) => [...position, ...uv].map((x) => x + 0).join(' '));
      const first = ring.indexOf([...ring].sort()[0]);
      return `${scene.materials[material].name}: ${[0, 1, 2].map((k) => ring[(first + k) % 3]).join(' | ')}`;
    })
    .sort();
}

describe('thirty trees in a tile', () => {
  const things = [...exactTrees(30), { mesh: 1, at: translation(0, 0, 0) }];
  const source = gltf([TREE, GROUND], things);
  /** One entity for the trunks and crowns of each tree would be 60: room for one kind only. */
  const roomy = { ...DEFAULT_TILING, budgets: { ...DEFAULT_TILING.budgets, meshes: 100 } };

  test('are stored once in a smaller file, drawn as they are when baked', async () => {
    const auto = await cook('auto', source, { tiling: roomy });
    const baked = await cook('bake', source, { tiling: roomy, instances: 'bake' });
    const [ours, theirs] = [await read('auto', 'tile_0_0_0.untold'), await read('bake', 'tile_0_0_0.untold')];
    expect(bytesOf('auto', 'tile_0_0_0.untold').length).toBeLessThan(bytesOf('bake', 'tile_0_0_0.untold').length / 4);
    expect(ours.entities.length).toBe(61);
    expect(theirs.entities.length).toBe(2);
    expect(new Set(ours.meshes.map(({ vertices }) => vertices)).size).toBe(3);
    expect(drawn(ours)).toEqual(drawn(theirs));
    expect(ours.worldBounds).toEqual(theirs.worldBounds);
    expect(auto.totals?.trianglesOut).toBe(baked.totals?.trianglesOut);
    expect(auto.totals?.vertices).toBe(baked.totals?.vertices);
    const [tile, bakedTile] = [manifest('auto').tiles[0], manifest('bake').tiles[0]];
    expect(tile.bounds).toEqual(bakedTile.bounds);
    expect(tile.estimated_memory_bytes).toBe(bakedTile.estimated_memory_bytes);
  });

  test('have names of their own after tile and mesh', async () => {
    await cook('auto', source, { tiling: roomy });
    const { entities, meshes } = await read('auto', 'tile_0_0_0.untold');
    const names = entities.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.slice(0, 3)).toEqual(['tile_0_0_0_mesh0_mat0', 'tile_0_0_0_mesh0_mat0_1', 'tile_0_0_0_mesh0_mat0_2']);
    expect(names.slice(29, 31)).toEqual(['tile_0_0_0_mesh0_mat0_29', 'tile_0_0_0_mesh0_mat1']);
    expect(names[60]).toBe('tile_0_0_0_green');
    expect([meshes[0].name, meshes[30].name, meshes[60].name]).toEqual([
      'mesh0_mat0',
      'mesh0_mat1',
      'tile_0_0_0_green',
    ]);
  });

  test('are decoded as the meshes that they draw, one for each that was given', async () => {
    await cook('auto', source, { tiling: roomy });
    await cook('bake', source, { tiling: roomy, instances: 'bake' });
    const ours = await decodePayload(bytesOf('auto', 'tile_0_0_0.untold'), 'f', [30, 30, 1]);
    const theirs = await decodePayload(bytesOf('bake', 'tile_0_0_0.untold'), 'f', [1, 1]);
    // Crowns and the ground are of one material, trunks of the other.
    expect(places([ours[0], ours[2]])).toEqual(places([theirs[0]]));
    expect(places([ours[1]])).toEqual(places([theirs[1]]));
    const triangles = (meshes: typeof ours) => meshes.reduce((sum, { indices }) => sum + indices.length, 0) / 3;
    expect(triangles(ours)).toBe(triangles(theirs));
  });

  test('have the same levels', async () => {
    const settings = { tiling: roomy, lods: [0.5, 0.2], hlod: 0.1 };
    const auto = await cook('auto', source, settings);
    const baked = await cook('bake', source, { ...settings, instances: 'bake' });
    expect(auto.totals?.levels.map(({ triangles }) => triangles)).toEqual(
      baked.totals?.levels.map(({ triangles }) => triangles),
    );
    const names = (outcome: CookOutcome) =>
      outcome.outputs.map(({ path }) => withoutHash(path.replace(/^.*\/(?:auto|bake)\//, '')));
    expect(names(auto)).toEqual(names(baked));
    const levels = names(auto).flatMap((path) => /[^/]*_(?:h?lod\d?)\.untold$/.exec(path)?.[0] ?? []);
    expect(levels.length).toBeGreaterThan(1);
    for (const name of levels) {
      const [ours, theirs] = [await read('auto', name), await read('bake', name)];
      expect(ours.entities.map((entity) => entity.name)).toEqual(theirs.entities.map((entity) => entity.name));
      expect(ours.meshes.map(({ indices }) => indices.length)).toEqual(theirs.meshes.map((m) => m.indices.length));
    }
  });

  test('leave what the mesh budget does not allow to the bake', async () => {
    // 30 crowns, the trunks and the ground's merged mesh; the trunks would be 30 more.
    await cook('auto', source, {});
    const { entities, meshes } = await read('auto', 'tile_0_0_0.untold');
    expect(entities.length).toBe(32);
    expect(meshes.filter(({ name }) => name === 'mesh0_mat0').length).toBe(30);
    const tight = { ...DEFAULT_TILING, budgets: { ...DEFAULT_TILING.budgets, meshes: 30 } };
    await cook('tight', source, { tiling: tight });
    expect((await read('tight', 'tile_0_0_0.untold')).entities.length).toBe(2);
  });

  test('cook to the same bytes in any number of threads', async () => {
    const two = gltf([TREE, GROUND], [...exactTrees(30), ...exactTrees(30, 16), { mesh: 1, at: translation(0, 0, 0) }]);
    const settings = { tiling: roomy, lods: [0.5] };
    const one = await cook('one', two, settings);
    const pool = new WorkerPool(2);
    try {
      const other = await cook('two', two, settings, pool);
      expect(other.outputs.map(({ sha256 }) => sha256)).toEqual(one.outputs.map(({ sha256 }) => sha256));
    } finally {
      await pool.close();
    }
  });
});

test('levels keep the vertices in which instances of two tiles meet', async () => {
  // Waves that end flat at both sides, so that copies meet; without their neighbours these edges would be simplified.
  const wave = surface(24, 24, (u, v) => {
    const [x, z] = [u * 4, v * 4];
    return [x, Math.round(200 * Math.sin(u * 2 * Math.PI) * Math.sin(v * 9)) / 1024, z];
  });
  const things = [0, 4, 8, 12, 16, 20, 24, 28].map((x) => ({ mesh: 0, at: translation(x, 0, 6) }));
  await cook('out', gltf([[wave]], things), { lods: [0.3], tiling: SMALL });
  const tiles: { path_relative_to_manifest: string; lod_levels: { path: string }[] }[] = manifest('out').tiles;
  expect(tiles.length).toBe(2);
  const seamOf = async (path: string) => {
    const scene = await read('out', path.replace('wood/', ''));
    const corners = trianglesOf(scene).flatMap((triangle) => triangle.corners.map(({ position }) => position));
    return [...new Set(corners.filter(([x]) => x === 16).map((position) => position.join()))].sort();
  };
  for (const { path_relative_to_manifest: path, lod_levels: levels } of tiles) {
    expect((await read('out', path.replace('wood/', ''))).entities.length).toBe(4);
    expect(levels.length).toBe(1);
    expect((await seamOf(path)).length).toBe(25);
    expect(await seamOf(levels[0].path)).toEqual(await seamOf(path));
  }
});

describe('placements that entities cannot hold are baked', () => {
  const cookOne = async (things: readonly Thing[]) => {
    await cook('out', gltf([TREE, GROUND], things), {});
    return read('out', 'tile_0_0_0.untold');
  };

  test('mirrored and sheared ones, beside instances of the same mesh', async () => {
    const [first, second, ...others] = exactTrees(8);
    const mirrored = { ...first, at: multiply(first.at, scaling(-1, 1, 1)) };
    const sheared = { ...second, at: multiply(multiply(scaling(1, 1, 0.5), second.at), rotation(0, 0.3, 0, 1)) };
    const { entities } = await cookOne([mirrored, sheared, ...others]);
    // Six crowns, six trunks, and a merged mesh of each material.
    expect(entities.length).toBe(14);
    const named = entities.filter(({ name }) => /_(green|brown)$/.test(name));
    expect(named.map(({ localTransform }) => [localTransform[0], localTransform[12]])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  test('those that reach into another tile, unless they stand there to the last bit', async () => {
    // The ball of the other tile stands where the crown of the outermost tree ends.
    const big = [ball(0, 0, 0, 2, 12)];
    const at = (x: number, turn: Mat4) => ({ mesh: 0, at: multiply(translation(x, 0, 0.75), turn) });
    const turn = rotation(0, 0.3, 0, 1);
    // A turn alone bakes nothing: the others have it too.
    const others = [2, 5, 8].map((x) => at(x, turn));
    const counts: number[] = [];
    for (const [name, last] of [
      ['exact', QUARTERS[1]],
      ['turned', turn],
    ] as const) {
      const things = [...others, at(15.25, last), { mesh: 1, at: translation(17, 3.5, 0.75) }];
      await cook(name, gltf([TREE, big], things), { tiling: SMALL });
      const tiles: { path_relative_to_manifest: string; bounds: { min: number[] } }[] = manifest(name).tiles;
      expect(tiles.length).toBe(2);
      const wood = tiles.find(({ bounds }) => bounds.min[0] < 3)?.path_relative_to_manifest ?? '';
      const { meshes } = await read(name, wood.replace('wood/', ''));
      counts.push(meshes.filter(({ name }) => name === 'mesh0_mat0').length);
      // The trunk reaches nowhere.
      expect(meshes.filter(({ name }) => name === 'mesh0_mat1').length).toBe(4);
    }
    expect(counts).toEqual([4, 3]);
  });
});

test('parts of a mesh that are drawn alike are placed together', async () => {
  // Crown, trunk and fruit; crown and fruit are of one material.
  const source = gltf([[...TREE, ball(1, 4, 0, 0.5, 6)]], exactTrees(6));
  const tiling = { ...DEFAULT_TILING, budgets: { ...DEFAULT_TILING.budgets, meshes: 12 } };
  await cook('auto', source, { tiling });
  await cook('bake', source, { instances: 'bake' });
  const [auto, baked] = [await read('auto', 'tile_0_0_0.untold'), await read('bake', 'tile_0_0_0.untold')];
  expect(auto.entities.length).toBe(12);
  expect(drawn(auto)).toEqual(drawn(baked));
});

test('objects that are never merged keep their names and share what is stored', async () => {
  const things = exactTrees(4).map((thing, i) => ({ ...thing, name: `NM_tree${i}` }));
  await cook('out', gltf([TREE], things), {});
  const { entities, meshes } = await read('out', 'tile_0_0_0.untold');
  expect(entities.map(({ name }) => name)).toEqual(
    [0, 1, 2, 3].flatMap((i) => [`NM_tree${i}_mat0`, `NM_tree${i}_mat1`]),
  );
  expect(new Set(meshes.map(({ vertices }) => vertices)).size).toBe(2);
  expect(meshes.every(({ entity }, i) => entity === i)).toBe(true);
});

test('a single file keeps an entity for each object, with its name and place', async () => {
  const things = [...exactTrees(60), { mesh: 1, at: translation(0, 0, 0), name: 'ground' }];
  writeFileSync(join(folder, 'wood.gltf'), gltf([TREE, GROUND], things));
  const cooked = async (instances: 'auto' | 'bake') => {
    const { file, outputs } = await cookToFile(join(folder, 'wood.gltf'), folder, {
      instances,
      compress: 'none',
      flatten: true,
    });
    return { scene: await readUntold(new Uint8Array(readFileSync(file)), file), bytes: outputs[0].bytes };
  };
  const baked = await cooked('bake');
  const auto = await cooked('auto');
  expect(auto.bytes).toBeLessThan(baked.bytes / 2);
  expect(auto.scene.entities.map(({ name }) => name)).toEqual(baked.scene.entities.map(({ name }) => name));
  expect(auto.scene.entities[4].name).toBe('thing2_mat0');
  expect([...auto.scene.entities[4].localTransform.subarray(12)]).toEqual([7.25, 0.5, 3, 1]);
  expect(auto.scene.entities.map(({ worldBounds }) => worldBounds)).toEqual(
    baked.scene.entities.map(({ worldBounds }) => worldBounds),
  );
  expect(drawn(auto.scene)).toEqual(drawn(baked.scene));
});
