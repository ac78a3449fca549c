// Sources that are read range by range give what they give when they are read at once: with chunks far smaller than any
// array, each array lies in many of them, and none is kept for long.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import type { ReadSizes } from '../../src/importers/fileContent.ts';
import { diskFiles } from '../../src/importers/files.ts';
import { importSource } from '../../src/importers/index.ts';
import { readCrate } from '../../src/importers/usd/crate/readCrate.ts';
import { buildGlb, buildGltf, ONE_TRIANGLE, refusal } from './gltf/build.ts';
import { plainLayer } from './usd/crate/plainLayer.ts';
import { writeUsdz } from './usdz/usdzWriter.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');
const CRATES = resolve(import.meta.dirname, '../fixtures/crate');
const AT_ONCE: ReadSizes = { whole: 2 ** 30, chunk: 1, chunks: 1 };
const IN_RANGES: ReadSizes = { whole: 0, chunk: 7, chunks: 2 };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-ranges-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, bytes: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};

/** The Scene with all its arrays, images and diagnostics as plain data. */
async function everything(path: string, sizes: ReadSizes) {
  const diagnostics = new Diagnostics();
  const files = diskFiles(null, undefined, sizes);
  const scene = await importSource(path, path, { files, diagnostics, options: {} });
  const meshes = [];
  for (const { primitives } of scene.meshes) {
    for (const primitive of primitives) meshes.push([primitive.path, primitive.bounds, await primitive.read()]);
  }
  const images = [];
  for (const image of scene.images) images.push([image.path, Buffer.from(await image.read())]);
  return {
    nodes: scene.nodes,
    materials: scene.materials,
    meshes,
    images,
    list: diagnostics.list,
    files: files.list(),
  };
}

async function compressed(how: 'draco' | 'meshopt'): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const side = 20;
  const positions = new Float32Array(side * side * 3);
  const indices: number[] = [];
  for (let v = 0; v < side * side; v++) {
    const [x, y] = [v % side, Math.floor(v / side)];
    positions.set([x, (x * y) % 7, y], v * 3);
    if (x + 1 < side && y + 1 < side) indices.push(v, v + side, v + 1, v + 1, v + side, v + side + 1);
  }
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(positions).setBuffer(buffer))
    .setIndices(document.createAccessor().setArray(Uint16Array.from(indices)).setBuffer(buffer));
  document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
  const extensions = [KHRDracoMeshCompression, EXTMeshoptCompression];
  if (how === 'draco') document.createExtension(KHRDracoMeshCompression).setRequired(true);
  else document.createExtension(EXTMeshoptCompression).setRequired(true);
  const encoders = { 'draco3d.encoder': await draco.createEncoderModule(), 'meshopt.encoder': MeshoptEncoder };
  await MeshoptEncoder.ready;
  return new NodeIO().registerExtensions(extensions).registerDependencies(encoders).writeBinary(document);
}

describe('in ranges as at once', () => {
  it.each(['glb/courtyard.glb', 'gltf/courtyard.gltf', 'courtyard.usdz', 'usda/courtyard.usda'])(
    '%s',
    async (sample) => {
      const path = join(SAMPLES, sample);
      expect(await everything(path, IN_RANGES)).toEqual(await everything(path, AT_ONCE));
    },
  );

  it.each(['draco', 'meshopt'] as const)('GLB compressed with %s', async (how) => {
    const path = put(`${how}.glb`, await compressed(how));
    const read = await everything(path, IN_RANGES);
    expect(read.meshes).toHaveLength(1);
    expect(read).toEqual(await everything(path, AT_ONCE));
  });

  it('GLB with accessors that are sparse, interleaved, shared, and at odd offsets', async () => {
    const positions = Array.from({ length: 60 }, (_, i) => (i * 7) % 23);
    const bytes = buildGlb(
      {
        meshes: [
          {
            primitives: [
              { positions, indices: [0, 1, 2, 5, 6, 7] },
              { positions, indices: [8, 9, 10] },
              { positions: { data: [1, 2, 3, 4, 5, 6], sparse: { count: 9, indices: [1, 7] } } },
            ],
          },
        ],
      },
      (json) => {
        // Two primitives share the positions, of which only every second element and a half of the bytes are taken.
        json.meshes[0].primitives[1].attributes.POSITION = json.meshes[0].primitives[0].attributes.POSITION;
        const accessor = json.accessors[json.meshes[0].primitives[0].attributes.POSITION];
        json.bufferViews[accessor.bufferView].byteStride = 14;
        json.bufferViews[accessor.bufferView].byteOffset = 1;
        accessor.count = 16;
      },
    );
    const path = put('odd.glb', bytes);
    const read = await everything(path, IN_RANGES);
    expect(read.meshes).toHaveLength(3);
    expect(read).toEqual(await everything(path, AT_ONCE));
  });

  it.each(['0.0.1', '0.4.0', '0.7.0', '0.11.0'])('crate of version %s, with values of every type', (version) => {
    const path = join(CRATES, `sink-${version}.usdc`);
    const layer = (sizes: ReadSizes) => {
      const content = diskFiles(null, undefined, sizes).open(path, '', '');
      return plainLayer(readCrate(content, path, new Diagnostics(), content.size, 0));
    };
    expect(layer(IN_RANGES)).toEqual(layer(AT_ONCE));
  });
});

describe('a package on disk', () => {
  const layer = new TextEncoder().encode('#usda 1.0\ndef Cube "C" {}\n');

  it('is checked by its checksums, part by part', async () => {
    const bytes = writeUsdz([{ name: 'a.usda', bytes: layer }]);
    const at = Buffer.from(bytes).indexOf('Cube');
    bytes[at] ^= 1;
    const read = everything(put('damaged.usdz', bytes), IN_RANGES);
    expect((await refusal(read)).code).toBe('UC1606');
  });

  it('cut off at any length has a code', async () => {
    const bytes = writeUsdz([{ name: 'a.usda', bytes: layer }]);
    for (let length = 1; length < bytes.length; length++) {
      const { code } = await refusal(everything(put('cut.usdz', bytes.subarray(0, length)), IN_RANGES));
      expect(code).toMatch(/^UC(1600|1201)$/);
    }
  });
});

describe('a GLB on disk', () => {
  it('cut off at any length has a code', async () => {
    const bytes = buildGlb(ONE_TRIANGLE);
    for (let length = 1; length < bytes.length; length++) {
      const { code } = await refusal(everything(put('cut.glb', bytes.subarray(0, length)), IN_RANGES));
      expect(code).toMatch(/^UC(1206|1201)$/);
    }
  });

  it('declares no sizes that are believed before the file has them', async () => {
    const plain = buildGlb(ONE_TRIANGLE);
    const damaged = (offset: number, value: number) => {
      const bytes = plain.slice();
      new DataView(bytes.buffer).setUint32(offset, value, true);
      return everything(put('sizes.glb', bytes), IN_RANGES);
    };
    expect((await refusal(damaged(8, 0xffffffff))).code).toBe('UC1206');
    expect((await refusal(damaged(12, 0xfffffff0))).code).toBe('UC1300');
    const length = new DataView(plain.buffer).getUint32(12, true);
    expect((await refusal(damaged(20 + length, 0xfffffff0))).code).toBe('UC1300');
  });

  it('may have a buffer that is cut off behind what is used, and no further', async () => {
    const files = buildGltf(ONE_TRIANGLE, 'short', (json) => {
      json.buffers[0].byteLength += 100;
    });
    put('short.gltf', files['short.gltf']);
    const bin = put('short.bin', files['short.bin']);
    const { list } = await everything(join(folder, 'short.gltf'), IN_RANGES);
    expect(list.map(({ code }) => code)).toEqual(['UC1329']);
    truncateSync(bin, 35);
    expect(await refusal(everything(join(folder, 'short.gltf'), IN_RANGES))).toMatchObject({
      code: 'UC1310',
      path: 'buffers/0',
    });
  });
});

it('a count that the buffer has no bytes for makes no array', async () => {
  // As many as a mesh may have.
  const count = 2 ** 29;
  const gltf = {
    asset: { version: '2.0' },
    buffers: [{ byteLength: 9e12, uri: 'data:application/octet-stream;base64,AAAA' }],
    bufferViews: [{ buffer: 0, byteLength: 9e12, byteStride: 16 }],
    accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', count }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
    scene: 0,
  };
  const path = put('huge.gltf', new TextEncoder().encode(JSON.stringify(gltf)));
  expect(await refusal(everything(path, IN_RANGES))).toMatchObject({ code: 'UC1310' });
});

describe('a file that changes after it was opened', () => {
  const changed = async (change: (path: string) => void) => {
    const path = put('changing.glb', buildGlb(ONE_TRIANGLE));
    const context = { files: diskFiles(null, undefined, IN_RANGES), diagnostics: new Diagnostics(), options: {} };
    const scene = await importSource(path, path, context);
    change(path);
    return refusal(scene.meshes[0].primitives[0].read());
  };

  it('in its size is refused with UC1208', async () => {
    const longer = await changed((path) => appendFileSync(path, 'more'));
    expect(longer.code).toBe('UC1208');
    expect(longer.message).toMatch(/changing\.glb had \d+ bytes and has \d+ now/);
    expect((await changed((path) => truncateSync(path, 60))).code).toBe('UC1208');
  });

  it('in its content, or by another file, is refused with UC1208', async () => {
    expect((await changed((path) => utimesSync(path, 1, 1))).code).toBe('UC1208');
    const other = await changed((path) => {
      const bytes = readFileSync(path);
      rmSync(path);
      writeFileSync(path, bytes);
    });
    expect(other.code).toBe('UC1208');
  });

  it('and is gone is refused with the code of a file that is not there', async () => {
    expect((await changed((path) => rmSync(path))).code).toBe('UC1200');
  });
});
