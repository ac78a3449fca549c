// The objects of one payload -> packed meshes. Each mesh is prepared once however often it is placed; placements are
// baked, merged by what they are drawn with, and packed. Geometry of one payload is held at a time, and of meshes that
// later payloads place again.

import { type PackedPart, type PlacedMesh, packPart, packPlaced, placeMesh, prepareMesh } from '../cook/cook.ts';
import { splitMesh } from '../cook/split.ts';
import type { TriangleMesh } from '../cook/types.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Surface, TileMesh } from '../emit/tile.ts';
import type { CutPlanes, PlaneCell } from '../scene/planes.ts';
import type { PolygonMesh, UvChoice } from '../scene/types.ts';
import type { StagedMaterial } from '../textures/types.ts';
import type { CutPart, FaceGroup, JobObject, MeshSource, PayloadResult, SplitResult, Surfaces } from './jobs.ts';
import { NEVER_MERGE } from './objects.ts';

interface PreparedPart {
  readonly mesh: TriangleMesh;
  readonly surface: Surface;
  /** Equal for parts that may share a packed mesh. */
  readonly key: string;
}

/** The material's UVs; where no texture asks for any, the mesh's first set, for textures that come later. */
function uvChoice(material: StagedMaterial, { uvs }: PolygonMesh): UvChoice {
  if (material.uv.set !== null) return material.uv;
  const [first] = uvs.keys();
  return { set: first ?? null, transform: null };
}

/** Meshes as their sources, prepared when first taken, until they are forgotten. */
export class PreparedMeshes {
  readonly surfaces: Surfaces;
  readonly #sources = new Map<number, MeshSource>();
  readonly #kept = new Map<number, readonly PreparedPart[]>();
  #said: { mesh: number; said: Diagnostics['said'] }[] = [];

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

  /** What was said of meshes that were prepared since this was last asked. */
  takeSaid(): PayloadResult['prepared'] {
    const said = this.#said;
    this.#said = [];
    return said;
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
    this.#said.push({ mesh: index, said: diagnostics.said });
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

interface Group {
  readonly naming: TileMesh['naming'];
  readonly surface: Surface;
  /** Source path of the first part, for messages. */
  readonly path: string;
  readonly parts: (PlacedMesh | PackedPart)[];
}

/** What of a job decides the payload's meshes. */
export interface PayloadObjects {
  readonly tileId: string | null;
  readonly objects: readonly JobObject[];
  /** Meshes that are let go with their last placement here. */
  readonly forget: readonly number[];
}

/** The parts of the objects' meshes by what becomes one entity: own ones, or by material where they are merged. */
async function groupParts(prepared: PreparedMeshes, job: PayloadObjects): Promise<Map<string, Group>> {
  const { tileId, objects } = job;
  const groups = new Map<string, Group>();
  const groupOf = (key: string, naming: TileMesh['naming'], surface: Surface, path: string): Group => {
    const known = groups.get(key);
    if (known) return known;
    const group: Group = { naming, surface, path, parts: [] };
    groups.set(key, group);
    return group;
  };
  const forget = new Set(job.forget);
  const remaining = new Map<number, number>();
  for (const { mesh, cut } of objects) if (!cut) remaining.set(mesh, (remaining.get(mesh) ?? 0) + 1);
  for (const { node, path, name, mesh, meshName, world, cut } of objects) {
    const merged = { tile: tileId as string };
    if (cut) {
      for (const { surface, key, words, indices } of cut) {
        groupOf(key, merged, prepared.surfaces.surface(surface), path).parts.push({ words, indices });
      }
      continue;
    }
    const parts = await prepared.take(mesh);
    const left = (remaining.get(mesh) as number) - 1;
    remaining.set(mesh, left);
    if (left === 0 && forget.has(mesh)) prepared.forget(mesh);
    const own = tileId === null || NEVER_MERGE.test(name);
    // The exporter's naming: an object of several materials becomes <object>_mat<slot>.
    const slots = [...new Set(parts.map((part) => part.key))];
    for (const part of parts) {
      const suffix = own && slots.length > 1 ? `_mat${slots.indexOf(part.key)}` : '';
      const naming = own ? { entity: `${name}${suffix}`, mesh: `${meshName}${suffix}` } : merged;
      const group = groupOf(own ? `${node}|${part.key}` : part.key, naming, part.surface, path);
      group.parts.push({ mesh: part.mesh, world });
    }
  }
  return groups;
}

/**
 * Cooks the objects of one payload. With a `tileId`, objects are merged by material into entities
 * `<tileId>_<material>`, except those never to be merged; without one (a single file) each placement keeps an entity
 * for each of its materials, named as in the source.
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
  await breathe();
  for (const [key, { naming, surface, path, parts }] of groups) {
    groups.delete(key);
    const packed = await packPlaced(parts, diagnostics, { file, path });
    if (packed !== null) cooked.push({ naming, surface, packed });
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
      known.parts.push({ surface, key: part.key, ...packPart(piece) });
    }
  }
  return [...pieces.values()].sort((a, b) => a.row - b.row || a.column - b.column);
}
