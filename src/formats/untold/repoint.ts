// Gives textures of a file other files: records of its texture table and its strings change, everything else stays as it is,
// chunks that are not known too.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import { checkUntold } from './check/validate.ts';
import { assemble, geometryChunk } from './container/assemble.ts';
import type { Chunk } from './container/chunks.ts';
import { decodeRecord, encodeRecord, recordSize } from './container/layout.ts';
import { CHUNK, TEXTURE } from './container/records.ts';

/** The file that a texture is to have. */
export interface NewTexture {
  readonly uri: string;
  /** As TEXTURE_FORMATS numbers them. */
  readonly textureFormat: number;
  readonly width: number;
  readonly height: number;
}

/** The strings with those of the new files behind them, and where each begins. */
function withStrings(strings: Uint8Array, uris: readonly string[]) {
  const encoder = new TextEncoder();
  const added = [...new Set(uris)].map((uri) => [uri, encoder.encode(uri)] as const);
  const whole = new Uint8Array(added.reduce((sum, [, bytes]) => sum + bytes.length + 1, strings.length));
  whole.set(strings);
  const offsets = new Map<string, number>();
  let at = strings.length;
  for (const [uri, bytes] of added) {
    offsets.set(uri, at);
    whole.set(bytes, at);
    at += bytes.length + 1;
  }
  return { whole, offsets };
}

/**
 * The file with other textures, by their index in the table. Throws a SourceError with every error that the validator
 * finds in it.
 */
export async function repointed(
  bytes: Uint8Array,
  file: string,
  textures: ReadonlyMap<number, NewTexture>,
): Promise<Uint8Array> {
  const { tables, diagnostics } = await checkUntold(bytes, file, { engine: false });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !tables?.container.fileType) throw new SourceError(errors);
  const { header, fileType, entries, payloads } = tables.container;
  const version = header.formatVersion;
  const uris = [...textures.values()].map(({ uri }) => uri);
  const { whole: strings, offsets } = withStrings(payloads.get(CHUNK.string) ?? new Uint8Array(0), uris);
  const table = Uint8Array.from(payloads.get(CHUNK.texture) ?? []);
  const view = new DataView(table.buffer);
  const size = recordSize(TEXTURE, version);
  for (const [index, { uri, ...facts }] of textures) {
    const record = decodeRecord(TEXTURE, version, view, index * size);
    encodeRecord(TEXTURE, version, { ...record, ...facts, uriOffset: offsets.get(uri) as number }, view, index * size);
  }
  const changed = new Map([
    [CHUNK.string as number, strings],
    [CHUNK.texture as number, table],
  ]);
  const chunks = await Promise.all(
    entries.map(async ({ fileOffset, compressedSize, ...entry }): Promise<Chunk> => {
      const { type, elementCount } = entry;
      const compression = entry.compression ?? 'none';
      const payload = changed.get(type);
      if (payload) return { ...(await geometryChunk(type, [payload], compression)), elementCount };
      const parts = [bytes.subarray(fileOffset, fileOffset + compressedSize)];
      return { ...entry, compression, parts, size: compressedSize };
    }),
  );
  return assemble({ ...header, fileType }, version, chunks);
}
