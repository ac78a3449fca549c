// The log as text on stderr, for people.

import type { Diagnostic } from '../../index.ts';
import type { Log, LogOptions } from './log.ts';
import { printable, type Terminal } from './terminal.ts';
import { count, diagnosticLines } from './words.ts';

/**
 * So many errors of one code are shown of a source, and so many warnings of one code of a source or, where the summary counts
 * them, of all; --verbose shows all.
 */
const MAX_ALIKE = 5;

/** Of equal errors of several sources so many are shown, where the end names the others. */
const MAX_EQUAL = 3;

/** The rewritten line changes at most this often, in milliseconds. */
const STATUS_INTERVAL = 80;

export function textLog(
  terminal: Terminal,
  options: Pick<LogOptions, 'quiet' | 'verbose'> & Partial<Pick<LogOptions, 'hide' | 'brief' | 'isSummed'>>,
): Log {
  const { verbose, hide, brief = false, isSummed = false } = options;
  const quiet = options.quiet || brief;
  let shownAt = 0;
  const remedies = new Set<string>();
  /** Warnings of each code that were shown or passed over. */
  const warned = new Map<string, number>();
  /** Files with an error, by its code and message; only where the end tells of them. */
  const equal = new Map<string, { readonly item: Diagnostic; readonly files: Set<string> }>();
  /** How many other files had the same error before this one; notes it. */
  const equalBefore = (item: Diagnostic): number => {
    const key = `${item.code}\0${item.message}`;
    const known = equal.get(key) ?? { item, files: new Set() };
    equal.set(key, known);
    known.files.add(item.file);
    // Files are told of one after the other: this one is the last.
    return known.files.size - 1;
  };
  const isShown = ({ severity, code }: Diagnostic) => {
    if (severity === 'error') return true;
    return !quiet && hide?.has(code) !== true && (severity === 'warning' || verbose);
  };
  const tellMore = (words: string) => terminal.say(terminal.style('dim', `  ${words}`));
  return {
    diagnostics(list) {
      const shown = list.filter(isShown);
      const left = new Map<string, number>();
      for (const { code } of shown) left.set(code, (left.get(code) ?? 0) + 1);
      const earlier = isSummed ? new Map(warned) : new Map<string, number>();
      const printed = new Map<string, number>();
      for (const item of shown) {
        const { code, severity } = item;
        const others = isSummed && severity === 'error' ? equalBefore(item) : 0;
        if (others >= MAX_EQUAL && !verbose) {
          const isFirst = others === MAX_EQUAL && item.path === list.find((one) => one.message === item.message)?.path;
          if (isFirst) tellMore(`and more like this: ${code} (counted at the end, --verbose for all)`);
          continue;
        }
        const beforeList = severity === 'error' ? 0 : (earlier.get(code) ?? 0);
        const before = beforeList + (printed.get(code) ?? 0);
        printed.set(code, (printed.get(code) ?? 0) + 1);
        if (severity !== 'error') warned.set(code, (warned.get(code) ?? 0) + 1);
        if (verbose || before < MAX_ALIKE) this.diagnostic(item);
        else if (before === MAX_ALIKE) {
          const others = beforeList > 0 ? 'more' : `${count((left.get(code) ?? 0) - MAX_ALIKE)} more`;
          const where = beforeList > 0 ? 'counted at the end, ' : '';
          tellMore(`and ${others} like this: ${code} (${where}--verbose for all)`);
        }
      }
    },
    diagnostic(item) {
      if (!isShown(item)) return;
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
        const now = terminal.clock.now();
        if (!phaseBegins && now - shownAt < STATUS_INTERVAL) return;
        shownAt = now;
        terminal.status(message);
      } else if (phaseBegins) this.detail(message, {});
    },
    lines(lines) {
      if (!quiet) for (const line of lines) terminal.say(printable(line));
    },
    repeated() {
      if (verbose) return;
      for (const { item, files } of equal.values()) {
        if (files.size <= MAX_EQUAL) continue;
        const more = count(files.size - MAX_EQUAL);
        const message = `in ${count(files.size)} sources: ${item.message}`;
        const [head] = diagnosticLines({ ...item, file: '', path: '', message }, terminal);
        terminal.say(head);
        terminal.say(printable(`  ${[...files].slice(0, MAX_EQUAL).join(', ')} and ${more} more`));
      }
    },
    summary(lines, message, _fields, isFailure) {
      if (options.quiet && !isFailure) return;
      for (const line of [...lines, message]) terminal.say(printable(line));
    },
  };
}
