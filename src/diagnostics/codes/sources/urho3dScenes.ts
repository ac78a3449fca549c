// Scenes and prefabs of Urho3D as sources: codes UC2485-UC2489.

import type { CodeEntry } from '../../entry.ts';

export const URHO3D_SCENES = {
  UC2485: {
    severity: 'error',
    title: 'file that a scene of Urho3D names is not found',
    cause:
      'Names of models and prefabs lead from a resource folder: the nearest folder above the scene that holds the file, or Data or CoreData there.',
    remedy: 'put the file in its place, name its resource folder with --search-path, or give --root a folder above it',
  },
  UC2486: {
    severity: 'warning',
    title: 'parts of a scene of Urho3D that are drawn left out',
    cause:
      'Nodes, static and animated models, groups of models, prefabs, lights and cameras are read. Terrains, particles, billboards, skies, zones, decals, texts and sprites are not.',
    remedy: 'make models of them, or set them up in the engine; --hide UC2486 leaves the message out',
  },
  UC2487: {
    severity: 'info',
    title: 'components of a scene of Urho3D left out',
    cause: 'Physics, sounds, scripts and components of applications have no place in the outputs.',
    remedy: 'nothing to do where they draw nothing; else make models of what they draw',
  },
  UC2488: {
    severity: 'warning',
    title: 'parts of a scene of Urho3D are other than there',
    cause:
      'The message names what is other. Lights of Urho3D fade in a way of their own towards their range, and spots towards their edge; lights that darken and parallel cameras are left out. Models stand as they rest, at any distance. Joints have no shear and one scale, and bones are joints where a vertex has weights of them. An animation, a node of a group or a node of a prefab that a scene names may not be there.',
    remedy:
      'look at what is named in the engine, and adjust it there; put an animation that is not found into the resource folder, or name it with --animation; --hide UC2488 leaves the message out',
  },
  UC2489: {
    severity: 'error',
    title: 'prefabs of Urho3D that hold themselves or nest too deep',
    cause:
      'A prefab has a reference to itself, or to another that leads back to it; or more than 16 stand in each other.',
    remedy:
      'take the reference out of the prefab; where prefabs nest too deep, put what the innermost hold into those around them',
  },
} as const satisfies Record<string, CodeEntry>;
