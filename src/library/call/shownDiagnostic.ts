// Diagnostics as results, messages and documents show them: with paths relative to the working folder, so that equal runs in
// two folders give equal text.

import { sep } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { nearFiles } from './nearFiles.ts';

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

/** A message that quotes an authored path: only the file after a code, which is our own, becomes relative. */
function relativeFile(message: string, cwd: string): string {
  if (cwd.endsWith(sep)) return message;
  return message.replace(new RegExp(`(?<=\\bUC\\d{4} )${escapeForPattern(cwd + sep)}`), '');
}

/** The remedy; for a file that does not exist, the names that are like its own. */
function remedyOf({ code, file, path, remedy }: Diagnostic, cwd: string): string {
  const near = code === 'UC1200' && file !== '' && path === '' ? nearFiles(file, cwd) : [];
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : relativeText(remedy, cwd);
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
    remedy: remedyOf(item, cwd),
  };
}
