// Draco and meshopt: files made here with the encoders of the libraries, read back through the importer.

import { Document, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { beforeAll, describe, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { dracoSize } from '../../../src/formats/draco/header.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import { Buffers } from '../../../src/importers/gltf/data/buffers.ts';
import { readContainer } from '../../../src/importers/gltf/document/container.ts';
import { glb, type Json, load, loadAll, refusal } from './build.ts';

const SIDE = 12;

/** A wavy grid, with normals, UVs and 16-bit indices. */
function grid() {
  const positions = new Float32Array(SIDE * SIDE * 3);
  const normals = new Float32Array(SIDE * SIDE * 3);
  const uvs = new Float32Array(SIDE * SIDE * 2);
  const indices: number[] = [];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const v = y * SIDE + x;
      positions.set([x, Math.sin(x / 3) * 2, y], v * 3);
      normals.set([0, 1, 0], v * 3);
      uvs.set([x / (SIDE - 1), y / (SIDE - 1)], v * 2);
      if (x + 1 < SIDE && y + 1 < SIDE) indices.push(v, v + SIDE, v + 1, v + 1, v + SIDE, v + SIDE + 1);
    }
  }
  return { positions, normals, uvs, indices: Uint16Array.from(indices) };
}

function gridDocument(): Document {
  const { positions, normals, uvs, indices } = grid();
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type: 'VEC3' | 'VEC2' | 'SCALAR', array: Float32Array | Uint16Array) =>
    document.createAccessor().setType(type).setArray(array.slice()).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', positions))
    .setAttribute('NORMAL', accessor('VEC3', normals))
    .setAttribute('TEXCOORD_0', accessor('VEC2', uvs))
    .setIndices(accessor('SCALAR', indices));
  document
    .createScene()
    .addChild(document.createNode('Grid').setMesh(document.createMesh('Grid').addPrimitive(primitive)));
  return document;
}

/** The JSON and the binary chunk of a GLB. */
function unpack(bytes: Uint8Array): { json: Json; bin: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const size = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
  return { json, bin: bytes.slice(28 + size) };
}

/** Triangles as rounded corner positions, each from its least corner, sorted: what stays equal when vertices are reordered. */
function triangles(points: ArrayLike<number>, corners: Uint32Array, step: number): string[] {
  const key = (v: number) => [0, 1, 2].map((c) => Math.round(points[v * 3 + c] / step)).join(' ');
  const out: string[] = [];
  for (let t = 0; t < corners.length; t += 3) {
    const ring = [key(corners[t]), key(corners[t + 1]), key(corners[t + 2])];
    const first = ring.indexOf([...ring].sort()[0]);
    out.push([...ring.slice(first), ...ring.slice(0, first)].join(' | '));
  }
  return out.sort();
}

const { positions, uvs, indices } = grid();
const expected = triangles(positions, Uint32Array.from(indices), 0.05);

describe('KHR_draco_mesh_compression', () => {
  const files: Record<string, Uint8Array> = {};
  beforeAll(async () => {
    const encoder = await draco.createEncoderModule();
    for (const method of ['edgebreaker', 'sequential'] as const) {
      const document = gridDocument();
      document
        .createExtension(KHRDracoMeshCompression)
        .setRequired(true)
        .setEncoderOptions({
          method: KHRDracoMeshCompression.EncoderMethod[method === 'edgebreaker' ? 'EDGEBREAKER' : 'SEQUENTIAL'],
        });
      const io = new NodeIO()
        .registerExtensions([KHRDracoMeshCompression])
        .registerDependencies({ 'draco3d.encoder': encoder });
      files[method] = await io.writeBinary(document);
    }
  });

  test.each(['edgebreaker', 'sequential'])('%s: the same triangles', async (method) => {
    const { scene, read, codes } = await loadAll(files[method]);
    expect(codes).toEqual([]);
    expect(scene.meshes[0].primitives[0].triangleCount).toBe(indices.length / 3);
    expect(scene.meshes[0].primitives[0].vertexCount).toBe(read[0].points.length / 3);
    expect(triangles(read[0].points, read[0].corners, 0.05)).toEqual(expected);
    const bounds = scene.meshes[0].primitives[0].bounds!;
    expect(bounds.max[0]).toBeCloseTo(SIDE - 1, 2);
    // V is turned up after decoding: z = 0 lies at v = 0 of the file.
    const near =
      read[0].points.findIndex((_, i) => i % 3 === 0 && Math.hypot(read[0].points[i], read[0].points[i + 2]) < 0.01) /
      3;
    const uv = read[0].uvs.get('TEXCOORD_0')!.data;
    expect([uv[near * 2], uv[near * 2 + 1]]).toEqual([expect.closeTo(0, 3), expect.closeTo(1, 3)]);
    expect(read[0].normals!.data[1]).toBeCloseTo(1, 2);
  });

  test('without stated bounds the data is decoded for them', async () => {
    const { json, bin } = unpack(files.edgebreaker);
    for (const accessor of json.accessors) {
      delete accessor.min;
      delete accessor.max;
    }
    const { scene } = await load(glb(json, bin));
    expect(scene.meshes[0].primitives[0].bounds!.max[2]).toBeCloseTo(SIDE - 1, 2);
  });

  test('the header is read as the bitstream specification has it', () => {
    const header = (...rest: number[]) => new Uint8Array([0x44, 0x52, 0x41, 0x43, 0x4f, 2, 2, 1, ...rest]);
    const size = (bytes: Uint8Array) =>
      dracoSize(bytes, (code) => {
        throw new Error(code);
      });
    // Sequential: faces, vertices. Edgebreaker: traversal type, vertices, faces. Varints of 7 bits, low first.
    expect(size(header(0, 0, 0, 0x85, 0x02, 9))).toEqual({ faces: 261, maxVertices: 9 });
    expect(size(header(1, 0, 0, 2, 0x80, 0x01, 0x07))).toEqual({ faces: 7, maxVertices: 21 });
    // Metadata: no attribute's; then one entry 'a' = 2 bytes and one child 'b' without anything.
    const metadata = [1, 1, 0x61, 2, 5, 5, 1, 1, 0x62, 0, 0];
    expect(size(header(0, 0, 0x80, 0, ...metadata, 3, 9))).toEqual({ faces: 3, maxVertices: 9 });
    expect(() => size(header(0, 0, 0x80, 0, 0x7f, 1))).toThrow('UC1318');
    expect(() => size(header(0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 3))).toThrow('UC1316');
    expect(() => size(header(0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x0f))).toThrow('UC1316');
    expect(() => size(header(1, 0))).toThrow('UC1318');
    expect(() => size(new Uint8Array([0x44, 0x52, 0x41, 0x43, 0x4f, 2, 1, 1, 0, 0, 0, 1]))).toThrow('UC1318');
  });

  test('what the accessors and the data disagree on is an error', async () => {
    const edited = async (edit: (json: Json, bin: Uint8Array) => void) => {
      const { json, bin } = unpack(files.edgebreaker);
      edit(json, bin);
      return refusal(loadAll(glb(json, bin)));
    };
    const ext = (json: Json) => json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression;
    const accessorOf = (json: Json, semantic: string) =>
      json.accessors[json.meshes[0].primitives[0].attributes[semantic]];
    const setCount = (json: Json, count: number) => {
      for (const semantic of ['POSITION', 'NORMAL', 'TEXCOORD_0']) accessorOf(json, semantic).count = count;
    };
    expect((await edited((json) => setCount(json, 400000000))).code).toBe('UC1318');
    expect((await edited((json) => setCount(json, 100))).code).toBe('UC1318');
    expect(
      (
        await edited((json) => {
          json.accessors[json.meshes[0].primitives[0].indices].count = 3;
        })
      ).code,
    ).toBe('UC1318');
    expect(
      (
        await edited((json) => {
          ext(json).attributes.NORMAL = 77;
        })
      ).code,
    ).toBe('UC1318');
    expect(
      (
        await edited((json) => {
          ext(json).attributes.COLOR_0 = 1;
        })
      ).code,
    ).toBe('UC1318');
    expect(
      (
        await edited((json) => {
          ext(json).attributes.NORMAL = ext(json).attributes.TEXCOORD_0;
        })
      ).code,
    ).toBe('UC1318');
    expect(
      (
        await edited((json) => {
          ext(json).bufferView = 50;
        })
      ).code,
    ).toBe('UC1308');
    expect((await edited((_, bin) => bin.fill(0xee, 40, 200))).code).toBe('UC1318');
    expect(
      (
        await edited((json) => {
          json.bufferViews[ext(json).bufferView].byteLength = 60;
        })
      ).code,
    ).toBe('UC1318');
    // After all these failures a sound file still decodes.
    expect((await loadAll(files.sequential)).codes).toEqual([]);
  });
});

describe('EXT_meshopt_compression and KHR_meshopt_compression', () => {
  const files: Record<string, Uint8Array> = {};
  beforeAll(async () => {
    await MeshoptEncoder.ready;
    for (const method of ['QUANTIZE', 'FILTER'] as const) {
      const document = gridDocument();
      document.createExtension(KHRMeshQuantization).setRequired(true);
      document
        .createExtension(EXTMeshoptCompression)
        .setRequired(true)
        .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod[method] });
      const io = new NodeIO()
        .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization])
        .registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
      files[method] = await io.writeBinary(document);
    }
  });

  test('without loss: the very numbers, under either name', async () => {
    const { json, bin } = unpack(files.QUANTIZE);
    const renamed = JSON.parse(JSON.stringify(json).replaceAll('EXT_meshopt', 'KHR_meshopt'));
    for (const document of [json, renamed]) {
      const { read, scene, codes } = await loadAll(glb(document, bin));
      expect(codes).toEqual([]);
      expect(triangles(read[0].points, read[0].corners, 1e-6)).toEqual(
        triangles(positions, Uint32Array.from(indices), 1e-6),
      );
      expect(scene.meshes[0].primitives[0].bounds!.max[2]).toBe(SIDE - 1);
    }
  });

  test('with filters: the same triangles, and unit normals', async () => {
    const { read } = await loadAll(files.FILTER);
    expect(triangles(read[0].points, read[0].corners, 0.05)).toEqual(expected);
    expect(read[0].normals!.data[1]).toBeCloseTo(1, 2);
    expect(Math.max(...read[0].uvs.get('TEXCOORD_0')!.data)).toBeCloseTo(1, 3);
    expect(uvs.length).toBe(read[0].uvs.get('TEXCOORD_0')!.data.length);
  });

  /** A GLB of one triangle whose positions and colours stand in meshopt views of the KHR extension. */
  function triangle(version: 0 | 1, edit: (json: Json) => void = () => {}): Uint8Array {
    const points = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
    const filtered = MeshoptEncoder.encodeFilterColor(
      new Float32Array([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 128 / 255]),
      3,
      4,
      8,
    );
    const parts = [
      MeshoptEncoder.encodeVertexBufferLevel(points, 3, 12, 2, version),
      MeshoptEncoder.encodeVertexBufferLevel(filtered, 3, 4, 2, version),
    ];
    const bin = new Uint8Array(parts[0].length + parts[1].length);
    bin.set(parts[0]);
    bin.set(parts[1], parts[0].length);
    const view = (byteStride: number, at: number, part: Uint8Array, filter?: string) => ({
      buffer: 1,
      byteLength: byteStride * 3,
      byteStride,
      extensions: {
        KHR_meshopt_compression: {
          buffer: 0,
          byteOffset: at,
          byteLength: part.length,
          byteStride,
          count: 3,
          mode: 'ATTRIBUTES',
          ...(filter && { filter }),
        },
      },
    });
    const json = {
      asset: { version: '2.0' },
      extensionsRequired: ['KHR_meshopt_compression'],
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, COLOR_0: 1 } }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
        { bufferView: 1, componentType: 5121, normalized: true, count: 3, type: 'VEC4' },
      ],
      bufferViews: [view(12, 0, parts[0]), view(4, parts[0].length, parts[1], 'COLOR')],
      buffers: [
        { byteLength: bin.length },
        { byteLength: 1000, extensions: { KHR_meshopt_compression: { fallback: true } } },
      ],
    };
    edit(json);
    return glb(json, bin);
  }

  test.each([0, 1] as const)(
    'vertex codec version %i and the colour filter of KHR_meshopt_compression',
    async (version) => {
      const { read } = await loadAll(triangle(version));
      expect([...read[0].points]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
      const colors = [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 128 / 255];
      expect([...read[0].colors!.data]).toEqual(colors.map((value) => expect.closeTo(value, 1)));
    },
  );

  test.each<[string, (ext: Json, json: Json) => void, string]>([
    [
      'an unknown mode',
      (ext) => {
        ext.mode = 'ZIP';
      },
      'UC1317',
    ],
    [
      'an unknown filter',
      (ext) => {
        ext.filter = 'BLUR';
      },
      'UC1317',
    ],
    [
      'a filter that the stride does not allow',
      (ext) => {
        ext.filter = 'OCTAHEDRAL';
      },
      'UC1317',
    ],
    [
      'a stride that is no multiple of 4',
      (ext) => {
        ext.byteStride = 6;
        ext.count = 6;
      },
      'UC1317',
    ],
    [
      'a length that is not count times stride',
      (ext) => {
        ext.count = 2;
      },
      'UC1317',
    ],
    [
      'data past the buffer',
      (ext) => {
        ext.byteLength = 100000;
      },
      'UC1311',
    ],
    [
      'a buffer that is not there',
      (ext) => {
        ext.buffer = 5;
      },
      'UC1308',
    ],
    [
      'data that is cut off',
      (ext) => {
        ext.byteLength -= 3;
      },
      'UC1317',
    ],
    [
      'triangles that are attributes',
      (ext) => {
        ext.mode = 'TRIANGLES';
        ext.byteStride = 4;
        ext.count = 9;
      },
      'UC1317',
    ],
    [
      'a count out of all proportion',
      (ext, json) => {
        ext.count = 80000000;
        json.bufferViews[0].byteLength = 960000000;
        json.buffers[1].byteLength = 960000000;
      },
      'UC1316',
    ],
  ])('%s is an error', async (_, edit, code) => {
    const bytes = triangle(1, (json) => edit(json.bufferViews[0].extensions.KHR_meshopt_compression, json));
    expect((await refusal(loadAll(bytes))).code).toBe(code);
  });

  test('a fallback buffer that an uncompressed view needs has no data', async () => {
    const bytes = triangle(1, (json) => {
      delete json.bufferViews[0].extensions;
    });
    expect(await refusal(loadAll(bytes))).toMatchObject({ code: 'UC1309', path: 'buffers/1' });
  });
});

test('decompressed views are kept up to a limit, those that were used last', async () => {
  await MeshoptEncoder.ready;
  const encoded = [1, 2, 3].map((value) => {
    const numbers = Float32Array.from({ length: 64 }, (_, i) => value * i);
    return MeshoptEncoder.encodeGltfBuffer(new Uint8Array(numbers.buffer), 64, 4, 'ATTRIBUTES');
  });
  let length = 0;
  const bufferViews = encoded.map((bytes) => {
    const view = { buffer: 0, byteOffset: length, byteLength: bytes.length };
    length += bytes.length;
    const meshopt = { ...view, byteStride: 4, count: 64, mode: 'ATTRIBUTES' };
    return { buffer: 0, byteLength: 256, extensions: { KHR_meshopt_compression: meshopt } };
  });
  const bin = Uint8Array.from(Buffer.concat(encoded));
  const json = { asset: { version: '2.0' }, buffers: [{ byteLength: Math.max(256, length) }], bufferViews };
  const diagnostics = new Diagnostics();
  const padded = new Uint8Array(Math.max(256, length));
  padded.set(bin);
  const container = readContainer('a.glb', memoryContent(glb(json, padded)), diagnostics);
  const buffers = new Buffers(container, memoryFiles({}), diagnostics, 512);
  await buffers.prepare();
  const views = [0, 1, 2].map((index) => buffers.view(index));
  expect(views.map((bytes) => new Float32Array(bytes.buffer)[5])).toEqual([5, 10, 15]);
  // Two have room: the first one went when the third came, and takes the place of the second now.
  expect(buffers.view(2).buffer).toBe(views[2].buffer);
  expect(buffers.view(0).buffer).not.toBe(views[0].buffer);
  expect(buffers.view(0)).toEqual(views[0]);
  expect(buffers.view(2).buffer).toBe(views[2].buffer);
  expect(buffers.view(1).buffer).not.toBe(views[1].buffer);
});
