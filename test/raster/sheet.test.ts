import { expect, test } from 'vitest';
import { lineWidth, writeLine } from '../../src/raster/lettering.ts';
import type { Picture } from '../../src/raster/render.ts';
import { drawSheet } from '../../src/raster/sheet.ts';

/** What is written, `#` for ink. */
function written(text: string, width: number, zoom = 1): string[] {
  const rgb = new Uint8Array(width * 7 * zoom * 3);
  writeLine(rgb, width, 0, 0, text, zoom, [255, 255, 255]);
  return Array.from({ length: 7 * zoom }, (_, y) =>
    Array.from({ length: width }, (_, x) => (rgb[(y * width + x) * 3] ? '#' : '.')).join(''),
  );
}

test('letters are five by seven pixels, small ones as capitals', () => {
  expect(written('L1', 11)).toEqual([
    '#.......#..',
    '#......##..',
    '#.......#..',
    '#.......#..',
    '#.......#..',
    '#.......#..',
    '#####..###.',
  ]);
  expect(written('l1', 11)).toEqual(written('L1', 11));
  expect(lineWidth('L1', 1)).toBe(11);
  expect(lineWidth('L1', 2)).toBe(22);
});

test('letters may be enlarged, are cut at the edge, and never missing', () => {
  expect(written('.', 10, 2).slice(10)).toEqual(['..####....', '..####....', '..####....', '..####....']);
  expect(written('HH', 7)[0]).toBe('#...#.#');
  expect(written('é', 5)[0]).toBe('#####');
  // Every letter of every caption has a picture of its own.
  const drawn = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:-_+/%()='].map((letter) => written(letter, 5).join());
  expect(new Set(drawn).size).toBe(drawn.length);
  expect(drawn).not.toContain(written('é', 5).join());
});

test('a sheet has its pictures side by side under their captions, small ones enlarged', () => {
  const picture = (width: number, height: number, byte: number): Picture => ({
    width,
    height,
    rgb: new Uint8Array(width * height * 3).fill(byte),
    coverage: new Uint8Array(width * height).fill(255),
  });
  const rows = [
    { caption: 'one', titles: ['a', 'b'], pictures: [picture(300, 40, 200), picture(300, 40, 100)] },
    { caption: 'two', titles: ['a', 'b'], pictures: [picture(26, 10, 50), picture(26, 10, 60)] },
  ];
  const { width, height, rgb } = drawSheet(rows);
  expect(rgb.length).toBe(width * height * 3);
  const count = (byte: number) => {
    let pixels = 0;
    for (let at = 0; at < rgb.length; at += 3) if (rgb[at] === byte && rgb[at + 1] === byte) pixels++;
    return pixels;
  };
  expect([count(200), count(100), count(50), count(60)]).toEqual([12_000, 12_000, 26_000, 26_000]);
  // The caption of the second row tells that it is ten times as large.
  expect(width).toBeGreaterThanOrEqual(lineWidth('two, 10 times as large', 2));
});
