// Documents and schemas that are generated from tables are those of the tables as they are: `npm run docs` writes them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { exporterPage } from '../docs/exporterPage.ts';
import { codesPage, extensionsPage, optionsPage } from '../docs/pages.ts';
import { COMMAND_SCHEMAS } from '../docs/schemas/commands.ts';
import { INSPECT_SCHEMAS } from '../docs/schemas/inspect.ts';
import { configSchema, presetSchema } from '../docs/schemas/options.ts';
import { shownFlag } from '../src/config/options/option.ts';
import { COMMAND_OPTIONS, PRESET_OPTIONS, SOURCE_OPTIONS } from '../src/config/options/table.ts';
import { CODES } from '../src/diagnostics/codes.ts';

const stored = (path: string) => readFileSync(resolve(import.meta.dirname, '..', path), 'utf8');

test('docs/options.md holds every option of every command', () => {
  const page = stored('docs/options.md');
  expect(page).toBe(optionsPage());
  const flags = [...page.matchAll(/^\| `(?:-\w, )?--([a-z-]+)/gm)].map((match) => match[1]);
  const expected = Object.values(COMMAND_OPTIONS).flatMap((options) =>
    options.map((option) => shownFlag(option).slice(2)),
  );
  expect(flags.sort()).toEqual(expected.sort());
  expect(page).toContain('| `--hlod RATIO\\|auto\\|none` | a number between 0 and 1, auto or none | `auto` |');
});

test('docs/codes.md holds every code once, in order', () => {
  const page = stored('docs/codes.md');
  expect(page).toBe(codesPage());
  expect([...page.matchAll(/^## (UC\d{4})$/gm)].map((match) => match[1])).toEqual(Object.keys(CODES).sort());
  expect(page).toContain('## UC1098\n\n**error, exit code 130: interrupted**');
});

test('docs/gltf-extensions.md lists the known extensions', () => {
  const page = stored('docs/gltf-extensions.md');
  expect(page).toBe(extensionsPage());
  expect(page).toContain('| `KHR_materials_sheen` | in part |');
});

test('docs/engine-cli.md holds every flag of the exporter', () => {
  const page = stored('docs/engine-cli.md');
  expect(page).toBe(exporterPage());
  expect(page).toContain('| `--blender PATH` | ignored, UC1043 | no Blender is started |');
});

test('schemas/preset.schema.json is that of the options of a preset', () => {
  expect(stored('schemas/preset.schema.json')).toBe(presetSchema(PRESET_OPTIONS));
  expect(stored('schemas/config.schema.json')).toBe(configSchema(PRESET_OPTIONS, SOURCE_OPTIONS));
});

test('schemas/ holds those of every document, and docs/json.md names each', () => {
  const schemas = { ...COMMAND_SCHEMAS, ...INSPECT_SCHEMAS };
  const names = [...Object.keys(schemas), 'config', 'preset'].map((name) => `${name}.schema.json`);
  expect(readdirSync(resolve(import.meta.dirname, '../schemas')).sort()).toEqual(names.sort());
  const page = stored('docs/json.md');
  for (const [name, text] of Object.entries(schemas)) {
    expect(stored(`schemas/${name}.schema.json`)).toBe(text);
    expect(page).toContain(`(../schemas/${name}.schema.json)`);
  }
});

/** A heading as the anchor that links name: lower case, words with hyphens, without other signs. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

test('every link of the documents leads to a file and a heading that are there', () => {
  const root = resolve(import.meta.dirname, '..');
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].concat(
    readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  );
  const anchors = new Map(
    pages.map((page) => {
      const text = stored(page).replace(/^```.*?^```/gms, '');
      const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
      return [page, new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)])];
    }),
  );
  const dead: string[] = [];
  for (const page of pages) {
    const text = stored(page).replace(/^ *```.*?^ *```/gms, '');
    for (const [, link] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path, anchor] = link.split('#');
      const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
      if (!existsSync(join(root, target))) dead.push(`${page}: ${link}`);
      else if (anchor && anchors.get(target)?.has(anchor) !== true) dead.push(`${page}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
});
