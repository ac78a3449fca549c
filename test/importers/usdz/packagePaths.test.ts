// Paths into packages (OpenUSD, package-relative paths).

import { describe, expect, it } from 'vitest';
import {
  folderOf,
  joinInPackage,
  joinPackagePath,
  splitPackagePath,
} from '../../../src/importers/usdz/packagePaths.ts';

describe('package paths', () => {
  it.each<[string, string[]]>([
    ['a.usd', ['a.usd']],
    ['', ['']],
    ['a.usdz[b.usd]', ['a.usdz', 'b.usd']],
    ['dir/a.usdz[sub/b.usdz[c/d.png]]', ['dir/a.usdz', 'sub/b.usdz', 'c/d.png']],
    ['dir[1]/a.usdz[b.usd]', ['dir[1]/a.usdz', 'b.usd']],
    ['dir[1]/a.usd', ['dir[1]/a.usd']],
    ['a.usdz[b\\[1\\].usd]', ['a.usdz', 'b[1].usd']],
    ['a.usdz[b\\[1\\].usdz[c\\]]]', ['a.usdz', 'b[1].usdz', 'c]']],
    ['odd]', ['odd]']],
  ])('%j', (path, parts) => {
    expect(splitPackagePath(path)).toEqual(parts);
    expect(joinPackagePath(parts)).toBe(path);
  });

  it.each(['a.usdz[]', '[b.usd]', 'a[b]c]', 'a.usdz[b.usdz[]]', 'a.usdz[b]]', '[]'])('%j is broken', (path) => {
    expect(() => splitPackagePath(path)).toThrow('UC1610');
  });

  it('takes a hundred thousand brackets', () => {
    const path = `${'a['.repeat(1e5)}b${']'.repeat(1e5)}`;
    expect(splitPackagePath(path)).toHaveLength(1e5 + 1);
    expect(() => splitPackagePath('['.repeat(1e5) + ']'.repeat(1e5))).toThrow('UC1610');
  });

  it('joins folders and relative paths', () => {
    expect(folderOf('a/b/c.usd')).toBe('a/b');
    expect(folderOf('c.usd')).toBe('');
    expect(joinInPackage('a/b', '../c/./d.png')).toBe('a/c/d.png');
    expect(joinInPackage('', 'd.png')).toBe('d.png');
    expect(joinInPackage('a', '../../d.png')).toBeNull();
    expect(joinInPackage('a', '..')).toBe('');
  });
});
