// Paths in the text of a layer are replaced where they are paths, and nothing else changes.

import { describe, expect, test } from 'vitest';
import { rewriteAssets } from '../../../../src/importers/usd/text/rewriteAssets.ts';

const CHANGES = new Map([
  ['a.png', 'b.png'],
  ['x@y.png', 'z@@@w.png'],
  ['p@@@q', 'plain'],
  ['end@', 'e'],
]);
const rewritten = (text: string) => new TextDecoder().decode(rewriteAssets(new TextEncoder().encode(text), CHANGES));

describe('rewriteAssets', () => {
  test.each([
    ['asset a = @a.png@', 'asset a = @b.png@'],
    ['[@a.png@, @c.png@, @a.png@</P>]', '[@b.png@, @c.png@, @b.png@</P>]'],
    ['@@@a.png@@@ @a.png@', '@b.png@ @b.png@'],
    ['@@@x@y.png@@@', '@@@z\\@@@w.png@@@'],
    ['@@@p\\@@@q@@@ = 1', '@plain@ = 1'],
    ['@@@end@@@@ @a.png@', '@e@ @b.png@'],
  ])('replaces in %s', (before, after) => expect(rewritten(before)).toBe(after));

  test.each([
    '# @a.png@',
    '"@a.png@"',
    "'@a.png@' ",
    '"\\"@a.png@"',
    '"""\n"@a.png@\n"""',
    "'''it's @a.png@'''",
    '@a.PNG@',
    '@a.png',
    '@@@a.png',
    '"open @a.png@',
    '',
  ])('leaves %j as it is', (text) => expect(rewritten(text)).toBe(text));

  test('goes on behind strings and comments', () => {
    const text = '"it\'s" # "\n@a.png@ """@a.png@""" @a.png@ \'"\' @a.png@ "" @a.png@';
    expect(rewritten(text)).toBe('"it\'s" # "\n@b.png@ """@a.png@""" @b.png@ \'"\' @b.png@ "" @b.png@');
  });
});
