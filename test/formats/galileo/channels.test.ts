// Every channel of the format, from a source to the bytes of a file: joints and weights, all sets of texture coordinates and all
// sets of colours.

import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readGalileo } from '../../../src/formats/galileo/read.ts';
import { SKELETONS_NAME, skeletonsExtension, statedSkeletons } from '../../../src/formats/galileo/skeletons.ts';
import { unormWeights } from '../../../src/formats/galileo/storedMesh.ts';
import type { GalileoMesh } from '../../../src/formats/galileo/types.ts';
import { validateGalileo } from '../../../src/formats/galileo/validate.ts';
import { buildGlb } from '../../importers/gltf/build.ts';
import { untold } from '../../support/command.ts';
import { png } from '../../textures/fixture.ts';
import { bytesOf, cook, fileOf, folder, useFolder } from '../glb/cooking.ts';
import { channelsGltf } from './channelsGltf.ts';

useFolder();

const PIXEL = png(1, 1, [[255, 0, 0, 255]]);
const IMAGE = `data:image/png;base64,${Buffer.from(PIXEL).toString('base64')}`;

async function cooked(name: string, gltf: string) {
  writeFileSync(fileOf(`${name}.gltf`), gltf);
  const target = { kind: 'file', path: fileOf(`${name}.gali`) } as const;
  return cook(fileOf(`${name}.gltf`), target, { format: 'galileo' });
}
const codesOf = ({ diagnostics }: Awaited<ReturnType<typeof cooked>>) => diagnostics.map(({ code }) => code);
const meshOf = (name: string) => readGalileo(bytesOf(`${name}.gali`), name);

// Indices, positions, normals and tangents of three vertices, then the channels: two of texture coordinates, V down as in glTF (half
// of 65535 is rounded up), three of colours, one of joints and one of weights. 0.75 and 0.25 are 49151.25 and 16383.75 of 65535:
// the one that is missing goes to the second, and of two halves to the first.
const SLICE = `
  00000000 01000000 02000000
  0000803f 00000000 0000a040  0000803f 000040c0 0000a040  00000040 00000000 0000a040
  00000000 00000000 0000803f  00000000 00000000 0000803f  00000000 00000000 0000803f
  00000000 000080bf 00000000 000080bf  00000000 000080bf 00000000 000080bf  00000000 000080bf 00000000 0000803f
  0000 ffff  ffff ffff  0040 0040
  0080 0000  0000 0080  ffff ffff
  ff0000ff 00ff00ff 0000ffff
  0a141e28 323c4650 5a646e78
  01020304 05060708 090a0b0c
  0100 0000 0000 0000  0100 0000 0000 0000  0000 0100 0000 0000
  ffbf 0040 0000 0000  ffff 0000 0000 0000  0080 ff7f 0000 0000`.replace(/\s/g, '');

describe('a triangle with every channel', () => {
  test('is written byte by byte as the text says', async () => {
    const codes = codesOf(await cooked('leaf', channelsGltf()));
    expect(codes).toEqual(['UC2333', 'UC2338']);
    const file = bytesOf('leaf.gali');
    // Header 36, manifest 44, one group of 56, two extensions of 32.
    const begin = 36 + 44 + 56 + 2 * 32;
    expect(Buffer.from(file.subarray(begin, begin + 240)).toString('hex')).toBe(SLICE);
    expect([...file.subarray(36 + 44 + 48, 36 + 44 + 52)]).toEqual([2, 3, 1, 0]);
    const text = new TextDecoder().decode(file.subarray(begin + 240));
    expect(text).toBe(
      '{"groups":[{"material":"green"}]}' +
        '{"skeletons":[{"name":"plant","joints":[{"name":"root","parent":-1},{"name":"tip","parent":0}]}],"groups":[0]}',
    );
    expect(await validateGalileo(file, 'f')).toEqual([]);
  });

  test('is read back with all of them', async () => {
    const mesh = await meshOf('leaf');
    const [{ texcoords, colors, joints, weights }] = mesh.groups;
    expect([texcoords.length, colors.length, joints.length, weights.length]).toEqual([2, 3, 1, 1]);
    expect([...texcoords[1]]).toEqual([32768, 0, 0, 32768, 65535, 65535]);
    expect([...colors[2]]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(statedSkeletons(mesh)?.skeletons[0].joints.map(({ name }) => name)).toEqual(['root', 'tip']);
  });

  test('shows them in inspect, and is sound for validate and verify', async () => {
    const { stdout } = await untold(folder, ['inspect', 'leaf.gali']);
    expect(stdout).toContain(SKELETONS_NAME);
    const staged = await untold(folder, ['inspect', '--stage', '--json', 'leaf.gali']);
    const { kind, prims } = JSON.parse(staged.stdout);
    expect([staged.code, kind, prims.map(({ path }: { path: string }) => path)]).toEqual([
      0,
      'gali',
      ['/skeleton_0', '/group_0'],
    ]);
    const [{ attributes: named }, { attributes, relationships }] = prims;
    expect([named.joints.value, named.parents.value]).toEqual([
      ['root', 'tip'],
      [-1, 0],
    ]);
    expect(attributes['joints/0']).toEqual({
      type: 'u16[4][]',
      value: [
        [1, 0, 0, 0],
        [1, 0, 0, 0],
        [0, 1, 0, 0],
      ],
    });
    expect(attributes.indices).toEqual({ type: 'u32[]', value: [0, 1, 2] });
    expect(relationships).toEqual({ material: ['green'], skeleton: ['/skeleton_0'] });
    expect((await untold(folder, ['validate', 'leaf.gali'])).code).toBe(0);
    expect((await untold(folder, ['verify', 'leaf.gali'])).code).toBe(0);
  });
});

const STAGE = `#usda 1.0
(defaultPrim = "A"
metersPerUnit = 1
upAxis = "Y")
def Mesh "A" {
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points = [(1, 5, 0), (1, 5, 3), (2, 5, 0)]
  texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (interpolation = "vertex")
  texCoord2f[] primvars:light = [(0.2, 1), (0.4, 1)] (interpolation = "faceVarying")
  int[] primvars:light:indices = [0, 1, 0]
  float3[] primvars:wind = [(0, 0, 0), (1, 0, 0), (0, 1, 0)] (interpolation = "vertex")
  color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] (interpolation = "vertex")
  color4f[] primvars:mask = [(0.2, 0.4, 0.6, 0.8)] (interpolation = "constant")
}`;

test('primvars of USD with the roles of texture coordinates and colours are sets, whether a material uses them or not', async () => {
  writeFileSync(fileOf('roles.usda'), STAGE);
  await cook(fileOf('roles.usda'), { kind: 'file', path: fileOf('roles.gali') }, { format: 'galileo' });
  const [{ texcoords, colors, indices }] = (await meshOf('roles')).groups;
  // 0.2 and 0.4 of 65535 are 13107 and 26214; V 1 is at the top.
  expect(texcoords.map((set) => [...indices].map((v) => [...set.subarray(v * 2, v * 2 + 2)]))).toEqual([
    [
      [0, 65535],
      [65535, 65535],
      [0, 0],
    ],
    [
      [13107, 0],
      [26214, 0],
      [13107, 0],
    ],
  ]);
  expect(colors.map((set) => [...set])).toEqual([
    [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255],
    [51, 102, 153, 204, 51, 102, 153, 204, 51, 102, 153, 204],
  ]);
});

test('weights of a vertex add up to 65535, and those of a file stay', () => {
  const third = unormWeights([1, 1, 1, 0]);
  expect([...third]).toEqual([21845, 21845, 21845, 0]);
  expect([...unormWeights([0.6, 0.3, 0.05, 0.05])]).toEqual([39321, 19660, 3277, 3277]);
  expect([...unormWeights([0, 0, 0, 0])]).toEqual([65535, 0, 0, 0]);
  for (let a = 1; a < 65535; a += 977) {
    const stored = [a, 65535 - a, 0, 0];
    const again = unormWeights(Float32Array.from(stored, (weight) => weight / 65535));
    expect([...again]).toEqual(stored);
  }
});

test('sets beyond eight are left out, which is said (UC2341)', async () => {
  const uvs = Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8].map((n) => [`TEXCOORD_${n}`, [Float32Array.of(0, 0, 1, 0, 0, 1), 2] as const]),
  );
  const colors = Object.fromEntries(
    [3, 4, 5, 6, 7, 8].map((n) => [`COLOR_${n}`, [new Uint8Array(12).fill(n), 4] as const]),
  );
  const outcome = await cooked('many', channelsGltf(undefined, { ...uvs, ...colors }));
  const said = outcome.diagnostics.filter(({ code }) => code === 'UC2341').map(({ message }) => message);
  expect(said.length).toBe(2);
  expect(said.some((message) => message.includes('TEXCOORD_8'))).toBe(true);
  expect(said.some((message) => message.includes('COLOR_8'))).toBe(true);
  const [group] = (await meshOf('many')).groups;
  expect([group.texcoords.length, group.colors.length]).toEqual([8, 8]);
  expect([...group.colors[7]]).toEqual(new Array(12).fill(7));
});

describe('texture coordinates beyond 0 and 1', () => {
  const far = [Float32Array.of(0, 0, 3, 0, 0, 3), 2] as const;

  test('do not cut triangles where no texture is sampled with them, and are left out (UC2339)', async () => {
    const outcome = await cooked('bare', channelsGltf(undefined, { TEXCOORD_0: far }));
    expect(codesOf(outcome)).toContain('UC2339');
    expect(codesOf(outcome)).not.toContain('UC2340');
    const [group] = (await meshOf('bare')).groups;
    expect(group.indices.length).toBe(3);
    // The set keeps its number: it is zeros, because another follows.
    expect([...group.texcoords[0]]).toEqual([0, 65535, 0, 65535, 0, 65535]);
    expect([...group.texcoords[1]]).toEqual([32768, 0, 0, 32768, 65535, 65535]);
  });

  test('cut triangles where the texture of the material repeats; growth is said (UC2340)', async () => {
    const outcome = await cooked('painted', channelsGltf(IMAGE, { TEXCOORD_0: far }));
    const grown = outcome.diagnostics.find(({ code }) => code === 'UC2340');
    // Three squares along each side: three halves of squares, and three whole ones of two triangles.
    expect(grown?.message).toContain('1 triangle became 9');
    expect(codesOf(outcome)).not.toContain('UC2339');
    const [group] = (await meshOf('painted')).groups;
    expect(group.indices.length).toBe(27);
    expect(await validateGalileo(bytesOf('painted.gali'), 'f')).toEqual([]);
  });

  test('are said once of all groups that grow, with the one that grows most (UC2340)', async () => {
    const triangle = (reach: number, material: number) => ({
      primitives: [
        { positions: [0, material, 0, 1, material, 0, 0, material, 1], uvs: [0, 0, reach, 0, 0, reach], material },
      ],
    });
    const material = { pbrMetallicRoughness: { baseColorTexture: { index: 0 } } };
    const scene = {
      meshes: [triangle(2, 0), triangle(3, 1), triangle(2, 2)],
      materials: ['a', 'b', 'c'].map((name) => ({ name, ...material })),
      textures: [{ source: 0 }],
      images: [PIXEL],
    };
    writeFileSync(fileOf('three.glb'), buildGlb(scene));
    const target = { kind: 'file', path: fileOf('three.gali') } as const;
    const outcome = await cook(fileOf('three.glb'), target, { format: 'galileo' });
    const grown = outcome.diagnostics.filter(({ code }) => code === 'UC2340');
    expect(grown.map(({ path, message }) => [path, message])).toEqual([
      ['nodes/1', '1 triangle became 9; of 3 groups this is the worst'],
    ]);
  });

  test('of a second set cut nothing, though a texture is sampled with the first', async () => {
    const outcome = await cooked('second', channelsGltf(IMAGE, { TEXCOORD_1: far }));
    const left = outcome.diagnostics.find(({ code }) => code === 'UC2339');
    expect(left?.message).toContain('channel 1 of texture coordinates');
    const [group] = (await meshOf('second')).groups;
    expect([group.indices.length, group.texcoords.length]).toEqual([3, 1]);
  });

  test('are named by their channel in the file, which is not the number of a source that leaves numbers out', async () => {
    const attributes = { TEXCOORD_2: far, TEXCOORD_4: [Float32Array.of(0, 0, 1, 0, 0, 1), 2] } as const;
    const outcome = await cooked('gaps', channelsGltf(undefined, { ...attributes, TEXCOORD_5: far }));
    const left = outcome.diagnostics.find(({ code }) => code === 'UC2339');
    // Of 0, 1, 2, 4 and 5, TEXCOORD_5 is the fifth.
    expect(left?.message).toContain('channels 2, 4 of texture coordinates');
    const [group] = (await meshOf('gaps')).groups;
    expect(group.texcoords.length).toBe(4);
    // The corners of TEXCOORD_4: each of 0 and 1 in each direction is there.
    expect([...group.texcoords[3]].sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 65535, 65535]);
  });

  test('are moved by whole numbers where that is enough, in every set', async () => {
    const away = [Float32Array.of(7.5, -2, 7, -1.5, 8, -1), 2] as const;
    const outcome = await cooked('away', channelsGltf(undefined, { TEXCOORD_1: away }));
    expect(codesOf(outcome)).not.toContain('UC2339');
    const [group] = (await meshOf('away')).groups;
    expect([...group.texcoords[1]]).toEqual([32768, 0, 0, 32768, 65535, 65535]);
  });
});

describe('what an extension says of joints counts', () => {
  const skeleton = {
    name: 'plant',
    joints: [
      { name: 'root', parent: -1 },
      { name: 'tip', parent: 0 },
    ],
  };
  const withDocument = async (document: object): Promise<GalileoMesh> => {
    const { name, version } = skeletonsExtension({ skeletons: [], groups: [] });
    const data = new TextEncoder().encode(JSON.stringify(document));
    return { ...(await meshOf('leaf')), extensions: [{ name, version, data, next: null }], firstExtension: 0 };
  };

  test('where it fits the groups', async () => {
    expect(statedSkeletons(await withDocument({ skeletons: [skeleton], groups: [0] }))).not.toBe(null);
  });

  test.each([
    ['no skeletons', { groups: [0] }],
    ['a group that follows none', { skeletons: [skeleton], groups: [null] }],
    ['a skeleton that is not there', { skeletons: [skeleton], groups: [1] }],
    ['another number of groups', { skeletons: [skeleton], groups: [0, 0] }],
    [
      'fewer joints than vertices name',
      { skeletons: [{ name: 'plant', joints: [{ name: 'root', parent: -1 }] }], groups: [0] },
    ],
    [
      'a parent after its child',
      {
        skeletons: [
          {
            name: '',
            joints: [
              { name: 'a', parent: 1 },
              { name: 'b', parent: -1 },
            ],
          },
        ],
        groups: [0],
      },
    ],
    [
      'a joint without a name',
      { skeletons: [{ name: '', joints: [{ parent: -1 }, { name: 'b', parent: 0 }] }], groups: [0] },
    ],
  ])('not with %s', async (_, document) => {
    expect(statedSkeletons(await withDocument(document))).toBe(null);
  });
});
