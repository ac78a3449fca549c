// What a glTF document draws at a moment, by the specification (glTF 2.0, 3.7.2, 3.7.3, 3.11 and appendix C), from what
// gltf-transform reads of it. It shares no code with the product.

import type { Accessor, AnimationSampler, Document, Mesh, Node, Primitive } from '@gltf-transform/core';
import type { InstancedMesh } from '@gltf-transform/extensions';
import { apply, I, inverted, type M, mul, slerped, trs } from '../../animation/arithmetic.ts';

/** A moment: a time of an animation, or the rest; and weights of morph targets by name that replace all others. */
export interface Moment {
  /** Its place in the list of animations; -1: at rest. */
  readonly animation: number;
  /** Seconds from the first key of the animation. */
  readonly time: number;
  /** Weights are 0 but for this target; undefined: as the file has them. */
  readonly target?: string;
}

export interface Local {
  readonly translation: readonly number[];
  readonly rotation: readonly number[];
  readonly scale: readonly number[];
  readonly weights: readonly number[];
}

export interface Triangle {
  /** Three corners of three numbers for each moment. */
  readonly tracks: readonly Float64Array[];
  /** At the first moment, by attribute: three corners. */
  readonly values: ReadonlyMap<string, readonly (readonly number[])[]>;
  readonly material: string;
  readonly node: Node;
}

const rowOf = (accessor: Accessor, i: number): number[] => accessor.getElement(i, []) as number[];

/** By target of a mesh, its name. */
export function targetNames(mesh: Mesh): string[] {
  const names = (mesh.getExtras().targetNames ?? []) as string[];
  const count = Math.max(0, ...mesh.listPrimitives().map((primitive) => primitive.listTargets().length));
  return Array.from({ length: count }, (_, t) => names[t] || `target_${t}`);
}

/** First and last key of an animation. */
export function spanOf(document: Document, animation: number): readonly [number, number] {
  const samplers = document.getRoot().listAnimations()[animation].listSamplers();
  const times = samplers.flatMap((sampler) => [...(sampler.getInput()?.getArray() ?? [])]);
  return [Math.min(...times), Math.max(...times)];
}

/** The value of a sampler; `size`: numbers of a value. */
function sampled(sampler: AnimationSampler, time: number, size: number, isRotation: boolean): number[] {
  const times = [...(sampler.getInput() as Accessor).getArray()!];
  const accessor = sampler.getOutput() as Accessor;
  const numbers = Array.from({ length: accessor.getCount() }, (_, i) => rowOf(accessor, i)).flat();
  const cubic = sampler.getInterpolation() === 'CUBICSPLINE';
  const row = (k: number) => numbers.slice(k * size, (k + 1) * size);
  const value = (k: number) => (cubic ? row(3 * k + 1) : row(k));
  const unit = (q: number[]) => (isRotation ? q.map((x) => x / Math.hypot(...q)) : q);
  const last = times.length - 1;
  if (time <= times[0]) return unit(value(0));
  if (time >= times[last]) return unit(value(last));
  const k = times.findLastIndex((one) => one <= time);
  if (sampler.getInterpolation() === 'STEP') return unit(value(k));
  const span = times[k + 1] - times[k];
  const s = (time - times[k]) / span;
  const [a, b] = [value(k), value(k + 1)];
  if (!cubic) return isRotation ? slerped(unit(a), unit(b), s) : a.map((x, i) => x + (b[i] - x) * s);
  const [out, into] = [row(3 * k + 2), row(3 * k + 3)];
  const mix = (x: number, i: number) =>
    (2 * s ** 3 - 3 * s ** 2 + 1) * x +
    span * (s ** 3 - 2 * s ** 2 + s) * out[i] +
    (-2 * s ** 3 + 3 * s ** 2) * b[i] +
    span * (s ** 3 - s ** 2) * into[i];
  return unit(a.map(mix));
}

/** The nodes of the default scene, parents before their children. */
export function nodesOf(document: Document): Node[] {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const nodes: Node[] = [];
  scene?.traverse((node) => {
    nodes.push(node);
  });
  return nodes;
}

/** Transforms and weights of all nodes at a moment. */
export function localsAt(document: Document, { animation, time, target }: Moment): Map<Node, Local> {
  const locals = new Map<Node, Local>();
  for (const node of nodesOf(document)) {
    const mesh = node.getMesh();
    const names = mesh ? targetNames(mesh) : [];
    const own = node.getWeights().length > 0 ? node.getWeights() : (mesh?.getWeights() ?? []);
    const weights = names.map((name, t) => (target === undefined ? (own[t] ?? 0) : name === target ? 1 : 0));
    locals.set(node, {
      translation: node.getTranslation(),
      rotation: node.getRotation(),
      scale: node.getScale(),
      weights,
    });
  }
  if (animation < 0) return locals;
  const [start] = spanOf(document, animation);
  for (const channel of document.getRoot().listAnimations()[animation].listChannels()) {
    const [node, sampler, path] = [channel.getTargetNode(), channel.getSampler(), channel.getTargetPath()];
    const local = node && locals.get(node);
    if (!node || !sampler || !path || !local) continue;
    const size = path === 'weights' ? local.weights.length : path === 'rotation' ? 4 : 3;
    locals.set(node, { ...local, [path]: sampled(sampler, start + time, size, path === 'rotation') });
  }
  return locals;
}

/** Node to world, by node. */
export function worldsOf(document: Document, locals: ReadonlyMap<Node, Local>): Map<Node, M> {
  const worlds = new Map<Node, M>();
  for (const node of nodesOf(document)) {
    const { translation, rotation, scale } = locals.get(node) as Local;
    const parent = node.getParentNode();
    const own = trs(translation, rotation, scale);
    worlds.set(node, parent ? mul(worlds.get(parent) as M, own) : own);
  }
  return worlds;
}

/** Vertices of the triangles of a primitive, three a triangle. */
function cornersOf(primitive: Primitive): number[] {
  const count = primitive.getAttribute('POSITION')!.getCount();
  const indices = [...(primitive.getIndices()?.getArray() ?? Array.from({ length: count }, (_, i) => i))];
  const mode = primitive.getMode();
  if (mode === 4) return indices;
  const triangles = Array.from({ length: Math.max(0, indices.length - 2) }, (_, i) => i);
  if (mode === 5)
    return triangles.flatMap((i) =>
      i % 2 === 0 ? [indices[i], indices[i + 1], indices[i + 2]] : [indices[i + 1], indices[i], indices[i + 2]],
    );
  if (mode === 6) return triangles.flatMap((i) => [indices[i + 1], indices[i + 2], indices[0]]);
  return [];
}

/** Where a node puts a vertex: its position or normal with targets added, then its skin or world. */
class Placing {
  readonly #world: M;
  readonly #joints: readonly M[] | null;
  readonly #weights: readonly number[];

  constructor(node: Node, instance: M, locals: ReadonlyMap<Node, Local>, worlds: ReadonlyMap<Node, M>) {
    this.#world = mul(worlds.get(node) ?? I, instance);
    this.#weights = locals.get(node)?.weights ?? [];
    const skin = node.getSkin();
    const binds = skin?.getInverseBindMatrices();
    this.#joints =
      skin?.listJoints().map((joint, j) => mul(worlds.get(joint) ?? I, binds ? rowOf(binds, j) : I)) ?? null;
  }

  #matrix(primitive: Primitive, v: number): M {
    const sets = [0, 1, 2].filter((k) => primitive.getAttribute(`JOINTS_${k}`));
    if (!this.#joints || sets.length === 0) return this.#world;
    const sum = new Array<number>(16).fill(0);
    let total = 0;
    for (const k of sets) {
      const [joints, weights] = [primitive.getAttribute(`JOINTS_${k}`)!, primitive.getAttribute(`WEIGHTS_${k}`)!];
      for (const [i, joint] of rowOf(joints, v).entries()) {
        const weight = rowOf(weights, v)[i];
        total += weight;
        for (let e = 0; e < 16; e++) sum[e] += weight * this.#joints[joint][e];
      }
    }
    return sum.map((value) => value / total);
  }

  #morphed(primitive: Primitive, semantic: string, v: number): number[] {
    const value = rowOf(primitive.getAttribute(semantic)!, v);
    for (const [t, target] of primitive.listTargets().entries()) {
      const deltas = target.getAttribute(semantic);
      if (!deltas || !this.#weights[t]) continue;
      for (const [k, delta] of rowOf(deltas, v).entries()) value[k] += this.#weights[t] * delta;
    }
    return value;
  }

  point(primitive: Primitive, v: number): number[] {
    return apply(this.#matrix(primitive, v), this.#morphed(primitive, 'POSITION', v));
  }

  /** A unit vector in world space. */
  normal(primitive: Primitive, v: number): number[] {
    const [x, y, z] = this.#morphed(primitive, 'NORMAL', v);
    const m = inverted(this.#matrix(primitive, v));
    const turned = [0, 4, 8].map((c) => m[c] * x + m[c + 1] * y + m[c + 2] * z);
    const length = Math.hypot(...turned);
    return turned.map((value) => value / length);
  }
}

const det = (m: M): number =>
  m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);

/** Where a node draws its mesh, below itself (EXT_mesh_gpu_instancing). */
function instancesOf(node: Node): readonly M[] {
  const instanced = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing');
  const [t, r, s] = ['TRANSLATION', 'ROTATION', 'SCALE'].map((name) => instanced?.getAttribute(name));
  const count = (t ?? r ?? s)?.getCount();
  if (count === undefined) return [I];
  return Array.from({ length: count }, (_, i) =>
    trs(t ? rowOf(t, i) : [0, 0, 0], r ? rowOf(r, i) : [0, 0, 0, 1], s ? rowOf(s, i) : [1, 1, 1]),
  );
}

/** Numbers of a corner that the cook keeps as they are. */
const KEPT = /^(TEXCOORD_0|COLOR_0)$/;

/** All triangles that have an area at the first moment. */
export function trianglesAt(document: Document, moments: readonly Moment[]): Triangle[] {
  const poses = moments.map((moment) => {
    const locals = localsAt(document, moment);
    return { locals, worlds: worldsOf(document, locals) };
  });
  const triangles: Triangle[] = [];
  for (const [node, instance] of nodesOf(document).flatMap((one) => instancesOf(one).map((at) => [one, at] as const))) {
    const placings = poses.map(({ locals, worlds }) => new Placing(node, instance, locals, worlds));
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      const corners = cornersOf(primitive);
      // A mirror turns triangles around (glTF 2.0, 3.7.4).
      const isMirrored = det(mul(poses[0].worlds.get(node) as M, instance)) < 0;
      for (let at = 0; isMirrored && at + 2 < corners.length; at += 3)
        [corners[at + 1], corners[at + 2]] = [corners[at + 2], corners[at + 1]];
      const tracks = placings.map((placing) => corners.map((v) => placing.point(primitive, v)));
      const semantics = primitive.listSemantics().filter((semantic) => KEPT.test(semantic));
      const columns = new Map(semantics.map((name) => [name, primitive.getAttribute(name)!]));
      const material = primitive.getMaterial()?.getName() ?? '';
      for (let at = 0; at + 2 < corners.length; at += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => tracks[0][at + k]);
        const [u, w] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
        const cross = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
        if (!(Math.hypot(...cross) > 0)) continue;
        const values = new Map<string, number[][]>();
        for (const [name, accessor] of columns)
          values.set(
            name,
            [0, 1, 2].map((k) => rowOf(accessor, corners[at + k])),
          );
        if (primitive.getAttribute('NORMAL'))
          values.set(
            'NORMAL',
            [0, 1, 2].map((k) => placings[0].normal(primitive, corners[at + k])),
          );
        const own = tracks.map((points) => Float64Array.from([0, 1, 2].flatMap((k) => points[at + k])));
        triangles.push({ tracks: own, values, material, node });
      }
    }
  }
  return triangles;
}
