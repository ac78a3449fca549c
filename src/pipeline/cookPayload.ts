// The objects of one payload -> packed meshes. Each mesh is prepared once however often it is placed; placements are
// baked, merged by what they are drawn with, and packed. Geometry of one payload is held at a time, and of meshes that
// later payloads place again.

import { type PlacedMesh, packPlaced, prepareMesh } from '../cook/cook.ts';
import type { TriangleMesh } from '../cook/types.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Surface, TileMesh } from '../emit/tile.ts';
import type { PolygonMesh, UvChoice } from '../scene/types.ts';
import type { StagedMaterial } from '../textures/types.ts';
import type { FaceGroup, JobObject, MeshSource, PayloadResult, Surfaces } from './jobs.ts';
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
  readonly #surfaces: Surfaces;
  readonly #sources = new Map<number, MeshSource>();
  readonly #kept = new Map<number, readonly PreparedPart[]>();
  #said: { mesh: number; said: Diagnostics['said'] }[] = [];

  constructor(surfaces: Surfaces) {
    this.#surfaces = surfaces;
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
    const { scene } = this.#surfaces;
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
          textureSize: this.#surfaces.textureSize(surface.material),
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
    return this.#surfaces.surface({ material, tint, palette });
  }
}

/** Lets signals and progress through between two long stretches of work. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Group {
  readonly naming: TileMesh['naming'];
  readonly surface: Surface;
  /** Source path of the first part, for messages. */
  readonly path: string;
  readonly meshes: PlacedMesh[];
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
  const forget = new Set(job.forget);
  const remaining = new Map<number, number>();
  for (const { mesh } of objects) remaining.set(mesh, (remaining.get(mesh) ?? 0) + 1);
  for (const { node, path, name, mesh, meshName, world } of objects) {
    const parts = await prepared.take(mesh);
    const left = (remaining.get(mesh) as number) - 1;
    remaining.set(mesh, left);
    if (left === 0 && forget.has(mesh)) prepared.forget(mesh);
    const own = tileId === null || NEVER_MERGE.test(name);
    // The exporter's naming: an object of several materials becomes <object>_mat<slot>.
    const slots = [...new Set(parts.map((part) => part.key))];
    for (const part of parts) {
      const key = own ? `${node}|${part.key}` : part.key;
      let group = groups.get(key);
      if (!group) {
        const suffix = own && slots.length > 1 ? `_mat${slots.indexOf(part.key)}` : '';
        const naming: TileMesh['naming'] = own
          ? { entity: `${name}${suffix}`, mesh: `${meshName}${suffix}` }
          : { tile: tileId as string };
        group = { naming, surface: part.surface, path, meshes: [] };
        groups.set(key, group);
      }
      group.meshes.push({ mesh: part.mesh, world });
    }
  }
  return groups;
}

/**
 * Cooks the objects of one payload. With a `tileId`, objects are merged by material into entities
 * `<tileId>_<material>`, except those never to be merged; without one (a single file) each placement keeps an entity
 * for each of its materials, named as in the source. `file`: the source, for messages.
 */
export async function cookPayload(
  prepared: PreparedMeshes,
  job: PayloadObjects,
  diagnostics: Diagnostics,
  file: string,
): Promise<TileMesh[]> {
  // In a function of its own, so that nothing but the groups holds on to the meshes while they are packed.
  const groups = await groupParts(prepared, job);
  const cooked: TileMesh[] = [];
  await breathe();
  for (const [key, { naming, surface, path, meshes }] of groups) {
    groups.delete(key);
    const packed = await packPlaced(meshes, diagnostics, { file, path });
    if (packed !== null) cooked.push({ naming, surface, packed });
  }
  return cooked;
}
