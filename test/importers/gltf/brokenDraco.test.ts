// Damaged Draco data: every cut and flipped bits end in a scene or in a coded error, in time, and leave the decoder sound.

import { Document, NodeIO } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { beforeAll, expect, test } from 'vitest';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { glb, type Json, loadAll, refusal } from './build.ts';

/** A bent grid with UVs, whose positions have no stated bounds: they are decoded when the file is opened. */
async function grid(
  speed: number,
  method: 'EDGEBREAKER' | 'SEQUENTIAL',
  side = 4,
): Promise<{ json: Json; bin: Uint8Array }> {
  const document = new Document();
  const buffer = document.createBuffer();
  const points: number[] = [];
  const uvs: number[] = [];
  const corners: number[] = [];
  for (let v = 0; v < side * side; v++) {
    const x = v % side;
    const y = Math.floor(v / side);
    points.push(x, Math.sin(3 * x), y);
    uvs.push(x / side, y / side);
    if (x + 1 < side && y + 1 < side) corners.push(v, v + side, v + 1, v + 1, v + side, v + side + 1);
  }
  const accessor = (type: 'VEC3' | 'VEC2' | 'SCALAR', array: Float32Array | Uint16Array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(points)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.from(uvs)))
    .setIndices(accessor('SCALAR', Uint16Array.from(corners)));
  document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
  document.createExtension(KHRDracoMeshCompression).setRequired(true).setEncoderOptions({
    method: KHRDracoMeshCompression.EncoderMethod[method],
    encodeSpeed: speed,
    decodeSpeed: speed,
  });
  const bytes = await new NodeIO()
    .registerExtensions([KHRDracoMeshCompression])
    .registerDependencies({ 'draco3d.encoder': await draco.createEncoderModule() })
    .writeBinary(document);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
  for (const each of json.accessors) {
    delete each.min;
    delete each.max;
  }
  return { json, bin: bytes.slice(28 + size) };
}

const viewOf = (json: Json) =>
  json.bufferViews[json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.bufferView];

/** The code that reading ends in, '' for a scene. Anything but a SourceError is thrown on. */
async function outcome(json: Json, bin: Uint8Array): Promise<string> {
  try {
    await loadAll(glb(json, bin));
    return '';
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0].code;
    throw error;
  }
}

const sources: { name: string; json: Json; bin: Uint8Array }[] = [];
beforeAll(async () => {
  for (const [speed, method] of [
    [0, 'EDGEBREAKER'],
    [5, 'EDGEBREAKER'],
    [10, 'EDGEBREAKER'],
    [5, 'SEQUENTIAL'],
  ] as const) {
    sources.push({ name: `${method} ${speed}`, ...(await grid(speed, method)) });
  }
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
