// Scene -> the objects that a plan distributes: one for each placement of a mesh that has triangles.

import { pathMatcher } from '../../../config/pathPattern.ts';
import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { NEVER_MERGE } from '../../../engine/names.ts';
import { LARGEST_COORDINATE, OCTREE_REACH } from '../../../engine/streaming.ts';
import { unite } from '../../../scene/bounds.ts';
import { transformBounds } from '../../../scene/matrix.ts';
import { meshNameOf } from '../../../scene/meshName.ts';
import { effectiveTags, isAlwaysLoaded, type NodeTags } from '../../../scene/tags.ts';
import type { Bounds, Scene, SceneMesh } from '../../../scene/types.ts';
import type { PlannedObject } from '../../../tiling/types.ts';

/** Stored vertices for each point where nothing better is known: UVs and normals may differ from corner to corner. */
const SEAMS = 2;

/** What all placements of a mesh have in common. */
interface MeshFacts {
  readonly triangles: number;
  readonly vertices: number;
  readonly materials: readonly number[];
  readonly materialNames: readonly string[];
}

function meshFacts(scene: Scene, mesh: SceneMesh): MeshFacts {
  let triangles = 0;
  let vertices = 0;
  const materials = new Set<number>();
  for (const primitive of mesh.primitives) {
    if (primitive.triangleCount === 0) continue;
    triangles += primitive.triangleCount;
    vertices += Math.min(3 * primitive.triangleCount, primitive.storedVertexCount ?? SEAMS * primitive.vertexCount);
    let inSubsets = 0;
    for (const subset of primitive.subsets) inSubsets += subset.triangleCount;
    if (inSubsets < primitive.triangleCount) materials.add(primitive.material);
    for (const subset of primitive.subsets) if (subset.triangleCount > 0) materials.add(subset.material);
  }
  const sorted = [...materials].sort((a, b) => a - b);
  const materialNames = sorted.flatMap((index) => (index < 0 ? [] : [scene.materials[index].name]));
  return { triangles, vertices, materials: sorted, materialNames };
}

/** Whether no coordinate is further from 0 than `limit`; false for NaN. */
function isWithin({ min, max }: Bounds, limit: number): boolean {
  for (let axis = 0; axis < 3; axis++) if (!(min[axis] >= -limit && max[axis] <= limit)) return false;
  return true;
}

/**
 * The tags that count for a node, those of the source and of the patterns that match its names from the root down. Warns of
 * patterns that match none (UC2212).
 */
function withAlwaysLoaded(
  { nodes, source }: Scene,
  patterns: readonly string[],
  diagnostics: Diagnostics,
): (node: number) => NodeTags | null {
  const tags = effectiveTags(nodes);
  if (patterns.length === 0) return (node) => tags[node];
  const paths: string[] = [];
  for (const { name, parent } of nodes) paths.push(parent < 0 ? name : `${paths[parent]}/${name}`);
  const matching = patterns.map((pattern) => {
    const matches = pathMatcher([pattern]);
    const found = paths.map(matches);
    if (!found.includes(true)) diagnostics.report('UC2212', source, '', `--always-loaded ${pattern} matches no object`);
    return found;
  });
  return (node) => (matching.some((found) => found[node]) ? { ...tags[node], policy: 'always_loaded' } : tags[node]);
}

/** The longest side of a box. */
const widthOf = ({ min, max }: Bounds): number => Math.max(...[0, 1, 2].map((axis) => max[axis] - min[axis]));

const metres = (length: number): string => String(Math.round(length)).replace(/\B(?=(\d{3})+$)/g, ',');

/** What brings a scene within reach; undefined: moving it does. `widest`: of the objects that reach out of it. */
function nearerRemedy(whole: Bounds | null, widest: number): string | undefined {
  const room = 2 * OCTREE_REACH;
  if (widest > room) {
    return `an object of ${metres(widest)} m cannot be moved inside: cut it to ${metres(room)} m, leave it out with --exclude, or correct its unit with --scale`;
  }
  const width = whole ? widthOf(whole) : 0;
  if (width <= room) return undefined;
  return `a scene of ${metres(width)} m cannot be moved inside: cook it in parts with --select, each with an --origin of its own, or correct its unit with --scale`;
}

/** Placements in node order, without nodes that are hidden. Throws UC2200 when there is nothing to draw; warns of objects that the engine never finds. */
export function sceneObjects(
  scene: Scene,
  hidden: ReadonlySet<number>,
  alwaysLoaded: readonly string[],
  diagnostics: Diagnostics,
): PlannedObject[] {
  const objects: PlannedObject[] = [];
  const tagsOf = withAlwaysLoaded(scene, alwaysLoaded, diagnostics);
  const facts = new Map<number, MeshFacts>();
  const nameOf = objectNames(scene);
  let outside = 0;
  let firstOutside = '';
  let widest = 0;
  let whole: Bounds | null = null;
  scene.nodes.forEach((node, index) => {
    if (node.mesh < 0 || hidden.has(index)) return;
    const mesh = scene.meshes[node.mesh];
    const known = facts.get(node.mesh) ?? meshFacts(scene, mesh);
    facts.set(node.mesh, known);
    let bounds: Bounds | null = null;
    for (const primitive of mesh.primitives) {
      if (primitive.bounds) bounds = unite(bounds, transformBounds(node.world, primitive.bounds));
    }
    if (bounds === null || known.triangles === 0) return;
    if (!isWithin(bounds, LARGEST_COORDINATE)) {
      diagnostics.report('UC2203', scene.source, node.path, 'this object reaches beyond what a manifest can state');
      return;
    }
    const { triangles, vertices, materials, materialNames } = known;
    const tags = tagsOf(index);
    const own = NEVER_MERGE.test(nameOf(index)) || isAlwaysLoaded(tags);
    objects.push({
      node: index,
      bounds,
      triangles,
      vertices,
      name: `${node.name} ${mesh.name}`,
      materialNames,
      draws: materials.map((material) => (own ? `${index}|${material}` : String(material))),
      tags,
    });
    whole = unite(whole, bounds);
    if (!isWithin(bounds, OCTREE_REACH)) {
      if (outside++ === 0) firstOutside = node.path;
      widest = Math.max(widest, widthOf(bounds));
    }
  });
  diagnostics.throwIfErrors();
  if (objects.length === 0) fail('UC2200', scene.source, '', 'no visible triangle is left to cook');
  if (outside > 0) {
    const subject = outside > 1 ? `this and ${outside - 1} more objects reach` : 'this object reaches';
    const message = `${subject} more than ${OCTREE_REACH} m from the origin`;
    diagnostics.report('UC2201', scene.source, firstOutside, message, nearerRemedy(whole, widest));
  }
  return objects;
}

/**
 * The name of the object that a node places. Blender writes an object as an Xform with its mesh alone below it: there
 * the object's name, and whether it may be merged, stand one node higher.
 */
export function objectNames(scene: Scene): (node: number) => string {
  const { nodes } = scene;
  const children = new Uint32Array(nodes.length);
  for (const { parent } of nodes) if (parent >= 0) children[parent]++;
  return (index) => {
    const node = nodes[index];
    const above = node.parent >= 0 ? nodes[node.parent] : null;
    if (above && above.mesh < 0 && children[node.parent] === 1 && NEVER_MERGE.test(above.name)) return above.name;
    return node.name || meshNameOf(scene, index) || 'object';
  };
}
