// Converts MaterialX surface shaders (standard_surface 1.0.1, OpenPBR 1.1, gltf_pbr 2.0.1, disney_principled,
// surface_unlit) to surfaces. Fallbacks are those of the definitions in the MaterialX libraries.

import type { AlphaMode, Vec3 } from '../../../scene/types.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { type GlassModel, glassOf } from './glass.ts';
import { constant, constantsOf, type Expression, pick } from './network/expression.ts';
import { shaderId } from './network/network.ts';
import { SurfaceReader, type UsdSurface } from './surfaceReader.ts';
import type { ShadeContext } from './texture.ts';

type NumberInput = readonly [name: string, fallback: number];
type ColorInput = readonly [name: string, fallback: Vec3];

/** The inputs of a surface shader that correspond to metallic-roughness. A weight multiplies the colour before it. */
interface Model {
  readonly base: ColorInput;
  readonly baseWeight: NumberInput | null;
  readonly metallic: NumberInput;
  readonly roughness: NumberInput;
  readonly normal: string;
  readonly emission: ColorInput | null;
  readonly emissionWeight: NumberInput | null;
  readonly opacity: NumberInput | ColorInput | null;
  readonly occlusion: string | null;
  readonly glass: GlassModel;
  /** Inputs without a counterpart in the engine, with the value at which they have no effect. */
  readonly unused: Readonly<Record<string, number>>;
}

const WHITE: Vec3 = [1, 1, 1];
const grey = (v: number): Vec3 => [v, v, v];

const STANDARD: Model = {
  base: ['base_color', grey(0.8)],
  baseWeight: ['base', 1],
  metallic: ['metalness', 0],
  roughness: ['specular_roughness', 0.2],
  normal: 'normal',
  emission: ['emission_color', WHITE],
  emissionWeight: ['emission', 0],
  opacity: ['opacity', WHITE],
  occlusion: null,
  glass: {
    transmission: 'transmission',
    color: 'transmission_color',
    volume: null,
    ignored: {
      specular_IOR: 1.5,
      transmission_depth: 0,
      transmission_scatter: 0,
      transmission_dispersion: 0,
      transmission_extra_roughness: 0,
    },
  },
  unused: { coat: 0, subsurface: 0, sheen: 0, specular: 1, specular_IOR: 1.5, specular_anisotropy: 0 },
};

const MODELS: ReadonlyMap<string, Model> = new Map<string, Model>([
  ['ND_standard_surface_surfaceshader', STANDARD],
  ['ND_standard_surface_surfaceshader_100', { ...STANDARD, base: ['base_color', WHITE], baseWeight: ['base', 0.8] }],
  [
    'ND_open_pbr_surface_surfaceshader',
    {
      base: ['base_color', grey(0.8)],
      baseWeight: ['base_weight', 1],
      metallic: ['base_metalness', 0],
      roughness: ['specular_roughness', 0.3],
      normal: 'geometry_normal',
      emission: ['emission_color', WHITE],
      // The implementation of OpenPBR in the library uses the luminance as a plain factor.
      emissionWeight: ['emission_luminance', 0],
      opacity: ['geometry_opacity', 1],
      occlusion: null,
      glass: {
        transmission: 'transmission_weight',
        color: 'transmission_color',
        volume: null,
        ignored: {
          specular_ior: 1.5,
          transmission_depth: 0,
          transmission_scatter: 0,
          transmission_dispersion_scale: 0,
        },
      },
      unused: {
        coat_weight: 0,
        subsurface_weight: 0,
        fuzz_weight: 0,
        thin_film_weight: 0,
        specular_weight: 1,
        specular_ior: 1.5,
        specular_roughness_anisotropy: 0,
      },
    },
  ],
  [
    'ND_gltf_pbr_surfaceshader',
    {
      base: ['base_color', WHITE],
      baseWeight: null,
      metallic: ['metallic', 1],
      roughness: ['roughness', 1],
      normal: 'normal',
      emission: ['emissive', grey(0)],
      emissionWeight: ['emissive_strength', 1],
      opacity: ['alpha', 1],
      occlusion: 'occlusion',
      glass: {
        transmission: 'transmission',
        color: null,
        volume: { thickness: 'thickness', distance: 'attenuation_distance', color: 'attenuation_color' },
        ignored: { ior: 1.5, thickness: 0 },
      },
      unused: {
        clearcoat: 0,
        sheen_color: 0,
        iridescence: 0,
        specular: 1,
        ior: 1.5,
        anisotropy_strength: 0,
      },
    },
  ],
  [
    'ND_disney_principled',
    {
      base: ['baseColor', grey(0.16)],
      baseWeight: null,
      metallic: ['metallic', 0],
      roughness: ['roughness', 0.5],
      normal: '',
      emission: null,
      emissionWeight: null,
      opacity: null,
      occlusion: null,
      glass: { transmission: 'specTrans', color: null, volume: null, ignored: { ior: 1.5 } },
      unused: { clearcoat: 0, sheen: 0, subsurface: 0, specular: 0.5, ior: 1.5, anisotropic: 0 },
    },
  ],
]);

const UNLIT = 'ND_surface_unlit';

export function isMaterialXSurface(shader: StagePrim): boolean {
  const id = shaderId(shader);
  return id === UNLIT || MODELS.has(id);
}

/** An opacity as one number: of a constant colour the mean, of any other colour the first component (UC1963). */
function opacityOf(reader: SurfaceReader, input: NumberInput | ColorInput, shader: StagePrim, context: ShadeContext) {
  const [name, fallback] = input;
  if (typeof fallback === 'number') return reader.read(name, [fallback]);
  const color = reader.read(name, fallback);
  const values = constantsOf(color);
  if (values) return constant([values.reduce((sum, v) => sum + v, 0) / values.length]);
  const [first] = color.components;
  const isGrey = color.components.every((component) => component.weights.every((w, c) => w === first.weights[c]));
  if (!isGrey)
    context.notes.report(
      'UC1963',
      `${shader.path}.inputs:${name}`,
      'the opacity is a colour; its red component is used',
    );
  return pick(color, [0]);
}

interface Alpha {
  readonly mode: AlphaMode;
  readonly cutoff: number;
  readonly opacity: Expression;
}

const OPAQUE = constant([1]);

/** The alpha mode of a surface. gltf_pbr has an input for it; for the other shaders it follows from the opacity. */
function alphaOf(reader: SurfaceReader, model: Model, shader: StagePrim, context: ShadeContext): Alpha {
  const cutoff = reader.constant('alpha_cutoff') ?? 0.5;
  const isGltf = model.occlusion !== null;
  const mode = isGltf ? (reader.constant('alpha_mode') ?? 0) : null;
  if (model.opacity === null || mode === 0) return { mode: 'opaque', cutoff: 0.5, opacity: OPAQUE };
  const opacity = opacityOf(reader, model.opacity, shader, context);
  if (mode === 1) return { mode: 'mask', cutoff, opacity };
  const isOpaque = mode === null && (constantsOf(opacity)?.[0] ?? 0) >= 1;
  return { mode: isOpaque ? 'opaque' : 'blend', cutoff: 0.5, opacity };
}

/** Reads an unlit surface, which has only emission. */
function unlitSurface(shader: StagePrim, context: ShadeContext): UsdSurface {
  const reader = new SurfaceReader(shader, context);
  const emissive = reader.color(
    'emissive',
    'emission_color',
    reader.product('emission', 1, 'emission_color', WHITE),
    WHITE,
  );
  const opacity = reader.read('opacity', [1]);
  const alpha = reader.number('opacity', 'opacity', opacity, 1);
  reader.noteUnused({ transmission: 0 });
  const mode = (constantsOf(opacity)?.[0] ?? 0) >= 1 ? 'opaque' : 'blend';
  return reader.surface(
    { mode, cutoff: 0.5 },
    { base: [0, 0, 0], opacity: alpha, metallic: 0, roughness: 1, emissive },
  );
}

/** Reads a MaterialX surface shader for which `isMaterialXSurface` is true. */
export function materialXSurface(shader: StagePrim, context: ShadeContext): UsdSurface {
  const model = MODELS.get(shaderId(shader));
  if (!model) return unlitSurface(shader, context);
  const reader = new SurfaceReader(shader, context);
  const weighted = ([name, fallback]: ColorInput, weight: NumberInput | null) =>
    weight === null ? reader.read(name, fallback) : reader.product(weight[0], weight[1], name, fallback);
  const [baseName, baseFallback] = model.base;
  const isGlass = reader.uses(model.glass.transmission, 0);
  // A weight that is a number is multiplied into the colour of glass when it is known how much light passes.
  const weight = isGlass && model.baseWeight ? reader.constantOf(...model.baseWeight) : null;
  const baseColor = weighted(model.base, weight === null ? model.baseWeight : null);
  const base = reader.color('baseColor', baseName, baseColor, baseFallback);
  const [metallicName, metallicFallback] = model.metallic;
  const metallic = reader.number(
    'metallic',
    metallicName,
    reader.read(metallicName, [metallicFallback]),
    metallicFallback,
  );
  const [roughnessName, roughnessFallback] = model.roughness;
  const roughness = reader.number(
    'roughness',
    roughnessName,
    reader.read(roughnessName, [roughnessFallback]),
    roughnessFallback,
  );
  const emission = model.emission === null ? constant([0, 0, 0]) : weighted(model.emission, model.emissionWeight);
  const emissive = reader.color('emissive', model.emission?.[0] ?? '', emission, grey(0));
  const alpha = alphaOf(reader, model, shader, context);
  const opacity = reader.number('opacity', model.opacity?.[0] ?? '', alpha.opacity, 1);
  const occlusionStrength = model.occlusion === null ? 1 : reader.occlusion(model.occlusion);
  const normalScale = model.normal === '' ? 1 : reader.normal(model.normal);
  const hidden = model.occlusion !== null && reader.hidesOcclusion(model.occlusion) ? { [model.occlusion]: 1 } : {};
  const glass = isGlass ? glassOf(reader, model.glass, { base, weight: weight ?? 1, metallic, roughness }) : null;
  const own = (name: string) => glass === null || !(name in glass.ignored);
  const unused = Object.fromEntries(Object.entries(model.unused).filter(([name]) => own(name)));
  reader.noteUnused({ ...unused, ...hidden, ...(glass === null ? { [model.glass.transmission]: 0 } : {}) });
  if (glass) reader.noteUnused(glass.ignored, 'UC1221');
  return reader.surface(alpha, {
    base: glass?.base ?? (weight === null ? base : [base[0] * weight, base[1] * weight, base[2] * weight]),
    ...glass?.factors,
    opacity,
    metallic,
    roughness,
    emissive,
    normalScale,
    occlusionStrength,
  });
}
