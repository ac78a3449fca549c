// Palette cells: in a mesh folded into a palette (foldUvs.ts) a UV says no more than which colour a triangle has. Such
// triangles are simplified as one surface without UVs, for the levels, and find their colours again afterwards: borders
// of colours need not stay where they were.

import { alignedWords } from '../lod/borders.ts';
import { TriangleTree } from '../lod/boundingVolumeHierarchy.ts';
import type { SimplifiedPart } from '../lod/simplify.ts';
import { orderForFetch } from '../mesh/optimise.ts';
import { defaultTangent, packIndices, reorderVertices, VERTEX_WORDS } from '../mesh/pack.ts';
import { packWelded, uniteMeshes } from '../mesh/tileGeometry.ts';
import type { PackedMesh } from '../mesh/types.ts';
import { weldRows } from '../mesh/weld.ts';

const NORMAL = 3;
const TANGENT = 4;
const UV0 = 5;
/** The engine reads one set of UVs; the place of the second carries a vertex's number through simplification. */
const UV1 = 6;
const COLOR0 = 7;

/** Linear rgb, 0 to 1, of each cell, by the packed UV of its centre: what all corners of its triangles have. */
export type CellColors = ReadonlyMap<number, readonly [number, number, number]>;

export interface LoosenedParts {
  /**
   * Parts without cells as they are. Others as what lies in cells, without UVs and with the colours of the cells around
   * each vertex as its colour, and what does not, which is textured.
   */
  readonly parts: readonly SimplifiedPart[];
  /**
   * From meshes of `parts` with fewer triangles those of the parts that were given. Each triangle takes the cell of the
   * triangle that is nearest to its middle and faces the same way, and all its corners have that cell's UV.
   */
  readonly bind: (meshes: readonly (PackedMesh | null)[]) => Promise<(PackedMesh | null)[]>;
}

/** Lets go of the cells of the parts that have some. No triangle may have corners of two cells. */
export function loosenCells(given: readonly SimplifiedPart[]): LoosenedParts {
  const parts: SimplifiedPart[] = [];
  const binders: ((meshes: readonly (PackedMesh | null)[]) => Promise<PackedMesh | null>)[] = [];
  for (const part of given) {
    const { mesh, cells, ...rest } = part;
    const at = parts.length;
    if (!cells || part.cards) {
      parts.push(part);
      binders.push(async (meshes) => meshes[at]);
      continue;
    }
    const { inCells, others } = partCells(mesh, cells);
    const loose = inCells && loosen(mesh, inCells, cells);
    if (loose) parts.push({ ...rest, mesh: loose.mesh, textured: false });
    if (others) parts.push({ ...rest, mesh: subset(mesh, others), textured: true });
    const end = parts.length;
    binders.push((meshes) => {
      const [first, ...more] = meshes.slice(at, end);
      return join([first && loose ? bound(first, loose) : first, ...more]);
    });
  }
  return { parts, bind: (meshes) => Promise.all(binders.map((bind) => bind(meshes))) };
}

/** Corners of the triangles that lie in cells, and of those that do not; null for none. */
function partCells(
  { vertices, indices }: PackedMesh,
  cells: CellColors,
): { readonly inCells: Uint32Array | null; readonly others: Uint32Array | null } {
  const words = alignedWords(vertices);
  const sorted = new Uint32Array(indices.length);
  let front = 0;
  let back = indices.length;
  for (let i = 0; i < indices.length; i += 3) {
    const isCell = cells.has(words[indices[i] * VERTEX_WORDS + UV0]);
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

function subset({ vertices, vertexCount, bounds }: PackedMesh, indices: Uint32Array): PackedMesh {
  const own = reorderVertices(alignedWords(vertices), orderForFetch(indices, vertexCount));
  return meshOf(own, own.length, indices, bounds);
}

function meshOf(words: Uint32Array, length: number, indices: Uint32Array, bounds: PackedMesh['bounds']): PackedMesh {
  const vertexCount = length / VERTEX_WORDS;
  const vertices = new Uint8Array(words.buffer, words.byteOffset, length * 4);
  return { vertexCount, vertices, indices: packIndices(indices, vertexCount), bounds };
}

interface Loose {
  /** Each vertex has its number in place of a second UV. */
  readonly mesh: PackedMesh;
  /** 8 words a vertex as they were, except for the UV. */
  readonly words: Uint32Array;
  /** The UV of each triangle. */
  readonly cells: Uint32Array;
}

function loosen(mesh: PackedMesh, indices: Uint32Array, colors: CellColors): Loose {
  const own = subset(mesh, indices);
  const words = alignedWords(own.vertices);
  const cells = new Uint32Array(indices.length / 3);
  for (let t = 0; t < cells.length; t++) cells[t] = words[indices[t * 3] * VERTEX_WORDS + UV0];

  // 1. Weld by position, normal and colour. Tangents go with normal maps, which nothing in a cell has.
  for (let at = 0; at < words.length; at += VERTEX_WORDS) {
    words[at + TANGENT] = defaultTangent(words[at + NORMAL]);
    words[at + UV0] = 0;
    words[at + UV1] = 0;
  }
  const { count, remap } = weldRows(words, VERTEX_WORDS);
  if (remap) for (let i = 0; i < indices.length; i++) indices[i] = remap[indices[i]];

  // 2. The mean of the cells around a vertex in place of its colour, so that borders of strong colours hold longest.
  const sums = new Float64Array(count * 4);
  for (let i = 0; i < indices.length; i++) {
    const color = colors.get(cells[Math.floor(i / 3)]) ?? [1, 1, 1];
    const at = indices[i] * 4;
    for (let k = 0; k < 3; k++) sums[at + k] += color[k];
    sums[at + 3]++;
  }
  const loose = words.slice(0, count * VERTEX_WORDS);
  for (let v = 0; v < count; v++) {
    let color = 0xff;
    for (let k = 2; k >= 0; k--) color = (color << 8) | Math.round((sums[v * 4 + k] / sums[v * 4 + 3]) * 255);
    loose[v * VERTEX_WORDS + UV1] = v;
    loose[v * VERTEX_WORDS + COLOR0] = color;
  }
  return { mesh: meshOf(loose, loose.length, indices, own.bounds), words, cells };
}

/** The triangles of a simplified mesh with cells again; three vertices a triangle, not yet welded. */
function bound(simplified: PackedMesh, { mesh, words, cells }: Loose): PackedMesh {
  const source = uniteMeshes([mesh]);
  const tree = new TriangleTree(source.positions, source.indices);
  const { words: numbered, positions, indices } = uniteMeshes([simplified]);
  const rows = new Uint32Array(indices.length * VERTEX_WORDS);
  const normal = new Float64Array(3);
  const other = new Float64Array(3);
  const facesAlike = (triangle: number): boolean => {
    writeNormal(source.positions, source.indices, triangle * 3, other);
    return normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2] > 0;
  };
  const any = () => true;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const x = (positions[a] + positions[b] + positions[c]) / 3;
    const y = (positions[a + 1] + positions[b + 1] + positions[c + 1]) / 3;
    const z = (positions[a + 2] + positions[b + 2] + positions[c + 2]) / 3;
    writeNormal(positions, indices, i, normal);
    let nearest = tree.nearestTriangle(x, y, z, facesAlike);
    if (nearest < 0) nearest = tree.nearestTriangle(x, y, z, any);
    for (let k = i; k < i + 3; k++) {
      const from = numbered[indices[k] * VERTEX_WORDS + UV1] * VERTEX_WORDS;
      rows.set(words.subarray(from, from + VERTEX_WORDS), k * VERTEX_WORDS);
      rows[k * VERTEX_WORDS + UV0] = cells[nearest];
    }
  }
  return meshOf(
    rows,
    rows.length,
    indices.map((_, i) => i),
    simplified.bounds,
  );
}

/** Not of unit length: twice the area. */
function writeNormal(p: Float32Array, indices: Uint32Array, at: number, to: Float64Array): void {
  const [a, b, c] = [indices[at] * 3, indices[at + 1] * 3, indices[at + 2] * 3];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  to[0] = uy * vz - uz * vy;
  to[1] = uz * vx - ux * vz;
  to[2] = ux * vy - uy * vx;
}

async function join(meshes: readonly (PackedMesh | null)[]): Promise<PackedMesh | null> {
  const present = meshes.filter((mesh) => mesh !== null);
  if (present.length === 0) return null;
  const { words, indices } = uniteMeshes(present);
  return packWelded(words, indices);
}
