// Starts the files of textures: what a material asks of each, and which of them are equal. For startMaterial.ts.

import { sha256Hex } from '../../bytes/sha256.ts';
import { channelOf, isSrgbSlot, type SlotChannels } from '../../scene/materialSlots.ts';
import type { SceneMaterial } from '../../scene/types.ts';
import type { SlotPlan } from '../bake/slotPlans.ts';
import { imageElement, type SourceImage } from '../decode/images.ts';
import { fitsKtx2, ktx2Size } from '../encode/ktx2.ts';
import {
  type CheckedImageSource,
  type FileOutcome,
  type FileRequest,
  type PackedPart,
  sizeOfTexels,
  staysWhole,
  type UnreadRequest,
} from '../makeFile.ts';
import type { TextureFile, TextureRole } from '../types.ts';
import { type HeldFile, type HeldOutcome, type Preparation, roleOf } from './preparation.ts';

/** The images that the texels of a slot come from: one for each part of a recipe. */
export function sourcesOf({ images }: Preparation, { recipe, texture }: SlotPlan): SourceImage[] {
  if (recipe === null) return [texture.source];
  return recipe.parts.map((part) => images.get(part.image) as SourceImage);
}

/** Where the texels of a slot come from. */
function texelSource(preparation: Preparation, plan: SlotPlan): PackedPart<CheckedImageSource>['texels'] {
  const images = sourcesOf(preparation, plan);
  const { recipe, charts } = plan;
  return recipe === null ? { kind: 'image', image: images[0] } : { kind: 'recipe', images, recipe, charts };
}

/** Pixels in memory while the texels of a slot are made: of each image, and of the result. */
function pixelsOf(preparation: Preparation, plan: SlotPlan): number {
  const { recipe } = plan;
  const sources = new Set(sourcesOf(preparation, plan));
  const made = recipe === null ? 0 : recipe.width * recipe.height;
  return [...sources].reduce((sum, { info }) => sum + info.width * info.height, made);
}

/** What a material asks of its files besides their texels. */
export interface Drawn {
  readonly material: number;
  readonly alphaMode: SceneMaterial['alphaMode'];
  readonly alphaCutoff: number;
  readonly channels: SlotChannels;
  readonly normal: SlotPlan | null;
  readonly roughness: SlotPlan | null;
}

/** What a file is made for, and the normal map that widens the roughness in it. */
interface Asked extends Omit<FileRequest, 'texels' | 'roughness' | 'maxPixels'> {
  readonly widened: { readonly normal: SlotPlan; readonly channel: number } | null;
}

function askedOf(preparation: Preparation, plan: SlotPlan, drawn: Drawn): Asked {
  const { slot } = plan;
  const use = isSrgbSlot(slot) ? 'color' : 'data';
  const role = roleOf(slot, preparation.mode);
  // A file that is an image is the same for every material.
  const { isAtlas } = plan.texture.source.image;
  if (preparation.mode !== 'utex') {
    const hasMips = preparation.mode === 'ktx2';
    return {
      use,
      role,
      drawsAlpha: true,
      alphaCutoff: null,
      ...(isAtlas && hasMips && { split: true }),
      widened: null,
    };
  }
  const { material, alphaMode, alphaCutoff, channels, normal, roughness } = drawn;
  const isDrawn = slot === 'baseColor' && alphaMode !== 'opaque';
  // Slots of packed maps share a file, so all of them ask for what the roughness in it needs.
  const keyText = (one: SlotPlan) => JSON.stringify(keyOf(one, material));
  const channel = channelOf(slot, channels);
  const isRough = channel !== null && roughness !== null && keyText(plan) === keyText(roughness);
  const read = isRough ? Object.values(channels) : [channel];
  return {
    use,
    role,
    drawsAlpha: isDrawn || read.includes(3),
    alphaCutoff: isDrawn && alphaMode === 'mask' ? alphaCutoff : null,
    ...(isAtlas && { split: true }),
    widened: isRough && normal !== null ? { normal, channel: channels.roughnessChannel } : null,
  };
}

function requestOf(preparation: Preparation, plan: SlotPlan, { widened, ...asked }: Asked): UnreadRequest {
  return {
    ...asked,
    maxPixels: preparation.maxPixels,
    texels: texelSource(preparation, plan),
    roughness: widened && { normals: texelSource(preparation, widened.normal), channel: widened.channel },
  };
}

/** Equal for equal texels. */
function keyOf(plan: SlotPlan, material: number): unknown {
  const { recipe, charts, texture } = plan;
  return [texture.source.index, recipe, charts ? [material, texture.use.uvSet, texture.use.transform] : []];
}

/** Gives the bytes of a file away, unless they stay in memory. `sha256`: of the bytes, where it is known already. */
export function heldFile({ held }: Preparation, { bytes, ...file }: TextureFile, sha256 = sha256Hex(bytes)): HeldFile {
  return { ...file, sha256, bytes: held?.hold(sha256, bytes) ? null : bytes };
}

/** `source`: the first image that the file was made of. */
function heldOutcome(preparation: Preparation, outcome: FileOutcome, source: SourceImage): HeldOutcome {
  if (!('file' in outcome)) return outcome;
  const { file, isImage = false, ...made } = outcome;
  return { ...made, file: heldFile(preparation, file, isImage ? source.hash() : undefined) };
}

/** Starts the file of a slot, or finds the one that equals it. */
export function startFile(preparation: Preparation, plan: SlotPlan, drawn: Drawn): Promise<HeldOutcome> {
  const { material } = drawn;
  const asked = askedOf(preparation, plan, drawn);
  const { widened, ...rest } = asked;
  const by = widened && [widened.channel, keyOf(widened.normal, material)];
  const isCopy = plan.recipe === null && preparation.mode === 'keep';
  const pixels = pixelsOf(preparation, plan) + (widened ? pixelsOf(preparation, widened.normal) : 0);
  return startJob(preparation, {
    key: JSON.stringify([keyOf(plan, material), rest, by]),
    request: requestOf(preparation, plan, asked),
    sources: sourcesOf(preparation, plan),
    pixels: isCopy ? 0 : pixels,
  });
}

/** A file that is to be made, unless one with its key is. */
interface FileJob {
  readonly key: string;
  readonly request: UnreadRequest;
  readonly sources: readonly SourceImage[];
  /** Pixels in memory while it is made. */
  readonly pixels: number;
}

/**
 * How many times more texels weigh that become ETC1S. Its encoder takes 20 to 40 times their memory; weighed so, at most four images
 * of 2048 x 2048 are made at once.
 */
const ETC1S_WEIGHT = 4;

function startJob(preparation: Preparation, { key, request, sources, pixels }: FileJob): Promise<HeldOutcome> {
  const { jobs, limit, makeFile, mode, progress } = preparation;
  const known = jobs.get(key);
  if (known) return known;
  noteKtx2(preparation, request, sources[0]);
  const job = limit(
    async () => {
      const outcome = heldOutcome(preparation, await makeFile(request), sources[0]);
      progress.done(
        sources.map(({ index }) => index),
        request.role,
      );
      return outcome;
    },
    pixels * (mode === 'ktx2' && request.role === 'color' ? ETC1S_WEIGHT : 1),
  );
  // The material awaits this promise later. Attach a handler now so that Node does not report an unhandled rejection.
  job.catch(() => undefined);
  jobs.set(key, job);
  return job;
}

/** A slot of roughness or metalness, and the channel of its file that counts. */
export interface SurfacePlan {
  readonly plan: SlotPlan;
  readonly channel: number;
}

/** Whether two slots read one file. */
export const isOneFile = (a: SlotPlan, b: SlotPlan, material: number): boolean =>
  JSON.stringify(keyOf(a, material)) === JSON.stringify(keyOf(b, material));

/** Starts a file that holds roughness and metalness as glTF has them, or finds the one that equals it. */
export function startPacked(
  preparation: Preparation,
  roughness: SurfacePlan | null,
  metallic: SurfacePlan | null,
  drawn: Drawn,
): Promise<HeldOutcome> {
  const parts = [roughness, metallic].flatMap((part) => part ?? []);
  const [{ plan }] = parts;
  const { widened: _, ...asked } = askedOf(preparation, plan, drawn);
  const partOf = (part: SurfacePlan | null): PackedPart<CheckedImageSource> | null =>
    part && { texels: texelSource(preparation, part.plan), channel: part.channel };
  const keyPart = (part: SurfacePlan | null) => part && [keyOf(part.plan, drawn.material), part.channel];
  return startJob(preparation, {
    key: JSON.stringify(['packed', keyPart(roughness), keyPart(metallic), asked]),
    request: {
      ...asked,
      maxPixels: preparation.maxPixels,
      texels: { kind: 'packed', roughness: partOf(roughness), metallic: partOf(metallic) },
      roughness: null,
    },
    sources: parts.flatMap((part) => sourcesOf(preparation, part.plan)),
    pixels: parts.reduce((sum, part) => sum + pixelsOf(preparation, part.plan), 0),
  });
}

/** Starts the file of a whole image, or finds the one that equals it. */
export function startImage(preparation: Preparation, source: SourceImage, role: TextureRole): Promise<HeldOutcome> {
  const { width, height } = source.info;
  return startJob(preparation, {
    key: JSON.stringify(['whole', source.index, role]),
    request: {
      maxPixels: preparation.maxPixels,
      texels: { kind: 'image', image: source },
      use: role === 'color' ? 'color' : 'data',
      role,
      drawsAlpha: true,
      alphaCutoff: null,
      isWhole: true,
      roughness: null,
    },
    sources: [source],
    pixels: preparation.mode === 'keep' ? 0 : width * height,
  });
}

/** Reports what a KTX2 file has no room for, and sides that grow. */
function noteKtx2({ scene, mode, diagnostics }: Preparation, request: UnreadRequest, source: SourceImage): void {
  const { texels, role, isWhole } = request;
  if (mode !== 'ktx2' || role === 'height') return;
  const { info } = source;
  if (isWhole && info.format === 'ktx2' && staysWhole(info, mode)) return;
  const { width, height } = sizeOfTexels(texels);
  const [file, path] = imageElement(scene, source.image);
  if (!fitsKtx2(width, height)) {
    const kept = isWhole && staysWhole(info, mode) ? 'it stays as it is' : 'it becomes PNG';
    diagnostics.report('UC2124', file, path, `${width} x ${height} pixels: ${kept}`);
    return;
  }
  const [w, h] = ktx2Size(width, height);
  if (w !== width || h !== height)
    diagnostics.report('UC2125', file, path, `${width} x ${height} pixels become ${w} x ${h}`);
}
