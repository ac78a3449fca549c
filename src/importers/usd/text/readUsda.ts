// Reads a USD text layer (usda). The grammar is that of OpenUSD (sdf/textFileFormatParser.h, version 1.0). Text that
// OpenUSD refuses is refused here, except a few unambiguous spellings of old exporters, which are read with a warning.

import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import type { Layer } from '../layer.ts';
import { CH, UsdaCursor } from './cursor.ts';
import { LayerBuilder } from './layerBuilder.ts';
import { readMetadata } from './statements/metadata.ts';
import { readPrims } from './statements/prims.ts';

const MAGIC = '#usda ';
const VERSION = '1.0';

function startsWith(bytes: Uint8Array, text: string, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

const hasByteOrderMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** Whether the bytes start like a text layer, with or without a byte order mark. */
export function isUsda(bytes: Uint8Array): boolean {
  return startsWith(bytes, MAGIC, hasByteOrderMark(bytes) ? 3 : 0);
}

/** Reads the first line and returns its version. */
function readHeader(cursor: UsdaCursor): string {
  const { bytes } = cursor;
  if (hasByteOrderMark(bytes)) {
    cursor.lenient('byte order mark', 'the file starts with a byte order mark', 0);
    cursor.pos = 3;
  }
  if (!startsWith(bytes, MAGIC, cursor.pos)) {
    return fail(
      'UC1500',
      cursor.identifier,
      '',
      bytes.length === 0 ? 'the file is empty' : "the file does not start with '#usda '",
    );
  }
  const start = cursor.pos + MAGIC.length;
  let end = start;
  while (end < bytes.length && bytes[end] !== CH.newline && bytes[end] !== CH.return) end++;
  cursor.pos = end;
  const version = cursor.slice(start, end).trim();
  if (version !== VERSION) cursor.warnOnce('version', 'UC1521', `the version is '${version}', not ${VERSION}`, start);
  return version;
}

/**
 * Reads a whole text layer. `identifier` names it in the layer and in messages. Data that is left out is reported to
 * `diagnostics`. Text that is not a layer or breaks the grammar throws a SourceError (UC1500 to UC1506) with element,
 * line and column. Fields have the names and value types that OpenUSD writes into a crate.
 */
export function readUsda(bytes: Uint8Array, identifier: string, diagnostics: Diagnostics): Layer {
  const cursor = new UsdaCursor(bytes, identifier, diagnostics);
  const version = readHeader(cursor);
  const builder = new LayerBuilder(cursor);
  cursor.skipLines();
  if (cursor.byte === CH.open) readMetadata(builder, builder.root, 'layer');
  readPrims(builder);
  return { identifier, format: 'usda', version, specs: builder.specs };
}
