// The options that decide how a scene is cut into tiles.

import { DEFAULT_BUDGETS } from '../../tiling/partition/budgets.ts';
import { SEMANTIC_TIERS } from '../../tiling/types.ts';
import type { OptionTable } from './option.ts';

export const TILING_OPTIONS = [
  {
    name: 'auto-tile-size',
    kind: { type: 'flag' },
    description: 'choose the edge of a grid cell by how much geometry lies where, instead of --tile-size',
  },
  {
    name: 'partition',
    kind: { type: 'choice', choices: ['grid', 'quadtree', 'kdtree'] },
    placeholder: 'HOW',
    description: 'how the scene is cut: a grid of cells, or on each floor a tree whose tiles are kept apart by tier',
    default: 'grid',
  },
  {
    name: 'scene-profile',
    kind: { type: 'choice', choices: ['auto', 'indoor', 'outdoor'] },
    placeholder: 'WHAT',
    description: 'trees: whether floors are streamed by the height of the camera (indoor) or not (outdoor)',
    default: 'auto',
  },
  {
    name: 'tier-radius',
    kind: { type: 'list' },
    placeholder: 'TIER=S,U[,P]',
    description:
      'loading and unloading distance in metres, and priority, of a tier (ExteriorShell, StructuralInterior, RoomContents, FineProps); again for more',
  },
  {
    name: 'untagged-semantic-tier',
    kind: { type: 'choice', choices: ['Auto', ...SEMANTIC_TIERS] },
    placeholder: 'TIER',
    description: 'trees: the tier of objects without a tag; Auto goes by names, materials and sizes',
    default: 'Auto',
  },
  {
    name: 'floor-count',
    kind: { type: 'number', minimum: 1, maximum: 1000, integer: true },
    placeholder: 'N',
    description: 'trees: number of floors; otherwise by the height of storeys indoors, one outdoors',
  },
  {
    name: 'floor-band-height',
    kind: { type: 'number', minimum: 0.1, maximum: 10_000, integer: false },
    placeholder: 'METRES',
    description: 'trees: height of a floor',
  },
  {
    name: 'min-objects-per-tile-tier',
    kind: { type: 'number', minimum: 1, maximum: 1_000_000, integer: true },
    placeholder: 'N',
    description: 'trees: tiles of fewer objects are joined with their parents, unless they are full enough; 1: off',
    default: 4,
  },
  {
    name: 'max-tile-bytes',
    kind: { type: 'number', minimum: 1000, maximum: 1_000_000_000, integer: true },
    placeholder: 'BYTES',
    description: 'tiles with more geometry are cut',
    default: DEFAULT_BUDGETS.bytes,
  },
  {
    name: 'max-tile-meshes',
    kind: { type: 'number', minimum: 1, maximum: 1_000_000, integer: true },
    placeholder: 'N',
    description: 'tiles of more meshes (one a material) are cut',
    default: DEFAULT_BUDGETS.meshes,
  },
  {
    name: 'max-tile-vertices',
    kind: { type: 'number', minimum: 100, maximum: 100_000_000, integer: true },
    placeholder: 'N',
    description: 'tiles of more vertices are cut; no batch cell of the engine gets more',
    default: DEFAULT_BUDGETS.vertices,
  },
  {
    name: 'split',
    kind: { type: 'choice', choices: ['auto', 'always', 'never'] },
    placeholder: 'WHEN',
    description:
      'objects too wide for any cell are cut at the borders of cells; auto: where they have triangles enough to stream; both: what breaks a budget alone, too',
    default: 'auto',
  },
  {
    name: 'shared-bucket',
    kind: { type: 'choice', choices: ['auto', 'always', 'never'] },
    placeholder: 'WHEN',
    description:
      'objects too wide for any cell share one file; auto: unless it is over budget. Otherwise they are tiles',
    default: 'auto',
  },
  {
    name: 'remote',
    kind: { type: 'flag' },
    description: 'for a scene behind https: no shared bucket, which the engine does not load from there',
  },
] as const satisfies OptionTable;
