// `untold render`: a picture of a cooked set, or a sheet of its levels.

import {
  type COMMAND_OPTIONS,
  diagnostic,
  type OptionsOf,
  type RenderResult,
  render as renderFile,
  SourceError,
  showPath,
  workingFolder,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { count, plural } from '../terminal/words.ts';

/** What the picture shows, in words. */
function summary({ picture, drawn, compared }: RenderResult): string {
  const size = `${picture?.width} x ${picture?.height} pixels`;
  if (compared.length > 0) {
    const worst = compared.reduce((a, b) => (b.worstSsim < a.worstSsim ? b : a));
    const min = `${worst.tile} ${worst.level} is the least like full detail (SSIM ${worst.worstSsim})`;
    return `${size}, ${plural(compared.length, 'level')} compared; ${min}`;
  }
  const triangles = drawn.reduce((sum, tile) => sum + tile.triangles, 0);
  return `${size}, ${count(triangles)} triangles of ${plural(drawn.length, 'tile')}`;
}

/** Draws what the word names into the file of --out and returns the exit code. Throws SourceError for what is refused. */
export async function render(
  word: string,
  given: OptionsOf<typeof COMMAND_OPTIONS.render>,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet, verbose, logFormat, hide, ...options } = given;
  if (options.out === undefined) {
    throw new SourceError(diagnostic('UC1002', '', '--out', 'no picture is named', 'give --out FILE.png'));
  }
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide });
  const release = onInterrupt(log, terminal, () => {});
  const result = await renderFile(word, {
    ...options,
    environment: terminal.host,
    onTile: (tile, done, total) =>
      log.progress(`compare ${done}/${total}  ${tile}`, { event: 'progress', tile, done, total }, done === 1),
  }).finally(release);
  terminal.status('');
  const { exitCode, source, picture, drawn, compared, diagnostics } = result;
  if (picture === null) throw new SourceError(diagnostics);
  log.diagnostics(diagnostics);
  for (const { tile, level, triangles } of drawn) {
    log.detail(`  ${tile} ${level}: ${plural(triangles, 'triangle')}`, { event: 'drawn', tile, level, triangles });
  }
  for (const { tile, level, ssim, worstSsim } of compared) {
    const fields = { event: 'compared', tile, level, ssim, worstSsim };
    log.detail(`  ${tile} ${level}: SSIM ${ssim}, ${worstSsim} in the worst view`, fields);
  }
  const out = showPath(options.out, workingFolder({ environment: terminal.host }));
  log.info(`${out}: ${summary(result)}`, { event: 'rendered', source, out });
  const { width, height } = picture;
  if (json) terminal.answer(print(versioned({ source, out, width, height, drawn, compared, diagnostics })));
  return exitCode;
}
