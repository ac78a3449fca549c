// Ranges of records that other records claim.

import type { Findings } from '../../findings.ts';
import { recordPath } from '../container/tables.ts';

/** True when [first, first + count) lies in a table of `length` records; reports otherwise. An empty range fits. */
export function inTable(
  findings: Findings,
  type: number,
  index: number,
  what: string,
  first: number,
  count: number,
  length: number,
): boolean {
  if (count === 0 || first + count <= length) return true;
  findings.report(
    'UC3034',
    recordPath(type, index),
    `${what} ${first} to ${first + count - 1}, the table has ${length}`,
  );
  return false;
}
