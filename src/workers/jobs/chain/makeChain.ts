// The level files of a model of a pack: of the artist's meshes where they fit the model, else of simplified ones.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { encodeLevel, type Model, openModel } from '../../../formats/untold/levelFile.ts';
import type { ChainFile, ChainJob, ChainResult, MeshMaterials } from '../../jobs.ts';
import { type ChainRequest, cookChain, levelsObstacle } from './cookChain.ts';
import { fitLevels } from './fitLevel.ts';
import { type HandMadeChain, handMadeChain } from './handMade.ts';

/** Reports UC2097 for levels that do not fit the model, and UC2058 for others that are not used. Throws what openModel does. */
export async function makeChain(
  job: ChainJob,
  surfaces: MeshMaterials,
  pictures: Pick<ChainRequest, 'images' | 'textures'>,
  diagnostics: Diagnostics,
): Promise<Pick<ChainResult, 'levels' | 'leftOut'>> {
  const { name, file, drawn, ratios, similarity: quality, authored = [] } = job;
  const { compression } = surfaces.scene.write;
  const model = await openModel(file, name);
  const ofRecords = drawn.flatMap((one) => new Array<typeof one>(one.entities).fill(one));
  const request = (of: Model): ChainRequest => {
    const looks = of.parts.map(({ records }) => surfaces.surface(ofRecords[records[0]].surface));
    return { model: of, surfaces: looks, ratios, quality, ...pictures };
  };
  const files = ({ parts }: Model, levels: HandMadeChain['levels']): Promise<ChainFile[]> =>
    Promise.all(
      levels.map(async ({ packed, screenSize, triangles, error }) => {
        return { file: await encodeLevel(file, name, parts, packed, compression), screenSize, triangles, error };
      }),
    );
  if (authored.length > 0 && levelsObstacle(model) === null) {
    const fitted = fitLevels(model, ofRecords, authored, surfaces);
    const made = await handMadeChain(request(fitted.model), fitted.levels);
    const { source } = surfaces.scene;
    for (const why of fitted.misfits) diagnostics.report('UC2097', source, name, why);
    for (const why of made.unused) diagnostics.report('UC2058', source, name, why);
    if (made.levels.length > 0) return { levels: await files(fitted.model, made.levels), leftOut: null };
  }
  const made = await cookChain(request(model));
  return { levels: await files(model, made.levels), leftOut: made.leftOut };
}
