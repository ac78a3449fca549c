// The meshes of a GLB file of ours, and what it holds in numbers.

import type { GLTF } from '@gltf-transform/core';
import { type AttributeArray, attributesFrom, isUvs } from '../../geometry/mesh/attributes.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';
import { multiply } from '../../scene/matrix.ts';
import { fromParts } from '../../scene/quaternion.ts';
import { lightThrough } from '../../scene/transmission.ts';
import type { Mat4 } from '../../scene/types.ts';
import { drawnMesh, flippedUvs, storeMesh } from '../floatMesh.ts';
import type { DrawnFile, DrawnFileMesh, FormatCode } from '../format.ts';
import { type ComponentArray, TRANSMISSION } from './layout.ts';
import { type GlbFile, readGlb } from './read.ts';

/** Adds the morph targets of a mesh at its weights to the values of an attribute. */
function morphed(glb: GlbFile, mesh: number, name: 'POSITION' | 'NORMAL', base: ComponentArray): ComponentArray {
  const { weights = [], primitives = [] } = glb.json.meshes?.[mesh] ?? {};
  if (!weights.some((weight) => weight !== 0)) return base;
  const sum = Float64Array.from(base);
  for (const [t, target] of (primitives[0]?.targets ?? []).entries()) {
    const deltas = weights[t] && target[name] !== undefined ? glb.values(target[name]) : null;
    if (deltas?.length === sum.length) for (let i = 0; i < sum.length; i++) sum[i] += weights[t] * deltas[i];
  }
  return Float32Array.from(sum);
}

/** A primitive as a mesh, V up, with its morph targets at their weights. */
function meshOf(glb: GlbFile, mesh: number): Float32Mesh | null {
  const [primitive] = glb.json.meshes?.[mesh]?.primitives ?? [];
  const values = (index: number | undefined): ComponentArray | null => (index === undefined ? null : glb.values(index));
  const { attributes: accessors } = primitive;
  const positions = values(accessors.POSITION) as Float32Array | null;
  const indices = values(primitive.indices);
  if (!positions || !indices) return null;
  return {
    vertexCount: positions.length / 3,
    positions: morphed(glb, mesh, 'POSITION', positions) as Float32Array,
    attributes: attributesFrom((semantic, { gltf, array }) => {
      const index = gltf === null ? undefined : accessors[gltf];
      const own = index === undefined ? null : array === Float32Array ? glb.numbers(index) : glb.values(index);
      if (own === null) return undefined;
      const stored = semantic === 'normal' ? morphed(glb, mesh, 'NORMAL', own) : own;
      if (isUvs(semantic)) return flippedUvs(stored);
      return (stored instanceof array ? stored : array.from(stored)) as AttributeArray;
    }),
    indices: Uint32Array.from(indices),
  };
}

function localOf({ matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: GLTF.INode): Mat4 {
  return matrix ? Float64Array.from(matrix) : fromParts(translation, rotation, scale);
}

/** As KHR_materials_transmission has it. */
function transmissionOf({ extensions }: GLTF.IMaterial): number {
  const stated = extensions?.[TRANSMISSION] as { readonly transmissionFactor?: unknown } | undefined;
  return typeof stated?.transmissionFactor === 'number' ? Math.min(1, Math.max(0, stated.transmissionFactor)) : 0;
}

/** A node that draws a mesh, and where. */
interface DrawingNode {
  readonly mesh: number;
  readonly world: Mat4;
}

/** The nodes that draw a mesh, in the order of the file. Those in a circle, which the check names, stand at the root. */
function drawingNodes({ json: { nodes = [] } }: GlbFile): readonly DrawingNode[] {
  const worlds: Mat4[] = [];
  const below = new Set(nodes.flatMap(({ children = [] }) => children));
  const open = [...nodes.keys()].filter((node) => !below.has(node));
  for (const node of open) worlds[node] = localOf(nodes[node]);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const child of nodes[node].children ?? []) {
      if (worlds[child] !== undefined) continue;
      worlds[child] = multiply(worlds[node], localOf(nodes[child]));
      open.push(child);
    }
  }
  return nodes.flatMap((node, i) =>
    node.mesh === undefined ? [] : [{ mesh: node.mesh, world: worlds[i] ?? localOf(node) }],
  );
}

export const decodePayload: FormatCode['decode'] = async (file, name, entities) => {
  const { glb, findings } = await readGlb(file, name);
  const nodes = drawingNodes(glb);
  const meshes: Float32Mesh[] = [];
  let first = 0;
  for (const count of entities) {
    const placed = nodes.slice(first, first + count);
    const mesh = meshOf(glb, placed[0]?.mesh);
    findings.throwIfErrors();
    meshes.push(
      await drawnMesh(
        storeMesh(mesh as Float32Mesh),
        placed.map(({ world }) => world),
      ),
    );
    first += count;
  }
  return meshes;
};

export async function drawnFile(file: Uint8Array, name: string): Promise<DrawnFile> {
  const { glb, findings } = await readGlb(file, name);
  const meshes: DrawnFileMesh[] = [];
  for (const node of drawingNodes(glb)) {
    const mesh = meshOf(glb, node.mesh);
    findings.throwIfErrors();
    const drawn = await drawnMesh(storeMesh(mesh as Float32Mesh), [node.world]);
    meshes.push({
      positions: drawn.positions,
      normals: drawn.attributes.normal,
      uv0: drawn.attributes.uv0 ?? new Float32Array(drawn.vertexCount * 2),
      indices: drawn.indices,
      material: glb.json.meshes?.[node.mesh].primitives[0].material ?? 0,
    });
  }
  const materials = (glb.json.materials ?? []).map((material) => {
    const [r, g, b, a] = material.pbrMetallicRoughness?.baseColorFactor ?? [1, 1, 1, 1];
    const [x, y, z] = material.emissiveFactor ?? [0, 0, 0];
    const { metallicFactor = 1, roughnessFactor = 1, metallicRoughnessTexture } = material.pbrMetallicRoughness ?? {};
    const surface = {
      baseColor: [r, g, b, a],
      metallic: metallicFactor,
      roughness: roughnessFactor,
      transmission: transmissionOf(material),
    } as const;
    return {
      transmission: lightThrough(
        surface,
        (slot) => (slot === 'metallic' || slot === 'roughness') && metallicRoughnessTexture !== undefined,
      ),
      alphaMode: material.alphaMode === 'MASK' ? 'mask' : material.alphaMode === 'BLEND' ? 'blend' : 'opaque',
      alphaCutoff: material.alphaCutoff ?? 0.5,
      baseColor: [r, g, b, a],
      emissive: [x, y, z],
      // Its images lie in the file itself and have no path.
      baseColorTexture: null,
      emissiveTexture: null,
    } as const;
  });
  return { meshes, materials };
}

export const measurePayload: FormatCode['measure'] = async (file, name) => {
  const { glb } = await readGlb(file, name);
  const nodes = drawingNodes(glb);
  const countOf = (mesh: number): number => {
    const index = glb.json.meshes?.[mesh]?.primitives[0]?.attributes.POSITION;
    return index === undefined ? 0 : (glb.json.accessors?.[index].count ?? 0);
  };
  return { meshes: nodes.length, vertices: nodes.reduce((sum, { mesh }) => sum + countOf(mesh), 0), textures: [] };
};
