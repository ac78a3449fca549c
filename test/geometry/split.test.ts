import { describe, expect, test } from 'vitest';
import { type SplitPiece, splitMesh } from '../../src/geometry/cut/split.ts';
import { type Attributes, SEMANTICS } from '../../src/geometry/mesh/attributes.ts';
import { bitsOf, type Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import type { CutPlanes } from '../../src/scene/planes.ts';
import { random, triangleMesh } from './meshes.ts';

type Point = readonly [number, number, number];

/** Bits of each vertex's position as a word. */
const positionKeys = new WeakMap<Float32Mesh, string[]>();

function positionKey(mesh: Float32Mesh, v: number): string {
  let keys = positionKeys.get(mesh);
  if (!keys) {
    const { positions, vertexCount } = mesh;
    const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
    keys = Array.from({ length: vertexCount }, (_, i) => `${bits[i * 3]},${bits[i * 3 + 1]},${bits[i * 3 + 2]}`);
    positionKeys.set(mesh, keys);
  }
  return keys[v];
}

/** Bits of all that a vertex holds as a word. */
function vertexKey(mesh: Float32Mesh, v: number): string {
  const values = SEMANTICS.map((semantic) => {
    const data = mesh.attributes[semantic];
    const words = data ? data.byteLength / 4 / mesh.vertexCount : 0;
    return data
      ? bitsOf(data)
          .subarray(v * words, (v + 1) * words)
          .join()
      : '';
  });
  return [positionKey(mesh, v), ...values].join(' ');
}

/** The triangles as words, each from its least corner on, sorted: equal for equal triangles in whatever order. */
function faces(mesh: Float32Mesh, key: (mesh: Float32Mesh, v: number) => string): string[] {
  const out: string[] = [];
  for (let i = 0; i < mesh.indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => key(mesh, mesh.indices[i + k]));
    const min = corners.indexOf([...corners].sort()[0]);
    out.push([0, 1, 2].map((k) => corners[(min + k) % 3]).join(' | '));
  }
  return out.sort();
}

/** Triangles in the plane y = 0, as 'x,z x,z x,z' from the least corner on. */
const flatFaces = (mesh: Float32Mesh) =>
  faces(mesh, ({ positions: p }, v) => `${p[v * 3]},${p[v * 3 + 2]}`).map((face) => face.replaceAll(' | ', ' '));

/** Those of each cell, by 'column row'. */
function flatCells(pieces: readonly SplitPiece[]): Record<string, string[]> {
  return Object.fromEntries(pieces.map(({ column, row, mesh }) => [`${column} ${row}`, flatFaces(mesh)]));
}

/** A mesh in the plane y = 0 facing up, from [x, z]. */
function flat(points: readonly (readonly [number, number])[], indices: readonly number[]): Float32Mesh {
  return triangleMesh(
    points.map(([x, z]) => [x, 0, z]),
    indices,
    { normal: Float32Array.from(points.flatMap(() => [0, 1, 0])) },
  );
}

/** Doubled area vectors of a mesh's triangles: their sum, and the sum of their lengths. */
function areas({ positions: p, indices }: Float32Mesh): { vector: number[]; total: number } {
  const vector = [0, 0, 0];
  let total = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
    const v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (let k = 0; k < 3; k++) vector[k] += cross[k];
    total += Math.hypot(...cross);
  }
  return { vector, total };
}

/** How often each directed edge occurs, by its ends' bits; `wanted` may choose. */
function directedEdges(meshes: readonly Float32Mesh[]): Map<string, number> {
  const edges = new Map<string, number>();
  for (const mesh of meshes) {
    for (let i = 0; i < mesh.indices.length; i++) {
      const next = i % 3 === 2 ? i - 2 : i + 1;
      const edge = `${positionKey(mesh, mesh.indices[i])}>${positionKey(mesh, mesh.indices[next])}`;
      edges.set(edge, (edges.get(edge) ?? 0) + 1);
    }
  }
  return edges;
}

const reversed = (edge: string) => edge.split('>').reverse().join('>');

/** Edges that their reverses do not match. */
function openEdges(edges: Map<string, number>): string[] {
  return [...edges].filter(([edge, times]) => edges.get(reversed(edge)) !== times).map(([edge]) => edge);
}

/** That no vertex is outside of its piece's cell, and no triangle has two corners in one place. */
function expectInCells(pieces: readonly SplitPiece[], planes: CutPlanes): void {
  for (const { column, row, mesh } of pieces) {
    for (let v = 0; v < mesh.vertexCount; v++) {
      const x = mesh.positions[v * 3];
      const z = mesh.positions[v * 3 + 2];
      const isInside =
        x >= (planes.x[column - 1] ?? -Infinity) &&
        x <= (planes.x[column] ?? Infinity) &&
        z >= (planes.z[row - 1] ?? -Infinity) &&
        z <= (planes.z[row] ?? Infinity);
      if (!isInside) throw new Error(`(${x}, ${z}) in column ${column}, row ${row}`);
    }
    for (let i = 0; i < mesh.indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => positionKey(mesh, mesh.indices[i + k]));
      if (a === b || b === c || c === a) throw new Error(`corners coincide in column ${column}, row ${row}`);
    }
  }
}

const RIGHT_ANGLE = flat(
  [
    [0, 0],
    [0, 4],
    [4, 0],
  ],
  [0, 1, 2],
);

describe('one triangle', () => {
  test('and one plane: a quad, cut along the diagonal with the better triangles, and a triangle', () => {
    // The quad (0,0) (0,4) (2,2) (2,0). Area over longest edge squared: 4/16 and 2/8 along (0,0)-(2,2), 4/20 and 2/20
    // along the other diagonal.
    expect(flatCells(splitMesh(RIGHT_ANGLE, { x: [2], z: [] }))).toEqual({
      '0 0': ['0,0 0,4 2,2', '0,0 2,2 2,0'],
      '1 0': ['2,0 2,2 4,0'],
    });
    expect(flatCells(splitMesh(RIGHT_ANGLE, { x: [], z: [3] }))).toEqual({
      '0 0': ['0,0 0,3 1,3', '0,0 1,3 4,0'],
      '0 1': ['0,3 0,4 1,3'],
    });
  });

  test('and two planes: the band between them has all four cuts', () => {
    const pieces = splitMesh(RIGHT_ANGLE, { x: [1, 3], z: [] });
    expect(pieces.map(({ column, row }) => [column, row])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
    expect(flatCells(pieces)).toEqual({
      '0 0': ['0,0 0,4 1,3', '0,0 1,3 1,0'],
      '1 0': ['1,0 1,3 3,1', '1,0 3,1 3,0'],
      '2 0': ['3,0 3,1 4,0'],
    });
  });

  test('and planes of both axes: four cells, which share the point where the planes cross', () => {
    const pieces = splitMesh(RIGHT_ANGLE, { x: [1], z: [1] });
    expect(pieces.map(({ column, row }) => [column, row])).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
    const doubled = pieces.map(({ mesh }) => areas(mesh).vector);
    expect(doubled).toEqual([
      [0, 2, 0],
      [0, 5, 0],
      [0, 5, 0],
      [0, 4, 0],
    ]);
    const corners = pieces.map(({ mesh: { positions: p, vertexCount } }) =>
      Array.from({ length: vertexCount }, (_, v) => `${p[v * 3]},${p[v * 3 + 2]}`).sort(),
    );
    expect(corners).toEqual([
      ['0,0', '0,1', '1,0', '1,1'],
      ['1,0', '1,1', '3,1', '4,0'],
      ['0,1', '0,4', '1,1', '1,3'],
      ['1,1', '1,3', '3,1'],
    ]);
    expect(pieces[3].mesh.indices).toHaveLength(3);
  });

  test('is left alone by planes that it does not pass', () => {
    const planes = { x: [-1, 0, 4, 9], z: [-3, 4] };
    expect(splitMesh(RIGHT_ANGLE, planes)).toEqual([{ column: 2, row: 1, mesh: RIGHT_ANGLE }]);
    expect(splitMesh(RIGHT_ANGLE, planes)[0].mesh).toBe(RIGHT_ANGLE);
    expect(splitMesh(RIGHT_ANGLE, { x: [], z: [] })[0].mesh).toBe(RIGHT_ANGLE);
    expect(splitMesh({ ...RIGHT_ANGLE, indices: new Uint32Array(0) }, planes)).toEqual([]);
  });
});

describe('on a plane', () => {
  test('a corner is cut to, not beside', () => {
    const mesh = flat(
      [
        [0, 0],
        [2, 4],
        [4, 0],
      ],
      [0, 1, 2],
    );
    const pieces = splitMesh(mesh, { x: [2], z: [] });
    expect(flatCells(pieces)).toEqual({ '0 0': ['0,0 2,4 2,0'], '1 0': ['2,0 2,4 4,0'] });
    expect(pieces.map((piece) => piece.mesh.vertexCount)).toEqual([3, 3]);
  });

  test('an edge belongs to the triangle, whichever side that is on', () => {
    const mesh = flat(
      [
        [0, 0],
        [2, 4],
        [2, 0],
        [4, 0],
      ],
      [0, 1, 2, 2, 1, 3],
    );
    expect(flatCells(splitMesh(mesh, { x: [2], z: [] }))).toEqual({
      '0 0': ['0,0 2,4 2,0'],
      '1 0': ['2,0 2,4 4,0'],
    });
  });

  test('a triangle belongs to the cell above, and is cut along the other axis', () => {
    const wall: Point[] = [
      [2, 0, 0],
      [2, 4, 0],
      [2, 0, 4],
    ];
    const mesh = triangleMesh(wall, [0, 1, 2]);
    expect(splitMesh(mesh, { x: [2], z: [] })).toEqual([{ column: 1, row: 0, mesh }]);
    const pieces = splitMesh(mesh, { x: [1, 2, 3], z: [1] });
    expect(pieces.map(({ column, row }) => [column, row])).toEqual([
      [2, 0],
      [2, 1],
    ]);
    expect(pieces.map((piece) => areas(piece.mesh).vector[0])).toEqual([7, 9]);
    const across = triangleMesh(
      wall.map(([x, y, z]) => [z, y, x]),
      [0, 1, 2],
    );
    expect(splitMesh(across, { x: [1], z: [2] }).map(({ column, row }) => [column, row])).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  test('the grid of a square that lies on planes gives its own squares', () => {
    const points: (readonly [number, number])[] = [];
    const indices: number[] = [];
    for (let j = 0; j <= 4; j++) for (let i = 0; i <= 4; i++) points.push([i, j]);
    for (let j = 0; j < 4; j++) {
      for (let i = 0; i < 4; i++) {
        const v = j * 5 + i;
        indices.push(v, v + 5, v + 1, v + 1, v + 5, v + 6);
      }
    }
    const mesh = flat(points, indices);
    const pieces = splitMesh(mesh, { x: [1, 2, 3], z: [1, 2, 3] });
    expect(pieces).toHaveLength(16);
    expect(pieces.every((piece) => piece.mesh.vertexCount === 4 && piece.mesh.indices.length === 6)).toBe(true);
    const all = pieces.flatMap((piece) => flatFaces(piece.mesh)).sort();
    expect(all).toEqual(flatFaces(mesh));
  });
});

describe('vertices', () => {
  test('are shared within a piece, cut ones too', () => {
    const square = flat(
      [
        [0, 0],
        [0, 4],
        [4, 4],
        [4, 0],
      ],
      [0, 1, 2, 0, 2, 3],
    );
    // Two corners, and the cuts of two sides and of the diagonal.
    const pieces = splitMesh(square, { x: [2], z: [] });
    expect(pieces.map((piece) => piece.mesh.vertexCount)).toEqual([5, 5]);
    // Where both planes cross, the diagonal passes: the corner, the two cuts of sides, the middle.
    const quarters = splitMesh(square, { x: [2], z: [2] });
    expect(quarters.map((piece) => piece.mesh.vertexCount)).toEqual([4, 4, 4, 4]);
  });

  test('of triangles in one cell keep their bits, in the order of the triangles', () => {
    const mesh = flat(
      [
        [9, 0],
        [0, 0],
        [0, 1],
        [8, 0],
        [9, 1],
        [5, 0],
      ],
      [0, 3, 4, 1, 2, 5],
    );
    const uv0 = Float32Array.from({ length: 12 }, (_, i) => i / 3);
    // Two units long: would be unit again in a vertex that was cut. The last corner, on the plane, follows one above it.
    const normals = Float32Array.from(mesh.attributes.normal, (x) => x * 2);
    const pieces = splitMesh({ ...mesh, attributes: { normal: normals, uv0 } }, { x: [5], z: [] });
    expect(pieces.flatMap((piece) => [...piece.mesh.attributes.normal])).toEqual([...normals]);
    expect(pieces.map((piece) => [...piece.mesh.attributes.uv0!])).toEqual([
      [2, 3, 4, 5, 10, 11].map((i) => uv0[i]),
      [0, 1, 6, 7, 8, 9].map((i) => uv0[i]),
    ]);
    expect(pieces.map((piece) => [...piece.mesh.indices])).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  /** The values at (1, 0, 0), a quarter of the way from the first corner to the second. */
  function quarterWay(more: Partial<Attributes>, plane = 1) {
    const corners = [
      [0, 0],
      [4, 0],
      [0, -4],
    ] as const;
    const bare = flat(corners, [0, 1, 2]);
    const source = { ...bare, attributes: { ...bare.attributes, ...more } };
    const [{ mesh }] = splitMesh(source, { x: [plane], z: [] });
    const { positions: p } = mesh;
    const v = Array.from({ length: mesh.vertexCount }, (_, i) => i).find(
      (i) => p[i * 3] === plane && p[i * 3 + 2] === 0,
    )!;
    const of = (data: Float32Array | Uint8Array | null, size: number) => [...data!.subarray(v * size, v * size + size)];
    return { mesh, of };
  }

  test('that are cut have no negative zero', () => {
    const mesh = { ...RIGHT_ANGLE, positions: Float32Array.of(-0, -0, -0, -0, -0, 4, 4, -0, -0) };
    const [, { mesh: piece }] = splitMesh(mesh, { x: [2], z: [] });
    const y = Array.from({ length: 3 }, (_, v) => [piece.positions[v * 3], piece.positions[v * 3 + 1]]);
    expect(y.filter(([x]) => x === 2)).toEqual([
      [2, 0],
      [2, 0],
    ]);
    // The source's own vertices stay as they are.
    expect(y.filter(([x]) => x === 4)).toEqual([[4, -0]]);
  });

  test('that are cut mix UVs and colours; colours are rounded half to even', () => {
    const uv0 = Float32Array.of(1, 2, 5, -2, 0, 0);
    const colors = Uint8Array.of(0, 10, 255, 6, 100, 12, 255, 0, 7, 7, 7, 7);
    const { mesh, of } = quarterWay({ uv0, color0: colors });
    expect(of(mesh.attributes.uv0!, 2)).toEqual([2, 1]);
    // 25, 10.5, 255, 4.5
    expect(of(mesh.attributes.color0!, 4)).toEqual([25, 10, 255, 4]);
    expect(mesh.attributes.tangent).toBeUndefined();
  });

  test('that are cut twice are rounded once', () => {
    // At a quarter of x and half of z on the way from 0 to 9 and back: 0, 2.25 and 9, 6.75, in the middle 4.5.
    const corners = [
      [0, 0],
      [0, 4],
      [4, 4],
      [4, 0],
    ] as const;
    const colors = Uint8Array.from([0, 9, 0, 9].flatMap((value) => [value, value, value, 255]));
    const quad = flat(corners, [0, 1, 3, 1, 2, 3]);
    const colored = { ...quad, attributes: { ...quad.attributes, color0: colors } };
    const pieces = splitMesh(colored, { x: [1], z: [1] });
    const { positions: p, attributes, vertexCount } = pieces[0].mesh;
    const mixed = attributes.color0;
    const v = Array.from({ length: vertexCount }, (_, i) => i).find((i) => p[i * 3] === 1 && p[i * 3 + 2] === 1)!;
    // Along x = 1, from (1, 0) with 2.25 to (1, 3) with 9: a third of the way, 4.5, is even at 4. From a rounded 2: 4.33.
    // From 2.25 rounded up, 3: 5.
    expect(mixed![v * 4]).toBe(4);
    expect(mixed![v * 4 + 3]).toBe(255);
  });

  test('that are cut have unit normals and tangents', () => {
    const normals = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const tangents = Float32Array.of(0, 0, 1, -1, 1, 0, 0, -1, 0, 1, 0, -1);
    const { mesh, of } = quarterWay({ normal: normals, tangent: tangents });
    // (3, 1, 0) and (1, 0, 3), of length sqrt(10).
    const long = Math.fround(3 / Math.sqrt(10));
    const short = Math.fround(1 / Math.sqrt(10));
    expect(of(mesh.attributes.normal, 3)).toEqual([long, short, 0]);
    expect(of(mesh.attributes.tangent!, 4)).toEqual([short, 0, long, -1]);
  });

  test('that are cut where vectors cancel out take those of the nearer end, and its sign', () => {
    const normals = Float32Array.of(0, 1, 0, 0, -1, 0, 0, 1, 0);
    const tangents = Float32Array.of(1, 0, 0, 1, -1, 0, 0, -1, 1, 0, 0, 1);
    const middle = quarterWay({ normal: normals, tangent: tangents }, 2);
    expect(middle.of(middle.mesh.attributes.normal, 3)).toEqual([0, 1, 0]);
    expect(middle.of(middle.mesh.attributes.tangent!, 4)).toEqual([1, 0, 0, 1]);
    // What float32 leaves of vectors that should cancel is no direction.
    const nearly = quarterWay({ normal: Float32Array.of(0, 1, 0, 1e-9, -1, 0, 0, 1, 0) }, 2);
    expect(nearly.of(nearly.mesh.attributes.normal, 3)).toEqual([0, 1, 0]);
    const beyond = quarterWay({ normal: normals, tangent: tangents }, 3);
    expect(beyond.of(beyond.mesh.attributes.normal, 3)).toEqual([0, -1, 0]);
    expect(beyond.of(beyond.mesh.attributes.tangent!, 4)).toEqual([-1, 0, 0, -1]);
  });
});

test('planes ascend in float32, and positions are placed', () => {
  expect(() => splitMesh(RIGHT_ANGLE, { x: [2, 1], z: [] })).toThrow(RangeError);
  expect(() => splitMesh(RIGHT_ANGLE, { x: [], z: [1, 1] })).toThrow(RangeError);
  expect(() => splitMesh(RIGHT_ANGLE, { x: [0.1], z: [] })).toThrow(RangeError);
  expect(() => splitMesh(RIGHT_ANGLE, { x: [], z: [Number.NaN] })).toThrow(RangeError);
  const positions = Float64Array.from(RIGHT_ANGLE.positions);
  const unplaced = { ...RIGHT_ANGLE, positions } as unknown as Float32Mesh;
  expect(() => splitMesh(unplaced, { x: [1], z: [] })).toThrow(TypeError);
});

/** Ascending float32 planes in [from, to]. */
function somePlanes(next: () => number, count: number, from: number, to: number): number[] {
  const all = new Set(Array.from({ length: count }, () => Math.fround(from + next() * (to - from)) + 0));
  return [...all].sort((a, b) => a - b);
}

/** A closed bumpy ring: every edge has its reverse. UVs, tangents and colours are whatever comes. */
function ring(next: () => number, around: number, across: number, spread = 0.4): Float32Mesh {
  const points: Point[] = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const [u, v] = [(i / around) * 2 * Math.PI, (j / across) * 2 * Math.PI];
      const r = 5 + 2 * Math.cos(v) + spread * next();
      points.push([r * Math.cos(u), 2 * Math.sin(v) + spread * next(), r * Math.sin(u)]);
    }
  }
  const indices: number[] = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const at = (a: number, b: number) => ((i + a) % around) * across + ((j + b) % across);
      indices.push(at(0, 0), at(0, 1), at(1, 0), at(1, 0), at(0, 1), at(1, 1));
    }
  }
  const unit = (size: number) =>
    Float32Array.from(
      points.flatMap(() => {
        const v = [next() - 0.5, next() - 0.5, next() - 0.5];
        const length = Math.hypot(...v);
        return [...v.map((x) => x / length), 1].slice(0, size);
      }),
    );
  return triangleMesh(points, indices, {
    normal: unit(3),
    tangent: unit(4),
    uv0: Float32Array.from({ length: points.length * 2 }, () => next()),
    color0: Uint8Array.from({ length: points.length * 4 }, () => Math.floor(next() * 256)),
  });
}

/** Closed tetrahedra, four different vertices each. */
function tetrahedra(count: number, corner: () => Point): Float32Mesh {
  const points: Point[] = [];
  const indices: number[] = [];
  for (let i = 0; i < count; i++) {
    const four = new Map<string, Point>();
    while (four.size < 4) {
      const point = corner();
      four.set(point.join(), point);
    }
    points.push(...four.values());
    const [a, b, c, d] = [i * 4, i * 4 + 1, i * 4 + 2, i * 4 + 3];
    indices.push(a, b, c, a, c, d, a, d, b, b, d, c);
  }
  return triangleMesh(points, indices);
}

/** Every corner of every triangle with a vertex of its own. */
function apart(mesh: Float32Mesh): Float32Mesh {
  const vertexCount = mesh.indices.length;
  const corners = (data: Float32Array, size: number) =>
    Float32Array.from(
      { length: vertexCount * size },
      (_, i) => data[mesh.indices[Math.floor(i / size)] * size + (i % size)],
    );
  return {
    vertexCount,
    positions: corners(mesh.positions as Float32Array, 3),
    attributes: { normal: corners(mesh.attributes.normal, 3), uv0: corners(mesh.attributes.uv0!, 2) },
    indices: Uint32Array.from({ length: vertexCount }, (_, i) => i),
  };
}

const meshesOf = (pieces: readonly SplitPiece[]) => pieces.map((piece) => piece.mesh);

describe('over random closed meshes', () => {
  const scenes = Array.from({ length: 8 }, (_, seed) => {
    const next = random(seed + 1);
    const mesh = ring(next, 5 + seed * 4, 4 + seed * 3);
    const planes = { x: somePlanes(next, 1 + seed * 2, -7, 7), z: somePlanes(next, 1 + seed, -7, 7) };
    return { mesh, planes, pieces: splitMesh(mesh, planes) };
  });

  test('pieces are closed together: each directed edge is matched by its reverse exactly once', () => {
    for (const { mesh, pieces } of scenes) {
      expect(pieces.length).toBeGreaterThan(2);
      expect(openEdges(directedEdges([mesh]))).toEqual([]);
      const edges = directedEdges(meshesOf(pieces));
      expect(openEdges(edges)).toEqual([]);
      expect(Math.max(...edges.values())).toBe(1);
    }
  });

  test('cells that meet have the same borders, bit for bit and turned', () => {
    let borders = 0;
    for (const { planes, pieces } of scenes) {
      const open = new Map(pieces.map((p) => [`${p.column} ${p.row}`, openEdges(directedEdges([p.mesh]))]));
      const bits = (plane: number) => `${new Uint32Array(Float32Array.of(plane).buffer)[0]}`;
      const on = (column: number, row: number, axis: number, plane: string) =>
        (open.get(`${column} ${row}`) ?? []).filter((edge) =>
          edge.split('>').every((end) => end.split(',')[axis] === plane),
        );
      for (let column = 0; column <= planes.x.length; column++) {
        for (let row = 0; row <= planes.z.length; row++) {
          for (const [axis, plane, dc, dr] of [
            [0, planes.x[column], 1, 0],
            [2, planes.z[row], 0, 1],
          ] as const) {
            if (plane === undefined) continue;
            const lower = on(column, row, axis, bits(plane));
            const upper = on(column + dc, row + dr, axis, bits(plane));
            expect(upper.map(reversed).sort()).toEqual(lower.sort());
            borders += lower.length;
          }
        }
      }
    }
    expect(borders).toBeGreaterThan(1000);
  });

  test('pieces lie in their cells exactly, in order, and none is empty', () => {
    for (const { planes, pieces } of scenes) {
      expectInCells(pieces, planes);
      const cells = pieces.map(({ column, row }) => row * (planes.x.length + 1) + column);
      expect(cells).toEqual([...new Set(cells)].sort((a, b) => a - b));
      for (const { mesh } of pieces) {
        expect(mesh.indices.length).toBeGreaterThan(0);
        expect(new Set(mesh.indices).size).toBe(mesh.vertexCount);
        expect(new Set(Array.from({ length: mesh.vertexCount }, (_, v) => vertexKey(mesh, v))).size).toBe(
          mesh.vertexCount,
        );
      }
    }
  });

  test('the area stays, and no piece is turned over', () => {
    for (const { mesh, planes } of scenes) {
      for (let i = 0; i < mesh.indices.length; i += 3) {
        const one = { ...mesh, indices: mesh.indices.slice(i, i + 3) };
        const whole = areas(one);
        const parts = meshesOf(splitMesh(one, planes)).map(areas);
        expect(parts.reduce((sum, part) => sum + part.total, 0) / whole.total).toBeCloseTo(1, 5);
        for (let k = 0; k < 3; k++) {
          const error = parts.reduce((sum, part) => sum + part.vector[k], 0) - whole.vector[k];
          expect(Math.abs(error)).toBeLessThan(1e-5 * whole.total);
        }
      }
    }
  });

  test('what is affine in the position stays so', () => {
    for (const { mesh: source, planes } of scenes) {
      const p = source.positions;
      const u = (data: ArrayLike<number>, v: number) =>
        0.3 * data[v * 3] - 0.2 * data[v * 3 + 1] + 0.1 * data[v * 3 + 2];
      const w = (data: ArrayLike<number>, v: number) => 2 - 0.1 * data[v * 3] + 0.4 * data[v * 3 + 2];
      const c = (data: ArrayLike<number>, v: number) => 128 + 10 * data[v * 3] + 5 * data[v * 3 + 1];
      const each = <T>(of: (v: number) => T[]) => Array.from({ length: source.vertexCount }, (_, v) => of(v)).flat();
      const mesh = {
        ...source,
        attributes: {
          normal: Float32Array.from(each(() => [0.6, 0, 0.8])),
          uv0: Float32Array.from(each((v) => [u(p, v), w(p, v)])),
          color0: Uint8Array.from(each((v) => [c(p, v), c(p, v), 77, 255].map(Math.round))),
        },
      };
      let largest = 0;
      let colorError = 0;
      for (const { mesh: piece } of splitMesh(mesh, planes)) {
        for (let v = 0; v < piece.vertexCount; v++) {
          largest = Math.max(
            largest,
            Math.abs(piece.attributes.uv0![v * 2] - u(piece.positions, v)),
            Math.abs(piece.attributes.uv0![v * 2 + 1] - w(piece.positions, v)),
            Math.abs(piece.attributes.normal[v * 3] - 0.6),
            Math.abs(piece.attributes.normal[v * 3 + 1]),
            Math.abs(piece.attributes.normal[v * 3 + 2] - 0.8),
            Math.abs(piece.attributes.color0![v * 4 + 2] - 77),
            Math.abs(piece.attributes.color0![v * 4 + 3] - 255),
          );
          colorError = Math.max(colorError, Math.abs(piece.attributes.color0![v * 4] - c(piece.positions, v)));
        }
      }
      expect(largest).toBeLessThan(2e-6);
      // Half a step of the source, half a step of the result.
      expect(colorError).toBeLessThan(1.0001);
    }
  });

  test('unit vectors stay unit', () => {
    for (const { pieces } of scenes) {
      for (const { mesh } of pieces) {
        const { normal: n, tangent: t } = mesh.attributes as Required<Attributes>;
        const lengths: number[] = [];
        for (let v = 0; v < mesh.vertexCount; v++) {
          lengths.push(Math.hypot(n[v * 3], n[v * 3 + 1], n[v * 3 + 2]));
          lengths.push(Math.hypot(t[v * 4], t[v * 4 + 1], t[v * 4 + 2]), t[v * 4 + 3]);
        }
        expect(Math.min(...lengths)).toBeGreaterThan(1 - 1e-6);
        expect(Math.max(...lengths)).toBeLessThan(1 + 1e-6);
      }
    }
  });

  test('seams, and meshes that are split apart from each other, do not come open', () => {
    for (const { mesh, planes, pieces } of scenes) {
      expect(openEdges(directedEdges(meshesOf(splitMesh(apart(mesh), planes))))).toEqual([]);
      // Every third triangle in another mesh, its corners from another one on.
      const own: number[] = [];
      const others: number[] = [];
      for (let i = 0; i < mesh.indices.length; i += 3) {
        const [a, b, c] = mesh.indices.subarray(i, i + 3);
        if (i % 9 === 0) others.push(b, c, a);
        else own.push(a, b, c);
      }
      const both = [own, others].flatMap((list) => splitMesh({ ...mesh, indices: Uint32Array.from(list) }, planes));
      const edges = directedEdges(meshesOf(both));
      expect(openEdges(edges)).toEqual([]);
      const positions = (all: readonly SplitPiece[]) =>
        [...new Set(all.flatMap((p) => faces(p.mesh, positionKey).flatMap((face) => face.split(' | '))))].sort();
      expect(positions(both)).toEqual(positions(pieces));
    }
  });

  test('the order of triangles changes nothing but the order', () => {
    const next = random(77);
    for (const { mesh, planes, pieces } of scenes) {
      expect(splitMesh(mesh, planes)).toEqual(pieces);
      const order = Array.from({ length: mesh.indices.length / 3 }, (_, t) => ({ t, key: next() }));
      order.sort((a, b) => a.key - b.key);
      const indices = Uint32Array.from(order.flatMap(({ t }) => [...mesh.indices.subarray(t * 3, t * 3 + 3)]));
      const shuffled = splitMesh({ ...mesh, indices }, planes);
      const plain = (all: readonly SplitPiece[]) =>
        all.map(({ column, row, mesh: m }) => ({ column, row, count: m.vertexCount, faces: faces(m, vertexKey) }));
      expect(plain(shuffled)).toEqual(plain(pieces));
    }
  });

  test('a mirrored mesh gives mirrored vertices', () => {
    for (const { mesh, planes, pieces } of scenes) {
      const mirror = (m: Float32Mesh): Float32Mesh => ({
        ...m,
        positions: Float32Array.from(m.positions, (x, i) => (i % 3 === 0 ? -x + 0 : x)),
        indices: Uint32Array.from(m.indices, (_, i) => m.indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]),
      });
      const mirrored = splitMesh(mirror(mesh), { x: planes.x.map((x) => -x + 0).reverse(), z: planes.z });
      const plain = (all: readonly SplitPiece[]) =>
        all
          .map(({ column, row, mesh: m }) => ({
            cell: [row, column].join(),
            vertices: Array.from({ length: m.vertexCount }, (_, v) => positionKey(m, v)).sort(),
            total: areas(m).total.toFixed(3),
          }))
          .sort((a, b) => (a.cell < b.cell ? -1 : 1));
      const back = mirrored.map((p) => ({ ...p, column: planes.x.length - p.column, mesh: mirror(p.mesh) }));
      expect(plain(back)).toEqual(plain(pieces));
    }
  });
});

describe('where float32 is coarse', () => {
  test('nothing comes open on planes, along planes, or where cuts coincide', () => {
    const next = random(5);
    // Whole steps of a grid as wide as the planes are apart, or up to 8 times finer.
    for (let round = 0; round < 60; round++) {
      const fine = 2 ** Math.floor(next() * 4);
      const size = 3 + Math.floor(next() * 6);
      const step = () => Math.floor(next() * size * fine) / fine;
      const mesh = tetrahedra(20, () => [step(), step(), step()]);
      const planes = { x: [1, 2, 3, 5], z: [0, 2, 3, 4] };
      const pieces = splitMesh(mesh, planes);
      expectInCells(pieces, planes);
      expect(openEdges(directedEdges(meshesOf(pieces)))).toEqual([]);
    }
  });

  test('nothing comes open far from the origin, where slivers bend and collapse', () => {
    const next = random(6);
    for (let round = 0; round < 90; round++) {
      // Around 2^20 a float32 steps by 1/8. Tetrahedra as long as 16 and as thin as two steps, along x, along z, or askew.
      const far = 2 ** 20;
      const kind = Math.floor(next() * 3);
      const snap = (x: number) => Math.round(x * 8) / 8;
      const mesh = tetrahedra(20, () => {
        const [long, thin] = [next() * 16, next() / 4];
        const high = snap(next() * (round % 2 === 0 ? 0.25 : 4));
        if (kind === 0) return [far + snap(long), high, far + 8 + snap(thin)];
        if (kind === 1) return [far + 8 + snap(thin), high, far + snap(long)];
        return [far + snap(long), high, far + snap(long + thin)];
      });
      const some = () => Array.from({ length: 128 }, (_, i) => far + i / 8).filter(() => next() < 0.2);
      const planes = { x: some(), z: some() };
      const pieces = splitMesh(mesh, planes);
      expectInCells(pieces, planes);
      expect(openEdges(directedEdges(meshesOf(pieces)))).toEqual([]);
    }
  });

  test('nothing comes open between planes that are closer than rounding', () => {
    const next = random(9);
    // Walls along lines through the origin: near it, z is as much float64's rounding as anything else.
    const step = () => 1 + Math.floor(next() * 12);
    for (let round = 0; round < 15; round++) {
      const [k, l] = [step(), step()];
      const mesh = tetrahedra(10, () => {
        const along = step() * (next() < 0.5 ? -1 : 1);
        return [along * k, Math.floor(next() * 5), along * l];
      });
      const near = () => somePlanes(next, 12, -4e-15, 4e-15);
      const planes = { x: near(), z: near() };
      const pieces = splitMesh(mesh, planes);
      expectInCells(pieces, planes);
      expect(openEdges(directedEdges(meshesOf(pieces)))).toEqual([]);
    }
  });

  test('numbers far apart in size stay in their cells', () => {
    const next = random(8);
    const wide = () => (next() < 0.5 ? -1 : 1) * 10 ** (next() * 20 - 10);
    const mesh = tetrahedra(150, () => [wide(), wide(), wide()]);
    const planes = { x: [-1e-7, 0, 1e-9, 2, 1e6].map(Math.fround), z: [-1000, -1e-9, 0, 1e-6, 3].map(Math.fround) };
    const pieces = splitMesh(mesh, planes);
    expectInCells(pieces, planes);
    expect(openEdges(directedEdges(meshesOf(pieces)))).toEqual([]);
  });
});

test('a large face and many planes: the cells that it touches, no others', () => {
  const planes = { x: Array.from({ length: 300 }, (_, i) => i + 1), z: Array.from({ length: 300 }, (_, i) => i + 1) };
  const strip = flat(
    [
      [0.5, 0.25],
      [0.25, 0.5],
      [300.5, 300.25],
    ],
    [0, 1, 2],
  );
  const pieces = splitMesh(strip, planes);
  expectInCells(pieces, planes);
  // Along the diagonal, and beside it where the strip is still wide.
  expect(pieces.length).toBeGreaterThan(301);
  expect(pieces.length).toBeLessThan(301 * 3);
  const total = pieces.reduce((sum, piece) => sum + areas(piece.mesh).vector[1], 0);
  expect(total / areas(strip).vector[1]).toBeCloseTo(1, 4);
});
