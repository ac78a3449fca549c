// Writes a report of a call beside its output, or another file that a command makes.

import { behindLinks, writeWhole } from './call/writeWhole.ts';

/** Another call writes the same report for a moment only. */
const REPORT_WAIT_MS = 5_000;

/** Writes a file at an absolute path whole or not at all; `option` names it. Throws UC4000, UC4001 and UC4004. */
export function writeReport(path: string, content: string | Uint8Array, option = '--report'): void {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  writeWhole(behindLinks(path), bytes, option, { wait: REPORT_WAIT_MS });
}
