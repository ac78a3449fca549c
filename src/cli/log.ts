// What a command says while it works: to people as text, to machines as one JSON object a line.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { printable, type Terminal } from './terminal.ts';
import { diagnosticLines } from './words.ts';

export interface LogOptions {
  /** Errors only. */
  readonly quiet: boolean;
  /** Also notes, stages and the stack of a bug. */
  readonly verbose: boolean;
  readonly format: 'text' | 'json';
}

export type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  diagnostic(item: Diagnostic): void;
  /** An event that everybody wants to know of. `message` is for people, `fields` for machines. */
  info(message: string, fields: Fields): void;
  /** An event for --verbose. */
  detail(message: string, fields: Fields): void;
  /** Where the work stands: a rewritten line on a terminal, an event for --verbose elsewhere when a stage begins. */
  progress(message: string, fields: Fields, stageBegins: boolean): void;
  /** Lines that only people need: tables. */
  lines(lines: readonly string[]): void;
}

/** How often the rewritten line changes at most, in milliseconds. */
const STATUS_INTERVAL = 80;

export function textLog(terminal: Terminal, options: Pick<LogOptions, 'quiet' | 'verbose'>): Log {
  const { quiet, verbose } = options;
  let shownAt = 0;
  const remedies = new Set<string>();
  return {
    diagnostic(item) {
      if (quiet ? item.severity !== 'error' : item.severity === 'info' && !verbose) return;
      const [head, remedy] = diagnosticLines(item, terminal);
      terminal.say(head);
      // A remedy is said once: forty meshes with the same trouble need it no more than one.
      if (remedies.has(remedy)) return;
      remedies.add(remedy);
      terminal.say(remedy);
    },
    info(message) {
      if (!quiet) terminal.say(printable(message));
    },
    detail(message) {
      if (verbose) terminal.say(terminal.style('dim', printable(message)));
    },
    progress(message, _fields, stageBegins) {
      if (quiet) return;
      if (terminal.live) {
        const now = performance.now();
        if (!stageBegins && now - shownAt < STATUS_INTERVAL) return;
        shownAt = now;
        terminal.status(message);
      } else if (stageBegins) this.detail(message, {});
    },
    lines(lines) {
      if (!quiet) for (const line of lines) terminal.say(printable(line));
    },
  };
}

/** The log that the options ask for. pino is loaded for JSON only. */
export async function openLog(terminal: Terminal, options: LogOptions): Promise<Log> {
  if (options.format === 'text') return textLog(terminal, options);
  return (await import('./jsonLog.ts')).jsonLog(terminal, options);
}
