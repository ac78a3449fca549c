// Writes the manifest of a pack once its models are staged.

import { packText } from '../../../formats/untoldpack/write.ts';
import type { OutputSet } from '../../../output/outputSet.ts';
import type { WrittenChains } from '../../made.ts';
import type { PayloadPlan } from '../../planned.ts';

/** A source whose folders are left out: the manifest must not depend on where it lies. */
const fileName = (source: string): string =>
  source.slice(Math.max(source.lastIndexOf('/'), source.lastIndexOf('\\')) + 1);

/** Models of which nothing is drawn have no file, and are not listed. Throws what the set throws. */
export function writePack(
  { placements = [], scene }: Pick<PayloadPlan, 'placements' | 'scene'>,
  chains: WrittenChains['chains'],
  set: OutputSet,
  main: string,
  source: string,
): void {
  const written = new Set(set.files.map(({ path }) => path));
  const models = placements.filter(({ path }) => written.has(path));
  set.write(main, new TextEncoder().encode(packText(fileName(source), models, chains, scene.carried?.pack?.keys)));
}
