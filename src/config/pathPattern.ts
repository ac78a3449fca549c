// Patterns for paths of a package: with a slash they are matched from its root on, otherwise against names at any depth. What
// matches a folder matches all below it.

import { expandBraces, parseSegment } from './glob.ts';
import { matchesPath } from './ignore.ts';

/** Whether a path with `/` matches one of some patterns. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const parsed = patterns.flatMap(expandBraces).map((pattern) => ({
    isAnchored: pattern.replace(/\/$/, '').includes('/'),
    segments: pattern
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.')
      .map(parseSegment),
  }));
  return (path) => {
    const names = path.split('/');
    return parsed.some(({ isAnchored, segments }) =>
      names.some(
        (name, i) => segments.length > 0 && matchesPath(segments, isAnchored ? names.slice(0, i + 1) : [name]),
      ),
    );
  };
}
