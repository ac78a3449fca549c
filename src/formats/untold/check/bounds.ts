// Compares the boxes that a file stores with those of its vertices. The engine streams and culls by the stored ones.

import { transformBounds } from '../../../scene/matrix.ts';
import type { Findings } from '../../findings.ts';
import { CHUNK, ENTITY, enumNumber, FILE_TYPES, MESH, SKIN } from '../container/records.ts';
import { recordPath, type Tables } from '../container/tables.ts';
import type { EntityGraph } from './entities.ts';
import { Boxes, type MeasuredEntities } from './geometry.ts';

/** Metres. Boxes are computed in float64 here and perhaps in float32 elsewhere: at 1 km a float32 has 6e-5. */
const TOLERANCE = 1e-4;
/** A few float32 roundings of a large coordinate; more than TOLERANCE from about 400 m on. */
const RELATIVE_TOLERANCE = 2 ** -22;

const toleranceAt = (value: number): number => Math.max(TOLERANCE, Math.abs(value) * RELATIVE_TOLERANCE);

const boxOf = (min: readonly number[], max: readonly number[]): readonly number[] => [...min, ...max];

/**
 * True if `stored` covers `tight` and does not reach beyond `loose`: the box of the transformed vertices and that of the
 * transformed box. They differ under a rotation, where a producer may store either.
 */
function fits(stored: readonly number[], tight: ArrayLike<number>, loose: ArrayLike<number>): boolean {
  for (let a = 0; a < 3; a++) {
    const low = stored[a];
    const high = stored[3 + a];
    if (low > tight[a] + toleranceAt(tight[a]) || low < loose[a] - toleranceAt(loose[a])) return false;
    if (high < tight[3 + a] - toleranceAt(tight[3 + a])) return false;
    if (high > loose[3 + a] + toleranceAt(loose[3 + a])) return false;
  }
  return true;
}

const text = (box: ArrayLike<number>): string => {
  const part = (from: number) => [0, 1, 2].map((a) => Number(box[from + a].toPrecision(6))).join(' ');
  return `(${part(0)}) to (${part(3)})`;
};

const ORIGIN = new Float64Array(6);

function isAnyOf(set: ReadonlySet<number>, first: number, count: number): boolean {
  if (set.size === 0) return false;
  for (let i = first; i < first + count; i++) if (set.has(i)) return true;
  return false;
}

function looseWorld(graph: EntityGraph, entity: number, local: ArrayLike<number>): readonly number[] {
  const box = transformBounds(graph.world(entity), {
    min: [local[0], local[1], local[2]],
    max: [local[3], local[4], local[5]],
  });
  return boxOf(box.min, box.max);
}

/** Reaches beyond every box, so that only what is too small does not fit. */
const ANYTHING = new Float64Array([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity]);

/** The meshes that a skeleton moves: their bounds hold all poses, which nothing in the file tells. */
function movedMeshes(tables: Tables): ReadonlySet<number> {
  const skins = tables.table(SKIN, CHUNK.skin);
  const meshOf = skins.column('meshRecordIndex');
  return new Set(Array.from({ length: skins.length }, (_, i) => meshOf(i)));
}

/**
 * UC3100 for meshes, entities and the header. Skips those with a mesh that could not be measured. What a skeleton moves may
 * have larger bounds than its vertices, and so may levels.
 */
export function checkBounds(tables: Tables, graph: EntityGraph, measured: MeasuredEntities, findings: Findings): void {
  const say = (path: string, what: string, stored: readonly number[], actual: ArrayLike<number>) =>
    findings.report(
      'UC3100',
      path,
      `bounds do not fit the vertices: ${what} ${text(stored)}, the vertices fill ${text(actual)}`,
    );

  // Level files of packs repeat the entities and the header of their model, whose vertices may reach further.
  const isLevel = tables.container.header.fileType === enumNumber(FILE_TYPES, 'lod');
  const moved = movedMeshes(tables);
  const meshes = tables.table(MESH, CHUNK.mesh);
  for (let i = 0; i < meshes.length; i++) {
    if (measured.meshes.isEmpty(i)) continue;
    const mesh = meshes.get(i);
    const stored = boxOf(mesh.localBoundsMin, mesh.localBoundsMax);
    const box = measured.meshes.get(i);
    if (!fits(stored, box, moved.has(i) ? ANYTHING : box)) say(recordPath(CHUNK.mesh, i), 'local bounds', stored, box);
  }

  // A node without meshes holds what is below it, and may count mesh-less leaves as points at the origin.
  const entities = tables.table(ENTITY, CHUNK.entity);
  const tight = new Boxes(graph.count + 1);
  const loose = new Boxes(graph.count + 1);
  const unmeasured = new Uint8Array(graph.count + 1);
  const all = graph.count;
  let hasBareNode = false;
  for (let n = graph.order.length - 1; n >= 0; n--) {
    const i = graph.order[n];
    const entity = entities.get(i);
    const path = recordPath(CHUNK.entity, i);
    const world = boxOf(entity.worldBoundsMin, entity.worldBoundsMax);
    if (entity.meshRecordCount > 0) {
      if (measured.sound[i] === 0 || measured.local.isEmpty(i)) {
        unmeasured[i] = 1;
      } else {
        const local = boxOf(entity.localBoundsMin, entity.localBoundsMax);
        const box = measured.local.get(i);
        const isMoved = isAnyOf(moved, entity.firstMeshRecordIndex, entity.meshRecordCount);
        if (!fits(local, box, isMoved || isLevel ? ANYTHING : box)) say(path, 'local bounds', local, box);
        const own = measured.world.get(i);
        const ownLoose = isMoved || isLevel ? ANYTHING : looseWorld(graph, i, box);
        if (!fits(world, own, ownLoose)) say(path, 'world bounds', world, own);
        tight.add(i, own);
        loose.add(i, ownLoose);
      }
    } else {
      hasBareNode = true;
      if (unmeasured[i] === 0 && !tight.isEmpty(i)) {
        const reach = new Boxes(1);
        reach.add(0, loose.get(i));
        reach.add(0, ORIGIN);
        if (!fits(world, tight.get(i), reach.get(0))) say(path, 'world bounds', world, tight.get(i));
      }
    }
    const above = graph.parents[i] < 0 ? all : graph.parents[i];
    if (!tight.isEmpty(i)) {
      tight.add(above, tight.get(i));
      loose.add(above, loose.get(i));
    }
    if (unmeasured[i] === 1) unmeasured[above] = 1;
  }

  const { worldBoundsMin, worldBoundsMax } = tables.container.header;
  const stored = boxOf(worldBoundsMin, worldBoundsMax);
  if (unmeasured[all] === 1 || graph.order.length < graph.count) return;
  const empty = tight.isEmpty(all);
  if (empty) tight.add(all, ORIGIN);
  if (empty || hasBareNode) loose.add(all, ORIGIN);
  if (!fits(stored, tight.get(all), loose.get(all))) say('header', 'world bounds', stored, tight.get(all));
}
