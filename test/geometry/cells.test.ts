// Palette cells while a mesh is simplified: borders of colours are free to go, colours stay where they were and about as
// large, and what must not move does not.

import { describe, expect, test } from 'vitest';
import { rounded } from '../../src/formats/rounded.ts';
import { roundValues } from '../../src/formats/untold/mesh/vertexWords.ts';
import { atlasUvs } from '../../src/geometry/hlod/atlasUvs.ts';
import { CellColors } from '../../src/geometry/hlod/cellColors.ts';
import { loosenCells } from '../../src/geometry/hlod/cells.ts';
import { nearestTriangles } from '../../src/geometry/lod/boundingVolumeHierarchy.ts';
import { type Level, LevelMaker } from '../../src/geometry/lod/levels.ts';
import type { SimplifiedMesh } from '../../src/geometry/lod/simplifiedMesh.ts';
import { simplifyParts } from '../../src/geometry/lod/simplify.ts';
import { SEMANTICS } from '../../src/geometry/mesh/attributes.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import { bitsOf, type Float32Mesh, valuesOf } from '../../src/geometry/mesh/mesh.ts';
import type { PickedMesh } from '../../src/geometry/mesh/united.ts';
import { area, ground, places, sphere, stored, surface } from './packed.ts';

const unlocked = (positions: Float32Array) => new Uint8Array(positions.length / 3);
const UVS: [number, number][] = [
  [0.25, 0.75],
  [0.75, 0.75],
];
const COLORS = new CellColors();
COLORS.set(...UVS[0], [0.8, 0.1, 0.1]);
COLORS.set(...UVS[1], [0.1, 0.1, 0.8]);

const fold = (meshes: readonly Float32Mesh[]) => rounded(atlasUvs(meshes, UVS), roundValues);

/** A mesh whose squares of `edge` quads take turns between two cells; `cells` quads a side. */
async function chequered(mesh: Float32Mesh, cells: number, edge: number): Promise<Float32Mesh> {
  const halves: number[][] = [[], []];
  for (let i = 0; i < mesh.indices.length; i += 6) {
    const quad = i / 6;
    const turn = Math.floor((quad % cells) / edge) + Math.floor(Math.floor(quad / cells) / edge);
    halves[turn % 2].push(...mesh.indices.subarray(i, i + 6));
  }
  const meshes = await Promise.all(halves.map((indices) => stored({ ...mesh, indices: Uint32Array.from(indices) })));
  return fold(meshes);
}

const plate = () => surface(64, 64, (u, v) => [u * 16, 0, 16 - v * 16]);
const part = (mesh: Float32Mesh, cells: CellColors | undefined = COLORS): SimplifiedMesh => ({
  mesh,
  cards: false,
  textured: false,
  cells,
});

async function level(parts: readonly SimplifiedMesh[], ratio: number, limit: number, locked = unlocked) {
  const made = await new LevelMaker(parts, locked).make(parts, { ratio, limit });
  if ('obstacle' in made) throw new Error(`left out: ${JSON.stringify(made)}`);
  return made;
}

/** The number of each vertex's cell, -1 for none. */
const cellsOf = (mesh: Float32Mesh) => {
  const uv0 = valuesOf(mesh, 'uv0');
  return Array.from({ length: mesh.vertexCount }, (_, v) => COLORS.find(uv0[v * 2], uv0[v * 2 + 1]));
};

/** The area of each cell; every triangle must lie in one. */
function areas(mesh: Float32Mesh): number[] {
  const uvs = cellsOf(mesh);
  const own: number[][] = [[], []];
  for (let i = 0; i < mesh.indices.length; i += 3) {
    const corners = [...mesh.indices.subarray(i, i + 3)];
    const [a, b, c] = corners.map((v) => uvs[v]);
    expect([b, c]).toEqual([a, a]);
    expect(a).toBeGreaterThanOrEqual(0);
    own[a].push(...corners);
  }
  return own.map((indices) => area([{ ...mesh, indices: Uint32Array.from(indices) }]));
}

const only = (made: Level): Float32Mesh => made.meshes[0] as Float32Mesh;

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
    const { positions } = made;
    const uvs = cellsOf(made);
    for (const [x, z, cell] of [
      [4, 12, 0],
      [12, 4, 0],
      [4, 4, 1],
      [12, 12, 1],
    ]) {
      const [nearest] = nearestTriangles({ positions, indices: made.indices }, Float64Array.of(x, 0, z));
      expect(uvs[made.indices[nearest * 3]]).toBe(cell);
    }
  });

  test('keeps locked positions bit for bit, and gives the same bytes again', async () => {
    const mesh = await chequered(ground(0, 0, 16, 64), 64, 2);
    const onEdge = (positions: Float32Array) =>
      Uint8Array.from({ length: positions.length / 3 }, (_, v) => (positions[v * 3] === 16 ? 1 : 0));
    const edge = (m: Float32Mesh) => places([m]).filter((place) => place.startsWith('16,'));
    const made = await level([part(mesh)], 0.1, 0.5, onEdge);
    expect(edge(mesh).length).toBe(65);
    expect(edge(only(made))).toEqual(edge(mesh));
    expect(new Set(places([mesh]))).toEqual(new Set([...places([mesh]), ...places([only(made)])]));
    expect(await level([part(mesh)], 0.1, 0.5, onEdge)).toEqual(made);
  });
});

test('vertices of a level are those of the mesh but for their cells and for normals that follow its triangles: nothing of the passage is left in them', async () => {
  const mesh = await chequered(sphere(0, 0, 0, 2, 16), 32, 2);
  /** Bits of each vertex but for its tangent, which nothing in a cell has. */
  const rows = ({ positions, attributes, vertexCount }: Float32Mesh, uvs: boolean) =>
    Array.from({ length: vertexCount }, (_, v) => {
      const kept = SEMANTICS.filter(
        (semantic) => semantic !== 'tangent' && (uvs || (semantic !== 'uv0' && semantic !== 'normal')),
      );
      const arrays = [positions, ...kept.flatMap((semantic) => attributes[semantic] ?? [])].map(bitsOf);
      return arrays
        .map((bits) => {
          const size = bits.length / vertexCount;
          return bits.subarray(v * size, (v + 1) * size).join();
        })
        .join(' ');
    });
  const made = only(await level([part(mesh)], 0.3, 0.5));
  const source = new Set(rows(mesh, false));
  expect(rows(made, false).filter((row) => !source.has(row))).toEqual([]);
  // And each once.
  expect(new Set(rows(made, true)).size).toBe(made.vertexCount);
});

test('what lies in cells has no UVs and no tangents, which nothing in a cell needs', async () => {
  const mesh = await chequered(sphere(0, 0, 0, 2, 16), 32, 2);
  const { parts } = loosenCells([part(mesh)]);
  expect(Object.keys(parts[0].mesh.attributes).sort()).toEqual(['color0', 'normal']);
});

/** A mesh with all its vertices, as if simplification had kept them. */
const kept = (mesh: Float32Mesh): PickedMesh => ({
  mesh,
  vertices: Uint32Array.from({ length: mesh.vertexCount }, (_, v) => v),
});

test('two sides of a sheet keep their own colours', async () => {
  const front = plate();
  const back = { ...front, normals: front.attributes.normal.map((n) => -n), indices: front.indices.slice().reverse() };
  const mesh = await fold(await Promise.all([front, back].map(stored)));
  const { parts, bind } = loosenCells([part(mesh)]);
  const made = (await bind([kept(parts[0].mesh)]))[0] as Float32Mesh;
  expect(made.indices.length).toBe(mesh.indices.length);
  const p = made.positions;
  const uvs = cellsOf(made);
  const sides = new Set<string>();
  for (let i = 0; i < made.indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => made.indices[i + k] * 3);
    const up = (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]) > 0;
    sides.add(`${up} ${uvs[made.indices[i]] === 0}`);
  }
  expect([...sides].sort()).toEqual(['false false', 'true true']);
});

describe('a mesh of cells and texture', () => {
  /** Ground of two cells, and beside it ground whose UVs run over a texture. */
  const mixed = async () => {
    const cells = await chequered(ground(0, 0, 8, 32), 32, 4);
    const beside = ground(8, 0, 8, 32);
    const uv0 = valuesOf(beside, 'uv0').map((x) => x * 0.1);
    return mergeMeshes([cells, await stored({ ...beside, attributes: { ...beside.attributes, uv0 } })]);
  };

  test('is simplified as two that meet, and is one again', async () => {
    const made = await level([part(await mixed())], 0.2, 0.5);
    const mesh = only(made);
    expect(mesh.indices.length / 3).toBe(made.triangles);
    const uvs = cellsOf(mesh);
    const inCell = (v: number) => uvs[v] >= 0;
    const sides: Float32Mesh[] = [true, false].map((wanted) => ({
      ...mesh,
      indices: mesh.indices.filter((_, i) => inCell(mesh.indices[i - (i % 3)]) === wanted),
    }));
    const along = (side: Float32Mesh) => places([side]).filter((place) => place.startsWith('8,'));
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
    const [same] = await bind(parts.map(({ mesh: own }) => kept(own)));
    expect([same?.vertexCount, same?.indices.length]).toEqual([mesh.vertexCount, mesh.indices.length]);
    expect(await bind([null, null])).toEqual([null]);
    expect((await bind([null, kept(parts[1].mesh)]))[0]?.indices.length).toBe(6144);
  });
});
