// The table of kinds against literal values of the formats' texts, and how files are told apart.

import { describe, expect, test } from 'vitest';
import { extensionsFor, KIND_IDS, KINDS, type KindId, searchedExtensions, takes } from '../../src/formats/kinds.ts';
import { beginsAs, isForeign, kindOfBytes, kindOfName } from '../../src/formats/recognise.ts';
import { FORMAT_IDS, FORMATS } from '../../src/formats/registry.ts';
import { literalKinds } from './literalKinds.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const LITERALS = await literalKinds();

test('every kind is stated by the text of its format', () => {
  expect(Object.keys(LITERALS).sort()).toEqual([...KIND_IDS].sort());
});

describe.each(KIND_IDS)('%s', (id) => {
  const [extensions, begin] = LITERALS[id] ?? ['', ''];

  test('has the extensions of its format', () => {
    expect(KINDS[id].extensions.join(' ')).toBe(extensions);
  });

  test('is told by its content under each of its names', () => {
    for (const extension of KINDS[id].extensions) expect(kindOfBytes(bytes(begin), `/a/b${extension}`)).toBe(id);
  });

  test('is told by its content under another name, unless another kind begins alike or the name decides', () => {
    const elsewhere = { clip: 'untold', untoldpack: 'gltf' } as Partial<Record<KindId, KindId>>;
    expect(kindOfBytes(bytes(begin), '/a/b')).toBe(elsewhere[id] ?? id);
  });
});

test('all that Urho3D and rbfx begin with are kinds of theirs', () => {
  const kinds = ['UMDL', 'UMD2', 'UMD3', 'UANI', 'UAN2', 'UPAK', 'ULZ4', 'RPAK', 'RLZ4'].map((magic) =>
    kindOfBytes(bytes(magic), 'x'),
  );
  expect(kinds).toEqual(['mdl', 'mdl', 'mdl', 'ani', 'ani', 'pak', 'pak', 'pak', 'pak']);
});

describe('content', () => {
  test('counts more than a name', () => {
    expect(kindOfBytes(bytes('glTF'), 'scene.usdz')).toBe('glb');
    expect(kindOfBytes(bytes('UTEX\0\0\0\0'), 'wall.untoldpack')).toBe('utex');
    expect(kindOfBytes(bytes('hello'), 'scene.usda')).toBeNull();
    expect(kindOfBytes(new Uint8Array(0), 'scene.glb')).toBeNull();
    expect(beginsAs('glb', bytes('glT'))).toBe(false);
  });

  test('may begin with a byte order mark', () => {
    expect(kindOfBytes(bytes('\xef\xbb\xbf#usda 1.0\n'), 'x')).toBe('usda');
    expect(kindOfBytes(bytes('\xef\xbb\xbf {"tiles": []}'), 'x.json')).toBe('manifest');
  });

  test('of JSON is read whole only where the name leaves a doubt', () => {
    const broken = bytes('{"tiles": ');
    expect(kindOfBytes(broken, 'a.gltf')).toBe('gltf');
    expect(kindOfBytes(broken, 'a.json')).toBe('manifest');
    expect(kindOfBytes(broken, 'a.txt')).toBe('gltf');
    expect(kindOfBytes(bytes('{"a": 1}'), 'a.json')).toBe('gltf');
  });

  test('of a package may stand at the end of a program', () => {
    const program = bytes('MZ program');
    const pack = [...bytes('UPAK'), 0, 0, 0, 0, 0, 0, 0, 0];
    const held = Uint8Array.from([...program, ...pack, pack.length + 4, 0, 0, 0]);
    expect(kindOfBytes(held, 'game.pak')).toBe('pak');
    expect(kindOfBytes(held, 'game.exe')).toBeNull();
  });
});

test('files of a folder that only share an extension are foreign', () => {
  expect(isForeign('a.json', () => 'gltf')).toBe(true);
  expect(isForeign('a.json', () => 'record')).toBe(false);
  expect(isForeign('a.mdl', () => null)).toBe(true);
  expect(isForeign('a.mdl', () => 'mdl')).toBe(false);
  // Nobody else has this name, so that a broken file is ours.
  expect(isForeign('a.untold', () => expect.fail('the content was asked for'))).toBe(false);
});

test('names, searched folders and commands', () => {
  expect(['A.GLB', 'a.usd', 'a.json', 'a.xml', 'a.png', 'usda'].map(kindOfName)).toEqual([
    'glb',
    'usda',
    'manifest',
    'material',
    null,
    null,
  ]);
  expect(searchedExtensions('source')).toEqual(['.usd', '.usda', '.usdc', '.usdz', '.gltf', '.glb']);
  // Outputs of a folder are checked; a GLB or a stage there is a source.
  const outputs = searchedExtensions('output');
  expect(outputs).toEqual(expect.arrayContaining('.json .untold .untoldpack .untoldanim .utex .pak .ani'.split(' ')));
  const written = FORMAT_IDS.map((id) => FORMATS[id].extension);
  expect(written.filter((extension) => !outputs.includes(extension))).toEqual(['.glb']);
  expect(outputs.filter((extension) => searchedExtensions('source').includes(extension))).toEqual([]);
  expect(extensionsFor('cook').join(' ')).toBe(
    '.usd .usda .usdc .usdz .gltf .glb .json .untold .untoldpack .gali .bpx .mdl .xml',
  );
  expect(extensionsFor('diff')).toEqual(['.json', '.untold', '.untoldpack']);
  expect([takes('view', 'glb'), takes('view', 'untold'), takes('view', 'utex'), takes('view', null)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
