// why(): what makes an output, or a part of it, large: the bytes by payload, texture, mesh, material and attribute, who uses them, how
// they are loaded, and what would change it.

import { resolve } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import { urlFault } from '../../config/sources.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { failedCall } from '../call/faults.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { changesOf } from './changes.ts';
import { readContent } from './content.ts';
import type { WhyDocument } from './document.ts';
import { otherUsers } from './others.ts';
import { everything, selectNamed } from './subject.ts';
import { tablesOf } from './tables.ts';

/** What `untold why` is told of its call. */
export type WhyOptions = CallOptions;

export interface WhyResult {
  readonly exitCode: number;
  /** Null when the call was refused, or the output cannot be read. */
  readonly document: WhyDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

async function explainOutput(
  file: string,
  name: string | undefined,
  given: WhyOptions,
  cwd: string,
): Promise<WhyDocument> {
  checkOptions([], given, cwd);
  const url = urlFault(file);
  if (url !== null) throw new SourceError(url);
  if (file === '') fail('UC1003', '', '', 'the name of the output is empty', 'give a file or a folder');
  const path = resolve(cwd, file);
  const output = showPath(path, cwd);
  const content = await readContent(path, output, cwd);
  throwIfAborted(given.signal);
  const selected = name === undefined ? everything(content) : selectNamed(content, name, output);
  const isTexture = selected.subject?.kind === 'texture';
  const others: string[] = [];
  for (const texture of isTexture ? selected.textures : []) others.push(...(await otherUsers(texture, content, cwd)));
  const lacking = [...content.facts.uncounted].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    output,
    subject: selected.subject,
    ...tablesOf(selected, content),
    others: [...new Set(others)],
    changes: changesOf(selected, content),
    diagnostics: lacking.map(([texture, why]) => shownDiagnostic(diagnostic('UC2248', output, texture, why), cwd)),
  };
}

/** Runs a call of why(). Rejects only for a bug. */
export async function runWhy(file: string, name: string | undefined, given: WhyOptions): Promise<WhyResult> {
  try {
    throwIfAborted(given.signal);
    return { exitCode: 0, document: await explainOutput(file, name, given, workingFolder(given)), diagnostics: [] };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
