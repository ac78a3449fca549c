// Bytes flipped and files cut at random (seeded, so that a failure can be run again): every outcome is a scene or coded
// errors. The hash is put right in half of the runs, so that the checks behind it are reached.

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { describeUntold, readUntold } from '../../src/untold/read.ts';
import { missingTextures } from '../../src/untold/textureFiles.ts';
import { validateUntold } from '../../src/untold/validate.ts';
import { writeUntold } from '../../src/untold/write.ts';
import {
  addChunk,
  concat,
  FIXTURE_NAMES,
  f32,
  fixture,
  IDENTITY,
  NONE,
  putTogether,
  takeApart,
  text,
  u16,
  u32,
  u64,
  view,
} from './edit.ts';

/** Park and Miller's generator. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

/** A file that holds one of everything. */
function rich(): Uint8Array {
  const edit = takeApart(fixture('valid-v4-none.untold'));
  addChunk(edit, 8, u32(0, NONE, 0, 1, 0, 0), 1);
  addChunk(edit, 9, concat(u32(NONE, 0, 0, 0), f32(...IDENTITY, ...IDENTITY)), 1);
  addChunk(edit, 10, concat(u32(1, 0, 0, 1, 0, 4), u64(0, 0), u32(0, 0)), 1);
  addChunk(edit, 11, u32(0), 1);
  addChunk(edit, 12, concat(u32(0), f32(1), u32(0, 1, 0, 0, 0)), 1);
  addChunk(edit, 13, u32(0, 0, 1, 0, 1, 0, 0), 1);
  addChunk(edit, 14, concat(f32(0, 1, 2, 3), u32(0)), 1);
  addChunk(edit, 15, f32(0, 0, 0, 0, 1), 1);
  addChunk(edit, 16, new Uint8Array(32));
  addChunk(edit, 17, f32(...[0, 1, 2, 3].flatMap(() => [1, 0, 0, 0])));
  addChunk(edit, 18, u16(0, 1));
  addChunk(edit, 23, concat(u32(0, NONE, 0, 0, 1), f32(1)), 1);
  addChunk(edit, 24, u16(1, 0, 0, 0, 0, 0, 0, 0), 1);
  addChunk(edit, 26, concat(u32(0, NONE, 0), f32(0, 0, 0, 1, 1), u32(0)), 1);
  addChunk(edit, 0x8001, concat(text('UEXT'), u16(1, 1), u32(0, 0), text('x')));
  return putTogether(edit);
}

/** Puts the hash right where the chunk table still makes sense. */
function rehash(file: Uint8Array): void {
  if (file.length < 204) return;
  const v = view(file);
  const hash = createHash('sha256');
  const count = Math.min(v.getUint32(24, true), Math.floor((file.length - 204) / 40));
  const entries = Array.from({ length: count }, (_, i) => ({
    at: 204 + i * 40,
    type: v.getUint32(204 + i * 40, true),
  }));
  for (const { at } of entries.sort((a, b) => a.type - b.type)) {
    const offset = v.getUint32(at + 8, true);
    hash.update(file.subarray(offset, offset + v.getUint32(at + 16, true)));
  }
  file.set(hash.digest(), 140);
}

it('2,400 damaged files end in a scene or in coded errors', async () => {
  const zstd = await writeUntold(await readUntold(fixture('valid-v1-none.untold'), 'f'), { compression: 'zstd' });
  const sources = [...FIXTURE_NAMES.map(fixture), rich(), rich(), rich(), zstd];
  expect(await validateUntold(sources[8], 'rich', { engine: true })).toEqual([]);
  const next = random(20240607);
  let scenes = 0;
  for (let run = 0; run < 2400; run++) {
    const file = sources[run % sources.length].slice();
    const flips = next(4) + 1;
    for (let i = 0; i < flips; i++) file[next(file.length)] = [0, 1, 0x7f, 0x80, 0xff, next(256)][next(6)];
    const damaged = next(5) === 0 ? file.subarray(0, next(file.length)) : file;
    if (run % 2 === 0) rehash(damaged);
    const name = `run ${run}`;
    const scene = await readUntold(damaged, name).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      expect(error.diagnostics.length).toBeGreaterThan(0);
      return null;
    });
    const diagnostics = await validateUntold(damaged, name, { engine: false });
    expect(diagnostics.some((d) => d.severity === 'error')).toBe(scene === null);
    if (scene) scenes++;
    await missingTextures(damaged, name, () => false);
    await describeUntold(damaged, name).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
    });
  }
  // Padding, reserved fields and colours may change without harm: some runs must get through.
  expect(scenes).toBeGreaterThan(20);
});
