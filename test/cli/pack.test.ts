// `untold pack`, `untold unpack` and packages in the other commands, through the command line.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG } from '../support/squareGltf.ts';

let folder: string;
const LAYER = `#usda 1.0
(
  defaultPrim = "A"
  metersPerUnit = 1
  upAxis = "Z"
)
def Shader "A"
{
  asset inputs:file = @../red.png@
}
`;

beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'art/a.usda', LAYER);
  put(folder, 'red.png', RED_PNG);
  put(folder, 'data/one.txt', 'one');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('pack, validate, inspect and unpack', async () => {
  const packed = await untold(folder, ['pack', 'art/a.usda', '--out', 'a.usdz']);
  expect(packed).toEqual({ code: 0, stdout: '', stderr: 'a.usdz: 2 files, 463 B\n' });
  expect((await untold(folder, ['validate', 'a.usdz'])).code).toBe(0);
  const arkit = await untold(folder, ['validate', 'a.usdz', '--arkit']);
  expect([arkit.code, arkit.stderr.match(/UC\d{4}/g)]).toEqual([1, ['UC1633', 'UC1634']]);
  const inspected = await untold(folder, ['inspect', 'a.usdz']);
  expect(inspected.stdout).toMatch(/files\n {2}path +bytes +at byte\n {2}a\.usda .*\n {2}external\/0\/red\.png/);
  const unpacked = await untold(folder, ['unpack', 'a.usdz', '--out', 'out', '--json']);
  expect([unpacked.code, unpacked.stderr]).toEqual([0, 'out: 2 files, 202 B\n']);
  expect(JSON.parse(unpacked.stdout)).toMatchObject({
    schemaVersion: 1,
    kind: 'usdz',
    out: 'out',
    files: [{ path: 'a.usda' }, { path: 'external/0/red.png' }],
  });
  expect(readFileSync(join(folder, 'out/a.usda'), 'utf8')).toBe(LAYER.replace('../red.png', './external/0/red.png'));
});

test('BPX packages', async () => {
  for (const layout of ['spec', 'crate']) {
    const packed = await untold(folder, ['pack', 'data', '-o', `${layout}.bpx`, '--layout', layout, '--json', '-q']);
    expect([packed.code, packed.stderr, JSON.parse(packed.stdout).kind]).toEqual([0, '', 'bpx']);
    expect((await untold(folder, ['validate', `${layout}.bpx`])).code).toBe(0);
    expect((await untold(folder, ['inspect', `${layout}.bpx`])).stdout).toContain('one.txt');
  }
  const { code } = await untold(folder, ['unpack', 'crate.bpx', '--out', 'bpx', '--only', '*.md']);
  expect([code, existsSync(join(folder, 'bpx'))]).toEqual([2, false]);
});

test('what is refused says so on stderr, or in a document', async () => {
  const none = await untold(folder, ['pack', 'art']);
  expect([none.code, none.stdout]).toEqual([2, '']);
  expect(none.stderr).toContain('UC1002');
  const wrong = await untold(folder, ['unpack', 'red.png', '--out', 'x', '--json']);
  expect([wrong.code, JSON.parse(wrong.stdout).diagnostics[0].code]).toEqual([1, 'UC3820']);
  expect(existsSync(join(folder, 'x'))).toBe(false);
  expect((await untold(folder, ['pack', 'gone', '--out', 'x.usdz'])).code).toBe(3);
});
