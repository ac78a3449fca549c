// The hierarchy of a file: ids, parents, cycles, who owns which mesh, and the world transform of every entity. Works
// from the tables; without recursion, because a file may nest as deep as it has entities.

import { determinant3, isIdentity, multiply } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';
import type { Findings } from '../../findings.ts';
import type { RecordOf } from '../container/layout.ts';
import { CHUNK, ENTITY, MESH } from '../container/records.ts';
import { recordPath, type Tables } from '../container/tables.ts';
import { NONE } from '../types.ts';

export interface EntityGraph {
  readonly count: number;
  /** Table index by id; the first where an id stands twice. */
  readonly indexOfId: ReadonlyMap<number, number>;
  /** Table index of the parent, -1 for a root or a missing parent. */
  readonly parents: Int32Array;
  /** Table indices, parents before children; entities of a cycle are left out. */
  readonly order: readonly number[];
  /** World matrix of an entity in `order`: header root, parents, own. */
  world(index: number): Mat4;
  /** True when the world matrix leaves everything where it is. */
  isIdentity(index: number): boolean;
}

/** Orders parents before children. Reports each cycle once and leaves out its entities and those below it. */
function resolveOrder(parents: Int32Array, findings: Findings): number[] {
  const order: number[] = [];
  // 0 not seen, 1 on the chain that is walked, 2 in the order, 3 on or below a cycle.
  const state = new Uint8Array(parents.length);
  const chain: number[] = [];
  for (let start = 0; start < parents.length; start++) {
    let at = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      chain.push(at);
      at = parents[at];
    }
    if (at >= 0 && state[at] === 1) {
      findings.report(
        'UC3034',
        recordPath(CHUNK.entity, at),
        'entities are their own ancestors: its parents lead back to it',
      );
    }
    const broken = at >= 0 && state[at] !== 2;
    for (let i = chain.length - 1; i >= 0; i--) {
      state[chain[i]] = broken ? 3 : 2;
      if (!broken) order.push(chain[i]);
    }
    chain.length = 0;
  }
  return order;
}

/** Checks ids, parents and transforms (UC3034, UC3100, UC3105). */
export function checkEntities(tables: Tables, findings: Findings): EntityGraph {
  const table = tables.table(ENTITY, CHUNK.entity);
  const count = table.length;
  const idOf = table.column('entityId');
  const parentOf = table.column('parentEntityId');
  const indexOfId = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const id = idOf(i);
    const first = indexOfId.get(id);
    if (first === undefined) indexOfId.set(id, i);
    else
      findings.report(
        'UC3034',
        recordPath(CHUNK.entity, i),
        `entity id used twice: id ${id} is that of entity ${first} too`,
      );
  }
  const parents = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const id = parentOf(i);
    if (id === NONE) continue;
    const parent = indexOfId.get(id);
    if (parent === undefined) {
      findings.report('UC3034', recordPath(CHUNK.entity, i), `parent entity missing: no entity has the id ${id}`);
      continue;
    }
    parents[i] = parent;
    if (parent > i)
      findings.report(
        'UC3100',
        recordPath(CHUNK.entity, i),
        `parent comes after its child: its parent is entity ${parent}`,
      );
  }
  const order = resolveOrder(parents, findings);

  const root = Float64Array.from(tables.container.header.rootTransform);
  if (determinant3(root) < 0) findings.report('UC3105', 'header', 'the root transform is mirrored');
  const worlds = new Float64Array(count * 16);
  for (const i of order) {
    const local = Float64Array.from(table.get(i).localTransform);
    if (determinant3(local) < 0) findings.report('UC3105', recordPath(CHUNK.entity, i), 'its transform is mirrored');
    const parent = parents[i];
    const above = parent < 0 ? root : worlds.subarray(parent * 16, parent * 16 + 16);
    worlds.set(isIdentity(above) ? local : multiply(above, local), i * 16);
  }
  return {
    count,
    indexOfId,
    parents,
    order,
    world: (index) => worlds.subarray(index * 16, index * 16 + 16),
    isIdentity: (index) => isIdentity(worlds.subarray(index * 16, index * 16 + 16)),
  };
}

/**
 * Checks that each entity's range lies in the mesh table and that every mesh lies in the range of the entity that it
 * refers to (UC3034). Visits each mesh once, even if many ranges cover it.
 */
export function checkOwners(tables: Tables, graph: EntityGraph, findings: Findings): void {
  const entities = tables.table(ENTITY, CHUNK.entity);
  const meshes = tables.table(MESH, CHUNK.mesh);
  const inRange = (entity: RecordOf<typeof ENTITY>, mesh: number): boolean =>
    mesh >= entity.firstMeshRecordIndex && mesh < entity.firstMeshRecordIndex + entity.meshRecordCount;
  const owned = new Uint32Array(graph.count);
  const ownerOf = meshes.column('entityId');
  for (let i = 0; i < meshes.length; i++) {
    const owner = graph.indexOfId.get(ownerOf(i));
    if (owner !== undefined && inRange(entities.get(owner), i)) owned[owner]++;
    else
      findings.report(
        'UC3034',
        recordPath(CHUNK.mesh, i),
        `mesh and entity do not agree: entity ${ownerOf(i)} does not claim this mesh`,
      );
  }
  for (let i = 0; i < entities.length; i++) {
    const { firstMeshRecordIndex: first, meshRecordCount: claimed, entityId } = entities.get(i);
    if (claimed === 0) continue;
    if (first + claimed > meshes.length) {
      findings.report(
        'UC3034',
        recordPath(CHUNK.entity, i),
        `entity refers to meshes that the mesh table does not have: meshes ${first} to ${first + claimed - 1}, the table has ${meshes.length}`,
      );
    } else if (owned[i] !== claimed && graph.indexOfId.get(entityId) === i) {
      findings.report(
        'UC3034',
        recordPath(CHUNK.entity, i),
        `mesh and entity do not agree: claims ${claimed} meshes, ${owned[i]} of them name it`,
      );
    }
  }
}
