// The materials of a far tile folded into few: what is drawn with a plain colour moves into one palette texture, so that
// an HLOD costs a draw call for each kind of surface instead of one a material. Textured materials stay.

import type { CellColors } from '../cook/cells.ts';
import { foldUvs, uvWord } from '../cook/foldUvs.ts';
import type { TileMesh } from '../emit/tile.ts';
import { MAX_PALETTE_COLORS, paletteLayout, paletteUv } from '../scene/palette.ts';
import { paletteTexture } from '../textures/palette.ts';
import type { StagedMaterial } from '../textures/types.ts';

/** Roughness is told apart in this many steps from far away; metal from what is none in two. */
const ROUGHNESS_STEPS = 4;

/** A mesh that may find its colours in a palette made for it. */
export interface FoldedMesh extends TileMesh {
  /** What its UVs stand for; absent where they are as the source has them. */
  readonly cells?: CellColors | undefined;
}

interface Plain {
  readonly mesh: TileMesh;
  /** Linear rgba. */
  readonly color: readonly [number, number, number, number];
}

/**
 * The meshes with those of plain, opaque, unlit materials joined, one for each kind of surface: metal or not, and a
 * quarter of the roughness scale, drawn with the mean of their factors. Others follow in their order, as they are.
 */
export async function foldMaterials(meshes: readonly TileMesh[], tileId: string): Promise<FoldedMesh[]> {
  const kinds = new Map<string, Plain[]>();
  const others: TileMesh[] = [];
  for (const mesh of meshes) {
    const { material, tint, palette } = mesh.surface;
    if (palette !== null || !isPlain(material)) {
      others.push(mesh);
      continue;
    }
    const color = material.baseColor.map((value, i) => clamp(value * (tint?.[i] ?? 1))) as unknown as Plain['color'];
    const step = Math.min(ROUGHNESS_STEPS - 1, Math.floor(material.roughness * ROUGHNESS_STEPS));
    const key = `${material.metallic >= 0.5 ? 'metal' : 'plain'}${step}`;
    const list = kinds.get(key);
    if (list) list.push({ mesh, color });
    else kinds.set(key, [{ mesh, color }]);
  }
  const folded: FoldedMesh[] = [];
  for (const [kind, plain] of kinds) {
    for (let at = 0; at < plain.length; at += MAX_PALETTE_COLORS) {
      const part = plain.slice(at, at + MAX_PALETTE_COLORS);
      folded.push(part.length === 1 ? part[0].mesh : await fold(part, `${tileId}_${kind}${at === 0 ? '' : `_${at}`}`));
    }
  }
  return [...folded, ...others];
}

async function fold(plain: readonly Plain[], name: string): Promise<FoldedMesh> {
  const colors = new Map<string, readonly number[]>();
  for (const { color } of plain) colors.set(color.join(), color);
  const cells = [...colors.keys()];
  const layout = paletteLayout(cells.length);
  const uvOf = ({ color }: Plain) => paletteUv(layout, cells.indexOf(color.join()));
  const packed = await foldUvs(
    plain.map(({ mesh }) => mesh.packed),
    plain.map(uvOf),
  );
  const first = plain[0].mesh.surface.material;
  const material: StagedMaterial = {
    ...first,
    name,
    baseColor: [1, 1, 1, 1],
    metallic: mean(plain, ({ metallic }) => metallic),
    roughness: mean(plain, ({ roughness }) => roughness),
  };
  const palette = await paletteTexture([...colors.values()].flat());
  return {
    naming: { entity: name, mesh: name },
    surface: { material, tint: null, palette },
    packed,
    cells: new Map(plain.map((one) => [uvWord(...uvOf(one)), [one.color[0], one.color[1], one.color[2]]])),
  };
}

/** Weighted by triangles. */
function mean(plain: readonly Plain[], of: (material: StagedMaterial) => number): number {
  let sum = 0;
  let weight = 0;
  for (const { mesh } of plain) {
    const triangles = mesh.packed.indices.length;
    sum += of(mesh.surface.material) * triangles;
    weight += triangles;
  }
  return sum / weight;
}

function isPlain({ alphaMode, emissive, slots }: StagedMaterial): boolean {
  return alphaMode === 'opaque' && emissive.every((e) => e === 0) && Object.values(slots).every((slot) => slot < 0);
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value));
