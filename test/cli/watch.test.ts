// `untold cook --watch` as a real process: a file that appears, and what is refused. The long test of the same name has what
// is saved, replaced, added and removed.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { endWatching, watching } from './watching.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  endWatching();
  rmSync(folder, { recursive: true, force: true });
});

describe('--watch', () => {
  test('cooks a source again when the texture that it lacks appears in a folder beside it', async () => {
    mkdirSync(join(folder, 'art/textures'), { recursive: true });
    put(folder, 'art/one.gltf', squareGltf({ image: 'textures/red.png' }));
    const process = watching(folder, 'art/one.gltf', '--out', 'art');
    await process.said('watching 1 source');
    put(folder, 'art/textures/red.png', RED_PNG);
    await process.said('one.gltf: 1 tile');
    expect(await process.stop('SIGTERM')).toBe(0);
  }, 60_000);

  test('builds a project, and builds it again when its file is saved', async () => {
    put(folder, 'art/one.gltf', squareGltf());
    const project = (targets: unknown) => JSON.stringify({ sources: 'art/', targets });
    put(folder, 'untold.config.json', project({ small: { out: 'tiles' } }));
    const process = watching(folder, 'small');
    await process.said('watching 1 source');
    put(folder, 'untold.config.json', project({ small: { out: 'other' } }));
    await process.said('one.gltf: 1 tile');
    expect(existsSync(join(folder, 'other/one.json'))).toBe(true);
    expect(await process.stop('SIGTERM')).toBe(0);
  }, 60_000);

  test.each([
    [['-', '--out', 'tiles'], '-'],
    [['art', '--out', '-'], '--out'],
    [['art', '--out', 'tiles', '--dry-run'], '--dry-run'],
    [['art', '--out', 'tiles', '--json'], '--json'],
    [['art', '--out', 'tiles', '--timing'], '--timing'],
  ])('refuses %j', async (args, what) => {
    put(folder, 'art/one.gltf', squareGltf());
    const { code, stderr } = await untold(folder, ['cook', ...args, '--watch']);
    expect(code).toBe(2);
    expect(stderr).toContain(`error UC1062 ${what}`);
  });

  test('ends as a cook does that is refused', async () => {
    const { code, stderr } = await untold(folder, ['cook', 'nothing/**', '--out', 'tiles', '--watch']);
    expect(code).toBe(2);
    expect(stderr).toContain('UC1004');
  });
});
