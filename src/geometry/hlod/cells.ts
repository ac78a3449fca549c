// Palette cells: in a mesh merged into a palette (atlasUvs.ts) a UV says no more than which colour a triangle has. Such
// triangles are simplified as one surface without UVs, for the levels, and find their colours again afterwards: borders
// of colours need not stay where they were.

import { nearestTriangles } from '../lod/boundingVolumeHierarchy.ts';
import type { SimplifiedMesh } from '../lod/simplifiedMesh.ts';
import { mergeMeshes } from '../mesh/merge.ts';
import { type Float32Mesh, pickRows, pickVertices, valuesOf } from '../mesh/mesh.ts';
import { orderForFetch } from '../mesh/optimise.ts';
import { type PickedMesh, weldAndOrder } from '../mesh/united.ts';
import { weldMesh } from '../mesh/weldMesh.ts';
import type { CellColors } from './cellColors.ts';

export interface LoosenedParts {
  /**
   * Parts without cells as they are. Others as what lies in cells, without UVs and with the colours of the cells around
   * each vertex as its colour, and what does not, which is textured.
   */
  readonly parts: readonly SimplifiedMesh[];
  /**
   * From meshes of `parts` with fewer triangles those of the parts that were given. Each triangle takes the cell of the
   * triangle that is nearest to its centre and faces the same way, and all its corners have that cell's UV.
   */
  readonly bind: (meshes: readonly (PickedMesh | null)[]) => Promise<(Float32Mesh | null)[]>;
}

/** Lets go of the cells of the parts that have some. No triangle may have corners of two cells. */
export function loosenCells(given: readonly SimplifiedMesh[]): LoosenedParts {
  const parts: SimplifiedMesh[] = [];
  const binders: ((meshes: readonly (PickedMesh | null)[]) => Promise<Float32Mesh | null>)[] = [];
  for (const part of given) {
    const { mesh, cells, ...rest } = part;
    const at = parts.length;
    if (!cells || part.cards) {
      parts.push(part);
      binders.push(async (meshes) => meshes[at]?.mesh ?? null);
      continue;
    }
    const { inCells, others } = partCells(mesh, cells);
    const loose = inCells && loosen(mesh, inCells, cells);
    if (loose) parts.push({ ...rest, mesh: loose.mesh, textured: false });
    if (others) parts.push({ ...rest, mesh: subset(mesh, others), textured: true });
    const end = parts.length;
    binders.push((meshes) => {
      const [first, ...more] = meshes.slice(at, end);
      const bare = more.map((picked) => picked?.mesh ?? null);
      return join([first && loose ? bound(first, loose) : (first?.mesh ?? null), ...bare]);
    });
  }
  return { parts, bind: (meshes) => Promise.all(binders.map((bind) => bind(meshes))) };
}

/** Corners of the triangles that lie in cells, and of those that do not; null for none. */
function partCells(
  mesh: Float32Mesh,
  cells: CellColors,
): { readonly inCells: Uint32Array | null; readonly others: Uint32Array | null } {
  const { indices } = mesh;
  const uv0 = valuesOf(mesh, 'uv0');
  const sorted = new Uint32Array(indices.length);
  let front = 0;
  let back = indices.length;
  for (let i = 0; i < indices.length; i += 3) {
    const v = indices[i];
    const isCell = cells.find(uv0[v * 2], uv0[v * 2 + 1]) >= 0;
    const to = isCell ? front : back - 3;
    for (let k = 0; k < 3; k++) sorted[to + k] = indices[i + k];
    if (isCell) front += 3;
    else back -= 3;
  }
  return {
    inCells: front > 0 ? sorted.slice(0, front) : null,
    others: front < sorted.length ? sorted.slice(front) : null,
  };
}

/** The triangles of some corners, with the vertices that they use. */
function subset(mesh: Float32Mesh, corners: Uint32Array): Float32Mesh {
  const indices = corners.slice();
  return pickVertices(mesh, orderForFetch(indices, mesh.vertexCount), indices);
}

interface Loose {
  readonly mesh: Float32Mesh;
  /** u and v of each triangle's cell. */
  readonly cells: Float32Array;
  /** Colours as they were; null: none. */
  readonly color0: Uint8Array | null;
}

function loosen(mesh: Float32Mesh, corners: Uint32Array, colors: CellColors): Loose {
  const own = subset(mesh, corners);
  const uv0 = valuesOf(own, 'uv0');
  const firstCorners = new Uint32Array(own.indices.length / 3);
  for (let t = 0; t < firstCorners.length; t++) firstCorners[t] = own.indices[t * 3];
  const cells = pickRows(uv0, 2, firstCorners);

  // 1. Weld without UVs and tangents. Tangents go with normal maps, which nothing in a cell has.
  const { tangent: _, uv0: __, ...attributes } = own.attributes;
  const welded = weldMesh({ ...own, attributes });
  const { vertexCount, indices } = welded;

  // 2. The mean of the cells around a vertex in place of its colour, so that borders of strong colours hold longest.
  const sums = new Float64Array(vertexCount * 4);
  for (let t = 0; t * 3 < indices.length; t++) {
    const color = colors.color(colors.find(cells[t * 2], cells[t * 2 + 1]));
    for (let i = t * 3; i < t * 3 + 3; i++) {
      const at = indices[i] * 4;
      for (let k = 0; k < 3; k++) sums[at + k] += color[k];
      sums[at + 3]++;
    }
  }
  const color0 = new Uint8Array(vertexCount * 4).fill(255);
  for (let v = 0; v < vertexCount; v++) {
    for (let k = 0; k < 3; k++) color0[v * 4 + k] = Math.round((sums[v * 4 + k] / sums[v * 4 + 3]) * 255);
  }
  return {
    mesh: { ...welded, attributes: { ...welded.attributes, color0 } },
    cells,
    color0: welded.attributes.color0 ?? null,
  };
}

/** The triangles of a simplified mesh with cells again; three vertices a triangle, not yet welded. */
function bound({ mesh: simplified, vertices }: PickedMesh, { mesh: source, cells, color0 }: Loose): Float32Mesh {
  const { positions, indices } = simplified;
  const centres = new Float64Array(indices.length);
  const normals = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i] * 3;
    const b = indices[i + 1] * 3;
    const c = indices[i + 2] * 3;
    for (let k = 0; k < 3; k++) centres[i + k] = (positions[a + k] + positions[b + k] + positions[c + k]) / 3;
    writeNormal(positions, a, b, c, normals, i);
  }
  const nearest = nearestTriangles(source, centres, normals);
  const uv0 = new Float32Array(indices.length * 2);
  for (let i = 0; i < indices.length; i++) {
    const triangle = nearest[Math.floor(i / 3)];
    uv0[i * 2] = cells[triangle * 2];
    uv0[i * 2 + 1] = cells[triangle * 2 + 1];
  }
  // The vertices as they were, but for UVs and the normals that the level has been given: one a corner.
  const corners = new Uint32Array(indices.length);
  const numbered = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    corners[i] = vertices[indices[i]];
    numbered[i] = i;
  }
  const { color0: _, ...attributes } = source.attributes;
  const was = { ...source, attributes: { ...attributes, ...(color0 ? { color0 } : {}) } };
  const picked = pickVertices(was, corners, numbered);
  const normal = pickRows(simplified.attributes.normal, 3, indices);
  return { ...picked, attributes: { ...picked.attributes, normal, uv0 } };
}

/** The normal of the triangle at three offsets into `p`. Not of unit length: twice the area. */
function writeNormal(p: Float32Array, a: number, b: number, c: number, to: Float64Array, at: number): void {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  to[at] = uy * vz - uz * vy;
  to[at + 1] = uz * vx - ux * vz;
  to[at + 2] = ux * vy - uy * vx;
}

async function join(meshes: readonly (Float32Mesh | null)[]): Promise<Float32Mesh | null> {
  const present = meshes.filter((mesh) => mesh !== null);
  return present.length === 0 ? null : weldAndOrder(mergeMeshes(present));
}
