// Numbers, tables and diagnostics in words for people. No locale: the same text on every machine.

import type { Diagnostic } from '../../index.ts';
import { printable, type Terminal } from './terminal.ts';

export { formatBytes as size } from '../../index.ts';

/** 1234567 -> "1,234,567". */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 tile", "2,000 tiles"; `many` where the plural is irregular. */
export function plural(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

/**
 * Lines of at most `width` characters, broken at blanks; a longer word has a line of its own. All but the first begin with
 * `indent`; the first has `used` characters of another text before it.
 */
export function wrapped(text: string, width: number, indent = '', used = indent.length): string[] {
  const lines: string[] = [];
  let line = '';
  let room = width - used;
  for (const word of text.split(/ +/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = '';
      room = width - indent.length;
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map((item, i) => (i === 0 ? item : indent + item));
}

/** "0.4 s", "2 min 5 s". */
export function duration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Columns aligned to their widest cell; numbers to the right. Lines end without blanks. */
export function table(rows: readonly (readonly string[])[], right: ReadonlySet<number>): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, i) => (right.has(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd(),
  );
}

/** A phase of a cook and how far it is: "cook 3/12", of textures in millions of texels: "textures 4.2/167.8 Mpix". */
export function steps(phase: string, done: number, total: number): string {
  if (total <= 1) return phase;
  if (phase !== 'textures') return `${phase} ${done}/${total}`;
  const [made, all] = [done, total].map((texels) => (texels / 1e6).toFixed(1));
  return `${phase} ${made}/${all} Mpix`;
}

/** A path of at most `max` characters: the middle of a longer one is left out, so that its beginning and its name stay. */
export function shortened(path: string, max: number): string {
  if (path.length <= max) return path;
  if (max < 3) return '…'.slice(0, Math.max(0, max));
  const head = Math.floor((max - 1) / 3);
  return `${path.slice(0, head)}…${path.slice(path.length - (max - 1 - head))}`;
}

/** The folders that all paths begin with, with the last `/`; '' for none. */
export function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let length = first.lastIndexOf('/') + 1;
  for (const path of others) {
    while (length > 0 && !path.startsWith(first.slice(0, length))) {
      length = first.slice(0, length - 1).lastIndexOf('/') + 1;
    }
  }
  return first.slice(0, length);
}

const SEVERITY_STYLE = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** `severity CODE file element: message`, and the remedy in a line of its own. */
export function diagnosticLines(item: Diagnostic, terminal: Terminal): string[] {
  const element = [item.file, item.path].filter((part) => part !== '').join(' ');
  const head = `${terminal.style(SEVERITY_STYLE[item.severity], item.severity)} ${terminal.style('bold', item.code)}`;
  return [
    `${head}${element === '' ? '' : ` ${printable(element)}`}: ${printable(item.message)}`,
    `  ${terminal.style('dim', printable(item.remedy))}`,
  ];
}
