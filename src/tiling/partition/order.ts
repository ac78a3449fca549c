// The order of objects in every plan. It does not depend on the order of the input.

import type { PlannedObject } from '../types.ts';

/** By their nodes, pieces of one object by row and column. */
export function byNode(a: PlannedObject, b: PlannedObject): number {
  if (a.node !== b.node) return a.node - b.node;
  const [p, q] = [a.piece, b.piece];
  return (p?.row ?? 0) - (q?.row ?? 0) || (p?.column ?? 0) - (q?.column ?? 0);
}
