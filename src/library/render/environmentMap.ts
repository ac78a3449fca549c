// The environment that --environment names: the light of a Radiance picture that shows all directions.

import { showPath } from '../../config/showPath.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { codeOf, readWhole, refusal } from '../../importers/wholeFile.ts';
import type { Environment } from '../../raster/picture/environment.ts';
import { environmentOfGrid, type SkyGrid } from '../../raster/picture/skyGrid.ts';
import { FAULT_CODES } from '../../textures/decode/fault.ts';
import { readRadiance } from '../../textures/decode/hdr.ts';

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

/** `path`: absolute. Throws UC1200, and UC2100 to UC2103 for what is no sound Radiance picture. */
export function openEnvironment(path: string, cwd: string): Environment {
  const file = showPath(path, cwd);
  let bytes: Uint8Array;
  try {
    bytes = readWhole(path);
  } catch (error) {
    return fail('UC1200', file, '--environment', `${file} ${refusal(codeOf(error))}`);
  }
  const grid = { width: WIDTH, height: HEIGHT, texels: new Float32Array(WIDTH * HEIGHT * 3) };
  const fault = readRadiance(bytes, (width, height) => rowsInto(grid, width, height));
  if (fault === null) return environmentOfGrid(grid);
  const remedy = fault.kind === 'unsupported' ? 'save the environment as Radiance HDR (.hdr), row by row' : undefined;
  return fail(FAULT_CODES[fault.kind], file, '--environment', fault.message, remedy);
}
