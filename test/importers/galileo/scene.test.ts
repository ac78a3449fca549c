// Galileo meshes as sources: what a Scene has of each channel, and what is named because it has no place there.

import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { DEFAULT_LIMITS, LimitWatch } from '../../../src/diagnostics/limits.ts';
import { materialsExtension } from '../../../src/formats/galileo/materials.ts';
import { skeletonsExtension } from '../../../src/formats/galileo/skeletons.ts';
import type { GalileoGroup } from '../../../src/formats/galileo/types.ts';
import { type GalileoContent, writeGalileo } from '../../../src/formats/galileo/write.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import type { ImportOptions } from '../../../src/importers/importer.ts';
import { importSource } from '../../../src/importers/index.ts';
import type { PolygonMesh } from '../../../src/scene/types.ts';
import { BROKEN_GALILEO } from '../../formats/fixtureCodes.ts';
import { FIXTURE_NAMES, fixture, mesh, TRIANGLE } from '../../formats/galileo/meshes.ts';

const PATH = resolve('/scene/leaf.gali');

async function read(bytes: Uint8Array, options: ImportOptions = {}, limits = {}) {
  const diagnostics = new Diagnostics();
  const files = {
    ...memoryFiles({ [PATH]: bytes }, resolve('/scene')),
    limits: new LimitWatch({ ...DEFAULT_LIMITS, ...limits }),
  };
  const scene = await importSource(PATH, 'leaf.gali', { files, diagnostics, options });
  return { scene, codes: diagnostics.list.map(({ code }) => code), found: diagnostics.list };
}
const readMesh = async (content: GalileoContent, options?: ImportOptions) => read(await writeGalileo(content), options);

/** The triangle from (0, 0, 0) to (1, 0, 0) and (0, 1, 0) with +Z up, that is to (0, 0, -1) with +Y up. */
const FULL: GalileoGroup = {
  ...TRIANGLE,
  texcoords: [Uint16Array.of(0, 65535, 65535, 65535, 0, 0), Uint16Array.of(0, 0, 0, 13107, 26214, 0)],
  colors: [new Uint8Array(12).fill(255), Uint8Array.of(0, 51, 102, 255, 0, 0, 0, 0, 255, 255, 255, 0)],
  joints: [Uint16Array.of(1, 2, 9, 0, 3, 0, 0, 0, 0, 0, 0, 0), Uint16Array.of(4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)],
  weights: [
    Uint16Array.of(13107, 13107, 0, 0, 65535, 0, 0, 0, 65535, 0, 0, 0),
    Uint16Array.of(39321, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  ],
};

describe('each channel of a group', () => {
  const polygons = async (): Promise<PolygonMesh> => {
    const { scene } = await readMesh(mesh([FULL]), { keepsRigs: true });
    const { bound } = scene.meshes[0].primitives[0];
    if (!bound) throw new Error('nothing moves the mesh');
    return bound.read();
  };

  test('is in engine space: (x, y, z) is (x, z, -y), and V is up', async () => {
    const { points, normals, tangents, uvs, corners } = await polygons();
    expect([...points]).toEqual([0, 0, 0, 1, 0, 0, 0, 0, -1]);
    expect([...corners]).toEqual([0, 1, 2]);
    expect([...(normals?.data ?? [])]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
    expect([...(tangents?.data ?? [])].slice(0, 4)).toEqual([1, 0, 0, 1]);
    expect([...uvs.keys()]).toEqual(['TEXCOORD_0', 'TEXCOORD_1']);
    expect([...(uvs.get('TEXCOORD_0')?.data ?? [])]).toEqual([0, 0, 1, 0, 0, 1]);
    expect([...(uvs.get('TEXCOORD_1')?.data ?? [])]).toEqual([0, 1, 0, Math.fround(0.8), Math.fround(0.4), 1]);
  });

  test('has its own set of colours, and its influences one after the other', async () => {
    const { colors, colors1, colors2, skinning } = await polygons();
    expect([...(colors?.data ?? [])]).toEqual(new Array(12).fill(1));
    expect([...(colors1?.data ?? [])].slice(0, 4)).toEqual([0, 0.2, 0.4, 1].map(Math.fround));
    expect(colors2).toBe(undefined);
    expect(skinning?.influences).toBe(8);
    // A joint without a weight is 0, whatever the file says.
    expect([...(skinning?.joints ?? [])].slice(0, 8)).toEqual([1, 2, 0, 0, 4, 0, 0, 0]);
    expect([...(skinning?.weights ?? [])].slice(0, 8)).toEqual([0.2, 0.2, 0, 0, 0.6, 0, 0, 0].map(Math.fround));
  });
});

describe('a skeleton', () => {
  test('that nothing names has joints by their numbers, up to the highest with a weight (UC2342)', async () => {
    const { scene, codes } = await readMesh(mesh([FULL]), { keepsRigs: true });
    const names = ['joint_0', 'joint_1', 'joint_2', 'joint_3', 'joint_4'];
    expect(scene.skeletons?.map(({ name, joints }) => [name, joints.map((joint) => joint.name)])).toEqual([
      ['leaf', names],
    ]);
    expect(codes).toEqual(['UC2345', 'UC2342']);
  });

  test('of an extension has its names and parents; those of brothers differ', async () => {
    const joints = [
      { name: 'root', parent: -1 },
      { name: 'a/b', parent: 0 },
      { name: '', parent: 1 },
      { name: 'a_b', parent: 0 },
      { name: 'a_b', parent: 0 },
    ];
    const extension = skeletonsExtension({ skeletons: [{ name: 'plant', joints }], groups: [0, null] });
    const content = mesh([FULL, TRIANGLE], { extensions: [extension], firstExtension: 0 });
    const { scene } = await readMesh(content, { keepsRigs: true });
    expect(scene.skeletons?.[0].joints.map(({ path }) => path)).toEqual([
      '/root',
      '/root/a_b',
      '/root/a_b/joint_2',
      '/root/a_b_2',
      '/root/a_b_3',
    ]);
    expect(scene.meshes.map(({ primitives: [{ bound }] }) => bound?.skin)).toEqual([0, undefined]);
  });

  test('has no more joints than --max-prims allows, numbered ones too (UC1209)', async () => {
    const refused = async (limits: object) => {
      const error = await read(await writeGalileo(mesh([FULL])), { keepsRigs: true }, limits).catch((thrown) => thrown);
      return error instanceof SourceError ? error.diagnostics.map(({ code, path }) => [code, path]) : [];
    };
    // The highest joint with a weight is the fourth.
    expect(await refused({ prims: 4 })).toEqual([['UC1209', 'skeletons']]);
    expect(await refused({ prims: 5 })).toEqual([]);
  });

  test('has paths that fit together into 16,777,216 letters (UC1209)', async () => {
    // Path i of a chain has 8 (i + 1) letters: together 4 n (n + 1).
    const chain = (count: number) => {
      const joints = Array.from({ length: count }, (_, i) => ({ name: 'segment', parent: i - 1 }));
      const extension = skeletonsExtension({ skeletons: [{ name: 'worm', joints }], groups: [0] });
      return readMesh(mesh([FULL], { extensions: [extension], firstExtension: 0 }), { keepsRigs: true });
    };
    const { scene } = await chain(2047);
    expect(scene.skeletons?.[0].joints.reduce((sum, { path }) => sum + path.length, 0)).toBe(4 * 2047 * 2048);
    const error = await chain(2048).catch((thrown) => thrown);
    expect((error as SourceError).diagnostics.map(({ code, path }) => [code, path])).toEqual([['UC1209', 'skeletons']]);
    expect((error as SourceError).diagnostics[0].message).toContain(`${4 * 2048 * 2049} letters`);
  });

  test('is left out of tiles, which is said (UC2344)', async () => {
    const { scene, codes } = await readMesh(mesh([FULL]));
    expect([scene.skeletons, scene.meshes[0].primitives[0].bound]).toEqual([undefined, undefined]);
    expect(codes).toEqual(['UC2345', 'UC2344']);
  });
});

test('groups of one name share a material, and what has none has no name (UC2345)', async () => {
  const extensions = [materialsExtension(['oak', null, 'oak'])];
  const { scene, found } = await readMesh(mesh([TRIANGLE, TRIANGLE, TRIANGLE], { extensions, firstExtension: 0 }));
  expect(scene.materials.map(({ name }) => name)).toEqual(['oak']);
  expect(scene.meshes.map(({ name, primitives: [{ material }] }) => [name, material])).toEqual([
    ['oak', 0],
    ['group_1', -1],
    ['oak', 0],
  ]);
  expect(found.map(({ message }) => message)).toEqual(['it states their names alone']);
  expect((await readMesh(mesh())).found[0].message).toContain('no names');
});

test('extensions of others and their attributes are named (UC2343), and more channels than eight (UC2341)', async () => {
  const group: GalileoGroup = {
    ...TRIANGLE,
    colors: Array.from({ length: 9 }, (_, i) => new Uint8Array(12).fill(i)),
    extensionChannels: 2,
    extensionAttributes: new Uint8Array(12),
    firstExtension: 0,
  };
  const extensions = [{ name: 'com.example', version: 1, data: Uint8Array.of(1), next: null }];
  const { scene, found } = await readMesh(mesh([group], { extensions }));
  expect(found.map(({ code }) => code).sort()).toEqual(['UC2341', 'UC2343', 'UC2345']);
  const message = found.find(({ code }) => code === 'UC2343')?.message;
  expect(message).toBe('com.example; 2 channels of attributes');
  const { colors7 } = await scene.meshes[0].primitives[0].read();
  expect(colors7?.data[0]).toBe(Math.fround(7 / 255));
});

test.each(FIXTURE_NAMES.filter((name) => name.startsWith('good_')))('%s is a source', async (name) => {
  const { scene } = await read(fixture(name));
  for (const { primitives } of scene.meshes) {
    for (const one of primitives) expect((await one.read()).corners.length).toBe(one.triangleCount * 3);
  }
  expect([scene.kind, scene.upAxis]).toEqual(['gali', 'Z']);
});

test.each(Object.entries(BROKEN_GALILEO))('%s is no source: %s', async (name, [code]) => {
  const error = await read(fixture(`${name}.gali`)).catch((thrown) => thrown);
  // A file that does not begin as one of any kind is of none.
  const expected = name === 'bad_magic' ? 'UC1201' : code;
  expect(error).toBeInstanceOf(SourceError);
  expect((error as SourceError).diagnostics.map((one) => one.code)).toContain(expected);
});

test('more groups and vertices than the limits are refused (UC1209)', async () => {
  const bytes = await writeGalileo(mesh([TRIANGLE, TRIANGLE]));
  for (const limits of [{ prims: 1 }, { vertices: 2 }]) {
    const error = await read(bytes, {}, limits).catch((thrown) => thrown);
    expect((error as SourceError).diagnostics.map(({ code }) => code)).toEqual(['UC1209']);
  }
  expect((await read(bytes, {}, { prims: 2, vertices: 3 })).scene.nodes.length).toBe(2);
});
