// Payloads of the set as objects that are drawn: one for each mesh of each entity. A payload is read when it is first asked
// for and stays until the last one who asked gives it back.

import { Box3, BufferAttribute, BufferGeometry, Group, type Material, Matrix4, Mesh, Vector4 } from 'three';
import { storedTexture } from '../../../formats/untold/materialRecord.ts';
import { NONE } from '../../../formats/untold/types.ts';
import { DRAWN_SLOTS, type FileSlot, isSrgbSlot } from '../../../scene/materialSlots.ts';
import { ReadFault, type Reading } from '../reading/client.ts';
import type { ReadGeometry, ReadPayload } from '../reading/protocol.ts';
import { type DrawnSurface, isSeenThrough, type SurfaceTextures } from './materials.ts';
import { Morphs } from './morphs.ts';
import { Rig } from './rig.ts';
import type { TextureStore } from './textures.ts';
import { materialOf, type ViewName } from './views.ts';

/** What a mesh that is drawn belongs to. */
export interface Drawn {
  readonly payload: LoadedPayload;
  /** Indices into the payload's lists. */
  readonly entity: number;
  readonly material: number;
  readonly name: string;
}

/** Read without the arrays, which are on the GPU. */
export type PayloadFacts = Omit<ReadPayload, 'geometries'>;

export interface LoadedPayload {
  readonly path: string;
  readonly facts: PayloadFacts;
  readonly group: Group;
  readonly bounds: Box3;
  /** By the index of the material. */
  readonly surfaces: readonly DrawnSurface[];
  readonly tint: { value: Vector4 };
  readonly reach: { value: number };
  /** Of its skeletons that move something. */
  readonly rigs: readonly Rig[];
  /** Of its meshes that have targets. */
  readonly morphs: readonly Morphs[];
}

function geometryOf({ positions, normals, tangents, uvs, indices }: ReadGeometry): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.setAttribute('tangent', new BufferAttribute(tangents, 4));
  geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
  geometry.setIndex(new BufferAttribute(indices, 1));
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
  return geometry;
}

class Payload implements LoadedPayload {
  readonly path: string;
  readonly facts: PayloadFacts;
  readonly group = new Group();
  readonly bounds = new Box3();
  readonly surfaces: readonly DrawnSurface[];
  readonly tint = { value: new Vector4(1, 1, 1, 0) };
  readonly reach = { value: 0 };
  readonly rigs: readonly Rig[];
  readonly morphs: readonly Morphs[];
  readonly #store: TextureStore;
  readonly #geometries: BufferGeometry[];
  readonly #textures: { -readonly [S in keyof SurfaceTextures]: SurfaceTextures[S] }[];
  readonly #materials = new Map<string, Material>();
  #view: ViewName = 'lit';
  #isGone = false;

  constructor(path: string, { geometries, ...facts }: ReadPayload, store: TextureStore, onTexture: () => void) {
    this.path = path;
    this.facts = facts;
    this.#store = store;
    this.#textures = facts.materials.map(() => ({}));
    this.surfaces = facts.materials.map((material, i) => ({
      material,
      formatVersion: facts.formatVersion,
      textures: this.#textures[i],
      tint: this.tint,
      reach: this.reach,
    }));
    this.#geometries = geometries.map(geometryOf);
    const rigs = new Map<number, Rig>();
    this.morphs = facts.meshes.flatMap(({ geometry, morphs }) =>
      morphs.length > 0 ? [new Morphs(this.#geometries[geometry], morphs)] : [],
    );
    for (const { entity, geometry, material, name, skin } of facts.meshes) {
      const world = new Matrix4().fromArray(facts.entities[entity].world);
      let mesh: Mesh = new Mesh(this.#geometries[geometry], this.#materialAt(material));
      if (skin) {
        const rig = rigs.get(skin.skeleton) ?? new Rig(facts.skeletons[skin.skeleton], world);
        rigs.set(skin.skeleton, rig);
        mesh = rig.skinned(mesh, skin);
        this.#geometries.push(mesh.geometry);
      }
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(world);
      mesh.castShadow = !isSeenThrough(facts.materials[material]);
      mesh.receiveShadow = true;
      mesh.name = facts.entities[entity].name;
      mesh.userData = { payload: this, entity, material, name } satisfies Drawn;
      this.group.add(mesh);
    }
    this.rigs = [...rigs.values()];
    this.group.updateMatrixWorld(true);
    this.bounds.setFromObject(this.group);
    this.#takeTextures(onTexture);
  }

  #uses(): { material: number; slots: { slot: FileSlot; uri: string }[] }[] {
    const { materials, textures } = this.facts;
    const used = new Set(this.facts.meshes.map(({ material }) => material));
    return [...used].map((material) => ({
      material,
      slots: DRAWN_SLOTS.flatMap((slot) => {
        const index = storedTexture(materials[material], slot);
        return index === NONE ? [] : [{ slot, uri: textures[index].uri }];
      }),
    }));
  }

  /** Each material is drawn anew when all of its textures are there: with some of them it would need shaders of its own. */
  #takeTextures(onTexture: () => void): void {
    for (const { material, slots } of this.#uses()) {
      const taken = slots.map(async ({ slot, uri }) => {
        const texture = await this.#store.take(uri, this.path, isSrgbSlot(slot));
        if (!this.#isGone && texture !== null) this.#textures[material][slot] = texture;
      });
      void Promise.all(taken).then(() => {
        if (this.#isGone || Object.keys(this.#textures[material]).length === 0) return;
        for (const [key, made] of this.#materials) {
          if (!key.startsWith(`${material} `)) continue;
          this.#materials.delete(key);
          made.dispose();
        }
        this.#apply();
        onTexture();
      });
    }
  }

  #materialAt(index: number): Material {
    const key = `${index} ${this.#view}`;
    const known = this.#materials.get(key) ?? materialOf(this.surfaces[index], this.#view);
    this.#materials.set(key, known);
    return known;
  }

  #apply(): void {
    for (const mesh of this.group.children as Mesh[])
      mesh.material = this.#materialAt((mesh.userData as Drawn).material);
  }

  set view(view: ViewName) {
    if (view === this.#view) return;
    this.#view = view;
    this.#apply();
  }

  dispose(): void {
    this.#isGone = true;
    for (const { slot, uri } of this.#uses().flatMap(({ slots }) => slots)) {
      this.#store.release(uri, this.path, isSrgbSlot(slot));
    }
    for (const material of this.#materials.values()) material.dispose();
    for (const geometry of this.#geometries) geometry.dispose();
    for (const rig of this.rigs) rig.dispose();
    this.group.removeFromParent();
  }
}

interface Entry {
  users: number;
  readonly loading: Promise<Payload | null>;
  loaded: Payload | null;
}

export class PayloadStore {
  readonly #reading: Reading;
  readonly #textures: TextureStore;
  readonly #entries = new Map<string, Entry>();
  readonly #onChange: () => void;
  readonly #onFault: (fault: ReadFault) => void;
  #view: ViewName = 'lit';
  #unreadable = 0;

  constructor(reading: Reading, textures: TextureStore, onChange: () => void, onFault: (fault: ReadFault) => void) {
    this.#reading = reading;
    this.#textures = textures;
    this.#onChange = onChange;
    this.#onFault = onFault;
  }

  /** A payload for one more user; null if it cannot be read. */
  async take(path: string): Promise<LoadedPayload | null> {
    let entry = this.#entries.get(path);
    if (!entry) {
      const made: Entry = { users: 0, loading: this.#load(path, () => made.users > 0), loaded: null };
      entry = made;
      this.#entries.set(path, entry);
    }
    entry.users++;
    const payload = await entry.loading;
    if (this.#entries.get(path) === entry) {
      entry.loaded = payload;
      if (payload) payload.view = this.#view;
    }
    return payload;
  }

  /** One user less. */
  release(path: string): void {
    const entry = this.#entries.get(path);
    if (!entry || --entry.users > 0) return;
    this.#entries.delete(path);
    void entry.loading.then((payload) => payload?.dispose());
  }

  async #load(path: string, isWanted: () => boolean): Promise<Payload | null> {
    try {
      const read = await this.#reading.payload(path, isWanted);
      return new Payload(path, read, this.#textures, this.#onChange);
    } catch (error) {
      if (!(error instanceof ReadFault)) throw error;
      // Nobody wants what does not come: it is no message.
      if (error.status !== null && !isWanted()) return null;
      this.#unreadable++;
      this.#onFault(error);
      return null;
    }
  }

  /** How many files have come that could not be read. */
  get unreadable(): number {
    return this.#unreadable;
  }

  set view(view: ViewName) {
    this.#view = view;
    for (const { loaded } of this.#entries.values()) if (loaded) loaded.view = view;
  }

  get loaded(): readonly LoadedPayload[] {
    return [...this.#entries.values()].flatMap(({ loaded }) => (loaded ? [loaded] : []));
  }

  get gpuBytes(): number {
    return this.loaded.reduce((sum, { facts }) => sum + facts.gpuBytes, 0);
  }
}
