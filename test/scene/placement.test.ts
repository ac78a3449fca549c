// Scenes in their new place: in float64, with everything that they hold.

import { describe, expect, test } from 'vitest';
import { multiply, transformPoint, translation } from '../../src/scene/matrix.ts';
import { type Placement, placedScene } from '../../src/scene/placement.ts';
import type { Scene, SceneCamera, SceneLight, Vec3 } from '../../src/scene/types.ts';

const light = (kind: SceneLight['kind'], at: Vec3): SceneLight => ({
  name: '',
  path: `/${kind}`,
  kind,
  world: translation(...at),
  color: [1, 1, 1],
  intensity: 8,
  sourcePower: 4,
  sourceExposure: 1,
  radius: 1,
  range: 10,
  cone: null,
  areaSize: kind === 'area' ? [2, 3] : null,
  castsShadow: true,
});

const camera = (at: Vec3): SceneCamera => ({
  name: '',
  path: '/camera',
  world: translation(...at),
  fovY: 40,
  near: 1,
  far: 100,
  aspectRatio: 1,
});

function scene(more: Partial<Scene> = {}): Scene {
  const node = (name: string, parent: number, local: Scene['nodes'][number]['local'], world = local) => ({
    name,
    path: `/${name}`,
    parent,
    local,
    world,
    mesh: -1,
  });
  const local = translation(1, 2, 3);
  const child = translation(10, 0, 0);
  return {
    source: 'a.gltf',
    kind: 'gltf',
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes: [node('root', -1, local), node('child', 0, child, multiply(local, child))],
    meshes: [],
    materials: [],
    images: [],
    ...more,
  };
}

/** Where the point 0 of each node is. */
const places = (from: Scene, placement: Placement) =>
  placedScene(from, placement).nodes.map(({ world }) => [...transformPoint(world, [0, 0, 0])].map((v) => v + 0));

test('nothing that moves leaves the scene itself', () => {
  const from = scene();
  expect(placedScene(from, {})).toBe(from);
  expect(placedScene(from, { origin: [0, 0, 0], rotate: [0, 0, 0], scale: 1 })).toBe(from);
});

describe('the nodes', () => {
  test('have the origin at 0, then are turned, then scaled', () => {
    expect(places(scene(), { origin: [1, 2, 3] })).toEqual([
      [0, 0, 0],
      [10, 0, 0],
    ]);
    expect(places(scene(), { scale: 2 })).toEqual([
      [2, 4, 6],
      [22, 4, 6],
    ]);
    // Counter-clockwise about Y: X goes to -Z.
    expect(places(scene(), { origin: [1, 2, 3], rotate: [0, 90, 0], scale: 2 })).toEqual([
      [0, 0, 0],
      [0, 0, -20],
    ]);
  });

  test('are turned about X first, then Y, then Z, as rotateXYZ of USD', () => {
    // (0, 0, 1) about X by 90: (0, -1, 0); about Y: the same; about Z by 90: (1, 0, 0). The other order gives (0, -1, 0).
    const world = translation(0, 0, 1);
    const from = scene({ nodes: [{ name: 'a', path: '/a', parent: -1, local: world, world, mesh: -1 }] });
    expect(places(from, { rotate: [90, 0, 90] })).toEqual([[1, 0, 0]]);
    expect(places(from, { rotate: [-270, 360, 450] })).toEqual([[1, 0, 0]]);
    const [[x, y, z]] = places(from, { rotate: [0, 30, 0] });
    expect([x, z].map((value) => value.toFixed(12))).toEqual(['0.500000000000', (Math.sqrt(3) / 2).toFixed(12)]);
    expect(y).toBe(0);
  });

  test('take origin and angles in the axes and units of the source', () => {
    // Z up in centimetres: (x, y, z) becomes (x, z, -y) / 100.
    const at = (x: number, y: number, z: number) => translation(x / 100, z / 100, -y / 100);
    const world = at(100, 200, 300);
    const node = { name: 'a', path: '/a', parent: -1, local: world, world, mesh: -1 };
    const from = scene({ upAxis: 'Z', metersPerUnit: 0.01, nodes: [node] });
    expect(places(from, { origin: [100, 200, 300] })).toEqual([[0, 0, 0]]);
    // About Z, which is up: (100, 0, 0) from the origin goes to (0, 100, 0).
    expect(places(from, { origin: [0, 200, 300], rotate: [0, 0, 90] })).toEqual([[0, 0, -1]]);
  });

  test('keep what float32 cannot hold of a site at 4,500,000 m', () => {
    const offset = 0.123456789;
    const world = translation(4_500_000 + offset, 0, -5_600_000 - offset);
    const from = scene({ nodes: [{ name: 'a', path: '/a', parent: -1, local: world, world, mesh: -1 }] });
    for (const rotate of [
      [0, 0, 0],
      [0, 37, 0],
    ] as const) {
      const [[x, , z]] = places(from, { origin: [4_500_000, 0, -5_600_000], rotate });
      expect(Math.hypot(x, z)).toBeCloseTo(Math.hypot(offset, offset), 8);
    }
  });

  test('fit below each other, and only roots have new local matrices', () => {
    const from = scene();
    const [root, child] = placedScene(from, { origin: [5, 6, 7], rotate: [10, 20, 30], scale: 3 }).nodes;
    expect(child.local).toBe(from.nodes[1].local);
    expect(root.local).toEqual(root.world);
    const composed = multiply(root.world, child.local);
    for (let i = 0; i < 16; i++) expect(composed[i]).toBeCloseTo(child.world[i], 12);
  });
});

test('lights and cameras follow: lengths with the scale, powers with its square, frames without one', () => {
  const kinds = ['point', 'area', 'directional'] as const;
  const from = scene({ lights: kinds.map((kind) => light(kind, [11, 0, 0])), cameras: [camera([1, 0, 0])] });
  const { lights = [], cameras = [] } = placedScene(from, { origin: [1, 0, 0], rotate: [0, 90, 0], scale: 0.5 });
  for (const { world } of [...lights, ...cameras]) {
    for (const c of [0, 4, 8]) expect(Math.hypot(world[c], world[c + 1], world[c + 2])).toBeCloseTo(1, 12);
  }
  expect(lights.map(({ world }) => [...transformPoint(world, [0, 0, 0])].map((v) => v + 0))).toEqual(
    kinds.map(() => [0, 0, -5]),
  );
  expect(lights.map(({ intensity, sourcePower }) => [intensity, sourcePower])).toEqual([
    [2, 1],
    [2, 1],
    [8, 4],
  ]);
  expect(lights.map(({ radius, range, areaSize }) => [radius, range, areaSize])).toEqual([
    [0.5, 5, null],
    [0.5, 5, [1, 1.5]],
    [0.5, 5, null],
  ]);
  expect(cameras.map(({ near, far, fovY }) => [near, far, fovY])).toEqual([[0.5, 50, 40]]);
  expect(placedScene(scene(), { scale: 2 }).lights).toBeUndefined();
});
