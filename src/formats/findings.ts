// Collects the findings of one file. A broken table can have a fault in every record: the first few of each code are kept,
// the others are counted.

import { type Code, type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';

const KEPT_PER_CODE = 8;

export class Findings {
  readonly file: string;
  readonly #list: Diagnostic[] = [];
  readonly #counts = new Map<Code, number>();

  constructor(file: string) {
    this.file = file;
  }

  /** `path` names the element of the file: `meshes/4`, `chunk vertexData`, '' for the whole. */
  report(code: Code, path: string, message: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= KEPT_PER_CODE) this.#list.push(diagnostic(code, this.file, path, message));
  }

  has(code: Code): boolean {
    return this.#counts.has(code);
  }

  /** In the order they were found, then one line for each code that was found more often than is kept. */
  list(): Diagnostic[] {
    const more: Diagnostic[] = [];
    for (const [code, count] of this.#counts) {
      if (count <= KEPT_PER_CODE) continue;
      more.push(
        diagnostic(
          code,
          this.file,
          '',
          `found ${count - KEPT_PER_CODE} more ${count === KEPT_PER_CODE + 1 ? 'time' : 'times'}`,
        ),
      );
    }
    return [...this.#list, ...more];
  }

  /** Throws SourceError with the errors among them, if there are any. */
  throwIfErrors(): void {
    const errors = this.list().filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new SourceError(errors);
  }
}

/**
 * How many bytes the checks may still read. Records of a small hostile file can refer to the same bytes so often that
 * reading them all would take hours; real files have each chunk read a few times at most.
 */
export class ScanBudget {
  readonly #findings: Findings;
  #left: number;

  constructor(findings: Findings, bytes: number) {
    this.#findings = findings;
    this.#left = bytes;
  }

  /** Takes `bytes` from the budget; false, with UC3037 once, when there is not enough left. */
  take(bytes: number, path: string): boolean {
    if (this.#left >= bytes) {
      this.#left -= bytes;
      return true;
    }
    if (!this.#findings.has('UC3037')) {
      this.#findings.report('UC3037', path, 'the records refer to the same bytes far too often; not all were checked');
    }
    return false;
  }

  /** Like take, but without a finding: for checks that can be left out. */
  spare(bytes: number): boolean {
    if (this.#left < bytes) return false;
    this.#left -= bytes;
    return true;
  }
}
