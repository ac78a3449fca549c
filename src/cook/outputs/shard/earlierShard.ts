// What an earlier cook of a shard has left in its folder.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mainFile } from '../../../config/targets.ts';
import type { CookTarget, Shard } from '../../../config/types.ts';
import { fail } from '../../../diagnostics/diagnostic.ts';
import { isShardText } from '../../../formats/shard/document.ts';
import { readShardText } from '../../../formats/shard/text.ts';
import { readHead, readWholeText } from '../../../importers/wholeFile.ts';

/** The target of a shard. */
export type ShardTarget = Extract<CookTarget, { readonly kind: 'folder' }> & { readonly shard: Shard };

/** The files of an earlier shard in the same place, with their SHA-256. Throws UC4206 where the whole set stands. */
export function earlierShard(target: ShardTarget): ReadonlyMap<string, string | null> {
  const { folder, sceneName } = target;
  const whole = join(folder, `${sceneName}.json`);
  if (existsSync(whole)) fail('UC4206', whole, '', 'the set has the payload folder that the shard would have');
  const main = mainFile(target);
  if (!existsSync(main)) return new Map();
  try {
    const { files } = readShardText(readWholeText(main), main);
    return new Map([[basename(main), null], ...files.map(({ path, sha256 }) => [path, sha256] as const)]);
  } catch {
    // It is damaged: it is replaced, and its files stay.
    return isShardText(headOf(main)) ? new Map([[basename(main), null]]) : new Map();
  }
}

/** The names of the textures that an earlier shard in the same place shares with other sets. */
export function texturesOfShard(target: ShardTarget): readonly string[] {
  const main = mainFile(target);
  try {
    return (readShardText(readWholeText(main), main).textures ?? []).map(({ name }) => name);
  } catch {
    // There is none, or it is damaged: what it named stays.
    return [];
  }
}

function headOf(path: string): string {
  try {
    return new TextDecoder().decode(readHead(path, 64));
  } catch {
    return '';
  }
}
