// What a command has found, in the form that every report is made of.

import type { Diagnostic, ReportedCase, ReportedRun } from '../../index.ts';

/** A source of cook, or a file of validate. */
export interface Case extends Pick<ReportedCase, 'totals' | 'before' | 'isRecorded' | 'set'> {
  /** Relative to the working folder, with `/`. */
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly diagnostics: readonly Diagnostic[];
}

export interface Outcome {
  readonly command: 'cook' | 'validate';
  readonly exitCode: number;
  readonly cases: readonly Case[];
  /** What concerns the call as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  /** What --json prints. */
  readonly document: unknown;
  readonly run?: ReportedRun;
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

/** All diagnostics in the order of the cases, those of the call last. Equal ones, of a layer that several sources share, once. */
export function findings({ cases, diagnostics }: Outcome): readonly Finding[] {
  const all = [
    ...cases.flatMap(({ name, diagnostics: list }) => list.map((item) => ({ item, file: item.file || name }))),
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
