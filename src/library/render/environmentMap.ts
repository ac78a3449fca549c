// The environment that --environment names: the light of a Radiance picture that shows all directions.

import { showPath } from '../../config/showPath.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { codeOf, readWhole, refusal } from '../../importers/wholeFile.ts';
import type { Environment } from '../../raster/picture/environment.ts';
import { environmentOfGrid, type SkyGrid } from '../../raster/picture/skyGrid.ts';
import { type RadiancePicture, readRadiance } from './radiance.ts';

const WIDTH = 1536;
const HEIGHT = 768;

/** What an exponent stands for, for mantissas up to 256: 2^(e - 136), 0 for 0. */
const SCALES = (() => {
  const scales = new Float64Array(256);
  // 2^-135: halves are exact.
  let scale = 1;
  for (let i = 0; i < 135; i++) scale /= 2;
  for (let e = 1; e < 256; e++, scale *= 2) scales[e] = scale;
  return scales;
})();

/** The mean of the pixels that each texel of the grid shows; of a smaller picture the pixel that it lies in. */
function gridOf({ width, height, rgbe, exposure }: RadiancePicture): SkyGrid {
  const texels = new Float32Array(WIDTH * HEIGHT * 3);
  const edge = (i: number, count: number, size: number) => Math.floor((i * size) / count);
  for (let j = 0; j < HEIGHT; j++) {
    const top = edge(j, HEIGHT, height);
    const bottom = Math.max(top + 1, edge(j + 1, HEIGHT, height));
    for (let i = 0; i < WIDTH; i++) {
      const left = edge(i, WIDTH, width);
      const right = Math.max(left + 1, edge(i + 1, WIDTH, width));
      const to = (j * WIDTH + i) * 3;
      const share = 1 / ((bottom - top) * (right - left) * exposure);
      for (let y = top; y < bottom; y++) {
        for (let x = left, at = (y * width + left) * 4; x < right; x++, at += 4) {
          const scale = SCALES[rgbe[at + 3]] * share;
          for (let k = 0; k < 3; k++) texels[to + k] += (rgbe[at + k] + 0.5) * scale;
        }
      }
    }
  }
  return { width: WIDTH, height: HEIGHT, texels };
}

/** `path`: absolute. Throws UC1200 and what readRadiance throws. */
export function openEnvironment(path: string, cwd: string): Environment {
  const file = showPath(path, cwd);
  let bytes: Uint8Array;
  try {
    bytes = readWhole(path);
  } catch (error) {
    return fail('UC1200', file, '--environment', `${file} ${refusal(codeOf(error))}`);
  }
  return environmentOfGrid(gridOf(readRadiance(bytes, file)));
}
