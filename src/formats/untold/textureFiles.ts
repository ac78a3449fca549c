// The texture files that a .untold file names: whether they exist, and whether a cooked one is what its record says. Not
// part of the validator, because only the caller knows which files exist: on a disk, in a package or in a test.

import { Findings } from '../findings.ts';
import type { TextureCheck, TextureProbe } from '../format.ts';
import { extensionOf } from '../kinds.ts';
import { HEADER_BYTES, isUtex, UTEX_FLAGS } from '../utex/layout.ts';
import { readHeader } from '../utex/open.ts';
import { readContainer } from './container/container.ts';
import type { RecordOf } from './container/layout.ts';
import { CHUNK, FIRST_NATIVE_TEXTURE_FORMAT, TEXTURE, TEXTURE_FLAGS, TEXTURE_FORMATS } from './container/records.ts';
import { openTables, recordPath } from './container/tables.ts';

/** `index` is the index in the texture table. */
export interface TextureReference {
  readonly index: number;
  readonly uri: string;
  readonly record: RecordOf<typeof TEXTURE>;
}

/** The texture URIs of a file, without unpacking its geometry. Leaves out what cannot be read; validateUntold reports it. */
export async function textureReferences(
  bytes: Uint8Array,
  findings = new Findings(''),
): Promise<readonly TextureReference[]> {
  const only = [CHUNK.string, CHUNK.texture];
  const container = await readContainer(bytes, findings, { engine: false, only });
  if (!container) return [];
  const tables = openTables(container);
  const table = tables.table(TEXTURE, CHUNK.texture);
  const uriOf = table.column('uriOffset');
  const list: TextureReference[] = [];
  for (let index = 0; index < table.length; index++) {
    tables.strings.check(uriOf(index), () => recordPath(CHUNK.texture, index), findings);
    const uri = tables.strings.at(uriOf(index));
    if (uri !== '') list.push({ index, uri, record: table.get(index) });
  }
  return list;
}

/** A URI that the engine takes as it is: it has a scheme. */
const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * UC3108 for each texture whose file is nowhere the engine looks: at the path relative to the file's folder, else at
 * its last part in that folder. UC3350, UC3351 and UC3354 for cooked textures that do not fit their record. URIs with a scheme are
 * not looked up.
 */
export async function checkTextures(bytes: Uint8Array, file: string, probe: TextureProbe): Promise<TextureCheck> {
  const findings = new Findings(file);
  const cooked = new Set<string>();
  for (const { index, uri, record } of await textureReferences(bytes)) {
    if (HAS_SCHEME.test(uri)) continue;
    const place = recordPath(CHUNK.texture, index);
    const relative = uri.replace(/^\/+/, '');
    const path = [relative, relative.slice(relative.lastIndexOf('/') + 1)].find((one) => probe.exists(one));
    if (path === undefined) {
      findings.report('UC3108', place, `no file ${uri}`);
      continue;
    }
    const isNative = record.textureFormat >= FIRST_NATIVE_TEXTURE_FORMAT;
    // An image with another name is not opened: sets of images are as large as their textures.
    if (!isNative && !path.toLowerCase().endsWith(extensionOf('utex'))) continue;
    cooked.add(path);
    const head = probe.head(path, HEADER_BYTES);
    if (head !== null) checkRecord(record, uri, head, place, findings);
  }
  return { diagnostics: findings.list(), cooked: [...cooked] };
}

/** Compares a record with the header of its file. What is wrong with the header itself is found where the file is checked. */
function checkRecord(
  { textureFormat, flags, width, height }: RecordOf<typeof TEXTURE>,
  uri: string,
  head: Uint8Array,
  place: string,
  findings: Findings,
): void {
  const names: Readonly<Record<number, string>> = TEXTURE_FORMATS;
  const stated = names[textureFormat] ?? `format ${textureFormat}`;
  const isNative = textureFormat >= FIRST_NATIVE_TEXTURE_FORMAT;
  if (isUtex(head) !== isNative) {
    findings.report('UC3350', place, `${stated}, but ${uri} is ${isNative ? 'no' : 'a'} .utex file`);
    return;
  }
  const header = readHeader(head, new Findings(''));
  if (!header) return;
  const { format } = header;
  if (format && format.recordFormat !== null && format.recordFormat !== textureFormat) {
    findings.report(
      'UC3351',
      place,
      `record states another texture format than the file: ${stated}, but ${uri} holds ${format.name}`,
    );
  }
  if (width !== header.width || height !== header.height) {
    const message = `${width} x ${height} texels, but ${uri} has ${header.width} x ${header.height}`;
    findings.report('UC3351', place, `record states another texture size than the file: ${message}`);
  }
  const isNormalMap = (flags & TEXTURE_FLAGS.normalMap) !== 0;
  const isPacked = (header.flags & UTEX_FLAGS.normalPackedXY) !== 0;
  if (isPacked && !isNormalMap)
    findings.report(
      'UC3351',
      place,
      `packed normals in a texture that is no normal map: ${uri} with the flags ${flags} in its record`,
    );
  if (!isPacked && isNormalMap) findings.report('UC3354', place, uri);
  const isColor = (flags & TEXTURE_FLAGS.srgb) !== 0 && !isNormalMap;
  // Whether half floats are colours, their numbers do not tell.
  if (format && format.kind === 'astc' && isColor !== (format.colorSpace === 'srgb')) {
    findings.report(
      'UC3351',
      place,
      `colour space of the record is not that of the file: ${isColor ? 'sRGB' : 'linear'}, but ${uri} is stored as ${format.colorSpace}`,
    );
  }
}
