// Materials (glTF 2.0, 3.9) as the Scene's metallic-roughness model: packed textures taken apart into channels, factors
// multiplied with what extensions add, and a warning for each thing that the engine has no place for.

import { metallicOf } from '../../scene/specularGlossiness.ts';
import type {
  AlphaMode,
  SceneMaterial,
  SceneTextures,
  SpecularGlossiness,
  TextureUse,
  Vec3,
  Vec4,
} from '../../scene/types.ts';
import { type Element, quote } from './element.ts';
import { withoutLayers } from './layers.ts';
import type { Notes } from './notes.ts';
import type { SlotReading, Textures } from './textures.ts';

const ALPHA_MODES: Readonly<Record<string, AlphaMode>> = { OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' };
const COLOR: SlotReading = { channel: 'rgb', colorSpace: 'srgb' };

/**
 * The material of primitives that name none: the default values of every property (glTF 2.0, 3.9.6). `colored`: some of
 * them have vertex colours.
 */
export function defaultMaterial(colored: boolean): SceneMaterial {
  return {
    name: 'default_material',
    path: 'materials/default',
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    doubleSided: false,
    baseColor: [1, 1, 1, 1],
    metallic: 1,
    roughness: 1,
    emissive: [0, 0, 0],
    normalScale: 1,
    occlusionStrength: 1,
    textures: {},
    usesVertexColors: colored,
  };
}

interface Surface {
  readonly baseColor: Vec4;
  readonly metallic: number;
  readonly roughness: number;
  readonly textures: { baseColor?: TextureUse; metallic?: TextureUse; roughness?: TextureUse };
  readonly specularGlossiness?: SpecularGlossiness;
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
  const read: SceneMaterial = {
    name,
    path,
    alphaMode,
    alphaCutoff: material.number('alphaCutoff', 0.5),
    doubleSided: material.boolean('doubleSided', false),
    baseColor: surface.baseColor,
    metallic: surface.metallic,
    roughness: surface.roughness,
    emissive: emission.map((value) => value * strength) as unknown as Vec3,
    normalScale: material.child('normalTexture')?.number('scale', 1) ?? 1,
    occlusionStrength: material.child('occlusionTexture')?.number('strength', 1) ?? 1,
    textures: slots,
    usesVertexColors: colored,
    ...(surface.specularGlossiness && { specularGlossiness: surface.specularGlossiness }),
  };
  if (material.extension('KHR_materials_unlit')) {
    notes.add('UC1360', '', path, name, (names) => `made rough and not metallic: ${names}`);
    return unlit(read);
  }
  const flat = withoutLayers(material, read, textures);
  if (flat.said.length > 0) notes.add('UC1362', path, path, name, (names) => `${names}: ${flat.said.join('; ')}`);
  return flat.material;
}

/**
 * An unlit material is its base colour alone, and nothing else of it counts. As emission it would look the same in any
 * light, but the engine draws emission without its texture; lit and rough it keeps texture, vertex colours and alpha.
 */
function unlit(material: SceneMaterial): SceneMaterial {
  const { specularGlossiness: glossy, ...plain } = material;
  const { baseColor, opacity } = material.textures;
  const textures = { ...(baseColor && { baseColor }), ...(opacity && { opacity }) };
  const color: Vec4 = glossy ? [...glossy.diffuse, material.baseColor[3]] : material.baseColor;
  return { ...plain, baseColor: color, metallic: 0, roughness: 1, emissive: [0, 0, 0], textures };
}

function readSurface(material: Element, textures: Textures, notes: Notes): Surface {
  const core = material.child('pbrMetallicRoughness');
  const other = material.extension('KHR_materials_pbrSpecularGlossiness');
  if (other) {
    // Where the author wrote both, the metallic-roughness form is his own translation.
    const how = core ? 'its own metallic-roughness values are used' : 'converted';
    notes.add('UC1361', material.path, material.path, material.name, (names) => `${names}: ${how}`);
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

/**
 * KHR_materials_pbrSpecularGlossiness: factors by the conversion that Khronos publishes with it, roughness = 1 -
 * glossiness. Where there are textures, their texels are converted with the factors later.
 */
function fromSpecularGlossiness(ext: Element, textures: Textures): Surface {
  const [r, g, b, alpha] = ext.numbers('diffuseFactor', 4) ?? [1, 1, 1, 1];
  const diffuse: Vec3 = [r, g, b];
  const specular = (ext.numbers('specularFactor', 3) ?? [1, 1, 1]) as unknown as Vec3;
  const glossiness = ext.number('glossinessFactor', 1);
  const baseColor = textures.use(ext, 'diffuseTexture', COLOR);
  const metallic = textures.use(ext, 'specularGlossinessTexture', COLOR);
  const { color, metallic: factor } = metallicOf(diffuse, specular);
  return {
    baseColor: [...color, alpha],
    metallic: factor,
    roughness: 1 - glossiness,
    textures: {
      ...(baseColor && { baseColor }),
      ...(metallic && { metallic, roughness: { ...metallic, channel: 'a', colorSpace: 'linear' } }),
    },
    ...((baseColor || metallic) && { specularGlossiness: { diffuse, specular, glossiness } }),
  };
}
