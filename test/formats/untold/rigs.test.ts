// Chunks 8 to 17: bytes worked out by hand from the engine's own coder, and a round trip.

import { describe, expect, it } from 'vitest';
import { validateUntold } from '../../../src/formats/untold/check/validate.ts';
import { describeUntold, readUntold } from '../../../src/formats/untold/read.ts';
import type {
  UntoldClip,
  UntoldKeys,
  UntoldScene,
  UntoldSkeleton,
  UntoldSkin,
} from '../../../src/formats/untold/types.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import { identity, translation } from '../../../src/scene/matrix.ts';
import { concat, f32, fixture, IDENTITY, NONE, putTogether, takeApart, u16, u32, u64 } from './edit.ts';

const UP = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1];

const arm: UntoldSkeleton = {
  entity: 0,
  name: 'Arm',
  joints: [
    { parent: NONE, path: '/Hip', bind: identity(), rest: identity() },
    { parent: 0, path: '/Hip/Leg', bind: translation(0, 2, 0), rest: translation(0, 2, 0) },
  ],
};

/** The fixture's quad has entity 1, mesh 0 and four vertices. */
const skin: UntoldSkin = {
  entity: 1,
  mesh: 0,
  skeletonEntity: 0,
  joints: Uint32Array.of(1, 0),
  indices: Uint16Array.of(0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0),
  weights: Float32Array.of(0.75, 0.25, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0),
};

const none: UntoldKeys = { times: new Float32Array(0), values: new Float32Array(0) };
const walk: UntoldClip = {
  name: 'walk',
  duration: 1.5,
  channels: [
    {
      path: '/Hip',
      translations: { times: Float32Array.of(0, 1.5), values: Float32Array.of(1, 2, 3, 4, 5, 6) },
      rotations: none,
    },
    {
      path: '/Hip/Leg',
      translations: none,
      rotations: { times: Float32Array.of(0, 1.5), values: Float32Array.of(0, 0, 0, 1, 0, 1, 0, 0) },
    },
  ],
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
async function withRig(more: Partial<UntoldScene>): Promise<UntoldScene> {
  return { ...(await readUntold(fixture('valid-v1-none.untold'), 'f')), ...more };
}
async function chunksOf(more: Partial<UntoldScene>) {
  const { chunks } = takeApart(await writeUntold(await withRig(more), { compression: 'lz4' }));
  const strings = Buffer.from(chunks[0].bytes).toString();
  const at = (text: string) => `\0${strings}`.indexOf(`\0${text}\0`);
  const bytes = (type: number) => {
    const found = chunks.find((c) => c.type === type);
    return { bytes: hex(found?.bytes ?? new Uint8Array()), count: found?.elementCount, packed: found?.compression };
  };
  const is = (expected: Uint8Array, count: number) => ({ bytes: hex(expected), count, packed: 0 });
  return { chunks, at, bytes, is };
}

describe('bytes', () => {
  it('of a skeleton (24) and its joints (144)', async () => {
    const { at, bytes, is } = await chunksOf({ skeletons: [arm] });
    expect(bytes(8)).toEqual(is(u32(0, at('Arm'), 0, 2, 0, 0), 1));
    const hip = concat(u32(NONE, at('/Hip'), 0, 0), f32(...IDENTITY), f32(...IDENTITY));
    const leg = concat(u32(0, at('/Hip/Leg'), 0, 0), f32(...UP), f32(...UP));
    expect(hip.length).toBe(144);
    expect(bytes(9)).toEqual(is(concat(hip, leg), 2));
  });

  it('of a skin (48), its mapping (4), joints (8) and weights (16) of vertices', async () => {
    const { bytes, is } = await chunksOf({ skeletons: [arm], skins: [skin] });
    const record = concat(u32(1, 0, 0, 2, 0, 4), u64(0, 0), u32(0, 0));
    expect(record.length).toBe(48);
    expect(bytes(10)).toEqual(is(record, 1));
    expect(bytes(11)).toEqual(is(u32(1, 0), 2));
    expect(bytes(16)).toEqual(is(u16(0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0), 0));
    expect(bytes(17)).toEqual(is(f32(0.75, 0.25, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0), 0));
  });

  it('of a clip (28), its channels (28) and keys (20)', async () => {
    const { at, bytes, is } = await chunksOf({ clips: [walk] });
    expect(bytes(12)).toEqual(is(concat(u32(at('walk')), f32(1.5), u32(0, 2, 0, 0, 0)), 1));
    expect(bytes(13)).toEqual(is(u32(at('/Hip'), 0, 2, 0, 0, 0, 0, at('/Hip/Leg'), 2, 0, 0, 2, 0, 0), 2));
    expect(bytes(14)).toEqual(is(concat(f32(0, 1, 2, 3), u32(0), f32(1.5, 4, 5, 6), u32(0)), 2));
    expect(bytes(15)).toEqual(is(f32(0, 0, 0, 0, 1, 1.5, 0, 1, 0, 0), 2));
  });

  it('of arrays that two skins share are stored once', async () => {
    const scene = await withRig({});
    const [quad] = scene.meshes;
    const entities = [scene.entities[0], { ...scene.entities[1], meshCount: 2 }];
    const { bytes } = await chunksOf({
      entities,
      meshes: [quad, quad],
      skeletons: [arm],
      skins: [skin, { ...skin, mesh: 1 }],
    });
    expect(bytes(16).bytes.length / 2).toBe(4 * 8);
    expect(bytes(17).bytes.length / 2).toBe(4 * 16);
  });
});

describe('a file', () => {
  it('gives back what was written, without a finding', async () => {
    const scene = await withRig({ skeletons: [arm], skins: [skin], clips: [walk] });
    const file = await writeUntold(scene, { compression: 'none' });
    expect((await validateUntold(file, 'f', { engine: true })).map((d) => d.code)).toEqual([]);
    const { skeletons, skins, clips } = await readUntold(file, 'f');
    expect({ skeletons, skins, clips }).toEqual({ skeletons: [arm], skins: [skin], clips: [walk] });
  });

  it('is described with joints, influences and keys', async () => {
    const scene = await withRig({ skeletons: [arm], skins: [skin], clips: [walk] });
    const { description } = await describeUntold(await writeUntold(scene, { compression: 'none' }), 'f');
    expect(description.totals).toMatchObject({ skeletons: 1, skins: 1, clips: 1 });
    expect(description.skeletons).toEqual([{ name: 'Arm', entity: 0, joints: 2 }]);
    expect(description.skins).toEqual([{ mesh: 0, skeleton: 0, joints: 2, vertices: 4, influences: 2 }]);
    expect(description.clips).toEqual([
      { name: 'walk', duration: 1.5, channels: 2, translationKeys: 2, rotationKeys: 2 },
    ]);
  });

  it('that claims more than it has is described all the same', async () => {
    const scene = await withRig({ skeletons: [arm], skins: [skin], clips: [walk] });
    const edit = takeApart(await writeUntold(scene, { compression: 'none' }));
    const bytesOf = (type: number) => edit.chunks.find((c) => c.type === type)?.bytes ?? new Uint8Array();
    // The weights begin 16 bytes into their chunk; the clip claims as many channels as a u32 holds.
    bytesOf(10).set(u64(16), 32);
    bytesOf(12).set(u32(NONE), 12);
    const { description, diagnostics } = await describeUntold(putTogether(edit), 'f');
    expect(diagnostics.map((d) => d.code)).toEqual(['UC3034', 'UC3034']);
    expect(description.skins[0].influences).toBeNull();
    expect(description.clips[0]).toMatchObject({ channels: NONE, translationKeys: 2, rotationKeys: 2 });
  });

  it('without rigs has none of their chunks', async () => {
    const { chunks } = await chunksOf({});
    expect(chunks.map(({ type }) => type)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('has the joints and weights of vertices after the geometry', async () => {
    const { chunks } = await chunksOf({ skeletons: [arm], skins: [skin] });
    expect(chunks.map(({ type }) => type)).toEqual([1, 2, 3, 4, 5, 8, 9, 10, 11, 6, 7, 16, 17]);
  });

  it('of animation has the five chunks that the engine wants, and nothing else', async () => {
    const scene: UntoldScene = {
      fileType: 'animation',
      worldBounds: { min: [0, 0, 0], max: [0, 0, 0] },
      entities: [],
      meshes: [],
      materials: [],
      textures: [],
      clips: [walk],
    };
    const file = await writeUntold(scene, { compression: 'lz4' });
    expect(takeApart(file).chunks.map(({ type }) => type)).toEqual([1, 12, 13, 14, 15]);
    expect((await validateUntold(file, 'f', { engine: true })).map((d) => d.code)).toEqual([]);
    expect((await readUntold(file, 'f')).clips).toEqual([walk]);
  });
});

describe('the writer refuses', () => {
  const refused = (what: string, changed: Partial<UntoldSkin>, message: RegExp) =>
    it(what, async () => {
      const scene = await withRig({ skeletons: [arm], skins: [{ ...skin, ...changed }] });
      await expect(writeUntold(scene, { compression: 'none' })).rejects.toThrow(message);
    });
  refused('a skin of no mesh', { mesh: 1 }, /no mesh 1/);
  refused('joints of another number of vertices', { indices: new Uint16Array(12) }, /4 a vertex/);
  refused('weights of another number of vertices', { weights: new Float32Array(20) }, /4 a vertex/);
  refused('a skeleton that is not there', { skeletonEntity: 1 }, /skeleton is not in the file/);
});
