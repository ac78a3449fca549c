import { Color } from 'three';
import { expect, test } from 'vitest';
import { levelColor, TIER_NAMES, tierColor, tileColor } from '../../src/viewer/page/levels.ts';

test('three.js reads every colour of tints as it is meant', () => {
  const tiles = Array.from({ length: 50 }, (_, i) => tileColor(i));
  const others = [...['full', 'lod1', 'hlod', 'none'].map(levelColor), ...[...TIER_NAMES, null].map(tierColor)];
  for (const text of [...tiles, ...others]) expect(new Color(text).getHex(), text).not.toBe(0xffffff);
  expect(new Set(tiles.map((text) => new Color(text).getHex())).size).toBe(tiles.length);
  const { h, s, l } = new Color(tileColor(1)).getHSL({ h: 0, s: 0, l: 0 }, 'srgb');
  expect([Math.round(h * 360), Math.round(s * 100), Math.round(l * 100)]).toEqual([138, 55, 52]);
});
