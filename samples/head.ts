// A head with two eyes on a neck: the morphed sample. Ten targets move its face; a skin of two joints turns it. Its one seam
// of texture coordinates runs down the back, where each point has two vertices.

import { glbOf } from './gltf.ts';

type Point = readonly [number, number, number];
/** What a target adds to a point of the base shape. */
type Move = (point: Point) => Point;

const ACROSS = 40;
const UP = 28;
/** Half the sizes of the head, in metres; it looks along +Z. */
const HALF: Point = [0.085, 0.115, 0.1];
const CENTRE: Point = [0, 0.17, 0];
const EYE: Point = [0.035, 0.19, 0.079];
const EYE_RADIUS = 0.016;

const STILL: Point = [0, 0, 0];

/** 1 at `centre`, falling to 0 at a distance of `radius`, on the side of the face. */
function near([x, y, z]: Point, centre: Point, radius: number): number {
  if (z <= 0) return 0;
  const share = Math.min(1, Math.hypot(x - centre[0], y - centre[1], z - centre[2]) / radius);
  return (1 - share * share) ** 2;
}

/** Moves what is around `centre` by `by`. */
const pull =
  (centre: Point, radius: number, by: Point): Move =>
  (point) => {
    const share = near(point, centre, radius);
    return share === 0 ? STILL : [by[0] * share, by[1] * share, by[2] * share];
  };

const sum =
  (...moves: readonly Move[]): Move =>
  (point) =>
    moves
      .map((move) => move(point))
      .reduce<Point>((all, one) => [all[0] + one[0], all[1] + one[1], all[2] + one[2]], STILL);

const mouth = (side: number): Point => [0.03 * side, 0.125, 0.085];
const brow = (side: number): Point => [0.035 * side, 0.225, 0.08];

/** In the order of the file. `hasNormals`: the file also says how normals turn. */
export const HEAD_TARGETS: readonly { readonly name: string; readonly hasNormals: boolean; readonly move: Move }[] = [
  {
    name: 'smile',
    hasNormals: true,
    move: sum(pull(mouth(1), 0.035, [0.01, 0.018, 0.004]), pull(mouth(-1), 0.035, [-0.01, 0.018, 0.004])),
  },
  {
    name: 'frown',
    hasNormals: true,
    move: sum(pull(mouth(1), 0.035, [0.006, -0.016, 0]), pull(mouth(-1), 0.035, [-0.006, -0.016, 0])),
  },
  { name: 'jawOpen', hasNormals: true, move: pull([0, 0.075, 0.06], 0.09, [0, -0.045, 0.008]) },
  { name: 'noseLong', hasNormals: true, move: pull([0, 0.16, 0.1], 0.032, [0, 0.004, 0.09]) },
  { name: 'browUpLeft', hasNormals: true, move: pull(brow(1), 0.035, [0, 0.014, 0.006]) },
  { name: 'browUpRight', hasNormals: true, move: pull(brow(-1), 0.035, [0, 0.014, 0.006]) },
  {
    name: 'cheeksPuffed',
    hasNormals: true,
    move: sum(pull([0.06, 0.14, 0.06], 0.05, [0.03, 0, 0.01]), pull([-0.06, 0.14, 0.06], 0.05, [-0.03, 0, 0.01])),
  },
  { name: 'chinWide', hasNormals: false, move: ([x, y]) => (y < 0.11 ? [x * 0.4, 0, 0] : STILL) },
  { name: 'skullTall', hasNormals: false, move: ([, y]) => (y > 0.2 ? [0, (y - 0.2) * 0.8, 0] : STILL) },
  {
    name: 'eyesWide',
    hasNormals: false,
    move: ([x, y, z]) => {
      const side = x > 0 ? 1 : -1;
      const from: Point = [x - EYE[0] * side, y - EYE[1], z - EYE[2]];
      const length = Math.hypot(...from);
      return length > EYE_RADIUS * 1.05 ? STILL : [from[0] * 0.6, from[1] * 0.6, from[2] * 0.6];
    },
  },
];

/** The weight that the file gives to a target at rest: the head has a little of a smile. */
export const HEAD_WEIGHTS = HEAD_TARGETS.map(({ name }) => (name === 'smile' ? 0.25 : 0));

interface Part {
  readonly material: string;
  readonly positions: readonly Point[];
  readonly uvs: readonly (readonly [number, number])[];
  readonly triangles: readonly (readonly [number, number, number])[];
  /** From 0, the neck, to 1, the head. */
  readonly follows: (point: Point) => number;
}

/** An ellipsoid of rows of points; the last of a row lies on the first, with another texture coordinate. */
function ellipsoid(centre: Point, half: Point, across: number, up: number): Omit<Part, 'material' | 'follows'> {
  const positions: Point[] = [];
  const uvs: [number, number][] = [];
  const triangles: [number, number, number][] = [];
  for (let row = 0; row <= up; row++) {
    const latitude = (row / up - 0.5) * Math.PI;
    for (let column = 0; column <= across; column++) {
      // From the back over +X, the front and -X. The last column repeats the first, bit for bit.
      const longitude = ((column % across) / across) * 2 * Math.PI;
      const ring = row === 0 || row === up ? 0 : Math.cos(latitude);
      positions.push([
        centre[0] + half[0] * ring * Math.sin(longitude),
        centre[1] + half[1] * Math.sin(latitude),
        centre[2] - half[2] * ring * Math.cos(longitude),
      ]);
      uvs.push([column / across, row / up]);
    }
  }
  for (let row = 0; row < up; row++) {
    for (let column = 0; column < across; column++) {
      const [a, b] = [row * (across + 1) + column, (row + 1) * (across + 1) + column];
      if (row > 0) triangles.push([a, b, a + 1]);
      if (row < up - 1) triangles.push([a + 1, b, b + 1]);
    }
  }
  return { positions, uvs, triangles };
}

/** Normals from triangles by their area, the same for all vertices of a point. */
function normalsOf(positions: readonly Point[], { triangles, positions: points }: Part): Point[] {
  const sums = new Map<string, [number, number, number]>();
  const keys = points.map((point) => point.map(Math.fround).join());
  for (const [a, b, c] of triangles) {
    const [u, v] = [b, c].map((corner) => positions[corner].map((value, k) => value - positions[a][k]));
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const corner of [a, b, c]) {
      const own = sums.get(keys[corner]) ?? [0, 0, 0];
      sums.set(keys[corner], own);
      for (let k = 0; k < 3; k++) own[k] += cross[k];
    }
  }
  return keys.map((key): Point => {
    const [x, y, z] = sums.get(key) as [number, number, number];
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  });
}

const share = (value: number): number => Math.min(1, Math.max(0, value));

const PARTS: readonly Part[] = [
  { material: 'Skin', follows: ([, y]) => share((y - 0.05) / 0.06), ...ellipsoid(CENTRE, HALF, ACROSS, UP) },
  { material: 'Neck', follows: ([, y]) => share(y / 0.1), ...ellipsoid([0, 0.03, -0.01], [0.05, 0.09, 0.05], 16, 10) },
  ...[1, -1].map(
    (side): Part => ({
      material: 'Eye',
      follows: () => 1,
      ...ellipsoid([EYE[0] * side, EYE[1], EYE[2]], [EYE_RADIUS, EYE_RADIUS, EYE_RADIUS], 12, 8),
    }),
  ),
];

const MATERIALS = {
  Skin: [0.8, 0.52, 0.4, 1],
  Neck: [0.7, 0.43, 0.33, 1],
  Eye: [0.02, 0.03, 0.06, 1],
} as const;

/** Positions a little off in their last digits never differ between machines: steps of a millionth of a metre. */
const stepped = (point: Point): Point => [0, 1, 2].map((k) => Math.round(point[k] * 1e6) / 1e6) as unknown as Point;
const steppedNormal = (point: Point): Point =>
  [0, 1, 2].map((k) => Math.round(point[k] * 1e5) / 1e5) as unknown as Point;

/** The head as a GLB; deltas are sparse accessors, as glTF has them for what moves little of a mesh. */
export function headGlb(): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const view = (array: Float32Array | Uint16Array | Uint8Array, target?: number): number => {
    const bytes = Buffer.from(array.buffer);
    const padding = (4 - (size % 4)) % 4;
    pieces.push(Buffer.alloc(padding), bytes);
    size += padding;
    bufferViews.push({ buffer: 0, byteOffset: size, byteLength: bytes.length, ...(target ? { target } : {}) });
    size += bytes.length;
    return bufferViews.length - 1;
  };
  const rangeOf = (rows: readonly (readonly number[])[]) => ({
    min: rows[0].map((_, k) => Math.min(...rows.map((row) => Math.fround(row[k])))),
    max: rows[0].map((_, k) => Math.max(...rows.map((row) => Math.fround(row[k])))),
  });
  const floats = (rows: readonly (readonly number[])[], type: string, target?: number): number => {
    const bufferView = view(Float32Array.from(rows.flat()), target);
    const range = type === 'VEC3' ? rangeOf(rows) : {};
    return accessors.push({ bufferView, componentType: 5126, count: rows.length, type, ...range }) - 1;
  };
  const sparse = (rows: readonly Point[]): number => {
    const moved = [...rows.keys()].filter((i) => rows[i].some((value) => value !== 0));
    const shown = moved.length > 0 ? moved : [0];
    const indices = { bufferView: view(Uint16Array.from(shown)), componentType: 5123 };
    const values = { bufferView: view(Float32Array.from(shown.flatMap((i) => rows[i]))) };
    const count = rows.length;
    const stored = { count: shown.length, indices, values };
    return accessors.push({ componentType: 5126, count, type: 'VEC3', ...rangeOf(rows), sparse: stored }) - 1;
  };

  const names = Object.keys(MATERIALS);
  const primitives = PARTS.map((part) => {
    const positions = part.positions.map(stepped);
    const normals = normalsOf(positions, part).map(steppedNormal);
    const weights = positions.map((point) => {
      const head = Math.round(part.follows(point) * 255) / 255;
      return [1 - head, head, 0, 0];
    });
    return {
      attributes: {
        POSITION: floats(positions, 'VEC3', 34962),
        NORMAL: floats(normals, 'VEC3', 34962),
        TEXCOORD_0: floats(part.uvs, 'VEC2', 34962),
        JOINTS_0:
          accessors.push({
            bufferView: view(Uint8Array.from(positions.flatMap(() => [0, 1, 0, 0])), 34962),
            componentType: 5121,
            count: positions.length,
            type: 'VEC4',
          }) - 1,
        WEIGHTS_0: floats(weights, 'VEC4', 34962),
      },
      indices:
        accessors.push({
          bufferView: view(Uint16Array.from(part.triangles.flat()), 34963),
          componentType: 5123,
          count: part.triangles.length * 3,
          type: 'SCALAR',
        }) - 1,
      material: names.indexOf(part.material),
      targets: HEAD_TARGETS.map(({ move, hasNormals }) => {
        const deltas = positions.map((point) => stepped(move(point)));
        const moved = positions.map(
          (point, i): Point => [0, 1, 2].map((k) => point[k] + deltas[i][k]) as unknown as Point,
        );
        const turned = normalsOf(moved, part).map((normal, i) =>
          steppedNormal([0, 1, 2].map((k) => normal[k] - normals[i][k]) as unknown as Point),
        );
        return { POSITION: sparse(deltas), ...(hasNormals ? { NORMAL: sparse(turned) } : {}) };
      }),
    };
  });

  const inverse = [
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.08, 0, 1],
  ];
  const inverseBindMatrices = floats(inverse, 'MAT4');
  const bin = Buffer.concat(pieces);
  const json = {
    asset: { version: '2.0', generator: 'untold samples' },
    scene: 0,
    scenes: [{ name: 'Head', nodes: [0, 1] }],
    nodes: [
      { name: 'Face', mesh: 0, skin: 0 },
      { name: 'NeckJoint', children: [2] },
      { name: 'HeadJoint', translation: [0, 0.08, 0] },
    ],
    meshes: [
      {
        name: 'Face',
        primitives,
        weights: HEAD_WEIGHTS,
        extras: { targetNames: HEAD_TARGETS.map(({ name }) => name) },
      },
    ],
    skins: [{ name: 'Head', inverseBindMatrices, joints: [1, 2], skeleton: 1 }],
    materials: names.map((name) => ({
      name,
      pbrMetallicRoughness: {
        baseColorFactor: MATERIALS[name as keyof typeof MATERIALS],
        metallicFactor: 0,
        roughnessFactor: name === 'Eye' ? 0.2 : 0.8,
      },
    })),
    accessors,
    bufferViews,
    buffers: [{ byteLength: bin.length }],
  };
  return glbOf(json, bin);
}
