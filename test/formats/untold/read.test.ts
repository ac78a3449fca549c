// The fixtures were written by another writer that follows the same published facts; their README says what is in them.

import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { validateUntold } from '../../../src/formats/untold/check/validate.ts';
import { describeUntold, readUntold } from '../../../src/formats/untold/read.ts';
import { textureReferences } from '../../../src/formats/untold/textureFiles.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import {
  addChunk,
  chunk,
  concat,
  FIXTURE_NAMES,
  f32,
  fixture,
  IDENTITY,
  NONE,
  putTogether,
  setPayload,
  takeApart,
  text,
  u16,
  u32,
} from './edit.ts';

describe.each(FIXTURE_NAMES)('%s', (name) => {
  it('is valid for the engine', async () => {
    expect(await validateUntold(fixture(name), name, { engine: true })).toEqual([]);
  });

  it('holds the scene that its README describes', async () => {
    const scene = await readUntold(fixture(name), name);
    expect(scene.fileType).toBe('tile');
    expect(scene.worldBounds).toEqual({ min: [5, 0, 0], max: [7, 1, 0] });
    const [root, quad] = scene.entities;
    expect(scene.entities.length).toBe(2);
    expect(root).toMatchObject({ id: 0, parent: NONE, name: 'root', meshCount: 0 });
    expect([...root.localTransform]).toEqual(IDENTITY);
    expect(quad).toMatchObject({
      id: 1,
      parent: 0,
      name: 'quad',
      firstMesh: 0,
      meshCount: 1,
      localBounds: { min: [0, 0, 0], max: [2, 1, 0] },
      worldBounds: { min: [5, 0, 0], max: [7, 1, 0] },
    });
    expect([...quad.localTransform]).toEqual([...IDENTITY.slice(0, 12), 5, 0, 0, 1]);

    expect(scene.meshes.length).toBe(1);
    const [mesh] = scene.meshes;
    expect(mesh).toMatchObject({ entity: 1, name: 'quad_mesh', material: 0, vertexCount: 4 });
    expect(mesh.localBounds).toEqual({ min: [0, 0, 0], max: [2, 1, 0] });
    expect(mesh.indices).toBeInstanceOf(Uint16Array);
    expect([...mesh.indices]).toEqual([0, 1, 2, 0, 2, 3]);
    const vertex = (x: number, y: number, u: number, v: number) =>
      concat(f32(x, y, 0), u32(0x1ff00000, 0x400001ff), u16(u, v, 0, 0), u32(0xffffffff));
    expect(Buffer.from(mesh.vertices).toString('hex')).toBe(
      Buffer.from(
        concat(vertex(0, 0, 0, 0), vertex(2, 0, 0x3c00, 0), vertex(2, 1, 0x3c00, 0x3c00), vertex(0, 1, 0, 0x3c00)),
      ).toString('hex'),
    );

    expect(scene.materials).toMatchObject([
      {
        name: 'paint',
        alphaMode: 'opaque',
        baseColorFactor: [1, 0.5, 0.25, 1],
        emissiveFactor: [0, 0, 0],
        normalScale: 1,
        metallicFactor: 0,
        roughnessFactor: 0.5,
        occlusionStrength: 1,
        alphaCutoff: 0.5,
        baseColorTexture: 0,
        normalTexture: NONE,
        metallicTexture: NONE,
        roughnessTexture: NONE,
        emissiveTexture: NONE,
        occlusionTexture: NONE,
        roughnessChannel: 0,
        metallicChannel: 0,
        heightTexture: 0xffffffff,
        height: null,
      },
    ]);
    expect(scene.textures).toEqual([
      { name: 'albedo.png', uri: 'Textures/albedo.png', format: 0, flags: 1, width: 4, height: 4, mipCount: 1 },
    ]);
  });

  it('names its textures without its geometry being unpacked', async () => {
    const [found, ...more] = await textureReferences(fixture(name));
    expect([found.index, found.uri, found.record.width, more]).toEqual([0, 'Textures/albedo.png', 4, []]);
  });
});

it('gives geometry as views of the file where nothing is compressed', async () => {
  const file = fixture('valid-v4-none.untold');
  const [mesh] = (await readUntold(file, 'f')).meshes;
  expect(mesh.vertices.buffer).toBe(file.buffer);
  expect(mesh.indices.buffer).toBe(file.buffer);
});

it('reads a file whose bytes start at an odd place of their buffer', async () => {
  const file = fixture('valid-v4-none.untold');
  const shifted = new Uint8Array(file.length + 1);
  shifted.set(file, 1);
  const [mesh] = (await readUntold(shifted.subarray(1), 'f')).meshes;
  expect([...mesh.indices]).toEqual([0, 1, 2, 0, 2, 3]);
});

it('throws every error of a broken file at once', async () => {
  const edit = takeApart(fixture('valid-v4-none.untold'));
  edit.header.set(u32(9), 12);
  chunk(edit, 6).bytes.set(f32(NaN), 0);
  const error = await readUntold(putTogether(edit), 'broken.untold').catch((e: unknown) => e);
  expect(error).toBeInstanceOf(SourceError);
  const codes = (error as SourceError).diagnostics.map((d) => d.code);
  expect(codes).toContain('UC3003');
  expect(codes).toContain('UC3044');
  expect((error as SourceError).diagnostics.every((d) => d.file === 'broken.untold')).toBe(true);
});

it('reads height maps, alpha modes and channels', async () => {
  const edit = takeApart(fixture('valid-v4-none.untold'));
  const material = chunk(edit, 4).bytes;
  material.set(u32(1), 4);
  material.set(u32(0), 80);
  material.set(f32(0.25, 0.75, 0.125, 0.5), 84);
  material.set(u32(0b1001), 100);
  const [read] = (await readUntold(putTogether(edit), 'f')).materials;
  expect(read).toMatchObject({
    alphaMode: 'mask',
    roughnessChannel: 1,
    metallicChannel: 2,
    heightTexture: 0,
    height: { scale: 0.25, midlevel: 0.75, remapMin: 0.125, remapMax: 0.5 },
  });
});

describe('describeUntold', () => {
  it('tells what a file holds', async () => {
    const { description, diagnostics } = await describeUntold(fixture('valid-v2-lz4.untold'), 'f');
    expect(diagnostics).toEqual([]);
    expect(description).toMatchObject({
      formatVersion: 2,
      fileType: 'tile',
      bytes: 1165,
      bounds: { min: [5, 0, 0], max: [7, 1, 0] },
      totals: { entities: 2, meshes: 1, triangles: 2, vertices: 4, materials: 1, textures: 1, lights: 0, cameras: 0 },
      meshes: [{ name: 'quad_mesh', entity: 1, material: 0, triangles: 2, vertices: 4, indexType: 'uint16' }],
      materials: [{ name: 'paint', textures: { baseColor: 0 } }],
    });
    expect(description.chunks.map((c) => [c.name, c.compression])).toEqual([
      ['string', 'none'],
      ['entity', 'none'],
      ['mesh', 'none'],
      ['material', 'none'],
      ['texture', 'none'],
      ['vertexData', 'lz4'],
      ['indexData', 'lz4'],
    ]);
  });

  it('names lights, cameras, rigs, clips and plugins, and passes over what nobody knows', async () => {
    const edit = takeApart(fixture('valid-v1-none.untold'));
    const strings = chunk(edit, 1);
    const at = strings.bytes.length;
    setPayload(strings, concat(strings.bytes, text('sun\0eye\0rig\0walk\0')));
    addChunk(
      edit,
      19,
      concat(
        u32(2, at, 1, 3),
        f32(1, 1, 1, 5, 1, 2, 3, 0.5, 0, -1, 0, 0, 1, 0, 0, 5, 0, 0, 1, 10, 1, 1, 5, 0),
        f32(...IDENTITY),
      ),
      1,
    );
    addChunk(
      edit,
      20,
      concat(u32(3, at + 4, 0, 0), f32(4, 5, 6, 50, 0, 0, 1, 0.1, 0, 1, 0, 1000, 1, 0, 0, 1.5), f32(...IDENTITY)),
      1,
    );
    addChunk(edit, 8, u32(0, at + 8, 0, 0, 0, 0), 1);
    addChunk(edit, 12, concat(u32(at + 12), f32(2.5), u32(0, 0, 0, 0, 0)), 1);
    addChunk(edit, 0x8007, concat(text('UEXT'), u16(1, 4), u32(42, 3), text('jolt'), u32(0xbebafeca)));
    addChunk(edit, 99, u32(1, 2, 3));
    const { description, diagnostics } = await describeUntold(putTogether(edit), 'f');
    // The skeleton has no joints.
    expect(diagnostics.map((d) => d.code)).toEqual(['UC3033', 'UC3120']);
    expect(description.lights).toEqual([{ name: 'sun', type: 'directional', position: [1, 2, 3] }]);
    expect(description.cameras).toEqual([{ name: 'eye', position: [4, 5, 6] }]);
    expect(description.skeletons).toEqual([{ name: 'rig', entity: 0, joints: 0 }]);
    expect(description.clips).toEqual([
      { name: 'walk', duration: 2.5, channels: 0, translationKeys: 0, rotationKeys: 0 },
    ]);
    expect(description.plugins).toEqual([{ type: 0x8007, id: 'jolt', kind: 42, version: 3 }]);
  });

  it('describes a broken file with what is wrong with it, and throws only without a header', async () => {
    const edit = takeApart(fixture('valid-v1-none.untold'));
    chunk(edit, 3).bytes.set(u32(7), 8);
    const { description, diagnostics } = await describeUntold(putTogether(edit), 'f');
    expect(diagnostics.map((d) => d.code)).toEqual(['UC3034']);
    expect(description.totals.triangles).toBe(2);
    await expect(describeUntold(text('UNTOLD'), 'f')).rejects.toThrow(SourceError);
  });
});

describe('meshes on one range', () => {
  it.each(['none', 'lz4'] as const)(
    '%s: are the same arrays, so that writing them again shares them',
    async (compression) => {
      const first = await readUntold(fixture('valid-v4-none.untold'), 'f');
      const [root, quad] = first.entities;
      const [mesh] = first.meshes;
      const again = { ...quad, id: 2, name: 'again', firstMesh: 1 };
      const entities = [root, quad, again];
      const scene = { ...first, entities, meshes: [mesh, { ...mesh, entity: 2 }] };
      const file = await writeUntold(scene, { compression });
      expect(await validateUntold(file, 'f', { engine: true })).toEqual([]);
      const read = await readUntold(file, 'f');
      expect(read.meshes[1].vertices).toBe(read.meshes[0].vertices);
      expect(read.meshes[1].indices).toBe(read.meshes[0].indices);
      expect(Buffer.from(await writeUntold(read, { compression })).equals(Buffer.from(file))).toBe(true);
    },
  );
});
