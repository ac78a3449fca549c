// Cooks objects of levels made by hand, as the objects of payloads are. What is read of them is not written as it is: levels are
// made of it.

import type { ReportedDiagnostic } from '../../../diagnostics/diagnostic.ts';
import type { JobObject, PayloadJob, PayloadResult } from '../../../workers/jobs.ts';
import type { Workshop } from '../../made.ts';
import type { CookPlan } from '../../planned.ts';
import { MeshSources } from '../payloads/meshSources.ts';

/** Objects that are cooked together. */
export interface LevelObjectsJob {
  /** As in PayloadJob. */
  readonly tileId: string | null;
  /** Nodes whose meshes the objects have. */
  readonly nodes: readonly number[];
  readonly objects: readonly JobObject[];
}

export interface CookedObjects extends PayloadResult {
  /** All that is to be said of the objects and their meshes, whichever job prepared these. */
  readonly reported: readonly ReportedDiagnostic[];
}

const placed = (nodes: readonly number[]) => nodes.map((node) => ({ node }));

export class LevelObjects {
  readonly #workshop: Workshop;
  readonly #sources: MeshSources;
  /** Which job prepares a mesh is chance: each reports what is known of its own meshes. */
  readonly #reportedForMesh = new Map<number, readonly ReportedDiagnostic[]>();

  /** `jobs`: the nodes of all jobs to come. */
  constructor({ scene }: CookPlan, workshop: Workshop, jobs: readonly (readonly number[])[]) {
    this.#workshop = workshop;
    this.#sources = new MeshSources(scene, workshop.colors, jobs.map(placed), workshop.runners, null);
  }

  /** Throws JobFailure. */
  async cook({ tileId, nodes, objects }: LevelObjectsJob): Promise<CookedObjects> {
    const needed = placed(nodes);
    await this.#sources.prepare(needed);
    const result = await this.#workshop.runners.run(
      (runner): PayloadJob => ({
        kind: 'payload',
        tileId,
        fileType: 'lod',
        authored: {},
        objects,
        ...this.#sources.give(runner, needed),
        neighbours: [],
        instances: null,
        keepsMeshes: true,
      }),
    );
    for (const { mesh, reported } of result.prepared) this.#reportedForMesh.set(mesh, reported);
    const meshes = [...new Set(objects.map(({ mesh }) => mesh))];
    const ofMeshes = meshes.flatMap((mesh) => this.#reportedForMesh.get(mesh) ?? []);
    return { ...result, reported: [...ofMeshes, ...result.reported] };
  }
}
