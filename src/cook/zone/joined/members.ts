// Which materials of a zone's surroundings may be drawn as one: those that differ in factors and textures alone, if an atlas can hold
// what their textures show.

import { SourceError } from '../../../diagnostics/diagnostic.ts';
import type { Float32Mesh } from '../../../geometry/mesh/mesh.ts';
import { isWithinImage, uvWindow } from '../../../geometry/uv/uvWindow.ts';
import { FACTORS, slotKind, type TextureSlot } from '../../../scene/materialSlots.ts';
import type { Scene, SceneMaterial, TextureUse } from '../../../scene/types.ts';
import { ImageFault } from '../../../textures/decode/fault.ts';
import { type ImageInfo, probeImage } from '../../../textures/decode/probe.ts';
import { pixelsOfUv } from '../../../zone/texels.ts';
import type { ZoneMesh } from '../../../zone/thin.ts';
import type { ZoneView } from '../keptMeshes.ts';

/** Slots that an atlas holds. */
const HELD_SLOTS: readonly TextureSlot[] = ['baseColor', 'metallic', 'roughness', 'emissive', 'normal', 'occlusion'];
/** Factors that belong to none of these slots. */
const OTHER_FACTORS = FACTORS.filter((factor) => !HELD_SLOTS.some((slot) => slotKind(slot).factor === factor));
/** Texels along a side of what one material takes of an atlas, at most: larger images are few, and fill it alone. */
const MAX_SIDE = 512;
/** Repeats along an axis that an image may have in an atlas. */
const MAX_REPEATS = 4;

/** What one material takes of an atlas. */
export interface Picture {
  /** Texels of all repeats. */
  readonly width: number;
  readonly height: number;
  readonly repeats: readonly [number, number];
}

/** A material that may be joined with others of its kind, and all that is drawn with it. */
export interface Member {
  readonly index: number;
  readonly material: SceneMaterial;
  /** Materials of one kind can be one. */
  readonly kind: string;
  /** Null: it has no textures. */
  readonly picture: Picture | null;
  /** Their UVs are those of the images. */
  readonly meshes: readonly ZoneMesh[];
}

/** What is known of an image without decoding it; null: it cannot be used, or has values that bytes do not hold. */
export type InfoOf = (image: number) => Promise<ImageInfo | null>;

/** Reads and checks each image of a scene once. Those of more than `maxPixels` are not to be decoded. */
export function imageInfos({ images }: Scene, maxPixels: number): InfoOf {
  const known = new Map<number, Promise<ImageInfo | null>>();
  const read = async (image: number): Promise<ImageInfo | null> => {
    try {
      const info = await probeImage(await images[image].read());
      if (info instanceof ImageFault || info.isFloat || info.blocks?.premultiplied) return null;
      return info.width * info.height > maxPixels ? null : info;
    } catch (error) {
      // The step that makes textures says what is wrong with it.
      if (error instanceof SourceError) return null;
      throw error;
    }
  };
  return (image) => {
    const info = known.get(image) ?? read(image);
    known.set(image, info);
    return info;
  };
}

const usesOf = (material: SceneMaterial): TextureUse[] =>
  Object.values(material.textures).flatMap((use) => (use ? [use] : []));

/** Whether texels can hold the factors of a material, and an atlas all of its slots. */
function isHeld(material: SceneMaterial): boolean {
  const { alphaMode, transmission, specularWorkflow, unlit, baseColor, metallic, roughness, emissive, textures } =
    material;
  const isUnit = [...baseColor, metallic, roughness].every((value) => value >= 0 && value <= 1);
  return (
    alphaMode === 'opaque' &&
    transmission === 0 &&
    !specularWorkflow &&
    !unlit &&
    isUnit &&
    emissive.every((value) => value >= 0 && Number.isFinite(value)) &&
    Object.keys(textures).every((slot) => HELD_SLOTS.some((held) => held === slot))
  );
}

/** What members of one atlas have in common: factors that no texel holds, and maps without a neutral texel. */
function kindOf(material: SceneMaterial): string {
  const { doubleSided, textures, normalScale, occlusionStrength } = material;
  const normal = textures.normal ? `normal ${normalScale}` : '';
  const occlusion = textures.occlusion ? `occlusion ${occlusionStrength}` : '';
  const others = OTHER_FACTORS.map((factor) => `${factor} ${material[factor]}`);
  return [doubleSided ? 'double' : '', normal, occlusion, ...others].filter((word) => word !== '').join(' ');
}

/** The mesh with the UVs of a texture that lies on them by a transform. */
function withImageUvs(mesh: Float32Mesh, transform: TextureUse['transform']): Float32Mesh {
  const { uv0 } = mesh.attributes;
  if (transform === null || uv0 === undefined) return mesh;
  const [a, b, c, d, tx, ty] = transform;
  const moved = new Float32Array(uv0.length);
  for (let i = 0; i < uv0.length; i += 2) {
    moved[i] = a * uv0[i] + c * uv0[i + 1] + tx;
    moved[i + 1] = b * uv0[i] + d * uv0[i + 1] + ty;
  }
  return { ...mesh, attributes: { ...mesh.attributes, uv0: moved } };
}

/** The materials that may be joined, in the order of the scene. */
export async function membersOf(
  { materials }: Scene,
  meshes: readonly ZoneMesh[],
  view: ZoneView,
  infoOf: InfoOf,
): Promise<Member[]> {
  const ofMaterials = new Map<number, ZoneMesh[]>();
  const apart = new Set<number>();
  for (const one of meshes) {
    const index = Number.parseInt(one.key, 10);
    // Colours of vertices have a palette of their own.
    if (one.key !== String(index) || one.mesh.attributes.color0 !== undefined) apart.add(index);
    const list = ofMaterials.get(index);
    if (list) list.push(one);
    else ofMaterials.set(index, [one]);
  }
  const members: Member[] = [];
  for (const index of [...ofMaterials.keys()].sort((a, b) => a - b)) {
    const material = materials[index];
    if (material === undefined || apart.has(index) || !isHeld(material)) continue;
    const uses = usesOf(material);
    const own = ofMaterials.get(index) as ZoneMesh[];
    const kind = kindOf(material);
    if (uses.length === 0) {
      members.push({ index, material, kind, picture: null, meshes: own });
      continue;
    }
    const [{ transform }] = uses;
    if (uses.some((use) => String(use.transform) !== String(transform))) continue;
    const placed = own.map((one) => ({ ...one, mesh: withImageUvs(one.mesh, transform) }));
    const picture = await pictureOf(uses, placed, view, infoOf);
    if (picture !== null) members.push({ index, material, kind, picture, meshes: placed });
  }
  return members;
}

/** What meshes show of images, a texel for each pixel of the nearest eye; null: an atlas has no room for it. */
async function pictureOf(
  uses: readonly TextureUse[],
  meshes: readonly ZoneMesh[],
  { zone, pixel }: ZoneView,
  infoOf: InfoOf,
): Promise<Picture | null> {
  const repeats: [number, number] = [1, 1];
  const isTiled = uses.every(({ wrapS, wrapT }) => wrapS === 'repeat' && wrapT === 'repeat');
  let pixels = 1;
  for (const { mesh } of meshes) {
    if (mesh.attributes.uv0 === undefined || (!isTiled && !isWithinImage(mesh))) return null;
    const [across, down] = uvWindow(mesh).repeats;
    repeats[0] = Math.max(repeats[0], across);
    repeats[1] = Math.max(repeats[1], down);
    if (Math.max(...repeats) > MAX_REPEATS) return null;
    pixels = Math.max(pixels, pixelsOfUv(mesh, zone, 1 / pixel));
  }
  let [width, height] = [1, 1];
  for (const { image, channel } of uses) {
    const info = await infoOf(image);
    // Alpha that is missing is for the step that makes textures to report.
    if (info === null || (channel === 'a' && !info.alpha)) return null;
    width = Math.max(width, info.width);
    height = Math.max(height, info.height);
  }
  while (Math.max(width, height) > 1 && Math.max(width, height) / 2 >= pixels) {
    width = Math.ceil(width / 2);
    height = Math.ceil(height / 2);
  }
  const picture = { width: width * repeats[0], height: height * repeats[1], repeats };
  return Math.max(picture.width, picture.height) <= MAX_SIDE ? picture : null;
}
