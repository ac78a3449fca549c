// The options that decide what is read from a source and how. `untold inspect` and importScene() take them too.

import type { OptionTable } from './option.ts';

/** Absolute paths of prims, or paths of nodes. */
const PRIM_PATHS = {
  pattern: /^(?:(?:\/[^/.:,<>{}[\]]+)+|nodes\/\d{1,9})$/,
  words: 'absolute paths of prims, like /Town/House, or of nodes, like nodes/3',
} as const;
/** With and without a prim; sets may have namespaces. */
const VARIANTS = {
  pattern: /^(?:(?:\/[^/.:=,<>{}[\]]+)+:)?[^/=,][^=,]*=[^=,]+$/,
  words: '/Prim:set=name or set=name',
} as const;

/** Both sides hold something. */
const REMAPS = { pattern: /^[^=]+=.+$/, words: 'OLD=NEW, like /Users/ann/textures=art/textures' } as const;

export const IMPORT_OPTIONS = [
  {
    name: 'scene',
    kind: { type: 'text' },
    placeholder: 'NAME|INDEX',
    description: "glTF: the scene to cook; otherwise the file's default, else its first",
  },
  {
    name: 'material-variant',
    kind: { type: 'text' },
    placeholder: 'NAME',
    description: 'glTF: the variant of KHR_materials_variants to cook; otherwise the default materials',
  },
  {
    name: 'variant',
    kind: { type: 'list', items: VARIANTS },
    placeholder: '[PRIM:]SET=NAME',
    description: 'USD: the variant of a prim, whatever is authored; without a prim, for all prims that select none',
  },
  {
    name: 'select',
    kind: { type: 'list', items: PRIM_PATHS },
    placeholder: 'PRIM',
    description: 'USD and glTF: only this prim, or this node as nodes/3, with all below it; again for more',
  },
  {
    name: 'exclude',
    kind: { type: 'list', items: PRIM_PATHS },
    placeholder: 'PRIM',
    description: 'USD and glTF: not this prim or node, nor anything below it; again for more',
  },
  {
    name: 'purpose',
    kind: { type: 'list', choices: ['default', 'render', 'proxy', 'guide'] },
    placeholder: 'PURPOSE',
    description: 'USD: purposes that are drawn, separated by commas',
    default: ['render', 'default'],
  },
  {
    name: 'binding-purpose',
    kind: { type: 'choice', choices: ['preview', 'full'] },
    placeholder: 'preview|full',
    description: 'USD: whose material bindings are asked first, then those for all purposes, then the other ones',
    default: 'preview',
  },
  {
    name: 'all-meshes',
    kind: { type: 'flag' },
    description: 'USD: invisible prims are drawn too',
  },
  {
    name: 'time',
    kind: { type: 'number', minimum: -1e9, maximum: 1e9, integer: false },
    placeholder: 'T',
    description: 'USD: the time code at which animated values are read; otherwise the earliest of each',
  },
  {
    name: 'meters-per-unit',
    kind: { type: 'number', minimum: 1e-9, maximum: 1e9, integer: false },
    placeholder: 'N',
    description: 'USD: metres in a unit of the stage, whatever is authored',
  },
  {
    name: 'up-axis',
    kind: { type: 'choice', choices: ['Y', 'Z'] },
    placeholder: 'Y|Z',
    description: 'USD: the axis that points up, whatever is authored',
  },
  // Coordinates beyond this have steps of more than a metre even in float64.
  {
    name: 'origin',
    kind: { type: 'numbers', count: 3, minimum: -1e15, maximum: 1e15 },
    placeholder: 'X,Y,Z',
    description:
      "the point of the source that becomes 0 in the output, in the source's own units and axes: for sites far from 0",
  },
  {
    name: 'rotate',
    kind: { type: 'numbers', count: 3, minimum: -1e6, maximum: 1e6 },
    placeholder: 'X,Y,Z',
    description:
      "degrees about the source's own axes through that point: first X, then Y, then Z, counter-clockwise seen from the end of the axis",
  },
  {
    name: 'scale',
    kind: { type: 'number', minimum: 1e-9, maximum: 1e9, integer: false },
    placeholder: 'S',
    description: 'how many times as large the source becomes: 0.01 for glTF in centimetres',
  },
  {
    name: 'missing-asset',
    kind: { type: 'choice', choices: ['error', 'drop'] },
    placeholder: 'error|drop',
    description: 'USD: what a sublayer, reference or payload that leads nowhere means',
    default: 'error',
  },
  {
    name: 'search-path',
    kind: { type: 'list', paths: 'items' },
    placeholder: 'DIR',
    description:
      'folders in which textures, layers and resources of Urho3D are looked for that are not where the source says; again for more. Textures are looked for by their names too, and beside the layer, in textures and in Textures',
  },
  {
    name: 'animation',
    kind: { type: 'list', paths: 'items' },
    placeholder: 'FILE.ani',
    description:
      'Urho3D: an animation that moves the model or the models of the scene, with --out FILE; a folder or a pattern for all in it; again for more',
  },
  {
    name: 'remap',
    kind: { type: 'list', items: REMAPS, paths: 'targets' },
    placeholder: 'OLD=NEW',
    description:
      'textures and layers whose path begins with OLD, as the source has it, are read from NEW; again for more',
  },
] as const satisfies OptionTable;
