// `untold render`: a picture of a cooked set, or a sheet of its levels.

import {
  type COMMAND_OPTIONS,
  diagnostic,
  type OptionsOf,
  type RenderedOutput,
  render as renderFile,
  SourceError,
  showPath,
  workingFolder,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import type { Log } from '../terminal/log.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { count, plural } from '../terminal/words.ts';

type Shown = Omit<RenderedOutput, 'width' | 'height'> & {
  /** Null: it is a page. */
  readonly width: number | null;
  readonly height: number | null;
};

/** What the picture shows, in words. */
function summary({ width, height, view, drawn, compared }: Shown): string {
  const size = width === null ? 'a page' : `${width} x ${height} pixels`;
  if (compared.length > 0) {
    const drawnLevels = compared.filter(({ look }) => look === 'drawn');
    const worst = drawnLevels.reduce((a, b) => (b.worstSsim < a.worstSsim ? b : a));
    const min = `${worst.tile} ${worst.level} is the least like full detail (SSIM ${worst.worstSsim})`;
    return `${size}, ${plural(compared.length, 'level')} compared; ${min}`;
  }
  const triangles = drawn.reduce((sum, tile) => sum + tile.triangles, 0);
  const inside = view === 'inside' ? ', from inside' : '';
  return `${size}, ${count(triangles)} triangles of ${plural(drawn.length, 'tile')}${inside}`;
}

/** Draws what the word names into the file of --out and returns the exit code. Throws SourceError for what is refused. */
export async function render(
  word: string,
  given: OptionsOf<typeof COMMAND_OPTIONS.render>,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet, verbose, logFormat, hide, environment: environmentMap, ...options } = given;
  if (options.out === undefined) {
    throw new SourceError(diagnostic('UC1002', '', '--out', 'no picture is named', 'give --out FILE.png'));
  }
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide });
  const release = onInterrupt(log, terminal, () => {});
  const result = await renderFile(word, {
    config: true,
    ...options,
    ...(environmentMap === undefined ? {} : { environmentMap }),
    environment: terminal.host,
    onTile: (tile, done, total) =>
      log.progress(`compare ${done}/${total}  ${tile}`, { event: 'progress', tile, done, total }, done === 1),
    onTurn: (done, total) => log.progress(`picture ${done}/${total}`, { event: 'progress', done, total }, done === 2),
    onOutput: (output) => logPicture(output, log),
  }).finally(release);
  terminal.status('');
  const { exitCode, source, picture, html, view, drawn, compared, all, diagnostics } = result;
  if (all) {
    log.diagnostics(diagnostics);
    const written = all.filter(({ out }) => out !== null).length;
    const failed = all.length - written;
    const sum = `${plural(written, 'picture')} of ${plural(all.length, 'output')}${failed > 0 ? `, ${count(failed)} failed` : ''}`;
    log.summary([], sum, { event: 'finished', pictures: written, outputs: all.length }, failed > 0);
    if (json) terminal.answer(print(versioned({ source, pictures: all, diagnostics })));
    return exitCode;
  }
  if (picture === null && html === null) throw new SourceError(diagnostics);
  const { width, height } = picture ?? { width: null, height: null };
  const turntable = result.turntable?.map((one) => one.out ?? '') ?? null;
  const out = turntable?.[0] ?? showPath(options.out, workingFolder({ environment: terminal.host }));
  const shown = { source, out, turntable, width, height, view, drawn, compared, diagnostics };
  logPicture(shown, log);
  if (json) terminal.answer(print(versioned(shown)));
  return exitCode;
}

function logPicture(shown: Shown, log: Log): void {
  const { source, out, drawn, compared, diagnostics } = shown;
  log.diagnostics(diagnostics);
  if (out === null) return;
  for (const { tile, level, triangles } of drawn) {
    log.detail(`  ${tile} ${level}: ${plural(triangles, 'triangle')}`, { event: 'drawn', tile, level, triangles });
  }
  for (const { tile, level, look, ssim, worstSsim } of compared) {
    const fields = { event: 'compared', tile, level, look, ssim, worstSsim };
    log.detail(`  ${tile} ${level}: SSIM ${ssim}, ${worstSsim} in the worst view`, fields);
  }
  const { turntable } = shown;
  const files = turntable ? `${out} to ${turntable[turntable.length - 1]}` : out;
  log.info(`${files}: ${summary(shown)}`, { event: 'rendered', source, out });
}
