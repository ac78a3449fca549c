// Whether tests have provoked every code of the table: counted at the end of a run of all tests.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES } from '../src/diagnostics/codes.ts';

/** The text of the tests that start commands by themselves, and of the long ones, which a run may leave out. */
function named(): string {
  const commands = readdirSync(join(import.meta.dirname, 'cli')).map((name) => join('cli', name));
  const long = readdirSync(import.meta.dirname, { recursive: true }).map(String);
  const files = [...commands, ...long].filter((name) =>
    (name.startsWith('cli') ? /\.ts$/ : /\.long\.test\.ts$/).test(name),
  );
  return [...new Set(files)].map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
}

/** Codes of the table that no process has noted in the folder, and that no test names which notes nothing. */
export function unprovoked(folder: string): string[] {
  const noted = new Set(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
  const text = named();
  return Object.keys(CODES).filter((code) => !noted.has(code) && !text.includes(code));
}
