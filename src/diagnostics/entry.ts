// The shape of one entry in the table of codes.

export type Severity = 'error' | 'warning' | 'info';

export interface CodeEntry {
  readonly severity: Severity;
  /** Exit code when an error ends a command: 1 the scene, 2 command line, 3 I/O or environment, 5 a limit. */
  readonly exit?: 1 | 2 | 3 | 5;
  /** A few words, no full stop. */
  readonly title: string;
  /** Why this happens, in one or two sentences. */
  readonly cause: string;
  /** What the user can do about it, in the imperative. */
  readonly remedy: string;
}
