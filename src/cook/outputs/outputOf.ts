// Chooses the kind of output by the target of a job: the only place that does.

import { isPack } from '../../config/targets.ts';
import type { CookJob } from '../types.ts';
import type { Output } from './output.ts';
import { pack } from './pack/pack.ts';
import { shard } from './shard/shard.ts';
import { singleFile } from './singleFile/singleFile.ts';
import { oneTile } from './tileSet/oneTile.ts';
import { tileSet } from './tileSet/tileSet.ts';

export function outputOf({ target, only = null }: Pick<CookJob, 'target' | 'only'>): Output {
  if (target.kind === 'file') return isPack(target) ? pack(target) : singleFile(target);
  if (target.shard) return shard({ ...target, shard: target.shard });
  return only === null ? tileSet(target) : oneTile(target, only);
}
