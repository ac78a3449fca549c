// A hundred million triangles as one GLB of 4 GB: huge.ts has the same as glTF, as a USD crate, and with levels.

import { join } from 'node:path';
import { cook, costFigures, type Figure, megabytes, type Row, seconds } from '../measure.ts';
import { writeTown } from '../town.ts';

const TRIANGLES = 100_000_000;
const GOAL_SECONDS = 300;
const GOAL_MEGABYTES = 1500;

function measure(folder: string): Figure[] {
  const source = join(folder, 'town.glb');
  writeTown(TRIANGLES, source);
  const cost = cook(source, join(folder, 'out'), '--lod', 'none', '--hlod', 'none', '--tile-size', '50');
  const [, cpu] = costFigures('without levels', cost);
  return [
    seconds('without levels, wall', cost.wall, GOAL_SECONDS),
    cpu,
    megabytes('without levels, peak', cost.peakBytes, GOAL_MEGABYTES),
  ];
}

export const large: Row = {
  name: 'town-100m',
  about: 'a town of a hundred million triangles, one run',
  isLarge: true,
  measure,
};
