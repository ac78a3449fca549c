// Checks a staged set before it is moved in: every file is read back from the disk, payloads go through the strict
// validator with the rules of the format, the manifest through those of the engine's decoder.

import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { validateManifest } from '../untold/manifest.ts';
import { validateUntold } from '../untold/validate.ts';
import type { OutputSet } from './outputSet.ts';

/** Throws SourceError with what is wrong: UC4002 for a file that reads back differently, or the validators' errors. */
export async function verifySet(set: OutputSet, base: string, onFile: (done: number) => void): Promise<void> {
  let done = 0;
  await set.verify(async (path, bytes): Promise<readonly Diagnostic[]> => {
    onFile(done++);
    const file = join(base, path);
    if (path.endsWith('.untold')) return validateUntold(bytes, file, { engine: false });
    if (!path.endsWith('.json')) return [];
    const sizes = new Map(set.files.map((written) => [written.path, written.bytes]));
    const text = new TextDecoder().decode(bytes);
    const probe = { size: (p: string) => sizes.get(p) ?? null, read: (p: string) => set.readBack(p) };
    const report = await validateManifest(text, file, probe);
    if (report.manifest === null && report.diagnostics.length === 0)
      throw new Error('the manifest was refused silently');
    return report.diagnostics;
  });
}
