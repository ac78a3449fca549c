// The shape of one entry in the table of codes.

export type Severity = 'error' | 'warning' | 'info';

export interface CodeEntry {
  readonly severity: Severity;
  /**
   * Exit code when an error ends a command: 1 the scene (when absent), 2 command line, 3 I/O or environment, 4 a bug of
   * ours, 5 a limit, 130 interrupted.
   */
  readonly exit?: 1 | 2 | 3 | 4 | 5 | 130;
  /** A few words, no full stop. */
  readonly title: string;
  /** Why this happens, in one or two sentences. */
  readonly cause: string;
  /** What the user can do about it, in the imperative. */
  readonly remedy: string;
}
