// The tasks of docs/guide.md that tell of something, for `untold explain`.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readWholeText } from '../importers/wholeFile.ts';

/** A task of the guide. */
export interface GuideTask {
  readonly title: string;
  /** The page of the package, with the place in it. */
  readonly place: string;
}

const PAGE = 'docs/guide.md';

/** The text of the guide, which lies in the package beside src/ and dist/; '' where it was left out. */
function guideText(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'pipelines', 'default.json'))) {
      const path = join(folder, PAGE);
      return existsSync(path) ? readWholeText(path) : '';
    }
    if (dirname(folder) === folder) return '';
  }
}

/** As the hosts of Markdown make it of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** The tasks that hold every one of some words in lower case: those that have them in the title come first. */
export function tasksWith(words: readonly string[]): readonly GuideTask[] {
  if (words.length === 0) return [];
  const tasks = guideText()
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      // What follows is of the next group of tasks.
      const [section] = text.split(/^## /m);
      const title = section.slice(0, section.indexOf('\n')).trim();
      return { title, section: section.toLowerCase() };
    });
  const holds = (text: string) => words.every((word) => text.includes(word));
  const found = tasks.filter(({ section }) => holds(section));
  const inTitle = found.filter(({ title }) => holds(title.toLowerCase()));
  const sorted = [...inTitle, ...found.filter((task) => !inTitle.includes(task))];
  return sorted.map(({ title }) => ({ title, place: `${PAGE}#${anchorOf(title)}` }));
}
