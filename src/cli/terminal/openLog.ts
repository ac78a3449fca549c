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
  readonly log?: 'all' | 'summary' | undefined;
}

/** Throws UC1012 when two of --quiet, --verbose and --log summary apply, UC1010 for a code to hide that does not exist. pino is loaded for JSON only. */
export async function openLog(
  terminal: Terminal,
  options: LoggingOptions,
  { isSummed = false }: Partial<Pick<LogOptions, 'isSummed'>> = {},
): Promise<Log> {
  const { quiet = false, verbose = false, logFormat = 'text' } = options;
  const brief = options.log === 'summary';
  const said = [...(brief ? ['--log summary'] : []), ...(quiet ? ['--quiet'] : []), ...(verbose ? ['--verbose'] : [])];
  if (said.length > 1) throw new SourceError(diagnostic('UC1012', '', said[0], `given together with ${said[1]}`));
  const hide = new Set<string>((options.hide ?? []).map((code) => knownCode(code, '--hide')));
  if (logFormat === 'text') return textLog(terminal, { quiet, brief, verbose, hide, isSummed });
  return (await import('./jsonLog.ts')).jsonLog(terminal, { quiet, brief, verbose });
}
