// Checks a staged set before it is moved in: every file is read back from the disk, payloads and cooked textures are checked
// by the rules of their formats, the manifest by those of the engine's decoder.

import type { Format } from '../formats/format.ts';
import { extensionOf } from '../formats/kinds.ts';
import { validateManifest } from '../formats/manifest/validate.ts';
import { SHARD_ENDING } from '../formats/shard/document.ts';
import { shardFaults } from '../formats/shard/text.ts';
import { isPackPath } from '../formats/untoldpack/document.ts';
import { validatePack } from '../formats/untoldpack/validate.ts';
import { validateUtex } from '../formats/utex/validate.ts';
import type { OutputSet } from './outputSet.ts';

/** Files that a manifest names and that are not in its set, by path relative to it. */
export type FilesBeside = ReadonlyMap<string, { readonly size: number; readonly read: () => Uint8Array }>;

/** What the check of payloads asks of their format. */
export type PayloadCheck = Pick<Format, 'extension' | 'verify' | 'checkTextures' | 'clips' | 'assembly'>;

/**
 * Checks a payload as soon as it is written, while others are cooked. `written`: its bytes, if they are still at hand.
 * Throws as verifySet.
 */
export function verifyPayload(
  set: OutputSet,
  path: string,
  { verify }: PayloadCheck,
  written: Uint8Array | null = null,
): Promise<void> {
  return set.verify(path, (bytes) => verify(bytes, set.pathOf(path), { engine: false }), written);
}

/**
 * Throws SourceError with what is wrong: UC4002 for a file that reads back differently, or the validators' errors. `beside`: what
 * the manifest names beyond the files of the set.
 */
export async function verifySet(
  set: OutputSet,
  format: PayloadCheck,
  onFile: (done: number) => void,
  beside: FilesBeside = new Map(),
): Promise<void> {
  let done = 0;
  for (const { path } of set.files) {
    onFile(done++);
    const isClip = format.clips !== null && path.endsWith(format.clips.extension);
    const isFile = format.assembly?.isChecked(path) ?? path.endsWith(format.extension);
    if (isFile || isClip) await verifyPayload(set, path, format);
    else if (path.endsWith(SHARD_ENDING)) await set.verify(path, async (bytes) => shardFaults(bytes, set.pathOf(path)));
    else if (isPackPath(path)) await verifyPack(set, path);
    else if (path.endsWith('.json') && format.assembly === null) await verifyManifest(set, path, format, beside);
    else if (path.endsWith(extensionOf('utex'))) {
      set.verifyLarge(path, (bytes) => validateUtex(bytes, set.pathOf(path)));
    } else set.verifyLarge(path);
  }
}

async function verifyPack(set: OutputSet, path: string): Promise<void> {
  const sizes = new Map(set.files.map((written) => [written.path, written.bytes]));
  const probe = { size: (p: string) => sizes.get(p) ?? null, read: (p: string) => set.readBack(p) };
  await set.verify(path, async (bytes) => {
    const name = set.pathOf(path);
    const { pack, diagnostics } = validatePack(new TextDecoder().decode(bytes), name, probe);
    if (pack?.lodChains === undefined) return diagnostics;
    const { checkLevelFiles } = await import('../formats/untoldpack/levelFiles.ts');
    return [...diagnostics, ...(await checkLevelFiles(pack, name, probe))];
  });
}

async function verifyManifest(set: OutputSet, path: string, format: PayloadCheck, beside: FilesBeside): Promise<void> {
  const sizes = new Map(set.files.map((written) => [written.path, written.bytes]));
  const probe = {
    size: (p: string) => sizes.get(p) ?? beside.get(p)?.size ?? null,
    read: (p: string) => beside.get(p)?.read() ?? set.readBack(p),
  };
  await set.verify(path, async (bytes) => {
    const report = await validateManifest(new TextDecoder().decode(bytes), set.pathOf(path), probe, format);
    if (report.manifest === null && report.diagnostics.length === 0) {
      throw new Error('the manifest was refused silently');
    }
    return report.diagnostics;
  });
}
