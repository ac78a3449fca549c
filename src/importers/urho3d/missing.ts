// Files that a scene names and that are not found: all of them are named before the source ends.

import { type Diagnostic, diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import type { Component } from './lightsAndCameras.ts';
import type { Resources } from './resources.ts';

export class MissingFiles {
  readonly #resources: Resources;
  readonly #names = new Set<string>();
  readonly #errors: Diagnostic[] = [];

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** The path of a resource; null: it is not found, which is noted once a name. */
  find(name: string, { file, path }: Component): string | null {
    const found = this.#resources.find(name);
    if (found === null && !this.#names.has(name)) {
      this.#names.add(name);
      const what = `"${name}" is not found, as in ${this.#resources.expected(name)}`;
      this.#errors.push(diagnostic('UC2485', file, path, what));
    }
    return found;
  }

  /** Throws UC2485 with each file that is not found. */
  check(): void {
    if (this.#errors.length > 0) throw new SourceError(this.#errors);
  }
}
