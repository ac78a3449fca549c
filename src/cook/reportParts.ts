// Tells which part of a cook has reported which diagnostics: of those that are kept once for many parts, the first in the
// order of the whole cook counts, whichever machine has cooked it.

import type { Diagnostics, ReportedDiagnostic } from '../diagnostics/diagnostic.ts';
import type { ShardDiagnostics } from '../formats/shard/document.ts';

/** The diagnostics of one part of a cook. */
export interface ReportPart {
  readonly stage: ShardDiagnostics['stage'];
  readonly id: string;
  readonly reported: readonly ReportedDiagnostic[];
}

export class ReportParts {
  readonly #diagnostics: Diagnostics;
  readonly #marks: { readonly stage: ReportPart['stage']; readonly id: string; readonly from: number }[] = [
    { stage: 'scene', id: '', from: 0 },
  ];

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  /** What is reported from here on belongs to this part. */
  begin(stage: ReportPart['stage'], id: string): void {
    this.#marks.push({ stage, id, from: this.#diagnostics.reported.length });
  }

  /** All parts that have reported something, in order. */
  end(): readonly ReportPart[] {
    const { reported } = this.#diagnostics;
    const parts = this.#marks.map(({ stage, id, from }, i) => ({
      stage,
      id,
      reported: reported.slice(from, this.#marks[i + 1]?.from),
    }));
    return parts.filter((part) => part.reported.length > 0);
  }
}
