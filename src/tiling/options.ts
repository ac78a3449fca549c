// The options of the plan of a scene, and their defaults.

import { type Budgets, DEFAULT_BUDGETS } from './partition/budgets.ts';
import type { SplitOptions } from './partition/split.ts';
import type { TierRadius } from './streaming/radii.ts';
import type { SemanticTier } from './types.ts';

export interface TilingOptions {
  readonly partition: 'grid' | 'quadtree' | 'kdtree';
  readonly autoTileSize: boolean;
  readonly profile: 'auto' | 'indoor' | 'outdoor';
  readonly tierRadii: ReadonlyMap<SemanticTier, TierRadius>;
  /** The tier of objects without an authored tag; null: the rules decide. */
  readonly untaggedTier: SemanticTier | null;
  readonly floorCount: number | null;
  /** Metres. */
  readonly floorBand: number | null;
  /** 1: tiles are not joined for their number of objects. */
  readonly minObjects: number;
  readonly budgets: Budgets;
  /** Which objects are cut into pieces. */
  readonly split: SplitOptions['split'];
  readonly sharedBucket: 'auto' | 'always' | 'never';
}

export const DEFAULT_TILING: TilingOptions = {
  partition: 'grid',
  autoTileSize: false,
  profile: 'auto',
  tierRadii: new Map(),
  untaggedTier: null,
  floorCount: null,
  floorBand: null,
  minObjects: 4,
  budgets: DEFAULT_BUDGETS,
  split: 'auto',
  sharedBucket: 'auto',
};
