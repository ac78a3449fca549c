// The skeletons, skins and clips of a Scene, and which of its meshes they move.

import type { Mat4, SceneClip, SceneMesh, ScenePrimitive, SceneSkeleton, SceneSkin } from '../../../scene/types.ts';
import type { Stage, StagePrim } from '../compose/stage/stage.ts';
import { counted, type Notes } from '../notes.ts';
import { Origins } from '../origins.ts';
import { type Animation, readAnimation } from './animation.ts';
import { type Binding, Bindings, type SkeletonEntry } from './bindings.ts';
import { Budget, MAX_CHANNELS, MAX_KEYS } from './budget.ts';
import { readInfluences } from './influences.ts';
import { animationSource } from './inherited.ts';
import { readable } from './readable.ts';
import { inSourceOrder } from './sourceOrder.ts';

/** A mesh of the Scene that a skeleton moves. */
interface BoundMesh {
  readonly binding: Binding;
  readonly prim: StagePrim;
  readonly primitive: ScenePrimitive;
  /** No skeleton moves all its occurrences. */
  isAmbiguous: boolean;
}

/** What a Scene has of skeletons. A list without entries is absent. */
interface Finished {
  readonly skeletons?: readonly SceneSkeleton[];
  readonly skins?: readonly SceneSkin[];
  readonly clips?: readonly SceneClip[];
}

export class Skeletons {
  readonly #stage: Stage;
  readonly #notes: Notes;
  readonly #bindings: Bindings;
  readonly #meshes = new Map<number, BoundMesh>();
  /** Meshes with influences that do not fit, or without points. */
  readonly #refused = new Set<number>();
  readonly #seen: StagePrim[] = [];
  readonly #occurrences = new Map<object, number>();
  readonly #origins = new Origins();
  readonly #animations = new Map<string, Animation | null>();
  readonly #keys = new Budget(MAX_KEYS);
  readonly #channels = new Budget(MAX_CHANNELS);
  /** Whether skeletons are asked for. */
  readonly areAsked: boolean;

  /**
   * `root`: the space of the stage to engine space. `silent` takes reports that the walk of the stage makes. If skeletons
   * are not `asked` for, there are none.
   */
  constructor(stage: Stage, root: Mat4, notes: Notes, silent: Notes, asked: boolean) {
    this.areAsked = asked;
    this.#stage = stage;
    this.#notes = notes;
    this.#bindings = new Bindings(stage, root, this.#origins, notes, silent);
  }

  /** Notes a Skeleton that the walk of the stage comes to: the Scene has its clip, even if it moves no mesh. */
  see(prim: StagePrim): void {
    const { prototype } = prim;
    if (this.areAsked) this.#seen.push(prim);
    if (prototype) this.#occurrences.set(prototype, (this.#occurrences.get(prototype) ?? 0) + 1);
  }

  /** How a shape is bound; null: not at all. Broken bindings are reported. */
  bindingOf(prim: StagePrim): Binding | null {
    return this.areAsked ? this.#bindings.of(prim) : null;
  }

  /** Notes a new mesh of the Scene, which is made of `prim`. Reports influences that do not fit. */
  add(mesh: number, prim: StagePrim, primitive: ScenePrimitive, binding: Binding | null): void {
    if (binding === null) return;
    if (primitive.vertexCount === 0) {
      this.#refused.add(mesh);
      return;
    }
    const { influences, skin } = binding;
    const checked = readable(() => readInfluences(influences, primitive.vertexCount, skin.joints.length));
    if (typeof checked === 'string') {
      this.#notes.report('UC1846', prim.path, `the skinning is left out: ${checked}`);
      this.#refused.add(mesh);
      return;
    }
    this.#meshes.set(mesh, { binding, prim, primitive, isAmbiguous: false });
  }

  /** Notes that a mesh is drawn once more, for the shape `prim` with this binding. */
  share(mesh: number, prim: StagePrim, binding: Binding | null): void {
    const known = this.#meshes.get(mesh);
    if (known) known.isAmbiguous ||= known.binding.key !== binding?.key;
    else if (binding && !this.#refused.has(mesh)) this.#noteAmbiguous(prim);
  }

  /** Notes that an instancer draws a mesh. Its instances have no skeletons of their own. */
  instance(mesh: number): void {
    const known = this.#meshes.get(mesh);
    if (known) known.isAmbiguous = true;
  }

  #noteAmbiguous({ path }: StagePrim): void {
    const describe = (n: number) =>
      `no skinning for ${counted(n, 'mesh', 'meshes')} that instances share with different skeletons`;
    this.#notes.count('UC1858', '', path, describe);
  }

  /** The lists of the Scene. Sets `bound` of the meshes that skeletons move. Calls `visit` for each Skeleton that is used. */
  finish(meshes: SceneMesh[], visit: (prim: StagePrim) => void): Finished {
    const bound = [...this.#meshes].filter(([, { isAmbiguous, prim }]) => {
      if (!isAmbiguous) return true;
      this.#noteAmbiguous(prim);
      return false;
    });
    const entries = new Map(bound.map(([, { binding }]) => [binding.skeleton.prim.path, binding.skeleton]));
    const animations = this.#animationsOf(entries);
    const prims = inSourceOrder(
      [...entries.values()].map(({ prim }) => prim),
      this.#stage,
    );
    const indices = new Map(prims.map(({ path }, i) => [path, i]));
    prims.forEach(visit);
    const skeletons = prims.map(({ name, path }): SceneSkeleton => {
      const { joints, root } = entries.get(path) as SkeletonEntry;
      return { name, path, joints, root };
    });
    const skins: SceneSkin[] = [];
    const skinIndices = new Map<string, number>();
    for (const [mesh, { binding, prim, primitive }] of bound) {
      const { skinKey, skin, skeleton } = binding;
      let index = skinIndices.get(skinKey);
      if (index === undefined) {
        index = skins.length;
        skinIndices.set(skinKey, index);
        const place = { skeleton: indices.get(skeleton.prim.path) ?? -1, bindSpace: skeleton.root };
        skins.push({ path: prim.path, ...place, ...skin });
      }
      meshes[mesh] = { ...meshes[mesh], primitives: [boundPrimitive(primitive, index, binding, prim)] };
    }
    const clips = prims.flatMap(({ path }, index) => {
      const animation = animations.get(path);
      const entry = entries.get(path);
      return animation && entry ? clipOf(animation, entry, index) : [];
    });
    return {
      ...(skeletons.length > 0 && { skeletons }),
      ...(skins.length > 0 && { skins }),
      ...(clips.length > 0 && { clips }),
    };
  }

  /**
   * The animations by the paths of their skeletons: those of `entries`, and those that the walk has seen and that move
   * no mesh, which are added to `entries`.
   */
  #animationsOf(entries: Map<string, SkeletonEntry>): Map<string, Animated> {
    const candidates = new Map([...entries.values()].map(({ prim }) => [prim.path, prim]));
    for (const prim of this.#seen) {
      // Equal instances have one skeleton each; without a mesh their clips would only repeat each other.
      const isRepeated = prim.prototype !== null && (this.#occurrences.get(prim.prototype) ?? 0) > 1;
      if (!isRepeated) candidates.set(prim.path, prim);
    }
    const found = new Map<string, Animated>();
    for (const prim of candidates.values()) {
      const animated = this.#animationOf(prim);
      const entry = animated && this.#bindings.skeleton(prim);
      if (!entry) continue;
      if (![...animated.animation.curves.keys()].some((path) => entry.order.byPath.has(path))) {
        this.#notes.report('UC1848', animated.prim.path, `it has no values for joints of the skeleton <${prim.path}>`);
        continue;
      }
      if (!this.#channels.take(entry.joints.length)) {
        this.#notes.report('UC1848', animated.prim.path, `no clip for <${prim.path}>: the stage has too many channels`);
        continue;
      }
      entries.set(prim.path, entry);
      found.set(prim.path, animated);
    }
    return found;
  }

  /** The animation of a Skeleton; null if there is none that moves joints. */
  #animationOf(skeleton: StagePrim): Animated | null {
    const path = animationSource(skeleton);
    if (path === null) return null;
    const prim = this.#stage.prim(path);
    if (prim?.typeName !== 'SkelAnimation') {
      this.#notes.report('UC1848', skeleton.path, `its animation <${path}> is no active SkelAnimation`);
      return null;
    }
    const key = this.#origins.of(prim) ?? prim.path;
    let animation = this.#animations.get(key);
    if (animation === undefined) {
      animation = this.#read(prim);
      this.#animations.set(key, animation);
    }
    return animation && { prim, animation };
  }

  #read(prim: StagePrim): Animation | null {
    const animation = readable(() => readAnimation(prim, this.#stage.timeCodesPerSecond, this.#keys));
    if (typeof animation === 'string') {
      this.#notes.report('UC1848', prim.path, `the animation is left out: ${animation}`);
      return null;
    }
    for (const fault of animation?.faults ?? []) this.#notes.report('UC1848', prim.path, `left out: ${fault}`);
    return animation === null || (animation.curves.size === 0 && animation.faults.length > 0) ? null : animation;
  }
}

interface Animated {
  readonly prim: StagePrim;
  readonly animation: Animation;
}

function boundPrimitive(primitive: ScenePrimitive, skin: number, binding: Binding, prim: StagePrim): ScenePrimitive {
  const read = async () => {
    const mesh = await primitive.read();
    const skinning = readInfluences(binding.influences, mesh.points.length / 3, binding.skin.joints.length);
    // The same bytes gave sound influences before: files that change are refused when they are read.
    if (typeof skinning === 'string') throw new Error(`${prim.path} changed while it was cooked: ${skinning}`);
    return { ...mesh, skinning };
  };
  return { ...primitive, bound: { skin, read } };
}

/** The clip of an animation for the skeleton with the index `skeleton`. */
function clipOf({ prim, animation }: Animated, { order }: SkeletonEntry, skeleton: number): SceneClip {
  const channels = order.paths.flatMap((path, joint) => {
    const curves = animation.curves.get(path);
    return curves ? { target: { kind: 'joint' as const, skeleton, joint }, ...curves } : [];
  });
  return { name: prim.name, path: prim.path, duration: animation.duration, start: animation.start, channels };
}
