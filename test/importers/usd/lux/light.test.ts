// UsdLux lights as watts: every figure is worked out by hand from L (nits), the surface in m2 and 683 lm/W.

import { describe, expect, it } from 'vitest';
import type { SceneLight } from '../../../../src/scene/types.ts';
import { importText, quad } from '../importText.ts';

const CENTIMETRES = '(\n  metersPerUnit = 0.01\n  upAxis = "Y"\n)\n';

/** The grammar ends a statement with its line: what stands on one between braces gets its own. */
const lines = (body: string) => body.replace(/\{ (?=\w)/g, '{\n').replace(/ \}/g, '\n}');

async function lit(body: string, metadata?: string) {
  const { scene, diagnostics } = await importText(`${lines(body)}\n${quad('m')}`, metadata);
  const said = diagnostics.list.map(({ code, path }) => `${code} ${path}`);
  const messages = diagnostics.list.map(({ message }) => message);
  return { lights: scene.lights ?? [], said, messages };
}

/** The one light of a scene about which nothing is said. */
async function only(body: string, metadata?: string): Promise<SceneLight> {
  const { lights, said } = await lit(body, metadata);
  expect(said).toEqual([]);
  expect(lights).toHaveLength(1);
  return lights[0];
}

const TRANSFORM = (ops: string) =>
  `${ops}\nuniform token[] xformOpOrder = [${[...ops.matchAll(/xformOp:\w+/g)].map(([op]) => `"${op}"`).join(', ')}]`;

describe('power', () => {
  it('a sphere of 683 nits and 0.5 m: pi 683 (4 pi 0.25) / 683 = pi2 W', async () => {
    const light = await only('def SphereLight "Bulb" { float inputs:intensity = 683 }');
    expect(light).toMatchObject({
      name: 'Bulb',
      path: '/Bulb',
      kind: 'point',
      color: [1, 1, 1],
      sourceExposure: 0,
      radius: 0.5,
      range: 0,
      cone: null,
      areaSize: null,
      castsShadow: true,
      world: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
    });
    expect(light.intensity).toBeCloseTo(9.8696044, 7);
    expect(light.sourcePower).toBe(light.intensity);
  });

  it('exposure doubles: the power stays without it, the intensity has it', async () => {
    const light = await only('def SphereLight "l" { float inputs:intensity = 683\nfloat inputs:exposure = 3 }');
    expect(light.sourceExposure).toBe(3);
    expect(light.sourcePower).toBeCloseTo(9.8696044, 7);
    expect(light.intensity).toBeCloseTo(78.9568352, 7);
  });

  it('a rectangle of 2 x 3 m: pi 683 6 / 683 = 6 pi W, its edges as the area', async () => {
    const light = await only(
      'def RectLight "l" { float inputs:intensity = 683\nfloat inputs:width = 2\nfloat inputs:height = 3 }',
    );
    expect(light).toMatchObject({ kind: 'area', areaSize: [2, 3], cone: null, radius: 0 });
    expect(light.intensity).toBeCloseTo(18.8495559, 7);
  });

  it('a disk of 2 m: pi (4 pi) W as a square of the same surface, 2 sqrt(pi) m wide', async () => {
    const { lights, said } = await lit('def DiskLight "l" { float inputs:intensity = 683\nfloat inputs:radius = 2 }');
    expect(said).toEqual(['UC1855 /l']);
    expect(lights[0].kind).toBe('area');
    expect(lights[0].areaSize?.[0]).toBeCloseTo(3.5449077, 7);
    expect(lights[0].areaSize?.[1]).toBeCloseTo(3.5449077, 7);
    expect(lights[0].intensity).toBeCloseTo(39.4784176, 7);
  });

  it('a tube of 0.1 m and 2 m: pi (2 pi 0.1 2) W as a point, which is said', async () => {
    const { lights, said, messages } = await lit(
      'def CylinderLight "l" { float inputs:intensity = 683\nfloat inputs:radius = 0.1\nfloat inputs:length = 2 }',
    );
    expect(said).toEqual(['UC1850 /l']);
    expect(messages[0]).toContain('CylinderLight');
    expect(lights[0].kind).toBe('point');
    expect(lights[0].intensity).toBeCloseTo(3.9478418, 7);
    // A sphere of the same surface, 0.4 pi m2: sqrt(0.1).
    expect(lights[0].radius).toBeCloseTo(0.3162278, 7);
  });

  it('centimetres: sizes and surfaces are those of the engine', async () => {
    const light = await only(
      'def SphereLight "l" { float inputs:intensity = 683\nfloat inputs:radius = 50 }',
      CENTIMETRES,
    );
    expect(light.radius).toBeCloseTo(0.5, 12);
    expect(light.intensity).toBeCloseTo(9.8696044, 7);
  });

  it('scales of parents and of the light count, each axis for itself', async () => {
    const rect = `def RectLight "l" {\nfloat inputs:intensity = 683\n${TRANSFORM('float3 xformOp:scale = (2, 3, 9)')}\n}`;
    const { lights } = await lit(`def Xform "x" {\n${TRANSFORM('float3 xformOp:scale = (2, 1, 1)')}\n${rect}\n}`);
    expect(lights[0].areaSize).toEqual([4, 3]);
    expect(lights[0].intensity).toBeCloseTo(37.6991118, 7);
    // An ellipsoid of 1, 1 and 2 m has a surface of 21.4784 m2; the formula is good to 1.1 %.
    const stretched = await lit(
      `def SphereLight "l" {\nfloat inputs:radius = 1\nfloat inputs:intensity = 683\n${TRANSFORM('float3 xformOp:scale = (1, 1, 2)')}\n}`,
    );
    expect(Math.abs(stretched.lights[0].intensity / (Math.PI * 21.4784) - 1)).toBeLessThan(0.011);
  });

  it.each(['SphereLight', 'RectLight'])('normalize: the size of a %s does not matter, pi 683 / 683 W', async (type) => {
    const size = type === 'SphereLight' ? 'radius' : 'width';
    for (const value of [0, 0.25, 8]) {
      const light = await only(
        `def ${type} "l" { float inputs:intensity = 683\nbool inputs:normalize = 1\nfloat inputs:${size} = ${value} }`,
      );
      expect(light.intensity).toBeCloseTo(Math.PI, 12);
    }
    // In stage units: a square centimetre, not a square metre.
    const small = await only(
      `def ${type} "l" { float inputs:intensity = 683\nbool inputs:normalize = 1\nfloat inputs:${size} = 5 }`,
      CENTIMETRES,
    );
    expect(small.intensity).toBeCloseTo(Math.PI * 1e-4, 12);
  });

  it('treatAsPoint keeps the power and has no size', async () => {
    const light = await only('def SphereLight "l" { float inputs:intensity = 683\nbool treatAsPoint = 1 }');
    expect(light.radius).toBe(0);
    expect(light.intensity).toBeCloseTo(9.8696044, 7);
  });

  it('without size and without normalize nothing shines, which is said', async () => {
    const { lights, said } = await lit('def SphereLight "l" { float inputs:radius = 0 }');
    expect(said).toEqual(['UC1853 /l']);
    expect(lights[0].intensity).toBe(0);
  });
});

describe('distant lights', () => {
  const sun = (more: string) => only(`def DistantLight "Sun" { ${more} }`);

  it('fall back on 50000 over 0.53 degrees: 50000 pi sin2(0.265) / 683 W/m2', async () => {
    const light = await sun('');
    expect(light).toMatchObject({ kind: 'directional', radius: 0, cone: null, areaSize: null });
    // sin2(0.265 degrees) = 2.1391e-5: 3.3601 lux.
    expect(light.intensity).toBeCloseTo(0.0049196, 6);
  });

  it('without an angle, or normalised, the intensity is lux', async () => {
    expect((await sun('float inputs:intensity = 1366\nfloat inputs:angle = 0')).intensity).toBe(2);
    const normalized = await sun('float inputs:intensity = 1366\nbool inputs:normalize = 1\nfloat inputs:angle = 5');
    expect(normalized.intensity).toBeCloseTo(2, 12);
  });

  it('over the whole hemisphere: pi times the luminance; a wider one is normalised by more', async () => {
    expect((await sun('float inputs:intensity = 683\nfloat inputs:angle = 180')).intensity).toBeCloseTo(Math.PI, 12);
    expect((await sun('float inputs:intensity = 683\nfloat inputs:angle = 300')).intensity).toBeCloseTo(Math.PI, 12);
    // theta = 150 degrees: sin2 = 1/4, the size factor is 1.75 pi.
    const wide = await sun('float inputs:intensity = 683\nfloat inputs:angle = 300\nbool inputs:normalize = 1');
    expect(wide.intensity).toBeCloseTo(1 / 1.75, 12);
  });

  it('shine along -Z of the world, whatever the unit', async () => {
    const body = `def DistantLight "Sun" {\nfloat inputs:angle = 0\nfloat inputs:intensity = 683\n${TRANSFORM('float xformOp:rotateX = -90')}\n}`;
    const { lights } = await lit(body, CENTIMETRES);
    const [x, y, z] = lights[0].world.subarray(8, 11);
    expect([x, y, z].map((v) => Math.round(v * 1e12) / 1e12 + 0)).toEqual([0, 1, 0]);
    expect(lights[0].intensity).toBe(1);
  });
});

it('Z up: a light that shines down shines down in the engine', async () => {
  const body = `def RectLight "l" {\n${TRANSFORM('double3 xformOp:translate = (1, 2, 3)')}\n}`;
  const light = await only(body, '(\n  metersPerUnit = 1\n  upAxis = "Z"\n)\n');
  // (x, y, z) becomes (x, z, -y); its axes go the same way.
  expect(Array.from(light.world, (v) => v + 0)).toEqual([1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 1, 3, -2, 1]);
});

describe('cones', () => {
  it('a sphere with a cone is a spot of the same power; softness begins inside', async () => {
    const light = await only(
      'def SphereLight "l" { float inputs:intensity = 683\nfloat inputs:shaping:cone:angle = 40\nfloat inputs:shaping:cone:softness = 0.25 }',
    );
    expect(light).toMatchObject({ kind: 'spot', radius: 0.5, cone: { inner: 30, outer: 40 } });
    expect(light.intensity).toBeCloseTo(9.8696044, 7);
  });

  it('a flat light with a cone: 4 pi 683 S / 683 W, a disk of its surface', async () => {
    const { lights, said } = await lit(
      'def RectLight "l" { float inputs:intensity = 683\nfloat inputs:shaping:cone:angle = 30 }',
    );
    expect(said).toEqual(['UC1850 /l']);
    expect(lights[0]).toMatchObject({ kind: 'spot', cone: { inner: 30, outer: 30 }, areaSize: null });
    expect(lights[0].intensity).toBeCloseTo(12.5663706, 7);
    expect(lights[0].radius).toBeCloseTo(0.5641896, 7);
  });

  it('the fallback of an applied ShapingAPI is 90: a half-sphere, and nothing at all for flat lights', async () => {
    const api = '( prepend apiSchemas = ["ShapingAPI"] )';
    expect(await only(`def SphereLight "l" ${api} {}`)).toMatchObject({ kind: 'spot', cone: { inner: 90, outer: 90 } });
    expect((await only(`def RectLight "l" ${api} {}`)).kind).toBe('area');
  });

  it('more than 90 degrees: a point, which is said; 180: a point', async () => {
    const wide = await lit('def SphereLight "l" { float inputs:shaping:cone:angle = 120 }');
    expect([wide.lights[0].kind, ...wide.said]).toEqual(['point', 'UC1850 /l']);
    expect((await only('def SphereLight "l" { float inputs:shaping:cone:angle = 180 }')).kind).toBe('point');
  });

  it('normalised spots: pi W of a sphere, 4 pi W of what is flat', async () => {
    const spot = (type: string) =>
      lit(
        `def ${type} "l" { float inputs:intensity = 683\nbool inputs:normalize = 1\nfloat inputs:shaping:cone:angle = 30 }`,
      );
    expect((await spot('SphereLight')).lights[0].intensity).toBeCloseTo(Math.PI, 12);
    expect((await spot('DiskLight')).lights[0].intensity).toBeCloseTo(4 * Math.PI, 12);
    expect((await spot('CylinderLight')).lights[0].intensity).toBeCloseTo(4, 12);
  });
});

describe('colour', () => {
  it('stays as it is up to 1; what is brighter goes into the power', async () => {
    const dim = await only(
      'def SphereLight "l" { color3f inputs:color = (0.5, 0.25, 0)\nfloat inputs:intensity = 683 }',
    );
    expect(dim.color).toEqual([0.5, 0.25, 0]);
    const bright = await only('def SphereLight "l" { color3f inputs:color = (4, 2, 0)\nfloat inputs:intensity = 683 }');
    expect(bright.color).toEqual([1, 0.5, 0]);
    expect(bright.intensity).toBeCloseTo(4 * 9.8696044, 6);
    expect(bright.sourcePower).toBe(bright.intensity);
  });

  it('a temperature counts only when it is enabled, and multiplies', async () => {
    const off = await only('def SphereLight "l" { float inputs:colorTemperature = 3000 }');
    expect(off.color).toEqual([1, 1, 1]);
    const on = await only(
      'def SphereLight "l" { bool inputs:enableColorTemperature = 1\nfloat inputs:colorTemperature = 3000\ncolor3f inputs:color = (1, 0.5, 1) }',
    );
    // 3000 K: (1, 0.476725, 0.153601) of luminance 0.564644; its green is halved.
    expect(on.color[0]).toBe(1);
    expect(on.color[1]).toBeCloseTo(0.2383625, 6);
    expect(on.color[2]).toBeCloseTo(0.153601, 6);
    expect(on.intensity / off.intensity).toBeCloseTo(1 / 0.564644, 5);
  });
});

describe('names of attributes', () => {
  it('of old schemas, without the prefix; those of today win', async () => {
    const old = await only(
      'def SphereLight "l" { float intensity = 683\nfloat radius = 1\ncolor3f color = (1, 0, 0)\nfloat shaping:cone:angle = 20\nbool shadow:enable = 0 }',
    );
    expect(old).toMatchObject({ kind: 'spot', radius: 1, color: [1, 0, 0], cone: { inner: 20, outer: 20 } });
    expect(old.castsShadow).toBe(false);
    expect(old.intensity).toBeCloseTo(39.4784176, 7);
    const both = await only('def SphereLight "l" { float intensity = 5\nfloat inputs:intensity = 683 }');
    expect(both.intensity).toBeCloseTo(9.8696044, 7);
  });

  it('values that cannot be used are named', async () => {
    const { lights, said, messages } = await lit(
      'def SphereLight "l" { float inputs:intensity = -5\ntoken inputs:exposure = "high"\nfloat inputs:radius = nan\ncolor3f inputs:color = (-1, 0, 0) }',
    );
    expect(said).toEqual(new Array(4).fill('UC1852 /l'));
    expect([...messages].sort()).toEqual([
      'color is (-1, 0, 0): (1, 1, 1) is used',
      'exposure is of type Token: 0 is used',
      'intensity is -5: 0 is used',
      'radius is NaN: 0.5 is used',
    ]);
    expect(lights[0]).toMatchObject({ intensity: 0, radius: 0.5, color: [1, 1, 1] });
  });
});

describe('what is left out', () => {
  it.each([
    ['texture', 'asset inputs:texture:file = @a.png@'],
    ['IES', 'asset inputs:shaping:ies:file = @a.ies@'],
    ['focus', 'float inputs:shaping:focus = 2'],
    ['diffuse', 'float inputs:specular = 0'],
    ['shadows', 'color3f inputs:shadow:color = (1, 0, 0)'],
    ['shadows', 'float inputs:shadow:distance = 5'],
    ['linking', 'uniform bool collection:lightLink:includeRoot = 0'],
    ['linking', 'rel collection:shadowLink:excludes = </m>'],
    ['filters', 'rel light:filters = </m>'],
    ['connections', 'color3f inputs:color.connect = </m.x>'],
  ])('%s: %s is named', async (word, property) => {
    const { lights, said, messages } = await lit(
      `def RectLight "l" {\n${property}\n}\ndef RectLight "k" {\n${property}\n}`,
    );
    expect(lights).toHaveLength(2);
    expect(said).toEqual(['UC1851 /l']);
    expect(messages[0]).toMatch(word);
    expect(messages[0]).toContain('2 lights');
  });

  it('lights that no file can store', async () => {
    const { lights, said } = await lit(
      'def SphereLight "a" { float inputs:exposure = 2000 }\ndef RectLight "b" { double inputs:width = 1e300 }',
    );
    expect(lights).toEqual([]);
    expect(said).toEqual(['UC1857 /a']);
  });

  it('invisible lights, and lights of guides', async () => {
    const { lights, said } = await lit(
      'def Xform "x" {\ntoken visibility = "invisible"\ndef SphereLight "l" {}\n}\ndef SphereLight "g" { uniform token purpose = "guide" }\nover SphereLight "o" {}\nclass SphereLight "c" {}',
    );
    expect(lights).toEqual([]);
    expect(said.sort()).toEqual(['UC1820 /x', 'UC1821 /g']);
  });

  it('meshes that a schema makes lights are drawn', async () => {
    const { scene, diagnostics } = await importText(
      `${quad('m', '', '( prepend apiSchemas = ["MaterialBindingAPI", "MeshLightAPI"] )')}\n${quad('n')}`,
    );
    expect(scene.meshes).toHaveLength(2);
    expect(diagnostics.list.map(({ code, path }) => `${code} ${path}`)).toEqual(['UC1857 /m']);
  });
});
