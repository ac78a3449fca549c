// Where the entities of a file are.

import { isIdentity, multiply } from '../../scene/matrix.ts';
import type { Mat4 } from '../../scene/types.ts';
import { NONE, type UntoldEntity } from './types.ts';

/** The world transform of each entity. Parents may come before or after their children in the table. */
export function worldTransforms(entities: readonly UntoldEntity[], root: Mat4): Mat4[] {
  const byId = new Map(entities.map((entity, i) => [entity.id, i]));
  const known: (Mat4 | undefined)[] = [];
  const worldOf = (start: number): Mat4 => {
    // The reader has refused cycles; a chain may be as long as the table.
    const chain: number[] = [];
    for (let i: number | undefined = start; i !== undefined && known[i] === undefined; ) {
      chain.push(i);
      const { parent }: UntoldEntity = entities[i];
      i = parent === NONE ? undefined : byId.get(parent);
    }
    for (const i of chain.reverse()) {
      const { parent, localTransform } = entities[i];
      const above = parent === NONE ? root : (known[byId.get(parent)!] ?? root);
      known[i] = isIdentity(above) ? localTransform : multiply(above, localTransform);
    }
    return known[start]!;
  };
  return entities.map((_, i) => worldOf(i));
}
