// `untold explain`: what a code means and what to do about it, or the list of all codes.

import { explain as explainCode } from '../../index.ts';
import { print } from '../documents/documents.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { table } from '../terminal/words.ts';

/** Lines of at most 88 characters, broken at blanks. */
function wrap(text: string, indent: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= 88 - indent.length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => indent + line).join('\n');
}

/** Prints one explanation, or all when `word` is undefined. Throws UC1010 for an unknown code. */
export function explain(word: string | undefined, json: boolean, terminal: Terminal): number {
  if (word === undefined) {
    const all = explainCode();
    if (json) terminal.answer(print({ codes: all }));
    else {
      const rows = all.map(({ code, severity, title }) => [code, severity, title]);
      terminal.answer(`${table(rows, new Set()).join('\n')}\n`);
    }
    return 0;
  }
  const entry = explainCode(word);
  if (json) terminal.answer(print(entry));
  else {
    const { code, severity, title, cause, remedy } = entry;
    terminal.answer(`${code} ${severity}: ${title}\n\n${wrap(cause, '  ')}\n\nRemedy\n${wrap(remedy, '  ')}\n`);
  }
  return 0;
}
