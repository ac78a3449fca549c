// The glTF extensions that are known: an import and an entry for each file of this room. Which extensions a file may use,
// the layers of materials and the sources of images follow from the list.

import { type Element, quote } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import type { Extension, MaterialLayer } from './extension.ts';
import { EXT_MESH_GPU_INSTANCING } from './geometry/extMeshGpuInstancing.ts';
import { EXT_MESHOPT_COMPRESSION } from './geometry/extMeshoptCompression.ts';
import { KHR_DRACO_MESH_COMPRESSION } from './geometry/khrDracoMeshCompression.ts';
import { KHR_MESHOPT_COMPRESSION } from './geometry/khrMeshoptCompression.ts';
import { KHR_MESH_QUANTIZATION } from './geometry/khrMeshQuantization.ts';
import { KHR_MATERIALS_ANISOTROPY } from './materials/khrMaterialsAnisotropy.ts';
import { KHR_MATERIALS_CLEARCOAT } from './materials/khrMaterialsClearcoat.ts';
import { KHR_MATERIALS_DIFFUSE_TRANSMISSION } from './materials/khrMaterialsDiffuseTransmission.ts';
import { KHR_MATERIALS_DISPERSION } from './materials/khrMaterialsDispersion.ts';
import { KHR_MATERIALS_EMISSIVE_STRENGTH } from './materials/khrMaterialsEmissiveStrength.ts';
import { KHR_MATERIALS_IOR } from './materials/khrMaterialsIor.ts';
import { KHR_MATERIALS_IRIDESCENCE } from './materials/khrMaterialsIridescence.ts';
import { KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS } from './materials/khrMaterialsPbrSpecularGlossiness.ts';
import { KHR_MATERIALS_SHEEN } from './materials/khrMaterialsSheen.ts';
import { KHR_MATERIALS_SPECULAR } from './materials/khrMaterialsSpecular.ts';
import { KHR_MATERIALS_TRANSMISSION } from './materials/khrMaterialsTransmission.ts';
import { KHR_MATERIALS_UNLIT } from './materials/khrMaterialsUnlit.ts';
import { KHR_MATERIALS_VARIANTS } from './materials/khrMaterialsVariants.ts';
import { KHR_MATERIALS_VOLUME } from './materials/khrMaterialsVolume.ts';
import { KHR_ANIMATION_POINTER } from './scene/khrAnimationPointer.ts';
import { KHR_LIGHTS_PUNCTUAL } from './scene/khrLightsPunctual.ts';
import { KHR_NODE_HOVERABILITY } from './scene/khrNodeHoverability.ts';
import { KHR_NODE_SELECTABILITY } from './scene/khrNodeSelectability.ts';
import { KHR_NODE_VISIBILITY } from './scene/khrNodeVisibility.ts';
import { KHR_XMP_JSON_LD } from './scene/khrXmpJsonLd.ts';
import { MSFT_LOD } from './scene/msftLod.ts';
import { EXT_TEXTURE_AVIF } from './textures/extTextureAvif.ts';
import { EXT_TEXTURE_WEBP } from './textures/extTextureWebp.ts';
import { KHR_TEXTURE_BASISU } from './textures/khrTextureBasisu.ts';
import { KHR_TEXTURE_TRANSFORM } from './textures/khrTextureTransform.ts';
import { MSFT_TEXTURE_DDS } from './textures/msftTextureDds.ts';

export const EXTENSIONS: readonly Extension[] = [
  EXT_MESH_GPU_INSTANCING,
  EXT_MESHOPT_COMPRESSION,
  KHR_DRACO_MESH_COMPRESSION,
  KHR_MESH_QUANTIZATION,
  KHR_MESHOPT_COMPRESSION,
  KHR_ANIMATION_POINTER,
  KHR_LIGHTS_PUNCTUAL,
  KHR_NODE_HOVERABILITY,
  KHR_NODE_SELECTABILITY,
  KHR_NODE_VISIBILITY,
  KHR_XMP_JSON_LD,
  MSFT_LOD,
  // A texture that refers to several images is read from the first of these; each loses more quality than the one before.
  EXT_TEXTURE_WEBP,
  EXT_TEXTURE_AVIF,
  KHR_TEXTURE_BASISU,
  MSFT_TEXTURE_DDS,
  KHR_TEXTURE_TRANSFORM,
  // Each layer starts from what the layers before it have made of the material.
  KHR_MATERIALS_EMISSIVE_STRENGTH,
  KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS,
  KHR_MATERIALS_UNLIT,
  KHR_MATERIALS_VARIANTS,
  KHR_MATERIALS_IOR,
  KHR_MATERIALS_SPECULAR,
  KHR_MATERIALS_ANISOTROPY,
  KHR_MATERIALS_CLEARCOAT,
  KHR_MATERIALS_SHEEN,
  KHR_MATERIALS_VOLUME,
  KHR_MATERIALS_TRANSMISSION,
  KHR_MATERIALS_DIFFUSE_TRANSMISSION,
  KHR_MATERIALS_IRIDESCENCE,
  KHR_MATERIALS_DISPERSION,
];

/** In the order in which they are treated. */
export const MATERIAL_LAYERS: readonly MaterialLayer[] = EXTENSIONS.flatMap(({ layer }) => layer ?? []);

/** Extensions by which a texture refers to an image, the preferred one first. */
export const IMAGE_EXTENSIONS: readonly Extension[] = EXTENSIONS.filter(({ namesImage }) => namesImage);

const KNOWN: ReadonlySet<string> = new Set(EXTENSIONS.map(({ name }) => name));

/** Throws UC1305 for required extensions that are not known; one UC1306 names the unknown optional ones. */
export function checkExtensions(root: Element, notes: Notes): void {
  const required = root.strings('extensionsRequired');
  const unknown = [...new Set(required.filter((name) => !KNOWN.has(name)))];
  if (unknown.length > 0) {
    root.fail('UC1305', `the file requires ${unknown.slice(0, 8).map(quote).join(', ')}`);
  }
  for (const name of new Set(root.strings('extensionsUsed'))) {
    if (KNOWN.has(name)) continue;
    notes.add('UC1306', '', 'extensionsUsed', name, (names) => `these extensions are ignored: ${names}`);
  }
}
