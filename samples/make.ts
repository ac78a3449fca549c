// Writes the sample scenes anew: `npm run samples`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sampleFiles } from './files.ts';

for (const [path, bytes] of sampleFiles()) {
  const place = join(import.meta.dirname, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, bytes);
}
