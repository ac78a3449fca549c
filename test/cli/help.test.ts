// Help on a screen: -h fits one, --help wraps at words, and short flags and swallowed values mean what they say.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS as TABLE } from '../../src/cli/commands/commandTable.ts';
import { HELP_TEXTS } from '../../src/cli/commands/help.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMANDS = [[], ['cook'], ['validate'], ['inspect'], ['render'], ['explain'], ['cache', 'info']];

describe('-h', () => {
  test.each(COMMANDS.map((words) => [words]))('%j fits a screen of 80 columns and 24 lines', async (words) => {
    const lines = (await untold(folder, [...words, '-h'], { COLUMNS: '80' })).stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(Object.entries(HELP_TEXTS))('names options of %s that exist', async (command, { common = {} }) => {
    const options = TABLE.flatMap(({ name, options }) => (name.split(' ')[0] === command ? options : []));
    expect(Object.keys(common).filter((name) => !options.some((option) => option.name === name))).toEqual([]);
    if (command === 'cache' || Object.keys(common).length === 0) return;
    const { stdout } = await untold(folder, [command, '-h']);
    const full = (await untold(folder, [command, '--help'])).stdout;
    for (const name of Object.keys(common)) expect(stdout).toContain(`--${name}`);
    expect(full.length).toBeGreaterThan(stdout.length);
  });
});

describe('--help', () => {
  test.each([40, 80, 120, 200])('wraps at words in %i columns and loses none', async (width) => {
    const { stdout } = await untold(folder, ['cook', '--help'], { COLUMNS: String(width) });
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
    expect(words(stdout)).toEqual(words((await untold(folder, ['cook', '--help'], { COLUMNS: '80' })).stdout));
    const limit = Math.min(width, 120);
    for (const line of stdout.split('\n').filter((text) => text.length > limit)) {
      // Only a word that is itself too long passes the edge.
      expect(line.trim().replace(/^(?:-\w, )?--[\w-]+ </, '')).not.toContain(' ');
    }
  });

  test('has choices in brackets and headings in colour', async () => {
    expect((await untold(folder, ['cook', '--help'])).stdout).toContain('[error|drop|placeholder]');
    expect((await untold(folder, ['cook', '--help'])).stdout).not.toContain('\x1b');
    expect((await untold(folder, ['cook', '--help'], { FORCE_COLOR: '1' })).stdout).toContain('\x1b[1mFiles:\x1b[22m');
  });
});

describe('short flags', () => {
  test('are the long ones', async () => {
    const { code, stderr } = await untold(folder, ['cook', 'town.gltf', '-f', '-q', '-j', '1', '-o', 'short']);
    expect([code, stderr]).toEqual([0, '']);
    expect(existsSync(join(folder, 'short/town.json'))).toBe(true);
    expect((await untold(folder, ['cook', 'town.gltf', '-v', '-o', 'verbose'])).stderr).toContain('verbose/town.json');
  });
});

describe('an option in the place of a value', () => {
  test.each([
    [['--out', '--dry-run'], '--out=--dry-run'],
    [['-o', '-q'], '--out=-q'],
    [['--out', 'o', '--select', '--strict'], '--select=--strict'],
  ])('%j is refused', async (args, remedy) => {
    const { code, stderr } = await untold(folder, ['cook', 'town.gltf', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error UC1040 --(out|select): /)]);
    expect(stderr).toContain(remedy);
    expect(existsSync(join(folder, '--dry-run'))).toBe(false);
  });

  test('is a value when it is written as one word', async () => {
    expect((await untold(folder, ['cook', 'town.gltf', '--out=--folder'])).code).toBe(0);
    expect(existsSync(join(folder, '--folder/town.json'))).toBe(true);
  });
});
