// UsdUVTexture, UsdTransform2d and UsdPrimvarReader (UsdPreviewSurface specification 2.6) as texture uses of a material.

import type { Channel, TextureUse, Vec4, Wrap } from '../../../scene/types.ts';
import type { Notes } from '../compose/notes.ts';
import type { StagePrim } from '../compose/stage.ts';
import { numberOf, textOf, tupleOf } from '../compose/values.ts';
import type { ImageTable } from './images.ts';
import { type Network, shaderId } from './network.ts';

/** Node identifiers that mean the same as the USD node: MaterialX has copies of them under names of its own. */
export function isNode(node: StagePrim, name: 'UsdUVTexture' | 'UsdTransform2d' | 'UsdPrimvarReader'): boolean {
  const id = shaderId(node);
  return id === name || id.startsWith(`${name}_`) || id === `ND_${name}` || id.startsWith(`ND_${name}_`);
}

type Affine = NonNullable<TextureUse['transform']>;

/** The affine of a UsdTransform2d on V-up coordinates: scaled, turned counter-clockwise by degrees, moved. */
function transform2d(node: StagePrim, network: Network): Affine {
  const turn = ((numberOf(network.value(node, 'rotation')?.value) ?? 0) * Math.PI) / 180;
  const [sx, sy] = tupleOf(network.value(node, 'scale')?.value, 2) ?? [1, 1];
  const [tx, ty] = tupleOf(network.value(node, 'translation')?.value, 2) ?? [0, 0];
  const c = Math.cos(turn);
  const s = Math.sin(turn);
  return [c * sx, s * sx, -s * sy, c * sy, tx, ty];
}

/** `second` after `first`. */
function chain(first: Affine | null, second: Affine): Affine {
  if (first === null) return second;
  const [a, b, c, d, tx, ty] = second;
  return [
    a * first[0] + c * first[1],
    b * first[0] + d * first[1],
    a * first[2] + c * first[3],
    b * first[2] + d * first[3],
    a * first[4] + c * first[5] + tx,
    b * first[4] + d * first[5] + ty,
  ];
}

/** The name of the primvar that a reader node reads; null when none is authored. Old files author a token. */
export function readerVarname(node: StagePrim, network: Network): string | null {
  return textOf(network.value(node, 'varname')?.value) || null;
}

interface Coordinates {
  readonly uvSet: string;
  readonly transform: Affine | null;
}

/** Where a texture's coordinates come from: through transforms to a primvar reader. */
function coordinates(texture: StagePrim, network: Network, notes: Notes): Coordinates {
  const transforms: Affine[] = [];
  const seen = new Set<StagePrim>();
  let source = network.input(texture, 'st');
  while (source.kind === 'node' && isNode(source.node, 'UsdTransform2d') && !seen.has(source.node)) {
    seen.add(source.node);
    transforms.push(transform2d(source.node, network));
    source = network.input(source.node, 'in');
  }
  const affine = transforms.reduceRight<Affine | null>((first, next) => chain(first, next), null);
  const varname =
    source.kind === 'node' && isNode(source.node, 'UsdPrimvarReader') ? readerVarname(source.node, network) : null;
  if (varname === null) {
    notes.say('UC1907', `${texture.path}.inputs:st`, 'the coordinates name no primvar; "st" is used');
  }
  return { uvSet: varname ?? 'st', transform: affine };
}

function wrapMode(texture: StagePrim, name: 'wrapS' | 'wrapT', network: Network, notes: Notes): Wrap {
  const mode = textOf(network.value(texture, name)?.value);
  if (mode === 'repeat' || mode === 'clamp' || mode === 'mirror' || mode === 'black') return mode;
  const what = mode === null ? 'is not authored' : `is ${mode}`;
  notes.say('UC1908', texture.path, `${name} ${what}; repeat is used`);
  return 'repeat';
}

const CHANNELS: Readonly<Record<string, Channel>> = { r: 'r', g: 'g', b: 'b', a: 'a', rgb: 'rgb', rgba: 'rgb' };
export const CHANNEL_INDEX: Readonly<Record<Channel, number>> = { r: 0, g: 1, b: 2, a: 3, rgb: 0 };

/** Whether a slot holds a colour or numbers. */
export type SlotKind = 'color' | 'data' | 'normal';

function colorSpace(texture: StagePrim, kind: SlotKind, channel: Channel, network: Network, notes: Notes) {
  const authored = textOf(network.value(texture, 'sourceColorSpace')?.value) ?? 'auto';
  if (authored === 'raw') return 'linear';
  if (kind === 'color') return 'srgb';
  // Alpha is never encoded.
  if (channel === 'a') return 'linear';
  if (authored === 'sRGB') {
    notes.say('UC1910', texture.path, 'sourceColorSpace is sRGB, but an input of data reads the texture');
    return 'srgb';
  }
  notes.say(
    'UC1909',
    texture.path,
    'sourceColorSpace is automatic and an input of data reads the texture: read as linear',
  );
  return 'linear';
}

/** What a texture node gives to an input: an image, or the fallback colour when it names no file. */
export type TextureResult =
  | { readonly kind: 'texture'; readonly use: TextureUse; readonly hasScaleOrBias: boolean }
  | { readonly kind: 'constant'; readonly color: Vec4 };

function vec4(texture: StagePrim, name: string, fallback: Vec4, network: Network): Vec4 {
  const value = tupleOf(network.value(texture, name)?.value, 4);
  return value?.every(Number.isFinite) ? [value[0], value[1], value[2], value[3]] : fallback;
}

export const ONE: Vec4 = [1, 1, 1, 1];
export const ZERO: Vec4 = [0, 0, 0, 0];

/** Reads the UsdUVTexture `texture` as the input of kind `kind` that its output `output` feeds. */
export function textureOf(
  texture: StagePrim,
  output: string,
  kind: SlotKind,
  network: Network,
  images: ImageTable,
  notes: Notes,
): TextureResult {
  const scale = vec4(texture, 'scale', ONE, network);
  const bias = vec4(texture, 'bias', ZERO, network);
  const file = network.value(texture, 'file');
  const path = textOf(file?.value);
  if (!file || !path) {
    notes.say('UC1912', texture.path, 'inputs:file names no file; the fallback colour is used');
    const fallback = vec4(texture, 'fallback', [0, 0, 0, 1], network);
    const color = fallback.map((v, c) => v * scale[c] + bias[c]);
    return { kind: 'constant', color: [color[0], color[1], color[2], color[3]] };
  }
  // A number read from a colour takes its first channel.
  const channel = CHANNELS[output] ?? 'rgb';
  const used: Channel = kind === 'data' && channel === 'rgb' ? 'r' : channel;
  const { uvSet, transform } = coordinates(texture, network, notes);
  return {
    kind: 'texture',
    hasScaleOrBias: scale.some((v) => v !== 1) || bias.some((v) => v !== 0),
    use: {
      image: images.use(path, file.layer, `${texture.path}.inputs:file`),
      uvSet,
      transform,
      wrapS: wrapMode(texture, 'wrapS', network, notes),
      wrapT: wrapMode(texture, 'wrapT', network, notes),
      channel: used,
      scale,
      bias,
      colorSpace: colorSpace(texture, kind, used, network, notes),
    },
  };
}
