// How a file of each kind is checked against its format and against what the engine refuses. The code of a check is loaded when
// a file needs it. Packages of USD are checked by their importer, for that takes the readers of layers.

import { sha256Hex } from '../bytes/sha256.ts';
import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import type { TextureProbe } from './format.ts';
import { type KindsOf, takes } from './kinds.ts';
import type { PayloadProbe } from './manifest/validate.ts';
import { kindOfBytes } from './recognise.ts';
import { type FORMATS, type FormatId, formatOfKind, loadFormat } from './registry.ts';

/** What is known of the files in the folder of a checked one; paths are relative to it, with `/`. */
export interface FolderProbe extends PayloadProbe, TextureProbe {}

export interface FileToCheck {
  /** For messages. */
  readonly name: string;
  /** Without folders. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly folder: FolderProbe;
}

export interface FileCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** Files that are to be checked too, relative to the folder: payloads of a manifest, cooked textures of a payload. */
  readonly named?: readonly string[];
  /** Whether the file is a tile, which a manifest has to list. */
  readonly isTile?: boolean;
}

type Check = (file: FileToCheck) => Promise<FileCheck>;

/** The kinds whose check is here. */
export type CheckedKind = Exclude<KindsOf<'validate'>, 'usdz'>;
/** Files of targets are checked by the code of their format. */
type OwnCheck = Exclude<CheckedKind, (typeof FORMATS)[FormatId]['kinds'][number]>;

const textOf = ({ bytes }: FileToCheck): string => new TextDecoder().decode(bytes);
const sceneOf = ({ fileName }: FileToCheck): string => fileName.replace(/\.json$/, '');

const urho3d: Check = async ({ bytes, name }) => ({
  diagnostics: (await import('./urho3d/recognise.ts')).validateUrho3d(bytes, name),
});

const CHECKS: Readonly<Record<OwnCheck, Check>> = {
  async manifest(file) {
    const { validateManifest } = await import('./manifest/validate.ts');
    const { diagnostics, payloads } = await validateManifest(textOf(file), file.name, file.folder);
    // A payload is checked itself, with all that is wrong with it. A listed file that cannot be read is not.
    const own = diagnostics.filter(({ file: of, code }) => of === file.name || code === 'UC1200');
    return { diagnostics: own, named: payloads };
  },
  async shard(file) {
    const { index, count } = (await import('./shard/text.ts')).readShardText(textOf(file), file.name);
    const part = `it is part ${index} of ${count} of a set, and has no manifest`;
    return { diagnostics: [diagnostic('UC4205', file.name, '', part)] };
  },
  async untoldpack(file) {
    const { validatePack } = await import('./untoldpack/validate.ts');
    const { checkLevelFiles } = await import('./untoldpack/levelFiles.ts');
    const { pack, diagnostics, models, levels } = validatePack(textOf(file), file.name, file.folder);
    const ofLevels = pack === null ? [] : await checkLevelFiles(pack, file.name, file.folder);
    return { diagnostics: [...diagnostics, ...ofLevels], named: [...models, ...levels] };
  },
  utex: async ({ bytes, name }) => ({
    diagnostics: (await import('./utex/validate.ts')).validateUtex(bytes, name),
  }),
  record: checkRecord,
  async pak(file) {
    const { diagnostics } = await urho3d(file);
    if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
    return { diagnostics: [...diagnostics, ...(await checkPackaged(file))] };
  },
  ani: urho3d,
  shader: urho3d,
  script: urho3d,
  material: urho3d,
  scene: urho3d,
};

/** The files of Urho3D in a package; packages in packages are not opened. */
async function checkPackaged({ bytes, name }: FileToCheck): Promise<readonly Diagnostic[]> {
  const { readPackage } = await import('./urho3d/package/read.ts');
  const { recogniseUrho3d, validateUrho3d } = await import('./urho3d/recognise.ts');
  return readPackage(bytes, name).files.flatMap(({ name: path, bytes: held }) => {
    const type = recogniseUrho3d(held);
    return type === null || type === 'package' ? [] : validateUrho3d(held, `${name}/${path}`);
  });
}

/**
 * UC3219 and UC3220 for files that are not as a record lists them, and for rows that name no file of its set; files of kinds
 * with rules of their own are named.
 */
async function checkRecord(file: FileToCheck): Promise<FileCheck> {
  const { filesOfManifest, planMapPath } = await import('./manifest/write.ts');
  const { name, folder } = file;
  const text = textOf(file);
  const diagnostics: Diagnostic[] = [];
  const named: string[] = [];
  const files = filesOfManifest(text, sceneOf(file));
  const { files: rows } = JSON.parse(text) as { readonly files: readonly ({ readonly path?: unknown } | null)[] };
  for (const [i, row] of rows.entries()) {
    if (typeof row?.path === 'string' && files?.get(row.path)) continue;
    diagnostics.push(
      diagnostic('UC3219', name, `files/${i}`, 'the row gives no path and SHA-256 of a file of this set'),
    );
  }
  for (const [path, sha256] of files ?? []) {
    if (path === planMapPath(sceneOf(file))) continue;
    if (folder.size(path) === null) {
      diagnostics.push(diagnostic('UC3219', name, 'files', `no file ${path}`));
      continue;
    }
    try {
      const bytes = folder.read(path);
      if (sha256 !== null && sha256Hex(bytes) !== sha256) diagnostics.push(diagnostic('UC3220', name, 'files', path));
      if (takes('validate', kindOfBytes(bytes, path))) named.push(path);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      diagnostics.push(...error.diagnostics);
    }
  }
  return { diagnostics, named };
}

async function checkPayload(format: FormatId, { bytes, name, fileName, folder }: FileToCheck): Promise<FileCheck> {
  const { verify, checkTextures, isTileOfSet } = await loadFormat(format);
  const found = await verify(bytes, name, { engine: true });
  const textures = await checkTextures(bytes, name, folder);
  return {
    diagnostics: [...found, ...textures.diagnostics],
    named: textures.cooked,
    isTile: isTileOfSet(fileName, bytes),
  };
}

/** Everything that is wrong with a file of a kind. Throws what its readers throw. */
export function checkFile(kind: CheckedKind, file: FileToCheck): Promise<FileCheck> {
  const format = formatOfKind(kind);
  return format === null ? CHECKS[kind as OwnCheck](file) : checkPayload(format, file);
}
