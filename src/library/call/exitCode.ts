// The exit code of a command. 0 complete, 1 the scene has errors, 2 command line, 3 I/O or environment, 4 a bug of ours,
// 5 a named limit, 130 interrupted (143 by SIGTERM).

import { CODES } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { CodeEntry } from '../../diagnostics/entry.ts';

/** From worst to best. */
const ORDER = [143, 130, 4, 3, 5, 2, 1, 0];

/** The worst of some exit codes, 0 of none. */
export function worst(codes: readonly number[]): number {
  return ORDER.find((code) => codes.includes(code)) ?? 0;
}

/** The exit code that diagnostics ask for; a warning that a policy made an error counts as 1. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter((d) => d.severity === 'error');
  return worst(errors.map((d) => (CODES[d.code] as CodeEntry).exit ?? 1));
}
