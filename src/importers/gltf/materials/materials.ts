// Materials (glTF 2.0, 3.9) as the Scene's metallic-roughness model. Packed textures are separated into channels, factors
// of extensions are multiplied in, and a warning names each property that the engine cannot show.

import { DEFAULT_FACTORS } from '../../../scene/materialSlots.ts';
import type { AlphaMode, SceneMaterial, SceneTextures, Vec3 } from '../../../scene/types.ts';
import { LayeredMaterial } from '../../layers/layeredMaterial.ts';
import { type Element, quote } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import { emissiveStrength } from '../extensions/materials/khrMaterialsEmissiveStrength.ts';
import {
  isSpecularGlossiness,
  specularGlossinessSurface,
} from '../extensions/materials/khrMaterialsPbrSpecularGlossiness.ts';
import { ignoredOfGlass } from '../extensions/materials/khrMaterialsTransmission.ts';
import { isUnlit, unlit } from '../extensions/materials/khrMaterialsUnlit.ts';
import { MATERIAL_LAYERS } from '../extensions/registry.ts';
import { statedCutoff, statedLayers, statedPlaces, statedUnits } from './keptMaterial.ts';
import { type StatedSurface, statedFactors, statedTextures, type TextureSlots } from './surface.ts';

const ALPHA_MODES: Readonly<Record<string, AlphaMode>> = { OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' };

/**
 * The material of primitives without one: the default values of every property (glTF 2.0, 3.9.6). `colored`: some of these
 * primitives have vertex colours. `keeps`: ImportOptions.keepsMaterials.
 */
export function defaultMaterial(colored: boolean, keeps: boolean): SceneMaterial {
  return {
    name: 'default_material',
    path: 'materials/default',
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    doubleSided: false,
    ...DEFAULT_FACTORS,
    textures: {},
    usesVertexColors: colored,
    ...(keeps ? { places: {} } : {}),
  };
}

/**
 * All materials of the file, by index; those in `colored` are drawn with vertex colours. `keeps`: ImportOptions.keepsMaterials.
 * Reports UC1307 and UC1308.
 */
export function readMaterials(
  root: Element,
  textures: TextureSlots,
  colored: ReadonlySet<number>,
  notes: Notes,
  keeps: boolean,
): SceneMaterial[] {
  return root.elements('materials').map((material, i) => {
    // No program draws the specular workflow any more: it is converted.
    const isKept = keeps && !isSpecularGlossiness(material);
    return readMaterial(material, textures, colored.has(i), notes, isKept);
  });
}

function readMaterial(
  material: Element,
  textures: TextureSlots,
  colored: boolean,
  notes: Notes,
  isKept: boolean,
): SceneMaterial {
  const { path, name } = material;
  const mode = material.string('alphaMode') ?? 'OPAQUE';
  const alphaMode = Object.hasOwn(ALPHA_MODES, mode)
    ? ALPHA_MODES[mode]
    : material.fail('UC1307', `alphaMode is ${quote(mode)}`);
  const surface = readSurface(material, textures, notes);
  const strength = emissiveStrength(material);
  const { baseColor } = surface.textures;
  const slots: SceneTextures = {
    ...surface.textures,
    // Alpha counts where the mode asks for it: in OPAQUE it is ignored (glTF 2.0, 3.9.4).
    ...(baseColor && alphaMode !== 'opaque'
      ? { opacity: { ...baseColor, channel: 'a', colorSpace: 'linear' } as const }
      : {}),
  };
  const read: SceneMaterial = {
    name,
    path,
    alphaMode,
    alphaCutoff: material.number('alphaCutoff', 0.5),
    doubleSided: material.boolean('doubleSided', false),
    ...surface,
    emissive: surface.emissive.map((value) => value * strength) as unknown as Vec3,
    textures: slots,
    usesVertexColors: colored,
  };
  if (isKept) {
    const layers = statedLayers(material, textures, notes);
    const places = statedPlaces(material, read.textures, textures);
    return {
      ...read,
      ...statedUnits(material, surface, notes),
      ...(alphaMode === 'mask' ? { alphaCutoff: statedCutoff(material, read.alphaCutoff, notes) } : {}),
      ...(layers.length > 0 ? { layers } : {}),
      places,
    };
  }
  if (isUnlit(material)) {
    notes.add('UC1360', '', path, name, (names) => `unlit: ${names}`);
    return unlit(read);
  }
  const { material: nearest, changes, ignored } = withoutLayers(material, read, textures);
  if (changes.length > 0) notes.add('UC1362', path, path, name, (names) => `${names}: ${changes.join('; ')}`);
  if (ignored.length > 0) notes.add('UC1221', path, path, name, (names) => `${names}: ${ignored.join(', ')}`);
  return nearest;
}

function readSurface(material: Element, textures: TextureSlots, notes: Notes): StatedSurface {
  const converted = specularGlossinessSurface(material, textures, notes);
  const stated = { ...statedFactors(material), textures: statedTextures(material, textures) };
  if (!converted) return stated;
  return { ...stated, ...converted, textures: { ...stated.textures, ...converted.textures } };
}

/** The nearest material without layers, a few words about each layer that changes something, and what is lost of glass. */
function withoutLayers(
  element: Element,
  material: SceneMaterial,
  textures: TextureSlots,
): { readonly material: SceneMaterial; readonly changes: readonly string[]; readonly ignored: readonly string[] } {
  const layered = new LayeredMaterial(material);
  const changes: string[] = [];
  for (const layer of MATERIAL_LAYERS) {
    const change = layer(element, layered, textures);
    if (change !== null) changes.push(change);
  }
  return { material: { ...material, ...layered.surface }, changes, ignored: ignoredOfGlass(element, layered) };
}
