// The import options that decide which prims of a stage are drawn.

import type { ImportOptions } from '../../importer.ts';
import { Selection } from '../selection.ts';

export interface Choice {
  readonly selection: Selection;
  readonly purposes: ReadonlySet<string>;
  /** Invisible prims and instances are drawn too. */
  readonly invisible: boolean;
}

export function drawingChoice(options: ImportOptions): Choice {
  return {
    selection: new Selection(options),
    purposes: new Set(options.purposes ?? ['default', 'render']),
    invisible: options.invisible ?? false,
  };
}
