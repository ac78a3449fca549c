import { expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { TexelProgress } from '../../src/textures/prepare/texelProgress.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { colorUse, grey, image, material, neverRead, rgb, scene, use } from './fixture.ts';

it('counts each image of each role once', () => {
  const reports: number[][] = [];
  const progress = new TexelProgress((done, total) => reports.push([done, total]));
  progress.expect(0, 'color', 100);
  progress.expect(0, 'color', 100);
  progress.expect(0, 'data', 100);
  progress.expect(1, 'color', 7);
  progress.done([0], 'color');
  progress.done([0], 'color');
  progress.done([0, 1], 'color');
  progress.done([0], 'normal');
  progress.done([0], 'data');
  expect(reports).toEqual([
    [100, 207],
    [107, 207],
    [207, 207],
  ]);
});

it('of materials moves by the texels of their images, to the end', async () => {
  const reports: number[][] = [];
  const images = [
    image('large', rgb(Array(4).fill(Array(24).fill(9)))),
    image('small', rgb([[1, 2, 3]])),
    image('opacity', grey([[1, 2, 3, 4]])),
    image('undrawn', rgb([[1, 2, 3]])),
  ];
  const textures = { baseColor: colorUse(0), normal: use(1), roughness: use(1, { channel: 'g' }) };
  await prepareMaterials(
    scene(
      [
        material(textures),
        material(textures),
        material({ baseColor: colorUse(1), opacity: use(2, { channel: 'r' }) }, { alphaMode: 'blend' }),
      ],
      images,
    ),
    { missingTexture: 'error', atOnce: 1, onTexels: (done, total) => reports.push([done, total]) },
    neverRead,
    new Diagnostics(),
  );
  // 32 texels of colour, 1 of normals and roughness, then 1 of colour with the 4 of its opacity.
  expect(reports).toEqual([
    [32, 38],
    [33, 38],
    [38, 38],
  ]);
});
