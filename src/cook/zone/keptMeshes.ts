// The triangles that stay of what was seen, as meshes in world space that are ready to be simplified.

import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { FLOAT_UVS } from '../../formats/floatMesh.ts';
import { PositionIds } from '../../geometry/mesh/positionIds.ts';
import { prepareMesh } from '../../geometry/mesh/prepare.ts';
import { placeMesh } from '../../geometry/mesh/transform.ts';
import { pickPolygons } from '../../geometry/polygons/pickPolygons.ts';
import type { PolygonMesh, Scene, SceneMaterial, Vec3 } from '../../scene/types.ts';
import { keptTriangles } from '../../zone/keep.ts';
import type { ZoneMesh } from '../../zone/thin.ts';
import { distanceToZone, type Zone } from '../../zone/zone.ts';
import { placedPoints, trianglePoints, type PartSource } from './zoneParts.ts';

/** A part of which something was seen. */
export interface SeenPart {
  readonly source: PartSource;
  /** Of each of its triangles. */
  readonly pixels: Uint32Array;
}

export interface KeptPart {
  readonly source: PartSource;
  readonly seen: number;
  readonly kept: number;
  /** Null: none of its triangles has an area. */
  readonly mesh: ZoneMesh | null;
}

/** The UV sets that a material's textures use. */
export function uvSetsOf(material: SceneMaterial | undefined): readonly string[] {
  const uses = material ? Object.values(material.textures) : [];
  return [...new Set(uses.flatMap((use) => (use ? [use.uvSet] : [])))];
}

/** Where something is blended or transmitted, all of it stays: its backs are seen through its fronts. */
const isWhole = (material: SceneMaterial | undefined): boolean =>
  material !== undefined && (material.alphaMode === 'blend' || material.transmission > 0);

function flagsOf(
  polygons: PolygonMesh,
  { source, pixels }: SeenPart,
  scene: Scene,
  zone: Zone,
  middle: Vec3,
  pixel: number,
): Uint8Array {
  if (isWhole(scene.materials[source.material])) return new Uint8Array(pixels.length).fill(1);
  const positions = placedPoints(polygons.points, scene.nodes[source.node].world, middle);
  const ids = new PositionIds().of(positions);
  const first = new Uint32Array(ids.length);
  const isKnown = new Uint8Array(ids.length);
  for (let v = 0; v < ids.length; v++) {
    if (isKnown[ids[v]]) continue;
    isKnown[ids[v]] = 1;
    first[ids[v]] = v;
  }
  const corners = trianglePoints(polygons, source.subset).map((point) => first[ids[point]]);
  const distance = (x: number, y: number, z: number) =>
    distanceToZone(x + middle[0], y + middle[1], z + middle[2], zone);
  return keptTriangles({ positions, corners, pixels, distance, pixel });
}

/** What stays of a part. `polygons`: of its primitive. */
export async function keptPart(
  polygons: PolygonMesh,
  part: SeenPart,
  scene: Scene,
  { zone, middle, pixel }: { readonly zone: Zone; readonly middle: Vec3; readonly pixel: number },
): Promise<KeptPart> {
  const { source, pixels } = part;
  const flags = flagsOf(polygons, part, scene, zone, middle, pixel);
  const kept = flags.reduce((sum, flag) => sum + flag, 0);
  const seen = pixels.reduce((sum, shown) => sum + (shown > 0 ? 1 : 0), 0);
  const material = scene.materials[source.material];
  const [set = null] = uvSetsOf(material);
  const own = pickPolygons(polygons, source.subset, flags);
  const location = { file: scene.source, path: source.primitive.path };
  const prepared = await prepareMesh(
    own,
    {
      subset: -1,
      uv: { set, transform: null },
      color: material?.usesVertexColors ? 'store' : 'white',
      attributes: material?.usesVertexColors ? ['normal', 'uv0', 'color0'] : ['normal', 'uv0'],
      uvLimits: FLOAT_UVS,
    },
    // The cook of the result reports what is wrong with it.
    new Diagnostics(),
    location,
  );
  if (prepared === null) return { source, seen, kept, mesh: null };
  const mesh = placeMesh(prepared, scene.nodes[source.node].world, new Diagnostics(), location);
  return { source, seen, kept, mesh: { key: String(source.material), mesh, isTextured: set !== null } };
}
