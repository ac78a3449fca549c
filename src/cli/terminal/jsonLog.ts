// The log as JSON lines on stderr, through pino, for --log-format json.

import { pino } from 'pino';
import { SCHEMA_VERSION } from '../documents/documents.ts';
import type { Fields, Log, LogOptions } from './log.ts';
import type { Terminal } from './terminal.ts';

const LEVEL = { error: 'error', warning: 'warn', info: 'info' } as const;

export function jsonLog(terminal: Terminal, options: Pick<LogOptions, 'quiet' | 'brief' | 'verbose'>): Log {
  const { quiet, brief } = options;
  const level = quiet ? 'error' : options.verbose ? 'debug' : 'info';
  const logger = pino(
    {
      base: { schemaVersion: SCHEMA_VERSION },
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Through the terminal, which notices when a line cannot be written.
    { write: (line) => terminal.say(line.trimEnd()) },
  );
  const tell = (event: (fields: Fields, message: string) => void) => (message: string, fields: Fields) => {
    if (!brief) event(fields, message);
  };
  return {
    diagnostics(list) {
      for (const item of list) this.diagnostic(item);
    },
    diagnostic({ message, ...fields }) {
      if (!brief || fields.severity === 'error') logger[LEVEL[fields.severity]](fields, message);
    },
    info: tell((fields, message) => logger.info(fields, message)),
    detail: tell((fields, message) => logger.debug(fields, message)),
    progress: tell((fields, message) => logger.debug(fields, message)),
    lines() {},
    repeated() {},
    summary(_lines, message, fields, isFailure) {
      if (quiet && isFailure) logger.error(fields, message);
      else logger.info(fields, message);
    },
  };
}
