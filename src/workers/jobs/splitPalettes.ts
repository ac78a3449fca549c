// Meshes drawn with palette textures as meshes of plain colours again, so that those of several tiles can be merged into
// one: the way back from mergeMaterials.ts.

import type { DrawnMesh } from '../../formats/format.ts';
import { type Float32Mesh, pickVertices, valuesOf } from '../../geometry/mesh/mesh.ts';
import { weldAndOrder } from '../../geometry/mesh/united.ts';
import { UvNumbers } from '../../geometry/uv/uvNumbers.ts';
import { MAX_PALETTE_COLORS, paletteLayout, paletteUv } from '../../scene/palette.ts';
import type { Vec4 } from '../../scene/types.ts';
import { paletteColors } from '../../textures/atlas/palette.ts';
import type { PreparedMaterial } from '../../textures/types.ts';
import type { ProxyFormat } from './mergeMaterials.ts';
import { isMergeable } from './surfaceKinds.ts';

/**
 * The meshes with each that finds plain colours in a palette split by colour; where several of its surfaces meet in a
 * triangle, by its first corner. Others stay as they are, in their order.
 */
export async function splitPalettes(meshes: readonly DrawnMesh[], format: ProxyFormat): Promise<DrawnMesh[]> {
  const split: DrawnMesh[] = [];
  for (const mesh of meshes) split.push(...((await splitPalette(mesh, format)) ?? [mesh]));
  return split;
}

async function splitPalette({ naming, surface, mesh }: DrawnMesh, format: ProxyFormat): Promise<DrawnMesh[] | null> {
  const { material, tint, palette } = surface;
  if (palette === null || !isPlainBesides(material)) return null;
  const cells = cellsOf(palette.width, palette.height, format);
  const colors = cells && (await paletteColors(palette, format.textures));
  if (!colors) return null;
  const uv0 = valuesOf(mesh, 'uv0');
  const cellOf = new Int32Array(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) cellOf[v] = cells.find(uv0[v * 2], uv0[v * 2 + 1]);
  if (cellOf.includes(-1)) return null;
  const parts: DrawnMesh[] = [];
  for (const [cell, part] of await splitBy(mesh, cellOf, cells.count)) {
    const baseColor = material.baseColor.map((c, k) => c * (tint?.[k] ?? 1) * colors[cell * 4 + k]) as unknown as Vec4;
    parts.push({ naming, surface: { material: { ...material, baseColor }, tint: null, palette: null }, mesh: part });
  }
  return parts;
}

/** The triangles as a mesh for each cell of their first corners, in the order of the cells. */
async function splitBy(
  mesh: Float32Mesh,
  cellOf: Int32Array,
  cells: number,
): Promise<(readonly [number, Float32Mesh])[]> {
  const { indices } = mesh;
  const next = new Uint32Array(cells + 1);
  for (let i = 0; i < indices.length; i += 3) next[cellOf[indices[i]] + 1] += 3;
  for (let cell = 0; cell < cells; cell++) next[cell + 1] += next[cell];
  const first = next.slice();
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const cell = cellOf[indices[i]];
    for (let k = 0; k < 3; k++) corners[next[cell]++] = indices[i + k];
  }
  const parts: (readonly [number, Float32Mesh])[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const own = corners.subarray(first[cell], first[cell + 1]);
    if (own.length === 0) continue;
    // A vertex for each corner, and those that are alike joined again: no other colour's vertices stay.
    const triangles = new Uint32Array(own.length);
    for (let i = 0; i < own.length; i++) triangles[i] = i;
    parts.push([cell, await weldAndOrder(pickVertices(mesh, own, triangles))]);
  }
  return parts;
}

const isPlainBesides = (material: PreparedMaterial): boolean =>
  isMergeable(material) && Object.values(material.slots).every((slot) => slot < 0);

/** Numbers of the cells by the stored UV of their centres; null for an image that is no palette by its size. */
function cellsOf(width: number, height: number, { round }: ProxyFormat): UvNumbers | null {
  for (let count = 1; count <= MAX_PALETTE_COLORS; count *= 2) {
    const layout = paletteLayout(count);
    if (layout.width !== width || layout.height !== height) continue;
    const cells = layout.columns * layout.rows;
    const centres = Float32Array.from(Array.from({ length: cells }, (_, i) => paletteUv(layout, i)).flat());
    const stored = round('uv0', centres) ?? centres;
    const uvs = new UvNumbers();
    for (let i = 0; i < cells; i++) uvs.add(stored[i * 2], stored[i * 2 + 1]);
    return uvs;
  }
  return null;
}
