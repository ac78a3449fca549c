// What of a stage is drawn, by the options of an import.

import type { ImportOptions } from '../../importer.ts';
import { Selection } from '../selection.ts';

export interface Choice {
  readonly selection: Selection;
  readonly purposes: ReadonlySet<string>;
  /** Invisible prims and instances are drawn like others. */
  readonly invisible: boolean;
}

export function drawingChoice(options: ImportOptions): Choice {
  return {
    selection: new Selection(options),
    purposes: new Set(options.purposes ?? ['default', 'render']),
    invisible: options.invisible ?? false,
  };
}
