// The node hierarchy (glTF 2.0, 3.5): checks every node, refuses cycles and second parents, composes transforms in float64
// and chooses the scene. It uses lists instead of recursion, so that deep hierarchies do not exhaust the stack.

import type { LimitWatch } from '../../../diagnostics/limits.ts';
import { identity, isFiniteMatrix, multiply, rotation } from '../../../scene/matrix.ts';
import { isUnitQuaternion } from '../../../scene/quaternion.ts';
import { type NodeTags, readTags } from '../../../scene/tags.ts';
import type { Mat4, Vec3 } from '../../../scene/types.ts';
import { type Element, quote } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import { instancingOf } from '../extensions/geometry/extMeshGpuInstancing.ts';
import { lightCount, lightOf } from '../extensions/scene/khrLightsPunctual.ts';
import { isVisible } from '../extensions/scene/khrNodeVisibility.ts';
import { type NodeLevels, nodeLevels } from '../extensions/scene/msftLod.ts';

export interface NodeDef {
  readonly path: string;
  readonly name: string;
  readonly children: readonly number[];
  readonly local: Mat4;
  /** The scale in `local`, if a part of it is negative. */
  readonly negative: Vec3 | null;
  /** Indices, -1 for none. */
  readonly mesh: number;
  readonly skin: number;
  readonly camera: number;
  /** Index of its light of KHR_lights_punctual, -1 for none. */
  readonly light: number;
  /** Morph weights of the node; null: the mesh's own. */
  readonly weights: readonly number[] | null;
  readonly visible: boolean;
  /** The attributes of EXT_mesh_gpu_instancing; null: the mesh is drawn once. */
  readonly instancing: Element | null;
  readonly tags: NodeTags | null;
  /** What an application has noted; undefined: nothing. */
  readonly extras: unknown;
  /** Its coarser levels by MSFT_lod; null: none. */
  readonly levels: NodeLevels | null;
}

export interface NodeGraph {
  readonly nodes: readonly NodeDef[];
  /** -1 for nodes without one. */
  readonly parents: Int32Array;
  /** All nodes, parents before their children. */
  readonly order: Int32Array;
}

/** How far rounding in exporters moves the last row of an affine matrix. */
const AFFINE_TOLERANCE = 1e-6;

/** translation * rotation * scale, each optional; a quaternion of zeros does not rotate. */
export function composeTransform(
  t: ArrayLike<number> | null,
  r: ArrayLike<number> | null,
  s: ArrayLike<number> | null,
): Mat4 {
  const m = r ? rotation(r[0], r[1], r[2], r[3]) : identity();
  if (s) {
    for (let c = 0; c < 3; c++) for (let row = 0; row < 3; row++) m[c * 4 + row] *= s[c];
  }
  if (t) {
    m[12] = t[0];
    m[13] = t[1];
    m[14] = t[2];
  }
  return m;
}

function localTransform(node: Element, notes: Notes): Mat4 {
  const given = node.numbers('matrix', 16);
  if (given === null) {
    const quaternion = node.numbers('rotation', 4);
    if (quaternion?.every((q) => q === 0)) {
      notes.add('UC1326', '', node.path, node.name, (names) => `taken as not rotated: ${names}`);
    } else if (quaternion && !isUnitQuaternion(quaternion, 0)) {
      notes.add('UC2467', '', node.path, node.name, (names) => `brought to length 1: ${names}`);
    }
    return composeTransform(node.numbers('translation', 3), quaternion, node.numbers('scale', 3));
  }
  const m = Float64Array.from(given);
  const row = [m[3], m[7], m[11], m[15] - 1];
  if (row.some((value) => Math.abs(value) > AFFINE_TOLERANCE)) {
    node.fail('UC1324', `the last row of the matrix is ${[m[3], m[7], m[11], m[15]].join(' ')}`);
  }
  m[3] = m[7] = m[11] = 0;
  m[15] = 1;
  return m;
}

function negativeScale(node: Element): Vec3 | null {
  const scale = node.has('matrix') ? null : node.numbers('scale', 3);
  return scale?.some((value) => value < 0) ? [scale[0], scale[1], scale[2]] : null;
}

function tagsOf(node: Element, notes: Notes): NodeTags | null {
  const { tags, unknown } = readTags(node.extras());
  for (const what of unknown) notes.add('UC2210', what, node.path, node.name, (names) => `${names}: ${what}`);
  return tags;
}

/** Reports a node that lists name more than once: UC1328. */
function listedAgain(notes: Notes, kind: string, node: { readonly path: string; readonly name: string }): void {
  notes.add('UC1328', kind, node.path, node.name, (names) => `${kind}, drawn once: ${names}`);
}

/** The children of a node, each once. */
function childrenOf(node: Element, count: number, notes: Notes): readonly number[] {
  const listed = node.indices('children', count, 'nodes');
  const children = [...new Set(listed)];
  if (children.length < listed.length) listedAgain(notes, 'nodes that list a child twice', node);
  return children;
}

/** Reads and checks all nodes: UC1307, UC1308, UC1320, UC1321, UC1324. */
export function readNodes(root: Element, notes: Notes, limits: LimitWatch): NodeGraph {
  const count = root.count('nodes');
  limits.need('prims', count, 'UC1209', root.file, 'nodes', `the file has ${count} nodes`);
  const elements = root.elements('nodes');
  const meshes = root.count('meshes');
  const skins = root.count('skins');
  const cameras = root.count('cameras');
  const lights = lightCount(root);
  const nodes = elements.map((node): NodeDef => {
    return {
      path: node.path,
      name: node.name,
      children: childrenOf(node, elements.length, notes),
      local: localTransform(node, notes),
      negative: negativeScale(node),
      mesh: node.index('mesh', meshes, 'meshes'),
      skin: node.index('skin', skins, 'skins'),
      camera: node.index('camera', cameras, 'cameras'),
      light: lightOf(node, lights),
      weights: node.numbers('weights', -1),
      visible: isVisible(node),
      instancing: instancingOf(node),
      tags: tagsOf(node, notes),
      extras: node.note(),
      levels: nodeLevels(node, elements.length),
    };
  });
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => {
    for (const child of node.children) {
      if (child === i) elements[i].fail('UC1321', 'the node is its own child');
      if (parents[child] >= 0) {
        elements[child].fail('UC1320', `it is a child of nodes/${parents[child]} and of nodes/${i}`);
      }
      parents[child] = i;
    }
  });
  const order = new Int32Array(nodes.length);
  let placed = 0;
  for (let i = 0; i < nodes.length; i++) if (parents[i] < 0) order[placed++] = i;
  for (let next = 0; next < placed; next++) for (const child of nodes[order[next]].children) order[placed++] = child;
  if (placed < nodes.length) {
    // Every node has one parent at most, so nodes that no root leads to form cycles.
    const reached = new Uint8Array(nodes.length);
    for (let i = 0; i < placed; i++) reached[order[i]] = 1;
    elements[reached.indexOf(0)].fail('UC1321', 'the node is among its own descendants');
  }
  return { nodes, parents, order };
}

/** World transforms of all nodes, whether a scene draws them or not: what skins need. UC1324 when one overflows. */
export function worldTransforms(graph: NodeGraph, fail: (node: NodeDef) => never): Mat4[] {
  const world: Mat4[] = new Array(graph.nodes.length);
  for (const i of graph.order) {
    const parent = graph.parents[i];
    world[i] = parent < 0 ? graph.nodes[i].local : multiply(world[parent], graph.nodes[i].local);
    if (!isFiniteMatrix(world[i])) fail(graph.nodes[i]);
  }
  return world;
}

/**
 * The root nodes of the scene to cook: of the scene with the name or index `asked`, else the file's default, else the first.
 * UC1322 when there is no such scene, UC1323 (a warning) when the file has none, UC1328 (a warning) for roots that are
 * children too or are listed twice.
 */
export function chooseScene(
  root: Element,
  graph: NodeGraph,
  asked: string | undefined,
  notes: Notes,
): { readonly roots: readonly number[]; readonly graph: NodeGraph } {
  const scenes = root.elements('scenes');
  let chosen = root.index('scene', scenes.length, 'scenes');
  if (asked !== undefined) {
    chosen = scenes.findIndex((scene) => scene.name === asked);
    if (chosen < 0 && /^\d{1,9}$/.test(asked)) chosen = Number(asked) < scenes.length ? Number(asked) : -1;
    if (chosen < 0) {
      const names = scenes.slice(0, 20).map((scene, i) => (scene.name === '' ? `${i}` : `${i} ${quote(scene.name)}`));
      const has = scenes.length === 0 ? 'no scenes' : `${names.join(', ')}${scenes.length > 20 ? ', …' : ''}`;
      root.fail('UC1322', `there is no scene ${quote(asked)}; the file has ${has}`);
    }
  }
  if (scenes.length === 0) {
    notes.add('UC1323', '', 'scenes', 'scenes', () => 'the file has no scenes: all nodes without a parent are cooked');
    return { roots: [...graph.parents.keys()].filter((i) => graph.parents[i] < 0), graph };
  }
  return rootsOf(scenes[Math.max(chosen, 0)].indices('nodes', graph.nodes.length, 'nodes'), graph, notes);
}

/**
 * The roots that a scene lists, each once, and the graph below them. glTF 2.0, 3.5.1, allows only nodes without a parent,
 * but some exporters list every node. A listed child is drawn below its parent if the scene draws that; otherwise it is a
 * root, as in viewers that start from the scene's list.
 */
function rootsOf(listed: readonly number[], graph: NodeGraph, notes: Notes) {
  const { nodes, order } = graph;
  const once = new Set<number>();
  for (const i of listed) {
    if (once.has(i)) listedAgain(notes, 'nodes that the scene lists twice', nodes[i]);
    once.add(i);
  }
  const parents = graph.parents.slice();
  const below = new Uint8Array(nodes.length);
  for (const i of order) if (parents[i] >= 0 && (below[parents[i]] || once.has(parents[i]))) below[i] = 1;
  const roots: number[] = [];
  for (const i of once) {
    if (parents[i] >= 0) listedAgain(notes, 'nodes that the scene lists beside their parents', nodes[i]);
    if (below[i]) continue;
    parents[i] = -1;
    roots.push(i);
  }
  return { roots, graph: { nodes, parents, order } };
}
