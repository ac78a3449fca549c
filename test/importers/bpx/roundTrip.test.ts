// A source by way of .bpx draws what it draws without, in .untold and in .glb; what the package has no place for is listed here.

import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readUntold } from '../../../src/formats/untold/read.ts';
import type { UntoldScene } from '../../../src/formats/untold/types.ts';
import { trianglesOf } from '../../cook/cooked.ts';
import { toBpx } from '../../formats/bpx/sameAsUntold.ts';
import {
  bytesOf,
  expectAlike,
  fileOf,
  ofGlb,
  ofUntold,
  SAMPLES,
  toGlb,
  toUntold,
  useFolder,
} from '../../formats/glb/cooking.ts';

useFolder();

const BAKE = { instances: 'bake', flatten: true } as const;
const SPROUT = resolve(SAMPLES, 'glb/sprout.glb');
const COURTYARD = join(SAMPLES, 'courtyard.usdz');

const read = (name: string) => readUntold(bytesOf(name), name);
const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  [...new Set(diagnostics.map(({ code }) => code))].sort();

/** Of each material, by its name, which slots have a texture. */
const textured = ({ materials }: UntoldScene) =>
  Object.fromEntries(
    materials.map(({ name, baseColorTexture, normalTexture, roughnessTexture, metallicTexture, occlusionTexture }) => [
      name.replace(/_\d+$/, ''),
      [baseColorTexture, normalTexture, roughnessTexture, metallicTexture, occlusionTexture].map(
        (one) => one < 2 ** 31,
      ),
    ]),
  );

test('the courtyard: triangles, texture coordinates and textures of materials stay', async () => {
  await toBpx(COURTYARD, 'yard.bpx');
  await toUntold(COURTYARD, 'straight.untold', BAKE);
  expect(codes(await toUntold(fileOf('yard.bpx'), 'back.untold', BAKE))).toEqual(['UC2497']);
  const [straight, back] = [await read('straight.untold'), await read('back.untold')];
  expectAlike(ofUntold(trianglesOf(back)), ofUntold(trianglesOf(straight)));
  const [theirs, ours] = [textured(straight), textured(back)];
  expect(ours).toEqual(theirs);
  expect(Object.values(ours).flat().filter(Boolean).length).toBeGreaterThan(5);
  await toGlb(COURTYARD, 'straight.glb', BAKE);
  await toGlb(fileOf('yard.bpx'), 'back.glb', BAKE);
  expectAlike(ofGlb(bytesOf('back.glb')), ofGlb(bytesOf('straight.glb')));
  // Again from what came back: the same vertices.
  await toBpx(fileOf('back.untold'), 'again.bpx');
  await toUntold(fileOf('again.bpx'), 'last.untold', BAKE);
  expectAlike(ofUntold(trianglesOf(await read('last.untold'))), ofUntold(trianglesOf(straight)));
});

test('a character: the tree of joints, the pose of binding, and weights stay; clips do not (UC2332)', async () => {
  expect(codes(await toBpx(SPROUT, 'sprout.bpx'))).toEqual(['UC2332', 'UC2333']);
  await toUntold(SPROUT, 'sprout.untold');
  await toUntold(fileOf('sprout.bpx'), 'sproutBack.untold');
  const [straight, back] = [await read('sprout.untold'), await read('sproutBack.untold')];
  expectAlike(ofUntold(trianglesOf(back)), ofUntold(trianglesOf(straight)));
  const tree = ({ skeletons = [] }: UntoldScene) =>
    skeletons.map(({ joints }) => joints.map(({ path, parent }) => [path, parent]));
  const [[theirs], [ours]] = [tree(straight), tree(back)];
  expect(ours.length).toBe(16);
  expect(ours).toEqual(theirs);
  const moved = ({ skins = [] }: UntoldScene) =>
    skins.map(({ joints, indices, weights }) => [[...joints], [...indices], [...weights]]);
  expect(moved(back)).toEqual(moved(straight));
  expect(moved(back).length).toBe(4);
});
