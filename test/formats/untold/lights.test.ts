// Chunks 19 and 20: offsets of the engine's own coder, written out by hand.

import { describe, expect, it } from 'vitest';
import { validateUntold } from '../../../src/formats/untold/check/validate.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import type { UntoldCamera, UntoldLight, UntoldScene } from '../../../src/formats/untold/types.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import { concat, f32, fixture, takeApart, u32, view } from './edit.ts';

const PLACED = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 2, 3, 4, 1];

const spot: UntoldLight = {
  entity: 2,
  name: 'Spot',
  type: 'spot',
  castsShadow: true,
  radiometric: true,
  customDistance: true,
  color: [0.25, 0.5, 1],
  intensity: 7,
  position: [2, 3, 4],
  radius: 0.5,
  direction: [0, -1, 0],
  falloff: 18,
  right: [1, 0, 0],
  innerCone: 12,
  up: [0, 0, -1],
  outerCone: 34,
  areaSize: [1.5, 2.5],
  sourcePower: 3.5,
  sourceExposure: 1,
  localTransform: Float64Array.from(PLACED),
};

const eye: UntoldCamera = {
  entity: 3,
  name: 'Eye',
  position: [0, 1, 6],
  fovYDegrees: 58,
  forward: [0, 0, -1],
  nearClip: 0.125,
  up: [0, 1, 0],
  farClip: 650,
  right: [1, 0, 0],
  aspectRatio: 1.5,
  localTransform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1, 6, 1),
};

/** The fixture's own content, with something beside it. */
async function withAuthored(more: Partial<UntoldScene>): Promise<UntoldScene> {
  return { ...(await readUntold(fixture('valid-v1-none.untold'), 'f')), ...more };
}
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const written = async (more: Partial<UntoldScene>) => writeUntold(await withAuthored(more), { compression: 'lz4' });

describe('bytes', () => {
  it('of a light: 176', async () => {
    const { chunks } = takeApart(await written({ lights: [spot] }));
    const chunk = chunks.find(({ type }) => type === 19);
    expect(chunk).toMatchObject({ compression: 0, uncompressedSize: 176, elementCount: 1 });
    const bytes = chunk?.bytes ?? new Uint8Array();
    const v = view(bytes);
    expect(v.getUint32(0, true)).toBe(2);
    const strings = Buffer.from(chunks[0].bytes).toString();
    expect(v.getUint32(4, true)).toBe(strings.indexOf('\0Spot\0') + 1);
    expect(v.getUint32(8, true)).toBe(3);
    // castsShadow 1, radiometric 2, customDistance 4.
    expect(v.getUint32(12, true)).toBe(7);
    const floats = f32(
      ...[0.25, 0.5, 1, 7, 2, 3, 4, 0.5, 0, -1, 0, 18, 1, 0, 0, 12, 0, 0, -1, 34, 1.5, 2.5, 3.5, 1],
      ...PLACED,
    );
    expect(hex(bytes.subarray(16))).toBe(hex(floats));
  });

  it('of a camera: 144', async () => {
    const { chunks } = takeApart(await written({ cameras: [eye] }));
    const chunk = chunks.find(({ type }) => type === 20);
    expect(chunk).toMatchObject({ compression: 0, uncompressedSize: 144, elementCount: 1 });
    const strings = Buffer.from(chunks[0].bytes).toString();
    const floats = f32(
      ...[0, 1, 6, 58, 0, 0, -1, 0.125, 0, 1, 0, 650, 1, 0, 0, 1.5],
      ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1, 6, 1],
    );
    expect(hex(chunk?.bytes ?? new Uint8Array())).toBe(
      hex(concat(u32(3, strings.indexOf('\0Eye\0') + 1, 0, 0), floats)),
    );
  });

  it.each([
    ['directional', 1],
    ['point', 2],
    ['spot', 3],
    ['area', 4],
  ] as const)('%s is type %i; no flag without its reason', async (type, number) => {
    const plain = { ...spot, type, castsShadow: false, radiometric: false, customDistance: false };
    const { chunks } = takeApart(await written({ lights: [plain] }));
    const v = view(chunks.find((c) => c.type === 19)?.bytes ?? new Uint8Array());
    expect([v.getUint32(8, true), v.getUint32(12, true)]).toEqual([number, 0]);
  });

  it('stand between textures and geometry, and only where there are any', async () => {
    const types = async (more: Partial<UntoldScene>) => takeApart(await written(more)).chunks.map((c) => c.type);
    expect(await types({ lights: [spot], cameras: [eye] })).toEqual([1, 2, 3, 4, 5, 19, 20, 6, 7]);
    expect(await types({ cameras: [eye] })).toEqual([1, 2, 3, 4, 5, 20, 6, 7]);
    expect(await types({ lights: [], cameras: [] })).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(hex(await written({ lights: [], cameras: [] }))).toBe(hex(await written({})));
  });
});

it('a file with lights and cameras is valid, of version 1, and reads back as it was written', async () => {
  const file = await written({ lights: [spot, { ...spot, entity: 4, name: 'Other' }], cameras: [eye] });
  expect(file[8]).toBe(1);
  expect(await validateUntold(file, 'f', { engine: true })).toEqual([]);
  const read = await readUntold(file, 'f');
  expect(read.lights).toEqual([spot, { ...spot, entity: 4, name: 'Other' }]);
  expect(read.cameras).toEqual([eye]);
  const bare = await readUntold(await written({}), 'f');
  expect('lights' in bare || 'cameras' in bare).toBe(false);
});
