// Where the command may keep compiled code: in caches of the user, never in a project, and as the variables of Node say.

import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compileCacheFolder } from '../../bin/compileCache.js';
import { defaultCacheFolder } from '../../src/output/cache/place.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { untoldProcess } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

const HOME = '/home/ada';
const linux = { platform: 'linux', env: { HOME }, cwd: '/srv/town' } as const;

describe.skipIf(process.platform === 'win32')('compileCacheFolder', () => {
  test('is in the caches of the user', () => {
    const inCaches = { ...linux, env: { XDG_CACHE_HOME: '/var/cache/ada' } };
    expect(compileCacheFolder(linux)).toBe('/home/ada/.cache/untold/compiled');
    expect(compileCacheFolder(inCaches)).toBe('/var/cache/ada/untold/compiled');
    expect(compileCacheFolder({ ...linux, env: { HOME, XDG_CACHE_HOME: 'caches' } })).toBe(
      '/home/ada/.cache/untold/compiled',
    );
    expect(compileCacheFolder({ ...linux, platform: 'darwin' })).toBe('/home/ada/Library/Caches/untold/compiled');
    expect(compileCacheFolder({ ...linux, env: {} })).toBeNull();
    expect(compileCacheFolder({ ...linux, env: { HOME: '' } })).toBeNull();
  });

  test('follows the rule of the cache of cooks', () => {
    const environments = [
      {},
      { HOME },
      { HOME: '' },
      { HOME: 'home' },
      { HOME, XDG_CACHE_HOME: '/var/cache/ada' },
      { HOME, XDG_CACHE_HOME: 'caches' },
      { HOME, XDG_CACHE_HOME: '/srv/town/caches' },
      { HOME, XDG_CACHE_HOME: '' },
      { LOCALAPPDATA: '/local' },
      { LOCALAPPDATA: 'local' },
    ];
    const answers = new Set<string | null>();
    for (const platform of ['linux', 'darwin', 'freebsd', 'win32'] as const) {
      for (const cwd of ['/srv/town', HOME, '/', '/local']) {
        for (const env of environments) {
          const compiled = compileCacheFolder({ platform, env, cwd });
          const cooked = defaultCacheFolder({ platform, env, cwd });
          answers.add(cooked);
          const folder = platform === 'win32' ? cooked && dirname(cooked) : cooked;
          expect([platform, cwd, env, compiled]).toEqual([platform, cwd, env, folder && join(folder, 'compiled')]);
        }
      }
    }
    expect([...answers].sort()).toEqual([
      '/home/ada/.cache/untold',
      '/home/ada/Library/Caches/untold',
      '/local/untold/cache',
      '/srv/town/caches/untold',
      '/var/cache/ada/untold',
      null,
    ]);
  });

  test('is never in the working folder', () => {
    expect(compileCacheFolder({ ...linux, cwd: '/home/ada' })).toBeNull();
    expect(compileCacheFolder({ ...linux, cwd: '/' })).toBeNull();
    expect(compileCacheFolder({ ...linux, cwd: '/home/ada/town' })).toBe('/home/ada/.cache/untold/compiled');
  });

  test('is none where Node is told to use none or another', () => {
    expect(compileCacheFolder({ ...linux, env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toBeNull();
    expect(compileCacheFolder({ ...linux, env: { NODE_COMPILE_CACHE: '/tmp/other' } })).toBeNull();
  });
});

describe('untold', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('cooks the same with a cache, leaves nothing in the project, and uses no cache when told so', () => {
    put(folder, 'project/a.gltf', squareGltf());
    const project = join(folder, 'project');
    const places = { HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'caches') };
    expect(untoldProcess(project, ['cook', 'a.gltf', '--out', 'out'], places).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['project']);
    const used = untoldProcess(project, ['cook', 'a.gltf', '--out', 'again'], {
      ...places,
      NODE_DISABLE_COMPILE_CACHE: '',
    });
    expect([used.code, readdirSync(project).sort()]).toEqual([0, ['a.gltf', 'again', 'out']]);
    expect(readdirSync(join(project, 'again'), { recursive: true }).sort()).toEqual(
      readdirSync(join(project, 'out'), { recursive: true }).sort(),
    );
  });
});
