// What --json prints: a document for each command, with paths relative to the working folder, so that equal runs in two
// folders give equal text.

import {
  type CallTotals,
  type CallWork,
  type CheckedFile,
  type CookOutput,
  type CookTotals,
  type CookVerdict,
  type Diagnostic,
  type PlanOutcome,
  type RepeatedTextures,
  type SourceResult,
  showPath,
} from '../../index.ts';
import { VERSION } from '../version.ts';
import type { Run } from './run.ts';

/**
 * The version of every document: it grows when a field goes or means something else. New fields do not change it. The
 * schemas in schemas/ describe the documents.
 */
export const SCHEMA_VERSION = 1;

export interface CookDocument {
  readonly version: string;
  readonly results: readonly ResultDocument[];
  /** Sums over all outputs, each file once. Absent if the call was refused. */
  readonly totals?: CallTotals;
  /** With --device: whether each output fits it. */
  readonly verdicts?: readonly CookVerdict[] | undefined;
  /** Textures that several sets hold, each for itself, where --share-textures would save much. */
  readonly repeated?: RepeatedTextures;
  /** What concerns the call as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Time and memory, and what was cooked and written: the only part that differs when the same cook runs again. Absent if the
   * call was refused.
   */
  readonly run?: Run & Partial<CallWork>;
}

export interface ValidateDocument {
  readonly files: readonly CheckedFile[];
  /** What concerns the call as a whole. */
  readonly diagnostics: readonly Diagnostic[];
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
  /** With --explain-rebuild only. */
  readonly rebuilt?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function resultDocument(result: SourceResult, cwd: string): ResultDocument {
  const { source, joined, status, outputs, totals, plan, rebuilt, diagnostics } = result;
  return {
    source,
    ...(joined ? { joined } : {}),
    status,
    outputs: outputs.map(({ path, bytes, sha256 }) => ({ path: showPath(path, cwd), bytes, sha256 })),
    totals,
    ...(plan ? { plan } : {}),
    ...(rebuilt ? { rebuilt } : {}),
    diagnostics,
  };
}

export function skippedDocument(source: string): ResultDocument {
  return { source, status: 'skipped', outputs: [], totals: null, diagnostics: [] };
}

/** A document as it is printed: the version comes first. */
export function versioned<T extends object>(document: T): T & { readonly schemaVersion: number } {
  return { schemaVersion: SCHEMA_VERSION, ...document };
}

/** The document of a command that ended before it had one: `results` or `files` are there, empty. */
export function failureDocument(command: string, diagnostics: readonly Diagnostic[]): object {
  if (command === 'cook') return versioned({ version: VERSION, results: [], diagnostics } satisfies CookDocument);
  return versioned(command === 'validate' ? ({ files: [], diagnostics } satisfies ValidateDocument) : { diagnostics });
}

/** JSON as all documents are printed. */
export function print(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
