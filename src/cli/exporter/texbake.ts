// `untold texbake`: images to cooked textures, and the references to them, as `untoldengine texbake` makes them.

import { bakeTextures, SourceError } from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural, size } from '../terminal/words.ts';
import type { GivenFlags } from './exporterTable.ts';
import { note, notesOf } from './given.ts';
import { TEXBAKE_FLAGS } from './texbakeFlags.ts';

/** Bakes textures and returns the exit code. Throws SourceError for what is refused. */
export async function texbake(given: GivenFlags<'texbake'>, terminal: Terminal): Promise<number> {
  const { json = false, quiet, verbose, logFormat, input, output, slot, dir, quality, patchRefs } = given;
  const notes = notesOf(TEXBAKE_FLAGS, given);
  if (quality === 'fastest') notes.push(note('--quality', 'fastest is as fast', 'leave it out, or give fast'));
  if (quality === 'exhaustive') notes.push(note('--quality', 'exhaustive is as thorough', 'leave it out'));
  const log = await openLog(terminal, { quiet, verbose, logFormat });
  const stopping = new AbortController();
  const release = onInterrupt(log, terminal, () => stopping.abort());
  const { exitCode, document, diagnostics } = await bakeTextures({
    input,
    output,
    slot,
    dir,
    quality,
    patchRefs,
    environment: terminal.host,
    signal: stopping.signal,
    onImage: (image, done, total) =>
      log.progress(
        `${done} of ${plural(total, 'image')}  ${image}`,
        { event: 'progress', path: image, done, total },
        false,
      ),
  }).finally(release);
  terminal.status('');
  if (document === null) throw new SourceError(diagnostics);
  log.diagnostics([...notes, ...diagnostics]);
  for (const row of document.baked) {
    const { image, out, slot: use, width, height, bytes } = row;
    log.detail(`  ${out}: ${use}, ${width} x ${height}, ${size(bytes)}`, {
      event: 'baked',
      path: image,
      out,
      slot: use,
      bytes,
    });
  }
  const bytes = document.baked.reduce((sum, row) => sum + row.bytes, 0);
  const changed = document.patched.reduce((sum, row) => sum + row.textures, 0);
  const parts = [
    ...(input === undefined && dir === undefined
      ? []
      : [`${plural(document.baked.length, 'texture')}, ${size(bytes)}`]),
    ...(patchRefs === undefined
      ? []
      : [`${plural(changed, 'reference')} in ${plural(document.patched.length, 'file')} changed`]),
  ];
  log.info(parts.join('; '), { event: 'finished', textures: document.baked.length, bytes, references: changed });
  if (json) terminal.answer(print(versioned({ ...document, diagnostics: [...notes, ...diagnostics] })));
  return exitCode;
}
