// Makes prepared materials and texture files from the materials of a scene: the entry point of textures/. Each image is read
// once, files are made a few at a time, and names, order and messages depend on the scene alone.

import { sha256Hex } from '../bytes/sha256.ts';
import { CODES, type CodeEntry } from '../diagnostics/codes.ts';
import { type Diagnostic, type Diagnostics, diagnostic } from '../diagnostics/diagnostic.ts';
import { isSrgbSlot } from '../engine/textures.ts';
import type { Scene, SceneMaterial, TextureSlot } from '../scene/types.ts';
import { bake, type Recipe } from './bake/bake.ts';
import type { Charts } from './bake/charts.ts';
import { type KeptFiles, keptFiles, type ProductStore } from './bake/madeFiles.ts';
import { normalTurn } from './bake/normalTurn.ts';
import { type PreparedSlot, planMaterial, SLOTS, type SlotPlan } from './bake/recipes.ts';
import { type PlacedTexture, type Placement, placeTextures, reportUse, type UsableTexture } from './bake/route.ts';
import { decodeImage } from './decode/decode.ts';
import { ImageFault } from './decode/fault.ts';
import { type BadImage, faultDiagnostic, isBad, loadImages, type SourceImage } from './decode/images.ts';
import type { Pixels } from './decode/pixels.ts';
import { copyImage } from './decode/probe.ts';
import { imageExtension } from './decode/registry.ts';
import { encodePng } from './encode/png.ts';
import { createLimit, type Limit } from './limit.ts';
import { factorsWithout, lossOf, withoutSpecular } from './lost.ts';
import { textureName } from './name.ts';
import { PLACEHOLDER_SIDE, placeholderLook, placeholderPng } from './placeholder.ts';
import type {
  MaterialFactors,
  MissingTexture,
  PreparedMaterial,
  PreparedMaterials,
  PreparedSlots,
  PreparedTexture,
  ReadUvTriangles,
} from './types.ts';

export interface PrepareOptions {
  readonly missingTexture: MissingTexture;
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

/** A finished file, or the image that made it impossible. */
type Outcome =
  | { readonly bytes: Uint8Array; readonly width: number; readonly height: number; readonly clipped: boolean }
  | { readonly source: SourceImage; readonly fault: ImageFault };

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
  readonly jobs: Map<string, Promise<Outcome>>;
  readonly kept: KeptFiles | null;
}

/** A slot of one material and the file that is being made for it; both null: a placeholder. */
interface PendingSlot {
  readonly slot: PreparedSlot;
  readonly stem: string;
  readonly texture: UsableTexture | null;
  readonly outcome: Promise<Outcome> | null;
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

async function copyFile(source: SourceImage, use: 'color' | 'data'): Promise<Outcome> {
  const bytes = await copyImage(source.bytes, source.info, use);
  if (bytes instanceof ImageFault) return { source, fault: bytes };
  return { bytes, width: source.info.width, height: source.info.height, clipped: false };
}

async function bakeFile(
  recipe: Recipe,
  sources: readonly SourceImage[],
  charts: Charts | null,
  kept: KeptFiles | null,
): Promise<Outcome> {
  const { width, height } = recipe;
  const key = kept?.keyOf(recipe, charts) ?? '';
  const found = kept?.find(key);
  if (found) return { ...found, width, height };
  const decoded = new Map<number, Pixels>();
  for (const source of sources) {
    if (decoded.has(source.index)) continue;
    const pixels = await decodeImage(source.bytes, source.info);
    if (pixels instanceof ImageFault) return { source, fault: pixels };
    decoded.set(source.index, pixels);
  }
  const pixels = recipe.parts.map((part) => decoded.get(part.image)!);
  const { data, clipped } = bake(recipe, pixels, charts);
  const made = { bytes: await encodePng(data, width, height, recipe.channels.length === 4), clipped };
  kept?.keep(key, made);
  return { ...made, width, height };
}

/** Pixels in memory while a file is made: of each image, and of the result. */
function bakedPixels({ width, height }: Recipe, sources: readonly SourceImage[]): number {
  return [...new Set(sources)].reduce((sum, { info }) => sum + info.width * info.height, width * height);
}

/** Starts the file of a slot, or finds the one that equals it. */
function startFile(preparation: Preparation, material: number, plan: SlotPlan): Promise<Outcome> {
  const { recipe, charts, texture } = plan;
  const use = isSrgbSlot(plan.slot) ? 'color' : 'data';
  const placed = charts ? [material, texture.use.uvSet, texture.use.transform] : [];
  const key = JSON.stringify([texture.source.index, use, recipe, placed]);
  let job = preparation.jobs.get(key);
  if (!job) {
    const sources = recipe?.parts.map((part) => preparation.images.get(part.image) as SourceImage) ?? [];
    job = preparation.limit(
      () => (recipe === null ? copyFile(texture.source, use) : bakeFile(recipe, sources, charts, preparation.kept)),
      recipe === null ? 0 : bakedPixels(recipe, sources),
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
  const heldByCharts: Promise<Outcome>[] = [];
  for (const plan of planned) {
    const { slot, use, source } = plan.texture;
    const texture: UsableTexture = { slot, use, source };
    const outcome = startFile(preparation, index, plan);
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
  add(bytes: Uint8Array, width: number, height: number, stem: string, flags: number): number {
    const sha256 = sha256Hex(bytes);
    const known = this.#byHash.get(sha256);
    if (known !== undefined) {
      this.#textures[known].flags |= flags;
      return known;
    }
    const fileName = textureName(stem, sha256, imageExtension(bytes), this.#names);
    this.#names.add(fileName.toLowerCase());
    this.#byHash.set(sha256, this.#textures.length);
    return this.#textures.push({ fileName, bytes, sha256, width, height, flags }) - 1;
  }

  get list(): readonly PreparedTexture[] {
    return this.#textures;
  }
}

async function finishMaterial(
  preparation: Preparation,
  pending: PendingMaterial,
  table: TextureTable,
  placeholder: (slot: PreparedSlot) => Promise<Uint8Array>,
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
  const stand = async (slot: PreparedSlot, stem: string) =>
    table.add(await placeholder(slot), PLACEHOLDER_SIDE, PLACEHOLDER_SIDE, stem, FLAGS[slot]);
  const lost = new Set<TextureSlot>(wanted);
  for (const slot of SLOTS) {
    const entry = pending.slots.find((s) => s.slot === slot);
    if (!entry) continue;
    if (entry.outcome === null || entry.texture === null) {
      slots[slot] = await stand(slot, entry.stem);
      continue;
    }
    const outcome = await entry.outcome;
    if ('bytes' in outcome) {
      if (outcome.clipped) {
        reportUse(scene, material, entry.texture, diagnostics, 'UC2114', 'values outside of 0 to 1 were clipped');
      }
      slots[slot] = table.add(outcome.bytes, outcome.width, outcome.height, entry.stem, FLAGS[slot]);
      lost.delete(slot);
      continue;
    }
    reportMissing(preparation, material, slot, [faultDiagnostic(scene, outcome.source.image, outcome.fault)]);
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

/**
 * Reduces every material of the scene to what the container holds and makes the files that they name.
 *
 * Textures are ordered and named by first use: materials in the scene's order, slots in the order of PreparedSlots. Materials
 * that nothing is drawn with keep their factors and get no textures. Images that cannot be used are errors (all of them are
 * collected, then thrown together as one SourceError), or warnings as `missingTexture` asks. Paths that leave the root and
 * exceeded limits are always errors. Baked files are taken from `store` where it has them, and kept there.
 */
export async function prepareMaterials(
  scene: Scene,
  options: PrepareOptions,
  readUvTriangles: ReadUvTriangles,
  diagnostics: Diagnostics,
  store: ProductStore | null = null,
): Promise<PreparedMaterials> {
  const drawn = drawnMaterials(scene);
  const needed = new Set<number>();
  scene.materials.forEach((material, index) => {
    if (!drawn.has(index)) return;
    for (const slot of usedSlots(material)) needed.add(material.textures[slot]!.image);
  });
  const limit = createLimit(CONCURRENCY, MOST_PIXELS);
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
    jobs: new Map(),
    kept: store && keptFiles(store, (image) => (images.get(image) as SourceImage).bytes),
  };
  const pending: PendingMaterial[] = [];
  for (let index = 0; index < scene.materials.length; index++) {
    pending.push(await startMaterial(preparation, index, drawn.has(index), readUvTriangles));
  }

  const table = new TextureTable();
  const placeholders = new Map<string, Promise<Uint8Array>>();
  const placeholder = (slot: PreparedSlot) => {
    const look = placeholderLook(slot);
    const png = placeholders.get(look) ?? placeholderPng(look);
    placeholders.set(look, png);
    return png;
  };
  const materials: PreparedMaterial[] = [];
  for (const material of pending) materials.push(await finishMaterial(preparation, material, table, placeholder));
  diagnostics.throwIfErrors();
  return { materials, textures: table.list };
}
