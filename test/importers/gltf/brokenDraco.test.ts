// Damaged Draco data ends in a coded error or a scene, and leaves the decoder sound. The long test of the same name cuts and
// flips it at every few bytes.

import { beforeAll, expect, test } from 'vitest';
import { glb, loadAll, refusal } from './build.ts';
import { dracoSources, grid, outcome, viewOf } from './dracoGrid.ts';

let sources: Awaited<ReturnType<typeof dracoSources>>;
beforeAll(async () => {
  sources = await dracoSources();
});

test('data that is cut off is UC1318, wherever that is', async () => {
  for (const { name, json, bin } of sources) {
    const whole = viewOf(json).byteLength;
    for (let length = 0; length < whole; length += 41) {
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
    for (let at = byteOffset; at < byteOffset + byteLength; at += 23) {
      const flipped = bin.slice();
      flipped[at] ^= 1 << (at % 8);
      seen.add(await outcome(json, flipped));
    }
    expect(await outcome(json, bin)).toBe('');
  }
  expect(seen).toContain('');
  expect(seen).toContain('UC1318');
});

test('floats under an accessor of integers are UC1318', async () => {
  const { json, bin } = sources[0];
  const edited = structuredClone(json);
  const accessor = edited.accessors[edited.meshes[0].primitives[0].attributes.TEXCOORD_0];
  accessor.componentType = 5123;
  accessor.normalized = true;
  const item = await refusal(loadAll(glb(edited, bin)));
  expect(item.code).toBe('UC1318');
  expect(item.message).toContain('holds floats, not integers');
});

test('decoding several meshes at once gives each its own limit of memory', async () => {
  const large = await grid(5, 'SEQUENTIAL', 300);
  const files = [sources[0], large, sources[1], large, sources[2]];
  const outcomes = await Promise.all(files.map(({ json, bin }) => outcome(json, bin)));
  expect(outcomes).toEqual(files.map(() => ''));
});
