// `untold init`: writes a project file and tells what it found.

import {
  type COMMAND_OPTIONS,
  type InitSources,
  init as initFolder,
  type OptionsOf,
  SourceError,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { openLog } from '../terminal/openLog.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { plural } from '../terminal/words.ts';

/** `3 .glb, 1 .usdz`, or `.glb` for files of one kind. */
function kindsOf({ extensions }: InitSources): string {
  const kinds = Object.entries(extensions);
  return kinds.length === 1 ? kinds[0][0] : kinds.map(([extension, count]) => `${count} ${extension}`).join(', ');
}

/** Writes a project file and returns the exit code. Throws SourceError for what is refused. */
export async function init(
  folder: string | undefined,
  { json = false, quiet, ...options }: OptionsOf<typeof COMMAND_OPTIONS.init>,
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet });
  const { document, diagnostics, exitCode } = await initFolder(folder ?? '.', {
    ...options,
    environment: terminal.host,
  });
  if (document === null) throw new SourceError(diagnostics);
  const { path, found, config, sources, sets, above, replaced, toIgnore } = document;
  const say = (line: string) => log.info(line, { event: 'found' });
  for (const entry of found) say(`found ${printable(entry.match)}: ${plural(entry.files, 'file')} (${kindsOf(entry)})`);
  const files = found.reduce((sum, entry) => sum + entry.files, 0);
  if (files > sources) {
    say(
      `${plural(files - sources, 'layer')} of them ${files - sources === 1 ? 'is a part' : 'are parts'} of others, which leaves ${plural(sources, 'source')}`,
    );
  }
  if (sets > 0)
    say(
      `found ${printable(String(config.out))}: ${plural(sets, 'set')} of earlier cooks, which goes on being the output`,
    );
  if (config['on-clash'] !== undefined)
    say('some have the same name and differ in the ending, which their outputs take in');
  if (above !== null) say(`${printable(above)} does not hold here any more`);
  if (json) terminal.answer(print(versioned(document)));
  const verb = replaced ? 'replaced' : 'wrote';
  const line = `${verb} ${printable(path)}: \`untold cook\` cooks ${plural(sources, 'source')} into ${printable(String(config.out))}`;
  log.info(line, { event: 'initialised', path, sources });
  if (toIgnore !== null)
    say(
      `what is cooked can be cooked again: a line ${printable(toIgnore)} in .gitignore keeps it out of the repository`,
    );
  return exitCode;
}
