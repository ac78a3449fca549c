// Which warnings there are, where many things were looked at: a line for each code.

import { type Code, type Diagnostic, explain } from '../../index.ts';
import { plural, table } from '../terminal/words.ts';

interface Found {
  readonly diagnostics: readonly Diagnostic[];
}

export const warningsOf = ({ diagnostics }: Found) => diagnostics.filter((item) => item.severity === 'warning');

/** A line that is cut off at its end where it is too long. */
export const ending = (line: string, room: number): string =>
  line.length > room ? `${line.slice(0, room - 1)}…` : line;

/** How often each warning occurs, and in how many of the results; the most frequent first. `noun`: what one result is. */
export function warningTable(results: readonly Found[], room: number, noun = 'source'): string[] {
  const found = new Map<Code, { warnings: number; results: number }>();
  for (const result of results) {
    const warnings = warningsOf(result);
    for (const code of new Set(warnings.map((item) => item.code))) {
      const before = found.get(code) ?? { warnings: 0, results: 0 };
      const more = warnings.filter((item) => item.code === code).length;
      found.set(code, { warnings: before.warnings + more, results: before.results + 1 });
    }
  }
  const sorted = [...found].sort(([a, x], [b, y]) => y.warnings - x.warnings || (a < b ? -1 : 1));
  const rows = sorted.map(([code, { warnings, results }]) => [
    code,
    plural(warnings, 'warning'),
    `in ${plural(results, noun)}`,
    explain(code).title,
  ]);
  return table(rows, new Set([1])).map((line) => ending(line, room));
}
