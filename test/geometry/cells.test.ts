// Palette cells while a mesh is simplified: borders of colours are free to go, colours stay where they were and about as
// large, and what must not move does not.

import { describe, expect, test } from 'vitest';
import { type CellColors, loosenCells } from '../../src/geometry/hlod/cells.ts';
import { foldUvs } from '../../src/geometry/hlod/foldUvs.ts';
import { TriangleTree } from '../../src/geometry/lod/boundingVolumeHierarchy.ts';
import { type Level, LevelMaker } from '../../src/geometry/lod/levels.ts';
import { type SimplifiedPart, simplifyParts } from '../../src/geometry/lod/simplify.ts';
import { halfBits } from '../../src/geometry/mesh/pack.ts';
import type { PackedMesh, TriangleMesh } from '../../src/geometry/mesh/types.ts';
import { area, ground, pack, places, positionsOf, sphere, surface } from './packed.ts';

const unlocked = (words: Uint32Array) => new Uint8Array(words.length / 8);
const UVS: [number, number][] = [
  [0.25, 0.75],
  [0.75, 0.75],
];
const wordOf = ([u, v]: [number, number]) => (halfBits(u) | (halfBits(v) << 16)) >>> 0;
const COLORS: CellColors = new Map([
  [wordOf(UVS[0]), [0.8, 0.1, 0.1]],
  [wordOf(UVS[1]), [0.1, 0.1, 0.8]],
]);

/** A mesh whose squares of `edge` quads take turns between two cells; `cells` quads a side. */
async function chequered(mesh: TriangleMesh, cells: number, edge: number): Promise<PackedMesh> {
  const halves: number[][] = [[], []];
  for (let i = 0; i < mesh.indices.length; i += 6) {
    const quad = i / 6;
    const turn = Math.floor((quad % cells) / edge) + Math.floor(Math.floor(quad / cells) / edge);
    halves[turn % 2].push(...mesh.indices.subarray(i, i + 6));
  }
  const meshes = await Promise.all(halves.map((indices) => pack({ ...mesh, indices: Uint32Array.from(indices) })));
  return foldUvs(meshes, UVS);
}

const plate = () => surface(64, 64, (u, v) => [u * 16, 0, 16 - v * 16]);
const part = (mesh: PackedMesh, cells: CellColors | undefined = COLORS): SimplifiedPart => ({
  mesh,
  cards: false,
  textured: false,
  cells,
});

async function level(parts: readonly SimplifiedPart[], ratio: number, limit: number, locked = unlocked) {
  const made = await new LevelMaker(parts, locked).make(parts, { ratio, limit });
  if ('obstacle' in made) throw new Error(`left out: ${JSON.stringify(made)}`);
  return made;
}

const uvWords = ({ vertices, vertexCount }: PackedMesh) => {
  const words = new Uint32Array(vertices.slice().buffer);
  return Array.from({ length: vertexCount }, (_, v) => words[v * 8 + 5]);
};

/** The area of each cell; every triangle must lie in one. */
function areas(mesh: PackedMesh): number[] {
  const uvs = uvWords(mesh);
  const known = UVS.map(wordOf);
  const own: number[][] = [[], []];
  for (let i = 0; i < mesh.indices.length; i += 3) {
    const corners = [...mesh.indices.subarray(i, i + 3)];
    const [a, b, c] = corners.map((v) => uvs[v]);
    expect([b, c]).toEqual([a, a]);
    expect(known).toContain(a);
    own[known.indexOf(a)].push(...corners);
  }
  return own.map((indices) => area([{ ...mesh, indices: Uint32Array.from(indices) }]));
}

const only = (made: Level): PackedMesh => made.meshes[0] as PackedMesh;

describe('a chequered plate', () => {
  test('loses triangles that borders of colours would hold', async () => {
    // 4,096 squares of one quad: every inner position lies between colours.
    const mesh = await chequered(plate(), 64, 1);
    expect(mesh.indices.length / 3).toBe(8192);
    const held = await simplifyParts([{ ...part(mesh), textured: true, cells: undefined }], {
      triangles: 400,
      limit: 0.5,
      lockedVertices: unlocked,
    });
    expect(held.triangles).toBeGreaterThan(8000);
    const free = await level([part(mesh)], 400 / 8192, 0.5);
    expect(free.triangles).toBeLessThanOrEqual(400);
    expect(free.error).toBeLessThan(1e-5);
  });

  test.each([
    [4, 0.3],
    [4, 0.1],
    [8, 0.1],
    [1, 0.1],
  ])('of squares of %d quads has colours of as much area at %d of its triangles', async (edge, ratio) => {
    const made = only(await level([part(await chequered(plate(), 64, edge))], ratio, 0.5));
    const [red, blue] = areas(made);
    expect(red + blue).toBeCloseTo(256, 3);
    expect(Math.abs(red / 128 - 1)).toBeLessThan(0.15);
  });

  test('keeps the borders of large squares for as long as it can', async () => {
    // Four squares, 2 triangles each at least.
    const made = only(await level([part(await chequered(plate(), 64, 32))], 0.01, 0.5));
    const [red, blue] = areas(made);
    expect(made.indices.length / 3).toBeLessThanOrEqual(81);
    expect(Math.abs(red - blue)).toBeLessThan(0.02 * 256);
    // Where no triangle was taken away, none changes its colour: the middle of each square has its own.
    const positions = positionsOf(made);
    const uvs = uvWords(made);
    const tree = new TriangleTree(positions, Uint32Array.from(made.indices));
    for (const [x, z, cell] of [
      [4, 12, 0],
      [12, 4, 0],
      [4, 4, 1],
      [12, 12, 1],
    ]) {
      const nearest = tree.nearestTriangle(x, 0, z, () => true);
      expect(uvs[made.indices[nearest * 3]]).toBe(wordOf(UVS[cell]));
    }
  });

  test('keeps locked positions bit for bit, and gives the same bytes again', async () => {
    const mesh = await chequered(ground(0, 0, 16, 64), 64, 2);
    const onEdge = (words: Uint32Array) => {
      const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
      return Uint8Array.from({ length: words.length / 8 }, (_, v) => (floats[v * 8] === 16 ? 1 : 0));
    };
    const edge = (m: PackedMesh) => places([m]).filter((place) => place.startsWith('16,'));
    const made = await level([part(mesh)], 0.1, 0.5, onEdge);
    expect(edge(mesh).length).toBe(65);
    expect(edge(only(made))).toEqual(edge(mesh));
    expect(new Set(places([mesh]))).toEqual(new Set([...places([mesh]), ...places([only(made)])]));
    expect(await level([part(mesh)], 0.1, 0.5, onEdge)).toEqual(made);
  });
});

test('vertices of a level are those of the mesh but for their cells: nothing of the passage is left in them', async () => {
  const mesh = await chequered(sphere(0, 0, 0, 2, 16), 32, 2);
  const rows = ({ vertices, vertexCount }: PackedMesh, uvs: boolean) =>
    Array.from({ length: vertexCount }, (_, v) => {
      const words = [...new Uint32Array(vertices.slice(v * 32, v * 32 + 32).buffer)];
      if (!uvs) words[5] = 0;
      return words.join();
    });
  const made = only(await level([part(mesh)], 0.3, 0.5));
  const source = new Set(rows(mesh, false));
  expect(rows(made, false).filter((row) => !source.has(row))).toEqual([]);
  // And each once.
  expect(new Set(rows(made, true)).size).toBe(made.vertexCount);
});

test('tangents, which nothing in a cell needs, become the default and never lie along the normal', async () => {
  const mesh = await chequered(sphere(0, 0, 0, 2, 16), 32, 2);
  const { parts } = loosenCells([part(mesh)]);
  const words = new Uint32Array(parts[0].mesh.vertices.slice().buffer);
  const seen = new Set<string>();
  for (let v = 0; v < parts[0].mesh.vertexCount; v++) {
    const [normal, tangent] = words.subarray(v * 8 + 3, v * 8 + 5);
    // +X is 511, -X 513 in ten bits; +X and +Y with sign +1 in the upper two bits.
    const alongX = normal === 511 || normal === 513;
    expect(tangent).toBe(alongX ? 0x40000000 + 511 * 1024 : 0x40000000 + 511);
    seen.add(`${alongX}`);
  }
  expect([...seen].sort()).toEqual(['false', 'true']);
});

test('two sides of a sheet keep their own colours', async () => {
  const front = plate();
  const back = { ...front, normals: front.normals.map((n) => -n), indices: front.indices.slice().reverse() };
  const mesh = await foldUvs(await Promise.all([front, back].map(pack)), UVS);
  const { parts, bind } = loosenCells([part(mesh)]);
  const made = (await bind([parts[0].mesh]))[0] as PackedMesh;
  expect(made.indices.length).toBe(mesh.indices.length);
  const p = positionsOf(made);
  const uvs = uvWords(made);
  const sides = new Set<string>();
  for (let i = 0; i < made.indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => made.indices[i + k] * 3);
    const up = (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]) > 0;
    sides.add(`${up} ${uvs[made.indices[i]] === wordOf(UVS[0])}`);
  }
  expect([...sides].sort()).toEqual(['false false', 'true true']);
});

describe('a mesh of cells and texture', () => {
  /** Ground of two cells, and beside it ground whose UVs run over a texture. */
  const mixed = async () => {
    const cells = await chequered(ground(0, 0, 8, 32), 32, 4);
    const textured = await pack({ ...ground(8, 0, 8, 32), uv0: ground(8, 0, 8, 32).uv0.map((x) => x * 0.1) });
    const words = new Uint32Array([...cells.vertices, ...textured.vertices].length / 4);
    new Uint8Array(words.buffer).set(cells.vertices);
    new Uint8Array(words.buffer).set(textured.vertices, cells.vertices.length);
    const indices = Uint32Array.from([...cells.indices, ...textured.indices.map((i) => i + cells.vertexCount)]);
    return {
      vertexCount: cells.vertexCount + textured.vertexCount,
      vertices: new Uint8Array(words.buffer),
      indices,
      bounds: { min: cells.bounds.min, max: textured.bounds.max },
    };
  };

  test('is simplified as two that meet, and is one again', async () => {
    const made = await level([part(await mixed())], 0.2, 0.5);
    const mesh = only(made);
    expect(mesh.indices.length / 3).toBe(made.triangles);
    const uvs = uvWords(mesh);
    const inCell = (v: number) => COLORS.has(uvs[v]);
    const sides: PackedMesh[] = [true, false].map((wanted) => ({
      ...mesh,
      indices: mesh.indices.filter((_, i) => inCell(mesh.indices[i - (i % 3)]) === wanted),
    }));
    const along = (side: PackedMesh) => places([side]).filter((place) => place.startsWith('8,'));
    expect(along(sides[0]).length).toBeGreaterThan(1);
    expect(along(sides[0])).toEqual(along(sides[1]));
    expect(sides[1].indices.length).toBeGreaterThan(60);
    expect(area(sides.slice(0, 1))).toBeCloseTo(area(sides.slice(1)), -1);
  });

  test('has as many triangles in its parts as it has, and null for nothing', async () => {
    const mesh = await mixed();
    const { parts, bind } = loosenCells([part(mesh)]);
    expect(parts.map(({ textured }) => textured)).toEqual([false, true]);
    expect(parts.map(({ mesh: own }) => own.indices.length)).toEqual([6144, 6144]);
    // 33 x 33 positions; with their cells they were more.
    expect(parts.map(({ mesh: own }) => own.vertexCount)).toEqual([1089, 1089]);
    const [same] = await bind(parts.map(({ mesh: own }) => own));
    expect([same?.vertexCount, same?.indices.length]).toEqual([mesh.vertexCount, mesh.indices.length]);
    expect(await bind([null, null])).toEqual([null]);
    expect((await bind([null, parts[1].mesh]))[0]?.indices.length).toBe(6144);
  });
});

test('the nearest triangle is the one that looking at all of them finds, among those that fit', async () => {
  const mesh = await pack(sphere(0, 0, 0, 2, 10));
  const positions = positionsOf(mesh);
  const indices = Uint32Array.from(mesh.indices);
  const tree = new TriangleTree(positions, indices);
  const single = Array.from(
    { length: indices.length / 3 },
    (_, t) => new TriangleTree(positions, indices.slice(t * 3, t * 3 + 3)),
  );
  const distance = (t: number, p: number[]) => single[t].squaredDistance(Float64Array.of(...p), 0, 0, null, 0);
  let state = 5;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647) * 6 - 3;
  };
  const upper = (t: number) => positions[indices[t * 3] * 3 + 1] > 0.5;
  for (let i = 0; i < 200; i++) {
    const p = [random(), random(), random()];
    for (const fits of [() => true, upper]) {
      const found = tree.nearestTriangle(p[0], p[1], p[2], fits);
      expect(fits(found)).toBe(true);
      const least = Math.min(...single.map((_, t) => (fits(t) ? distance(t, p) : Infinity)));
      expect(distance(found, p)).toBe(least);
    }
  }
  expect(tree.nearestTriangle(0, 0, 0, () => false)).toBe(-1);
});
