// What the chosen scene draws: its nodes, parents before children, and each mesh in each pose that a node gives it. Nodes
// share a mesh in the same pose; other morph weights, or a skin, make another pose.

import type { LimitWatch } from '../../../diagnostics/limits.ts';
import { determinant3, identity, isFiniteMatrix, multiply } from '../../../scene/matrix.ts';
import type { LodGroup, Mat4, SceneNode } from '../../../scene/types.ts';
import type { ImportOptions } from '../../importer.ts';
import type { Accessors } from '../data/accessors.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import { readInstances } from '../extensions/geometry/extMeshGpuInstancing.ts';
import type { Pose } from '../meshes/geometry.ts';
import type { MeshDef } from '../meshes/meshes.ts';
import { readSkin, type SkinPose } from '../meshes/skin.ts';
import { composeTransform, type NodeDef, type NodeGraph, worldTransforms } from './nodes.ts';

export interface Variant {
  readonly mesh: number;
  readonly pose: Pose;
  /** The skin in the file that the pose is of; -1: none. */
  readonly skin: number;
}

/** A node of the scene with a light or a camera, and its world transform. */
export interface Attachment {
  readonly node: NodeDef;
  readonly world: Mat4;
}

export interface Placements {
  readonly nodes: readonly SceneNode[];
  readonly attached: readonly Attachment[];
  /** Meshes in poses, in the order of the file's meshes; SceneNode.mesh is an index into this list. */
  readonly variants: readonly Variant[];
  /** What MSFT_lod groups; empty where nobody asked. */
  readonly lodGroups: readonly LodGroup[];
  /** By node of the file, its index in `nodes`; -1 for one that is not drawn. */
  readonly nodeOf: Int32Array;
  /** By node of the file, the indices in `nodes` of those that draw its mesh. */
  readonly drawnBy: ReadonlyMap<number, readonly number[]>;
  /** World transforms of all nodes of the file. Throws UC1324 when one overflows. */
  readonly world: () => readonly Mat4[];
}

type PlacedNode = { -readonly [K in keyof SceneNode]: SceneNode[K] };

export class Placer {
  readonly #root: Element;
  readonly #graph: NodeGraph;
  readonly #meshes: readonly MeshDef[];
  readonly #accessors: Accessors;
  readonly #notes: Notes;
  readonly #limits: LimitWatch;
  #instances = 0;
  readonly #nodes: PlacedNode[] = [];
  readonly #variants: Variant[] = [];
  readonly #attached: Attachment[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #nodeOf: Int32Array;
  readonly #drawnBy = new Map<number, number[]>();
  readonly #keepsRigs: boolean;
  readonly #lodGroups: boolean;
  readonly #skins = new Map<number, SkinPose>();
  #world: Mat4[] | null = null;

  constructor(
    root: Element,
    graph: NodeGraph,
    meshes: readonly MeshDef[],
    accessors: Accessors,
    notes: Notes,
    limits: LimitWatch,
    { keepsRigs = false, lodGroups = false }: Pick<ImportOptions, 'keepsRigs' | 'lodGroups'>,
  ) {
    this.#root = root;
    this.#keepsRigs = keepsRigs;
    this.#lodGroups = lodGroups;
    this.#nodeOf = new Int32Array(graph.nodes.length).fill(-1);
    this.#graph = graph;
    this.#meshes = meshes;
    this.#accessors = accessors;
    this.#notes = notes;
    this.#limits = limits;
  }

  /** Walks the scene depth first, in the file's order; coarser levels that it does not list come after their node. UC1313, UC1316, UC1324, UC1343. */
  place(roots: readonly number[]): Placements {
    const stack = roots.map((node) => ({ node, parent: -1 })).reverse();
    const listed = this.#lodGroups ? this.#below(roots) : null;
    const grouped: number[] = [];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const def = this.#graph.nodes[next.node];
      if (!def.visible) {
        this.#notes.add('UC1325', '', def.path, def.name, (names) => `not drawn: ${names}`);
        continue;
      }
      const first = this.#nodes.length;
      const at = this.#placeNode(def, next.node, next.parent);
      const drawing = this.#nodes.slice(first).flatMap(({ mesh }, i) => (mesh < 0 ? [] : [first + i]));
      if (drawing.length > 0) this.#drawnBy.set(next.node, drawing);
      this.#nodeOf[next.node] = at;
      if (listed && def.levels) {
        grouped.push(next.node);
        // Last in, first out: the finest level is placed next, after the children.
        for (const node of [...def.levels.ids].reverse()) {
          if (listed.has(node)) continue;
          listed.add(node);
          stack.push({ node, parent: next.parent });
        }
      }
      for (let i = def.children.length - 1; i >= 0; i--) stack.push({ node: def.children[i], parent: at });
    }
    // Meshes in the file's order; poses of one mesh in the order in which the walk meets them.
    const order = this.#variants
      .map((_, i) => i)
      .sort((a, b) => this.#variants[a].mesh - this.#variants[b].mesh || a - b);
    const rank = new Int32Array(order.length);
    order.forEach((variant, i) => {
      rank[variant] = i;
    });
    for (const node of this.#nodes) if (node.mesh >= 0) node.mesh = rank[node.mesh];
    const variants = order.map((variant) => this.#variants[variant]);
    return {
      nodes: this.#nodes,
      attached: this.#attached,
      variants,
      lodGroups: grouped.map((node) => this.#lodGroup(node)),
      nodeOf: this.#nodeOf,
      drawnBy: this.#drawnBy,
      world: () => this.#worlds(),
    };
  }

  /** The nodes that a scene draws. */
  #below(roots: readonly number[]): Set<number> {
    const found = new Set(roots);
    for (const node of found) for (const child of this.#graph.nodes[node].children) found.add(child);
    return found;
  }

  #lodGroup(node: number): LodGroup {
    const { path, levels } = this.#graph.nodes[node];
    const { ids = [], coverage = null } = levels ?? {};
    const nodes = [node, ...ids].map((id) => (this.#nodeOf[id] < 0 ? [] : [this.#nodeOf[id]]));
    return { path, levels: nodes, ...(coverage ? { coverage } : {}) };
  }

  #fail(def: NodeDef, message: string): never {
    return this.#root.elementAt(def.path).fail('UC1324', message);
  }

  #add(def: NodeDef, path: string, parent: number, local: Mat4, world: Mat4, mesh: number): number {
    const { name, tags, negative } = def;
    const signed = negative && local === def.local ? { scale: negative } : {};
    // Instances are called as their node is, and share its path.
    const noted = def.extras !== undefined && path === def.path ? { extras: def.extras } : {};
    return this.#nodes.push({ name, path, parent, local, world, mesh, ...signed, ...(tags && { tags }), ...noted }) - 1;
  }

  #placeNode(def: NodeDef, index: number, parent: number): number {
    const { name, path, local } = def;
    const world = parent < 0 ? local : multiply(this.#nodes[parent].world, local);
    if (!isFiniteMatrix(world)) this.#fail(def, 'the transforms down to this node overflow');
    if (def.light >= 0 || def.camera >= 0) this.#attached.push({ node: def, world });
    const mesh = def.mesh >= 0 && this.#meshes[def.mesh].primitives.length > 0 ? def.mesh : -1;
    if (mesh < 0) return this.#add(def, path, parent, local, world, -1);
    const skin = this.#skinOf(def, mesh);
    if (skin) {
      if (def.instancing) this.#notes.add('UC1327', '', path, name, (names) => `drawn once: ${names}`);
      const pose = { weights: this.#weights(def, mesh), skin, mirrored: determinant3(this.#worlds()[index]) < 0 };
      const variant = this.#variant(mesh, def.skin, pose);
      // The skinned vertices are in world space, so they get a node without a transform. Children keep the node's own.
      const at = def.children.length > 0 ? this.#add(def, path, parent, local, world, -1) : -1;
      const placed = this.#add(def, path, -1, identity(), identity(), variant);
      const below = at < 0 ? parent : at;
      if (this.#lodGroups && below >= 0) this.#nodes[placed].below = below;
      return at < 0 ? placed : at;
    }
    const variant = this.#variant(mesh, -1, { weights: this.#weights(def, mesh), skin: null, mirrored: false });
    if (!def.instancing) return this.#add(def, path, parent, local, world, variant);
    const at = this.#add(def, path, parent, local, world, -1);
    this.#placeInstances(def, def.instancing, at, variant);
    return at;
  }

  #variant(mesh: number, skin: number, pose: Pose): number {
    const key = `${mesh} ${skin} ${pose.mirrored} ${pose.weights?.join(' ') ?? ''}`;
    let variant = this.#byKey.get(key);
    if (variant === undefined) {
      variant = this.#variants.push({ mesh, pose, skin }) - 1;
      this.#byKey.set(key, variant);
    }
    return variant;
  }

  /** node.weights, else mesh.weights, else zeros (glTF 2.0, 3.7.4); null when all are zero. */
  #weights(def: NodeDef, mesh: number): readonly number[] | null {
    const { name, path, targetCount, weights: own } = this.#meshes[mesh];
    if (targetCount === 0) return null;
    if (!this.#keepsRigs) {
      this.#notes.add('UC1342', '', path, name, (names) => `cooked with the weights of the file: ${names}`);
    }
    const weights = def.weights ?? own;
    if (weights && weights.length !== targetCount) {
      const what = `${targetCount} targets, ${weights.length} weights`;
      this.#notes.add('UC1344', what, def.weights ? def.path : path, '', (names) => `${what}: ${names}`);
    }
    return weights?.some((weight) => weight !== 0) ? weights : null;
  }

  #worlds(): Mat4[] {
    this.#world ??= worldTransforms(this.#graph, (node) =>
      this.#fail(node, 'the transforms down to this node overflow'),
    );
    return this.#world;
  }

  /** The skin of a node; null when it has none, or when its mesh has no joints and weights. */
  #skinOf(def: NodeDef, mesh: number): SkinPose | null {
    if (def.skin < 0) return null;
    const bound = this.#meshes[mesh].primitives.filter(
      (p) => p.attributes.has('JOINTS_0') && p.attributes.has('WEIGHTS_0'),
    );
    if (bound.length === 0) {
      this.#notes.add(
        'UC1341',
        'unbound',
        def.path,
        def.name,
        (names) => `without joints and weights, placed by their nodes: ${names}`,
      );
      return null;
    }
    if (bound.length < this.#meshes[mesh].primitives.length) {
      this.#root
        .elementAt(def.path)
        .fail('UC1343', `only some primitives of ${this.#meshes[mesh].path} have joints and weights`);
    }
    if (!this.#keepsRigs) {
      const tell = (names: string) => `cooked with the joint transforms of the file: ${names}`;
      this.#notes.add('UC1341', '', def.path, def.name, tell);
    }
    let pose = this.#skins.get(def.skin);
    if (!pose) {
      pose = readSkin(this.#root.elementAt(`skins/${def.skin}`), this.#accessors, this.#worlds());
      this.#skins.set(def.skin, pose);
    }
    return pose;
  }

  /** EXT_mesh_gpu_instancing: the mesh once for each instance, below the node. */
  #placeInstances(def: NodeDef, attributes: Element, parent: number, variant: number): void {
    // A few nodes that share one accessor can ask for billions of instances.
    const { count, translations, rotations, scales } = readInstances(attributes, this.#accessors, (more) => {
      this.#instances += more;
      const drawn = `with this node the scene has ${this.#instances} instances`;
      this.#limits.need('instances', this.#instances, 'UC1316', this.#root.file, def.path, drawn);
    });
    const world = this.#nodes[parent].world;
    const part = (from: Float32Array | null, i: number, n: number) => from?.subarray(i * n, i * n + n) ?? null;
    for (let i = 0; i < count; i++) {
      const path = `${def.path}/instances/${i}`;
      const quaternion = part(rotations, i, 4);
      if (quaternion?.every((q) => q === 0)) {
        this.#notes.add('UC1326', '', path, '', (names) => `taken as not rotated: ${names}`);
      }
      const local = composeTransform(part(translations, i, 3), quaternion, part(scales, i, 3));
      const placed = multiply(world, local);
      if (!isFiniteMatrix(placed)) this.#fail(def, `the transform of instance ${i} is not finite`);
      this.#add(def, path, parent, local, placed, variant);
    }
  }
}
