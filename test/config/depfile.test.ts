import { describe, expect, test } from 'vitest';
import { formatDepfile, inexpressibleNames } from '../../src/config/depfile.ts';
import { expectMakeToTake, NAMES } from './takenByMake.ts';

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

// Of those that need several characters at once; the long test of the same name has all.
expectMakeToTake(NAMES.filter((name) => ['plain.gltf', 'a$(b).gltf', 'x | y.png', 'a\\ b.png'].includes(name)));
