// Sets of texture coordinates and colours that nothing draws, and for which an output has no place.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { FormatFacts } from '../../../formats/format.ts';
import { counted } from '../../../formats/losses.ts';
import type { Scene, SceneMesh } from '../../../scene/types.ts';

type Places = Pick<FormatFacts, 'hasColorSets' | 'hasUvSets'>;

/** Of the primitives of a mesh the most: they have sets of the same names. */
function lostOf({ primitives }: SceneMesh, { hasColorSets, hasUvSets }: Places): { uvs: number; colors: number } {
  const lost = primitives.map(({ undrawnSets }) => undrawnSets?.() ?? { uvs: 0, colors: 0 });
  return {
    uvs: hasUvSets ? 0 : Math.max(0, ...lost.map(({ uvs }) => uvs)),
    colors: hasColorSets ? 0 : Math.max(0, ...lost.map(({ colors }) => colors)),
  };
}

/**
 * Reports UC2490 once for all meshes of a source. `left`: the nodes that are left of it for the eyes of a zone; meshes that none of
 * them draws as they were have lost such texture coordinates in any case. Null: it has no zone.
 */
export function reportUndrawnSets(
  { source, meshes }: Scene,
  places: Places,
  left: Scene['nodes'] | null,
  diagnostics: Diagnostics,
): void {
  if (places.hasColorSets && places.hasUvSets && left === null) return;
  const whole = left && new Set(left.map(({ mesh }) => mesh));
  const paths = new Set<string>();
  let uvs = 0;
  let colors = 0;
  for (const [i, mesh] of meshes.entries()) {
    // Poses of one mesh are meshes of a scene.
    if (paths.has(mesh.path)) continue;
    const lost = lostOf(mesh, whole && !whole.has(i) ? { ...places, hasUvSets: false } : places);
    if (lost.uvs + lost.colors === 0) continue;
    paths.add(mesh.path);
    uvs += lost.uvs;
    colors += lost.colors;
  }
  const [first] = paths;
  if (first === undefined) return;
  const sets = [
    ...(uvs > 0 ? [`${counted(uvs, 'set')} of texture coordinates`] : []),
    ...(colors > 0 ? [`${counted(colors, 'set')} of colours`] : []),
  ].join(' and ');
  const of = paths.size === 1 ? '1 mesh' : `${paths.size} meshes`;
  diagnostics.report('UC2490', source, first, `left out where no material draws them: ${sets} of ${of}`);
}
