// What a command has found, in the form that every report is made of.

import type { Diagnostic, ReportedCase, ReportedRun, ReportedSums } from '../../index.ts';

/** A source of cook, or a file of validate. */
export interface Case extends Pick<ReportedCase, 'totals' | 'before' | 'isRecorded' | 'verdict' | 'set'> {
  /** Relative to the working folder, with `/`. */
  readonly name: string;
  /** False: the name is none of a file, but of sources that are cooked as one, or of standard input. */
  readonly isFile?: boolean;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly diagnostics: readonly Diagnostic[];
}

export interface Outcome {
  readonly command: 'cook' | 'validate' | 'check';
  readonly exitCode: number;
  readonly cases: readonly Case[];
  /** What concerns the call as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  /** What --json prints. */
  readonly document: () => unknown;
  readonly run?: ReportedRun;
  /** Of cook only. */
  readonly sums?: ReportedSums;
}

/** The element inside the file and what is said of it. */
export function sentence({ path, message }: Diagnostic): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** A diagnostic of a case, with the file that a report shows it at. */
export interface Finding {
  readonly item: Diagnostic;
  /** '' only if it concerns the call as a whole and no file. */
  readonly file: string;
}

function findingOf({ name, isFile = true }: Case, item: Diagnostic): Finding {
  const file = item.file || name;
  if (isFile || file !== name) return { item, file };
  return { item: { ...item, path: item.path === '' ? name : `${name} ${item.path}` }, file: '' };
}

/** All diagnostics in the order of the cases, those of the call last. Equal ones, of a layer that several sources share, once. */
export function findings({ cases, diagnostics }: Outcome): readonly Finding[] {
  const all = [
    ...cases.flatMap((one) => one.diagnostics.map((item) => findingOf(one, item))),
    ...diagnostics.map((item) => ({ item, file: item.file })),
  ];
  const seen = new Set<string>();
  return all.filter(({ item, file }) => {
    const key = JSON.stringify([item.code, item.severity, file, item.path, item.message]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
