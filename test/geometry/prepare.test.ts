import { expect, test } from 'vitest';
import { Diagnostics, SourceError } from '../../src/diagnostics/diagnostic.ts';
import { HALF_UVS } from '../../src/formats/untold/mesh/halfFloat.ts';
import { type PackedMesh, packParts } from '../../src/formats/untold/mesh/packMesh.ts';
import { mapAttributes } from '../../src/geometry/mesh/attributes.ts';
import { unitePalettes } from '../../src/geometry/mesh/colors.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import { type Mesh, pickRows, valuesOf } from '../../src/geometry/mesh/mesh.ts';
import { type MeshRequest, prepareMesh } from '../../src/geometry/mesh/prepare.ts';
import { placeMesh } from '../../src/geometry/mesh/transform.ts';
import { multiply, rotation, scaling, translation } from '../../src/scene/matrix.ts';
import type { PolygonMesh } from '../../src/scene/types.ts';
import { attribute, CUBE_FACES, CUBE_POINTS, polygons, random, SQUARE_POINTS, square, triangleMesh } from './meshes.ts';

const place = { file: 'scene.usda', path: '/World/Thing' };
const request: MeshRequest = {
  subset: -1,
  uv: { set: 'st', transform: null },
  color: 'white',
  attributes: ['tangent', 'color0'],
  uvLimits: HALF_UVS,
};

async function prepare(mesh: PolygonMesh, changes: Partial<MeshRequest> = {}) {
  const diagnostics = new Diagnostics();
  const made = await prepareMesh(mesh, { ...request, ...changes }, diagnostics, place);
  return { made: made!, codes: diagnostics.list.map((d) => d.code), diagnostics };
}

const packOne = (mesh: Mesh, diagnostics = new Diagnostics()) => packParts([{ mesh, world: null }], diagnostics, place);
const pack = async (mesh: Mesh) => (await packOne(mesh))!;

/** The 32 bytes of each corner of each triangle, triangles from their least corner on, sorted. */
function cornerBytes({ vertices, indices }: PackedMesh): string[] {
  const triangles: string[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const list = [0, 1, 2].map((k) =>
      Buffer.from(vertices.subarray(indices[i + k] * 32, indices[i + k] * 32 + 32)).toString('hex'),
    );
    const min = list.indexOf([...list].sort()[0]);
    triangles.push([0, 1, 2].map((k) => list[(min + k) % 3]).join(' '));
  }
  return triangles.sort();
}

test('a square becomes 128 bytes of vertices and 12 of indices', async () => {
  const { made, codes } = await prepare(square());
  const packed = await pack(made);
  expect(codes).toEqual([]);
  expect(packed.vertexCount).toBe(4);
  expect(packed.indices).toBeInstanceOf(Uint16Array);
  expect(packed.bounds).toEqual({ min: [0, 0, 0], max: [1, 1, 0] });
  const frame = '0000f01fff010040'; // normal +Z, tangent +X with sign +1
  const rest = '00000000ffffffff'; // uv1, white
  const corner = (x: number, y: number) =>
    `${x ? '0000803f' : '00000000'}${y ? '0000803f' : '00000000'}00000000${frame}${x ? '003c' : '0000'}${y ? '003c' : '0000'}${rest}`;
  const triangle = (...points: readonly (readonly number[])[]) => {
    const list = points.map(([x, y]) => corner(x, y));
    const min = list.indexOf([...list].sort()[0]);
    return [0, 1, 2].map((k) => list[(min + k) % 3]).join(' ');
  };
  const [a, b, c, d] = SQUARE_POINTS;
  expect(cornerBytes(packed)).toEqual([triangle(a, b, c), triangle(a, c, d)].sort());
});

test('an indexed mesh with attributes by vertex keeps its arrays', async () => {
  const normals = attribute(
    SQUARE_POINTS.map(() => [0, 0, 1]),
    'vertex',
  );
  const mesh = polygons(
    SQUARE_POINTS,
    [
      [0, 1, 2],
      [0, 2, 3],
    ],
    { normals, uvs: square().uvs },
  );
  const { made } = await prepare(mesh);
  expect(made.positions).toBe(mesh.points);
  expect(made.attributes.normal).toBe(normals.data);
  expect(made.attributes.uv0).toBe(mesh.uvs.get('st')!.data);
  expect([...made.indices]).toEqual([0, 1, 2, 0, 2, 3]);
});

test('a vertex buffer shared by primitives brings only what is used', async () => {
  const normals = attribute(
    SQUARE_POINTS.map(() => [0, 0, 1]),
    'vertex',
  );
  const { made } = await prepare(polygons(SQUARE_POINTS, [[0, 2, 3]], { normals, uvs: square().uvs }));
  expect(made.vertexCount).toBe(3);
  expect([...made.positions]).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 0]);
  expect([...made.attributes.uv0!]).toEqual([0, 0, 1, 1, 0, 1]);
});

test('a flat cube has 24 vertices and the area of a cube, a smooth one 8 vertices', async () => {
  const flat = await pack(
    (await prepare(polygons(CUBE_POINTS, CUBE_FACES), { uv: { set: null, transform: null } })).made,
  );
  expect([flat.vertexCount, flat.indices.length]).toEqual([24, 36]);
  const floats = new Float32Array(flat.vertices.buffer);
  const words = new Uint32Array(flat.vertices.buffer);
  let area = 0;
  for (let i = 0; i < 36; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => floats.subarray(flat.indices[i + k] * 8, flat.indices[i + k] * 8 + 3));
    const u = [0, 1, 2].map((k) => b[k] - a[k]);
    const v = [0, 1, 2].map((k) => c[k] - a[k]);
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    area += Math.hypot(...cross) / 2;
    // The stored normal points out of the cube, as the winding does.
    const axis = cross.findIndex((x) => x !== 0);
    expect(words[flat.indices[i] * 8 + 3]).toBe((cross[axis] > 0 ? 511 : 513) << (axis * 10));
    expect(Math.sign(cross[axis])).toBe(Math.sign(a[axis]));
  }
  expect(area).toBe(24);
  const smooth = polygons(CUBE_POINTS, CUBE_FACES, { missingNormals: 'smooth' });
  expect((await pack((await prepare(smooth, { uv: { set: null, transform: null } })).made)).vertexCount).toBe(8);
});

test('values by corner, by face and indexed part vertices only where they differ', async () => {
  const uvs = attribute(
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
    'faceVarying',
    [0, 1, 2, 3, 0, 1, 2, 3],
  );
  const points = [...SQUARE_POINTS, [2, 0, 0], [2, 1, 0]];
  const faces = [
    [0, 1, 2, 3],
    [1, 4, 5, 2],
  ];
  const split = await prepare(polygons(points, faces, { uvs: new Map([['st', uvs]]) }));
  expect(split.made.vertexCount).toBe(8);
  const joined = { ...uvs, indices: Uint32Array.of(0, 1, 2, 3, 1, 0, 3, 2) };
  // The second face is mirrored now; points 1 and 2 agree in all but the tangent.
  const mirrored = await prepare(polygons(points, faces, { uvs: new Map([['st', joined]]) }));
  expect(mirrored.made.vertexCount).toBe(8);
  const plain = await prepare(polygons(points, faces, { uvs: new Map([['st', joined]]) }), { attributes: [] });
  expect(plain.made.vertexCount).toBe(6);
  expect(plain.made.attributes.tangent).toBeUndefined();
});

test('welding changes no corner: the packed bytes of an expanded mesh are those of the indexed one', async () => {
  const next = random(17);
  const points = Array.from({ length: 100 }, (_, i) => [i % 10, Math.floor(i / 10), Math.floor(next() * 3)]);
  const faces: number[][] = [];
  for (let y = 0; y < 9; y++)
    for (let x = 0; x < 9; x++) faces.push([y * 10 + x, y * 10 + x + 1, y * 10 + x + 11, y * 10 + x + 10]);
  const st = attribute(
    points.map(([x, y]) => [x / 4, y / 4]),
    'vertex',
  );
  const { made } = await prepare(polygons(points, faces, { uvs: new Map([['st', st]]), missingNormals: 'smooth' }));
  const loose: Mesh = {
    vertexCount: made.indices.length,
    positions: Float32Array.from([...made.indices].flatMap((v) => [...made.positions.subarray(v * 3, v * 3 + 3)])),
    attributes: mapAttributes(made.attributes, (values, { components }) => pickRows(values, components, made.indices)),
    indices: made.indices.map((_, i) => i),
  };
  const packed = await pack(made);
  const fromLoose = await pack(loose);
  expect(cornerBytes(fromLoose)).toEqual(cornerBytes(packed));
  expect(fromLoose.vertexCount).toBe(packed.vertexCount);
  // Every stored vertex is used and no two are equal.
  const rows = Array.from({ length: packed.vertexCount }, (_, v) =>
    packed.vertices.subarray(v * 32, v * 32 + 32).join(),
  );
  expect(new Set(rows).size).toBe(packed.vertexCount);
  expect(new Set(packed.indices).size).toBe(packed.vertexCount);
});

test('packing placements at once gives the bytes of placing, merging and packing', async () => {
  const { made } = await prepare(polygons(CUBE_POINTS, CUBE_FACES, { missingNormals: 'smooth' }));
  const { made: flat } = await prepare(square());
  const worlds = [
    translation(5, 0, 0),
    multiply(rotation(1, 2, 3, 4), scaling(-2, 1, 0.5)),
    scaling(1, 0, 1),
    multiply(translation(0.1, 0.2, 0.3), rotation(0, 1, 0, 1)),
  ];
  const diagnostics = new Diagnostics();
  const parts = worlds.flatMap((world) => [
    { mesh: made, world },
    { mesh: flat, world },
  ]);
  const placed = parts.map(({ mesh, world }) => placeMesh(mesh, world, diagnostics, place));
  const apart = await packOne(mergeMeshes(placed), diagnostics);
  const atOnce = await packParts(parts, diagnostics, place);
  expect(atOnce!.vertices).toEqual(apart!.vertices);
  expect(atOnce!.indices).toEqual(apart!.indices);
  expect(atOnce!.bounds).toEqual(apart!.bounds);
});

test('two cooks give equal bytes and leave the source as it was', async () => {
  const mesh = square({
    normals: attribute(
      [
        [0, 0, 2],
        [0, 0, 0],
        [0, 1, 1],
        [1, 0, 1],
      ],
      'vertex',
    ),
  });
  const before = structuredClone(mesh);
  const first = await pack((await prepare(mesh)).made);
  const second = await pack((await prepare(mesh)).made);
  expect(first).toEqual(second);
  expect(mesh).toEqual(before);
});

test('65535 vertices are addressed by uint16, 65536 by uint32', async () => {
  for (const [count, type] of [
    [65535, Uint16Array],
    [65538, Uint32Array],
  ] as const) {
    // A zigzag: no three in a row lie on a line.
    const positions = Float32Array.from({ length: count * 3 }, (_, i) => [i / 3, ((i - 1) / 3) % 2, 0][i % 3]);
    const mesh = {
      ...triangleMesh([], []),
      vertexCount: count,
      positions,
      normals: new Float32Array(count * 3),
      uv0: new Float32Array(count * 2),
    };
    const packed = await pack({ ...mesh, indices: Uint32Array.from({ length: count }, (_, i) => i) });
    expect(packed.vertexCount).toBe(count);
    expect(packed.indices).toBeInstanceOf(type);
  }
});

test('bounds are those of the stored float32 positions that are used', async () => {
  const mesh = triangleMesh(
    [
      [0.1, 0, 0],
      [1, 0.2, 0],
      [0, 1, 0.3],
      [99, 99, 99],
    ],
    [0, 1, 2],
  );
  const { bounds } = await pack(mesh);
  expect(bounds).toEqual({ min: [0, 0, 0], max: [1, 1, Math.fround(0.3)] });
});

test('triangles without area are dropped with a count; a mesh of nothing else is null', async () => {
  const some = await prepare(
    polygons(SQUARE_POINTS, [
      [0, 1, 2],
      [0, 0, 1],
      [0, 2, 3],
    ]),
    { uv: { set: null, transform: null } },
  );
  expect([...some.made.indices].length).toBe(6);
  expect(some.codes).toEqual(['UC2001']);
  expect(some.diagnostics.list[0].message).toContain('1 of 3 triangles');

  const diagnostics = new Diagnostics();
  const none = await prepareMesh(polygons(SQUARE_POINTS, [[0, 0, 1]]), request, diagnostics, place);
  expect(none).toBeNull();
  expect(diagnostics.list.map((d) => d.code)).toEqual(['UC2000']);
  expect(await prepareMesh(square(), { ...request, subset: 3 }, new Diagnostics(), place)).toBeNull();
});

test('what loses its area only where it is placed is dropped there', async () => {
  const mesh = triangleMesh(
    [
      [0, 0, 0],
      [1e-3, 0, 0],
      [0, 1e-3, 0],
      [0, 1, 0],
      [1, 0, 0],
    ],
    [0, 1, 2, 0, 4, 3],
  );
  const diagnostics = new Diagnostics();
  const packed = await packParts([{ mesh, world: translation(1e6, 1e6, 0) }], diagnostics, place);
  expect(packed!.indices.length).toBe(3);
  expect(diagnostics.list.map((d) => d.code)).toEqual(['UC2001']);
  const gone = await packParts([{ mesh, world: translation(1e9, 1e9, 0) }], diagnostics, place);
  expect(gone).toBeNull();
  expect(diagnostics.list.map((d) => d.code)).toEqual(['UC2001', 'UC2000']);
});

test('positions beyond float32 are an error that names the place', async () => {
  const mesh = triangleMesh(
    [
      [1e30, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [0, 1, 2],
  );
  const error = await packParts([{ mesh, world: scaling(1e20, 1, 1) }], new Diagnostics(), place).catch((e) => e);
  expect(error).toBeInstanceOf(SourceError);
  expect(error.diagnostics[0]).toMatchObject({ code: 'UC2011', file: 'scene.usda', path: '/World/Thing' });
});

test('bad faces, normals, tangents, UVs and colours are repaired, each with its code', async () => {
  const bow = [
    [0, 0, 0],
    [2, 2, 0],
    [2, 0, 0],
    [1, 2.5, 0],
    [0, 2, 0],
  ];
  expect(
    (
      await prepare(
        polygons(bow, [
          [0, 1, 2, 3, 4],
          [0, 1],
        ]),
        { uv: { set: null, transform: null } },
      )
    ).codes,
  ).toEqual(['UC2002', 'UC2003']);
  const normals = attribute(
    [
      [0, 0, 0],
      [0, 0, 1],
      [0, 0, 1],
      [0, 0, Number.NaN],
    ],
    'vertex',
  );
  const repaired = await prepare(square({ normals }));
  expect(repaired.codes).toEqual(['UC2004']);
  expect([...repaired.made.attributes.normal]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);

  const up = attribute([[0, 0, 1]], 'constant');
  const tangents = attribute(
    [
      [0, 0, 0, 1],
      [0, 1, 0, -1],
      [0, 1, 0, -1],
      [0, 1, 0, -1],
    ],
    'vertex',
  );
  const authored = await prepare(square({ normals: up, tangents }));
  expect(authored.codes).toEqual(['UC2005']);
  expect([...authored.made.attributes.tangent!]).toEqual([1, 0, 0, 1, 0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1]);

  const st = attribute(
    [
      [0, 0],
      [1e6, 0],
      [1, Number.NaN],
      [0, 1],
    ],
    'vertex',
  );
  const uvs = await prepare(square({ uvs: new Map([['st', st]]) }));
  expect(uvs.codes).toEqual(['UC2006', 'UC2007']);
  expect(Math.max(...uvs.made.attributes.uv0!.map(Math.abs))).toBeLessThanOrEqual(65504);

  const colors = attribute(
    [
      [1, 0, 0],
      [0, Number.NaN, 0],
      [0, 0, 1],
      [1, 1, 1],
    ],
    'vertex',
  );
  const colored = await prepare(square({ colors }), { color: 'store' });
  expect(colored.codes).toEqual(['UC2014', 'UC2013']);
  expect([...colored.made.attributes.color0!]).toEqual([
    255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255,
  ]);
  expect((await prepare(square({ colors }))).made.attributes.color0).toBeUndefined();
});

test('colours that a format has no place for are reported, not dropped in silence', async () => {
  const colors = attribute(
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, 1],
    ],
    'vertex',
  );
  const unstored = await prepare(square({ colors }), { color: 'store', attributes: ['tangent'] });
  expect(unstored.codes).toEqual(['UC2013']);
  expect(unstored.made.attributes.color0).toBeUndefined();
  // What a tint or a palette shows is not lost, and what is not there neither.
  expect((await prepare(square({ colors }), { attributes: ['tangent'] })).codes).toEqual([]);
  expect((await prepare(square({}), { color: 'store', attributes: ['tangent'] })).codes).toEqual([]);
});

test('authored tangents without normals are ignored: they belong to normals that are not there', async () => {
  const tangents = attribute([[0, 1, 0, -1]], 'constant');
  const { made } = await prepare(square({ tangents }));
  expect([...made.attributes.tangent!.subarray(0, 4)]).toEqual([1, 0, 0, 1]);
});

test('authored tangents turn with the texels of the normal map, or are made anew where UVs allow it', async () => {
  const normals = attribute([[0, 0, 1]], 'constant');
  const mesh = square({ normals, tangents: attribute([[0.6, 0.8, 0, 1]], 'constant') });
  const first = async (changes: Partial<MeshRequest>) =>
    [...(await prepare(mesh, changes)).made.attributes.tangent!.subarray(0, 4)].map((x) => expect.closeTo(x + 0, 6));
  expect([0.6, 0.8, 0, 1]).toEqual(await first({}));
  expect([0.6, 0.8, 0, 1]).toEqual(await first({ tangentTurn: null }));
  expect([-0.8, 0.6, 0, 1]).toEqual(await first({ tangentTurn: [0, 1, -1, 0] }));
  expect([1, 0, 0, 1]).toEqual(await first({ tangentTurn: 'anew' }));
  const without = { tangentTurn: 'anew', uv: { set: null, transform: null } } as const;
  expect([0.6, 0.8, 0, 1]).toEqual(await first(without));
});

test('a missing UV set gives zeros, no tangents and a warning; none asked for gives no warning', async () => {
  const missing = await prepare(square(), { uv: { set: 'st1', transform: null } });
  expect(missing.codes).toEqual(['UC2012']);
  expect(missing.made.attributes.tangent).toBeUndefined();
  expect([...valuesOf(missing.made, 'uv0')]).toEqual(new Array(8).fill(0));
  expect((await prepare(square(), { uv: { set: null, transform: null } })).codes).toEqual([]);
});

test('coarse UVs are reported by the texture’s size', async () => {
  const st = attribute(
    [
      [0, 0],
      [40, 0],
      [40, 40],
      [0, 40],
    ],
    'vertex',
  );
  const tiled = square({ uvs: new Map([['st', st]]) });
  // [0, 40] becomes [-20, 20]: steps of 1/64 against half a texel of 1/64.
  expect((await prepare(tiled, { textureSize: [32, 32] })).codes).toEqual([]);
  expect((await prepare(tiled, { textureSize: [64, 32] })).codes).toEqual(['UC2008']);
  expect((await prepare(square(), { textureSize: [1024, 1024] })).codes).toEqual([]);
  expect((await prepare(square(), { textureSize: [2048, 2048] })).codes).toEqual(['UC2009']);
  expect((await prepare(square(), { textureSize: [2048, 4096] })).codes).toEqual(['UC2015']);
});

test('a palette puts every corner on its colour’s cell', async () => {
  const colors = attribute(
    [
      [1, 0, 0],
      [0, 1, 0],
    ],
    'uniform',
  );
  const mesh = polygons(
    SQUARE_POINTS,
    [
      [0, 1, 2],
      [0, 2, 3],
    ],
    { colors },
  );
  const palette = unitePalettes([[0, 0, 1, 1], { colors: Float32Array.of(0, 1, 0, 1, 1, 0, 0, 1) }])!;
  const { made, codes } = await prepare(mesh, { color: { palette } });
  expect(codes).toEqual([]);
  expect([made.vertexCount, made.attributes.color0, made.attributes.tangent]).toEqual([6, undefined, undefined]);
  // Three colours, two columns and two rows: red is cell 2, bottom left; green cell 1, top right.
  expect([...made.attributes.uv0!]).toEqual([0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75]);
  const short = unitePalettes([[0, 0, 1, 1]])!;
  await expect(prepare(mesh, { color: { palette: short } })).rejects.toThrow('palette lacks');
});

test('float64 points keep their digits until they are placed', async () => {
  const points = Float64Array.from(SQUARE_POINTS.flatMap(([x, y]) => [1e8 + x * 0.5, y * 0.5, 0]));
  const { made } = await prepare({ ...square(), points });
  const packed = await packParts([{ mesh: made, world: translation(-1e8, 0, 0) }], new Diagnostics(), place);
  expect(packed!.bounds).toEqual({ min: [0, 0, 0], max: [0.5, 0.5, 0] });
});

test('leftHanded meshes come out with fronts to the front', async () => {
  const { made } = await prepare(square({ leftHanded: true }));
  const corners = [...made.indices].map((v) => [...made.positions.subarray(v * 3, v * 3 + 2)].join());
  expect(corners).toEqual(['0,0', '1,1', '1,0', '0,0', '0,1', '1,1']);
  expect([...made.attributes.normal.subarray(0, 3)].map((x) => x + 0)).toEqual([0, 0, -1]);
});

test('triangles without normals have a vertex a corner until they are packed, and are welded then', async () => {
  // A pyramid: two triangles lie in the plane of its base, four stand on it.
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 0, 1],
    [0, 0, 1],
    [0.5, 1, 0.5],
  ];
  const faces = [
    [0, 1, 2],
    [0, 2, 3],
    [4, 1, 0],
    [4, 2, 1],
    [4, 3, 2],
    [4, 0, 3],
  ];
  const { made } = await prepare({ ...polygons(points, faces), faceCounts: null, missingNormals: 'flat' });
  expect(made.vertexCount).toBe(18);
  const packed = await packOne(made);
  // The base has four corners, each side three.
  expect(packed!.vertexCount).toBe(16);
  expect(packed!.indices.length).toBe(18);
});
