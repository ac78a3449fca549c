import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { validateUntold } from '../../../src/formats/untold/check/validate.ts';
import { storedMaterial } from '../../../src/formats/untold/materialRecord.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import type { Compression, UntoldMaterial, UntoldMesh, UntoldScene } from '../../../src/formats/untold/types.ts';
import { compressionWarnings, neededVersion, writeUntold } from '../../../src/formats/untold/write.ts';
import { DEFAULT_FACTORS } from '../../../src/scene/materialSlots.ts';
import { identity, translation } from '../../../src/scene/matrix.ts';
import { concat, f32, fixture, IDENTITY, NONE, takeApart, u16, u32, u64, view } from './edit.ts';

const paint: UntoldMaterial = {
  ...storedMaterial(
    { name: 'paint', alphaMode: 'mask', alphaCutoff: 0.25, height: null },
    DEFAULT_FACTORS,
    { roughnessChannel: 1, metallicChannel: 2 },
    () => NONE,
  ),
  baseColorFactor: [1, 0.5, 0.25, 1],
  metallicFactor: 0,
  roughnessFactor: 0.5,
  baseColorTexture: 0,
  metallicTexture: 0,
  roughnessTexture: 0,
};

const vertex = (x: number, y: number, z: number) => concat(f32(x, y, z), u32(0x1ff00000, 0x400001ff, 0, 0, NONE));

function triangle(entity: number, name: string, at: number, indices: Uint16Array | Uint32Array): UntoldMesh {
  return {
    entity,
    name,
    material: 0,
    vertexCount: 3,
    vertices: concat(vertex(at, 0, 0), vertex(at + 1, 0, 0), vertex(at, 1, 0)),
    indices,
    localBounds: { min: [at, 0, 0], max: [at + 1, 1, 0] },
  };
}

function sceneOf(meshes: readonly UntoldMesh[], materials: readonly UntoldMaterial[] = [paint]): UntoldScene {
  const empty = { min: [0, 0, 0], max: [0, 0, 0] } as const;
  const world =
    meshes.length > 0 ? { min: meshes[0].localBounds.min, max: meshes.at(-1)?.localBounds.max ?? [0, 0, 0] } : empty;
  return {
    fileType: 'tile',
    worldBounds: world,
    entities: meshes.map((mesh, id) => ({
      id,
      parent: NONE,
      name: `object ${id}`,
      firstMesh: id,
      meshCount: 1,
      localBounds: mesh.localBounds,
      worldBounds: mesh.localBounds,
      localTransform: identity(),
    })),
    meshes,
    materials,
    textures: [{ name: 'a.png', uri: 'Textures/a.png', format: 0, flags: 1, width: 8, height: 4, mipCount: 1 }],
  };
}

const two = () =>
  sceneOf([triangle(0, 'mesh', 0, Uint16Array.of(0, 1, 2)), triangle(1, 'mesh', 4, Uint32Array.of(2, 0, 1))]);

/** Many triangles on a grid: something to compress. */
function grid(size: number): UntoldScene {
  const vertices: Uint8Array[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= size; z++) for (let x = 0; x <= size; x++) vertices.push(vertex(x, 0, z));
  for (let z = 0; z < size; z++) {
    for (let x = 0; x < size; x++) {
      const a = z * (size + 1) + x;
      indices.push(a, a + size + 1, a + 1, a + 1, a + size + 1, a + size + 2);
    }
  }
  const mesh: UntoldMesh = {
    entity: 0,
    name: 'grid',
    material: 0,
    vertexCount: vertices.length,
    vertices: concat(...vertices),
    indices: Uint16Array.from(indices),
    localBounds: { min: [0, 0, 0], max: [size, 0, size] },
  };
  return sceneOf([mesh]);
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('bytes', () => {
  it.each([1, 2, 3, 4])('are those of another writer, version %i', async (version) => {
    const theirs = fixture(`valid-v${version}-none.untold`);
    const scene = await readUntold(theirs, 'f');
    const ours = await writeUntold(scene, { compression: 'none', formatVersion: version });
    expect(hex(ours)).toBe(hex(theirs));
  });

  it('of the header', async () => {
    const file = await writeUntold(two(), { compression: 'none' });
    expect(hex(file.subarray(0, 52))).toBe(
      hex(concat(u32(0x4f544e55, 0x0000444c), u32(1, 1, 0, 204, 7, 2, 1, 1, 2, 1, 0))),
    );
    expect(hex(file.subarray(52, 140))).toBe(hex(concat(f32(0, 0, 0, 5, 1, 0), f32(...IDENTITY))));
    expect(hex(file.subarray(172, 204))).toBe('00'.repeat(32));
  });

  it('of the string table: each string once, in order of use, no entry for an empty one', async () => {
    const scene = { ...two(), materials: [{ ...paint, name: '' }] };
    const { chunks } = takeApart(await writeUntold(scene, { compression: 'none' }));
    expect(Buffer.from(chunks[0].bytes).toString()).toBe('object 0\0object 1\0mesh\0a.png\0Textures/a.png\0');
    expect(hex(chunks[3].bytes.subarray(0, 8))).toBe(hex(u32(NONE, 1)));
  });

  it('of mesh records: blobs back to back, offsets in bytes, GPU bytes as 32 a vertex and the indices', async () => {
    const { chunks } = takeApart(await writeUntold(two(), { compression: 'none' }));
    const record = (id: number, type: number, v: number, i: number, size: number, x: number) =>
      concat(u32(id, 18, 0, type, 3, 3, 32, 0), u64(v, i, 96, size, 96 + size, 0), f32(x, 0, 0, x + 1, 1, 0));
    expect(hex(chunks[2].bytes)).toBe(hex(concat(record(0, 1, 0, 0, 6, 0), record(1, 2, 96, 6, 12, 4))));
    expect(hex(chunks[6].bytes)).toBe(hex(concat(u16(0, 1, 2), u32(2, 0, 1))));
  });

  it('of meshes that are the same arrays: stored once, each record with the same offsets and its own GPU bytes', async () => {
    const [first, other] = two().meshes;
    const far = translation(4, 0, 0);
    const scene = sceneOf([
      first,
      { ...other, localBounds: first.localBounds },
      { ...first, entity: 2, name: 'again' },
    ]);
    const entities = scene.entities.map((entity, i) => {
      const worldBounds = i === 0 ? entity.worldBounds : { min: [4, 0, 0], max: [5, 1, 0] };
      return i === 2 ? { ...entity, localTransform: far, worldBounds } : entity;
    });
    const file = await writeUntold({ ...scene, entities } as UntoldScene, { compression: 'none' });
    const { chunks } = takeApart(file);
    const record = (id: number, name: number, type: number, v: number, i: number, size: number) =>
      concat(u32(id, name, 0, type, 3, 3, 32, 0), u64(v, i, 96, size, 96 + size, 0), f32(0, 0, 0, 1, 1, 0));
    expect(Buffer.from(chunks[0].bytes).toString()).toContain('object 0\0object 1\0object 2\0mesh\0again\0');
    expect(hex(chunks[2].bytes)).toBe(
      hex(concat(record(0, 27, 1, 0, 0, 6), record(1, 27, 2, 96, 6, 12), record(2, 32, 1, 0, 0, 6))),
    );
    expect(chunks[5].bytes.length).toBe(192);
    expect(hex(chunks[6].bytes)).toBe(hex(concat(u16(0, 1, 2), u32(2, 0, 1))));
  });

  it('of meshes that share one of their arrays alone', async () => {
    const [first] = two().meshes;
    const turned = { ...first, entity: 1, indices: Uint16Array.of(0, 2, 1) };
    const { chunks } = takeApart(await writeUntold(sceneOf([first, turned]), { compression: 'none' }));
    const v = view(chunks[2].bytes);
    expect([32, 40].map((at) => v.getUint32(104 + at, true))).toEqual([0, 6]);
    expect([chunks[5].bytes.length, hex(chunks[6].bytes)]).toEqual([96, hex(u16(0, 1, 2, 0, 2, 1))]);
  });

  it('of equal meshes in arrays of their own: each is stored', async () => {
    const [first] = two().meshes;
    const copy = { ...first, entity: 1, vertices: first.vertices.slice(), indices: first.indices.slice() };
    const { chunks } = takeApart(await writeUntold(sceneOf([first, copy]), { compression: 'none' }));
    expect([chunks[5].bytes.length, chunks[6].bytes.length]).toEqual([192, 12]);
  });

  it('of a material: alpha mode in the flags, channels in reserved0', async () => {
    const { chunks } = takeApart(await writeUntold(two(), { compression: 'none' }));
    expect(chunks[3].bytes.length).toBe(88);
    const v = view(chunks[3].bytes);
    expect(v.getUint32(4, true)).toBe(1);
    expect(v.getFloat32(52, true)).toBe(0.25);
    expect(v.getUint32(80, true)).toBe(0b1001);
  });

  it('begin every chunk at a multiple of 16, in the order 1 to 7', async () => {
    const file = await writeUntold(two(), { compression: 'lz4' });
    const v = view(file);
    const entries = [0, 1, 2, 3, 4, 5, 6].map((i) => 204 + i * 40);
    expect(entries.map((at) => v.getUint32(at, true))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const offsets = entries.map((at) => v.getUint32(at + 8, true));
    expect(offsets[0]).toBe(496);
    expect(offsets.every((at) => at % 16 === 0)).toBe(true);
    expect([...offsets].sort((a, b) => a - b)).toEqual(offsets);
    expect(entries.map((at) => v.getUint32(at + 32, true))).toEqual([0, 2, 2, 1, 1, 0, 0]);
  });

  it('carry the SHA-256 of the stored chunks, one after the other', async () => {
    const file = await writeUntold(grid(20), { compression: 'lz4' });
    const hash = createHash('sha256');
    for (const { bytes } of takeApart(file).chunks) hash.update(bytes);
    expect(hex(file.subarray(140, 172))).toBe(hash.digest('hex'));
  });

  it('carry the SHA-256 of nothing when no chunk has a byte', async () => {
    const nothing: UntoldScene = { ...sceneOf([]), textures: [], materials: [], entities: [] };
    const file = await writeUntold(nothing, { compression: 'none' });
    expect(hex(file.subarray(140, 172))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('are equal for equal input', async () => {
    for (const compression of ['none', 'lz4', 'zstd'] as const) {
      const files = [await writeUntold(grid(20), { compression }), await writeUntold(grid(20), { compression })];
      expect(hex(files[0])).toBe(hex(files[1]));
    }
  });
});

describe('compression', () => {
  const codes: Record<Compression, number> = { none: 0, lz4: 1, zstd: 2 };

  it.each(['none', 'lz4', 'zstd'] as const)('%s: valid, and the same scene when read', async (compression) => {
    const scene = grid(40);
    const file = await writeUntold(scene, { compression });
    expect(await validateUntold(file, 'f', { engine: false })).toEqual([]);
    const { chunks } = takeApart(file);
    expect(chunks.slice(0, 6).map((c) => c.compression)).toEqual([0, 0, 0, 0, 0, codes[compression]]);
    for (const { compression: packed, bytes, uncompressedSize } of chunks) {
      if (packed === 0) expect(bytes.length).toBe(uncompressedSize);
      else expect(bytes.length).toBeLessThan(uncompressedSize);
    }
    const read = await readUntold(file, 'f');
    expect(hex(read.meshes[0].vertices)).toBe(hex(scene.meshes[0].vertices));
    expect([...read.meshes[0].indices]).toEqual([...scene.meshes[0].indices]);
    expect(read.entities).toEqual(scene.entities);
    expect(read.materials).toEqual(scene.materials);
    expect(read.textures).toEqual(scene.textures);
    const again = await writeUntold(read, { compression });
    expect(hex(again)).toBe(hex(file));
  });

  it('leaves a chunk as it is that would grow, and an empty one', async () => {
    const { chunks } = takeApart(await writeUntold(two(), { compression: 'lz4' }));
    // Eighteen bytes of indices do not get smaller; the repeated vertices do.
    expect(chunks[6].compression).toBe(0);
    expect(chunks[5].compression).toBe(1);
    const empty = await writeUntold(sceneOf([]), { compression: 'lz4' });
    expect(takeApart(empty).chunks.map((c) => c.compression)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(empty.length % 16).toBe(0);
    expect(await validateUntold(empty, 'f', { engine: true })).toEqual([]);
  });

  it('warns of zstd before it is written (UC3107)', () => {
    expect(compressionWarnings('zstd', 'out').map((d) => [d.code, d.severity, d.file])).toEqual([
      ['UC3107', 'warning', 'out'],
    ]);
    expect(compressionWarnings('lz4', 'out')).toEqual([]);
  });
});

describe('format version', () => {
  const glowing: UntoldMaterial = { ...paint, emissiveFactor: [0, 0, 0.01] };
  const high: UntoldMaterial = {
    ...paint,
    heightTexture: 0,
    height: { scale: 0.25, midlevel: 0.5, remapMin: 0, remapMax: 0.75 },
  };
  const versionOf = async (scene: UntoldScene, formatVersion?: number) =>
    (await writeUntold(scene, { compression: 'none', formatVersion }))[8];

  it('is the lowest that holds the content', async () => {
    const mesh = triangle(0, 'm', 0, Uint16Array.of(0, 1, 2));
    expect(await versionOf(sceneOf([mesh]))).toBe(1);
    expect(await versionOf(sceneOf([mesh], [paint, glowing]))).toBe(2);
    expect(await versionOf(sceneOf([mesh], [high, glowing]))).toBe(4);
    expect(neededVersion(sceneOf([mesh], [high]))).toBe(4);
  });

  it('can be raised, and the file stays the same scene', async () => {
    for (const version of [1, 2, 3, 4]) {
      const file = await writeUntold(two(), { compression: 'none', formatVersion: version });
      expect(file[8]).toBe(version);
      expect(await validateUntold(file, 'f', { engine: true })).toEqual([]);
      expect((await readUntold(file, 'f')).materials).toEqual([paint]);
    }
    const file = await writeUntold(sceneOf([triangle(0, 'm', 0, Uint16Array.of(0, 1, 2))], [high]), {
      compression: 'none',
    });
    expect((await readUntold(file, 'f')).materials).toEqual([high]);
  });

  it.each([
    [glowing, 1],
    [high, 3],
    [high, 2],
    [paint, 0],
    [paint, 5],
    [paint, 1.5],
  ])('cannot be lower than the content needs, or none that exists (UC3150)', async (material, version) => {
    const scene = sceneOf([triangle(0, 'm', 0, Uint16Array.of(0, 1, 2))], [material]);
    const error = await writeUntold(scene, { compression: 'none', formatVersion: version }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).diagnostics[0].code).toBe('UC3150');
  });
});

describe('what must not be written', () => {
  const write = (mesh: Partial<UntoldMesh>) =>
    writeUntold(sceneOf([{ ...triangle(0, 'm', 0, Uint16Array.of(0, 1, 2)), ...mesh }]), { compression: 'lz4' });

  it('meshes that the engine crashes on or drops are mistakes of the caller', async () => {
    await expect(write({ indices: new Uint16Array(0) })).rejects.toThrow(/no indices/);
    await expect(write({ indices: Uint16Array.of(0, 1) })).rejects.toThrow(/no triangles/);
    await expect(write({ vertexCount: 4 })).rejects.toThrow(/vertex bytes/);
    await expect(write({ material: 1 })).rejects.toThrow(/no material 1/);
  });

  it('more than 2 GiB (UC3151)', async () => {
    // One buffer under forty views: nothing of it is copied before the sum is known.
    const vertices = new Uint8Array(2 ** 26);
    const one = { ...triangle(0, 'm', 0, Uint16Array.of(0, 1, 2)), vertexCount: 2 ** 21 };
    const meshes = Array.from({ length: 40 }, () => ({ ...one, vertices: vertices.subarray(0) }));
    const error = await writeUntold(sceneOf(meshes), { compression: 'none' }).catch((e: unknown) => e);
    expect((error as SourceError).diagnostics[0].code).toBe('UC3151');
  });
});

it('replaces what a string cannot hold', async () => {
  const scene = two();
  const named = { ...scene, materials: [{ ...paint, name: 'a\0b\ud800' }] };
  const read = await readUntold(await writeUntold(named, { compression: 'none' }), 'f');
  expect(read.materials[0].name).toBe('a\ufffdb\ufffd');
});
