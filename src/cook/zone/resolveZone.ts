// Where the prims and nodes of --viewer-zone and --portal stand: their bounds and rectangles in the scene.

import type { ZoneSettings } from '../../config/zoneSettings.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { boundsOfPoints, unite } from '../../scene/bounds.ts';
import { transformBounds, transformPoint } from '../../scene/matrix.ts';
import type { Bounds, Scene, SceneNode, Vec3 } from '../../scene/types.ts';
import type { Portal, Zone } from '../../zone/zone.ts';

/** Names of prims that say where eyes are, and are not drawn. */
const MARKER = /^untold_viewer_/;

/** Where a scene is looked at from. */
export interface ResolvedZone {
  readonly zone: Zone;
  /** Nodes that only say where it is: nobody draws them. */
  readonly markers: ReadonlySet<number>;
}

/** The names of each node from its root down, as `/World/Seats`. */
function namePaths(nodes: readonly SceneNode[]): string[] {
  const paths: string[] = [];
  for (const { name, parent } of nodes) paths.push(`${parent < 0 ? '' : paths[parent]}/${name}`);
  return paths;
}

/** The nodes of a path with all below them: a path of the source, or names from the root down. */
function nodesAt({ nodes, source }: Scene, path: string, option: string): number[] {
  const names = namePaths(nodes);
  const wanted = path.startsWith('/') ? path : `/${path}`;
  const isOf = new Uint8Array(nodes.length);
  const found: number[] = [];
  for (const [i, { path: own, parent }] of nodes.entries()) {
    const isAtOrBelow = own === path || own.startsWith(`${path}/`) || names[i] === wanted;
    if (!isAtOrBelow && !(parent >= 0 && isOf[parent])) continue;
    isOf[i] = 1;
    found.push(i);
  }
  if (!found.some((node) => nodes[node].mesh >= 0)) {
    fail('UC2281', source, option, found.length > 0 ? `nothing at ${path} has bounds` : `there is no ${path}`);
  }
  return found;
}

function boundsOf({ nodes, meshes }: Scene, list: readonly number[]): Bounds | null {
  let bounds: Bounds | null = null;
  for (const node of list) {
    const { mesh, world } = nodes[node];
    if (mesh < 0) continue;
    for (const primitive of meshes[mesh].primitives) {
      if (primitive.bounds) bounds = unite(bounds, transformBounds(world, primitive.bounds));
    }
  }
  return bounds;
}

/** The rectangle in the middle of the thinnest side of the first mesh at a path. */
function portalOf(scene: Scene, path: string, list: readonly number[]): Portal {
  const { nodes, meshes } = scene;
  const { mesh, world } = nodes[list.find((node) => nodes[node].mesh >= 0) as number];
  const bounds = meshes[mesh].primitives.reduce<Bounds | null>((all, { bounds: own }) => unite(all, own), null);
  if (bounds === null) return fail('UC2281', scene.source, '--portal', `nothing at ${path} has bounds`);
  const { min, max } = bounds;
  // In metres of the scene: a cube may be a window by its scale.
  const grown = (axis: number) => Math.hypot(world[axis * 4], world[axis * 4 + 1], world[axis * 4 + 2]);
  const sides = [0, 1, 2].map((axis) => (max[axis] - min[axis]) * grown(axis));
  const thin = sides.indexOf(Math.min(...sides));
  const [across, along] = [0, 1, 2].filter((axis) => axis !== thin);
  const corner = (i: number, k: number): Vec3 => {
    const point: [number, number, number] = [0, 0, 0];
    point[thin] = (min[thin] + max[thin]) / 2;
    point[across] = i === 0 ? min[across] : max[across];
    point[along] = k === 0 ? min[along] : max[along];
    return transformPoint(world, point);
  };
  const portal: Portal = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
  const spanned = boundsOfPoints(Float64Array.from(portal.flat())) as Bounds;
  const widths = [0, 1, 2].map((axis) => spanned.max[axis] - spanned.min[axis]);
  if (!(sides[across] > 0 && sides[along] > 0 && Math.max(...widths) > 0)) {
    return fail('UC2287', scene.source, '--portal', `${path} spans no rectangle`);
  }
  return portal;
}

/** The zone of the settings in a scene. Throws UC2281 and UC2287. */
export function resolveZone(scene: Scene, settings: ZoneSettings): ResolvedZone {
  const markers = new Set<number>();
  const mark = (list: readonly number[]) => {
    for (const node of list) {
      const { name, mesh, isGuide } = scene.nodes[node];
      const above = scene.nodes[list[0]].name;
      if (mesh >= 0 && (isGuide || MARKER.test(name) || MARKER.test(above))) markers.add(node);
    }
  };
  const boxes = settings.prims.map((path) => {
    const list = nodesAt(scene, path, '--viewer-zone');
    mark(list);
    return boundsOf(scene, list) ?? fail('UC2281', scene.source, '--viewer-zone', `nothing at ${path} has bounds`);
  });
  const portals = settings.portals.map((path) => {
    const list = nodesAt(scene, path, '--portal');
    mark(list);
    return portalOf(scene, path, list);
  });
  return { zone: { boxes: [...boxes, ...settings.boxes], spheres: settings.points, portals }, markers };
}
