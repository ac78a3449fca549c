// Checks a staged set before it is moved in: every file is read back from the disk, payloads go through the strict
// validator with the rules of the format, the manifest through those of the engine's decoder.

import { validateManifest } from '../formats/manifest/validate.ts';
import { validateUntold } from '../formats/untold/check/validate.ts';
import type { OutputSet } from './outputSet.ts';

/** Checks a payload as soon as it is written, while others are cooked. Throws as verifySet. */
export function verifyPayload(set: OutputSet, path: string): Promise<void> {
  return set.verify(path, (bytes) => validateUntold(bytes, set.pathOf(path), { engine: false }));
}

/** Throws SourceError with what is wrong: UC4002 for a file that reads back differently, or the validators' errors. */
export async function verifySet(set: OutputSet, onFile: (done: number) => void): Promise<void> {
  let done = 0;
  for (const { path } of set.files) {
    onFile(done++);
    if (path.endsWith('.untold')) await verifyPayload(set, path);
    else if (path.endsWith('.json')) await verifyManifest(set, path);
    else await set.verify(path, async () => []);
  }
}

async function verifyManifest(set: OutputSet, path: string): Promise<void> {
  const sizes = new Map(set.files.map((written) => [written.path, written.bytes]));
  const probe = { size: (p: string) => sizes.get(p) ?? null, read: (p: string) => set.readBack(p) };
  await set.verify(path, async (bytes) => {
    const report = await validateManifest(new TextDecoder().decode(bytes), set.pathOf(path), probe);
    if (report.manifest === null && report.diagnostics.length === 0) {
      throw new Error('the manifest was refused silently');
    }
    return report.diagnostics;
  });
}
