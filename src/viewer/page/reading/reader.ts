// The reading thread: fetches files of the set and reads them with the readers of the command line, so that the page goes on
// drawing meanwhile.

import { diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { unpackVertices, wordsOf } from '../../../formats/untold/mesh/vertexWords.ts';
import { openUntold } from '../../../formats/untold/read.ts';
import { deltasOf, morphsByMesh } from '../../../formats/untold/storedMorphs.ts';
import { NONE, type UntoldClip, type UntoldScene } from '../../../formats/untold/types.ts';
import { worldTransforms } from '../../../formats/untold/worldTransforms.ts';
import { decodeMip } from '../../../formats/utex/decode.ts';
import { isUtex, UTEX_FLAGS } from '../../../formats/utex/layout.ts';
import { readUtex } from '../../../formats/utex/read.ts';
import { useKernelModule } from '../../../kernel/kernel.ts';
import type {
  ReadGeometry,
  ReadMesh,
  ReadMip,
  ReadMorph,
  ReadPayload,
  ReadSkin,
  ReadTexture,
  Reply,
  Request,
} from './protocol.ts';

const kernelReady = (async () => {
  // As bytes: not every web server has the media type that streaming asks for.
  useKernelModule(await WebAssembly.compile(await (await fetch('kernel.wasm')).arrayBuffer()));
})();

/** A file that has not come. */
class Absent extends SourceError {
  readonly status: number;

  constructor(name: string, status: number, reason: string) {
    super(diagnostic('UC1200', name, '', `${name} is not there: ${reason}`));
    this.status = status;
  }
}

async function fetched(url: string, name: string): Promise<Uint8Array> {
  let status = 0;
  let reason: string;
  try {
    const response = await fetch(url);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    status = response.status;
    reason = `${status} ${response.statusText}`;
  } catch (error) {
    reason = (error as Error).message;
  }
  throw new Absent(name, status, reason);
}

async function readPayload(url: string, name: string): Promise<ReadPayload> {
  const bytes = await fetched(url, name);
  await kernelReady;
  const { scene, formatVersion, rootTransform, diagnostics } = await openUntold(bytes, name);
  const { entities, meshes: records, materials, textures, lights = [], cameras = [], skeletons = [] } = scene;
  const worlds = worldTransforms(entities, rootTransform);
  const skins = skinsByMesh(scene);
  const morphsOf = morphsByMesh(scene.morphs);
  const geometries: ReadGeometry[] = [];
  // Records of one range share their arrays.
  const known = new Map<object, Map<object, number>>();
  const geometryOf = (vertices: Uint8Array, indices: Uint16Array | Uint32Array, isOwn: boolean): number => {
    const ofVertices = known.get(vertices) ?? new Map<object, number>();
    known.set(vertices, ofVertices);
    const index = ofVertices.get(indices);
    if (index !== undefined && !isOwn) return index;
    const { positions, attributes } = unpackVertices(wordsOf(vertices));
    const uvs = attributes.uv0 as Float32Array;
    for (let i = 1; i < uvs.length; i += 2) uvs[i] = 1 - uvs[i];
    geometries.push({
      positions,
      normals: attributes.normal as Float32Array,
      tangents: attributes.tangent as Float32Array,
      uvs,
      indices: indices.slice(),
    });
    if (!isOwn) ofVertices.set(indices, geometries.length - 1);
    return geometries.length - 1;
  };
  const meshes: ReadMesh[] = [];
  let gpuBytes = 0;
  let triangles = 0;
  let vertexCount = 0;
  for (const [entity, { firstMesh, meshCount }] of entities.entries()) {
    for (let m = firstMesh; m < Math.min(records.length, firstMesh + meshCount); m++) {
      const { name: mesh, vertices, indices, material } = records[m];
      gpuBytes += vertices.byteLength + indices.byteLength;
      triangles += Math.floor(indices.length / 3);
      vertexCount += vertices.byteLength / 32;
      // The engine does not draw what has no material.
      if (material === NONE) continue;
      const skin = skins.get(m) ?? null;
      // The engine moves targets on meshes with a skin alone.
      const targets = (skin && morphsOf.get(m)) ?? [];
      const morphs = targets.map((morph): ReadMorph => ({ name: morph.name, ...deltasOf(morph) }));
      const geometry = geometryOf(vertices, indices, morphs.length > 0);
      meshes.push({ name: mesh, entity, geometry, material, skin, morphs });
    }
  }
  return {
    fileType: scene.fileType,
    formatVersion,
    bytes: bytes.length,
    gpuBytes,
    triangles,
    vertices: vertexCount,
    entities: entities.map(({ id, parent, name: entity }, i) => ({
      id,
      parent,
      name: entity,
      world: worlds[i].slice(),
    })),
    meshes,
    geometries,
    skeletons,
    materials,
    textures,
    lights,
    cameras,
    diagnostics,
  };
}

/** What moves meshes: the first skin of each and the last skeleton of that one's entity, as the engine takes them. */
function skinsByMesh({ meshes, skins = [], skeletons = [] }: UntoldScene): ReadonlyMap<number, ReadSkin | null> {
  const skeletonOf = new Map(skeletons.map(({ entity }, i) => [entity, i]));
  const byMesh = new Map<number, ReadSkin | null>();
  for (const { mesh, skeletonEntity, joints, indices, weights } of skins) {
    if (byMesh.has(mesh)) continue;
    const skeleton = skeletonOf.get(skeletonEntity);
    const moves = skeleton !== undefined && joints.length > 0;
    byMesh.set(mesh, moves ? { skeleton, joints, indices, weights, bounds: meshes[mesh].localBounds } : null);
  }
  return byMesh;
}

async function readClips(url: string, name: string): Promise<readonly UntoldClip[]> {
  const bytes = await fetched(url, name);
  await kernelReady;
  return (await openUntold(bytes, name)).scene.clips ?? [];
}

async function readTexture(url: string, name: string, astc: boolean): Promise<ReadTexture> {
  const bytes = await fetched(url, name);
  if (!isUtex(bytes)) return readImage(bytes, name);
  await kernelReady;
  const utex = readUtex(bytes, name);
  const { width, height, format, flags, blockWidth, blockHeight } = utex.header;
  const keepsBlocks = astc && format.kind === 'astc';
  const mips = utex.mips.map((mip, level): ReadMip => {
    const data = keepsBlocks ? mip.bytes.slice() : decodeMip(utex, level).data;
    return { width: mip.width, height: mip.height, bytes: mip.bytes.length, data };
  });
  return {
    format: `${format.name} ${format.colorSpace}`,
    width,
    height,
    bytes: bytes.length,
    stored: keepsBlocks ? 'astc' : 'rgba',
    blockWidth,
    blockHeight,
    // Decoding makes a plain normal map of it.
    isPackedNormal: keepsBlocks && (flags & UTEX_FLAGS.normalPackedXY) !== 0,
    mips,
    image: null,
    diagnostics: [],
  };
}

/** An image of a format that the browser reads. */
async function readImage(bytes: Uint8Array, name: string): Promise<ReadTexture> {
  let image: ImageBitmap;
  try {
    const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none', imageOrientation: 'none' } as const;
    image = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), options);
  } catch {
    throw new SourceError(diagnostic('UC5003', name, '', 'the browser does not read this format of images'));
  }
  const { width, height } = image;
  return {
    format: name.slice(name.lastIndexOf('.') + 1).toLowerCase(),
    width,
    height,
    bytes: bytes.length,
    stored: 'image',
    blockWidth: 1,
    blockHeight: 1,
    isPackedNormal: false,
    mips: [{ width, height, bytes: bytes.length, data: new Uint8Array(0) }],
    image,
    diagnostics: [],
  };
}

function transferred(reply: Reply): Transferable[] {
  if ('payload' in reply) {
    const { geometries, entities } = reply.payload;
    const arrays = geometries.flatMap((one) => [one.positions, one.normals, one.tangents, one.uvs, one.indices]);
    return [...arrays, ...entities.map(({ world }) => world)].map((array) => array.buffer as ArrayBuffer);
  }
  if ('environment' in reply) return reply.environment.mips.map(({ buffer }) => buffer as ArrayBuffer);
  if (!('texture' in reply)) return [];
  const { image, mips } = reply.texture;
  return image ? [image] : mips.map(({ data }) => data.buffer as ArrayBuffer);
}

async function answer(request: Request): Promise<Reply> {
  const { id, kind, url, name } = request;
  try {
    if (kind === 'payload') return { id, payload: await readPayload(url, name) };
    if (kind === 'environment') {
      const bytes = request.content ?? (await fetched(url, name));
      return { id, environment: (await import('./environment.ts')).readEnvironment(bytes, name) };
    }
    if (kind === 'clips') return { id, clips: await readClips(url, name) };
    return { id, texture: await readTexture(url, name, request.astc) };
  } catch (error) {
    if (error instanceof Absent) return { id, faults: error.diagnostics, status: error.status };
    if (error instanceof SourceError) return { id, faults: error.diagnostics };
    return { id, faults: [diagnostic('UC5003', name, '', String(error))] };
  }
}

addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  const reply = await answer(data);
  postMessage(reply, { transfer: [...new Set(transferred(reply))] });
});
