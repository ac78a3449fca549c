import { describe, expect, test } from 'vitest';
import { Diagnostics, SourceError } from '../../src/diagnostics/diagnostic.ts';
import { HALF_UVS } from '../../src/formats/untold/mesh/halfFloat.ts';
import { prepareMesh } from '../../src/geometry/mesh/prepare.ts';
import { MAX_SUBDIVIDED_CORNERS, subdivide } from '../../src/geometry/polygons/subdivide.ts';
import { smoothNormals } from '../../src/geometry/shading/normals.ts';
import { attribute, CUBE_FACES, CUBE_POINTS, polygons, SQUARE_POINTS, square } from './meshes.ts';
import {
  CATMULL_CLARK,
  cage,
  corners,
  creases,
  cube,
  edgeUse,
  faces,
  LOOP,
  OCTAHEDRON_FACES,
  OCTAHEDRON_POINTS,
  outcome,
  PLACE,
  point,
  refined,
  rows,
  vertexAt,
} from './subdivisions.ts';

function expectPoint(actual: readonly number[], expected: readonly number[]): void {
  expected.forEach((x, k) => {
    expect(actual[k]).toBeCloseTo(x, 6);
  });
}

/** Around the top of the cube, where z is 1. */
const TOP = [4, 5, 6, 7, 4];

describe('Catmull-Clark', () => {
  test('a cube: 26 points, by the masks of Catmull & Clark', () => {
    const { mesh, said } = outcome(cube());
    expect(said).toEqual([]);
    expect(mesh.points).toBeInstanceOf(Float32Array);
    expect(mesh.points.length / 3).toBe(8 + 6 + 12);
    // Vertices: 1/3 of itself, 1/9 of three neighbours (which sum to it) and of three faces (which do too).
    CUBE_POINTS.forEach((p, v) => {
      expectPoint(
        point(mesh, v),
        p.map((x) => (x * 5) / 9),
      );
    });
    // Faces: their centres, in the order of the faces.
    const centres = [
      [0, 0, -1],
      [0, 0, 1],
      [0, -1, 0],
      [0, 1, 0],
      [1, 0, 0],
      [-1, 0, 0],
    ];
    expect(rows(mesh.points).slice(8, 14)).toEqual(centres);
    // Edges: a quarter of their ends and of their faces' centres; by smaller vertex, then in the order of corners.
    expect(rows(mesh.points).slice(14, 18)).toEqual([
      [-0.75, 0, -0.75],
      [0, -0.75, -0.75],
      [-0.75, -0.75, 0],
      [0.75, 0, -0.75],
    ]);
    for (const [x, y, z] of rows(mesh.points).slice(14)) {
      expect([x, y, z].map(Math.abs).sort()).toEqual([0, 0.75, 0.75]);
    }
  });

  test('children stand where their face stood, one a corner, that corner first', () => {
    const mesh = refined(cube());
    expect([...mesh.faceCounts!]).toEqual(new Array(24).fill(4));
    const first = faces(mesh).slice(0, 4);
    expect(first.map(([v]) => v)).toEqual([0, 3, 2, 1]);
    // Then the edge that follows it, the face, and the edge before.
    expect(first[0]).toEqual([0, vertexAt(mesh, [-0.75, 0, -0.75]), 8, vertexAt(mesh, [0, -0.75, -0.75])]);
  });

  test('a face of any number of corners gives a quad for each', () => {
    const five = [0, 1, 2, 3, 4].map((k) => [Math.cos(k * 1.2566370614), Math.sin(k * 1.2566370614), 0]);
    const mesh = refined(cage(five, [[0, 1, 2, 3, 4]]), 2);
    expect(mesh.faceCounts).toHaveLength(20);
    expect(mesh.points.length / 3).toBe(11 + 5 + 15);
    expectPoint(point(refined(cage(five, [[0, 1, 2, 3, 4]])), 5), [0, 0, 0]);
  });

  test('triangles: the edge points of an octahedron by both triangle rules', () => {
    // The centres beside edge 0-2 are (1/3, 1/3, ±1/3): 1/4 (1, 1, 0) + 1/4 (2/3, 2/3, 0).
    expect(vertexAt(refined(cage(OCTAHEDRON_POINTS, OCTAHEDRON_FACES)), [5 / 12, 5 / 12, 0])).toBeGreaterThanOrEqual(
      14,
    );
    // 'smooth' weighs faces 0.47 and ends 0.03.
    const smooth = { ...CATMULL_CLARK, triangles: 'smooth' } as const;
    const between = 0.03 + (0.47 * 2) / 3;
    const mesh = refined(cage(OCTAHEDRON_POINTS, OCTAHEDRON_FACES, { subdivision: smooth }));
    expect(vertexAt(mesh, [between, between, 0])).toBeGreaterThanOrEqual(14);
    // A vertex of four triangles: 1/2 of itself, 1/16 of neighbours that cancel and of faces that sum to 4/3.
    expectPoint(point(mesh, 0), [1 / 2 + 1 / 12, 0, 0]);
  });

  test('one quad: corners stay under edgeAndCorner and move along the boundary under edgeOnly', () => {
    const both = refined(cage(SQUARE_POINTS, [[0, 1, 2, 3]]));
    expect(rows(both.points)).toEqual([
      ...SQUARE_POINTS,
      [0.5, 0.5, 0],
      [0.5, 0, 0],
      [0, 0.5, 0],
      [1, 0.5, 0],
      [0.5, 1, 0],
    ]);
    // 3/4 of itself and 1/8 of both neighbours on the boundary.
    const edge = refined(
      cage(SQUARE_POINTS, [[0, 1, 2, 3]], { subdivision: { ...CATMULL_CLARK, boundary: 'edgeOnly' } }),
    );
    expect(rows(edge.points).slice(0, 4)).toEqual([
      [0.125, 0.125, 0],
      [0.875, 0.125, 0],
      [0.875, 0.875, 0],
      [0.125, 0.875, 0],
    ]);
    expect(rows(edge.points).slice(4)).toEqual(rows(both.points).slice(4));
  });

  test('a vertex between two boundary edges that is no corner follows the boundary curve', () => {
    const points = [
      [0, 0, 0],
      [2, 0, 8],
      [4, 0, 0],
      [4, 2, 0],
      [2, 2, 0],
      [0, 2, 0],
    ];
    const mesh = refined(
      cage(points, [
        [0, 1, 4, 5],
        [1, 2, 3, 4],
      ]),
    );
    expect(point(mesh, 1)).toEqual([2, 0, 6]);
  });
});

describe('boundary none', () => {
  const grid = (w: number) => {
    const points: number[][] = [];
    const list: number[][] = [];
    for (let y = 0; y <= w; y++) for (let x = 0; x <= w; x++) points.push([x, y, 0]);
    for (let y = 0; y < w; y++) {
      for (let x = 0; x < w; x++) {
        const a = y * (w + 1) + x;
        list.push([a, a + 1, a + w + 2, a + w + 1]);
      }
    }
    return { points, list };
  };

  test('faces with a boundary vertex become holes, and shape the others', () => {
    const { points, list } = grid(3);
    const { mesh, said } = outcome(cage(points, list, { subdivision: { ...CATMULL_CLARK, boundary: 'none' } }));
    expect(said).toEqual(['UC2045 /Town/Roof 8 faces of the cage']);
    expect([...mesh.holes!]).toEqual([...new Array(16).fill(1), 0, 0, 0, 0, ...new Array(16).fill(1)]);
    expect(point(mesh, 5)).toEqual([1, 1, 0]);
  });

  test('a boundary that creases make sharp all along is drawn', () => {
    const { points, list } = grid(1);
    const sharp = creases([[0, 1, 3, 2, 0], 10]);
    const { mesh, said } = outcome(
      cage(points, list, { creases: sharp, subdivision: { ...CATMULL_CLARK, boundary: 'none' } }),
    );
    expect(mesh.holes).toBeNull();
    expect(said).toEqual([]);
  });
});

describe('creases and corners', () => {
  test('a sharp loop: its points stay on it, its edges are halved', () => {
    const mesh = refined(cube({ creases: creases([TOP, 10]) }));
    // 3/4 of itself, 1/8 of the two neighbours along the crease.
    expect(point(mesh, 6)).toEqual([0.75, 0.75, 1]);
    expect(vertexAt(mesh, [0, 1, 1])).toBeGreaterThanOrEqual(14);
    // Edges down from it, and the vertices below, are smooth.
    expect(vertexAt(mesh, [0.75, 0.75, 0])).toBeGreaterThanOrEqual(14);
    expectPoint(point(mesh, 2), [5 / 9, 5 / 9, -5 / 9]);
  });

  test('it goes on as sharp, and parts the normals of the lid from those of the walls', () => {
    const mesh = refined(cube({ creases: creases([TOP, 10]) }), 2);
    const { vertices, lengths, sharpnesses } = mesh.creases!;
    expect([...lengths]).toEqual(new Array(16).fill(2));
    expect([...sharpnesses]).toEqual(new Array(16).fill(10));
    const use = edgeUse(faces(mesh));
    for (const [a, b] of rows(vertices, 2)) {
      expect(use.get(a < b ? `${a} ${b}` : `${b} ${a}`)).toBe(2);
      expect(point(mesh, a)[2]).toBe(1);
    }
    const normals = smoothNormals(mesh);
    const lid = vertexAt(mesh, [0, 0, 1]);
    expect(mesh.missingNormals).toBe('smooth');
    expect(rows(normals.data)[lid]).toEqual([0, 0, 1]);
    const corner = mesh.corners.findIndex((v, c) => v === vertices[0] && Math.floor(c / 64) === 1);
    expect(rows(normals.data)[normals.indices![corner]][2]).toBeCloseTo(1, 6);
  });

  test('sharpness 0.5 is half way between sharp and smooth', () => {
    const mesh = refined(cube({ creases: creases([TOP, 0.5]) }));
    expectPoint(point(mesh, 6), [47 / 72, 47 / 72, 7 / 9]);
    expect(vertexAt(mesh, [0, 0.875, 0.875])).toBeGreaterThanOrEqual(14);
    expect(mesh.creases).toBeNull();
  });

  test('1.5 is sharp for one level and half sharp for the next', () => {
    const soft = cube({ creases: creases([TOP, 1.5]) });
    const sharp = cube({ creases: creases([TOP, 10]) });
    const once = refined(soft);
    expect(once.points).toEqual(refined(sharp).points);
    expect([...once.creases!.sharpnesses]).toEqual(new Array(8).fill(0.5));
    const again = refined({ ...once, subdivision: CATMULL_CLARK });
    // The same places, numbered anew.
    const sorted = (points: ArrayLike<number>) =>
      rows(points)
        .map((p) => p.map((x) => x.toFixed(5)).join())
        .sort();
    expect(sorted(refined(soft, 2).points)).toEqual(sorted(again.points));
    const half = refined({ ...once, creases: null, subdivision: CATMULL_CLARK });
    const full = refined({
      ...once,
      creases: { ...once.creases!, sharpnesses: new Float32Array(8).fill(10) },
      subdivision: CATMULL_CLARK,
    });
    again.points.forEach((x, i) => {
      expect(x).toBeCloseTo((half.points[i] + full.points[i]) / 2, 6);
    });
  });

  test('sharpness may be given for each edge of a run; the last word counts, negative is smooth', () => {
    const perEdge = {
      vertices: Uint32Array.of(...TOP, 5, 4, 6, 5),
      lengths: Uint32Array.of(5, 2, 2),
      sharpnesses: Float32Array.of(0, 0, 10, 10, 10, -3),
    };
    const mesh = refined(cube({ creases: perEdge }));
    // 4-5 and 6-7 and 7-4 are sharp; 5-6 is not: 5 and 6 end darts, which are smooth.
    expectPoint(point(mesh, 6), [5 / 9, 5 / 9, 5 / 9]);
    expect(point(mesh, 7)).toEqual([-0.75, 0.75, 1]);
    expect(point(mesh, 4)).toEqual([-0.75, -0.75, 1]);
    expect(vertexAt(mesh, [0.75, 0, 0.75])).toBeGreaterThanOrEqual(14);
    expect(vertexAt(mesh, [0, -1, 1])).toBeGreaterThanOrEqual(14);
  });

  test('three sharp edges make a corner; while one of them fades it becomes a crease', () => {
    const three = creases([[6, 5], 10], [[6, 7], 10], [[6, 2], 10]);
    expect(point(refined(cube({ creases: three })), 6)).toEqual([1, 1, 1]);
    const fading = creases([[6, 5], 10], [[6, 7], 10], [[6, 2], 0.25]);
    // 1/4 corner and 3/4 crease along 5-6-7.
    expectPoint(point(refined(cube({ creases: fading })), 6), [1 / 4 + 9 / 16, 1 / 4 + 9 / 16, 1]);
  });

  test('sharp corners stay, half sharp ones half way', () => {
    const at = (sharpness: number) =>
      point(refined(cube({ subdivision: { ...CATMULL_CLARK, corners: corners([6, sharpness]) } })), 6);
    expect(at(10)).toEqual([1, 1, 1]);
    expect(at(1)).toEqual([1, 1, 1]);
    expectPoint(at(0.25), [2 / 3, 2 / 3, 2 / 3]);
    expectPoint(at(0), [5 / 9, 5 / 9, 5 / 9]);
  });

  test('creases between vertices without an edge are named', () => {
    const { mesh, said } = outcome(cube({ creases: creases([[0, 6, 5], 10]) }));
    expect(said).toEqual(['UC2041 /Town/Roof 1 crease edge']);
    expect(mesh.creases!.lengths).toHaveLength(2);
  });
});

describe('non-manifold', () => {
  test('a fin on an edge makes it sharp', () => {
    const points = [...CUBE_POINTS, [-1, 1, 3], [1, 1, 3]];
    const { mesh, said } = outcome(cage(points, [...CUBE_FACES, [7, 6, 9, 8]]));
    expect(said).toEqual(['UC2044 /Town/Roof 1 edge']);
    expect(vertexAt(mesh, [0, 1, 1])).toBeGreaterThan(0);
    // Where the line ends it meets a boundary: those vertices stay.
    expect(point(mesh, 6)).toEqual([1, 1, 1]);
    expect(mesh.creases!.lengths).toHaveLength(2);
  });

  test('two faces whose winding disagrees meet at a sharp edge', () => {
    const turned = CUBE_FACES.map((f, i) => (i === 1 ? [...f].reverse() : f));
    const { mesh, said } = outcome(cage(CUBE_POINTS, turned));
    expect(said).toEqual(['UC2044 /Town/Roof 4 edges']);
    expect(vertexAt(mesh, [0, 1, 1])).toBeGreaterThan(0);
  });

  test('two fans that meet in a point keep it', () => {
    const points = [
      [0, 0, 0],
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 0],
      [-1, 0, 1],
      [-1, -1, 1],
      [0, -1, 0],
    ];
    const edgeOnly = { ...CATMULL_CLARK, boundary: 'edgeOnly' } as const;
    const mesh = refined(
      cage(
        points,
        [
          [0, 1, 2, 3],
          [0, 4, 5, 6],
        ],
        { subdivision: edgeOnly },
      ),
    );
    expect(point(mesh, 0)).toEqual([0, 0, 0]);
    expect(point(mesh, 2)).not.toEqual([1, 1, 1]);
  });
});

describe('what faces and vertices carry', () => {
  const strip = [
    [0, 0, 0],
    [2, 0, 0],
    [4, 0, 0],
    [0, 2, 0],
    [2, 2, 0],
    [4, 2, 0],
  ];
  const two = [
    [0, 1, 4, 3],
    [1, 2, 5, 4],
  ];

  test('holes and subsets go to the children', () => {
    const more = { holes: Uint8Array.of(0, 1), faceSubsets: Int32Array.of(3, -1) };
    const mesh = refined(cage(strip, two, more), 2);
    expect([...mesh.holes!]).toEqual([...new Array(16).fill(0), ...new Array(16).fill(1)]);
    expect([...mesh.faceSubsets!]).toEqual([...new Array(16).fill(3), ...new Array(16).fill(-1)]);
  });

  test('uniform values are those of the face, constant ones stay', () => {
    const colors = attribute(
      [
        [1, 0, 0],
        [0, 0, 1],
      ],
      'uniform',
      [1, 0],
    );
    const opacities = attribute([[0.5]], 'constant');
    const mesh = refined(cage(strip, two, { colors, opacities }));
    expect(mesh.colors!.data).toBe(colors.data);
    expect([...mesh.colors!.indices!]).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
    expect(mesh.opacities).toBe(opacities);
    const plain = refined(cage(strip, two, { colors: attribute([[1], [2]], 'uniform') }));
    expect([...plain.colors!.indices!]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  test('vertex values are smooth as the points are, through their indices; linear ones are not', () => {
    const values = CUBE_POINTS.map((p) => [...p].reverse());
    const st = attribute(values, 'vertex');
    const shuffled = attribute([...values].reverse(), 'vertex', [7, 6, 5, 4, 3, 2, 1, 0]);
    const mesh = refined(
      cube({
        uvs: new Map([
          ['st', st],
          ['shuffled', shuffled],
          ['varying', { ...st, linear: true }],
        ]),
      }),
      2,
    );
    const smooth = rows(mesh.uvs.get('st')!.data);
    rows(mesh.points).forEach(([x, y, z], i) => {
      expectPoint(smooth[i], [z, y, x]);
    });
    expect(mesh.uvs.get('shuffled')!.data).toEqual(mesh.uvs.get('st')!.data);
    expect(mesh.uvs.get('shuffled')!.indices).toBeNull();
    const straight = refined(cube({ subdivision: { ...CATMULL_CLARK, scheme: 'bilinear' } }), 2);
    expect(rows(mesh.uvs.get('varying')!.data)).toEqual(rows(straight.points).map((p) => [...p].reverse()));
  });

  test('left-handed cages stay so, and have the same points', () => {
    const mesh = refined(cube({ leftHanded: true }));
    expect(mesh.leftHanded).toBe(true);
    expect(mesh.points).toEqual(refined(cube()).points);
  });

  test('points in float64 stay float64', () => {
    const mesh = refined({ ...cube(), points: Float64Array.from(CUBE_POINTS.flat()) });
    expect(mesh.points).toBeInstanceOf(Float64Array);
    expect(mesh.points[0]).toBeCloseTo(-5 / 9, 15);
  });

  test('normals and tangents of the cage give way to those of the surface', () => {
    const normals = attribute([[0, 0, 1]], 'constant');
    const { mesh, said } = outcome(cube({ normals, tangents: attribute([[1, 0, 0, 1]], 'constant') }));
    expect(mesh).toMatchObject({ normals: null, tangents: null, missingNormals: 'smooth', subdivision: null });
    expect(said).toEqual(['UC2046 /Town/Roof authored normals are left out']);
  });
});

describe('bilinear', () => {
  const bilinear = { ...CATMULL_CLARK, scheme: 'bilinear', boundary: 'none' } as const;

  test('the shape does not change; points, values and normals are halved', () => {
    const normals = attribute(
      SQUARE_POINTS.map(([x]) => [x, 0, 1]),
      'vertex',
    );
    const uvs = new Map([['st', attribute([[0], [4], [8], [0]], 'faceVarying')]]);
    const { mesh, said } = outcome(square({ subdivision: bilinear, normals, uvs, missingNormals: 'flat' }));
    expect(said).toEqual([]);
    expect(mesh.missingNormals).toBe('flat');
    expect(mesh.holes).toBeNull();
    expect(rows(mesh.points)).toEqual([
      ...SQUARE_POINTS,
      [0.5, 0.5, 0],
      [0.5, 0, 0],
      [0, 0.5, 0],
      [1, 0.5, 0],
      [0.5, 1, 0],
    ]);
    expect(rows(mesh.normals!.data)[4]).toEqual([0.5, 0, 1]);
    const st = mesh.uvs.get('st')!;
    // The child of the third corner: itself, the edge to the fourth, the centre, the edge from the second.
    expect([8, 9, 10, 11].map((c) => st.data[st.indices![c]])).toEqual([8, 4, 3, 6]);
  });
});

describe('what is not subdivided', () => {
  test('polygons, no levels, no faces', () => {
    const mesh = polygons(CUBE_POINTS, CUBE_FACES);
    expect(refined(mesh, 2)).toBe(mesh);
    const surface = cube();
    expect(refined(surface, 0)).toBe(surface);
    const empty = cage([], []);
    expect(refined(empty, 2)).toBe(empty);
  });

  test('Loop refuses faces that are not triangles, and says so', () => {
    const mesh = cube({ subdivision: LOOP });
    const result = outcome(mesh, 2);
    expect(result.mesh).toBe(mesh);
    expect(result.said.map((s) => s.slice(0, 6))).toEqual(['UC2040']);
  });

  test('what would be too large ends in a limit, before anything is made', () => {
    const quads = MAX_SUBDIVIDED_CORNERS / 64 + 4;
    const mesh = { ...cube(), corners: new Uint32Array(quads), faceCounts: new Uint32Array(quads / 4).fill(4) };
    let thrown: unknown;
    try {
      subdivide(mesh, 3, new Diagnostics(), PLACE);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SourceError);
    expect((thrown as SourceError).diagnostics[0]).toMatchObject({ code: 'UC2042', path: '/Town/Roof' });
  });
});

test('the cook makes two triangles of every quad, without a word', async () => {
  const diagnostics = new Diagnostics();
  const mesh = subdivide(cube(), 2, diagnostics, PLACE);
  const uvLimits = HALF_UVS;
  const uv = { set: null, transform: null };
  const request = { subset: -1, uv, color: 'white', attributes: ['tangent', 'color0'], uvLimits } as const;
  const prepared = await prepareMesh(mesh, request, diagnostics, PLACE);
  expect(prepared!.indices.length / 3).toBe(6 * 16 * 2);
  // Four times the faces of the level before and as many vertices, less its Euler characteristic.
  expect(prepared!.vertexCount).toBe(98);
  expect(diagnostics.list).toEqual([]);
});
