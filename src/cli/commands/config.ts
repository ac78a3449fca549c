// `untold config`: tells which options hold for one source, and where each one comes from.

import { type COMMAND_OPTIONS, type OptionsOf, sourceOptions } from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { table } from '../terminal/words.ts';

export async function config(
  [file, target]: readonly string[],
  given: OptionsOf<typeof COMMAND_OPTIONS.config>,
  terminal: Terminal,
): Promise<number> {
  const { json = false, ...options } = given;
  const found = sourceOptions(
    file,
    { ...options, config: options.config ?? true, environment: terminal.host },
    target ?? null,
  );
  const log = await openLog(terminal, { quiet: options.quiet, verbose: options.verbose, hide: options.hide });
  log.diagnostics(found.diagnostics);
  if (json) {
    terminal.answer(print(versioned(found)));
    return 0;
  }
  const rows = found.options.map(({ name, value, from }) => [name, [value].flat().join(', '), from]);
  const ofTarget = found.target === null ? '' : `, target ${found.target}`;
  const head = `${found.source}, ${found.config === null ? 'no project file' : `project file ${found.config}`}${ofTarget}`;
  const others = found.target === null && found.targets.length > 0;
  const hint = others
    ? [`of the project itself; \`untold config ${found.source} NAME\` for ${found.targets.join(', ')}`]
    : [];
  terminal.answer(`${[head, ...hint, '', ...table([['option', 'value', 'from'], ...rows], new Set())].join('\n')}\n`);
  return 0;
}
