// Diagnostics as results, messages and documents show them: with paths relative to the working folder.

import { relativeDiagnostic } from '../../config/relativeDiagnostic.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { nearFiles } from './nearFiles.ts';

/** A diagnostic as reports and documents show it; for a file that does not exist, with the names that are like its own. */
export function shownDiagnostic(item: Diagnostic, cwd: string): Diagnostic {
  const near = item.code === 'UC1200' && item.file !== '' && item.path === '' ? nearFiles(item.file, cwd) : [];
  const shown = relativeDiagnostic(item, cwd);
  return near.length > 0 ? { ...shown, remedy: `did you mean ${near.join(' or ')}?` } : shown;
}
