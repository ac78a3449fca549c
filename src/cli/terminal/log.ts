// What a log takes: events of a command, for people and for machines.

import type { Diagnostic } from '../../index.ts';

export interface LogOptions {
  /** Errors only, and the summary of a call that failed. */
  readonly quiet: boolean;
  /** Errors and the summary only. */
  readonly brief: boolean;
  /** Also notes, phases and the stack of a bug. */
  readonly verbose: boolean;
  /** The summary counts the warnings of each code, so that a few of all sources are enough. */
  readonly isSummed: boolean;
  readonly format: 'text' | 'json';
  /** Codes of warnings and notes that people do not want to see; machines get them. */
  readonly hide: ReadonlySet<string>;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  diagnostic(item: Diagnostic): void;
  /** All of one source or file: for people, many of one code are shortened to a few. */
  diagnostics(list: readonly Diagnostic[]): void;
  /** An event that everybody wants to know of. `message` is for people, `fields` for machines. */
  info(message: string, fields: Fields): void;
  /** An event for --verbose. */
  detail(message: string, fields: Fields): void;
  /** How far the work is: a rewritten line on a terminal, elsewhere an event for --verbose when a phase begins. */
  progress(message: string, fields: Fields, phaseBegins: boolean): void;
  /** Lines that only people need: tables. */
  lines(lines: readonly string[]): void;
  /** For people: the errors that many sources have, with their number, of which `diagnostics` has shown the first few. */
  repeated(): void;
  /** What a call came to: tables for people, and the last line. --quiet keeps it for calls that failed. */
  summary(lines: readonly string[], message: string, fields: Fields, isFailure: boolean): void;
}
