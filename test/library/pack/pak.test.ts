// Packages of Urho3D: what is packed comes out again, by the engine's layout, and nothing of an unsound package does.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pack, unpack } from '../../../src/index.ts';
import { bytesOf, fixture, fixtures } from '../../formats/urho3d/fixtures.ts';
import { put, temporaryFolder } from '../../support/files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code);

/** Names and bytes: text that packs well, bytes that do not, more than one block, and nothing at all. */
function putTree(): Map<string, Buffer> {
  const noise = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i * 2654435761) >>> 13));
  const tree = new Map([
    ['Materials/Jack.xml', Buffer.from('<material/>\n'.repeat(9000))],
    ['Models/Jack.mdl', noise],
    ['Textures/empty.png', Buffer.alloc(0)],
    ['readme.txt', Buffer.from('ä')],
  ]);
  for (const [name, bytes] of tree) put(folder, `Data/${name}`, bytes);
  return tree;
}

describe.each([[false], [true]])('packed with compress %j', (compress) => {
  test('a folder comes out as it was, and gives the same bytes twice', async () => {
    const tree = putTree();
    const made = await pack(at('Data'), { out: at('Data.pak'), compress });
    expect([made.exitCode, made.document?.kind, codes(made)]).toEqual([0, 'pak', []]);
    const first = readFileSync(at('Data.pak'));
    expect(first.subarray(0, 4).toString()).toBe(compress ? 'ULZ4' : 'UPAK');
    expect((await pack(at('Data'), { out: at('Data.pak'), compress })).exitCode).toBe(0);
    expect(readFileSync(at('Data.pak')).equals(first)).toBe(true);
    const out = await unpack(at('Data.pak'), { out: at('out') });
    expect([out.exitCode, out.document?.kind]).toEqual([0, 'pak']);
    for (const [name, bytes] of tree)
      expect([name, readFileSync(at(`out/${name}`)).equals(bytes)]).toEqual([name, true]);
    expect(out.document?.files.map(({ path }) => path)).toEqual([...tree.keys()]);
  });

  test('a package that is cut anywhere leaves nothing', async () => {
    put(folder, 'Data/a.txt', 'aaaaaaaaaaaaaaaaaaaaaaaa');
    put(folder, 'Data/b/c.txt', 'b');
    await pack(at('Data'), { out: at('Data.pak'), compress });
    const whole = readFileSync(at('Data.pak'));
    const passed: number[] = [];
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(at('Cut.pak'), whole.subarray(0, length));
      const { exitCode, diagnostics } = await unpack(at('Cut.pak'), { out: at('out') });
      if (exitCode !== 1 || diagnostics.length === 0 || existsSync(at('out'))) passed.push(length);
    }
    expect(passed).toEqual([]);
  });
});

test('the bytes of a package of one file are those of the layout', async () => {
  put(folder, 'D/a', 'ab');
  await pack(at('D'), { out: at('D.pak') });
  // SDBM: 'a' is 97; then 98 + (97 << 6) + (97 << 16) - 97 = 6363201.
  const expected = bytesOf('UPAK', ['u32', 1, 6363201], 'a', ['u8', 0], ['u32', 26, 2, 6363201], 'ab', ['u32', 32]);
  expect([...readFileSync(at('D.pak'))]).toEqual([...expected]);
});

test.each(fixtures(/^bad_.*\.pak$/))('%s leaves nothing', async (name) => {
  writeFileSync(at('x.pak'), fixture(name));
  const result = await unpack(at('x.pak'), { out: at('out') });
  expect(result.exitCode).toBeGreaterThan(0);
  expect(codes(result).every((code) => /^UC(39|38)\d\d$/.test(code))).toBe(true);
  expect(existsSync(at('out'))).toBe(false);
});

test.each(fixtures(/^good_.*\.pak$/))('%s is unpacked, at the end of a program too', async (name) => {
  writeFileSync(at('x.pak'), fixture(name));
  const { exitCode, document } = await unpack(at('x.pak'), { out: at('out') });
  expect(exitCode).toBe(0);
  for (const { path, bytes } of document?.files ?? []) expect(readFileSync(at(`out/${path}`)).length).toBe(bytes);
});

test('packages of rbfx are refused by name', async () => {
  writeFileSync(at('x.pak'), 'RPAK\0\0\0\0\0\0\0\0\0\0\0\0');
  expect(codes(await unpack(at('x.pak'), { out: at('out') }))).toEqual(['UC3901']);
});

test('what means nothing for the kind is refused, and only a package of the kind is replaced', async () => {
  mkdirSync(at('Data'));
  expect(codes(await pack(at('Data'), { out: at('x.pak') }))).toEqual(['UC3800']);
  put(folder, 'Data/a.txt', 'a');
  expect(codes(await pack(at('Data'), { out: at('x.pak'), layout: 'spec' }))).toEqual(['UC1012']);
  expect(codes(await pack(at('Data'), { out: at('x.pak'), defaultLayer: 'a' }))).toEqual(['UC1012']);
  put(folder, 'x.pak', 'mine');
  expect(codes(await pack(at('Data'), { out: at('x.pak') }))).toEqual(['UC4001']);
  expect(codes(await pack(at('Data'), { out: at('x.pak'), force: true }))).toEqual([]);
});
