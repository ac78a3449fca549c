// The ground of the page's camera, and who walks on it.

import { BoxGeometry, Group, Mesh, type SkinnedMesh, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { type Ground, SurfaceGround } from '../../src/viewer/page/camera/ground.ts';
import { EYE_HEIGHT, Walker } from '../../src/viewer/page/camera/walk.ts';

/** A ground whose height is a function of X; null beyond 10 m. */
const along = (height: (x: number) => number): Ground => ({
  below: (x, top) => (Math.abs(x) > 10 || height(x) > top ? null : height(x)),
  floor: -1,
});
const walk = (ground: Ground, steps: number, step: number) => {
  const walker = new Walker(ground);
  const eyes = walker.stand(new Vector3(0, 5, 0), new Vector3(1, 5, 0));
  for (let i = 0; i < steps; i++) walker.go(step, 0);
  walker.lead(eyes, null);
  return eyes.toArray();
};

test('a walker goes up slopes and steps of 60 cm, not up walls, and not beyond the ground', () => {
  expect(
    walk(
      along(() => 2),
      0,
      1,
    ),
  ).toEqual([0, 2 + EYE_HEIGHT, 0]);
  expect(
    walk(
      along((x) => x / 2),
      8,
      0.5,
    ),
  ).toEqual([4, 2 + EYE_HEIGHT, 0]);
  expect(
    walk(
      along((x) => (x > 1 ? 0.6 : 0)),
      4,
      0.5,
    ),
  ).toEqual([2, 0.6 + EYE_HEIGHT, 0]);
  expect(
    walk(
      along((x) => (x > 1.2 ? 3 : 0)),
      8,
      0.5,
    ),
  ).toEqual([1, EYE_HEIGHT, 0]);
  expect(
    walk(
      along(() => 0),
      30,
      0.5,
    ),
  ).toEqual([10, EYE_HEIGHT, 0]);
});

test('whoever comes from beside the ground stands where it begins', () => {
  const walker = new Walker(along(() => 1));
  const [x, y] = walker.stand(new Vector3(30, 40, 0), new Vector3(0, 0, 0)).toArray();
  expect(y).toBe(1 + EYE_HEIGHT);
  expect(x).toBeLessThanOrEqual(10);
  expect(x).toBeGreaterThan(9);
});

test('eyes glide over a step, and come to rest', () => {
  const walker = new Walker(along((x) => (x > 1 ? 0.5 : 0)));
  const eyes = walker.stand(new Vector3(), new Vector3(1, 0, 0));
  walker.go(2, 0);
  // Half of the way in a twentieth of a second.
  expect(walker.lead(eyes, 0.05)).toBe(true);
  expect(eyes.y).toBeCloseTo(EYE_HEIGHT + 0.25, 9);
  for (let i = 0; i < 20; i++) walker.lead(eyes, 0.05);
  expect(eyes.y).toBe(EYE_HEIGHT + 0.5);
  expect(walker.lead(eyes, 0.05)).toBe(false);
});

test('the ground is the highest surface below, and the floor of a place alone holds the camera up', () => {
  const group = new Group();
  const box = (y: number, kind = Mesh) => {
    const mesh = new kind(new BoxGeometry(4, 1, 4));
    mesh.position.y = y;
    mesh.updateMatrixWorld();
    group.add(mesh);
  };
  box(0);
  box(5);
  const bounds = { min: [-2, -0.5, -2] as const, max: [2, 5.5, 2] as const };
  const ground = new SurfaceGround(
    () => [group],
    () => bounds as never,
  );
  expect([ground.below(0, 9, 0), ground.below(0, 4, 0), ground.below(3, 9, 0)]).toEqual([5.5, 0.5, null]);
  expect(ground.floor).toBe(-Infinity);
  const wide = { min: [-20, -0.5, -2], max: [20, 5.5, 2] };
  expect(
    new SurfaceGround(
      () => [],
      () => wide as never,
    ).floor,
  ).toBe(-0.5);
  // Nobody stands on a character.
  const [first] = group.children;
  (first as SkinnedMesh & { isSkinnedMesh: boolean }).isSkinnedMesh = true;
  expect(ground.below(0, 4, 0)).toBe(null);
});
