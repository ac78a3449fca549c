// Reads the inputs of a surface shader as factors, textures and vertex colours of a SceneMaterial. If a factor can have
// the same effect as the scale and bias of a texture, the factor takes their part.

import { DEFAULT_FACTORS, type MaterialFactors, type TextureSlot } from '../../../scene/materialSlots.ts';
import type {
  AlphaMode,
  MaterialSurface,
  SceneMaterial,
  SpecularWorkflow,
  TextureUse,
  Vec3,
} from '../../../scene/types.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { numberOf, tupleOf } from '../compose/values/values.ts';
import { type Evaluated, isMaterialX } from './network/evaluate.ts';
import { constant, constantsOf, type Expression, multiply, sample } from './network/expression.ts';
import { shaderId } from './network/network.ts';
import { CHANNEL_INDEX, type FoundTexture, ONE, type ShadeContext, type SlotKind, textureOf, ZERO } from './texture.ts';

/** What the shading network says of a material, and the primvars of vertex colour and opacity; null if they are not used. */
export interface UsdSurface extends MaterialSurface, Pick<SceneMaterial, 'layers'> {
  readonly colorPrimvar: string | null;
  readonly opacityPrimvar: string | null;
}

export function clamp01(v: number): number {
  return Math.min(1, Math.max(0, v));
}

function inRange(v: number): boolean {
  return v >= 0 && v <= 1;
}

/** A texture without its scale and bias, which a factor replaces. */
function plain(use: TextureUse): TextureUse {
  return { ...use, scale: ONE, bias: ZERO };
}

/** What a shader says as numbers, before they are brought into their ranges. */
export interface ReadFactors extends Partial<Omit<MaterialFactors, 'baseColor'>> {
  readonly base: Vec3;
  readonly opacity: number;
  readonly metallic: number;
  readonly roughness: number;
  readonly specularWorkflow?: SpecularWorkflow;
  readonly transmissionTexture?: TextureUse;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6;

export class SurfaceReader {
  readonly #shader: StagePrim;
  readonly #context: ShadeContext;
  readonly textures: Partial<Record<TextureSlot, TextureUse>> = {};
  colorPrimvar: string | null = null;
  opacityPrimvar: string | null = null;

  constructor(shader: StagePrim, context: ShadeContext) {
    this.#shader = shader;
    this.#context = context;
  }

  /** The surface of what was read; a factor that is not given has no effect. */
  surface(
    { mode, cutoff }: { readonly mode: AlphaMode; readonly cutoff: number },
    { base, opacity, ...factors }: ReadFactors,
  ): UsdSurface {
    const [red, green, blue] = factors.emissive ?? DEFAULT_FACTORS.emissive;
    return {
      alphaMode: mode,
      alphaCutoff: cutoff,
      ...DEFAULT_FACTORS,
      ...factors,
      baseColor: [base[0], base[1], base[2], clamp01(opacity)],
      metallic: clamp01(factors.metallic),
      roughness: clamp01(factors.roughness),
      emissive: [Math.max(0, red), Math.max(0, green), Math.max(0, blue)],
      textures: this.textures,
      colorPrimvar: this.colorPrimvar,
      opacityPrimvar: this.opacityPrimvar,
    };
  }

  /** Whether an input has a value or a connection of its own. */
  isAuthored(name: string): boolean {
    return this.#context.evaluator.input(this.#shader, name) !== null;
  }

  /** The number of an input; null if it is not authored or a node feeds it. */
  constant(name: string): number | null {
    const value = numberOf(this.#context.network.value(this.#shader, name)?.value);
    return value !== null && Number.isFinite(value) ? value : null;
  }

  /** The number of an input that has one everywhere, also if nodes compute it; null if it varies. */
  constantOf(name: string, fallback: number): number | null {
    return constantsOf(this.read(name, [fallback]))?.[0] ?? null;
  }

  constantColor(name: string): Vec3 | null {
    const value = tupleOf(this.#context.network.value(this.#shader, name)?.value, 3);
    return value?.every(Number.isFinite) ? [value[0], value[1], value[2]] : null;
  }

  /**
   * The expression that feeds an input, or `fallback` if nothing is authored or the value has another size. If a node
   * cannot be evaluated, the result is an approximation, else the value of the input itself, else the fallback (UC1906,
   * UC1960).
   */
  read(name: string, fallback: readonly number[]): Expression {
    const { network, evaluator } = this.#context;
    const fed = evaluator.input(this.#shader, name);
    if (fed === null) return constant(fallback);
    if (network.input(this.#shader, name).kind === 'value') {
      return fed.value?.components.length === fallback.length ? fed.value : constant(fallback);
    }
    if (fed.lost === null && fed.value !== null) return fed.value;
    const value = fed.value ?? this.#own(name, fallback.length) ?? constant(fallback);
    this.#reportLost(name, fed, value);
    return value;
  }

  /** The authored value of an input that is connected. */
  #own(name: string, size: number): Expression | null {
    const authored = this.#shader.attribute(`inputs:${name}`)?.get()?.value;
    const tuple = tupleOf(authored, size);
    const number = size === 1 ? numberOf(authored) : null;
    return tuple ? constant(tuple) : number === null ? null : constant([number]);
  }

  #reportLost(name: string, { lost }: Evaluated, value: Expression): void {
    const node = lost ?? this.#shader;
    const element = `${this.#shader.path}.inputs:${name}`;
    const what = shaderId(node) || 'a shader without an identifier';
    if (!isMaterialX(node)) {
      this.#context.notes.report('UC1906', element, `fed by ${what} (${node.path})`);
      return;
    }
    const numbers = constantsOf(value)?.map((v) => Number(v.toFixed(4)));
    const used = numbers ? numbers.join(', ') : value.source?.kind === 'image' ? value.source.node.path : 'a primvar';
    this.#context.notes.report('UC1960', element, `computed by ${what} (${node.path}); ${used} is used`);
  }

  /** Reports that the expression of an input cannot be stored as one image with scale and bias. */
  #reportTooMuch(name: string, expression: Expression): void {
    const node = expression.source?.node ?? this.#shader;
    const element = `${this.#shader.path}.inputs:${name}`;
    const code = isMaterialX(this.#shader) || isMaterialX(node) ? 'UC1960' : 'UC1906';
    const what = expression.source?.kind === 'image' ? 'the image alone is used' : 'the default is used';
    this.#context.notes.report(code, element, `computed from ${shaderId(node)} (${node.path}); ${what}`);
  }

  #texture(name: string, expression: Expression, kind: SlotKind): FoundTexture | null {
    const { source } = expression;
    if (source?.kind !== 'image') return null;
    const found = textureOf(expression, kind, this.#context);
    if (found) return found;
    this.#reportTooMuch(name, expression);
    return textureOf(sample(source, [0, 1, 2]), kind, this.#context);
  }

  /** The primvar of an expression that is a primvar times a factor; null for other expressions. */
  #primvar(expression: Expression): { readonly name: string; readonly factor: readonly number[] } | null {
    const { source, components } = expression;
    if (source?.kind !== 'primvar') return null;
    const factor = components.map((component, i) => (component.bias === 0 ? component.weights[i] : -1));
    const isTint = factor.every((f) => f >= 0);
    const isAlone = components.every((component, i) => component.weights.every((w, c) => w === 0 || c === i));
    return isTint && isAlone ? { name: source.name, factor } : null;
  }

  /** Reads specularColor of the specular workflow. The slot of metallic holds its texture until the conversion. */
  specular(): Vec3 {
    const black: Vec3 = [0, 0, 0];
    return this.color('metallic', 'specularColor', this.read('specularColor', black), black);
  }

  /** Reads a colour input as factor and texture. Without a bias, the factor takes the scale of the texture. */
  color(slot: 'baseColor' | 'metallic' | 'emissive', name: string, expression: Expression, fallback: Vec3): Vec3 {
    const values = constantsOf(expression);
    if (values) return values.length >= 3 ? [values[0], values[1], values[2]] : [values[0], values[0], values[0]];
    const found = this.#texture(name, expression, 'color');
    if (found === null) {
      const primvar = slot === 'baseColor' ? this.#primvar(expression) : null;
      if (primvar === null || primvar.factor.length < 3) {
        this.#reportTooMuch(name, expression);
        return fallback;
      }
      this.colorPrimvar = primvar.name;
      return [primvar.factor[0], primvar.factor[1], primvar.factor[2]];
    }
    const { use, factor } = found;
    const isSingle = use.channel !== 'rgb';
    const c = CHANNEL_INDEX[use.channel];
    const channels = isSingle ? [c, c, c] : [0, 1, 2];
    const scale = channels.map((channel) => use.scale[channel]);
    const isUnbounded = slot === 'emissive';
    const isFactor = scale.every((v) => (isUnbounded ? v >= 0 : inRange(v)));
    if (isFactor && channels.every((channel) => use.bias[channel] === 0)) {
      this.textures[slot] = plain(use);
      return [scale[0] * factor[0], scale[1] * factor[1], scale[2] * factor[2]];
    }
    this.textures[slot] = use;
    return factor;
  }

  /** Reads a number input as factor and texture. */
  number(slot: TextureSlot, name: string, expression: Expression, fallback: number): number {
    const primvar = slot === 'opacity' ? this.#primvar(expression) : null;
    if (primvar !== null) {
      this.opacityPrimvar = primvar.name;
      return primvar.factor[0];
    }
    const { factor, use } = this.scalar(name, expression, fallback);
    if (use) this.textures[slot] = use;
    return factor;
  }

  /** A number as a factor and the texture that it multiplies; null: none. */
  scalar(name: string, expression: Expression, fallback: number): { factor: number; use: TextureUse | null } {
    const values = constantsOf(expression);
    if (values) return { factor: values[0], use: null };
    const found = this.#texture(name, expression, 'data');
    if (found === null) {
      this.#reportTooMuch(name, expression);
      return { factor: fallback, use: null };
    }
    const { use } = found;
    const c = CHANNEL_INDEX[use.channel];
    const isFactor = use.bias[c] === 0 && inRange(use.scale[c]);
    return isFactor ? { factor: use.scale[c], use: plain(use) } : { factor: 1, use };
  }

  /** The texture of a number, whose scale and bias stay its own; null: no texture decides it. */
  texture(name: string, expression: Expression): TextureUse | null {
    return constantsOf(expression) ? null : (this.#texture(name, expression, 'data')?.use ?? null);
  }

  /**
   * Reads occlusion as strength and texture. Occlusion with strength s is 1 + s (texel - 1): scale s and bias 1 - s.
   * The engine has no constant occlusion.
   */
  occlusion(name: string): number {
    const found = this.#texture(name, this.read(name, [1]), 'data');
    if (found === null) return 1;
    const { use } = found;
    const c = CHANNEL_INDEX[use.channel];
    const strength = use.scale[c];
    if (inRange(strength) && near(use.bias[c], 1 - strength)) {
      this.textures.occlusion = plain(use);
      return strength;
    }
    this.textures.occlusion = use;
    return 1;
  }

  /** Whether an input has a constant occlusion other than 1, which is lost. */
  hidesOcclusion(name: string): boolean {
    return (this.constant(name) ?? 1) !== 1;
  }

  /**
   * Reads the normal map and its strength. The stored texture gives the encoded normal t' = (n + 1) / 2. The input of
   * normalmap nodes in MaterialX has this encoding. USD decodes n = texel · scale + bias, usually 2 t - 1. A common
   * factor of x and y becomes the strength; a negative factor flips the axis, as in maps with green down. A map without
   * scale and bias is read with the usual ones (UC1911).
   */
  normal(name: string): number {
    const fed = this.#context.evaluator.input(this.#shader, name);
    if (fed === null || (fed.value !== null && constantsOf(fed.value) !== null && fed.lost === null)) return 1;
    // An approximation is usable as a normal only if a normal map node defines its encoding.
    const isNormal = fed.lost === null || fed.value?.normalScale !== undefined;
    if (fed.lost !== null) this.#reportLost(name, fed, isNormal && fed.value ? fed.value : constant([0, 0, 1]));
    if (!isNormal || fed.value === null) return 1;
    const found = this.#texture(name, fed.value, 'normal');
    if (found === null || found.use.channel !== 'rgb') {
      if (found !== null || fed.value.source?.kind === 'primvar') this.#reportTooMuch(name, fed.value);
      return 1;
    }
    const { use, hasScaleOrBias } = found;
    if (fed.value.normalScale) return this.#encodedNormal(use, fed.value.normalScale);
    if (!hasScaleOrBias) {
      const path = fed.value.source?.node.path ?? this.#shader.path;
      this.#context.notes.report('UC1911', path, 'the normal map has no scale and bias; 2 and -1 are used');
      this.textures.normal = use;
      return 1;
    }
    return this.#decodedNormal(use);
  }

  /** Stores a texture with encoded normals, whose x and y are multiplied by `factors`. Returns the strength. */
  #encodedNormal(use: TextureUse, factors: readonly [number, number]): number {
    const strength = Math.max(Math.abs(factors[0]), Math.abs(factors[1]));
    if (strength === 0) {
      this.textures.normal = use;
      return 0;
    }
    // If t encodes n, then t k + (1 - k) / 2 encodes n k.
    const [kx, ky] = [factors[0] / strength, factors[1] / strength];
    this.textures.normal = {
      ...use,
      scale: [use.scale[0] * kx, use.scale[1] * ky, use.scale[2], 1],
      bias: [use.bias[0] * kx + (1 - kx) / 2, use.bias[1] * ky + (1 - ky) / 2, use.bias[2], 0],
    };
    return strength;
  }

  /** Stores a texture whose scale and bias decode normals. Returns the strength. */
  #decodedNormal(use: TextureUse): number {
    const [sx, sy, sz] = use.scale;
    const [bx, by, bz] = use.bias;
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

  /** The product of two inputs, such as a weight and a colour; the second alone if the product has no form (UC1960). */
  product(weight: string, weightFallback: number, name: string, fallback: readonly number[]): Expression {
    const factor = this.read(weight, [weightFallback]);
    const color = this.read(name, fallback);
    const result = multiply(color, factor);
    if (result) return result;
    this.#reportTooMuch(weight, factor);
    return color;
  }

  /** Whether an input has an effect. The constant `idle` has none. */
  uses(name: string, idle: number): boolean {
    const source = this.#context.network.input(this.#shader, name);
    if (source.kind === 'none') return false;
    const color = source.kind === 'value' ? this.constantColor(name) : null;
    if (color) return color.some((v) => v !== idle);
    return source.kind === 'node' || (this.constant(name) ?? idle) !== idle;
  }

  /** Reports the inputs that have an effect but no counterpart in the engine. `inputs`: the idle value of each. */
  noteUnused(inputs: Readonly<Record<string, number>>, code: 'UC1914' | 'UC1221' = 'UC1914'): void {
    const lost = Object.keys(inputs).filter((name) => this.uses(name, inputs[name]));
    if (lost.length > 0) this.#context.notes.report(code, this.#shader.path, `not carried over: ${lost.join(', ')}`);
  }
}
