// Opens the log that the options ask for.

import { diagnostic, SourceError } from '../../index.ts';
import type { Log, LogOptions } from './log.ts';
import type { Terminal } from './terminal.ts';
import { textLog } from './textLog.ts';

/** The options of a command that decide how it logs. */
interface LoggingOptions {
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly logFormat?: LogOptions['format'] | undefined;
}

/** Throws UC1012 when both --quiet and --verbose apply. pino is loaded for JSON only. */
export async function openLog(terminal: Terminal, options: LoggingOptions): Promise<Log> {
  const { quiet = false, verbose = false, logFormat = 'text' } = options;
  if (quiet && verbose) throw new SourceError(diagnostic('UC1012', '', '--quiet', 'given together with --verbose'));
  if (logFormat === 'text') return textLog(terminal, { quiet, verbose });
  return (await import('./jsonLog.ts')).jsonLog(terminal, { quiet, verbose });
}
