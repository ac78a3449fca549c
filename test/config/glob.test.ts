import { describe, expect, test } from 'vitest';
import { expandBraces, isPattern, parseSegment } from '../../src/config/glob.ts';

function matches(pattern: string, name: string): boolean {
  const segment = parseSegment(pattern);
  return segment.type === 'match' ? segment.matches(name) : segment.type === 'name' && segment.name === name;
}

describe('segments', () => {
  test.each([
    ['*', 'a.gltf', true],
    ['*', '.hidden', false],
    ['.*', '.hidden', true],
    ['*.gltf', 'scene.gltf', true],
    ['*.gltf', 'scene.gltf.bak', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['?.glb', 'x.glb', true],
    ['?.glb', 'xy.glb', false],
    ['[a-c]1', 'b1', true],
    ['[a-c]1', 'd1', false],
    ['[!a-c]1', 'd1', true],
    ['[]]x', ']x', true],
    ['[a', '[a', true],
    ['car\\*', 'car*', true],
    ['car\\*', 'cart', false],
    ['**x', 'aax', true],
    ['a.b', 'axb', false],
  ])('%s against %s: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  test('a hostile pattern takes no exponential time', () => {
    expect(matches('a*'.repeat(40), `${'a'.repeat(5000)}b`)).toBe(true);
    expect(matches(`${'a*'.repeat(40)}c`, 'a'.repeat(5000))).toBe(false);
  });

  test('** alone means folders', () => {
    expect(parseSegment('**').type).toBe('folders');
  });
});

describe('braces', () => {
  test('give each alternative in order', () => {
    expect(expandBraces('x.{glb,gltf}')).toEqual(['x.glb', 'x.gltf']);
    expect(expandBraces('{a,b}{1,2}')).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(expandBraces('a{b,c{d,e}}')).toEqual(['ab', 'acd', 'ace']);
    expect(expandBraces('a{,b}')).toEqual(['a', 'ab']);
  });

  test('are literal without a comma, unclosed or escaped', () => {
    expect(expandBraces('a{b}')).toEqual(['a{b}']);
    expect(expandBraces('a{b,c')).toEqual(['a{b,c']);
    expect(expandBraces('a\\{b,c}')).toEqual(['a\\{b,c}']);
  });

  test('do not explode', () => {
    const pattern = '{a,b}'.repeat(30);
    expect(expandBraces(pattern)).toEqual([pattern]);
  });
});

test('patterns are told from names', () => {
  expect(['a*', 'a?', '[a]', '{a,b}'].every(isPattern)).toBe(true);
  expect(isPattern('plain/name-1.gltf')).toBe(false);
});
