// Addresses of textures of the viewer's page, and what they stand for.

import { expect, test } from 'vitest';
import { pathAbove, placesOf } from '../../src/viewer/texturePlaces.ts';

const NAME = '0123456789abcdef.utex';

test.each<[string, string, string[]]>([
  ['Textures/wall.utex', 'town/tile.untold', ['town/Textures/wall.utex', 'town/wall.utex']],
  ['wall.png', 'tile.untold', ['wall.png']],
  [`../Textures/${NAME}`, 'town/tile.untold', [`Textures/${NAME}`]],
  [`../../Textures/${NAME}`, 'town/tile.untold', [`~up/1/Textures/${NAME}`]],
  [`../../../Textures/${NAME}`, 'tile.untold', [`~up/3/Textures/${NAME}`]],
  ['../Textures/wall.utex', 'town/tile.untold', []],
  [`../../art/${NAME}`, 'town/tile.untold', []],
  [`Textures/../../../Textures/../${NAME}`, 'town/tile.untold', []],
  [`..\\Textures\\${NAME}`, 'town/tile.untold', []],
  ['https://x/wall.png', 'town/tile.untold', []],
])('%s of %s', (uri, payload, places) => {
  expect(placesOf(uri, payload)).toEqual(places);
});

test.each<[string, string | null]>([
  [`~up/1/Textures/${NAME}`, `../Textures/${NAME}`],
  [`~up/12/Textures/${NAME}`, `${'../'.repeat(12)}Textures/${NAME}`],
  ['~up/1/Textures/secret.png', null],
  [`~up/0/Textures/${NAME}`, null],
  [`~up/100/Textures/${NAME}`, null],
  [`~up/1/art/Textures/${NAME}`, null],
  [`town/Textures/${NAME}`, null],
])('%s', (address, path) => {
  expect(pathAbove(address.split('/'))).toBe(path);
});
