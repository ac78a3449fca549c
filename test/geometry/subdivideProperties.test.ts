import { expect, test } from 'vitest';
import type { PolygonMesh, Subdivision } from '../../src/scene/types.ts';
import { attribute, random } from './meshes.ts';
import {
  CATMULL_CLARK,
  cage,
  corners,
  creases,
  cube,
  edgeUse,
  faces,
  LOOP,
  outcome,
  point,
  refined,
  rows,
} from './subdivisions.ts';

const RULES = ['none', 'cornersOnly', 'cornersPlus1', 'cornersPlus2', 'boundaries', 'all'] as const;
const BOUNDARIES = ['none', 'edgeOnly', 'edgeAndCorner'] as const;
const SHARPNESSES = [0.3, 1, 1.5, 2.25, 10];

/** A grid with cells missing, some cut into triangles; random heights, creases, corners and seams. */
function terrain(next: () => number, triangles: boolean): PolygonMesh {
  const any = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const w = 2 + Math.floor(next() * 3);
  const points: number[][] = [];
  const list: number[][] = [];
  for (let y = 0; y <= w; y++) for (let x = 0; x <= w; x++) points.push([x + next() / 4, y + next() / 4, next()]);
  for (let y = 0; y < w; y++) {
    for (let x = 0; x < w; x++) {
      const a = y * (w + 1) + x;
      const [b, c, d] = [a + 1, a + w + 2, a + w + 1];
      if (next() < 0.15 && list.length > 0) continue;
      if (triangles || next() < 0.2) list.push([a, b, c], [a, c, d]);
      else list.push([a, b, c, d]);
    }
  }
  const flat = list.flat();
  const runs = list.flatMap((f) => (next() < 0.3 ? [[[f[0], f[1]], any(SHARPNESSES)] as const] : []));
  const sharp = points.flatMap((_, v) => (next() < 0.15 ? [[v, any(SHARPNESSES)] as const] : []));
  const subdivision: Subdivision = {
    ...(triangles ? LOOP : CATMULL_CLARK),
    faceVarying: any(RULES),
    boundary: any(BOUNDARIES),
    corners: corners(...sharp),
  };
  // Each value is the place of its vertex; every other one is torn.
  const torn = flat.map((v, c) => (next() < 0.2 ? points.length + c : v));
  const values = [...points, ...flat.map((v) => points[v])];
  const st = attribute(values, 'faceVarying', torn);
  return cage(points, list, { subdivision, creases: creases(...runs), uvs: new Map([['st', st]]) });
}

function each(count: number, visit: (mesh: PolygonMesh, next: () => number) => void): void {
  for (let seed = 0; seed < count; seed++) {
    const next = random(seed);
    visit(terrain(next, seed % 2 === 1), next);
  }
}

function withPoints(mesh: PolygonMesh, move: (p: number[]) => number[]): PolygonMesh {
  return { ...mesh, points: Float64Array.from(rows(mesh.points).flatMap(move)) };
}

test('a level has a vertex for every vertex and edge, and for every face but with Loop', () => {
  each(40, (mesh) => {
    const loop = mesh.subdivision!.scheme === 'loop';
    const first: number[][] = [];
    let at = 0;
    const counts = mesh.faceCounts ?? new Uint32Array(mesh.corners.length / 3).fill(3);
    for (const n of counts) {
      first.push([...mesh.corners.subarray(at, at + n)]);
      at += n;
    }
    const edges = edgeUse(first).size;
    const one = refined(mesh);
    expect(one.points.length / 3).toBe(mesh.points.length / 3 + edges + (loop ? 0 : counts.length));
    expect(faces(one)).toHaveLength(loop ? counts.length * 4 : mesh.corners.length);
    // Edges: two for each, and one a corner inside of the faces.
    expect(edgeUse(faces(one)).size).toBe(edges * 2 + mesh.corners.length);
    // Boundaries stay boundaries, nothing is torn.
    const open = (use: Map<string, number>) => [...use.values()].filter((n) => n === 1).length;
    expect(open(edgeUse(faces(one)))).toBe(open(edgeUse(first)) * 2);
  });
});

test('what is planar stays planar, exactly', () => {
  each(20, (mesh) => {
    const flat = refined(
      withPoints(mesh, ([x, y]) => [x, y, 0]),
      2,
    );
    for (const [, , z] of rows(flat.points)) expect(z).toBe(0);
  });
});

test('moving, turning and shearing commute with refinement', () => {
  const affine = ([x, y, z]: number[]) => [2 * x - y + 0.5 * z + 3, 0.25 * y + z - 7, x - 3 * z + 1];
  each(20, (mesh) => {
    const before = refined(withPoints(mesh, affine), 2);
    const after = withPoints(refined(mesh, 2), affine);
    before.points.forEach((x, i) => {
      expect(x).toBeCloseTo(after.points[i], 4);
    });
  });
});

test('points and values stay within the box of the cage', () => {
  each(20, (mesh) => {
    const fine = refined(mesh, 3);
    for (let k = 0; k < 3; k++) {
      const of = (list: ArrayLike<number>) => rows(list).map((p) => p[k]);
      const low = Math.min(...of(mesh.points)) - 1e-5;
      const high = Math.max(...of(mesh.points)) + 1e-5;
      for (const x of [...of(fine.points), ...of(fine.uvs.get('st')!.data)]) {
        expect(x >= low && x <= high).toBe(true);
      }
    }
  });
});

test('values that are the places of their vertices match the points away from seams', () => {
  each(20, (mesh) => {
    const joined = { ...mesh.uvs.get('st')!, indices: mesh.corners };
    // The smoothest rule and unsharpened corners: face-varying values are then no more than vertex values.
    const subdivision = { ...mesh.subdivision!, faceVarying: 'none' } as const;
    const fine = refined({ ...mesh, subdivision, uvs: new Map([['st', joined]]) }, 2);
    const { data, indices } = fine.uvs.get('st')!;
    fine.corners.forEach((v, c) => {
      for (let k = 0; k < 3; k++) expect(data[indices![c] * 3 + k]).toBeCloseTo(fine.points[v * 3 + k], 5);
    });
  });
});

test('a closed surface stays closed and keeps its winding', () => {
  const fine = refined(cube(), 3);
  const directed = new Set<string>();
  for (const f of faces(fine)) for (let k = 0; k < 4; k++) directed.add(`${f[k]} ${f[(k + 1) % 4]}`);
  expect(directed.size).toBe(6 * 64 * 4);
  for (const edge of directed) expect(directed.has(edge.split(' ').reverse().join(' '))).toBe(true);
  expect(fine.points.length / 3 - directed.size / 2 + 6 * 64).toBe(2);
});

test('the limit of a cube: its corners at 1/2, the middle of its sides at 68/81', () => {
  // Limit masks (Halstead et al. 1993): (n² v + 4 Σ edge neighbours + Σ face opposites) / (n (n + 5)). A corner of the
  // cube gives (9 + 4 - 1) / 24. The middle of a side, after a level, has edge points at 3/4 and corners at 5/9 around
  // it: (16 + 4 * 3 + 20/9) / 36.
  let cornerBefore = Infinity;
  let middleBefore = Infinity;
  for (const levels of [1, 2, 3] as const) {
    const fine = refined({ ...cube(), points: Float64Array.from(cube().points) }, levels);
    const corner = Math.abs(Math.abs(point(fine, 0)[0]) - 1 / 2);
    const middle = Math.abs(Math.abs(point(fine, 8)[2]) - 68 / 81);
    expect(corner).toBeLessThan(cornerBefore);
    expect(middle).toBeLessThan(middleBefore);
    cornerBefore = corner;
    middleBefore = middle;
  }
  expect(cornerBefore).toBeLessThan(0.01);
  expect(middleBefore).toBeLessThan(0.01);
});

test('the limit of a vertex is the same from every level', () => {
  const limits = ([1, 2, 3] as const).map((levels) => {
    const fine = refined({ ...cube(), points: Float64Array.from(cube().points) }, levels);
    const edge = [0, 0, 0];
    const opposite = [0, 0, 0];
    for (const f of faces(fine)) {
      const at = f.indexOf(0);
      if (at < 0) continue;
      const [next, across, before] = [1, 2, 3].map((k) => point(fine, f[(at + k) % 4]));
      for (let k = 0; k < 3; k++) {
        edge[k] += (next[k] + before[k]) / 2;
        opposite[k] += across[k];
      }
    }
    return point(fine, 0).map((x, k) => (9 * x + 4 * edge[k] + opposite[k]) / 24);
  });
  for (const limit of limits) for (const x of limit) expect(x).toBeCloseTo(-1 / 2, 12);
});

test('subsets keep their share of the faces', () => {
  each(20, (mesh, next) => {
    const count = mesh.faceCounts?.length ?? mesh.corners.length / 3;
    const faceSubsets = Int32Array.from({ length: count }, () => Math.floor(next() * 3) - 1);
    const fine = refined({ ...mesh, faceSubsets }, 2);
    for (const subset of [-1, 0, 1]) {
      let expected = 0;
      for (let f = 0; f < count; f++) {
        if (faceSubsets[f] !== subset) continue;
        expected += mesh.subdivision!.scheme === 'loop' ? 16 : (mesh.faceCounts?.[f] ?? 3) * 4;
      }
      expect(fine.faceSubsets!.filter((s) => s === subset)).toHaveLength(expected);
    }
  });
});

test('the same mesh gives the same bytes', () => {
  each(5, (mesh) => {
    expect(refined(mesh, 2)).toEqual(refined(mesh, 2));
  });
});

test('soups of faces that overlap, fold, turn and repeat end in finite points and sound indices', () => {
  for (let seed = 100; seed < 300; seed++) {
    const next = random(seed);
    const loop = seed % 3 === 0;
    const vertexCount = 3 + Math.floor(next() * 5);
    const points = Array.from({ length: vertexCount }, () => [next(), next(), next()]);
    const list = Array.from({ length: 1 + Math.floor(next() * 8) }, () =>
      Array.from({ length: loop ? 3 : 1 + Math.floor(next() * 6) }, () => Math.floor(next() * vertexCount)),
    );
    const flat = list.flat();
    const st = attribute(
      points.map(([x, y]) => [x, y]),
      'faceVarying',
      flat.map((v) => (next() < 0.3 ? Math.floor(next() * vertexCount) : v)),
    );
    const mesh = cage(points, list, {
      subdivision: { ...(loop ? LOOP : CATMULL_CLARK), faceVarying: RULES[seed % 6], boundary: BOUNDARIES[seed % 3] },
      creases: creases([flat.slice(0, 2).length === 2 ? flat.slice(0, 2) : [0, 1], 1.5]),
      colors: attribute(points, 'vertex'),
      uvs: new Map([['st', st]]),
    });
    const fine = refined(mesh, 2);
    expect(fine.points.every((x) => Math.abs(x) < 100)).toBe(true);
    expect(fine.corners.every((v) => v < fine.points.length / 3)).toBe(true);
    const values = fine.uvs.get('st')!;
    expect(values.data.every(Number.isFinite)).toBe(true);
    expect(values.indices).toHaveLength(fine.corners.length);
    expect(values.indices!.every((i) => i < values.data.length / 2)).toBe(true);
    expect(fine.colors!.data.length).toBe(fine.points.length);
  }
});

test('corners that repeat the one before are left out, with faces that collapse', () => {
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [9, 9, 9],
  ];
  const list = [
    [0, 0, 1],
    [0, 1, 1, 2, 3, 0],
    [1, 2],
  ];
  const faceValues = attribute([[5], [6], [7]], 'uniform');
  const cornerValues = attribute(
    list.flat().map((v) => [v]),
    'faceVarying',
  );
  const { mesh, said } = outcome(
    cage(points, list, {
      faceSubsets: Int32Array.of(4, 5, 6),
      holes: Uint8Array.of(0, 0, 1),
      colors: faceValues,
      uvs: new Map([
        ['bare', cornerValues],
        ['named', { ...cornerValues, indices: Uint32Array.from(list.flat().keys()) }],
      ]),
    }),
  );
  expect(said).toEqual(['UC2043 /Town/Roof left out 7 corners, among them those of 2 faces']);
  // The face 0 1 1 2 3 0 goes round: its first corner repeats its last.
  expect(faces(mesh).map(([v]) => v)).toEqual([1, 2, 3, 0]);
  expect([...mesh.faceSubsets!]).toEqual([5, 5, 5, 5]);
  expect([...mesh.holes!]).toEqual([0, 0, 0, 0]);
  expect([...mesh.colors!.indices!]).toEqual([1, 1, 1, 1]);
  for (const name of ['bare', 'named']) {
    const { data, indices } = mesh.uvs.get(name)!;
    expect([0, 4, 8, 12].map((c) => data[indices![c]])).toEqual([1, 2, 3, 0]);
  }
  // A vertex without faces stays where it is.
  expect(point(mesh, 4)).toEqual([9, 9, 9]);
});

test('a mesh of nothing but collapsed faces comes out empty', () => {
  const { mesh } = outcome(
    cage(
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
      [
        [0, 1, 1],
        [0, 0, 0],
      ],
      { uvs: new Map([['st', attribute([[1], [2], [3], [4], [5], [6]], 'faceVarying')]]) },
    ),
    2,
  );
  expect(mesh.corners).toHaveLength(0);
  expect(mesh.points).toHaveLength(6);
});

test('a vertex that ten thousand triangles share costs no more than they do', () => {
  const n = 10_000;
  const points = [[0, 0, 1], ...Array.from({ length: n }, (_, k) => [Math.cos(k), Math.sin(k), 0])];
  const fan = Array.from({ length: n }, (_, k) => [0, k + 1, ((k + 1) % n) + 1]);
  const spokes = Array.from({ length: n }, (_, k) => [[0, k + 1], 2] as const);
  const st = attribute(
    fan.map((_, k) => [k, 0]),
    'faceVarying',
    fan.flatMap((_, k) => [k, k, k]),
  );
  const mesh = refined(
    cage(points, fan, { subdivision: LOOP, creases: creases(...spokes), uvs: new Map([['st', st]]) }),
  );
  expect(point(mesh, 0)).toEqual([0, 0, 1]);
  expect(mesh.points.length / 3).toBe(n + 1 + 2 * n);
  expect(mesh.creases!.lengths).toHaveLength(2 * n);
});
