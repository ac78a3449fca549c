// The objects of one payload -> packed meshes. Each mesh is prepared once however often it is placed; placements become
// instances where that is worth it, the others are baked, merged by what they are drawn with, and packed. Geometry of one
// payload is held at a time, and of meshes that later payloads place again.

import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { Surface, TileMesh } from '../../formats/untold/tileScene.ts';
import { splitMesh } from '../../geometry/cut/split.ts';
import { packPart, packPlaced, placeMesh, prepareMesh } from '../../geometry/mesh/prepare.ts';
import type { PackedMesh, TriangleMesh } from '../../geometry/mesh/types.ts';
import type { CutPlanes, PlaneCell } from '../../scene/planes.ts';
import type { PolygonMesh, UvChoice } from '../../scene/types.ts';
import type { PreparedMaterial } from '../../textures/types.ts';
import type { CutPart, FaceGroup, JobObject, MeshSource, PayloadResult, SplitResult, Surfaces } from '../jobs.ts';
import { groupParts, type PayloadObjects } from './payloadGroups.ts';

export interface PreparedPart {
  readonly mesh: TriangleMesh;
  readonly surface: Surface;
  /** Equal for parts that may share a packed mesh. */
  readonly key: string;
}

/** The material's UVs; where no texture asks for any, the mesh's first set, for textures that come later. */
function uvChoice(material: PreparedMaterial, { uvs }: PolygonMesh): UvChoice {
  if (material.uv.set !== null) return material.uv;
  const [first] = uvs.keys();
  return { set: first ?? null, transform: null };
}

/** Meshes as their sources, prepared when first taken, until they are forgotten. */
export class PreparedMeshes {
  readonly surfaces: Surfaces;
  readonly #sources = new Map<number, MeshSource>();
  readonly #kept = new Map<number, readonly PreparedPart[]>();
  #reported: { mesh: number; reported: Diagnostics['reported'] }[] = [];

  constructor(surfaces: Surfaces) {
    this.surfaces = surfaces;
  }

  /** Meshes that may be taken from now on; empties the list. */
  bring(sources: MeshSource[]): void {
    for (const source of sources) this.#sources.set(source.mesh, source);
    sources.length = 0;
  }

  /** Parts of the mesh for one placement, in order of primitives and subsets. */
  async take(mesh: number): Promise<readonly PreparedPart[]> {
    const kept = this.#kept.get(mesh);
    if (kept) return kept;
    const source = this.#sources.get(mesh);
    if (!source) throw new Error(`mesh ${mesh} was not brought`);
    this.#sources.delete(mesh);
    const parts = await this.#prepare(source);
    this.#kept.set(mesh, parts);
    return parts;
  }

  forget(mesh: number): void {
    this.#kept.delete(mesh);
    this.#sources.delete(mesh);
  }

  /** What was reported of meshes that were prepared since this was last asked. */
  takeReported(): PayloadResult['prepared'] {
    const reported = this.#reported;
    this.#reported = [];
    return reported;
  }

  async #prepare({ mesh: index, primitives }: MeshSource): Promise<readonly PreparedPart[]> {
    const { scene } = this.surfaces;
    const diagnostics = new Diagnostics();
    const parts: PreparedPart[] = [];
    for (const { faces, polygons: polygonsOrRead } of primitives) {
      await breathe();
      const polygons = typeof polygonsOrRead === 'function' ? await polygonsOrRead() : polygonsOrRead;
      for (const { subset, path, material, color } of faces) {
        const surface = this.#surface(material, color);
        const request = {
          subset,
          uv: uvChoice(surface.material, polygons),
          color: color.kind === 'palette' ? { palette: color.cells } : color.kind === 'store' ? 'store' : 'white',
          needsTangents: true,
          tangentTurn: surface.material.tangentTurn,
          textureSize: this.surfaces.textureSize(surface.material),
        } as const;
        const mesh = await prepareMesh(polygons, request, diagnostics, { file: scene.source, path });
        if (mesh === null) continue;
        const key = `${material}|${surface.tint?.join(',') ?? ''}|${surface.palette?.fileName ?? ''}`;
        parts.push({ mesh, surface, key });
      }
    }
    this.#reported.push({ mesh: index, reported: diagnostics.reported });
    return parts;
  }

  #surface(material: number, color: FaceGroup['color']): Surface {
    const tint = color.kind === 'tint' ? color.tint : null;
    const palette = color.kind === 'palette' ? color.palette : -1;
    return this.surfaces.surface({ material, tint, palette });
  }
}

/** Lets signals and progress through between two long stretches of work. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Cooks the objects of one payload. With a `tileId`, objects are merged by material into entities
 * `<tileId>_<material>`, except those never to be merged and instances; without one (a single file) each placement keeps
 * an entity for each of its materials, named as in the source.
 */
export async function cookPayload(
  prepared: PreparedMeshes,
  job: PayloadObjects,
  diagnostics: Diagnostics,
): Promise<TileMesh[]> {
  const file = prepared.surfaces.scene.source;
  // In a function of its own, so that nothing but the groups holds on to the meshes while they are packed.
  const groups = await groupParts(prepared, job);
  const cooked: TileMesh[] = [];
  const packedOnce = new Map<string, PackedMesh | null>();
  await breathe();
  for (const [key, { naming, surface, path, parts, instances }] of groups) {
    groups.delete(key);
    const known = instances ? packedOnce.get(instances.of) : undefined;
    const packed = known === undefined ? await packPlaced(parts, diagnostics, { file, path }) : known;
    if (instances) packedOnce.set(instances.of, packed);
    if (packed === null) continue;
    cooked.push({ naming, surface, packed, ...(instances ? { placements: [...instances.places.values()] } : {}) });
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
  const place = { file: surfaces.scene.source, path };
  const pieces = new Map<string, PlaneCell & { readonly parts: CutPart[] }>();
  for (const part of await prepared.take(mesh)) {
    const placed = placeMesh(part.mesh, world, diagnostics, place);
    const surface = surfaces.index(part.surface);
    for (const { column, row, mesh: piece } of splitMesh(placed, planes)) {
      const cell = `${column} ${row}`;
      const known = pieces.get(cell) ?? { column, row, parts: [] };
      pieces.set(cell, known);
      const { words, indices } = packPart(piece);
      // A part that lies in one cell still has the indices of the mesh, which stays here when the pieces leave the thread.
      const own = indices === part.mesh.indices ? indices.slice() : indices;
      known.parts.push({ surface, key: part.key, words, indices: own });
    }
  }
  return [...pieces.values()].sort((a, b) => a.row - b.row || a.column - b.column);
}
