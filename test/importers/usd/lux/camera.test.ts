import { describe, expect, it } from 'vitest';
import { importText, quad } from '../importText.ts';

/** The grammar ends a statement with its line: what stands on one between braces gets its own. */
const lines = (body: string) => body.replace(/\{ (?=\w)/g, '{\n').replace(/ \}/g, '\n}');

async function seen(body: string, metadata?: string) {
  const { scene, diagnostics } = await importText(`${lines(body)}\n${quad('m')}`, metadata);
  const said = diagnostics.list.map(({ code, path }) => `${code} ${path}`);
  return { cameras: scene.cameras ?? [], said, messages: diagnostics.list.map(({ message }) => message) };
}

describe('a camera', () => {
  it('with nothing authored: 2 atan(15.2908 / 100) degrees, 20.955 by 15.2908, 1 to 1000000 units', async () => {
    const { cameras, said } = await seen('def Camera "Eye" {}', '(\n  metersPerUnit = 0.01\n  upAxis = "Y"\n)\n');
    expect(said).toEqual([]);
    expect(cameras).toMatchObject([{ name: 'Eye', path: '/Eye', near: 0.01, far: 10000 }]);
    expect(cameras[0].fovY).toBeCloseTo(17.3872, 3);
    expect(cameras[0].aspectRatio).toBeCloseTo(1.3704319, 6);
    expect(cameras[0].world).toEqual(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
  });

  it('apertures, focal length and range as authored; its scale changes nothing', async () => {
    const body = `def Camera "c" {
      float horizontalAperture = 40
      float verticalAperture = 20
      float focalLength = 10
      float2 clippingRange = (0.5, 250)
      double3 xformOp:translate = (0, 1, 5)
      float3 xformOp:scale = (2, 2, 2)
      uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    }`;
    const { cameras, said } = await seen(body);
    expect(said).toEqual([]);
    expect(cameras[0]).toMatchObject({ near: 0.5, far: 250, aspectRatio: 2 });
    expect(cameras[0].fovY).toBeCloseTo(90, 12);
    expect(cameras[0].world).toEqual(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 5, 1));
  });

  it.each([
    ['orthographic', 'token projection = "orthographic"'],
    ['without a focal length', 'float focalLength = 0'],
    ['without a picture', 'float verticalAperture = -1'],
    ['infinitely wide', 'float horizontalAperture = inf'],
  ])('%s: left out by name', async (_, property) => {
    const { cameras, said } = await seen(`def Camera "a" { ${property} }\ndef Camera "b" { ${property} }`);
    expect(cameras).toEqual([]);
    expect(said).toEqual(['UC1836 /a']);
  });

  it.each([
    ['(0, 100)', 0.001, 100],
    ['(-1, 100)', 0.001, 100],
    ['(1, 1)', 1, 1000000],
    ['(10, 1)', 10, 1000000],
    ['(2000000, 1)', 2000000, 2000000000],
    ['(1, inf)', 1, 1000000],
    ['(inf, inf)', 0.001, 1000000],
    ['(0, 0.0005)', 0.001, 1000000],
  ])('the range %s becomes planes at %d and %d m, which is said', async (range, near, far) => {
    const { cameras, said } = await seen(`def Camera "c" { float2 clippingRange = ${range} }`);
    expect(said).toEqual(['UC1852 /c']);
    expect([cameras[0].near, cameras[0].far]).toEqual([near, far]);
  });

  it.each([
    ['lens shift', 'float verticalApertureOffset = 2'],
    ['depth of field', 'float fStop = 2.8'],
    ['exposure', 'float exposure = 1'],
    ['clipping planes', 'float4[] clippingPlanes = [(1, 0, 0, 0)]'],
  ])('%s is left out by name', async (word, property) => {
    const { cameras, said, messages } = await seen(`def Camera "c" { ${property} }`);
    expect(cameras).toHaveLength(1);
    expect(said).toEqual(['UC1856 /c']);
    expect(messages[0]).toContain(word);
  });
});
