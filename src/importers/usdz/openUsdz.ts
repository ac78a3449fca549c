// Opens a USDZ package (USDZ specification 1.3): its files, its root layer, and the resolution of asset paths that its
// layers write. Nothing is read from outside the package.

import { inflateRawSync } from 'node:zlib';
import { crc32 } from '../../bytes/crc32.ts';
import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { folderOf, joinInPackage, joinPackagePath, splitPackagePath } from './packagePaths.ts';
import { UnpackBudget } from './unpackBudget.ts';
import { METHOD_STORED, readZipDirectory, type ZipEntry } from './zipDirectory.ts';

export interface UsdzEntry {
  readonly name: string;
  /** Start of the file in the package. */
  readonly offset: number;
  readonly size: number;
}

export interface UsdzPackage {
  /** As it was opened: a file path, or `outer.usdz[inner.usdz]`. */
  readonly identifier: string;
  /** In the order of their local headers; folders are left out. */
  readonly entries: readonly UsdzEntry[];
  /** The layer that the package stands for: its first file. */
  readonly root: UsdzEntry;
  has(name: string): boolean;
  /**
   * The bytes of a file: a view of the package where it lies stored and aligned, else a copy, which starts at a multiple
   * of 8 bytes. Throws UC1608 when there is no such file, UC1606 when it is damaged, UC1611 when it is too large.
   */
  read(name: string): Uint8Array;
  /**
   * The name of the file that an asset path means, written in the layer `layer` of this package: first from that layer's
   * folder, then, for paths without `./` or `../`, from the root layer's folder. Names that differ in case only are found
   * with a warning. Null when the package has no such file. A path into a nested package keeps its brackets
   * (`inner.usdz[a.png]`). `element` says for messages where the path stands. Throws UC1205 for absolute and remote
   * paths, UC1609 for paths that climb out of the package.
   */
  resolve(assetPath: string, layer: string, element: string): string | null;
  /** How a file of the package is named from outside: `package.usdz[name]`; for a nested path, nested brackets. */
  identify(name: string): string;
}

const USD_LAYER = /\.usd[ac]?$/i;

/** Deflate cannot shrink data by more (RFC 1951: 258 bytes from two bits). */
const MAX_DEFLATE_RATIO = 1032;
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** The widest number of a crate file: views of arrays need that alignment. */
const VIEW_ALIGNMENT = 8;

/** OpenUSD appends arguments of file formats to asset paths like this. */
const FORMAT_ARGUMENTS = ':SDF_FORMAT_ARGS:';

function inflate(data: Uint8Array, entry: ZipEntry, identifier: string, budget: UnpackBudget): Uint8Array {
  if (entry.size > MAX_FILE_BYTES) return fail('UC1611', identifier, entry.name, `it unpacks to ${entry.size} bytes`);
  if (entry.size > entry.compressedSize * MAX_DEFLATE_RATIO) {
    return fail('UC1606', identifier, entry.name, `${entry.compressedSize} bytes cannot unpack to ${entry.size}`);
  }
  if (!budget.take(entry.size)) {
    const message = `with its ${entry.size} bytes the packages of this source unpack to more than ${budget.limit} bytes`;
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

/** The root layer: the first file, or with a warning the first USD file. */
function findRoot(entries: readonly ZipEntry[], identifier: string, diagnostics: Diagnostics): ZipEntry {
  const first = entries[0];
  if (first && USD_LAYER.test(first.name)) return first;
  const layer = entries.find((entry) => USD_LAYER.test(entry.name));
  if (!first || !layer)
    return fail('UC1607', identifier, '', first ? 'no file is a USD layer' : 'the package is empty');
  diagnostics.report('UC1622', identifier, layer.name, `the first file is '${first.name}'; '${layer.name}' is read`);
  return layer;
}

/**
 * Opens a package. `identifier` names it in messages; `budget` is shared by all packages of a source. Throws a SourceError (UC1600 to UC1607) for what is no package or
 * cannot be trusted; reports what USDZ forbids but can be read.
 */
export function openUsdz(
  bytes: Uint8Array,
  identifier: string,
  diagnostics: Diagnostics,
  budget = new UnpackBudget(),
): UsdzPackage {
  const entries = readZipDirectory(bytes, identifier, diagnostics);
  const root = findRoot(entries, identifier, diagnostics);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byFoldedName = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const folded = entry.name.toLowerCase();
    if (!byFoldedName.has(folded)) byFoldedName.set(folded, entry);
  }
  const read = new Map<ZipEntry, Uint8Array>();

  const readEntry = (entry: ZipEntry): Uint8Array => {
    const data = bytes.subarray(entry.offset, entry.offset + entry.compressedSize);
    let content: Uint8Array;
    if (entry.method !== METHOD_STORED) content = inflate(data, entry, identifier, budget);
    else content = data.byteOffset % VIEW_ALIGNMENT === 0 ? data : new Uint8Array(data);
    if (crc32(content) !== entry.crc32) return fail('UC1606', identifier, entry.name, 'its checksum is wrong');
    return content;
  };

  return {
    identifier,
    entries,
    root,
    has: (name) => byName.has(name),
    read(name) {
      const entry = byName.get(name);
      if (!entry) return fail('UC1608', identifier, name, `the package has no file '${name}'`);
      const known = read.get(entry);
      if (known) return known;
      const content = readEntry(entry);
      read.set(entry, content);
      return content;
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
      if (candidates.length === 0) return fail('UC1609', at, element, `'${assetPath}' climbs out of the package`);
      let found = candidates.find((name) => byName.has(name));
      if (found === undefined) {
        const folded = candidates
          .map((name) => byFoldedName.get(name.toLowerCase()))
          .find((entry) => entry !== undefined);
        if (!folded) return null;
        found = folded.name;
        diagnostics.report('UC1623', at, element, `'${assetPath}' was taken for '${found}'`);
      }
      return joinPackagePath([found, ...inner]);
    },
    identify,
  };

  function identify(name: string): string {
    return joinPackagePath([...splitPackagePath(identifier), ...splitPackagePath(name)]);
  }
}
