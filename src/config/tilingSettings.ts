// How a scene is cut, from checked options.

import { fail } from '../diagnostics/diagnostic.ts';
import type { TilingOptions } from '../tiling/options.ts';
import type { TierRadius } from '../tiling/streaming/radii.ts';
import { SEMANTIC_TIERS, type SemanticTier } from '../tiling/types.ts';
import { nearest } from './nearest.ts';
import type { SettledOptions } from './options/option.ts';
import type { TILING_OPTIONS } from './options/tilingOptions.ts';

/**
 * Reads `TIER=S,U[,P]` for each tier. The list option has split the texts at every comma, also within one tier: they are
 * joined first. Throws UC1003 for anything else and for U that is not beyond S, UC1012 for a tier given twice.
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

/** How a scene is cut, from checked options. Throws UC1003 and UC1012. */
export function tilingOptions(options: SettledOptions<typeof TILING_OPTIONS>): TilingOptions {
  const { remote = false, untaggedSemanticTier: untagged } = options;
  if (remote && options.sharedBucket === 'always') {
    fail('UC1012', '', '--remote', 'no shared bucket is ever loaded over https, but --shared-bucket always was given');
  }
  return {
    partition: options.partition,
    autoTileSize: options.autoTileSize ?? false,
    profile: options.sceneProfile,
    tierRadii: tierRadii(options.tierRadius ?? []),
    untaggedTier: untagged === 'Auto' ? null : untagged,
    floorCount: options.floorCount ?? null,
    floorBand: options.floorBandHeight ?? null,
    minObjects: options.minObjectsPerTileTier,
    budgets: {
      bytes: options.maxTileBytes,
      meshes: options.maxTileMeshes,
      vertices: options.maxTileVertices,
    },
    split: options.split,
    sharedBucket: remote ? 'never' : options.sharedBucket,
  };
}
