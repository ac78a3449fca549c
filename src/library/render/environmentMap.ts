// The environment that --environment names: the light of a Radiance picture that shows all directions.

import { showPath } from '../../config/showPath.ts';
import { fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { codeOf, readWhole, refusal } from '../../importers/wholeFile.ts';
import type { Environment } from '../../raster/picture/environment.ts';
import { environmentOfRows } from '../../raster/picture/skyRows.ts';
import { ImageFault } from '../../textures/decode/fault.ts';
import { radianceFault, readRadiance } from '../../textures/decode/hdr.ts';

/** `path`: absolute. Throws UC1200, and UC2100 to UC2103 for what is no sound Radiance picture. */
export function openEnvironment(path: string, cwd: string): Environment {
  const file = showPath(path, cwd);
  let bytes: Uint8Array;
  try {
    bytes = readWhole(path);
  } catch (error) {
    return fail('UC1200', file, '--environment', `${file} ${refusal(codeOf(error))}`);
  }
  const made = environmentOfRows((begin) => readRadiance(bytes, begin));
  if (!(made instanceof ImageFault)) return made;
  throw new SourceError(radianceFault(made, file, '--environment'));
}
