// The limits of a cook. They decide whether there is an output, and no byte of it.

import { DEFAULT_LIMITS } from '../../diagnostics/limits.ts';
import type { OptionTable } from './option.ts';

/** Deeper chains of arcs would exhaust the stack of the process. */
const DEEPEST = 250;

/** Limits of what is read. `untold inspect` and importScene() have them too. */
export const READ_LIMIT_OPTIONS = [
  {
    name: 'max-input-bytes',
    kind: { type: 'bytes', minimum: 1, maximum: 1e15 },
    placeholder: 'SIZE',
    description: 'bytes of all files that a source reads, at most; each is asked for before it is read',
    default: DEFAULT_LIMITS.inputBytes,
  },
  {
    name: 'max-archive-entries',
    kind: { type: 'number', minimum: 1, maximum: 65_535, integer: true },
    placeholder: 'N',
    description: 'files in a USDZ package, at most',
    default: DEFAULT_LIMITS.archiveEntries,
  },
  {
    name: 'max-prims',
    kind: { type: 'number', minimum: 1, maximum: 1e8, integer: true },
    placeholder: 'N',
    description:
      'prims of a USD stage, instance proxies included, nodes of a glTF file, or nodes and joints of a scene of Urho3D, at most',
    default: DEFAULT_LIMITS.prims,
  },
  {
    name: 'max-reference-depth',
    kind: { type: 'number', minimum: 1, maximum: DEEPEST, integer: true },
    placeholder: 'N',
    description: 'USD: arcs from a prim to an opinion, one behind the other, at most',
    default: DEFAULT_LIMITS.referenceDepth,
  },
  {
    name: 'max-instances',
    kind: { type: 'number', minimum: 1, maximum: 1e8, integer: true },
    placeholder: 'N',
    description: 'shapes that the PointInstancers of a stage, or instances of glTF nodes, draw, at most',
    default: DEFAULT_LIMITS.instances,
  },
  {
    name: 'max-vertices',
    kind: { type: 'number', minimum: 1, maximum: 2 ** 32, integer: true },
    placeholder: 'N',
    description: 'vertices of a mesh as the source has it, at most',
    default: DEFAULT_LIMITS.vertices,
  },
] as const satisfies OptionTable;

export const COOK_LIMIT_OPTIONS = [
  {
    name: 'max-pixels',
    kind: { type: 'number', minimum: 1, maximum: 2 ** 28, integer: true },
    placeholder: 'N',
    description: 'pixels of an image that has to be decoded, at most; checked before anything is decoded',
    default: DEFAULT_LIMITS.pixels,
  },
  {
    name: 'max-tiles',
    kind: { type: 'number', minimum: 1, maximum: 65_536, integer: true },
    placeholder: 'N',
    description: 'tiles of a set, at most; checked before any is cooked',
    default: DEFAULT_LIMITS.tiles,
  },
  {
    name: 'max-output-bytes',
    kind: { type: 'bytes', minimum: 1, maximum: 1e15 },
    placeholder: 'SIZE',
    description: 'bytes of the files of an output, at most; each is asked for before it is written',
    default: DEFAULT_LIMITS.outputBytes,
  },
] as const satisfies OptionTable;

/** A limit of the whole call. */
export const TIMEOUT_OPTIONS = [
  {
    name: 'timeout',
    kind: { type: 'number', minimum: 0.001, maximum: 1e6, integer: false },
    placeholder: 'SECONDS',
    description:
      'seconds that the cook of all sources may take; then its threads end, and the source in progress is left as it was. Otherwise no limit',
  },
] as const satisfies OptionTable;
