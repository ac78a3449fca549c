// The scene that is left for the eyes of a zone: what stays as it is, and a node for each mesh that was merged of the rest.

import { ATTRIBUTES, COLOR_SETS, colorFields } from '../../geometry/mesh/attributes.ts';
import { pickPolygons } from '../../geometry/polygons/pickPolygons.ts';
import { boundsOfPoints } from '../../scene/bounds.ts';
import { identity } from '../../scene/matrix.ts';
import type { PolygonMesh, Scene, SceneMesh, SceneNode, ScenePrimitive } from '../../scene/types.ts';
import type { CellMesh } from '../../zone/cells.ts';
import { materialOfGroup } from './colorGroups.ts';
import { uvSetsOf } from './keptMeshes.ts';
import type { LoosePart } from './keptParts.ts';
import type { PartSource } from './zoneParts.ts';

/** The nodes that stay, those of loose parts, and one node for each merged mesh. */
export function leftScene(
  scene: Scene,
  whole: ReadonlySet<number>,
  loose: readonly LoosePart[],
  merged: readonly CellMesh[],
): Scene {
  const nodes: SceneNode[] = scene.nodes.map((node, i) => (whole.has(i) ? node : { ...node, mesh: -1 }));
  const meshes: SceneMesh[] = [...scene.meshes];
  const add = (name: string, node: Omit<SceneNode, 'name' | 'path' | 'parent' | 'mesh'>, primitive: ScenePrimitive) => {
    const path = `${ZONE_PATH}/${name}`;
    nodes.push({ ...node, name, path, parent: -1, mesh: meshes.length });
    meshes.push({ name, path, primitives: [{ ...primitive, path }] });
  };
  for (const { key, sector, mesh } of merged) {
    const material = materialOfGroup(key);
    const of = scene.materials[material];
    const name = `${of?.name || 'default'}_${sector}`;
    const space = identity();
    add(name, { local: space, world: space, tags: LOADED }, mergedPrimitive(mesh, material, uvSetsOf(of)[0] ?? null));
  }
  for (const { source, kept, flags } of loose) {
    const { world, name } = scene.nodes[source.node];
    const sets = new Set(uvSetsOf(scene.materials[source.material]));
    add(name || 'part', { local: world, world, tags: LOADED }, loosePrimitive(source, kept, flags, sets));
  }
  return { ...scene, nodes, meshes };
}

/** What is left is one picture: all of it is loaded wherever an eye of the zone is. */
const LOADED = { policy: 'always_loaded' } as const;
/** Where messages find what is left. */
export const ZONE_PATH = '/viewer_zone';

function mergedPrimitive(
  { positions, attributes, indices, vertexCount }: CellMesh['mesh'],
  material: number,
  set: string | null,
): ScenePrimitive {
  const { normal, uv0 } = attributes;
  const values = (data: Float32Array, size: number) =>
    ({ data, size, interpolation: 'vertex', indices: null }) as const;
  const polygons: PolygonMesh = {
    points: positions,
    faceCounts: null,
    corners: indices,
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: values(normal, 3),
    missingNormals: 'smooth',
    tangents: null,
    uvs: uv0 && set !== null ? new Map([[set, values(uv0, 2)]]) : new Map(),
    ...colorFields((field) => {
      const set = COLOR_SETS.find((semantic) => ATTRIBUTES[semantic].source.colors === field);
      // Opacities are in the alpha of the colours.
      const bytes = set && attributes[set];
      if (!bytes) return null;
      return values(
        Float32Array.from(bytes, (byte) => byte / 255),
        4,
      );
    }),
    creases: null,
  };
  return {
    path: '',
    type: 'Mesh',
    vertexCount,
    triangleCount: indices.length / 3,
    storedVertexCount: vertexCount,
    bounds: boundsOfPoints(positions),
    material,
    subsets: [],
    read: async () => polygons,
  };
}

/** `sets`: the texture coordinates that stay. */
function loosePrimitive(
  { primitive, subset, material }: PartSource,
  kept: number,
  flags: Uint8Array,
  sets: ReadonlySet<string>,
): ScenePrimitive {
  const { type, vertexCount, bounds } = primitive;
  return {
    path: '',
    type,
    vertexCount,
    triangleCount: kept,
    bounds,
    material,
    subsets: [],
    read: async () => {
      const picked = pickPolygons(await primitive.read(), subset, flags);
      return { ...picked, uvs: new Map([...picked.uvs].filter(([name]) => sets.has(name))) };
    },
  };
}
