// Literal points through literal ops, worked out by hand: x' of a point for what USD writes as p' = p · M.

import { describe, expect, it } from 'vitest';
import { transformPoint } from '../../../../src/scene/matrix.ts';
import type { Vec3 } from '../../../../src/scene/types.ts';
import { errorsOf, importText, quad } from '../importText.ts';

function rounded(p: Vec3): number[] {
  return p.map((v) => Math.round(v * 1e9) / 1e9 + 0);
}

/** Where a point of a mesh below an Xform with these ops ends up. */
async function moved(ops: string, order: string, point: Vec3, metadata?: string) {
  const body = `def Xform "x" {\n${ops}\nuniform token[] xformOpOrder = [${order}]\n${quad('m')}\n}`;
  const { scene, codes } = await importText(body, metadata);
  const node = scene.nodes.find((n) => n.path === '/x/m')!;
  return { point: rounded(transformPoint(node.world, point)), codes: codes() };
}

describe('xformOps', () => {
  it('the last op in the order is nearest to the points', async () => {
    const ops = 'double3 xformOp:translate = (10, 0, 0)\nfloat3 xformOp:scale = (2, 2, 2)';
    // Scaled first, then moved: 2 · 1 + 10. The other way round: 2 · (1 + 10).
    expect((await moved(ops, '"xformOp:translate", "xformOp:scale"', [1, 0, 0])).point).toEqual([12, 0, 0]);
    expect((await moved(ops, '"xformOp:scale", "xformOp:translate"', [1, 0, 0])).point).toEqual([22, 0, 0]);
  });

  it('ops outside of the order do nothing', async () => {
    expect((await moved('double3 xformOp:translate = (10, 0, 0)', '', [1, 2, 3])).point).toEqual([1, 2, 3]);
  });

  it.each([
    // +90° about X takes y to z, about Y z to x, about Z x to y.
    ['rotateX', '90', [0, 1, 0], [0, 0, 1]],
    ['rotateY', '90', [0, 0, 1], [1, 0, 0]],
    ['rotateZ', '90', [1, 0, 0], [0, 1, 0]],
  ] as const)('%s turns counter-clockwise', async (op, degrees, from, to) => {
    expect((await moved(`float xformOp:${op} = ${degrees}`, `"xformOp:${op}"`, from)).point).toEqual([...to]);
  });

  // 90° about every axis. The letters say what turns first. With X: y -> z -> -y; Y: z -> x -> -z; Z: x -> y -> -x.
  it.each([
    ['XYZ', [1, 0, 0], [0, 0, -1]], // X: x; Y: x -> -z; Z: -z
    ['XZY', [1, 0, 0], [0, 1, 0]], // X: x; Z: x -> y; Y: y
    ['YXZ', [1, 0, 0], [-1, 0, 0]], // Y: x -> -z; X: -z -> y; Z: y -> -x
    ['YZX', [1, 0, 0], [0, 1, 0]], // Y: x -> -z; Z: -z; X: -z -> y
    ['ZXY', [1, 0, 0], [1, 0, 0]], // Z: x -> y; X: y -> z; Y: z -> x
    ['ZYX', [1, 0, 0], [0, 0, 1]], // Z: x -> y; Y: y; X: y -> z
  ] as const)('rotate%s', async (order, from, to) => {
    const op = `xformOp:rotate${order}`;
    expect((await moved(`float3 ${op} = (90, 90, 90)`, `"${op}"`, from)).point).toEqual([...to]);
  });

  it('angles are (x, y, z) whatever the order, and rotateXYZ is rotateZ, rotateY, rotateX in order', async () => {
    const whole = await moved('double3 xformOp:rotateXYZ = (30, 45, 60)', '"xformOp:rotateXYZ"', [1, 2, 3]);
    const parts = await moved(
      'float xformOp:rotateX = 30\nfloat xformOp:rotateY = 45\nfloat xformOp:rotateZ = 60',
      '"xformOp:rotateZ", "xformOp:rotateY", "xformOp:rotateX"',
      [1, 2, 3],
    );
    expect(whole.point).toEqual(parts.point);
    // rotateZYX by (90, 0, 0) is a turn about X only.
    expect((await moved('float3 xformOp:rotateZYX = (90, 0, 0)', '"xformOp:rotateZYX"', [0, 1, 0])).point).toEqual([
      0, 0, 1,
    ]);
  });

  it('a pivot and its inverse leave the pivot in place', async () => {
    const ops = 'float3 xformOp:translate:pivot = (1, 0, 0)\nfloat xformOp:rotateZ = 90';
    const order = '"xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"';
    expect((await moved(ops, order, [1, 0, 0])).point).toEqual([1, 0, 0]);
    expect((await moved(ops, order, [2, 0, 0])).point).toEqual([1, 1, 0]);
  });

  it.each([
    ['float3 xformOp:scale:a = (2, 4, -8)', 'scale:a'],
    ['float3 xformOp:rotateYZX:a = (10, 20, 30)', 'rotateYZX:a'],
    ['quatf xformOp:orient:a = (0.8, 0, 0.6, 0)', 'orient:a'],
    ['matrix4d xformOp:transform:a = ((1, 2, 0, 0), (0, 1, 3, 0), (4, 0, 1, 0), (5, 6, 7, 1))', 'transform:a'],
    ['float xformOp:rotateX:a = 33', 'rotateX:a'],
  ])('the inverse of %s undoes it', async (op, name) => {
    const order = `"xformOp:${name}", "!invert!xformOp:${name}"`;
    expect((await moved(op, order, [1, 2, 3])).point).toEqual([1, 2, 3]);
  });

  it('a matrix is written for row vectors: its last row is the translation', async () => {
    const matrix = '((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (10, 20, 30, 1))';
    // p · M: x goes to y, y to -x.
    const found = await moved(`matrix4d xformOp:transform = ${matrix}`, '"xformOp:transform"', [1, 2, 3]);
    expect(found.point).toEqual([8, 21, 33]);
  });

  it('a shear stays a shear', async () => {
    const matrix = '((1, 0, 0, 0), (2, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))';
    expect((await moved(`matrix4d xformOp:transform = ${matrix}`, '"xformOp:transform"', [0, 1, 0])).point).toEqual([
      2, 1, 0,
    ]);
  });

  it('a quaternion is real part first, and is normalised', async () => {
    // 90° about Z: (cos 45°, 0, 0, sin 45°), here four times as long.
    const op = 'quath xformOp:orient = (2.828, 0, 0, 2.828)';
    expect((await moved(op, '"xformOp:orient"', [1, 0, 0])).point).toEqual([0, 1, 0]);
  });

  it('takes halves, floats, doubles and single components', async () => {
    const ops = 'half3 xformOp:translate = (1, 2, 3)\ndouble xformOp:translateY:b = 5\nfloat xformOp:scaleZ = 2';
    const order = '"xformOp:translate", "xformOp:translateY:b", "xformOp:scaleZ"';
    expect((await moved(ops, order, [0, 0, 1])).point).toEqual([1, 7, 5]);
  });

  it('keeps double precision far from the origin', async () => {
    const found = await moved('double3 xformOp:translate = (123456789.125, 0, 0)', '"xformOp:translate"', [0, 0, 0]);
    expect(found.point[0]).toBe(123456789.125);
  });

  it('skips and names what it cannot use', async () => {
    const ops = 'float xformOp:scale = 2\nfloat3 xformOp:twist = (1, 2, 3)\nfloat3 xformOp:translate = (1, 0, 0)';
    const order = '"xformOp:scale", "xformOp:twist", "xformOp:rotateX", "xformOp:translate"';
    const { point, codes } = await moved(ops, order, [0, 0, 0]);
    expect(point).toEqual([1, 0, 0]);
    expect(codes).toEqual(['UC1816', 'UC1816', 'UC1816']);
  });

  it('skips an inverse that does not exist', async () => {
    const { point, codes } = await moved('float3 xformOp:scale = (1, 0, 1)', '"!invert!xformOp:scale"', [1, 2, 3]);
    expect(point).toEqual([1, 2, 3]);
    expect(codes).toEqual(['UC1817']);
  });

  it('refuses what is not finite', async () => {
    const body = `def Xform "x" { double3 xformOp:translate = (nan, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]\n${quad('m')}\n}`;
    expect(await errorsOf(body)).toEqual(['UC1803 /x']);
  });
});

describe('the stack of transforms', () => {
  const parent = (child: string) => `def Xform "a" {
    double3 xformOp:translate = (100, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    ${child}
  }`;

  it('parents apply after their children', async () => {
    const inner = 'float xformOp:rotateZ = 90\nuniform token[] xformOpOrder = ["xformOp:rotateZ"]';
    const { scene } = await importText(parent(quad('m', inner)));
    expect(scene.nodes.map((n) => [n.path, n.parent])).toEqual([
      ['/a', -1],
      ['/a/m', 0],
    ]);
    expect(rounded(transformPoint(scene.nodes[1].world, [1, 0, 0]))).toEqual([100, 1, 0]);
    expect(rounded(transformPoint(scene.nodes[1].local, [1, 0, 0]))).toEqual([0, 1, 0]);
  });

  it('a reset leaves the parents and the ops before it out, but not the stage', async () => {
    const ops = `double3 xformOp:translate = (0, 0, 5)
      double3 xformOp:translate:lost = (1000, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate:lost", "!resetXformStack!", "xformOp:translate"]`;
    const { scene, codes } = await importText(parent(quad('m', ops)), '(\n metersPerUnit = 0.01\n upAxis = "Z"\n)\n');
    expect(scene.nodes.map((n) => [n.path, n.parent])).toEqual([['/a/m', -1]]);
    // (0, 0, 5) cm up along Z is 5 cm up along Y.
    expect(rounded(transformPoint(scene.nodes[0].world, [0, 0, 0]))).toEqual([0, 0.05, 0]);
    expect(codes()).toEqual(['UC1819']);
  });

  it('scopes and typeless prims are identities, and said to be when they have ops', async () => {
    const ops = 'double3 xformOp:translate = (7, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const { scene, codes } = await importText(`def Scope "s" {\n${ops}\ndef "t" {\n${ops}\n${quad('m')}\n}\n}`);
    expect(scene.nodes.map((n) => n.path)).toEqual(['/s', '/s/t', '/s/t/m']);
    expect(rounded(transformPoint(scene.nodes[2].world, [1, 2, 3]))).toEqual([1, 2, 3]);
    expect(codes()).toEqual(['UC1818', 'UC1818']);
  });

  it('animated ops are frozen at the first sample and named', async () => {
    const ops =
      'double3 xformOp:translate.timeSamples = { 10: (1, 0, 0), 20: (2, 0, 0) }\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const { scene, diagnostics } = await importText(quad('m', ops));
    expect(rounded(transformPoint(scene.nodes[0].world, [0, 0, 0]))).toEqual([1, 0, 0]);
    expect(diagnostics.list.map((d) => [d.code, d.path])).toEqual([['UC1702', '/m']]);
    expect(diagnostics.list[0].message).toContain('xformOp:translate');
  });
});

describe('the stage metrics', () => {
  const world = async (metadata: string) => {
    const { scene, codes } = await importText(quad('m'), metadata);
    return { point: rounded(transformPoint(scene.nodes[0].world, [1, 2, 3])), codes: codes(), scene };
  };

  it('Z up becomes (x, z, -y), and units become metres', async () => {
    const { point, codes, scene } = await world('(\n metersPerUnit = 2\n upAxis = "Z"\n)\n');
    expect(point).toEqual([2, 6, -4]);
    expect(codes).toEqual([]);
    expect(scene).toMatchObject({ upAxis: 'Z', metersPerUnit: 2 });
  });

  it('fall back to Y and centimetres, with warnings', async () => {
    const { point, codes, scene } = await world('');
    expect(point).toEqual([0.01, 0.02, 0.03]);
    expect(codes).toEqual(['UC1707', 'UC1703']);
    expect(scene).toMatchObject({ upAxis: 'Y', metersPerUnit: 0.01 });
  });

  it('take nothing that makes no sense', async () => {
    const { point, codes } = await world('(\n metersPerUnit = -1\n upAxis = "X"\n)\n');
    expect(point).toEqual([0.01, 0.02, 0.03]);
    expect(codes).toEqual(['UC1705', 'UC1704']);
  });
});
