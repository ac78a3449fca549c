// MaterialX nodes that are not linear, so that only constants can be evaluated (MaterialX specification 1.39, "Math
// Nodes" and "Adjustment Nodes").

import { constant, constantsOf, type Expression } from './expression.ts';
import type { Operation } from './operation.ts';

/**
 * Applies a function to constants, component by component. A single component is used for all; null if not constant.
 */
export function fold(
  arguments_: readonly (Expression | null)[],
  f: (...values: number[]) => number,
): Expression | null {
  const lists: (readonly number[])[] = [];
  for (const argument of arguments_) {
    const values = argument && constantsOf(argument);
    if (!values) return null;
    lists.push(values);
  }
  const size = Math.max(...lists.map((list) => list.length));
  if (lists.some((list) => list.length !== size && list.length !== 1)) return null;
  const result = Array.from({ length: size }, (_, i) =>
    f(...lists.map((list) => (list.length === 1 ? list[0] : list[i]))),
  );
  return result.every(Number.isFinite) ? constant(result) : null;
}

const folded =
  (names: readonly (readonly [string, number])[], f: (...values: number[]) => number): Operation =>
  (operands) =>
    fold(
      names.map(([name, fallback]) => operands.value(name, fallback)),
      f,
    );

/** An operation on whole constant vectors. */
const vector =
  (names: readonly string[], f: (...vectors: (readonly number[])[]) => readonly number[]): Operation =>
  (operands) => {
    const vectors = names.map((name) => {
      const value = operands.value(name, 0);
      return value && constantsOf(value);
    });
    if (vectors.some((values) => values === null)) return null;
    const result = f(...(vectors as (readonly number[])[]));
    return result.every(Number.isFinite) ? constant(result) : null;
  };

function hsvOfRgb([r, g, b]: readonly number[]): number[] {
  const max = Math.max(r, g, b);
  const delta = max - Math.min(r, g, b);
  const sector =
    delta === 0 ? 0 : max === r ? ((g - b) / delta + 6) % 6 : max === g ? (b - r) / delta + 2 : (r - g) / delta + 4;
  return [sector / 6, max === 0 ? 0 : delta / max, max];
}

function rgbOfHsv([h, s, v]: readonly number[]): number[] {
  const channel = (n: number) => {
    const k = (n + (h - Math.floor(h)) * 6) % 6;
    return v - v * s * Math.max(0, Math.min(k, 4 - k, 1));
  };
  return [channel(5), channel(3), channel(1)];
}

/** An operation on a constant colour that keeps its alpha. */
const colorFunction = (f: (color: readonly number[]) => number[]): Operation =>
  vector(['in'], (color) => [...f(color.slice(0, 3)), ...color.slice(3)]);

/** Adds to the hue; multiplies saturation and value. */
const adjustHue = ([dh, ks, kv]: readonly number[]): Operation =>
  colorFunction((color) => {
    const [h, s, v] = hsvOfRgb(color);
    return rgbOfHsv([h + dh, s * ks, v * kv]);
  });

/** Decodes an sRGB component (IEC 61966-2-1). */
export function srgbToLinear(v: number): number {
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

const sign = (v: number) => Math.sign(v);
const length = (v: readonly number[]) => Math.hypot(...v);

export const CONSTANT_OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['absval', folded([['in', 0]], Math.abs)],
  ['floor', folded([['in', 0]], Math.floor)],
  ['ceil', folded([['in', 0]], Math.ceil)],
  ['round', folded([['in', 0]], (v) => Math.floor(v + 0.5))],
  ['fract', folded([['in', 0]], (v) => v - Math.floor(v))],
  ['sign', folded([['in', 0]], sign)],
  ['sin', folded([['in', 0]], Math.sin)],
  ['cos', folded([['in', 0]], Math.cos)],
  ['tan', folded([['in', 0]], Math.tan)],
  ['asin', folded([['in', 0]], Math.asin)],
  ['acos', folded([['in', 0]], Math.acos)],
  ['sqrt', folded([['in', 0]], Math.sqrt)],
  ['ln', folded([['in', 1]], Math.log)],
  ['exp', folded([['in', 0]], Math.exp)],
  [
    'atan2',
    folded(
      [
        ['iny', 0],
        ['inx', 1],
      ],
      Math.atan2,
    ),
  ],
  [
    'power',
    folded(
      [
        ['in1', 0],
        ['in2', 1],
      ],
      (a, b) => a ** b,
    ),
  ],
  [
    'safepower',
    folded(
      [
        ['in1', 0],
        ['in2', 1],
      ],
      (a, b) => Math.sign(a) * Math.abs(a) ** b,
    ),
  ],
  [
    'modulo',
    folded(
      [
        ['in1', 0],
        ['in2', 1],
      ],
      (a, b) => a - b * Math.floor(a / b),
    ),
  ],
  [
    'min',
    folded(
      [
        ['in1', 0],
        ['in2', 0],
      ],
      Math.min,
    ),
  ],
  [
    'max',
    folded(
      [
        ['in1', 0],
        ['in2', 0],
      ],
      Math.max,
    ),
  ],
  [
    'smoothstep',
    folded(
      [
        ['in', 0],
        ['low', 0],
        ['high', 1],
      ],
      (v, low, high) => {
        const t = Math.min(1, Math.max(0, (v - low) / (high - low)));
        return t * t * (3 - 2 * t);
      },
    ),
  ],
  ['normalize', vector(['in'], (v) => v.map((x) => x / length(v)))],
  ['magnitude', vector(['in'], (v) => [length(v)])],
  ['distance', vector(['in1', 'in2'], (a, b) => [length(a.map((v, i) => v - b[i]))])],
  [
    'crossproduct',
    vector(['in1', 'in2'], (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]),
  ],
  ['rgbtohsv', colorFunction(hsvOfRgb)],
  ['hsvtorgb', colorFunction(rgbOfHsv)],
  [
    'hsvadjust',
    (operands) => {
      const amount = operands.value('amount', [0, 1, 1]);
      const by = amount && constantsOf(amount);
      return by?.length === 3 ? adjustHue(by)(operands) : null;
    },
  ],
  ['srgb_texture_to_lin_rec709', colorFunction((color) => color.map(srgbToLinear))],
]);
