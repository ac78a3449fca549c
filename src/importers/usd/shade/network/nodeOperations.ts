// MaterialX nodes that compute values from values (MaterialX specification 1.39, "Standard Operator Nodes"), as
// operations on expressions. Linear operations apply to images and primvars; all operations apply to constants.
// Fallbacks of inputs are those of the standard library.

import { CONSTANT_OPERATIONS, fold } from './constantOperations.ts';
import {
  add,
  concatenate,
  constant,
  constantsOf,
  divide,
  type Expression,
  multiply,
  pick,
  rangeOf,
  subtract,
  transform,
} from './expression.ts';
import type { Operands, Operation } from './operation.ts';

const unary =
  (f: (a: Expression) => Expression | null): Operation =>
  (operands) => {
    const a = operands.value('in', 0);
    return a && f(a);
  };

const binary =
  (
    first: string,
    second: string,
    fallback: number,
    f: (a: Expression, b: Expression) => Expression | null,
  ): Operation =>
  (operands) => {
    const a = operands.value(first, 0);
    const b = operands.value(second, fallback);
    return a && b && f(a, b);
  };

/** bg + (fg - bg) mix. */
function blend(fg: Expression, bg: Expression, mix: Expression): Expression | null {
  const amounts = constantsOf(mix);
  if (amounts?.every((amount) => amount === 0)) return bg;
  if (amounts?.every((amount) => amount === 1)) return fg;
  const difference = subtract(fg, bg);
  const part = difference && multiply(difference, mix);
  return part && add(bg, part);
}

const mix: Operation = (operands) => {
  const fg = operands.value('fg', 0);
  const bg = operands.value('bg', 0);
  const amount = operands.value('mix', 0);
  return fg && bg && amount && blend(fg, bg, amount);
};

/** A compositing node: applies `f` to foreground and background, and mixes the result with the background. */
const composite =
  (f: (fg: Expression, bg: Expression) => Expression | null): Operation =>
  (operands) => {
    const fg = operands.value('fg', 0);
    const bg = operands.value('bg', 0);
    const amount = operands.value('mix', 1);
    const both = fg && bg && f(fg, bg);
    return both && bg && amount && blend(both, bg, amount);
  };

const ONE = constant([1]);

function screen(fg: Expression, bg: Expression): Expression | null {
  const a = subtract(ONE, fg);
  const b = subtract(ONE, bg);
  const product = a && b && multiply(a, b);
  return product && subtract(ONE, product);
}

/** Clamps constants. An expression whose range is within [low, high] is unchanged; null for other expressions. */
function clampTo(value: Expression, low: Expression, high: Expression): Expression | null {
  if (constantsOf(value)) return fold([value, low, high], (v, l, h) => Math.min(Math.max(v, l), h));
  const lows = constantsOf(low);
  const highs = constantsOf(high);
  if (!lows || !highs) return null;
  const fits = value.components.every((component, i) => {
    const [smallest, largest] = rangeOf(component);
    const l = lows[Math.min(i, lows.length - 1)];
    const h = highs[Math.min(i, highs.length - 1)];
    return smallest >= l && largest <= h;
  });
  return fits ? value : null;
}

function remapped(operands: Operands): Expression | null {
  const value = operands.value('in', 0);
  const inLow = operands.value('inlow', 0);
  const inHigh = operands.value('inhigh', 1);
  const outLow = operands.value('outlow', 0);
  const outHigh = operands.value('outhigh', 1);
  if (!value || !inLow || !inHigh || !outLow || !outHigh) return null;
  const from = subtract(value, inLow);
  const width = subtract(inHigh, inLow);
  const to = subtract(outHigh, outLow);
  const part = from && width && divide(from, width);
  const scaled = part && to && multiply(part, to);
  return scaled && add(scaled, outLow);
}

const range: Operation = (operands) => {
  const gamma = operands.value('gamma', 1);
  if (!gamma || constantsOf(gamma)?.every((v) => v === 1) !== true) return null;
  const value = remapped(operands);
  const clamps = operands.value('doclamp', 0);
  if (!value || !clamps || constantsOf(clamps)?.[0] === 0) return value;
  const low = operands.value('outlow', 0);
  const high = operands.value('outhigh', 1);
  return low && high && clampTo(value, low, high);
};

/**
 * Changes the component count. A single component is repeated; a missing alpha is 1, other missing components are 0.
 */
function resize(value: Expression, size: number): Expression {
  const { length } = value.components;
  if (length === 1) return pick(value, Array(size).fill(0));
  return pick(
    value,
    Array.from({ length: size }, (_, i) => (i < length ? i : i === 3 ? -1 : 99)),
  );
}

const LETTERS: Readonly<Record<string, number>> = { r: 0, g: 1, b: 2, a: 3, x: 0, y: 1, z: 2, w: 3, 0: 99, 1: -1 };

function swizzle(value: Expression, channels: string): Expression | null {
  const indices = [...channels].map((letter) => LETTERS[letter]);
  return indices.length === 0 || indices.includes(undefined as unknown as number) ? null : pick(value, indices);
}

const extract: Operation = (operands) => {
  const value = operands.value('in', 0);
  const index = operands.value('index', 0);
  const i = index && constantsOf(index)?.[0];
  return value && i !== null && i !== undefined && i >= 0 && i < value.components.length ? pick(value, [i]) : null;
};

/** A separate node: its outputs are named `outr` … `outw`. */
const separate: Operation = (operands) => {
  const value = operands.value('in', 0);
  return value && swizzle(value, operands.output.slice(3));
};

const combineNode: Operation = (operands) => {
  const parts: Expression[] = [];
  for (let i = 1; i <= 4 && parts.reduce((n, part) => n + part.components.length, 0) < operands.size; i++) {
    const part = operands.value(`in${i}`, 0);
    if (!part) return null;
    parts.push(part);
  }
  return concatenate(parts);
};

const switchNode: Operation = (operands) => {
  const which = operands.value('which', 0);
  const index = which && constantsOf(which)?.[0];
  return index === null || index === undefined
    ? null
    : operands.value(`in${Math.min(Math.max(Math.floor(index), 0), 9) + 1}`, 0);
};

const choose =
  (test: (a: number, b: number) => boolean, firstFallback: number): Operation =>
  (operands) => {
    const a = operands.value('value1', firstFallback);
    const b = operands.value('value2', 0);
    const x = a && constantsOf(a)?.[0];
    const y = b && constantsOf(b)?.[0];
    if (x === null || y === null || x === undefined || y === undefined) return null;
    return operands.value(test(x, y) ? 'in1' : 'in2', 0);
  };

const RADIANS = Math.PI / 180;

/** Rotates coordinates clockwise in degrees, with V up. */
export function rotated(value: Expression, degrees: number): Expression {
  const c = Math.cos(degrees * RADIANS);
  const s = Math.sin(degrees * RADIANS);
  return transform(value, [
    [c, s],
    [-s, c],
  ]);
}

const rotate2d: Operation = (operands) => {
  const value = operands.value('in', 0);
  const amount = operands.value('amount', 0);
  const degrees = amount && constantsOf(amount)?.[0];
  return value && degrees !== null && degrees !== undefined ? rotated(value, degrees) : null;
};

/**
 * The coordinates of a place2d node. The node scales, rotates and translates an image around a pivot, so the inverse of
 * these applies to coordinates.
 */
export function placed(
  coordinates: Expression,
  pivot: Expression,
  scale: Expression,
  degrees: number,
  offset: Expression,
  isTranslateFirst: boolean,
): Expression | null {
  const centred = subtract(coordinates, pivot);
  if (!centred) return null;
  if (isTranslateFirst) {
    const moved = subtract(centred, offset);
    const scaled = moved && divide(rotated(moved, degrees), scale);
    return scaled && add(scaled, pivot);
  }
  const scaled = divide(centred, scale);
  const moved = scaled && subtract(rotated(scaled, degrees), offset);
  return moved && add(moved, pivot);
}

const place2d: Operation = (operands) => {
  const coordinates = operands.value('texcoord', 0);
  const pivot = operands.value('pivot', 0);
  const scale = operands.value('scale', 1);
  const rotate = operands.value('rotate', 0);
  const offset = operands.value('offset', 0);
  const order = operands.value('operationorder', 0);
  const degrees = rotate && constantsOf(rotate)?.[0];
  const isTranslateFirst = (order && constantsOf(order)?.[0]) === 1;
  if (!coordinates || !pivot || !scale || !offset || degrees === null || degrees === undefined) return null;
  return placed(coordinates, pivot, scale, degrees, offset, isTranslateFirst);
};

/** A normalmap node. Its result stays encoded; the factors of x and y are passed on as `normalScale`. */
const normalMap: Operation = (operands) => {
  const value = operands.value('in', [0.5, 0.5, 1]);
  const scale = operands.value('scale', 1);
  const factors = scale && constantsOf(scale);
  if (!value || !factors || (operands.text('space') || 'tangent') !== 'tangent') return null;
  return { ...resize(value, 3), normalScale: [factors[0], factors[1] ?? factors[0]] };
};

/** The luminance coefficients of ACEScg, the default of `lumacoeffs` in the standard library. */
const LUMA = [0.2722287, 0.6740818, 0.0536895] as const;

/** A colour with three components, each the luminance of `value`. */
function grey(value: Expression, operands: Operands): Expression | null {
  const coefficients = operands.value('lumacoeffs', LUMA);
  const row = coefficients && constantsOf(coefficients);
  return row?.length === 3 ? transform(value, [row, row, row]) : null;
}

const withAlpha = (color: Expression | null, value: Expression): Expression | null =>
  color && value.components.length === 4 ? concatenate([color, pick(value, [3])]) : color;

const luminance: Operation = (operands) => {
  const value = operands.value('in', [0, 0, 0]);
  return value && withAlpha(grey(value, operands), value);
};

const saturate: Operation = (operands) => {
  const value = operands.value('in', [0, 0, 0]);
  const amount = operands.value('amount', 1);
  const flat = value && grey(value, operands);
  return value && amount && flat && withAlpha(blend(pick(value, [0, 1, 2]), flat, amount), value);
};

const contrast: Operation = (operands) => {
  const value = operands.value('in', 0);
  const amount = operands.value('amount', 1);
  const pivot = operands.value('pivot', 0.5);
  const centred = value && pivot && subtract(value, pivot);
  const scaled = centred && amount && multiply(centred, amount);
  return scaled && pivot && add(scaled, pivot);
};

const dotProduct: Operation = (operands) => {
  const a = operands.value('in1', 0);
  const b = operands.value('in2', 0);
  const right = b && constantsOf(b);
  if (a && right) return transform(a, [right]);
  const left = a && constantsOf(a);
  return b && left ? transform(b, [left]) : null;
};

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['constant', (operands) => operands.value('value', 0)],
  ['dot', unary((a) => a)],
  ['add', binary('in1', 'in2', 0, add)],
  ['subtract', binary('in1', 'in2', 0, subtract)],
  ['multiply', binary('in1', 'in2', 1, multiply)],
  ['divide', binary('in1', 'in2', 1, divide)],
  [
    'invert',
    (operands) => {
      const amount = operands.value('amount', 1);
      const value = operands.value('in', 0);
      return amount && value && subtract(amount, value);
    },
  ],
  ['mix', mix],
  ['plus', composite(add)],
  ['minus', composite((fg, bg) => subtract(bg, fg))],
  ['screen', composite(screen)],
  ['difference', composite((fg, bg) => fold([fg, bg], (a, b) => Math.abs(a - b)))],
  [
    'clamp',
    (operands) => {
      const value = operands.value('in', 0);
      const low = operands.value('low', 0);
      const high = operands.value('high', 1);
      return value && low && high && clampTo(value, low, high);
    },
  ],
  ['remap', remapped],
  ['range', range],
  ['contrast', contrast],
  ['luminance', luminance],
  ['saturate', saturate],
  ['dotproduct', dotProduct],
  ['convert', (operands) => unary((a) => resize(a, operands.size))(operands)],
  ['extract', extract],
  ['separate2', separate],
  ['separate3', separate],
  ['separate4', separate],
  ['combine2', combineNode],
  ['combine3', combineNode],
  ['combine4', combineNode],
  ['swizzle', (operands) => unary((a) => swizzle(a, operands.text('channels')))(operands)],
  ['switch', switchNode],
  ['ifgreater', choose((a, b) => a > b, 1)],
  ['ifgreatereq', choose((a, b) => a >= b, 1)],
  ['ifequal', choose((a, b) => a === b, 0)],
  ['rotate2d', rotate2d],
  ['place2d', place2d],
  ['normalmap', normalMap],
  ...CONSTANT_OPERATIONS,
]);
