// Finishes materials: waits for the files of their textures and gives each content one name. For prepare.ts.

import { type GltfLayer, mapLayers } from '../../scene/gltfMaterial.ts';
import { FILE_SLOTS, type FileSlot, isSrgbSlot, slotKind, type TextureSlot } from '../../scene/materialSlots.ts';
import { reportUse } from '../bake/route.ts';
import { ImageFault } from '../decode/fault.ts';
import { faultDiagnostic, type SourceImage } from '../decode/images.ts';
import { factorsWithout } from '../lost.ts';
import { textureName } from '../name.ts';
import { placeholderTexels } from '../placeholder.ts';
import { NO_TEXTURES, type PreparedMaterial, type PreparedTexture } from '../types.ts';
import {
  type HeldFile,
  hasPlaceholder,
  type PendingMaterial,
  type Preparation,
  reportMissing,
  reportMissingLayer,
  roleOf,
} from './preparation.ts';
import { heldFile } from './startFile.ts';

/** Collects finished files under their names, each content once. */
export class TextureTable {
  readonly #textures: { -readonly [K in keyof PreparedTexture]: PreparedTexture[K] }[] = [];
  readonly #byHash = new Map<string, number>();
  readonly #names = new Set<string>();

  /** Index of the texture with these bytes; its flags then cover this use too. */
  add({ extension, ...file }: HeldFile, stem: string, flags: number): number {
    const { sha256 } = file;
    const known = this.#byHash.get(sha256);
    if (known !== undefined) {
      this.#textures[known].flags |= flags;
      return known;
    }
    const fileName = textureName(stem, sha256, extension, this.#names);
    this.#names.add(fileName.toLowerCase());
    this.#byHash.set(sha256, this.#textures.length);
    return this.#textures.push({ ...file, fileName, flags }) - 1;
  }

  get list(): readonly PreparedTexture[] {
    return this.#textures;
  }
}

export async function finishMaterial(
  preparation: Preparation,
  pending: PendingMaterial,
  table: TextureTable,
  placeholder: (slot: FileSlot) => Promise<HeldFile>,
): Promise<PreparedMaterial> {
  const { scene, diagnostics } = preparation;
  const { material, wanted, uv, tangentTurn } = pending;
  const slots: Record<FileSlot, number> = { ...NO_TEXTURES };
  const stand = async (slot: FileSlot, stem: string) => table.add(await placeholder(slot), stem, slotKind(slot).flags);
  // Colours of the specular workflow make a file of metallic that no texture of its own is wanted for.
  const own = pending.slots.filter(({ isServed }) => !isServed);
  const lost = new Set<TextureSlot>([...wanted, ...own.map(({ slot }) => slot)]);
  for (const slot of FILE_SLOTS) {
    const entry = pending.slots.find((s) => s.slot === slot);
    if (!entry) continue;
    if (entry.outcome === null || entry.texture === null) {
      slots[slot] = await stand(slot, entry.stem);
      continue;
    }
    const outcome = await entry.outcome;
    if ('file' in outcome) {
      if (isClipped(outcome.clipped, entry.reads)) {
        reportUse(scene, material, entry.texture, diagnostics, 'UC2114', 'values outside of 0 to 1 were clipped');
      }
      if (outcome.clamped) {
        reportUse(scene, material, entry.texture, diagnostics, 'UC2115', 'values were clamped to 0 to 1');
      }
      slots[slot] = table.add(outcome.file, entry.stem, slotKind(slot).flags);
      lost.delete(slot);
      continue;
    }
    if (entry.isServed) continue;
    const { kind, message } = outcome.fault;
    const { image } = preparation.images.get(outcome.image) as SourceImage;
    reportMissing(preparation, material, slot, [faultDiagnostic(scene, image, new ImageFault(kind, message))]);
    if (hasPlaceholder(preparation, slot)) slots[slot] = await stand(slot, `missing_${entry.stem || slot}`);
  }
  const layers = await finishLayers(preparation, pending, table);
  return {
    name: material.name,
    alphaMode: material.alphaMode,
    alphaCutoff: material.alphaCutoff,
    ...factorsWithout(lost, material, slots, pending.factors),
    slots,
    uv,
    tangentTurn,
    ...(pending.height && slots.height >= 0 ? { height: pending.height } : {}),
    usesVertexColors: material.usesVertexColors,
    ...(material.unlit ? { unlit: preparation.keepsUnlit(material) ? 'kept' : 'emission' } : {}),
    ...(material.doubleSided ? { doubleSided: true } : {}),
    ...(layers.length > 0 ? { layers } : {}),
    ...(material.places ? { places: material.places } : {}),
  };
}

/** The extensions with the files of their textures. */
async function finishLayers(
  preparation: Preparation,
  { material, layers: pending }: PendingMaterial,
  table: TextureTable,
): Promise<GltfLayer[]> {
  const made = new Map<string, number>();
  for (const { layer, key, stem, outcome } of pending) {
    const done = await outcome;
    if ('file' in done) {
      made.set(`${layer} ${key}`, table.add(done.file, stem, 0));
      continue;
    }
    const { kind, message } = done.fault;
    const { image } = preparation.images.get(done.image) as SourceImage;
    const reason = faultDiagnostic(preparation.scene, image, new ImageFault(kind, message));
    reportMissingLayer(preparation, material, key, [reason]);
  }
  return mapLayers(material.layers ?? [], (_, key, { name }) => made.get(`${name} ${key}`) ?? null);
}

/** Whether a value was clipped that the slot reads: other slots may share its file. */
function isClipped(channels: number, reads: number | null): boolean {
  return reads === null ? channels !== 0 : ((channels >> reads) & 1) === 1;
}

/** The placeholder of a slot. */
export async function placeholderFile(preparation: Preparation, slot: FileSlot): Promise<HeldFile> {
  const { makeFile: make, maxPixels } = preparation;
  const outcome = await make({
    maxPixels,
    texels: { kind: 'texels', image: placeholderTexels(slotKind(slot).placeholder) },
    use: isSrgbSlot(slot) ? 'color' : 'data',
    role: roleOf(slot, preparation.mode),
    drawsAlpha: false,
    alphaCutoff: null,
    roughness: null,
  });
  if (!('file' in outcome)) throw new Error('a placeholder has no image');
  return heldFile(preparation, outcome.file);
}
