// Walks the prims that may be drawn, from root prims to their descendants in namespace order, and computes transforms,
// purposes and visibility. It is used for the stage and for each prototype of a PointInstancer.

import { identity, multiply } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';
import { animatedAttributes, type StagePrim } from '../compose/stage/stage.ts';
import { booleanOf, textOf } from '../compose/values/values.ts';
import { counted, type Notes } from '../notes.ts';
import type { Inclusion } from '../selection.ts';
import type { Choice } from './choice.ts';
import { CLOSED, isImageable, isXformable, omission } from './primTypes.ts';
import { localTransform } from './xform.ts';

/** A visited prim with its inherited state. */
export interface Frame {
  readonly prim: StagePrim;
  /** The parent frame; null if the transform starts from the `base` of the walk. */
  readonly parent: Frame | null;
  readonly local: Mat4;
  /** The transform from the prim through the `base` of the walk. */
  readonly world: Mat4;
  /** The authored purpose of the prim or of its nearest ancestor that has one. */
  readonly purpose: string;
  /** The index of its node; -1 until the prim or a descendant is drawn. */
  node: number;
}

const FROZEN_IRRELEVANT = /^(?:extent|primvars:skel:|skel:|velocities$|accelerations$|userProperties:)/;

const MOTION = /^xformOp:/;

/** Reports the animated attributes of a prim, which are frozen; `moves`: but for those that move it. */
export function noteAnimation(prim: StagePrim, notes: Notes, moves = false): void {
  const names = animatedAttributes(prim).filter(
    (name) => !FROZEN_IRRELEVANT.test(name) && !(moves && MOTION.test(name)),
  );
  if (names.length > 0) notes.report('UC1702', prim.path, `frozen: ${names.join(', ')}`);
}

/** Whether a prim itself is authored as invisible. */
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

/** One matrix for all prims without a transform. Matrices of a Scene are never written to. */
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
      (n) => `drawn as geometry: ${counted(n, 'model', 'models')} with a draw mode such as ${drawMode}`,
    );
  }
}

export interface Walk {
  readonly roots: readonly StagePrim[];
  /** The transform above roots and above prims that reset their transform stack. */
  readonly base: Mat4;
  /** The purpose that the roots inherit. */
  readonly purpose: string;
  /**
   * The roots are prototypes. They and their ancestors can have any specifier; prims inside of them are skipped if they
   * are not `def`.
   */
  readonly isPrototype: boolean;
}

/**
 * Visits the prims that are chosen, defined, not abstract and visible, parents first. It uses an explicit stack,
 * because a file can nest prims to any depth. If `visit` returns false, the descendants of the prim are skipped.
 */
export function walkDrawn(walk: Walk, choice: Choice, notes: Notes, visit: (frame: Frame) => boolean): void {
  const pending: { readonly prim: StagePrim; readonly parent: Frame | null; readonly above: Inclusion }[] = [];
  const push = (children: readonly StagePrim[], parent: Frame | null, above: Inclusion) => {
    for (let i = children.length - 1; i >= 0; i--) pending.push({ prim: children[i], parent, above });
  };
  const roots = new Set(walk.roots);
  const isSkipped = (prim: StagePrim): boolean => {
    if (CLOSED.has(prim.typeName)) return true;
    if (!walk.isPrototype) return !prim.isDefined || prim.isAbstract;
    return !roots.has(prim) && prim.specifier !== 'def';
  };
  // The selection applies to the instancer, so prototypes outside of the selection are drawn too.
  push(walk.roots, null, walk.isPrototype ? 'taken' : choice.selection.start);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { prim, parent } = next;
    const part = choice.selection.of(prim.path, next.above);
    if (part === null || isSkipped(prim)) continue;
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
    // A prim above the selection is not drawn itself. The prototypes below an instancer are never drawn by this walk.
    const goesOn = part === 'taken' ? visit(frame) : prim.typeName !== 'PointInstancer';
    if (goesOn) push(prim.children, frame, part);
  }
}
