// Where the command may keep compiled code: in caches of the user, never in a project, and as the variables of Node say.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compileCacheFolder } from '../../bin/compileCache.js';
import { put, squareGltf, temporaryFolder, untold } from './run.ts';

const linux = { platform: 'linux', env: {}, home: '/home/ada', cwd: '/srv/town' };

describe.skipIf(process.platform === 'win32')('compileCacheFolder', () => {
  test('is in the caches of the user', () => {
    expect(compileCacheFolder(linux)).toBe('/home/ada/.cache/untold');
    expect(compileCacheFolder({ ...linux, env: { XDG_CACHE_HOME: '/var/cache/ada' } })).toBe('/var/cache/ada/untold');
    expect(compileCacheFolder({ ...linux, env: { XDG_CACHE_HOME: 'caches' } })).toBe('/home/ada/.cache/untold');
    expect(compileCacheFolder({ ...linux, platform: 'darwin' })).toBe('/home/ada/Library/Caches/untold');
    expect(compileCacheFolder({ ...linux, home: '' })).toBeNull();
  });

  test('is never in the working folder', () => {
    expect(compileCacheFolder({ ...linux, cwd: '/home/ada' })).toBeNull();
    expect(compileCacheFolder({ ...linux, cwd: '/' })).toBeNull();
    expect(compileCacheFolder({ ...linux, cwd: '/home/ada/town' })).toBe('/home/ada/.cache/untold');
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
    expect(untold(project, ['cook', 'a.gltf', '--out', 'out'], places).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['project']);
    const used = untold(project, ['cook', 'a.gltf', '--out', 'again'], { ...places, NODE_DISABLE_COMPILE_CACHE: '' });
    expect([used.code, readdirSync(project).sort()]).toEqual([0, ['a.gltf', 'again', 'out']]);
    expect(readdirSync(join(project, 'again'), { recursive: true }).sort()).toEqual(
      readdirSync(join(project, 'out'), { recursive: true }).sort(),
    );
  });
});
