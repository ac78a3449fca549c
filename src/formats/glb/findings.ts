// What is wrong with one GLB.

import { type Code, type Diagnostic, diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';

/** Of each code the first few are kept. */
const MOST_OF_A_CODE = 8;

export class GlbFindings {
  readonly file: string;
  readonly list: Diagnostic[] = [];
  readonly #counts = new Map<Code, number>();

  constructor(file: string) {
    this.file = file;
  }

  report(code: Code, path: string, message: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= MOST_OF_A_CODE) this.list.push(diagnostic(code, this.file, path, message));
  }

  throwIfErrors(): void {
    const errors = this.list.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new SourceError(errors);
  }
}
