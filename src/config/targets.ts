// Where each source's output goes, decided for all of them before anything is written. No I/O.

import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileStem } from '../bytes/deviceNames.ts';
import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { shardFile } from '../formats/shard/document.ts';
import { isPackPath } from '../formats/untoldpack/document.ts';
import { extensionOf, outEachPath, outEachRoot } from './outEach.ts';
import type { CookTarget, ExporterNames, FolderTarget } from './types.ts';

/**
 * The scene's name: the file's stem with every character but letters, digits, `_` and `-` replaced by `_`, and without `_` at
 * both ends, as the engine's own exporter names scenes. Letters of any alphabet, composed (NFC), so that the name does not
 * depend on the disk that the file is on. `scene` if nothing remains, and `aux_` for `aux`, which is no file on Windows.
 */
export function sceneName(path: string): string {
  const stem = basename(path, extname(path)).normalize('NFC');
  return fileStem(stem.replace(/[^\p{L}\p{N}_-]/gu, '_').replace(/^_+|_+$/g, '') || 'scene');
}

export interface TargetSource {
  /** Absolute, as named: gives the scene its name. */
  readonly path: string;
  /** The real path of the folder it lies in: gives the output its folder under a root. */
  readonly folder: string;
  /** What messages call it. */
  readonly name: string;
}

/** Where outputs go. Paths are absolute. */
export interface TargetPlan {
  /** A folder, perhaps with a slash at its end, or a single file: exactly if it ends in `extension` or as a pack does. Null: `outEach` is given. */
  readonly out: string | null;
  /** A checked pattern, which gives each source a file. */
  readonly outEach: string | null;
  /** The real path of an asset root that the user gave: the folders below it are kept (`out/<sub>/<scene>.json`). */
  readonly root: string | null;
  /** What messages call the root; absent: `--root`. */
  readonly rootName?: string;
  /** The real path of the working folder: with `outEach` folders below it are kept if there is no root. */
  readonly workingFolder: string;
  readonly extension: string;
  /** Whether sources that would write the same output take their extensions into their names. */
  readonly renames: boolean;
}

/** The target of a source; `fault`: why it cannot be cooked there. */
export interface PlannedTarget {
  readonly target: CookTarget;
  readonly fault: Diagnostic | null;
}

/** Whether a target is a pack: a manifest with a file for each root object of the scene. */
export const isPack = (target: CookTarget): boolean => target.kind === 'file' && isPackPath(target.path);

/** The file that a target is known by: the manifest, the main file of a shard, or the single file. */
export function mainFile(target: CookTarget): string {
  if (target.kind === 'file') return target.path;
  const { folder, sceneName, shard } = target;
  return join(folder, shard ? shardFile(sceneName) : `${sceneName}.json`);
}

/** The folder of a set's payloads, relative to its manifest, with `/` at its end. */
export const payloadFolder = ({ sceneName: name, payloads = name }: FolderTarget): string => `${payloads}/`;

/** The folder of a source below another; null: it lies elsewhere. */
function folderBelow(root: string, { folder }: TargetSource): string | null {
  const sub = relative(root, folder);
  return sub === '..' || sub.startsWith(`..${sep}`) || isAbsolute(sub) ? null : sub;
}

/** The part of an output's path that tells it from the others, for messages. */
function shownOutput(target: CookTarget, { out, outEach }: TargetPlan): string {
  const base = outEach === null ? (out ?? '') : outEachRoot(outEach);
  return relative(base, mainFile(target)).split(sep).join('/');
}

/** Equal for outputs that a disk which does not tell case apart takes for the same. */
const keyOf = (target: CookTarget): string => mainFile(target).normalize('NFC').toLowerCase();

/**
 * A target for each source, in their order. Without a root every scene lies in `out` itself. Sources whose outputs have
 * equal paths but for case get the fault UC1005. Throws UC1006 for several sources with one file, UC1011 for a source
 * outside the root.
 */
export function planTargets(sources: readonly TargetSource[], plan: TargetPlan): PlannedTarget[] {
  const { out, outEach, root, workingFolder, extension, renames } = plan;
  if (out !== null && (out.endsWith(extension) || isPackPath(out))) {
    if (sources.length > 1) {
      throw new SourceError(diagnostic('UC1006', '', '', `${sources.length} sources, but --out names one file`));
    }
    return sources.map(() => ({ target: { kind: 'file', path: out }, fault: null }));
  }
  const base = root ?? (outEach?.includes('{dir}') ? workingFolder : null);
  const outside = base === null ? [] : sources.filter((source) => folderBelow(base, source) === null);
  if (outside.length > 0) {
    const where = root === null ? 'the working folder, which {dir} is relative to' : (plan.rootName ?? '--root');
    const message = `the source does not lie below ${where}`;
    const remedy =
      root === null ? 'give a --root that holds all sources, or leave {dir} out of the pattern' : undefined;
    throw new SourceError(outside.map(({ name }) => diagnostic('UC1011', name, '', message, remedy)));
  }
  const targetOf = (source: TargetSource, name: string): CookTarget => {
    const sub = (base === null ? null : folderBelow(base, source)) ?? '';
    if (outEach === null) return { kind: 'folder', folder: resolve(out ?? '', sub), sceneName: name };
    return { kind: 'file', path: outEachPath(outEach, { dir: sub, name, ext: extensionOf(source.path) }) };
  };

  const plain = sources.map((source) => targetOf(source, sceneName(source.path)));
  const clashing = clashes(plain);
  const targets = renames
    ? plain.map((target, i) => {
        if (!clashing.has(keyOf(target))) return target;
        const { path } = sources[i];
        return targetOf(sources[i], [sceneName(path), extensionOf(path)].filter((part) => part !== '').join('_'));
      })
    : plain;
  const left = renames ? clashes(targets) : clashing;
  return targets.map((target, i) => {
    const same = left.get(keyOf(target));
    if (!same) return { target, fault: null };
    const other = sources[same.find((index) => index !== i) as number];
    const message = `writes ${shownOutput(target, plan)}, as ${other.name} does`;
    return { target, fault: diagnostic('UC1005', sources[i].name, '', message, apart(sources[i], other, plan)) };
  });
}

/** What keeps the outputs of two sources apart: only what would, of what the call does not do already. */
function apart(one: TargetSource, other: TargetSource, { root, outEach, renames }: TargetPlan): string {
  const differ = {
    folders: one.folder !== other.folder,
    extensions: extensionOf(one.path) !== extensionOf(other.path),
  };
  const ways =
    outEach === null
      ? [
          differ.folders && root === null && 'give --root DIR so that the folders below it are kept',
          differ.extensions && !renames && 'give --on-clash rename so that names tell the extensions',
        ]
      : [
          !outEach.includes('{name}') && 'put {name} into the pattern',
          differ.folders && !outEach.includes('{dir}') && 'put {dir} into the pattern',
          differ.extensions && !outEach.includes('{ext}') && 'put {ext} into the pattern',
        ];
  return [
    ...ways.filter((way) => way !== false),
    'rename a source',
    'cook one of them in a call of its own into another folder',
  ].join(', or ');
}

/** The keys that several targets have, with the indices of those targets. */
function clashes(targets: readonly CookTarget[]): Map<string, number[]> {
  const byKey = new Map<string, number[]>();
  for (const [i, target] of targets.entries()) {
    const key = keyOf(target);
    const same = byKey.get(key);
    if (same) same.push(i);
    else byKey.set(key, [i]);
  }
  return new Map([...byKey].filter(([, same]) => same.length > 1));
}

/** The targets, those of files in one folder marked: which of them is cooked first must not decide a name. */
export function withOthersBeside(planned: readonly PlannedTarget[]): PlannedTarget[] {
  const folderOf = (target: CookTarget) => (target.kind === 'file' ? dirname(target.path) : null);
  const counts = new Map<string | null, number>();
  for (const { target } of planned) counts.set(folderOf(target), (counts.get(folderOf(target)) ?? 0) + 1);
  return planned.map(({ target, fault }) => {
    const isAlone = target.kind !== 'file' || counts.get(dirname(target.path)) === 1;
    return { target: isAlone ? target : { ...target, hasOthersBeside: true }, fault };
  });
}

/** The targets with their textures in one folder. `place` gives the real path that a path stands for. */
export function withSharedTextures(
  planned: readonly PlannedTarget[],
  folder: string,
  place: (path: string) => string,
): PlannedTarget[] {
  const to = place(folder);
  return planned.map(({ target, fault }) => {
    const parts = relative(folderOfFiles(target, place), to).split(sep);
    const uri = parts.map((part) => (part === '' ? '' : `${part}/`)).join('');
    return { target: { ...target, shared: { folder, uri } }, fault };
  });
}

/** The real folder of the files that name textures. */
function folderOfFiles(target: CookTarget, place: (path: string) => string): string {
  if (target.kind === 'folder') return join(place(target.folder), payloadFolder(target));
  const beside = place(dirname(target.path));
  // Models of a pack lie one folder below it.
  return isPack(target) ? join(beside, 'model') : beside;
}

/** The targets with what the engine's own exporter names. */
export function withExporterNames(planned: readonly PlannedTarget[], names: ExporterNames): PlannedTarget[] {
  const { payloads, fileType } = names;
  return planned.map(({ target, fault }) => {
    const named =
      target.kind === 'folder' ? payloads !== undefined && { payloads } : fileType !== undefined && { fileType };
    return { target: { ...target, ...named } as CookTarget, fault };
  });
}

/** The targets as parts of their sets. `out`: the folder that they all lie in. */
export function withShard(
  planned: readonly PlannedTarget[],
  shard: { readonly index: number; readonly count: number },
  out: string,
): PlannedTarget[] {
  return planned.map(({ target, fault }) => {
    if (target.kind === 'file') return { target, fault };
    const place = relative(out, target.folder).split(sep).join('/');
    return { target: { ...target, shard: { ...shard, place } }, fault };
  });
}
