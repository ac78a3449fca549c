// Offsets beyond 2^31 and 2^32 in each binary format. The files are sparse: what lies between their few bytes takes no
// room on the disk and is never read.

import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { diskFiles } from '../../src/importers/files.ts';
import { importSource } from '../../src/importers/index.ts';
import { readCrate } from '../../src/importers/usd/crate/readCrate.ts';
import { buildJson, glb, type Json, ONE_TRIANGLE, refusal } from './gltf/build.ts';
import { plainLayer } from './usd/crate/plainLayer.ts';
import { array, attribute, double, prim, token, writeCrate } from './usd/crateWriter.ts';
import { writeUsdz } from './usdz/usdzWriter.ts';

const POINTS = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-huge-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of `size` bytes that holds `parts` and zeros. */
function sparse(name: string, size: number, parts: readonly (readonly [at: number, bytes: Uint8Array])[]): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  try {
    ftruncateSync(file, size);
    for (const [at, bytes] of parts) writeSync(file, bytes, 0, bytes.length, at);
  } finally {
    closeSync(file);
  }
  return path;
}

async function imported(path: string) {
  const diagnostics = new Diagnostics();
  const scene = await importSource(path, path, { files: diskFiles(null), diagnostics, options: {} });
  const [primitive] = scene.meshes[0].primitives;
  expect(diagnostics.list).toEqual([]);
  return { bounds: primitive.bounds, points: Array.from((await primitive.read()).points) };
}

const THE_TRIANGLE = { bounds: { min: [0, 0, 0], max: [1, 1, 0] }, points: [...POINTS] };

/** The JSON of one triangle whose positions lie at `at` in a buffer of `size` bytes. */
function triangleAt(at: number, size: number, uri?: string): { json: Json; bin: Uint8Array } {
  const { json, bin } = buildJson(ONE_TRIANGLE);
  json.bufferViews[0].byteOffset = at;
  json.buffers[0] = { byteLength: size, ...(uri ? { uri } : {}) };
  return { json, bin };
}

describe('a GLB of nearly 4 GiB', () => {
  // Room for the JSON in front of the chunk.
  const chunk = 2 ** 32 - 4096;

  /** The file; `declared` are the sizes in its headers. */
  function make(name: string, at: number, declared = { chunk, more: 0 }): string {
    const { json, bin } = triangleAt(at, chunk);
    const head = glb(json, new Uint8Array(0));
    const size = head.length + chunk;
    const view = new DataView(head.buffer);
    view.setUint32(8, size + declared.more, true);
    view.setUint32(head.length - 8, declared.chunk, true);
    return sparse(name, size, [
      [0, head],
      [head.length + at, bin],
    ]);
  }

  it('is read at offsets beyond 2^31 and at its end', async () => {
    expect(await imported(make('middle.glb', 2 ** 31 + 4))).toEqual(THE_TRIANGLE);
    expect(await imported(make('end.glb', chunk - 36))).toEqual(THE_TRIANGLE);
  });

  it('that declares more than it has is refused', async () => {
    expect((await refusal(imported(make('file.glb', 0, { chunk, more: 4 })))).code).toBe('UC1206');
    expect((await refusal(imported(make('chunk.glb', 0, { chunk: chunk + 4, more: 0 })))).code).toBe('UC1300');
  });
});

describe('a buffer of a glTF', () => {
  const size = 2 ** 33;

  it('is read beyond 2^32', async () => {
    const { json, bin } = triangleAt(size - 36, size, 'far.bin');
    sparse('far.bin', size, [[size - 36, bin]]);
    const text = new TextEncoder().encode(JSON.stringify(json));
    expect(await imported(sparse('far.gltf', text.length, [[0, text]]))).toEqual(THE_TRIANGLE);
  });

  it('that ends before what is used is cut off', async () => {
    const { json } = triangleAt(size - 36, size, 'cut.bin');
    sparse('cut.bin', size - 1, []);
    const text = new TextEncoder().encode(JSON.stringify(json));
    const item = await refusal(imported(sparse('cut.gltf', text.length, [[0, text]])));
    expect(item).toMatchObject({ code: 'UC1310', path: 'buffers/0' });
  });

  it('of a view that is compressed or an image is not asked for more than one buffer holds', async () => {
    const { json, bin } = triangleAt(0, size, 'image.bin');
    json.bufferViews.push({ buffer: 0, byteOffset: 64, byteLength: size - 64 });
    json.images = [{ bufferView: 1, mimeType: 'image/png' }];
    sparse('image.bin', size, [[0, bin]]);
    const text = new TextEncoder().encode(JSON.stringify(json));
    const path = sparse('image.gltf', text.length, [[0, text]]);
    const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: {} };
    const scene = await importSource(path, path, context);
    expect((await refusal(scene.images[0].read())).code).toBe('UC1207');
  });
});

describe('USD', () => {
  const crate = (points: Float32Array) =>
    writeCrate({
      '/': { upAxis: token('Y'), metersPerUnit: double(1) },
      '/Mesh': prim('Mesh'),
      '/Mesh.faceVertexCounts': attribute('int[]', array('Int', Int32Array.of(3))),
      '/Mesh.faceVertexIndices': attribute('int[]', array('Int', Int32Array.of(0, 1, 2))),
      '/Mesh.points': attribute('point3f[]', array('Vec3f', points)),
      '/Mesh.subdivisionScheme': attribute('token', token('none')),
    });

  it('a crate is read with its table of contents and sections beyond 2^32', async () => {
    // Values stay where they are; the sections, which the table lists by their offsets, move to the end.
    const bytes = crate(POINTS);
    const view = new DataView(bytes.buffer);
    const toc = Number(view.getBigInt64(16, true));
    const far = 2 ** 32;
    const sections = Number(view.getBigUint64(toc, true));
    let first = toc;
    for (let i = 0; i < sections; i++) {
      const at = toc + 8 + i * 32 + 16;
      const start = Number(view.getBigInt64(at, true));
      first = Math.min(first, start);
      view.setBigInt64(at, BigInt(start + far), true);
    }
    view.setBigInt64(16, BigInt(toc + far), true);
    const path = sparse('far.usdc', bytes.length + far, [
      [0, bytes.subarray(0, first)],
      [first + far, bytes.subarray(first)],
    ]);
    expect(await imported(path)).toEqual(THE_TRIANGLE);
  });

  it('arrays of a crate are read beyond 2^32', () => {
    // Version 0.2 does not pack the representations of values: 48 bits of offset, the type (24: Vec3f), the array bit.
    const bytes = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../fixtures/crate/sink-0.2.0.usdc')));
    const layerOf = (path: string) => {
      const content = diskFiles(null, undefined, { whole: 0, chunk: 4096, chunks: 4 }).open(path, '', '');
      return plainLayer(readCrate(content, path, new Diagnostics(), content.size, 0));
    };
    const before = layerOf(sparse('near.usdc', bytes.length, [[0, bytes]]));
    const far = 2 ** 32;
    const moved = bytes.slice();
    let arrays = 0;
    for (let at = 0; at + 8 <= bytes.length; at++) {
      const offset = bytes[at] + bytes[at + 1] * 256;
      const isNear = offset > 0 && bytes[at + 2] + bytes[at + 3] + bytes[at + 4] + bytes[at + 5] === 0;
      if (!isNear || bytes[at + 6] !== 24 || bytes[at + 7] !== 0x80) continue;
      moved[at + 4] = 1;
      // Rank and count of the array that is not to be read any more.
      moved.fill(0, offset, offset + 8);
      arrays++;
    }
    expect(arrays).toBeGreaterThan(0);
    const path = sparse('arrays.usdc', far + bytes.length, [
      [0, moved],
      [far, bytes],
    ]);
    expect(layerOf(path)).toEqual(before);
  });

  it('a package is read with its directory and a layer beyond 2^31', async () => {
    const root = new TextEncoder().encode(
      '#usda 1.0\n(\n upAxis = "Y"\n metersPerUnit = 1\n)\ndef "A" (\n references = @far.usdc@</Mesh>\n)\n{\n}\n',
    );
    const bytes = writeUsdz([
      { name: 'root.usda', bytes: root },
      { name: 'far.usdc', bytes: crate(POINTS) },
    ]);
    const far = 2 ** 31;
    const view = new DataView(bytes.buffer);
    const end = bytes.length - 22;
    const directory = view.getUint32(end + 16, true);
    const second = directory + 46 + 'root.usda'.length;
    const header = view.getUint32(second + 42, true);
    view.setUint32(second + 42, header + far, true);
    view.setUint32(end + 16, directory + far, true);
    const path = sparse('far.usdz', bytes.length + far, [
      [0, bytes.subarray(0, header)],
      [header + far, bytes.subarray(header)],
    ]);
    expect(await imported(path)).toEqual(THE_TRIANGLE);
  });
});
