// What is cooked for a zone has no tree of nodes: each node would be an entity.

import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cook, inspect } from '../../src/index.ts';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file for a zone has the entities that draw alone', async () => {
  const source = resolve(import.meta.dirname, '../../samples/courtyard.usdz');
  const entities = async (name: string, options: object) => {
    const out = join(folder, name);
    const { exitCode } = await cook(source, { out, ...options });
    expect(exitCode).toBe(0);
    return JSON.stringify((await inspect(out)).document).match(/"entities":(\d+)/)?.[1];
  };
  const viewerZone = ['box:-1,1,3,1,2,5'];
  const seen = await entities('seen.untold', { viewerZone });
  expect(seen).toBeDefined();
  expect(await entities('flat.untold', { viewerZone, flatten: true })).toBe(seen);
});
