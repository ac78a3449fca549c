// Objects that the plan cut: each one's mesh is read, placed and cut once, when the first payload with a piece of it is
// about to cook; the other pieces wait for theirs, packed.

import type { PlannedObject } from '../../../tiling/types.ts';
import type { CutPart, JobObject, SplitJob, SplitResult } from '../../../workers/jobs.ts';
import type { Runners } from '../../../workers/workerPool.ts';
import type { MeshSources } from './meshSources.ts';

const cellOf = ({ column, row }: { readonly column: number; readonly row: number }): string => `${column} ${row}`;

interface Cut {
  /** Pieces that wait for their payload, by cell. */
  readonly parts: Map<string, readonly CutPart[]>;
  readonly reported: SplitResult['reported'];
}

export class CutObjects {
  readonly #runners: Runners;
  readonly #sources: MeshSources;
  readonly #onPrepared: (result: Pick<SplitResult, 'prepared'>) => void;
  /** By node. */
  readonly #cuts = new Map<number, Promise<Cut>>();
  /** Diagnostics of objects whose payloads were found, by node. */
  readonly #known = new Map<number, SplitResult['reported']>();

  /** `onPrepared` gets the meshes that were prepared to be cut. */
  constructor(runners: Runners, sources: MeshSources, onPrepared: (result: Pick<SplitResult, 'prepared'>) => void) {
    this.#runners = runners;
    this.#sources = sources;
    this.#onPrepared = onPrepared;
  }

  /** The parts of a piece's cell, none where no triangle lies there; of each piece once. Rejects with JobFailure. */
  async take(object: PlannedObject, jobObject: (node: number) => JobObject): Promise<readonly CutPart[]> {
    const { node, piece } = object;
    if (!piece) throw new Error('this object is whole');
    let cutting = this.#cuts.get(node);
    if (!cutting) {
      cutting = this.#cut(object, jobObject(node));
      cutting.catch(() => {});
      this.#cuts.set(node, cutting);
    }
    const { parts } = await cutting;
    const found = parts.get(cellOf(piece)) ?? [];
    parts.delete(cellOf(piece));
    return found;
  }

  /** What an earlier cook reported of cutting the object. */
  know({ node }: PlannedObject, reported: SplitResult['reported']): void {
    this.#known.set(node, reported);
  }

  /** Diagnostics of cutting the object, which must have been cut by now, or known. */
  async reportedFor({ node }: PlannedObject): Promise<SplitResult['reported']> {
    return (await this.#cuts.get(node))?.reported ?? this.#known.get(node) ?? [];
  }

  async #cut(object: PlannedObject, whole: JobObject): Promise<Cut> {
    const planes = object.piece?.planes ?? { x: [], z: [] };
    await this.#sources.prepare([object]);
    const result = await this.#runners.run(
      (runner): SplitJob => ({ kind: 'split', object: whole, planes, ...this.#sources.give(runner, [object]) }),
    );
    this.#onPrepared(result);
    return { parts: new Map(result.pieces.map((piece) => [cellOf(piece), piece.parts])), reported: result.reported };
  }
}
