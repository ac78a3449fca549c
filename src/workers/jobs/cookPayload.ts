// The objects of one payload -> stored meshes. Each mesh is prepared once however often it is placed; placements become
// instances where that is worth it, the others are baked, merged by what they are drawn with, and packed. Geometry of one
// payload is held at a time, and of meshes that later payloads use again.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { PayloadMesh, StoredMesh } from '../../formats/format.ts';
import { splitMesh } from '../../geometry/cut/split.ts';
import { mapAttributes } from '../../geometry/mesh/attributes.ts';
import type { Float32Mesh, Mesh } from '../../geometry/mesh/mesh.ts';
import { placeMesh } from '../../geometry/mesh/transform.ts';
import type { CutPlanes, PlaneCell } from '../../scene/planes.ts';
import type { CutMesh, JobObject, SplitResult } from '../jobs.ts';
import { groupParts, type PayloadObjects } from './payloadGroups.ts';
import { type PreparedMeshes, yieldToEvents } from './preparedMeshes.ts';

/**
 * Cooks the objects of one payload. With a `tileId`, objects are merged by material into entities
 * `<tileId>_<material>`, except those never to be merged and instances; without one (a single file) each placement keeps
 * an entity for each of its materials, named as in the source.
 */
export async function cookPayload(
  prepared: PreparedMeshes,
  job: PayloadObjects,
  diagnostics: Diagnostics,
): Promise<PayloadMesh[]> {
  const { format } = prepared;
  const file = prepared.surfaces.scene.source;
  // In a function of its own, so that nothing but the groups holds on to the meshes while they are stored.
  const groups = await groupParts(prepared, job);
  const cooked: PayloadMesh[] = [];
  const storedOnce = new Map<string, StoredMesh | null>();
  await yieldToEvents();
  for (const [key, { naming, surface, path, parts, instances, rig, coarser, node, frame, variants }] of groups) {
    groups.delete(key);
    const known = instances ? storedOnce.get(instances.of) : undefined;
    const stored = known === undefined ? await format.storeParts(parts, diagnostics, { file, path }, surface) : known;
    if (instances) storedOnce.set(instances.of, stored);
    if (stored === null) continue;
    const places = instances ? [...instances.placements.values()] : frame ? [frame] : null;
    const placements = places ? { placements: places } : {};
    const moved = rig ? { rig } : {};
    const byHand = coarser > 0 ? { coarser } : {};
    const looks = variants.length > 0 ? { variants } : {};
    cooked.push({
      naming,
      surface,
      stored,
      ...looks,
      ...placements,
      ...moved,
      ...byHand,
      ...(node === null ? {} : { node }),
    });
  }
  return cooked;
}

/** Places an object and cuts it at planes: its parts by cell, in order of (row, column). */
export async function cutObject(
  prepared: PreparedMeshes,
  { path, mesh, world }: JobObject,
  planes: CutPlanes,
  diagnostics: Diagnostics,
): Promise<SplitResult['pieces']> {
  const { surfaces } = prepared;
  const location = { file: surfaces.scene.source, path };
  const pieces = new Map<string, PlaneCell & { readonly parts: CutMesh[] }>();
  for (const part of await prepared.take(mesh)) {
    const placed = placeMesh(part.mesh, world, diagnostics, location);
    const surface = surfaces.index(part.surface);
    for (const { column, row, mesh: piece } of splitMesh(placed, planes)) {
      const cell = `${column} ${row}`;
      const known = pieces.get(cell) ?? { column, row, parts: [] };
      pieces.set(cell, known);
      known.parts.push({ surface, key: part.key, mesh: withOwnArrays(piece, part.mesh) });
    }
  }
  return [...pieces.values()].sort((a, b) => a.row - b.row || a.column - b.column);
}

/** A piece that shares no array with the mesh it is of, which stays here when the piece leaves the thread. */
function withOwnArrays(piece: Float32Mesh, { positions, attributes, indices }: Mesh): Float32Mesh {
  return {
    vertexCount: piece.vertexCount,
    positions: piece.positions === positions ? piece.positions.slice() : piece.positions,
    attributes: mapAttributes(piece.attributes, (values, _, semantic) =>
      values === attributes[semantic] ? values.slice() : values,
    ),
    indices: piece.indices === indices ? indices.slice() : piece.indices,
  };
}
