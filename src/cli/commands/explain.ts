// `untold explain`: what a code means and what to do about it, or the list of all codes.

import { type Explanation, explain as explainCode, findCodes, findTasks } from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { table, wrapped } from '../terminal/words.ts';

/** The longest lines of an explanation. */
const WIDEST = 88;

/** A line a code, whatever the width: the list is searched by other programs. */
function listLines(entries: readonly Explanation[]): string[] {
  return table(
    entries.map(({ code, severity, title }) => [code, severity, title]),
    new Set(),
  );
}

/** Prints one explanation, those that hold a word, or all when `word` is undefined. Throws UC1010 for an unknown code. */
export function explain(word: string | undefined, json: boolean, terminal: Terminal): number {
  const isWord = word !== undefined && !/^(?:uc)?\d+$/i.test(word);
  const found = word === undefined ? explainCode() : isWord ? findCodes(word) : [];
  const tasks = isWord ? findTasks(word) : [];
  if (word === undefined || found.length + tasks.length > 0) {
    if (json) terminal.answer(print(versioned({ codes: found, tasks })));
    else {
      const guide = table(
        tasks.map(({ title, place }) => ['guide', title, place]),
        new Set(),
      );
      terminal.answer([...listLines(found), ...guide].map((line) => `${line}\n`).join(''));
    }
    return 0;
  }
  const entry = explainCode(word);
  if (json) terminal.answer(print(versioned(entry)));
  else {
    const width = Math.min(terminal.columns.out, WIDEST);
    const paragraph = (text: string) => `  ${wrapped(text, width, '  ').join('\n')}`;
    const { code, retired, severity, title, cause, remedy, guide } = entry;
    const parts = [
      ...(retired ? [`${retired} is retired: ${code} replaces it.`] : []),
      `${code} ${severity}: ${title}`,
      paragraph(cause),
      `Remedy\n${paragraph(remedy)}`,
    ];
    for (const { tool, text } of guide?.steps ?? []) {
      parts.push(`${tool === 'terminal' ? 'At the terminal' : `In ${tool}`}\n${paragraph(text)}`);
    }
    // Not wrapped: it is there to be copied.
    if (guide?.example) parts.push(`For example\n${guide.example.replace(/^(?=.)/gm, '  ')}`);
    terminal.answer(`${parts.join('\n\n')}\n`);
  }
  return 0;
}
