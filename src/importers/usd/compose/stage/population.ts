// Counts the prims of a stage without composing them all: two prims whose descendants come from the same sites by the
// same arcs have the same number of descendants. So a scene whose arcs multiply is refused before it is composed.

import type { LimitWatch } from '../../../../diagnostics/limits.ts';
import type { PrimContent } from './prim.ts';

/** Different kinds of prims to visit. A scene with more kinds is not counted ahead; composition stops at the limit. */
const MAX_KINDS = 5_000;
/**
 * The count is not exact, because it ignores opinions about classes in stronger layer stacks. A stage is refused only
 * if the count exceeds the limit by this factor.
 */
const MARGIN = 16;

/** Equal for prims with equal descendants; '' for prims without descendants. */
function kindOf({ index }: PrimContent): string {
  const parts: string[] = [];
  for (const { arc, depth, site, stack, inertFrom } of index.nodes) {
    if (stack.relocates.isEmpty && !site.specs.some(({ spec }) => spec.has('primChildren'))) continue;
    parts.push(`${depth} ${arc} ${stack.id} ${inertFrom} ${site.path}`);
  }
  return parts.join('\n');
}

interface Visit {
  readonly content: PrimContent;
  readonly kind: string;
  readonly names: readonly string[];
  next: number;
  count: number;
}

/** The number of descendants of a prim; null if there are more than MAX_KINDS kinds of prims. */
function countDescendants(root: PrimContent): number | null {
  const counts = new Map<string, number>([['', 0]]);
  const visit = (content: PrimContent, kind: string): Visit => ({
    content,
    kind,
    names: content.childNames,
    next: 0,
    count: 0,
  });
  const open = [visit(root, kindOf(root))];
  let last = 0;
  for (let at = open.at(-1); at; at = open.at(-1)) {
    if (at.next === at.names.length) {
      counts.set(at.kind, at.count);
      last = at.count;
      open.pop();
      continue;
    }
    const child = at.content.child(at.names[at.next]);
    const isEntered = child.isActive && child.opinions.length > 0;
    const kind = isEntered ? kindOf(child) : '';
    const known = counts.get(kind);
    if (known !== undefined) {
      at.count += 1 + known;
      at.next++;
    } else if (counts.size > MAX_KINDS) return null;
    else open.push(visit(child, kind));
  }
  return last;
}

/** Throws UC1714 if arcs multiply the prims of a stage far beyond the limit. */
export function checkPopulation(root: PrimContent, limits: LimitWatch): void {
  const count = countDescendants(root);
  if (count === null || count <= limits.limits.prims * MARGIN) return;
  const { identifier } = root.index.root.stack.root;
  limits.need('prims', count, 'UC1714', identifier, '/', `arcs multiply the prims of the stage to ${count}`);
}
