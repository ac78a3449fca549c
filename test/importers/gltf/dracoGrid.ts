// A grid in Draco data, and what reading it ends in.

import { Document, NodeIO } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { glb, type Json, loadAll } from './build.ts';

/** A bent grid with UVs, whose positions have no stated bounds: they are decoded when the file is opened. */
export async function grid(
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

export const viewOf = (json: Json) =>
  json.bufferViews[json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.bufferView];

/** The code that reading ends in, '' for a scene. Anything but a SourceError is thrown on. */
export async function outcome(json: Json, bin: Uint8Array): Promise<string> {
  try {
    await loadAll(glb(json, bin));
    return '';
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0].code;
    throw error;
  }
}

/** A name and what the file holds, for each method and some speeds. */
export async function dracoSources() {
  const sources: { name: string; json: Json; bin: Uint8Array }[] = [];
  for (const [speed, method] of [
    [0, 'EDGEBREAKER'],
    [5, 'EDGEBREAKER'],
    [10, 'EDGEBREAKER'],
    [5, 'SEQUENTIAL'],
  ] as const) {
    sources.push({ name: `${method} ${speed}`, ...(await grid(speed, method)) });
  }
  return sources;
}
