// The normals of levels against their definition, corner by corner, in plain code.

import { expect, test } from 'vitest';
import { shadedMeshes } from '../../src/geometry/lod/levelNormals.ts';
import { acrossNormal } from '../../src/geometry/mesh/attributes.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { PositionIds } from '../../src/geometry/mesh/positionIds.ts';
import { type UnitedMeshes, uniteMeshes } from '../../src/geometry/mesh/united.ts';
import { cross, dot, lots, sub, type Vector } from './bruteForce.ts';
import { surface } from './packed.ts';

const DEGREE = Math.PI / 180;
const f32 = Math.fround;
const at = (values: ArrayLike<number>, i: number, size = 3): number[] =>
  Array.from({ length: size }, (_, k) => values[i * size + k]);
const times = (a: Vector, s: number): Vector => a.map((x) => x * s);
const length = (a: Vector): number => Math.sqrt(dot(a, a));

/** The unit normal of a triangle as float32, zeros without an area. */
function faceOf({ positions }: Float32Mesh, [a, b, c]: readonly number[]): Vector {
  const p = at(positions, a);
  const n = cross(sub(at(positions, b), p), sub(at(positions, c), p));
  return length(n) > 0 ? n.map((x) => f32(x / length(n))) : [0, 0, 0];
}

const trianglesOf = (indices: Uint32Array) => Array.from({ length: indices.length / 3 }, (_, t) => at(indices, t));

function groupBy<T, K>(all: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of all) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

interface Corner {
  readonly vertex: number;
  /** Null: that of the vertex. */
  readonly normal: Vector | null;
}

/** What each corner of a level is to have. */
function shaded(source: UnitedMeshes, ids: Uint32Array, textured: Uint8Array, level: Uint32Array): Corner[] {
  const { attributes, meshOf, positions } = source;
  const { normal, uv0, color0 } = attributes;
  const normalOf = (v: number) => at(normal, v);
  const leans = new Float32Array(source.vertexCount).fill(1);
  for (const triangle of trianglesOf(source.indices)) {
    for (const v of triangle) leans[v] = Math.min(leans[v], dot(normalOf(v), faceOf(source, triangle)));
  }
  const verticesAt = groupBy(ids.keys(), (v) => ids[v]);
  const isHard = (id: number) => {
    const [first, ...others] = verticesAt.get(id) as number[];
    return others.some((v) => meshOf[v] === meshOf[first] && dot(normalOf(v), normalOf(first)) < Math.cos(15 * DEGREE));
  };
  const isCurved = (v: number) => leans[v] <= Math.cos(2 * DEGREE) && !isHard(ids[v]);
  const isAllowed = (v: number, cos: number) => {
    const lean = Math.acos(Math.max(-1, leans[v]));
    const max = isCurved(v) ? 57 * DEGREE : Math.min(50 * DEGREE, 15 * DEGREE + 2 * lean);
    return cos >= Math.cos(15 * DEGREE) || cos >= Math.cos(Math.min(Math.PI, Math.max(lean + 5 * DEGREE, max)));
  };
  const isAlike = (v: number, w: number) =>
    meshOf[v] === meshOf[w] &&
    (textured[meshOf[v]] === 0 || !uv0 || at(uv0, v, 2).every((x, k) => x === uv0[w * 2 + k])) &&
    (!color0 || at(color0, v, 4).every((x, k) => x === color0[w * 4 + k]));

  // Vertices in place of others.
  const corners = [...level];
  const faces = trianglesOf(level).map((triangle) => faceOf(source, triangle));
  const face = (corner: number) => faces[Math.floor(corner / 3)];
  const bad = new Set<number>();
  for (const [i, v] of level.entries()) {
    const cos = (w: number) => dot(normalOf(w), face(i));
    if (isAllowed(v, cos(v))) continue;
    const fitting = (verticesAt.get(ids[v]) as number[]).filter((w) => isAllowed(w, cos(w)) && isAlike(v, w));
    // The first of those that fit best.
    const best = fitting.reduce((a, b) => (a >= 0 && cos(a) >= cos(b) ? a : b), -1);
    if (best >= 0) corners[i] = best;
    else bad.add(i);
  }

  // New normals.
  const made = new Map<number, Vector>();
  const make = (i: number, n: Vector) =>
    made.set(
      i,
      n.map((x) => f32(Math.round(x * 4096) / 4096)),
    );
  for (const i of bad) {
    const n = normalOf(corners[i]);
    const side = sub(n, times(face(i), dot(n, face(i))));
    const sine = length(side) > 1e-3 ? Math.sin(52 * DEGREE) / length(side) : 0;
    if (isCurved(corners[i])) {
      make(
        i,
        face(i).map((x, k) => Math.cos(52 * DEGREE) * x + sine * side[k]),
      );
    }
  }
  const cornersAt = groupBy(corners.keys(), (i) => ids[corners[i]]);
  for (const id of new Set([...bad].map((i) => ids[corners[i]]))) {
    const around = cornersAt.get(id) as number[];
    const crease = Math.cos((isHard(id) ? 25 : 50) * DEGREE);
    const endsOf = (i: number) => {
      const first = i - (i % 3);
      return [1, 2].map((k) => ids[corners[first + ((i + k) % 3)]]);
    };
    // At each edge, a corner joins the nearest one before it that it is smooth with.
    const group = new Map(around.map((i) => [i, i]));
    for (const end of new Set(around.flatMap(endsOf))) {
      const there = around.filter((i) => endsOf(i).includes(end));
      for (const [n, i] of there.entries()) {
        const other = there.slice(0, n).findLast((j) => dot(face(i), face(j)) >= crease);
        if (other === undefined) continue;
        const [from, to] = [group.get(i), group.get(other)];
        for (const [j, g] of group) if (g === from || g === to) group.set(j, Math.min(from!, to!));
      }
    }
    for (const [root, own] of groupBy(around, (i) => group.get(i))) {
      expect(own[0]).toBe(root);
      if (!own.some((i) => bad.has(i) && !isCurved(corners[i]))) continue;
      let sum: Vector = [0, 0, 0];
      for (const i of own) {
        const weight = angleAt(positions, corners, i);
        sum = sum.map((x, k) => x + face(i)[k] * weight);
      }
      const mean = Math.hypot(...sum) > 0 ? sum.map((x) => x / Math.hypot(...sum)) : [0, 0, 0];
      for (const i of own.filter((c) => !isCurved(corners[c]))) {
        make(i, dot(mean, face(i)) < Math.cos(52 * DEGREE) ? face(i) : mean);
      }
    }
  }
  return corners.map((vertex, i) => {
    const n = made.get(i);
    return { vertex, normal: n?.some((x) => x !== 0) ? n : null };
  });
}

function angleAt(positions: Float32Array, corners: readonly number[], i: number): number {
  const first = i - (i % 3);
  const [a, b, c] = [0, 1, 2].map((k) => at(positions, corners[first + ((i + k) % 3)]));
  return Math.atan2(length(cross(sub(b, a), sub(c, a))), dot(sub(b, a), sub(c, a)));
}

/** The normal and the tangent of each corner. */
function cornersOf(source: UnitedMeshes, made: readonly Corner[]): string[] {
  const { positions, attributes } = source;
  const uv0 = attributes.uv0 as Float32Array;
  const all = made.map(({ vertex }) => vertex);
  const key = ({ vertex, normal }: Corner) => `${vertex}:${normal?.map((x) => (Object.is(x, -0) ? '-0' : x))}`;
  const sharing = groupBy(made.keys(), (i) => key(made[i]));
  const across = (n: Vector, direction: Vector): Vector | null => {
    const part = sub(direction, times(n, dot(direction, n)));
    return length(part) > 1e-3 ? part.map((x) => f32(x / length(part))) : null;
  };
  return made.map((corner) => {
    const { vertex, normal } = corner;
    const tangent = at(attributes.tangent as Float32Array, vertex, 4);
    if (normal === null) return [vertex, ...at(attributes.normal, vertex), ...tangent].join(' ');
    const n = normal.map((x) => f32(x / length(normal)));
    let sum: Vector = [0, 0, 0];
    for (const i of sharing.get(key(corner)) as number[]) {
      const first = i - (i % 3);
      const [b, c] = [1, 2].map((k) => all[first + ((i + k) % 3)]);
      const [u1, v1] = sub(at(uv0, b, 2), at(uv0, vertex, 2));
      const [u2, v2] = sub(at(uv0, c, 2), at(uv0, vertex, 2));
      const p = at(positions, vertex);
      const [pb, pc] = [sub(at(positions, b), p), sub(at(positions, c), p)];
      const grows = times(
        pb.map((x, k) => v2 * x - v1 * pc[k]),
        Math.sign(u1 * v2 - u2 * v1),
      );
      if (length(grows) > 0) sum = sum.map((x, k) => x + grows[k] * (angleAt(positions, all, i) / length(grows)));
    }
    const fallback = new Float32Array(4);
    acrossNormal(Float32Array.from(n), 0, fallback, 0);
    const along = across(n, sum) ?? across(n, tangent.slice(0, 3)) ?? (across(n, [...fallback].slice(0, 3)) as Vector);
    return [vertex, ...n, ...along, tangent[3]].join(' ');
  });
}

/** Triangles by their corners, whichever comes first, in no order. */
function canonical(corners: readonly string[]): string[] {
  const triangles: string[] = [];
  for (let i = 0; i < corners.length; i += 3) {
    const turned = [0, 1, 2].map((k) => [0, 1, 2].map((j) => corners[i + ((j + k) % 3)]).join(' | '));
    triangles.push(turned.sort()[0]);
  }
  return triangles.sort();
}

/** With tangents, and colours of a few kinds. */
function dressed(mesh: Float32Mesh, random: () => number): Float32Mesh {
  const tangent = new Float32Array(mesh.vertexCount * 4);
  const color0 = new Uint8Array(mesh.vertexCount * 4).fill(255);
  for (let v = 0; v < mesh.vertexCount; v++) {
    acrossNormal(mesh.attributes.normal, v * 3, tangent, v * 4);
    if (v % 2 === 1) tangent[v * 4 + 3] = -1;
    if (random() < 0.1) color0[v * 4] = 7;
  }
  return { ...mesh, attributes: { ...mesh.attributes, tangent, color0 } };
}

/** Every triangle with vertices of its own, which have its normal. */
function faceted(mesh: Float32Mesh): Float32Mesh {
  const { indices, positions, attributes } = mesh;
  const normal = trianglesOf(indices).flatMap((triangle) => [0, 1, 2].flatMap(() => [...faceOf(mesh, triangle)]));
  return {
    vertexCount: indices.length,
    positions: Float32Array.from([...indices].flatMap((v) => at(positions, v))),
    attributes: {
      normal: Float32Array.from(normal),
      uv0: Float32Array.from([...indices].flatMap((v) => at(attributes.uv0 as Float32Array, v, 2))),
    },
    indices: Uint32Array.from(indices.keys()),
  };
}

/** A flat fan around a point, and a steep skirt below it. */
function hat(sides: number): Float32Mesh {
  const ring = (radius: number, y: number) =>
    Array.from({ length: sides }, (_, i) => [
      20 + radius * Math.cos((i / sides) * 2 * Math.PI),
      y,
      radius * Math.sin((i / sides) * 2 * Math.PI),
    ]);
  const points = [[20, 5, 0], ...ring(1, 5), ...ring(1.5, 1)];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const next = (i + 1) % sides;
    indices.push(0, 1 + next, 1 + i, 1 + i, 1 + next, 1 + sides + i);
    indices.push(1 + next, 1 + sides + next, 1 + sides + i);
  }
  return {
    vertexCount: points.length,
    positions: Float32Array.from(points.flat()),
    attributes: {
      normal: Float32Array.from(points.flatMap(() => [0, 1, 0])),
      uv0: Float32Array.from(points.flatMap(([x, , z]) => [x, z])),
    },
    indices: Uint32Array.from(indices),
  };
}

test.each([1, 2, 3])('are what the definition says, on hills, on facets and around a point (seed %d)', async (seed) => {
  const random = lots(seed * 7919);
  const hills = () => {
    const grown = surface(12, 9, (u, v) => [u * 12, Math.sin(u * 9) * (0.2 + v) + random() * 0.4, v * 9]);
    return grown;
  };
  const sides = 40;
  const meshes = [hills(), faceted(hills()), mergeMeshes([hat(sides), faceted(hat(5))])];
  const source = uniteMeshes(meshes.map((mesh) => dressed(mesh, random)));
  const positionIds = new PositionIds();
  const ids = positionIds.of(source.positions);
  const textured = Uint8Array.of(1, 0, 1);

  // As a collapse does it: some corners move to another vertex of their mesh, and triangles are left out.
  const level: number[] = [];
  for (const triangle of trianglesOf(source.indices)) {
    if (random() < 0.2) continue;
    const mesh = source.meshOf[triangle[0]];
    const [first, end] = [source.firstVertex[mesh], source.firstVertex[mesh + 1]];
    const moved = triangle.map((v) =>
      random() < 0.25 ? Math.max(first, Math.min(end - 1, v + Math.floor(random() * 30) - 15)) : v,
    );
    if (new Set(moved.map((v) => ids[v])).size === 3) level.push(...moved);
  }
  // The hat becomes a cone: all corners at its top lean too far.
  const top = source.firstVertex[2];
  for (let i = 0; i < sides; i++) level.push(top, top + 1 + sides + ((i + 1) % sides), top + 1 + sides + i);

  const indices = Uint32Array.from(level);
  const wanted = shaded(source, ids, textured, indices);
  expect(wanted.filter(({ normal }) => normal !== null).length).toBeGreaterThan(sides);
  expect(wanted.some(({ vertex, normal }, i) => normal === null && vertex !== level[i])).toBe(true);
  const meshesOf = shadedMeshes(source, ids, positionIds.count, textured, indices);
  const found = meshesOf.flatMap((picked, m) => {
    const { mesh, vertices } = picked!;
    return [...mesh.indices].map((v) => {
      const vertex = vertices[v] + source.firstVertex[m];
      expect(at(mesh.positions, v)).toEqual(at(source.positions, vertex));
      expect(at(mesh.attributes.uv0!, v, 2)).toEqual(at(source.attributes.uv0!, vertex, 2));
      expect(at(mesh.attributes.color0!, v, 4)).toEqual(at(source.attributes.color0!, vertex, 4));
      return [vertex, ...at(mesh.attributes.normal, v), ...at(mesh.attributes.tangent!, v, 4)].join(' ');
    });
  });
  expect(canonical(found)).toEqual(canonical(cornersOf(source, wanted)));
  // No two vertices of a mesh are the same one.
  for (const [m, picked] of meshesOf.entries()) {
    const own = found.slice(
      ...[m, m + 1].map((n) => meshesOf.slice(0, n).reduce((sum, p) => sum + p!.mesh.indices.length, 0)),
    );
    expect(new Set(own).size).toBe(picked!.mesh.vertexCount);
  }
});
