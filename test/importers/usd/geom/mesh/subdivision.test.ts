import { describe, expect, it } from 'vitest';
import { importText, meshAt } from '../../importText.ts';

function mesh(properties: string): string {
  return `def Mesh "m" {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    ${properties}
  }`;
}

async function subdivision(properties: string) {
  const { scene, codes } = await importText(mesh(properties));
  return { read: (await meshAt(scene, '/m')).subdivision, codes: codes().filter((code) => code !== 'UC1815') };
}

describe('how a mesh is subdivided', () => {
  it('falls back to what the schema says', async () => {
    expect(await subdivision('')).toEqual({
      read: {
        scheme: 'catmullClark',
        boundary: 'edgeAndCorner',
        faceVarying: 'cornersPlus1',
        triangles: 'catmullClark',
        corners: null,
      },
      codes: [],
    });
  });

  it('polygons are not', async () => {
    expect((await subdivision('uniform token subdivisionScheme = "none"')).read).toBeNull();
  });

  it('takes schemes, rules and corners as authored', async () => {
    const { read, codes } = await subdivision(`
      uniform token subdivisionScheme = "bilinear"
      token interpolateBoundary = "edgeOnly"
      token faceVaryingLinearInterpolation = "boundaries"
      token triangleSubdivisionRule = "smooth"
      int[] cornerIndices = [3, 0]
      float[] cornerSharpnesses = [10, 1.5]`);
    expect(read).toMatchObject({
      scheme: 'bilinear',
      boundary: 'edgeOnly',
      faceVarying: 'boundaries',
      triangles: 'smooth',
    });
    expect([...read!.corners!.vertices]).toEqual([3, 0]);
    expect([...read!.corners!.sharpnesses]).toEqual([10, 1.5]);
    expect(codes).toEqual([]);
    expect((await subdivision('uniform token subdivisionScheme = "loop"')).read!.scheme).toBe('loop');
  });

  it.each([
    ['int[] cornerIndices = [4]', 'float[] cornerSharpnesses = [1]'],
    ['int[] cornerIndices = [-1]', 'float[] cornerSharpnesses = [1]'],
    ['int[] cornerIndices = [0, 1]', 'float[] cornerSharpnesses = [1]'],
    ['int[] cornerIndices = [0]', 'float[] cornerSharpnesses = [nan]'],
    ['int[] cornerIndices = [0]', ''],
  ])('drops corners that do not fit: %s %s', async (indices, sharpnesses) => {
    const { read, codes } = await subdivision(`${indices}\n${sharpnesses}`);
    expect(read!.corners).toBeNull();
    expect(codes).toEqual(['UC1813']);
  });

  it('names tokens that are not allowed and uses the fallback', async () => {
    const { read, codes } = await subdivision(`
      token interpolateBoundary = "sometimes"
      token faceVaryingLinearInterpolation = "cornersPlus3"`);
    expect(read).toMatchObject({ boundary: 'edgeAndCorner', faceVarying: 'cornersPlus1' });
    expect(codes).toEqual(['UC1828', 'UC1828']);
  });

  it('varying primvars are linear, vertex ones are not', async () => {
    const st = (interpolation: string) =>
      `texCoord2f[] primvars:st = [(0,0), (1,0), (1,1), (0,1)] ( interpolation = "${interpolation}" )`;
    const read = async (interpolation: string) => {
      const { scene } = await importText(mesh(st(interpolation)));
      return (await meshAt(scene, '/m')).uvs.get('st')!;
    };
    expect(await read('varying')).toMatchObject({ interpolation: 'vertex', linear: true });
    expect(await read('vertex')).toMatchObject({ interpolation: 'vertex' });
    expect((await read('vertex')).linear).toBeUndefined();
  });
});
