// What of cooked files is not known here stays in what is cooked of them.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addChunk, putTogether, takeApart } from '../formats/untold/edit.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'square.gltf', squareGltf());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function cooked(...args: string[]): Promise<void> {
  const { code, stderr } = await untold(folder, ['cook', ...args, '--no-cache']);
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

test('bits of the header and chunk 28 are accepted and live through a rewrite', async () => {
  await cooked('square.gltf', '--out', 'plain.untold');
  const edit = takeApart(new Uint8Array(readFileSync(join(folder, 'plain.untold'))));
  addChunk(edit, 28, Uint8Array.of(1, 2, 3, 250));
  edit.header.set([0x40, 0, 0, 1], 16);
  writeFileSync(join(folder, 'newer.untold'), putTogether(edit));
  const { code, stderr } = await untold(folder, ['validate', 'newer.untold', '--verbose']);
  expect([code, stderr.match(/UC3033/g)]).toEqual([0, ['UC3033', 'UC3033']]);
  expect(stderr).toContain('flags 0x1000040');

  await cooked('newer.untold', '--out', 'again.untold');
  const again = new Uint8Array(readFileSync(join(folder, 'again.untold')));
  const view = new DataView(again.buffer);
  expect(view.getUint32(16, true)).toBe(0x1000040);
  const { chunks } = takeApart(again);
  expect(chunks.find(({ type }) => type === 28)?.bytes).toEqual(Uint8Array.of(1, 2, 3, 250));
  // Without them nothing changes.
  await cooked('plain.untold', '--out', 'same.untold');
  expect(new DataView(new Uint8Array(readFileSync(join(folder, 'same.untold'))).buffer).getUint32(16, true)).toBe(0);
});

test('keys of a pack that are not known live through a rewrite', async () => {
  await cooked('square.gltf', '--out', 'one/square.untoldpack');
  const path = join(folder, 'one/square.untoldpack');
  const pack = JSON.parse(readFileSync(path, 'utf8'));
  const more = { author: 'somebody', numbers: [1, 2] };
  const models = [{ ...pack.models[0], layer: 3 }];
  writeFileSync(path, JSON.stringify({ ...pack, models, ...more }));
  await cooked('one/square.untoldpack', '--out', 'two/square.untoldpack');
  const again = JSON.parse(readFileSync(join(folder, 'two/square.untoldpack'), 'utf8'));
  expect(again).toEqual({ ...pack, sourceAsset: 'square.untoldpack', models, ...more });
});
