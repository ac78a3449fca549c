// The result of a shading network, in the form that a material can store: a linear map of one image or primvar. Each
// component is a weighted sum of the channels of the source, plus a constant. Products of two sources and functions
// that are not linear do not have this form.

import type { StagePrim } from '../../compose/stage/stage.ts';

/** The source of an expression: the image of a texture node, or a primvar of the mesh by its name. */
export type SampleSource =
  | { readonly kind: 'image'; readonly node: StagePrim }
  | { readonly kind: 'primvar'; readonly name: string; readonly node: StagePrim };

/** value = weights · (r, g, b, a) + bias. */
export interface Component {
  readonly weights: readonly [number, number, number, number];
  readonly bias: number;
}

export interface Expression {
  /** Null if all components are constants. */
  readonly source: SampleSource | null;
  /** There are 1 to 4, 9 or 16 components. */
  readonly components: readonly Component[];
  /**
   * Set by normal map nodes: the components are a tangent space normal encoded in [0, 1], and these factors multiply x
   * and y of the decoded normal.
   */
  readonly normalScale?: readonly [number, number];
}

const NO_WEIGHTS = [0, 0, 0, 0] as const;

export function constant(values: readonly number[]): Expression {
  return { source: null, components: values.map((bias) => ({ weights: NO_WEIGHTS, bias })) };
}

/** The channels of a source, unchanged. */
export function sample(source: SampleSource, channels: readonly number[]): Expression {
  const components = channels.map((c): Component => {
    const weights: [number, number, number, number] = [0, 0, 0, 0];
    weights[c] = 1;
    return { weights, bias: 0 };
  });
  return { source, components };
}

/** The numbers of a constant expression; null if it has a source. */
export function constantsOf(expression: Expression): readonly number[] | null {
  return expression.source === null ? expression.components.map((component) => component.bias) : null;
}

export function isConstant(component: Component): boolean {
  return component.weights.every((weight) => weight === 0);
}

/** The only channel that a component reads; -1 for a constant, null for several. */
export function channelOf(component: Component): number | null {
  let found = -1;
  for (let c = 0; c < 4; c++) {
    if (component.weights[c] === 0) continue;
    if (found >= 0) return null;
    found = c;
  }
  return found;
}

function isSame(a: SampleSource, b: SampleSource): boolean {
  return a.kind === 'image' ? b.kind === 'image' && a.node === b.node : b.kind === 'primvar' && a.name === b.name;
}

/** An expression. The source is dropped if no component reads it. */
function tidy(source: SampleSource | null, components: readonly Component[]): Expression {
  return { source: components.every(isConstant) ? null : source, components };
}

/** The common source of several expressions; null if all are constant, undefined if their sources differ. */
function common(expressions: readonly Expression[]): SampleSource | null | undefined {
  let shared: SampleSource | null = null;
  for (const { source } of expressions) {
    if (source === null) continue;
    if (shared !== null && !isSame(shared, source)) return undefined;
    shared = source;
  }
  return shared;
}

/** Component i of an expression. A single component is used for all i. */
function at(expression: Expression, i: number): Component | undefined {
  return expression.components.length === 1 ? expression.components[0] : expression.components[i];
}

function weigh(component: Component, factor: number, offset: number): Component {
  const [r, g, b, a] = component.weights;
  return { weights: [r * factor, g * factor, b * factor, a * factor], bias: component.bias * factor + offset };
}

function sum(a: Component, b: Component, sign: number): Component {
  const weights = a.weights.map((weight, c) => weight + sign * b.weights[c]);
  return { weights: [weights[0], weights[1], weights[2], weights[3]], bias: a.bias + sign * b.bias };
}

/** Combines two expressions component by component; null if the result does not have the form of an expression. */
function combine(a: Expression, b: Expression, f: (x: Component, y: Component) => Component | null): Expression | null {
  const source = common([a, b]);
  if (source === undefined) return null;
  const size = Math.max(a.components.length, b.components.length);
  const components: Component[] = [];
  for (let i = 0; i < size; i++) {
    const x = at(a, i);
    const y = at(b, i);
    const z = x && y ? f(x, y) : null;
    if (z === null) return null;
    components.push(z);
  }
  return tidy(source, components);
}

export function add(a: Expression, b: Expression): Expression | null {
  return combine(a, b, (x, y) => sum(x, y, 1));
}

export function subtract(a: Expression, b: Expression): Expression | null {
  return combine(a, b, (x, y) => sum(x, y, -1));
}

export function multiply(a: Expression, b: Expression): Expression | null {
  // A factor of 1 keeps the other expression, and with it properties such as `normalScale`.
  const one = (e: Expression) => constantsOf(e)?.every((v) => v === 1) === true;
  if (one(a) && a.components.length <= b.components.length) return b;
  if (one(b) && b.components.length <= a.components.length) return a;
  return combine(a, b, (x, y) => {
    if (isConstant(y)) return weigh(x, y.bias, 0);
    return isConstant(x) ? weigh(y, x.bias, 0) : null;
  });
}

export function divide(a: Expression, b: Expression): Expression | null {
  return combine(a, b, (x, y) => (isConstant(y) && y.bias !== 0 ? weigh(x, 1 / y.bias, 0) : null));
}

/** The components of several expressions, one after the other; null if their sources differ. */
export function concatenate(parts: readonly Expression[]): Expression | null {
  const source = common(parts);
  return source === undefined
    ? null
    : tidy(
        source,
        parts.flatMap((part) => part.components),
      );
}

/** The components at the indices. Index -1 gives the constant 1; any other index without a component gives 0. */
export function pick(expression: Expression, indices: readonly number[]): Expression {
  const components = indices.map(
    (i): Component => expression.components[i] ?? { weights: NO_WEIGHTS, bias: i === -1 ? 1 : 0 },
  );
  return tidy(expression.source, components);
}

/** The product of a matrix with an expression: each row gives one component. */
export function transform(expression: Expression, rows: readonly (readonly number[])[]): Expression {
  const zero: Component = { weights: NO_WEIGHTS, bias: 0 };
  const components = rows.map((row) =>
    row.reduce((total, factor, i) => sum(total, weigh(expression.components[i] ?? zero, factor, 0), 1), zero),
  );
  return tidy(expression.source, components);
}

/** The smallest and largest value of a component if the channels of its source are in [0, 1]. */
export function rangeOf(component: Component): readonly [number, number] {
  let low = component.bias;
  let high = component.bias;
  for (const weight of component.weights) {
    if (weight < 0) low += weight;
    else high += weight;
  }
  return [low, high];
}
