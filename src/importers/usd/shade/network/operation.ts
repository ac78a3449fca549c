// An operation of a material network: what a node computes from its inputs.

import type { Expression } from './expression.ts';

/** The inputs of a node that is computed. */
export interface Operands {
  /** What an input holds; `fallback` when nothing is authored. Null when what feeds it cannot be said. */
  value(name: string, fallback: number | readonly number[]): Expression | null;
  /** A string input; '' when none is authored. */
  text(name: string): string;
  /** The output that is asked for. */
  readonly output: string;
  /** Components of the result. */
  readonly size: number;
}

export type Operation = (operands: Operands) => Expression | null;
