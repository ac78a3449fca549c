// Models as meshes of a Scene: each file is read once, and each choice of materials is one mesh. A model that bones move is a
// mesh of its own wherever it stands, with a skeleton and a skin there.

import { basename, extname } from 'node:path';
import { type Model, PRIMITIVES, TRIANGLE_LIST } from '../../formats/urho3d/model/layout.ts';
import { readModel } from '../../formats/urho3d/model/read.ts';
import type { Mat4, Scene, SceneMesh } from '../../scene/types.ts';
import { type Content, wholeOf } from '../content.ts';
import type { ImportContext } from '../importer.ts';
import { Geometries, type Motion } from './geometries.ts';
import type { Materials, StatedMaterials } from './modelMaterials.ts';
import { type BoneRig, skeletonOf } from './skeleton.ts';

/** A file that is read. */
export interface LoadedModel {
  readonly path: string;
  /** Without folder and extension. */
  readonly name: string;
  readonly model: Model;
  readonly geometries: Geometries;
  /** Whether bones move vertices of it. */
  readonly isMoved: boolean;
}

/** How a model stands somewhere. */
interface Use {
  /** In the Scene, for messages; '' for the model as a source. */
  readonly place: string;
  readonly stated: StatedMaterials | null;
  /** By morph, of a model that moves; absent: all are 0. */
  readonly weights?: readonly number[];
}

const count = (number: number, one: string): string => (number === 1 ? `1 ${one}` : `${number} ${one}s`);

export class Models {
  readonly #meshes: SceneMesh[] = [];
  readonly rigs: BoneRig[] = [];
  readonly #context: Pick<ImportContext, 'diagnostics' | 'options'>;
  readonly #materials: Materials;
  readonly #loaded = new Map<string, LoadedModel>();
  /** By model, materials and motion. */
  readonly #shared = new Map<string, number>();
  /** Lists of materials that are equal have one number: a long one may be used many times. */
  readonly #lists = new Map<string, number>();
  readonly #listNumbers = new WeakMap<readonly (string | null)[], number>();

  constructor(context: Pick<ImportContext, 'diagnostics' | 'options'>, materials: Materials) {
    this.#context = context;
    this.#materials = materials;
  }

  /** `open` is asked for a path once. Throws what reading the model throws. */
  load(path: string, open: () => Content): LoadedModel {
    const known = this.#loaded.get(path);
    if (known) return known;
    const model = readModel(wholeOf(open(), path), path);
    const isMoved = model.bones.length > 0 && hasWeights(model);
    const name = basename(path, extname(path));
    const loaded = { path, name, model, geometries: new Geometries(model), isMoved };
    this.#loaded.set(path, loaded);
    this.#reportLeftOut(loaded);
    return loaded;
  }

  /** The mesh of a model that nothing moves; -1 for one without triangles. */
  still(loaded: LoadedModel, { place, stated }: Use): number {
    return this.#mesh(loaded, { place, stated }, null);
  }

  /** The mesh of a model whose morphs have weights, and that no bone moves. */
  posed(loaded: LoadedModel, use: Use): number {
    return this.#mesh(loaded, use, { weights: use.weights ?? [], skin: null });
  }

  /**
   * The mesh of a model that its bones and morphs move, and the rig that moves it where the cook keeps rigs. `world`: of the
   * node. Throws UC2456; reports UC2452 and UC2453 where rigs are not kept.
   */
  moved(loaded: LoadedModel, use: Use, world: Mat4): { readonly mesh: number; readonly rig: BoneRig | null } {
    const { path, name, model, isMoved } = loaded;
    const { diagnostics, options } = this.#context;
    if (!options.keepsRigs) {
      if (isMoved) diagnostics.report('UC2453', path, 'bones', `${count(model.bones.length, 'bone')} left out`);
      if (model.morphs.length > 0)
        diagnostics.report('UC2452', path, 'morphs', `${count(model.morphs.length, 'morph')} left out`);
    }
    const { weights = [] } = use;
    if (!options.keepsRigs || !isMoved) return { mesh: this.posed(loaded, use), rig: null };
    const place = use.place === '' ? 'bones' : `${use.place}/bones`;
    const rig = skeletonOf(model.bones, { name, path: place, world, skeleton: this.rigs.length }, path);
    this.rigs.push(rig);
    const skin = { number: this.rigs.length - 1, joints: rig.numberOf };
    return { mesh: this.#mesh(loaded, use, { weights, skin }), rig };
  }

  /** What of a Scene the models are: no skeletons and skins where nothing moves. */
  parts(): Pick<Scene, 'meshes' | 'skeletons' | 'skins'> {
    const { rigs } = this;
    const meshes = this.#meshes;
    if (rigs.length === 0) return { meshes };
    return { meshes, skeletons: rigs.map(({ skeleton }) => skeleton), skins: rigs.map(({ skin }) => skin) };
  }

  #mesh(loaded: LoadedModel, { place, stated }: Use, motion: Motion | null): number {
    const { path, name, model, geometries } = loaded;
    const isShared = motion === null || motion.skin === null;
    const key = JSON.stringify([path, this.#listNumber(stated), motion?.weights ?? null]);
    const known = isShared ? this.#shared.get(key) : undefined;
    if (known !== undefined) return known;
    const materials = this.#materials.ofModel(path, model.geometries.length, stated);
    const primitives = model.geometries.flatMap(({ levels: [{ primitive }] }, i) =>
      primitive === TRIANGLE_LIST ? [geometries.primitive(i, materials[i], motion)] : [],
    );
    const ownPath = place === '' ? 'model' : isShared ? `models/${this.#meshes.length}` : `${place}/model`;
    const index = primitives.length === 0 ? -1 : this.#meshes.push({ name, path: ownPath, primitives }) - 1;
    if (isShared) this.#shared.set(key, index);
    return index;
  }

  #listNumber(stated: StatedMaterials | null): number {
    if (stated === null) return -1;
    let number = this.#listNumbers.get(stated.names);
    if (number === undefined) {
      const key = JSON.stringify(stated.names);
      number = this.#lists.get(key) ?? this.#lists.size;
      this.#lists.set(key, number);
      this.#listNumbers.set(stated.names, number);
    }
    return number;
  }

  /** What of a model has no place in a Scene: once a kind. */
  #reportLeftOut({ path, model: { geometries }, geometries: read }: LoadedModel): void {
    const { diagnostics } = this.#context;
    const levels = geometries.reduce((sum, { levels }) => sum + levels.length - 1, 0);
    if (levels > 0) diagnostics.report('UC2450', path, 'geometries', `${count(levels, 'level')} left out`);
    const others = geometries.map(({ levels: [{ primitive }] }) => primitive).filter((kind) => kind !== TRIANGLE_LIST);
    if (others.length > 0) {
      const kinds = [...new Set(others)].map((kind) => PRIMITIVES[kind] ?? `primitive ${kind}`).join(', ');
      diagnostics.report('UC2451', path, 'geometries', `${others.length} of ${geometries.length}: ${kinds}`);
    }
    const remade = geometries.filter(
      ({ levels: [{ primitive }] }, i) => primitive === TRIANGLE_LIST && read.hasLostNormals(i),
    ).length;
    if (remade > 0)
      diagnostics.report('UC2454', path, 'geometries', `those of ${count(remade, 'geometry')} are made anew`);
  }
}

/** Whether bones can move anything: those without weights only carry other things. */
const hasWeights = ({ geometries, vertexBuffers }: Model): boolean =>
  geometries.some(({ levels: [{ vertexBuffer }] }) =>
    ['blendWeights', 'blendIndices'].every((wanted) =>
      vertexBuffers[vertexBuffer].elements.some(({ semantic }) => semantic === wanted),
    ),
  );
