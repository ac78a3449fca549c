// Meshes drawn with palette textures as meshes of plain colours again, so that those of several tiles can be folded into
// one: the way back from foldMaterials.ts.

import type { TileMesh } from '../../formats/untold/tileScene.ts';
import { alignedWords } from '../../geometry/lod/borders.ts';
import { halfBits, VERTEX_WORDS } from '../../geometry/mesh/pack.ts';
import { packWelded } from '../../geometry/mesh/tileGeometry.ts';
import type { PackedMesh } from '../../geometry/mesh/types.ts';
import { MAX_PALETTE_COLORS, paletteLayout, paletteUv } from '../../scene/palette.ts';
import type { Vec4 } from '../../scene/types.ts';
import { paletteColors } from '../../textures/atlas/palette.ts';
import type { PreparedMaterial } from '../../textures/types.ts';

const UV0 = 5;

/**
 * The meshes with each that finds plain colours in a palette parted by colour; where several of its surfaces meet in a
 * triangle, by its first corner. Others stay as they are, in their order.
 */
export async function unfoldPalettes(meshes: readonly TileMesh[]): Promise<TileMesh[]> {
  const unfolded: TileMesh[] = [];
  for (const mesh of meshes) unfolded.push(...((await unfold(mesh)) ?? [mesh]));
  return unfolded;
}

async function unfold({ naming, surface, packed }: TileMesh): Promise<TileMesh[] | null> {
  const { material, tint, palette } = surface;
  if (palette === null || !isPlainBesides(material)) return null;
  const cells = cellsOf(palette.width, palette.height);
  const colors = cells && (await paletteColors(palette));
  if (!colors) return null;
  const words = alignedWords(packed.vertices);
  const cellOf = new Int32Array(packed.vertexCount);
  for (let v = 0; v < packed.vertexCount; v++) cellOf[v] = cells.get(words[v * VERTEX_WORDS + UV0]) ?? -1;
  if (cellOf.includes(-1)) return null;
  const parts: TileMesh[] = [];
  for (const [cell, part] of await partedBy(words, packed.indices, cellOf, cells.size)) {
    const baseColor = material.baseColor.map((c, k) => c * (tint?.[k] ?? 1) * colors[cell * 4 + k]) as unknown as Vec4;
    parts.push({ naming, surface: { material: { ...material, baseColor }, tint: null, palette: null }, packed: part });
  }
  return parts;
}

/** The triangles as a mesh for each cell of their first corners, in the order of the cells. */
async function partedBy(
  words: Uint32Array,
  indices: Uint16Array | Uint32Array,
  cellOf: Int32Array,
  cells: number,
): Promise<(readonly [number, PackedMesh])[]> {
  const next = new Uint32Array(cells + 1);
  for (let i = 0; i < indices.length; i += 3) next[cellOf[indices[i]] + 1] += 3;
  for (let cell = 0; cell < cells; cell++) next[cell + 1] += next[cell];
  const first = next.slice();
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const cell = cellOf[indices[i]];
    for (let k = 0; k < 3; k++) corners[next[cell]++] = indices[i + k];
  }
  const parts: (readonly [number, PackedMesh])[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const own = corners.subarray(first[cell], first[cell + 1]);
    if (own.length === 0) continue;
    // A vertex for each corner, and those that are alike joined again: no other colour's vertices stay.
    const rows = new Uint32Array(own.length * VERTEX_WORDS);
    for (let i = 0; i < own.length; i++) {
      rows.set(words.subarray(own[i] * VERTEX_WORDS, (own[i] + 1) * VERTEX_WORDS), i * VERTEX_WORDS);
    }
    const triangles = Uint32Array.from({ length: own.length }, (_, i) => i);
    parts.push([cell, await packWelded(rows, triangles)]);
  }
  return parts;
}

function isPlainBesides({ alphaMode, emissive, slots }: PreparedMaterial): boolean {
  return alphaMode === 'opaque' && emissive.every((e) => e === 0) && Object.values(slots).every((slot) => slot < 0);
}

/** Number of the cell by the stored UV of its centre; null for an image that is no palette by its size. */
function cellsOf(width: number, height: number): ReadonlyMap<number, number> | null {
  for (let count = 1; count <= MAX_PALETTE_COLORS; count *= 2) {
    const layout = paletteLayout(count);
    if (layout.width !== width || layout.height !== height) continue;
    const uvs = Array.from({ length: layout.columns * layout.rows }, (_, i) => paletteUv(layout, i));
    return new Map(uvs.map(([u, v], i) => [(halfBits(u) | (halfBits(v) << 16)) >>> 0, i]));
  }
  return null;
}
