// Whether tests have provoked every code of the table: counted at the end of a run of all tests.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES } from '../src/diagnostics/codes.ts';

/** Codes of the table that no process has noted in the folder. */
export function unprovoked(folder: string): string[] {
  const noted = new Set(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
  return Object.keys(CODES).filter((code) => !noted.has(code));
}
