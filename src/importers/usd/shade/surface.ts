// UsdPreviewSurface (specification 2.6) as a SceneMaterial: inputs, fallbacks, alpha, and what of a texture's scale and
// bias a factor can hold.

import type { AlphaMode, SceneTextures, TextureSlot, TextureUse, Vec3, Vec4 } from '../../../scene/types.ts';
import type { Notes } from '../compose/notes.ts';
import type { StagePrim } from '../compose/stage.ts';
import { numberOf, tupleOf } from '../compose/values.ts';
import type { ImageTable } from './images.ts';
import { type Network, shaderId } from './network.ts';
import { CHANNEL_INDEX, isNode, ONE, readerVarname, type SlotKind, textureOf, ZERO } from './texture.ts';

/** The part of a SceneMaterial that the shading network decides. */
export interface Surface {
  readonly alphaMode: AlphaMode;
  readonly alphaCutoff: number;
  readonly baseColor: Vec4;
  readonly metallic: number;
  readonly roughness: number;
  readonly emissive: Vec3;
  readonly normalScale: number;
  readonly occlusionStrength: number;
  readonly textures: SceneTextures;
  /** Primvars that vertex colour and opacity are read from; null: not read. */
  readonly colorPrimvar: string | null;
  readonly opacityPrimvar: string | null;
}

/** Default grey of USD's fallback material and of UsdPreviewSurface's diffuseColor. */
export const GREY = 0.18;

/** What feeds an input, as far as it is understood. */
type Fed<T> =
  | { readonly kind: 'constant'; readonly value: T }
  | { readonly kind: 'texture'; readonly use: TextureUse; readonly hasScaleOrBias: boolean }
  | { readonly kind: 'primvar'; readonly name: string };

export interface ShadeContext {
  readonly network: Network;
  readonly images: ImageTable;
  readonly notes: Notes;
}

function inRange(v: number): boolean {
  return v >= 0 && v <= 1;
}

/** A texture whose scale and bias have gone into a factor. */
function plain(use: TextureUse): TextureUse {
  return { ...use, scale: ONE, bias: ZERO };
}

class SurfaceReader {
  readonly #shader: StagePrim;
  readonly #context: ShadeContext;
  readonly textures: Partial<Record<TextureSlot, TextureUse>> = {};

  constructor(shader: StagePrim, context: ShadeContext) {
    this.#shader = shader;
    this.#context = context;
  }

  /** A node that is not understood leaves the input's own value, else the fallback (UC1906). */
  #feed<T>(name: string, kind: SlotKind, fallback: T, read: (value: Vec4) => T, own: () => T | null): Fed<T> {
    const { network, images, notes } = this.#context;
    const source = network.input(this.#shader, name);
    if (source.kind !== 'node') return { kind: 'constant', value: own() ?? fallback };
    if (isNode(source.node, 'UsdUVTexture')) {
      const result = textureOf(source.node, source.output, kind, network, images, notes);
      if (result.kind === 'texture') return result;
      const { color } = result;
      const channel = CHANNEL_INDEX[source.output as 'r'] ?? 0;
      const isColor = source.output.startsWith('rgb');
      const value = color[channel];
      return { kind: 'constant', value: read(isColor ? color : [value, value, value, value]) };
    }
    if (isNode(source.node, 'UsdPrimvarReader') && (name === 'diffuseColor' || name === 'opacity')) {
      const primvar = readerVarname(source.node, network);
      if (primvar !== null) return { kind: 'primvar', name: primvar };
    }
    const what = shaderId(source.node) || 'a shader without an identifier';
    notes.say('UC1906', `${this.#shader.path}.inputs:${name}`, `fed by ${what} (${source.node.path})`);
    const authored = this.#shader.attribute(`inputs:${name}`)?.get()?.value;
    const tuple = tupleOf(authored, 3);
    const number = numberOf(authored);
    if (tuple) return { kind: 'constant', value: read([tuple[0], tuple[1], tuple[2], 1]) };
    return { kind: 'constant', value: number === null ? fallback : read([number, number, number, number]) };
  }

  color(name: string, fallback: Vec3): Fed<Vec3> {
    return this.#feed<Vec3>(
      name,
      'color',
      fallback,
      (v) => [v[0], v[1], v[2]],
      () => {
        const value = tupleOf(this.#context.network.value(this.#shader, name)?.value, 3);
        return value?.every(Number.isFinite) ? [value[0], value[1], value[2]] : null;
      },
    );
  }

  number(name: string, fallback: number): Fed<number> {
    return this.#feed<number>(
      name,
      'data',
      fallback,
      (v) => v[0],
      () => this.constant(name),
    );
  }

  /** The number of an input that no node feeds. */
  constant(name: string): number | null {
    const value = numberOf(this.#context.network.value(this.#shader, name)?.value);
    return value !== null && Number.isFinite(value) ? value : null;
  }

  constantColor(name: string): Vec3 | null {
    const value = tupleOf(this.#context.network.value(this.#shader, name)?.value, 3);
    return value?.every(Number.isFinite) ? [value[0], value[1], value[2]] : null;
  }

  /** A colour input as factor and texture; without bias the scale is the factor. */
  colorSlot(slot: 'baseColor' | 'emissive', fed: Fed<Vec3>, unbounded: boolean): Vec3 {
    if (fed.kind === 'constant') return fed.value;
    if (fed.kind === 'primvar') return [1, 1, 1];
    const { use } = fed;
    const single = use.channel !== 'rgb';
    const c = CHANNEL_INDEX[use.channel];
    const scale: Vec3 = single
      ? [use.scale[c], use.scale[c], use.scale[c]]
      : [use.scale[0], use.scale[1], use.scale[2]];
    const noBias = single ? use.bias[c] === 0 : use.bias[0] === 0 && use.bias[1] === 0 && use.bias[2] === 0;
    if (noBias && scale.every((v) => (unbounded ? v >= 0 : inRange(v)))) {
      this.textures[slot] = plain(use);
      return scale;
    }
    this.textures[slot] = use;
    return [1, 1, 1];
  }

  /** A number input as factor and texture. */
  numberSlot(slot: 'metallic' | 'roughness' | 'opacity', fed: Fed<number>): number {
    if (fed.kind === 'constant') return fed.value;
    if (fed.kind === 'primvar') return 1;
    const c = CHANNEL_INDEX[fed.use.channel];
    if (fed.use.bias[c] === 0 && inRange(fed.use.scale[c])) {
      this.textures[slot] = plain(fed.use);
      return fed.use.scale[c];
    }
    this.textures[slot] = fed.use;
    return 1;
  }

  /** Occlusion of strength s is 1 + s (texel - 1): scale s with bias 1 - s. A constant cannot be kept and is not seen. */
  occlusion(): number {
    const fed = this.number('occlusion', 1);
    if (fed.kind !== 'texture') return 1;
    const c = CHANNEL_INDEX[fed.use.channel];
    const strength = fed.use.scale[c];
    if (inRange(strength) && Math.abs(fed.use.bias[c] - (1 - strength)) < 1e-6) {
      this.textures.occlusion = plain(fed.use);
      return strength;
    }
    this.textures.occlusion = fed.use;
    return 1;
  }

  /**
   * The normal map. USD decodes n = texel · scale + bias, usually 2 t - 1; here the texel is encoded already, so what is
   * kept is t' = (n + 1) / 2. A common factor of x and y is the normal scale; a negative one turns the axis over, as in
   * maps with green down. A map without scale and bias is read as usual (UC1911).
   */
  normal(): number {
    const { network, images, notes } = this.#context;
    const source = network.input(this.#shader, 'normal');
    if (source.kind !== 'node') return 1;
    if (!isNode(source.node, 'UsdUVTexture')) {
      notes.say(
        'UC1906',
        `${this.#shader.path}.inputs:normal`,
        `fed by ${shaderId(source.node)} (${source.node.path})`,
      );
      return 1;
    }
    const result = textureOf(source.node, source.output, 'normal', network, images, notes);
    if (result.kind === 'constant') return 1;
    const { use, hasScaleOrBias } = result;
    if (!hasScaleOrBias) {
      notes.say('UC1911', source.node.path, 'scale and bias are not those of a normal map; 2 and -1 are used');
      this.textures.normal = plain(use);
      return 1;
    }
    const [sx, sy, sz] = use.scale;
    const [bx, by, bz] = use.bias;
    const near = (a: number, b: number) => Math.abs(a - b) < 1e-6;
    const strength = Math.abs(sx) / 2;
    const centred = near(bx, -sx / 2) && near(by, -sy / 2) && near(sz, 2) && near(bz, -1);
    if (strength > 0 && near(Math.abs(sy) / 2, strength) && centred) {
      const flip = (s: number): [number, number] => (s < 0 ? [-1, 1] : [1, 0]);
      const [x, y] = [flip(sx), flip(sy)];
      this.textures.normal = { ...use, scale: [x[0], y[0], 1, 1], bias: [x[1], y[1], 0, 0] };
      return strength;
    }
    this.textures.normal = {
      ...use,
      scale: [sx / 2, sy / 2, sz / 2, 1],
      bias: [(bx + 1) / 2, (by + 1) / 2, (bz + 1) / 2, 0],
    };
    return 1;
  }

  /** Says which authored inputs the engine cannot draw. */
  noteUnused(): void {
    const lost = ['clearcoat', 'displacement'].filter((name) => {
      const source = this.#context.network.input(this.#shader, name);
      return source.kind === 'node' || (numberOf(source.kind === 'value' ? source.opinion.value : null) ?? 0) !== 0;
    });
    if ((this.constant('ior') ?? 1.5) !== 1.5) lost.push('ior');
    if (lost.length > 0) this.#context.notes.say('UC1914', this.#shader.path, `not carried over: ${lost.join(', ')}`);
  }
}

/** Reflectance of a dielectric at normal incidence for an index of refraction of 1.5. */
const DIELECTRIC = 0.04;

function luminance(c: Vec3): number {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/**
 * Metallic and base colour that look nearest to a diffuse and a specular colour: metallic is how far the specular
 * colour's luminance lies between a dielectric's and a mirror's; a metal's colour is its specular colour.
 */
function fromSpecular(diffuse: Vec3, specular: Vec3): { metallic: number; base: Vec3 } {
  const metallic = Math.min(1, Math.max(0, (luminance(specular) - DIELECTRIC) / (1 - DIELECTRIC)));
  const mix = (c: 0 | 1 | 2) => Math.min(1, diffuse[c] * (1 - metallic) + specular[c] * metallic);
  return { metallic, base: [mix(0), mix(1), mix(2)] };
}

function clamp01(v: number): number {
  return Math.min(1, Math.max(0, v));
}

/** Reads a UsdPreviewSurface shader. */
export function previewSurface(shader: StagePrim, context: ShadeContext): Surface {
  const reader = new SurfaceReader(shader, context);
  const diffuse = reader.color('diffuseColor', [GREY, GREY, GREY]);
  let base = reader.colorSlot('baseColor', diffuse, false);
  let metallic: number;
  if ((reader.constant('useSpecularWorkflow') ?? 0) === 1) {
    const specular = reader.constantColor('specularColor') ?? [0, 0, 0];
    const { metallic: estimate, base: mixed } = fromSpecular(base, specular);
    metallic = estimate;
    if (diffuse.kind === 'constant') base = mixed;
    const textured = context.network.input(shader, 'specularColor').kind === 'node';
    if (metallic > 0 || textured) {
      const from = textured ? 'its specular texture is left out' : `metallic is estimated as ${metallic.toFixed(3)}`;
      context.notes.say('UC1905', shader.path, from);
    }
  } else {
    metallic = reader.numberSlot('metallic', reader.number('metallic', 0));
  }
  const roughness = reader.numberSlot('roughness', reader.number('roughness', 0.5));
  const emissive = reader.colorSlot('emissive', reader.color('emissiveColor', [0, 0, 0]), true);
  const opacitySource = reader.number('opacity', 1);
  const opacity = reader.numberSlot('opacity', opacitySource);
  const threshold = reader.constant('opacityThreshold') ?? 0;
  const isTransparent = opacitySource.kind !== 'constant' || opacity < 1;
  const occlusionStrength = reader.occlusion();
  const normalScale = reader.normal();
  reader.noteUnused();
  return {
    alphaMode: threshold > 0 ? 'mask' : isTransparent ? 'blend' : 'opaque',
    alphaCutoff: threshold > 0 ? threshold : 0.5,
    baseColor: [base[0], base[1], base[2], clamp01(opacity)],
    metallic: clamp01(metallic),
    roughness: clamp01(roughness),
    emissive: [Math.max(0, emissive[0]), Math.max(0, emissive[1]), Math.max(0, emissive[2])],
    normalScale,
    occlusionStrength,
    textures: reader.textures as SceneTextures,
    colorPrimvar: diffuse.kind === 'primvar' ? diffuse.name : null,
    opacityPrimvar: opacitySource.kind === 'primvar' ? opacitySource.name : null,
  };
}

const PLAIN: Surface = {
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  baseColor: [GREY, GREY, GREY, 1],
  metallic: 0,
  roughness: 0.5,
  emissive: [0, 0, 0],
  normalScale: 1,
  occlusionStrength: 1,
  textures: {},
  colorPrimvar: null,
  opacityPrimvar: null,
};

/** What a shape without material is drawn with: grey, or its displayColor; displayOpacity makes it transparent. */
export function displaySurface(color: boolean, opacity: boolean): Surface {
  return {
    ...PLAIN,
    baseColor: color ? [1, 1, 1, 1] : PLAIN.baseColor,
    alphaMode: opacity ? 'blend' : 'opaque',
    colorPrimvar: color ? 'displayColor' : null,
    opacityPrimvar: opacity ? 'displayOpacity' : null,
  };
}

/**
 * Names under which other shading systems keep what metallic-roughness has: MaterialX standard_surface, OpenPBR and
 * gltf_pbr, Arnold, MDL's OmniPBR. The first that is authored counts.
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

/** The constants of a surface shader that is no UsdPreviewSurface, as near as metallic-roughness has them. */
export function foreignSurface(shader: StagePrim, context: ShadeContext): Surface {
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

/** The surface of a material without a shader that is understood. */
export const MISSING_SURFACE: Surface = PLAIN;
