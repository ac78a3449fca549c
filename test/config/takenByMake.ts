// What the names in a depfile mean is for make itself to say.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatDepfile } from '../../src/config/depfile.ts';

/** Names with each character that make has a meaning for. */
export const NAMES = [
  'plain.gltf',
  'a b.gltf',
  'a#b.gltf',
  'a$b.gltf',
  'a$(b).gltf',
  'a:b.gltf',
  'a::b',
  '100%.png',
  'x%/%y.png',
  'a=b.gltf',
  'a := b',
  'a+=b',
  'a*b?.png',
  'a[b]c.png',
  '~a.png',
  'a\\b.png',
  'a\\ b.png',
  'a\\#b.png',
  'a\\%b.png',
  'a\\*b.png',
  'a|b.png',
  'x | y.png',
  '|.png',
  'a&b.png',
  'car (1).gltf',
  "it's.png",
  'a"b".png',
  'a,b!{c}.png',
  ' lead.png',
  'export x.png',
  '-a+b@c.png',
  'été/naïve.png',
  '../beside the folder.png',
];

const make = spawnSync('make', ['--version']).status === 0;

/** Has make read rules with the names, as sources and as targets. */
export function expectMakeToTake(names: readonly string[]): void {
  describe.skipIf(!make)('make (skipped where make is not installed)', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'depfile-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const put = (path: string, seconds: number) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), 'x');
      utimesSync(join(folder, path), seconds, seconds);
    };
    const run = () => {
      const { status, stdout, stderr } = spawnSync('make', ['-r', '-s'], { cwd: folder, encoding: 'utf8' });
      return `${status} ${stdout}${stderr}`.trim();
    };

    test.each(names)('cooks again when %s is newer or gone, and not otherwise', (name) => {
      const inside = join(folder, 'work');
      mkdirSync(inside);
      folder = inside;
      put(name, 1000);
      put('last.png', 1000);
      put('out.json', 2000);
      writeFileSync(join(folder, 'Makefile'), 'all: out.json\nout.json:\n\t@echo COOK\n-include d.d\n');
      const rule = { target: 'out.json', prerequisites: [name, 'last.png'], state: 'done' } as const;
      writeFileSync(join(folder, 'd.d'), formatDepfile([rule], ''));
      expect(run()).toBe('0');
      utimesSync(join(folder, name), 3000, 3000);
      expect(run()).toBe('0 COOK');
      unlinkSync(join(folder, name));
      expect(run()).toBe('0 COOK');
      folder = dirname(folder);
    });

    test.each(names.filter((name) => !name.startsWith('.')))('takes %s as a target', (name) => {
      put('dep.gltf', 3000);
      put(name, 2000);
      const goal = formatDepfile([{ target: 'all', prerequisites: [name], state: 'done' }], '');
      const rule = { target: name, prerequisites: ['dep.gltf', 'gone.gltf'], state: 'done' } as const;
      const cook = formatDepfile([rule], '').replace('\n\ndep', '\n\t@echo COOK\n\ndep');
      writeFileSync(join(folder, 'Makefile'), `${goal}\n${cook}`);
      put('gone.gltf', 1000);
      expect(run()).toBe('0 COOK');
      utimesSync(join(folder, 'dep.gltf'), 1000, 1000);
      expect(run()).toBe('0');
    });
  });
}
