import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Diagnostics, fail } from '../../src/diagnostics/diagnostic.ts';
import { defaultRoot, diskFiles } from '../../src/importers/files.ts';
import { importSource } from '../../src/importers/index.ts';
import { sceneDocument } from '../../src/library/sceneDocument.ts';
import { identity, multiply, rotation, translation } from '../../src/scene/matrix.ts';
import type { Mat4, Scene, ScenePrimitive } from '../../src/scene/types.ts';
import { polygons } from '../geometry/meshes.ts';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'art/town.gltf', squareGltf({ image: 'red.png', size: 2, at: 3 }));
  put(folder, 'art/red.png', RED_PNG);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inspectJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await untold(folder, ['inspect', '--json', ...args]);
  return { code, stderr, document: stdout === '' ? null : JSON.parse(stdout) };
};

describe('a source', () => {
  test('gives the whole document', async () => {
    expect(await inspectJson('art/town.gltf')).toEqual({
      code: 0,
      stderr: '',
      document: {
        schemaVersion: 1,
        source: 'art/town.gltf',
        kind: 'gltf',
        upAxis: 'Y',
        metersPerUnit: 1,
        bounds: { min: [3, 0, 0], max: [5, 2, 0] },
        totals: { nodes: 1, meshes: 1, instances: 1, triangles: 2, vertices: 4, materials: 1, textures: 1 },
        meshes: [
          {
            path: 'meshes/0/primitives/0',
            type: 'primitive',
            triangles: 2,
            vertices: 4,
            bounds: { min: [3, 0, 0], max: [5, 2, 0] },
            material: 'materials/0',
            subsets: [],
            instances: 1,
          },
        ],
        materials: [
          {
            path: 'materials/0',
            name: 'paint',
            alphaMode: 'opaque',
            baseColor: [1, 0.5, 0.25, 1],
            metallic: 1,
            roughness: 1,
            emissive: [0, 0, 0],
            transmission: 0,
            textures: { baseColor: 'red.png' },
          },
        ],
        warnings: [],
      },
    });
  });

  test('counts placements, and --scene chooses', async () => {
    const { document } = await inspectJson('art/town.gltf', '--scene', 'Night');
    expect(document.totals).toMatchObject({ nodes: 2, meshes: 1, instances: 2, triangles: 4, vertices: 8 });
    expect(document.meshes).toMatchObject([
      { instances: 2, triangles: 2, bounds: { min: [-97, 0, 0], max: [105, 2, 0] } },
    ]);
  });

  test('is told in words without --json', async () => {
    const { code, stdout } = await untold(folder, ['inspect', 'art/town.gltf']);
    expect(code).toBe(0);
    expect(stdout).toContain('art/town.gltf: gltf, Y up, 1 m a unit\n');
    expect(stdout).toContain('bounds (3 0 0) to (5 2 0)\n');
    expect(stdout).toContain('baseColor red.png');
  });

  test('that cannot be opened is an error, which the document holds', async () => {
    const said = (code: string) => ({ diagnostics: [{ code }] });
    expect(await inspectJson('missing.glb')).toMatchObject({ code: 3, document: said('UC1200') });
    expect(await inspectJson('art/red.png')).toMatchObject({ code: 1, document: said('UC1201') });
  });
});

test('what is cooked: a manifest and a .untold file', async () => {
  expect((await untold(folder, ['cook', 'art/town.gltf', '--out', 'tiles'])).code).toBe(0);
  const { code, document } = await inspectJson('tiles/town.json');
  expect(code).toBe(0);
  expect(Object.keys(document)).toEqual([
    'schemaVersion',
    'source',
    'kind',
    'manifest',
    'payloads',
    'totals',
    'warnings',
  ]);
  expect(document).toMatchObject({ source: 'tiles/town.json', kind: 'manifest', warnings: [] });
  expect(document.payloads).toHaveLength(1);
  expect(document.manifest.tiles[0].path_relative_to_manifest).toBe(document.payloads[0]);
  const tile = await inspectJson(`tiles/${document.payloads[0]}`);
  expect(tile.document).toMatchObject({
    kind: 'untold',
    fileType: 'tile',
    totals: { meshes: 1, triangles: 2, vertices: 4, materials: 1, textures: 1 },
    warnings: [],
  });
  expect((await untold(folder, ['inspect', 'tiles/town.json'])).stdout).toContain(document.payloads[0]);
  expect((await untold(folder, ['inspect', `tiles/${document.payloads[0]}`])).stdout).toMatch(
    /\.untold version 1, tile, /,
  );
});

/** A scene of one primitive, an edge from the origin to (1, 0, 0), at the given places. */
function edgeScene(placements: readonly Mat4[], read?: () => never): Scene {
  const primitive: ScenePrimitive = {
    path: 'p',
    type: 'primitive',
    vertexCount: 2,
    triangleCount: 1,
    bounds: { min: [0, 0, 0], max: [1, 1, 0] },
    material: -1,
    subsets: [],
    read: async () => {
      read?.();
      return polygons(
        [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
        [[0, 1, 2]],
      );
    },
  };
  return {
    source: 's',
    kind: 'glb',
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes: placements.map((world, i) => ({ name: '', path: `nodes/${i}`, parent: -1, local: world, world, mesh: 0 })),
    meshes: [
      { name: '', path: 'm', primitives: [primitive] },
      { name: '', path: 'unplaced', primitives: [{ ...primitive, path: 'q' }] },
    ],
    materials: [],
    images: [],
  };
}

describe('bounds', () => {
  const eighth = rotation(0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8));

  test('of turned placements are those of the points, not of their boxes', async () => {
    const { bounds, meshes, totals } = await sceneDocument(edgeScene([eighth]), 's', new Diagnostics());
    // The triangle (0,0) (1,0) (0,1) turned by 45 degrees: its box's far corner would reach y = 1.414.
    expect(bounds?.min[0]).toBeCloseTo(-Math.SQRT1_2, 12);
    expect(bounds?.max[1]).toBeCloseTo(Math.SQRT1_2, 12);
    expect([meshes.length, totals.meshes]).toEqual([1, 1]);
  });

  test('of several placements are united', async () => {
    const places = [identity(), translation(5, 0, 0), multiply(translation(0, 10, 0), eighth)];
    const { bounds, totals } = await sceneDocument(edgeScene(places), 's', new Diagnostics());
    expect(bounds?.max[0]).toBe(6);
    expect(bounds?.max[1]).toBeCloseTo(10 + Math.SQRT1_2, 12);
    expect(totals).toMatchObject({ instances: 3, triangles: 3, vertices: 6 });
  });

  test('of geometry that cannot be read are those of its box, and the reason is told', async () => {
    const diagnostics = new Diagnostics();
    const broken = edgeScene([eighth], () => fail('UC1206', 's', 'p', 'cut off'));
    const { bounds, warnings } = await sceneDocument(broken, 's', diagnostics);
    expect(bounds?.max[1]).toBeCloseTo(Math.SQRT2, 12);
    expect(warnings.map((d) => d.code)).toEqual(['UC1206']);
  });

  test('of nothing are null', async () => {
    const { bounds, totals } = await sceneDocument(edgeScene([]), 's', new Diagnostics());
    expect([bounds, totals.instances, totals.meshes]).toEqual([null, 0, 0]);
  });
});

const shared = resolve(import.meta.dirname, '../../../shared');
const truthFile = resolve(shared, 'truth/usd.jsonl');

interface Truth {
  readonly file: string;
  readonly upAxis: 'Y' | 'Z';
  readonly metersPerUnit: number;
  readonly meshes: number;
  readonly tris: number;
  readonly points: number;
  readonly min: readonly number[] | null;
  readonly max: readonly number[] | null;
  /** Absent when OpenUSD could not open the stage. */
  readonly types?: Readonly<Record<string, number>>;
  readonly instances: number;
}

/** Prim types that are drawn here and that the reference figures, which count meshes, leave out. */
const SHAPES = ['Cube', 'Sphere', 'Cylinder', 'Cone', 'Capsule', 'Plane', 'PointInstancer'];

describe.skipIf(!existsSync(truthFile))('USD stages agree with OpenUSD (skipped without its figures)', () => {
  const truths = existsSync(truthFile)
    ? readFileSync(truthFile, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Truth)
    : [];

  test('in counts and bounds, wherever a stage draws nothing but meshes', async () => {
    let compared = 0;
    for (const truth of truths) {
      const { types } = truth;
      if (!types || SHAPES.some((type) => type in types) || truth.instances > 0) continue;
      const path = resolve(shared, 'assets', truth.file);
      const diagnostics = new Diagnostics();
      const files = diskFiles(defaultRoot(path));
      // What is missing or broken is left out, as OpenUSD does.
      const scene = await importSource(path, truth.file, { files, diagnostics, options: { tolerant: true } });
      const { totals, bounds, upAxis } = await sceneDocument(scene, truth.file, diagnostics);
      expect([truth.file, upAxis, totals.instances, totals.triangles, totals.vertices]).toEqual([
        truth.file,
        truth.upAxis === 'Z' ? 'Z' : 'Y',
        truth.meshes,
        truth.tris,
        truth.points,
      ]);
      // OpenUSD divides by w; transforms are affine here.
      if (diagnostics.list.some(({ code }) => code === 'UC1829')) continue;
      if (truth.min && truth.max && bounds) {
        const toEngine = ([x, y, z]: readonly number[]) => (truth.upAxis === 'Z' ? [x, z, -y] : [x, y, z]);
        const a = toEngine(truth.min);
        const b = toEngine(truth.max);
        const extent = Math.max(...a.map((v, i) => Math.abs(v - b[i]))) * truth.metersPerUnit;
        for (let i = 0; i < 3; i++) {
          // Float32 positions and nine printed digits agree to about one part in a million of the extent.
          const slack = Math.max(extent, 1e-6) * 1e-6;
          expect(Math.abs(bounds.min[i] - Math.min(a[i], b[i]) * truth.metersPerUnit), truth.file).toBeLessThan(slack);
          expect(Math.abs(bounds.max[i] - Math.max(a[i], b[i]) * truth.metersPerUnit), truth.file).toBeLessThan(slack);
        }
      } else expect([truth.file, truth.min, bounds]).toEqual([truth.file, null, null]);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(120);
  });
});

test('a pack and a part of a set count their files, and textures among them, as the disk does', async () => {
  put(folder, 'sums/red.png', RED_PNG);
  put(folder, 'sums/town.gltf', squareGltf({ image: 'red.png' }));
  const written = async (out: string, ...args: string[]) => {
    expect((await untold(folder, ['cook', 'sums/town.gltf', '--out', out, '--no-cache', '-q', ...args])).code).toBe(0);
    const root = join(folder, out.slice(0, out.indexOf('/')));
    const files = filesBelow(root).map((path) => ({ path, bytes: statSync(join(root, path)).size }));
    const sum = (list: typeof files) => ({
      files: list.length,
      bytes: list.reduce((all, { bytes }) => all + bytes, 0),
    });
    const of = (pattern: RegExp) => sum(files.filter(({ path }) => pattern.test(path)));
    return { files: sum(files), payloads: of(/\.untold$/), textures: of(/\.utex$/) };
  };
  const inspected = async (file: string) => JSON.parse((await untold(folder, ['inspect', file, '--json'])).stdout);
  const pack = await written('pack/kit.untoldpack');
  expect([pack.textures.files, (await inspected('pack/kit.untoldpack')).totals]).toEqual([1, pack]);
  const part = await written('part/', '--shard', '1/2');
  expect(await inspected('part/town.shard.json')).toMatchObject({ kind: 'shard', index: 1, count: 2, totals: part });
  const told = (await untold(folder, ['inspect', 'part/town.shard.json'])).stdout;
  expect(told).toMatch(
    /^part\/town\.shard\.json: part 2 of 2 of the set town, for `untold merge`\n1 tile: 1 payload with /,
  );
});
