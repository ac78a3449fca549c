// Which paths belong to an output of Urho3D: nothing else is ever replaced, taken from a cache or removed for it.

import { expect, test } from 'vitest';
import { filesOfManifest } from '../../../../src/formats/manifest/write.ts';
import { isOwnList, isPathOfModel, isPathOfSet } from '../../../../src/formats/urho3d/target/names.ts';
import { recordText } from '../../../../src/formats/urho3d/target/record.ts';

test('paths of a set lie in its own folders', () => {
  const own = ['Scenes/town.xml', 'Models/town/a_1a2b3c4d.mdl', 'Materials/town/a.xml', 'Textures/town/a.png'];
  const others = ['Scenes/other.xml', 'Models/a.mdl', 'Models/town/sub/a.mdl', 'town/a.mdl', '../Models/town/a.mdl'];
  expect(own.filter((path) => !isPathOfSet(path, 'town'))).toEqual([]);
  expect(others.filter((path) => isPathOfSet(path, 'town'))).toEqual([]);
});

test('paths of a model lie beside it', () => {
  const own = ['jack.txt', 'jack_Walk.ani', 'Materials/a_1a2b3c4d.xml', 'Textures/a_1a2b3c4d.png'];
  const others = ['jill.txt', 'jill_Walk.ani', 'jack_x/y.ani', 'Materials/sub/a.xml', 'Models/a.mdl'];
  expect(own.filter((path) => !isPathOfModel(path, 'jack'))).toEqual([]);
  expect(others.filter((path) => isPathOfModel(path, 'jack'))).toEqual([]);
});

test('a list is ours if each material is named for its content', () => {
  expect(isOwnList(['Materials/Wall_1a2b3c4d.xml', 'Materials/Roof_00000000.xml'])).toBe(true);
  for (const list of [[], [null], ['Materials/Wall.xml'], ['Materials/Wall_1a2b3c4d.xml', 'Materials/Roof.xml']]) {
    expect(isOwnList(list)).toBe(false);
  }
});

test('a record gives back what it lists, and nothing outside of its folders', () => {
  const sha256 = 'a'.repeat(64);
  const listed = ['Scenes/town.xml', 'Models/town/a.mdl', '../x', 'Models/town/../../x', 'other/a.mdl'];
  const text = recordText({ sceneName: 'town', settings: sha256, files: listed.map((path) => ({ path, sha256 })) });
  expect(filesOfManifest(text, 'town')).toEqual(
    new Map([
      ['town.plan.svg', null],
      ['Models/town/a.mdl', sha256],
      ['Scenes/town.xml', sha256],
    ]),
  );
});
