// What the prim indices of one stage share: layer stacks, the indices of arc targets below root prims, the caller's
// variant choices, and the counters that keep the cost of hostile scenes finite.

import { fail } from '../../../../diagnostics/diagnostic.ts';
import { DEFAULT_LIMITS, type LimitWatch } from '../../../../diagnostics/limits.ts';
import type { Layer } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import type { LayerStack, LayerStacks } from '../layers/layerStack.ts';
import type { SiteStack } from '../layers/site.ts';
import { MANY_PRIMS, MAX_STEPS, NODES_A_PRIM, PATH_CHARACTERS_A_PRIM } from '../limits.ts';
import { nameOf, parentSite } from '../namespace/paths.ts';
import { childIndex, variantIndex } from './childIndex.ts';
import type { IndexContext, TargetOptions, VariantChoice } from './indexContext.ts';
import { type PrimIndex, pseudoRootIndex } from './primIndex.ts';

const PLAIN = { isMoving: false, isInert: false, choosesVariants: false } as const;

export class Composer implements IndexContext {
  readonly stacks: LayerStacks;
  readonly findings: Findings;
  readonly root: LayerStack;
  readonly choices: readonly VariantChoice[];
  readonly limits: LimitWatch;
  /** Choices that name a variant of a composed prim. */
  readonly usedChoices = new Set<VariantChoice>();
  readonly #indices = new Map<SiteStack, Map<string, PrimIndex | null>>();
  readonly #targets = new Map<SiteStack, Map<string, PrimIndex | null>>();
  #whenMany: (() => void) | null = null;
  #prims = 0;
  #characters = 0;
  #nodes = 0;
  #steps = 0;
  #nesting = 0;

  constructor(
    root: Layer,
    stacks: LayerStacks,
    choices: readonly VariantChoice[],
    findings: Findings,
    limits: LimitWatch,
  ) {
    this.stacks = stacks;
    this.findings = findings;
    this.choices = choices;
    this.limits = limits;
    this.root = stacks.of(root);
  }

  /** Sets what to call once when the stage reaches MANY_PRIMS prims. */
  whenMany(act: () => void): void {
    this.#whenMany = act;
  }

  /** Counts a prim of the stage and the characters of its path. Throws UC1714 beyond a limit. */
  countPrim(pathLength: number): void {
    this.#characters += pathLength;
    if (this.#prims === MANY_PRIMS) this.#whenMany?.();
    const { identifier } = this.root.root;
    this.limits.need(
      'prims',
      ++this.#prims,
      'UC1714',
      identifier,
      '/',
      () => `the stage has ${this.#prims} prims or more`,
    );
    const max = this.#max(PATH_CHARACTERS_A_PRIM);
    if (this.#characters > max) fail('UC1714', identifier, '/', `the stage has more than ${max} characters of paths`);
  }

  /** What all prims together may have. A smaller limit of prims makes nothing else smaller. */
  #max(aPrim: number): number {
    return aPrim * Math.max(this.limits.limits.prims, DEFAULT_LIMITS.prims);
  }

  countNodes(count: number): void {
    this.#nodes += count;
    const max = this.#max(NODES_A_PRIM);
    if (this.#nodes <= max) return;
    fail('UC1714', this.root.root.identifier, '/', `the prims are composed of more than ${max} sites`);
  }

  countSteps(count: number): void {
    this.#steps += count;
    if (this.#steps <= MAX_STEPS) return;
    fail('UC1714', this.root.root.identifier, '/', `composition visits more than ${MAX_STEPS} sites`);
  }

  fallback(set: string, variants: readonly string[]): string | undefined {
    return this.choices.find((choice) => choice.prim === null && choice.set === set && variants.includes(choice.name))
      ?.name;
  }

  noteVariants(path: string | null, set: string, variants: readonly string[]): void {
    for (const choice of this.choices) {
      if (choice.set !== set || !variants.includes(choice.name)) continue;
      if (choice.prim === null || choice.prim === path) this.usedChoices.add(choice);
    }
  }

  target(stack: SiteStack, path: string, options: TargetOptions): PrimIndex | null {
    const key = `${path}${options.isMoving ? '\0m' : ''}${options.isInert ? '\0i' : ''}`;
    return this.#remember(this.#targets, stack, key, () => {
      const above = this.#index(stack, parentSite(path));
      return above && childIndex(above, nameOf(path), this, { ...options, choosesVariants: false });
    });
  }

  /** The index of a prim or variant in its own layer stack, without its variants; null if it is still being made. */
  #index(stack: SiteStack, path: string): PrimIndex | null {
    const missing: string[] = [];
    const known = this.#indices.get(stack);
    let at = path;
    while (at !== '/' && known?.get(at) === undefined) {
      missing.push(at);
      at = at.endsWith('}') ? '/' : parentSite(at);
    }
    let index: PrimIndex | null = at === '/' ? pseudoRootIndex(stack.site('/')) : (known?.get(at) ?? null);
    for (let next = missing.pop(); next !== undefined && index !== null; next = missing.pop()) {
      const above: PrimIndex = index;
      const child = next;
      index = this.#remember(this.#indices, stack, child, () =>
        child.endsWith('}') ? variantIndex(stack.site(child), this) : childIndex(above, nameOf(child), this, PLAIN),
      );
    }
    return index;
  }

  #remember(
    table: Map<SiteStack, Map<string, PrimIndex | null>>,
    stack: SiteStack,
    key: string,
    make: () => PrimIndex | null,
  ): PrimIndex | null {
    let known = table.get(stack);
    if (!known) {
      known = new Map();
      table.set(stack, known);
    }
    const found = known.get(key);
    if (found !== undefined) return found;
    const targets = this.#nesting + 1;
    const what = () => `a chain of arcs has ${targets} targets or more below root prims`;
    this.limits.need('referenceDepth', targets, 'UC1714', stack.root.identifier, key, what);
    // null marks an index that is still being made.
    known.set(key, null);
    this.#nesting++;
    try {
      const index = make();
      known.set(key, index);
      return index;
    } finally {
      this.#nesting--;
    }
  }
}
