// The plan of a build of the project, with those of builds that share its folder.

import { outEachRoot } from '../config/outEach.ts';
import { variablesOf, workingFolder } from './call/environment.ts';
import { mergePreset } from './call/mergePreset.ts';
import { type CookPlan, planCook } from './cookPlan.ts';
import type { CookOptions } from './cookTypes.ts';
import { isBelow } from './isBelow.ts';

export interface ProjectPlans {
  /** The folder or file of the outputs; absolute. */
  readonly root: string;
  readonly plan: CookPlan;
  /** Plans of other builds of the project that write below the folder, or whose folder holds it. */
  readonly others: readonly CookPlan[];
}

/** Where a build puts its outputs; null: it does not say. Absolute. */
function placeOf({ out, outEach }: { readonly out?: string | undefined; readonly outEach?: string | undefined }) {
  return outEach === undefined ? (out ?? null) : outEachRoot(outEach);
}

const wordsOf = (target: string | null): readonly string[] => (target === null ? [] : [target]);

/** `target`: null is the project itself. Throws SourceError for what cook() refuses. */
export async function planBuild(target: string | null, options: CookOptions): Promise<ProjectPlans> {
  const plan = await planCook(wordsOf(target), options);
  // A build without an output has no plan.
  const root = placeOf(plan.options) as string;
  const { signal: _, environment: __, ...own } = options;
  const names = [null, ...(plan.project?.targets.keys() ?? [])].filter((name) => name !== target);
  const others: CookPlan[] = [];
  for (const name of names) {
    const merged = mergePreset(own, workingFolder(options), variablesOf(options), wordsOf(name));
    const place = placeOf(merged.options);
    // What does not say what it is made of, or where to, is no build.
    if (place === null || !merged.build.isProjects || merged.build.words.length === 0) continue;
    if (isBelow(place, root) || isBelow(root, place)) others.push(await planCook(wordsOf(name), options));
  }
  return { root, plan, others };
}
