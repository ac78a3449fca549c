// Finds meshes that are others turned, moved and scaled evenly. Only meshes with equal counts and materials are read, one at a time;
// each is compared with the few that have its moments, the first of the scene first.

import { SourceError } from '../../../diagnostics/diagnostic.ts';
import { copyTransform, type Shape, shapeOf } from '../../../geometry/instances/similarity.ts';
import { COLOR_FIELDS } from '../../../geometry/mesh/attributes.ts';
import type { Mat4, PolygonMesh, Scene, SceneMesh } from '../../../scene/types.ts';
import { materialsOf } from '../../../scene/variants.ts';

/** A mesh that is another one, at another place. */
export interface Copy {
  /** The mesh that it is a copy of, which is none itself. */
  readonly of: number;
  /** From the space of `of` to that of the copy: translation, rotation and one positive scale. */
  readonly transform: Mat4;
}

/** Called for each copy that is found, while the polygons of both are at hand. */
export type OnCopy = (mesh: number, copy: Copy, of: readonly PolygonMesh[], own: readonly PolygonMesh[]) => void;

/** Bytes of polygons that are kept to compare others with. What exceeds them is read again. */
const KEPT_BYTES = 256e6;
/** Cells of each moment: what noise tells apart lies in neighbouring ones. */
const CELLS = 2 ** 16;
/**
 * Meshes with equal counts of which so many, or half if that is more, are no copies one after the other, are tiles of a ground or the like: no
 * more of them are read.
 */
const MANY_ALONE = 64;
/** A mesh is compared with as many others that have its moments at most. */
const MAX_COMPARED = 8;

/** A mesh that others may be copies of. */
interface Original {
  readonly mesh: number;
  /** Its place among those that it is compared with. */
  readonly order: number;
  polygons: readonly PolygonMesh[] | null;
}

/** Equal for meshes whose counts and materials do not tell them apart; null: the mesh is left out. */
function countsOf({ primitives }: SceneMesh): string | null {
  const moves = primitives.some(({ bound, morphs }) => bound !== undefined || (morphs?.targets.length ?? 0) > 0);
  const isDrawn = primitives.some(({ triangleCount }) => triangleCount > 0);
  if (moves || !isDrawn) return null;
  return JSON.stringify(
    primitives.map(({ vertexCount, triangleCount, material, subsets, variants = [] }) => [
      vertexCount,
      triangleCount,
      material,
      subsets.map((subset) => [subset.material, subset.triangleCount]),
      variants,
    ]),
  );
}

function byteLength(polygons: readonly PolygonMesh[]): number {
  let bytes = 0;
  for (const mesh of polygons) {
    const { points, corners, faceCounts, normals, tangents, uvs } = mesh;
    const colors = COLOR_FIELDS.map((field) => mesh[field]);
    bytes += points.byteLength + corners.byteLength + (faceCounts?.byteLength ?? 0);
    for (const attribute of [normals, tangents, ...colors, ...uvs.values()]) {
      bytes += (attribute?.data.byteLength ?? 0) + (attribute?.indices?.byteLength ?? 0);
    }
  }
  return bytes;
}

/** The polygons of a mesh; null: it cannot be read, which the cook reports where it needs it. */
async function readMesh({ primitives }: SceneMesh): Promise<readonly PolygonMesh[] | null> {
  try {
    const polygons: PolygonMesh[] = [];
    for (const primitive of primitives) polygons.push(await primitive.read());
    return polygons;
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

/** Whether a material reads heights or a thickness, which are lengths: scaled copies of such a mesh look different. */
function hasHeights({ materials }: Scene, { primitives }: SceneMesh): boolean {
  return primitives.flatMap(materialsOf).some((index) => {
    const { textures, layers = [] } = materials[index] ?? { textures: {} };
    return textures.height !== undefined || layers.some(({ name }) => name === 'KHR_materials_volume');
  });
}

/** Originals of one count by their moments. */
class Originals {
  readonly #cells = new Map<string, Original[]>();

  /** The first of those whose moments are those of the shape, in the order in which they came. */
  near({ spread, volume }: Shape): Original[] {
    const found: Original[] = [];
    for (const s of neighbours(spread)) {
      for (const v of neighbours(volume * 27)) found.push(...(this.#cells.get(`${s} ${v}`) ?? []));
    }
    return found.sort((a, b) => a.order - b.order).slice(0, MAX_COMPARED);
  }

  add({ spread, volume }: Shape, original: Original): void {
    const key = `${Math.floor(spread * CELLS)} ${Math.floor(volume * 27 * CELLS)}`;
    const known = this.#cells.get(key);
    // More are never compared: meshes that differ in what moments do not tell.
    if (known === undefined) this.#cells.set(key, [original]);
    else if (known.length < MAX_COMPARED) known.push(original);
  }
}

/** The cell of a value and the one that its nearer border leads to. */
function neighbours(value: number): readonly [number, number] {
  const at = value * CELLS;
  const cell = Math.floor(at);
  return at - cell < 0.5 ? [cell - 1, cell] : [cell, cell + 1];
}

/**
 * The copies among some meshes of a scene, by mesh. `meshes`: indices, each once; of equal meshes the first in this order is the
 * original. Skinned meshes and those with morph targets are left out. The result depends on the scene alone.
 */
export async function findCopies(
  scene: Scene,
  meshes: Iterable<number>,
  onCopy: OnCopy = () => {},
): Promise<ReadonlyMap<number, Copy>> {
  const groups = new Map<string, number[]>();
  for (const mesh of meshes) {
    const counts = countsOf(scene.meshes[mesh]);
    if (counts === null) continue;
    const group = groups.get(counts);
    if (group) group.push(mesh);
    else groups.set(counts, [mesh]);
  }
  const copies = new Map<number, Copy>();
  for (const group of groups.values()) if (group.length > 1) await findAmong(scene, group, copies, onCopy);
  return copies;
}

async function findAmong(scene: Scene, group: readonly number[], copies: Map<number, Copy>, onCopy: OnCopy) {
  const originals = new Originals();
  let room = KEPT_BYTES;
  let alone = 0;
  for (const [order, mesh] of group.entries()) {
    if (alone > Math.max(MANY_ALONE, group.length / 2)) return;
    alone++;
    const own = await readMesh(scene.meshes[mesh]);
    const shape = own && shapeOf(own);
    if (own === null || shape === null) continue;
    let copy: Copy | null = null;
    for (const original of originals.near(shape)) {
      const of = original.polygons ?? (await readMesh(scene.meshes[original.mesh]));
      const transform = of && copyTransform(of, own);
      if (!of || !transform) continue;
      const scale = Math.hypot(transform[0], transform[1], transform[2]);
      if (Math.abs(scale - 1) > 1e-9 && hasHeights(scene, scene.meshes[mesh])) continue;
      copy = { of: original.mesh, transform };
      copies.set(mesh, copy);
      onCopy(mesh, copy, of, own);
      break;
    }
    if (copy !== null) {
      alone = 0;
      continue;
    }
    const bytes = byteLength(own);
    const isKept = bytes <= room;
    if (isKept) room -= bytes;
    originals.add(shape, { mesh, order, polygons: isKept ? own : null });
  }
}
