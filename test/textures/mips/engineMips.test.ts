import { expect, it } from 'vitest';
import { mipChain } from '../../../src/textures/mips/mipChain.ts';
import type { MipOptions } from '../../../src/textures/mips/types.ts';

const ENGINE: MipOptions = { filter: 'engine', alphaCutoff: null, roughness: null };
const WIDTH = 7;
const HEIGHT = 5;

const bytes = (alpha: 255 | null) =>
  Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, i) =>
    alpha !== null && i % 4 === 3 ? alpha : (i * i * 7 + i * 73 + 41) % 256,
  );

// The expected numbers are what Pillow 12.3 gives for Image.resize(size, LANCZOS) of these images, modes RGBA and I.
it.each([
  ['with alpha', null, ['895aaf738a9471a0ce726b8a2c70a07f796396738c9e7f9a', '847c8687']],
  ['opaque', 255, ['8858a4ff8e876fffd26f7cff4f6586ff904d88ff9c9882ff', '907082ff']],
] as const)('bytes are those of the engine: %s', (_, alpha, expected) => {
  const data = bytes(alpha);
  for (const role of ['color', 'normal', 'data', 'opacity'] as const) {
    const { levels, normals } = mipChain({ width: WIDTH, height: HEIGHT, data }, role, ENGINE);
    expect(normals).toBeNull();
    expect(levels[0].bytes).toEqual(data);
    expect(levels.slice(1).map((level) => Buffer.from(level.bytes).toString('hex'))).toEqual(expected);
  }
});

it.each([
  [
    'many numbers',
    (i: number) => (i * i * 1771 + i * 9001 + 4242) % 65536,
    [[24345, 27157, 35932, 29570, 26974, 34090], [29434]],
  ],
  [
    'black and white',
    (i: number) => ((i * i * 1771 + i * 9001 + 4242) % 65536 < 33000 ? 0 : 65535),
    [[9115, 19038, 33248, 33579, 24548, 24420], [23963]],
  ],
] as const)('heights are those of the engine: %s', (_, value, expected) => {
  const data = Uint16Array.from({ length: WIDTH * HEIGHT }, (_, i) => value(i));
  const { levels } = mipChain({ width: WIDTH, height: HEIGHT, data }, 'height', ENGINE);
  expect(levels.slice(1).map((level) => [...new Uint16Array(level.bytes.buffer)])).toEqual(expected);
});

it('clamps heights that overshoot', () => {
  const data = Uint16Array.from({ length: 64 }, (_, i) => (i % 8 < 5 ? 0 : 65535));
  const { levels } = mipChain({ width: 8, height: 8, data }, 'height', ENGINE);
  const values = [...new Uint16Array(levels[1].bytes.buffer)];
  // Overshoots of an edge between 0 and 65535 lie beyond both.
  expect(values.slice(1, 4)).toEqual([0, expect.any(Number), 65535]);
});
