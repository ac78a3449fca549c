// Meshes, lights and cameras of a GLB. Lights and cameras stand at the root, in engine space, which is glTF's own:
// right-handed, +Y up, metres; they look along -Z in both. Where meshes stand: tree.ts.

import type { Material, Mesh, Primitive } from '@gltf-transform/core';
import { KHRLightsPunctual, type MappingList } from '@gltf-transform/extensions';
import { type AttributeArray, isUvs, kindOf, SEMANTICS, type Semantic } from '../../geometry/mesh/attributes.ts';
import { partsOf } from '../../scene/quaternion.ts';
import type { Mat4, SceneCamera, SceneLight } from '../../scene/types.ts';
import { type FloatMesh, flippedUvs } from '../floatMesh.ts';
import type { PayloadMesh } from '../format.ts';
import type { GlbBuilder, Transform } from './builder.ts';
import { LIGHTS, VARIANTS } from './layout.ts';
import type { MaterialWriter } from './materials.ts';
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
  readonly #variants: VariantWriter;
  /** By stored mesh, with what they are drawn with, also in variants. */
  readonly #meshes = new Map<FloatMesh, { material: Material; looks: MappingList | null; mesh: Mesh }[]>();

  constructor(builder: GlbBuilder, materials: MaterialWriter, variants: readonly string[] = []) {
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
      const accessor = builder.accessor(storedValues(semantic, values), VECTORS[components as keyof typeof VECTORS]);
      primitive.setAttribute(gltf, accessor.setNormalized(values instanceof Uint8Array));
    }
    return primitive.setIndices(builder.accessor(corners, 'SCALAR'));
  }
}

/** Where a light or camera stands and where it looks. */
function frame(world: Mat4): Transform {
  const { translation, rotation } = partsOf(world);
  return { translation: translation.map(Math.fround), rotation: rotation.map(Math.fround) };
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** glTF's inner angle is less than the outer one, and that is at most a right angle. */
function coneOf(inner: number, outer: number): { readonly innerConeAngle: number; readonly outerConeAngle: number } {
  const outerConeAngle = Math.min(Math.max(radians(outer), 1e-3), Math.PI / 2);
  return { innerConeAngle: Math.min(Math.max(radians(inner), 0), outerConeAngle * 0.999), outerConeAngle };
}

/** Lights with their nodes. An area light becomes a spot that is as bright in front: by Lambert's law P / pi W/sr. */
export function addLights(lights: readonly SceneLight[], builder: GlbBuilder): void {
  for (const { name, kind, world, color, intensity, range, cone } of lights) {
    const light = builder.document
      .createExtension(KHRLightsPunctual)
      .createLight(name)
      .setColor([...color]);
    if (range > 0 && kind !== 'directional') light.setRange(range);
    const lumens = intensity * LUMENS_PER_WATT;
    if (kind === 'directional') light.setType('directional').setIntensity(lumens);
    else if (kind === 'area') light.setType('spot').setIntensity(lumens / Math.PI);
    else light.setType(cone === null ? 'point' : kind).setIntensity(lumens / (4 * Math.PI));
    const { inner, outer } = kind === 'area' || cone === null ? { inner: 0, outer: 90 } : cone;
    const { innerConeAngle, outerConeAngle } = coneOf(inner, outer);
    light.setInnerConeAngle(innerConeAngle).setOuterConeAngle(outerConeAngle);
    builder.node(name || 'light', frame(world)).setExtension(LIGHTS, light);
  }
}

/** Cameras with their nodes. */
export function addCameras(cameras: readonly SceneCamera[], builder: GlbBuilder): void {
  for (const { name, world, fovY, near, far, aspectRatio } of cameras) {
    const camera = builder.document
      .createCamera(name)
      .setType('perspective')
      .setAspectRatio(aspectRatio)
      .setYFov(radians(fovY))
      .setZNear(near)
      .setZFar(far);
    builder.node(name || 'camera', frame(world)).setCamera(camera);
  }
}
