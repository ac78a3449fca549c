// Models of Urho3D as sources: codes UC2450-UC2469. What is wrong in a file has the codes of its format.

import type { CodeEntry } from '../../entry.ts';

export const URHO3D_SOURCES = {
  UC2450: {
    severity: 'info',
    title: 'levels of a .mdl file left out',
    cause:
      'A source has full detail, from which the cook makes its own levels. The first level of each geometry is read.',
    remedy: 'nothing to do; levels of tiles follow from --lod and --hlod',
  },
  UC2451: {
    severity: 'warning',
    title: 'geometries of a .mdl file without triangles left out',
    cause: 'Lines, points, strips and fans are not drawn by the targets; only lists of triangles are read.',
    remedy: 'export them as triangles if they are surfaces; --hide UC2451 leaves the message out',
  },
  UC2452: {
    severity: 'warning',
    title: 'morphs of a .mdl file left out',
    cause: 'Tiles hold static geometry: the model is drawn without them, as it is while their weights are 0.',
    remedy: 'cook morphed models as models of their own, with --out FILE.untold',
  },
  UC2453: {
    severity: 'warning',
    title: 'model with bones stands still in tiles',
    cause:
      'Tiles hold static geometry: vertices are drawn as the file stores them, in the pose in which they were bound.',
    remedy:
      'cook characters as models of their own, with --out FILE.untold; in a project, as a target with "sources" and "out-each": "models/{name}.untold"',
  },
  UC2454: {
    severity: 'warning',
    title: 'normals of a .mdl file point nowhere',
    cause: 'A normal is zero or no number. Those of its geometry are made from the triangles.',
    remedy: 'export the model again',
  },
  UC2455: {
    severity: 'warning',
    title: 'model without a list of materials',
    cause: 'A .mdl file names no materials: the list NAME.txt beside NAME.mdl does, one material a geometry.',
    remedy: 'put the list beside the model, as AssetImporter writes it',
  },
  UC2456: {
    severity: 'error',
    title: 'offset matrix of a bone has no inverse',
    cause: 'It flattens the model, so that the pose in which vertices were bound is not known.',
    remedy: 'export the model again, without bones of scale 0',
  },
  UC2457: {
    severity: 'warning',
    title: 'tracks of a .ani file move no bone',
    cause: 'Tracks find bones by their names, and the model has none of these.',
    remedy: 'give the animation with the model that it was made for',
  },
  UC2458: {
    severity: 'warning',
    title: 'material of a .mdl file is not found',
    cause:
      'Names of materials lead from a resource folder: the nearest folder above the source that holds the file, or Data or CoreData there.',
    remedy: 'put the file in its place, name its resource folder with --search-path, or give --root a folder above it',
  },
  UC2460: {
    severity: 'error',
    title: 'animation of Urho3D named as a source',
    cause: 'A .ani file holds the motion of bones and nothing that is drawn.',
    remedy: 'name the model, and give the animation with --animation',
  },
  UC2459: {
    severity: 'warning',
    title: 'parts of materials of Urho3D left out',
    cause:
      'Materials become metallic-roughness. Techniques that are not PBR keep colours, normal maps, transparency and emission.',
    remedy: 'give the material a PBR technique if it has to look the same; --hide UC2459 leaves the message out',
  },
} as const satisfies Record<string, CodeEntry>;
