// Writes GLB files: one JSON chunk, one binary chunk with geometry and images. Equal input gives equal bytes.

import { diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { unite } from '../../scene/bounds.ts';
import { transformPoint } from '../../scene/matrix.ts';
import type { Bounds, Mat4, Vec3 } from '../../scene/types.ts';
import type { FloatMesh } from '../floatMesh.ts';
import { type EncodedPayload, entityCount, type PayloadInput } from '../format.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { GlbBuilder } from './builder.ts';
import {
  BIN_CHUNK,
  CHUNK_HEADER_BYTES,
  GENERATOR,
  type GlbJson,
  type GlbNode,
  HEADER_BYTES,
  JSON_CHUNK,
  LIGHTS,
  MAGIC,
  MESHOPT,
  MOST_BYTES,
  VERSION,
} from './layout.ts';
import { MaterialWriter, mimeTypeOf } from './materials.ts';
import { cameraNodes, lightNodes, MeshWriter, meshNodes } from './nodes.ts';
import { animationsOf, rigNodes } from './rig.ts';

const SPACE = 0x20;

/** The file of a JSON and of what its buffer holds. Throws UC3790 beyond `most` bytes. */
export function assembled(json: GlbJson, chunks: readonly Uint8Array[], file: string, most = MOST_BYTES): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const jsonBytes = Math.ceil(text.length / 4) * 4;
  const binBytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const length = HEADER_BYTES + CHUNK_HEADER_BYTES + jsonBytes + (binBytes > 0 ? CHUNK_HEADER_BYTES + binBytes : 0);
  if (length > most) fail('UC3790', file, '', `it would have ${length} bytes, and GLB ends at ${most}`);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const words = [MAGIC, VERSION, length, jsonBytes, JSON_CHUNK];
  for (const [i, word] of words.entries()) view.setUint32(i * 4, word, true);
  let at = HEADER_BYTES + CHUNK_HEADER_BYTES;
  bytes.set(text, at);
  bytes.fill(SPACE, at + text.length, at + jsonBytes);
  at += jsonBytes;
  if (binBytes === 0) return bytes;
  view.setUint32(at, binBytes, true);
  view.setUint32(at + 4, BIN_CHUNK, true);
  at += CHUNK_HEADER_BYTES;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A file needs no list that is empty; glTF forbids them. */
function withoutEmpty(json: GlbJson): GlbJson {
  const entries = Object.entries(json).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return Object.fromEntries(entries) as unknown as GlbJson;
}

function placedBounds({ min, max }: Bounds, placement: Mat4): Bounds {
  let bounds: Bounds | null = null;
  for (let c = 0; c < 8; c++) {
    const corner: Vec3 = [c & 1 ? max[0] : min[0], c & 2 ? max[1] : min[1], c & 4 ? max[2] : min[2]];
    const p = transformPoint(placement, corner);
    bounds = unite(bounds, { min: p, max: p });
  }
  return bounds as Bounds;
}

const ORIGIN: Bounds = { min: [0, 0, 0], max: [0, 0, 0] };

/** Throws UC3791 for a texture that is neither PNG nor JPEG, and UC3790. */
export async function encodePayload(input: PayloadInput<FloatMesh>): Promise<EncodedPayload> {
  const { meshes, textures, authored, options } = input;
  const { lights = [], cameras = [], skeletons = [], clips = [] } = authored;
  const { meshopt = false, file = '' } = options;
  for (const { bytes, fileName } of textures) {
    if (bytes && bytes.length > 0 && mimeTypeOf(bytes) === null) {
      throw new SourceError(diagnostic('UC3791', file, fileName, 'it is neither PNG nor JPEG'));
    }
  }
  const builder = await GlbBuilder.open(meshopt);
  const materials = new MaterialWriter(builder, textures);
  const writer = new MeshWriter(builder, materials);
  const names = new UniqueNames();
  const nodes: GlbNode[] = [];
  const roots: number[] = [];
  let bounds: Bounds | null = null;
  let gpuBytes = 0;
  let vertices = 0;
  const rig = rigNodes(skeletons, builder, names, 0);
  nodes.push(...rig.nodes);
  roots.push(...rig.roots);
  const add = (more: readonly GlbNode[]) => {
    for (const node of more) roots.push(nodes.push(node) - 1);
  };
  for (const mesh of meshes) {
    const { stored, placements, rig: moved } = mesh;
    const { mesh: index, name } = await writer.add(mesh);
    const skin = moved && stored.attributes.joints ? { skin: moved.skeleton } : {};
    add(meshNodes(placements, index, name, names).map((node) => ({ ...node, ...skin })));
    const count = entityCount(mesh);
    vertices += count * stored.vertexCount;
    const arrays = [stored.positions, stored.indices, ...Object.values(stored.attributes)];
    gpuBytes += count * arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const own = moved?.bounds ?? stored.bounds;
    for (const placement of placements ?? [null])
      bounds = unite(bounds, placement ? placedBounds(own, placement) : own);
  }
  const drawn = nodes.length - rig.nodes.length;
  const lit = lightNodes(lights, names);
  add(lit.nodes);
  const seen = cameraNodes(cameras, names);
  add(seen.nodes);
  const animations = animationsOf(clips, rig.ofPath, builder);
  const { json: binary, chunks } = builder.end();
  const compressed = meshopt && meshes.length > 0 ? [MESHOPT] : [];
  const json = withoutEmpty({
    // The first property: files of ours are known by it.
    asset: { generator: GENERATOR, version: '2.0' },
    extensionsUsed: [...compressed, ...(lights.length > 0 ? [LIGHTS] : []), ...materials.used],
    // The fallback buffer has no bytes, so that a reader without the extension finds nothing.
    extensionsRequired: compressed,
    scene: 0,
    scenes: [roots.length > 0 ? { nodes: roots } : {}],
    nodes,
    meshes: writer.list,
    skins: rig.skins,
    animations,
    cameras: seen.list,
    ...materials.lists,
    ...binary,
    ...(lights.length > 0 ? { extensions: { [LIGHTS]: { lights: lit.list } } } : {}),
  });
  const bytes = assembled(json, chunks, file);
  return { file: bytes, bounds: bounds ?? ORIGIN, gpuBytes, meshes: drawn, vertices };
}
