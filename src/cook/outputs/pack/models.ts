// The models of a pack: a file for each root object of the scene, in the space of that root. The manifest places them.

import { basename } from 'node:path';
import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { LimitWatch } from '../../../diagnostics/limits.ts';
import { extensionOf } from '../../../formats/kinds.ts';
import { decompose } from '../../../geometry/instances/instance.ts';
import { unite } from '../../../scene/bounds.ts';
import { changeOfSpace } from '../../../scene/changeOfSpace.ts';
import { inverse } from '../../../scene/inverse.ts';
import { identity, multiply, transformBounds } from '../../../scene/matrix.ts';
import { meshNameOf } from '../../../scene/meshName.ts';
import type { NodeTree, TreeNode } from '../../../scene/nodeTree.ts';
import type { Bounds, Mat4, Scene } from '../../../scene/types.ts';
import { boundsOf } from '../../../tiling/partition/tile.ts';
import type { PlannedObject } from '../../../tiling/types.ts';
import type { PayloadPlan, Placement, ReadScene } from '../../planned.ts';
import type { AuthoredObject } from '../../steps/read/authoredLevels.ts';
import { fileTree, nodeTree } from '../nodeTree.ts';
import type { FileTarget } from '../singleFile/singleFile.ts';
import { ModelNames } from './modelNames.ts';

/** What comes before the names of models: the pack's own name where packs of one call share a folder. */
export function modelPrefix({ path, hasOthersBeside = false }: FileTarget): string {
  return hasOthersBeside ? `${basename(path, extensionOf('untoldpack'))}_` : '';
}

/** Matrices within a model are the same if their elements differ by less than this share of the largest axis or position. */
const SAME = 1e-7;
const DIGITS = 7;

/** A root apart: where it stands, and how nodes below it stand in its space. */
interface Apart {
  readonly transform: Mat4;
  /** By the index of a node. */
  readonly within: (node: number) => Mat4;
  /** Whether its matrix is in the vertices. */
  readonly isBaked: boolean;
}

/** Elements of axes below this share of their axis are rounding, and less than float32 tells apart. */
const NOTHING = 2 ** -30;

/** The matrix with 0 for what a sine of 180 degrees leaves. */
function withoutNoise(m: Mat4): Mat4 {
  const clean = Float64Array.from(m);
  for (let c = 0; c < 12; c += 4) {
    const length = Math.max(Math.abs(m[c]), Math.abs(m[c + 1]), Math.abs(m[c + 2]));
    for (let k = c; k < c + 3; k++) if (Math.abs(m[k]) < length * NOTHING) clean[k] = 0;
  }
  return clean;
}

/** Whether two matrices differ by no more than their products round. */
function isNear(a: Mat4, b: Mat4): boolean {
  const largest = b.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return a.every((value, i) => Math.abs(value - b[i]) <= largest * 2 ** -40);
}

/** Splits scenes into their roots. */
class Roots {
  readonly #nodes: Scene['nodes'];
  readonly #into: Mat4;
  readonly #back: Mat4;
  /** For each node the product of local matrices below its root: without the rounding that an inverse brings. */
  readonly #below: readonly Mat4[];

  constructor(scene: Scene) {
    this.#nodes = scene.nodes;
    const { into, back } = changeOfSpace(scene);
    this.#into = into;
    this.#back = back;
    const below: Mat4[] = [];
    // Parents come before their children.
    for (const { parent, local } of scene.nodes) below.push(parent < 0 ? identity() : multiply(below[parent], local));
    this.#below = below;
  }

  /**
   * The space of a model is upright and in metres, whatever the source's axes and unit are. A root whose matrix is not
   * translation, rotation and positive scale has that of the scene.
   */
  apart(root: number): Apart {
    const { world } = this.#nodes[root];
    const transform = withoutNoise(multiply(world, this.#back));
    const inner = inverse(world);
    if (inner === null || decompose(transform) === null) {
      return { transform: identity(), within: (node) => this.#nodes[node].world, isBaked: true };
    }
    const within = (node: number): Mat4 => {
      const below = this.#below[node];
      // A node may leave out what stands above it (USD resetXformStack).
      const isBelow = isNear(multiply(world, below), this.#nodes[node].world);
      return multiply(this.#into, isBelow ? below : multiply(inner, this.#nodes[node].world));
    };
    return { transform, within, isBaked: false };
  }
}

/** The root above each node, or itself. */
function rootsOf({ nodes }: Scene): Int32Array {
  const rootOf = new Int32Array(nodes.length);
  // Parents come before their children.
  for (const [i, { parent }] of nodes.entries()) rootOf[i] = parent < 0 ? i : rootOf[parent];
  return rootOf;
}

/** By root, in the order of the scene, the objects that are it or lie below it. */
function objectsByRoot(rootOf: Int32Array, objects: readonly PlannedObject[]): [number, PlannedObject[]][] {
  const byRoot = new Map<number, PlannedObject[]>();
  for (const object of objects) {
    const root = rootOf[object.node];
    const own = byRoot.get(root);
    if (own) own.push(object);
    else byRoot.set(root, [object]);
  }
  return [...byRoot].sort(([a], [b]) => a - b);
}

/** Equal for values that rounding alone tells apart; `min`: the size that they are compared with at least. */
function stepsOf(values: Mat4, min: number): string {
  const max = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), min);
  const size = Number(max.toPrecision(DIGITS));
  return `${size} ${Array.from(values, (value) => Math.round(value / (size * SAME)) + 0).join(' ')}`;
}

/** Equal for models of the same meshes in the same places. Materials are those of the meshes. */
function keyOf({ nodes }: Scene, objects: readonly Pick<PlannedObject, 'node'>[], within: Apart['within']): string {
  const keys = objects.map(({ node }) => {
    const m = within(node);
    const axes = m.subarray(0, 12);
    const largest = axes.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    return `${nodes[node].mesh} ${stepsOf(axes, 0)} ${stepsOf(m.subarray(12, 15), largest)}`;
  });
  return keys.join('|');
}

/** What is added for levels made by hand: equal models have equal ones. */
function levelsKey(scene: Scene, objects: readonly AuthoredObject[], within: Apart['within']): string {
  const keys = objects.map(({ coarser, coverage }) => {
    const levels = coarser.map((nodes) => nodes.map((node) => keyOf(scene, [{ node }], within)));
    return JSON.stringify([levels, coverage]);
  });
  return keys.join('|');
}

/** The object in the space of its model. */
function moved({ nodes, meshes }: Scene, object: PlannedObject, within: Mat4): PlannedObject {
  let bounds: Bounds | null = null;
  for (const primitive of meshes[nodes[object.node].mesh].primitives) {
    if (primitive.bounds) bounds = unite(bounds, transformBounds(within, primitive.bounds));
  }
  return { ...object, bounds: bounds ?? object.bounds };
}

function reportLeftOut({ lights = [], cameras = [], source }: Scene, diagnostics: Diagnostics): void {
  const counts = [
    [lights.length, 'light'],
    [cameras.length, 'camera'],
  ] as const;
  const words = counts.flatMap(([n, word]) => (n === 0 ? [] : [`${n} ${word}${n === 1 ? '' : 's'}`]));
  if (words.length > 0) diagnostics.report('UC2079', source, '', `${words.join(' and ')} left out`);
}

function reportBaked({ nodes, source }: Scene, baked: readonly number[], diagnostics: Diagnostics): void {
  if (baked.length === 0) return;
  const others = baked.length > 1 ? ` and ${baked.length - 1} more` : '';
  const first = nodes[baked[0]];
  diagnostics.report('UC2080', source, first.path, `"${first.name || first.path}"${others}`);
}

/**
 * By root, the nodes of each model in its space. The root itself stands in the pack, and is one of them only where it has a
 * mesh. `models`: by root how nodes stand in its model.
 */
function treesOf(
  scene: Scene,
  rootOf: Int32Array,
  models: ReadonlyMap<number, Apart['within']>,
  payloads: PayloadPlan['payloads'],
): ReadonlyMap<number, NodeTree> {
  const nodes = scene.nodes.map((node, i) => {
    const within = models.get(rootOf[i]);
    return within ? { ...node, world: within(i) } : node;
  });
  const drawn = new Set(payloads.flatMap(({ objects }) => objects.map(({ node }) => node)));
  const left = (node: number) => !models.has(rootOf[node]) || (nodes[node].parent < 0 && nodes[node].mesh < 0);
  const inModels = new Set([...drawn].filter((node) => !left(node)));
  const kept = { drawn: inModels, left, keepsScale: false };
  const tree = nodeTree({ ...scene, nodes }, kept);
  const byRoot = new Map<number, TreeNode[]>();
  const places: number[] = [];
  for (const { node, parent, ...one } of tree) {
    const root = rootOf[node];
    const own = byRoot.get(root) ?? [];
    byRoot.set(root, own);
    places.push(own.push({ ...one, node, parent: parent < 0 ? -1 : places[parent] }) - 1);
  }
  return new Map(
    [...byRoot].flatMap(([root, own]) => {
      const made = fileTree(own, kept);
      return made ? [[root, made] as const] : [];
    }),
  );
}

/**
 * Plans a model for each object of a scene.
 *
 * `authored`: objects whose levels were made by hand and are kept. `main`: the file of the pack. `prefix`: what the names of the
 * models' folders begin with. `flatten`: models have no nodes but those that draw. Reports UC2079 and UC2080. Throws UC2202 for
 * more models than a set may have tiles.
 */
export function planPack(
  { scene, objects, authored }: Pick<ReadScene, 'scene' | 'objects' | 'authored'>,
  main: string,
  prefix: string,
  diagnostics: Diagnostics,
  limits: LimitWatch,
  flatten = false,
): PayloadPlan {
  const roots = new Roots(scene);
  const rootOf = rootsOf(scene);
  const models = new Map<number, Apart['within']>();
  const names = new ModelNames(prefix);
  const nodes = [...scene.nodes];
  const payloads: PayloadPlan['payloads'][number][] = [];
  const placements: Placement[] = [];
  const known = new Map<string, string>();
  const baked: number[] = [];
  const repeated = new Set<number>();
  const authoredAt = new Map(authored.map((object) => [object.finest[0], object]));
  for (const [root, below] of objectsByRoot(rootOf, objects)) {
    const { transform, within, isBaked } = roots.apart(root);
    if (isBaked) baked.push(root);
    const displayName = scene.nodes[root].name || meshNameOf(scene, below[0].node) || 'model';
    const byHand = below.flatMap(({ node }) => authoredAt.get(node) ?? []);
    const key = `${keyOf(scene, below, within)} ${levelsKey(scene, byHand, within)}`;
    let path = known.get(key);
    if (path === undefined) {
      path = names.path(displayName);
      known.set(key, path);
      const drawn = [...below.map(({ node }) => node), ...byHand.flatMap(({ coarser }) => coarser.flat())];
      for (const node of drawn) nodes[node] = { ...nodes[node], world: within(node) };
      const own = below.map((object) => moved(scene, object, nodes[object.node].world));
      // Levels made by hand stand in the space of the model.
      if (byHand.length === 0) models.set(root, within);
      payloads.push({ fileType: 'tile', path, objects: own, tile: null });
    } else for (const { node } of below) repeated.add(node);
    const more = scene.carried?.pack?.ofModels.get(scene.nodes[root].path);
    placements.push({ displayName, path, transform, ...(more ? { more } : {}) });
  }
  const remedy = 'put objects below common parents, cook into tiles with --out DIR, or give a larger --max-tiles';
  limits.need('tiles', payloads.length, 'UC2202', scene.source, '', `${payloads.length} models`, remedy);
  reportLeftOut(scene, diagnostics);
  reportBaked(scene, baked, diagnostics);
  const trees = flatten ? new Map<number, NodeTree>() : treesOf(scene, rootOf, models, payloads);
  const withTrees = payloads.map((payload) => {
    const tree = trees.get(rootOf[payload.objects[0].node]);
    return tree ? { ...payload, tree } : payload;
  });
  return {
    scene: { ...scene, nodes, lights: [], cameras: [] },
    objects: payloads.flatMap((payload) => payload.objects),
    payloads: withTrees,
    tiles: null,
    name: basename(main, extensionOf('untoldpack')),
    folder: '',
    placements,
    repeated,
    shown: { mode: 'pack', bounds: boundsOf(objects), payloads: withTrees },
  };
}
