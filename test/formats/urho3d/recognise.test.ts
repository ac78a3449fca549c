// Kinds by content, and the compiled files: shaders and scripts.

import { describe, expect, test } from 'vitest';
import { readScript } from '../../../src/formats/urho3d/compiled/script.ts';
import { readShader } from '../../../src/formats/urho3d/compiled/shader.ts';
import { recogniseUrho3d, requireUrho3d, validateUrho3d } from '../../../src/formats/urho3d/recognise.ts';
import { bytesOf, codesOf, expectPrefixesRefused, fixture, fixtures } from './fixtures.ts';

const KINDS: Readonly<Record<string, string>> = {
  ani: 'animation',
  asc: 'script',
  mdl: 'model',
  pak: 'package',
  vs3: 'shader',
};

describe('every fixture', () => {
  test.each(fixtures(/^good/))('%s is recognised and has nothing wrong with it', (name) => {
    expect(recogniseUrho3d(fixture(name))).toBe(KINDS[name.slice(-3)]);
    expect(validateUrho3d(fixture(name), name)).toEqual([]);
  });

  test.each(fixtures(/^bad/))('%s ends in an error', (name) => {
    let errors = codesOf(() => requireUrho3d(fixture(name), name));
    if (errors.length === 0) {
      errors = validateUrho3d(fixture(name), name)
        .filter(({ severity }) => severity === 'error')
        .map(({ code }) => code);
    }
    expect(errors.length).toBeGreaterThan(0);
  });
});

test('what is none of them is refused, and what is of rbfx by its name', () => {
  for (const bytes of [new Uint8Array(0), bytesOf('UMD'), bytesOf('UNTOLD\0\0'), bytesOf(['u32', 1, 2, 3])]) {
    expect(recogniseUrho3d(bytes)).toBeNull();
    expect(codesOf(() => validateUrho3d(bytes, 'x'))).toEqual(['UC3900']);
  }
  for (const magic of ['UMD3', 'UAN2', 'RPAK', 'RLZ4']) {
    expect(recogniseUrho3d(bytesOf(magic))).toBeNull();
    expect(() => requireUrho3d(bytesOf(magic), 'x')).toThrow(`UC3901 x: byte 0: ${magic}, a`);
  }
  // A word of an identifier of another object is no kind.
  expect(recogniseUrho3d(bytesOf('toString'))).toBeNull();
});

describe('shaders', () => {
  test('of Direct3D 9 list their registers', () => {
    const bytes = bytesOf(
      'USHD',
      ['u16', 1, 3],
      ['u32', 1],
      'cAlpha\0',
      ['u8', 4, 2],
      ['u32', 2],
      'DiffMap\0',
      ['u8', 0],
      'NormalMap\0',
      ['u8', 1],
      ['u32', 3],
      ['u8', 9, 8, 7],
    );
    expect(readShader(bytes, '')).toEqual({
      type: 'pixel',
      model: 3,
      elementHash: null,
      parameters: [{ name: 'cAlpha', register: 4, registers: 2 }],
      units: [
        { name: 'DiffMap', register: 0 },
        { name: 'NormalMap', register: 1 },
      ],
      bytecode: Uint8Array.of(9, 8, 7),
    });
    expectPrefixesRefused(bytes, (part) => readShader(part, ''));
  });

  test('of Direct3D 11 list places in constant buffers', () => {
    const bytes = bytesOf(
      'USHD',
      ['u16', 0, 4],
      ['u32', 0xabcd, 1],
      'cModel\0',
      ['u8', 5],
      ['u32', 16, 48],
      ['u32', 0],
      ['u32', 1],
      ['u8', 1],
    );
    expect(readShader(bytes, '')).toMatchObject({
      type: 'vertex',
      model: 4,
      elementHash: 0xabcd,
      parameters: [{ name: 'cModel', buffer: 5, offset: 16, size: 48 }],
      units: [],
    });
    expectPrefixesRefused(bytes, (part) => readShader(part, ''));
  });

  test('of other kinds are refused, and with bytes behind the end', () => {
    expect(codesOf(() => readShader(fixture('bad_sh_type.vs3'), ''))).toEqual(['UC3970']);
    expect(codesOf(() => readShader(bytesOf('USHD', ['u16', 0, 5]), ''))).toEqual(['UC3970']);
    expect(codesOf(() => readShader(fixture('bad_sh_tail.vs3'), ''))).toEqual(['UC3902']);
    expect(codesOf(() => readShader(bytesOf('USHD', ['u16', 0, 3], ['u32', 1000]), ''))).toEqual(['UC3902']);
  });

  test.each(['good_vs3.vs3', 'good_ps4.vs3'])('%s is refused when cut off anywhere', (name) => {
    expectPrefixesRefused(fixture(name), (part) => readShader(part, name));
  });
});

test('scripts are an identifier with something behind it', () => {
  expect(readScript(fixture('good_asc.asc'), '')).toEqual(Uint8Array.of(1));
  expect(codesOf(() => readScript(fixture('bad_asc.asc'), ''))).toEqual(['UC3902']);
  expectPrefixesRefused(fixture('good_asc.asc'), (part) => readScript(part, ''));
});
