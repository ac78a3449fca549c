// The walk over what may be drawn: from prims down to their descendants in namespace order, with transforms, purposes
// and visibility on the way. The stage is walked so, and each prototype of a PointInstancer.

import { identity, multiply } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';
import { animatedAttributes, type StagePrim } from '../compose/stage/stage.ts';
import { booleanOf, textOf } from '../compose/values/values.ts';
import { counted, type Notes } from '../notes.ts';
import type { Part } from '../selection.ts';
import type { Choice } from './choice.ts';
import { CLOSED, isImageable, isXformable, omission } from './primTypes.ts';
import { localTransform } from './xform.ts';

/** A prim on the way down, with what it inherits. */
export interface Frame {
  readonly prim: StagePrim;
  /** null: stands in the space that the walk starts in. */
  readonly parent: Frame | null;
  readonly local: Mat4;
  /** To the space that the walk's `base` leads to. */
  readonly world: Mat4;
  /** The nearest authored purpose, own or inherited. */
  readonly purpose: string;
  /** Index of its node once something at or below it is drawn. */
  node: number;
}

const FROZEN_IRRELEVANT = /^(?:extent|primvars:skel:|skel:|velocities$|accelerations$|userProperties:)/;

/** Says which attributes of a prim would move or change over time. */
export function noteAnimation(prim: StagePrim, notes: Notes): void {
  const names = animatedAttributes(prim).filter((name) => !FROZEN_IRRELEVANT.test(name));
  if (names.length > 0) notes.report('UC1702', prim.path, `frozen: ${names.join(', ')}`);
}

/** A prim's own visibility; null when it is not imageable or authors none. */
function isInvisible(prim: StagePrim): boolean {
  return isImageable(prim.typeName) && textOf(prim.attribute('visibility')?.get()?.value) === 'invisible';
}

function ownPurpose(prim: StagePrim): string | null {
  return isImageable(prim.typeName) ? textOf(prim.attribute('purpose')?.get()?.value) : null;
}

/** The purpose that a prim gets from its ancestors. */
export function inheritedPurpose(prim: StagePrim): string {
  for (let at = prim.parent; at !== null; at = at.parent) {
    const purpose = ownPurpose(at);
    if (purpose !== null) return purpose;
  }
  return 'default';
}

function hasXformOps(prim: StagePrim): boolean {
  return prim.attribute('xformOpOrder')?.peek() != null;
}

/** Shared by the many prims that are not moved; nobody writes into matrices of a Scene. */
const IDENTITY = identity();

function transformOf(prim: StagePrim, notes: Notes) {
  const isMoved = hasXformOps(prim);
  if (isMoved && isXformable(prim.typeName)) return localTransform(prim, notes);
  if (isMoved) {
    const what = prim.typeName === '' ? 'a typeless prim' : `a ${prim.typeName}`;
    notes.report('UC1818', prim.path, `${what} is not transformed: its xformOps are ignored`);
  }
  return { matrix: IDENTITY, resetsStack: false };
}

function noteOmissions(prim: StagePrim, notes: Notes): void {
  const left = omission(prim.typeName);
  if (left) {
    const describe = (n: number) => (n === 1 ? `left out: ${prim.typeName}` : `${n} ${left.kind} are left out`);
    notes.count(left.code, left.kind, prim.path, describe);
  }
  const drawMode = textOf(prim.attribute('model:drawMode')?.get()?.value);
  const applied = booleanOf(prim.attribute('model:applyDrawMode')?.get()?.value) === true;
  if (applied && drawMode !== null && !['default', 'inherited'].includes(drawMode)) {
    notes.count(
      'UC1839',
      '',
      prim.path,
      (n) => `${counted(n, 'model asks', 'models ask')} to be drawn as ${drawMode} or the like`,
    );
  }
}

export interface Walk {
  readonly roots: readonly StagePrim[];
  /** What transforms without a parent, or with a reset stack, are put below. */
  readonly base: Mat4;
  /** The purpose that the roots inherit. */
  readonly purpose: string;
  /**
   * The roots are prototypes: they may be overs or classes or stand below such, and only what is so within them is passed
   * over.
   */
  readonly isPrototype: boolean;
}

/**
 * Visits what is chosen, defined, not abstract and visible, parents first, on a stack of our own: depth is the file's to
 * choose. Where `visit` gives false, nothing below is visited.
 */
export function walkDrawn(walk: Walk, choice: Choice, notes: Notes, visit: (frame: Frame) => boolean): void {
  const pending: { readonly prim: StagePrim; readonly parent: Frame | null; readonly above: Part }[] = [];
  const push = (children: readonly StagePrim[], parent: Frame | null, above: Part) => {
    for (let i = children.length - 1; i >= 0; i--) pending.push({ prim: children[i], parent, above });
  };
  const roots = new Set(walk.roots);
  const isPassedOver = (prim: StagePrim): boolean => {
    if (CLOSED.has(prim.typeName)) return true;
    if (!walk.isPrototype) return !prim.isDefined || prim.isAbstract;
    return !roots.has(prim) && prim.specifier !== 'def';
  };
  // What an instancer draws belongs to it, wherever its prototypes stand.
  push(walk.roots, null, walk.isPrototype ? 'taken' : choice.selection.start);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { prim, parent } = next;
    const part = choice.selection.of(prim.path, next.above);
    if (part === null || isPassedOver(prim)) continue;
    if (!choice.invisible && isInvisible(prim)) {
      const describe = (n: number) => `left out with all below: ${counted(n, 'invisible prim', 'invisible prims')}`;
      notes.count('UC1820', '', prim.path, describe);
      continue;
    }
    if (part === 'taken') noteOmissions(prim, notes);
    const { matrix, resetsStack } = transformOf(prim, notes);
    const above = resetsStack ? null : parent;
    const local = above === null ? multiply(walk.base, matrix) : matrix;
    const world = above === null ? local : matrix === IDENTITY ? above.world : multiply(above.world, matrix);
    const purpose = ownPurpose(prim) ?? parent?.purpose ?? walk.purpose;
    const frame: Frame = { prim, parent: above, local, world, purpose, node: -1 };
    // What only leads to the selection is not drawn itself; prototypes are not drawn in place in any case.
    const goesOn = part === 'taken' ? visit(frame) : prim.typeName !== 'PointInstancer';
    if (goesOn) push(prim.children, frame, part);
  }
}
