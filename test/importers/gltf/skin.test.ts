// Normals and tangents of skinned meshes. Joint matrices are M = R S; the expected values are worked out by hand:
// normals by the inverse transpose, R S⁻¹ n, tangents by R S t, both made unit.

import { describe, expect, test } from 'vitest';
import { buildGlb, loadAll, TRIANGLE } from './build.ts';

const near = (list: readonly number[]) => list.map((value) => expect.closeTo(value, 6));
const repeat = (list: readonly number[]) => [...list, ...list, ...list];
const H = Math.SQRT1_2;
const R5 = Math.sqrt(5);

/** The first vertex of a triangle that follows joints with these transforms by these weights. */
async function skinned(joints: readonly object[], normal: number[], tangent: number[], weights = [1, 0, 0, 0]) {
  const { read } = await loadAll(
    buildGlb({
      meshes: [
        {
          primitives: [
            {
              ...TRIANGLE,
              normals: repeat(normal),
              attributes: {
                TANGENT: repeat([...tangent, 1]),
                JOINTS_0: new Uint8Array(repeat([0, 1, 0, 0])),
                WEIGHTS_0: repeat(weights),
              },
            },
          ],
        },
      ],
      nodes: [{ mesh: 0, skin: 0 }, ...joints],
      root: { skins: [{ joints: joints.map((_, i) => i + 1) }] },
    }),
  );
  return { normal: [...read[0].normals!.data.slice(0, 3)], tangent: [...read[0].tangents!.data.slice(0, 4)] };
}

describe('skinned normals and tangents', () => {
  test('a rotation that takes x to y to z to x takes normals along', async () => {
    const { normal, tangent } = await skinned([{ rotation: [0.5, 0.5, 0.5, 0.5] }, {}], [1, 0, 0], [0, 1, 0]);
    expect(normal).toEqual(near([0, 1, 0]));
    expect(tangent).toEqual(near([0, 0, 1, 1]));
  });

  test('a quarter about z turns x to y, not to -y', async () => {
    const { normal, tangent } = await skinned([{ rotation: [0, 0, H, H] }, {}], [1, 0, 0], [0, 1, 0]);
    expect(normal).toEqual(near([0, 1, 0]));
    expect(tangent).toEqual(near([-1, 0, 0, 1]));
  });

  test('under a scale of 2 along x and a quarter about z, normal and tangent stay at right angles', async () => {
    const joint = { rotation: [0, 0, H, H], scale: [2, 1, 1] };
    const { normal, tangent } = await skinned([joint, {}], [H, H, 0], [H, -H, 0]);
    expect(normal).toEqual(near([-2 / R5, 1 / R5, 0]));
    expect(tangent).toEqual(near([1 / R5, 2 / R5, 0, 1]));
  });

  test('a mirrored joint keeps the side of the normal and turns the sign of the tangent', async () => {
    const joint = { rotation: [0, 0, H, H], scale: [-2, 1, 1] };
    const { normal, tangent } = await skinned([joint, {}], [H, H, 0], [H, -H, 0]);
    expect(normal).toEqual(near([-2 / R5, -1 / R5, 0]));
    expect(tangent).toEqual(near([1 / R5, -2 / R5, 0, -1]));
  });

  test('the sum of two joints decides, not the sum of their normals', async () => {
    // Half of the identity and half of a quarter about z: [½ -½; ½ ½] is an eighth of a turn, shrunk in the plane alone.
    const { normal } = await skinned([{}, { rotation: [0, 0, H, H] }], [H, 0, H], [0, 1, 0], [0.5, 0.5, 0, 0]);
    // R S⁻¹ n with S = diag(√½, √½, 1): S⁻¹ n = (1, 0, √½), length √1.5, turned by an eighth.
    const length = Math.sqrt(1.5);
    expect(normal).toEqual(near([H / length, H / length, H / length]));
  });
});
