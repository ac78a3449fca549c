// Materials (glTF 2.0, 3.9) as the Scene's metallic-roughness model: packed textures taken apart into channels, factors
// multiplied with what extensions add, and a warning for each thing that the engine has no place for.

import type { AlphaMode, SceneMaterial, SceneTextures, TextureUse, Vec3, Vec4 } from '../../scene/types.ts';
import { type Element, quote } from './element.ts';
import { UNHELD_MATERIAL_EXTENSIONS } from './extensions.ts';
import type { Notes } from './notes.ts';
import type { SlotReading, Textures } from './textures.ts';

const ALPHA_MODES: Readonly<Record<string, AlphaMode>> = { OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' };
const COLOR: SlotReading = { channel: 'rgb', colorSpace: 'srgb' };

/** What stands for a primitive with colours and no material: what the cook gives meshes without one, but coloured. */
export const COLORED_DEFAULT: SceneMaterial = {
  name: '',
  path: 'materials/default',
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  doubleSided: false,
  baseColor: [1, 1, 1, 1],
  metallic: 0,
  roughness: 0.5,
  emissive: [0, 0, 0],
  normalScale: 1,
  occlusionStrength: 1,
  textures: {},
  usesVertexColors: true,
};

interface Surface {
  readonly baseColor: Vec4;
  readonly metallic: number;
  readonly roughness: number;
  readonly textures: { baseColor?: TextureUse; metallic?: TextureUse; roughness?: TextureUse };
}

/** All materials of the file, by index; `colored` says which are drawn with vertex colours. UC1307, UC1308. */
export function readMaterials(
  root: Element,
  textures: Textures,
  colored: ReadonlySet<number>,
  notes: Notes,
): SceneMaterial[] {
  return root.elements('materials').map((material, i) => readMaterial(material, textures, colored.has(i), notes));
}

function readMaterial(material: Element, textures: Textures, colored: boolean, notes: Notes): SceneMaterial {
  const { path, name } = material;
  const mode = material.string('alphaMode') ?? 'OPAQUE';
  const alphaMode = Object.hasOwn(ALPHA_MODES, mode)
    ? ALPHA_MODES[mode]
    : material.fail('UC1307', `alphaMode is ${quote(mode)}`);
  const surface = readSurface(material, textures, notes);
  const emission = material.numbers('emissiveFactor', 3) ?? [0, 0, 0];
  const strength = material.extension('KHR_materials_emissive_strength')?.number('emissiveStrength', 1) ?? 1;
  const normal = textures.use(material, 'normalTexture', { channel: 'rgb', colorSpace: 'linear' });
  const occlusion = textures.use(material, 'occlusionTexture', { channel: 'r', colorSpace: 'linear' });
  const emissive = textures.use(material, 'emissiveTexture', COLOR);
  const { baseColor } = surface.textures;
  const slots: SceneTextures = {
    ...surface.textures,
    // Alpha counts where the mode asks for it: in OPAQUE it is ignored (glTF 2.0, 3.9.4).
    ...(baseColor && alphaMode !== 'opaque'
      ? { opacity: { ...baseColor, channel: 'a', colorSpace: 'linear' } as const }
      : {}),
    ...(normal && { normal }),
    ...(occlusion && { occlusion }),
    ...(emissive && { emissive }),
  };
  for (const extension of UNHELD_MATERIAL_EXTENSIONS) {
    if (!material.extension(extension)) continue;
    notes.add('UC1362', extension, path, name, (names) => `${extension} is left out of ${names}`);
  }
  const unlit = material.extension('KHR_materials_unlit') !== null;
  if (unlit) notes.add('UC1360', '', path, name, (names) => `made rough and not metallic: ${names}`);
  return {
    name,
    path,
    alphaMode,
    alphaCutoff: material.number('alphaCutoff', 0.5),
    doubleSided: material.boolean('doubleSided', false),
    baseColor: surface.baseColor,
    metallic: unlit ? 0 : surface.metallic,
    roughness: unlit ? 1 : surface.roughness,
    emissive: unlit ? [0, 0, 0] : (emission.map((value) => value * strength) as unknown as Vec3),
    normalScale: material.child('normalTexture')?.number('scale', 1) ?? 1,
    occlusionStrength: material.child('occlusionTexture')?.number('strength', 1) ?? 1,
    textures: unlit ? unlitSlots(slots) : slots,
    usesVertexColors: colored,
  };
}

/** An unlit material is its base colour alone. */
function unlitSlots({ baseColor, opacity }: SceneTextures): SceneTextures {
  return { ...(baseColor && { baseColor }), ...(opacity && { opacity }) };
}

function readSurface(material: Element, textures: Textures, notes: Notes): Surface {
  const core = material.child('pbrMetallicRoughness');
  const other = material.extension('KHR_materials_pbrSpecularGlossiness');
  if (other) {
    // Where the author wrote both, the metallic-roughness form is his own translation.
    const how = core ? 'its own metallic-roughness values are used' : 'converted';
    notes.add('UC1361', how, material.path, material.name, (names) => `${how}: ${names}`);
    if (!core) return fromSpecularGlossiness(other, textures);
  }
  if (!core) return { baseColor: [1, 1, 1, 1], metallic: 1, roughness: 1, textures: {} };
  const baseColor = textures.use(core, 'baseColorTexture', COLOR);
  const roughness = textures.use(core, 'metallicRoughnessTexture', { channel: 'g', colorSpace: 'linear' });
  return {
    baseColor: (core.numbers('baseColorFactor', 4) ?? [1, 1, 1, 1]) as unknown as Vec4,
    metallic: core.number('metallicFactor', 1),
    roughness: core.number('roughnessFactor', 1),
    textures: {
      ...(baseColor && { baseColor }),
      ...(roughness && { roughness, metallic: { ...roughness, channel: 'b' as const } }),
    },
  };
}

/** Reflectance of a dielectric at normal incidence in the metallic-roughness model. */
const DIELECTRIC = 0.04;

/** Perceived brightness, by which the extension's sample converter judges how metallic a colour is. */
function brightness([r, g, b]: readonly number[]): number {
  return Math.sqrt(0.299 * r * r + 0.587 * g * g + 0.114 * b * b);
}

/**
 * The conversion that Khronos publishes with the extension: metalness solves for the same diffuse and specular
 * brightness. A specular texture is not followed, its glossiness (alpha) is: roughness = 1 - glossiness.
 */
function fromSpecularGlossiness(ext: Element, textures: Textures): Surface {
  const diffuse = ext.numbers('diffuseFactor', 4) ?? [1, 1, 1, 1];
  const specular = ext.numbers('specularFactor', 3) ?? [1, 1, 1];
  const glossiness = ext.number('glossinessFactor', 1);
  const baseColor = textures.use(ext, 'diffuseTexture', COLOR);
  const reading = { channel: 'a', colorSpace: 'linear', scale: -glossiness, bias: 1 } as const;
  const roughness = textures.use(ext, 'specularGlossinessTexture', reading);
  const slots = { ...(baseColor && { baseColor }), ...(roughness && { roughness }) };
  if (roughness) return { baseColor: diffuse as unknown as Vec4, metallic: 0, roughness: 1, textures: slots };
  const strength = 1 - Math.max(...specular);
  const metallic = solveMetallic(brightness(diffuse), brightness(specular), strength);
  const color = [0, 1, 2].map((c) => {
    const fromDiffuse = (diffuse[c] * strength) / (1 - DIELECTRIC) / Math.max(1 - metallic, 1e-6);
    const fromSpecular = (specular[c] - DIELECTRIC * (1 - metallic)) / Math.max(metallic, 1e-6);
    const mixed = fromDiffuse + (fromSpecular - fromDiffuse) * metallic * metallic;
    return Math.min(Math.max(mixed, 0), 1);
  });
  return {
    baseColor: [color[0], color[1], color[2], diffuse[3]],
    metallic,
    roughness: 1 - glossiness,
    textures: slots,
  };
}

function solveMetallic(diffuse: number, specular: number, strength: number): number {
  if (specular <= DIELECTRIC) return 0;
  const b = (diffuse * strength) / (1 - DIELECTRIC) + specular - 2 * DIELECTRIC;
  const c = DIELECTRIC - specular;
  const root = Math.sqrt(Math.max(b * b - 4 * DIELECTRIC * c, 0));
  return Math.min(Math.max((-b + root) / (2 * DIELECTRIC), 0), 1);
}
