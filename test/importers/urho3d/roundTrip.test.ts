// From one format to the other and back: what both hold stays.

import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { readAnimation } from '../../../src/formats/urho3d/animation/read.ts';
import { readModel } from '../../../src/formats/urho3d/model/read.ts';
import { farthest } from '../../animation/compare.ts';
import { trianglesOf } from '../../cook/cooked.ts';
import {
  bytesOf,
  expectAlike,
  fileOf,
  ofUntold,
  SAMPLES,
  sorted,
  toUntold,
  useFolder,
} from '../../formats/glb/cooking.ts';
import { trianglesOfModel } from '../../formats/urho3d/target/meshes.ts';
import { posedVertices } from '../../formats/urho3d/target/poses.ts';
import { BAKE, filesBelow, toModel } from '../../formats/urho3d/target/sets.ts';

useFolder();

/** Times of a clip at which poses are compared. */
const SHARES = [0, 0.3, 0.8];
const SPROUT = resolve(SAMPLES, 'glb/sprout.glb');

test('the courtyard by way of .mdl draws what it draws without', async () => {
  const source = join(SAMPLES, 'courtyard.usdz');
  await toUntold(source, 'straight.untold', BAKE);
  await toModel(source, 'there/yard.mdl');
  await toUntold(fileOf('there/yard.mdl'), 'back/yard.untold', BAKE);
  const [straight, back] = await Promise.all(
    ['straight.untold', 'back/yard.untold'].map((name) => readUntold(bytesOf(name), name)),
  );
  expectAlike(ofUntold(trianglesOf(back)), ofUntold(trianglesOf(straight)));
  const textured = ({ materials }: typeof back) =>
    materials.map(({ baseColorTexture, normalTexture }) =>
      [baseColorTexture, normalTexture].map((one) => one < 2 ** 31),
    );
  expect(textured(back).sort()).toEqual(textured(straight).sort());
  await toModel(fileOf('back/yard.untold'), 'again/yard.mdl');
  expectAlike(sorted(trianglesOfModel(bytesOf('again/yard.mdl'))), sorted(trianglesOfModel(bytesOf('there/yard.mdl'))));
});

test('a character goes from .mdl to .untold and back with its bones, weights and clips', async () => {
  await toModel(SPROUT, 'first/sprout.mdl');
  const animations = [...filesBelow('first').keys()].filter((name) => name.endsWith('.ani')).sort();
  expect(animations.length).toBe(2);
  const search = { folders: [], remaps: [], animations: animations.map((name) => fileOf(`first/${name}`)) };
  await toUntold(fileOf('first/sprout.mdl'), 'middle/sprout.untold', {}, search);
  await toModel(fileOf('middle/sprout.untold'), 'last/sprout.mdl');
  const [first, last] = ['first', 'last'].map((folder) => ({
    model: readModel(bytesOf(`${folder}/sprout.mdl`), folder),
    clips: [...filesBelow(folder).keys()]
      .filter((name) => name.endsWith('.ani'))
      .sort()
      .map((name) => readAnimation(bytesOf(`${folder}/${name}`), name)),
  }));
  const names = ({ bones }: typeof first.model) => bones.map(({ name }) => name).sort();
  expect(names(last.model)).toEqual(names(first.model));
  expect(last.clips.map(({ length }) => Math.fround(length))).toEqual(
    first.clips.map(({ length }) => Math.fround(length)),
  );
  for (const [i, clip] of first.clips.entries()) {
    const poses = ({ model, clips }: typeof first, share: number) =>
      posedVertices(model, clips[i], share * clip.length);
    const there = SHARES.map((share) => poses(first, share));
    const back = SHARES.map((share) => poses(last, share));
    // Each pose by itself: vertices stand in another order.
    const tracked = (pose: number[][]) => pose.map((point) => [point]);
    const off = SHARES.map((_, k) => farthest(tracked(back[k]), tracked(there[k])));
    expect(Math.max(...off)).toBeLessThan(1e-3);
  }
});
