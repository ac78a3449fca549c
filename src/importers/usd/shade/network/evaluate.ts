// Evaluates shading networks of UsdPreviewSurface and MaterialX nodes to expressions over images, primvars and
// constants. Each node is visited once, with an explicit stack, because networks can be deep and can share nodes.

import type { StagePrim } from '../../compose/stage/stage.ts';
import { componentsOf, numberOf, textOf } from '../../compose/values/values.ts';
import type { Notes } from '../../notes.ts';
import { encodingOf } from './colorSpaces.ts';
import { srgbToLinear } from './constantOperations.ts';
import { add, constant, constantsOf, type Expression, multiply, pick, sample, transform } from './expression.ts';
import { type Network, type Source, shaderId } from './network.ts';
import { OPERATIONS } from './nodeOperations.ts';
import type { Operands } from './operation.ts';

/** The value of an output, exact or approximate. */
export interface Evaluated {
  /** Null if not even an approximation is known. */
  readonly value: Expression | null;
  /** The first node that cannot be evaluated exactly; null if the value is exact. */
  readonly lost: StagePrim | null;
}

/** The names of nodes that sample images. */
const IMAGES = new Set([
  'UsdUVTexture',
  'image',
  'tiledimage',
  'hextiledimage',
  'gltf_image',
  'gltf_colorimage',
  'gltf_normalmap',
]);
/** The names of nodes that read primvars. */
const READERS = new Set(['UsdPrimvarReader', 'geompropvalue', 'geomcolor', 'texcoord']);

/**
 * The name of a node without its types: `multiply` for ND_multiply_color3FA, `gltf_image` for
 * ND_gltf_image_color3_color3_1_0, `UsdPrimvarReader` for UsdPrimvarReader_float2. '' for unknown nodes.
 */
export function nodeName(node: StagePrim): string {
  const id = shaderId(node);
  if (!id.startsWith('ND_')) return /^(UsdUVTexture|UsdPrimvarReader|UsdTransform2d)(?:_|$)/.exec(id)?.[1] ?? '';
  const parts = id.slice(3).split('_');
  for (let n = parts.length; n > 0; n--) {
    const name = parts.slice(0, n).join('_');
    if (IMAGES.has(name) || READERS.has(name) || OPERATIONS.has(name) || name === 'UsdTransform2d') return name;
  }
  return '';
}

/** Whether a node is one of MaterialX, whose inputs have other defaults than those of USD nodes. */
export function isMaterialX(node: StagePrim): boolean {
  return shaderId(node).startsWith('ND_');
}

const SIZES: Readonly<Record<string, number>> = { float: 1, integer: 1, boolean: 1, float2: 2, float3: 3, float4: 4 };

/** The component count of a node's result, from the last type in its identifier: 3 for ND_multiply_color3FA. */
function sizeOf(node: StagePrim): number {
  const parts = shaderId(node).split('_');
  for (const part of parts.reverse()) {
    const size = SIZES[part] ?? Number(/^(?:color|vector)([234])[A-Z]*\d?$/.exec(part)?.[1] ?? 0);
    if (size > 0) return size;
    if (/^(?:float|integer|boolean)[A-Z]+$/.test(part)) return 1;
  }
  return 3;
}

/** Inputs with the coordinates of a sample. The code that converts the texture reads them. */
const COORDINATES = new Set(['st', 'texcoord', 'position', 'viewdirection']);

/** The inputs whose value a node passes on or modifies, the most important first. They give the approximate value. */
const CARRYING = [
  ...['in', 'in1', 'fg', 'in2', 'bg', 'in3', 'in4', 'in5', 'value', 'color1', 'color2'],
  ...['valuel', 'valuer', 'valuet', 'valueb', 'valuetl', 'valuetr', 'valuebl', 'valuebr'],
];

/** Nodes whose result does not resemble their inputs, so that these give no approximation. */
const CONSUMING = /^(?:randomcolor|randomfloat|blackbody|heighttonormal|bump|artistic_ior)/;

interface Frame {
  readonly node: StagePrim;
  readonly output: string;
  readonly key: string;
  readonly inputs: ReadonlyMap<string, Source>;
  readonly waiting: Extract<Source, { kind: 'node' }>[];
}

const keyOf = (node: StagePrim, output: string): string => `${node.path}.${output}`;

export class Evaluator {
  readonly #network: Network;
  readonly #notes: Notes;
  readonly #known = new Map<string, Evaluated>();

  constructor(network: Network, notes: Notes) {
    this.#network = network;
    this.#notes = notes;
  }

  /** The value of an input of a shader; null if nothing feeds it. */
  input(node: StagePrim, name: string): Evaluated | null {
    const source = this.#network.input(node, name);
    if (source.kind === 'node') return this.output(source.node, source.output);
    const value = this.#constantOf(source);
    return value && { value, lost: null };
  }

  /** The value of an output of a node. A node in a loop has no value. */
  output(node: StagePrim, output: string): Evaluated {
    const open = new Set<string>();
    const stack: Frame[] = [];
    const enter = (at: StagePrim, out: string) => {
      const key = keyOf(at, out);
      if (this.#known.has(key)) return;
      if (open.has(key)) {
        this.#known.set(key, { value: null, lost: at });
        return;
      }
      open.add(key);
      stack.push(this.#frame(at, out, key));
    };
    enter(node, output);
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const next = frame.waiting.pop();
      if (next) {
        enter(next.node, next.output);
        continue;
      }
      stack.pop();
      // A node in a loop got its result while it was open.
      if (!this.#known.has(frame.key)) this.#known.set(frame.key, this.#evaluate(frame));
    }
    return this.#known.get(keyOf(node, output)) as Evaluated;
  }

  #frame(node: StagePrim, output: string, key: string): Frame {
    const inputs = new Map<string, Source>();
    const name = nodeName(node);
    const isImage = IMAGES.has(name);
    for (const property of node.propertyNames()) {
      if (!property.startsWith('inputs:')) continue;
      const input = property.slice('inputs:'.length);
      // Coordinates are read by the code that converts the texture, except for place2d, which computes with them.
      if (COORDINATES.has(input) && name !== 'place2d') continue;
      if (isImage && input !== 'factor' && input !== 'color' && input !== 'geomcolor') continue;
      inputs.set(input, this.#network.input(node, input));
    }
    const waiting = [...inputs.values()].filter((source) => source.kind === 'node').reverse();
    return { node, output, key, inputs, waiting };
  }

  #evaluate(frame: Frame): Evaluated {
    const { node, output } = frame;
    const name = nodeName(node);
    const read = new Map<Expression, StagePrim | null>();
    const uncertain: StagePrim[] = [];
    const operands: Operands = {
      output,
      size: sizeOf(node),
      text: (input) => textOf(this.#network.value(node, input)?.value) ?? '',
      value: (input, fallback) => {
        const source = frame.inputs.get(input);
        const found = source?.kind === 'node' ? this.#known.get(keyOf(source.node, source.output)) : undefined;
        if (found?.lost) uncertain.push(found.lost);
        const own = found
          ? found.value
          : (this.#constantOf(source) ?? constant(typeof fallback === 'number' ? [fallback] : fallback));
        if (own) read.set(own, found?.lost ?? null);
        return own;
      },
    };
    const value = this.#compute(name, node, operands);
    if (value === null) return { value: this.#nearest(frame, name), lost: uncertain[0] ?? node };
    // A node that passes one operand on is as exact as that operand.
    const passed = read.get(value);
    const lost = passed !== undefined ? passed : (uncertain[0] ?? null);
    return { value, lost: name === 'hextiledimage' ? node : lost };
  }

  #compute(name: string, node: StagePrim, operands: Operands): Expression | null {
    if (name === 'UsdTransform2d') return this.#transform2d(operands);
    if (IMAGES.has(name)) return this.#image(name, node, operands);
    if (READERS.has(name)) return this.#reader(name, node, operands.size);
    return OPERATIONS.get(name)?.(operands) ?? null;
  }

  /** UsdTransform2d: scales, rotates counter-clockwise in degrees, translates (UsdPreviewSurface specification 2.6). */
  #transform2d(operands: Operands): Expression | null {
    const value = operands.value('in', [0, 0]);
    const scale = operands.value('scale', [1, 1]);
    const move = operands.value('translation', [0, 0]);
    const rotation = operands.value('rotation', 0);
    const degrees = rotation && constantsOf(rotation)?.[0];
    if (!value || !scale || !move || degrees === null || degrees === undefined) return null;
    const c = Math.cos((degrees * Math.PI) / 180);
    const s = Math.sin((degrees * Math.PI) / 180);
    const scaled = multiply(value, scale);
    return (
      scaled &&
      add(
        transform(scaled, [
          [c, -s],
          [s, c],
        ]),
        move,
      )
    );
  }

  #reader(name: string, node: StagePrim, size: number): Expression | null {
    const channels = [0, 1, 2, 3].slice(0, size);
    const text = (input: string) => textOf(this.#network.value(node, input)?.value) ?? '';
    const index = numberOf(this.#network.value(node, 'index')?.value) ?? 0;
    const numbered = (base: string) => (index > 0 ? `${base}${index}` : base);
    const primvar =
      name === 'texcoord'
        ? numbered('st')
        : name === 'geomcolor'
          ? numbered('displayColor')
          : text(name === 'geompropvalue' ? 'geomprop' : 'varname');
    return primvar === '' ? null : sample({ kind: 'primvar', name: primvar, node }, channels);
  }

  #image(name: string, node: StagePrim, operands: Operands): Expression | null {
    const { output } = operands;
    const path = textOf(this.#network.value(node, 'file')?.value) ?? '';
    const all = path === '' ? this.#fallback(name, node) : sample({ kind: 'image', node }, [0, 1, 2, 3]);
    if (name === 'UsdUVTexture') return this.#uvTexture(node, output, all);
    if (name === 'gltf_colorimage') {
      const color = operands.value('color', 1);
      const geometry = operands.value('geomcolor', 1);
      const both = color && geometry && multiply(color, geometry);
      const result = both && multiply(all, both);
      return result && pick(result, output === 'outa' ? [3] : [0, 1, 2]);
    }
    const channels = [0, 1, 2, 3].slice(0, operands.size);
    const texel = pick(all, channels);
    if (name === 'gltf_normalmap') return { ...texel, normalScale: [1, 1] };
    const factor = name === 'gltf_image' ? operands.value('factor', 1) : null;
    return factor ? multiply(texel, factor) : texel;
  }

  /** The value of a texture without a file (UC1912). */
  #fallback(name: string, node: StagePrim): Expression {
    this.#notes.report('UC1912', node.path, 'inputs:file is empty; the fallback colour is used');
    const isUsd = name === 'UsdUVTexture';
    const own = this.#constantOf(this.#network.input(node, isUsd ? 'fallback' : 'default'));
    const values = (own && constantsOf(own)) ?? [];
    return constant([0, 1, 2, 3].map((c) => values[c] ?? (isUsd && c === 3 ? 1 : 0)));
  }

  #uvTexture(node: StagePrim, output: string, all: Expression): Expression | null {
    const factors = (name: string, fallback: number) => {
      const values = this.#constantOf(this.#network.input(node, name));
      return values?.components.length === 4 ? values : constant(Array(4).fill(fallback));
    };
    const scaled = multiply(all, factors('scale', 1));
    const texel = scaled && add(scaled, factors('bias', 0));
    const channel = 'rgba'.indexOf(output);
    if (!texel) return null;
    if (output.length === 1 && channel >= 0) return pick(texel, [channel]);
    return pick(texel, output === 'rgba' ? [0, 1, 2, 3] : [0, 1, 2]);
  }

  /** An authored value as linear numbers; null if there is none or it is not a finite number or tuple. */
  #constantOf(source: Source | undefined): Expression | null {
    if (source?.kind !== 'value') return null;
    const { value } = source.opinion;
    const size = value.array ? 0 : componentsOf(value.type);
    const number = numberOf(value);
    const numbers = number !== null ? [number] : size > 1 ? (value.value as readonly number[]) : [];
    if (numbers.length === 0 || !numbers.every(Number.isFinite)) return null;
    const encoding = size === 3 || size === 4 ? encodingOf(source.colorSpace) : null;
    if (encoding === null) return constant(numbers);
    if (!encoding.isExact) {
      this.#notes.report(
        'UC1962',
        source.attribute.path,
        `${source.colorSpace} is taken as ${encoding.encoding === 'srgb' ? 'sRGB' : 'linear Rec. 709'}`,
      );
    }
    if (encoding.encoding === 'linear') return constant(numbers);
    return constant(numbers.map((v, c) => (c < 3 ? srgbToLinear(v) : v)));
  }

  /** An approximation for a node that cannot be evaluated: the first image among its inputs, else the first value. */
  #nearest(frame: Frame, name: string): Expression | null {
    const id = shaderId(frame.node);
    if (id.startsWith('ND_') && CONSUMING.test(id.slice(3))) return null;
    const size = sizeOf(frame.node);
    let first: Expression | null = null;
    for (const input of CARRYING) {
      const source = frame.inputs.get(input);
      if (!source) continue;
      const found =
        source.kind === 'node' ? this.#known.get(keyOf(source.node, source.output))?.value : this.#constantOf(source);
      // An input with fewer components than the result, such as a mask, is no approximation of a colour.
      if (!found || (found.components.length < size && size > 1 && name !== 'convert')) continue;
      if (found.source?.kind === 'image') return found;
      first ??= found;
    }
    return first;
  }
}
