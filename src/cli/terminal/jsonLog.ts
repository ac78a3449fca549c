// The log as JSON lines on stderr, through pino, for --log-format json.

import { pino } from 'pino';
import { SCHEMA_VERSION } from '../documents/documents.ts';
import type { Log, LogOptions } from './log.ts';
import type { Terminal } from './terminal.ts';

const LEVEL = { error: 'error', warning: 'warn', info: 'info' } as const;

export function jsonLog(terminal: Terminal, options: Pick<LogOptions, 'quiet' | 'verbose'>): Log {
  const level = options.quiet ? 'error' : options.verbose ? 'debug' : 'info';
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
  return {
    diagnostics(list) {
      for (const item of list) this.diagnostic(item);
    },
    diagnostic({ message, ...fields }) {
      logger[LEVEL[fields.severity]](fields, message);
    },
    info: (message, fields) => logger.info(fields, message),
    detail: (message, fields) => logger.debug(fields, message),
    progress: (message, fields) => logger.debug(fields, message),
    lines() {},
  };
}
