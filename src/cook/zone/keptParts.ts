// What stays of the parts of which something was seen.

import type { PolygonMesh, Scene, ScenePrimitive } from '../../scene/types.ts';
import type { Care, ZoneMesh } from '../../zone/thin.ts';
import { ColorGroups } from './colorGroups.ts';
import type { ZoneObject } from './figures.ts';
import { keptFlags, keptMesh, uvSetsOf, type ZoneView } from './keptMeshes.ts';
import { type PartSource, triangleCountOf, type ZoneParts } from './zoneParts.ts';

/** Which triangles are seen, and where simplifying has made holes. */
export interface Wanted {
  /** By part, the pixels of its triangles. */
  readonly pixels: (Uint32Array | null)[];
  /** Parts that are simplified without losing pieces of them. */
  readonly careful: Set<number>;
  /** By part, the pixels of triangles that stay as they are in the source. */
  readonly exact: Map<number, Uint32Array>;
}

/** A part whose triangles stay as they are, because its textures use several sets of UVs. */
export interface LoosePart {
  readonly source: PartSource;
  readonly kept: number;
  readonly flags: Uint8Array;
}

export interface KeptParts {
  readonly objects: readonly ZoneObject[];
  readonly meshes: readonly ZoneMesh[];
  readonly loose: readonly LoosePart[];
  /** By part, 1 for each triangle that stays. */
  readonly flags: ReadonlyMap<number, Uint8Array>;
}

/** Reads what was seen of the parts, each primitive once, wherever it is placed. Throws what reading throws. */
export async function keptParts(
  scene: Scene,
  parts: ZoneParts,
  { pixels, careful, exact }: Wanted,
  view: ZoneView,
): Promise<KeptParts> {
  const ofNodes = new Map<number, { triangles: number; seen: number; kept: number }>();
  const ofPrimitives = new Map<ScenePrimitive, number[]>();
  for (const [i, source] of parts.sources.entries()) {
    const object = ofNodes.get(source.node) ?? { triangles: 0, seen: 0, kept: 0 };
    ofNodes.set(source.node, object);
    object.triangles += triangleCountOf(source);
    if (pixels[i] === null) continue;
    const list = ofPrimitives.get(source.primitive);
    if (list) list.push(i);
    else ofPrimitives.set(source.primitive, [i]);
  }
  const meshes: ZoneMesh[] = [];
  const loose: LoosePart[] = [];
  const flagsOf = new Map<number, Uint8Array>();
  const groups = new ColorGroups();
  const keep = (i: number, polygons: PolygonMesh): void => {
    const source = parts.sources[i];
    const shown = pixels[i] as Uint32Array;
    const object = ofNodes.get(source.node)!;
    const flags = keptFlags(polygons, source, shown, scene, view);
    const kept = flags.reduce((sum, flag) => sum + flag, 0);
    flagsOf.set(i, flags);
    object.kept += kept;
    for (const count of shown) if (count > 0) object.seen++;
    const sets = uvSetsOf(scene.materials[source.material]);
    if (sets.length > 1) {
      loose.push({ source, kept, flags });
      return;
    }
    const add = (chosen: Uint8Array, care: Care) => {
      const left = keptMesh(polygons, chosen, source, scene);
      if (left === null) return;
      const key = groups.join(source.material, left.colors);
      meshes.push({ key, mesh: left.mesh, isTextured: sets.length > 0, care });
    };
    const care = careful.has(i) ? 'careful' : 'usual';
    const held = exact.get(i);
    const near = held && keptFlags(polygons, source, held, scene, view);
    if (near) {
      const areNear = flags.map((flag, t) => flag & near[t]);
      add(areNear, 'exact');
      const areNot = flags.map((flag, t) => flag & ~near[t]);
      add(areNot, care);
    } else add(flags, care);
  };
  for (const [primitive, list] of ofPrimitives) {
    const polygons = await primitive.read();
    for (const i of list) keep(i, polygons);
  }
  return {
    objects: [...ofNodes].map(([node, counts]) => ({ path: scene.nodes[node].path, ...counts })),
    meshes,
    loose,
    flags: flagsOf,
  };
}
