// The diagnostics of composition. Arcs that cannot be followed are errors, or warnings if the caller chose to drop
// missing assets; all other diagnostics have the severity of their code.

import { type Code, type Diagnostics, diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Layer } from '../layer.ts';

export type MissingAsset = 'error' | 'drop';

export class Findings {
  readonly #diagnostics: Diagnostics;
  readonly #missingAsset: MissingAsset;
  readonly #dropped = new Set<string>();

  constructor(diagnostics: Diagnostics, missingAsset: MissingAsset) {
    this.#diagnostics = diagnostics;
    this.#missingAsset = missingAsset;
  }

  report(code: Code, layer: Layer, path: string, message: string, remedy?: string): void {
    this.#diagnostics.report(code, layer.identifier, path, message, remedy);
  }

  /** Reports an arc or sublayer, authored at `path` in `layer`, whose target cannot be used. */
  missing(code: Code, layer: Layer, path: string, message: string): void {
    const item = diagnostic(code, layer.identifier, path, message);
    if (this.#missingAsset === 'error') {
      this.#diagnostics.add(item);
      return;
    }
    this.#dropped.add(`${item.code}\0${item.file}\0${item.path}\0${item.message}`);
    this.#diagnostics.add({ ...item, severity: 'warning' });
  }

  /** Reports once, if any arc or sublayer was dropped, that the scene is incomplete. `root`: the stage's root layer. */
  finish(root: Layer): void {
    const count = this.#dropped.size;
    if (count === 0) return;
    const what =
      count === 1 ? 'an arc or sublayer with a missing target' : `${count} arcs or sublayers with missing targets`;
    this.report('UC1719', root, '/', `the scene is incomplete: left out ${what}`);
  }
}
