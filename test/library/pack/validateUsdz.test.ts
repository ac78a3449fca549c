// What validate() finds in USDZ packages, with and without the profile of ARKit; and in BPX and Galileo files.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeUsdz } from '../../../src/formats/usdz/write.ts';
import { inspect, validate } from '../../../src/index.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { RED_PNG } from '../../support/squareGltf.ts';
import { crateWith } from './crateLayer.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const HEAD = '  defaultPrim = "A"\n  metersPerUnit = 1\n  upAxis = "Y"\n';
const layer = (head = HEAD, body = '') =>
  new TextEncoder().encode(`#usda 1.0\n(\n${head})\ndef Xform "A"\n{\n${body}}\n`);
const texture = (path: string) => `  def Shader "T"\n  {\n    asset inputs:file = @${path}@\n  }\n`;
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]);
const EXR = Uint8Array.from([0x76, 0x2f, 0x31, 0x01]);

type Files = Readonly<Record<string, Uint8Array>>;
const usdz = (files: Files) =>
  writeUsdz(
    Object.entries(files).map(([name, bytes]) => ({ name, bytes })),
    'x.usdz',
  );

/** Codes of a package, which are errors all. */
async function found(files: Files | Uint8Array, arkit = false): Promise<string[]> {
  const path = join(folder, 'x.usdz');
  writeFileSync(path, files instanceof Uint8Array ? files : usdz(files));
  const { files: checked, exitCode } = await validate(path, { arkit });
  const { diagnostics, ok } = checked[0];
  expect([ok, exitCode === 0]).toEqual([diagnostics.length === 0, diagnostics.length === 0]);
  return diagnostics.map(({ code }) => code).sort();
}

describe('the archive', () => {
  test('is sound as it is packed', async () => {
    const all = { 'a.usda': layer(HEAD, texture('b/red.png')), 'b/red.png': new Uint8Array(RED_PNG), 'c.jpg': JPEG };
    expect(await found({ ...all, 'd.exr': EXR, 'e.mp3': EXR, 'f.usdz': usdz(all) })).toEqual([]);
  });

  test('is refused cut at any length', async () => {
    const bytes = usdz({ 'a.usda': layer() });
    const sound: number[] = [];
    for (let length = 0; length < bytes.length; length++) {
      if ((await found(bytes.subarray(0, length))).length === 0) sound.push(length);
    }
    expect(sound).toEqual([]);
  });

  test('holds allowed files alone, the layer first, aligned', async () => {
    expect(await found({ 'a.usda': layer(), 'b.txt': JPEG })).toEqual(['UC1630']);
    expect(await found({ 'b.jpg': JPEG, 'a.usda': layer() })).toEqual(['UC1622']);
    expect(await found({ 'b.jpg': JPEG })).toEqual(['UC1607']);
    const moved = Buffer.from(usdz({ 'a.usda': layer() }));
    // Another name in the padding: the data begins elsewhere, and the archive is sound.
    const shorter = Buffer.concat([moved.subarray(0, 36), moved.subarray(64)]);
    shorter.writeUInt16LE(0, 28);
    shorter.writeUInt32LE(moved.readUInt32LE(moved.length - 6) - 28, shorter.length - 6);
    expect(await found(new Uint8Array(shorter))).toEqual(['UC1621']);
  });

  test('holds sound packages, up to a depth', async () => {
    const inner = usdz({ 'a.usda': layer(''), 'b.txt': JPEG });
    expect(await found({ 'a.usda': layer(), 'i.usdz': inner })).toEqual(['UC1630', 'UC1632', 'UC1703', 'UC1707']);
    let deep = usdz({ 'a.usda': layer() });
    for (let i = 0; i < 9; i++) deep = usdz({ 'a.usda': layer(), 'i.usdz': deep });
    expect(await found(deep)).toEqual(['UC1635']);
  });

  test('holds no links', async () => {
    const bytes = Buffer.from(usdz({ 'a.usda': layer(), 'b.jpg': JPEG }));
    const record = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt8(3, record + 5);
    bytes.writeUInt16LE(0o120777, record + 40);
    expect(await found(new Uint8Array(bytes))).toEqual(['UC3821']);
  });
});

describe('the stage', () => {
  test('states default prim, axis and unit', async () => {
    expect(await found({ 'a.usda': layer('') })).toEqual(['UC1632', 'UC1703', 'UC1707']);
    const wrong = '  defaultPrim = "B"\n  metersPerUnit = 0\n  upAxis = "X"\n';
    expect(await found({ 'a.usda': layer(wrong) })).toEqual(['UC1632', 'UC1704', 'UC1705']);
    const below = '  defaultPrim = "B"\n  metersPerUnit = 1\n  upAxis = "Z"\n  subLayers = [@./b.usda@]\n';
    const b = new TextEncoder().encode('#usda 1.0\ndef "B"\n{\n}\n');
    expect(await found({ 'a.usda': layer(below), 'b.usda': b })).toEqual([]);
  });

  test('finds everything in the package', async () => {
    const one = (path: string) => found({ 'a.usda': layer(HEAD, texture(path)), 'b.jpg': JPEG, 'c.1001.jpg': JPEG });
    expect(await one('b.jpg')).toEqual([]);
    expect(await one('c.<UDIM>.jpg')).toEqual([]);
    expect(await one('d.<UDIM>.jpg')).toEqual(['UC1608']);
    expect(await one('gone.jpg')).toEqual(['UC1608']);
    expect(await one('../b.jpg')).toEqual(['UC1609']);
    expect(await one('/b.jpg')).toEqual(['UC1205']);
    expect(await one('B.jpg')).toEqual(['UC1623']);
    const reference = `${HEAD}  subLayers = [@./i.usdz[b.usda]@, @./i.usdz[c.usda]@]\n`;
    const inner = usdz({ 'a.usda': layer(), 'b.usda': layer() });
    expect(await found({ 'a.usda': layer(reference), 'i.usdz': inner })).toEqual(['UC1608']);
  });

  test('has textures of the allowed types, which are what they say', async () => {
    expect(await found({ 'a.usda': layer(HEAD, texture('b.mp3')), 'b.mp3': JPEG })).toEqual(['UC1631']);
    expect(await found({ 'a.usda': layer(), 'b.png': JPEG })).toEqual(['UC1631']);
    expect(await found({ 'a.usda': layer(), 'b.png': Uint8Array.of(1) })).toEqual(['UC1631']);
    const avif = new TextEncoder().encode('\0\0\0\x20ftypavif');
    expect(await found({ 'a.usda': layer(), 'b.avif': avif })).toEqual([]);
  });

  test('reports expressions, which it does not evaluate, and layers that cannot be read', async () => {
    expect(await foundWarnings({ 'a.usda': layer(HEAD, texture('`A`')) })).toEqual(['UC1917']);
    expect(await found({ 'a.usda': layer(), 'b.usda': JPEG })).toEqual(['UC1201']);
  });
});

async function foundWarnings(files: Files): Promise<string[]> {
  const path = join(folder, 'x.usdz');
  writeFileSync(path, usdz(files));
  const { files: checked, exitCode } = await validate(path);
  expect(exitCode).toBe(0);
  return checked[0].diagnostics.map(({ code }) => code);
}

test('ARKit asks for one crate, Y up, PNG and JPEG', async () => {
  const sound = { 'a.usdc': crateWith('b.jpg'), 'b.jpg': JPEG };
  expect(await found(sound, true)).toEqual([]);
  expect(await found({ ...sound, 'c.exr': EXR })).toEqual([]);
  expect(await found({ ...sound, 'c.exr': EXR }, true)).toEqual(['UC1631']);
  expect(await found({ 'a.usda': layer() }, true)).toEqual(['UC1633']);
  expect(await found({ ...sound, 'c.usda': layer() }, true)).toEqual(['UC1633']);
  expect(await found({ ...sound, 'c.usdz': usdz(sound) }, true)).toEqual(['UC1633']);
  const up = '  defaultPrim = "A"\n  metersPerUnit = 1\n  upAxis = "Z"\n';
  expect(await found({ 'a.usda': layer(up) }, true)).toEqual(['UC1633', 'UC1634']);
});

describe('BPX and Galileo files', () => {
  test('are recognised by their content', async () => {
    const bpx = (name: string) => readFileSync(join(FIXTURES, 'bpx', name));
    put(folder, 'f/good', bpx('good_model.bpx'));
    put(folder, 'f/bad', bpx('bad_checksum.bpx'));
    put(folder, 'f/cut.bpx', 'BP');
    put(folder, 'f/cut.gali', 'GA');
    const codes = async (name: string) =>
      (await validate(join(folder, 'f', name))).files[0].diagnostics.map(({ code }) => code);
    expect(await codes('good')).toEqual([]);
    expect(await codes('bad')).toEqual(['UC3605']);
    expect(await codes('cut.bpx')).toEqual(['UC3600']);
    expect((await codes('cut.gali'))[0]).toMatch(/^UC35/);
    const gali = readdirSync(join(FIXTURES, 'galileo')).filter((name) => /^good.*\.gali$/.test(name))[0];
    put(folder, 'f/mesh', readFileSync(join(FIXTURES, 'galileo', gali)));
    expect((await validate(join(folder, 'f/mesh'))).exitCode).toBe(0);
    const { document } = await inspect(join(folder, 'f/mesh'));
    expect(document?.kind === 'gali' && document.totals.groups).toBe(
      document?.kind === 'gali' && document.groups.length,
    );
  });

  test('are told: their sections, what they hold, and the files of packages', async () => {
    for (const name of readdirSync(join(FIXTURES, 'bpx')).filter((file) => file.startsWith('good_'))) {
      const { document, exitCode } = await inspect(join(FIXTURES, 'bpx', name));
      if (document?.kind !== 'bpx') throw new Error(name);
      expect([exitCode, document.sections.length > 0, Object.keys(document.totals).length > 0]).toEqual([
        0,
        true,
        true,
      ]);
      expect(document.files.length > 0).toBe(document.type === 'package');
    }
    const bad = await inspect(join(FIXTURES, 'bpx/bad_signature.bpx'));
    expect([bad.document, bad.exitCode === 0]).toEqual([null, false]);
    const damaged = await inspect(join(FIXTURES, 'bpx/bad_tex_len.bpx'));
    expect(damaged.document?.kind === 'bpx' && damaged.document.totals).toEqual({});
  });
});

test('inspect lists the files of a package', async () => {
  put(folder, 'x.usdz', usdz({ 'a.usda': layer(), 'b/c.jpg': JPEG }));
  const { document } = await inspect(join(folder, 'x.usdz'));
  const entries = document && 'entries' in document ? document.entries : undefined;
  expect(entries?.map(({ path, bytes, offset }) => [path, bytes, offset % 64])).toEqual([
    ['a.usda', layer().length, 0],
    ['b/c.jpg', 4, 0],
  ]);
});
