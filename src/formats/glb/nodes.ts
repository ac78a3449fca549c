// Meshes, lights and cameras of a GLB. Lights and cameras stand at their nodes, or at the root in engine space, which is
// glTF's own: right-handed, +Y up, metres; they look along -Z in both. Where meshes stand: tree.ts.

import type { Camera, Material, Mesh, Primitive } from '@gltf-transform/core';
import type { Light, MappingList } from '@gltf-transform/extensions';
import { type AttributeArray, isUvs, kindOf, SEMANTICS, type Semantic } from '../../geometry/mesh/attributes.ts';
import { inverse } from '../../scene/inverse.ts';
import { identity, multiply, rigidFrame } from '../../scene/matrix.ts';
import { partsOf } from '../../scene/quaternion.ts';
import type { Mat4, ParallelCamera, SceneCamera, SceneLight } from '../../scene/types.ts';
import { type FloatMesh, flippedUvs } from '../floatMesh.ts';
import type { PayloadMesh, Standing } from '../format.ts';
import type { GlbBuilder, Transform } from './builder.ts';
import { VARIANTS } from './layout.ts';
import type { MaterialWriter } from './materials.ts';
import { quantized } from './quantized.ts';
import { addTargets } from './targets.ts';
import { VariantWriter } from './variants.ts';

/** Candela of a watt per steradian, lux of a W/m2: the factor of KHR_lights_punctual's exporters, 540 THz. */
const LUMENS_PER_WATT = 683;

/** Indices of 16 bits count to here: 65535 would restart the primitive (glTF 2.0, 3.7.2.1). */
const MAX_SHORT_VERTICES = 65_535;

const VECTORS = { 2: 'VEC2', 3: 'VEC3', 4: 'VEC4' } as const;

/** The values of an attribute as glTF has them: V down, joints as whole numbers. */
function storedValues(semantic: Semantic, values: AttributeArray): Float32Array | Uint16Array | Uint8Array {
  if (isUvs(semantic)) return flippedUvs(values);
  return semantic === 'joints' ? Uint16Array.from(values) : values;
}

/** Meshes as the document has them. */
export class MeshWriter {
  readonly #builder: GlbBuilder;
  readonly #materials: MaterialWriter;
  readonly #isQuantized: boolean;
  readonly #variants: VariantWriter;
  /** By stored mesh, with what they are drawn with, also in variants. */
  readonly #meshes = new Map<FloatMesh, { material: Material; looks: MappingList | null; mesh: Mesh }[]>();

  constructor(builder: GlbBuilder, materials: MaterialWriter, isQuantized: boolean, variants: readonly string[] = []) {
    this.#isQuantized = isQuantized;
    this.#builder = builder;
    this.#materials = materials;
    this.#variants = new VariantWriter(builder.document, materials, variants);
  }

  /** The mesh of a payload, and what its nodes are called. */
  async add(payload: PayloadMesh<FloatMesh>): Promise<{ mesh: Mesh; name: string }> {
    const { naming, stored, surface, rig, variants = [] } = payload;
    const material = await this.#materials.add(surface);
    const name = 'tile' in naming ? `${naming.tile}_${naming.mesh ?? material.getName()}` : naming.entity;
    const looks = await this.#variants.mappings(variants);
    const mesh = this.#mesh(stored, material, looks, naming.mesh ?? name);
    if (rig?.morphs && stored.points) addTargets(mesh, stored, rig.morphs, this.#builder);
    return { mesh, name };
  }

  /** A mesh of one primitive; those of the same stored mesh share their accessors. */
  #mesh(stored: FloatMesh, material: Material, looks: MappingList | null, name: string): Mesh {
    const ofStored = this.#meshes.get(stored) ?? [];
    this.#meshes.set(stored, ofStored);
    const known = ofStored.find((one) => one.material === material && one.looks === looks);
    if (known) return known.mesh;
    const [other] = ofStored;
    const primitive = other ? other.mesh.listPrimitives()[0].clone() : this.#primitive(stored);
    primitive.setMaterial(material).setExtension(VARIANTS, looks);
    const mesh = this.#builder.document.createMesh(name).addPrimitive(primitive);
    ofStored.push({ material, looks, mesh });
    return mesh;
  }

  #primitive({ positions, attributes, indices, vertexCount }: FloatMesh): Primitive {
    const builder = this.#builder;
    const corners = vertexCount <= MAX_SHORT_VERTICES ? Uint16Array.from(indices) : indices;
    const primitive = builder.document.createPrimitive().setAttribute('POSITION', builder.accessor(positions, 'VEC3'));
    for (const semantic of SEMANTICS) {
      const values = attributes[semantic];
      const { gltf, components } = kindOf(semantic);
      if (!values || gltf === null) continue;
      const whole = { values: storedValues(semantic, values), isNormalized: values instanceof Uint8Array };
      const stored = (this.#isQuantized ? quantized(gltf, whole.values) : null) ?? whole;
      const accessor = builder.accessor(stored.values, VECTORS[components as keyof typeof VECTORS]);
      primitive.setAttribute(gltf, accessor.setNormalized(stored.isNormalized));
    }
    return primitive.setIndices(builder.accessor(corners, 'SCALAR'));
  }
}

/** Where a light or camera stands and where it looks. */
function frame(world: Mat4): Transform {
  const { translation, rotation } = partsOf(world);
  return { translation: translation.map(Math.fround), rotation: rotation.map(Math.fround) };
}

/** Metres, as a share of the distance from 0; and a cosine: what a matrix in float32 may be off. */
const SAME_PLACE = 1e-5;
const SAME_TURN = 1 - 1e-9;

/** The placed nodes, at which lights and cameras stand. */
export interface Places {
  /** By node of the scene, its place among the placed nodes. */
  readonly placeOf: ReadonlyMap<number, number>;
  /** By place, what is stored of the node from the root down; null: it has no transform. */
  readonly worlds: readonly (Mat4 | null)[];
}

/** Gives a light or camera to its node, or to one below that where the node looks elsewhere or has one; without a node, to a root. */
function stand(
  { name, world, node = -1 }: Standing<Pick<SceneLight, 'name' | 'world'>>,
  held: { readonly camera?: Camera; readonly light?: Light },
  fallback: string,
  { placeOf, worlds }: Places,
  builder: GlbBuilder,
): void {
  const parent = placeOf.get(node);
  const one = { mesh: null, skin: null, ...held };
  if (parent === undefined) {
    builder.place({ ...one, name: builder.name(name, fallback), transform: frame(world), parent: -1 });
    return;
  }
  const above = worlds[parent];
  const own = rigidFrame(above ?? identity());
  const [a, b] = [partsOf(own), partsOf(world)];
  const off = Math.hypot(...a.translation.map((value, k) => value - b.translation[k]));
  const turn = Math.abs(a.rotation.reduce((sum, value, k) => sum + value * b.rotation[k], 0));
  const isThere = off <= SAME_PLACE * Math.max(1, Math.hypot(...b.translation)) && turn >= SAME_TURN;
  if (isThere && builder.hold(parent, held)) return;
  const within = above === null ? world : multiply(inverse(above) as Mat4, world);
  builder.place({ ...one, name: builder.name(name, fallback), transform: frame(within), parent });
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** glTF's inner angle is less than the outer one, and that is at most a right angle. */
function coneOf(inner: number, outer: number): { readonly innerConeAngle: number; readonly outerConeAngle: number } {
  const outerConeAngle = Math.min(Math.max(radians(outer), 1e-3), Math.PI / 2);
  return { innerConeAngle: Math.min(Math.max(radians(inner), 0), outerConeAngle * 0.999), outerConeAngle };
}

/** Lights with their nodes. An area light becomes a spot that is as bright in front: by Lambert's law P / pi W/sr. */
export function addLights(lights: readonly Standing<SceneLight>[], places: Places, builder: GlbBuilder): void {
  for (const one of lights) {
    const { name, ownName = name, kind, color, intensity, range, cone } = one;
    const light = builder.light(ownName).setColor([...color]);
    if (range > 0 && kind !== 'directional') light.setRange(range);
    const lumens = intensity * LUMENS_PER_WATT;
    if (kind === 'directional') light.setType('directional').setIntensity(lumens);
    else if (kind === 'area') light.setType('spot').setIntensity(lumens / Math.PI);
    else light.setType(cone === null ? 'point' : kind).setIntensity(lumens / (4 * Math.PI));
    const { inner, outer } = kind === 'area' || cone === null ? { inner: 0, outer: 90 } : cone;
    const { innerConeAngle, outerConeAngle } = coneOf(inner, outer);
    light.setInnerConeAngle(innerConeAngle).setOuterConeAngle(outerConeAngle);
    stand(one, { light }, 'light', places, builder);
  }
}

/** Perspective cameras with their nodes. */
export function addCameras(cameras: readonly Standing<SceneCamera>[], places: Places, builder: GlbBuilder): void {
  for (const one of cameras) {
    const { name, ownName = name, fovY, near, far, aspectRatio, open = {} } = one;
    const camera = builder.document.createCamera(ownName).setType('perspective').setYFov(radians(fovY)).setZNear(near);
    if (!open.far) camera.setZFar(far);
    if (!open.aspectRatio) camera.setAspectRatio(aspectRatio);
    stand(one, { camera }, 'camera', places, builder);
  }
}

/** Orthographic cameras with their nodes. */
export function addParallelCameras(
  cameras: readonly Standing<ParallelCamera>[],
  places: Places,
  builder: GlbBuilder,
): void {
  for (const one of cameras) {
    const { name, ownName = name, halfWidth, halfHeight, near, far } = one;
    const camera = builder.document
      .createCamera(ownName)
      .setType('orthographic')
      .setXMag(halfWidth)
      .setYMag(halfHeight)
      .setZNear(near)
      .setZFar(far);
    stand(one, { camera }, 'camera', places, builder);
  }
}
