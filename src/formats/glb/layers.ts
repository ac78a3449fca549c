// Extensions of materials that a GLB has as its source states them, and how textures are sampled. gltf-transform has a class for
// each extension, whose methods are named after the properties.

import type { Document, Extension, ExtensionProperty, Texture, TextureInfo } from '@gltf-transform/core';
import {
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRMaterialsAnisotropy,
  KHRMaterialsClearcoat,
  KHRMaterialsDiffuseTransmission,
  KHRMaterialsDispersion,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsIridescence,
  KHRMaterialsSheen,
  KHRMaterialsSpecular,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMaterialsVolume,
  KHRTextureBasisu,
  KHRTextureTransform,
} from '@gltf-transform/extensions';
import { UV_SETS } from '../../geometry/mesh/attributes.ts';
import type { GltfLayer, GltfLayerName, TexturePlace } from '../../scene/gltfMaterial.ts';
import type { GltfImageType } from './images.ts';

interface LayerClass {
  readonly extension: typeof Extension;
  readonly create: (document: Document) => ExtensionProperty;
}

/** The class of an extension with what makes its property. */
const classOf = <E extends Extension>(
  extension: typeof Extension & (new (document: Document) => E),
  create: (of: E) => ExtensionProperty,
): LayerClass => ({ extension, create: (document) => create(document.createExtension(extension)) });

const CLASSES: Readonly<Record<GltfLayerName, LayerClass>> = {
  KHR_materials_anisotropy: classOf(KHRMaterialsAnisotropy, (of) => of.createAnisotropy()),
  KHR_materials_clearcoat: classOf(KHRMaterialsClearcoat, (of) => of.createClearcoat()),
  KHR_materials_diffuse_transmission: classOf(KHRMaterialsDiffuseTransmission, (of) => of.createDiffuseTransmission()),
  KHR_materials_dispersion: classOf(KHRMaterialsDispersion, (of) => of.createDispersion()),
  KHR_materials_emissive_strength: classOf(KHRMaterialsEmissiveStrength, (of) => of.createEmissiveStrength()),
  KHR_materials_ior: classOf(KHRMaterialsIOR, (of) => of.createIOR()),
  KHR_materials_iridescence: classOf(KHRMaterialsIridescence, (of) => of.createIridescence()),
  KHR_materials_sheen: classOf(KHRMaterialsSheen, (of) => of.createSheen()),
  KHR_materials_specular: classOf(KHRMaterialsSpecular, (of) => of.createSpecular()),
  KHR_materials_transmission: classOf(KHRMaterialsTransmission, (of) => of.createTransmission()),
  KHR_materials_unlit: classOf(KHRMaterialsUnlit, (of) => of.createUnlit()),
  KHR_materials_volume: classOf(KHRMaterialsVolume, (of) => of.createVolume()),
};

/** Extensions by which a texture names an image that is neither PNG nor JPEG. Without it a program has no image: it is required. */
const IMAGE_CLASSES: Readonly<Partial<Record<GltfImageType, typeof Extension>>> = {
  'image/webp': EXTTextureWebP,
  'image/avif': EXTTextureAVIF,
  'image/ktx2': KHRTextureBasisu,
};

/** All that materials may need. */
export const MATERIAL_EXTENSIONS: readonly (typeof Extension)[] = [
  ...Object.values(CLASSES).map(({ extension }) => extension),
  ...Object.values(IMAGE_CLASSES),
  KHRTextureTransform,
];

/** States the extension that images of a type need, if they need one. */
export function stateImageType(document: Document, type: GltfImageType): void {
  const extension = IMAGE_CLASSES[type] as (new (document: Document) => Extension) | undefined;
  if (extension) document.createExtension(extension).setRequired(true);
}

/** `setClearcoatFactor` of `clearcoatFactor`; an index of refraction is in capitals. */
const methodOf = (verb: 'get' | 'set', key: string): string =>
  `${verb}${key[0].toUpperCase()}${key.slice(1)}`.replace(/Ior$/, 'IOR');

type Methods = Readonly<Record<string, (value?: unknown) => unknown>>;

/** The property of an extension for a material. */
export function layerProperty<T>(
  document: Document,
  { name, values, textures }: GltfLayer<T>,
  textureOf: (texture: T) => Texture,
): ExtensionProperty {
  const property = CLASSES[name].create(document);
  const methods = property as unknown as Methods;
  for (const [key, value] of Object.entries(values)) methods[methodOf('set', key)](value);
  for (const [key, { image, place, scale }] of Object.entries(textures)) {
    methods[methodOf('set', key)](textureOf(image));
    placeTexture(document, methods[methodOf('get', `${key}Info`)]() as TextureInfo, place);
    if (scale !== null) methods[methodOf('set', key.replace(/Texture$/, 'Scale'))](scale);
  }
  return property;
}

const AT_ZERO: TexturePlace['transform'] = { offset: [0, 0], rotation: 0, scale: [0, 0] };

/** Says how a texture is sampled. What the source does not say is not said. */
export function placeTexture(document: Document, info: TextureInfo, place: TexturePlace): void {
  const { wrapS, wrapT, magFilter, minFilter } = place;
  // Of a set that no mesh can have all coordinates are 0 (UC2341).
  const { texCoord, transform } = place.texCoord < UV_SETS.length ? place : { texCoord: 0, transform: AT_ZERO };
  info.setTexCoord(texCoord);
  if (wrapS !== null) info.setWrapS(wrapS as ReturnType<TextureInfo['getWrapS']>);
  if (wrapT !== null) info.setWrapT(wrapT as ReturnType<TextureInfo['getWrapT']>);
  if (magFilter !== null) info.setMagFilter(magFilter as ReturnType<TextureInfo['getMagFilter']>);
  if (minFilter !== null) info.setMinFilter(minFilter as ReturnType<TextureInfo['getMinFilter']>);
  if (transform === null) return;
  const { offset, rotation, scale } = transform;
  const moved = document
    .createExtension(KHRTextureTransform)
    .createTransform()
    .setOffset([...offset])
    .setRotation(rotation)
    .setScale([...scale]);
  info.setExtension(moved.extensionName, moved);
}
