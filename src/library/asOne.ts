// The job of several sources that are cooked as one (--as-one).

import { isDeepStrictEqual } from 'node:util';
import { sceneName } from '../config/targets.ts';
import type { CookJob, JoinedSource } from '../cook/types.ts';
import { fail } from '../diagnostics/diagnostic.ts';
import { UniqueNames } from '../formats/uniqueNames.ts';

/** What is decided for one source by its own options. */
export type SourceChoices = Pick<
  CookJob,
  'settings' | 'asked' | 'search' | 'policy' | 'limits' | 'colorGrade' | 'zoneFiles'
>;

export interface SourceOfOne extends Omit<JoinedSource, 'name' | 'options' | 'search'> {
  /** Absolute. */
  readonly path: string;
}

/** Throws UC1003 for a name that the set cannot have. */
export function checkName(name: string): void {
  if (sceneName(name) === name && !name.includes('.')) return;
  const message = `"${name}" was given, but the option takes a name of letters, digits, _ and -`;
  fail('UC1003', '', '--as-one', message, `give --as-one ${sceneName(name)}`);
}

/**
 * What a job of several sources holds beside its target. How a source is read may be its own; what makes the set is that of
 * the call: UC1012 if the project file gives a source something else.
 */
export function joinedSources(
  sources: readonly SourceOfOne[],
  ofCall: SourceChoices,
  choices: (path: string) => SourceChoices,
): Pick<CookJob, 'joined' | 'settings' | 'asked' | 'policy' | 'limits' | 'colorGrade' | 'zoneFiles'> {
  const names = new UniqueNames();
  const joined = sources.map(({ path, ...part }): JoinedSource => {
    const { settings, search, policy, limits } = choices(path);
    const { source: options = {}, ...ofSet } = settings;
    const { source: _, ...wanted } = ofCall.settings;
    if (!isDeepStrictEqual([ofSet, policy, limits], [wanted, ofCall.policy, ofCall.limits])) {
      const message = 'the project file gives this source settings of its own for what the whole set has in common';
      fail('UC1012', part.source, '--as-one', message, 'leave --as-one out, or give "files" only options of reading');
    }
    return { ...part, ...(search && { search }), name: names.take(sceneName(path), 'scene'), options };
  });
  const { source: _, ...ofSet } = ofCall.settings;
  const settings = { ...ofSet, joined: joined.map(({ name, options }) => ({ name, source: options })) };
  const { asked, policy, limits, colorGrade, zoneFiles } = ofCall;
  return {
    joined,
    settings,
    ...(asked && { asked }),
    policy,
    ...(limits && { limits }),
    ...(colorGrade ? { colorGrade } : {}),
    ...(zoneFiles ? { zoneFiles } : {}),
  };
}
