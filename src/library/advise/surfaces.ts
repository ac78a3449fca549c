// Triangles and parts of a source that nobody sees.

import { hiddenParts, type PlacedPart } from '../../cook/survey/hidden.ts';
import { polygonsOf, surveyMeshes, type TriangleFacts } from '../../cook/survey/meshes.ts';
import type { Scene } from '../../scene/types.ts';
import type { Advice } from './document.ts';
import { geometryBytes, type PlacedNode } from './placed.ts';

const SHOWN = 10;
const words = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function wasted(
  kind: 'degenerate' | 'doubled',
  facts: ReadonlyMap<number, TriangleFacts>,
  placed: readonly PlacedNode[],
): Advice[] {
  const found = placed.filter(({ mesh }) => (facts.get(mesh)?.[kind] ?? 0) > 0);
  if (found.length === 0) return [];
  const count = found.reduce((sum, { mesh }) => sum + (facts.get(mesh) as TriangleFacts)[kind], 0);
  const isDropped = kind === 'degenerate';
  const what = isDropped
    ? `${words(count, 'triangle has', 'triangles have')} no area: a cook leaves them out`
    : `${words(count, 'triangle lies', 'triangles lie')} on an equal one: both are stored and drawn, and they flicker where they are blended`;
  const first = new Map(found.map((node) => [node.mesh, node]));
  return [
    {
      kind,
      what,
      count,
      where: [...first.values()].slice(0, SHOWN).map(({ path }) => path),
      saves: { triangles: count },
      option: null,
      isDefault: isDropped,
    },
  ];
}

async function hidden(
  scene: Scene,
  facts: ReadonlyMap<number, TriangleFacts>,
  placed: readonly PlacedNode[],
): Promise<Advice[]> {
  // What moves may come out.
  if ((scene.clips ?? []).length > 0) return [];
  const parts = placed.map(
    ({ node, mesh, bounds }): PlacedPart => ({
      node,
      world: scene.nodes[node].world,
      bounds,
      solid: facts.get(mesh)?.solid ?? null,
      vertexCount: scene.meshes[mesh].primitives.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
      points: async () => (await polygonsOf(scene.meshes[mesh])).map(({ points }) => points),
    }),
  );
  const inside = await hiddenParts(parts.filter((_, i) => facts.has(placed[i].mesh)));
  const found = placed.filter(({ node }) => inside.has(node));
  if (found.length === 0) return [];
  const around = scene.nodes[inside.get(found[0].node) as number].path;
  return [
    {
      kind: 'hidden',
      what: `${words(found.length, 'part lies', 'parts lie')} wholly within a closed solid, as ${found[0].path} in ${around}`,
      count: found.length,
      where: found.slice(0, SHOWN).map(({ path }) => path),
      saves: {
        geometry: found.reduce((sum, node) => sum + geometryBytes(node), 0),
        triangles: found.reduce((sum, { triangles }) => sum + triangles, 0),
      },
      option: found.length === 1 ? `--exclude ${found[0].path}` : '--exclude PATH',
      isDefault: false,
    },
  ];
}

/** Reads every mesh once and tells what of it is in vain. */
export async function wastedSurfaces(scene: Scene, placed: readonly PlacedNode[]): Promise<Advice[]> {
  const facts = await surveyMeshes(scene, new Set(placed.map(({ mesh }) => mesh)));
  return [
    ...(await hidden(scene, facts, placed)),
    ...wasted('degenerate', facts, placed),
    ...wasted('doubled', facts, placed),
  ];
}
