// What --json prints: a document for each command, with paths relative to the working folder, so that equal runs in two
// folders give equal text.

import {
  type CookOutput,
  type CookTotals,
  type Diagnostic,
  type PlanOutcome,
  type SourceResult,
  showPath,
} from '../../index.ts';
import type { Run } from './run.ts';

export interface CookDocument {
  readonly version: string;
  readonly results: readonly ResultDocument[];
  /** Time and memory: the only part that differs when the same cook runs again. */
  readonly run: Run;
}

export interface ResultDocument {
  readonly source: string;
  /** With --as-one only. */
  readonly joined?: readonly string[];
  readonly status: SourceResult['status'];
  readonly outputs: readonly CookOutput[];
  readonly totals: CookTotals | null;
  /** The plan, with --dry-run only. */
  readonly plan?: PlanOutcome;
  readonly diagnostics: readonly Diagnostic[];
}

export function resultDocument(result: SourceResult, cwd: string): ResultDocument {
  const { source, joined, status, outputs, totals, plan, diagnostics } = result;
  return {
    source,
    ...(joined ? { joined } : {}),
    status,
    outputs: outputs.map(({ path, bytes, sha256 }) => ({ path: showPath(path, cwd), bytes, sha256 })),
    totals,
    ...(plan ? { plan } : {}),
    diagnostics,
  };
}

export function skippedDocument(source: string): ResultDocument {
  return { source, status: 'skipped', outputs: [], totals: null, diagnostics: [] };
}

/** JSON as all documents are printed. */
export function print(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
