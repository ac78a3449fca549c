// Poses of a glTF file by its specification (glTF 2.0, 3.7.3, 3.11 and appendix C): node hierarchy, animation samplers, skins.

import type { Json } from '../importers/gltf/build.ts';
import { apply, I, type M, mul, slerped, trs } from './arithmetic.ts';

export class GltfPoses {
  readonly #json: Json;
  readonly #bin: Uint8Array;

  constructor(json: Json, bin: Uint8Array) {
    this.#json = json;
    this.#bin = bin;
  }

  /** Elements of an accessor without sparse parts, as rows of numbers. */
  #rows(index: number): number[][] {
    const { bufferView, componentType, count, type, normalized, byteOffset = 0 } = this.#json.accessors[index];
    const view = this.#json.bufferViews[bufferView];
    const size = ({ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as Record<string, number>)[type];
    const bytes = ({ 5121: 1, 5123: 2, 5125: 4, 5126: 4 } as Record<number, number>)[componentType];
    const data = new DataView(this.#bin.buffer, this.#bin.byteOffset + (view.byteOffset ?? 0) + byteOffset);
    const stride = view.byteStride ?? size * bytes;
    const read = (at: number): number => {
      if (componentType === 5126) return data.getFloat32(at, true);
      const value = bytes === 1 ? data.getUint8(at) : bytes === 2 ? data.getUint16(at, true) : data.getUint32(at, true);
      return normalized ? value / (2 ** (8 * bytes) - 1) : value;
    };
    return Array.from({ length: count }, (_, i) =>
      Array.from({ length: size }, (_, k) => read(i * stride + k * bytes)),
    );
  }

  /** A sampler's value; `t` counts from 0 of the file. */
  #sample({ input, output, interpolation = 'LINEAR' }: Json, t: number, isRotation: boolean): number[] {
    const times = this.#rows(input).map(([time]) => time);
    const values = this.#rows(output);
    const cubic = interpolation === 'CUBICSPLINE';
    const value = (k: number) => (cubic ? values[3 * k + 1] : values[k]);
    const unit = (q: number[]) => (isRotation ? q.map((x) => x / Math.hypot(...q)) : q);
    if (t <= times[0]) return unit(value(0));
    const last = times.length - 1;
    if (t >= times[last]) return unit(value(last));
    const k = times.findLastIndex((time) => time <= t);
    if (interpolation === 'STEP') return unit(value(k));
    const td = times[k + 1] - times[k];
    const s = (t - times[k]) / td;
    if (!cubic) {
      const [a, b] = [unit(value(k)), unit(value(k + 1))];
      return isRotation ? slerped(a, b, s) : a.map((x, i) => x + (b[i] - x) * s);
    }
    const [a, out, into, b] = [values[3 * k + 1], values[3 * k + 2], values[3 * k + 3], values[3 * k + 4]];
    return unit(
      a.map(
        (x, i) =>
          (2 * s ** 3 - 3 * s ** 2 + 1) * x +
          td * (s ** 3 - 2 * s ** 2 + s) * out[i] +
          (-2 * s ** 3 + 3 * s ** 2) * b[i] +
          td * (s ** 3 - s ** 2) * into[i],
      ),
    );
  }

  /** Seconds of the first and the last key of an animation. */
  span(animation: number): [number, number] {
    const times = this.#json.animations[animation].samplers.flatMap(({ input }: Json) => this.#rows(input).flat());
    return [Math.min(...times), Math.max(...times)];
  }

  #globals(animation: number, t: number): M[] {
    const { nodes, animations = [] } = this.#json;
    const moved = new Map<string, number[]>();
    for (const { target, sampler } of animations[animation]?.channels ?? []) {
      const value = this.#sample(animations[animation].samplers[sampler], t, target.path === 'rotation');
      moved.set(`${target.node} ${target.path}`, value);
    }
    const parents = nodes.map(() => -1);
    nodes.forEach(({ children = [] }: Json, i: number) => {
      for (const child of children) parents[child] = i;
    });
    const local = (i: number): M => {
      const { matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = nodes[i];
      const own = (path: string, rest: number[]) => moved.get(`${i} ${path}`) ?? rest;
      return matrix ?? trs(own('translation', translation), own('rotation', rotation), own('scale', scale));
    };
    const globalOf = (i: number): M => (parents[i] < 0 ? local(i) : mul(globalOf(parents[i]), local(i)));
    return nodes.map((_: Json, i: number) => globalOf(i));
  }

  /** Positions of all vertices that triangles use, of every node with a mesh. Of more than four influences the four largest count. */
  pose(animation: number, t: number): number[][] {
    const { nodes, meshes, skins } = this.#json;
    const globals = this.#globals(animation, t);
    const points: number[][] = [];
    nodes.forEach((node: Json, n: number) => {
      if (node.mesh === undefined) return;
      for (const { attributes } of meshes[node.mesh].primitives) {
        const positions = this.#rows(attributes.POSITION);
        if (node.skin === undefined) {
          points.push(...positions.map((p) => apply(globals[n], p)));
          continue;
        }
        const { joints, inverseBindMatrices } = skins[node.skin];
        const binds = inverseBindMatrices === undefined ? joints.map(() => I) : this.#rows(inverseBindMatrices);
        const matrices = joints.map((joint: number, j: number) => mul(globals[joint], binds[j]));
        const sets = [0, 1].filter((k) => attributes[`JOINTS_${k}`] !== undefined);
        const indices = sets.map((k) => this.#rows(attributes[`JOINTS_${k}`]));
        const weights = sets.map((k) => this.#rows(attributes[`WEIGHTS_${k}`]));
        positions.forEach((p, v) => {
          const all = sets
            .flatMap((_, k) => indices[k][v].map((joint, i) => ({ joint, weight: weights[k][v][i] })))
            .sort((a, b) => b.weight - a.weight)
            .slice(0, 4);
          const sum = all.reduce((total, { weight }) => total + weight, 0);
          const out = [0, 0, 0];
          for (const { joint, weight } of all) {
            const moved = apply(matrices[joint], p);
            for (let c = 0; c < 3; c++) out[c] += (weight / sum) * moved[c];
          }
          points.push(out);
        });
      }
    });
    return points;
  }
}

/** JSON and binary chunk of a .glb. */
export function partsOfGlb(bytes: Uint8Array): { json: Json; bin: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  return { json, bin: bytes.subarray(28 + length) };
}
