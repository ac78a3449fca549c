// Every rule for a .untold file, one code each. The cook checks its own output with it (format rules), `untold validate`
// checks any file (format rules and what the engine of today refuses), the strict reader refuses what has errors.

import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { Findings } from '../../findings.ts';
import { readContainer } from '../container/container.ts';
import { checkTables, openTables, type Tables } from '../container/tables.ts';
import { checkAuthored } from './authored.ts';
import { checkBounds } from './bounds.ts';
import { checkEntities, checkOwners } from './entities.ts';
import { checkMeshes } from './geometry.ts';

export interface ValidateOptions {
  /** Also the rules of today's engine: a zstd chunk is an error. */
  readonly engine: boolean;
}

export interface Checked {
  /** Null when not even the chunk table can be read. */
  readonly tables: Tables | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens a file and checks all of it; `file` is the name for messages. Never throws for what the bytes hold. */
export async function checkUntold(bytes: Uint8Array, file: string, options: ValidateOptions): Promise<Checked> {
  const findings = new Findings(file);
  const container = await readContainer(bytes, findings, { engine: options.engine });
  if (!container) return { tables: null, diagnostics: findings.list() };
  const tables = openTables(container);
  checkTables(tables, findings);
  const graph = checkEntities(tables, findings);
  checkOwners(tables, graph, findings);
  const measured = checkMeshes(tables, graph, findings);
  checkBounds(tables, graph, measured, findings);
  checkAuthored(tables, graph, findings);
  return { tables, diagnostics: findings.list() };
}

/** All findings of a file: errors, warnings and infos, in the order of the checks. */
export async function validateUntold(
  bytes: Uint8Array,
  file: string,
  options: ValidateOptions,
): Promise<readonly Diagnostic[]> {
  return (await checkUntold(bytes, file, options)).diagnostics;
}
