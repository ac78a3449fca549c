// The part of a set that one of several machines cooks.

import type { Output } from '../output.ts';
import { setParts, tileSet, writeSetTextures } from '../tileSet/tileSet.ts';
import { earlierShard, type ShardTarget, texturesOfShard } from './earlierShard.ts';
import { shareOf } from './shares.ts';
import { writeShardFile } from './writeShard.ts';

export function shard(target: ShardTarget): Output {
  return {
    ...tileSet(target),
    earlier: () => earlierShard(target),
    texturesBefore: async () => texturesOfShard(target),
    select: ({ payloads }, clusters) => {
      const share = shareOf(payloads, clusters, target.shard);
      const objects = [...share.payloads].flatMap((payload) => payload.objects);
      return { written: share.payloads, whole: share.payloads, clusters: share.clusters, objects, isPart: true };
    },
    finish: async (made, workshop, session) => {
      const { shared } = writeSetTextures(target, made, workshop, session);
      writeShardFile(target, setParts(made, workshop, session), shared, made, workshop, session);
      return { shared, streamed: null };
    },
  };
}
