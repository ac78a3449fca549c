// What the indices of one stage share, as the code that makes an index sees it.

import type { Findings } from '../findings.ts';
import type { SiteStack } from '../layers/site.ts';
import type { PrimIndex } from './primIndex.ts';

/** A variant to choose: at one prim against what is authored, or (prim null) for all prims that select none. */
export interface VariantChoice {
  readonly prim: string | null;
  readonly set: string;
  readonly name: string;
}

export interface TargetOptions {
  /** The prim is the source of a relocate and is read to be moved. */
  readonly isMoving: boolean;
  /** Its own site says nothing. */
  readonly isInert: boolean;
}

export interface IndexContext {
  readonly findings: Findings;
  /** The root layer stack of the stage. */
  readonly root: SiteStack;
  readonly choices: readonly VariantChoice[];
  fallback(set: string, variants: readonly string[]): string | undefined;
  noteVariants(path: string | null, set: string, variants: readonly string[]): void;
  countNodes(count: number): void;
  countSteps(count: number): void;
  target(stack: SiteStack, path: string, options: TargetOptions): PrimIndex | null;
}
