// Converts texture nodes to textures of a material: image, coordinates, wrap modes and colour space of UsdUVTexture
// (UsdPreviewSurface specification 2.6) and of MaterialX image nodes (MaterialX specification 1.39, "Texture Nodes").

import type { Channel, TextureUse, Vec2, Vec3, Vec4, Wrap } from '../../../scene/types.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { numberOf, textOf, tupleOf } from '../compose/values/values.ts';
import type { Notes } from '../notes.ts';
import type { ImageTable } from './images.ts';
import { encodingOf } from './network/colorSpaces.ts';
import { type Evaluator, isMaterialX, nodeName } from './network/evaluate.ts';
import { channelOf, constant, divide, type Expression, multiply, sample, subtract } from './network/expression.ts';
import { type Network, shaderId } from './network/network.ts';
import { placed } from './network/nodeOperations.ts';

export interface ShadeContext {
  readonly network: Network;
  readonly evaluator: Evaluator;
  readonly images: ImageTable;
  readonly notes: Notes;
  /** Whether what glTF has a place for is kept (ImportOptions.keepsMaterials). */
  readonly keepsLayers: boolean;
}

/** The primvar of UV0 in MaterialX. It is also used for textures without coordinates. */
const PRIMARY = 'st';

type Affine = NonNullable<TextureUse['transform']>;

interface Coordinates {
  readonly uvSet: string;
  readonly transform: Affine | null;
}

/** The affine transform of a linear expression over two channels; null for the identity. */
function affineOf({ components: [u, v] }: Expression): Affine | null {
  const affine = [u.weights[0], v.weights[0], u.weights[1], v.weights[1], u.bias, v.bias].map((x) => x + 0);
  const isIdentity = [1, 0, 0, 1, 0, 0].every((x, i) => affine[i] === x);
  return isIdentity ? null : [affine[0], affine[1], affine[2], affine[3], affine[4], affine[5]];
}

function pair(texture: StagePrim, name: string, fallback: Vec2, network: Network): Expression {
  return constant(tupleOf(network.value(texture, name)?.value, 2) ?? fallback);
}

/** The coordinates at which a node samples its image, given the coordinates `given` of its input. */
function transformedCoordinates(
  name: string,
  texture: StagePrim,
  given: Expression,
  network: Network,
): Expression | null {
  const two = (input: string, fallback: Vec2) => pair(texture, input, fallback, network);
  const number = (input: string) => numberOf(network.value(texture, input)?.value) ?? 0;
  if (name === 'tiledimage') {
    const tiled = multiply(given, two('uvtiling', [1, 1]));
    const moved = tiled && subtract(tiled, two('uvoffset', [0, 0]));
    const sized = moved && divide(moved, two('realworldimagesize', [1, 1]));
    return sized && multiply(sized, two('realworldtilesize', [1, 1]));
  }
  if (name === 'hextiledimage') return multiply(given, two('tiling', [1, 1]));
  if (!name.startsWith('gltf_')) return given;
  // The transform of glTF applies to coordinates; place2d applies to the image. The pivot is the texture origin of
  // glTF.
  const scale = divide(constant([1, 1]), two('scale', [1, 1]));
  const offset = multiply(two('offset', [0, 0]), constant([-1, 1]));
  const isTranslateFirst = name !== 'gltf_colorimage' && number('operationorder') === 1;
  return scale && offset && placed(given, two('pivot', [0, 1]), scale, -number('rotate'), offset, isTranslateFirst);
}

/** The coordinates of a texture: a primvar and an affine transform of it. */
function coordinates(texture: StagePrim, { network, evaluator, notes }: ShadeContext): Coordinates {
  const name = nodeName(texture);
  const input = name === 'UsdUVTexture' ? 'st' : 'texcoord';
  const fed = evaluator.input(texture, input);
  const primary = sample({ kind: 'primvar', name: PRIMARY, node: texture }, [0, 1]);
  // MaterialX defines a default for an input that is not connected. USD samples one texel, which is never intended.
  const isDefault = fed === null && isMaterialX(texture);
  const isKnown = fed?.lost === null && fed.value?.source?.kind === 'primvar' && fed.value.components.length >= 2;
  if (!isDefault && !isKnown) {
    const message =
      fed?.lost && isMaterialX(fed.lost)
        ? `the coordinates are computed by ${shaderId(fed.lost)}; "${PRIMARY}" is used`
        : `the coordinates name no primvar; "${PRIMARY}" is used`;
    notes.guessedUvs++;
    notes.report('UC1907', `${texture.path}.inputs:${input}`, message);
  }
  const given = isKnown && fed.value ? fed.value : primary;
  const result = transformedCoordinates(name, texture, given, network) ?? given;
  const source = result.source;
  return { uvSet: source?.kind === 'primvar' ? source.name : PRIMARY, transform: affineOf(result) };
}

const ADDRESS_MODES = new Map<string, Wrap>([
  ['periodic', 'repeat'],
  ['clamp', 'clamp'],
  ['mirror', 'mirror'],
  ['constant', 'black'],
]);

function wrapMode(texture: StagePrim, axis: 'S' | 'T', { network, notes }: ShadeContext): Wrap {
  const name = nodeName(texture);
  if (name !== 'UsdUVTexture') {
    // These nodes have no address modes.
    if (name === 'tiledimage' || name === 'hextiledimage' || name === 'gltf_colorimage') return 'repeat';
    const mode = textOf(network.value(texture, axis === 'S' ? 'uaddressmode' : 'vaddressmode')?.value);
    return ADDRESS_MODES.get(mode ?? 'periodic') ?? 'repeat';
  }
  const mode = textOf(network.value(texture, `wrap${axis}`)?.value);
  if (mode === 'repeat' || mode === 'clamp' || mode === 'mirror' || mode === 'black') return mode;
  // The UsdUVTexture of MaterialX defaults to periodic.
  if (mode === 'periodic' || (mode === null && isMaterialX(texture))) return 'repeat';
  const what = mode === null ? 'is not authored' : `is ${mode}`;
  notes.report('UC1908', texture.path, `wrap${axis} ${what}; repeat is used`);
  return 'repeat';
}

/** The kind of value that a material input holds. */
export type SlotKind = 'color' | 'data' | 'normal';

function colorSpace(texture: StagePrim, kind: SlotKind, channel: Channel, { network, notes }: ShadeContext) {
  const authored = textOf(network.value(texture, 'sourceColorSpace')?.value);
  const file = network.input(texture, 'file');
  const space = authored ?? (file.kind === 'value' ? file.colorSpace : '');
  const encoding = encodingOf(space);
  if (encoding && !encoding.isExact && kind === 'color') {
    const taken = encoding.encoding === 'srgb' ? 'sRGB' : 'linear Rec. 709';
    notes.report('UC1962', texture.path, `${space} is taken as ${taken}`);
  }
  if (encoding?.encoding === 'linear') return 'linear';
  // Alpha is never encoded.
  if (channel === 'a') return 'linear';
  if (kind === 'color') {
    if (encoding === null && isMaterialX(texture) && nodeName(texture) !== 'UsdUVTexture') {
      // In MaterialX, only colour types have a colour space.
      if (/_(?:float|vector[234])(?:_|$)/.test(shaderId(texture))) return 'linear';
      notes.report('UC1961', texture.path, 'no colour space is authored on inputs:file');
    }
    return 'srgb';
  }
  if (encoding !== null) {
    const named = authored === null ? 'its colour space' : 'sourceColorSpace';
    notes.report('UC1910', texture.path, `${named} is ${space}, but an input that is not a colour reads the texture`);
    return 'srgb';
  }
  if (!isMaterialX(texture)) {
    const message =
      'sourceColorSpace is automatic and an input that is not a colour reads the texture: it is read as linear';
    notes.report('UC1909', texture.path, message);
  }
  return 'linear';
}

const CHANNELS: readonly Channel[] = ['r', 'g', 'b', 'a'];
export const CHANNEL_INDEX: Readonly<Record<Channel, number>> = { r: 0, g: 1, b: 2, a: 3, rgb: 0 };
export const ONE: Vec4 = [1, 1, 1, 1];
export const ZERO: Vec4 = [0, 0, 0, 0];

interface Layout {
  readonly channel: Channel;
  readonly scale: Vec4;
  readonly bias: Vec4;
  /** For a colour that is one channel times a colour: that colour. */
  readonly factor: Vec3;
}

const WHITE: Vec3 = [1, 1, 1];

function single(c: number, scale: number, bias: number, factor: Vec3): Layout {
  // Give all colour channels the same scale and bias. Alpha keeps its own unless it is the channel.
  const of = (value: number, alpha: number): Vec4 =>
    c === 3 ? [alpha, alpha, alpha, value] : [value, value, value, alpha];
  return { channel: CHANNELS[c], scale: of(scale, 1), bias: of(bias, 0), factor };
}

/** The channels of an image that an expression reads, with scale and bias; null if a TextureUse cannot express it. */
function layoutOf({ components }: Expression, kind: SlotKind): Layout | null {
  const used = kind === 'data' || components.length < 3 ? components.slice(0, 1) : components.slice(0, 3);
  const channels = used.map(channelOf);
  const known = channels.filter((c): c is number => c !== null && c >= 0);
  if (channels.includes(null) || known.length === 0) return null;
  const weights = used.map((component, i) => (channels[i] === -1 ? 0 : component.weights[channels[i] as number]));
  const bias = used.map((component) => component.bias);
  if (used.length === 3 && channels.every((c, i) => c === i || c === -1)) {
    const scale: Vec4 = [weights[0], weights[1], weights[2], 1];
    return { channel: 'rgb', scale, bias: [bias[0], bias[1], bias[2], 0], factor: WHITE };
  }
  const [c] = known;
  if (known.some((other) => other !== c)) return null;
  if (weights.every((w) => w === weights[0]) && bias.every((b) => b === bias[0])) {
    return single(c, weights[0], bias[0], WHITE);
  }
  if (bias.some((b) => b !== 0) || weights.some((w) => w < 0)) return null;
  const scale = Math.max(1, ...weights);
  return single(c, scale, 0, [weights[0] / scale, weights[1] / scale, weights[2] / scale]);
}

export interface FoundTexture {
  readonly use: TextureUse;
  readonly factor: Vec3;
  /** The texture has a scale other than 1 or a bias other than 0. */
  readonly hasScaleOrBias: boolean;
}

/**
 * The texture of an expression over an image, for an input of the kind `kind`; null if a TextureUse cannot express it.
 * An input of kind data uses the first component of a colour.
 */
export function textureOf(expression: Expression, kind: SlotKind, context: ShadeContext): FoundTexture | null {
  const { source } = expression;
  if (source?.kind !== 'image') return null;
  const layout = layoutOf(expression, kind);
  if (layout === null) return null;
  const { node } = source;
  const file = context.network.value(node, 'file');
  if (file === null) return null;
  const { channel, scale, bias, factor } = layout;
  const { uvSet, transform } = coordinates(node, context);
  const use: TextureUse = {
    image: context.images.use(textOf(file.value) ?? '', file.layer, `${node.path}.inputs:file`),
    uvSet,
    transform,
    wrapS: wrapMode(node, 'S', context),
    wrapT: wrapMode(node, 'T', context),
    channel,
    scale,
    bias,
    colorSpace: colorSpace(node, kind, channel, context),
  };
  return { use, factor, hasScaleOrBias: scale.some((v) => v !== 1) || bias.some((v) => v !== 0) };
}
