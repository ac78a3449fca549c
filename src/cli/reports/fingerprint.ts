// Names of findings that stay the same from run to run, so that services tell new findings from known ones.

import { createHash } from 'node:crypto';
import type { Finding } from './outcome.ts';

/**
 * Gives the fingerprint of each finding: of code, file and element, and of its number among those with the same three. The
 * message is left out, because its figures change while the fault stays.
 */
export function fingerprints(found: readonly Finding[]): readonly string[] {
  const counts = new Map<string, number>();
  return found.map(({ item, file }) => {
    const key = JSON.stringify([item.code, file, item.path]);
    const number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    return createHash('sha256').update(`${key}${number}`).digest('hex');
  });
}
