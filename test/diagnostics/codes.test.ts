// The table of codes: every entry is used somewhere, is in the range of its chapter, and has words for a person.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/diagnostics/codes.ts';
import type { CodeEntry } from '../../src/diagnostics/entry.ts';

const SRC = resolve(import.meta.dirname, '../../src');
const CHAPTERS = join(SRC, 'diagnostics/codes');
const entries = Object.entries(CODES as Record<string, CodeEntry>);

const files = readdirSync(CHAPTERS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const chapters = files.map((file) => {
  const text = readFileSync(join(CHAPTERS, file), 'utf8');
  return { file, text, codes: [...text.matchAll(/^ {2}(UC\d{4}): \{/gm)].map((match) => match[1]) };
});

describe('the table of codes', () => {
  test('holds every code once, in the range at the top of its chapter', () => {
    const all = chapters.flatMap(({ codes }) => codes);
    expect(new Set(all).size).toBe(all.length);
    expect([...all].sort()).toEqual(Object.keys(CODES).sort());
    for (const { file, text, codes } of chapters) {
      const [, first, last] = /codes UC(\d{4})-UC(\d{4})/.exec(text) ?? [];
      for (const code of codes) {
        const number = Number(code.slice(2));
        expect(number >= Number(first) && number <= Number(last), `${code} in ${file}`).toBe(true);
      }
    }
  });

  test('has no code that is never used', () => {
    const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !join(SRC, file).startsWith(CHAPTERS))
      .map((file) => readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
      .join('\n');
    const used = new Set([...sources.matchAll(/['"](UC\d{4})['"]/g)].map((match) => match[1]));
    expect(Object.keys(CODES).filter((code) => !used.has(code))).toEqual([]);
  });

  test.each(entries)('%s has a title, a cause and a remedy in plain words', (_, entry) => {
    expect(entry.title).toMatch(/^\S.*[^.\s]$/);
    expect(entry.title.length).toBeLessThanOrEqual(80);
    expect(entry.cause).toMatch(/^\S.*[.!?]$/);
    expect(entry.remedy.length).toBeGreaterThan(10);
    expect(entry.remedy).not.toMatch(/[.\s]$/);
  });

  test.each(entries)('%s has an exit code only when it is an error', (_, entry) => {
    expect(['error', 'warning', 'info']).toContain(entry.severity);
    if (entry.severity !== 'error') expect(entry.exit).toBeUndefined();
  });
});
