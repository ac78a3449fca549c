// BPX models and packages as sources: geometry by literal values, bones, textures, and what is left out or refused.

import { describe, expect, test } from 'vitest';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import type { BpxModel } from '../../../src/formats/bpx/types.ts';
import { writeBpxModel } from '../../../src/formats/bpx/write/model.ts';
import { writeBpxPackage } from '../../../src/formats/bpx/write/package.ts';
import { writeBpxTexture } from '../../../src/formats/bpx/write/texture.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import type { ImportOptions } from '../../../src/importers/importer.ts';
import { importSource } from '../../../src/importers/index.ts';
import { decodeImageFile } from '../../../src/textures/encode/png.ts';
import { fixture } from '../../formats/bpx/files.ts';

async function read(bytes: Uint8Array, options: ImportOptions = {}) {
  const diagnostics = new Diagnostics();
  const files = memoryFiles({ '/Data/a.bpx': bytes }, '/Data');
  const scene = await importSource('/Data/a.bpx', 'a.bpx', { files, diagnostics, options });
  return { scene, codes: diagnostics.list.map(({ code }) => code).sort(), list: diagnostics.list };
}

const refusal = async (bytes: Uint8Array, options: ImportOptions = {}): Promise<string[]> => {
  const error = await read(bytes, options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof SourceError) return error.diagnostics.map(({ code }) => code);
  throw error ?? new Error('it was read');
};

const f = (count: number) => ({ type: 'f32', count }) as const;
const u = (count: number) => ({ type: 'u32', count }) as const;
const OURS = [f(3), f(3), f(4), f(2)];

const bytesOf = (rows: readonly (readonly number[])[], whole: readonly number[] = []) => {
  const view = new DataView(new ArrayBuffer(rows.length * rows[0].length * 4));
  for (const [v, row] of rows.entries())
    for (const [k, value] of row.entries()) {
      const at = (v * row.length + k) * 4;
      if (whole.includes(k)) view.setUint32(at, value, true);
      else view.setFloat32(at, value, true);
    }
  return new Uint8Array(view.buffer);
};

// Position, normal, tangent, texture coordinates.
const ROWS = [
  [1, 0, 5, 0, 0, 1, 0, 1, 0, -1, 0, 1],
  [1, 3, 5, 0, 0, 1, 0, 1, 0, -1, 1, 1],
  [2, 0, 5, 0, 0, 1, 0, 1, 0, 1, 0.25, -3.75],
];
const model = (more: Partial<BpxModel> = {}, rows = ROWS, whole: readonly number[] = []): BpxModel => ({
  kind: 'model',
  components: OURS,
  arrays: [
    { material: 'Materials/brick', vertexCount: 3, vertices: bytesOf(rows, whole), indices: Uint32Array.of(0, 2, 1) },
  ],
  bones: null,
  frames: null,
  animations: null,
  ...more,
});

test('space, winding, V and the sign of tangents are those of the reference', async () => {
  const { scene, codes } = await read(writeBpxModel(model()));
  const [primitive] = scene.meshes[0].primitives;
  const { points, corners, normals, tangents, uvs } = await primitive.read();
  expect([...points]).toEqual([1, 5, 0, 1, 5, 3, 2, 5, 0]);
  expect([...corners]).toEqual([0, 1, 2]);
  expect([...normals!.data]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
  expect([...tangents!.data]).toEqual([0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, 1]);
  expect([...uvs.get('TEXCOORD_0')!.data]).toEqual([0, 0, 1, 0, 0.25, 4.75]);
  expect([primitive.bounds, primitive.triangleCount]).toEqual([{ min: [1, 5, 0], max: [2, 5, 3] }, 1]);
  expect([scene.kind, scene.nodes[0].name, scene.materials[0].name]).toEqual(['bpx', 'a', 'brick']);
  expect(codes).toEqual(['UC2497']);
});

test('of vertices in another order the first FLOAT3, the second and the first FLOAT2 are taken (UC2498)', async () => {
  const rows = ROWS.map((row) => [7, row[10], row[11], ...row.slice(0, 6)]);
  const { scene, list } = await read(writeBpxModel(model({ components: [f(1), f(2), f(3), f(3)] }, rows)));
  const { points, normals, tangents, uvs } = await scene.meshes[0].primitives[0].read();
  expect([...points]).toEqual([1, 5, 0, 1, 5, 3, 2, 5, 0]);
  expect([...normals!.data]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
  expect([...uvs.get('TEXCOORD_0')!.data]).toEqual([0, 0, 1, 0, 0.25, 4.75]);
  expect(tangents).toBeNull();
  expect(list.find(({ code }) => code === 'UC2498')?.message).toMatch(/1 component of vertices$/);
});

test('normals and tangents that point nowhere are told of and made anew (UC2498)', async () => {
  const [first, ...others] = ROWS;
  const [whole] = model().arrays;
  const flat = { ...whole, vertices: bytesOf([first.with(5, 0), ...others]) };
  const unsigned = { ...whole, vertices: bytesOf([first.with(9, 0.5), ...others]) };
  const { scene, list } = await read(writeBpxModel(model({ arrays: [flat, whole, unsigned, flat] })));
  expect(list.find(({ code }) => code === 'UC2498')?.message).toMatch(
    /^normals of 2 vertex arrays that point nowhere, tangents of 1 vertex array that point nowhere$/,
  );
  const meshes = await Promise.all(scene.meshes[0].primitives.map((primitive) => primitive.read()));
  expect(meshes.map(({ normals, tangents }) => [normals !== null, tangents !== null])).toEqual([
    [false, true],
    [true, true],
    [true, false],
    [false, true],
  ]);
});

test('positions alone, without indices, are drawn with normals of their triangles', async () => {
  const alone = model(
    { components: [f(3)] },
    ROWS.map((row) => row.slice(0, 3)),
  );
  const [array] = alone.arrays;
  const { scene } = await read(writeBpxModel({ ...alone, arrays: [{ ...array, material: null, indices: null }] }));
  const [primitive] = scene.meshes[0].primitives;
  const { normals, uvs, corners } = await primitive.read();
  expect([normals, uvs.size, [...corners], primitive.material]).toEqual([null, 0, [0, 2, 1], -1]);
});

const MATRIX = (x: number, y: number, z: number) => Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
const SKINNED = (joint: number, weight: number) =>
  model(
    {
      components: [...OURS, u(4), f(4)],
      bones: [
        // The child comes before its parent.
        { name: 'Hip/Leg', matrix: MATRIX(1, 4, 7) },
        { name: 'Hip', matrix: MATRIX(1, 3, 2) },
        { name: 'Tail/Tip', matrix: MATRIX(0, 0, 0) },
      ],
    },
    ROWS.map((row) => [...row, joint, 0, 0, 0, weight, 0, 0, 0]),
    [12, 13, 14, 15],
  );

describe('bones', () => {
  test('lie below the bone that the path names, with the matrices of the file as the pose', async () => {
    const { scene, codes } = await read(writeBpxModel(SKINNED(0, 1)), { keepsRigs: true });
    const [skeleton] = scene.skeletons!;
    expect(skeleton.joints.map(({ name, path, parent }) => [name, path, parent])).toEqual([
      ['Hip', '/Hip', -1],
      ['Leg', '/Hip/Leg', 0],
      ['Tail_Tip', '/Tail_Tip', -1],
    ]);
    // (1, 4, 7) and (1, 3, 2) are (1, 7, 4) and (1, 2, 3): the leg stands (0, 5, 1) from the hip.
    expect([...skeleton.joints[1].rest.subarray(12)]).toEqual([0, 5, 1, 1]);
    const [skin] = scene.skins!;
    expect([...skin.joints]).toEqual([1, 0, 2]);
    expect([...skin.bind.subarray(12, 16)]).toEqual([1, 7, 4, 1]);
    const mesh = await scene.meshes[0].primitives[0].bound!.read();
    expect([...mesh.skinning!.joints]).toEqual(new Array(12).fill(0));
    expect(codes).toEqual(['UC2497']);
  });

  test('stand still in tiles (UC2453), and move nothing without weights (UC2498)', async () => {
    const still = await read(writeBpxModel(SKINNED(0, 1)));
    expect([still.codes, still.scene.skeletons]).toEqual([['UC2453', 'UC2497'], undefined]);
    const { bones } = SKINNED(0, 1);
    const unused = await read(writeBpxModel(model({ bones })), { keepsRigs: true });
    expect([unused.codes, unused.scene.skeletons]).toEqual([['UC2497', 'UC2498'], undefined]);
  });

  test('that are not there are refused where they have a weight (UC3624), as is a matrix without an inverse (UC2456)', async () => {
    expect(await refusal(writeBpxModel(SKINNED(3, 0.5)), { keepsRigs: true })).toEqual(['UC3624']);
    const idle = await read(writeBpxModel(SKINNED(4e9, 0)), { keepsRigs: true });
    expect(idle.scene.meshes[0].primitives[0].bound).toBeUndefined();
    const flat = { ...SKINNED(0, 1), bones: [{ name: 'a', matrix: new Float32Array(16) }] };
    expect(await refusal(writeBpxModel(flat), { keepsRigs: true })).toEqual(['UC2456']);
  });

  test('animations are left out (UC2498)', async () => {
    const { list } = await read(fixture('good_animated.bpx'), { keepsRigs: true });
    expect(list.map(({ code }) => code)).toContain('UC2498');
    expect(list.find(({ code }) => code === 'UC2498')?.message).toMatch(/animation/);
  });
});

const texture = (format: 'rgb8' | 'rgba8' | 'grey8' | 'float32', texels: readonly number[]) =>
  writeBpxTexture({
    kind: 'texture',
    width: 2,
    height: 2,
    format,
    isArray: false,
    isCubeMap: false,
    compressOnLoad: false,
    mips: 2,
    images: [format === 'float32' ? new Uint8Array(Float32Array.from(texels).buffer) : Uint8Array.from(texels)],
  });
const RGBA = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 0, 9, 8, 7, 128];
const packageOf = (files: Readonly<Record<string, Uint8Array>>) =>
  writeBpxPackage({
    kind: 'package',
    compatibility: 15,
    assets: Object.entries(files).map(([path, bytes]) => ({ path, bytes })),
  });

describe('packages', () => {
  test('each model is a node, and textures at the paths of a material are its own', async () => {
    const grey = texture('grey8', [0, 50, 100, 255]);
    const { scene, codes } = await read(
      packageOf({
        'Models/one.bpx': writeBpxModel(model()),
        'notes.txt': Uint8Array.of(1, 2, 3),
        'More/two.bpx': writeBpxModel(model()),
        'Materials/brick/baseColor.bpx': texture('rgba8', RGBA),
        'Materials/brick/roughness_g.bpx': grey,
        'Materials/brick/occlusion.bpx': grey,
      }),
    );
    expect(scene.nodes.map(({ name, path }) => [name, path])).toEqual([
      ['one', 'Models/one.bpx'],
      ['two', 'More/two.bpx'],
    ]);
    const [{ textures, alphaMode, roughness, metallic }] = scene.materials;
    expect([scene.materials.length, alphaMode, roughness, metallic]).toEqual([1, 'mask', 1, 0]);
    expect([textures.roughness?.channel, textures.occlusion?.channel, textures.opacity?.channel]).toEqual([
      'g',
      'r',
      'a',
    ]);
    expect([textures.baseColor?.colorSpace, textures.roughness?.colorSpace]).toEqual(['srgb', 'linear']);
    expect(textures.metallic).toBeUndefined();
    const texels = async (image = 0) => [...((await decodeImageFile(await scene.images[image].read()))?.data ?? [])];
    expect(await texels(textures.baseColor?.image)).toEqual(RGBA);
    expect((await texels(textures.roughness?.image)).slice(0, 8)).toEqual([0, 0, 0, 255, 50, 50, 50, 255]);
    expect(codes).toEqual(['UC2497']);
  });

  test('float textures keep sixteen bits; height maps and further images are left out (UC2498)', async () => {
    const floats = texture('float32', [0, 258 / 65535, 1, 2]);
    const { scene, list } = await read(
      packageOf({
        'a.bpx': writeBpxModel(model()),
        'Materials/brick/height.bpx': floats,
        'Materials/brick/roughness_r.bpx': floats,
        'Materials/brick/baseColor.bpx': fixture('good_cube.bpx'),
      }),
    );
    expect(list.find(({ code }) => code === 'UC2498')?.message).toMatch(/1 height map, 1 texture of several images$/);
    expect(scene.materials[0].textures.height).toBeUndefined();
    const { deepChannel } = await import('../../../src/textures/decode/deepChannel.ts');
    const bytes = await scene.images[scene.materials[0].textures.roughness?.image ?? -1].read();
    expect([...(await deepChannel(bytes, 0))]).toEqual([0, 258, 65535, 65535]);
  });

  test('without a model are refused, as are textures and shaders (UC2496)', async () => {
    expect(await refusal(packageOf({ 'a.bpx': texture('rgba8', RGBA) }))).toEqual(['UC2496']);
    expect(await refusal(fixture('good_texture.bpx'))).toEqual(['UC2496']);
    expect(await refusal(fixture('good_shader.bpx'))).toEqual(['UC2496']);
    const nowhere = model(
      { components: [f(2)] },
      ROWS.map((row) => row.slice(0, 2)),
    );
    expect(await refusal(writeBpxModel(nowhere))).toEqual(['UC2496']);
    expect(await refusal(packageOf({ 'a.bpx': writeBpxModel(nowhere) }))).toEqual(['UC2496']);
  });

  test('a damaged model or texture is an error of its own', async () => {
    expect(await refusal(packageOf({ 'a.bpx': fixture('bad_ix_range.bpx') }))).toEqual(['UC3624']);
    const { scene } = await read(
      packageOf({ 'a.bpx': writeBpxModel(model()), 'Materials/brick/normal.bpx': fixture('bad_tex_len.bpx') }),
    );
    await expect(scene.images[0].read()).rejects.toBeInstanceOf(SourceError);
    const other = await read(
      packageOf({ 'a.bpx': writeBpxModel(model()), 'Materials/brick/normal.bpx': fixture('good_shader.bpx') }),
    );
    await expect(other.scene.images[0].read()).rejects.toThrow(/UC2496/);
  });

  test('what is wrong in a model of a package names the model in the package, and which part of it', async () => {
    const named = async (bytes: Uint8Array) => {
      const error = await read(packageOf({ 'props/m.bpx': bytes }), { keepsRigs: true }).catch((thrown) => thrown);
      return (error as SourceError).diagnostics.map(({ code, file: name, path }) => [code, name, path]);
    };
    const file = '/Data/a.bpx/props/m.bpx';
    expect(await named(writeBpxModel(SKINNED(3, 0.5)))).toEqual([['UC3624', file, 'arrays/0']]);
    const flat = { ...SKINNED(0, 1), bones: [{ name: 'a', matrix: new Float32Array(16) }] };
    expect(await named(writeBpxModel(flat))).toEqual([['UC2456', file, 'bones/0']]);
  });

  test('every beginning of a package ends in codes', async () => {
    const whole = packageOf({ 'a.bpx': writeBpxModel(model()), 'b.bpx': texture('rgba8', RGBA) });
    for (let length = 0; length < whole.length; length++) {
      expect((await refusal(whole.slice(0, length))).length, `${length} bytes`).toBeGreaterThan(0);
    }
  });
});
