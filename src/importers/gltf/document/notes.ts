// Warnings about things that occur many times (animations, lines, extensions of materials). They are gathered while the
// file is read, and reported once for each kind, with the first names.

import type { Code, Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { quote } from './element.ts';

const NAMED = 5;

interface Note {
  readonly code: Code;
  readonly path: string;
  readonly tell: (names: string) => string;
  readonly names: string[];
  count: number;
}

export class Notes {
  readonly #file: string;
  readonly #diagnostics: Diagnostics;
  readonly #notes = new Map<string, Note>();

  constructor(file: string, diagnostics: Diagnostics) {
    this.#file = file;
    this.#diagnostics = diagnostics;
  }

  /** One thing at `path` with this `name`; '' shows its path instead. `tell` makes the sentence from all names. */
  add(code: Code, kind: string, path: string, name: string, tell: (names: string) => string): void {
    const key = `${code}\0${kind}`;
    let note = this.#notes.get(key);
    if (!note) {
      note = { code, path, tell, names: [], count: 0 };
      this.#notes.set(key, note);
    }
    note.count++;
    if (note.names.length < NAMED) note.names.push(name === '' ? path : quote(name));
  }

  /** Reports what was gathered, in the order in which the kinds were first met. */
  flush(): void {
    for (const { code, path, tell, names, count } of this.#notes.values()) {
      const more = count > names.length ? ` and ${count - names.length} more` : '';
      this.#diagnostics.report(code, this.#file, path, tell(names.join(', ') + more));
    }
    this.#notes.clear();
  }
}
