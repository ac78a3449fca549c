// The order of prims in the stage: parents before their children, and these in namespace order.

import type { Stage, StagePrim } from '../compose/stage/stage.ts';

/** Prims in the order of the stage. */
export function inSourceOrder(prims: readonly StagePrim[], stage: Stage): StagePrim[] {
  const places = new Map<StagePrim | null, ReadonlyMap<string, number>>();
  const placeBelow = (parent: StagePrim | null): ReadonlyMap<string, number> => {
    const known = places.get(parent);
    if (known) return known;
    const made = new Map((parent ?? stage).children.map(({ name }, i) => [name, i]));
    places.set(parent, made);
    return made;
  };
  const keyed = prims.map((prim) => {
    const key: number[] = [];
    for (let at: StagePrim | null = prim; at !== null; at = at.parent) {
      key.push(placeBelow(at.parent).get(at.name) ?? 0);
    }
    return { prim, key: key.reverse() };
  });
  const compare = (a: readonly number[], b: readonly number[]): number => {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  };
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ prim }) => prim);
}
