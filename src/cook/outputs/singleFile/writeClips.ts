// Writes the clips of a model beside it.

import type { RigClip } from '../../../scene/rig.ts';
import { sanitizeStem } from '../../../textures/name.ts';
import type { Workshop } from '../../made.ts';
import type { Session } from '../../session.ts';
import { clipPath, modelName, nameInFile, ownerOf } from './clipNames.ts';

/** The file of the model, and whether other files of the call lie in its folder. */
interface ModelPlace {
  readonly base: string;
  readonly main: string;
  readonly hasOthersBeside: boolean;
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
  { base, main, hasOthersBeside }: ModelPlace,
  { set, format }: Workshop,
  { job, diagnostics }: Session,
): Promise<void> {
  if (format.clips === null) return;
  const model = modelName(main);
  const taken = new Set<string>();
  for (const clip of clips) {
    const wanted = clip.name || 'clip';
    let name = freeName(hasOthersBeside ? `${model}_${wanted}` : wanted, taken);
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
