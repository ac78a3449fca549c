// The log as text on stderr, for people.

import type { Log, LogOptions } from './log.ts';
import { printable, type Terminal } from './terminal.ts';
import { diagnosticLines } from './words.ts';

/** The rewritten line changes at most this often, in milliseconds. */
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
      // Print each remedy once: forty meshes with the same fault share it.
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
    progress(message, _fields, phaseBegins) {
      if (quiet) return;
      if (terminal.live) {
        const now = performance.now();
        if (!phaseBegins && now - shownAt < STATUS_INTERVAL) return;
        shownAt = now;
        terminal.status(message);
      } else if (phaseBegins) this.detail(message, {});
    },
    lines(lines) {
      if (!quiet) for (const line of lines) terminal.say(printable(line));
    },
  };
}
