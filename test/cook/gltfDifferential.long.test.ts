// Whole cooks of assets of another hand against an independent reader.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compare, listed } from './independentReader.ts';

const KAYKIT = resolve(import.meta.dirname, '../../../shared/assets/gltf/kaykit-city/gltf');
const kaykit = listed(KAYKIT);

test.skipIf(kaykit.length === 0)('KayKit City Builder (skipped without the assets beside the project)', async () => {
  expect(kaykit.length).toBeGreaterThan(30);
  await compare(kaykit);
});
