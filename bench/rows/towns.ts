// A town with two LODs and an HLOD for each 50 m, geometry alone, beside gltfpack making as many representations of it: the
// closest other tool that simplifies whole scenes. Then the default levels, which gltfpack has no match for.

import { join } from 'node:path';
import {
  type CookCost,
  type Cost,
  cook,
  cookFigures,
  costFigures,
  costOf,
  type Figure,
  isInstalled,
  median,
  megabytes,
  type Row,
  ratio,
  sumOf,
  times,
} from '../measure.ts';
import { writeTown } from '../town.ts';

const PEER = 'gltfpack';
/** Full detail, two LODs and the HLOD, as shares of the triangles. */
const RATIOS = ['1', '0.5', '0.2', '0.1'];
const THREE_LEVELS = [
  ...['--lod', '0.5,0.2', '--hlod', '0.1', '--tile-size', '50'],
  ...['--lod-check', 'geometry', '--hlod-texture-size', 'none'],
];
const NO_LEVELS = ['--lod', 'none', '--hlod', 'none'];

interface Goals {
  /** Ratios to the peer: wall and CPU with three levels, wall with the default ones. */
  readonly wall: number;
  readonly cpu: number;
  readonly defaults: number;
  readonly peakBytes: number;
}

/** Cooks in turn with the peer, where that is installed. */
export function cookTown(triangles: number, goals: Goals, folder: string, runs: number, peer = PEER): Figure[] {
  const source = join(folder, 'town.glb');
  const out = join(folder, 'out');
  writeTown(triangles, source);
  const hasPeer = isInstalled(peer);
  const pack = (share: string) => costOf([peer, '-i', source, '-o', join(folder, 'packed.glb'), '-si', share]);
  const three: CookCost[] = [];
  const defaults: CookCost[] = [];
  const plain: CookCost[] = [];
  const theirs: Cost[] = [];
  for (let run = 0; run < runs; run++) {
    three.push(cook(source, out, ...THREE_LEVELS));
    if (hasPeer) theirs.push(sumOf(RATIOS.map(pack)));
    defaults.push(cook(source, out));
    plain.push(cook(source, out, ...NO_LEVELS));
  }
  const figures = [
    ...cookFigures('without levels', plain),
    ...cookFigures('three levels', three).slice(0, 2),
    megabytes('three levels, peak', median(three.map(({ peakBytes }) => peakBytes)), goals.peakBytes / 1e6),
    ...cookFigures('default levels', defaults),
  ];
  if (!hasPeer) return figures;
  const byThree = ratio(three, theirs);
  return [
    ...figures,
    ...costFigures(`${peer} -si ${RATIOS.join(', ')}`, {
      wall: median(theirs.map(({ wall }) => wall)),
      cpu: median(theirs.map(({ cpu }) => cpu)),
    }),
    times(`three levels over ${peer}, wall`, byThree.wall, goals.wall),
    times(`three levels over ${peer}, CPU`, byThree.cpu, goals.cpu),
    times(`default levels over ${peer}, wall`, ratio(defaults, theirs).wall, goals.defaults),
  ];
}

export const town: Row = {
  name: 'town',
  about: 'a town of a million triangles',
  measure: (folder, runs) => cookTown(1_000_000, { wall: 1.3, cpu: 2, defaults: 1.6, peakBytes: 600e6 }, folder, runs),
};

export const townOfTen: Row = {
  name: 'town-10m',
  about: 'a town of ten million triangles',
  isLarge: true,
  measure: (folder, runs) =>
    cookTown(10_000_000, { wall: 0.8, cpu: 0.95, defaults: 1.6, peakBytes: 600e6 }, folder, runs),
};
