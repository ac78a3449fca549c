import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatDepfile, inexpressibleNames } from '../../src/config/depfile.ts';

describe('the text of a depfile', () => {
  test('is a rule for each source and an empty rule for each file', () => {
    const text = formatDepfile(
      [
        { target: 'tiles/b.json', prerequisites: ['art/b.gltf', 'art/my wall.png'], state: 'done' },
        { target: 'tiles/a.json', prerequisites: ['art/a.gltf', 'art/a.gltf'], state: 'done' },
      ],
      '',
    );
    expect(text).toBe(
      [
        'tiles/a.json: \\\n  art/a.gltf\n',
        'tiles/b.json: \\\n  art/b.gltf \\\n  art/my\\ wall.png\n',
        'art/a.gltf:\n',
        'art/b.gltf:\n',
        'art/my\\ wall.png:\n',
      ].join('\n'),
    );
  });

  test('keeps what was known of a source that failed or was skipped', () => {
    const all = ['a.gltf', 'a.bin', 'tex #1.png', '100%|x.png'];
    const earlier = formatDepfile(
      ['x.json', 'y.json', 'z.json'].map((target) => ({ target, prerequisites: all, state: 'done' })),
      '',
    );
    const text = formatDepfile(
      [
        { target: 'x.json', prerequisites: ['a.gltf', 'new.png'], state: 'failed' },
        { target: 'y.json', prerequisites: [], state: 'skipped' },
        { target: 'z.json', prerequisites: ['a.gltf'], state: 'done' },
      ],
      earlier,
    );
    const expected = formatDepfile(
      [
        { target: 'x.json', prerequisites: [...all, 'new.png'], state: 'done' },
        { target: 'y.json', prerequisites: all, state: 'done' },
        { target: 'z.json', prerequisites: ['a.gltf'], state: 'done' },
      ],
      '',
    );
    expect(text).toBe(expected);
  });

  test('forgets targets that are not asked for any more, and foreign text', () => {
    const earlier = `foreign: rule\n\n${formatDepfile([{ target: 'old.json', prerequisites: ['o'], state: 'done' }], '')}`;
    expect(formatDepfile([{ target: 'new.json', prerequisites: ['n'], state: 'failed' }], earlier)).toBe(
      'new.json: \\\n  n\n\nn:\n',
    );
  });

  test('leaves out names that make has no words for', () => {
    const names = ['a\nb', 'a\tb', 'a;b', 'end ', 'end\\', 'end&', 'lib(member)'];
    expect(inexpressibleNames([...names, ...names, 'car (1).gltf', 'a&b', '\\a'])).toEqual(names);
    expect(formatDepfile([{ target: 'x', prerequisites: [...names, 'ok'], state: 'done' }], '')).toBe(
      'x: \\\n  ok\n\nok:\n',
    );
    expect(formatDepfile([{ target: 'a;b', prerequisites: ['ok'], state: 'done' }], '')).toBe('');
  });
});

const make = spawnSync('make', ['--version']).status === 0;

// What the names mean is for make itself to say.
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

  const NAMES = [
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

  test.each(NAMES)('cooks again when %s is newer or gone, and not otherwise', (name) => {
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

  test.each(NAMES.filter((name) => !name.startsWith('.')))('takes %s as a target', (name) => {
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
