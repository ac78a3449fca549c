// Reads surface shaders: UsdPreviewSurface (specification 2.6), and the constants of shaders of other renderers. Also
// has the surfaces of shapes without a material.

import type { GltfLayer, GltfLayerName } from '../../../scene/gltfMaterial.ts';
import { DEFAULT_FACTORS, MATERIAL_SLOTS, type TextureSlot } from '../../../scene/materialSlots.ts';
import { convertedFactors } from '../../../scene/specularWorkflow.ts';
import type { SpecularWorkflow, Vec3 } from '../../../scene/types.ts';
import { COATED, coat } from '../../layers/clearcoat.ts';
import { LayeredMaterial } from '../../layers/layeredMaterial.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { constantsOf } from './network/expression.ts';
import { clamp01, SurfaceReader, type UsdSurface } from './surfaceReader.ts';
import type { ShadeContext } from './texture.ts';

/** The default of diffuseColor in UsdPreviewSurface, and the grey of USD's fallback material. */
const GREY = 0.18;

/** Inputs without a counterpart in the engine, with the value at which they have no effect. */
const UNUSED = { clearcoat: 0, ior: 1.5, displacement: 0 } as const;

/** What glTF has an extension for, where it is constant. */
function previewLayers(reader: SurfaceReader, coating: Coat | null, isSpecular: boolean): GltfLayer[] {
  const layers: GltfLayer[] = [];
  if (coating) {
    const values = { clearcoatFactor: coating.factor, clearcoatRoughnessFactor: coating.roughness };
    layers.push({ name: 'KHR_materials_clearcoat', values, textures: {} });
  }
  // The specular colour takes its place.
  const ior = isSpecular ? null : reader.constantOf('ior', UNUSED.ior);
  if (ior !== null && ior >= 1 && ior !== UNUSED.ior) {
    layers.push({ name: 'KHR_materials_ior', values: { ior }, textures: {} });
  }
  return layers;
}

const inputOf = (slot: TextureSlot): string => MATERIAL_SLOTS[slot].usd;

/** Base colour and metallic of the specular workflow. Reports UC1905 if a texel can become metallic. */
function convertedColors(
  reader: SurfaceReader,
  workflow: SpecularWorkflow,
  shader: StagePrim,
  { notes }: ShadeContext,
): ReturnType<typeof convertedFactors> {
  const { baseColor, metallic: specular } = reader.textures;
  const converted = convertedFactors(workflow, baseColor !== undefined, specular !== undefined);
  const { metallic, specularWorkflow } = converted;
  if (specularWorkflow || metallic > 0) {
    const how = specularWorkflow ? 'its textures are converted' : `metallic is estimated as ${metallic.toFixed(3)}`;
    notes.report('UC1905', shader.path, how);
  }
  return converted;
}

/** Whether an identifier is that of UsdPreviewSurface, as USD or MaterialX names it. */
export const isPreviewSurface = (id: string): boolean =>
  id === 'UsdPreviewSurface' || id === 'ND_UsdPreviewSurface_surfaceshader';

/** Reads a UsdPreviewSurface shader. `isDisplaced`: its displacement is the height map of the material. */
export function previewSurface(shader: StagePrim, context: ShadeContext, isDisplaced: boolean): UsdSurface {
  const reader = new SurfaceReader(shader, context);
  const number = (slot: TextureSlot, usual: number): number =>
    reader.number(slot, inputOf(slot), reader.read(inputOf(slot), [usual]), usual);
  const grey: Vec3 = [GREY, GREY, GREY];
  const diffuse = reader.read(inputOf('baseColor'), grey);
  const color = reader.color('baseColor', inputOf('baseColor'), diffuse, grey);
  const isSpecular = (reader.constant('useSpecularWorkflow') ?? 0) === 1;
  const specular = isSpecular ? reader.specular() : null;
  const metallic = isSpecular ? 0 : number('metallic', 0);
  const roughness = number('roughness', 0.5);
  const { color: base, ...converted } = specular
    ? convertedColors(reader, { diffuse: color, specular, roughness }, shader, context)
    : { color, metallic };
  const emission = reader.read(inputOf('emissive'), [0, 0, 0]);
  const emissive = reader.color('emissive', inputOf('emissive'), emission, [0, 0, 0]);
  const opacitySource = reader.read(inputOf('opacity'), [1]);
  const opacity = reader.number('opacity', inputOf('opacity'), opacitySource, 1);
  const threshold = reader.constant('opacityThreshold') ?? 0;
  const isTransparent = constantsOf(opacitySource) === null || opacity < 1;
  const occlusionStrength = reader.occlusion(inputOf('occlusion'));
  const normalScale = reader.normal(inputOf('normal'));
  const coating = coatOf(reader);
  const layers = context.keepsLayers ? previewLayers(reader, coating, isSpecular) : [];
  const isKept = (layer: GltfLayerName) => layers.some(({ name }) => name === layer);
  const isMixed = !context.keepsLayers && reader.colorPrimvar === null && converted.specularWorkflow === undefined;
  const isCoated = coating !== null && isMixed;
  const { clearcoat, ior, displacement } = UNUSED;
  reader.noteUnused({
    ...(isCoated || isKept('KHR_materials_clearcoat') ? {} : { clearcoat }),
    ...(isKept('KHR_materials_ior') ? {} : { ior }),
    ...(isDisplaced ? {} : { displacement }),
    ...(reader.hidesOcclusion(inputOf('occlusion')) ? { occlusion: 1 } : {}),
  });
  const alpha =
    threshold > 0
      ? ({ mode: 'mask', cutoff: threshold } as const)
      : ({ mode: isTransparent ? 'blend' : 'opaque', cutoff: 0.5 } as const);
  const factors = { base, opacity, roughness, emissive, normalScale, occlusionStrength, ...converted };
  if (!isLightAlone(reader, base, emissive)) {
    const surface = { ...reader.surface(alpha, factors), ...(layers.length > 0 ? { layers } : {}) };
    return isCoated ? coated(surface, coating, shader, context) : surface;
  }
  context.notes.report('UC1918', shader.path, 'emission alone');
  return reader.surface(alpha, { ...factors, base: [0, 0, 0], metallic: 0, roughness: 1 });
}

interface Coat {
  /** 0 to 1. */
  readonly factor: number;
  readonly roughness: number;
}

/** The roughness of a coat that says none. */
const COAT_ROUGHNESS = 0.01;

/** A coat of constants; null: there is none, or it varies. */
function coatOf(reader: SurfaceReader): Coat | null {
  const factor = clamp01(reader.constantOf('clearcoat', 0) ?? 0);
  const roughness = reader.constantOf('clearcoatRoughness', COAT_ROUGHNESS);
  return factor > 0 && roughness !== null ? { factor, roughness: clamp01(roughness) } : null;
}

/** A surface below a coat, as one of glTF: its highlight replaces that of a dielectric, and the base colour gets whiter. */
function coated(
  surface: UsdSurface,
  { factor, roughness }: Coat,
  shader: StagePrim,
  { notes }: ShadeContext,
): UsdSurface {
  const layered = new LayeredMaterial(surface);
  const changed = coat(layered, factor, roughness);
  notes.report('UC1914', shader.path, `clearcoat ${changed === null ? 'left out' : COATED[changed]}`);
  return { ...surface, ...layered.surface };
}

/** Inputs of which one alone says that light is to show on a surface. */
const LIT = ['metallic', 'roughness', 'specularColor', 'clearcoat', 'normal'];

/** Whether a surface gives light and says nothing of what light does at it. */
function isLightAlone(reader: SurfaceReader, base: Vec3, emissive: Vec3): boolean {
  if (emissive.every((value) => value <= 0) || LIT.some((name) => reader.isAuthored(name))) return false;
  const isBlack = reader.textures.baseColor === undefined && base.every((value) => value <= 0);
  return isBlack || !reader.isAuthored(inputOf('baseColor'));
}

const PLAIN: UsdSurface = {
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  ...DEFAULT_FACTORS,
  baseColor: [GREY, GREY, GREY, 1],
  metallic: 0,
  roughness: 0.5,
  textures: {},
  colorPrimvar: null,
  opacityPrimvar: null,
};

/** The surface of a shape without a material: grey, or its displayColor; transparent if it has displayOpacity. */
export function displaySurface(color: boolean, opacity: boolean): UsdSurface {
  return {
    ...PLAIN,
    baseColor: color ? [1, 1, 1, 1] : PLAIN.baseColor,
    alphaMode: opacity ? 'blend' : 'opaque',
    colorPrimvar: color ? 'displayColor' : null,
    opacityPrimvar: opacity ? 'displayOpacity' : null,
  };
}

/**
 * The names of metallic-roughness inputs in other shading systems (Arnold, OmniPBR …). The first that is authored
 * counts.
 */
const FOREIGN = {
  base: ['base_color', 'baseColor', 'diffuse_color_constant', 'diffuse_tint', 'diffuseColor', 'diffuse_color', 'color'],
  weight: ['base', 'base_weight'],
  metallic: ['metalness', 'base_metalness', 'metallic', 'metallic_constant'],
  roughness: ['specular_roughness', 'roughness', 'reflection_roughness_constant'],
  emission: ['emission', 'emissive_strength', 'emission_weight'],
  emissive: ['emission_color', 'emissive', 'emissiveColor', 'emissive_color'],
  opacity: ['opacity', 'geometry_opacity', 'alpha', 'opacity_constant'],
} as const;

/** An approximate surface from the constants of a shader of another renderer. */
export function foreignSurface(shader: StagePrim, context: ShadeContext): UsdSurface {
  const reader = new SurfaceReader(shader, context);
  const number = (names: readonly string[]) => {
    for (const name of names) {
      const value = reader.constant(name);
      if (value !== null) return value;
      const color = reader.constantColor(name);
      if (color) return (color[0] + color[1] + color[2]) / 3;
    }
    return null;
  };
  const color = (names: readonly string[]) => {
    for (const name of names) {
      const value = reader.constantColor(name);
      if (value) return value;
    }
    return null;
  };
  const weight = number(FOREIGN.weight) ?? 1;
  const base = color(FOREIGN.base) ?? [GREY, GREY, GREY];
  const strength = number(FOREIGN.emission) ?? (color(['emissive']) ? 1 : 0);
  const emissive = strength > 0 ? (color(FOREIGN.emissive) ?? [1, 1, 1]) : [0, 0, 0];
  const opacity = clamp01(number(FOREIGN.opacity) ?? 1);
  return {
    ...PLAIN,
    baseColor: [clamp01(base[0] * weight), clamp01(base[1] * weight), clamp01(base[2] * weight), opacity],
    alphaMode: opacity < 1 ? 'blend' : 'opaque',
    metallic: clamp01(number(FOREIGN.metallic) ?? 0),
    roughness: clamp01(number(FOREIGN.roughness) ?? 0.5),
    emissive: [emissive[0] * strength, emissive[1] * strength, emissive[2] * strength],
  };
}

/** The surface of a material without a surface shader. */
export const MISSING_SURFACE: UsdSurface = PLAIN;
