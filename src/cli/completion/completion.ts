// `untold completion`: prints the script that completes command lines in a shell.

import { diagnostic, nearest, SourceError } from '../../index.ts';
import { SHELLS } from '../commands/commandTable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Throws UC1003 for a shell that there is no script for. */
export function completion(word: string, terminal: Terminal): number {
  const shell = SHELLS.find((name) => name === word);
  if (shell === undefined) {
    const near = nearest(word, SHELLS);
    const message = `"${word}" was given, but the command takes one of ${SHELLS.join(', ')}`;
    throw new SourceError(
      diagnostic('UC1003', '', 'completion', message, near === null ? undefined : `did you mean ${near}?`),
    );
  }
  terminal.answer(SCRIPTS[shell]());
  return 0;
}
