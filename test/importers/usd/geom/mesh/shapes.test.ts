// Parametric shapes: closed, outward, of the right size and volume, whatever the axis.

import { describe, expect, it } from 'vitest';
import type { PolygonMesh, Scene } from '../../../../../src/scene/types.ts';
import { importText, meshAt } from '../../importText.ts';

/** Six times the signed volume: positive when faces are counter-clockwise seen from outside. */
function volume(mesh: PolygonMesh): number {
  let sum = 0;
  let at = 0;
  const p = (c: number) => [0, 1, 2].map((k) => mesh.points[mesh.corners[c] * 3 + k]);
  for (const n of mesh.faceCounts!) {
    for (let i = 1; i + 1 < n; i++) {
      const [a, b, c] = [p(at), p(at + i), p(at + i + 1)];
      sum +=
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    at += n;
  }
  return sum / 6;
}

/** Edges by position that do not have exactly one neighbour the other way round. */
function openEdges(mesh: PolygonMesh): number {
  const balance = new Map<string, number>();
  const key = (v: number) =>
    [0, 1, 2].map((k) => (mesh.points[v * 3 + k] + 0).toFixed(9).replace('-0.000000000', '0.000000000')).join();
  let at = 0;
  for (const n of mesh.faceCounts!) {
    for (let i = 0; i < n; i++) {
      const a = key(mesh.corners[at + i]);
      const b = key(mesh.corners[at + ((i + 1) % n)]);
      const [edge, way] = a < b ? [`${a} ${b}`, 1] : [`${b} ${a}`, -1];
      balance.set(edge, (balance.get(edge) ?? 0) + way);
    }
    at += n;
  }
  return [...balance.values()].filter((v) => v !== 0).length;
}

/** Whether every vertex normal has length 1 and points to the same side as its faces' normals. */
function normalsAreOutward(mesh: PolygonMesh): boolean {
  let at = 0;
  const normal = (v: number) => [0, 1, 2].map((k) => mesh.normals!.data[v * 3 + k]);
  for (const n of mesh.faceCounts!) {
    const face = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      const [a, b] = [mesh.corners[at + i], mesh.corners[at + ((i + 1) % n)]].map((v) =>
        [0, 1, 2].map((k) => mesh.points[v * 3 + k]),
      );
      for (let k = 0; k < 3; k++) face[k] += (a[(k + 1) % 3] - b[(k + 1) % 3]) * (a[(k + 2) % 3] + b[(k + 2) % 3]);
    }
    for (let i = 0; i < n; i++) {
      const v = normal(mesh.corners[at + i]);
      if (Math.abs(Math.hypot(...v) - 1) > 1e-6) return false;
      if (v[0] * face[0] + v[1] * face[1] + v[2] * face[2] <= 0) return false;
    }
    at += n;
  }
  return true;
}

function only(scene: Scene) {
  return scene.meshes[0].primitives[0];
}

describe('closed shapes', () => {
  it.each([
    ['Cube', 'double size = 3', [1.5, 1.5, 1.5], 27],
    ['Sphere', 'double radius = 2', [2, 2, 2], (4 / 3) * Math.PI * 8],
    ['Cylinder', 'double radius = 2\ndouble height = 6', [2, 2, 3], Math.PI * 4 * 6],
    ['Cone', 'double radius = 2\ndouble height = 6', [2, 2, 3], (Math.PI * 4 * 6) / 3],
    ['Capsule', 'double radius = 2\ndouble height = 6', [2, 2, 5], Math.PI * 4 * 6 + (4 / 3) * Math.PI * 8],
    // A frustum: h / 3 · π · (R² + R r + r²)
    ['Cylinder_1', 'double radiusBottom = 2\ndouble radiusTop = 1\ndouble height = 3', [2, 2, 1.5], Math.PI * 7],
  ] as const)('%s', async (type, size, half, exact) => {
    for (const axis of type === 'Cube' || type === 'Sphere' ? [''] : ['X', 'Y', 'Z', '']) {
      const { scene, codes } = await importText(
        `def ${type} "s" {\n${size}\n${axis && `uniform token axis = "${axis}"`}\n}`,
      );
      const shift = axis === 'X' ? 1 : axis === 'Y' ? 2 : 0;
      const extent = [0, 1, 2].map((c) => half[(c - shift + 3) % 3]);
      const primitive = only(scene);
      expect(primitive.type).toBe(type);
      for (let c = 0; c < 3; c++) {
        expect(primitive.bounds!.max[c]).toBeCloseTo(extent[c], 9);
        expect(primitive.bounds!.min[c]).toBeCloseTo(-extent[c], 9);
      }
      const mesh = await primitive.read();
      expect(volume(mesh) / exact).toBeGreaterThan(0.98);
      expect(volume(mesh) / exact).toBeLessThan(1 + 1e-9);
      expect(openEdges(mesh)).toBe(0);
      expect(normalsAreOutward(mesh)).toBe(true);
      expect(primitive.triangleCount).toBe(mesh.faceCounts!.reduce((sum, n) => sum + n - 2, 0));
      expect(primitive.vertexCount).toBe(mesh.points.length / 3);
      expect(codes()).toEqual([]);
    }
  });

  it('have the sizes of the schema when none is authored', async () => {
    const extent = async (type: string) =>
      only((await importText(`def ${type} "s" {}`)).scene).bounds!.max.map((v) => Math.round(v * 1e6) / 1e6);
    expect(await extent('Cube')).toEqual([1, 1, 1]);
    expect(await extent('Sphere')).toEqual([1, 1, 1]);
    expect(await extent('Cylinder')).toEqual([1, 1, 1]);
    expect(await extent('Cone')).toEqual([1, 1, 1]);
    expect(await extent('Capsule')).toEqual([0.5, 0.5, 1]);
    expect(await extent('Plane')).toEqual([1, 1, 0]);
  });

  it("a cone's tip is on +axis", async () => {
    const mesh = await meshAt((await importText('def Cone "s" { uniform token axis = "Y" }')).scene, '/s');
    const tips = Array.from({ length: mesh.points.length / 3 }, (_, v) => [
      ...mesh.points.slice(v * 3, v * 3 + 3),
    ]).filter((p) => p[0] === 0 && p[2] === 0);
    expect(new Set(tips.map(String))).toEqual(new Set(['0,1,0']));
  });

  it('a cube is six quads with the normals of its faces', async () => {
    const { scene } = await importText('def Cube "s" {}');
    expect(only(scene)).toMatchObject({ vertexCount: 24, triangleCount: 12 });
    const { normals } = await meshAt(scene, '/s');
    expect(
      new Set(Array.from({ length: 24 }, (_, v) => [...normals!.data.slice(v * 3, v * 3 + 3)].map((x) => x + 0).join()))
        .size,
    ).toBe(6);
  });

  it('larger ones are cut finer, up to a limit', async () => {
    const triangles = async (scale: number) => {
      const body = `def Sphere "s" { float3 xformOp:scale = (${scale}, 1, 1)\n uniform token[] xformOpOrder = ["xformOp:scale"]\n}`;
      return only((await importText(body)).scene).triangleCount;
    };
    expect(await triangles(1)).toBeLessThan(await triangles(1.5));
    expect(await triangles(1000)).toBe(await triangles(100));
  });
});

describe('planes', () => {
  it.each([
    ['X', [0, 2, 1.5], [1, 0, 0]],
    ['Y', [1.5, 0, 2], [0, 1, 0]],
    ['Z', [1.5, 2, 0], [0, 0, 1]],
  ] as const)('about %s: width 3 and length 4 lie where the schema says, facing +axis', async (axis, half, normal) => {
    const { scene } = await importText(
      `def Plane "s" { double width = 3\ndouble length = 4\nuniform token axis = "${axis}"\n}`,
    );
    expect(only(scene).bounds!.max.map((v) => v + 0)).toEqual([...half]);
    expect(only(scene).triangleCount).toBe(2);
    const mesh = await meshAt(scene, '/s');
    expect([...mesh.normals!.data.slice(0, 3)]).toEqual([...normal]);
    expect(normalsAreOutward(mesh)).toBe(true);
    expect(scene.materials[only(scene).material].doubleSided).toBe(true);
  });
});

describe('shapes that make no sense', () => {
  it('fall back, with a warning', async () => {
    const { scene, codes } = await importText('def Cylinder "s" { double radius = -1\nuniform token axis = "W"\n}');
    expect(only(scene).bounds!.max[0]).toBeCloseTo(1, 9);
    expect(codes()).toEqual(['UC1825', 'UC1825']);
  });

  it('a sphere without radius has no area but is no fault', async () => {
    const { scene, codes } = await importText('def Sphere "s" { double radius = 0 }');
    expect(only(scene).bounds).toEqual({ min: [0, 0, 0], max: [0, 0, 0] });
    expect(codes().filter((c) => c !== 'UC1520')).toEqual([]);
  });
});
