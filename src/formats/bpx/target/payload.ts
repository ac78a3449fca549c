// One payload as a BPX package: a model with a vertex array for each mesh, and the textures that its materials use.

import { basename, extname } from 'node:path';
import { fail } from '../../../diagnostics/diagnostic.ts';
import { FILE_SLOTS } from '../../../scene/materialSlots.ts';
import type { PreparedTexture } from '../../../textures/types.ts';
import type { FloatMesh } from '../../floatMesh.ts';
import { type DrawnFile, type EncodedPayload, type FormatCode, type PayloadInput, slotTexture } from '../../format.ts';
import { extensionOf } from '../../kinds.ts';
import { bakedMeasures, NAMED_ONLY } from '../../wholeOutput.ts';
import { MAX_SECTION_BYTES, MAX_UNPACKED_BYTES } from '../container/layout.ts';
import { pathFault } from '../kinds/sections.ts';
import { readBpx } from '../read.ts';
import { ANY_ARCHITECTURE, ANY_PLATFORM, KNOWN_COMPATIBILITY, PACKAGE_TYPE_CODE } from '../records.ts';
import type { BpxAsset, BpxModel } from '../types.ts';
import { filesOf } from '../validateFiles.ts';
import { writeBpxModel } from '../write/model.ts';
import { writeBpxCratePackage, writeBpxPackage } from '../write/package.ts';
import { bonesOf } from './bones.ts';
import { arrayBytes, materialPath, meshesOf, modelOf } from './model.ts';
import { slotPath } from './slotPaths.ts';
import { textureOf } from './textures.ts';

/** Bytes before the vertices and the indices of a mesh. */
const HEADERS = 16;

/** Where the model is in the package: it is called like the source, without what a path cannot have. */
export function modelPath(source: string): string {
  const stem = basename(source, extname(source)).replace(/[\\:\0]/g, '_');
  return `Models/${stem === '' ? 'scene' : stem}${extensionOf('bpx')}`;
}

const texturePath = ({ fileName }: PreparedTexture): string =>
  `Textures/${fileName.replace(/\.[^.]*$/, '')}${extensionOf('bpx')}`;

/** The textures that the meshes are drawn with, in the order in which they are first used. */
function usedTextures({ meshes, textures }: PayloadInput<FloatMesh>): PreparedTexture[] {
  const used = new Map<string, PreparedTexture>();
  for (const { surface } of meshes) {
    for (const slot of FILE_SLOTS) {
      const texture = slotTexture(surface, slot, textures);
      if (texture && !used.has(texture.fileName)) used.set(texture.fileName, texture);
    }
  }
  return [...used.values()];
}

/** The textures again, at the paths of the materials that use them. Of materials of one name the first has them. */
function slotAssets({ meshes, textures }: PayloadInput<FloatMesh>, files: ReadonlyMap<string, Uint8Array>): BpxAsset[] {
  const found = new Map<string, Uint8Array>();
  const ofName = new Map<string, string>();
  for (const { surface } of meshes) {
    const used = FILE_SLOTS.map((slot) => slotTexture(surface, slot, textures));
    const key = used.map((texture) => texture?.fileName ?? '').join('\n');
    const { material } = surface;
    if ((ofName.get(material.name) ?? key) !== key) continue;
    ofName.set(material.name, key);
    for (const [i, texture] of used.entries()) {
      const path = slotPath(materialPath(material.name), FILE_SLOTS[i], material);
      const bytes = texture && files.get(texturePath(texture));
      if (bytes && pathFault(path) === null && !files.has(path)) found.set(path, bytes);
    }
  }
  return [...found].map(([path, bytes]) => ({ path, bytes }));
}

/** Throws UC2421 for bytes that no section of at most `max` holds. */
export function checkSize(bytes: number, what: string, file: string, max = MAX_SECTION_BYTES): void {
  if (bytes > max) fail('UC2421', file, '', `${what} has ${bytes} bytes, and a section ends at ${max}`);
}

/** Throws UC2421 and UC2495. */
export async function encodePayload(input: PayloadInput<FloatMesh>): Promise<EncodedPayload> {
  const { meshes, options, authored } = input;
  const { file = '', layout = 'spec' } = options;
  const sizes = arrayBytes(meshes);
  for (const [i, size] of sizes.entries()) checkSize(size + HEADERS, meshes[i].surface.material.name, file);
  const all = sizes.reduce((sum, size) => sum + size + HEADERS, 0);
  const model = writeBpxModel(modelOf(meshes, bonesOf(authored.skeletons ?? [], file)), {
    isPacked: all < MAX_UNPACKED_BYTES,
  });
  const assets: BpxAsset[] = [{ path: modelPath(file), bytes: model }];
  for (const texture of usedTextures(input)) {
    assets.push({ path: texturePath(texture), bytes: await textureOf(texture) });
  }
  // Paths that share a file are in the layout of the text alone.
  if (layout === 'spec') assets.push(...slotAssets(input, new Map(assets.map(({ path, bytes }) => [path, bytes]))));
  for (const { path, bytes } of assets) checkSize(bytes.length, path, file);
  return { file: packageOf(assets, layout), ...bakedMeasures(meshes) };
}

function packageOf(assets: readonly BpxAsset[], layout: 'spec' | 'crate'): Uint8Array {
  if (layout === 'spec') return writeBpxPackage({ kind: 'package', compatibility: KNOWN_COMPATIBILITY, assets });
  return writeBpxCratePackage({
    kind: 'cratePackage',
    architecture: ANY_ARCHITECTURE,
    platform: ANY_PLATFORM,
    typeCode: PACKAGE_TYPE_CODE,
    objects: assets.map(({ path, bytes }) => ({ name: path, parts: [bytes] })),
    metadata: null,
  });
}

/** The files of a package. Throws what the reader throws. */
export async function assetsOf(bytes: Uint8Array, name: string): Promise<readonly BpxAsset[]> {
  return filesOf((await readBpx(bytes, name)).content);
}

/** The models of a package. Throws what the reader throws. */
async function modelsOf(file: Uint8Array, name: string): Promise<BpxModel[]> {
  const models: BpxModel[] = [];
  for (const { path, bytes } of await assetsOf(file, name)) {
    if (!path.startsWith('Models/')) continue;
    const { content } = await readBpx(bytes, `${name}/${path}`);
    if (content.kind === 'model') models.push(content);
  }
  return models;
}

export const decodePayload: FormatCode['decode'] = async (file, name) =>
  (await modelsOf(file, name)).flatMap(meshesOf).map(({ mesh }) => mesh);

export async function drawnFile(file: Uint8Array, name: string): Promise<DrawnFile> {
  const read = (await modelsOf(file, name)).flatMap(meshesOf);
  const names = [...new Set(read.map(({ material }) => material))];
  const meshes = read.map(({ mesh, material }) => ({
    positions: mesh.positions,
    normals: mesh.attributes.normal,
    uv0: mesh.attributes.uv0 as Float32Array,
    indices: mesh.indices,
    material: names.indexOf(material),
  }));
  return { meshes, materials: names.map(() => NAMED_ONLY) };
}

export const measurePayload: FormatCode['measure'] = async (file, name) => {
  const arrays = (await modelsOf(file, name)).flatMap((model) => model.arrays);
  return {
    meshes: arrays.length,
    vertices: arrays.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
    textures: [],
  };
};
