// Finds the properties of SkelBindingAPI that a prim has or inherits (OpenUSD, UsdSkelCache).

import type { StageAttribute, StagePrim } from '../compose/stage/stage.ts';

const SKELETON = 'skel:skeleton';
const SOURCE = 'skel:animationSource';

/** What binds a prim to a skeleton. */
export interface SkelProperties {
  /** The path of the Skeleton. */
  readonly skeleton: string;
  /** The prim on which each property is authored, by the name of the property. */
  readonly owners: ReadonlyMap<string, StagePrim>;
}

const INHERITED = [
  'skel:joints',
  'primvars:skel:jointIndices',
  'primvars:skel:jointWeights',
  'primvars:skel:geomBindTransform',
  'primvars:skel:skinningMethod',
  'skel:skinningMethod',
] as const;

/** The first target of a relationship; null if it has an empty list, undefined if it is not authored. */
function targetOf(prim: StagePrim, name: string): string | null | undefined {
  const relationship = prim.relationship(name);
  if (!relationship?.metadata('targetPaths')) return undefined;
  return relationship.targets()[0] ?? null;
}

/** The highest SkelRoot at or above a prim; null if there is none. Bindings on prims above it have no effect. */
function outermostRoot(prim: StagePrim): StagePrim | null {
  let root: StagePrim | null = null;
  for (let at: StagePrim | null = prim; at !== null; at = at.parent) if (at.typeName === 'SkelRoot') root = at;
  return root;
}

/** The binding of a prim to a skeleton; null if it has none, 'outside' if it has one but is not below a SkelRoot. */
export function skelProperties(prim: StagePrim): SkelProperties | 'outside' | null {
  const root = outermostRoot(prim);
  if (root === null) {
    const isBound = prim.attribute('primvars:skel:jointIndices')?.peek() && targetOf(prim, SKELETON);
    return isBound ? 'outside' : null;
  }
  let skeleton: string | null | undefined;
  const owners = new Map<string, StagePrim>();
  for (let at: StagePrim | null = prim; at !== null; at = at === root ? null : at.parent) {
    if (skeleton === undefined) skeleton = targetOf(at, SKELETON);
    for (const name of INHERITED) if (!owners.has(name) && at.attribute(name)?.peek()) owners.set(name, at);
  }
  return skeleton == null ? null : { skeleton, owners };
}

/** The attribute that a prim has or inherits. */
export function propertyOf({ owners }: SkelProperties, name: (typeof INHERITED)[number]): StageAttribute | null {
  return owners.get(name)?.attribute(name) ?? null;
}

/** The path of the animation of a Skeleton, which it has or inherits; null if there is none. */
export function animationSource(skeleton: StagePrim): string | null {
  for (let at: StagePrim | null = skeleton; at !== null; at = at.parent) {
    const target = targetOf(at, SOURCE);
    if (target !== undefined) return target;
  }
  return null;
}
