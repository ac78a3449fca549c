// Galileo meshes as sources: codes UC2342-UC2345. What is wrong in a file has the codes of its format.

import type { CodeEntry } from '../../entry.ts';

export const GALILEO_SOURCES = {
  UC2342: {
    severity: 'warning',
    title: 'skeleton of a .gali file without its poses',
    cause:
      'The format describes no skeleton. Its joints are named where the file says how, else by their numbers; all of them stand at the origin, so that the mesh is drawn as the file stores it.',
    remedy: 'cook the source of the file for a skeleton that clips fit; --hide UC2342 leaves the message out',
  },
  UC2343: {
    severity: 'warning',
    title: 'extensions of a .gali file left out',
    cause: 'Attributes and data of extensions mean something to the program alone that defines the extension.',
    remedy: 'keep the file for the program that knows them; --hide UC2343 leaves the message out',
  },
  UC2344: {
    severity: 'warning',
    title: 'mesh with joints stands still in tiles',
    cause: 'Tiles hold static geometry: vertices are drawn as the file stores them, without joints and weights.',
    remedy: 'cook meshes with joints as models of their own, with --out FILE.untold or --out FILE.glb',
  },
  UC2345: {
    severity: 'warning',
    title: 'materials of a .gali file are white',
    cause:
      'The format describes no materials. Files of this program state the names of materials; groups of others share a material that has no name.',
    remedy: 'make materials of these names in the engine, or cook the source of the file',
  },
} as const satisfies Record<string, CodeEntry>;
