// Clips beside a cooked model: `Animations/<clip>/<clip>.untoldanim`. Several models may share the folder; a clip of ours is
// called `<model>|<clip>`.

import { basename, dirname, extname, join } from 'node:path';
import { readUntold } from '../../formats/untold/read.ts';
import type { UntoldChannel, UntoldKeys } from '../../formats/untold/types.ts';
import type { SceneChannel, SceneClip, SceneCurve, SceneSkeleton } from '../../scene/types.ts';
import type { SourceFiles } from '../files.ts';

const FOLDER = 'Animations';
const EXTENSION = '.untoldanim';

/** Keys as a curve; of keys at one time the first counts. */
function curveOf({ times, values }: UntoldKeys, size: 3 | 4): SceneCurve | null {
  const kept = [...times.keys()].filter((i) => i === 0 || times[i] > times[i - 1]);
  if (kept.length === 0) return null;
  return {
    interpolation: 'linear',
    size,
    times: Float64Array.from(kept, (i) => times[i]),
    values: Float64Array.from(kept.flatMap((i) => [...values.subarray(i * size, (i + 1) * size)])),
  };
}

/** The channels of all joints that have the path. */
function channelsOf(
  { path, translations, rotations }: UntoldChannel,
  skeletons: readonly SceneSkeleton[],
): SceneChannel[] {
  return skeletons.flatMap(({ joints }, skeleton) =>
    joints.flatMap((joint, j): SceneChannel[] =>
      joint.path === path
        ? [
            {
              target: { kind: 'joint', skeleton, joint: j },
              translation: curveOf(translations, 3),
              rotation: curveOf(rotations, 4),
              scale: null,
            },
          ]
        : [],
    ),
  );
}

/** The clips that name joints of the skeletons, without those of another model that is there. */
export async function clipsOf(
  path: string,
  skeletons: readonly SceneSkeleton[],
  files: SourceFiles,
): Promise<SceneClip[]> {
  if (skeletons.length === 0) return [];
  const base = dirname(path);
  const model = basename(path, extname(path));
  const clips: SceneClip[] = [];
  for (const folder of files.names(join(base, FOLDER))) {
    for (const file of files.names(join(base, FOLDER, folder)).filter((name) => name.endsWith(EXTENSION))) {
      const place = join(base, FOLDER, folder, file);
      const { clips: read = [] } = await readUntold(files.read(place, path, ''), place);
      for (const { name, duration, channels } of read) {
        const bar = name.indexOf('|');
        const owner = bar < 0 ? model : name.slice(0, bar);
        if (owner !== model && files.exists(join(base, `${owner}.untold`))) continue;
        const moved = channels.flatMap((channel) => channelsOf(channel, skeletons));
        if (moved.length === 0) continue;
        const own = bar < 0 ? name : name.slice(bar + 1);
        clips.push({ name: own, path: `${FOLDER}/${folder}/${file}`, duration, start: 0, channels: moved });
      }
    }
  }
  return clips;
}
