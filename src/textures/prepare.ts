// Makes prepared materials and texture files from the materials of a scene: the entry point of textures/. Each image is read
// once, files are made a few at a time, and names, order and messages depend on the scene alone.

import { sha256Hex } from '../bytes/sha256.ts';
import { CODES, type CodeEntry } from '../diagnostics/codes.ts';
import { type Diagnostic, type Diagnostics, diagnostic } from '../diagnostics/diagnostic.ts';
import { isSrgbSlot } from '../engine/textures.ts';
import type { Scene, SceneMaterial, TextureSlot } from '../scene/types.ts';
import { normalTurn } from './bake/normalTurn.ts';
import { type PreparedSlot, planMaterial, SLOTS, type SlotPlan } from './bake/recipes.ts';
import { type PlacedTexture, type Placement, placeTextures, reportUse, type UsableTexture } from './bake/route.ts';
import { ImageFault } from './decode/fault.ts';
import { type BadImage, faultDiagnostic, isBad, loadImages, type SourceImage } from './decode/images.ts';
import { MAX_DECODED_PIXELS } from './decode/sizeLimit.ts';
import { imageFiles } from './encode/png.ts';
import { createLimit, type Limit } from './limit.ts';
import { factorsWithout, lossOf, withoutSpecular } from './lost.ts';
import {
  type EncodedImage,
  type FileOutcome,
  type FileRequest,
  type MakeFile,
  makeFile,
  type TexelSource,
} from './makeFile.ts';
import { textureName } from './name.ts';
import { placeholderLook, placeholderTexels } from './placeholder.ts';
import type {
  MaterialFactors,
  MissingTexture,
  PreparedMaterial,
  PreparedMaterials,
  PreparedSlots,
  PreparedTexture,
  ReadUvTriangles,
  TextureFile,
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
  /** Files that are made at the same time; absent: two. */
  readonly atOnce?: number;
}

/** Texture flags of the container: srgb 1, normalMap 2, emissive 64, occlusion 128; none for metallic and roughness. */
const FLAGS: Readonly<Record<PreparedSlot, number>> = {
  baseColor: 1,
  normal: 2,
  metallic: 0,
  roughness: 0,
  emissive: 64 | 1,
  occlusion: 128,
};

/** Files that are made at the same time: enough to keep the decoder busy while texels are computed. */
const CONCURRENCY = 2;
/** Most pixels in memory, unless a single file needs more: 256 MiB as RGBA, two images of 4096 x 4096 with their files. */
const MOST_PIXELS = 2 ** 26;

/** What the texels of a slot mean; an image in two roles becomes a file for each. */
function roleOf(slot: PreparedSlot): TextureRole {
  if (isSrgbSlot(slot)) return 'color';
  return slot === 'normal' ? 'normal' : 'data';
}

/** Slots of a material that are drawn: an opaque material draws no opacity. */
function usedSlots(material: SceneMaterial): TextureSlot[] {
  const slots: TextureSlot[] = [...SLOTS];
  if (material.alphaMode !== 'opaque') slots.splice(1, 0, 'opacity');
  return slots.filter((slot) => material.textures[slot] !== undefined);
}

/** Materials that a placed mesh is drawn with. The textures of others are not needed. */
function drawnMaterials(scene: Scene): Set<number> {
  const drawn = new Set<number>();
  for (const mesh of new Set(scene.nodes.map((node) => node.mesh))) {
    for (const primitive of scene.meshes[mesh]?.primitives ?? []) {
      drawn.add(primitive.material);
      for (const subset of primitive.subsets) drawn.add(subset.material);
    }
  }
  return drawn;
}

interface Preparation {
  readonly scene: Scene;
  readonly images: ReadonlyMap<number, SourceImage | BadImage>;
  readonly missing: MissingTexture;
  readonly diagnostics: Diagnostics;
  readonly limit: Limit;
  readonly mode: TextureMode;
  readonly mostPixels: number;
  readonly makeFile: MakeFile;
  readonly jobs: Map<string, Promise<FileOutcome>>;
}

/** A slot of one material and the file that is being made for it; both null: a placeholder. */
interface PendingSlot {
  readonly slot: PreparedSlot;
  readonly stem: string;
  readonly texture: UsableTexture | null;
  readonly outcome: Promise<FileOutcome> | null;
}

interface PendingMaterial {
  readonly material: SceneMaterial;
  /** Slots that a texture was authored for and that are drawn. */
  readonly wanted: readonly TextureSlot[];
  readonly factors: MaterialFactors;
  readonly uv: PreparedMaterial['uv'];
  readonly tangentTurn: PreparedMaterial['tangentTurn'];
  readonly slots: readonly PendingSlot[];
}

/** The images that the texels of a slot come from: one for each part of a recipe. */
function sourcesOf({ images }: Preparation, { recipe, texture }: SlotPlan): SourceImage[] {
  if (recipe === null) return [texture.source];
  return recipe.parts.map((part) => images.get(part.image) as SourceImage);
}

/** Where the texels of a slot come from. Throws what reading an image throws. */
async function texelSource(preparation: Preparation, plan: SlotPlan): Promise<TexelSource> {
  const images: EncodedImage[] = [];
  for (const { index, info, read } of sourcesOf(preparation, plan)) images.push({ index, bytes: await read(), info });
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
interface Drawn {
  readonly material: number;
  readonly alphaMode: SceneMaterial['alphaMode'];
  readonly alphaCutoff: number;
  readonly roughnessChannel: number;
  readonly metallicChannel: number;
  readonly normal: SlotPlan | null;
  readonly roughness: SlotPlan | null;
}

/** What a file is made for, and the normal map that widens the roughness in it. */
interface Asked extends Omit<FileRequest, 'texels' | 'roughness' | 'mostPixels'> {
  readonly widened: { readonly normal: SlotPlan; readonly channel: number } | null;
}

function askedOf(preparation: Preparation, plan: SlotPlan, drawn: Drawn): Asked {
  const { slot } = plan;
  const use = isSrgbSlot(slot) ? 'color' : 'data';
  // A file that is an image is the same for every material.
  if (preparation.mode !== 'utex') return { use, role: use, drawsAlpha: true, alphaCutoff: null, widened: null };
  const { material, alphaMode, alphaCutoff, roughnessChannel, metallicChannel, normal, roughness } = drawn;
  const isDrawn = slot === 'baseColor' && alphaMode !== 'opaque';
  // Slots of packed maps share a file, so all of them ask for what the roughness in it needs.
  const keyText = (one: SlotPlan) => JSON.stringify(keyOf(one, material));
  const isData = slot === 'roughness' || slot === 'metallic' || slot === 'occlusion';
  const isRough = isData && roughness !== null && keyText(plan) === keyText(roughness);
  const channels = isRough
    ? [roughnessChannel, metallicChannel]
    : [slot === 'roughness' ? roughnessChannel : slot === 'metallic' ? metallicChannel : 0];
  return {
    use,
    role: roleOf(slot),
    drawsAlpha: isDrawn || (isData && channels.includes(3)),
    alphaCutoff: isDrawn && alphaMode === 'mask' ? alphaCutoff : null,
    widened: isRough && normal !== null ? { normal, channel: roughnessChannel } : null,
  };
}

async function requestOf(preparation: Preparation, plan: SlotPlan, { widened, ...asked }: Asked): Promise<FileRequest> {
  return {
    ...asked,
    mostPixels: preparation.mostPixels,
    texels: await texelSource(preparation, plan),
    roughness: widened && { normals: await texelSource(preparation, widened.normal), channel: widened.channel },
  };
}

/** Equal for equal texels. */
function keyOf(plan: SlotPlan, material: number): unknown {
  const { recipe, charts, texture } = plan;
  return [texture.source.index, recipe, charts ? [material, texture.use.uvSet, texture.use.transform] : []];
}

/** Starts the file of a slot, or finds the one that equals it. */
function startFile(preparation: Preparation, plan: SlotPlan, drawn: Drawn): Promise<FileOutcome> {
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
      async () => preparation.makeFile(await requestOf(preparation, plan, asked)),
      isCopy ? 0 : pixels,
    );
    // The material awaits this promise later. Attach a handler now so that Node does not report an unhandled rejection.
    job.catch(() => undefined);
    preparation.jobs.set(key, job);
  }
  return job;
}

/**
 * Codes of paths that leave the root or a package: errors under every policy. Absolute and remote paths (UC1205) are not
 * among them: they are never opened, so that their textures are missing on every machine.
 */
const PATH_RULES: ReadonlySet<string> = new Set(['UC1204', 'UC1609']);

/**
 * Whether the policy for missing textures may turn this error into a warning: images that are missing, damaged or of a
 * format that is not supported. Paths that leave the root and exceeded limits stay errors.
 */
function isLeftToPolicy({ code }: Diagnostic): boolean {
  const entry: CodeEntry = CODES[code];
  return entry.severity === 'error' && entry.exit !== 5 && !PATH_RULES.has(code);
}

/** Reports a slot whose image cannot be used: as errors, or as the warning that the policy asks for. */
function reportMissing(
  preparation: Preparation,
  material: SceneMaterial,
  slot: TextureSlot,
  reasons: readonly Diagnostic[],
) {
  const { scene, missing, diagnostics } = preparation;
  for (const reason of reasons) {
    if (missing === 'error' || !isLeftToPolicy(reason)) {
      diagnostics.add(reason);
      continue;
    }
    const code = missing === 'drop' ? 'UC2105' : 'UC2106';
    const what = missing === 'drop' ? 'left out' : slot === 'opacity' ? 'taken as opaque' : 'replaced by a placeholder';
    const place = `${reason.file}${reason.path ? ` ${reason.path}` : ''}`;
    diagnostics.add(
      diagnostic(
        code,
        scene.source,
        material.path,
        `${slot} texture ${what}${lossOf(slot)}: ${reason.code} ${place}: ${reason.message}`,
      ),
    );
  }
}

/** Leaves out specular colours whose charts differ from those of the diffuse colours: a file is made with one set of charts. */
function alignGloss(scene: Scene, material: SceneMaterial, placement: Placement, diagnostics: Diagnostics): Placement {
  const diffuse = placement.textures.get('baseColor');
  const specular = placement.textures.get('metallic');
  if (!diffuse?.charts || !specular?.charts) return placement;
  const key = ({ use }: PlacedTexture) => JSON.stringify([use.uvSet, use.transform, use.wrapS, use.wrapT]);
  if (key(diffuse) === key(specular)) return placement;
  const what = `left out${lossOf('metallic')}: its UVs differ from those of the diffuse colours`;
  reportUse(scene, material, specular, diagnostics, 'UC2110', what);
  const textures = new Map(placement.textures);
  textures.delete('metallic');
  textures.delete('roughness');
  return { ...placement, textures };
}

/** Plans one material and starts its files. */
async function startMaterial(
  preparation: Preparation,
  index: number,
  isDrawn: boolean,
  readUvTriangles: ReadUvTriangles,
): Promise<PendingMaterial> {
  const { scene, images, missing, diagnostics } = preparation;
  const material = scene.materials[index];
  const usable: UsableTexture[] = [];
  const slots: PendingSlot[] = [];
  const wanted = isDrawn ? usedSlots(material) : [];
  for (const slot of wanted) {
    const use = material.textures[slot]!;
    const source = images.get(use.image)!;
    if (!isBad(source)) {
      usable.push({ slot, use, source });
      continue;
    }
    reportMissing(preparation, material, slot, source.reasons);
    if (missing === 'placeholder' && slot !== 'opacity') {
      slots.push({ slot, stem: `missing_${source.image.stem || slot}`, texture: null, outcome: null });
    }
  }
  // A placeholder for the base colour is drawn without opacity, which could hide it.
  const hidesOpacity = slots.some((s) => s.slot === 'baseColor');
  const shown = hidesOpacity ? usable.filter((t) => t.slot !== 'opacity') : usable;
  let placement = await placeTextures(scene, index, shown, readUvTriangles, diagnostics);
  if (material.specularGlossiness) placement = alignGloss(scene, material, placement, diagnostics);
  const hasSpecular = !wanted.includes('metallic') || placement.textures.has('metallic');
  const { slots: planned, ...factors } = planMaterial(hasSpecular ? material : withoutSpecular(material), placement);
  const drawn: Drawn = {
    material: index,
    alphaMode: material.alphaMode,
    alphaCutoff: material.alphaCutoff,
    roughnessChannel: factors.roughnessChannel,
    metallicChannel: factors.metallicChannel,
    normal: planned.find(({ slot }) => slot === 'normal') ?? null,
    roughness: planned.find(({ slot }) => slot === 'roughness') ?? null,
  };
  const heldByCharts: Promise<FileOutcome>[] = [];
  for (const plan of planned) {
    const { slot, use, source } = plan.texture;
    const texture: UsableTexture = { slot, use, source };
    const outcome = startFile(preparation, plan, drawn);
    slots.push({ slot: plan.slot, stem: source.image.stem, texture, outcome });
    if (plan.reduced) {
      const size = `${plan.recipe?.width} x ${plan.recipe?.height} pixels`;
      reportUse(
        scene,
        material,
        texture,
        diagnostics,
        'UC2113',
        `resampled to ${size}, fewer than its own detail needs`,
      );
    }
    if (plan.charts) heldByCharts.push(outcome);
  }
  // Charts hold the corners of every triangle. Wait until they can be freed before the next material reads its own.
  await Promise.allSettled(heldByCharts);
  return { material, wanted, factors, uv: placement.uv, tangentTurn: normalTurn(placement), slots };
}

/** Collects finished files under their names, each content once. */
class TextureTable {
  readonly #textures: { -readonly [K in keyof PreparedTexture]: PreparedTexture[K] }[] = [];
  readonly #byHash = new Map<string, number>();
  readonly #names = new Set<string>();

  /** Index of the texture with these bytes; its flags then cover this use too. */
  add({ extension, ...file }: TextureFile, stem: string, flags: number): number {
    const sha256 = sha256Hex(file.bytes);
    const known = this.#byHash.get(sha256);
    if (known !== undefined) {
      this.#textures[known].flags |= flags;
      return known;
    }
    const fileName = textureName(stem, sha256, extension, this.#names);
    this.#names.add(fileName.toLowerCase());
    this.#byHash.set(sha256, this.#textures.length);
    return this.#textures.push({ ...file, fileName, sha256, flags }) - 1;
  }

  get list(): readonly PreparedTexture[] {
    return this.#textures;
  }
}

async function finishMaterial(
  preparation: Preparation,
  pending: PendingMaterial,
  table: TextureTable,
  placeholder: (slot: PreparedSlot) => Promise<TextureFile>,
): Promise<PreparedMaterial> {
  const { scene, diagnostics, missing } = preparation;
  const { material, wanted, uv, tangentTurn } = pending;
  const slots: Record<PreparedSlot, number> = {
    baseColor: -1,
    normal: -1,
    metallic: -1,
    roughness: -1,
    emissive: -1,
    occlusion: -1,
  };
  const stand = async (slot: PreparedSlot, stem: string) => table.add(await placeholder(slot), stem, FLAGS[slot]);
  const lost = new Set<TextureSlot>(wanted);
  for (const slot of SLOTS) {
    const entry = pending.slots.find((s) => s.slot === slot);
    if (!entry) continue;
    if (entry.outcome === null || entry.texture === null) {
      slots[slot] = await stand(slot, entry.stem);
      continue;
    }
    const outcome = await entry.outcome;
    if ('file' in outcome) {
      if (outcome.clipped) {
        reportUse(scene, material, entry.texture, diagnostics, 'UC2114', 'values outside of 0 to 1 were clipped');
      }
      if (outcome.clamped) {
        reportUse(scene, material, entry.texture, diagnostics, 'UC2115', 'values were clamped to 0 to 1');
      }
      slots[slot] = table.add(outcome.file, entry.stem, FLAGS[slot]);
      lost.delete(slot);
      continue;
    }
    const { kind, message } = outcome.fault;
    const { image } = preparation.images.get(outcome.image) as SourceImage;
    reportMissing(preparation, material, slot, [faultDiagnostic(scene, image, new ImageFault(kind, message))]);
    if (missing === 'placeholder') slots[slot] = await stand(slot, `missing_${entry.stem || slot}`);
  }
  const factors = factorsWithout(lost, material, slots, pending.factors);
  return {
    name: material.name,
    alphaMode: material.alphaMode,
    alphaCutoff: material.alphaCutoff,
    baseColor: factors.baseColor,
    metallic: factors.metallic,
    roughness: factors.roughness,
    emissive: factors.emissive,
    normalScale: material.normalScale,
    occlusionStrength: material.occlusionStrength,
    slots: slots satisfies PreparedSlots,
    roughnessChannel: factors.roughnessChannel,
    metallicChannel: factors.metallicChannel,
    uv,
    tangentTurn,
    usesVertexColors: material.usesVertexColors,
  };
}

/** The placeholder of a slot. */
async function placeholderFile({ makeFile: make, mostPixels }: Preparation, slot: PreparedSlot): Promise<TextureFile> {
  const outcome = await make({
    mostPixels,
    texels: { kind: 'texels', image: placeholderTexels(placeholderLook(slot)) },
    use: isSrgbSlot(slot) ? 'color' : 'data',
    role: roleOf(slot),
    drawsAlpha: false,
    alphaCutoff: null,
    roughness: null,
  });
  if (!('file' in outcome)) throw new Error('a placeholder has no image');
  return outcome.file;
}

/**
 * Reduces every material of the scene to what the container holds and makes the files that they name.
 *
 * Textures are ordered and named by first use: materials in the scene's order, slots in the order of PreparedSlots. Materials
 * that nothing is drawn with keep their factors and get no textures. Images that cannot be used are errors (all of them are
 * collected, then thrown together as one SourceError), or warnings as `missingTexture` asks. Paths that leave the root and
 * exceeded limits are always errors.
 */
export async function prepareMaterials(
  scene: Scene,
  options: PrepareOptions,
  readUvTriangles: ReadUvTriangles,
  diagnostics: Diagnostics,
): Promise<PreparedMaterials> {
  const drawn = drawnMaterials(scene);
  const needed = new Set<number>();
  scene.materials.forEach((material, index) => {
    if (!drawn.has(index)) return;
    for (const slot of usedSlots(material)) needed.add(material.textures[slot]!.image);
  });
  const limit = createLimit(options.atOnce ?? CONCURRENCY, MOST_PIXELS);
  const { mode = 'keep' } = options;
  const ownFiles = imageFiles('keep');
  const images = await loadImages(
    scene,
    [...needed].sort((a, b) => a - b),
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

  const preparation: Preparation = {
    scene,
    images,
    missing: options.missingTexture,
    diagnostics,
    limit,
    mode,
    mostPixels: options.maxPixels ?? MAX_DECODED_PIXELS,
    makeFile: options.makeFile ?? ((request) => makeFile(request, ownFiles)),
    jobs: new Map(),
  };
  const pending: PendingMaterial[] = [];
  for (let index = 0; index < scene.materials.length; index++) {
    pending.push(await startMaterial(preparation, index, drawn.has(index), readUvTriangles));
  }

  const table = new TextureTable();
  const placeholders = new Map<string, Promise<TextureFile>>();
  const placeholder = (slot: PreparedSlot) => {
    const look = placeholderLook(slot);
    const file = placeholders.get(look) ?? placeholderFile(preparation, slot);
    placeholders.set(look, file);
    return file;
  };
  const materials: PreparedMaterial[] = [];
  for (const material of pending) materials.push(await finishMaterial(preparation, material, table, placeholder));
  diagnostics.throwIfErrors();
  return { materials, textures: table.list };
}
