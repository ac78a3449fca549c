// What --json prints: one document a command, with paths relative to the working folder, so that equal runs in two
// places give equal text.

import { sep } from 'node:path';
import { showPath } from '../config/sources.ts';
import type { PlanOutcome } from '../cook/planOutcome.ts';
import type { CookOutcome, CookTotals } from '../cook/types.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

export interface CookDocument {
  readonly version: string;
  readonly results: readonly ResultDocument[];
  /** The only part that differs between equal runs. */
  readonly run: { readonly seconds: number; readonly peakBytes: number };
}

export interface ResultDocument {
  readonly source: string;
  /** 'skipped': not begun after --fail-fast, or not finished when the run was interrupted. */
  readonly status: CookOutcome['status'] | 'skipped';
  readonly outputs: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly totals: CookTotals | null;
  /** Of --dry-run only. */
  readonly plan?: PlanOutcome;
  readonly diagnostics: readonly Diagnostic[];
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The text with paths below the working folder made relative to it. */
function relativeText(text: string, cwd: string): string {
  if (cwd.endsWith(sep) || !text.includes(cwd)) return text;
  return text.replace(new RegExp(`(?<![\\w./-])${escapeForPattern(cwd + sep)}`, 'g'), '');
}

/** The code that quotes a path as the source has it: a path that is blamed for being absolute must be shown so. */
const QUOTES_AUTHORED_PATH = /\bUC1205\b/;

/** A message that quotes an authored path: only the file after a code, which is ours, is made relative. */
function relativeFile(message: string, cwd: string): string {
  if (cwd.endsWith(sep)) return message;
  return message.replace(new RegExp(`(?<=\\bUC\\d{4} )${escapeForPattern(cwd + sep)}`), '');
}

/** A diagnostic as reports and documents show it: its six fields, with relative paths where the paths are ours. */
export function shownDiagnostic(item: Diagnostic, cwd: string): Diagnostic {
  const isQuote = item.code === 'UC1205' || QUOTES_AUTHORED_PATH.test(item.message);
  return {
    code: item.code,
    severity: item.severity,
    file: item.file === '' ? '' : showPath(item.file, cwd),
    path: item.path,
    message: isQuote ? relativeFile(item.message, cwd) : relativeText(item.message, cwd),
    remedy: relativeText(item.remedy, cwd),
  };
}

export function resultDocument(outcome: CookOutcome, cwd: string): ResultDocument {
  return {
    source: showPath(outcome.source, cwd),
    status: outcome.status,
    outputs: outcome.outputs.map(({ path, bytes, sha256 }) => ({ path: showPath(path, cwd), bytes, sha256 })),
    totals: outcome.totals,
    ...(outcome.plan ? { plan: outcome.plan } : {}),
    diagnostics: outcome.diagnostics.map((d) => shownDiagnostic(d, cwd)),
  };
}

export function skippedDocument(source: string): ResultDocument {
  return { source, status: 'skipped', outputs: [], totals: null, diagnostics: [] };
}

/** JSON as all documents are printed. */
export function print(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
