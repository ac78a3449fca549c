// The triangles that stay of what was seen, as meshes in world space that are ready to be simplified.

import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { analyseColors, type ColorUse, colorSetsOf } from '../../geometry/mesh/colors.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';
import { dropDegenerate } from '../../geometry/mesh/optimise.ts';
import { PositionIds } from '../../geometry/mesh/positionIds.ts';
import { placeMesh } from '../../geometry/mesh/transform.ts';
import { buildVertices } from '../../geometry/mesh/vertices.ts';
import { pickPolygons } from '../../geometry/polygons/pickPolygons.ts';
import { unitNormals } from '../../geometry/shading/normals.ts';
import type { Attribute, PolygonMesh, Scene, SceneMaterial, Vec3 } from '../../scene/types.ts';
import { keptTriangles } from '../../zone/keep.ts';
import { distanceToZone, type Zone } from '../../zone/zone.ts';
import { type PartSource, placedPoints, trianglePoints } from './zoneParts.ts';

/** How a zone is looked from. */
export interface ZoneView {
  readonly zone: Zone;
  readonly middle: Vec3;
  /** Metres that a pixel covers at a metre's distance. */
  readonly pixel: number;
}

/** The UV sets that a material's textures use. */
export function uvSetsOf(material: SceneMaterial | undefined): readonly string[] {
  const uses = material ? Object.values(material.textures) : [];
  return [...new Set(uses.flatMap((use) => (use ? [use.uvSet] : [])))];
}

/** Where something is blended or transmitted, all of it stays: its backs are seen through its fronts. */
const isWhole = (material: SceneMaterial | undefined): boolean =>
  material !== undefined && (material.alphaMode === 'blend' || material.transmission > 0);

/** 1 for each triangle of a part that stays. `polygons`: of its primitive; `pixels`: of each triangle those that showed it. */
export function keptFlags(
  polygons: PolygonMesh,
  source: PartSource,
  pixels: Uint32Array,
  scene: Scene,
  { zone, middle, pixel }: ZoneView,
): Uint8Array {
  if (isWhole(scene.materials[source.material])) return new Uint8Array(pixels.length).fill(1);
  const positions = placedPoints(polygons.points, scene.nodes[source.node].world, middle);
  const ids = new PositionIds().of(positions);
  const first = new Int32Array(ids.length).fill(-1);
  for (let v = 0; v < ids.length; v++) if (first[ids[v]] < 0) first[ids[v]] = v;
  const corners = trianglePoints(polygons, source.subset).map((point) => first[ids[point]]);
  const distance = (x: number, y: number, z: number) =>
    distanceToZone(x + middle[0], y + middle[1], z + middle[2], zone);
  return keptTriangles({ positions, corners, pixels, distance, pixel });
}

/** Triangles of a part in world space, with normals and with the UVs and colours that its material asks for; null: none are left. */
export function keptMesh(
  polygons: PolygonMesh,
  flags: Uint8Array,
  source: PartSource,
  scene: Scene,
): { readonly mesh: Float32Mesh; readonly colors: ColorUse } | null {
  const own = pickPolygons(polygons, source.subset, flags);
  const count = own.corners.length / 3;
  if (count === 0) return null;
  const material = scene.materials[source.material];
  const uvs = own.uvs.get(uvSetsOf(material)[0] ?? '');
  const usesColors = material?.usesVertexColors ?? false;
  const { mesh } = buildVertices(
    own,
    { count, corners: null, faces: null, shortFaces: 0, fannedFaces: 0 },
    {
      values: { normal: unitNormals(own.normals as Attribute).attribute, ...(uvs && { uv0: uvs }) },
      packed: colorSetsOf(own, (_, { isDrawn }) => !isDrawn || usesColors),
      cells: null,
    },
  );
  // The cook of the result reports what is wrong with it.
  const location = { file: scene.source, path: source.primitive.path };
  const placed = placeMesh(mesh, scene.nodes[source.node].world, new Diagnostics(), location);
  // Simplifying drops triangles without area, and with them vertices that other rings may share.
  const indices = placed.indices.slice();
  const left = dropDegenerate(indices, placed.positions);
  if (left === 0) return null;
  return {
    mesh: { ...placed, indices: indices.subarray(0, left) },
    colors: usesColors ? analyseColors(own, -1) : 'none',
  };
}
