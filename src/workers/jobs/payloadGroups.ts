// What of a payload's objects becomes one mesh: parts that are merged, objects of their own, and meshes that are placed
// as instances. Knows names, keys and order; cookPayload.ts has the format store what comes out.

import { NEVER_MERGE } from '../../engine/names.ts';
import type { Format, MeshMaterial, MeshNaming, PlacedMesh, VariantSurface } from '../../formats/format.ts';
import type { Mesh } from '../../geometry/mesh/mesh.ts';
import { inverse } from '../../scene/inverse.ts';
import { identity, isIdentity, multiply } from '../../scene/matrix.ts';
import type { NodeTree } from '../../scene/nodeTree.ts';
import type { NodeRig } from '../../scene/rig.ts';
import type { Mat4 } from '../../scene/types.ts';
import type { CutMesh, InstanceLimits, JobObject } from '../jobs.ts';
import { chosenPlacements, type InstanceGroup } from './chosenInstances.ts';
import type { PreparedMesh, PreparedMeshes } from './preparedMeshes.ts';

/** What of a job decides the payload's meshes. */
export interface PayloadObjects {
  readonly tileId: string | null;
  /** As PayloadJob.joins. */
  readonly joins?: true;
  readonly objects: readonly JobObject[];
  /** The nodes of the file; absent: all meshes stand at the root. */
  readonly tree?: NodeTree;
  /** Meshes that are let go with their last placement here. */
  readonly forget: readonly number[];
  /** Null: every placement is baked. */
  readonly instances: InstanceLimits | null;
}

/** What becomes one mesh of the payload. */
export interface Group {
  readonly naming: MeshNaming;
  readonly surface: MeshMaterial;
  readonly variants: readonly VariantSurface[];
  /** Source path of the first part, for messages. */
  readonly path: string;
  readonly parts: PlacedMesh[];
  readonly rig: NodeRig | null;
  /** JobObject.coarser; 0: none. */
  readonly coarser: number;
  /** The only node; null: objects may be merged. */
  readonly node: number | null;
  /** Where `parts`, which are in the frame of the node, stand; null: they are in world space, or instances. */
  readonly frame: Mat4 | null;
  /** Instances of `parts`, which are in a space of their own: where, by node, and what tells others of the same parts. */
  readonly instances: { readonly placements: Map<number, Mat4>; readonly of: string } | null;
}

/** What one material draws of a mesh, at one placement. */
interface MeshPlacement {
  readonly object: JobObject;
  readonly part: PreparedMesh;
  /** An entity of its own. */
  readonly own: boolean;
  /** The exporter's naming: an object of several materials becomes <object>_mat<slot>. */
  readonly suffix: string;
}

/** Of an object that was cut: baked already. */
interface PlacedCut {
  readonly object: JobObject;
  readonly cut: CutMesh;
}

/** All parts in the order of objects, primitives and subsets. */
async function placedParts(
  prepared: PreparedMeshes,
  { tileId, joins, objects, forget }: PayloadObjects,
): Promise<(MeshPlacement | PlacedCut)[]> {
  const placed: (MeshPlacement | PlacedCut)[] = [];
  const forgotten = new Set(forget);
  const remaining = new Map<number, number>();
  for (const { mesh, cut } of objects) if (!cut) remaining.set(mesh, (remaining.get(mesh) ?? 0) + 1);
  for (const object of objects) {
    if (object.cut) {
      for (const cut of object.cut) placed.push({ object, cut });
      continue;
    }
    const { mesh, name, rig } = object;
    const parts = await prepared.take(mesh);
    const left = (remaining.get(mesh) as number) - 1;
    remaining.set(mesh, left);
    if (left === 0 && forgotten.has(mesh)) prepared.forget(mesh);
    const isMerged = tileId !== null || (joins === true && rig === undefined);
    const own = !isMerged || object.own === true || (tileId !== null && NEVER_MERGE.test(name));
    const slots = [...new Set(parts.map((part) => part.key))];
    for (const part of parts) {
      const suffix = slots.length > 1 ? `_mat${slots.indexOf(part.key)}` : '';
      placed.push({ object, part, own, suffix });
    }
  }
  return placed;
}

/** What of a mesh is drawn alike, wherever it is placed. */
const repeatedKey = ({ object, part }: MeshPlacement): string => `${object.mesh}|${mergedKey(object, part)}`;

/** What is merged: levels replace what is drawn of objects with as many levels made by hand as a whole. */
const mergedKey = ({ coarser = 0 }: JobObject, { key }: PreparedMesh): string =>
  coarser === 0 ? key : `${coarser} levels|${key}`;

/** Names of its own, or the tile's and the mesh's. */
function instanceNaming({ object, own, suffix }: MeshPlacement, tileId: string | null): MeshNaming {
  const mesh = `${object.meshName}${suffix}`;
  return own || tileId === null ? { entity: `${object.name}${suffix}`, mesh } : { tile: tileId, mesh };
}

/** What one material draws is called by the tile, or in a single file by the material. */
function mergedNaming({ material: { name } }: MeshMaterial, tileId: string | null): MeshNaming {
  return tileId === null ? { entity: name, mesh: name } : { tile: tileId };
}

/** Room for the numbers that tell instances apart. */
const NUMBER_BYTES = 3;

/** By key of what is repeated, the nodes at which it becomes an instance. */
function chooseNodes(
  placed: readonly (MeshPlacement | PlacedCut)[],
  { tileId, instances }: PayloadObjects,
  format: Format,
): ReadonlyMap<string, ReadonlySet<number>> {
  if (instances === null) return new Map();
  interface Repeated extends InstanceGroup {
    readonly meshes: Mesh[];
    readonly placements: { readonly world: Mat4; readonly own: boolean; readonly node: number }[];
  }
  const repeated = new Map<string, Repeated>();
  const cut = new Set<string>();
  for (const item of placed) {
    if ('cut' in item) {
      cut.add(item.cut.key);
      continue;
    }
    const { object, part, own } = item;
    const { node, world } = object;
    let found = repeated.get(repeatedKey(item));
    if (!found) {
      const naming = instanceNaming(item, tileId);
      const name = 'tile' in naming ? `${naming.tile}_${naming.mesh}` : naming.entity;
      found = {
        meshes: [],
        placements: [],
        key: mergedKey(object, part),
        nameBytes: Buffer.byteLength(name) + NUMBER_BYTES,
      };
      repeated.set(repeatedKey(item), found);
    }
    // Several parts of one mesh may be drawn alike; all are placed together.
    if (found.placements.at(-1)?.node !== node) found.placements.push({ world, own, node });
    if (found.placements.length === 1) found.meshes.push(part.mesh);
  }
  const chosen = chosenPlacements([...repeated.values()], cut, instances, format);
  const nodes = new Map<string, ReadonlySet<number>>();
  [...repeated].forEach(([key, { placements }], i) => {
    if (chosen[i].size > 0) nodes.set(key, new Set([...chosen[i]].map((index) => placements[index].node)));
  });
  return nodes;
}

/** What most groups have none of. */
type Optional = 'rig' | 'coarser' | 'node' | 'frame' | 'variants';

/** The placement of a mesh within the frame of its node. */
function within(frame: Mat4, world: Mat4): Mat4 {
  if (frame.every((value, i) => value === world[i])) return identity();
  return multiply(inverse(frame) as Mat4, world);
}

/**
 * The parts by what becomes one mesh, in the order of their first parts: own ones, or by material where they are merged;
 * instances by what they repeat.
 */
export async function groupParts(prepared: PreparedMeshes, job: PayloadObjects): Promise<Map<string, Group>> {
  const groups = new Map<string, Group>();
  const groupOf = (
    key: string,
    make: () => Omit<Group, 'parts' | Optional> & Partial<Pick<Group, Optional>>,
  ): Group => {
    const known = groups.get(key);
    if (known) return known;
    const group: Group = { rig: null, coarser: 0, node: null, frame: null, variants: [], ...make(), parts: [] };
    groups.set(key, group);
    return group;
  };
  const placed = await placedParts(prepared, job);
  const chosen = chooseNodes(placed, job, prepared.format);
  const framed = prepared.format.tree === 'bones' ? [] : (job.tree ?? []);
  const frames = new Map(framed.map(({ node, frame }) => [node, frame]));
  for (const item of placed) {
    const { node, path, name, meshName, world, coarser = 0 } = item.object;
    if ('cut' in item) {
      const { key, surface, mesh } = item.cut;
      groupOf(key, () => ({
        naming: { tile: job.tileId as string },
        surface: prepared.surfaces.surface(surface),
        path,
        instances: null,
      })).parts.push({ mesh, world: null });
      continue;
    }
    const { part, own, suffix } = item;
    const { surface, mesh, variants = [] } = part;
    const of = repeatedKey(item);
    const ownKey = `${node}|${part.key}`;
    const alone = job.tileId === null && own ? node : null;
    if (chosen.get(of)?.has(node)) {
      const { parts, instances } = groupOf(own ? ownKey : `of ${of}`, () => ({
        naming: instanceNaming(item, job.tileId),
        surface,
        variants,
        path,
        coarser,
        node: alone,
        rig: item.object.rig ?? null,
        instances: { placements: new Map(), of },
      }));
      instances?.placements.set(node, world);
      if (instances?.placements.size === 1) parts.push({ mesh, world: null });
    } else {
      const naming = own
        ? { entity: `${name}${suffix}`, mesh: `${meshName}${suffix}` }
        : mergedNaming(surface, job.tileId);
      const { rig = null } = item.object;
      const stands = rig && rig.skeleton >= 0 ? undefined : frames.get(node);
      const frame = stands === undefined || isIdentity(stands) ? null : stands;
      const make = () => ({ naming, surface, variants, path, coarser, node: alone, instances: null, rig, frame });
      const standing = { mesh, world: frame === null ? world : within(frame, world) };
      groupOf(own ? ownKey : mergedKey(item.object, part), make).parts.push(standing);
    }
  }
  return groups;
}
