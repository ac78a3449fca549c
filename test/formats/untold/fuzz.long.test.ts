// Bytes flipped and files cut at random (seeded, so that a failure can be run again): every outcome is a scene or coded
// errors. The hash is put right in half of the runs, so that the checks behind it are reached.

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { validateUntold } from '../../../src/formats/untold/check/validate.ts';
import { packZstd, unpackLz4 } from '../../../src/formats/untold/container/compress.ts';
import { packLz4 } from '../../../src/formats/untold/container/lz4.ts';
import { describeUntold, readUntold } from '../../../src/formats/untold/read.ts';
import { checkTextures } from '../../../src/formats/untold/textureFiles.ts';
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
  addChunk(edit, 13, u32(0, 0, 2, 0, 2, 0, 0), 1);
  addChunk(edit, 14, concat(f32(0, 1, 2, 3), u32(0), f32(1, 1, 2, 3), u32(0)), 2);
  addChunk(edit, 15, f32(0, 0, 0, 0, 1, 1, 0, 0, 0, 1), 2);
  addChunk(edit, 16, new Uint8Array(32));
  addChunk(edit, 17, f32(...[0, 1, 2, 3].flatMap(() => [1, 0, 0, 0])));
  addChunk(edit, 18, u16(0, 1));
  addChunk(edit, 23, concat(u32(0, 0, 0, 0, 1), f32(1)), 1);
  addChunk(edit, 24, u16(1, 0, 0, 0, 0, 0, 0, 0), 1);
  addChunk(edit, 26, concat(u32(0, 0, 0), f32(0, 0, 0, 1, 1), u32(0)), 1);
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
    await checkTextures(damaged, name, { exists: () => true, head: () => damaged });
    await describeUntold(damaged, name).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
    });
  }
  // Padding, reserved fields and colours may change without harm: some runs must get through.
  expect(scenes).toBeGreaterThan(20);
});

const MESH_CHUNK = 3;
/** Fields of a mesh record (format text, "Mesh Record"): offset and bytes. u64 fields are changed in their low half. */
const MESH_FIELDS = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 92];

/** The file with all chunks stored plainly. */
function unpacked(file: Uint8Array): Uint8Array {
  const edit = takeApart(file);
  for (const part of edit.chunks) {
    if (part.compression === 0) continue;
    const result = unpackLz4(part.bytes, part.uncompressedSize);
    if ('fault' in result) throw new Error(result.fault.message);
    setPayload(part, result.bytes);
  }
  return putTogether(edit);
}

/** The file with all chunks compressed as `compression` says (1: LZ4, 2: Zstandard). */
async function repacked(file: Uint8Array, compression: 1 | 2): Promise<Uint8Array> {
  const edit = takeApart(file);
  for (const part of edit.chunks) {
    if (part.bytes.length === 0) continue;
    const packed = compression === 1 ? await packLz4(part.bytes) : await packZstd(part.bytes);
    if (packed === null) throw new Error('too large for a fixture');
    part.bytes = packed;
    part.compression = compression;
  }
  return putTogether(edit);
}

async function outcomeOf(file: Uint8Array): Promise<unknown> {
  const scene = await readUntold(file, 'f').catch((error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics;
  });
  const diagnostics = await validateUntold(file, 'f', { engine: false });
  await describeUntold(file, 'f').catch((error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
  });
  return { scene, diagnostics };
}

it('ranges that start between words are the same finding whether chunks are stored or compressed', async () => {
  const plain = takeApart(unpacked(fixture('valid-v1-lz4.untold')));
  const { bytes } = chunk(plain, MESH_CHUNK);
  // Three vertices of 32 bytes from byte 1 on: they lie inside the chunk, at no multiple of 4.
  bytes.set(u32(3), 16);
  bytes.set(u64(1), 32);
  bytes.set(u64(96), 48);
  const file = putTogether(plain);
  const expected = await validateUntold(file, 'f', { engine: true });
  expect(expected.map(({ code }) => code)).toContain('UC3034');
  expect(await validateUntold(await repacked(file, 1), 'f', { engine: true })).toEqual(expected);
  // The same of 16-bit indices from an odd byte on: two triangles' worth shifted by one byte, and one index less.
  const shifted = takeApart(unpacked(fixture('valid-v1-lz4.untold')));
  const mesh = chunk(shifted, MESH_CHUNK).bytes;
  mesh.set(u32(3), 20);
  mesh.set(u64(1), 40);
  mesh.set(u64(6), 56);
  const indices = putTogether(shifted);
  const found = await validateUntold(indices, 'f', { engine: true });
  expect(found.map(({ code }) => code)).toContain('UC3034');
  expect(await validateUntold(await repacked(indices, 1), 'f', { engine: true })).toEqual(found);
});

it('400 files with damaged mesh records give the same outcome stored, in LZ4 and in Zstandard', async () => {
  const sources = [1, 2, 3, 4].map((version) => unpacked(fixture(`valid-v${version}-lz4.untold`)));
  const next = random(7919);
  const small = [0, 1, 2, 3, 4, 5, 6, 7, 8, 32, 33, 64, 96, 97, 128, NONE];
  for (let run = 0; run < 400; run++) {
    const edit = takeApart(sources[run % sources.length]);
    const { bytes } = chunk(edit, MESH_CHUNK);
    const changes = next(4) + 1;
    for (let i = 0; i < changes; i++) bytes.set(u32(small[next(small.length)]), MESH_FIELDS[next(MESH_FIELDS.length)]);
    // A whole range that fits, from any byte on: the checks behind those of the sizes are reached.
    if (run % 2 === 0) {
      const count = next(4);
      bytes.set(u32(count), 16);
      bytes.set(u32(32), 24);
      bytes.set(u64(next(32)), 32);
      bytes.set(u64(count * 32), 48);
    }
    const file = putTogether(edit);
    const expected = await outcomeOf(file);
    expect(await outcomeOf(await repacked(file, 1)), `run ${run}, LZ4`).toEqual(expected);
    expect(await outcomeOf(await repacked(file, 2)), `run ${run}, Zstandard`).toEqual(expected);
  }
});
