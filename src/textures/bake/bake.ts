// Making new texels: samples one or two images in the layout of uv0, picks channels, applies scale and bias in linear
// light, turns normals with their UVs, and encodes for the slot. recipes.ts writes the recipe.

import { kernel } from '../../kernel/kernel.ts';
import { toMetallic } from '../../scene/specularWorkflow.ts';
import type { Vec3, Vec4, Wrap } from '../../scene/types.ts';
import type { Pixels } from '../decode/pixels.ts';
import { type Affine, isIdentity } from './affine.ts';
import { type Charts, createChartLookup, dilate } from './charts.ts';
import { ENCODE_STEPS, LINEAR_OF_SRGB_BYTE, srgbEncodeTable, UNIT_OF_BYTE } from './color.ts';
import { createSampler, shrink } from './sample.ts';

/** An image as a recipe samples it. */
export interface BakePart {
  /** Index into the images. */
  readonly image: number;
  /** From uv0 to the image's UVs. Null if charts map them. */
  readonly map: Affine | null;
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
  /** Decode red, green and blue from sRGB. */
  readonly srgb: boolean;
}

/** One output channel: texel * scale + bias of a part's channel (0 to 3); null: always 1. */
export interface BakeChannel {
  readonly part: number;
  readonly channel: number;
  readonly scale: number;
  readonly bias: number;
}

/** A linear colour: its three channels times the factor; the factor alone if there are none. */
export interface ConvertedColor {
  readonly channels: readonly BakeChannel[];
  readonly factor: Vec3;
}

/** Converts diffuse and specular colours: to red, green and blue of a base colour, or to metallic in blue. */
export interface Conversion {
  readonly to: 'baseColor' | 'metallic';
  readonly diffuse: ConvertedColor;
  readonly specular: ConvertedColor;
}

/** Plain data, so that equal recipes can be found by comparing them. Charts are passed separately. */
export interface Recipe {
  readonly parts: readonly BakePart[];
  /** Red, green, blue and, when there is a fourth, alpha. */
  readonly channels: readonly (BakeChannel | null)[];
  /** Encode red, green and blue as sRGB. */
  readonly srgb: boolean;
  /** The texels are tangent-space normals: they turn with the UVs. */
  readonly normals: boolean;
  /** Makes a base colour's red, green and blue, or metallic in blue; what it does not make comes from `channels`. */
  readonly conversion?: Conversion;
  readonly width: number;
  readonly height: number;
}

export interface Baked {
  /** channels.length bytes a pixel. */
  readonly data: Uint8Array;
  /** The channels in which a value was outside [0, 1] and was clipped: bit 0 for the first one. */
  readonly clipped: number;
}

const ALWAYS_ONE: ChannelTable = { map: new Uint8Array(256).fill(255), leaves: new Uint8Array(256) };

/** Values outside [0, 1] by less than this, half a step of a byte, are rounding and do not count as clipped. */
const CLIP = 0.5 / 255;

/**
 * How a map turns tangent space: the unit axes of uv0 in the tangent plane of the texture's UVs, [tx, ty, bx, by]. The
 * bitangent is perpendicular to the tangent, as the engine makes it; a map that mirrors turns it to the other side.
 */
export function tangentTurn(map: Affine): Vec4 {
  const length = Math.hypot(map[0], map[1]);
  if (length === 0) return [1, 0, 0, 1];
  const tx = map[0] / length;
  const ty = map[1] / length;
  const side = map[0] * map[3] - map[1] * map[2] < 0 ? -1 : 1;
  return [tx, ty, -ty * side, tx * side];
}

/** Whether a recipe moves no texel, and so turns no normal: each channel is then a table of 256 values. */
function isPointwise(recipe: Recipe, images: readonly Pixels[]): boolean {
  if (recipe.conversion) return false;
  return recipe.parts.every(
    (part, i) =>
      part.map !== null &&
      isIdentity(part.map) &&
      images[i].width === recipe.width &&
      images[i].height === recipe.height,
  );
}

function bakePointwise(recipe: Recipe, images: readonly Pixels[]): Baked {
  const size = recipe.channels.length;
  const tables = recipe.channels.map((from, c) => (from === null ? null : channelTable(recipe, from, c)));
  if (keepsTexels(recipe, tables)) return { data: images[0].data, clipped: 0 };
  const count = recipe.width * recipe.height;
  return kernel.within((memory) => {
    const placed = images.map(({ data }) => memory.put(data));
    const to = memory.allocate(count * size);
    let clipped = 0;
    recipe.channels.forEach((from, c) => {
      const { map, leaves } = tables[c] ?? ALWAYS_ONE;
      // Without a source any one will do: each of its bytes becomes 255.
      const source = placed[from?.part ?? 0] + (from?.channel ?? 0);
      const left = memory.calls.mapChannel(source, count, memory.put(map), memory.put(leaves), size, to + c);
      if (left === 1) clipped |= 1 << c;
    });
    return { data: memory.uint8(to, count * size).slice(), clipped };
  });
}

/** The byte that each byte of a channel becomes, and 1 for each that is clipped. */
interface ChannelTable {
  readonly map: Uint8Array;
  readonly leaves: Uint8Array;
}

/** Whether the result equals the recipe's only image byte for byte and needs no copy. */
function keepsTexels({ parts, channels }: Recipe, tables: readonly (ChannelTable | null)[]): boolean {
  if (parts.length !== 1 || channels.length !== 4) return false;
  return tables.every((table, c) => channels[c]?.channel === c && table?.map.every((to, from) => to === from));
}

function channelTable(recipe: Recipe, from: BakeChannel, c: number): ChannelTable {
  const decode = recipe.parts[from.part].srgb && from.channel !== 3 ? LINEAR_OF_SRGB_BYTE : UNIT_OF_BYTE;
  const encode = recipe.srgb && c !== 3 ? srgbEncodeTable() : null;
  const map = new Uint8Array(256);
  const leaves = new Uint8Array(256);
  for (let i = 0; i < 256; i++) {
    const value = decode[i] * from.scale + from.bias;
    if (value < -CLIP || value > 1 + CLIP) leaves[i] = 1;
    const kept = Math.min(1, Math.max(0, value));
    map[i] = encode ? encode[Math.round(kept * ENCODE_STEPS)] : Math.round(kept * 255);
  }
  return { map, leaves };
}

const ONE_TEXEL = Float64Array.of(1);
/** Gives 1 from ONE_TEXEL. */
const NO_CHANNEL: BakeChannel = { part: -1, channel: 0, scale: 1, bias: 0 };

/** Converts the texels sampled at one position, linear rgba each, to the first three values. */
function createConverter(conversion: Conversion, texels: readonly Float64Array[], values: Float64Array): () => void {
  const { to, diffuse, specular } = conversion;
  const channels = [diffuse, specular].flatMap(({ channels: read, factor }) =>
    factor.map((weight, c) => ({ ...(read[c] ?? NO_CHANNEL), weight, texel: texels[read[c]?.part] ?? ONE_TEXEL })),
  );
  const from = new Float64Array(6);
  const made = new Float64Array(4);
  return () => {
    for (let i = 0; i < 6; i++) {
      const { texel, channel, scale, bias, weight } = channels[i];
      from[i] = Math.min(Math.max((texel[channel] * scale + bias) * weight, 0), 1);
    }
    toMetallic(from, made);
    if (to === 'baseColor') for (let c = 0; c < 3; c++) values[c] = made[c];
    else values[2] = made[3];
  };
}

/** How many source texels one texel of the result covers along an axis of uv0; 1 if the source need not be shrunk. */
function reduction(map: Affine, image: Pixels, recipe: Recipe): number {
  const alongU = Math.hypot(map[0] * image.width, map[1] * image.height) / recipe.width;
  const alongV = Math.hypot(map[2] * image.width, map[3] * image.height) / recipe.height;
  // The smaller of both axes: one that the UVs squeeze must not blur the other.
  return Math.max(1, Math.min(alongU || alongV, alongV || alongU));
}

/**
 * Runs a recipe. `images`: the decoded image of each part. `charts`: those of the part without a map, of which there is at
 * most one; null if all parts have maps.
 */
export function bake(recipe: Recipe, images: readonly Pixels[], charts: Charts | null): Baked {
  if (isPointwise(recipe, images)) return bakePointwise(recipe, images);
  const { width, height, channels, parts } = recipe;
  const samplers = parts.map((part, i) => {
    const factor = part.map ? reduction(part.map, images[i], recipe) : (charts?.reduction ?? 1);
    const side = (n: number) => Math.max(1, Math.round(n / factor));
    const image =
      factor < 1.5 ? images[i] : shrink(images[i], side(images[i].width), side(images[i].height), part.srgb);
    return createSampler(image, part.wrapS, part.wrapT, part.srgb);
  });
  const lookup = charts ? createChartLookup(charts) : null;
  const texels = parts.map(() => new Float64Array(4));
  const encode = recipe.srgb ? srgbEncodeTable() : null;
  const size = channels.length;
  const data = new Uint8Array(width * height * size);
  const values = new Float64Array(4);
  const convert = recipe.conversion ? createConverter(recipe.conversion, texels, values) : null;
  let turn: Vec4 = recipe.normals && parts[0].map ? tangentTurn(parts[0].map) : [1, 0, 0, 1];
  let turnedBy: Affine | null = parts[0].map;
  let clipped = 0;
  for (let y = 0; y < height; y++) {
    const v = 1 - (y + 0.5) / height;
    for (let x = 0; x < width; x++) {
      const u = (x + 0.5) / width;
      const at = y * width + x;
      const triangle = charts ? charts.triangles[at] : 0;
      if (triangle < 0) continue;
      for (let p = 0; p < parts.length; p++) {
        const map: Affine = parts[p].map ?? lookup!(triangle, u, v);
        if (recipe.normals && map !== turnedBy) {
          turn = tangentTurn(map);
          turnedBy = map;
        }
        samplers[p](map[0] * u + map[2] * v + map[4], map[1] * u + map[3] * v + map[5], texels[p]);
      }
      for (let c = 0; c < size; c++) {
        const from = channels[c];
        values[c] = from === null ? 1 : texels[from.part][from.channel] * from.scale + from.bias;
      }
      convert?.();
      if (recipe.normals) {
        const nx = values[0] * 2 - 1;
        const ny = values[1] * 2 - 1;
        values[0] = (nx * turn[0] + ny * turn[1]) / 2 + 0.5;
        values[1] = (nx * turn[2] + ny * turn[3]) / 2 + 0.5;
      }
      for (let c = 0; c < size; c++) {
        const value = values[c];
        if (value < -CLIP || value > 1 + CLIP) clipped |= 1 << c;
        const kept = Math.min(1, Math.max(0, value));
        data[at * size + c] =
          encode !== null && c < 3 ? encode[Math.round(kept * ENCODE_STEPS)] : Math.round(kept * 255);
      }
    }
  }
  if (charts) dilate(data, size, charts);
  return { data, clipped };
}
