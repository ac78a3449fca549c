// The Scene of one or more cooked files: nodes, meshes that several entities share, materials, and skins.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { deltasOf, morphsByMesh } from '../../formats/untold/storedMorphs.ts';
import {
  NONE,
  type UntoldCamera,
  type UntoldLight,
  type UntoldMesh,
  type UntoldMorph,
  type UntoldScene,
} from '../../formats/untold/types.ts';
import { worldTransforms } from '../../formats/untold/worldTransforms.ts';
import { identity, multiply, rigidFrame } from '../../scene/matrix.ts';
import type {
  Mat4,
  PrimitiveMorphs,
  Scene,
  SceneCamera,
  SceneClip,
  SceneLight,
  SceneMaterial,
  SceneMesh,
  SceneNode,
  ScenePrimitive,
  SceneSkeleton,
  SceneSkin,
} from '../../scene/types.ts';
import type { SourceFiles } from '../files.ts';
import { sortedDeltas } from '../morphDeltas.ts';
import { morphNames } from '../morphNames.ts';
import { polygonsOf } from './geometry.ts';
import { Images, materialOf } from './materials.ts';

/** The exporter's least radius of a light: it stands for none. */
const MIN_LENGTH = 0.001;

const kindName = (path: string, kind: string, index: number): string => `${path}${kind}/${index}`;

/** What a file has given to the Scene, for each place that it is drawn at. */
interface ModelParts {
  /** By material record. */
  readonly materials: readonly number[];
  /** By mesh record its skin, and the record of its influences. */
  readonly skins: ReadonlyMap<number, { skin: number; record: number }>;
  /** By mesh record its targets. */
  readonly morphs: ReadonlyMap<number, readonly UntoldMorph[]>;
  /** Meshes by what they hold: entities and places of a model share them. */
  readonly shared: Map<string, number>;
  /** The node that entities without a parent hang below; -1: none. */
  readonly parent: number;
}

/** A model of a pack. */
export interface AddedModel {
  /** Draws it once more. `path`: of its root, unique. */
  place(displayName: string, path: string, transform: Mat4): void;
}

/** The targets of a mesh; files do not say which weights its vertices stand for. */
function morphsOf(morphs: readonly UntoldMorph[]): PrimitiveMorphs {
  const given = morphs.map(({ name }) => name);
  const names = morphNames(given, given.length);
  return {
    targets: morphs.map(({ drivers }, i) => ({
      name: names[i],
      weight: 0,
      ...(drivers.length > 0 ? { drivers } : {}),
    })),
    read: async () => morphs.map((morph) => sortedDeltas(deltasOf(morph))),
  };
}

export class SceneParts {
  readonly clips: SceneClip[] = [];
  readonly skeletons: SceneSkeleton[] = [];
  readonly #source: string;
  readonly #keepsRigs: boolean;
  readonly #images: Images;
  readonly #nodes: SceneNode[] = [];
  readonly #meshes: SceneMesh[] = [];
  readonly #materials: SceneMaterial[] = [];
  readonly #skins: SceneSkin[] = [];
  readonly #lights: SceneLight[] = [];
  readonly #cameras: SceneCamera[] = [];
  /** Tiles of a set share materials: by all that they hold. */
  readonly #known = new Map<string, number>();
  #still = 0;

  constructor(source: string, files: SourceFiles, keepsRigs: boolean) {
    this.#source = source;
    this.#keepsRigs = keepsRigs;
    this.#images = new Images(files);
  }

  /** Adds what a file holds besides lights and cameras. `tile`: its name in a set; '' for a file alone. */
  add(content: UntoldScene, root: Mat4, file: string, tile = ''): void {
    const prefix = tile === '' ? '' : `${tile}/`;
    this.#addNodes(content, root, prefix, this.#partsOf(content, file, prefix));
  }

  /** Adds the materials of a model of a pack, which is drawn wherever it is placed. `name`: unique among the models. */
  addModel(content: UntoldScene, rootTransform: Mat4, file: string, name: string): AddedModel {
    const prefix = `${name}/`;
    const parts = this.#partsOf(content, file, prefix);
    return {
      place: (displayName, path, transform) => {
        const parent = this.#nodes.length;
        this.#nodes.push({ name: displayName, path, parent: -1, local: transform, world: transform, mesh: -1 });
        this.#addNodes(content, multiply(transform, rootTransform), `${path}/`, { ...parts, parent });
      },
    };
  }

  #partsOf(content: UntoldScene, file: string, prefix: string): ModelParts {
    const materials = content.materials.map((material, i) => {
      const read = materialOf(material, content.textures, this.#images, file, kindName(prefix, 'materials', i));
      const { path: _, ...facts } = read;
      const key = JSON.stringify(facts);
      const known = this.#known.get(key) ?? this.#materials.length;
      if (known === this.#materials.length) this.#materials.push(read);
      this.#known.set(key, known);
      return known;
    });
    const skins = this.#addSkins(content, prefix);
    return { materials, skins, morphs: morphsByMesh(content.morphs), shared: new Map(), parent: -1 };
  }

  /** By mesh record its skin, and the record of its influences. */
  #addSkins(
    { skeletons = [], skins = [] }: UntoldScene,
    prefix: string,
  ): ReadonlyMap<number, { skin: number; record: number }> {
    const ofMesh = new Map<number, { skin: number; record: number }>();
    if (!this.#keepsRigs) {
      this.#still += skins.length;
      return ofMesh;
    }
    const first = this.skeletons.length;
    const byEntity = new Map(skeletons.map(({ entity }, i) => [entity, i]));
    for (const [i, { name, joints }] of skeletons.entries()) {
      this.skeletons.push({
        name,
        path: kindName(prefix, 'skeletons', i),
        root: identity(),
        joints: joints.map(({ parent, path, rest }) => ({
          name: path.slice(path.lastIndexOf('/') + 1),
          path,
          parent: parent === NONE ? -1 : parent,
          rest,
        })),
      });
    }
    for (const [i, { mesh, skeletonEntity, joints }] of skins.entries()) {
      const skeleton = byEntity.get(skeletonEntity);
      if (skeleton === undefined) continue;
      const bind = new Float64Array(joints.length * 16);
      for (const [j, joint] of joints.entries()) bind.set(skeletons[skeleton].joints[joint].bind, j * 16);
      ofMesh.set(mesh, { skin: this.#skins.length, record: i });
      this.#skins.push({
        path: kindName(prefix, 'skins', i),
        skeleton: first + skeleton,
        joints,
        bind,
        meshBind: identity(),
        // Vertices are stored in the bind pose, in engine space.
        bindSpace: identity(),
      });
    }
    return ofMesh;
  }

  #addNodes(content: UntoldScene, root: Mat4, prefix: string, parts: ModelParts): void {
    const { skins, morphs, shared, parent: above } = parts;
    const { entities, meshes } = content;
    const worlds = worldTransforms(entities, root);
    const byId = new Map(entities.map(({ id }, i) => [id, i]));
    const placed = new Map<number, number>();
    const arrays = new Map<unknown, number>();
    const numberOf = (array: unknown): number => {
      const known = arrays.get(array) ?? arrays.size;
      arrays.set(array, known);
      return known;
    };
    const place = (i: number): number => {
      const known = placed.get(i);
      if (known !== undefined) return known;
      const { parent, name, localTransform, firstMesh, meshCount } = entities[i];
      // The reader has refused cycles.
      const entity = parent === NONE ? undefined : byId.get(parent);
      const parentNode = entity === undefined ? above : place(entity);
      const records = meshes.slice(firstMesh, firstMesh + meshCount);
      const key = records
        .map(
          (mesh, k) =>
            `${numberOf(mesh.vertices)} ${numberOf(mesh.indices)} ${mesh.material} ${skins.has(firstMesh + k) || morphs.has(firstMesh + k) ? firstMesh + k : ''}`,
        )
        .join('|');
      let mesh = records.length === 0 ? -1 : shared.get(key);
      if (mesh === undefined) {
        mesh = this.#meshes.length;
        this.#meshes.push({
          name: records[0].name,
          path: kindName(prefix, 'meshes', firstMesh),
          primitives: records.map((record, k) => this.#primitive(record, firstMesh + k, content, prefix, parts)),
        });
        shared.set(key, mesh);
      }
      placed.set(i, this.#nodes.length);
      this.#nodes.push({
        name,
        path: kindName(prefix, 'entities', i),
        parent: parentNode,
        local: localTransform,
        world: worlds[i],
        mesh,
      });
      return this.#nodes.length - 1;
    };
    for (const i of entities.keys()) place(i);
  }

  #primitive(
    mesh: UntoldMesh,
    index: number,
    { skins = [] }: UntoldScene,
    prefix: string,
    parts: ModelParts,
  ): ScenePrimitive {
    const skin = parts.skins.get(index);
    const influences = skin && skins[skin.record];
    const own = parts.morphs.get(index);
    return {
      path: kindName(prefix, 'meshes', index),
      type: 'Mesh',
      vertexCount: mesh.vertexCount,
      storedVertexCount: mesh.vertexCount,
      triangleCount: mesh.indices.length / 3,
      bounds: mesh.localBounds,
      material: mesh.material === NONE ? -1 : parts.materials[mesh.material],
      subsets: [],
      read: async () => polygonsOf(mesh, null),
      ...(skin && influences ? { bound: { skin: skin.skin, read: async () => polygonsOf(mesh, influences) } } : {}),
      ...(own ? { morphs: morphsOf(own) } : {}),
    };
  }

  addLights(lights: readonly UntoldLight[], cameras: readonly UntoldCamera[]): void {
    for (const [i, light] of lights.entries()) {
      const { name, type, color, intensity, sourcePower, sourceExposure, radius, castsShadow, areaSize } = light;
      this.#lights.push({
        name,
        path: `lights/${i}`,
        kind: type,
        world: rigidFrame(light.localTransform),
        color,
        intensity,
        sourcePower,
        sourceExposure,
        radius: radius > MIN_LENGTH && type !== 'directional' ? radius : 0,
        range: light.customDistance ? light.falloff : 0,
        cone: type === 'spot' ? { inner: light.innerCone, outer: light.outerCone } : null,
        areaSize: type === 'area' ? areaSize : null,
        castsShadow,
      });
    }
    for (const [i, { name, fovYDegrees, nearClip, farClip, aspectRatio, localTransform }] of cameras.entries()) {
      // Its third column is where the camera looks; in the Scene that is -Z.
      const world = Float64Array.from(localTransform);
      for (let k = 8; k < 11; k++) world[k] = -world[k];
      this.#cameras.push({
        name,
        path: `cameras/${i}`,
        world: rigidFrame(world),
        fovY: fovYDegrees,
        near: nearClip,
        far: farClip,
        aspectRatio,
      });
    }
  }

  /** UC2400, once. */
  report(diagnostics: Diagnostics): void {
    if (this.#still > 0) {
      const meshes = this.#still === 1 ? '1 mesh' : `${this.#still} meshes`;
      diagnostics.report('UC2400', this.#source, '', `${meshes} of a skeleton in the bind pose`);
    }
  }

  scene(): Scene {
    const list = <T>(name: string, all: readonly T[]) => (all.length > 0 ? { [name]: all } : {});
    return {
      source: this.#source,
      kind: 'untold',
      upAxis: 'Y',
      metersPerUnit: 1,
      nodes: this.#nodes,
      meshes: this.#meshes,
      materials: this.#materials,
      images: this.#images.list,
      ...list('lights', this.#lights),
      ...list('cameras', this.#cameras),
      ...list('skeletons', this.skeletons),
      ...list('skins', this.#skins),
      ...list('clips', this.clips),
    };
  }
}
