// Clips and models that are checked together: a clip moves the joints whose paths it names, and the engine says nothing of
// a path that no model has.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { CLIP_EXTENSION } from '../engine/names.ts';
import { extensionOf } from '../formats/kinds.ts';
import { readUntold } from '../formats/untold/read.ts';
import type { UntoldScene } from '../formats/untold/types.ts';
import { readWhole } from '../importers/wholeFile.ts';

/** Channels that are named of one clip. */
const NAMED = 5;

async function read(path: string): Promise<UntoldScene | null> {
  try {
    return await readUntold(readWhole(path), path);
  } catch {
    // What is wrong with the file was said when it was checked.
    return null;
  }
}

/**
 * UC3131 for each clip with channels of joints that no model among the files has; none where no clip or no model with a
 * skeleton is among them. `paths`: absolute. `nameOf`: what messages call a file.
 */
export async function strayChannels(
  paths: readonly string[],
  nameOf: (path: string) => string,
): Promise<{ readonly path: string; readonly items: readonly Diagnostic[] }[]> {
  const clips = paths.filter((path) => path.endsWith(CLIP_EXTENSION));
  if (clips.length === 0) return [];
  const joints = new Set<string>();
  for (const path of paths) {
    if (!path.endsWith(extensionOf('untold'))) continue;
    for (const skeleton of (await read(path))?.skeletons ?? [])
      for (const joint of skeleton.joints) joints.add(joint.path);
  }
  if (joints.size === 0) return [];
  const found: { path: string; items: Diagnostic[] }[] = [];
  for (const path of clips) {
    const stray = ((await read(path))?.clips ?? []).flatMap(({ channels }) =>
      channels.filter((channel) => !joints.has(channel.path)).map((channel) => channel.path),
    );
    if (stray.length === 0) continue;
    const shown = stray.slice(0, NAMED).map((joint) => `“${joint}”`);
    const more = stray.length > NAMED ? ` and ${stray.length - NAMED} more` : '';
    const message = `no model that is checked with it has a joint ${shown.join(', ')}${more}`;
    found.push({ path, items: [diagnostic('UC3131', nameOf(path), '', message)] });
  }
  return found;
}
