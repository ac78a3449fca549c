// The meshes that artists have made for the levels of tiles: cooked as the objects of a tile are, level by level, just before
// the tile's levels are made.

import type { ReportedDiagnostic } from '../../../diagnostics/diagnostic.ts';
import { unite } from '../../../scene/bounds.ts';
import { transformBounds } from '../../../scene/matrix.ts';
import type { Bounds, Scene } from '../../../scene/types.ts';
import { distanceOfCoverage } from '../../../tiling/streaming/coverage.ts';
import type { AuthoredDrawing, JobObject } from '../../../workers/jobs.ts';
import type { Workshop } from '../../made.ts';
import type { CookPlan, PlannedPayload } from '../../planned.ts';
import type { AuthoredObject } from '../read/authoredLevels.ts';
import { objectNames } from '../read/objects.ts';
import { jobObject } from '../writePayloads.ts';
import { type CookedObjects, LevelObjects } from './levelObjects.ts';

export interface AuthoredMeshes {
  /** From the nearest level on. */
  readonly levels: readonly AuthoredDrawing[];
  /** The levels as files, which tell whether anything has changed. */
  readonly files: readonly Uint8Array[];
  readonly reported: readonly ReportedDiagnostic[];
}

/** What one level draws of an object that has it. */
interface LevelNodes {
  readonly object: AuthoredObject;
  readonly nodes: readonly number[];
}

/** What level `index`, from 0, draws of the objects that have it. */
function nodesOfLevel(objects: readonly AuthoredObject[], index: number): LevelNodes[] {
  return objects.flatMap((object) => {
    const nodes = object.coarser[index];
    return nodes === undefined ? [] : [{ object, nodes }];
  });
}

/** What one tile has of the artist, from the nearest level to the last that any of its objects has. */
function levelsOf(objects: readonly AuthoredObject[], count: number): LevelNodes[][] {
  const levels: LevelNodes[][] = [];
  for (let index = 0; index < count; index++) {
    const level = nodesOfLevel(objects, index);
    if (level.length === 0) break;
    levels.push(level);
  }
  return levels;
}

const nodesOf = (level: readonly LevelNodes[]) => level.flatMap(({ nodes }) => nodes);

export class AuthoredLevelMeshes {
  readonly #plan: CookPlan;
  readonly #objects: LevelObjects;
  readonly #nameOf: (node: number) => string;
  readonly #count: number;

  /** `tiles`: those whose levels will be made, each once. */
  constructor(plan: CookPlan, workshop: Workshop, tiles: Iterable<PlannedPayload>) {
    const { scene, authored, levels } = plan;
    this.#plan = plan;
    this.#count = levels?.lods.length ?? 0;
    this.#nameOf = objectNames(scene);
    const all = [...tiles].flatMap((tile) => levelsOf(authored.objectsOf.get(tile) ?? [], this.#count).map(nodesOf));
    this.#objects = new LevelObjects(plan, workshop, all);
  }

  /** The meshes for the levels of a tile; null: it has none. Throws JobFailure. */
  async of(tile: PlannedPayload): Promise<AuthoredMeshes | null> {
    const objects = this.#plan.authored.objectsOf.get(tile);
    if (objects === undefined) return null;
    const levels: AuthoredDrawing[] = [];
    const files: Uint8Array[] = [];
    const reported: ReportedDiagnostic[] = [];
    for (const [index, level] of levelsOf(objects, this.#count).entries()) {
      const result = await this.#cook(tile, level);
      reported.push(...result.reported);
      const { drawn, payload, stored } = result;
      const shown = level.map(({ object }) => object);
      levels.push({ drawn, stored: stored ?? [], coverageFrom: coverageFrom(this.#plan.scene, shown, index) });
      if (payload) files.push(payload.file);
    }
    return { levels, files, reported };
  }

  #cook(tile: PlannedPayload, level: readonly LevelNodes[]): Promise<CookedObjects> {
    const objects = level.flatMap(({ object, nodes }) =>
      nodes.map((node, i) => this.#jobObject(object, nodes, node, i)),
    );
    return this.#objects.cook({ tileId: tile.tile?.id ?? null, nodes: nodesOf(level), objects });
  }

  /** An object keeps its name at all levels where it has as many parts there. */
  #jobObject({ finest, coarser }: AuthoredObject, nodes: readonly number[], node: number, i: number): JobObject {
    const name = this.#nameOf(nodes.length === finest.length ? finest[i] : node);
    return { ...jobObject(this.#plan.scene, node, () => name), coarser: coarser.length };
  }
}

/** Metres from which all objects of level `index`, from 0, may be shown by their coverage of the screen; null: not all say so. */
export function coverageFrom(scene: Scene, objects: readonly AuthoredObject[], index: number): number | null {
  let from = 0;
  for (const { finest, coverage } of objects) {
    if (coverage === null) return null;
    const bounds = boundsOfNodes(scene, finest);
    if (bounds !== null) from = Math.max(from, distanceOfCoverage(bounds, coverage[index]));
  }
  return from;
}

function boundsOfNodes({ nodes, meshes }: Scene, listed: readonly number[]): Bounds | null {
  let bounds: Bounds | null = null;
  for (const node of listed) {
    const { mesh, world } = nodes[node];
    for (const { bounds: own } of meshes[mesh].primitives) {
      if (own) bounds = unite(bounds, transformBounds(world, own));
    }
  }
  return bounds;
}
