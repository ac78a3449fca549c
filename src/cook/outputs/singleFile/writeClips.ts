// Writes the clips of a model beside it.

import type { CookTarget } from '../../../config/types.ts';
import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { Format } from '../../../formats/format.ts';
import type { OutputSet } from '../../../output/outputSet.ts';
import type { RigClip } from '../../../scene/rig.ts';
import { sanitizeStem } from '../../../textures/name.ts';
import type { CookJob } from '../../types.ts';
import { setFiles } from '../setFiles.ts';
import { clipPath, modelName, nameInFile, ownerOf } from './clipNames.ts';

interface ClipContext {
  readonly set: OutputSet;
  readonly format: Format;
  readonly target: Extract<CookTarget, { readonly kind: 'file' }>;
  readonly job: CookJob;
  readonly diagnostics: Diagnostics;
}

/** A name for folder and file: one that no other clip of the model has, whatever the case of its letters. */
function freeName(wanted: string, taken: Set<string>): string {
  const stem = sanitizeStem(wanted);
  let name = stem;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${stem}_${n}`;
  taken.add(name.toLowerCase());
  return name;
}

/** Reports UC2075 for clips whose names another model has. Throws what writing throws. */
export async function writeClips(
  clips: readonly RigClip[],
  { set, format, target, job, diagnostics }: ClipContext,
): Promise<void> {
  if (format.clips === null) return;
  const { base, main } = setFiles(target);
  const model = modelName(main);
  const taken = new Set<string>();
  for (const clip of clips) {
    const wanted = clip.name || 'clip';
    let name = freeName(target.hasOthersBeside ? `${model}_${wanted}` : wanted, taken);
    if (ownerOf(base, clipPath(name), model) === 'other') {
      name = freeName(`${model}_${wanted}`, taken);
      for (let n = 2; ownerOf(base, clipPath(name), model) === 'other'; n++)
        name = freeName(`${model}_${wanted}_${n}`, taken);
      diagnostics.report('UC2075', job.source, '', `"${wanted}" is ${clipPath(name)}`);
    }
    const options = { compression: 'none', file: clipPath(name) } as const;
    const bytes = await format.clips.encode({ ...clip, name: nameInFile(model, wanted) }, options);
    set.write(clipPath(name), bytes);
  }
}
