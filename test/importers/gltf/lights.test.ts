// KHR_lights_punctual and cameras: the numbers are worked out by hand from the units (683 lm/W, 4 pi sr).

import { describe, expect, test } from 'vitest';
import { buildGlb, load, ONE_TRIANGLE, refusal } from './build.ts';

const lit = (lights: readonly object[], nodes: readonly object[]) =>
  load(
    buildGlb({
      ...ONE_TRIANGLE,
      nodes: [{ mesh: 0 }, ...nodes],
      root: { extensionsUsed: ['KHR_lights_punctual'], extensions: { KHR_lights_punctual: { lights } } },
    }),
  );
const lamp = (light: number, more: object = {}) => ({ extensions: { KHR_lights_punctual: { light } }, ...more });

const seen = (cameras: readonly object[], nodes: readonly object[]) =>
  load(buildGlb({ ...ONE_TRIANGLE, nodes: [{ mesh: 0 }, ...nodes], root: { cameras } }));
const LENS = { yfov: Math.PI / 3, znear: 0.5, zfar: 250, aspectRatio: 2 };

describe('lights', () => {
  test('a point light: 683 cd are 4 pi W, range and colour as they are', async () => {
    const light = { type: 'point', name: 'Bulb', color: [1, 0.5, 0.25], intensity: 683, range: 12 };
    const { scene, codes } = await lit([light], [lamp(0, { translation: [1, 2, 3] })]);
    expect(codes).toEqual([]);
    expect(scene.lights).toHaveLength(1);
    expect(scene.lights?.[0]).toEqual({
      name: 'Bulb',
      path: 'nodes/1',
      kind: 'point',
      world: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1),
      color: [1, 0.5, 0.25],
      intensity: 12.566370614359172,
      sourcePower: 12.566370614359172,
      sourceExposure: 0,
      radius: 0,
      range: 12,
      cone: null,
      areaSize: null,
      castsShadow: true,
    });
  });

  test('a sun: 1366 lux are 2 W/m2; neither range nor cone', async () => {
    const { scene } = await lit([{ type: 'directional', intensity: 1366, range: 5 }], [lamp(0, { name: 'Sun' })]);
    expect(scene.lights?.[0]).toMatchObject({ name: 'Sun', kind: 'directional', intensity: 2, range: 0, cone: null });
  });

  test('a spot: half-angles in degrees, defaults 0 and 45', async () => {
    const spot = { innerConeAngle: Math.PI / 12, outerConeAngle: Math.PI / 6 };
    const { scene, codes } = await lit([{ type: 'spot', spot }, { type: 'spot' }], [lamp(0), lamp(1)]);
    expect(codes).toEqual([]);
    expect(scene.lights?.[0].cone?.inner).toBeCloseTo(15, 12);
    expect(scene.lights?.[0].cone?.outer).toBeCloseTo(30, 12);
    expect(scene.lights?.[1].cone).toEqual({ inner: 0, outer: 45 });
    // 1 cd, the default: 4 pi / 683.
    expect(scene.lights?.[1].intensity).toBeCloseTo(0.0183987857, 9);
  });

  test('a colour above 1 goes into the power', async () => {
    const { scene } = await lit([{ type: 'directional', color: [4, 2, 0], intensity: 683 }], [lamp(0)]);
    expect(scene.lights?.[0]).toMatchObject({ color: [1, 0.5, 0], intensity: 4, sourcePower: 4 });
  });

  test('one placed twice, in the order of the scene; scale of the nodes changes neither place nor power', async () => {
    const { scene } = await lit(
      [{ type: 'point', intensity: 683, range: 3 }],
      [{ scale: [2, 2, 2], children: [2] }, lamp(0, { name: 'a', translation: [1, 0, 0] }), lamp(0, { name: 'b' })],
    );
    expect(scene.lights?.map(({ name, path }) => [name, path])).toEqual([
      ['a', 'nodes/2'],
      ['b', 'nodes/3'],
    ]);
    expect(scene.lights?.[0].world).toEqual(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1));
    expect(scene.lights?.[0].range).toBe(3);
  });

  test('a turned and mirrored node: -Z keeps its direction, the frame stays right-handed', async () => {
    // A quarter about Y takes -Z to -X; the mirror along X comes first and leaves it there.
    const turn = { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], scale: [-1, 1, 1] };
    const { scene } = await lit([{ type: 'spot' }], [lamp(0, turn)]);
    const w = scene.lights?.[0].world ?? [];
    const rounded = Array.from(w, (v) => Math.round(v * 1e9) / 1e9 + 0);
    expect(rounded).toEqual([0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('invisible nodes and nodes of other scenes place none', async () => {
    const hidden = { extensions: { KHR_lights_punctual: { light: 0 }, KHR_node_visibility: { visible: false } } };
    const { scene } = await load(
      buildGlb({
        ...ONE_TRIANGLE,
        nodes: [{ mesh: 0 }, hidden, lamp(0)],
        scenes: [{ nodes: [0, 1] }],
        root: { extensions: { KHR_lights_punctual: { lights: [{ type: 'point' }] } } },
      }),
    );
    expect(scene.lights).toEqual([]);
  });

  test('numbers that the extension forbids are replaced and said once a property', async () => {
    const lights = [
      { type: 'point', intensity: -5, range: 0, name: 'a' },
      { type: 'point', intensity: -1, name: 'b' },
      { type: 'spot', spot: { innerConeAngle: 2, outerConeAngle: 3 }, color: [-1, 1, 1], name: 'c' },
      { type: 'spot', spot: { innerConeAngle: -1, outerConeAngle: -1 }, name: 'd' },
    ];
    const { scene, diagnostics } = await lit(lights, [lamp(0), lamp(1), lamp(2), lamp(3)]);
    expect(scene.lights?.map(({ intensity, range }) => [intensity > 0, range])).toEqual([
      [false, 0],
      [false, 0],
      [true, 0],
      [true, 0],
    ]);
    expect(scene.lights?.[2]).toMatchObject({ color: [0, 1, 1], cone: { inner: 90, outer: 90 } });
    expect(scene.lights?.[3].cone).toEqual({ inner: 0, outer: 45 });
    expect(diagnostics.list.every(({ code }) => code === 'UC1380')).toBe(true);
    expect(diagnostics.list.map(({ message }) => message)).toEqual([
      'intensity is out of range, 0 is used: "a", "b"',
      'range is out of range, the light is unbounded: "a"',
      'color is out of range, its negative components are 0: "c"',
      'outerConeAngle is out of range, pi/2 is used: "c"',
      'innerConeAngle is out of range, the outer angle is used: "c"',
      'outerConeAngle is out of range, pi/4 is used: "d"',
      'innerConeAngle is out of range, 0 is used: "d"',
    ]);
  });

  test('unknown kinds and numbers beyond float32 are left out by name', async () => {
    const lights = [{ type: 'ambient', name: 'Glow' }, { type: 'point', intensity: 1e300, name: 'Nova' }, {}];
    const { scene, diagnostics } = await lit(lights, [lamp(0), lamp(1), lamp(2)]);
    expect(scene.lights).toEqual([]);
    expect(diagnostics.list.map(({ code, message }) => [code, message])).toEqual([
      ['UC1350', 'neither directional nor point nor spot, left out: "Glow", extensions/KHR_lights_punctual/lights/2'],
      ['UC1350', 'the brightness or range does not fit float32, left out: "Nova"'],
    ]);
  });

  test('a place beyond float32 is none', async () => {
    const far = { translation: [1e39, 0, 0], name: 'Far' };
    const { scene, diagnostics } = await lit([{ type: 'point' }], [lamp(0, far)]);
    expect(scene.lights).toEqual([]);
    expect(diagnostics.list).toMatchObject([{ code: 'UC1350', path: 'nodes/1' }]);
    const eye = await seen([{ type: 'perspective', perspective: LENS }], [{ camera: 0, ...far }]);
    expect(eye.scene.cameras).toEqual([]);
    expect(eye.codes).toEqual(['UC1351']);
  });

  test('indices past the end and JSON of the wrong type are errors', async () => {
    expect(await refusal(lit([{ type: 'point' }], [lamp(1)]))).toMatchObject({ code: 'UC1308' });
    expect(await refusal(lit([{ type: 'point', range: 'far' }], [lamp(0)]))).toMatchObject({ code: 'UC1307' });
    expect(await refusal(seen([], [{ camera: 0 }]))).toMatchObject({ code: 'UC1308', path: 'nodes/1' });
    expect(await refusal(seen([{ perspective: 3 }], [{ camera: 0 }]))).toMatchObject({ code: 'UC1307' });
  });
});

describe('cameras', () => {
  test('a perspective camera, in degrees and metres', async () => {
    const { scene, codes } = await seen(
      [{ type: 'perspective', name: 'Lens', perspective: LENS }],
      [{ camera: 0, translation: [0, 1, 5] }],
    );
    expect(codes).toEqual([]);
    const [camera] = scene.cameras ?? [];
    expect(camera).toMatchObject({ name: 'Lens', path: 'nodes/1', near: 0.5, far: 250, aspectRatio: 2 });
    expect(camera.fovY).toBeCloseTo(60, 12);
    expect(camera.world).toEqual(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 5, 1));
  });

  test('without zfar and aspectRatio: 1000 m, which is said, and 3 to 2', async () => {
    const bare = (znear: number) => ({ type: 'perspective', perspective: { yfov: 1, znear } });
    const { scene, codes } = await seen([bare(0.1), bare(400)], [{ camera: 0 }, { camera: 1 }]);
    expect(codes).toEqual(['UC1381']);
    expect(scene.cameras?.map(({ far, aspectRatio }) => [far, aspectRatio])).toEqual([
      [1000, 1.5],
      [4000, 1.5],
    ]);
  });

  test.each([
    ['orthographic', { type: 'orthographic', orthographic: { xmag: 1, ymag: 1, zfar: 9, znear: 0 } }],
    ['without a lens', { type: 'perspective' }],
    ['flat', { type: 'perspective', perspective: { ...LENS, yfov: 0 } }],
    ['inside out', { type: 'perspective', perspective: { ...LENS, yfov: 3.5 } }],
    ['near plane at 0', { type: 'perspective', perspective: { ...LENS, znear: 0 } }],
    ['far before near', { type: 'perspective', perspective: { ...LENS, zfar: 0.25 } }],
    ['planes that float32 cannot tell apart', { type: 'perspective', perspective: { ...LENS, zfar: 0.5 + 1e-12 } }],
    ['no width', { type: 'perspective', perspective: { ...LENS, aspectRatio: 0 } }],
  ])('%s: left out by name', async (_, camera) => {
    const { scene, diagnostics } = await seen([{ name: 'Eye', ...camera }], [{ camera: 0 }]);
    expect(scene.cameras).toEqual([]);
    expect(diagnostics.list).toMatchObject([{ code: 'UC1351', path: 'cameras/0' }]);
    expect(diagnostics.list[0].message).toContain('"Eye"');
  });
});
