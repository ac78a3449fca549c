// What codes mean, from the table of diagnostics.

import { CODES, type Code, type CodeEntry, type Severity } from '../diagnostics/codes.ts';
import { GUIDES, type Guide } from '../diagnostics/guides.ts';
import { knownCode, writtenCode } from './call/policy.ts';
import { type GuideTask, tasksWith } from './guideTasks.ts';

export interface Explanation {
  readonly code: Code;
  /** The retired code that was asked for, which this one replaces; absent: it is the one that was asked for. */
  readonly retired?: string;
  readonly severity: Severity;
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  /** What to do in Blender, usdview and other programs; absent: nothing is added to the remedy. */
  readonly guide?: Guide;
}

function explanation(code: Code): Explanation {
  const { severity, title, cause, remedy }: CodeEntry = CODES[code];
  const guide = GUIDES[code];
  return { code, severity, title, cause, remedy, ...(guide ? { guide } : {}) };
}

export function explainCode(code: string): Explanation {
  const entry = explanation(knownCode(code, ''));
  const asked = writtenCode(code);
  return asked === entry.code ? entry : { ...entry, retired: asked };
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/** The tasks of the guide that hold every word of a text, without case: those that have them in the title come first. */
export const searchTasks = (text: string): readonly GuideTask[] => tasksWith(wordsOf(text));

/** The codes whose explanations hold every word of a text, without case: those that have them in the title come first. */
export function searchCodes(text: string): readonly Explanation[] {
  const words = wordsOf(text);
  const holds = (parts: readonly string[]) => {
    const whole = parts.join('\n').toLowerCase();
    return words.length > 0 && words.every((word) => whole.includes(word));
  };
  const found = explainAll().filter(({ title, cause, remedy, guide }) =>
    holds([title, cause, remedy, ...(guide?.steps ?? []).flatMap(({ tool, text }) => [tool, text])]),
  );
  const inTitle = found.filter(({ title }) => holds([title]));
  return [...inTitle, ...found.filter((entry) => !inTitle.includes(entry))];
}

export function explainAll(): readonly Explanation[] {
  return (Object.keys(CODES) as Code[]).sort().map(explanation);
}
