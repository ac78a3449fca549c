// `untold bake-lods`: LOD chains for a pack or level files beside a model, as `untoldengine bake-lods` makes them.

import { bakeLods as bake, SourceError } from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural } from '../terminal/words.ts';
import type { GivenFlags } from './exporterTable.ts';

/** Makes levels and returns the exit code. Throws SourceError for what is refused. */
export async function bakeLods(given: GivenFlags<'bake-lods'>, terminal: Terminal): Promise<number> {
  const { json = false, quiet, verbose, logFormat, ...options } = given;
  const log = await openLog(terminal, { quiet, verbose, logFormat });
  const release = onInterrupt(log, terminal, () => {});
  const { exitCode, document, diagnostics } = await bake({
    ...options,
    environment: terminal.host,
    onModel: (model, done, total) =>
      log.progress(
        `${done} of ${plural(total, 'model')}  ${model}`,
        { event: 'progress', path: model, done, total },
        false,
      ),
  }).finally(release);
  terminal.status('');
  if (document === null) throw new SourceError(diagnostics);
  const { models } = document;
  for (const { path, levels } of models.filter((model) => model.levels.length > 0)) {
    const sizes = levels.map(({ triangles, screenSize }) => `${plural(triangles, 'triangle')} from ${screenSize}`);
    log.info(`${path}: ${sizes.join(', ')}`, { event: 'levels', path, levels });
  }
  log.diagnostics(diagnostics);
  const levels = models.reduce((sum, model) => sum + model.levels.length, 0);
  const having = models.filter((model) => model.levels.length > 0).length;
  const fields = { event: 'finished', models: models.length, having, levels };
  log.info(
    `${plural(levels, 'level')} of ${plural(having, 'model')}, ${plural(models.length - having, 'model')} without`,
    fields,
  );
  if (json) terminal.answer(print(versioned(document)));
  return exitCode;
}
