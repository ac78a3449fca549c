import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { showPath } from '../../src/config/showPath.ts';
import { expandSources, SOURCE_EXTENSIONS } from '../../src/config/sources.ts';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sources-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function files(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
}

function expand(...words: string[]): string[] {
  return expandSources(words, folder, SOURCE_EXTENSIONS).map((path) => relative(folder, path).split(sep).join('/'));
}

function codesOf(action: () => unknown): string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics.map((d) => `${d.code} ${d.file}`);
    throw error;
  }
  return [];
}

describe('sources', () => {
  test('of a folder are all files below it that are called like one, in order of their paths', () => {
    files('art/b.glb', 'art/a/x.GLTF', 'art/a/x.bin', 'art/a-b/y.usda', 'art/.git/z.glb', 'art/.z.glb', 'art/c.png');
    files('art/d.usd', 'art/e.usdc', 'art/f.usdz', 'art/g.untold');
    expect(expand('art')).toEqual([
      'art/a/x.GLTF',
      'art/a-b/y.usda',
      'art/b.glb',
      'art/d.usd',
      'art/e.usdc',
      'art/f.usdz',
    ]);
  });

  test('of a pattern that no shell expanded are its matches that are called like a source', () => {
    files('art/a.gltf', 'art/a.bin', 'art/sub/b.gltf', 'art/sub/deep/c.glb', 'art/.hidden/d.gltf');
    expect(expand('art/*.gltf')).toEqual(['art/a.gltf']);
    expect(expand('art/**/*.gltf')).toEqual(['art/a.gltf', 'art/sub/b.gltf']);
    expect(expand('art/**/*.{gltf,glb}')).toEqual(['art/a.gltf', 'art/sub/b.gltf', 'art/sub/deep/c.glb']);
    expect(expand('art/*')).toEqual(['art/a.gltf', 'art/sub/b.gltf', 'art/sub/deep/c.glb']);
    expect(expand(`${folder}/a*/s?b/*.gltf`)).toEqual(['art/sub/b.gltf']);
    expect(expand('./art/../art/[a-b].gltf')).toEqual(['art/a.gltf']);
  });

  test('named themselves are taken whatever they are called, patterns that exist as files too', () => {
    files('odd.bin', 'car[1].gltf', 'car1.gltf');
    expect(expand('odd.bin', 'car[1].gltf')).toEqual(['odd.bin', 'car[1].gltf']);
  });

  test('that are not there stay, so that reading them says what is wrong', () => {
    expect(expand('missing.glb')).toEqual(['missing.glb']);
  });

  test('stand once, in the order of the words', () => {
    files('a.glb', 'b.glb');
    symlinkSync(join(folder, 'a.glb'), join(folder, 'link.glb'));
    expect(expand('b.glb', '*.glb', './a.glb')).toEqual(['b.glb', 'a.glb']);
    expect(expand('link.glb', 'a.glb')).toEqual(['link.glb']);
  });

  test('below a loop of links are found once', () => {
    files('art/sub/a.glb');
    symlinkSync(join(folder, 'art'), join(folder, 'art/sub/up'));
    expect(expand('art')).toEqual(['art/sub/a.glb']);
    expect(expand('art/**/*.glb')).toEqual(['art/sub/a.glb']);
  });

  test('that nothing leads to are refused, all at once', () => {
    files('empty/readme.md', 'a.glb');
    expect(codesOf(() => expand('empty', 'a.glb', 'no*.glb', '*'))).toEqual(['UC1004 empty', 'UC1004 no*.glb']);
    expect(codesOf(() => expand('empty/*'))).toEqual(['UC1004 empty/*']);
  });
});

test('paths are shown relative to the working folder, with slashes', () => {
  expect(showPath(join(folder, 'a', 'b.glb'), folder)).toBe('a/b.glb');
  expect(showPath(join(folder, 'b.glb'), join(folder, 'a'))).toBe('../b.glb');
  expect(showPath('a/b.glb', folder)).toBe('a/b.glb');
});
