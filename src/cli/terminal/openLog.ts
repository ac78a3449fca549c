// Opens the log that the options ask for.

import { diagnostic, knownCode, SourceError } from '../../index.ts';
import type { Log, LogOptions } from './log.ts';
import type { Terminal } from './terminal.ts';
import { textLog } from './textLog.ts';

/** The options of a command that decide how it logs. */
interface LoggingOptions {
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly logFormat?: LogOptions['format'] | undefined;
  readonly hide?: readonly string[] | undefined;
}

/** Throws UC1012 when both --quiet and --verbose apply, UC1010 for a code to hide that does not exist. pino is loaded for JSON only. */
export async function openLog(terminal: Terminal, options: LoggingOptions): Promise<Log> {
  const { quiet = false, verbose = false, logFormat = 'text' } = options;
  if (quiet && verbose) throw new SourceError(diagnostic('UC1012', '', '--quiet', 'given together with --verbose'));
  const hide = new Set<string>((options.hide ?? []).map((code) => knownCode(code, '--hide')));
  if (logFormat === 'text') return textLog(terminal, { quiet, verbose, hide });
  return (await import('./jsonLog.ts')).jsonLog(terminal, { quiet, verbose });
}
