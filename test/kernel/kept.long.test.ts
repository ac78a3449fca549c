// The kernel that is kept in the repository is what its sources compile to, byte for byte.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compileKernel } from '../../kernel.config.mjs';

test('src/kernel/kernel.wasm is the module of src/kernel/assembly', async () => {
  const kept = readFileSync(resolve(import.meta.dirname, '../../src/kernel/kernel.wasm'));
  expect(kept.equals(await compileKernel())).toBe(true);
});
