// Damaged Draco data: every cut and flipped bits end in a scene or in a coded error, in time, and leave the decoder sound.

import { beforeAll, expect, test } from 'vitest';
import { dracoSources, outcome, viewOf } from './dracoGrid.ts';

let sources: Awaited<ReturnType<typeof dracoSources>>;
beforeAll(async () => {
  sources = await dracoSources();
});

test('data that is cut off is UC1318, wherever that is', async () => {
  for (const { name, json, bin } of sources) {
    const whole = viewOf(json).byteLength;
    for (let length = 0; length < whole; length += 7) {
      const cut = structuredClone(json);
      viewOf(cut).byteLength = length;
      expect(await outcome(cut, bin), `${name}, ${length} of ${whole} bytes`).toBe('UC1318');
    }
  }
});

test('flipped bits end in a scene or in a code', async () => {
  const seen = new Set<string>();
  for (const { json, bin } of sources) {
    const { byteOffset = 0, byteLength } = viewOf(json);
    for (let at = byteOffset; at < byteOffset + byteLength; at += 5) {
      const flipped = bin.slice();
      flipped[at] ^= 1 << (at % 8);
      seen.add(await outcome(json, flipped));
    }
    expect(await outcome(json, bin)).toBe('');
  }
  expect(seen).toContain('');
  expect(seen).toContain('UC1318');
});

test('a count inside the data that asks for too much memory is UC1316', async () => {
  // The prediction of UVs stores a 32-bit number of orientations; the decoder allocates and fills that many bits.
  const { json, bin } = sources[0];
  const { byteOffset = 0, byteLength } = viewOf(json);
  const seen = new Set<string>();
  for (let at = byteOffset + 100; at < byteOffset + byteLength; at++) {
    const large = bin.slice();
    large[at] = 0x7f;
    seen.add(await outcome(json, large));
  }
  expect(seen).toContain('UC1316');
});
