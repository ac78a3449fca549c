// What is seen of levels: hard edges stay hard and smooth surfaces smooth, windows and other features of colour stay, and
// plants keep to their own outlines.

import { expect, test } from 'vitest';
import { plantedCards, thinCards } from '../../src/geometry/hlod/cards.ts';
import { ColorFeatures } from '../../src/geometry/lod/features.ts';
import { shadedMeshes } from '../../src/geometry/lod/levelNormals.ts';
import { type Level, LevelMaker } from '../../src/geometry/lod/levels.ts';
import { minOfOwn, minOfTile } from '../../src/geometry/lod/movedSurface.ts';
import type { SimplifiedMesh } from '../../src/geometry/lod/simplifiedMesh.ts';
import { simplifyParts } from '../../src/geometry/lod/simplify.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { PositionIds } from '../../src/geometry/mesh/positionIds.ts';
import { uniteMeshes } from '../../src/geometry/mesh/united.ts';
import { boundsOfPoints } from '../../src/scene/bounds.ts';
import type { Bounds } from '../../src/scene/types.ts';
import { area, sphere, stored, surface } from './packed.ts';

type Point = readonly [number, number, number];

const unlocked = (positions: Float32Array) => new Uint8Array(positions.length / 3);
const part = (mesh: Float32Mesh, more: Partial<SimplifiedMesh> = {}): SimplifiedMesh => ({
  mesh,
  cards: false,
  textured: false,
  ...more,
});
const row = (values: ArrayLike<number>, i: number): Point => [values[i * 3], values[i * 3 + 1], values[i * 3 + 2]];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: Point): Point => {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};
const degrees = (a: Point, b: Point) => (Math.acos(Math.max(-1, Math.min(1, dot(unit(a), unit(b))))) * 180) / Math.PI;

function faceNormal({ positions, indices }: Float32Mesh, t: number): Point {
  const [a, b, c] = [0, 1, 2].map((k) => row(positions, indices[t * 3 + k]));
  const [u, v] = [minus(b, a), minus(c, a)];
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

/** The greatest angle between a corner's normal and its triangle, in degrees. */
function greatestLean(mesh: Float32Mesh): number {
  let highest = 0;
  for (let i = 0; i < mesh.indices.length; i++) {
    const lean = degrees(row(mesh.attributes.normal, mesh.indices[i]), faceNormal(mesh, Math.floor(i / 3)));
    highest = Math.max(highest, lean);
  }
  return highest;
}

/** A panel of cells x cells quads from `corner` along `right` and `up`. */
const panel = (corner: Point, right: Point, up: Point, cells: number): Float32Mesh =>
  surface(cells, cells, (u, v) => [
    corner[0] + right[0] * u + up[0] * v,
    corner[1] + right[1] * u + up[1] * v,
    corner[2] + right[2] * u + up[2] * v,
  ]);

/** The six sides of a box, each with normals of its own. */
function box([x, y, z]: Point, [w, h, d]: Point, cells: number): Float32Mesh {
  return mergeMeshes([
    panel([x, y, z + d], [w, 0, 0], [0, h, 0], cells),
    panel([x + w, y, z], [-w, 0, 0], [0, h, 0], cells),
    panel([x + w, y, z + d], [0, 0, -d], [0, h, 0], cells),
    panel([x, y, z], [0, 0, d], [0, h, 0], cells),
    panel([x, y + h, z + d], [w, 0, 0], [0, 0, -d], cells),
    panel([x, y, z], [w, 0, 0], [0, 0, d], cells),
  ]);
}

async function simplified(mesh: Float32Mesh, triangles: number, limit: number, textured = false): Promise<Float32Mesh> {
  const made = await simplifyParts([part(mesh, { textured })], { triangles, limit, lockedVertices: unlocked });
  return made.meshes[0]!.mesh;
}

test('corners of a box keep the normals of their sides, however few triangles are left', async () => {
  const mesh = await stored(box([0, 0, 0], [8, 4, 6], 12));
  for (const triangles of [400, 60, 14]) {
    const level = await simplified(mesh, triangles, 3);
    expect(level.indices.length / 3).toBeLessThanOrEqual(triangles * 1.1);
    expect(greatestLean(level)).toBeLessThan(26);
  }
});

test('boxes that a collapse tilts are lit as they lie', async () => {
  const mesh = await stored(mergeMeshes([0, 1, 2, 3].map((i) => box([i * 3, 0, 0], [2, 1 + i * 0.3, 1.5], 4))));
  const level = await simplified(mesh, 24, 3);
  expect(greatestLean(level)).toBeLessThan(56);
});

test('a sphere stays smooth: corners keep the normals of the sphere', async () => {
  const mesh = await stored(sphere(0, 0, 0, 2, 24));
  const level = await simplified(mesh, 160, 1);
  expect(greatestLean(level)).toBeLessThan(60);
  let kept = 0;
  for (let i = 0; i < level.indices.length; i++) {
    const v = level.indices[i];
    if (degrees(row(level.attributes.normal, v), row(level.positions, v)) < 3) kept++;
  }
  // The others are slivers at the poles.
  expect(kept / level.indices.length).toBeGreaterThan(0.9);
});

test('a corner that no normal at its position fits gets one across which its tangent lies', async () => {
  // A roof of two slopes that share the vertices of their ridge; both are to lie steeper than they did.
  const flat: Float32Mesh = {
    vertexCount: 6,
    positions: Float32Array.of(0, 0, 1, 1, 0, 1, 0, 0.01, 0, 1, 0.01, 0, 0, 4, 0, 1, 4, 0),
    attributes: {
      normal: Float32Array.from([0, 1, 2, 3, 4, 5].flatMap(() => [0, 1, 0])),
      tangent: Float32Array.from([0, 1, 2, 3, 4, 5].flatMap(() => [1, 0, 0, -1])),
      uv0: Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1),
    },
    indices: Uint32Array.of(0, 1, 3, 0, 3, 2),
  };
  const united = uniteMeshes([flat]);
  const positionIds = new PositionIds();
  const ids = positionIds.of(united.positions);
  const steep = Uint32Array.of(0, 1, 5, 0, 5, 4);
  const [picked] = shadedMeshes(united, ids, positionIds.count, Uint8Array.of(1), steep);
  const { mesh, vertices } = picked!;
  expect(mesh.indices.length).toBe(6);
  expect(greatestLean(mesh)).toBeLessThan(1);
  for (const v of mesh.indices) {
    const tangent = mesh.attributes.tangent!.subarray(v * 4, v * 4 + 4);
    expect(dot([tangent[0], tangent[1], tangent[2]], row(mesh.attributes.normal, v))).toBeCloseTo(0, 5);
    expect(tangent[0]).toBeCloseTo(1, 5);
    expect(tangent[3]).toBe(-1);
    expect(row(mesh.positions, v)).toEqual(row(flat.positions, vertices[v]));
  }
});

test('windows of a house stay, although they lie close to its walls', async () => {
  const wall = await stored(box([0, 0, 0], [12, 9, 10], 16));
  const panes: Float32Mesh[] = [];
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 3; j++) panes.push(panel([1 + i * 2.8, 1 + j * 2.8, 10.02], [1.2, 0, 0], [0, 1.4, 0], 4));
  }
  const glass = await stored(mergeMeshes(panes));
  const tile = [part(wall), part(glass)];
  const make = async (twoPixels: number) => {
    const made = await new LevelMaker(tile, unlocked).make(tile, { ratio: 0.02, limit: 2, twoPixels });
    if ('obstacle' in made) throw new Error(made.obstacle);
    return made;
  };
  const kept = ({ meshes }: Level) => (meshes[1] ? area([meshes[1]]) / area([glass]) : 0);
  const near = await make(0.4);
  expect(kept(near)).toBeGreaterThan(0.7);
  expect(near.triangles).toBeLessThan(100);
  // From where two pixels cover more than a window, nobody misses it.
  expect(kept(await make(2))).toBeLessThan(0.7);
  expect(await make(0.4)).toEqual(near);
});

/** Quads of half a metre all over a ball of leaves. */
function crown(x: number, count: number): Float32Mesh[] {
  return Array.from({ length: count }, (_, i) => {
    const up = 1 - (2 * i + 1) / count;
    const [s, c] = [Math.sin(i * 2.399963), Math.cos(i * 2.399963)];
    const out = Math.sqrt(1 - up * up);
    const half = 0.25;
    const side: Point = [-s * half * 2, 0, -c * half * 2];
    const rise: Point = [-up * c * half * 2, out * half * 2, up * s * half * 2];
    const corner: Point = [
      x + out * c - (side[0] + rise[0]) / 2,
      3 + up - rise[1] / 2,
      -out * s - (side[2] + rise[2]) / 2,
    ];
    return panel(corner, side, rise, 1);
  });
}

test('cards stay within their own plants and grow little', async () => {
  const plants = await Promise.all([crown(0, 120), crown(5, 80)].map((cards) => stored(mergeMeshes(cards))));
  const mesh = await stored(mergeMeshes(plants));
  const boxes = plants.map(({ positions }) => boundsOfPoints(positions) as Bounds);
  const longest = (m: Float32Mesh) =>
    Math.max(
      ...Array.from(m.indices, (v, i) =>
        Math.hypot(...minus(row(m.positions, v), row(m.positions, m.indices[i % 3 === 2 ? i - 2 : i + 1]))),
      ),
    );
  for (const ratio of [0.5, 0.2, 0.02]) {
    const make = () => thinCards(plantedCards(mesh, new Uint8Array(mesh.vertexCount)), { ratio, maxGrowth: 1.49 });
    const { mesh: thinned } = await make();
    expect(thinned.indices.length).toBeLessThan(mesh.indices.length);
    expect(longest(thinned)).toBeLessThanOrEqual(longest(mesh) * 1.5);
    const vertices = boxes.map(({ min, max }) =>
      Array.from({ length: thinned.vertexCount }, (_, v) => row(thinned.positions, v)).filter((p) =>
        p.every((x, k) => x >= min[k] - 1e-4 && x <= max[k] + 1e-4),
      ),
    );
    // Every vertex lies in the box of a plant, each plant has some, and they reach to its outline.
    expect(vertices[0].length + vertices[1].length).toBe(thinned.vertexCount);
    vertices.forEach((own, i) => {
      const { min, max } = boundsOfPoints(Float32Array.from(own.flat())) as Bounds;
      for (let k = 0; k < 3; k++) expect(max[k] - min[k]).toBeGreaterThan(0.8 * (boxes[i].max[k] - boxes[i].min[k]));
    });
    expect(await make()).toEqual({ mesh: thinned, vertices: expect.anything() });
  }
});

test('a wall that a level sets back by more than its reach is found, and so are the triangles that it had', () => {
  // The front of a wall, four sides that lead to a back 0.3 m behind it, and a level that has the back alone.
  const [w, h, deep] = [8, 6, -0.3];
  const mesh: Float32Mesh = {
    vertexCount: 8,
    positions: Float32Array.of(
      ...[0, 0, 0, w, 0, 0, w, h, 0, 0, h, 0],
      ...[0, 0, deep, w, 0, deep, w, h, deep, 0, h, deep],
    ),
    attributes: { normal: Float32Array.from({ length: 24 }, (_, i) => (i % 3 === 2 ? 1 : 0)) },
    indices: Uint32Array.of(
      ...[0, 1, 2, 0, 2, 3],
      ...[0, 4, 1, 4, 5, 1, 1, 5, 2, 5, 6, 2, 2, 6, 3, 6, 7, 3, 3, 7, 0, 7, 4, 0],
    ),
  };
  const united = uniteMeshes([mesh]);
  const positionIds = new PositionIds();
  const ids = positionIds.of(united.positions);
  const features = new ColorFeatures(united, ids, positionIds.count, Uint8Array.of(0));
  const level = { positions: united.positions, indices: Uint32Array.of(4, 5, 6, 4, 6, 7), ids };
  for (const lowest of [minOfOwn, minOfTile]) {
    const moved = new Uint8Array(mesh.indices.length / 3);
    const ask = (reach: number, seen = 1) => lowest(features, level, { seen, reach, kept: 0.9 }, moved.fill(0));
    expect(ask(0.2)).toBeLessThan(0.1);
    expect([...moved.subarray(0, 2)]).toEqual([1, 1]);
    // The sides have gone, which are a seventh of the area.
    expect(ask(0.4)).toBeGreaterThan(0.75);
    expect([...moved.subarray(0, 2)]).toEqual([0, 0]);
    // Nobody sees the wall from where a pixel covers more than it.
    expect(ask(0.2, 20)).toBe(1);
    expect(lowest(features, { ...level, indices: united.indices }, { seen: 1, reach: 0.01, kept: 0.9 }, moved)).toBe(1);
  }
});

test('plants are found among 100,000 cards in a row or on a heap', () => {
  for (const step of [0.01, 0]) {
    const count = 100_000;
    const positions = new Float32Array(count * 9);
    const indices = new Uint32Array(count * 3);
    for (let c = 0; c < count; c++) {
      // Two rows with a gap in between; every card has some corner of its own.
      const z = c * step + (c < count / 2 ? 0 : 100);
      positions.set([-c * 1e-5, 0, z, 1, c * 1e-5, z, 0, 1 + c * 1e-5, z + 0.5], c * 9);
      for (let k = 0; k < 3; k++) indices[c * 3 + k] = c * 3 + k;
    }
    const mesh = { vertexCount: count * 3, positions, attributes: { normal: new Float32Array(count * 9) }, indices };
    const before = performance.now();
    const { plants } = plantedCards(mesh, new Uint8Array(mesh.vertexCount));
    expect(plants.starts.length - 1).toBe(2);
    expect(performance.now() - before).toBeLessThan(8000);
  }
});
