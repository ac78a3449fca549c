// What composition has to say. Arcs that cannot be followed are errors, or warnings when the caller drops what is
// missing; everything else has the severity of its code.

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

  report(code: Code, layer: Layer, path: string, message: string): void {
    this.#diagnostics.report(code, layer.identifier, path, message);
  }

  /** An arc or sublayer, authored at `path` in `layer`, that contributes nothing although it should. */
  missing(code: Code, layer: Layer, path: string, message: string): void {
    const item = diagnostic(code, layer.identifier, path, message);
    if (this.#missingAsset === 'error') {
      this.#diagnostics.add(item);
      return;
    }
    this.#dropped.add(`${item.code}\0${item.file}\0${item.path}\0${item.message}`);
    this.#diagnostics.add({ ...item, severity: 'warning' });
  }

  /** Says once that the result is incomplete when something was dropped. `root` is the stage's root layer. */
  finish(root: Layer): void {
    const count = this.#dropped.size;
    if (count === 0) return;
    const what = count === 1 ? 'one arc or sublayer was' : `${count} arcs or sublayers were`;
    this.report('UC1719', root, '/', `${what} left out because its target is missing: the scene is incomplete`);
  }
}
