// Makes prepared materials and texture files from the materials of a scene: the entry point of textures/. Each image is read
// once, files are made a few at a time, and names, order and messages depend on the scene alone.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import { withImages } from '../scene/materialImages.ts';
import { type FileSlot, slotKind } from '../scene/materialSlots.ts';
import type { Scene, SceneMaterial } from '../scene/types.ts';
import { materialsOf } from '../scene/variants.ts';
import { isBad, loadImages } from './decode/images.ts';
import { MAX_DECODED_PIXELS } from './decode/sizeLimit.ts';
import { imageFiles } from './encode/png.ts';
import { createLimit } from './limit.ts';
import { type MakeFile, makeFile, readRequest } from './makeFile.ts';
import { firstEqualImages } from './prepare/equalImages.ts';
import { finishMaterial, placeholderFile, TextureTable } from './prepare/finishMaterial.ts';
import { withMeanTransmission } from './prepare/meanTransmission.ts';
import { withoutMissingChannels } from './prepare/missingChannels.ts';
import {
  type HeldFile,
  isLeftToPolicy,
  layerRole,
  type PendingMaterial,
  type Preparation,
  roleOf,
} from './prepare/preparation.ts';
import { startMaterial, usedImages, usedSlots } from './prepare/startMaterial.ts';
import { type OnTexels, TexelProgress } from './prepare/texelProgress.ts';
import { withoutUnlit } from './prepare/unlit.ts';
import type {
  HeldFiles,
  MissingTexture,
  PreparedMaterial,
  PreparedMaterials,
  ReadUvDensity,
  ReadUvTriangles,
  TextureMode,
  TextureRole,
} from './types.ts';

export interface PrepareOptions {
  readonly missingTexture: MissingTexture;
  /** Absent: 'keep'. */
  readonly mode?: TextureMode;
  /** Pixels of an image that is decoded, at most; absent: MAX_DECODED_PIXELS. */
  readonly maxPixels?: number | undefined;
  /** Absent: files are made here, as images. */
  readonly makeFile?: MakeFile;
  /** Takes the bytes of files as soon as they are made; absent: they stay in memory. */
  readonly held?: HeldFiles;
  /** Files that are made at the same time; absent: two. */
  readonly atOnce?: number;
  readonly onTexels?: OnTexels;
  /** Absent: nobody asks for height maps, which are left out. */
  readonly readUvDensity?: ReadUvDensity;
  /** Whether a material that is unlit stays so; absent: its colour becomes emission. */
  readonly keepsUnlit?: (material: SceneMaterial) => boolean;
}

/** Files that are made at the same time: enough to keep the decoder busy while texels are computed. */
const CONCURRENCY = 2;
/** Most pixels in memory, unless a single file needs more: 256 MiB as RGBA, two images of 4096 x 4096 with their files. */
const MAX_PIXELS = 2 ** 26;

/** Materials that a placed mesh is drawn with. The textures of others are not needed. */
function drawnMaterials(scene: Scene): Set<number> {
  const drawn = new Set<number>();
  for (const mesh of new Set(scene.nodes.map((node) => node.mesh))) {
    for (const primitive of scene.meshes[mesh]?.primitives ?? []) {
      for (const material of materialsOf(primitive)) drawn.add(material);
    }
  }
  return drawn;
}

/**
 * Reduces every material of the scene to what the container holds and makes the files that they name.
 *
 * Textures are ordered and named by first use: materials in the scene's order, slots in the order of MATERIAL_SLOTS. Materials
 * that nothing is drawn with keep their factors and get no textures. Images that cannot be used are errors (all of them are
 * collected, then thrown together as one SourceError), or warnings as `missingTexture` asks. Paths that leave the root and
 * exceeded limits are always errors.
 */
export async function prepareMaterials(
  source: Scene,
  options: PrepareOptions,
  readUvTriangles: ReadUvTriangles,
  diagnostics: Diagnostics,
): Promise<PreparedMaterials> {
  const keepsUnlit = options.keepsUnlit ?? (() => false);
  const authored = withoutUnlit(source, keepsUnlit);
  const drawn = drawnMaterials(authored);
  const needed = new Set<number>();
  const changed = new Set<number>();
  const { mode = 'keep' } = options;
  authored.materials.forEach((material, index) => {
    if (!drawn.has(index)) return;
    for (const image of usedImages(material)) {
      needed.add(image);
      if (!material.places || mode !== 'keep') changed.add(image);
    }
  });
  const limit = createLimit(options.atOnce ?? CONCURRENCY, MAX_PIXELS);
  const ownFiles = imageFiles('keep');
  const images = await loadImages(
    authored,
    [...needed].sort((a, b) => a - b),
    new Set([...needed].filter((image) => !changed.has(image))),
    limit,
    diagnostics,
  );
  for (const image of images.values()) {
    if (!isBad(image)) continue;
    for (const reason of image.reasons) {
      if (options.missingTexture === 'error' || !isLeftToPolicy(reason)) diagnostics.add(reason);
    }
  }
  diagnostics.throwIfErrors();
  const maxPixels = options.maxPixels ?? MAX_DECODED_PIXELS;
  const firstOf = firstEqualImages(authored, drawn, images);
  const materialOf = async (authoredMaterial: SceneMaterial, index: number): Promise<SceneMaterial> => {
    if (!drawn.has(index)) return authoredMaterial;
    const material = withImages(authoredMaterial, firstOf);
    if (material.places) return material;
    const whole = withoutMissingChannels(authored, material, usedSlots(material), images, diagnostics);
    const { missingTexture: missing } = options;
    return withMeanTransmission(whole, { scene: authored, images, missing, diagnostics, limit, maxPixels });
  };
  const reduced: SceneMaterial[] = [];
  for (const [index, material] of authored.materials.entries()) reduced.push(await materialOf(material, index));
  const scene: Scene = { ...authored, materials: reduced };

  const progress = new TexelProgress(options.onTexels ?? (() => {}));
  const expect = (index: number, role: TextureRole) => {
    const image = images.get(index);
    if (image && !isBad(image)) progress.expect(index, role, image.info.width * image.info.height);
  };
  for (const index of drawn) {
    const material = scene.materials[index];
    if (!material) continue;
    for (const slot of usedSlots(material)) {
      expect(material.textures[slot]!.image, roleOf(slot === 'opacity' ? 'baseColor' : slot, mode));
    }
    for (const { textures } of material.layers ?? []) {
      for (const [key, { image }] of Object.entries(textures)) expect(image, layerRole(key, mode));
    }
  }

  const preparation: Preparation = {
    scene,
    images,
    missing: options.missingTexture,
    diagnostics,
    limit,
    mode,
    maxPixels,
    makeFile: options.makeFile ?? (async (request) => makeFile(await readRequest(request), ownFiles)),
    held: options.held ?? null,
    jobs: new Map(),
    progress,
    readUvDensity: options.readUvDensity ?? (async () => null),
    keepsUnlit,
  };
  const pending: PendingMaterial[] = [];
  for (let index = 0; index < scene.materials.length; index++) {
    pending.push(await startMaterial(preparation, index, drawn.has(index), readUvTriangles));
  }

  const table = new TextureTable();
  const placeholders = new Map<string, Promise<HeldFile>>();
  const placeholder = (slot: FileSlot) => {
    const { placeholder: color, texels } = slotKind(slot);
    const key = `${texels} ${color}`;
    const file = placeholders.get(key) ?? placeholderFile(preparation, slot);
    placeholders.set(key, file);
    return file;
  };
  const materials: PreparedMaterial[] = [];
  for (const material of pending) materials.push(await finishMaterial(preparation, material, table, placeholder));
  diagnostics.throwIfErrors();
  return { materials, textures: table.list };
}
