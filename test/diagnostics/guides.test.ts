// The guides of codes: commands have flags that exist, USD snippets are read without a complaint.

import { describe, expect, test } from 'vitest';
import { COMMAND_OPTIONS, type CommandOption } from '../../src/config/options/table.ts';
import { CODES } from '../../src/diagnostics/codes.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { GUIDES, type Guide } from '../../src/diagnostics/guides.ts';
import { memoryContent } from '../../src/importers/content.ts';
import { memoryFiles } from '../../src/importers/files.ts';
import { importUsd } from '../../src/importers/usd/index.ts';
import { explain, findCodes, findTasks } from '../../src/index.ts';

const guides = Object.entries(GUIDES) as [string, Guide][];
const examples = guides.flatMap(([code, { example }]) => (example === undefined ? [] : [[code, example] as const]));

test('guides belong to codes that exist, and say something', () => {
  for (const [code, { steps, example }] of guides) {
    expect(Object.keys(CODES)).toContain(code);
    expect(steps.length > 0 || example !== undefined, code).toBe(true);
    for (const { text } of steps) expect(text, code).toMatch(/^[A-Z].*\.$/);
  }
});

describe('examples', () => {
  const commands = examples.flatMap(([code, text]) =>
    text.split('\n').flatMap((line) => (line.startsWith('untold ') ? [[code, line] as const] : [])),
  );
  test.each(commands)('of %s: %s', (_, line) => {
    const [, command, ...words] = line.split(' ');
    const options: readonly CommandOption[] = COMMAND_OPTIONS[command as keyof typeof COMMAND_OPTIONS];
    const flags = words.filter((word) => word.startsWith('--')).map((flag) => flag.slice(2));
    expect(flags.length).toBeGreaterThan(0);
    for (const flag of flags) expect(options.map(({ name }) => name)).toContain(flag);
  });

  const usd = examples.filter(([, text]) => /^(?:#usda|def )/.test(text));
  test.each(usd)('of %s are USD that is read', async (_, text) => {
    const diagnostics = new Diagnostics();
    const layer = text.startsWith('#usda') ? text : `#usda 1.0\n${text}\n`;
    const content = memoryContent(new TextEncoder().encode(layer));
    const options = { missingAsset: 'drop' } as const;
    await importUsd('/r/s.usda', content, { files: memoryFiles({}, '/'), diagnostics, options });
    // What a fragment refers to is not there; everything else must be right.
    const expected = [
      'UC1703',
      'UC1707',
      'UC1710',
      'UC1711',
      'UC1712',
      'UC1719',
      'UC1824',
      'UC1804',
      'UC1900',
      'UC1721',
    ];
    expect(diagnostics.list.map(({ code }) => code).filter((code) => !expected.includes(code))).toEqual([]);
  });
});

test('explain() gives the guide, and the search looks into it', () => {
  expect(explain('UC1903').guide?.example).toContain('UsdPreviewSurface');
  expect('guide' in explain('UC1300')).toBe(false);
  expect(findCodes('Find Missing Files').map(({ code }) => code)).toContain('UC1203');
});

test('a word is searched for in the guide, too', () => {
  expect(findTasks('lightmap')).toEqual([
    { title: 'Lightmaps: light that is baked', place: 'docs/guide.md#lightmaps-light-that-is-baked' },
  ]);
  expect(findTasks('pop')[0]).toEqual({ title: 'Tiles pop', place: 'docs/guide.md#tiles-pop' });
  expect([findTasks(' '), findTasks('nosuchword')]).toEqual([[], []]);
});
