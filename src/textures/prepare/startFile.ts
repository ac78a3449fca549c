// Starts the files of textures: what a material asks of each, and which of them are equal. For startMaterial.ts.

import { sha256Hex } from '../../bytes/sha256.ts';
import { channelOf, isSrgbSlot, type SlotChannels } from '../../scene/materialSlots.ts';
import type { SceneMaterial } from '../../scene/types.ts';
import type { SlotPlan } from '../bake/slotPlans.ts';
import type { SourceImage } from '../decode/images.ts';
import type { CheckedImageSource, FileOutcome, FileRequest, TexelSource, UnreadRequest } from '../makeFile.ts';
import type { TextureFile } from '../types.ts';
import { type HeldFile, type HeldOutcome, type Preparation, roleOf } from './preparation.ts';

/** The images that the texels of a slot come from: one for each part of a recipe. */
function sourcesOf({ images }: Preparation, { recipe, texture }: SlotPlan): SourceImage[] {
  if (recipe === null) return [texture.source];
  return recipe.parts.map((part) => images.get(part.image) as SourceImage);
}

/** Where the texels of a slot come from. */
function texelSource(preparation: Preparation, plan: SlotPlan): TexelSource<CheckedImageSource> {
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
  if (preparation.mode !== 'utex') return { use, role, drawsAlpha: true, alphaCutoff: null, widened: null };
  const { isAtlas } = plan.texture.source.image;
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
  const key = JSON.stringify([keyOf(plan, material), rest, by]);
  let job = preparation.jobs.get(key);
  if (!job) {
    const isCopy = plan.recipe === null && preparation.mode === 'keep';
    const pixels = pixelsOf(preparation, plan) + (widened ? pixelsOf(preparation, widened.normal) : 0);
    job = preparation.limit(
      async () => {
        const made = await preparation.makeFile(requestOf(preparation, plan, asked));
        const sources = sourcesOf(preparation, plan);
        const outcome = heldOutcome(preparation, made, sources[0]);
        preparation.progress.done(
          sources.map(({ index }) => index),
          asked.role,
        );
        return outcome;
      },
      isCopy ? 0 : pixels,
    );
    // The material awaits this promise later. Attach a handler now so that Node does not report an unhandled rejection.
    job.catch(() => undefined);
    preparation.jobs.set(key, job);
  }
  return job;
}

/** Starts the file of a whole image, or finds the one that equals it. */
export function startImage(preparation: Preparation, source: SourceImage, isColor: boolean): Promise<HeldOutcome> {
  const { jobs, limit, maxPixels, mode, progress, makeFile } = preparation;
  const use = isColor ? 'color' : 'data';
  const key = JSON.stringify(['whole', source.index, use]);
  const known = jobs.get(key);
  if (known) return known;
  const request: UnreadRequest = {
    maxPixels,
    texels: { kind: 'image', image: source },
    use,
    role: use,
    drawsAlpha: true,
    alphaCutoff: null,
    isWhole: true,
    roughness: null,
  };
  const { width, height } = source.info;
  const job = limit(
    async () => {
      const outcome = heldOutcome(preparation, await makeFile(request), source);
      progress.done([source.index], use);
      return outcome;
    },
    mode === 'keep' ? 0 : width * height,
  );
  // The material awaits this promise later. Attach a handler now so that Node does not report an unhandled rejection.
  job.catch(() => undefined);
  jobs.set(key, job);
  return job;
}
