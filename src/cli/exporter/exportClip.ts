// `untold export --animation`: the one clip of a source as a .untoldanim file. The source is cooked into a folder that is removed.

import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { cook, type Diagnostic, diagnostic, reportWriter, SourceError, showPath, workingFolder } from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { size } from '../terminal/words.ts';
import type { GivenFlags } from './exporterTable.ts';

const CLIP = '.untoldanim';

/** Writes the clip and returns the exit code. Throws UC1047 where the source has not exactly one, and what refuses the cook. */
export async function exportClip(
  input: string,
  output: string,
  { json = false, quiet, verbose, logFormat, includeHidden: allMeshes }: GivenFlags<'export'>,
  notes: readonly Diagnostic[],
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet, verbose, logFormat });
  const write = await reportWriter();
  const cwd = workingFolder({ environment: terminal.host });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold-export-')));
  const release = onInterrupt(log, terminal, () => {});
  try {
    // The name of the model is in the name of its clip.
    const out = join(folder, `${basename(output, extname(output))}.untold`);
    const options = { out, allMeshes, textures: 'png', missingTexture: 'drop', environment: terminal.host } as const;
    const { exitCode, results, diagnostics } = await cook(input, options);
    const errors = [...diagnostics, ...results.flatMap((result) => result.diagnostics)].filter(
      ({ severity }) => severity === 'error',
    );
    if (exitCode !== 0) throw new SourceError(errors);
    const clips = results.flatMap(({ outputs }) => outputs).filter(({ path }) => path.endsWith(CLIP));
    if (clips.length !== 1) {
      const names = clips.map(({ path }) => basename(path, CLIP)).sort();
      const found = names.length === 0 ? 'there is none' : `there are ${names.length}: ${names.join(', ')}`;
      throw new SourceError(diagnostic('UC1047', showPath(input, cwd), '--animation', found));
    }
    const bytes = readFileSync(clips[0].path);
    write(output, bytes, '--output');
    log.diagnostics(notes);
    const shown = showPath(output, cwd);
    log.info(`${shown}: one clip, ${size(bytes.length)}`, { event: 'exported', source: input, out: shown });
    if (json) {
      const source = showPath(input, cwd);
      terminal.answer(print(versioned({ source, out: shown, bytes: bytes.length, diagnostics: notes })));
    }
    return 0;
  } finally {
    release();
    rmSync(folder, { recursive: true, force: true });
  }
}
