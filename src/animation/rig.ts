// The rig of a model in one file: skeletons, the meshes that they move, and clips. Vertices are stored in the bind pose, in
// engine space, because that is what the engine draws until a clip plays; bind matrices are moved along.

import { type Code, type Diagnostics, fail } from '../diagnostics/diagnostic.ts';
import { boundsOfPoints, unite } from '../scene/bounds.ts';
import { changeOfSpace } from '../scene/changeOfSpace.ts';
import { determinant3, identity, multiply } from '../scene/matrix.ts';
import { hasMorphs } from '../scene/morphs.ts';
import type { NodeRig, RigClip, RigSkeleton } from '../scene/rig.ts';
import type {
  Bounds,
  Mat4,
  Scene,
  SceneClip,
  SceneMesh,
  SceneNode,
  ScenePrimitive,
  SceneWeights,
} from '../scene/types.ts';
import { bindPlaces } from './bindPlaces.ts';
import {
  type Bound,
  isUsable,
  matrixAt,
  offBind,
  POSE_TOLERANCE,
  placedPolygons,
  readBound,
  sizeOf,
} from './bindPose.ts';
import { ClipMaker } from './clips.ts';
import { type HeldNodes, heldSkeletons, nodePoses, withNodeChannels } from './heldNodes.ts';
import { fourLargest } from './influences.ts';
import { morphingNodes, morphNodes } from './morphNodes.ts';
import { nodeMorphs, numbered } from './morphs.ts';
import { followers, movedJoints, movedNodes, nodeRigs } from './nodeRigs.ts';
import { nodeSpace, nodeTracks } from './nodeTracks.ts';
import { clipPoses, jointBoxes, posedBounds, reachedBounds } from './posedBounds.ts';
import { PosedSkeleton, rounded } from './skeletons.ts';
import { tolerancesOf } from './tolerances.ts';

export interface RigOptions {
  /** Which clips are kept: all, none, or those of these names. */
  readonly animations: 'all' | 'none' | readonly string[];
  readonly keepKeys: boolean;
  readonly animateNodes: boolean;
  /** How files hold nodes and the keys of these, which then need no skeleton; null: they hold none. */
  readonly held: HeldNodes | null;
  /** Whether files hold clips of weights of morph targets. */
  readonly holdsWeights: boolean;
  /** Whose morph targets are kept: those of meshes with a skin, those of all meshes, or none. */
  readonly morphs: 'skinned' | 'all' | 'none';
  /** Whether subdivision surfaces are refined. */
  readonly subdivides: boolean;
}

export interface RiggedScene {
  /** Nodes that a skeleton moves have a mesh of their own in engine space, which holds four influences a vertex. */
  readonly scene: Scene;
  readonly skeletons: readonly RigSkeleton[];
  readonly ofNode: ReadonlyMap<number, NodeRig>;
  readonly clips: readonly RigClip[];
}

/** A mesh in its bind pose. */
interface Placed {
  readonly primitives: readonly ScenePrimitive[];
  /** The number of its skeleton. */
  readonly skeleton: number;
  /** Points of the mesh to engine space. */
  readonly place: Mat4;
}

/** Of a node, and where it came from. */
interface BoundNode extends Placed {
  readonly of: number;
  readonly parts: readonly Bound[];
}

class RigBuilder {
  readonly #scene: Scene;
  readonly #options: RigOptions;
  readonly #diagnostics: Diagnostics;
  readonly #posed = new Map<number, PosedSkeleton>();
  readonly #rootNames = new Set<string>();
  readonly #skeletons: { readonly of: number; readonly variant: number }[] = [];
  /** Of the scene, those whose joints are nodes of the file. */
  readonly #held: ReadonlySet<number>;

  constructor(scene: Scene, held: ReadonlySet<number>, options: RigOptions, diagnostics: Diagnostics) {
    this.#scene = scene;
    this.#held = held;
    this.#options = options;
    this.#diagnostics = diagnostics;
  }

  posed(skeleton: number): PosedSkeleton {
    const known = this.#posed.get(skeleton);
    if (known) return known;
    const made = new PosedSkeleton(this.#scene.skeletons![skeleton], this.#rootNames);
    made.reportShear(this.#diagnostics, this.#scene.source);
    this.#posed.set(skeleton, made);
    return made;
  }

  get written(): RigSkeleton[] {
    const { back } = changeOfSpace(this.#scene);
    return this.#skeletons.map(({ of, variant }) => {
      const { joints, ...named } = this.posed(of).written(variant);
      if (!this.#held.has(of)) return { ...named, joints };
      const own = this.#scene.skeletons![of].joints;
      // A node of the file is upright and in metres.
      const asNodes = joints.map((joint, j) => ({ ...joint, bind: multiply(joint.bind, back), node: own[j].node! }));
      return { ...named, joints: asNodes };
    });
  }

  /** Poses of a skeleton: at rest and in the clips. */
  *poses(of: number, skeleton: RigSkeleton, clips: readonly RigClip[]): Generator<readonly Mat4[]> {
    if (!this.#held.has(of)) return yield* clipPoses(skeleton, clips);
    const { back } = changeOfSpace(this.#scene);
    yield this.posed(of).worlds.map((world) => multiply(world, back));
    yield* nodePoses(this.#scene, this.#scene.skeletons![of], this.#chosen());
  }

  /** The clips that are asked for. */
  #chosen(): SceneClip[] {
    const { animations } = this.#options;
    const isAsked = ({ name }: SceneClip) =>
      animations === 'all' || (animations !== 'none' && animations.includes(name));
    return united(this.#scene.clips ?? []).filter(isAsked);
  }

  /** `place`: the space of the bind pose to engine space. */
  bind(node: SceneNode, parts: readonly Bound[], place: Mat4): Placed {
    const [{ skin }] = parts;
    const posed = this.posed(skin.skeleton);
    const { off, size } = offBind(skin, place, posed.worlds, parts);
    if (off > Math.max(POSE_TOLERANCE.metres, POSE_TOLERANCE.ofSize * size)) {
      const message = `joints at rest put vertices up to ${Number(off.toPrecision(3))} m elsewhere`;
      this.#diagnostics.report('UC2070', this.#scene.source, node.path, message);
    }
    const binds = new Map<number, Mat4>();
    for (const [j, joint] of skin.joints.entries()) {
      binds.set(joint, rounded(multiply(place, matrixAt(skin.bind, j)), posed.worlds[joint]));
    }
    const variant = posed.variantOf(binds);
    let skeleton = this.#skeletons.findIndex((one) => one.of === skin.skeleton && one.variant === variant);
    if (skeleton < 0) skeleton = this.#skeletons.push({ of: skin.skeleton, variant }) - 1;
    const whole = multiply(place, skin.meshBind);
    const primitives = parts.map(({ primitive, polygons, weights }): ScenePrimitive => {
      const reduced = fourLargest(weights, skin.joints);
      this.#report(primitive, reduced);
      // glTF meshes with a skin have the winding of their node already.
      const turns = skin.bindSpace !== undefined || !polygons.skinning;
      const placed = placedPolygons(polygons, whole, turns && determinant3(place) < 0, reduced.weights);
      const { bound: _, ...own } = primitive;
      return { ...own, bounds: boundsOfPoints(placed.points), read: async () => placed };
    });
    return { primitives, skeleton, place: whole };
  }

  #report({ path }: ScenePrimitive, { dropped, largestDropped, loose }: ReturnType<typeof fourLargest>): void {
    const { source } = this.#scene;
    const vertices = (count: number) => (count === 1 ? '1 vertex' : `${count} vertices`);
    if (dropped > 0) {
      const share = Number((largestDropped * 100).toPrecision(2));
      this.#diagnostics.report('UC1345', source, path, `${vertices(dropped)}; the largest share dropped is ${share} %`);
    }
    if (loose > 0) this.#diagnostics.report('UC1346', source, path, vertices(loose));
  }

  /**
   * `morphing`: the nodes whose targets files hold. Throws UC2074 for a name that no clip has; reports UC2076, and UC2096 for weights
   * that files do not hold.
   */
  clips(bounds: ReadonlyMap<number, Bounds>, morphing: ReadonlySet<number>): RigClip[] {
    const { clips = [], source } = this.#scene;
    const { animations, keepKeys, held, holdsWeights } = this.#options;
    if (animations !== 'all' && animations !== 'none') {
      const missing = animations.find((name) => !clips.some((clip) => clip.name === name));
      if (missing !== undefined) {
        const names = clips.map(({ name }) => `"${name}"`).join(', ');
        fail(
          'UC2074',
          source,
          '',
          `there is no animation "${missing}"; the source has ${names === '' ? 'none' : names}`,
        );
      }
    }
    const inSkeletons = new Map([...this.#posed].filter(([i]) => !this.#held.has(i)));
    const tolerances = new Map([...inSkeletons].map(([i, posed]) => [i, tolerancesOf(posed, bounds.get(i) ?? null)]));
    const maker = new ClipMaker(this.#scene, keepKeys, this.#diagnostics);
    const space = held ? nodeSpace(this.#scene) : null;
    return this.#chosen().flatMap((clip) => {
      const made = maker.make(clip, inSkeletons, tolerances);
      const nodes = space ? nodeTracks(clip, this.#scene, space, keepKeys) : [];
      const weights = holdsWeights ? keptWeights(clip, morphing) : [];
      if ((clip.weights?.length ?? 0) > weights.length) {
        const [{ path }] = clip.weights ?? [];
        this.#diagnostics.report(
          'UC2096',
          source,
          path,
          `weights stay as they are in ${clip.name ? `"${clip.name}"` : clip.path}`,
        );
      }
      if (made.channels.length + nodes.length + weights.length === 0) {
        if (clip.channels.length > 0 || !clip.weights) {
          this.#diagnostics.report('UC2076', source, clip.path, `"${clip.name}" moves nothing`);
        }
        return [];
      }
      return [{ ...made, ...(nodes.length > 0 ? { nodes } : {}), ...(weights.length > 0 ? { weights } : {}) }];
    });
  }
}

/** The weights of nodes whose targets files hold. */
function keptWeights({ weights = [] }: SceneClip, morphing: ReadonlySet<number>): SceneWeights[] {
  return weights.flatMap((one) => {
    const nodes = one.nodes.filter((node) => morphing.has(node));
    return nodes.length > 0 ? [{ ...one, nodes }] : [];
  });
}

/** Clips of one animation that moves several skeletons as one. */
function united(clips: readonly SceneClip[]): SceneClip[] {
  const byKey = new Map<string, SceneClip>();
  for (const clip of clips) {
    const key = `${clip.path} ${clip.start} ${clip.duration}`;
    const known = byKey.get(key);
    byKey.set(key, known ? { ...known, channels: [...known.channels, ...clip.channels] } : clip);
  }
  return [...byKey.values()];
}

/** Names meshes that are cooked at rest though something of the source would move them. */
function reportStill(
  code: 'UC2073' | 'UC2090',
  still: readonly number[],
  scene: Scene,
  diagnostics: Diagnostics,
): void {
  if (still.length === 0) return;
  const shown = still.slice(0, 5).map((node) => scene.nodes[node].name || scene.nodes[node].path);
  const more = still.length > shown.length ? ` and ${still.length - shown.length} more` : '';
  diagnostics.report(code, scene.source, scene.nodes[still[0]].path, `at rest: ${shown.join(', ')}${more}`);
}

/**
 * The rig of a scene for one file; the scene itself where nothing binds its meshes. Reads every mesh that a skeleton moves.
 * Reports UC1345 to UC1347, UC2070 to UC2073, UC2076 to UC2078, UC2090 to UC2096; throws UC2074 and what reading throws.
 */
export async function riggedScene(source: Scene, options: RigOptions, diagnostics: Diagnostics): Promise<RiggedScene> {
  const { held } = options;
  const heldJoints = heldSkeletons(source, options.animateNodes ? null : held);
  const all = withNodeChannels(source, heldJoints);
  const { scene, skinOf } = nodeRigs(all, options.animateNodes, options.morphs === 'all' && held === null);
  if (!options.animateNodes && options.animations !== 'none') {
    const moved = held ? movedJoints(scene) : movedNodes(scene);
    const still = followers(scene, moved).filter((node) => !skinOf.has(node));
    reportStill('UC2073', still, scene, diagnostics);
  }
  const builder = new RigBuilder(scene, heldJoints, options, diagnostics);
  const bound = await boundNodes(scene, skinOf, builder, options, diagnostics);
  const free = options.morphs === 'none' ? [] : morphingNodes(scene, (node) => bound.has(node));
  if (options.morphs === 'skinned' && held === null) reportStill('UC2090', free, scene, diagnostics);
  const stored = new Map<number, Bounds>();
  for (const { of, primitives } of bound.values()) {
    for (const { bounds } of primitives) {
      const all = unite(stored.get(of) ?? null, bounds);
      if (all) stored.set(of, all);
    }
  }
  const hasTargets = (node: number) => options.morphs !== 'none' && hasMorphs(scene.meshes[scene.nodes[node].mesh]);
  const morphing = new Set([...[...bound.keys()].filter(hasTargets), ...(held ? free : [])]);
  const clips = builder.clips(stored, morphing);
  const skeletons = builder.written;
  const nodes = [...scene.nodes];
  const meshes: SceneMesh[] = [...scene.meshes];
  const ofNode = new Map<number, NodeRig>();
  const report = (code: Code, path: string, message: string) => {
    // The limit of targets is that of the engine, which reads no file with nodes of its own.
    if (code !== 'UC2095' || held === null) diagnostics.report(code, scene.source, path, message);
  };
  for (const [i, { skeleton, of, primitives, parts, place }] of bound) {
    const node = scene.nodes[i];
    const morphParts = parts.map(({ primitive, polygons }) => ({ primitive, polygons, place }));
    const size = held ? 0 : sizeOf(stored.get(of) ?? null);
    const tell = (code: Code, message: string) => report(code, node.path, message);
    const morphed = hasTargets(i) ? await nodeMorphs(morphParts, size, tell) : null;
    const boxes = [];
    let own: Bounds | null = null;
    for (const [p, primitive] of primitives.entries()) {
      const reach = morphed?.parts[p]?.reach ?? null;
      boxes.push(await jointBoxes(primitive, skeletons[skeleton], reach));
      own = unite(own, reach ? await reachedBounds(primitive, reach) : primitive.bounds);
    }
    const bounds = unite(own, posedBounds(builder.poses(of, skeletons[skeleton], clips), boxes));
    const noted = held && node.extras !== undefined ? { extras: node.extras } : {};
    if (bounds) ofNode.set(i, { skeleton, bounds, ...(morphed ? { morphs: morphed.morphs } : {}), ...noted });
    const { name, path } = scene.meshes[node.mesh];
    const hangs = node.below ?? node.parent;
    const root = { parent: -1, local: identity(), world: identity(), mesh: meshes.length };
    nodes[i] = { ...node, ...root, ...(hangs < 0 ? {} : { below: hangs }) };
    meshes.push({ name, path, primitives: morphed ? numbered(primitives, morphed) : primitives });
  }
  if (held) {
    for (const [i, rig] of await morphNodes(scene, free, held, nodes, meshes, report)) ofNode.set(i, rig);
  }
  return { scene: { ...scene, nodes, meshes }, skeletons, ofNode, clips };
}

/** What skins bind, each in its bind pose in engine space, by node. Reports UC2077 and UC2078. */
async function boundNodes(
  scene: Scene,
  skinOf: ReadonlyMap<number, number>,
  builder: RigBuilder,
  { subdivides }: RigOptions,
  diagnostics: Diagnostics,
): Promise<ReadonlyMap<number, BoundNode>> {
  const read = new Map<number, readonly Bound[]>();
  for (const [i, node] of scene.nodes.entries()) {
    if (node.mesh < 0) continue;
    const parts = await readBound(scene, node, skinOf.get(i));
    if (parts === null) continue;
    const [{ skin, polygons }] = parts;
    const { joints } = scene.skeletons![skin.skeleton];
    if (!isUsable(skin, joints.length)) {
      diagnostics.report('UC2078', scene.source, node.path, 'the mesh stays as it is at rest');
      continue;
    }
    if (subdivides && polygons.subdivision) {
      diagnostics.report('UC2077', scene.source, node.path, 'the cage is drawn');
    }
    read.set(i, parts);
  }
  const places = bindPlaces([...read.values()].flat(), (skeleton) => builder.posed(skeleton));
  const bound = new Map<number, BoundNode>();
  for (const [i, parts] of read) {
    const [{ skin }] = parts;
    const placed = builder.bind(scene.nodes[i], parts, places.get(skin) as Mat4);
    bound.set(i, { ...placed, of: skin.skeleton, parts });
  }
  return bound;
}
