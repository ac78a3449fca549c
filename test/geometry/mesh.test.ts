// The table of attributes: every verb treats each row as the table says, with values worked out by hand.

import { expect, test } from 'vitest';
import { splitMesh } from '../../src/geometry/cut/split.ts';
import { shadedMeshes } from '../../src/geometry/lod/levelNormals.ts';
import {
  type Attributes,
  acrossNormal,
  attributesFrom,
  kindOf,
  SEMANTICS,
} from '../../src/geometry/mesh/attributes.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import { type Float32Mesh, pickVertices, valuesOf } from '../../src/geometry/mesh/mesh.ts';
import { placementOf, placeVertices, vertexTarget } from '../../src/geometry/mesh/transform.ts';
import { joinMeshes, pickTriangles, uniteMeshes } from '../../src/geometry/mesh/united.ts';
import { weldMesh } from '../../src/geometry/mesh/weldMesh.ts';
import { scaling } from '../../src/scene/matrix.ts';
import { triangleMesh } from './meshes.ts';

const CORNERS = [
  [0, 0, 0],
  [4, 0, 0],
  [0, 0, -4],
] as const;

/** A triangle whose vertices have every attribute of the table: value v * 10 + k of a byte, unit axes for directions. */
function full(corners: readonly (readonly number[])[] = CORNERS): Float32Mesh {
  const attributes = attributesFrom((_, { array, components, cut }) => {
    const out = new array(corners.length * components);
    for (let v = 0; v < corners.length; v++) {
      for (let k = 0; k < components; k++) out[v * components + k] = cut === 'direction' ? +(k === 0) : v * 10 + k;
      if (cut === 'direction' && components > 3) out[v * components + 3] = v % 2 === 0 ? 1 : -1;
    }
    return out;
  });
  return triangleMesh(corners, [0, 1, 2], attributes);
}

test('every semantic has as many numbers a vertex as the table says', () => {
  const { attributes, vertexCount } = full();
  expect(Object.keys(attributes)).toEqual([...SEMANTICS]);
  for (const semantic of SEMANTICS) {
    expect(attributes[semantic]).toBeInstanceOf(kindOf(semantic).array);
    expect(attributes[semantic]?.length).toBe(vertexCount * kindOf(semantic).components);
  }
});

test('an absent attribute has its fallback everywhere: UV 0, white, and a tangent across the normal', () => {
  const mesh = triangleMesh(CORNERS, [0, 1, 2], { normal: Float32Array.of(0, 0, 1, 1, 0, 0, -1, 0, 0) });
  expect([...valuesOf(mesh, 'uv0')]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...valuesOf(mesh, 'color0')]).toEqual(new Array(12).fill(255));
  expect([...valuesOf(mesh, 'tangent')]).toEqual([1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const own = full();
  expect(valuesOf(own, 'uv0')).toBe(own.attributes.uv0);
});

test('a normal that was rounded to ten bits beside the axis is not parallel to it', () => {
  const tangentOf = (...normal: number[]) => {
    const out = new Float32Array(4);
    acrossNormal(Float32Array.from(normal), 0, out, 0);
    return [...out];
  };
  expect(tangentOf(511 / 511, 0, 0)).toEqual([0, 1, 0, 1]);
  expect(tangentOf(511 / 511, 1 / 511, 0)).toEqual([1, 0, 0, 1]);
  expect(tangentOf(Math.cos(0.0005), 0, Math.sin(0.0005))).toEqual([0, 1, 0, 1]);
  expect(tangentOf(0, 0, 0)).toEqual([1, 0, 0, 1]);
});

test('picked vertices bring all that they have', () => {
  const picked = pickVertices(full(), Uint32Array.of(2, 0), Uint32Array.of(0, 1, 1));
  expect([...picked.positions]).toEqual([0, 0, -4, 0, 0, 0]);
  expect([...picked.attributes.uv0!]).toEqual([20, 21, 0, 1]);
  expect([...picked.attributes.color0!]).toEqual([20, 21, 22, 23, 0, 1, 2, 3]);
  expect(picked.attributes.tangent!.length).toBe(8);
});

test.each(SEMANTICS)('vertices that differ in %s alone stay two', (semantic) => {
  const twin = (change: number): Float32Mesh => {
    const mesh = full([CORNERS[0], CORNERS[0], CORNERS[1]]);
    const attributes = attributesFrom((name, { components }) => {
      const values = mesh.attributes[name]!.slice();
      values.copyWithin(components, 0, components);
      if (name === semantic) values[components] += change;
      return values;
    });
    return { ...mesh, attributes };
  };
  expect(weldMesh(twin(1)).vertexCount).toBe(3);
  const welded = weldMesh(twin(0));
  expect([welded.vertexCount, [...welded.indices]]).toEqual([2, [0, 0, 1]]);
});

test('a cut interpolates what is linear, keeps directions unit and takes the rest from the nearer end, each by its row', () => {
  const pieces = splitMesh(full(), { x: [1], z: [] });
  const { mesh } = pieces[1];
  const v = Array.from({ length: mesh.vertexCount }, (_, i) => i).find(
    (i) => mesh.positions[i * 3] === 1 && mesh.positions[i * 3 + 2] === 0,
  )!;
  // A quarter of the way from vertex 0 to vertex 1.
  for (const semantic of SEMANTICS) {
    const { components, cut, array } = kindOf(semantic);
    const values = [...mesh.attributes[semantic]!.subarray(v * components, (v + 1) * components)];
    const linear = [2.5, 3.5, 4.5, 5.5].slice(0, components);
    // Bytes are rounded half to even.
    const rounded = [2, 4, 4, 6].slice(0, components);
    if (cut === 'direction') expect(values).toEqual([1, 0, 0, 1].slice(0, components));
    else if (cut === 'nearest') expect(values).toEqual([0, 1, 2, 3]);
    else expect(values).toEqual(Object.is(array, Uint8Array) ? rounded : linear);
  }
});

test('a matrix changes what the table says, and nothing else', () => {
  const mesh = full();
  const out = vertexTarget(mesh, 3);
  expect(Object.keys(out.attributes)).toEqual(SEMANTICS.filter((semantic) => kindOf(semantic).transform));
  placeVertices(mesh, placementOf(scaling(-2, 1, 1)), 0, 3, out);
  const { normal, tangent } = out.attributes as Required<Attributes>;
  expect([...normal.subarray(0, 3)].map((x) => x + 0)).toEqual([-1, 0, 0]);
  // Mirrored: the sign turns.
  expect([...tangent.subarray(0, 8)].map((x) => x + 0)).toEqual([-1, 0, 0, -1, -1, 0, 0, 1]);
});

test('merged meshes have what any of them has; united ones come apart again', async () => {
  const bare = triangleMesh(CORNERS, [0, 2, 1]);
  const merged = mergeMeshes([bare, full()]);
  expect(Object.keys(merged.attributes)).toEqual([...SEMANTICS]);
  expect([...merged.attributes.uv0!]).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 10, 11, 20, 21]);
  const united = uniteMeshes([bare, full()]);
  expect([[...united.firstVertex], [...united.meshOf]]).toEqual([
    [0, 3, 6],
    [0, 0, 0, 1, 1, 1],
  ]);
  const ids = Uint32Array.of(0, 1, 2, 0, 1, 2);
  const [first, second] = shadedMeshes(united, ids, 3, Uint8Array.of(0, 0), Uint32Array.of(3, 4, 5));
  expect(first).toBeNull();
  expect([...second!.vertices].sort()).toEqual([0, 1, 2]);
  const corner = [...second!.vertices].indexOf(2);
  expect([...second!.mesh.attributes.uv0!.subarray(corner * 2, corner * 2 + 2)]).toEqual([20, 21]);
  expect(uniteMeshes([]).vertexCount).toBe(0);
});

test('picked triangles leave unused vertices behind, and joined meshes share what is equal', async () => {
  const two = mergeMeshes([full(), full([...CORNERS].map(([x, y, z]) => [x + 9, y, z]))]);
  const { mesh, vertices } = await pickTriangles(two, Uint32Array.of(3, 4, 5));
  expect([mesh.vertexCount, [...vertices].sort()]).toEqual([3, [3, 4, 5]]);
  expect((await joinMeshes([full(), full()])).vertexCount).toBe(3);
});
