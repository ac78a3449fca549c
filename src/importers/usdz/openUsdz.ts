// Opens a USDZ package (USDZ specification 1.3): lists its files, finds its root layer, and resolves the asset paths of
// its layers. No file outside of the package is read.

import { inflateRawSync } from 'node:zlib';
import { crc32 } from '../../bytes/crc32.ts';
import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { LimitWatch } from '../../diagnostics/limits.ts';
import { type Content, memoryContent, partOf, wholeOf } from '../content.ts';
import { isLayerName } from './fileTypes.ts';
import { folderOf, joinInPackage, joinPackagePath, splitPackagePath } from './packagePaths.ts';
import { UnpackBudget } from './unpackBudget.ts';
import { METHOD_STORED, readZipDirectory, type ZipEntry } from './zipDirectory.ts';

export interface UsdzEntry {
  readonly name: string;
  /** The offset of the file in the package. */
  readonly offset: number;
  readonly size: number;
  /** A link or a device of Unix. */
  readonly isSpecial: boolean;
}

export interface UsdzPackage {
  /** The name by which the package was opened: a file path, or `outer.usdz[inner.usdz]`. */
  readonly identifier: string;
  /** The files in the order of their local headers, without folders. */
  readonly entries: readonly UsdzEntry[];
  /** The root layer, which is the first file. */
  readonly root: UsdzEntry;
  has(name: string): boolean;
  /**
   * The content of a file: a part of the package if the file is stored and aligned or on disk, else a copy that starts at
   * a multiple of 8 bytes. Throws UC1608 if there is no such file, UC1606 if it is damaged, UC1611 if it is too large.
   */
  open(name: string): Content;
  /**
   * The name of the file that an asset path of the layer `layer` leads to. A path is relative to the folder of that
   * layer; a path without `./` or `../` is second relative to the folder of the root layer. A name that differs only in
   * case is accepted with a warning. Null if the package has no such file. A path into a nested package keeps its
   * brackets (`inner.usdz[a.png]`). `element` is the attribute or prim that authors the path, for messages. Throws
   * UC1205 for absolute and remote paths, UC1609 for paths that lead out of the package.
   */
  resolve(assetPath: string, layer: string, element: string): string | null;
  /** The identifier of a file of the package: `package.usdz[name]`, with nested brackets for a nested path. */
  identify(name: string): string;
}

/** The greatest compression ratio of Deflate (RFC 1951: two bits give 258 bytes). */
const MAX_DEFLATE_RATIO = 1032;
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** What of a file on disk is read at a time for its checksum. */
const CHECKED_BYTES = 2 ** 20;
/** The size of the widest number in a crate, in bytes. Views of arrays need this alignment. */
const VIEW_ALIGNMENT = 8;

/** OpenUSD appends file format arguments to asset paths after this mark. */
const FORMAT_ARGUMENTS = ':SDF_FORMAT_ARGS:';

function inflate(data: Uint8Array, entry: ZipEntry, identifier: string, budget: UnpackBudget): Uint8Array {
  if (entry.size > MAX_FILE_BYTES) return fail('UC1611', identifier, entry.name, `it unpacks to ${entry.size} bytes`);
  if (entry.size > entry.compressedSize * MAX_DEFLATE_RATIO) {
    return fail('UC1606', identifier, entry.name, `${entry.compressedSize} bytes cannot unpack to ${entry.size}`);
  }
  if (!budget.take(entry.size)) {
    const message = `with its ${entry.size} bytes, the packages of this source unpack to more than ${budget.limit} bytes`;
    return fail('UC1611', identifier, entry.name, message);
  }
  let out: Buffer;
  try {
    out = inflateRawSync(data, { maxOutputLength: Math.max(entry.size, 1) });
  } catch {
    return fail('UC1606', identifier, entry.name, `its compressed data is broken or longer than ${entry.size} bytes`);
  }
  if (out.length !== entry.size) {
    return fail('UC1606', identifier, entry.name, `it unpacks to ${out.length} bytes instead of ${entry.size}`);
  }
  return out.byteOffset % VIEW_ALIGNMENT === 0
    ? new Uint8Array(out.buffer, out.byteOffset, out.length)
    : Uint8Array.from(out);
}

/** The checksum of a file, which is read part by part. */
function checksumOf(file: Content): number {
  if (file.whole) return crc32(file.whole);
  let checksum = 0;
  for (let at = 0; at < file.size; at += CHECKED_BYTES) {
    checksum = crc32(file.range(at, Math.min(CHECKED_BYTES, file.size - at)), checksum);
  }
  return checksum;
}

/** The root layer: the first file, or, with a warning, the first file that is a USD layer. */
function findRoot(entries: readonly ZipEntry[], identifier: string, diagnostics: Diagnostics): ZipEntry {
  const first = entries[0];
  if (first && isLayerName(first.name)) return first;
  const layer = entries.find((entry) => isLayerName(entry.name));
  if (!first || !layer)
    return fail('UC1607', identifier, '', first ? 'no file is a USD layer' : 'the package is empty');
  diagnostics.report('UC1622', identifier, layer.name, `the first file is '${first.name}'; '${layer.name}' is read`);
  return layer;
}

/**
 * Opens a package. `identifier` names it in messages; all packages of a source share `budget` and `limits`. Throws a SourceError
 * (UC1600 to UC1607) if the bytes are not a valid package. Violations of the USDZ specification that do not prevent
 * reading are reported.
 */
export function openUsdz(
  content: Content,
  identifier: string,
  diagnostics: Diagnostics,
  budget = new UnpackBudget(),
  limits = new LimitWatch(),
): UsdzPackage {
  const entries = readZipDirectory(content, identifier, diagnostics, limits);
  const root = findRoot(entries, identifier, diagnostics);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byFoldedName = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const folded = entry.name.toLowerCase();
    if (!byFoldedName.has(folded)) byFoldedName.set(folded, entry);
  }
  const opened = new Map<ZipEntry, Content>();

  const openEntry = (entry: ZipEntry): Content => {
    const data = partOf(content, entry.offset, entry.compressedSize);
    let file = data;
    if (entry.method !== METHOD_STORED) {
      file = memoryContent(inflate(wholeOf(data, identifier, entry.name), entry, identifier, budget));
    } else if (data.whole && data.whole.byteOffset % VIEW_ALIGNMENT !== 0) {
      file = memoryContent(new Uint8Array(data.whole));
    }
    if (checksumOf(file) !== entry.crc32) return fail('UC1606', identifier, entry.name, 'its checksum is wrong');
    return file;
  };

  return {
    identifier,
    entries,
    root,
    has: (name) => byName.has(name),
    open(name) {
      const entry = byName.get(name);
      if (!entry) return fail('UC1608', identifier, name, `the package has no file '${name}'`);
      const known = opened.get(entry);
      if (known) return known;
      const file = openEntry(entry);
      opened.set(entry, file);
      return file;
    },
    resolve(assetPath, layer, element) {
      const at = identify(layer);
      const end = assetPath.indexOf(FORMAT_ARGUMENTS);
      const [outer, ...inner] = splitPackagePath(end < 0 ? assetPath : assetPath.slice(0, end)) as [
        string,
        ...string[],
      ];
      let path = outer;
      if (path.includes('\\')) {
        diagnostics.report('UC1624', at, element, `'${path}' contains backslashes`);
        path = path.replaceAll('\\', '/');
      }
      if (path.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
        return fail('UC1205', at, element, `absolute or remote path: ${assetPath}`);
      }
      const anchored = /^\.\.?(\/|$)/.test(path);
      const folders = anchored ? [folderOf(layer)] : [folderOf(layer), folderOf(root.name)];
      const candidates: string[] = [];
      for (const folder of folders) {
        const name = joinInPackage(folder, path);
        if (name !== null) candidates.push(name);
      }
      if (candidates.length === 0) return fail('UC1609', at, element, `'${assetPath}' leads out of the package`);
      let found = candidates.find((name) => byName.has(name));
      if (found === undefined) {
        const folded = candidates
          .map((name) => byFoldedName.get(name.toLowerCase()))
          .find((entry) => entry !== undefined);
        if (!folded) return null;
        found = folded.name;
        diagnostics.report('UC1623', at, element, `there is no file '${assetPath}'; '${found}' is used`);
      }
      return joinPackagePath([found, ...inner]);
    },
    identify,
  };

  function identify(name: string): string {
    return joinPackagePath([...splitPackagePath(identifier), ...splitPackagePath(name)]);
  }
}
