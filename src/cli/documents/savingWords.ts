// What an option saves, in words.

import { formatBytes, type Saving } from '../../index.ts';
import { count } from '../terminal/words.ts';

/** `12 MB on the GPU, 3 draws`; `nothing in the output` where nothing is known to be saved. */
export function savingWords({ bytes = 0, gpuBytes = 0, geometry = 0, triangles = 0, draws = 0 }: Saving): string {
  const words = [
    ...(bytes > 0 ? [`${formatBytes(bytes)} on the disk`] : []),
    ...(gpuBytes > 0 ? [`${formatBytes(gpuBytes)} of textures`] : []),
    ...(geometry > 0 ? [`${formatBytes(geometry)} of geometry`] : []),
    ...(triangles > 0 ? [`${count(triangles)} triangle${triangles === 1 ? '' : 's'}`] : []),
    ...(draws > 0 ? [`${count(draws)} draw${draws === 1 ? '' : 's'}`] : []),
  ];
  return words.length > 0 ? words.join(', ') : 'nothing in the output';
}
