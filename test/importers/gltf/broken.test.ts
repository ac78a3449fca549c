// Files that break a rule of glTF 2.0 and still leave no doubt about what they mean: drawn, with a warning.

import { describe, expect, test } from 'vitest';
import { buildGlb, load, loadAll, ONE_TRIANGLE, refusal, TRIANGLE } from './build.ts';

describe('rules broken, meaning clear', () => {
  test('a buffer that is shorter than declared, where all that is used is there', async () => {
    const longer = (more: number) =>
      buildGlb(ONE_TRIANGLE, (json) => {
        json.buffers[0].byteLength += 100;
        json.bufferViews[0].byteLength += more;
      });
    const { read, codes, diagnostics } = await loadAll(longer(0));
    expect([...read[0].points]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(codes).toEqual(['UC1329']);
    expect(diagnostics.list[0]).toMatchObject({
      path: 'buffers/0',
      message: '136 bytes are declared, but there are 36',
    });
    expect(await refusal(loadAll(longer(1)))).toMatchObject({ code: 'UC1310', path: 'buffers/0' });
  });

  test('a wrap mode that does not exist repeats', async () => {
    const { scene, codes } = await load(
      buildGlb({
        ...ONE_TRIANGLE,
        materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
        textures: [{ source: 0, sampler: 0 }],
        samplers: [{ wrapS: 10496, wrapT: 33071 }],
        images: [new Uint8Array([1])],
      }),
    );
    expect(scene.materials[0].textures.baseColor).toMatchObject({ wrapS: 'repeat', wrapT: 'clamp' });
    expect(codes).toEqual(['UC1329']);
  });

  test.each([
    ['floats', new Float32Array([0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0])],
    ['32-bit integers', new Uint32Array([0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0])],
  ])('joints in %s', async (_, JOINTS_0) => {
    const skinned = (joints: typeof JOINTS_0) =>
      buildGlb({
        meshes: [
          {
            primitives: [
              {
                ...TRIANGLE,
                attributes: { JOINTS_0: joints, WEIGHTS_0: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] },
              },
            ],
          },
        ],
        nodes: [{ mesh: 0, skin: 0 }, { translation: [5, 0, 0] }, { translation: [0, 7, 0] }],
        root: { skins: [{ joints: [1, 2] }] },
      });
    const { read, codes } = await loadAll(skinned(JOINTS_0));
    expect([...read[0].points]).toEqual([5, 0, 0, 6, 0, 0, 0, 8, 0]);
    expect(codes).toEqual(['UC1329', 'UC1341']);
    const half = Float32Array.from(JOINTS_0, (joint) => joint / 2);
    expect((await refusal(loadAll(skinned(half)))).code).toBe('UC1343');
  });

  test('an attribute of the application may have any length, for nothing of it is read', async () => {
    const { codes } = await loadAll(
      buildGlb({
        meshes: [{ primitives: [{ ...TRIANGLE, attributes: { _ID: { type: 'SCALAR', data: [1, 2, 3, 4] } } }] }],
      }),
    );
    expect(codes).toEqual([]);
  });
});
