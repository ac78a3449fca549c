// Extensions of ours hold a JSON document each.

import { chain } from './extensions.ts';
import type { GalileoMesh } from './types.ts';

/** The document of the first extension of this name and version in the mesh's chain; undefined: there is none, or it is no JSON. */
export function documentOf(mesh: GalileoMesh, wanted: string, wantedVersion: number): unknown {
  for (const { name, version, data } of chain(mesh, mesh.firstExtension)) {
    if (name !== wanted || version !== wantedVersion) continue;
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
    } catch {
      return undefined;
    }
  }
  return undefined;
}
