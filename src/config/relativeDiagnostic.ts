// Diagnostics with paths relative to the working folder, so that equal runs in two folders give equal text.

import { sep } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { showPath } from './showPath.ts';

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The text with paths below the working folder made relative to it. */
export function relativeText(text: string, cwd: string): string {
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

/** The diagnostic's six fields, with relative paths where the paths are ours. */
export function relativeDiagnostic(item: Diagnostic, cwd: string): Diagnostic {
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
