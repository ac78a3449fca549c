// The objects of one payload -> stored meshes. Each mesh is prepared once however often it is placed; placements become
// instances where that is worth it, the others are baked, merged by what they are drawn with, and packed. Geometry of one
// payload is held at a time, and of meshes that later payloads use again.

import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { PayloadMesh, StoredMesh, Surface } from '../../formats/format.ts';
import { splitMesh } from '../../geometry/cut/split.ts';
import { mapAttributes, type Semantic } from '../../geometry/mesh/attributes.ts';
import type { Float32Mesh, Mesh } from '../../geometry/mesh/mesh.ts';
import { prepareMesh } from '../../geometry/mesh/prepare.ts';
import { placeMesh } from '../../geometry/mesh/transform.ts';
import type { CutPlanes, PlaneCell } from '../../scene/planes.ts';
import type { PolygonMesh, UvChoice } from '../../scene/types.ts';
import type { PreparedMaterial } from '../../textures/types.ts';
import type { CutPart, FaceGroup, JobObject, MeshSource, PayloadResult, SplitResult, Surfaces } from '../jobs.ts';
import { groupParts, type PayloadObjects } from './payloadGroups.ts';

export interface PreparedPart {
  readonly mesh: Mesh;
  readonly surface: Surface;
  /** Equal for parts that may be merged. */
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
  /** Work since others were let through. */
  #stretch = 0;

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

  /** Diagnostics of meshes that were prepared since the last call. */
  takeReported(): PayloadResult['prepared'] {
    const reported = this.#reported;
    this.#reported = [];
    return reported;
  }

  async #prepare({ mesh: index, primitives }: MeshSource): Promise<readonly PreparedPart[]> {
    const { scene, format } = this.surfaces;
    const holds = (semantic: Semantic): boolean => format.attributes.includes(semantic);
    const diagnostics = new Diagnostics();
    const parts: PreparedPart[] = [];
    for (const { faces, polygons: polygonsOrRead } of primitives) {
      if (this.#stretch >= LONG_STRETCH) {
        this.#stretch = 0;
        await breathe();
      }
      const polygons = typeof polygonsOrRead === 'function' ? await polygonsOrRead() : polygonsOrRead;
      this.#stretch += PRIMITIVE_WORK + polygons.corners.length;
      for (const { subset, path, material, color } of faces) {
        const surface = this.#surface(material, color);
        const request = {
          subset,
          uv: uvChoice(surface.material, polygons),
          color:
            color.kind === 'palette'
              ? { palette: color.cells }
              : color.kind === 'store' && holds('color0')
                ? 'store'
                : 'white',
          needsTangents: holds('tangent'),
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

/** Corners that are prepared in about 10 ms, and what a primitive costs besides, in corners. */
const LONG_STRETCH = 100_000;
const PRIMITIVE_WORK = 50;

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
): Promise<PayloadMesh[]> {
  const { format, scene } = prepared.surfaces;
  const file = scene.source;
  // In a function of its own, so that nothing but the groups holds on to the meshes while they are stored.
  const groups = await groupParts(prepared, job);
  const cooked: PayloadMesh[] = [];
  const storedOnce = new Map<string, StoredMesh | null>();
  await breathe();
  for (const [key, { naming, surface, path, parts, instances }] of groups) {
    groups.delete(key);
    const known = instances ? storedOnce.get(instances.of) : undefined;
    const stored = known === undefined ? await format.storeParts(parts, diagnostics, { file, path }) : known;
    if (instances) storedOnce.set(instances.of, stored);
    if (stored === null) continue;
    cooked.push({ naming, surface, stored, ...(instances ? { placements: [...instances.placements.values()] } : {}) });
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
  const pieces = new Map<string, PlaneCell & { readonly parts: CutPart[] }>();
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
