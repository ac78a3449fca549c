// What was given of the exporter's flags: the notes of those that change nothing, and the refusals.

import { type CommandOption, camelCase, type Diagnostic, diagnostic, SourceError, shownFlag } from '../../index.ts';
import type { ExporterFlag } from './exporterFlag.ts';

type Row = CommandOption | ExporterFlag;
type Given = Readonly<Record<string, unknown>>;

/** Whether a flag of a table was given: one that is on otherwise is given when it is off. */
function isGiven({ name, kind }: Row, given: Given): boolean {
  const value = given[camelCase(name)];
  return kind.type === 'flag' && kind.on ? value === false : value !== undefined && value !== false;
}

/** UC1043 for each flag that was given and changes nothing. Throws UC1044 for those that are refused. */
export function notesOf(table: readonly Row[], given: Given): Diagnostic[] {
  const notes: Diagnostic[] = [];
  const refusals: Diagnostic[] = [];
  for (const row of table) {
    if (!('how' in row) || row.how === 'same' || !isGiven(row, given)) continue;
    if (row.how === 'info') notes.push(note(shownFlag(row), row.description, row.instead));
    else refusals.push(refusal(shownFlag(row), row.description, row.instead));
  }
  if (refusals.length > 0) throw new SourceError(refusals);
  return notes;
}

export const note = (flag: string, why: string, instead?: string): Diagnostic =>
  diagnostic('UC1043', '', flag, why, instead);

export const refusal = (flag: string, why: string, instead?: string): Diagnostic =>
  diagnostic('UC1044', '', flag, why, instead);

/** A value that has to be given. Throws UC1002. */
export function needed(value: string | undefined, flag: string, what: string): string {
  if (value !== undefined && value !== '') return value;
  throw new SourceError(diagnostic('UC1002', '', flag, `no ${what} is named`, `give ${flag}`));
}
