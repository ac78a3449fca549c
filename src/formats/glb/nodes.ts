// The nodes of a GLB: one for each placement of a mesh, light and camera. All stand at the root, in engine space, which is
// glTF's own: right-handed, +Y up, metres; lights and cameras look along -Z in both.

import { storedTransform } from '../../geometry/instances/instance.ts';
import { type AttributeArray, kindOf, SEMANTICS, type Semantic } from '../../geometry/mesh/attributes.ts';
import { isIdentity } from '../../scene/matrix.ts';
import { partsOf } from '../../scene/quaternion.ts';
import type { Mat4, SceneCamera, SceneLight } from '../../scene/types.ts';
import { type FloatMesh, flippedUvs } from '../floatMesh.ts';
import type { PayloadMesh } from '../format.ts';
import type { UniqueNames } from '../uniqueNames.ts';
import type { GlbBuilder } from './builder.ts';
import {
  ARRAY_BUFFER,
  ELEMENT_ARRAY_BUFFER,
  type GlbJson,
  type GlbNode,
  LIGHTS,
  type Light,
  MOST_SHORT_VERTICES,
  type Primitive,
} from './layout.ts';
import type { MaterialWriter } from './materials.ts';

/** Candela of a watt per steradian, lux of a W/m2: the factor of KHR_lights_punctual's exporters, 540 THz. */
const LUMENS_PER_WATT = 683;

type Vector = 'VEC2' | 'VEC3' | 'VEC4';
const VECTORS: Readonly<Record<number, Vector>> = { 2: 'VEC2', 3: 'VEC3', 4: 'VEC4' };

/** The values of an attribute as glTF has them: V down, joints as whole numbers. */
function storedValues(semantic: Semantic, values: AttributeArray): Float32Array | Uint16Array | Uint8Array {
  if (semantic === 'uv0') return flippedUvs(values);
  return semantic === 'joints' ? Uint16Array.from(values) : values;
}

/** The accessors of meshes. */
export class MeshWriter {
  readonly #builder: GlbBuilder;
  readonly #materials: MaterialWriter;
  readonly #meshes: NonNullable<GlbJson['meshes']>[number][] = [];
  readonly #known = new Map<string, number>();
  readonly #stored = new Map<FloatMesh, { readonly number: number; readonly primitive: Primitive }>();

  constructor(builder: GlbBuilder, materials: MaterialWriter) {
    this.#builder = builder;
    this.#materials = materials;
  }

  get list(): NonNullable<GlbJson['meshes']> {
    return this.#meshes;
  }

  #geometry(stored: FloatMesh): { readonly number: number; readonly primitive: Primitive } {
    const known = this.#stored.get(stored);
    if (known) return known;
    const { positions, attributes, indices, vertexCount } = stored;
    const add = (array: Float32Array | Uint16Array | Uint8Array, type: Vector, more = {}) =>
      this.#builder.accessor(array, { type, target: ARRAY_BUFFER, ...more });
    const narrow = vertexCount <= MOST_SHORT_VERTICES ? Uint16Array.from(indices) : indices;
    const accessors: Record<string, number> = { POSITION: add(positions, 'VEC3', { range: true }) };
    for (const semantic of SEMANTICS) {
      const values = attributes[semantic];
      if (!values) continue;
      const { gltf, components } = kindOf(semantic);
      const normalized = values instanceof Uint8Array ? { normalized: true } : {};
      accessors[gltf] = add(storedValues(semantic, values), VECTORS[components], normalized);
    }
    const primitive = {
      attributes: accessors,
      indices: this.#builder.accessor(narrow, { type: 'SCALAR', target: ELEMENT_ARRAY_BUFFER }),
    };
    const added = { number: this.#stored.size, primitive };
    this.#stored.set(stored, added);
    return added;
  }

  /** The index of a mesh, and the name of its material. */
  async add({
    naming,
    stored,
    surface,
  }: PayloadMesh<FloatMesh>): Promise<{ readonly mesh: number; readonly name: string }> {
    const material = await this.#materials.add(surface);
    const { number, primitive } = this.#geometry(stored);
    const materialName = this.#materials.nameOf(material);
    const name = 'tile' in naming ? `${naming.tile}_${naming.mesh ?? materialName}` : naming.entity;
    const key = `${number} ${material}`;
    let mesh = this.#known.get(key);
    if (mesh === undefined) {
      mesh = this.#meshes.length;
      this.#meshes.push({ name: naming.mesh ?? name, primitives: [{ ...primitive, material }] });
      this.#known.set(key, mesh);
    }
    return { mesh, name };
  }
}

/** Placements as the matrices of their nodes: column-major, as glTF has them (3.5.3). */
export function meshNodes(
  placements: readonly Mat4[] | undefined,
  mesh: number,
  name: string,
  names: UniqueNames,
): GlbNode[] {
  return (placements ?? [null]).map((placement): GlbNode => {
    const own = { name: names.take(name, 'object'), mesh };
    return placement === null || isIdentity(placement) ? own : { ...own, matrix: [...storedTransform(placement)] };
  });
}

/** Where a light or camera stands and where it looks. */
function frame(world: Mat4): Pick<GlbNode, 'translation' | 'rotation'> {
  const { translation, rotation } = partsOf(world);
  return { translation: translation.map(Math.fround), rotation: rotation.map(Math.fround) };
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** glTF's inner angle is less than the outer one, and that is at most a right angle. */
function coneOf(inner: number, outer: number): NonNullable<Light['spot']> {
  const outerConeAngle = Math.min(Math.max(radians(outer), 1e-3), Math.PI / 2);
  return { innerConeAngle: Math.min(Math.max(radians(inner), 0), outerConeAngle * 0.999), outerConeAngle };
}

/** An area light becomes a spot that is as bright in front: by Lambert's law P / pi W/sr. */
function lightOf({ name, kind, color, intensity, range, cone }: SceneLight): Light {
  const base = { name, color: [...color], ...(range > 0 && kind !== 'directional' ? { range } : {}) };
  if (kind === 'directional') return { ...base, type: 'directional', intensity: intensity * LUMENS_PER_WATT };
  if (kind === 'area') {
    return { ...base, type: 'spot', intensity: (intensity * LUMENS_PER_WATT) / Math.PI, spot: coneOf(0, 90) };
  }
  const candela = (intensity * LUMENS_PER_WATT) / (4 * Math.PI);
  if (kind === 'point' || cone === null) return { ...base, type: 'point', intensity: candela };
  return { ...base, type: 'spot', intensity: candela, spot: coneOf(cone.inner, cone.outer) };
}

/** Lights with their nodes. */
export function lightNodes(lights: readonly SceneLight[], names: UniqueNames): { list: Light[]; nodes: GlbNode[] } {
  const nodes = lights.map(
    ({ name, world }, light): GlbNode => ({
      name: names.take(name, 'light'),
      ...frame(world),
      extensions: { [LIGHTS]: { light } },
    }),
  );
  return { list: lights.map(lightOf), nodes };
}

/** Cameras with their nodes. */
export function cameraNodes(
  cameras: readonly SceneCamera[],
  names: UniqueNames,
): { list: NonNullable<GlbJson['cameras']>; nodes: GlbNode[] } {
  const nodes = cameras.map(
    ({ name, world }, camera): GlbNode => ({ name: names.take(name, 'camera'), ...frame(world), camera }),
  );
  const list = cameras.map(({ name, fovY, near, far, aspectRatio }) => ({
    name,
    type: 'perspective',
    perspective: { aspectRatio, yfov: radians(fovY), znear: near, zfar: far },
  }));
  return { list, nodes };
}
