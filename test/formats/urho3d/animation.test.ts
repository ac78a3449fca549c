// Animations: fixtures of another writer, a file by hand, and one fault for each code.

import { describe, expect, test } from 'vitest';
import { readAnimation, validateAnimation } from '../../../src/formats/urho3d/animation/read.ts';
import { writeAnimation } from '../../../src/formats/urho3d/animation/write.ts';
import { bytesOf, codesOf, expectPrefixesRefused, fixture, fixtures } from './fixtures.ts';

const BROKEN: Readonly<Record<string, string>> = {
  bad_ani_length: 'UC3928',
  bad_ani_mask: 'UC3902',
  bad_ani_neg: 'UC3928',
  bad_ani_order: 'UC3928',
  bad_ani_rot: 'UC3928',
  bad_ani_tail: 'UC3902',
  bad_ani_twice: 'UC3941',
  bad_uan2: 'UC3901',
};

describe('fixtures of animations', () => {
  test('are all in the table', () => {
    expect(fixtures(/^bad.*\.ani$/)).toEqual(Object.keys(BROKEN).map((name) => `${name}.ani`));
    expect(fixtures(/^good.*\.ani$/)).toEqual(['good_ani.ani']);
  });

  test.each(Object.entries(BROKEN))('%s is refused with %s alone', (name, code) => {
    expect(codesOf(() => readAnimation(fixture(`${name}.ani`), name))).toEqual([code]);
  });

  test('are written as they were, and refused when cut off anywhere', () => {
    const bytes = fixture('good_ani.ani');
    expect(validateAnimation(bytes, 'good_ani.ani')).toEqual([]);
    expect(writeAnimation(readAnimation(bytes, 'good_ani.ani'))).toEqual(bytes);
    expectPrefixesRefused(bytes, (part) => readAnimation(part, 'x'));
  });
});

/** Two tracks: one of positions and rotations at 0 and 0.5 seconds, one of scales. */
const hand = () =>
  bytesOf(
    'UANI',
    'wave\0',
    ['f32', 0.5],
    ['u32', 2],
    'arm\0',
    ['u8', 3],
    ['u32', 2],
    ['f32', 0, 1, 2, 3, 1, 0, 0, 0],
    ['f32', 0.5, 4, 5, 6, 0, 0, 1, 0],
    'hand\0',
    ['u8', 4],
    ['u32', 1],
    ['f32', 0.25, 1, 2, 1],
  );

test('a file by hand gives every field, and the same bytes', () => {
  const animation = readAnimation(hand(), 'hand.ani');
  expect(animation).toEqual({
    name: 'wave',
    length: 0.5,
    tracks: [
      {
        bone: 'arm',
        keys: {
          time: new Float32Array([0, 0.5]),
          position: new Float32Array([1, 2, 3, 4, 5, 6]),
          rotation: new Float32Array([1, 0, 0, 0, 0, 0, 1, 0]),
          scale: null,
        },
      },
      {
        bone: 'hand',
        keys: {
          time: new Float32Array([0.25]),
          position: null,
          rotation: null,
          scale: new Float32Array([1, 2, 1]),
        },
      },
    ],
  });
  expect(writeAnimation(animation)).toEqual(hand());
});

const HEAD = 4 + 5;
const FIRST_KEY = HEAD + 8 + 4 + 1 + 4;

test.each<[string, number, number]>([
  ['UC3928', HEAD, Number.NaN],
  ['UC3982', HEAD, 0.4],
  ['UC3928', FIRST_KEY, Number.POSITIVE_INFINITY],
  ['UC3928', FIRST_KEY + 4, Number.NaN],
  ['UC3928', FIRST_KEY + 16, Number.POSITIVE_INFINITY],
  ['UC3928', FIRST_KEY + 16, 1.5],
])('%s for a number at byte %d', (code, at, value) => {
  const bytes = hand();
  new DataView(bytes.buffer).setFloat32(at, value, true);
  expect(validateAnimation(bytes, 'x.ani').map((d) => d.code)).toEqual([code]);
});

test('a count that the file cannot hold is refused before anything is allocated', () => {
  const bytes = hand();
  new DataView(bytes.buffer).setUint32(FIRST_KEY - 4, 0xffffffff, true);
  expect(codesOf(() => readAnimation(bytes, 'x'))).toEqual(['UC3902']);
  // 32 bytes a key, 49 bytes are left.
  new DataView(bytes.buffer).setUint32(FIRST_KEY - 4, 4, true);
  expect(codesOf(() => readAnimation(bytes, 'x'))).toEqual(['UC3902']);
});

test('writing refuses what no file can hold', () => {
  const animation = readAnimation(hand(), '');
  expect(() => writeAnimation({ ...animation, length: -1 })).toThrow('UC3928');
  const [{ bone, keys }] = animation.tracks;
  const tracks = [{ bone, keys: { ...keys, position: new Float32Array(3) } }];
  expect(() => writeAnimation({ ...animation, tracks })).toThrow('another number of rows');
});
