import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CookSettings } from '../../src/config/types.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { LENIENT, type SeverityPolicy } from '../../src/diagnostics/policy.ts';
import { halfValue } from '../../src/formats/untold/mesh/halfFloat.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { NONE, type UntoldScene } from '../../src/formats/untold/types.ts';
import { createSampler } from '../../src/textures/bake/sample.ts';
import { DEFAULT_TILING } from '../../src/tiling/options.ts';
import { buildGlb, buildGltf, type SceneInput } from '../importers/gltf/build.ts';
import { payloadPath, withoutHash } from '../payloadNames.ts';
import { contents } from '../support/files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-cook-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  readonly out?: string;
  readonly settings?: Partial<CookSettings>;
  readonly policy?: SeverityPolicy;
  readonly force?: boolean;
  readonly name?: string;
}

/** Cooks a source below the test's folder: to `out/` or, when `out` names a .untold, to that file. */
async function cookFile(source: string, options: Options = {}): Promise<CookOutcome> {
  const out = join(folder, options.out ?? 'out');
  return cookSource({
    source,
    root: null,
    target: out.endsWith('.untold') ? { kind: 'file', path: out } : { kind: 'folder', folder: out, sceneName: 'scene' },
    settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4', ...options.settings },
    policy: options.policy ?? LENIENT,
    force: options.force ?? false,
  });
}

async function cook(scene: SceneInput, options: Options = {}): Promise<CookOutcome> {
  const source = join(folder, options.name ?? 'scene.glb');
  writeFileSync(source, buildGlb(scene));
  return cookFile(source, options);
}

/** The .untold planned under this path, with or without a hash in its name. */
const load = async (path: string): Promise<UntoldScene> =>
  readUntold(new Uint8Array(readFileSync(payloadPath(folder, path))), path);

const codes = ({ diagnostics }: CookOutcome) => diagnostics.map((d) => d.code);

/** A unit square in the XZ plane around the origin, facing +Y. */
const square = { positions: [-0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0, -0.5, -0.5, 0, -0.5], indices: [0, 1, 2, 0, 2, 3] };

describe('a folder cook', () => {
  const town: SceneInput = {
    meshes: [
      { name: 'Slab', primitives: [{ ...square, material: 0 }] },
      { name: 'Road', primitives: [{ positions: [0, 0, 0, 200, 0, 0, 200, 0, -2], material: 1 }] },
    ],
    nodes: [
      { name: 'A', mesh: 0, translation: [1, 0, -1] },
      { name: 'B', mesh: 0, translation: [2, 0, -1] },
      { name: 'NM_Door', mesh: 0, translation: [3, 0, -1] },
      { name: 'Far', mesh: 0, translation: [60, 0, -30] },
      { name: 'Road', mesh: 1 },
    ],
    materials: [{ name: 'Stone' }, { name: 'Tar' }],
  };

  it('merges by material, keeps NM_ objects, and puts what spans into the shared bucket', async () => {
    const outcome = await cook(town);
    expect(outcome.status).toBe('ok');
    expect(
      Object.keys(contents(join(folder, 'out')))
        .map(withoutHash)
        .sort(),
    ).toEqual([
      'scene.json',
      'scene.plan.svg',
      'scene/scene_shared.untold',
      'scene/tile_0_0_0.untold',
      'scene/tile_2_0_1.untold',
    ]);
    const near = await load('out/scene/tile_0_0_0.untold');
    expect(near.entities.map((e) => e.name)).toEqual(['tile_0_0_0_Stone', 'NM_Door']);
    expect(near.meshes.map((m) => m.indices.length)).toEqual([12, 6]);
    expect(near.worldBounds).toEqual({ min: [0.5, 0, -1.5], max: [3.5, 0, -0.5] });
    const shared = await load('out/scene/scene_shared.untold');
    expect(shared.fileType).toBe('shared');
    expect(shared.entities.map((e) => e.name)).toEqual(['shared_Tar']);
    expect(outcome.totals).toMatchObject({ objects: 5, tiles: 3, trianglesIn: 9, trianglesOut: 9, materials: 2 });
  });

  it('calls a merged entity after its material, which has one name in every tile', async () => {
    const [a, b] = [0, 1].map((material) => ({ primitives: [{ ...square, material }] }));
    await cook({
      meshes: [a, b, { primitives: [{ ...square, material: 2 }] }],
      nodes: [
        { name: 'NM_Gate', mesh: 1 },
        { name: 'Plank', mesh: 0 },
        { name: 'Beam', mesh: 1 },
        { name: 'Bare', mesh: 2 },
        { name: 'Far', mesh: 1, translation: [60, 0, 0] },
      ],
      materials: [{ name: 'Wood' }, { name: 'Wood', doubleSided: true }, {}],
    });
    const named = async (path: string) => {
      const { entities, meshes, materials } = await load(path);
      return entities.map((entity, i) => [entity.name, materials[meshes[i].material].name]);
    };
    expect(await named('out/scene/tile_1_0_1.untold')).toEqual([
      ['NM_Gate', 'Wood_1'],
      ['tile_1_0_1_Wood', 'Wood'],
      ['tile_1_0_1_Wood_1', 'Wood_1'],
      ['tile_1_0_1_material', 'material'],
    ]);
    expect(await named('out/scene/tile_3_0_1.untold')).toEqual([['tile_3_0_1_Wood_1', 'Wood_1']]);
  });

  it('takes the name of an object from the node above a lone mesh, as Blender writes them', async () => {
    await cook({
      meshes: [{ name: 'Mesh', primitives: [square] }],
      nodes: [
        { name: 'NM_Chair', children: [1] },
        { name: 'Chair_mesh', mesh: 0 },
        { name: 'Other', mesh: 0 },
      ],
    });
    const { entities } = await load('out/scene/tile_1_0_1.untold');
    expect(entities.map((e) => e.name)).toEqual(['NM_Chair', 'tile_1_0_1_default_material']);
  });

  it('writes a manifest with tight bounds, real sizes and radii that the loader leaves as they are', async () => {
    await cook(town);
    const manifest = JSON.parse(readFileSync(join(folder, 'out/scene.json'), 'utf8'));
    expect(manifest).toMatchObject({
      version: 3,
      partitioning_mode: 'uniform_grid',
      tile_size: { x: 25, y: 10000, z: 25 },
    });
    const [tile] = manifest.tiles;
    expect(tile).toMatchObject({
      tile_id: 'tile_0_0_0',
      grid_coord: [0, 0, 0],
      path_relative_to_manifest: expect.stringMatching(/^scene\/tile_0_0_0_[0-9a-f]{8}\.untold$/),
      bounds: { min: [0.5, 0, -1.5], max: [3.5, 0, -0.5] },
      center: [2, 0, -1],
      object_count: 3,
    });
    expect(tile.file_size_bytes).toBe(readFileSync(payloadPath(folder, 'out/scene/tile_0_0_0.untold')).length);
    expect(manifest.shared_bucket.tile_id).toBe('shared');
    for (const entry of [...manifest.tiles, manifest.shared_bucket]) {
      expect(entry.streaming_radius).toBeGreaterThanOrEqual(10);
      expect(entry.unload_radius - entry.streaming_radius).toBeGreaterThanOrEqual(4);
    }
  });

  it('gives the same bytes for the same input, wherever it lies', async () => {
    await cook(town);
    const first = contents(join(folder, 'out'));
    mkdirSync(join(folder, 'elsewhere'));
    await cook(town, { name: 'elsewhere/other.glb', out: 'again' });
    expect(contents(join(folder, 'again'))).toEqual(first);
  });

  it('replaces what it wrote before and removes what is no longer there', async () => {
    await cook(town);
    writeFileSync(join(folder, 'out/scene/notes.txt'), 'mine');
    const outcome = await cook({ ...town, nodes: town.nodes?.slice(0, 2) ?? [] });
    expect(outcome.status).toBe('ok');
    expect(
      Object.keys(contents(join(folder, 'out')))
        .map(withoutHash)
        .sort(),
    ).toEqual(['scene.json', 'scene.plan.svg', 'scene/notes.txt', 'scene/tile_0_0_0.untold']);
  });

  it('refuses to replace what it did not write, and takes it with force', async () => {
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/scene.json'), '{"files":[{"path":"../precious"}]}');
    const refused = await cook(town);
    expect([refused.status, codes(refused)]).toEqual(['failed', ['UC4001']]);
    expect(Object.keys(contents(join(folder, 'out')))).toEqual(['scene.json']);
    expect((await cook(town, { force: true })).status).toBe('ok');
  });

  it('never removes a file outside its own folder, whatever an earlier manifest lists', async () => {
    await cook(town);
    writeFileSync(join(folder, 'precious'), 'x');
    const manifest = JSON.parse(readFileSync(join(folder, 'out/scene.json'), 'utf8'));
    manifest.files.push({ path: '../precious' }, { path: 'scene/../../precious' }, { path: `${folder}/precious` });
    writeFileSync(join(folder, 'out/scene.json'), JSON.stringify(manifest));
    expect((await cook(town)).status).toBe('ok');
    expect(existsSync(join(folder, 'precious'))).toBe(true);
  });

  it('leaves the earlier output alone when a later cook fails', async () => {
    await cook(town);
    const before = contents(join(folder, 'out'));
    const failed = await cookFile(join(folder, 'missing.glb'));
    expect([failed.status, codes(failed)]).toEqual(['failed', ['UC1200']]);
    const broken = await cook({ meshes: [{ primitives: [{ ...square, indices: [0, 1, 99] }] }] });
    expect(broken.status).toBe('failed');
    expect(contents(join(folder, 'out'))).toEqual(before);
  });

  it('lets the policy decide before anything is written', async () => {
    const strict = { strict: true, deny: new Set<string>(), allow: new Set<string>() };
    const outcome = await cook(town, { settings: { compress: 'zstd' }, policy: strict });
    expect([outcome.status, codes(outcome), outcome.diagnostics[0].severity]).toEqual(['failed', ['UC3107'], 'error']);
    expect(existsSync(join(folder, 'out'))).toBe(false);
    const allowed = { ...strict, allow: new Set(['UC3107']) };
    expect((await cook(town, { settings: { compress: 'zstd' }, policy: allowed })).status).toBe('ok');
  });

  it.each([
    ['a scale of 1e38', { ...town, nodes: [{ name: 'Vast', mesh: 0, scale: [1e38, 1, 1] }] }],
    ['a sphere of 1e19 m', { ...town, nodes: [{ name: 'Vast', mesh: 0, scale: [1e19, 1e19, 1e19] }] }],
    ['a far vertex', { meshes: [{ primitives: [{ positions: [0, 0, 0, 1, 0, 0, 0, 0, -1.1e18] }] }] }],
  ])('names the object whose coordinates no manifest can hold: %s', async (_, scene) => {
    const outcome = await cook(scene, { settings: { tiling: { ...DEFAULT_TILING, split: 'always' } } });
    expect(outcome.diagnostics).toMatchObject([{ code: 'UC2203', path: 'nodes/0' }]);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('names such an object of a USD file too', async () => {
    const points = '[(0, 0, 0), (1, 0, 0), (0, 0, -1.1e18)]';
    const source = join(folder, 'far.usda');
    writeFileSync(
      source,
      `#usda 1.0\n(\n  metersPerUnit = 1\n)\ndef Mesh "Far"\n{\n  int[] faceVertexCounts = [3]\n  int[] faceVertexIndices = [0, 1, 2]\n  point3f[] points = ${points}\n}\n`,
    );
    const outcome = await cookFile(source, { settings: { tiling: { ...DEFAULT_TILING, split: 'always' } } });
    expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'UC2203', path: '/Far' },
    ]);
  });

  it('cooks what ends at 1e18 m, far beyond the reach of the engine', async () => {
    const outcome = await cook({ meshes: [{ primitives: [{ positions: [0, 0, 0, 1, 0, 0, 0, 0, -9.9e17] }] }] });
    expect([outcome.status, codes(outcome)]).toEqual(['ok', ['UC2201']]);
  });

  it('says that nothing is left of an empty scene', async () => {
    const outcome = await cook({ meshes: [], nodes: [{ name: 'Empty' }] });
    expect([outcome.status, codes(outcome)]).toEqual(['failed', ['UC2200']]);
  });

  it('names objects that the engine never reaches', async () => {
    const outcome = await cook({ ...town, nodes: [{ name: 'Moon', mesh: 0, translation: [0, 384400, 0] }] });
    expect(codes(outcome)).toEqual(['UC2201']);
  });
});

describe('settings of the tiling', () => {
  const nodes = Array.from({ length: 12 }, (_, i) => ({
    name: `Wall_${i}`,
    mesh: 0,
    translation: [i * 9, 0, 0] as const,
  }));
  const scene: SceneInput = {
    meshes: [
      { name: 'Slab', primitives: [square] },
      { name: 'Road', primitives: [{ positions: [0, 0, 0, 200, 0, 0, 200, 0, -2] }] },
    ],
    nodes: [...nodes.map((node) => ({ ...node, translation: [...node.translation] })), { name: 'Road', mesh: 1 }],
  };
  const manifestOf = (out = 'out') => JSON.parse(readFileSync(join(folder, out, 'scene.json'), 'utf8'));

  it.each(['quadtree', 'kdtree'] as const)(
    '%s gives a manifest of version 4 that names all its files',
    async (partition) => {
      const outcome = await cook(scene, { settings: { tiling: { ...DEFAULT_TILING, partition } } });
      expect([outcome.status, codes(outcome)]).toEqual(['ok', []]);
      const manifest = manifestOf();
      expect([manifest.version, manifest.partitioning_mode]).toEqual([4, `${partition}_floor`]);
      const listed = manifest.files.map((file: { path: string }) => file.path).sort();
      expect(['scene.json', 'scene.plan.svg', ...listed].sort()).toEqual(
        Object.keys(contents(join(folder, 'out'))).sort(),
      );
    },
  );

  it('names change with the content only, and leave no stale file', async () => {
    const apart = { settings: { tiling: { ...DEFAULT_TILING, sharedBucket: 'never' } as const } };
    expect((await cook(scene, apart)).status).toBe('ok');
    const first = manifestOf();
    expect(first.shared_bucket).toBeNull();
    for (const { tile_id: id, path_relative_to_manifest: path } of first.tiles) {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, 'out', path)))
        .digest('hex');
      expect(path).toBe(`scene/${id}_${hash.slice(0, 8)}.untold`);
    }
    const moved = scene.nodes?.map((node, i) => (i === 0 ? { ...node, translation: [0, 1, 0] } : node)) ?? [];
    expect((await cook({ ...scene, nodes: moved }, apart)).status).toBe('ok');
    const second = manifestOf();
    const paths = (manifest: { tiles: { path_relative_to_manifest: string }[] }) =>
      manifest.tiles.map((tile) => tile.path_relative_to_manifest);
    const kept = paths(second).filter((path) => paths(first).includes(path));
    expect(kept.length).toBe(first.tiles.length - 1);
    const files = Object.keys(contents(join(folder, 'out'))).filter((path) => path.endsWith('.untold'));
    expect(files.sort()).toEqual(paths(second).sort());
  });

  it('a broken budget is named with the tile and its heaviest object', async () => {
    const budgets = { bytes: 1_000_000, meshes: 50, vertices: 3 };
    const outcome = await cook(scene, { settings: { tiling: { ...DEFAULT_TILING, budgets } } });
    const faults = outcome.diagnostics.filter((d) => d.code === 'UC2204');
    expect(faults.length).toBe(12);
    expect(faults.map((d) => d.path)).toContain('nodes/3');
    expect(faults[0].message).toMatch(/^tile_\d_0_\d(_s[01]+)? holds 4 vertices of 3: it is one object$/);
  });

  it('a dry run plans and writes nothing', async () => {
    const source = join(folder, 'scene.glb');
    writeFileSync(source, buildGlb(scene));
    const job = {
      source,
      root: null,
      target: { kind: 'folder', folder: join(folder, 'out'), sceneName: 'scene' },
      settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4' },
      policy: LENIENT,
      force: false,
    } as const;
    const planned = await cookSource({ ...job, dryRun: true });
    expect([planned.status, planned.outputs, planned.totals]).toEqual(['ok', [], null]);
    expect(existsSync(join(folder, 'out'))).toBe(false);
    await cookSource(job);
    const manifest = manifestOf();
    const cooked = [...manifest.tiles, manifest.shared_bucket];
    expect(planned.plan?.tiles.map((tile) => [tile.id, tile.path, tile.objects, tile.streamingRadius])).toEqual(
      cooked.map((tile) => [
        tile.tile_id,
        withoutHash(tile.path_relative_to_manifest),
        tile.object_count,
        tile.streaming_radius,
      ]),
    );
    expect(planned.plan?.tiles.reduce((sum, tile) => sum + tile.triangles, 0)).toBe(25);
  });
});

describe('a single file', () => {
  it('keeps an entity for each placement and material, with the names of the source', async () => {
    const outcome = await cook(
      {
        meshes: [
          {
            name: 'Chair',
            primitives: [
              { ...square, material: 0 },
              { ...square, material: 1 },
              { ...square, material: 0 },
            ],
          },
          { name: 'Stool', primitives: [square] },
        ],
        nodes: [{ name: 'Chair', mesh: 0 }, { name: 'Chair', mesh: 0, translation: [5, 0, 0] }, { mesh: 1 }],
        materials: [{ name: 'Wood' }, { name: 'Steel' }],
      },
      { out: 'room.untold' },
    );
    expect(outcome.status).toBe('ok');
    const room = await load('room.untold');
    expect(room.entities.map((e) => e.name)).toEqual([
      'Chair',
      'Chair_mat0',
      'Chair_mat1',
      'Chair_1',
      'Chair_mat0_1',
      'Chair_mat1_1',
      'Stool',
    ]);
    expect(room.meshes.map((m) => m.indices.length)).toEqual([12, 6, 12, 6, 6]);
    expect(room.entities[4].worldBounds).toEqual({ min: [4.5, 0, -0.5], max: [5.5, 0, 0.5] });
    expect(room.entities.map((e) => e.parent)).toEqual([NONE, 0, 0, NONE, 3, 3, NONE]);
    expect(room.materials.map((m) => m.name)).toEqual(['Wood', 'Steel', 'default_material']);
    expect(room.materials[2]).toMatchObject({ baseColorFactor: [1, 1, 1, 1], metallicFactor: 1, roughnessFactor: 1 });
  });

  it('is replaced by the next cook, but nothing else is', async () => {
    const scene: SceneInput = { meshes: [{ primitives: [square] }] };
    expect((await cook(scene, { out: 'a.untold' })).status).toBe('ok');
    expect((await cook(scene, { out: 'a.untold' })).status).toBe('ok');
    writeFileSync(join(folder, 'b.untold'), 'a letter');
    expect(codes(await cook(scene, { out: 'b.untold' }))).toEqual(['UC4001']);
  });

  it('flips the winding of a mirrored placement, and its normals follow', async () => {
    await cook(
      { meshes: [{ primitives: [square] }], nodes: [{ mesh: 0, scale: [-1, 1, 1], translation: [10, 0, 0] }] },
      { out: 'a.untold' },
    );
    const { meshes } = await load('a.untold');
    const data = new DataView(meshes[0].vertices.buffer, meshes[0].vertices.byteOffset);
    const point = (i: number) => [0, 4, 8].map((at) => data.getFloat32(i * 32 + at, true));
    const [a, b, c] = [...meshes[0].indices].slice(0, 3).map(point);
    // Counter-clockwise seen from +Y: (b - a) x (c - a) points up.
    expect((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])).toBeGreaterThan(0);
    expect(data.getUint32(12, true)).toBe(0x1ff << 10);
  });
});

describe('materials', () => {
  const material = (base: number[]) => ({ pbrMetallicRoughness: { baseColorFactor: base } });

  it('writes black as the least colour that the engine does not take for white', async () => {
    const scene: SceneInput = {
      meshes: [0, 1, 2].map((i) => ({ primitives: [{ ...square, material: i }] })),
      materials: [material([0, 0, 0, 1]), material([0.0005, 0.00025, 0, 1]), material([0, 0.002, 0, 1])],
    };
    await cook(scene, { out: 'a.untold' });
    const colors = (await load('a.untold')).materials.map((m) => m.baseColorFactor.map((c) => Number(c.toFixed(6))));
    expect(colors).toEqual([
      [0.001, 0.001, 0.001, 1],
      [0.001, 0.0005, 0, 1],
      [0, 0.002, 0, 1],
    ]);
  });

  it('raises the format version for emission only', async () => {
    await cook({ meshes: [{ primitives: [{ ...square, material: 0 }] }], materials: [{}] }, { out: 'a.untold' });
    expect(readFileSync(join(folder, 'a.untold')).readUInt32LE(8)).toBe(1);
    await cook(
      { meshes: [{ primitives: [{ ...square, material: 0 }] }], materials: [{ emissiveFactor: [0, 0.5, 0] }] },
      { out: 'a.untold' },
    );
    expect(readFileSync(join(folder, 'a.untold')).readUInt32LE(8)).toBe(2);
    const lowered = await cookFile(join(folder, 'scene.glb'), { out: 'b.untold', settings: { formatVersion: 1 } });
    expect(lowered.diagnostics).toMatchObject([{ code: 'UC3150', file: join(folder, 'scene.glb') }]);
  });

  it('puts a constant vertex colour into the base colour, once', async () => {
    const color = (c: number[]) => ({ COLOR_0: { data: Float32Array.from(Array(4).fill(c).flat()) } });
    await cook(
      {
        meshes: [
          { name: 'Red', primitives: [{ ...square, attributes: color([1, 0.5, 0.25, 1]), material: 0 }] },
          { name: 'Plain', primitives: [{ ...square, material: 0 }] },
        ],
        materials: [{ ...material([0.5, 0.5, 0.5, 1]), name: 'Paint' }],
      },
      { out: 'a.untold' },
    );
    const { materials, meshes } = await load('a.untold');
    expect(materials.map((m) => [m.name, m.baseColorFactor])).toEqual([
      ['Paint', [0.5, 0.25, 0.125, 1]],
      ['Paint_1', [0.5, 0.5, 0.5, 1]],
    ]);
    for (const { vertices } of meshes) expect([...vertices.subarray(28, 32)]).toEqual([255, 255, 255, 255]);
  });

  it('turns a few flat vertex colours into one palette texture for all meshes of the material', async () => {
    // Two triangles, each of one colour.
    const faces = (a: number[], b: number[]) => ({
      positions: [0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 0, 1, 0, -1, 0, 0, -1],
      attributes: { COLOR_0: { data: Float32Array.from([a, a, a, b, b, b].flat()) } },
      material: 0,
    });
    const outcome = await cook({
      meshes: [
        { primitives: [faces([1, 0, 0, 1], [0, 1, 0, 1])] },
        { primitives: [faces([0, 0, 1, 1], [0, 1, 0, 1])] },
      ],
      materials: [{ name: 'Painted' }],
    });
    expect([outcome.status, codes(outcome)]).toEqual(['ok', []]);
    const tile = await load('out/scene/tile_0_0_0.untold');
    expect(tile.textures).toHaveLength(1);
    expect(tile.textures[0]).toMatchObject({
      uri: expect.stringMatching(/^Textures\/palette_[0-9a-f]{8}\.png$/),
      flags: 1,
    });
    expect(existsSync(join(folder, 'out/scene', tile.textures[0].uri))).toBe(true);
    expect(tile.meshes).toHaveLength(1);
  });

  /** A triangle of a square metre whose corners are red, green and blue. */
  const painted = (alpha: number) => ({
    positions: [0, 0, 0, 2, 0, 0, 0, 0, -1],
    attributes: { COLOR_0: { data: [1, 0, 0, alpha, 0, 1, 0, alpha, 0, 0, 1, alpha] } },
    material: 0,
  });

  it('bakes colours that vary within a triangle into a texture, one for all meshes of the material', async () => {
    const outcome = await cook({
      meshes: [{ primitives: [painted(1)] }, { primitives: [painted(1)] }],
      materials: [{}],
    });
    expect([outcome.status, codes(outcome)]).toEqual(['ok', []]);
    const { meshes, textures, materials } = await load('out/scene/tile_0_0_0.untold');
    expect(textures).toMatchObject([{ uri: expect.stringMatching(/^Textures\/colors_[0-9a-f]{8}\.png$/), flags: 1 }]);
    expect(materials.map(({ baseColorFactor }) => baseColorFactor)).toEqual([[1, 1, 1, 1]]);
    expect(meshes.length).toBe(1);
    const file = sharp(join(folder, 'out/scene', textures[0].uri))
      .ensureAlpha()
      .raw();
    const { data, info } = await file.toBuffer({ resolveWithObject: true });
    const sample = createSampler({ width: info.width, height: info.height, data }, 'repeat', 'repeat', true);
    const [mesh] = meshes;
    const seen = new Float64Array(4);
    const colors = Array.from({ length: mesh.vertices.length / 32 }, (_, v) => {
      const uv = new DataView(mesh.vertices.buffer, mesh.vertices.byteOffset + v * 32 + 20, 4);
      sample(halfValue(uv.getUint16(0, true)), halfValue(uv.getUint16(2, true)), seen);
      // Half floats move the corner by a share of a texel.
      return [...seen.slice(0, 3)].map((c) => Math.round(c * 20) / 20).join();
    });
    expect(new Set(colors)).toEqual(new Set(['1,0,0', '0,1,0', '0,0,1']));
  });

  it('stores varying colours whose alpha is drawn, and says that they are not drawn', async () => {
    const blended = [{ alphaMode: 'BLEND' }];
    const outcome = await cook({ meshes: [{ primitives: [painted(0.5)] }], materials: blended });
    expect([outcome.status, codes(outcome)]).toEqual(['ok', ['UC2013']]);
    const { vertices } = (await load('out/scene/tile_0_0_0.untold')).meshes[0];
    const colors = [0, 1, 2].map((v) => [...vertices.subarray(v * 32 + 28, v * 32 + 32)].join());
    expect(colors.sort()).toEqual(['0,0,255,128', '0,255,0,128', '255,0,0,128']);
  });
});

describe('textures', () => {
  const textured = (uri: string): SceneInput => ({
    meshes: [{ primitives: [{ ...square, uvs: [0, 1, 1, 1, 1, 0, 0, 0], material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ uri }],
  });
  const writeGltf = (name: string, scene: SceneInput) => {
    if (name.endsWith('.glb')) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), buildGlb(scene));
      return join(folder, name);
    }
    for (const [path, bytes] of Object.entries(buildGltf(scene, 'a'))) {
      const place = join(folder, dirname(name), basename(path));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes);
    }
    return join(folder, name);
  };
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
    'base64',
  );

  it('copies an image under its stem and hash, and lists what it read', async () => {
    const source = writeGltf('a.gltf', textured('wood%20%C3%BC.png'));
    writeFileSync(join(folder, 'wood ü.png'), pixel);
    const outcome = await cookFile(source);
    expect(outcome.status).toBe('ok');
    const [texture] = readdirSync(join(folder, 'out/scene/Textures'));
    expect(texture).toMatch(/^wood__?_?[0-9a-f]{8}\.png$/);
    expect(outcome.filesRead).toEqual(['a.bin', 'a.gltf', 'wood ü.png'].map((name) => join(folder, name)));
  });

  it('lists an image that a GLB names', async () => {
    const source = writeGltf('a.glb', textured('wood.png'));
    writeFileSync(join(folder, 'wood.png'), pixel);
    const outcome = await cookFile(source);
    expect([outcome.status, codes(outcome), outcome.totals?.textures]).toEqual(['ok', [], 1]);
    expect(outcome.filesRead).toEqual(['a.glb', 'wood.png'].map((name) => join(folder, name)));
  });

  it.each(['a.gltf', 'a.glb'])('%s fails for a missing one, drops it or puts a placeholder, as asked', async (name) => {
    const source = writeGltf(name, textured('gone.png'));
    const failed = await cookFile(source);
    expect([failed.status, codes(failed)]).toEqual(['failed', ['UC1203']]);
    expect(existsSync(join(folder, 'out'))).toBe(false);
    const dropped = await cookFile(source, { settings: { missingTexture: 'drop' } });
    expect([dropped.status, codes(dropped), dropped.totals?.textures]).toEqual(['ok', ['UC2105'], 0]);
    const replaced = await cookFile(source, { settings: { missingTexture: 'placeholder' } });
    expect([replaced.status, codes(replaced), replaced.totals?.textures]).toEqual(['ok', ['UC2106'], 1]);
  });

  it.each(['a.gltf', 'a.glb'])('%s reads nothing outside the root', async (name) => {
    const source = writeGltf(`inside/${name}`, textured('../secret.png'));
    writeFileSync(join(folder, 'secret.png'), pixel);
    const job = {
      source,
      root: join(folder, 'inside'),
      target: { kind: 'folder', folder: join(folder, 'out'), sceneName: 'scene' },
      settings: { missingTexture: 'error', tileSize: 25, compress: 'none' },
      policy: LENIENT,
      force: false,
    } as const;
    const outcome = await cookSource(job);
    expect([outcome.status, codes(outcome)]).toEqual(['failed', ['UC1204']]);
    expect((await cookSource({ ...job, root: folder })).status).toBe('ok');
  });
});
