// What the prim indices of one stage share, as the code that makes an index sees it. The composer implements it.

import type { LimitWatch } from '../../../../diagnostics/limits.ts';
import type { Findings } from '../findings.ts';
import type { SiteStack } from '../layers/site.ts';
import type { PrimIndex } from './primIndex.ts';

/**
 * A variant that the caller chooses. With a prim: it replaces the selection that is authored there. With prim null: it
 * is the fallback for prims without an authored selection.
 */
export interface VariantChoice {
  readonly prim: string | null;
  readonly set: string;
  readonly name: string;
}

export interface TargetOptions {
  /** The prim is the source of a relocate, which moves it away from its path. */
  readonly isMoving: boolean;
  /** The prim's own site contributes no opinions. */
  readonly isInert: boolean;
}

export interface IndexContext {
  readonly findings: Findings;
  /** The root layer stack of the stage. */
  readonly root: SiteStack;
  readonly choices: readonly VariantChoice[];
  readonly limits: LimitWatch;
  /** The first fallback for a set that is among its variants. */
  fallback(set: string, variants: readonly string[]): string | undefined;
  /**
   * Marks the choices that name one of these variants as used. `path` is the prim that has the set, or null if it is
   * not a prim of the stage's root layer stack.
   */
  noteVariants(path: string | null, set: string, variants: readonly string[]): void;
  /** Counts the sites of an index. Throws UC1714 beyond the limit. */
  countNodes(count: number): void;
  /** Counts the sites visited to make an index. Throws UC1714 beyond the limit. */
  countSteps(count: number): void;
  /**
   * The index of the target of an arc that is not a root prim, in its own layer stack. It includes what the ancestors
   * of the target bring in, but no variants of the target or its ancestors: the index that takes it in chooses these.
   * Null if the index is still being made, so that the arc closes a cycle.
   */
  target(stack: SiteStack, path: string, options: TargetOptions): PrimIndex | null;
}
