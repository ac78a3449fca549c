// What a target leaves out or changes of a scene: codes UC2300-UC2341.

import type { CodeEntry } from '../../entry.ts';

export const TARGETS = {
  UC2300: {
    severity: 'warning',
    title: 'light that the target has no kind for',
    cause: 'Area lights have no counterpart in the target. They become spots that are as bright in front.',
    remedy: 'replace area lights by spots in the source to choose their look; --hide UC2300 leaves the message out',
  },
  UC2310: {
    severity: 'warning',
    title: 'lights and cameras left out of a model',
    cause:
      'A .mdl of Urho3D is a model alone. Lights and cameras stand in scenes, which are written with sets of tiles.',
    remedy:
      'give a folder to --out with --target urho3d, which keeps them in a scene; --hide UC2310 leaves the message out',
  },
  UC2311: {
    severity: 'warning',
    title: 'occlusion map left out of materials for Urho3D',
    cause:
      'The shaders of Urho3D have one texture unit for emission and occlusion. Where a material has both, emission is kept.',
    remedy: 'leave one of the two maps out of the material to choose; --hide UC2311 leaves the message out',
  },
  UC2312: {
    severity: 'warning',
    title: 'light fades as Urho3D has it',
    cause:
      'Lights of Urho3D end at a range and fade towards it in a way of their own; a spot has no inner cone. Colour, power, direction, outer cone and range are kept; an unbounded light gets the range at which it gives a hundredth of a watt a square metre.',
    remedy: 'look at the lights in Urho3D, and adjust their brightness there',
  },
  UC2313: {
    severity: 'warning',
    title: 'glass made transparent for Urho3D',
    cause:
      'The shaders of Urho3D have no transmission. As much of what is behind the surface is seen through its alpha; it is not tinted.',
    remedy: 'write a technique for glass in Urho3D if it has to be tinted; --hide UC2313 leaves the message out',
  },
  UC2330: {
    severity: 'warning',
    title: 'lights that the target has no place for',
    cause: 'The target holds geometry. Its files have no lights.',
    remedy: 'set the lights in the engine; --hide UC2330 leaves the message out',
  },
  UC2331: {
    severity: 'warning',
    title: 'cameras that the target has no place for',
    cause: 'The target holds geometry. Its files have no cameras.',
    remedy: 'set the cameras in the engine; --hide UC2331 leaves the message out',
  },
  UC2332: {
    severity: 'warning',
    title: 'skeletons or clips that the target has no place for',
    cause:
      'The format describes no skeletons and clips, or not enough of them. Meshes stand as they are bound. BPX models keep bones, joints and weights, but no pose at rest of another shape, and no clips.',
    remedy: 'use --target untold or glb for what moves; --hide UC2332 leaves the message out',
  },
  UC2333: {
    severity: 'warning',
    title: 'materials of which the target keeps the name alone',
    cause:
      'The format describes no materials. Colours, factors and vertex colours that became part of a material are lost. BPX packages have textures also at paths that name the material.',
    remedy: 'make materials of these names in the engine; --hide UC2333 leaves the message out',
  },
  UC2334: {
    severity: 'warning',
    title: 'textures that the target has no place for',
    cause: 'The format holds meshes alone.',
    remedy: 'give the textures to the engine by themselves; --hide UC2334 leaves the message out',
  },
  UC2335: {
    severity: 'warning',
    title: 'textures of sizes that the target cannot store',
    cause:
      'Sides of BPX textures are powers of two from 2 to 65536. Textures of other sizes are resampled to the nearest.',
    remedy: 'give textures whose sides are powers of two; --hide UC2335 leaves the message out',
  },
  UC2336: {
    severity: 'warning',
    title: 'morph targets that the target has no place for',
    cause: 'Files of this format hold no morph targets. Meshes stand with the weights that the source gives.',
    remedy: 'use --target untold, glb or urho3d for meshes with morph targets, or give --morphs none',
  },
  UC2337: {
    severity: 'warning',
    title: 'height maps that the target has no place for',
    cause: 'The materials of the target have no height maps. Their surfaces are flat there.',
    remedy: 'use --target untold for surfaces that need them; --hide UC2337 leaves the message out',
  },
  UC2338: {
    severity: 'warning',
    title: 'skeletons of which the target keeps joints and weights alone',
    cause:
      'Vertices keep the numbers and weights of their joints. The format describes no skeleton: the names of joints and their parents are in an extension that other programs need not know, and poses and clips are lost.',
    remedy:
      'give the skeleton to the engine by itself, with joints in this order; use --target untold or glb for what moves; --hide UC2338 leaves the message out',
  },
  UC2339: {
    severity: 'warning',
    title: 'texture coordinates that the target cannot hold left out',
    cause:
      'The target holds texture coordinates from 0 to 1. This set reaches over borders of repeats, and no texture of the material is sampled with it, so that triangles are not cut for it.',
    remedy:
      'lay the set out from 0 to 1, or give the material the texture that repeats: then triangles are cut; --hide UC2339 leaves the message out',
  },
  UC2340: {
    severity: 'warning',
    title: 'triangles cut where a texture repeats',
    cause:
      'The target holds texture coordinates from 0 to 1. Triangles that reach over borders of repeats are cut there, which gave a group more than one and a half times its triangles. Of several such groups the one with the most new triangles is named.',
    remedy:
      'scale the texture coordinates so that the texture repeats less often, bake the texture without repeats, or use --target glb; --hide UC2340 leaves the message out',
  },
  UC2341: {
    severity: 'warning',
    title: 'more sets of texture coordinates or colours than are kept',
    cause: 'A vertex has eight sets of texture coordinates and eight of colours at most.',
    remedy: 'remove sets that nothing uses from the source, or put the wanted ones first',
  },
} as const satisfies Record<string, CodeEntry>;
