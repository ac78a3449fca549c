// The meshes that artists have made for the levels of a pack's models: each object of a model needs one for each of its own at a
// level. They are cooked in the space in which the model stores the mesh that they stand for.

import type { ReportedDiagnostic } from '../../../diagnostics/diagnostic.ts';
import { storedTransform } from '../../../geometry/instances/instance.ts';
import { inverse } from '../../../scene/inverse.ts';
import { identity, multiply } from '../../../scene/matrix.ts';
import type { Mat4, Scene } from '../../../scene/types.ts';
import type { AuthoredChainLevel, DrawnIndex, StoredDrawing } from '../../../workers/jobs.ts';
import type { Workshop, WrittenPayloads } from '../../made.ts';
import type { CookPlan, PlannedPayload } from '../../planned.ts';
import type { AuthoredObject } from '../read/authoredLevels.ts';
import { objectNames } from '../read/objects.ts';
import { jobObject } from '../writePayloads.ts';
import { coverageFrom } from './authoredMeshes.ts';
import { LevelObjects, type LevelObjectsJob } from './levelObjects.ts';

/** What artists have made for a model. */
export interface AuthoredChain {
  readonly levels: readonly AuthoredChainLevel[];
  /** In words why other levels are not used. */
  readonly misfits: readonly string[];
  readonly reported: readonly ReportedDiagnostic[];
}

interface Part extends LevelObjectsJob {
  readonly isPlaced: boolean;
}

interface Level extends Pick<AuthoredChainLevel, 'number' | 'coverageFrom'> {
  readonly parts: readonly Part[];
}

interface Work {
  readonly levels: readonly Level[];
  readonly misfits: readonly string[];
}

/** A node of full detail, and the one that stands for it at a level. */
type Pair = readonly [full: number, coarse: number];

export class AuthoredChains {
  readonly #work = new Map<string, Work>();
  readonly #objects: LevelObjects;

  /** `models`: what each model is drawn with, by path. */
  constructor(plan: CookPlan, workshop: Workshop, models: WrittenPayloads['models']) {
    const nameOf = objectNames(plan.scene);
    for (const payload of plan.payloads) {
      const drawn = models.get(payload.path);
      const objects = plan.authored.objectsOf.get(payload);
      if (drawn && objects) this.#work.set(payload.path, workOf(plan.scene, payload, objects, drawn, nameOf));
    }
    const parts = [...this.#work.values()].flatMap(({ levels }) => levels.flatMap((level) => level.parts));
    this.#objects = new LevelObjects(
      plan,
      workshop,
      parts.map(({ nodes }) => nodes),
    );
  }

  /** The meshes for the levels of a model; null: it has none. Throws JobFailure. */
  async of(model: string): Promise<AuthoredChain | null> {
    const work = this.#work.get(model);
    if (work === undefined) return null;
    const levels: AuthoredChainLevel[] = [];
    const reported: ReportedDiagnostic[] = [];
    for (const { number, coverageFrom, parts } of work.levels) {
      const drawn: DrawnIndex[] = [];
      const stored: StoredDrawing[] = [];
      for (const { isPlaced, ...part } of parts) {
        const cooked = await this.#objects.cook(part);
        reported.push(...cooked.reported);
        for (const one of cooked.drawn) drawn.push(one.of ? { ...one, of: { ...one.of, isPlaced } } : one);
        stored.push(...(cooked.stored ?? []));
      }
      levels.push({ number, coverageFrom, drawn, stored });
    }
    return { levels, misfits: work.misfits, reported };
  }
}

function workOf(
  scene: Scene,
  payload: PlannedPayload,
  objects: readonly AuthoredObject[],
  drawn: readonly DrawnIndex[],
  nameOf: (node: number) => string,
): Work {
  const count = objects.reduce((max, { coarser }) => Math.max(max, coarser.length), 0);
  const partsOf = (pairs: readonly Pair[]): Part[] => {
    // One mesh of an object may be placed where another is not: then the object is cooked for both.
    const spaces = [false, true].map((isPlaced): Part => {
      const nodes = new Set(drawn.flatMap(({ of }) => (of?.isPlaced === isPlaced ? [of.node] : [])));
      const own = pairs.filter(([full]) => nodes.has(full));
      const levelObjects = own.map(([full, coarse]) => {
        const object = jobObject(scene, coarse, () => nameOf(full));
        const world = isPlaced ? within(scene.nodes[full].world, object.world) : object.world;
        return { ...object, node: full, world };
      });
      return { isPlaced, tileId: null, nodes: own.map(([, coarse]) => coarse), objects: levelObjects };
    });
    return spaces.filter(({ nodes }) => nodes.length > 0);
  };
  const levels: Level[] = [];
  const misfits: string[] = [];
  for (let index = 0; index < count; index++) {
    const pairs = pairsAt(scene, payload, objects, index, nameOf);
    if (typeof pairs === 'string') misfits.push(pairs);
    else {
      levels.push({
        number: index + 1,
        coverageFrom: coverageFrom(scene, objects, index),
        parts: partsOf(pairs),
      });
    }
  }
  return { levels, misfits: [...new Set(misfits)] };
}

/** Where a matrix puts things in a space that is placed by another: to the last bit where they stand where that puts them. */
function within(space: Mat4, world: Mat4): Mat4 {
  if (world.every((value, i) => value === space[i])) return identity();
  // Meshes are placed by matrices that can be taken apart, which have an inverse.
  return multiply(inverse(storedTransform(space)) as Mat4, world);
}

/** What stands for each object of a model at level `index`, from 0; or in words why meshes do not pair. */
function pairsAt(
  scene: Scene,
  { objects: planned }: PlannedPayload,
  objects: readonly AuthoredObject[],
  index: number,
  nameOf: (node: number) => string,
): readonly Pair[] | string {
  const coarseOf = new Map<number, number>();
  for (const { path, finest, coarser } of objects) {
    const nodes = coarser[index];
    if (nodes === undefined) return `${path} has no level ${index + 1}: meshes do not pair one to one`;
    if (nodes.length !== finest.length) {
      const counts = `${nodes.length} ${nodes.length === 1 ? 'mesh' : 'meshes'} for the ${finest.length} of full detail`;
      return `level ${index + 1} of ${path} has ${counts}: they do not pair one to one`;
    }
    for (const [i, node] of finest.entries()) coarseOf.set(node, nodes[i]);
  }
  const missing = planned.find(({ node }) => !coarseOf.has(node));
  if (missing) {
    return `"${nameOf(missing.node)}" (${scene.nodes[missing.node].path}) has no levels: meshes do not pair one to one`;
  }
  return planned.map(({ node }): Pair => [node, coarseOf.get(node) as number]);
}
