// When materials are joined for a device, and when they stay apart.

import { expect, test } from 'vitest';
import { fitted } from '../../src/cook/zone/fitted.ts';
import type { Joined } from '../../src/cook/zone/joined/join.ts';
import type { ZoneMesh } from '../../src/zone/thin.ts';
import { trianglesAt } from '../zone/zoneMeshes.ts';

/** Three materials, each on all sides. */
const MESHES = Array.from({ length: 48 }, (_, i) => trianglesAt(((i + 0.5) * 360) / 48, String(i % 3)));
const EYES = [[0, 0, 0]] as const;

/** The meshes with one material. */
const join = async (meshes: readonly ZoneMesh[]): Promise<Joined> => ({
  meshes: meshes.map((one) => ({ ...one, key: '3' })),
  materials: [],
  images: [],
  gone: new Set([0, 1, 2]),
});

const drawn = async (
  draws: number | null,
  visibleTriangles: number | null,
  joining: typeof join | (() => Promise<null>),
) => {
  const { joined, cut, share } = await fitted(
    MESHES,
    [0, 0, 0],
    { draws, visibleTriangles, triangles: null },
    EYES,
    joining,
  );
  return { joined: joined !== null, draws: cut.cells.length, sectors: cut.sectors, share };
};

test('materials stay apart where draws and triangles fit, and where nobody counts draws', async () => {
  expect(await drawn(12, 48, join)).toMatchObject({ joined: false, draws: 12 });
  expect(await drawn(3, 48, join)).toMatchObject({ joined: false, draws: 3, share: 1 });
  expect(await drawn(null, 1, join)).toMatchObject({ joined: false });
});

test('they are joined where draws do not fit', async () => {
  expect(await drawn(2, null, join)).toMatchObject({ joined: true, draws: 2, sectors: 2 });
});

test('they are joined where too many triangles lie in view, and more sectors have fewer', async () => {
  // One sector of three materials has all in view; four sectors of one have half of it.
  expect(await drawn(4, 40, join)).toMatchObject({ joined: true, draws: 4, share: 0.6 });
});

test('they stay apart where joining is of no use', async () => {
  expect(await drawn(2, null, async () => null)).toMatchObject({ joined: false, draws: 3 });
  expect(await drawn(100, 1, join)).toMatchObject({ joined: false, draws: 12 });
});
