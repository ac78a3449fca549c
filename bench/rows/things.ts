// What one small thing costs: meshes of one triangle in one file, and small files that share an image.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cook, type Figure, median, megabytes, middle, milliseconds, type Row, repeated } from '../measure.ts';
import { writeProps } from '../props.ts';
import { writeThings } from '../things.ts';

/** What a mesh may add to a whole cook. */
const MESH_MILLISECONDS = 0.05;
const THINGS: readonly (readonly [meshes: number, materials: number])[] = [
  [50_000, 4],
  [20_000, 20_000],
  [50_000, 20_000],
];

export const things: Row = {
  name: 'things',
  about: 'many meshes of one triangle in one file, cooked whole',
  measure: (folder, runs) =>
    THINGS.flatMap(([meshes, materials]): Figure[] => {
      const source = join(folder, 'things.glb');
      writeThings(meshes, materials, source);
      const costs = repeated(runs, () => cook(source, join(folder, 'out'), '--lod', 'none', '--hlod', 'none'));
      const what = `${meshes} meshes, ${materials} materials`;
      return [
        milliseconds(`${what}, wall for each`, middle(costs).wall / meshes, MESH_MILLISECONDS),
        megabytes(`${what}, peak`, median(costs.map(({ peakBytes }) => peakBytes))),
      ];
    }),
};

const PROPS = 203;
/** What a prop may take of the processor. */
const PROP_MILLISECONDS = 50;

export const props: Row = {
  name: 'props',
  about: `${PROPS} files of 500 triangles with one image of 1024 texels a side in all of them, textures included`,
  async measure(folder, runs) {
    const sources = join(folder, 'props');
    mkdirSync(sources);
    await writeProps(PROPS, sources);
    const { cpu } = middle(repeated(runs, () => cook(sources, join(folder, 'out'))));
    return [milliseconds('CPU for each', cpu / PROPS, PROP_MILLISECONDS)];
  },
};
