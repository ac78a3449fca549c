// `untold cook --watch` as a real process: saved, replaced, added and removed files.

import { existsSync, readdirSync, renameSync, rmSync, unlinkSync, utimesSync } from 'node:fs';
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

const sets = () => readdirSync(join(folder, 'tiles')).filter((name) => name.endsWith('.json'));

describe('--watch', () => {
  test('cooks again what a saved file touches, sees files come and go, and ends with Ctrl-C', async () => {
    put(folder, 'art/red.png', RED_PNG);
    put(folder, 'art/one.gltf', squareGltf({ image: 'red.png' }));
    put(folder, 'art/two.gltf', squareGltf());
    const process = watching(folder, 'art', '--out', 'tiles', '--depfile', 'tiles.d');
    expect(await process.said('watching 2 sources, 3 files')).toMatch(/one\.gltf: 1 tile, .*\n.*two\.gltf: 1 tile/);

    // A dependency of one source, replaced as editors do it.
    put(folder, 'art/.red.png.new', Buffer.concat([RED_PNG, Buffer.of(0)]));
    renameSync(join(folder, 'art/.red.png.new'), join(folder, 'art/red.png'));
    expect(await process.said('one.gltf: 1 tile')).not.toContain('two.gltf');

    // A source written in place, twice in a row: one cook.
    put(folder, 'art/two.gltf', squareGltf({ size: 2 }));
    put(folder, 'art/two.gltf', squareGltf({ size: 3 }));
    expect(await process.said('two.gltf: 1 tile')).not.toContain('one.gltf');

    put(folder, 'art/sub/three.gltf', squareGltf({ size: 4 }));
    expect(await process.said('three.gltf: 1 tile')).not.toMatch(/one\.|two\./);
    expect(sets()).toEqual(['one.json', 'three.json', 'two.json']);

    unlinkSync(join(folder, 'art/sub/three.gltf'));
    expect(await process.said('three.gltf: gone')).not.toMatch(/one\.|two\./);

    put(folder, 'art/two.gltf', '{');
    expect(await process.said('two.gltf: failed')).toContain('UC1301');
    put(folder, 'art/two.gltf', squareGltf({ size: 5 }));
    expect(await process.said('two.gltf: 1 tile')).not.toContain('one.gltf');

    expect(await process.stop('SIGINT')).toBe(0);
    expect(readdirSync(join(folder, 'tiles')).filter((name) => name.startsWith('.'))).toEqual([]);
    // The rules of sources that were not cooked again are still there.
    expect((await untold(folder, ['cook', 'art', '--out', 'again', '--textures', 'keep', '--quiet'])).code).toBe(0);
    for (const name of ['one.json', 'two.json']) expect(existsSync(join(folder, 'again', name))).toBe(true);
  }, 60_000);

  test('cooks all again when the project file changes, appears or goes, and says once what is wrong with it', async () => {
    put(folder, 'art/one.gltf', squareGltf());
    put(folder, 'art/two.gltf', squareGltf());
    const process = watching(folder, 'art', '--out', 'tiles');
    await process.said('watching 2 sources');
    put(folder, 'untold.config.json', JSON.stringify({ files: [{ match: 'art/two*', scene: 'Night' }] }));
    // Nothing changed for one.gltf.
    expect(await process.said('two.gltf: ')).toContain('one.gltf: up to date: 1 tile, 2 triangles');
    put(folder, 'untold.config.json', '{');
    await process.said('UC1008');
    put(folder, 'untold.config.json', JSON.stringify({ scene: 'Night' }));
    const all = await process.said('two.gltf: ');
    expect(all).toContain('one.gltf: 2 tiles, 4 triangles');
    expect(all).not.toContain('UC1008');
    unlinkSync(join(folder, 'untold.config.json'));
    expect(await process.said('two.gltf: ')).toContain('one.gltf: 1 tile, 2 triangles');
    expect(await process.stop('SIGTERM')).toBe(0);
  }, 60_000);

  test('sees a layer become a part of another source, and a source again', async () => {
    const square = `def Mesh "m" {
      int[] faceVertexCounts = [4]
      int[] faceVertexIndices = [0, 1, 2, 3]
      point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    }`;
    const stage = (arc: string) => `#usda 1.0\n(defaultPrim = "r")\ndef Xform "r" ${arc} { ${square} }\n`;
    // Long ago: what it brings in is read once.
    const long = new Date(2020, 1, 1);
    for (const [name, arc] of [
      ['part', ''],
      ['whole', '(references = @part.usda@)'],
    ]) {
      utimesSync(put(folder, `art/${name}.usda`, stage(arc)), long, long);
    }
    const process = watching(folder, 'art', '--out', 'tiles');
    expect(await process.said('watching 1 source, 2 files')).toContain('art/part.usda is not cooked');
    put(folder, 'art/whole.usda', stage(''));
    const apart = await process.said('whole.usda: 1 tile');
    expect(apart).toContain('part.usda: 1 tile');
    expect(apart).not.toContain('is not cooked');
    put(folder, 'art/whole.usda', stage('(references = @part.usda@)'));
    expect(await process.said('whole.usda: 1 tile')).toContain('part.usda: gone');
    expect(await process.stop('SIGTERM')).toBe(0);
  }, 60_000);
});
