// The settings that decide how a scene is cut: their part of the table of options, and what the tiling makes of them.

import { fail } from '../diagnostics/diagnostic.ts';
import type { TilingOptions } from '../tiling/options.ts';
import { DEFAULT_BUDGETS } from '../tiling/partition/budgets.ts';
import type { TierRadius } from '../tiling/streaming/radii.ts';
import { SEMANTIC_TIERS, type SemanticTier } from '../tiling/types.ts';
import { nearest } from './nearest.ts';
import type { OptionSpec, OptionValues } from './settings.ts';

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
] as const satisfies readonly OptionSpec[];

/**
 * `TIER=S,U[,P]` by tier; the commas within one parted it like those between two. Throws UC1003 for anything else and for
 * U that is not beyond S, UC1012 for a tier given twice.
 */
function tierRadii(given: readonly string[]): Map<SemanticTier, TierRadius> {
  const radii = new Map<SemanticTier, TierRadius>();
  for (const text of given.join(',').split(/,(?=[^,=]*=)/)) {
    if (text === '') continue;
    const refuse = (why: string): never => fail('UC1003', '', '--tier-radius', `"${text}" was given, but ${why}`);
    const [name, numbers = ''] = text.split('=');
    const tier = SEMANTIC_TIERS.find((known) => known === name);
    if (!tier) {
      const near = nearest(name, SEMANTIC_TIERS);
      return refuse(`the tiers are ${SEMANTIC_TIERS.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`);
    }
    if (!/^\d+(\.\d+)?,\d+(\.\d+)?(,\d+)?$/.test(numbers)) return refuse('a tier takes TIER=S,U or TIER=S,U,P');
    const [streaming, unload, priority = null] = numbers.split(',').map(Number);
    if (unload <= streaming) return refuse('the second distance must be greater than the first');
    if (Math.max(unload, priority ?? 0) > 1e6) return refuse('no number may be above 1000000');
    if (radii.has(tier)) fail('UC1012', '', '--tier-radius', `${tier} is given twice`);
    radii.set(tier, { streaming, unload, priority });
  }
  return radii;
}

/** How a scene is cut, from checked values. Throws UC1003 and UC1012. */
export function tilingOptions(values: OptionValues): TilingOptions {
  const remote = values.get('remote') === true;
  const untagged = values.get('untagged-semantic-tier') as SemanticTier | 'Auto';
  if (remote && values.get('shared-bucket') === 'always') {
    fail('UC1012', '', '--remote', 'no shared bucket is ever loaded over https, but --shared-bucket always was given');
  }
  return {
    partition: values.get('partition') as TilingOptions['partition'],
    autoTileSize: values.get('auto-tile-size') === true,
    profile: values.get('scene-profile') as TilingOptions['profile'],
    tierRadii: tierRadii((values.get('tier-radius') ?? []) as readonly string[]),
    untaggedTier: untagged === 'Auto' ? null : untagged,
    floorCount: (values.get('floor-count') as number | undefined) ?? null,
    floorBand: (values.get('floor-band-height') as number | undefined) ?? null,
    minObjects: values.get('min-objects-per-tile-tier') as number,
    budgets: {
      bytes: values.get('max-tile-bytes') as number,
      meshes: values.get('max-tile-meshes') as number,
      vertices: values.get('max-tile-vertices') as number,
    },
    split: values.get('split') as TilingOptions['split'],
    sharedBucket: remote ? 'never' : (values.get('shared-bucket') as TilingOptions['sharedBucket']),
  };
}
