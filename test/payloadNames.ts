// Names of payloads carry digits of their content's hash. Tests name them as they are planned: `town/tile_0_0_0.untold`.

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A payload's path as it is planned; other paths stay. */
export const withoutHash = (path: string): string => path.replace(/_[0-9a-f]{8}(?=\.untold$)/, '');

/** The file below `folder` that has this path or is planned under it. Throws unless it is exactly one. */
export function payloadPath(folder: string, planned: string): string {
  const names = readdirSync(join(folder, dirname(planned))).filter(
    (name) => name === basename(planned) || withoutHash(name) === basename(planned),
  );
  if (names.length !== 1) throw new Error(`${names.length} files are planned as ${planned}`);
  return join(folder, dirname(planned), names[0]);
}
