// The interface of operations: what a node of a shading network computes from its inputs.

import type { Expression } from './expression.ts';

/** The inputs of a node, and the output to compute. */
export interface Operands {
  /** The value of an input, or `fallback` if nothing is authored. Null if the value is not known. */
  value(name: string, fallback: number | readonly number[]): Expression | null;
  /** The value of a string input; '' if none is authored. */
  text(name: string): string;
  /** The name of the output. */
  readonly output: string;
  /** The component count of the result. */
  readonly size: number;
}

/** Computes an output; null if the result does not have the form of an expression. */
export type Operation = (operands: Operands) => Expression | null;
