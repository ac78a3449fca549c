// An environment made of a picture of all directions that comes row by row: a picture of any size becomes one grid of light.

import type { Environment } from './environment.ts';
import { environmentOfGrid, type SkyGrid } from './skyGrid.ts';

const WIDTH = 1536;
const HEIGHT = 768;

/** Where each part of `size` begins that one of `count` texels shows: at least one row or column. */
function partsOf(size: number, count: number): { readonly begin: number; readonly end: number }[] {
  return Array.from({ length: count }, (_, i) => {
    const begin = Math.floor((i * size) / count);
    return { begin, end: Math.max(begin + 1, Math.floor(((i + 1) * size) / count)) };
  });
}

/** Takes the rows of a picture of this size: each texel of the grid becomes the mean of the pixels that it shows. */
function rowsInto({ texels }: SkyGrid, width: number, height: number): (row: number, light: Float32Array) => void {
  const columns = partsOf(width, WIDTH);
  const lines: number[][] = Array.from({ length: height }, () => []);
  const parts = partsOf(height, HEIGHT);
  for (const [j, { begin, end }] of parts.entries()) for (let row = begin; row < end; row++) lines[row].push(j);
  return (row, light) => {
    for (const j of lines[row]) {
      const rows = parts[j].end - parts[j].begin;
      for (let i = 0, to = j * WIDTH * 3; i < WIDTH; i++, to += 3) {
        const { begin, end } = columns[i];
        const share = 1 / (rows * (end - begin));
        for (let from = begin * 3; from < end * 3; from += 3) {
          for (let k = 0; k < 3; k++) texels[to + k] += light[from + k] * share;
        }
      }
    }
  };
}

/**
 * `read`: reads a picture; it calls its argument with the size before the first row, and what that returns with each row, from the
 * top where it is 0, and its linear light: three numbers a pixel. What it returns, if not null, is returned in place of an environment.
 */
export function environmentOfRows<Fault>(
  read: (begin: (width: number, height: number) => (row: number, light: Float32Array) => void) => Fault | null,
): Environment | Fault {
  const grid = { width: WIDTH, height: HEIGHT, texels: new Float32Array(WIDTH * HEIGHT * 3) };
  const fault = read((width, height) => rowsInto(grid, width, height));
  return fault ?? environmentOfGrid(grid);
}
