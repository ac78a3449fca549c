// Notes which codes the product emits while tests run. vitest.config.ts puts a call of `provoked` into diagnostic(); codes
// of commands that run as processes of their own are taken from what they print (test/support/process.ts). provokedCodes.ts counts them.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const seen = new Set<string>();
const folder = process.env.UNTOLD_PROVOKED_CODES;

/** A frame of code of the product other than the functions that make diagnostics. */
const PRODUCT = /[\\/]src[\\/](?!diagnostics[\\/]diagnostic\.ts)/;
const MAKERS = /[\\/]src[\\/]diagnostics[\\/]diagnostic\.ts/;

function note(code: string): void {
  if (seen.has(code)) return;
  seen.add(code);
  if (folder) appendFileSync(join(folder, `${process.pid}.txt`), `${code}\n`);
}

/** Called for each diagnostic that is made. Those that a test makes itself do not count. */
function provoked(code: string): void {
  if (seen.has(code)) return;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 20;
  const frames = (new Error().stack ?? '').split('\n').slice(2);
  Error.stackTraceLimit = limit;
  const caller = frames.find((frame) => !MAKERS.test(frame) && /[\\/](src|test)[\\/]/.test(frame));
  if (caller && PRODUCT.test(caller)) note(code);
}

/** Commands whose output names codes that nothing has provoked. */
const LISTING = ['explain', 'completion', 'help', '--help'];

/** Notes the codes in the output of a command. */
export function notePrinted(args: readonly string[], text: string): void {
  if (LISTING.some((word) => args.includes(word))) return;
  for (const [code] of text.matchAll(/\bUC\d{4}\b/g)) note(code);
}

/** One for each process: with its tests, modules are loaded once for all files. */
const shared = globalThis as { untoldProvoked?: typeof provoked; untoldPrinted?: typeof notePrinted };
shared.untoldProvoked ??= provoked;
shared.untoldPrinted ??= notePrinted;
