// What stays of the parts of which something was seen.

import type { ColorUse } from '../../geometry/mesh/colors.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';
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
  /** What stayed of parts, as long as nothing else is wanted of them. */
  readonly known: Map<number, KeptPart>;
}

/** What stays of a part. */
interface KeptPart {
  readonly flags: Uint8Array;
  readonly seen: number;
  readonly kept: number;
  /** Null: its triangles stay as they are. */
  readonly meshes: readonly KeptPiece[] | null;
}

interface KeptPiece {
  readonly mesh: Float32Mesh;
  readonly colors: ColorUse;
  readonly care: Care;
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
export async function keptParts(scene: Scene, parts: ZoneParts, wanted: Wanted, view: ZoneView): Promise<KeptParts> {
  const ofNodes = new Map<number, { triangles: number; seen: number; kept: number }>();
  const ofPrimitives = new Map<ScenePrimitive, number[]>();
  for (const [i, source] of parts.sources.entries()) {
    const object = ofNodes.get(source.node) ?? { triangles: 0, seen: 0, kept: 0 };
    ofNodes.set(source.node, object);
    object.triangles += triangleCountOf(source);
    if (wanted.pixels[i] === null) continue;
    const list = ofPrimitives.get(source.primitive);
    if (list) list.push(i);
    else ofPrimitives.set(source.primitive, [i]);
  }
  const meshes: ZoneMesh[] = [];
  const loose: LoosePart[] = [];
  const flagsOf = new Map<number, Uint8Array>();
  const groups = new ColorGroups();
  const add = (i: number, part: KeptPart): void => {
    const source = parts.sources[i];
    const object = ofNodes.get(source.node)!;
    flagsOf.set(i, part.flags);
    object.kept += part.kept;
    object.seen += part.seen;
    if (part.meshes === null) loose.push({ source, kept: part.kept, flags: part.flags });
    const isTextured = uvSetsOf(scene.materials[source.material]).length > 0;
    for (const { mesh, colors, care } of part.meshes ?? []) {
      meshes.push({ key: groups.join(source.material, colors), mesh, isTextured, care });
    }
  };
  for (const [primitive, list] of ofPrimitives) {
    const news = list.filter((i) => !wanted.known.has(i));
    if (news.length > 0) {
      const polygons = await primitive.read();
      for (const i of news) wanted.known.set(i, keptPart(polygons, parts.sources[i], i, scene, wanted, view));
    }
    for (const i of list) add(i, wanted.known.get(i) as KeptPart);
  }
  return {
    objects: [...ofNodes].map(([node, counts]) => ({ path: scene.nodes[node].path, ...counts })),
    meshes,
    loose,
    flags: flagsOf,
  };
}

function keptPart(
  polygons: PolygonMesh,
  source: PartSource,
  i: number,
  scene: Scene,
  { pixels, careful, exact }: Wanted,
  view: ZoneView,
): KeptPart {
  const shown = pixels[i] as Uint32Array;
  const flags = keptFlags(polygons, source, shown, scene, view);
  const kept = flags.reduce((sum, flag) => sum + flag, 0);
  const seen = shown.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  if (uvSetsOf(scene.materials[source.material]).length > 1) return { flags, seen, kept, meshes: null };
  const meshes: KeptPiece[] = [];
  const add = (chosen: Uint8Array, care: Care) => {
    const left = keptMesh(polygons, chosen, source, scene);
    if (left !== null) meshes.push({ ...left, care });
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
  return { flags, seen, kept, meshes };
}
