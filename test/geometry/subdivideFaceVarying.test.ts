import { describe, expect, test } from 'vitest';
import type { PolygonMesh, Subdivision } from '../../src/scene/types.ts';
import { attribute } from './meshes.ts';
import { CATMULL_CLARK, cage, creases, refined } from './subdivisions.ts';

type Rule = Subdivision['faceVarying'];

// Two by two quads; the vertex in the middle is 4. Corners of the faces:
//   0: 0 1 4 3   1: 1 2 5 4   2: 3 4 7 6   3: 4 5 8 7
const POINTS = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => [x, y, 0]));
const FACES = [
  [0, 1, 4, 3],
  [1, 2, 5, 4],
  [3, 4, 7, 6],
  [4, 5, 8, 7],
];
/** The corner of the result that is the child of vertex 4, for each face. */
const MIDDLE = [8, 28, 36, 48];

function values(mesh: PolygonMesh): number[] {
  const { data, indices } = mesh.uvs.get('st')!;
  return [...indices!].map((i) => data[i]);
}

interface More extends Partial<PolygonMesh> {
  readonly boundary?: Subdivision['boundary'];
}

/** Values after one level; `data` one number each, `indices` by the corners of the faces. */
function refine(rule: Rule, data: readonly number[], indices: readonly number[] | undefined, more: More = {}) {
  const { boundary = 'edgeAndCorner', ...rest } = more;
  const st = attribute(
    data.map((x) => [x]),
    'faceVarying',
    indices,
  );
  const subdivision = { ...CATMULL_CLARK, faceVarying: rule, boundary };
  return values(refined(cage(POINTS, FACES, { subdivision, uvs: new Map([['st', st]]), ...rest })));
}

describe('without seams', () => {
  // One value a vertex: 16 in the middle, 0 elsewhere.
  const data = [0, 0, 0, 0, 16, 0, 0, 0, 0];
  const indices = FACES.flat();

  test.each<[Rule, number, number]>([
    // Like a vertex: 1/2 of itself, and of four faces whose centres are 4 a 16th each.
    ['none', 9, 6],
    ['cornersOnly', 9, 6],
    ['cornersPlus1', 9, 6],
    ['cornersPlus2', 9, 6],
    ['boundaries', 9, 6],
    ['all', 16, 8],
  ])('%s: %d in the middle, %d at the edges from there', (rule, middle, edge) => {
    const result = refine(rule, data, indices);
    expect(MIDDLE.map((c) => result[c])).toEqual([middle, middle, middle, middle]);
    // The child's second corner is the edge after the middle, its third the face, its fourth the edge before.
    expect(result.slice(8, 12)).toEqual([middle, edge, 4, edge]);
  });

  // Values at the corner 0 and next to it: 8 at vertex 0, 0 elsewhere.
  const atCorner = [8, 0, 0, 0, 0, 0, 0, 0, 0];
  test.each<[Rule, Subdivision['boundary'], number]>([
    ['none', 'edgeOnly', 6],
    ['cornersOnly', 'edgeOnly', 8],
    ['cornersPlus1', 'edgeOnly', 8],
    ['boundaries', 'edgeOnly', 8],
    ['none', 'edgeAndCorner', 8],
  ])('%s with %s: a corner of the boundary is %d', (rule, boundary, expected) => {
    expect(refine(rule, atCorner, indices, { boundary })[0]).toBe(expected);
  });

  test.each<[Rule, number]>([
    ['cornersPlus2', 6],
    ['boundaries', 8],
    ['all', 8],
  ])('%s: a value amid the boundary is %d', (rule, expected) => {
    expect(refine(rule, [0, 8, 0, 0, 0, 0, 0, 0, 0], indices)[4]).toBe(expected);
  });
});

describe('one quarter torn off', () => {
  // Face 0 has 0 8 16 0; the others have 8 at vertex 1, 16 at vertex 3, 80 in the middle.
  const data = [0, 8, 16, 0, 8, 16, 80, 0];
  const indices = [0, 1, 2, 3, 4, 7, 7, 6, 5, 6, 7, 7, 6, 7, 7, 7];

  test.each<[Rule, number, number]>([
    // 3/4 of the value and 1/8 of the two along its seam.
    ['none', 13, 63],
    // The quarter has a corner there, the rest has not.
    ['cornersOnly', 16, 63],
    ['cornersPlus1', 16, 63],
    // One corner keeps both.
    ['cornersPlus2', 16, 80],
    ['boundaries', 16, 80],
    ['all', 16, 80],
  ])('%s: %d on its side, %d on the other', (rule, quarter, rest) => {
    const result = refine(rule, data, indices);
    expect(MIDDLE.map((c) => result[c])).toEqual([quarter, rest, rest, rest]);
  });

  test.each<Rule>(['none', 'cornersPlus1', 'boundaries', 'all'])('%s: seams are halved on both sides', (rule) => {
    const result = refine(rule, data, indices);
    // Edge 1-4 from face 0, then from face 1, where it is the edge before the child of vertex 1.
    expect(result[5]).toBe(12);
    expect(result[19]).toBe(44);
  });

  test('later levels go along the seam too', () => {
    const st = attribute(
      data.map((x) => [x]),
      'faceVarying',
      indices,
    );
    const subdivision = { ...CATMULL_CLARK, faceVarying: 'none' } as const;
    const mesh = refined(cage(POINTS, FACES, { subdivision, uvs: new Map([['st', st]]) }), 2);
    // Face 0, child of vertex 4: 13 between the halved edges (16 + 8) / 2 and (16 + 0) / 2.
    expect(values(mesh)[32]).toBe(13 * 0.75 + (12 + 8) / 8);
    // The edge 1-4 of face 0 at its middle: 12 between the new ends 8 (a corner of its boundary) and 13. Values of
    // vertices amid the boundary follow it: 3/4 of 8 and 1/8 of 0 and 16.
    expect(values(mesh)[20]).toBe(12 * 0.75 + (8 * 0.75 + 16 / 8 + 13) / 8);
  });
});

describe('three islands', () => {
  // Faces 0 and 1 alone with 16 in the middle each; 2 and 3 together, with 80 there and 8 and 24 along their seam.
  const data = [0, 16, 80, 8, 24, 16];
  const indices = [0, 0, 1, 0, 0, 0, 0, 5, 3, 2, 0, 0, 2, 4, 0, 0];

  test.each<[Rule, number, number]>([
    ['none', 12, 64],
    ['cornersOnly', 16, 64],
    // Three values or more meet: all are kept.
    ['cornersPlus1', 16, 80],
    ['cornersPlus2', 16, 80],
  ])('%s: those alone are %d, the side of the two is %d', (rule, alone, rest) => {
    const result = refine(rule, data, indices);
    expect(MIDDLE.map((c) => result[c])).toEqual([alone, alone, rest, rest]);
  });
});

test('two values that take turns around a vertex both stay', () => {
  // 16 in faces 0 and 3, 32 in 1 and 2: neither has faces that join.
  const indices = [0, 0, 1, 0, 0, 0, 0, 2, 0, 2, 0, 0, 1, 0, 0, 0];
  for (const rule of ['none', 'cornersPlus1'] as const) {
    const result = refine(rule, [0, 16, 32], indices);
    expect(MIDDLE.map((c) => result[c])).toEqual([16, 32, 32, 16]);
  }
});

describe('a dart', () => {
  // A seam from the middle to vertex 1: face 0 and 1 differ there (40 and 8) and nowhere else.
  const data = [0, 40, 8, 16];
  const indices = [0, 1, 3, 0, 2, 0, 0, 3, 0, 3, 0, 0, 3, 0, 0, 0];

  test.each<[Rule, number]>([
    ['none', 18],
    ['cornersOnly', 18],
    ['cornersPlus1', 18],
    ['cornersPlus2', 16],
    ['boundaries', 16],
  ])('%s: its end is %d', (rule, expected) => {
    // 3/4 of 16 and 1/8 of 40 and 8, the two sides of the dart.
    const result = refine(rule, data, indices);
    expect(MIDDLE.map((c) => result[c])).toEqual([expected, expected, expected, expected]);
  });
});

describe('with creases', () => {
  // Left and right halves, with 16 and 32 in the middle; 0 elsewhere.
  const data = [0, 16, 32];
  const indices = [0, 0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 0, 0, 0];

  test('a crease across a seam keeps the values that it ends at', () => {
    const sharp = creases([[3, 4], 10]);
    const smooth = refine('cornersOnly', data, indices);
    expect(MIDDLE.map((c) => smooth[c])).toEqual([12, 24, 12, 24]);
    const kept = refine('cornersOnly', data, indices, { creases: sharp });
    expect(MIDDLE.map((c) => kept[c])).toEqual([16, 24, 16, 24]);
    // cornersPlus1 keeps the other side as well.
    const both = refine('cornersPlus1', data, indices, { creases: sharp });
    expect(MIDDLE.map((c) => both[c])).toEqual([16, 32, 16, 32]);
  });

  test('a half sharp one keeps them half', () => {
    const half = creases([[3, 4], 0.5]);
    const one = refine('cornersOnly', data, indices, { creases: half });
    expect(MIDDLE.map((c) => one[c])).toEqual([14, 24, 14, 24]);
    const both = refine('cornersPlus1', data, indices, { creases: half });
    expect(MIDDLE.map((c) => both[c])).toEqual([14, 28, 14, 28]);
  });
});

describe('indices', () => {
  test('values without indices are torn at every edge', () => {
    const result = refine(
      'cornersPlus1',
      FACES.flat().map((v) => (v === 4 ? 16 : 0)),
      undefined,
    );
    expect(MIDDLE.map((c) => result[c])).toEqual([16, 16, 16, 16]);
    expect(result.slice(8, 12)).toEqual([16, 8, 4, 8]);
  });

  test('what was joined stays joined, and sets with the same indices share theirs', () => {
    const a = attribute(
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((x) => [x, 1]),
      'faceVarying',
      FACES.flat(),
    );
    const b = {
      ...attribute(
        [9, 8, 7, 6, 5, 4, 3, 2, 1].map((x) => [x]),
        'faceVarying',
      ),
      indices: a.indices,
    };
    const mesh = refined(cage(POINTS, FACES, { uvs: new Map([['a', a]]), colors: b }), 2);
    const { data, indices } = mesh.uvs.get('a')!;
    // As many values as points: 25 + 16 + 40 after a level of 25.
    expect(data.length / 2).toBe(81);
    expect(mesh.colors!.indices).toBe(indices);
    indices!.forEach((i) => {
      expect(data[i * 2] + mesh.colors!.data[i]).toBeCloseTo(9, 5);
      expect(data[i * 2 + 1]).toBe(1);
    });
  });

  test('a value that says so is linear under any rule', () => {
    const st = {
      ...attribute(
        [0, 0, 0, 0, 16, 0, 0, 0, 0].map((x) => [x]),
        'faceVarying',
        FACES.flat(),
      ),
      linear: true,
    };
    const mesh = refined(cage(POINTS, FACES, { uvs: new Map([['st', st]]) }));
    expect(values(mesh).slice(8, 12)).toEqual([16, 8, 4, 8]);
  });
});
