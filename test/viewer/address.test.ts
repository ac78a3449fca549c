// The page's address: what it says of camera and view.

import { expect, test } from 'vitest';
import { addressOf, placeIn } from '../../src/viewer/page/address.ts';

test('a place is written and read', () => {
  const place = { camera: [1, 2.5, -3, 0, 0.001, 1e3], mode: 'walk', show: 'lod1', view: 'uv' } as const;
  expect(addressOf(place)).toBe('camera=1,2.5,-3,0,0.001,1000&mode=walk&show=lod1&view=uv');
  expect(placeIn(`#${addressOf(place)}`)).toEqual(place);
  expect(addressOf({})).toBe('');
  expect(placeIn('')).toEqual({});
  // To the millimetre.
  expect(addressOf({ camera: [1 / 3, -1e-9, 0, 0, 0, 0] })).toBe('camera=0.333,0,0,0,0,0');
});

test.each([
  'camera=1,2,3',
  'camera=1,2,3,4,5,x',
  'camera=1,2,3,4,5,',
  'camera=1,2,3,1,2,3',
  'camera=1,2,3,4,5,Infinity',
  'mode=swim',
  '%',
])('what cannot be read is not there: %s', (address) => expect(placeIn(address)).toEqual({}));
